"""BERT embedding and BERTScore against plain loops, with a tiny BERT of our own."""

import math
from pathlib import Path

import numpy as np
import pytest
import torch
from alignment_sample import document_pair, write_bert

from textsimp.alignment.neural.bert import SentenceEncoder, TokenEncoder
from textsimp.alignment.similarity.contextual import BertEmbedding, BertScore
from textsimp.core.records import Document, DocumentPair

PAIRS = [document_pair(number) for number in range(3)]
SIMPLE = ["the otter swims .", "the old newt said that a finch hunts near the quarry", "heron"]
COMPLEX = ["a finch often hunts", "the otter swims .", "old old old badger , which waits", "unknown words here ."]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_bert(tmp_path_factory.mktemp("bert") / "tiny")


@pytest.fixture(scope="module")
def encoder(folder: Path) -> SentenceEncoder:
    return SentenceEncoder(str(folder), 48, "cpu", 4)


def idf_by_hand(encoder: SentenceEncoder, pairs: list[DocumentPair]) -> dict[int, float]:
    """idf of every word piece of the vocabulary by plain counting."""
    sentences = {text for pair in pairs for side in (pair.simple, pair.complex) for text in side.sentences}
    rows = [set(encoder.tokenizer.encode(text, add_special_tokens=False)) for text in sentences]
    return {
        piece: -math.log((sum(piece in row for row in rows) + 1) / (len(rows) + 1))
        for piece in encoder.tokenizer.get_vocab().values()
    }


def states_by_hand(encoder: SentenceEncoder, text: str) -> tuple[list[int], np.ndarray]:
    """Word pieces and hidden states of one text alone, without [CLS] and [SEP]."""
    ids = encoder.tokenizer.encode(text)
    with torch.no_grad():
        states = encoder.model(torch.tensor([ids])).last_hidden_state[0]
    return ids[1:-1], states[1:-1].double().numpy()


def score_by_hand(encoder: SentenceEncoder, idf: dict[int, float], simple: str, complex_: str) -> float:
    """The formulas of BERTScore, word piece by word piece."""
    (x_ids, x), (y_ids, y) = (states_by_hand(encoder, text) for text in (simple, complex_))

    def cosine(u: np.ndarray, v: np.ndarray) -> float:
        return float(u @ v / np.linalg.norm(u) / np.linalg.norm(v))

    recall = sum(idf[i] * max(cosine(u, v) for v in y) for i, u in zip(x_ids, x, strict=True))
    precision = sum(idf[j] * max(cosine(u, v) for u in x) for j, v in zip(y_ids, y, strict=True))
    recall, precision = recall / sum(idf[i] for i in x_ids), precision / sum(idf[j] for j in y_ids)
    return 2 * precision * recall / (precision + recall)


@pytest.mark.parametrize("cells", [1 << 23, 60, 1])
def test_bertscore_against_loops(encoder: SentenceEncoder, cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textsimp.alignment.similarity.contextual._CELLS", cells)
    found = BertScore(encoder).fit(PAIRS).compare(SIMPLE, COMPLEX)
    idf = idf_by_hand(encoder, PAIRS)
    expected = [[score_by_hand(encoder, idf, x, y) for y in COMPLEX] for x in SIMPLE]
    assert found == pytest.approx(np.array(expected), abs=2e-6)
    assert found.dtype == np.float64


def test_idf_by_hand(encoder: SentenceEncoder) -> None:
    hard = Document("c", 0, (("the otter swims", "the otter the otter"),))
    easy = Document("s", 1, (("the heron", "the otter swims"),))
    score = BertScore(encoder).fit([DocumentPair("1", "t", "g", hard, easy), DocumentPair("2", "t", "g", hard, easy)])
    piece = encoder.tokenizer.get_vocab()
    # three distinct sentences: "the" in 3 of them, "otter" in 2 (twice in one counts once), "heron" in 1, "quarry" in 0
    expected = {"the": 0.0, "otter": math.log(4 / 3), "heron": math.log(4 / 2), "quarry": math.log(4)}
    assert {word: score._idf[piece[word]] for word in expected} == pytest.approx(expected)
    # a text of nothing but words of every sentence has no weight at all
    assert score.compare(["the the", "the heron"], ["the heron"]) == pytest.approx(np.array([[0.0], [1.0]]), abs=1e-6)


def test_identical_texts_and_nothing_to_compare(encoder: SentenceEncoder) -> None:
    for similarity in (BertScore(encoder).fit(PAIRS), BertEmbedding(encoder)):
        own = similarity.compare(SIMPLE, SIMPLE)
        assert np.diag(own) == pytest.approx(np.ones(3), abs=1e-6)
        assert own.max() <= 1 and own[0, 1] < 0.999
        assert similarity.compare([], COMPLEX).shape == (0, 4)
        assert similarity.compare(SIMPLE, []).shape == (3, 0)
        found = similarity.compare(["", "the otter", " "], ["the heron", ""])
        assert found[0].tolist() == found[2].tolist() == [0, 0] and found[1, 1] == 0
        assert found[1, 0] != 0


def test_embedding_is_the_cosine_of_mean_states(encoder: SentenceEncoder) -> None:
    def mean(text: str) -> np.ndarray:
        with torch.no_grad():
            states = encoder.model(torch.tensor([encoder.tokenizer.encode(text)])).last_hidden_state[0]
        vector = states.double().numpy().mean(0)
        return vector / np.linalg.norm(vector)

    expected = np.array([[mean(x) @ mean(y) for y in COMPLEX] for x in SIMPLE])
    assert BertEmbedding(encoder).compare(SIMPLE, COMPLEX) == pytest.approx(expected, abs=1e-6)


def test_token_states_leave_special_tokens_and_padding_out(encoder: SentenceEncoder, folder: Path) -> None:
    tokens = TokenEncoder(encoder)
    texts = [*SIMPLE, *COMPLEX, ""]
    for text, found in zip(texts, tokens.states(texts), strict=True):
        ids, states = states_by_hand(encoder, text)
        assert found.ids.tolist() == ids == tokens.pieces([text])[0]
        if ids:
            assert found.states == pytest.approx(states / np.linalg.norm(states, axis=1, keepdims=True), abs=1e-6)
            assert found.states.dtype == np.float32
    assert tokens.states([]) == tokens.pieces([]) == []
    tokens = TokenEncoder(SentenceEncoder(str(folder), 6, "cpu", 4))
    (found,) = tokens.states(["the otter swims near the old quarry"])
    assert found.ids.tolist() == tokens.pieces(["the otter swims near the old quarry"])[0] and len(found.ids) == 4
