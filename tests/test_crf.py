"""The CRF against enumeration of all alignments, and its behaviour at the edges."""

import math

import pytest
import torch
from alignment_sample import path_posteriors, path_scores
from scipy.special import logsumexp
from torch import Tensor

from textsimp.alignment.neural import crf

SIZES = [(1, 1), (1, 4), (3, 1), (2, 3), (4, 4), (5, 3)]  # sentences, states
Problem = tuple[Tensor, Tensor, Tensor, Tensor]


def make(sizes: list[tuple[int, int]], seed: int = 0, scale: float = 1.0, junk: float = 0.0) -> Problem:
    """A batch of random problems of these sizes; `junk` fills the padding."""
    generator = torch.Generator().manual_seed(seed)
    shape = len(sizes), max(m for m, _ in sizes), max(k for _, k in sizes)
    emissions = torch.full(shape, junk, dtype=torch.float64)
    transitions = torch.full((shape[0], shape[2], shape[2]), junk, dtype=torch.float64)
    sentence_mask = torch.zeros(shape[0], shape[1], dtype=torch.bool)
    state_mask = torch.zeros(shape[0], shape[2], dtype=torch.bool)
    for row, (m, k) in enumerate(sizes):
        emissions[row, :m, :k] = scale * torch.randn(m, k, generator=generator, dtype=torch.float64)
        transitions[row, :k, :k] = scale * torch.randn(k, k, generator=generator, dtype=torch.float64)
        sentence_mask[row, :m] = True
        state_mask[row, :k] = True
    return emissions, transitions, sentence_mask, state_mask


@pytest.mark.parametrize("scale", [0.1, 1.0, 30.0, 400.0])
def test_partition_viterbi_and_posteriors_equal_enumeration(scale: float) -> None:
    emissions, transitions, sentence_mask, state_mask = problem = make(SIZES, scale=scale, junk=math.nan)
    partition, posteriors, labels = (solve(*problem) for solve in (crf.log_partition, crf.posteriors, crf.viterbi))
    for row, (m, k) in enumerate(SIZES):
        scores = path_scores(emissions[row, :m, :k], transitions[row, :k, :k])
        assert partition[row].item() == pytest.approx(logsumexp(list(scores.values())), rel=1e-12, abs=1e-12)
        winner = max(scores, key=scores.__getitem__)
        assert labels[row].tolist() == [*winner, *[crf.PADDING] * (emissions.shape[1] - m)]
        expected = torch.zeros_like(posteriors[row])
        expected[:m, :k] = torch.from_numpy(path_posteriors(scores, k))
        torch.testing.assert_close(posteriors[row], expected, rtol=1e-9, atol=1e-12)


def test_the_wide_spread_takes_the_logarithmic_road(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crf, "scaled", None)
    emissions = torch.tensor([[[0.0, -1000.0], [0.0, 0.0]]])
    transitions = torch.tensor([[[-1000.0, -1000.0], [0.0, 0.0]]])
    masks = torch.ones(1, 2, dtype=torch.bool), torch.ones(1, 2, dtype=torch.bool)
    # all four alignments score -1000, though no float32 holds exp(-1000)
    assert crf.log_partition(emissions, transitions, *masks).item() == pytest.approx(-1000 + math.log(4))
    posteriors = crf.posteriors(emissions, transitions, *masks)
    torch.testing.assert_close(posteriors, torch.full((1, 2, 2), 0.5), rtol=0, atol=1e-4)


@pytest.mark.parametrize("spread", [0.0, 35.0, 45.0])
def test_float32_is_exact_on_both_sides_of_the_switch(spread: float) -> None:
    emissions, transitions, *masks = make([(12, 6)] * 3, seed=5, scale=20.0)
    transitions = transitions / transitions.abs().max() * spread / 2
    exact = crf.log_partition(emissions, transitions, *masks)
    got = crf.log_partition(emissions.float(), transitions.float(), *masks)
    torch.testing.assert_close(got.double(), exact, rtol=1e-6, atol=1e-4)
    marginals = crf.posteriors(emissions.float(), transitions.float(), *masks).double()
    torch.testing.assert_close(marginals, crf.posteriors(emissions, transitions, *masks), rtol=1e-3, atol=1e-5)


def test_the_given_scores_are_left_alone() -> None:
    problem = make([(3, 4)] * 3)
    copies = [item.clone() for item in problem]
    crf.viterbi(*problem)
    crf.posteriors(*problem)
    crf.log_partition(*problem)
    assert all(torch.equal(item, copy) for item, copy in zip(problem, copies, strict=True))


