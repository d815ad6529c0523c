"""The forms in which `textsimp align` writes what it found: document pairs, tables of sentence pairs, parallel files.

Sentence pairs are joined as the corpora are built (`textsimp.corpora.pairs`).
"""

import contextlib
import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NamedTuple

from textsimp.core.errors import InputError
from textsimp.core.reading import parse_json
from textsimp.core.records import AlignmentLabel, DocumentPair, pair_from_json
from textsimp.core.spreadsheet import guarded
from textsimp.core.writing import STANDARD_OUTPUT, atomic_write, is_stream
from textsimp.corpora.pairs import LinkedPair, linked_pairs

COLUMNS = ("pair", "label", "complex_indexes", "simple_index", "complex", "simple", "score")
JOINS = ("simple", "link")
PARALLEL = "parallel"
FORMATS = ("jsonl", "tsv", "csv", "html", PARALLEL)
SIDES = (".complex", ".simple")
"""Endings of the two files of `parallel`."""
_ENDINGS = {".jsonl": "jsonl", ".json": "jsonl", "": "jsonl", ".tsv": "tsv", ".csv": "csv", ".html": "html"}


@dataclass
class Counts:
    """What was aligned, for the last line of the command."""

    documents: int = 0
    sentences: int = 0
    labels: Counter[AlignmentLabel] = field(default_factory=Counter)

    def add(self, pair: DocumentPair) -> None:
        """Count a document pair with its links."""
        self.documents += 1
        self.sentences += len(pair.complex.sentences) + len(pair.simple.sentences)
        self.labels.update(link.label for link in pair.alignments or ())

    def count(self, pair: DocumentPair) -> DocumentPair:
        """Count a document pair that passes."""
        self.add(pair)
        return pair

    @property
    def texts(self) -> str:
        """What was counted, without links."""
        return f"{counted(self.documents, 'document pair')}, {counted(self.sentences, 'sentence')}"

    def __str__(self) -> str:
        kinds = ", ".join(f"{self.labels[label]} {label}" for label in AlignmentLabel)
        return f"{self.texts}, {counted(self.labels.total(), 'link')} ({kinds})"


class Scored(NamedTuple):
    """A document pair with its links, and how sure the system is of each; None where it has no such number."""

    pair: DocumentPair
    scores: dict[tuple[int, int], float | None]


