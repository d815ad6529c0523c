"""The forms in which `textsimp align` and `textsimp convert` write what was found.

They are document pairs, tables of sentence pairs, data sets, line-aligned files, and the formats of other aligners.
Sentence pairs are joined as the corpora are built (`textsimp.corpora.pairs`).
"""

import contextlib
import csv
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from textsimp.core.errors import InputError, check_choice
from textsimp.core.reading import parse_json, quoted
from textsimp.core.records import AlignmentLabel, DocumentPair, Link, pair_from_json, pair_line
from textsimp.core.spreadsheet import guarded
from textsimp.core.writing import STANDARD_OUTPUT, atomic_file, atomic_write, is_stream
from textsimp.corpora.interchange import INTERCHANGE, interchange_lines
from textsimp.corpora.pairs import LinkedPair, linked_pairs

GROUP = "group"
JOINS = ("simple", "link", GROUP)
PARALLEL, PARQUET, DATASET = "parallel", "parquet", "dataset"
FORMATS = ("jsonl", "tsv", "csv", "html", PARQUET, DATASET, PARALLEL, *INTERCHANGE)
_SUFFIXES = (".complex", ".simple")
"""Endings of the two files of `parallel`."""
CARD, ROWS = "README.md", "train.jsonl"
"""The two files of `dataset`."""
_ENDINGS = {".jsonl": "jsonl", ".json": "jsonl", "": "jsonl", **{f".{form}": form for form in FORMATS[1:]}}
_DIGITS = 4
"""Of a score in a table."""


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