@pytest.mark.parametrize("junk", [math.nan, -math.inf])
def test_what_the_padding_holds_changes_nothing(junk: float) -> None:
    results = []
    for filling in (0.0, junk):
        emissions, transitions, *masks = make(SIZES, seed=2, junk=filling)
        emissions.requires_grad_()
        transitions.requires_grad_()
        labels, partition = (solve(emissions, transitions, *masks) for solve in (crf.viterbi, crf.log_partition))
        partition.sum().backward()
        posteriors = crf.posteriors(emissions, transitions, *masks)
        results.append((partition.detach(), posteriors, labels, emissions.grad, transitions.grad))
    for one, other in zip(*results, strict=True):
        assert torch.equal(one, other)
        assert torch.isfinite(other).all()


def test_no_sentence_has_one_empty_alignment() -> None:
    emissions, transitions, sentence_mask, state_mask = make([(2, 3), (1, 2)])
    sentence_mask[1] = False
    problem = emissions, transitions, sentence_mask, state_mask
    assert crf.log_partition(*problem)[1] == 0
    assert crf.viterbi(*problem)[1].tolist() == [-1, -1]
    assert not crf.posteriors(*problem)[1].any()


def test_equal_scores_go_to_the_lower_state() -> None:
    masks = torch.ones(1, 3, dtype=torch.bool), torch.ones(1, 3, dtype=torch.bool)
    assert crf.viterbi(torch.zeros(1, 3, 3), torch.zeros(3, 3), *masks).tolist() == [[0, 0, 0]]


def test_forbidden_transitions_and_states_count_paths() -> None:
    """Only 0 -> 1 -> 2 forward moves: with three sentences and states, C(5, 3) = 10 monotone alignments."""
    transitions = torch.zeros(3, 3).masked_fill(torch.ones(3, 3).tril(-1).bool(), -math.inf).requires_grad_()
    masks = torch.ones(1, 3, dtype=torch.bool), torch.ones(1, 3, dtype=torch.bool)
    emissions = torch.zeros(1, 3, 3, requires_grad=True)
    partition = crf.log_partition(emissions, transitions, *masks)
    assert partition.item() == pytest.approx(math.log(10))
    partition.sum().backward()
    assert torch.isfinite(emissions.grad).all() and torch.isfinite(transitions.grad).all()
    assert transitions.grad.tril(-1).abs().sum() == 0


@pytest.mark.parametrize("forbidden", ["emission", "transition"])
def test_an_impossible_pair_has_no_gradient_and_harms_no_other(forbidden: str) -> None:
    emissions, transitions, *masks = make([(3, 3), (3, 3)])
    alone = crf.log_partition(emissions, transitions, *masks)[1].item()
    if forbidden == "emission":
        emissions[0, 1] = -math.inf
    else:
        transitions[0] = -math.inf
    emissions.requires_grad_()
    transitions.requires_grad_()
    partition = crf.log_partition(emissions, transitions, *masks)
    partition.sum().backward()
    assert partition[0] == -math.inf and partition[1].item() == pytest.approx(alone)
    assert not emissions.grad[0].any() and not transitions.grad[0].any()
    torch.testing.assert_close(emissions.grad[1].sum(1), torch.ones(3, dtype=torch.float64))


@pytest.mark.parametrize("spread", [1.0, 400.0])
def test_gradcheck(spread: float) -> None:
    """The marginals are the gradient; the large spread checks the logarithmic recursion."""
    emissions, transitions, *masks = make([(4, 3), (2, 4), (1, 1)], seed=3)
    transitions[:, 0, 0] -= spread
    emissions.requires_grad_()
    transitions.requires_grad_()
    assert torch.autograd.gradcheck(lambda e, t: crf.log_partition(e, t, *masks), (emissions, transitions))


def test_a_long_document_in_single_precision() -> None:
    generator = torch.Generator().manual_seed(0)
    emissions = (10 * torch.randn(1, 200, 301, generator=generator)).requires_grad_()
    transitions = torch.randn(301, 301, generator=generator).requires_grad_()
    masks = torch.ones(1, 200, dtype=torch.bool), torch.ones(1, 301, dtype=torch.bool)
    labels = crf.viterbi(emissions, transitions, *masks)[0]
    partition = crf.log_partition(emissions, transitions, *masks)
    partition.sum().backward()
    best = emissions.detach()[0, torch.arange(200), labels].sum() + transitions.detach()[labels[:-1], labels[1:]].sum()
    assert best.item() <= partition.item() <= best.item() + 200 * math.log(301)
    torch.testing.assert_close(emissions.grad.sum(2), torch.ones(1, 200), rtol=0, atol=1e-4)
    assert transitions.grad.sum().item() == pytest.approx(199, abs=1e-2)