def counted(number: int, what: str) -> str:
    """A number with its noun, such as `1 link`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def form_of(output: Path, chosen: str | None) -> str:
    """The form of an output: as it is chosen, else by the ending of its name; `InputError` for an unknown one."""
    if chosen is not None:
        if chosen not in FORMATS:
            raise InputError(f"--format {chosen!r}: none of {', '.join(FORMATS)}")
        return chosen
    form = "jsonl" if is_stream(output) else _ENDINGS.get(output.suffix.lower())
    if form is None:
        raise InputError(f"{output}: no form is known by {output.suffix!r}; give --format: {', '.join(FORMATS)}")
    return form


def checked_join(join: str) -> str:
    """How sentence pairs are joined; `InputError` for an unknown way."""
    if join not in JOINS:
        raise InputError(f"--join {join!r}: none of {', '.join(JOINS)}")
    return join


def output_files(output: Path, given: Mapping[str, Any]) -> list[Path]:
    """The files that are written for the output of `align`; see `Writes.files`."""
    return parallel_files(output) if form_of(output, given["form"]) == PARALLEL else [output]


def parallel_files(output: Path) -> list[Path]:
    """The two files of a line-aligned output."""
    if str(output) == str(STANDARD_OUTPUT):
        raise InputError("--format parallel writes two files; name them by their common beginning")
    base = output.with_suffix("") if output.suffix in (*SIDES, ".txt") else output
    return [base.with_name(f"{base.name}{side}") for side in SIDES]


@dataclass(frozen=True)
class Target:
    """Where the aligned documents go, in which form, and what was written.

    Attributes:
        form: one of `FORMATS`.
        join: one of `JOINS`.
        page: a page that is written too.
    """

    output: Path
    form: str
    join: str
    page: Path | None = None
    counts: Counts = field(default_factory=Counts)

    @property
    def is_table(self) -> bool:
        """Whether it has a column of scores."""
        return self.form in ("tsv", "csv")

    @property
    def summary(self) -> str:
        """What was written, for the last line of the command."""
        files = parallel_files(self.output) if self.form == PARALLEL else [self.output]
        shown = [*files, self.page] if self.page else files
        return f"{', '.join(map(str, shown))}: {self.counts}"

    def write(self, _: Path, texts: Iterable[str]) -> None:
        """Write aligned documents, which come as JSON Lines; with `scores` for tables."""
        kept: list[DocumentPair] = []
        documents = self._documents(texts, kept if self.page else None)
        if self.form == "jsonl":
            _write_lines(self.output, documents)
        elif self.form == PARALLEL:
            _write_parallel(self.output, documents, self.join)
        elif self.form == "html":
            _write_page(self.output, [scored.pair for _, scored in documents])
        else:
            _write_table(self.output, documents, self.form, self.join)
        if self.page:
            _write_page(self.page, kept)

    def _documents(self, texts: Iterable[str], kept: list[DocumentPair] | None) -> Iterator[tuple[str, Scored]]:
        """Each line with the document pair that it holds, which is counted, and added to `kept`."""
        for line in (line for text in texts for line in text.split("\n") if line):
            row = parse_json(line, self.output, None)
            pair = pair_from_json(row)
            self.counts.add(pair)
            if kept is not None:
                kept.append(pair)
            links = [(link.simple, link.complex) for link in pair.alignments or ()]
            yield line, Scored(pair, dict(zip(links, row.get("scores", ()), strict=False)))
        if not self.counts.documents:
            raise InputError("the input holds no document pairs; see docs/formats.md")


def _write_lines(output: Path, documents: Iterable[tuple[str, Scored]]) -> None:
    with atomic_write(output) as file:
        file.writelines(f"{line}\n" for line, _ in documents)


def _write_table(output: Path, documents: Iterable[tuple[str, Scored]], form: str, join: str) -> None:
    with atomic_write(output) as file:
        if form == "csv":
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(COLUMNS)
            rows.writerows([*map(guarded, row[:-1]), row[-1]] for _, scored in documents for row in _rows(scored, join))
        else:
            file.write("\t".join(COLUMNS) + "\n")
            file.writelines("\t".join(row) + "\n" for _, scored in documents for row in _rows(scored, join))


def _write_parallel(output: Path, documents: Iterable[tuple[str, Scored]], join: str) -> None:
    with contextlib.ExitStack() as stack:
        sides: list[IO[str]] = [stack.enter_context(atomic_write(path)) for path in parallel_files(output)]
        for _, scored in documents:
            for linked in linked_pairs(scored.pair, join):
                for file, text in zip(sides, (linked.complex, linked.simple), strict=True):
                    file.write(f"{_cell(text)}\n")


def _write_page(output: Path, pairs: Sequence[DocumentPair]) -> None:
    from textsimp.cli.browse import page_of  # slow to import

    text = page_of(output.name, pairs)
    with atomic_write(output) as file:
        file.write(text)


def _rows(scored: Scored, join: str) -> Iterator[list[str]]:
    """The sentence pairs of a document pair as cells, in the order of the simple text."""
    for linked in linked_pairs(scored.pair, join):
        places = " ".join(map(str, linked.complex_indexes)), str(linked.simple_index)
        texts = (_cell(linked.complex), _cell(linked.simple))
        yield [_cell(linked.pair.pair_id), linked.pair.label.value, *places, *texts, _score(linked, scored)]


def _score(linked: LinkedPair, scored: Scored) -> str:
    """The lowest score of the links that are joined; empty where one has none."""
    scores = [scored.scores.get((linked.simple_index, index)) for index in linked.complex_indexes]
    known = [score for score in scores if score is not None]
    return f"{min(known):.4f}" if len(known) == len(scores) else ""


def _cell(text: str) -> str:
    """A text that fits into a cell or a line: tabs and line breaks as spaces."""
    return " ".join(text.split()) if any(char in text for char in "\t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029") else text
