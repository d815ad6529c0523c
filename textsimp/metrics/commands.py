"""What `textsimp score` does: the scores of outputs for one test set, each with its interval and signature."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.errors import InputError
from textsimp.metrics.comparison import ComparedSystem, compare_systems
from textsimp.metrics.registry import (
    MetricOptions,
    Texts,
    checked_names,
    metric_statistics,
    part_names,
    sari_recipes,
)
from textsimp.metrics.sari import OPERATIONS, operations_by_order
from textsimp.metrics.score_table import score_table
from textsimp.metrics.simplification import read_output, read_test_set
from textsimp.metrics.statistics import SegmentStatistics

_STANDARD_INPUT = Path("/dev/stdin")
SAMPLES = 10_000


@dataclass(frozen=True)
class Request:
    """What `textsimp score` is asked for.

    metrics: names of `registry`; none for the default ones.
    against: name of the output that the others are compared with; None for the first.
    samples, seed: of the resampling.
    """

    metrics: Sequence[str] = ()
    against: str | None = None
    samples: int = SAMPLES
    seed: int = 1
    options: MetricOptions = MetricOptions()


@dataclass(frozen=True)
class ScoredOutputs:
    """Scores of outputs by name, by metric and part.

    Attributes:
        systems: `{METRIC: {OUTPUT: compared}}`.
        parts: names of the numbers of each metric: itself, and its parts.
        orders: `{OUTPUT: {METRIC: {OPERATION: [of n = 1, ..., 4]}}}` for the variants of SARI.
        signatures: by metric.
        names: of the outputs; `base` is the one that the others are compared with.
    """

    systems: dict[str, dict[str, ComparedSystem]]
    parts: dict[str, tuple[str, ...]]
    orders: dict[str, dict[str, dict[str, list[float]]]]
    signatures: dict[str, str]
    names: tuple[str, ...]
    base: str
    lines: int
    references: int
    samples: int
    seed: int

    def as_dict(self) -> dict[str, Any]:
        """As JSON: the scores of a single output at the top, those of several under `outputs` with `differences`."""
        rows = {name: self._output(name) for name in self.names}
        frame = {
            "signatures": self.signatures,
            "lines": self.lines,
            "references": self.references,
            "resampling": {"samples": self.samples, "seed": self.seed, "confidence": 95},
        }
        if len(rows) == 1:
            (row,) = rows.values()
            return {**row.pop("scores"), **row, **frame}
        differences = {name: self._differences(name) for name in self.names if name != self.base}
        return {"outputs": rows, "against": self.base, "differences": differences, **frame}

    def table(self) -> list[str]:
        """As lines of text."""
        return score_table(self.as_dict(), self.names)

    def _output(self, name: str) -> dict[str, Any]:
        found = [(self.parts[metric], systems[name]) for metric, systems in self.systems.items()]
        return {
            "scores": {part: value for parts, row in found for part, value in zip(parts, row.values, strict=True)},
            "intervals": {
                part: list(bounds) for parts, row in found for part, bounds in zip(parts, row.intervals, strict=True)
            },
            "orders": self.orders[name],
        }

    def _differences(self, name: str) -> dict[str, dict[str, float]]:
        return {
            part: tests.as_dict()
            for metric, systems in self.systems.items()
            for part, tests in zip(self.parts[metric], systems[name].tests or (), strict=True)
        }


def score_files(
    complex_file: str | Path,
    output_files: str | Path | Sequence[str | Path],
    reference_files: Sequence[str | Path],
    request: Request = Request(),
) -> ScoredOutputs:
    """Scores of one output or several, one sentence a line in every file.

    Args:
        complex_file: the complex sentences; `-` is standard input, for one of the files.
        output_files: the outputs of systems.
        reference_files: the references, one file at least.
        request: metrics and resampling.

    Raises:
        InputError: a file is absent, empty or no text, the numbers of lines differ, or a name is unknown.
    """
    outputs = [output_files] if isinstance(output_files, str | Path) else list(output_files)
    paths = _checked_paths(complex_file, outputs, reference_files)
    metrics = checked_names(request.metrics, request.options)
    if request.samples < 1:
        raise InputError(f"--samples {request.samples}: give 1 at least")
    names = _names([str(path) for path in outputs])
    base = _base(request.against, names, outputs)
    test = read_test_set(paths[0], paths[1 + len(outputs) :])
    statistics = [
        metric_statistics(metrics, Texts(test.complex, read_output(path, test), test.references), request.options)
        for path in paths[1 : 1 + len(outputs)]
    ]
    compared = compare_systems(statistics, base, request.samples, request.seed)
    return ScoredOutputs(
        {metric: dict(zip(names, rows, strict=True)) for metric, rows in compared.items()},
        {metric: part_names(metric, statistics[0][metric]) for metric in metrics},
        {name: _orders(row, request.options) for name, row in zip(names, statistics, strict=True)},
        {metric: str(statistics[0][metric].signature) for metric in metrics},
        *(names, names[base], len(test.complex), len(test.references), request.samples, request.seed),
    )


def _checked_paths(
    complex_file: str | Path, outputs: Sequence[str | Path], references: Sequence[str | Path]
) -> list[Path]:
    given = [complex_file, *outputs, *references]
    if sum(str(path) == "-" for path in given) > 1:
        raise InputError("'-': standard input can be one of the files only; name the others")
    if not outputs:
        raise InputError("--output: no file given; name one output at least")
    if not references:
        raise InputError("--reference: no file given; SARI and BLEU need one reference at least")
    return [_STANDARD_INPUT if str(path) == "-" else Path(path) for path in given]


def _names(outputs: Sequence[str]) -> tuple[str, ...]:
    """File names, or whole paths where two files are called the same."""
    for path, number in Counter(outputs).items():
        if number > 1:
            raise InputError(f"--output {path}: given {number} times; name each output once")
    short = [Path(path).name for path in outputs]
    return tuple(outputs if len(set(short)) < len(short) else short)


def _base(against: str | None, names: Sequence[str], outputs: Sequence[str | Path]) -> int:
    if against is None:
        return 0
    for number, path in enumerate(outputs):
        if against in (names[number], str(path)):
            return number
    raise InputError(f"--against {against}: none of the outputs; there is {', '.join(names)}")


def _orders(statistics: dict[str, SegmentStatistics], options: MetricOptions) -> dict[str, dict[str, list[float]]]:
    recipes = sari_recipes(options)
    return {
        metric: dict(zip(OPERATIONS, operations_by_order(found.counts.sum(0), recipes[metric]).tolist(), strict=True))
        for metric, found in statistics.items()
        if metric in recipes
    }
