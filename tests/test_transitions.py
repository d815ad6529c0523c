"""Transitions against the equations, label by label; posteriors of a chain over a long document."""

import pytest
import torch

from textsimp.alignment.neural import crf, network
from textsimp.alignment.neural.aligner_settings import TransitionConfig
from textsimp.alignment.neural.network import Chain, TransitionScorer


def transition_features(states: int, config: TransitionConfig) -> torch.Tensor:
    """g1 to g4 for every pair of labels [a_prev, a]. Shape: (K, K, 4)."""
    return network._feature_rows(states, config)[network._row_numbers(states, config.offset)]


LITERAL = TransitionConfig(8, "tanh", max_distance=0, distance_scale=1.0, null_distance=True, offset=0)


def equation_3(now: int, before: int) -> list[float]:
    return [abs(now - before), *map(float, (now == 0 != before, now != 0 == before, now == 0 == before))]


@pytest.mark.parametrize("states", [1, 2, 7])
def test_features_are_equation_3(states: int) -> None:
    expected = [[equation_3(now, before) for now in range(states)] for before in range(states)]
    assert transition_features(states, LITERAL).tolist() == expected


def test_distance_may_be_cut_scaled_and_kept_from_null() -> None:
    config = TransitionConfig(8, "tanh", max_distance=3, distance_scale=2.0, null_distance=False, offset=0)
    distance = transition_features(7, config)[:, :, 0]
    assert distance[1].tolist() == [0.0, 0.0, 0.5, 1.0, 1.5, 1.5, 1.5]
    assert not distance[0].any() and not distance[:, 0].any()
    assert torch.equal(transition_features(7, config)[:, :, 1:], transition_features(7, LITERAL)[:, :, 1:])


def test_the_offset_of_the_release_makes_a_step_on_free() -> None:
    """g1 = |a_i - a_{i-1} - 1|: 1 for a stay, 0 for the next sentence, as many as it skips for a later one."""
    config = TransitionConfig(8, "tanh", max_distance=0, distance_scale=1.0, null_distance=False, offset=1)
    distance = transition_features(5, config)[:, :, 0]
    assert distance[2].tolist() == [0.0, 2.0, 1.0, 0.0, 1.0] and not distance[:, 0].any()
    scorer = TransitionScorer(config)
    expected = scorer.output(torch.tanh(scorer.hidden(transition_features(5, config)))).squeeze(2)
    torch.testing.assert_close(scorer(5), expected)


@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_scores_are_equation_4_for_each_pair_of_labels(activation: str) -> None:
    torch.manual_seed(0)
    scorer = TransitionScorer(TransitionConfig(8, activation, 4, 2.0, True, 0))
    features = transition_features(6, scorer.config)
    expected = scorer.output(getattr(torch, activation)(scorer.hidden(features))).squeeze(2)
    torch.testing.assert_close(scorer(6), expected)


@pytest.mark.parametrize(("sizes", "null_distance"), [((30, 300), False), ((5, 257), True), ((1, 300), False)])
def test_the_posteriors_are_those_of_all_transitions(sizes: tuple[int, int], null_distance: bool) -> None:
    torch.manual_seed(13)
    chain = Chain(2, 6, TransitionConfig(8, "tanh", 20, 5.0, null_distance, 0))
    with torch.no_grad():
        chain.similarity[2].weight *= 20  # posteriors that say something, NULL's among them
        chain.null += 22
        block = torch.randn(*sizes, 2)
        expected = crf.posteriors(*chain([block]))[0, :, 1:].double().numpy()
    assert chain._long_moves(sizes[1]) is not None
    assert expected.max() > 0.05
    assert chain.posteriors([block])[0] == pytest.approx(expected, abs=1e-6)


def test_transitions_that_go_on_growing_keep_the_whole_matrix() -> None:
    chain = Chain(2, 6, TransitionConfig(8, "tanh", 0, 5.0, False, 0))
    assert chain._long_moves(network._LONG) is None
    wide = Chain(2, 6, TransitionConfig(8, "tanh", 20, 5.0, False, 0))
    with torch.no_grad():
        wide.transition.output.weight *= 1e4
    assert wide._long_moves(network._LONG) is None
