"""Word vectors: every file format written here byte by byte, damaged files, skip-gram and input embeddings."""

import gzip
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from alignment_sample import write_bert

from textsimp.alignment.vectors import WordVectorConfig, WordVectors, files, word_vectors
from textsimp.alignment.vectors.files import FASTTEXT, GLOVE, WORD2VEC_BINARY, WORD2VEC_TEXT, recognise
from textsimp.core.errors import InputError

CONFIG = WordVectorConfig(None, "skipgram", dimensions=4, window=3, negative=5, epochs=5, min_count=1, seed=3)
VECTORS = {"Otter": [9, 9, 9], "the": [0.5, -1, 2], "otter": [1, 2, 3], "OTTER": [8, 8, 8], "Élan": [-4, 0.25, 1e-3],
           "Heron": [3, 2, 1], "HERON": [7, 7, 7], ".": [6, 6, 6]}  # fmt: skip
"""Lower-cased "otter" comes second of three spellings; "heron" has no lower-cased entry."""
SENTENCES = ["The otter, a heron."]


def glove(vectors: dict[str, list[float]] = VECTORS, end: str = "\n") -> bytes:
    return "".join(f"{word} {' '.join(map(str, numbers))}{end}" for word, numbers in vectors.items()).encode()


def word2vec_text() -> bytes:
    return f"{len(VECTORS)} 3\n".encode() + glove()


def binary(separator: bytes = b"", vectors: dict[str, list[float]] = VECTORS) -> bytes:
    rows = (w.encode() + b" " + np.array(v, dtype="<f4").tobytes() + separator for w, v in vectors.items())
    return f"{len(vectors)} 3\n".encode() + b"".join(rows)


FORMATS = {
    "glove": (glove, GLOVE),
    "glove CRLF": (lambda: glove(end="\r\n"), GLOVE),
    "word2vec text": (word2vec_text, WORD2VEC_TEXT),
    "fastText .vec": (lambda: f"{len(VECTORS)} 3\n".encode() + glove(end=" \n"), WORD2VEC_TEXT),
    "no last line end": (lambda: glove().rstrip(b"\n"), GLOVE),
    "binary": (binary, WORD2VEC_BINARY),
    "binary with line ends": (lambda: binary(b"\n"), WORD2VEC_BINARY),
}


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def vectors_of(path: Path, sentences: list[str] = SENTENCES) -> WordVectors:
    return word_vectors(replace(CONFIG, file=str(path)), sentences, "no such encoder")


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(("make", "kind"), FORMATS.values(), ids=FORMATS)
def test_all_formats_give_the_same_vectors(make: Callable[[], bytes], kind: str, packed: bool, tmp_path: Path) -> None:
    """By content: all files have one meaningless suffix. Words of no sentence are found as well."""
    path = write(tmp_path / "some.dat", gzip.compress(make()) if packed else make())
    vectors = vectors_of(path)
    assert (vectors.size, vectors.name) == (3, f"{kind} some.dat, 3 dimensions")
    found, known = vectors.lookup(["the", "otter", "heron", "vole", "élan", "otter"])
    assert known.tolist() == [True, True, True, False, True, True]
    expected = np.array([[0.5, -1, 2], [1, 2, 3], [3, 2, 1], [0, 0, 0], [-4, 0.25, 1e-3], [1, 2, 3]], dtype=np.float32)
    assert found.dtype == np.float32
    assert np.array_equal(found, expected)
    nothing, unknown = vectors.lookup([])
    assert nothing.shape == (0, 3) and unknown.shape == (0,)


@pytest.mark.parametrize("make", [glove, word2vec_text, binary])
def test_the_order_of_lookups_changes_nothing(make: Callable[[], bytes], tmp_path: Path) -> None:
    path = write(tmp_path / "v", make())
    words = sorted({word.lower() for word in VECTORS})
    one, _ = vectors_of(path, ["x"]).lookup(words)
    late = vectors_of(path, [])
    backwards = np.concatenate([late.lookup([word])[0] for word in reversed(words)])
    assert one.any(1).all() and np.array_equal(backwards, one[::-1])


