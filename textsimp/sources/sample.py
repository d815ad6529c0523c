"""Reader of the sample corpus: `data/sample/`, described in its FORMAT.md (F1)."""

import re
from dataclasses import dataclass
from pathlib import Path

from textsimp.errors import InputError, bad_input
from textsimp.records import AlignmentLabel, Link
from textsimp.sources.checks import check_text
from textsimp.textfiles import read_lines

REFERENCES = 4
PARTS = {"newsela-style": ("0", "1", "2", "3", "4"), "wiki-style": ("complex", "simple")}
_SENTENCE = re.compile(r"\[([^\]]*)\] (\S.*)")
_LABEL = re.compile(r"([=~])([1-9]\d*)")
_MARKS = {"=": AlignmentLabel.ALIGNED, "~": AlignmentLabel.PARTIAL}
_REMEDY = "see data/sample/FORMAT.md"


@dataclass
class SamplePart:
    """One level or side: its paragraphs of sentences, and its links to the part before it (indexes from 0)."""

    name: str
    paragraphs: list[list[str]]
    links: list[Link]

    def size(self) -> int:
        """The number of sentences."""
        return sum(map(len, self.paragraphs))


@dataclass(frozen=True)
class SampleText:
    """One file of the sample corpus; `parts` go from the most complex to the simplest."""

    slug: str
    title: str
    parts: tuple[SamplePart, ...]


def read_texts(folder: str | Path) -> list[SampleText]:
    """All texts of `newsela-style/` or `wiki-style/`, by name; `InputError` for a fault or an empty folder."""
    paths = sorted(Path(folder).glob("*.txt"))
    if not paths:
        raise bad_input(folder, None, "no sample texts here", "give the folder data/sample")
    return [read_text_file(path, PARTS[Path(folder).name]) for path in paths]


def read_text_file(path: Path, names: tuple[str, ...]) -> SampleText:
    """One text whose parts must be called `names`; `InputError` with file and line for anything else."""
    head: dict[str, str] = {}
    parts: list[SamplePart] = []
    for number, line in enumerate(read_lines(path), 1):
        try:
            _read_line(line.rstrip(), head, parts)
        except InputError as error:
            raise bad_input(path, number, str(error), _REMEDY) from None
        if line.startswith("["):
            check_text(path, number, line)
    found = tuple(part.name for part in parts)
    if found != names:
        raise bad_input(path, None, f"parts {found}, not {names}", _REMEDY)
    if head.get("set") != path.stem or "title" not in head:
        raise bad_input(path, 1, "@set is not the file's name, or @title is missing", _REMEDY)
    for part in parts:
        if not part.paragraphs or not all(part.paragraphs):
            raise bad_input(path, None, f"part {part.name} is empty or has an empty paragraph", _REMEDY)
    return SampleText(path.stem, head["title"], tuple(parts))


def read_multi_reference(path: str | Path) -> list[tuple[str, tuple[str, ...]]]:
    """Source sentences with their four simplifications, from a TSV of five columns."""
    rows = []
    for number, line in enumerate(read_lines(path), 1):
        cells = line.split("\t")
        if len(cells) != REFERENCES + 1:
            raise bad_input(path, number, f"{len(cells)} columns, not {REFERENCES + 1}", _REMEDY)
        cells = [check_text(path, number, cell) for cell in cells]
        rows.append((cells[0], tuple(cells[1:])))
    return rows


def _read_line(line: str, head: dict[str, str], parts: list[SamplePart]) -> None:
    if not line:
        return
    if line.startswith("@"):
        key, _, value = line[1:].partition(" ")
        if key in ("level", "side"):
            parts.append(SamplePart(value, [], []))
        else:
            head[key] = value
    elif not parts:
        raise InputError("text before the first @level or @side")
    elif line == "P":
        parts[-1].paragraphs.append([])
    else:
        _read_sentence(line, parts)


def _read_sentence(line: str, parts: list[SamplePart]) -> None:
    match = _SENTENCE.fullmatch(line)
    if not match:
        raise InputError("neither '@key value', 'P' nor '[labels] sentence'")
    part = parts[-1]
    if not part.paragraphs:
        raise InputError("a sentence before its P")
    labels, sentence = match.groups()
    if (len(parts) == 1) != (labels == ""):
        raise InputError("the first part has empty brackets, a later one names its sources or '-'")
    if labels not in ("", "-"):
        part.links.extend(_links(labels, part.size(), parts[-2].size()))
    part.paragraphs[-1].append(sentence)


def _links(labels: str, simple: int, sources: int) -> list[Link]:
    links = {}
    for item in labels.split(","):
        match = _LABEL.fullmatch(item.strip())
        if not match:
            raise InputError(f"label {item!r} is neither =n nor ~n")
        index = int(match[2]) - 1
        if index >= sources:
            raise InputError(f"label {item!r} names no sentence of the part before, which has {sources}")
        if index in links:
            raise InputError(f"sentence {index + 1} is named twice")
        links[index] = Link(simple, index, _MARKS[match[1]])
    return [links[index] for index in sorted(links)]
