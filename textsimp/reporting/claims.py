"""Claims: numbers in an order, ours and the paper's, whether the order holds, and whether that is more than chance."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import pairwise
from typing import Any

from textsimp.core.results import Comparison
from textsimp.metrics.degenerate import note_of
from textsimp.reporting.grid import framed
from textsimp.reporting.listers import Variables, contexts, expanded, released_system, simplifier
from textsimp.reporting.seeds import seed_scopes
from textsimp.reporting.specs import ClaimSpec, ClaimTableSpec, Specs
from textsimp.reporting.table import Column, Row, Table, comparison_cell, is_significant, number, text_cell
from textsimp.reporting.templates import Frame

HEADERS = ("Corpus", "Claim", "Printed", "Ours", "By how much", "Test set", "Seeds", "Verdict")
CANNOT_TELL, NO_EFFECT, NO_NUMBER = "cannot tell", "no effect", "no number"
HOLDS, FAILS, OPEN, UNTESTED, VOID = "holds", "fails", "open", "untested", "void"
STATES = (HOLDS, FAILS, OPEN, UNTESTED, VOID)
"""Of claims: more than chance; within chance; without a test; numbers that are absent or say nothing."""
_TONES = {HOLDS: "good", FAILS: "bad"}
_LEVEL, _POWER = 1.960, 0.842
"""Quantiles of the normal distribution: 97.5 percent, for both sides of a level of 5 percent, and 80 percent."""
_FEW, _MANY = 10, 100
Named = tuple[str, float]
Candidate = tuple[Variables, str]
"""A system, and the template of the name that is printed beside its number."""


@dataclass(frozen=True)
class Contest:
    """The claim that each of some numbers, named or not, is above the next; equal ones break it if it is strict."""

    sides: tuple[Named, ...]
    strict: bool = True

    @property
    def breaks(self) -> list[int]:
        """The indexes of the numbers that are not above the next one, as printed."""
        return [index for index, sign in enumerate(self._signs) if sign == "<" or sign == "=" and self.strict]

    @property
    def is_tie(self) -> bool:
        """Whether only equal numbers break it."""
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
    def is_decided(self) -> bool:
        """Whether the numbers are there and say something."""
        return self.ours is not None and not self.void

    @property
    def holds(self) -> bool:
        """Whether each number is above the next."""
        return self.is_decided and not self._breaks

    @property
    def is_tested(self) -> bool:
        """Whether any difference was that the verdict rests on: where the claim does not hold, one that breaks it."""
        return any(self.differences if self.holds else self._breaking)

    @property
    def is_sure(self) -> bool:
        """Whether the verdict is more than chance, of the test set or of the seeds.

        Where the claim holds, all tested differences have to be significant; where it does not, one that breaks it.
        """
        if self.is_contradicted:
            return False
        if self.holds:
            return self.is_tested and all(gap is None or is_significant(gap) for gap in self.differences)
        return any(gap is not None and is_significant(gap) and gap.difference < 0 for gap in self._breaking)

    @property
    def is_contradicted(self) -> bool:
        """Whether the claim comes out otherwise with a seed of training than in the mean."""
        return any(self._holds_by(margin) != self.holds for margin in self.seeds)

    @property
    def over_seeds(self) -> str:
        """Such as `4 of 5 (-0.3 to +3.1)`: with how many seeds it holds, and the smallest and the largest margin."""
        if not self.seeds or not self.is_decided:
            return ""
        spread = " to ".join(f"{round(margin, 1) + 0.0:+.1f}" for margin in (min(self.seeds), max(self.seeds)))
        return f"{sum(map(self._holds_by, self.seeds))} of {len(self.seeds)} ({spread})"

    @property
    def state(self) -> str:
        """One of `STATES`."""
        if not self.is_decided:
            return VOID
        if not self.is_tested:
            return OPEN if self._is_tie else UNTESTED
        return (HOLDS if self.holds else FAILS) if self.is_sure else OPEN

    @property
    def verdict(self) -> str:
        """`holds`, `fails`, `cannot tell` and where it tends to, or why there is no verdict."""
        tendency = "a tie" if self._is_tie else "tends to hold" if self.holds else "tends to fail"
        tendency = "differs by seed" if self.is_contradicted else tendency
        return {
            VOID: self.void or NO_NUMBER,
            UNTESTED: f"{HOLDS if self.holds else FAILS}, not tested",
            OPEN: f"{CANNOT_TELL}, {tendency}",
        }.get(self.state, self.state)

    @property
    def needed(self) -> str:
        """`needed_size` in words; empty where there is none."""
        size = self.needed_size
        if size is None:
            return ""
        return f"× {size:.1f}" if size < _FEW else f"× {size:.0f}" if size < _MANY else f"over × {_MANY}"

    @property
    def needed_size(self) -> float | None:
        """How many times as large a test set would tell, if the difference were as it is; None where one tells.

        For a power of 80 percent at the level of 5 percent, from the width of the interval, which falls with the root
        of the size. A claim that tends to hold needs it for each of its differences, one that tends to fail for one.
        """
        if self.state != OPEN or self.is_contradicted:
            return None
        gaps = [gap for gap in (self.differences if self.holds else self._breaking) if gap is not None]
        sizes = [size for gap in gaps if (size := _needed(gap)) is not None]
        if not sizes or len(sizes) < len(gaps):
            return None
        return max(1.1, max(sizes) if self.holds else min(sizes))

    @property
    def margin(self) -> str:
        """By how much, such as `+3.2‡ (1.1 to 5.3)`."""
        cells = (comparison_cell(difference) for difference in self.differences if difference is not None)
        return "; ".join(f"{cell.text} ({cell.interval_text})" if cell.interval else cell.text for cell in cells)

    def _holds_by(self, margin: float) -> bool:
        margin = round(margin, 1)
        return margin > 0 or margin == 0 and self.ours is not None and not self.ours.strict

    @property
    def _is_tie(self) -> bool:
        return self.ours is not None and self.ours.is_tie

    @property
    def _breaks(self) -> list[int]:
        return self.ours.breaks if self.ours else []

    @property
    def _breaking(self) -> list[Comparison | None]:
        return [self.differences[index] for index in self._breaks if index < len(self.differences)]


def claim_tables(frame: Frame, specs: Specs) -> list[tuple[ClaimTableSpec, Table, list[Claim]]]:
    """All tables of claims that have any, with their claims."""
    tables = []
    for spec in specs.claim_tables:
        members = [claim for claim in specs.claims if claim.table == spec.name]
        for variables in contexts(frame, spec.per):
            for more in expanded(frame.holding(variables), spec.each):
                here = frame.holding({**variables, **more})
                claims = [claim for member in members for claim in claims_of(here, member)]
                if claims:
                    tables.append((spec, _table(here, spec, claims), claims))
    return tables


def claims_of(frame: Frame, spec: ClaimSpec) -> list[Claim]:
    """The claims of a spec, one for each context and each value of `each`."""
    claims = []
    for variables in contexts(frame, spec.per):
        here = replace(frame.holding(variables), results=spec.results, scope=spec.scope, printed=spec.printed)
        for more in expanded(here, spec.each):
            claim = _claim(here.holding(more), spec)
            if claim is not None and (claim.paper or not spec.printed_only):
                claims.append(claim)
    return claims


def headline(claims: Sequence[Claim], apart: Sequence[str] = ()) -> str:
    """How much of the paper holds here, in a sentence; empty where nothing is printed beside ours.

    Args:
        apart: groups of claims that have nothing printed beside them; a further sentence counts those of each.
    """
    answers = [_answer([claim for claim in claims if claim.paper])]
    for group in apart:
        here = [claim for claim in claims if claim.group == group]
        answers.append(f"{group.capitalize()}: {_counted(here, 'the claims about it')}.")
    return " ".join(filter(None, answers))


def _answer(printed: Sequence[Claim]) -> str:
    states = [claim.state for claim in printed if claim.state != VOID]
    if not states:
        return ""
    if set(states) == {HOLDS}:
        answer = "Yes"
    elif HOLDS in states:
        answer = "In part"
    else:
        answer = "Not where it can be told" if FAILS in states else "It cannot be told"
    return f"Does the paper hold here? {answer}: {_counted(printed, 'its claims')}."


def _counted(claims: Sequence[Claim], what: str) -> str:
    """How many are in which state."""
    decided = [claim for claim in claims if claim.state != VOID]
    of_state = {state: [claim for claim in decided if claim.state == state] for state in STATES}
    holding, failing, open_ = (len(of_state[state]) for state in (HOLDS, FAILS, OPEN))
    parts = [f"{holding} of {len(decided)} of {what} hold{'s' if holding == 1 else ''}"]
    if failing:
        parts[0] += f", {failing} fail{'s' if failing == 1 else ''}"
    if open_:
        tending = sum(claim.holds for claim in of_state[OPEN])
        verb = "tends" if tending == 1 else "tend"
        parts.append(f"{open_} cannot be told from chance ({tending} of them {verb} to hold)")
    if untested := len(of_state[UNTESTED]):
        parts.append(f"not tested: {untested}")
    voids = {CANNOT_TELL: "cannot tell, outputs degenerate", NO_EFFECT: NO_EFFECT, NO_NUMBER: NO_NUMBER}
    void = [claim.verdict for claim in claims if claim.state == VOID]
    counts = {words: sum(verdict.startswith(start) for verdict in void) for start, words in voids.items()}
    return "; ".join([*parts, *(f"{words}: {count}" for words, count in counts.items() if count)])


def _needed(gap: Comparison) -> float | None:
    """See `Claim.needed`; None without a difference or an interval."""
    if gap.low is None or gap.high is None or not gap.difference:
        return None
    error = (gap.high - gap.low) / (2 * _LEVEL)
    return ((_LEVEL + _POWER) * error / gap.difference) ** 2


def _table(frame: Frame, spec: ClaimTableSpec, claims: Sequence[Claim]) -> Table:
    rows = []
    for group in dict.fromkeys(claim.group for claim in claims):
        for index, claim in enumerate(claim for claim in claims if claim.group == group):
            ours = "" if claim.ours is None else str(claim.ours)
            words = (group, claim.text, claim.paper, ours, claim.margin, claim.needed, claim.over_seeds)
            verdict = text_cell(claim.verdict, _TONES.get(claim.state, "void"))
            rows.append(Row((*map(text_cell, words), verdict), index == 0))
    used = [index for index, header in enumerate(HEADERS) if header != "Seeds" or any(claim.seeds for claim in claims)]
    columns = [Column("", HEADERS[index], numeric=False) for index in used]
    rows = [replace(row, cells=tuple(row.cells[index] for index in used)) for row in rows]
    return framed(frame, spec, columns, rows, headline(claims, _miniatures(frame)) if spec.headline else "")


def _miniatures(frame: Frame) -> list[str]:
    """The names of the corpora that are only a miniature of what the paper speaks of."""
    labels = frame.run.labels
    simplified = (corpus.name for corpus in frame.run.simplified)
    return [labels.name(name, "label") for name in simplified if labels.name(name, "about")]


def _claim(frame: Frame, spec: ClaimSpec) -> Claim | None:
    """The claim with our numbers and the paper's; None where a system would stand against itself."""
    sides = [_candidates(frame, side) for side in spec.sides]
    measure = frame.text(spec.measure)
    learned = [_learned(frame, side) for side in sides]
    ours = [_best(side, lambda row: frame.numbers.value(frame.scope_name, row["system"], measure)) for side in learned]
    printed = [_best(side, lambda row: _printed(frame, spec, row)) for side in sides]
    paper = ""
    if all(side is not None for side in printed):
        named = tuple((side[1], side[2]) for side in printed if side is not None)
        paper = str(Contest(named, spec.strict))
    group, text = frame.sentences(spec.group), frame.text(spec.text)
    chosen = [side for side in ours if side is not None]
    if len(chosen) < len(sides):
        return Claim(group, text, None, paper)
    systems = [system for system, _, _ in chosen]
    if len(set(systems)) < len(systems):
        return None
    return Claim(
        group,
        text,
        Contest(tuple((label, value) for _, label, value in chosen), spec.strict),
        paper,
        tuple(frame.numbers.compared(frame.scope_name, measure, *pair) for pair in pairwise(systems)),
        _void(frame, measure, systems),
        tuple(_over_seeds(frame, learned, measure)),
    )