@pytest.mark.parametrize("make", [glove, binary])
def test_words_of_one_hash_are_told_apart(
    make: Callable[[], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_hash", lambda _: 7)
    found, known = vectors_of(write(tmp_path / "v", make())).lookup(["otter", "heron", "vole"])
    assert found.tolist() == [[1, 2, 3], [3, 2, 1], [0, 0, 0]] and known.tolist() == [True, True, False]


@pytest.mark.parametrize("chunk", [1, 2, 7, 16, 64])
def test_binary_vectors_across_chunks(chunk: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_CHUNK", chunk)
    found, _ = vectors_of(write(tmp_path / "v", binary(b"\n"))).lookup(["the", "otter", "élan"])
    assert np.array_equal(found, np.array([[0.5, -1, 2], [1, 2, 3], [-4, 0.25, 1e-3]], dtype=np.float32))


def test_words_with_spaces_and_odd_bytes_break_nothing(tmp_path: Path) -> None:
    odd = b"the 1 2\n. . . 3 4\nat name@domain.com 5 6\n\xff\xfe 7 8\na\xc2\x85b\xe2\x80\xa8c 0 0\n12 3 4\n\nat 9 10\n"
    vectors = vectors_of(write(tmp_path / "v", odd), [])
    assert vectors.size == 2
    assert vectors.lookup(["the", "at", "12", "name"])[0].tolist() == [[1, 2], [9, 10], [3, 4], [0, 0]]


def test_sizes_against_random_files(tmp_path: Path) -> None:
    """200 random vectors of 50 numbers: what is read is what was written, in text and in binary."""
    random = np.random.default_rng(5)
    numbers = random.standard_normal((200, 50)).astype(np.float32)
    words = [f"w{index}" for index in random.permutation(200)]
    text = "".join(f"{w} {' '.join(map(repr, row.tolist()))}\n" for w, row in zip(words, numbers, strict=True))
    rows = b"".join(w.encode() + b" " + row.astype("<f4").tobytes() for w, row in zip(words, numbers, strict=True))
    for data in (text.encode(), b"200 50\n" + text.encode(), b"200 50\n" + rows):
        found, known = vectors_of(write(tmp_path / "v", data), [" ".join(words[:20])]).lookup(words)
        assert known.all() and np.array_equal(found, numbers)


DAMAGED = {
    "absent": (None, "no such file; give a file of word vectors"),
    "empty": (b"", "empty, where word vectors"),
    "only line ends": (b"\n\n", "empty, where word vectors"),
    "zip": (b"PK\x03\x04rest", "unpack it"),
    "prose": (b"An otter swims.\nIt sleeps.\n", ":1: neither a word and its numbers"),
    "cut line": (b"the 1 2 3\notter 1 2", ":2: 2 fields behind the word, where 3 numbers"),
    "one number more": (b"the 1 2 3\notter 1 2 3 4\n", ":2: 4 fields behind the word, where 3 numbers"),
    "line of a word alone": (b"the 1 2 3\notter\n", ":2: 0 fields behind"),
    "no number": (b"the 1 2 3\notter 1 x 3\n", ":2: the vector of 'otter' has 'x' where a number"),
    "not finite": (b"the 1 2 3\notter 1 nan 3\n", ":2: the vector of 'otter' has a number that is not finite"),
    "too large": (b"the 1 2 3\notter 1 1e99 3\n", ":2: the vector of 'otter' has a number that is not finite"),
    "no number behind a header": (b"2 3\nthe 1 y 3\notter 1 2 3\n", ":2: the vector of 'the' has 'y'"),
    "fewer than promised": (b"9 3\n" + glove(), ":1: promises 9 vectors where 8 follow"),
    "more than promised": (b"7 3\n" + glove(), ":1: promises 7 vectors where 8 follow"),
    "other size than promised": (b"8 4\n" + glove(), ":2: 3 fields behind the word, where 4 numbers"),
    "none promised": (b"0 3\n", ":1: promises 0 vectors of 3 numbers"),
    "huge numbers promised": (b"9" * 5000 + b" 3\n", ":1: promises 9"),
    "huge size promised": (b"2 999999999\n" + b"a " + bytes(99), ":1: promises 2 vectors of 999999999 numbers"),
    "more promised than it can hold": (binary().replace(b"8 3\n", b"99 3\n", 1), ":1: promises 99 vectors of 3"),
    "absurd": (b"the 1 2 3\notter 1 1e30 3\n", ":2: the vector of 'otter' has a number that is not finite, or beyond"),
    "a word twice": (b"the 1 2 3\notter 1 2 3\notter 1 2 4\n", ":3: the vector of 'otter' is the second of this word"),
    "nothing behind the header": (b"2 3\n", ":1: promises 2 vectors where 0 follow"),
    "binary cut short": (binary()[:-1], "ends inside vector 8 of the 8"),
    "binary cut in a word": (binary()[:-14], "ends inside vector 8 of the 8"),
    "binary, fewer promised": (binary().replace(b"8 3\n", b"7 3\n", 1), "more follows the 7 vectors of 3 numbers"),
    "binary, more promised": (binary().replace(b"8 3\n", b"9 3\n", 1), "ends inside vector 9 of the 9"),
    "binary, other size": (binary().replace(b"8 3\n", b"8 2\n", 1), "v: no word before vector 2"),
    "binary, not finite": (binary(vectors={"otter": [1, float("inf"), 2]}), "v: the vector of 'otter' has a number"),
    "gzip cut short": (gzip.compress(glove())[:-12], "damaged gzip data"),
    "gzip with other bytes": (gzip.compress(glove())[:-8] + bytes(8), "damaged gzip data"),
    "fastText cut short": ((793712314).to_bytes(4, "little") + bytes(20), "v: no fastText word vectors"),
}


@pytest.mark.parametrize(("data", "message"), DAMAGED.values(), ids=DAMAGED)
def test_damaged_files_give_one_clear_line(data: bytes | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "v"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        vectors_of(path)
    text = str(caught.value)
    assert text.startswith(str(path)) and message in text and "; " in text and "\n" not in text


def test_a_folder_is_no_file_of_vectors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder, not a file"):
        vectors_of(tmp_path)


@pytest.mark.parametrize("name", ["model.bin", "packed.bin.gz", "packed.bin", "misnamed.gz"])
def test_fasttext_binary_knows_words_by_their_subwords(name: str, tmp_path: Path) -> None:
    from gensim.models.fasttext import FastText, save_facebook_model

    texts = [["otter", "heron", "Paris"], ["otter", "sleeps"]] * 3
    model = FastText(texts, vector_size=6, min_count=1, bucket=40, seed=1, workers=1, epochs=1)
    save_facebook_model(model, str(tmp_path / "own"))
    data = (tmp_path / "own").read_bytes()
    path = write(tmp_path / name, gzip.compress(data) if name.startswith("packed") else data)
    assert recognise(path).kind == FASTTEXT
    vectors = vectors_of(path)
    assert vectors.name == f"fastText with subwords {name}, 6 dimensions"
    found, known = vectors.lookup(["otter", "paris", "otters"])
    assert known.all()
    for row, word in zip(found, ["otter", "Paris", "otters"], strict=True):
        assert np.allclose(row, model.wv.get_vector(word), atol=1e-6)


@pytest.fixture(scope="module")
def fasttext(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    from gensim.models.fasttext import FastText, save_facebook_model

    path = tmp_path_factory.mktemp("fasttext") / "own"
    words = "otter heron badger marten vole stoat newt adder finch plover".split()
    texts = [words[start:] for start in range(9)]
    model = FastText(texts, vector_size=6, min_count=1, bucket=40, seed=1, workers=1, epochs=1)
    save_facebook_model(model, str(path))
    return path.read_bytes()


def test_no_bytes_can_be_cut_out_of_fasttext_or_put_into_it(fasttext: bytes, tmp_path: Path) -> None:
    """At 150 places: cut out, doubled, and the end cut off."""
    random = np.random.default_rng(3)
    for _ in range(50):
        start, length = (int(random.integers(0, len(fasttext) - 1)), int(random.integers(1, 64)))
        for data in (
            fasttext[:start] + fasttext[start + length :],
            fasttext[: start + length] + fasttext[start:],
            fasttext[:start],
        ):
            with pytest.raises(InputError, match="v: ") as caught:
                vectors_of(write(tmp_path / "v", data))
            assert "\n" not in str(caught.value)


def test_changed_bytes_of_fasttext_give_no_absurd_vectors(fasttext: bytes, tmp_path: Path) -> None:
    random = np.random.default_rng(4)
    words = ["otter", "heron", "badger", "otters", "plover"]
    refused = 0
    for _ in range(150):
        data = bytearray(fasttext)
        for place in random.integers(0, len(data), 3):
            data[place] = random.integers(0, 256)
        try:
            found, _ = vectors_of(write(tmp_path / "v", bytes(data))).lookup(words)
        except InputError as error:
            assert str(error).startswith(str(tmp_path / "v"))
            refused += 1
        else:
            assert (np.abs(found) < 1e6).all()
    assert refused > 15


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (8, 10**9, "a header out of any sense"),  # dimensions
        (8, 7, "announce"),
        (36, 3, "a classifier"),  # model
        (40, 2**31 - 1, "announce"),  # n-grams
        (64, 2**31 - 1, "a dictionary of labels"),  # words and labels
        (72, 1, "a dictionary of labels"),  # labels
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_lies_in_the_header_of_fasttext(
    place: int, value: int, message: str, packed: bool, fasttext: bytes, tmp_path: Path
) -> None:
    data = fasttext[:place] + value.to_bytes(4, "little") + fasttext[place + 4 :]
    with pytest.raises(InputError, match=f"v: (no fastText word vectors .*{message}|.* MiB unpacked)"):
        vectors_of(write(tmp_path / "v", gzip.compress(data) if packed else data))


def test_a_packed_fasttext_file_without_end(fasttext: bytes, tmp_path: Path) -> None:
    """Ten megabytes behind a model of some kilobytes: not one of them is unpacked."""
    with pytest.raises(InputError, match=f"{len(fasttext) + 1} bytes, where its header and dictionary announce"):
        vectors_of(write(tmp_path / "v", gzip.compress(fasttext + bytes(10_000_000))))


SKIPGRAM = """
import sys
from textsimp.alignment.vectors import WordVectorConfig, word_vectors
config = WordVectorConfig(None, "skipgram", 8, 3, 5, 3, 1, 7)
words = "otter heron badger marten vole stoat newt adder".split()
sentences = [" ".join(words[(i * j) % 8] for j in range(1, 7)) for i in range(60)]
found, _ = word_vectors(config, sentences, "none").lookup(words)
sys.stdout.buffer.write(found.tobytes())
"""


def test_skipgram_is_the_same_in_every_process(root: Path) -> None:
    runs = []
    for hash_seed in ("1", "22"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run(
            [sys.executable, "-c", SKIPGRAM], cwd=root, env=environment, capture_output=True, check=True
        )
        assert done.stderr == b""
        runs.append(done.stdout)
    assert len(runs[0]) == 8 * 8 * 4 and any(runs[0])
    assert runs[0] == runs[1]


def test_skipgram_brings_words_of_like_use_together() -> None:
    sentences = [f"the {animal} {verb} near water ." for animal in ("otter", "heron") for verb in ("swims", "hunts")]
    sentences += [f"a {thing} {verb} the old quarry" for thing in ("lorry", "digger") for verb in ("leaves", "fills")]
    config = replace(CONFIG, dimensions=20, epochs=800)
    vectors = word_vectors(config, sentences * 5, "none")
    assert (vectors.size, vectors.name) == (20, "skip-gram, 20 dimensions, trained on 40 sentences")
    found, known = vectors.lookup(["otter", "heron", "digger", "vole"])
    assert known.tolist() == [True, True, True, False] and not found[3].any()
    otter, heron, digger = (row / np.linalg.norm(row) for row in found[:3])
    assert otter @ heron > otter @ digger + 0.2


def test_skipgram_leaves_rare_words_unknown() -> None:
    vectors = word_vectors(replace(CONFIG, min_count=2), ["the otter", "the otter vole", "!"], "none")
    assert vectors.lookup(["the", "otter", "vole"])[1].tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("changes", "sentences", "message"),
    [
        ({}, ["otter otter"], "skip-gram has 1 words"),
        ({}, [], "skip-gram has 0 words"),
        ({"min_count": 3}, ["the otter sleeps"], "skip-gram has 0 words that 1 sentences hold 3 times"),
        ({"epochs": 0}, ["the otter sleeps"], r"word_vectors\.epochs: 0 is below 1"),
    ],
)
def test_skipgram_needs_words(changes: dict[str, int], sentences: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        word_vectors(replace(CONFIG, **changes), sentences, "none")


def test_encoder_vectors_are_means_of_input_embeddings(tmp_path: Path) -> None:
    """The tiny BERT knows whole words; `_` is a piece of its own there, and unknown."""
    from transformers import BertModel

    folder = write_bert(tmp_path / "tiny", hidden=16)
    vectors = word_vectors(replace(CONFIG, fallback="encoder"), [], str(folder))
    assert (vectors.size, vectors.name) == (16, "input embeddings of tiny, 16 dimensions")
    table = BertModel.from_pretrained(folder).embeddings.word_embeddings.weight.detach().numpy()
    rows = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
    otter, heron = table[rows.index("otter")], table[rows.index("heron")]
    found, known = vectors.lookup(["otter", "zebra", "otter_heron", "heron"])
    assert known.tolist() == [True, False, True, True] and found.dtype == np.float32
    assert np.allclose(found, [otter, 0 * otter, (otter + heron) / 2, heron], atol=1e-7)
    assert vectors.lookup([])[0].shape == (0, 16)


def test_an_absent_encoder_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        word_vectors(replace(CONFIG, fallback="encoder"), [], str(tmp_path / "absent"))
