"""Held-out data: benchmarks with several references, article sets set aside, and their sentences in training.

One division of the article sets serves both alignments, and no sentence of a test set may be trained on (Jiang et al.
2020, section 5.1): the filter `leak` drops such pairs, and here it is counted whose sentences they had.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import files_below
from textsimp.corpora.filters import comparable, protect
from textsimp.sources.formats import FORMATS
from textsimp.sources.parallel import MultiReference

Protected = Mapping[str, frozenset[str]]
"""By set, the comparable forms of its sentences."""


@dataclass(frozen=True)
class HeldOutSet:
    """Complex sentences, and one list per reference file, each as long as `complex`."""

    complex: list[str]
    references: list[list[str]]

    def sentences(self) -> list[str]:
        """Return every sentence, of all sides."""
        return [*self.complex, *(sentence for column in self.references for sentence in column)]


def read_benchmark(raw: Path, layout: str, name: str) -> tuple[HeldOutSet, HeldOutSet]:
    """Return the dev (empty where it has none) and test sets of a format with a benchmark, anywhere below `raw`.

    A test set whose `name` is the format's is the release itself, with all its references. `InputError` where the
    benchmark is not there, or there twice, a file of it is damaged or not line-aligned, or it lacks a reference.
    """
    benchmark = FORMATS[layout].benchmark
    assert benchmark is not None  # BuildConfig checks it
    marks = files_below(raw, benchmark.mark, "run the stage acquire again")
    if len(marks) != 1:
        what = f"{len(marks)} files {benchmark.mark} in it, not 1"
        raise bad_input(raw, None, what, f"acquire the corpus again, with {layout} among its releases")
    number = benchmark.references if name == layout else None
    dev, test = (
        benchmark.read(marks[0].parent, split, number) if split else [] for split in (benchmark.dev, benchmark.test)
    )
    return _held_out_set(dev), _held_out_set(test)


def training_pairs(held_out: HeldOutSet, reference: str, limit: int | None = None) -> list[tuple[str, str]]:
    """Return the set as (complex, simple) pairs, for a model's validation loss.

    `reference` is `first` (one pair per complex sentence, with its first reference) or `all` (one per reference). At
    most `limit` complex sentences, evenly spread over the set.
    """
    columns = held_out.references[:1] if reference == "first" else held_out.references
    rows = list(zip(held_out.complex, *columns, strict=True))
    size = min(len(rows), limit or len(rows))
    chosen = (rows[number * len(rows) // size] for number in range(size))
    return [(complex_sentence, simple_sentence) for complex_sentence, *simple in chosen for simple_sentence in simple]


def _held_out_set(rows: list[MultiReference]) -> HeldOutSet:
    references = [list(column) for column in zip(*(row[1] for row in rows), strict=True)]
    return HeldOutSet([row[0] for row in rows], references)


def divide(groups: Collection[str], dev: float, test: float, seed: int) -> dict[str, str]:
    """Return the split (train, dev or test) of each article set; `InputError` where nothing would be left for training.

    Sets are ranked by a digest of seed and name, which depends on no library's random numbers; dev and test take
    their shares, rounded, at least one set each, and train the rest.
    """
    ranked = sorted(groups, key=lambda group: hashlib.sha256(f"{seed}\0{group}".encode()).digest())
    n_dev, n_test = (max(1, round(share * len(ranked))) for share in (dev, test))
    if n_dev + n_test >= len(ranked):
        what = f"{len(ranked)} article sets cannot be divided into train, dev and test"
        raise InputError(f"{what}; give {'smaller shares' if len(ranked) > 2 else 'at least 3'}")
    names = ["test"] * n_test + ["dev"] * n_dev + ["train"] * (len(ranked) - n_test - n_dev)
    return dict(zip(ranked, names, strict=True))


def protected_sets(sets: Mapping[str, Iterable[str]]) -> Protected:
    """Return the comparable forms of the sentences of each set (`HeldOutSet.sentences`: those of all sides).

    `InputError` for a set without sentences, which would protect nothing.
    """
    forms = {name: protect(sentences) for name, sentences in sets.items()}
    if empty := [name for name, of_set in forms.items() if not of_set]:
        raise InputError(f"{empty[0]}: is held out and has no sentences; get it again")
    return forms


def count_leaks(pairs: Iterable[tuple[str, str]], protected: Protected) -> dict[str, int]:
    """Count the pairs that have a sentence of each set on either side; a pair counts for every set that has one."""
    counts = dict.fromkeys(protected, 0)
    for pair in pairs:
        sides = set(map(comparable, pair))
        for name, of_set in protected.items():
            counts[name] += not of_set.isdisjoint(sides)
    return counts
