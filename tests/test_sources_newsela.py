"""The licensed Newsela release, its older alignments and NEWSELA-AUTO, on made-up articles."""

import re
from pathlib import Path

import pytest

from textsimp.core.errors import InputError
from textsimp.core.records import AlignmentLabel, SentencePair
from textsimp.sources.formats import read_released_pairs
from textsimp.sources.newsela import NEWSELA_AUTO, NEWSELA_OLD, Article, newsela_old, read_metadata, write_release
from textsimp.sources.plain import read_article

HEADER = "slug,language,title,grade_level,version,filename\n"
ROW = 'boat,en,"A boat, and a ""duck""",12.0,0,boat.en.0.txt\n'


def metadata(folder: Path, text: str) -> Path:
    path = folder / "articles_metadata.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_release_is_read_as_it_was_written(tmp_path: Path) -> None:
    row = Article("boat", "en", 'A "boat", and more', 12.0, 0, "boat.en.0.txt")
    write_release(tmp_path, [(row, ["One. Two.", "Three."])])
    assert read_metadata(tmp_path / "articles_metadata.csv") == [row]
    assert (tmp_path / "articles/boat.en.0.txt").read_bytes() == b"One. Two.\n\nThree.\n"
    assert read_article(tmp_path / "articles/boat.en.0.txt") == ["One. Two.", "Three."]


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        (HEADER, None, "no articles"),
        ("", None, "no articles"),
        (HEADER + ROW + ROW.replace("12.0", "high").replace("en,", "es,"), 3, "not an article's row"),
        (HEADER + ROW.replace(",0,", ",V0,"), 2, "not an article's row"),
        (HEADER + ROW.replace("boat.en.0.txt", "../boat.txt"), 2, "without folders"),
        (HEADER + ROW + ROW, 3, "twice"),
        (HEADER + 'boat,en,"A boat,12.0,0,boat.en.0.txt\n', 2, "no table"),
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
        (b"\n \n\n", "an article without paragraphs"),
        ("One.\n\nCafÃ©.".encode(), "mojibake"),
    ],
)
def test_article(tmp_path: Path, data: bytes, paragraphs: list[str] | str) -> None:
    path = tmp_path / "boat.en.0.txt"
    path.write_bytes(data)
    if isinstance(paragraphs, list):
        assert read_article(path) == paragraphs
    else:
        with pytest.raises(InputError, match=paragraphs):
            read_article(path)


ROWS = (
    "DOC1\tV0\tV1\tThe vessel sank swiftly.\tThe ship sank fast.\n"
    "DOC1\tV0\tV3\tThe vessel sank swiftly.\tThe ship sank.\n"
    "DOC1\tV3\tV4\tThe ship sank.\tIt sank.\n"
    "DOC2\tV1\tV4\tNobody was injured.\tNobody was hurt.\n"
)


def write_pairs(folder: Path, text: str) -> Path:
    path = folder / NEWSELA_OLD
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_pairs_of_similar_levels_are_left_out_and_damaged_sentences_counted(tmp_path: Path) -> None:
    write_pairs(tmp_path, ROWS + "DOC2\tV0\tV1\t \tNobody.\nDOC2\tV0\tV1\tA caf\ufffd.\tA bar.\n")
    corpus = newsela_old(tmp_path)
    assert corpus.dropped == {"levels 0-1": 1, "an empty sentence": 1, "mojibake": 1}
    ids = ["DOC1.0-3:2", "DOC1.3-4:3", "DOC2.1-4:4"]
    assert [pair.pair_id for pair in corpus.pairs] == [f"newsela_old:{name}" for name in ids]
    assert [pair.group for pair in corpus.pairs] == [f"newsela_old:{name[:4]}" for name in ids]
    first = corpus.pairs[0]
    assert (first.complex, first.simple) == ("The vessel sank swiftly.", "The ship sank.")
    assert first.label is AlignmentLabel.ALIGNED


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("", None, "an empty file"),
        (ROWS + "DOC3\tV0\tV1\tOne sentence.\n", 5, "4 columns, not 5"),
        (ROWS + "DOC3\tV0\tV7\tOne.\tTwo.\n", 5, "version 'V7' is none of V0 to V4"),
        (ROWS + "DOC3\tV2\tV2\tOne.\tTwo.\n", 5, "version V2 is not simpler than V2"),
        (ROWS + " \tV0\tV1\tOne.\tTwo.\n", 5, "document id a text of 1 characters is empty"),
        (ROWS + "DOC3\tV0\tA secret sentence.\tOne.\tTwo.\n", 5, "version a text of 18 characters is none"),
    ],
)
def test_a_bad_line_is_named_and_not_quoted(tmp_path: Path, text: str, line: int | None, what: str) -> None:
    path = write_pairs(tmp_path, text)
    with pytest.raises(InputError, match=what) as error:
        newsela_old(tmp_path)
    assert str(error.value).startswith(f"{path}:{line}: " if line else f"{path}: ")
    assert "secret" not in str(error.value) and "\n" not in str(error.value)


def test_newsela_auto(tmp_path: Path) -> None:
    folder = tmp_path / NEWSELA_AUTO
    with pytest.raises(InputError, match=r"train\.src: no such file"):
        read_released_pairs("newsela_auto", tmp_path)
    folder.mkdir(parents=True)
    (folder / "train.src").write_text("The vessel sank.\nNobody was hurt.\n", encoding="utf-8")
    (folder / "train.dst").write_bytes(b"The ship sank.\r\n\r\n")
    corpus = read_released_pairs("newsela_auto", tmp_path)
    pair = SentencePair("The vessel sank.", "The ship sank.", AlignmentLabel.ALIGNED, *["newsela_auto:1"] * 2)
    assert corpus.pairs == [pair] and corpus.dropped == {"an empty sentence": 1}
