"""Claims: numbers in an order, ours and the paper's, whether the order holds, and whether that is more than chance."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from textsimp.reporting.significance import Difference
from textsimp.reporting.tables import MARKS, Column, Row, Table, number, text_cell

_LEGEND = (
    f"By how much: our difference with its 95 percent interval. {MARKS} Within chance: one of the two tests at least "
    "does not find it."
)
HEADERS = ("Corpus", "Claim", "Printed", "Ours", "By how much", "Holds")

Named = tuple[str, float]


@dataclass(frozen=True)
class Contest:
    """The claim that each of some numbers is above the next, in our runs or in the paper; each with a name, or none.

    strict: whether equal numbers break it.
    """

    sides: tuple[Named, ...]
    strict: bool = True

    @property
    def holds(self) -> bool:
        """Whether each is above the next, as printed."""
        return not self.breaks

    @property
    def _signs(self) -> list[str]:
        values = [round(value, 1) for _, value in self.sides]
        return [">" if a > b else "=" if a == b else "<" for a, b in pairwise(values)]

    @property
    def breaks(self) -> list[int]:
        """The places of the numbers that are not above the next one."""
        return [place for place, sign in enumerate(self._signs) if sign == "<" or sign == "=" and self.strict]

    def __str__(self) -> str:
        named = [f"{number(value)} ({name})" if name else number(value) for name, value in self.sides]
        return named[0] + "".join(f" {sign} {side}" for sign, side in zip(self._signs, named[1:], strict=True))


@dataclass(frozen=True)
class Claim:
    """A claim in words and our numbers.

    paper: the paper's numbers as text, empty where it has none.
    differences: each of our numbers minus the next; None where that was not tested.
    """

    text: str
    ours: Contest
    paper: str = ""
    differences: tuple[Difference | None, ...] = ()

    @property
    def is_tested(self) -> bool:
        """Whether any difference was that the verdict rests on: where the claim does not hold, one that breaks it."""
        return any(self.differences if self.ours.holds else self._breaking)

    @property
    def _breaking(self) -> list[Difference | None]:
        return [self.differences[place] for place in self.ours.breaks if place < len(self.differences)]

    @property
    def is_sure(self) -> bool:
        """Whether the verdict is more than chance.

        Where the claim holds, all tested differences have to be significant; where it does not, one that breaks it.
        """
        if self.ours.holds:
            tested = [difference for difference in self.differences if difference is not None]
            return self.is_tested and all(difference.is_significant for difference in tested)
        return any(gap is not None and gap.is_significant and gap.value < 0 for gap in self._breaking)

    @property
    def verdict(self) -> str:
        """`yes` or `no`, and whether that is within chance, where it was tested."""
        answer = "yes" if self.ours.holds else "no"
        return answer if self.is_sure or not self.is_tested else f"{answer}, within chance"

    @property
    def margin(self) -> str:
        """By how much, such as `+3.2‡ (1.1 to 5.3)`."""
        cells = (difference.cell for difference in self.differences if difference is not None)
        return "; ".join(f"{cell.text} ({cell.interval_text})" for cell in cells)


def above(text: str, ours: tuple[float, float], paper: tuple[float, float] | None, tested: Difference | None) -> Claim:
    """The claim that one system is above another: ours and the paper's two numbers (None where it has none)."""
    contests = [Contest(tuple(("", value) for value in pair)) for pair in (ours, paper) if pair is not None]
    return Claim(text, contests[0], str(contests[1]) if paper else "", (tested,))


def claims_table(key: str, title: str, text: str, groups: Iterable[tuple[str, Sequence[Claim]]]) -> Table:
    """Claims with printed and own numbers, differences and verdicts; the groups name the first column.

    The text goes on with what the marks and verdicts mean, where there are any.
    """
    rows = []
    for name, claims in groups:
        for place, claim in enumerate(claims):
            words = (name, claim.text, claim.paper, str(claim.ours), claim.margin)
            verdict = text_cell(claim.verdict, "good" if claim.ours.holds else "bad")
            rows.append(Row((*map(text_cell, words), verdict), place == 0))
    columns = tuple(Column("", header, numeric=False) for header in HEADERS)
    return Table(key, title, f"{text} {_LEGEND}" if rows else text, columns, tuple(rows))


def contest(numbers: Mapping[str, float], name: str, label: Callable[[str], str]) -> Contest | None:
    """`name` against the best of the others; None where one side is absent."""
    others = {other: value for other, value in numbers.items() if other != name}
    if name not in numbers or not others:
        return None
    best = best_of(others)
    return Contest((("", numbers[name]), (label(best[0]), best[1])))


def best_of(numbers: Mapping[str, float]) -> Named:
    """The highest, of equals the first."""
    return max(numbers.items(), key=lambda item: item[1])
