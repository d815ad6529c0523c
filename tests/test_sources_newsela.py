"""The reader of the licensed Newsela release, on made-up articles."""

import re
from pathlib import Path

import pytest

from textsimp.errors import InputError
from textsimp.sources.newsela import Article, read_article, read_metadata, write_release

HEADER = "slug,language,title,grade_level,version,filename\n"
ROW = 'boat,en,"A boat, and a ""duck""",12.0,0,boat.en.0.txt\n'


def metadata(folder: Path, text: str) -> Path:
    path = folder / "articles_metadata.csv"
    path.write_text(text, encoding="utf-8")
    return path


def article(folder: Path, data: bytes) -> Path:
    path = folder / "boat.en.0.txt"
    path.write_bytes(data)
    return path


def test_metadata(tmp_path: Path) -> None:
    rows = read_metadata(metadata(tmp_path, HEADER + ROW))
    assert rows == [Article("boat", "en", 'A boat, and a "duck"', 12.0, 0, "boat.en.0.txt")]


def test_release_is_read_as_it_was_written(tmp_path: Path) -> None:
    row = Article("boat", "en", 'A "boat", and more', 12.0, 0, "boat.en.0.txt")
    write_release(tmp_path, [(row, ["One. Two.", "Three."])])
    assert read_metadata(tmp_path / "articles_metadata.csv") == [row]
    assert (tmp_path / "articles/boat.en.0.txt").read_bytes() == b"One. Two.\n\nThree.\n"
    assert read_article(tmp_path / "articles/boat.en.0.txt") == ["One. Two.", "Three."]


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("slug,title\n", 1, "header"),
        (HEADER, None, "no articles"),
        ("", None, "no articles"),
        (HEADER + "boat,en,A boat,12.0,0\n", 2, "5 columns, not 6"),
        (HEADER + ROW + ROW.replace("12.0", "high").replace("en,", "es,"), 3, "not an article's row"),
        (HEADER + ROW.replace(",0,", ",V0,"), 2, "not an article's row"),
        (HEADER + ROW.replace("boat.en.0.txt", "../boat.txt"), 2, "without folders"),
        (HEADER + ROW + ROW, 3, "twice"),
        (HEADER + 'boat,en,"A boat,12.0,0,boat.en.0.txt\n', 2, "not CSV"),
    ],
)
def test_bad_metadata(tmp_path: Path, text: str, line: int | None, what: str) -> None:
    path = metadata(tmp_path, text)
    with pytest.raises(InputError, match=re.escape(what)) as error:
        read_metadata(path)
    assert str(error.value).startswith(f"{path}:{line}: " if line else f"{path}: ")


@pytest.mark.parametrize(
    ("data", "paragraphs"),
    [
        (b"One.\nTwo.\n\n\nThree.", ["One. Two.", "Three."]),
        (b"\xef\xbb\xbfOne.\r\nTwo.\r\n\r\n  \r\nThree.\r\n", ["One. Two.", "Three."]),
        (b"Only a block, without blank lines.\n", ["Only a block, without blank lines."]),
    ],
)
def test_article(tmp_path: Path, data: bytes, paragraphs: list[str]) -> None:
    assert read_article(article(tmp_path, data)) == paragraphs


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "an empty file"),
        (b"\n \n\n", "an article without paragraphs"),
        (b"One.\n\nTw\x00o.", "3: holds a NUL byte"),
        (b"One.\n\nCaf\xe9.", "3: byte 0xe9 is not UTF-8"),
        ("One.\n\nCafÃ©.".encode(), "mojibake"),
    ],
)
def test_bad_article(tmp_path: Path, data: bytes, what: str) -> None:
    with pytest.raises(InputError, match=what):
        read_article(article(tmp_path, data))


def test_absent_article(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_article(tmp_path / "boat.en.0.txt")
