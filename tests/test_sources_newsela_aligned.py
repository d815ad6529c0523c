"""Newsela's older alignments and NEWSELA-AUTO, on files of the same form."""

from pathlib import Path

import pytest

from textsimp.errors import InputError
from textsimp.records import AlignmentLabel, SentencePair
from textsimp.sources.newsela_aligned import NEWSELA_AUTO, find_newsela_aligned, read_newsela_aligned, read_newsela_auto

ROWS = (
    "DOC1\tV0\tV1\tThe vessel sank swiftly.\tThe ship sank fast.\n"
    "DOC1\tV0\tV3\tThe vessel sank swiftly.\tThe ship sank.\n"
    "DOC1\tV3\tV4\tThe ship sank.\tIt sank.\n"
    "DOC2\tV1\tV4\tNobody was injured.\tNobody was hurt.\n"
)
NAME = "newsela_articles_20150302.aligned.sents.txt"


def write(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "newsela_data_share-20150302" / NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(encoding))
    return path


def test_every_line_is_a_pair(tmp_path: Path) -> None:
    corpus = read_newsela_aligned(write(tmp_path, ROWS), "old")
    assert (len(corpus.pairs), corpus.dropped) == (4, {})
    assert corpus.pairs[1] == SentencePair(
        "The vessel sank swiftly.", "The ship sank.", AlignmentLabel.ALIGNED, "old:DOC1.0-3:2", "old:DOC1"
    )
    assert [pair.group for pair in corpus.pairs] == ["old:DOC1"] * 3 + ["old:DOC2"]


def test_the_caller_chooses_the_levels(tmp_path: Path) -> None:
    path = write(tmp_path, ROWS)
    near = {(0, 1), (1, 2), (2, 3)}
    corpus = read_newsela_aligned(path, "old", lambda *levels: levels not in near)
    assert [pair.pair_id for pair in corpus.pairs] == ["old:DOC1.0-3:2", "old:DOC1.3-4:3", "old:DOC2.1-4:4"]
    assert corpus.dropped == {"levels 0-1": 1}


def test_line_ends_and_byte_order_mark_change_nothing(tmp_path: Path) -> None:
    plain = read_newsela_aligned(write(tmp_path, ROWS), "old")
    assert read_newsela_aligned(write(tmp_path, ROWS.replace("\n", "\r\n"), "utf-8-sig"), "old") == plain


def test_damaged_sentences_are_counted(tmp_path: Path) -> None:
    text = ROWS + "DOC2\tV0\tV1\t \tNobody.\nDOC2\tV0\tV1\tA caf\ufffd.\tA bar.\n"
    corpus = read_newsela_aligned(write(tmp_path, text), "old")
    assert (len(corpus.pairs), corpus.dropped) == (4, {"an empty sentence": 1, "mojibake": 1})


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("", None, "an empty file"),
        (ROWS + "DOC3\tV0\tV1\tOne sentence.\n", 5, "4 columns, not 5"),
        (ROWS + "DOC3\tV0\tV1\tOne.\tTwo.\tThree.\n", 5, "6 columns, not 5"),
        (ROWS + "\n", 5, "1 columns, not 5"),
        (ROWS + "DOC3\tV0\tV7\tOne.\tTwo.\n", 5, "version 'V7' is none of V0 to V4"),
        (ROWS + "DOC3\t0\t1\tOne.\tTwo.\n", 5, "version '0' is none of V0 to V4"),
        (ROWS + "DOC3\tV2\tV1\tOne.\tTwo.\n", 5, "version V1 is not simpler than V2"),
        (ROWS + "DOC3\tV2\tV2\tOne.\tTwo.\n", 5, "version V2 is not simpler than V2"),
        (ROWS + " \tV0\tV1\tOne.\tTwo.\n", 5, "document id a text of 1 characters is empty"),
        (ROWS + "DOC3\tV0\tA secret sentence.\tOne.\tTwo.\n", 5, "version a text of 18 characters is none"),
    ],
)
def test_a_bad_line_is_named_and_not_quoted(tmp_path: Path, text: str, line: int | None, what: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(InputError, match=what) as error:
        read_newsela_aligned(path, "old")
    assert str(error.value).startswith(f"{path}:{line}: " if line else f"{path}: ")
    assert "secret" not in str(error.value) and "\n" not in str(error.value)


def test_latin_1_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"{NAME}:5: byte 0xe9 is not UTF-8"):
        read_newsela_aligned(write(tmp_path, ROWS + "DOC3\tV0\tV1\tA café.\tA bar.\n", "latin-1"), "old")


def test_the_file_is_found_below_the_release(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"0 files newsela_data_share-\*"):
        find_newsela_aligned(tmp_path)
    path = write(tmp_path / "deep", ROWS)
    assert find_newsela_aligned(tmp_path) == path
    write(tmp_path / "again", ROWS)
    with pytest.raises(InputError, match="2 files"):
        find_newsela_aligned(tmp_path)


def test_newsela_auto(tmp_path: Path) -> None:
    folder = tmp_path / NEWSELA_AUTO
    folder.mkdir(parents=True)
    (folder / "valid.src").write_text("The vessel sank.\nNobody was hurt.\n", encoding="utf-8")
    (folder / "valid.dst").write_bytes(b"The ship sank.\r\n\r\n")
    corpus = read_newsela_auto(tmp_path, "valid", "auto")
    assert corpus.pairs == [
        SentencePair("The vessel sank.", "The ship sank.", AlignmentLabel.ALIGNED, "auto:1", "auto:1")
    ]
    assert corpus.dropped == {"an empty sentence": 1}
    (folder / "valid.dst").write_text("The ship sank.\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"valid\.dst:2: 1 lines where .*valid\.src has 2"):
        read_newsela_auto(tmp_path, "valid", "auto")
    with pytest.raises(InputError, match="NEWSELA-AUTO has no split 'dev'"):
        read_newsela_auto(tmp_path, "dev", "auto")
    with pytest.raises(InputError, match=r"train\.src: no such file"):
        read_newsela_auto(tmp_path, "train", "auto")
