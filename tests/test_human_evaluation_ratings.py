"""Filled sheets become one table of ratings, or one clear line."""

from collections.abc import Callable
from pathlib import Path

import pytest
from human_evaluation_sample import OUTPUTS, cells, exported, fill, run

from textsimp.core.errors import InputError
from textsimp.extras.human.guidelines import guidelines
from textsimp.extras.human.ratings import COLUMNS, Rating, gather, read_ratings, write_ratings
from textsimp.extras.human.study import Study

KEY_POINTS = {"fluency": 5, "adequacy": 3, "simplicity": 1}


def by_item(rater: str, item: str, criterion: str) -> str:
    """A rating that depends on all three."""
    return str(1 + (int(item[-1], 16) + int(rater[-1]) + KEY_POINTS[criterion]) % 5)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> tuple[Study, Path]:
    """A study and its sheets."""
    found, sheets, _ = exported(tmp_path_factory.mktemp("study"))
    return found, sheets


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_filled_sheets_become_ratings(study: tuple[Study, Path], tmp_path: Path, delimiter: str) -> None:
    found, sheets = study
    paths = [fill(sheets / f"rater-{i}.csv", tmp_path / f"{i}.csv", by_item, delimiter) for i in (3, 1)]
    ratings = gather(found, paths, blanks_are_missing=False)
    assert len(ratings) == 2 * 4 * 3 * 3, "raters, sentences, systems, criteria"
    assert [one.rater for one in ratings] == ["rater-1"] * 36 + ["rater-3"] * 36, "in the order of the key"
    assert {one.system for one in ratings} == set(OUTPUTS)
    for one in ratings:
        assert str(one.rating) == by_item(one.rater, one.item, one.criterion)
    shared = [one for one in ratings if one.line == 2 and one.system.endswith("LSTM") and one.rater == "rater-1"]
    assert len(shared) == 6 and len({one.item for one in shared}) == 1


def test_order_and_marks_of_spreadsheet_programs_do_not_matter(study: tuple[Study, Path], tmp_path: Path) -> None:
    found, sheets = study
    plain = [fill(sheets / f"rater-{i}.csv", tmp_path / f"{i}.csv", by_item) for i in (1, 2)]
    first, second = (path.read_text(encoding="utf-8") for path in plain)
    (tmp_path / "both.csv").write_text(first + second.partition("\n")[2], encoding="utf-8")
    expected = gather(found, plain, False)
    assert gather(found, [tmp_path / "both.csv"], False) == expected, "a file may hold several raters"
    other = fill(sheets / "rater-2.csv", tmp_path / "other.csv", by_item, ";", rows=range(10, -1, -1))
    text = other.read_text(encoding="utf-8").replace("\n", "\r\n")
    other.write_bytes(b"\xef\xbb\xbf" + f"{text};;;;;;\r\n; ;;;;;\r\n".encode())
    assert gather(found, [plain[0], other], False) == expected


def test_blanks_are_an_error_or_missing(study: tuple[Study, Path], tmp_path: Path) -> None:
    found, sheets = study
    item = found.items[0].id

    def without_one(rater: str, name: str, criterion: str) -> str:
        return " " if (name, criterion) == (item, "adequacy") else by_item(rater, name, criterion)

    path = fill(sheets / "rater-1.csv", tmp_path / "1.csv", without_one)
    line = 1 + [row[1] for row in cells(path)].index(item)
    with pytest.raises(InputError, match=rf"1\.csv:{line}: no adequacy for {item}; .*--allow-blank"):
        gather(found, [path], blanks_are_missing=False)
    ratings = gather(found, [path], blanks_are_missing=True)
    assert [one for one in ratings if one.rating is None] == [
        Rating("rater-1", found.items[0].line, item, system, "adequacy", None) for system in found.items[0].systems
    ]


Rows = list[list[str]]


