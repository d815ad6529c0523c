"""The statistics of line-aligned files of any length: read once, in chunks, of which 8 bytes a line stay in memory."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from textsimp.core.errors import bad_input
from textsimp.core.progress import progress
from textsimp.core.reading import iterate_aligned
from textsimp.evaluation.simplification import check_lengths
from textsimp.evaluation.text_traits import Form, Language, form_doubt, form_for, in_domain, language_of
from textsimp.metrics.degenerate import DegenerateLimits, count_flaws, degeneracy, flaw_shares
from textsimp.metrics.grouping import Units
from textsimp.metrics.line_order import order_doubt
from textsimp.metrics.ngrams import chunks_of_rows
from textsimp.metrics.registry import METRICS, MetricOptions, Texts, chunk_statistics, local_metrics, with_form
from textsimp.metrics.scores import Counts, SegmentStatistics, Statistics
from textsimp.metrics.tokens import CHARACTERS, RELEASED, TREEBANK, in_form

_DIGEST = 8
"""Bytes of a digest: two of a million different lines have the same with a probability of 3e-8."""


@dataclass(frozen=True)
class EmptyLines:
    """The number of lines of a file without words, and the first of them, from 1."""

    number: int
    first: int


@dataclass(frozen=True)
class TextOptions:
    """The way in which the texts of files are taken.

    Attributes:
        form: of `tokens.FORMS`; None is as they are, or characters where words have no spaces.
        language: `en`, another one, or None where the texts tell.
        some_missing: an empty line of a reference says that there is none.
        asked: the metrics that were asked for by name.
    """

    form: str | None = None
    language: str | None = None
    some_missing: bool = False
    asked: tuple[str, ...] = ()


def file_statistics(
    complex_file: Path,
    outputs: Mapping[str, Path],
    references: Sequence[Path],
    metrics: Sequence[str],
    options: MetricOptions,
    seed: int,
    limits: DegenerateLimits,
    how: TextOptions,
) -> "FileStatistics":
    """Return the statistics of outputs by name, each file with one sentence per line; `-` is standard input.

    Args:
        metrics: names as `checked_names` gives them.
        seed: draws the groups of lines where there are many.
        limits: from where on outputs are degenerate, whatever their BLEU.

    Raises:
        InputError: a file is absent, empty or no text, a line is too long, the numbers of lines differ, a sentence has
            no reference, or a metric that was asked for says nothing about such texts.
    """
    paths = [complex_file, *outputs.values(), *references]
    counted = FileStatistics(paths, tuple(outputs), metrics, options, how, Units(seed), limits, how.form or RELEASED)
    for columns in chunks_of_rows(progress(iterate_aligned(paths), desc="score", unit=" lines")):
        counted.add(columns)
    if not counted.lines:
        raise bad_input(complex_file, None, "has no lines", "a test set needs one sentence at least")
    counted.finish()
    return counted


class RepeatedLines:
    """Counts of each line of a text in it, by digests: 24 MB for a million lines of three texts.

    Beside the digests stand the groups that the lines are in.
    """

    def __init__(self) -> None:
        self._groups: list[NDArray[np.int64]] = []
        self._digests: list[NDArray[np.uint64]] = []

    def add(self, groups: NDArray[np.int64], texts: Sequence[Sequence[str]]) -> None:
        """Add the next lines of every text."""
        digests = b"".join(blake2b(line.encode(), digest_size=_DIGEST).digest() for lines in texts for line in lines)
        self._groups.append(groups)
        self._digests.append(np.frombuffer(digests, dtype=np.uint64).reshape(len(texts), -1))

    def shares(self, groups: int | None) -> Counts:
        """Return 1/n of each line, where its text has it n times; summed over groups where their number is given.

        Shape: (lines or groups, texts).
        """
        digests = np.concatenate(self._digests, axis=1)  # (texts, lines)
        units = np.arange(digests.shape[1]) if groups is None else np.concatenate(self._groups)
        columns = []
        for of_text in digests:
            _, number, times = np.unique(of_text, return_inverse=True, return_counts=True)
            columns.append(np.bincount(units, (1 / times)[number], groups or len(units)))
        return np.stack(columns, axis=1)


@dataclass
class FileStatistics:
    """The counts of files of sentences, chunk by chunk: first the complex one, then outputs, then references.

    Attributes:
        outputs: their names.
        empty: the empty lines of those files that have some.
        left_out: metrics that say nothing about such texts, and why.
        language: of the texts.
        doubts: what else is to be said about them.
        systems: the statistics of units of resampling, by system and metric.
        degenerate: what is degenerate about those outputs that are.
    """

    paths: Sequence[Path]
    outputs: Sequence[str]
    metrics: Sequence[str]
    options: MetricOptions
    how: TextOptions
    units: Units
    limits: DegenerateLimits
    form: str
    repeated: RepeatedLines = field(default_factory=RepeatedLines)
    empty: dict[Path, EmptyLines] = field(default_factory=dict)
    flaws: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    forms: dict[str, Form] = field(default_factory=lambda: defaultdict(Form))
    left_out: dict[str, str] = field(default_factory=dict)
    language: Language = field(default_factory=Language)
    doubts: list[str] = field(default_factory=list)
    systems: dict[str, Statistics] = field(default_factory=dict)
    degenerate: dict[str, str] = field(default_factory=dict)

    @property
    def lines(self) -> int:
        """Number of lines of each file."""
        return self.units.lines

    @property
    def groups(self) -> int | None:
        """Return how many random groups of lines the units are; None where they are the lines."""
        return self.units.most if self.units.are_groups else None

    def add(self, columns: Sequence[Sequence[str]]) -> None:
        """Count the next lines of every file."""
        before = self.units.lines
        for path, column in dict(zip(self.paths, columns, strict=True)).items():
            check_lengths(path, column, before)
            if empty := [number for number, line in enumerate(column, before + 1) if not line.strip()]:
                known = self.empty.get(path, EmptyLines(0, empty[0]))
                self.empty[path] = EmptyLines(known.number + len(empty), known.first)
            self.forms[str(path)].add(column)
        faults = [fault for name in self.metrics if (fault := METRICS[name].line_fault)]
        for path, column in zip(self.paths, columns[: 1 + len(self.outputs)], strict=False):
            for (number, line), fault in product(enumerate(column, before + 1), faults):
                if what := fault(line):
                    raise bad_input(path, number, what, "give one sentence per line")
        if not before:
            self._look(columns)
        old, *others = (in_form(column, self.form) for column in columns)
        sides = dict(zip(self.outputs, others, strict=False))
        goals = others[len(self.outputs) :]
        if not before:
            found = zip(self.paths[1:], others, strict=True)
            self.doubts += [f"{path}: {doubt}" for path, lines in found if (doubt := order_doubt(old, lines))]
        if self.how.some_missing:
            _check_has_reference(self.paths[-1], goals, before)
        chunk, names = {}, local_metrics(self.metrics)
        for name, new in sides.items():
            self.flaws[name] += count_flaws(old, new, self.limits)
            chunk[name] = chunk_statistics(names, Texts(old, new, goals, self.how.some_missing), self.options)
        self.repeated.add(self.units.add(chunk, len(old)), [old, *sides.values()])

    def _look(self, columns: Sequence[Sequence[str]]) -> None:
        """Decide by the first lines which metrics say something about such texts, and in which form they are scored."""
        looked = language_of(*columns[: 1 + len(self.outputs)])
        self.language = looked if self.how.language is None else looked.given(self.how.language)
        self.form = form_for(self.language, self.how.form)
        self.left_out, self.metrics = in_domain(self.metrics, self.how.asked, self.language)
        if self.form == CHARACTERS:
            self.options = replace(self.options, max_tokens=None)
            self.doubts.append("no spaces between words: what is counted are characters, not words (text:char)")

    def finish(self) -> None:
        """Compute the statistics of all lines."""
        shares = self.repeated.shares(self.groups)
        for text, (name, of_units) in enumerate(self.units.statistics().items(), 1):
            own = np.stack([shares[:, text], shares[:, 0]], axis=1)
            rows: dict[str, SegmentStatistics] = {}
            for metric in self.metrics:
                of_shares = METRICS[metric].of_shares
                row = of_units[metric] if of_shares is None else of_shares(own)
                rows[metric] = replace(row, signature=with_form(row.signature, self.form))
            self.systems[name] = rows
        lines = shares.sum(0)
        for name, distinct in zip(self.outputs, 100 * lines[1:] / lines[0], strict=True):
            if why := degeneracy(flaw_shares(self.flaws[name], distinct), self.limits):
                self.degenerate[name] = why
        if self.form != TREEBANK and (doubt := form_doubt(self.forms)):
            self.doubts.append(doubt)


def _check_has_reference(path: Path, columns: Sequence[Sequence[str]], before: int) -> None:
    for number, row in enumerate(zip(*columns, strict=True), before + 1):
        if not any(map(str.strip, row)):
            raise bad_input(path, number, "no reference of this sentence", "remove the line from all files")