def _candidates(frame: Frame, side: Any) -> list[Candidate]:
    """The systems that may stand on a side."""
    if isinstance(side, str):
        return [(_system(frame, frame.text(side)), "")]
    if "best" not in side:
        return [(_system(frame, frame.text(side["system"])), side.get("label", ""))]
    listers = side["best"] if isinstance(side["best"], list) else [side["best"]]
    rows = [row for lister in listers for row in expanded(frame, {"row": lister})]
    patterns = [frame.text(pattern) for pattern in side.get("except", [])]
    chosen = (row for row in rows if not any(fnmatchcase(row["system"], pattern) for pattern in patterns))
    return [(row, side.get("label", "")) for row in chosen]


def _system(frame: Frame, system: str) -> Variables:
    return released_system(frame, system) if system in frame.run.plan.released else simplifier(frame, system)


def _best(side: Sequence[Candidate], value_of: Any) -> tuple[str, str, float] | None:
    """The system with the highest value, its label and the value; None where none has any."""
    scored = [(value, row, label) for row, label in side if (value := value_of(row)) is not None]
    if not scored:
        return None
    value, row, label = max(scored, key=lambda side: side[0])
    return row["system"], label.format_map(row), value


def _over_seeds(frame: Frame, sides: Sequence[Sequence[Candidate]], measure: str) -> Iterator[float]:
    """Yield for each seed how far the best of a side is above that of the next one, where they are closest."""
    split, numbers = frame.scope_name, frame.numbers
    for seed in seed_scopes(numbers, split):
        tops = []
        for side in sides:
            known = (
                numbers.value(seed if numbers.get(seed, row["system"], measure) else split, row["system"], measure)
                for row, _ in side
            )
            tops.append(max(value for value in known if value is not None))
        yield min(a - b for a, b in pairwise(tops))


