"""Hand-made texts with their sentences, in sentence_cases/LANGUAGE.tsv: what is tried, and the text with its marks.

`¦` marks the end of a sentence, `¶` that of a paragraph. Lines that divide a table are no sentences. Odd lines
served to correct the rules, even ones to test them; those of the kind `further` came when the rules were done.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "sentence_cases"
LANGUAGES = tuple(sorted(file.stem for file in FOLDER.glob("*.tsv")))
_ESCAPE = re.compile(r"\\(?:u[0-9a-f]{4}|[nrt])")
_DIVIDER = re.compile(r"^[-=|]{3,}$", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """A text and what it should be split into."""

    language: str
    kind: str
    part: str
    text: str
    paragraphs: tuple[tuple[str, ...], ...]


def cases(language: str) -> list[Case]:
    """The cases of a language, in the file's order."""
    rows = (FOLDER / f"{language}.tsv").read_text(encoding="utf-8").splitlines()
    return [_case(language, row, number) for number, row in enumerate(rows)]


def _case(language: str, row: str, number: int) -> Case:
    kind, marked = row.split("\t")
    part = kind if kind == "further" else ("dev", "test")[number % 2]
    marked = _ESCAPE.sub(lambda found: str(json.loads(f'"{found[0]}"')), marked)
    paragraphs = [
        tuple(" ".join(sentence.split()) for sentence in _DIVIDER.sub("", paragraph).split("¦") if sentence.strip())
        for paragraph in marked.split("¶")
    ]
    return Case(language, kind, part, re.sub("[¦¶]", "", marked), tuple(paragraphs))
