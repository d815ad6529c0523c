"""Held-out sentences out of training pairs."""

from pathlib import Path

import pytest

from textsimp.corpora.heldout import read_benchmark
from textsimp.corpora.leaks import without_held_out
from textsimp.errors import InputError
from textsimp.records import AlignmentLabel, SentencePair
from textsimp.sources.parallel import read_ew_sew


def pair(complex_: str, simple: str) -> SentencePair:
    return SentencePair(complex_, simple, AlignmentLabel.ALIGNED, "n:1", "n:1")


def test_either_side_removes_a_pair_and_each_set_is_counted() -> None:
    pairs = [pair("A b c.", "D e."), pair("F g.", "H i."), pair("J.", "Fg"), pair("K l.", "M n.")]
    left = without_held_out(pairs, {"tune": ["d E ."], "test": ["-LRB- F g -RRB-", "D, e!"], "other": ["zzz"]})
    assert left.pairs == [pairs[3]]
    assert left.removed == {"tune": 1, "test": 3, "other": 0}
    assert left.total == 3


def test_sentences_without_words_protect_nothing() -> None:
    left = without_held_out([pair("...", "A.")], {"test": ["!", "B."]})
    assert (len(left.pairs), left.total) == (1, 0)
    with pytest.raises(InputError, match="held-out set test: no sentences"):
        without_held_out([], {"test": ["!"]})


def test_the_mirror(mirror: Path) -> None:
    """EW-SEW shares sentences with TURK and ASSET; afterwards with neither."""
    held_out = {}
    for name in ("turk", "asset"):
        for part, benchmark in zip(("tune", "test"), read_benchmark(mirror / name, name), strict=True):
            held_out[f"{name}.{part}"] = benchmark.sentences()
    left = without_held_out(read_ew_sew(mirror / "ew_sew_dev", "ew_sew").pairs, held_out)
    assert left.removed == {"turk.tune": 75, "turk.test": 8, "asset.tune": 74, "asset.test": 9}
    assert (left.total, len(left.pairs)) == (85, 16769 - 85)
    assert without_held_out(left.pairs, held_out).total == 0
