"""Golden values on twenty invented sentences (golden_sentences.json says whose each value is); no mirror is needed."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from textsimp.metrics.registry import MetricOptions, Texts, checked_names, metric_statistics
from textsimp.metrics.scores import Statistics
from textsimp.metrics.tokens import tokenise

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent / "golden_sentences.json").read_text(encoding="utf-8"))
ROWS = GOLDEN["rows"]


@pytest.fixture(scope="module")
def statistics() -> Statistics:
    references = [list(lines) for lines in zip(*(row["references"] for row in ROWS), strict=True)]
    texts = Texts([row["complex"] for row in ROWS], [row["output"] for row in ROWS], references)
    return metric_statistics(checked_names(["all"], MetricOptions()), texts, MetricOptions())


def test_sari_of_each_sentence(statistics: Statistics) -> None:
    assert len(ROWS) == 20
    assert statistics["sari"].per_segment() == pytest.approx(np.array([row["sari"] for row in ROWS]), abs=1e-9)
    score = statistics["sari"].score()
    assert score.value == pytest.approx(np.mean([row["sari"][0] for row in ROWS]), abs=1e-9)


def test_sari_over_the_corpus(statistics: Statistics) -> None:
    score = statistics["sari_corpus"].score()
    assert [score.value, *score.parts.values()] == pytest.approx(GOLDEN["sari_corpus"], abs=1e-9)


def test_bleu_of_two_other_implementations(statistics: Statistics) -> None:
    assert statistics["bleu"].score().value == pytest.approx(GOLDEN["bleu"], abs=1e-9)
    some = [number for number, row in enumerate(ROWS) if row["output"]]
    sums = statistics["bleu"].counts[some].sum(0)
    assert statistics["bleu"].function(sums)[0] == pytest.approx(GOLDEN["bleu_nltk"], abs=1e-9)


def test_simple_string_accuracy_from_edit_distances(statistics: Statistics) -> None:
    expected = [
        max(
            100 * (1 - edits / len(tokenise(line))) for edits, line in zip(row["edits"], row["references"], strict=True)
        )
        for row in ROWS
    ]
    assert statistics["ssa"].per_segment()[:, 0] == pytest.approx(expected, abs=1e-9)


def test_what_follows_by_counting(statistics: Statistics) -> None:
    """One copy; all outputs differ; one is empty."""
    assert statistics["exact_copies"].score().value == 1 / 20
    assert statistics["distinct"].score().value == pytest.approx(100)
    assert statistics["compression_ratio"].per_segment()[17, 0] == 0
