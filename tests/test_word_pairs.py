"""What all similarities on word vectors have in common: contract, symmetry, blocks, unknown words, options."""

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from word_similarity_sample import ALL, PLANE, SPACE, SYMMETRIC, TinyVectors, fitted, random_texts

from textsimp.alignment.similarity import word_pairs
from textsimp.alignment.similarity.word_pairs import (
    blocks,
    unit_vectors,
)
from textsimp.alignment.words import words


@pytest.mark.parametrize("name", ALL)
def test_similarities_keep_their_contract(name: str) -> None:
    rows, columns = random_texts(6, 12), random_texts(7, 10)
    matrix = fitted(name).compare(rows, columns)
    assert matrix.shape == (12, 10) and matrix.dtype == np.float64
    assert (matrix >= 0).all() and (matrix <= 1).all() and matrix.max() > 0
    assert not matrix[2].any() and not matrix[:, 2].any(), "texts without a word"
    assert fitted(name).compare([], columns).shape == (0, 10)
    assert fitted(name).compare(rows, []).shape == (12, 0)
    assert fitted(name).compare(["?"], ["!", ""]).tolist() == [[0.0, 0.0]]


@pytest.mark.parametrize("name", [name for name in ALL if name != "average"])
def test_a_text_is_at_1_from_itself(name: str) -> None:
    rows = [text for text in random_texts(8, 8) if any(word in SPACE.vectors for word in words(text))]
    np.testing.assert_allclose(np.diag(fitted(name).compare(rows, rows)), 1.0, rtol=1e-12)


@pytest.mark.parametrize("name", SYMMETRIC)
def test_symmetric_where_the_formula_is(name: str) -> None:
    rows, columns = random_texts(10, 15), random_texts(11, 12)
    similarity = fitted(name)
    np.testing.assert_allclose(similarity.compare(rows, columns), similarity.compare(columns, rows).T, atol=1e-12)


def test_each_direction_of_weighted_words_is_the_other_transposed() -> None:
    rows, columns = random_texts(12, 9), random_texts(13, 9)
    forth = fitted("hwang simple").compare(rows, columns)
    np.testing.assert_allclose(forth, fitted("hwang complex").compare(columns, rows).T, atol=1e-12)
    assert np.abs(forth - fitted("hwang complex").compare(rows, columns)).max() > 0.01


@pytest.mark.parametrize("name", [name for name in ALL if name != "word_average"])
def test_small_blocks_give_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, columns = random_texts(14, 15), random_texts(15, 12)
    whole = fitted(name).compare(rows, columns)
    monkeypatch.setattr(word_pairs, "CELLS", 100)
    assert len(list(blocks(SPACE, rows, columns))) > 3
    np.testing.assert_allclose(fitted(name).compare(rows, columns), whole, atol=1e-12)


def test_blocks_are_bounded_and_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_pairs, "CELLS", 100)
    rows = [*random_texts(16, 15), "w1 w2 w3 w4 w5 w6 w7 w8 w9 w1 w1 w1"]
    found = list(blocks(SPACE, rows, random_texts(17, 12)))
    assert np.concatenate([block.rows.places for block in found]).tolist() == [i for i in range(16) if i != 2]
    sizes = [len(block.rows.tokens) * len(block.columns.distinct) for block in found]
    assert all(size <= 100 for size, block in zip(sizes, found, strict=True) if len(block.rows.places) > 1)
    merged = [
        (len(block.rows.tokens) + after.rows.lengths[0]) * len(block.columns.distinct)
        for block, after in itertools.pairwise(found)
    ]
    assert min(merged) > 100, "no block could take the next row"
    assert sizes[-1] > 100 and found[-1].rows.places.tolist() == [15], "a longer row is alone"


def test_words_without_a_vector_are_like_themselves_only() -> None:
    (block,) = blocks(PLANE, ["cat new void"], ["new other void dog"])
    names = [[block.vocabulary[number] for number in side.distinct] for side in (block.rows, block.columns)]
    assert names == [["cat", "new", "void"], ["new", "void", "other", "dog"]]
    np.testing.assert_allclose(block.cosine, [[0, 0, 0, 0.6], [1, 0, 0, 0], [0, 1, 0, 0]], atol=1e-9)


def test_words_of_one_direction_tie_exactly() -> None:
    names = [f"k{number}" for number in range(1, 30)]
    vectors = TinyVectors({name: [number, number / 3, number * 0.7] for number, name in enumerate(names, 1)})
    (block,) = blocks(vectors, [" ".join(names)], [" ".join(names)])
    assert (block.cosine == 1.0).all()


def test_unit_vectors_ignore_what_lookup_says_of_unknown_words() -> None:
    class Noisy(TinyVectors):
        def lookup(self, wanted: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
            return np.ones((len(wanted), self.size), dtype=np.float32), np.array([word != "new" for word in wanted])

    np.testing.assert_allclose(unit_vectors(Noisy({"cat": [1, 0]}), ["cat", "new"]), [[0.5**0.5] * 2, [0, 0]])
