"""Sentences of held-out sets in training pairs, counted by set."""

from pathlib import Path

import pytest

from textsimp.corpora.heldout import read_benchmark
from textsimp.corpora.leaks import count_leaks, everything, protected_sets
from textsimp.errors import InputError
from textsimp.sources.released_pairs import read_released_pairs


def test_either_side_counts_and_a_pair_counts_for_every_set() -> None:
    pairs = [("A b c.", "D e."), ("F g.", "H i."), ("J.", "Fg"), ("K l.", "M n.")]
    protected = protected_sets({"tune": ["d E ."], "test": ["-LRB- F g -RRB-", "D, e!"], "other": ["zzz"]})
    assert count_leaks(pairs, protected) == {"tune": 1, "test": 3, "other": 0}
    assert everything(protected) == {"de", "fg", "zzz"}


def test_sentences_without_words_protect_nothing() -> None:
    assert count_leaks([("...", "A.")], protected_sets({"test": ["!", "B."]})) == {"test": 0}
    with pytest.raises(InputError, match="held-out set test: no sentences"):
        protected_sets({"test": ["!"]})


def test_the_mirror(mirror: Path) -> None:
    """EW-SEW shares sentences with TURK and ASSET."""
    held_out = {}
    for name in ("turk", "asset"):
        for part, benchmark in zip(("tune", "test"), read_benchmark(mirror / name, name), strict=True):
            held_out[f"{name}.{part}"] = benchmark.sentences()
    pairs = [(pair.complex, pair.simple) for pair in read_released_pairs("ew_sew_dev", mirror).pairs]
    counts = count_leaks(pairs, protected_sets(held_out))
    assert counts == {"turk.tune": 75, "turk.test": 8, "asset.tune": 74, "asset.test": 9}
