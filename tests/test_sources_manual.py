"""The readers of NEWSELA-MANUAL and WIKI-MANUAL, and GLEU."""

import re
from pathlib import Path

import pytest

from textsimp.core.errors import InputError
from textsimp.core.records import AlignmentLabel, Document, Link
from textsimp.sources.manual import read_newsela_manual, read_wiki_manual, sentence_gleu

ALIGNED, PARTIAL = AlignmentLabel.ALIGNED, AlignmentLabel.PARTIAL


def wiki_rows() -> list[list[str]]:
    """One pair: two simple sentences in two paragraphs, two complex ones in one."""
    simple = {"7_42-0-0-0": "A cat sat.", "7_42-0-1-0": "It slept."}
    complex_ = {"7_42-1-0-0": 'A "cat" reclined.', "7_42-1-0-1": "It subsequently slumbered."}
    labels = {("7_42-0-0-0", "7_42-1-0-0"): "aligned", ("7_42-0-1-0", "7_42-1-0-1"): "partialAligned"}
    return [
        [labels.get((low, high), "notAligned"), low, high, simple[low], complex_[high], "0.25"]
        for low in simple
        for high in complex_
    ]


def write(folder: Path, rows: list[list[str]]) -> Path:
    path = folder / "train.tsv"
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    return path


def news_rows() -> list[list[str]]:
    """The same as a pair of Newsela levels, which has no GLEU."""
    rows = [row[:5] for row in wiki_rows()]
    for row in rows:
        row[1] = row[1].replace("7_42-0", "the-cat.en-4")
        row[2] = row[2].replace("7_42-1", "the-cat.en-3")
    return rows


@pytest.mark.parametrize("columns", [5, 6])
def test_wiki_manual(tmp_path: Path, columns: int) -> None:
    (pair,) = read_wiki_manual(write(tmp_path, [row[:columns] for row in wiki_rows()]), "c")
    assert (pair.id, pair.corpus, pair.group) == ("7_42", "c", "7_42")
    assert pair.complex == Document("7_42-1", 1, (('A "cat" reclined.', "It subsequently slumbered."),))
    assert pair.simple == Document("7_42-0", 0, (("A cat sat.",), ("It slept.",)))
    assert pair.alignments == (Link(0, 0, ALIGNED), Link(1, 1, PARTIAL))


def test_newsela_manual_rows_in_any_order_and_paragraphs_that_skip(tmp_path: Path) -> None:
    (pair,) = read_newsela_manual(write(tmp_path, news_rows()), "c")
    assert (pair.group, pair.complex.level, pair.simple.level) == ("the-cat.en", 3, 4)
    assert pair.alignments == (Link(0, 0, ALIGNED), Link(1, 1, PARTIAL))
    forward = read_wiki_manual(write(tmp_path, wiki_rows()), "c")
    rows = [[cell.replace("7_42-0-1-0", "7_42-0-5-0") for cell in row] for row in wiki_rows()[::-1]]
    assert read_wiki_manual(write(tmp_path, rows), "c") == forward


def change(row: int, column: int, value: str) -> list[list[str]]:
    rows = wiki_rows()
    rows[row - 1][column] = value
    return rows


@pytest.mark.parametrize(
    ("rows", "line", "what"),
    [
        ([*wiki_rows()[:2], wiki_rows()[2][:5], wiki_rows()[3]], 3, "5 columns, not 6"),
        ([[*row, "more"] for row in wiki_rows()], 1, "7 columns, not 5 or 6"),
        ([*wiki_rows(), [""]], 5, "1 columns, not 6"),
        (change(2, 0, "partial"), 2, "label 'partial' is none of"),
        (change(2, 1, "7_42-0-0"), 2, "'7_42-0-0' is not ARTICLE-LEVEL"),
        (change(2, 1, "742-0-0-0"), 2, "of different article pairs"),
        ([[cell.replace("7_42", "742") for cell in row] for row in wiki_rows()], 1, "is not PAIR_PAGE"),
        (change(2, 2, "7_42-0-0-1"), 2, "not at level"),
        (change(3, 1, "8_43-0-1-0"), 3, "of different article pairs"),
        (change(2, 5, "high"), 2, "GLEU 'high' is no number"),
        (change(2, 3, "Another cat."), 2, "another text than in line 1"),
        (change(1, 3, "A cafÃ©."), 1, "mojibake"),
        ([*wiki_rows(), ["aligned", *wiki_rows()[1][1:]]], 5, "another label before"),
        (wiki_rows()[:3], 1, "3 rows, not all 4"),
        ([row for row in wiki_rows() if not row[2].endswith("0")], 1, "sentence 7_42-1-0-0 is absent"),
        (change(2, 2, "7_42-1-0-7"), 2, "sentence 7_42-1-0-2 is absent"),
        ([], None, "no rows"),
    ],
)
def test_a_bad_wiki_row_names_file_and_line(tmp_path: Path, rows: list[list[str]], line: int | None, what: str) -> None:
    path = write(tmp_path, rows)
    with pytest.raises(InputError, match=re.escape(what)) as error:
        read_wiki_manual(path, "c")
    assert str(error.value).startswith(f"{path}:{line}: " if line else f"{path}: ") and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("the-cat.en-4", "the-cat.en-3", "not at a simpler level"),
        ("the-cat.en-4", "the-cat.en-5", "not at a simpler level"),
        ("the-cat.en", "the-cat", "is not SLUG.LANG"),
        ("the-cat.en-4", "the-dog.en-4", "different article sets"),
    ],
)
def test_a_bad_newsela_id(tmp_path: Path, old: str, new: str, what: str) -> None:
    rows = [[cell.replace(old, new) for cell in row] for row in news_rows()]
    with pytest.raises(InputError, match=what):
        read_newsela_manual(write(tmp_path, rows), "c")


@pytest.mark.parametrize(
    ("simple", "complex_", "expected"),
    [
        ("a b", "a b", 1.0),
        ("a b", "c d", 0.0),
        ("A b", "a B c", 3 / 6),  # 1-grams a, b and 2-gram a b, of 6 n-grams on the longer side
        ("a a a", "a", 1 / 6),  # counts are clipped: one of 3 + 2 + 1
        ("there.", "there and", 0.0),  # split at spaces only
        ("", "a", 0.0),
    ],
)
def test_gleu(simple: str, complex_: str, expected: float) -> None:
    assert sentence_gleu(simple, complex_) == pytest.approx(expected, abs=1e-12)
    assert sentence_gleu(complex_, simple) == pytest.approx(expected, abs=1e-12)
