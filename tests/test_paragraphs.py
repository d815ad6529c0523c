"""Paragraph alignment: examples worked by hand, a transcription of the printed algorithms, and tuning."""

import time
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from textsimp.alignment.neural.paragraphs import (
    ALGORITHMS,
    Block,
    ParagraphExample,
    ParagraphThresholds,
    align_paragraphs,
    default_grid,
    f_beta,
    gold_paragraphs,
    paragraph_blocks,
    paragraph_scores,
    planes,
    stack_scores,
    tune_thresholds,
)
from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link


def printed_newsela(average: NDArray, highest: NDArray, t: ParagraphThresholds) -> NDArray:
    """Algorithm 2 line by line, 1-based as printed."""
    k, l = highest.shape  # noqa: E741
    aligned = np.zeros((k, l), dtype=bool)
    for i in range(1, k + 1):
        jmax = max(range(1, l + 1), key=lambda j: average[i - 1, j - 1])  # noqa: B023
        if average[i - 1, jmax - 1] > t.tau1 and abs(i / k - jmax / l) < t.tau2:
            aligned[i - 1, jmax - 1] = True
        for j in range(1, l + 1):
            if highest[i - 1, j - 1] > t.tau3:
                aligned[i - 1, j - 1] = True
            both_alike = j > 1 and highest[i - 1, j - 1] > t.tau4 and highest[i - 1, j - 2] > t.tau4
            if both_alike and abs(i / k - j / l) < t.tau5 and abs(i / k - (j - 1) / l) < t.tau5:
                aligned[i - 1, j - 1] = aligned[i - 1, j - 2] = True
    return aligned


def printed_wikipedia(highest: NDArray, t: ParagraphThresholds) -> NDArray:
    """Algorithm 4 line by line, 1-based as printed; the removal loops over a copy."""
    k, l = highest.shape  # noqa: E741
    aligned = np.zeros((k, l), dtype=bool)
    for i in range(1, k + 1):
        cand = [j for j in range(1, l + 1) if highest[i - 1, j - 1] > t.tau1 and abs(i / k - j / l) < t.tau2]
        if not cand:
            continue
        width = max(cand) - min(cand)
        if len(cand) > 1 and width / l > t.tau3 and width > t.tau4:
            dist = [abs(m - i) for m in cand]
            closest = cand[dist.index(min(dist))]
            for m in list(cand):
                if m != closest and highest[i - 1, m - 1] <= t.tau5:
                    cand.remove(m)
        for m in cand:
            aligned[i - 1, m - 1] = True
    return aligned


def test_similarity_of_paragraphs_by_hand() -> None:
    similarity = np.array([[0.9, 0.1, 0.3], [0.5, 0.2, 0.4], [0.0, 0.8, 0.6]])
    documents = pair((2, 1), (2, 1))
    scores = paragraph_scores(similarity, documents.simple, documents.complex)
    # S1 = {s1, s2}, C1 = {c1, c2}: the best of each row is 0.9 and 0.5
    np.testing.assert_allclose(scores.average, [[0.7, 0.35], [0.8, 0.6]])
    np.testing.assert_allclose(scores.highest, [[0.9, 0.4], [0.8, 0.6]])


@pytest.mark.parametrize("seed", range(3))
def test_algorithms_equal_the_printed_ones_also_stacked(seed: int) -> None:
    generator = np.random.default_rng(seed)
    cases = []
    for _ in range(40):
        k, l = generator.integers(1, 9, size=2)  # noqa: E741
        average, highest = np.round(generator.random((2, k, l)), 1)  # rounded: ties are tested too
        cases.append((average, highest))
    thresholds = ParagraphThresholds(*np.round(generator.random(3), 1).tolist(), float(generator.integers(4)), 0.6)
    newsela = ParagraphThresholds(*np.round(generator.random(5), 1).tolist())
    stacked = stack_scores([planes(*case) for case in cases])
    taus = {"newsela": newsela, "wikipedia": thresholds}
    together = {name: align_paragraphs(stacked, name, taus[name]) for name in ALGORITHMS}
    for row, (average, highest) in enumerate(cases):
        k, l = highest.shape  # noqa: E741
        for name, expected in (
            ("newsela", printed_newsela(average, highest, newsela)),
            ("wikipedia", printed_wikipedia(highest, thresholds)),
        ):
            assert (align_paragraphs(planes(average, highest), name, taus[name]) == expected).all()
            assert (together[name][row, :k, :l] == expected).all()
            assert together[name][row].sum() == expected.sum(), "padding is never aligned"