def set_cell(column: int, text: str) -> Callable[[Rows], None]:
    """Change a cell of the third line."""

    def change(rows: Rows) -> None:
        rows[2][column] = text

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (set_cell(4, "6"), r":3: fluency is '6'; give a whole number from 1 to 5"),
        (set_cell(5, "0"), r":3: adequacy is '0'"),
        (set_cell(6, "4.5"), r":3: simplicity is '4\.5'"),
        (set_cell(6, "good"), r":3: simplicity is 'good'"),
        (set_cell(4, "５"), r":3: fluency is '５'"),
        (set_cell(4, "=5"), r":3: fluency is '=5'"),
        (set_cell(0, "rater-9"), r":3: rater 'rater-9' is not in the key; it has rater-1, rater-2, rater-3"),
        (set_cell(0, ""), r":3: no rater"),
        (set_cell(1, "item-0123456789"), r":3: item 'item-0123456789' is not in the key"),
        (set_cell(1, ""), r":3: no item"),
        (lambda rows: rows.pop(2), r"no row for 1 items of rater-1, such as item-\w{10}"),
        (lambda rows: rows.append(rows[2]), r":13: item-\w+ by rater-1 stands in .*:3 already"),
        (lambda rows: [row.pop(1) for row in rows], r":1: no column 'item'"),
        (lambda rows: rows[0].__setitem__(6, "simple"), r":1: no column 'simplicity'"),
        (lambda rows: rows.__delitem__(slice(1, None)), r"no row below the header"),
    ],
)
def test_bad_sheets_say_one_line_and_write_nothing(
    study: tuple[Study, Path], tmp_path: Path, change: Callable[[Rows], object], said: str
) -> None:
    found, sheets = study
    path = fill(sheets / "rater-1.csv", tmp_path / "filled.csv", by_item)
    rows = cells(path)
    change(rows)
    lines = [",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=rf"filled\.csv.*{said}"):
        gather(found, [path], False)
    status, text = run("import", sheets.parent / "key.json", path, "--output", tmp_path / "ratings.csv")
    assert status == 2 and text.startswith("error: ") and text.count("\n") == 1
    assert not (tmp_path / "ratings.csv").exists()


def test_the_table_reads_back(study: tuple[Study, Path], tmp_path: Path) -> None:
    ratings = [
        Rating(rater, 1, "item-a", system, criterion, None if criterion == "adequacy" else 4)
        for rater in ("rater-1", 'ü, "x"')
        for system in ("=model", "'quoted", "-x/y", "plain")
        for criterion in guidelines("outputs").keys
    ]
    write_ratings(tmp_path / "ratings.csv", ratings)
    assert read_ratings(tmp_path / "ratings.csv") == ratings
    assert not any(cell.startswith(("=", "-")) for row in cells(tmp_path / "ratings.csv") for cell in row)


GOOD = ("rater-1", "1", "item-a", "LSTM", "fluency", "3")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ((), "no rating"),
        ("rater,line\ra,1\r", ":1: its lines end with CR alone; convert the line ends to LF"),
        ("a,b\n", ":1: not the header of a table of ratings; which has rater"),
        (GOOD, r":3: rater-1, item-a, LSTM, fluency is there twice"),
        (("rater-1", "1", "item-a", "other", "fluency", "4"), r":3: item-a has two ratings by rater-1"),
        (("rater-1", "2", "item-a", "other", "fluency", "3"), r":3: item-a has two ratings by rater-1"),
        (("rater-1", "one", "item-b", "LSTM", "fluency", "3"), r":3: line 'one' is no whole number"),
        (("rater-1", "1", "item-b", "LSTM", "grammar", "3"), r":3: criterion 'grammar' is none of fluency"),
        (("rater-1", "1", "item-b", "LSTM", "fluency", "7"), r":3: rating '7' is not from 1 to 5"),
        (("rater-1", "1", "item-b", "", "fluency", "3"), r":3: an empty rater, item or system"),
        (("rater-1", "1"), r":3: 2 cells, expected 6"),
    ],
)
def test_a_bad_table_says_one_line(tmp_path: Path, row: tuple[str, ...] | str, said: str) -> None:
    path = tmp_path / "ratings.csv"
    rows = (COLUMNS, GOOD, row) if row else (COLUMNS,)
    path.write_text(row if isinstance(row, str) else "".join(",".join(cells) + "\n" for cells in rows))
    with pytest.raises(InputError, match=said):
        read_ratings(path)
    status, text = run("summary", path)
    assert status == 2 and text.count("\n") == 1


def test_command_counts_what_it_read(study: tuple[Study, Path], tmp_path: Path) -> None:
    found, sheets = study

    def sparse(rater: str, item: str, criterion: str) -> str:
        return "" if criterion == "adequacy" else by_item(rater, item, criterion)

    paths = [
        fill(sheets / "rater-1.csv", tmp_path / "1.csv", by_item),
        fill(sheets / "rater-2.csv", tmp_path / "2.csv", sparse),
    ]
    target = tmp_path / "ratings.csv"
    status, text = run("import", sheets.parent / "key.json", *paths, "--output", target, "--allow-blank")
    assert status == 0 and text.startswith(f"{target}: {5 * 11} ratings by 2 raters, 11 missing in ")
    assert read_ratings(target) == gather(found, paths, blanks_are_missing=True)
