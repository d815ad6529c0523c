"""The gate of benchmarks/pruning.py: its features, what it rules out, its threshold."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from alignment_sample import RUNTIME
from scale_sample import PAIRS

from benchmarks.pruning import (
    ALL_PAIRS,
    FEATURES,
    PLANES,
    Gate,
    GatedScorer,
    PruningConfig,
    f1_of,
    gate_features,
    learn_gate,
)
from textsimp.alignment.neural.aligner import Aligner, load_aligner
from textsimp.core.records import DocumentPair
from textsimp.metrics.links import TASKS, identical_mask

CONFIG = PruningConfig(tuning_cells=100, factors=(1.5, 3.0, 6.0, 12.0))


@pytest.fixture
def aligner(tiny_aligner: Path) -> Aligner:
    return load_aligner(tiny_aligner, RUNTIME)


def random_planes(m: int, n: int) -> np.ndarray:
    return np.random.default_rng(m * 10 + n).random((m, n, len(PLANES)))


@pytest.mark.parametrize(("m", "n"), [(3, 4), (1, 5), (4, 1), (1, 1)])
def test_features_by_their_definition(m: int, n: int) -> None:
    planes = random_planes(m, n)
    named = dict(zip(PLANES, np.moveaxis(planes, 2, 0), strict=True))
    named["similarity"] = similar = named["cosine"] + named["tfidf"]
    found = gate_features(planes)
    assert found.shape == (m, n, len(FEATURES))

    def at(i: int, j: int) -> float:
        return similar[i, j] if 0 <= i < m and 0 <= j < n else 0.0

    for i in range(m):
        for j in range(n):
            row, column = [(i, b) for b in range(n) if b != j], [(a, j) for a in range(m) if a != i]
            wanted = {name: named[name][i, j] for name in PLANES}
            for name in ("similarity", "simple_share", "complex_share"):
                for axis, others in (("row", row), ("column", column)):
                    best = max((named[name][other] for other in others), default=0.0)
                    wanted[f"{name}_margin_{axis}"] = named[name][i, j] - best
            for axis, others in (("row", row), ("column", column)):
                above = sum(similar[other] > similar[i, j] for other in others)
                wanted |= {f"rank_{axis}": np.log(1 + above), f"best_{axis}": float(above == 0)}
            before, after = at(i - 1, j - 1), at(i + 1, j + 1)
            wanted |= {"diagonal_best": max(before, after), "diagonal_sum": before + after}
            wanted["column_neighbour"] = max(at(i - 1, j), at(i + 1, j))
            wanted["row_neighbour"] = max(at(i, j - 1), at(i, j + 1))
            wanted |= {"simple_sentences": np.log(m), "complex_sentences": np.log(n)}
            assert dict(zip(FEATURES, found[i, j], strict=True)) == pytest.approx(wanted)


def only(name: str, threshold: float, link: float = -3.0, aligned: float = -1.0) -> Gate:
    """A gate that reads one feature."""
    return Gate(tuple(float(feature == name) for feature in FEATURES), 0.0, threshold, link, aligned)


def test_what_is_ruled_out_is_not_encoded(aligner: Aligner, monkeypatch: pytest.MonkeyPatch) -> None:
    pair, scorer, asked = PAIRS[0], aligner.scorer, []
    scorer.keep([], np.zeros((0, 3), dtype=np.float32))
    scorer._kept.clear()
    scorer.forget()
    encode = scorer.encoder.log_probabilities
    monkeypatch.setattr(scorer.encoder, "log_probabilities", lambda texts, bar: (asked.extend(texts), encode(texts))[1])
    scores = GatedScorer.of(aligner, only("best_row", 0.5)).pair_scores(pair)
    cosine = scorer.planes(pair)[:, :, 0] + scorer.planes(pair)[:, :, 1]
    places = [(i, int(cosine[i].argmax())) for i in range(len(cosine))]
    assert asked == [(pair.simple.sentences[i], pair.complex.sentences[j]) for i, j in places]
    out = ~scores.candidate & ~identical_mask(pair)
    assert out.sum() == cosine.size - len(cosine)
    assert (scores.link[out] == -3).all() and (scores.aligned[out] == -1).all()
    assert not np.isin(scores.link[scores.candidate], -3).any()


def pruned(aligner: Aligner, gate: Gate, pairs: list[DocumentPair]) -> float:
    """The share of sentence pairs that is ruled out."""
    kept = [gate.keeps(aligner.scorer.planes(pair)) for pair in pairs]
    return 1 - sum(int(mask.sum()) for mask in kept) / sum(mask.size for mask in kept)


def test_the_threshold_loses_no_more_than_allowed(aligner: Aligner) -> None:
    """Tuned on dev alone, where it can be measured again."""
    config = replace(CONFIG, tuning_cells=0)
    gate = learn_gate(aligner, PAIRS[2:], PAIRS[:2], config)
    assert 1 / 3 <= pruned(aligner, gate, PAIRS[:2]) <= 1 - 1 / 12.5
    whole, found = (f1_of(aligner, PAIRS[:2], [one, one]) for one in (ALL_PAIRS, gate))
    assert all(whole[task] - found[task] <= config.allowed_loss for task in TASKS)
    anything = learn_gate(aligner, PAIRS[2:], PAIRS[:2], replace(config, allowed_loss=100.0))
    assert pruned(aligner, anything, PAIRS[:2]) == pytest.approx(1 - 1 / 12, abs=0.03)
    nothing = learn_gate(aligner, PAIRS[2:], PAIRS[:2], replace(config, allowed_loss=-100.0))
    assert pruned(aligner, nothing, PAIRS[:2]) == 0
    assert learn_gate(aligner, PAIRS[2:], PAIRS[:2], config) == gate