BLOCKS = {
    "neighbours": [((0, 1), (0, 1, 2)), ((0, 1), (4, 5)), ((3,), (3,)), ((4,), (3,))],
    "simple": [((0, 1), (0, 1, 2, 4, 5)), ((3,), (3,)), ((4,), (3,))],
    "components": [((0, 1), (0, 1, 2, 4, 5)), ((3, 4), (3,))],
}


@pytest.mark.parametrize("merge", BLOCKS)
def test_blocks_of_paragraphs(merge: str) -> None:
    aligned = np.array([[1, 1, 0, 1], [0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 1, 0]], dtype=bool)
    documents = pair((2, 1, 1, 1), (1, 2, 1, 2))
    assert paragraph_blocks(aligned, documents, merge) == [Block(*sides) for sides in BLOCKS[merge]]
    assert paragraph_blocks(np.zeros_like(aligned), documents, merge) == []


def pair(simple: tuple[int, ...], complex_: tuple[int, ...], links: Sequence[tuple[int, int]] = ()) -> DocumentPair:
    """A pair with paragraphs of these sizes."""
    sides = [
        Document(name, 0, tuple(tuple(f"{name} {p} {s}" for s in range(size)) for p, size in enumerate(sizes)))
        for name, sizes in (("c", complex_), ("s", simple))
    ]
    return DocumentPair("id", "test", "g", *sides, tuple(Link(s, c, AlignmentLabel.PARTIAL) for s, c in links))


def test_gold_paragraphs_share_a_link() -> None:
    gold = gold_paragraphs(pair((2, 1), (1, 2, 1), [(0, 0), (1, 2), (2, 3)]))
    assert gold.tolist() == [[True, True, False], [False, False, True]]
    assert not gold_paragraphs(pair((1,), (1,))).any()


def test_f_beta_by_hand() -> None:
    assert f_beta(1.0, 3, 1, 2) == pytest.approx(2 * 3 / (2 * 3 + 1 + 2))
    assert f_beta(2.0, 3, 1, 2) == pytest.approx(5 * 3 / (5 * 3 + 4 * 2 + 1))
    assert f_beta(2.0, 0, 0, 0) == 0.0
    assert f_beta(2.0, 3, 2, 1) > f_beta(2.0, 3, 1, 2), "a miss costs more than a false alarm"


def news_like(seed: int, sizes: tuple[int, int] = (12, 14)) -> ParagraphExample:
    """A noisy diagonal: paragraph i renders paragraph i, and now and then the next one too."""
    generator = np.random.default_rng(seed)
    k, l = sizes  # noqa: E741
    gold = np.eye(k, l, dtype=bool)
    gold[::4, 1:] |= gold[::4, :-1]
    highest = np.clip(generator.normal(0.2 + 0.5 * gold, 0.12), 0, 1)
    return ParagraphExample(planes(highest * 0.8, highest), gold)


def test_candidate_thresholds_lie_below_gold_similarities_and_above_others() -> None:
    highest, gold = np.array([[0.2, 0.4, 0.6, 0.8]]), np.array([[False, False, True, True]])
    grid = default_grid([ParagraphExample(planes(highest, highest), gold)], "newsela")
    assert grid["tau3"] == pytest.approx([0.3, 0.5, 0.7, 0.8], abs=1e-5)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_tuning_finds_good_thresholds_in_seconds(algorithm: str) -> None:
    examples = [news_like(seed) for seed in range(12)]
    start = time.process_time()
    thresholds, reached = tune_thresholds(examples, algorithm, 2.0)
    assert time.process_time() - start < 5
    assert reached > 0.85
    again, score = tune_thresholds(examples, algorithm, 2.0)
    assert (again, score) == (thresholds, reached), "deterministic"
    highest = default_grid(examples, algorithm)["tau3" if algorithm == "newsela" else "tau1"]
    assert highest[-1] > max(example.scores.highest.max() for example in examples), "the rule can be switched off"


def test_tuning_reaches_the_best_of_a_small_grid() -> None:
    examples = [news_like(seed, (5, 6)) for seed in range(4)]
    values = (0.3, 0.5, 9.0)
    grid = {"tau1": values, "tau2": (0.1, 1.0), "tau3": (0.4, 0.55, 9.0), "tau4": (9.0,), "tau5": (1.0,)}
    thresholds, reached = tune_thresholds(examples, "newsela", 1.0, grid)
    single = [dict(zip(grid, [(value,) for value in choice], strict=True)) for choice in product(*grid.values())]
    assert reached == max(tune_thresholds(examples, "newsela", 1.0, choice)[1] for choice in single)
    assert all(getattr(thresholds, name) in choices for name, choices in grid.items())
