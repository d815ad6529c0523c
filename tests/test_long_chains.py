"""The chain of the CRF over a long document: the posteriors of crf.py, and the right links."""

import pytest
import torch

from textsimp.alignment.neural import crf, network
from textsimp.alignment.neural.aligner_settings import TransitionConfig
from textsimp.alignment.neural.network import Chain


@pytest.mark.parametrize("null_distance", [False, True])
@pytest.mark.parametrize("sizes", [(30, 300), (5, 257), (1, 300)])
def test_the_posteriors_are_those_of_all_transitions(sizes: tuple[int, int], null_distance: bool) -> None:
    torch.manual_seed(13)
    chain = Chain(2, 6, TransitionConfig(8, "tanh", 20, 5.0, null_distance, 0))
    with torch.no_grad():
        chain.similarity[2].weight *= 20  # posteriors that say something
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
