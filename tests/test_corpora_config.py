"""The keys `corpus.NAME.build`: wrong values are named, and the committed files load."""

import re
from typing import Any

import pytest
from corpora_sample import corpora

from textsimp.core.errors import InputError
from textsimp.core.settings import structured
from textsimp.corpora.config import BuildConfig


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("join", "word"),
        ("filters", ["levels", "bleeu"]),
        ("filters", ["levels", "levels"]),
        ("benchmarks", {"x": "none"}),
        ("benchmarks", {"x": "turk", "y": "turk"}),
        ("dev_pairs", 0),
        ("dev_reference", "second"),
        ("min_tokens", -1),
        ("bleu_low", 0.95),
        ("dev_fraction", 0.0),
        ("excluded_levels", ["0>1"]),
        ("one_sentence_patterns", ["(a"]),
        ("one_sentence_similarity", 1.5),
        ("dev_fraction", 0.95),
    ],
)
def test_wrong_values_are_named(key: str, value: Any) -> None:
    values = corpora()["sample_news"]["build"]
    assert structured(values, BuildConfig).test_fraction >= 0.05
    with pytest.raises(InputError, match=re.escape(key)):
        structured(values | {key: value}, BuildConfig)


def test_committed_configurations_load() -> None:
    for name, corpus in corpora().items():
        assert structured(corpus["build"], BuildConfig).provenance, name
