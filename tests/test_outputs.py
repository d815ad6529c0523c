"""The forms of aligned documents: scores, groups, Parquet, data sets, and the formats of other aligners in and out."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from commands import done, refused, run

from textsimp.core.records import (
    AlignmentLabel,
    Document,
    DocumentPair,
    Link,
    pair_from_json,
    pair_to_json,
    read_pairs,
    write_pairs,
)
from textsimp.corpora.interchange import interchange_lines
from textsimp.corpora.pairs import link_groups, linked_pairs, table_columns

A, P = AlignmentLabel.ALIGNED, AlignmentLabel.PARTIAL
HARD = [f"Hard sentence number {number} stands here." for number in range(6)]
EASY = [f"Easy sentence {number}." for number in range(5)]


def pair_of(*links: tuple[int, int, AlignmentLabel, float | None], name: str = "hard--easy") -> DocumentPair:
    """Document pair of `HARD` and `EASY`; links are simple, complex, label and score."""
    sides = Document("hard", 0, (tuple(HARD),)), Document("easy", 1, (tuple(EASY),))
    return DocumentPair(name, "own", "hard", *sides, tuple(sorted(Link(*link) for link in links)))


# 0-0; complex 1 and 2 to simple 1; complex 4 to simple 2 and 3; complex 3 and 5 and simple 4 stand alone
FOUND = pair_of((0, 0, A, 0.9), (1, 1, P, 0.5), (1, 2, P, 0.75), (2, 4, P, 0.6), (3, 4, P, 0.8))
STAIR = pair_of((0, 0, A, 0.9), (1, 0, P, 0.8), (1, 1, P, 0.7))
CROSSING = pair_of((0, 1, A, 0.9), (1, 0, A, 0.8))
GAP = pair_of((0, 0, P, 0.9), (0, 2, P, 0.8))
LADDER = ["0\t0\t0.900000", "1\t1\t0.500000", "3\t2\t0.000000", "4\t2\t0.600000", "5\t4\t0.000000", "6\t4\t0.000000"]
INDEX = ["[0]:[0]:0.100000", "[1, 2]:[1]:0.500000", "[3]:[]:0.000000", "[4]:[2, 3]:0.400000", "[5]:[]:0.000000"]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, pair in {"found": FOUND, "stair": STAIR, "crossing": CROSSING, "gap": GAP}.items():
        write_pairs(f"{name}.jsonl", [pair])
    write_pairs("two.jsonl", [FOUND, replace(FOUND, id="other")])
    Path("hard.txt").write_text("\n".join(HARD) + "\n")
    Path("easy.txt").write_text("\n".join(EASY) + "\n")
    return tmp_path


def scores_of(pair: DocumentPair) -> list[tuple[int, int, AlignmentLabel, float | None]]:
    return [(link.simple, link.complex, link.label, link.score) for link in pair.alignments or ()]


def test_scores_stay_with_their_links_in_any_order() -> None:
    row = pair_to_json(FOUND)
    assert row["scores"] == [0.9, 0.5, 0.75, 0.6, 0.8]
    row["alignments"].reverse()
    row["scores"].reverse()
    assert scores_of(pair_from_json(row)) == scores_of(FOUND)
    assert "scores" not in pair_to_json(pair_of((0, 0, A, None)))
    assert pair_to_json(pair_of((0, 0, A, None), (1, 1, A, 0.5)))["scores"] == [None, 0.5]


def test_aligned_json_lines_have_scores_and_commands_keep_them(files: Path) -> None:
    done("align", "found.jsonl", "out.jsonl", "--system", "jaccard", "--dev", "found.jsonl")
    (pair,) = read_pairs("out.jsonl")
    assert pair.alignments and all(0 < (link.score or 0) <= 1 for link in pair.alignments)
    done("convert", "out.jsonl", "again.jsonl")
    assert Path("again.jsonl").read_bytes() == Path("out.jsonl").read_bytes()
    done("convert", "found.jsonl", "probable.jsonl", "--min-probability", "0.75")
    (pair,) = read_pairs("probable.jsonl")
    assert [link.score for link in pair.alignments or ()] == [0.9, 0.75, 0.8]


def test_groups_are_what_links_connect() -> None:
    groups = link_groups(CROSSING.alignments or ()), link_groups(STAIR.alignments or ())
    assert [[(link.simple, link.complex) for link in group] for group in groups[0]] == [[(0, 1)], [(1, 0)]]
    assert [len(group) for group in groups[1]] == [3]
    (row,) = linked_pairs(STAIR, "group")
    assert (row.complex_indexes, row.simple_indexes, row.score, row.pair.label) == ((0, 1), (0, 1), 0.7, P)
    assert (row.complex, row.simple) == (" ".join(HARD[:2]), " ".join(EASY[:2]))


def test_groups_of_random_links_share_no_sentence() -> None:
    draw = random.Random(5)
    for _ in range(200):
        cells = {(draw.randrange(8), draw.randrange(8)) for _ in range(draw.randrange(1, 12))}
        links = sorted(Link(*cell, A) for cell in cells)
        groups = link_groups(links)
        assert sorted(link for group in groups for link in group) == links
        for side in ("simple", "complex"):
            sides = [{getattr(link, side) for link in group} for group in groups]
            assert sum(map(len, sides)) == len(set().union(*sides))


def test_a_table_of_groups(files: Path) -> None:
    done("convert", "found.jsonl", "out.tsv", "--join", "group")
    header, *rows = [line.split("\t") for line in Path("out.tsv").read_text().splitlines()]
    assert header == ["pair", "label", "complex_indexes", "simple_indexes", "complex", "simple", "score"]
    wanted = [("0", "0", "0.9000"), ("1 2", "1", "0.5000"), ("4", "2 3", "0.6000")]
    assert [(row[2], row[3], row[6]) for row in rows] == wanted


def test_a_table_comes_back_whatever_its_order(files: Path) -> None:
    done("convert", "crossing.jsonl", "out.tsv")
    header, *rows = Path("out.tsv").read_text().splitlines()
    for order in (rows, rows[::-1]):
        Path("out.tsv").write_text("\n".join([header, *order]) + "\n")
        done("convert", "out.tsv", "back.jsonl")
        (pair,) = read_pairs("back.jsonl")
        assert pair.complex.sentences == (*HARD[:2],) and scores_of(pair) == scores_of(CROSSING)


@pytest.mark.parametrize("form", ["ladder", "index", "bitext"])
def test_formats_of_other_aligners_come_back(files: Path, form: str) -> None:
    done("convert", "found.jsonl", f"links.{form}")
    texts = [] if form == "bitext" else ["hard.txt", "easy.txt"]
    if texts:
        refused(run("convert", f"links.{form}", "hard.txt", "pairs.jsonl"))  # links are no text
    done("convert", f"links.{form}", *texts, "back.jsonl", "--html", "page.html")
    assert HARD[4] in Path("page.html").read_text() and EASY[3] in Path("page.html").read_text()
    done("convert", "back.jsonl", f"again.{form}")
    assert Path(f"again.{form}").read_bytes() == Path(f"links.{form}").read_bytes()
    (pair,) = read_pairs("back.jsonl")
    group_scores = [(0, 0, A, 0.9), (1, 1, P, 0.5), (1, 2, P, 0.5), (2, 4, P, 0.6), (3, 4, P, 0.6)]
    assert scores_of(pair) == group_scores
    assert (pair.complex.sentences, pair.simple.sentences) == (FOUND.complex.sentences, FOUND.simple.sentences)
    if form == "index":
        done("convert", "crossing.jsonl", "links.index")
        done("convert", "links.index", "hard.txt", "easy.txt", "back.jsonl")
        assert list(read_pairs("back.jsonl"))[0].alignments == CROSSING.alignments


def test_lines_of_other_aligners() -> None:
    assert interchange_lines(FOUND, "ladder") == [*LADDER, "6\t5\t0.000000"]
    assert interchange_lines(FOUND, "index") == [*INDEX, "[]:[4]:0.000000"]
    bitext = interchange_lines(FOUND, "bitext")
    assert bitext[1] == f"{HARD[1]} ~~~ {HARD[2]}\t{EASY[1]}\t0.500000" and bitext[2] == f"{HARD[3]}\t\t0.000000"
    bare = pair_of((0, 0, A, None))
    assert interchange_lines(bare, "ladder")[:2] == ["0\t0", "1\t1"]
    assert interchange_lines(bare, "index")[:2] == ["[0]:[0]", "[1]:[]"]


def test_blank_lines_count_as_other_aligners_count_them(files: Path) -> None:
    Path("hard.txt").write_text("One here.\n\nTwo here.\n<p>\nThree here.\n")
    Path("easy.txt").write_text("One.\n\nTwo.\n")
    Path("links").write_text("[0]:[0]\n[1]:[1]\n[2]:[]\n[3]:[]\n[4]:[2]\n")
    done("convert", "links", "hard.txt", "easy.txt", "out.jsonl")
    (pair,) = read_pairs("out.jsonl")
    assert pair.complex.paragraphs == (("One here.",), ("Two here.",), ("Three here.",))
    assert [(link.simple, link.complex) for link in pair.alignments or ()] == [(0, 0), (1, 2)]


@pytest.mark.parametrize(
    ("name", "form", "said"),
    [
        ("stair", "index", "not all are linked to each other"),
        ("stair", "ladder", "not all are linked to each other"),
        ("crossing", "ladder", "the links [0]:[1] (complex:simple) cross others"),
        ("gap", "bitext", "complex 2 comes where 1 should"),
        ("two", "index", "holds one document pair, the input has 'hard--easy' and 'other'"),
    ],
)
def test_a_format_that_cannot_hold_the_links_refuses_them(files: Path, name: str, form: str, said: str) -> None:
    refused(run("convert", f"{name}.jsonl", "out", "--format", form), said, "use --format")
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no links"),
        ("links\n", "links:1: not a rung"),
        ("[0]:[0]\n[1:[2]\n", "links:2: not two lists"),
        ("[0]:[0]:x\n", "links:1: 'x' is no number"),
        ("[0]:[0]:nan\n", "links:1: 'nan' is no number"),
        ("[9]:[0]\n", "links:1: sentence 9 (from 0) of hard.txt, which has 6"),
        ("[0]:[0]\n[0]:[0]\n", "links:2: complex 0 and simple 0 for the second time"),
        ("[0]:[0]\n", "no list has complex sentence 1"),
        ("1\t1\n6\t5\n", "links:1: the first rung"),
        ("0\t0\n3\t3\n2\t4\n6\t5\n", "links:3: a rung before the one above it"),
        ("0\t0\n999999999\t5\n", "links:2: ends at 999999999 and 5, hard.txt at 6 and easy.txt at 5"),
        ("0\t0\t0.1\t7\n", "links:1: not a rung"),
        ("[" + "9" * 5000 + "]:[0]\n", "links:1: not two lists"),
    ],
)
def test_links_that_are_damaged(files: Path, text: str, said: str) -> None:
    Path("links").write_text(text)
    refused(run("convert", "links", "hard.txt", "easy.txt", "out.jsonl"), said)
    assert not Path("out.jsonl").exists()


def test_a_segment_of_everything_is_refused(files: Path) -> None:
    for name in ("hard", "easy"):
        Path(f"{name}.txt").write_text("A line.\n" * 200)
    Path("links").write_text("0\t0\n200\t200\n")
    said = "200 complex and 200 simple sentences in one segment"
    refused(run("convert", "links", "hard.txt", "easy.txt", "out.jsonl"), said)


def test_parquet_is_the_same_twice_and_is_read(files: Path) -> None:
    tables = pytest.importorskip("pyarrow.parquet")
    for name in ("one", "two"):
        done("convert", "found.jsonl", f"{name}.parquet", "--join", "link")
    assert Path("one.parquet").read_bytes() == Path("two.parquet").read_bytes()
    assert [row["score"] for row in tables.read_table("one.parquet").to_pylist()] == [0.9, 0.5, 0.75, 0.6, 0.8]
    done("convert", "one.parquet", "back.jsonl")
    assert [link.score for link in list(read_pairs("back.jsonl"))[0].alignments or ()] == [0.9, 0.5, 0.75, 0.6, 0.8]
    Path("cut.parquet").write_bytes(Path("one.parquet").read_bytes()[:200])
    refused(run("convert", "cut.parquet", "out.jsonl"), "damaged Parquet")


@pytest.mark.parametrize("name", ["out.tsv", "out.csv"])
def test_tables_are_read_back(files: Path, name: str) -> None:
    done("convert", "two.jsonl", name, "--join", "link")
    done("convert", name, "page.html")
    assert HARD[4] in Path("page.html").read_text() and EASY[3] in Path("page.html").read_text()
    done("convert", name, "back.jsonl")
    pairs = list(read_pairs("back.jsonl"))
    assert [pair.id for pair in pairs] == ["hard--easy", "other"]
    assert [link.score for link in pairs[0].alignments or ()] == [0.9, 0.5, 0.75, 0.6, 0.8]
    assert pairs[0].complex.sentences == (*HARD[:3], HARD[4])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("aligned", "same", "out.tsv:2: 'label' is neither"),
        ("0.9000", "much", "out.tsv:2: 'score' is no number"),
        ("0.9000", "nan", "out.tsv:2: 'score' is no number"),
        ("\t0\t0\t", "\tx\t0\t", "out.tsv:2: 'complex_indexes' has no places"),
        ("\t0\t0\t", "\t0\t", "out.tsv:2: 6 cells where the header has 7"),
        ("\t1\t1\t", "\t0\t0\t", "out.tsv:3: complex sentence [0] has another text above"),
    ],
)
def test_tables_that_are_damaged(files: Path, old: str, new: str, said: str) -> None:
    done("convert", "found.jsonl", "out.tsv", "--join", "link")
    Path("out.tsv").write_text(Path("out.tsv").read_text().replace(old, new, 1))
    refused(run("convert", "out.tsv", "back.jsonl"), said)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["convert", "found.jsonl", "-", "--format", "parallel"], "writes two files; name them"),
        (["convert", "found.jsonl", "hard.txt", "easy.txt", "x", "out.tsv"], "x: no such file"),
        (["convert", "found.jsonl", "out.unknown"], "no form is known by '.unknown'"),
        (["convert", "bare.jsonl", "out.tsv"], "has no 'alignments'"),
        (["convert", "none.jsonl", "out.tsv", "--min-probability", "0.5"], "has no probability; leave the option out"),
        (["convert", "found.jsonl", "out.tsv", "--min-probability", "2"], "'--min-probability'"),
        (["align", "found.jsonl", "out.tsv", "--min-probability", "0.5", "--system", "cats_c3g"], "no probabilities"),
        (["convert", "found.jsonl", "out.tsv", "--language", "xx"], "language 'xx': no rules for it"),
        (["convert", "hard.txt", "easy.txt", "out.tsv"], "texts alone have no links"),
    ],
)
def test_what_the_command_line_gets_wrong(files: Path, arguments: list[str], said: str) -> None:
    write_pairs("bare.jsonl", [replace(FOUND, alignments=None)])
    write_pairs("none.jsonl", [pair_of((0, 0, A, None))])
    refused(run(*arguments), said)
    assert not {"out.tsv", "out.jsonl", "p"} & {path.name for path in files.iterdir()}


@pytest.mark.parametrize(
    ("table", "scores"),
    [
        ("The cat, sat.\tA cat sat.\n", None),
        ("complex\tsimple\nThe cat, sat.\tA cat sat.\n", None),
        ("Simple sentence\tComplex sentence\tScore\nA cat sat.\tThe cat, sat.\t0.5\n", 0.5),
        ('\ufeffSource,Target\r\n"The cat, sat.",A cat sat.\r\n', None),
        ("src;tgt;score\nThe cat, sat.;A cat sat.;0.5\n", 0.5),
        (";".join(table_columns("simple")) + "\np;aligned;0;0;The cat, sat.;A cat sat.;0,5\n", 0.5),
    ],
)
def test_tables_as_people_write_them(tmp_path: Path, table: str, scores: float | None) -> None:
    (tmp_path / "table").write_text(table)
    done("convert", tmp_path / "table", tmp_path / "out.jsonl")
    (pair,) = read_pairs(tmp_path / "out.jsonl")
    assert (pair.complex.sentences, pair.simple.sentences) == (("The cat, sat.",), ("A cat sat.",))
    assert [link.score for link in pair.alignments or ()] == [scores]
