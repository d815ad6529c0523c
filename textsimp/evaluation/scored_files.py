"""The statistics of line-aligned files of any length: read once, in chunks, so that memory does not grow with them."""

import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import blake2b
from math import ceil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from textsimp.core.errors import bad_input
from textsimp.core.progress import progress
from textsimp.core.reading import iterate_aligned, system_fault
from textsimp.evaluation.simplification import check_lengths
from textsimp.metrics.degenerate import DegenerateLimits, count_flaws, degeneracy, flaw_shares
from textsimp.metrics.grouping import Units
from textsimp.metrics.ngrams import chunks_of_rows
from textsimp.metrics.registry import METRICS, MetricOptions, Texts, chunk_statistics, local_metrics
from textsimp.metrics.scores import Counts, Statistics

_DIGEST = 8
"""Bytes of a digest: two of a million different lines have the same with a probability of 3e-8."""
_IN_MEMORY = 1 << 25
"""Bytes of digests that wait in memory; more go to a file."""
_AT_ONCE = 1 << 20
"""Digests that are sorted together."""
_BLOCK = 1 << 16


@dataclass(frozen=True)
class EmptyLines:
    """How many lines of a file have no words, and the first of them, from 1."""

    number: int
    first: int


@dataclass(frozen=True)
class FileStatistics:
    """What was computed of some files.

    Attributes:
        systems: the statistics of units of resampling, by system and metric.
        lines: number of lines of each file.
        groups: how many random groups of lines the units are; None where they are the lines.
        empty: the empty lines of those files that have some.
        degenerate: what is degenerate about those outputs that are.
    """

    systems: dict[str, Statistics]
    lines: int
    groups: int | None
    empty: dict[Path, EmptyLines]
    degenerate: dict[str, str]


def file_statistics(
    complex_file: Path,
    outputs: Mapping[str, Path],
    references: Sequence[Path],
    metrics: Sequence[str],
    options: MetricOptions,
    seed: int,
    limits: DegenerateLimits,
) -> FileStatistics:
    """The statistics of outputs by name, each file with one sentence per line; `-` is standard input.

    Args:
        metrics: names as `checked_names` gives them.
        seed: draws the groups of lines where there are many.
        limits: from where on outputs are degenerate, whatever their BLEU.

    Raises:
        InputError: a file is absent, empty or no text, a line is too long, or the numbers of lines differ.
    """
    units = Units(seed)
    empty: dict[Path, EmptyLines] = {}
    flaws: dict[str, Counter[str]] = {name: Counter() for name in outputs}
    paths = [complex_file, *outputs.values(), *references]
    of_lines = local_metrics(metrics)
    with closing(RepeatedLines(1 + len(outputs))) as repeated:
        for columns in chunks_of_rows(progress(iterate_aligned(paths), desc="score", unit=" lines")):
            for path, column in zip(paths, columns, strict=True):
                check_lengths(path, column, units.lines)
                _note_empty(path, column, units.lines, empty)
            old, goals = columns[0], columns[1 + len(outputs) :]
            texts = {name: Texts(old, new, goals) for name, new in zip(outputs, columns[1:], strict=False)}
            for name, new in zip(outputs, columns[1:], strict=False):
                flaws[name] += count_flaws(old, new, limits)
            chunk = {name: chunk_statistics(of_lines, texts.pop(name), options) for name in outputs}
            groups = units.add(chunk, len(old))
            repeated.add(groups, columns[: 1 + len(outputs)])
        if not units.lines:
            raise bad_input(complex_file, None, "has no lines", "a test set needs one sentence at least")
        number = units.most if units.are_groups else None
        shares = repeated.shares(number)
    systems: dict[str, Statistics] = {}
    for text, (name, of_units) in enumerate(units.statistics().items(), 1):
        systems[name] = {
            metric: of_units[metric]
            if of_shares is None
            else of_shares(np.stack([shares[:, text], shares[:, 0]], axis=1))
            for metric in metrics
            for of_shares in [METRICS[metric].of_shares]
        }
    lines = shares.sum(0)
    distinct = dict(zip(outputs, 100 * lines[1:] / lines[0], strict=True))
    why = {name: degeneracy(flaw_shares(flaws[name], distinct[name]), limits) for name in outputs}
    degenerate = {name: reasons for name, reasons in why.items() if reasons}
    return FileStatistics(systems, units.lines, number, empty, degenerate)


def _note_empty(path: Path, lines: Sequence[str], before: int, empty: dict[Path, EmptyLines]) -> None:
    """Count the lines without words; `before` lines of the file went before."""
    if all(map(str.strip, lines)):
        return
    numbers = [number for number, line in enumerate(lines, before + 1) if not line.strip()]
    known = empty.get(path, EmptyLines(0, numbers[0]))
    empty[path] = EmptyLines(known.number + len(numbers), known.first)


class RepeatedLines:
    """How often each line of a text occurs in it: digests of all lines in a temporary file, some at a time.

    Beside the digests of the texts stand the groups that the lines are in.
    """

    def __init__(self, texts: int) -> None:
        self._width, self._lines = 1 + texts, 0
        self._file = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115

    def add(self, groups: NDArray[np.int64], texts: Sequence[Sequence[str]]) -> None:
        """Add the next lines of every text; `InputError` where the folder of temporary files is full."""
        rows = np.empty((len(groups), self._width), dtype=np.uint64)
        rows[:, 0] = groups
        for column, lines in enumerate(texts, 1):
            digests = b"".join(blake2b(line.encode(), digest_size=_DIGEST).digest() for line in lines)
            rows[:, column] = np.frombuffer(digests, dtype=np.uint64)
        try:
            self._file.write(rows.tobytes())
        except OSError as error:
            raise system_fault(tempfile.gettempdir(), error) from None
        self._lines += len(groups)

    def shares(self, groups: int | None) -> Counts:
        """1/n of each line, where its text has it n times; summed over groups where their number is given.

        Shape: (lines or groups, texts).
        """
        shares = np.zeros((groups or self._lines, self._width - 1))
        parts = ceil(self._lines / _AT_ONCE)
        for part in range(parts):
            for text in range(1, self._width):
                units, digests = self._column(text, part, parts, groups is not None)
                _, number, times = np.unique(digests, return_inverse=True, return_counts=True)
                shares[:, text - 1] += np.bincount(units, (1 / times)[number], len(shares))
        return shares

    def close(self) -> None:
        """Remove the temporary file."""
        self._file.close()

    def _column(self, text: int, part: int, parts: int, grouped: bool) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        """The units and digests of those lines of a text whose digests belong to one of some parts."""
        chosen, start = [], 0
        for rows in self._rows():
            of_part = np.flatnonzero(rows[:, text] % parts == part)
            units = rows[of_part, 0].astype(np.int64) if grouped else start + of_part
            chosen.append((units, rows[of_part, text]))
            start += len(rows)
        return np.concatenate([units for units, _ in chosen]), np.concatenate([digests for _, digests in chosen])

    def _rows(self) -> Iterator[NDArray[np.uint64]]:
        self._file.seek(0)
        while data := self._file.read(_BLOCK * self._width * _DIGEST):
            yield np.frombuffer(data, dtype=np.uint64).reshape(-1, self._width)
