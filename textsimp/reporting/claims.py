"""Claims of the main table: numbers in an order, ours and the paper's, and whether the order holds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from textsimp.reporting.tables import number

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
        return all(sign == ">" or sign == "=" and not self.strict for sign in self._signs)

    @property
    def _signs(self) -> list[str]:
        values = [round(value, 1) for _, value in self.sides]
        return [">" if a > b else "=" if a == b else "<" for a, b in pairwise(values)]

    def __str__(self) -> str:
        named = [f"{number(value)} ({name})" if name else number(value) for name, value in self.sides]
        return named[0] + "".join(f" {sign} {side}" for sign, side in zip(self._signs, named[1:], strict=True))


@dataclass(frozen=True)
class Claim:
    """A claim in words, our numbers, and the paper's as text, empty where it has none."""

    text: str
    ours: Contest
    paper: str = ""


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