def _printed(frame: Frame, spec: ClaimSpec, row: Variables) -> float | None:
    cell = frame.holding(row).printed_cell(spec.column) if spec.column else ""
    return float(cell) if cell else None


def _learned(frame: Frame, side: Sequence[Candidate]) -> Sequence[Candidate]:
    """The systems whose outputs are not degenerate; all where none is left."""
    return [(row, label) for row, label in side if not _is_degenerate(frame, row["system"])] or side


def _is_degenerate(frame: Frame, system: str) -> bool:
    return note_of(frame.scope_name, system) in frame.numbers.notes


def _void(frame: Frame, measure: str, systems: Sequence[str]) -> str:
    """Why the systems' numbers decide nothing: outputs of no trained system, or the same numbers in every resample."""
    results, scope = frame.numbers, frame.scope_name
    if degenerate := [simplifier(frame, system) for system in systems if _is_degenerate(frame, system)]:
        names = " and ".join(f"{row['model']:label} ({row['training']:side})" for row in degenerate)
        return f"{CANNOT_TELL}: the outputs of {names} are degenerate"
    pairs = [results.compared(scope, measure, *pair) for pair in pairwise(systems)]
    same = [pair is not None and pair.difference == pair.low == pair.high == 0 for pair in pairs]
    return NO_EFFECT if all(same) else ""
