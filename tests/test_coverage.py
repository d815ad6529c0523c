"""docs/coverage.md: every printed row has an entry, and every entry names what is there."""

import shutil
from collections import Counter
from pathlib import Path

import pytest

from tools import coverage
from tools.pages import stale

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in ("data/published", "reports"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / "docs").mkdir()
    shutil.copy(ROOT / "docs/coverage.yaml", tmp_path / "docs")
    return tmp_path


def changed(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_the_page_is_fresh() -> None:
    assert stale(coverage.fresh()) == [], "run `make refresh`"


def test_a_printed_row_without_an_entry_is_refused(copy: Path) -> None:
    with (copy / "data/published/smt_bleu_hwang.csv").open("a", encoding="utf-8") as file:
        file.write("Kajiwara and Komachi 2016,Table 9,none,,1,2\n")
    with pytest.raises(ValueError, match="no entry .*Table 9"):
        coverage.entries(copy)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("CATS: CATS C3G", "CATS: CATS C5G", "no row 'CATS C5G'"),
        ("Table 8 again,", "Table 8 anew,", "no heading"),
        ("at: old, column: sentences", "at: old, column: lines", "no row 'table' with 'lines'"),
        ("rules:\n", "rules:\n- {table: x/Table 1, status: absent, why: none}\n", "no printed row for"),
        ("status: needs licensed data", "status: reproduced", "not computed"),
        ("massalign_candidates,", "massalign_candidate,", "no row 'massalign_candidate' with 'task1.f1'"),
    ],
)
def test_an_entry_of_what_is_not_there_is_refused(copy: Path, old: str, new: str, message: str) -> None:
    changed(copy / "docs/coverage.yaml", old, new)
    with pytest.raises(ValueError, match=message):
        coverage.entries(copy)


def test_the_status_follows_the_number(copy: Path) -> None:
    before = coverage.totals(coverage.entries(copy))
    changed(copy / "reports/experiments/published/results.md", "| 33.8 | 33.8 |", "| 33.9 | 33.8 |")
    after = [entry for entry in coverage.entries(copy) if "33.9 for 33.8" in entry.number]
    assert [entry.status for entry in after] == [coverage.CONTRADICTED]
    assert coverage.totals(coverage.entries(copy)) != before


def test_a_row_is_reproduced_by_all_of_its_cells_alone() -> None:
    printed = {"SARI": "36.4", "FK": "11"}
    assert coverage.compared(printed, {"SARI": "36.4", "FK": "11.4"}) == ("reproduced", "all cells")
    assert coverage.compared(printed, {"SARI": "36.4"}) == ("reproduced in part", "SARI")
    assert coverage.compared(printed, {"SARI": "–", "FK": "11.6"}) == ("contradicted", "FK 11.6 for 11")
    for value, printed, rounded in ((1077, "1000", "1000"), (44067, "44000", "44000"), (358, "359", "358")):
        assert coverage.to_zeros(value, printed) == rounded


def test_no_printed_row_is_counted_twice() -> None:
    """Coster and Kauchak's Tables 1 and 2 have five rows each."""
    rows = [(entry.table, entry.row) for entry in coverage.entries()]
    assert len(rows) == len(set(rows)) == 203
    tables = Counter(table for table, _ in rows)
    assert [tables[f"Coster and Kauchak 2011/Table {number}"] for number in (1, 2, 3)] == [5, 5, 3]
