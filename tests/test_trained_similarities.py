"""InferSent, ESIM and logistic regression: what they see, what they learn, their files."""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from alignment_sample import document_pair

from textsimp.alignment.neural.bert import CLASSES
from textsimp.alignment.similarity.lexical import CharacterNgrams
from textsimp.alignment.similarity.logistic import FEATURES, LexicalFeatures, LogisticRegression
from textsimp.alignment.similarity.pair_networks import (
    BiLstm,
    Encoded,
    Esim,
    EsimNetwork,
    Examples,
    InferSent,
    InferSentNetwork,
    PairNetwork,
    WordReader,
    epoch_batches,
    examples_of,
    soft_alignment,
)
from textsimp.alignment.similarity.similarity import TrainedSimilarity, best_f1
from textsimp.alignment.words import TfIdf
from textsimp.core.errors import InputError
from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link
from textsimp.metrics.links import TASKS

TRAIN = [document_pair(number) for number in range(8)]
DEV = [document_pair(number) for number in (8, 9)]
TEXTS = ["The vole sleeps .", "The old badger often hunts near the meadow , every meadow said .", "A newt !", "vole"]


class Vectors:
    """A vector of 12 numbers for every word of the sample but `finch`."""

    name, size = "test", 12

    def lookup(self, wanted: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        known = np.array([word != "finch" for word in wanted], dtype=bool)
        rows = [np.random.default_rng(list(word.encode())).standard_normal(12) for word in wanted]
        return np.array(rows, dtype=np.float32).reshape(len(wanted), 12) * known[:, None], known


def infersent(**options: float) -> InferSent:
    return InferSent(Vectors(), **{"hidden": 12, "learning_rate": 0.02, "epochs": 20, "min_steps": 0, **options})


def esim(**options: float) -> Esim:
    fixed = {"hidden": 16, "dropout": 0.0, "learning_rate": 0.01, "epochs": 10, "min_steps": 0, "batch_size": 16}
    return Esim(Vectors(), **{**fixed, **options})


SIMPLE, COMPLEX = "A cat sat on mats", "The cat sat on a mat"
FACTS = "In 2011 Ana met Bo", "Ana and Cy met 40 times in 2011"
NAMES = FACTS[0], "Then Ana and Cy met"


@pytest.mark.parametrize(
    ("name", "simple", "complex_", "value"),
    [
        ("jaccard_1", SIMPLE, COMPLEX, 4 / 7),  # a cat sat on; 5 + 6 - 4
        ("jaccard_2", SIMPLE, COMPLEX, 2 / 7),  # cat sat, sat on; 4 + 5 - 2
        ("simple_share_2", SIMPLE, COMPLEX, 2 / 4),
        ("complex_share_3", SIMPLE, COMPLEX, 1 / 4),
        ("subsequence", SIMPLE, COMPLEX, 3 / 5),  # cat sat on
        ("edit", SIMPLE, COMPLEX, 1 - 6 / 20),  # "a " becomes "the " by 3 edits, "mats" becomes "a mat" by 3
        ("length", SIMPLE, COMPLEX, math.log(7 / 6)),
        ("jaccard_numbers", SIMPLE, COMPLEX, 0.0),
        ("simple_share_numbers", SIMPLE, COMPLEX, 1.0),
        ("jaccard_numbers", *FACTS, 1 / 2),
        ("simple_share_numbers", *FACTS, 1.0),
        ("jaccard_names", *FACTS, 0.0),  # the first word of a text is no name
        ("jaccard_names", *NAMES, 1 / 3),
        ("simple_share_names", *NAMES, 1 / 2),
    ],
)
def test_features_by_hand(name: str, simple: str, complex_: str, value: float) -> None:
    features = LexicalFeatures(position=True).fit([document_pair(0)])
    found = features.compare([simple], [complex_])[0, 0, FEATURES.index(name)]
    assert found == pytest.approx(value, abs=1e-6)
    places = features.compare(["a", "b"], ["a", "b", "c", "d"])[:, :, FEATURES.index("distance")]
    assert places == pytest.approx(np.array([[1, 1, 3, 5], [5, 3, 1, 1]]) / 8)


def test_the_place_is_a_feature_where_it_is_asked_for(tmp_path: Path) -> None:
    """It is not lexical: LR of the paper has words, letters and lengths alone."""
    without, with_place = LexicalFeatures().fit(TRAIN), LexicalFeatures(position=True).fit(TRAIN)
    assert with_place.names == FEATURES and set(FEATURES) - set(without.names) == {"distance"}
    kept = [FEATURES.index(name) for name in without.names]
    assert (without.compare(TEXTS, TEXTS) == with_place.compare(TEXTS, TEXTS)[:, :, kept]).all()
    for name, similarity in (("tfidf", TfIdf.fit(TRAIN)), ("characters", CharacterNgrams(3).fit(TRAIN))):
        expected = similarity.compare(TEXTS, TEXTS)
        assert without.compare(TEXTS, TEXTS)[:, :, FEATURES.index(name)] == pytest.approx(expected, abs=1e-6)
    model = LogisticRegression(position=True)
    model.train(TRAIN, DEV)
    model.save(tmp_path)
    with pytest.raises(InputError, match="not a logistic regression of these features"):
        LogisticRegression().load(tmp_path)


def test_features_of_texts_without_words() -> None:
    features = LexicalFeatures().fit(TRAIN)
    found = features.compare(["...", "A newt"], ["!", "A newt"])
    assert np.isfinite(found).all()
    assert found[0, 1, FEATURES.index("jaccard_1")] == found[0, 0, FEATURES.index("subsequence")] == 0
    assert features.compare([], TEXTS).shape == (0, 4, len(features.names))


def test_logistic_regression_finds_the_best_weights() -> None:
    """The gradient of the penalised log loss is 0 at the fitted weights, scaled back."""
    model = LogisticRegression(penalty=2.0)
    model.train(TRAIN, DEV)
    features, marks, _ = model._examples(TRAIN)
    scores = features.astype(float) @ model._weights[0] + model._offsets[0]
    surprise = 1 / (1 + np.exp(-scores)) - marks[0]
    spread = features.std(0, dtype=float)
    scaled = (features - features.mean(0, dtype=float)) / np.where(spread > 0, spread, 1)
    assert surprise.sum() == pytest.approx(0, abs=0.05)
    assert scaled.T @ surprise + 2.0 * model._weights[0] * spread == pytest.approx(0, abs=0.05)


def test_logistic_regression_of_drawn_pairs_is_calibrated() -> None:
    """Drawn unlinked pairs weigh for all, so that the mean probability stays near the share of links."""
    model = LogisticRegression(cells=60)
    model.train(TRAIN, DEV)
    share = sum(len(pair.alignments) for pair in TRAIN) / (36 * len(TRAIN))
    assert np.mean([model.matrix(pair) for pair in TRAIN]) == pytest.approx(share, rel=0.25)
    assert model._examples(TRAIN)[0].shape[0] < 36 * len(TRAIN) / 2


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
    found = examples_of([first, second], TfIdf.fit([first]))
    texts = [(found.sentences[i], found.sentences[j]) for i, j in found.pairs]
    expected = {("a", "a b"): 2, ("a", "c d"): 0, ("a", "e"): 0, ("e", "a b"): 0, ("e", "c d"): 0}
    assert dict(zip(texts, found.labels, strict=True)) == expected
    assert len(found.labels) == 5 and found.similarity.max() == pytest.approx(TfIdf.fit([first]).matrix(first)[0, 0])


def test_an_epoch_sees_all_links_and_as_many_others_as_asked() -> None:
    labels = np.array([1, 2, 2, 1] + [0] * 40)
    pairs = np.stack([np.arange(44), np.arange(44) + 44], 1)
    examples = Examples([str(number) for number in range(88)], pairs, labels, np.linspace(0, 1, 44))
    options = infersent(batch_size=5, negatives=2.0, seed=4)
    lengths = np.arange(88)
    epochs = [[batch.tolist() for batch in epoch_batches(examples, lengths, options, epoch)] for epoch in (0, 0, 1)]
    assert epochs[0] == epochs[1] != epochs[2]
    for epoch in epochs:
        seen = [row for batch in epoch for row in batch]
        assert len(seen) == len(set(seen)) == 12 and {0, 1, 2, 3} <= set(seen)
        assert all(len(batch) <= 5 for batch in epoch)
        # half of the others are among the 16 most similar
        assert sum(row >= 28 for row in seen) >= 4


def test_infersent_features_by_hand() -> None:
    u, v = torch.tensor([[1.0, -2.0]]), torch.tensor([[3.0, 5.0]])
    mask = torch.ones(1, 1, dtype=torch.bool)
    found = InferSentNetwork(12, 1, 0.0).features(Encoded(u, mask), Encoded(v, mask))
    assert found.tolist() == [[1, -2, 3, 5, 2, 7, 3, -10]]


MAKERS = {"logistic": LogisticRegression, "infersent": infersent, "esim": esim}


@pytest.fixture(scope="module")
def trained() -> dict[str, TrainedSimilarity]:
    found = {name: maker() for name, maker in MAKERS.items()}
    for name, similarity in found.items():
        curve = similarity.train(TRAIN, DEV)
        assert best_f1(similarity, DEV) == max(row["dev_f1"] for row in curve), f"{name}: the best epoch is kept"
    return found


@pytest.mark.parametrize("name", MAKERS)
def test_a_toy_task_is_learned(name: str, trained: dict[str, TrainedSimilarity]) -> None:
    """Split sentences are partial: the tasks differ, and both are told from unlinked pairs on unseen articles."""
    similarity = trained[name]
    assert best_f1(similarity, DEV, "task1") > 80
    assert best_f1(similarity, DEV, "task2") > 80
    first, second = (similarity.matrix(DEV[0], task) for task in TASKS)
    assert first.shape == (6, 6) and (first >= 0).all() and (first <= 1).all()
    aligned, partial = (range(4), range(4)), ([4, 5], [5, 5])
    for cells in (aligned, partial):
        assert first[cells].mean() > first.mean() + 0.03
    assert second[aligned].mean() > second[partial].mean() + 0.1
    assert first[partial].mean() > second[partial].mean() + 0.1


@pytest.mark.parametrize("name", ["infersent", "esim"])
def test_training_is_the_same_twice(name: str, tmp_path: Path) -> None:
    """Also of an object that was trained before; random numbers drawn elsewhere change nothing, and are left alone."""
    model, curves, drawn = MAKERS[name](), [], []
    model.epochs = 1
    for number in range(2):
        torch.manual_seed(number)
        curves.append(model.train(TRAIN[:3], DEV[:1]))
        drawn.append(torch.equal(torch.rand(2), torch.rand(2, generator=torch.Generator().manual_seed(number))))
        (tmp_path / str(number)).mkdir()
        model.save(tmp_path / str(number))
    assert curves[0] == curves[1] and all(drawn)
    for file in ("network.safetensors", "words.json"):
        assert (tmp_path / "0" / file).read_bytes() == (tmp_path / "1" / file).read_bytes()


@pytest.mark.parametrize("name", MAKERS)
def test_saved_and_loaded_gives_identical_matrices(
    name: str, trained: dict[str, TrainedSimilarity], tmp_path: Path
) -> None:
    """Whatever documents the loaded one was fitted on."""
    trained[name].save(tmp_path)
    loaded = MAKERS[name]().fit([document_pair(3)])
    loaded.load(tmp_path)
    for texts in ((DEV[1].simple.sentences, DEV[1].complex.sentences), (TEXTS, TEXTS[:2]), ([], TEXTS)):
        for again, before in zip(loaded.both(*texts), trained[name].both(*texts), strict=True):
            assert again.shape == (len(texts[0]), len(texts[1])) and (again == before).all()


@pytest.mark.parametrize("name", MAKERS)
def test_damaged_files_and_those_of_another_model_are_named(
    name: str, trained: dict[str, TrainedSimilarity], tmp_path: Path
) -> None:
    trained[name].save(tmp_path)
    for path in sorted(tmp_path.iterdir()):
        whole = path.read_bytes()
        for damaged in (whole[: len(whole) // 2], b"", b"{}", whole.replace(b'"edit"', b'"moon"')):
            path.write_bytes(damaged)
            if damaged != whole:
                with pytest.raises(InputError, match=f"{path.name}.*; (train|restore|the checkpoint)"):
                    MAKERS[name]().load(tmp_path)
        path.write_bytes(whole)
    if name == "esim":
        for other in (esim(hidden=9), infersent(hidden=16)):
            with pytest.raises(InputError, match="network.safetensors"):
                other.load(tmp_path)


def test_identical_sentences_are_certain_and_others_are_candidates(trained: dict[str, TrainedSimilarity]) -> None:
    texts = [*DEV[0].simple.sentences, TEXTS[2]]
    others = [*DEV[0].complex.sentences, TEXTS[2]]
    everything = trained["infersent"].compare(texts, others)
    few = infersent(candidates=2)
    few.network, few._words = trained["infersent"].network, trained["infersent"]._words
    found = few.compare(texts, others)
    assert found[6, 6] == everything[6, 6] == 1
    ranks = (-few._words.compare(texts, others)).argsort(1, kind="stable")
    for i, order in enumerate(ranks):
        assert found[i, order[:2]] == pytest.approx(everything[i, order[:2]], abs=1e-6)
        assert (found[i, order[2:]] == 0).all()


@pytest.mark.parametrize("name", ["infersent", "esim"])
def test_many_texts_are_compared_as_few(
    name: str, trained: dict[str, TrainedSimilarity], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading and comparing in small batches gives what single pairs give."""
    similarity = trained[name]
    singles = np.array([[similarity.compare([a], [b])[0, 0] for b in TEXTS] for a in TEXTS])
    monkeypatch.setattr("textsimp.alignment.similarity.pair_networks._SENTENCES", 3)
    monkeypatch.setattr(type(similarity), "batch_cells", 5)
    assert similarity.compare(TEXTS, TEXTS) == pytest.approx(singles, abs=1e-6)


@pytest.mark.parametrize("name", MAKERS)
def test_nothing_linked_is_an_error(name: str) -> None:
    pair = DEV[0]
    with pytest.raises(InputError, match="train split"):
        MAKERS[name]().train([DocumentPair("x", "tiny", "x", pair.complex, pair.simple, ())], DEV)
