"""Claims: numbers in an order, ours and the paper's, whether the order holds, and whether that is more than chance."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from textsimp.core.results import Comparison
from textsimp.reporting.compared_systems import Simplifier
from textsimp.reporting.inputs import Numbers, Run
from textsimp.reporting.plan import seed_scopes
from textsimp.reporting.table import Column, Line, Table, comparison_cell, framed, is_significant, number, words

CANNOT_TELL, NO_EFFECT, NO_NUMBER = "cannot tell", "no effect", "no number"
HOLDS, FAILS, OPEN, UNTESTED, VOID = "holds", "fails", "open", "untested", "void"
"""States of claims: more than chance; within chance; without a test; numbers that are absent or say nothing."""
_TONES = {HOLDS: "good", FAILS: "bad"}
_COLUMNS = {
    "group": "Corpus", "text": "Claim", "paper": "Printed", "ours": "Ours", "margin": "By how much",
    "needed": "Test set", "over_seeds": "Seeds",
}  # fmt: skip
"""The headers of the table of claims, by the attributes that stand below them."""
_LEVEL, _POWER = 1.960, 0.842
"""Quantiles of the normal distribution: 97.5 percent, for both sides of a level of 5 percent, and 80 percent."""
_FEW, _MANY = 10, 100


@dataclass(frozen=True)
class Side:
    """A system on a side of a claim, the name that is printed beside its number, and the number of the paper."""

    system: str
    name: str = ""
    printed: float | None = None


@dataclass(frozen=True)
class Contest:
    """The claim that each of some numbers, named or not, is above the next; equal ones break it if it is strict."""

    sides: tuple[tuple[str, float], ...]
    strict: bool = True

    @property
    def breaks(self) -> list[int]:
        """The indexes of the numbers that are not above the next one, as printed."""
        return [index for index, sign in enumerate(self._signs) if sign == "<" or sign == "=" and self.strict]

    @property
    def is_tie(self) -> bool:
        """Return whether only equal numbers break it."""
        return bool(self.breaks) and all(self._signs[index] == "=" for index in self.breaks)

    @property
    def _signs(self) -> list[str]:
        values = [round(value, 1) for _, value in self.sides]
        return [">" if a > b else "=" if a == b else "<" for a, b in pairwise(values)]

    def __str__(self) -> str:
        named = [f"{number(float(value))} ({name})" if name else number(float(value)) for name, value in self.sides]
        return named[0] + "".join(f" {sign} {side}" for sign, side in zip(self._signs, named[1:], strict=True))


@dataclass(frozen=True)
class Claim:
    """A claim in words and numbers.

    Attributes:
        group: the corpus, or where else the numbers are from.
        ours: None where a number is absent.
        paper: the paper's numbers as text, empty where it has none.
        differences: each of our numbers minus the next; None where that was not tested.
        void: why the numbers say nothing about the claim (`CANNOT_TELL` and why, `NO_EFFECT`); empty where they do.
        seeds: with each seed of training, how far a number is above the next one, where they are closest; none where
            the numbers are of one run.
    """

    group: str
    text: str
    ours: Contest | None
    paper: str = ""
    differences: tuple[Comparison | None, ...] = ()
    void: str = ""
    seeds: tuple[float, ...] = ()

    @property
    def holds(self) -> bool:
        """Return whether each number is above the next."""
        return self.ours is not None and not self.void and not self.ours.breaks

    @property
    def is_contradicted(self) -> bool:
        """Return whether the claim comes out otherwise with a seed of training than in the mean."""
        return any(self._holds_by(margin) != self.holds for margin in self.seeds)

    @property
    def state(self) -> str:
        """`HOLDS`, `FAILS`, `OPEN`, `UNTESTED` or `VOID`.

        A verdict is more than chance where all tested differences of a claim that holds are significant, or one that
        breaks it, and all seeds agree.
        """
        if self.ours is None or self.void:
            return VOID
        if not self._deciding:
            return OPEN if self.ours.is_tie else UNTESTED
        if self.holds:
            is_sure = all(map(is_significant, self._deciding))
        else:
            is_sure = any(is_significant(gap) and gap.difference < 0 for gap in self._deciding)
        if self.is_contradicted or not is_sure:
            return OPEN
        return HOLDS if self.holds else FAILS

    @property
    def verdict(self) -> str:
        """`holds`, `fails`, `cannot tell` and where it tends to, or why there is no verdict."""
        is_tie = self.ours is not None and self.ours.is_tie
        tendency = "a tie" if is_tie else "tends to hold" if self.holds else "tends to fail"
        others = {
            VOID: self.void or NO_NUMBER,
            UNTESTED: f"{HOLDS if self.holds else FAILS}, not tested",
            OPEN: f"{CANNOT_TELL}, {'differs by seed' if self.is_contradicted else tendency}",
        }
        return others.get(self.state, self.state)

    @property
    def over_seeds(self) -> str:
        """Such as `4 of 5 (-0.3 to +3.1)`: with how many seeds it holds, and the smallest and the largest margin."""
        if not self.seeds or self.state == VOID:
            return ""
        spread = " to ".join(f"{round(margin, 1) + 0.0:+.1f}" for margin in (min(self.seeds), max(self.seeds)))
        return f"{sum(map(self._holds_by, self.seeds))} of {len(self.seeds)} ({spread})"

    @property
    def needed_size(self) -> float | None:
        """Return how many times as large a test set would tell, if the difference were as it is; None where one tells.

        For a power of 80 percent at the level of 5 percent, from the width of the interval, which falls with the root
        of the size. A claim that tends to hold needs it for each of its differences, one that tends to fail for one.
        """
        gaps = self._deciding
        if self.state != OPEN or self.is_contradicted or not gaps:
            return None
        sizes = []
        for gap in gaps:
            if gap.low is None or gap.high is None or not gap.difference:
                return None
            error = (gap.high - gap.low) / (2 * _LEVEL)
            sizes.append(((_LEVEL + _POWER) * error / gap.difference) ** 2)
        return max(1.1, max(sizes) if self.holds else min(sizes))

    @property
    def needed(self) -> str:
        """`needed_size` in words; empty where there is none."""
        size = self.needed_size
        if size is None:
            return ""
        return f"× {size:.1f}" if size < _FEW else f"× {size:.0f}" if size < _MANY else f"over × {_MANY}"

    @property
    def margin(self) -> str:
        """By how much, such as `+3.2‡ (1.1 to 5.3)`."""
        cells = (comparison_cell(difference) for difference in self.differences if difference is not None)
        return "; ".join(f"{cell.text} ({cell.interval_text})" if cell.interval else cell.text for cell in cells)

    @property
    def _deciding(self) -> list[Comparison]:
        """The tested differences that the verdict rests on: all where the claim holds, else those that break it."""
        breaks = self.ours.breaks if self.ours else []
        return [gap for at, gap in enumerate(self.differences) if gap and (not breaks or at in breaks)]

    def _holds_by(self, margin: float) -> bool:
        margin = round(margin, 1)
        return margin > 0 or margin == 0 and self.ours is not None and not self.ours.strict


def headline(claims: Sequence[Claim], apart: Sequence[str] = ()) -> str:
    """Return how much of the paper holds here, in a sentence; empty where nothing is printed beside ours.

    Args:
        apart: groups of claims that have nothing printed beside them; a further sentence counts those of each.
    """
    answers = [_answer([claim for claim in claims if claim.paper])]
    answers += [f"{one.capitalize()}: {_counted([claim for claim in claims if claim.group == one])}." for one in apart]
    return " ".join(filter(None, answers))


def _answer(printed: Sequence[Claim]) -> str:
    states = {claim.state for claim in printed} - {VOID}
    if not states:
        return ""
    if HOLDS in states:
        answer = "Yes" if states == {HOLDS} else "In part"
    else:
        answer = "No" if FAILS in states else "We cannot tell"
    return f"Does the paper hold here? {answer}: {_counted(printed)}."


def _counted(claims: Sequence[Claim]) -> str:
    """Say how many are in which state."""
    states = [claim.state for claim in claims]
    holding, failing, open_, untested = (states.count(state) for state in (HOLDS, FAILS, OPEN, UNTESTED))
    parts = [f"{holding} of {len(states) - states.count(VOID)} claims hold{'s' if holding == 1 else ''}"]
    if failing:
        parts[0] += f", {failing} fail{'s' if failing == 1 else ''}"
    if open_:
        tending = sum(claim.holds for claim in claims if claim.state == OPEN)
        verb = "tends" if tending == 1 else "tend"
        parts.append(f"for {open_} we cannot tell ({tending} of them {verb} to hold)")
    if untested:
        parts.append(f"{untested} not tested")
    voids = {CANNOT_TELL: "with degenerate outputs", NO_EFFECT: "without effect", NO_NUMBER: "without a number"}
    void = [claim.verdict for claim in claims if claim.state == VOID]
    counts = {words: sum(verdict.startswith(start) for verdict in void) for start, words in voids.items()}
    return "; ".join([*parts, *(f"{count} {words}" for words, count in counts.items() if count)])


def claims_table(key: str, title: str, text: str, claims: Sequence[Claim], lead: str = "") -> Table:
    """Return the table of these claims, those of a group together."""
    groups = list(dict.fromkeys(claim.group for claim in claims))
    ordered = sorted(claims, key=lambda claim: groups.index(claim.group))
    columns = {
        Column(header=header): [words(str(getattr(claim, name) or "")) for claim in ordered]
        for name, header in _COLUMNS.items()
        if name != "over_seeds" or any(claim.seeds for claim in claims)
    }
    columns[Column(header="Verdict")] = [words(one.verdict, _TONES.get(one.state, "void")) for one in ordered]
    frame = framed((), [Line((), block=claim.group) for claim in ordered], columns)
    return Table(key, title, text, frame, lead)


def claim(
    numbers: Numbers,
    measure: str,
    group: str,
    text: str,
    sides: Sequence[Sequence[Side]],
    run: Run,
    strict: bool = True,
) -> list[Claim]:
    """Return the claim that the best of each side is above that of the next; none where a system is its own rival.

    Systems whose outputs are degenerate are no side's best, if it has others.
    """
    able = [[one for one in side if not numbers.is_degenerate(one.system)] or side for side in sides]
    printed = _best([(one.printed, one) for one in side] for side in sides)
    paper = str(_contest(printed, strict)) if len(printed) == len(sides) else ""
    ours = _best([(numbers.value(one.system, measure), one) for one in side] for side in able)
    if len(ours) < len(sides):
        return [Claim(group, text, None, paper)]
    systems = [one.system for _, one in ours]
    if len(set(systems)) < len(systems):
        return []
    gaps = tuple(numbers.results.compared(numbers.scope, measure, *pair) for pair in pairwise(systems))
    seeds = tuple(_over_seeds(numbers, able, measure))
    return [Claim(group, text, _contest(ours, strict), paper, gaps, _void(run, numbers, gaps, systems), seeds)]


def _best(sides: Iterable[Sequence[tuple[float | None, Side]]]) -> list[tuple[float, Side]]:
    """Return the highest value of each side that has any, with its system, the first of equal ones."""
    known = ([(value, one) for value, one in side if value is not None] for side in sides)
    return [max(side, key=lambda pair: pair[0]) for side in known if side]


def _contest(best: Sequence[tuple[float, Side]], strict: bool) -> Contest:
    return Contest(tuple((one.name, value) for value, one in best), strict)


def _over_seeds(numbers: Numbers, sides: Sequence[Sequence[Side]], measure: str) -> Iterator[float]:
    """Yield for each seed how far the best of a side is above that of the next one, where they are closest."""
    results, split = numbers.results, numbers.scope
    for seed in seed_scopes(results, split):
        tops = []
        for side in sides:
            scopes = (seed if results.get(seed, one.system, measure) else split for one in side)
            values = [results.value(scope, one.system, measure) for scope, one in zip(scopes, side, strict=True)]
            tops.append(max(value for value in values if value is not None))
        yield min(a - b for a, b in pairwise(tops))


def _void(run: Run, numbers: Numbers, gaps: Sequence[Comparison | None], systems: Sequence[str]) -> str:
    """Why the systems' numbers decide nothing: outputs of no trained system, or the same numbers in every resample."""
    if degenerate := [Simplifier.of(system) for system in systems if numbers.is_degenerate(system)]:
        names = " and ".join(f"{run.label(one.model)} ({one.side})" for one in degenerate)
        return f"{CANNOT_TELL}: the outputs of {names} are degenerate"
    same = [gap is not None and gap.difference == gap.low == gap.high == 0 for gap in gaps]
    return NO_EFFECT if all(same) else ""
