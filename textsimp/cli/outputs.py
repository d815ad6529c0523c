"""The forms in which `textsimp align` and `textsimp convert` write what was found.

They are document pairs, tables of sentence pairs, line-aligned files, and the formats of other aligners.
Sentence pairs are joined as the corpora are built (`textsimp.corpora.pairs`).
"""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, Self, TextIO, cast

from textsimp.core.errors import InputError, check_choice
from textsimp.core.reading import quoted
from textsimp.core.records import AlignmentLabel, DocumentPair, Link, pair_line
from textsimp.core.spreadsheet import guarded
from textsimp.core.writing import STANDARD_OUTPUT, atomic_writes, is_stream
from textsimp.corpora.interchange import INTERCHANGE, interchange_lines
from textsimp.corpora.pairs import JOINS, SCORE_DIGITS, LinkedPair, linked_pairs, one_line, table_columns, typed_row

PARALLEL, PARQUET = "parallel", "parquet"
FORMATS = ("jsonl", "tsv", "csv", "html", PARQUET, PARALLEL, *INTERCHANGE)
_SUFFIXES = (".complex", ".simple")
"""Endings of the two files of `parallel`."""
_ENDINGS = {".jsonl": "jsonl", ".json": "jsonl", "": "jsonl", **{f".{form}": form for form in FORMATS[1:]}}
MOST_PAIRS = 10_000
"""Document pairs on a page; a browser takes seconds for more."""
GIVEN = "given"
"""The one system of a page: an aligned file does not say which one it is from."""


