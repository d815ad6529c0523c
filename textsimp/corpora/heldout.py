"""Dev and test sets with several references (Jiang et al. 2020, section 5.1: TURK for Wikipedia)."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from textsimp.errors import bad_input
from textsimp.sources.asset import read_asset
from textsimp.sources.references import MultiReference
from textsimp.sources.turk import read_turk


@dataclass(frozen=True)
class _Benchmark:
    """A reader of (folder, split), the names of its dev and test splits, and a file that marks its folder."""

    read: Callable[[Path, str], list[MultiReference]]
    dev: str
    test: str
    mark: str


_BENCHMARKS = {
    "asset": _Benchmark(read_asset, "valid", "test", "asset.test.orig"),
    "turk": _Benchmark(read_turk, "tune", "test", "test.8turkers.tok.norm"),
}


@dataclass(frozen=True)
class EvaluationSet:
    """Complex sentences with their references.

    Attributes:
        complex: the sentences.
        references: one list a reference file, each as long as `complex`.
    """

    complex: list[str]
    references: list[list[str]]

    def sentences(self) -> list[str]:
        """Every sentence, of all sides."""
        return [*self.complex, *(sentence for column in self.references for sentence in column)]


def read_benchmark(raw: Path, name: str) -> tuple[EvaluationSet, EvaluationSet]:
    """The dev and test sets of `asset` or `turk`, which lie anywhere in the folder of acquired files.

    Raises:
        InputError: the benchmark is not there, or there twice, or a file of it is damaged or not line-aligned.
    """
    benchmark = _BENCHMARKS[name]
    found = sorted(raw.rglob(benchmark.mark))
    if len(found) != 1:
        what = f"{len(found)} files {benchmark.mark} in it, not 1"
        raise bad_input(raw, None, what, f"acquire the corpus again, with {name} among its releases")
    dev, test = (benchmark.read(found[0].parent, split) for split in (benchmark.dev, benchmark.test))
    return _evaluation_set(dev), _evaluation_set(test)


def training_pairs(held_out: EvaluationSet, reference: str, limit: int | None = None) -> list[tuple[str, str]]:
    """The set as (complex, simple) pairs, for a model's validation loss.

    Args:
        held_out: the set.
        reference: `first`: one pair a complex sentence, with its first reference; `all`: one a reference, the
            references of a sentence beside each other.
        limit: so many complex sentences at most, evenly spread over the set; None for all.
    """
    columns = held_out.references[:1] if reference == "first" else held_out.references
    rows = list(zip(held_out.complex, *columns, strict=True))
    size = min(len(rows), limit or len(rows))
    chosen = (rows[number * len(rows) // size] for number in range(size))
    return [(complex_sentence, simple_sentence) for complex_sentence, *simple in chosen for simple_sentence in simple]


def _evaluation_set(rows: list[MultiReference]) -> EvaluationSet:
    references = [list(column) for column in zip(*(row[1] for row in rows), strict=True)]
    return EvaluationSet([row[0] for row in rows], references)