def counted(number: int, what: str) -> str:
    """A number with its noun, such as `1 link`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def form_of(output: Path, chosen: str | None) -> str:
    """The form of an output: as it is chosen, else by the ending of its name; `InputError` for an unknown one."""
    if chosen is not None:
        check_choice("--format", chosen, FORMATS)
        return chosen
    form = "jsonl" if is_stream(output) else _ENDINGS.get(output.suffix.lower())
    if form is None:
        raise InputError(f"{output}: no form is known by {output.suffix!r}; give --format: {', '.join(FORMATS)}")
    return form


def checked_join(join: str) -> str:
    """How sentence pairs are joined; `InputError` for an unknown way."""
    check_choice("--join", join, JOINS)
    return join


def output_files(output: Path, given: Mapping[str, Any]) -> list[Path]:
    """The files that are written for the output of `align`; see `Writes.files`."""
    return form_files(output, form_of(output, given["form"]))


def form_files(output: Path, form: str) -> list[Path]:
    """The files of an output in one of `FORMATS`."""
    if form == DATASET:
        if str(output) == str(STANDARD_OUTPUT):
            raise InputError("--format dataset writes a folder; name it")
        return [output / CARD, output / ROWS]
    return parallel_files(output) if form == PARALLEL else [output]


def parquet() -> tuple[Any, Any]:
    """The modules `pyarrow` and `pyarrow.parquet`; ImportError where they are not installed."""
    import pyarrow
    import pyarrow.parquet

    return pyarrow, pyarrow.parquet


def columns(join: str) -> tuple[str, ...]:
    """The columns of a table of sentence pairs; of a group there may be several simple sentences."""
    simple = "simple_indexes" if join == GROUP else "simple_index"
    return ("pair", "label", "complex_indexes", simple, "complex", "simple", "score")


def parallel_files(output: Path) -> list[Path]:
    """The two files of a line-aligned output."""
    if str(output) == str(STANDARD_OUTPUT):
        raise InputError("--format parallel writes two files; name them by their common beginning")
    base = output.with_suffix("") if output.suffix in (*_SUFFIXES, ".txt") else output
    return [base.with_name(f"{base.name}{side}") for side in _SUFFIXES]


@dataclass(frozen=True)
class Target:
    """Where the aligned documents go, in which form, and what was written.

    Attributes:
        form: one of `FORMATS`.
        join: one of `JOINS`.
        page: a page that is written too.
        least: the least probability of a link that is written; None writes all.
        language: of the texts, for the card of a data set; None where nobody said.
    """

    output: Path
    form: str
    join: str
    page: Path | None = None
    least: float | None = None
    language: str | None = None
    counts: Counts = field(default_factory=Counts)

    @classmethod
    def chosen(
        cls, output: Path, form: str | None, join: str, page: Path | None, least: float | None, language: str | None
    ) -> "Target":
        """As the command line says; `InputError` for what cannot be written, ImportError for what needs an extra."""
        target = cls(output, form_of(output, form), checked_join(join), page, least, language)
        if target.form == PARQUET:
            parquet()
            if is_stream(output):
                raise InputError(f"{output}: Parquet needs a file; give one, or --format tsv")
        return target

    @property
    def summary(self) -> str:
        """What was written, for the last line of the command."""
        files = form_files(self.output, self.form)
        shown = [*files, self.page] if self.page else files
        return f"{', '.join(map(str, shown))}: {self.counts}"

    def write_lines(self, _: Path, texts: Iterable[str]) -> None:
        """Write aligned documents, which come as JSON Lines."""
        lines = (line for text in texts for line in text.split("\n") if line)
        self.write(pair_from_json(parse_json(line, self.output, None)) for line in lines)

    def write(self, pairs: Iterable[DocumentPair]) -> None:
        """Write aligned documents; `InputError` where there are none, or the form cannot hold their links."""
        shown: list[DocumentPair] = []
        documents = self._counted(pairs, shown if self.page else None)
        if self.form == "jsonl":
            _write_lines(self.output, map(pair_line, documents))
        elif self.form == "html":
            _write_page(self.output, list(documents))
        elif self.form in INTERCHANGE:
            _write_interchange(self.output, documents, self.form)
        else:
            self._write_rows(linked for pair in documents for linked in linked_pairs(pair, self.join))
        if self.page:
            _write_page(self.page, shown)

    def _write_rows(self, rows: Iterator[LinkedPair]) -> None:
        if self.form == PARALLEL:
            _write_parallel(self.output, rows)
        elif self.form == PARQUET:
            _write_parquet(self.output, rows, self.join)
        elif self.form == DATASET:
            self._write_dataset(rows)
        else:
            _write_table(self.output, rows, self.form, self.join)

    def _write_dataset(self, rows: Iterator[LinkedPair]) -> None:
        from textsimp.corpora.card import dataset_card  # slow to import

        with contextlib.ExitStack() as stack:
            card, data = (stack.enter_context(atomic_write(path)) for path in form_files(self.output, DATASET))
            count = 0
            for linked in rows:
                data.write(json.dumps(typed_row(linked, self.join), ensure_ascii=False) + "\n")
                count += 1
            if not count:
                raise InputError("no sentences are linked: a data set would be empty; look at them with --format html")
            name = self.output.resolve().name
            card.write(dataset_card(name, columns(self.join), count, self.counts.labels, ROWS, self.language))

    def _counted(self, pairs: Iterable[DocumentPair], shown: list[DocumentPair] | None) -> Iterator[DocumentPair]:
        """The document pairs with the links that are probable enough, counted, and added to `shown`."""
        for pair in pairs:
            if self.least is not None:
                pair = replace(pair, alignments=tuple(_probable(pair, self.least)))
            self.counts.add(pair)
            if shown is not None:
                shown.append(pair)
            yield pair
        if not self.counts.documents:
            raise InputError("the input holds no document pairs; see docs/formats.md")


def _probable(pair: DocumentPair, least: float) -> Iterator[Link]:
    """The links that are so probable; `InputError` where one has no probability."""
    for link in pair.alignments or ():
        if link.score is None or not 0 <= link.score <= 1:
            what = "no probability" if link.score is None else f"the score {link.score:.4g}, which is no probability"
            where = f"link [{link.simple}, {link.complex}] of document pair {quoted(pair.id)}"
            raise InputError(f"--min-probability: {where} has {what}; leave the option out")
        if link.score >= least:
            yield link


def _write_lines(output: Path, lines: Iterable[str]) -> None:
    with atomic_write(output) as file:
        file.writelines(lines)


def _write_interchange(output: Path, documents: Iterator[DocumentPair], form: str) -> None:
    pair = next(documents)
    if (second := next(documents, None)) is not None:
        what = f"--format {form} holds one document pair, the input has {quoted(pair.id)} and {quoted(second.id)}"
        raise InputError(f"{what}; give them one by one, or use --format jsonl, tsv or parquet")
    lines = interchange_lines(pair, form)
    _write_lines(output, (f"{line}\n" for line in lines))


def _write_table(output: Path, rows: Iterable[LinkedPair], form: str, join: str) -> None:
    with atomic_write(output) as file:
        if form == "csv":
            table = csv.writer(file, lineterminator="\n")
            table.writerow(columns(join))
            table.writerows([*map(guarded, row[:-1]), row[-1]] for row in map(_cells, rows))
        else:
            file.write("\t".join(columns(join)) + "\n")
            file.writelines("\t".join(row) + "\n" for row in map(_cells, rows))


def _write_parquet(output: Path, rows: Iterable[LinkedPair], join: str) -> None:
    arrow, tables = parquet()
    indexes = arrow.list_(arrow.int32())
    kinds = {"complex_indexes": indexes, "simple_indexes": indexes, "simple_index": arrow.int32()}
    kinds["score"] = arrow.float64()
    schema = arrow.schema([(name, kinds.get(name, arrow.string())) for name in columns(join)])
    table = arrow.Table.from_pylist([typed_row(linked, join) for linked in rows], schema)
    with atomic_file(output) as path:
        tables.write_table(table, path)


def _write_parallel(output: Path, rows: Iterable[LinkedPair]) -> None:
    with contextlib.ExitStack() as stack:
        sides: list[IO[str]] = [stack.enter_context(atomic_write(path)) for path in parallel_files(output)]
        for linked in rows:
            for file, text in zip(sides, (linked.complex, linked.simple), strict=True):
                file.write(f"{_cell(text)}\n")


def _write_page(output: Path, pairs: Sequence[DocumentPair]) -> None:
    from textsimp.cli.browse import page_of  # slow to import

    _write_lines(output, [page_of(output.name, pairs)])


def typed_row(linked: LinkedPair, join: str) -> dict[str, Any]:
    """A sentence pair by the names of `columns`: lists of numbers, a number or None, and texts."""
    simple = list(linked.simple_indexes) if join == GROUP else linked.simple_index
    score = None if linked.score is None else round(linked.score, _DIGITS)
    texts = (_cell(linked.complex), _cell(linked.simple))
    values = (linked.pair.pair_id, linked.pair.label.value, list(linked.complex_indexes), simple, *texts, score)
    return dict(zip(columns(join), values, strict=True))


def _cells(linked: LinkedPair) -> list[str]:
    """A sentence pair as the cells of a table of text."""
    ends = (" ".join(map(str, indexes)) for indexes in (linked.complex_indexes, linked.simple_indexes))
    score = "" if linked.score is None else f"{linked.score:.{_DIGITS}f}"
    texts = (_cell(linked.complex), _cell(linked.simple))
    return [_cell(linked.pair.pair_id), linked.pair.label.value, *ends, *texts, score]


def _cell(text: str) -> str:
    """A text that fits into a cell or a line: tabs and line breaks as spaces."""
    return " ".join(text.split()) if any(char in text for char in "\t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029") else text