def counted(number: int, what: str) -> str:
    """A number with its noun, such as `1 link`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def form_by_name(output: Path, chosen: str | None, endings: Mapping[str, str], forms: Sequence[str]) -> str:
    """Return the form of an output: as it is chosen, else by the ending of its name; `InputError` for an unknown one.

    The form of names without an ending, and of streams, is under the empty one of `endings`.
    """
    if chosen is not None:
        check_choice("--format", chosen, forms)
        return chosen
    form = endings.get("" if is_stream(output) else output.suffix.lower())
    if form is None:
        raise InputError(f"{output}: no form is known by {output.suffix!r}; give --format: {', '.join(forms)}")
    return form


def output_files(output: Path, given: Mapping[str, Any]) -> list[Path]:
    """Return the files that are written for the output of `align`; see `Writes.files`."""
    form = form_by_name(output, given["form"], _ENDINGS, FORMATS)
    if form != PARALLEL:
        return [output]
    if str(output) == str(STANDARD_OUTPUT):
        raise InputError(f"--format {form} writes two files; name them by their common beginning")
    base = output.with_suffix("") if output.suffix in (*_SUFFIXES, ".txt") else output
    return [base.with_name(f"{base.name}{side}") for side in _SUFFIXES]


def parquet() -> tuple[Any, Any]:
    """The modules `pyarrow` and `pyarrow.parquet`; ImportError where they are not installed."""
    import pyarrow
    import pyarrow.parquet

    return pyarrow, pyarrow.parquet


@dataclass
class Target:
    """The place and the form of aligned documents, and the numbers of what was written.

    Attributes:
        form: one of `FORMATS`.
        join: one of `JOINS`.
        page: a page that is written too.
        least: the least probability of a link that is written; None writes all.
        documents, sentences, labels: how many were written, labels of links.
    """

    output: Path
    form: str
    join: str
    page: Path | None = None
    least: float | None = None
    documents: int = 0
    sentences: int = 0
    labels: Counter[AlignmentLabel] = field(default_factory=Counter)

    @classmethod
    def chosen(cls, output: Path, form: str | None, join: str, page: Path | None, least: float | None = None) -> Self:
        """As the command line says; `InputError` for what cannot be written, ImportError for what needs an extra."""
        check_choice("--join", join, JOINS)
        target = cls(output, form_by_name(output, form, _ENDINGS, FORMATS), join, page, least)
        if target.form == PARQUET:
            parquet()
            if is_stream(output):
                raise InputError(f"{output}: Parquet needs a file; give one, or --format tsv")
        return target

    @property
    def texts(self) -> str:
        """Say how many texts were written."""
        return f"{counted(self.documents, 'document pair')}, {counted(self.sentences, 'sentence')}"

    @property
    def summary(self) -> str:
        """Say what was written, for the last line of the command."""
        kinds = ", ".join(f"{self.labels[label]} {label}" for label in AlignmentLabel)
        return f"{', '.join(map(str, self.files))}: {self.texts}, {counted(self.labels.total(), 'link')} ({kinds})"

    @property
    def files(self) -> list[Path]:
        """The files of the output, and the page where there is one."""
        return [*output_files(self.output, {"form": self.form}), *([self.page] if self.page else [])]

    def write(self, pairs: Iterable[DocumentPair]) -> None:
        """Write aligned documents into all files of the output, and the page, together.

        `InputError` where there are none, or the form cannot hold their links; the old files stay.
        """
        shown: list[DocumentPair] = []
        documents = self._counted(pairs, shown if self.page else None)
        with atomic_writes(*self.files) as files:
            if self.form == "jsonl":
                files[0].writelines(map(pair_line, documents))
            elif self.form == "html":
                files[0].write(_page(self.output, list(documents)))
            elif self.form in INTERCHANGE:
                pair = next(documents)
                check_number([pair, *islice(documents, 1)], self.form)
                files[0].writelines(f"{line}\n" for line in interchange_lines(pair, self.form))
            else:
                self._write_rows(files, (linked for pair in documents for linked in linked_pairs(pair, self.join)))
            if self.page:
                files[-1].write(_page(self.page, shown))

    def _write_rows(self, files: Sequence[IO[str]], rows: Iterator[LinkedPair]) -> None:
        """Write sentence pairs, one a row."""
        if self.form == PARALLEL:
            for linked in rows:
                for file, text in zip(files, (linked.complex, linked.simple), strict=False):
                    file.write(f"{one_line(text)}\n")
        elif self.form == PARQUET:
            _write_parquet(files[0], rows, self.join)
        elif self.form == "csv":
            table = csv.writer(files[0], lineterminator="\n")
            table.writerow(table_columns(self.join))
            table.writerows([*map(guarded, row[:-1]), row[-1]] for row in map(_cells, rows))
        else:
            lines = chain([table_columns(self.join)], map(_cells, rows))
            files[0].writelines("\t".join(line) + "\n" for line in lines)

    def _counted(self, pairs: Iterable[DocumentPair], shown: list[DocumentPair] | None) -> Iterator[DocumentPair]:
        """The document pairs with the links that are probable enough, counted, and added to `shown`."""
        for pair in pairs:
            if self.least is not None:
                pair = replace(pair, alignments=tuple(probable(pair, self.least)))
            if shown is not None:
                shown.append(pair)
            self.documents += 1
            self.sentences += len(pair.complex.sentences) + len(pair.simple.sentences)
            self.labels.update(link.label for link in pair.alignments or ())
            yield pair
        if not self.documents:
            raise InputError("the input holds no document pairs; see docs/formats.md")


def probable(pair: DocumentPair, least: float) -> Iterator[Link]:
    """The links that are so probable; `InputError` where one has no probability."""
    for link in pair.alignments or ():
        if link.score is None or not 0 <= link.score <= 1:
            what = "no probability" if link.score is None else f"the score {link.score:.4g}, which is no probability"
            where = f"link [{link.simple}, {link.complex}] of document pair {quoted(pair.id)}"
            raise InputError(f"--min-probability: {where} has {what}; leave the option out")
        if link.score >= least:
            yield link


def check_number(pairs: Sequence[DocumentPair], form: str) -> None:
    """Raise `InputError` where a form does not hold so many document pairs."""
    if form in INTERCHANGE and len(pairs) > 1:
        first, second = (quoted(pair.id) for pair in pairs[:2])
        what = f"--format {form} holds one document pair, the input has {first} and {second}"
        raise InputError(f"{what}; give them one by one, or use --format jsonl, tsv or parquet")


def _write_parquet(file: IO[str], rows: Iterable[LinkedPair], join: str) -> None:
    arrow, tables = parquet()
    indexes = arrow.list_(arrow.int32())
    kinds = {"complex_indexes": indexes, "simple_indexes": indexes, "simple_index": arrow.int32()}
    kinds["score"] = arrow.float64()
    schema = arrow.schema([(name, kinds.get(name, arrow.string())) for name in table_columns(join)])
    table = arrow.Table.from_pylist([typed_row(linked, join) for linked in rows], schema)
    tables.write_table(table, cast(TextIO, file).buffer)


def _page(output: Path, pairs: Sequence[DocumentPair]) -> str:
    """Return the page of aligned document pairs, without marks for errors."""
    from textsimp.reporting.browser import browser_page  # slow to import
    from textsimp.reporting.texts import Example

    examples = [Example(replace(pair, alignments=None), {GIVEN: pair.alignments or ()}) for pair in pairs]
    return browser_page(f"Alignments of {output.name}", examples, {GIVEN: output.name}, MOST_PAIRS)


def _cells(linked: LinkedPair) -> list[str]:
    """A sentence pair as the cells of a table of text."""
    ends = (" ".join(map(str, indexes)) for indexes in (linked.complex_indexes, linked.simple_indexes))
    score = "" if linked.score is None else f"{linked.score:.{SCORE_DIGITS}f}"
    texts = (one_line(linked.complex), one_line(linked.simple))
    return [one_line(linked.pair.pair_id), linked.pair.label.value, *ends, *texts, score]
