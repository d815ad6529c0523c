"""Questions to raters: kinds of studies, each a file of `kinds/` with its criteria, their scales and the rules."""

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from textsimp.core.errors import check_choice
from textsimp.core.params import read_settings
from textsimp.core.reading import folder_files

OUTPUTS, ALIGNMENTS, INSPECTION, CROWD = "outputs", "alignments", "inspection", "crowd"
_FOLDER = Path(__file__).with_name("kinds")
KINDS = tuple(path.stem for path in folder_files(_FOLDER, "*.yaml", "install the package anew"))


@dataclass(frozen=True)
class Criterion:
    """One thing to rate.

    Attributes:
        key: the name of the column; no other kind of study has it.
        points: what each point of the scale means, from the lowest up; of a nominal criterion, the classes.
        shares: sets of points whose percentage is reported, by name.
        nominal: whether the points have no order, and so no mean.
    """

    key: str
    title: str
    question: str
    points: list[str]
    lowest: int = 1
    shares: dict[str, list[int]] = field(default_factory=dict)
    nominal: bool = False

    @property
    def scale(self) -> tuple[int, ...]:
        """Return the points as numbers."""
        return tuple(range(self.lowest, self.lowest + len(self.points)))


@dataclass(frozen=True)
class Sides:
    """Names in the sheet of the text that stays in view, and of those that are rated beside it."""

    original: str
    versions: str


@dataclass(frozen=True)
class Guidelines:
    """The file of a kind; `headings` are those of the two sides in the form, `sheet` says how to fill in the CSV."""

    sides: Sides
    headings: list[str]
    rules: list[str]
    criteria: list[Criterion]
    sheet: str

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the criteria's keys."""
        return tuple(criterion.key for criterion in self.criteria)

    def text(self) -> str:
        """Return the guidelines as plain text, for those who fill in the CSV sheet."""
        lines = ["How to rate", "", *(f"- {rule}" for rule in self.rules), ""]
        for criterion in self.criteria:
            lines += [f"{criterion.title} ({criterion.key}): {criterion.question}"]
            lines += [f"  {point} = {said}" for point, said in zip(criterion.scale, criterion.points, strict=True)]
            lines += [""]
        return "\n".join([*lines, self.sheet])


@cache
def guidelines(kind: str) -> Guidelines:
    """Return what raters of a kind of study are asked; raise `InputError` for a kind that there is not."""
    check_choice("--kind", kind, KINDS)
    return read_settings(_FOLDER / f"{kind}.yaml", Guidelines)


def guidelines_with(criterion: str) -> Guidelines | None:
    """Return the guidelines that have a criterion: those of one kind at most."""
    return next((asked for asked in map(guidelines, KINDS) if criterion in asked.keys), None)
