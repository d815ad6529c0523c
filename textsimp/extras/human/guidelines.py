"""What raters are asked, from `guidelines.yaml`."""

from dataclasses import dataclass
from pathlib import Path

from textsimp.core.params import read_settings

SCALE = (1, 2, 3, 4, 5)


@dataclass(frozen=True)
class Criterion:
    """One thing to rate; `points` says what each point of SCALE means."""

    key: str
    title: str
    question: str
    points: list[str]


@dataclass(frozen=True)
class Guidelines:
    """The file; `sheet` says how to fill in the CSV sheet."""

    rules: list[str]
    criteria: list[Criterion]
    sheet: str

    def text(self) -> str:
        """As plain text, for those who fill in the CSV sheet."""
        lines = ["How to rate", "", *(f"- {rule}" for rule in self.rules), ""]
        for criterion in self.criteria:
            lines += [f"{criterion.title} ({criterion.key}): {criterion.question}"]
            lines += [f"  {point} = {meaning}" for point, meaning in zip(SCALE, criterion.points, strict=True)] + [""]
        return "\n".join([*lines, self.sheet])


GUIDELINES = read_settings(Path(__file__).with_name("guidelines.yaml"), Guidelines)
KEYS = tuple(criterion.key for criterion in GUIDELINES.criteria)
