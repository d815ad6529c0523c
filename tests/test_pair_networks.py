"""InferSent and ESIM: padding and batches change nothing, equations by hand, what they are trained on."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
import torch
from trained_sample import DEV, TEXTS, TRAIN, Vectors, infersent

from textsimp.alignment.neural.bert import CLASSES
from textsimp.alignment.similarity.pair_networks import (
    BiLstm,
    Encoded,
    EsimNetwork,
    InferSentNetwork,
    PairNetwork,
    WordReader,
    soft_alignment,
)
from textsimp.alignment.similarity.pair_training import Examples, PairTraining, epoch_batches, examples_of
from textsimp.alignment.similarity.similarity import best_f1
from textsimp.alignment.words import TfIdf
from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link

NETWORKS = [InferSentNetwork, EsimNetwork]


def read(network: PairNetwork, texts: Sequence[str]) -> Encoded:
    return network.encode(WordReader(Vectors(), 40).read(texts))


@pytest.mark.parametrize("kind", NETWORKS)
def test_padding_changes_nothing(kind: type[PairNetwork]) -> None:
    """All pairs in one batch, and each alone."""
    torch.manual_seed(1)
    network = kind(12, 7, 0.5).eval()
    both = read(network, TEXTS)
    rows, columns = (torch.from_numpy(side.ravel()) for side in np.mgrid[0:4, 0:4])
    batch = network(both.take(rows), both.take(columns)).reshape(4, 4, len(CLASSES))
    for i, simple in enumerate(TEXTS):
        for j, complex_ in enumerate(TEXTS):
            single = network(read(network, [simple]), read(network, [complex_]))[0]
            assert batch[i, j].tolist() == pytest.approx(single.tolist(), abs=1e-6)
    assert batch.std() > 0.01


def test_bilstm_reads_both_ways_as_the_library_does() -> None:
    torch.manual_seed(1)
    layer, library = BiLstm(5, 4), torch.nn.LSTM(5, 4, batch_first=True, bidirectional=True)
    weights = dict(layer.onward.state_dict())
    weights |= {f"{name}_reverse": tensor for name, tensor in layer.backwards.state_dict().items()}
    library.load_state_dict(weights)
    inputs, mask = torch.randn(3, 6, 5), torch.arange(6) < torch.tensor([[6], [2], [1]])
    found = layer(inputs, mask)
    for row, length in enumerate((6, 2, 1)):
        assert torch.allclose(found[row, :length], library(inputs[row : row + 1, :length])[0][0], atol=1e-6)
        assert (found[row, length:] == 0).all()


def test_soft_alignment_by_hand() -> None:
    """e = [[0, ln 3]]: a quarter of the first word and three of the second; the third is padding."""
    a = torch.tensor([[[1.0, 0.0]]])
    b = torch.tensor([[[0.0, 4.0], [math.log(3), 0.0], [9.0, 9.0]]])
    found, others = soft_alignment(Encoded(a, torch.tensor([[True]])), Encoded(b, torch.tensor([[True, True, False]])))
    assert found[0, 0].tolist() == pytest.approx([0.75 * math.log(3), 1.0])
    assert others[0, :2].tolist() == [[1.0, 0.0], [1.0, 0.0]]


def test_infersent_features_by_hand() -> None:
    u, v = torch.tensor([[1.0, -2.0]]), torch.tensor([[3.0, 5.0]])
    mask = torch.ones(1, 1, dtype=torch.bool)
    found = InferSentNetwork(12, 1, 0.0).features(Encoded(u, mask), Encoded(v, mask))
    assert found.tolist() == [[1, -2, 3, 5, 2, 7, 3, -10]]


@pytest.mark.parametrize("kind", NETWORKS)
def test_gradients_reach_every_weight(kind: type[PairNetwork]) -> None:
    torch.manual_seed(1)
    network = kind(12, 6, 0.0)
    both = read(network, TEXTS)
    network(both.take(torch.tensor([0, 2])), both.take(torch.tensor([1, 3]))).square().sum().backward()
    for name, weight in network.named_parameters():
        assert weight.grad is not None and weight.grad.abs().sum() > 0, name


def test_reader_cuts_and_gives_unknown_words_vectors_of_their_own() -> None:
    reader = WordReader(Vectors(), 3)
    batch = reader.read(["A newt , a finch sleeps", "finch !", "..."])
    assert batch.mask.tolist() == [[True, True, True], [True, False, False], [True, False, False]]
    rows = [batch.vectors[batch.rows[row][batch.mask[row]]] for row in range(3)]
    expected = torch.from_numpy(Vectors().lookup(["a", "newt", "a"])[0])
    assert torch.equal(rows[0], expected) and (rows[2] == 0).all()
    assert rows[1].abs().sum() > 0
    assert torch.equal(rows[1], WordReader(Vectors(), 3).read(["the finch"]).vectors[1:])
    assert [reader.length(text) for text in ("A newt , a finch sleeps", "finch !", "...")] == [3, 1, 1]


def test_examples_are_distinct_and_take_the_closest_label() -> None:
    def side(name: str, *sentences: str) -> Document:
        return Document(name, 0, (sentences,))

    complex_, simple = side("c", "a b", "c d", "e"), side("s", "a", "e")
    first = DocumentPair("1", "t", "1", complex_, simple, (Link(0, 0, AlignmentLabel.PARTIAL),))
    second = DocumentPair("2", "t", "1", side("d", "a b"), side("r", "a"), (Link(0, 0, AlignmentLabel.ALIGNED),))
    found = examples_of([first, second], TfIdf().fit([first]))
    texts = [(found.sentences[i], found.sentences[j]) for i, j in found.pairs]
    expected = {("a", "a b"): 2, ("a", "c d"): 0, ("a", "e"): 0, ("e", "a b"): 0, ("e", "c d"): 0}
    assert dict(zip(texts, found.labels, strict=True)) == expected
    assert len(found.labels) == 5 and found.similarity.max() == pytest.approx(TfIdf().fit([first]).matrix(first)[0, 0])


def test_an_epoch_sees_all_links_and_as_many_others_as_asked() -> None:
    labels = np.array([1, 2, 2, 1] + [0] * 40)
    pairs = np.stack([np.arange(44), np.arange(44) + 44], 1)
    examples = Examples([str(number) for number in range(88)], pairs, labels, np.linspace(0, 1, 44))
    options = PairTraining(learning_rate=0.1, epochs=2, min_steps=0, batch_size=5, negatives=2.0, seed=4)
    lengths = np.arange(88)
    epochs = [[batch.tolist() for batch in epoch_batches(examples, lengths, options, epoch)] for epoch in (0, 0, 1)]
    assert epochs[0] == epochs[1] != epochs[2]
    for epoch in epochs:
        seen = [row for batch in epoch for row in batch]
        assert len(seen) == len(set(seen)) == 12 and {0, 1, 2, 3} <= set(seen)
        assert all(len(batch) <= 5 for batch in epoch)
        # half of the others are among the 16 most similar
        assert sum(row >= 28 for row in seen) >= 4


def test_small_splits_get_more_epochs() -> None:
    curve = infersent(epochs=1, min_steps=7, batch_size=8, negatives=1.0).train(TRAIN[:2], DEV)
    per_epoch = curve[0]["step"]
    assert curve[-1]["step"] >= 7 > curve[-1]["step"] - per_epoch
    assert len(curve) == -(-7 // per_epoch)


def test_the_best_epoch_is_kept() -> None:
    similarity = infersent(epochs=6)
    curve = similarity.train(TRAIN, DEV)
    assert best_f1(similarity, DEV) == max(row["dev_f1"] for row in curve)
