"""Word vectors of GloVe's text files for a vocabulary: words with spaces, broken UTF-8, other dimensions."""

from pathlib import Path

import pytest

from textsimp.core.errors import InputError
from textsimp.simplification.glove import known_vectors

LINES = (
    ". . . 0.1 0.2 0.3",
    "otter 1 2 3",
    "at name@domain.com 0.5 -0.5 1e-3",
    "otter 9 9 9",
    "to 0 0 1",
)


def glove(path: Path, *lines: str) -> Path:
    path.write_bytes("".join(f"{line}\n" for line in lines).encode() + b"\xff\xfe 1 2 3\n")
    return path


def test_words_with_spaces_shift_no_number(tmp_path: Path) -> None:
    path = glove(tmp_path / "glove.840B.3d.txt", *LINES)
    known = known_vectors(path, {"otter", "to", ".", "at"}, 3)
    assert {word: vector.tolist() for word, vector in known.items()} == {"otter": [1, 2, 3], "to": [0, 0, 1]}
    assert known_vectors(path, {". . .", "at name@domain.com"}, 3).keys() == {". . .", "at name@domain.com"}


@pytest.mark.parametrize(
    ("lines", "size", "what"),
    [
        (LINES, 2, "no vector of 2 numbers for any of 1 known words"),
        (LINES, 4, "no vector of 4 numbers|has 3 fields, not 4"),
        (("otter 1 x 3",), 3, r"g:1: the vector of 'otter' has 3 fields, not 3 finite numbers"),
        (("otter 1 nan 3",), 3, r"g:1: the vector of 'otter' has 3 fields, not 3 finite numbers"),
        (("owl 1 2 3",), 3, "no vector of 3 numbers for any of 1 known words"),
    ],
)
def test_bad_files(tmp_path: Path, lines: tuple[str, ...], size: int, what: str) -> None:
    with pytest.raises(InputError, match=what):
        known_vectors(glove(tmp_path / "g", *lines), {"otter"}, size)


def test_an_absent_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="absent: no such file; correct `embeddings`, or set null"):
        known_vectors(tmp_path / "absent", {"otter"}, 3)
