"""The leaderboard in the report: its tables and figure from what the stage writes, and damaged files."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from leaderboard_sample import BOARD, CONFIG, write_releases
from reporting_run import folders, params, report_files, write, write_published

from textsimp.errors import InputError
from textsimp.metrics.leaderboard_files import released_leaderboard
from textsimp.metrics.leaderboard_rewriting import CLASSES as CLASSES_BY_STAGE
from textsimp.metrics.leaderboard_tests import RANKED as RANKED_BY_STAGE
from textsimp.metrics.leaderboard_tests import VARIANTS as TESTED_BY_STAGE
from textsimp.reporting.config import load_plan
from textsimp.reporting.leaderboard.figures import leaderboard_figure
from textsimp.reporting.leaderboard.results import CLASSES, RANKED, VARIANTS, Board, read_leaderboard
from textsimp.reporting.leaderboard.rewriting import rewriting_figure, rewriting_table
from textsimp.reporting.leaderboard.tables import leaderboard_tables
from textsimp.reporting.report import write_report
from textsimp.reporting.tables import Table
from textsimp.textfiles import read_lines, write_json, write_lines

MINE = "<img src=x> | `mine`"


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the stage writes for the invented releases, with a submission whose name is mark-up."""
    root = tmp_path_factory.mktemp("board")
    raw = write_releases(root / "raw")
    write_lines(root / "mine" / "turk" / f"{MINE}.txt", read_lines(raw / "outputs" / "middle.txt"))
    return released_leaderboard(raw, root / "mine", BOARD, CONFIG)


@pytest.fixture
def reports(result: dict[str, Any], tmp_path: Path) -> Path:
    """A folder of reports that has it."""
    write_json(tmp_path / "reports" / "published" / "leaderboard.json", result)
    return tmp_path / "reports"


@pytest.fixture
def turk(reports: Path) -> Board:
    return read_leaderboard(reports).boards[0]


def texts(table: Table, place: int) -> list[str]:
    return [cell.text for cell in table.rows[place].cells]


def test_the_same_metrics_as_the_stage() -> None:
    assert tuple(VARIANTS) == TESTED_BY_STAGE and tuple(RANKED) == RANKED_BY_STAGE


def test_scores_with_intervals_and_ranks(turk: Board, result: dict[str, Any]) -> None:
    table = leaderboard_tables(turk)[0]
    assert (turk.key, table.key) == ("turk", "leaderboard-turk")
    assert [*texts(table, 0)[:2], texts(table, 0)[-1]] == ["Best", "–", "A 2020 / B 2021"]
    assert {f"{MINE} (yours)", "Complex (input)"} < {row.cells[0].text for row in table.rows}
    found = result["test_sets"]["turk"]
    for metric, (score, rank) in zip(RANKED, zip(table.rows[0].cells[2::2], table.rows[0].cells[3::2]), strict=False):
        assert score.value == found["systems"]["best"]["scores"][metric] and score.best
        assert score.interval == tuple(found["intervals"]["best"][metric])
        assert (rank.text, rank.interval) == ("1", (1, found["ranks"][metric]["best"]["high"]))
    assert table.footnotes == [found["signatures"][metric] for metric in (*RANKED, "fk", "len")]
    values = [row.cells[2].value for row in table.rows]
    assert values == sorted(values, reverse=True), "by the paper's variant"


def test_kinds_of_rewriting(turk: Board, result: dict[str, Any]) -> None:
    assert CLASSES == CLASSES_BY_STAGE
    table, found = rewriting_table(turk), result["test_sets"]["turk"]["rewriting"]
    assert [row.cells[0].text for row in table.rows][:2] == ["Simple (references)", "Best"]
    for row, shares in zip(table.rows, (found["references"], found["systems"]["best"]), strict=False):
        assert [cell.value for cell in row.cells[2:]] == [shares[name]["value"] for name in CLASSES]
        assert row.cells[2].interval == (shares["copy"]["low"], shares["copy"]["high"])
    assert table.footnotes == [found["signature"]]
    (panel,) = rewriting_figure(turk).strips[0].panels
    assert "Simple (references)" in panel.svg and "&lt;img src=x&gt; | `mine`" in panel.svg


def test_the_input_is_never_the_best(turk: Board) -> None:
    scores = {key: {**system.scores, "bleu": 99.0 * (key == "identity")} for key, system in turk.systems.items()}
    high = replace(turk, systems={key: replace(one, scores=scores[key]) for key, one in turk.systems.items()})
    column = [column.group for column in leaderboard_tables(high)[0].columns].index("BLEU")
    cells = {row.cells[0].text: row.cells[column] for row in leaderboard_tables(high)[0].rows}
    assert cells["Complex (input)"].text == "99.0" and not cells["Complex (input)"].best


def test_letters_and_agreement(turk: Board, result: dict[str, Any]) -> None:
    _, letters, agreement, parts = leaderboard_tables(turk)
    assert parts.key == "leaderboard-parts-turk", "no opposite results, no table of them"
    assert texts(letters, 0)[2:] == ["a"] * len(VARIANTS)
    tested = result["test_sets"]["turk"]["pairs"]["sari"]
    number = sum(tests["p_holm"] < 0.05 for row in tested.values() for tests in row.values())
    assert f"corrected for 10 pairs (Holm). Pairs that differ: {number} by SARI per sentence," in letters.text
    assert len(agreement.rows) == 15 and texts(agreement, 0)[:2] == ["SARI per sentence", f"{VARIANTS['sari_del_f1']}"]
    assert texts(agreement, 4)[1] == "BLEU" and texts(agreement, 4)[-2:] == ["–", "–"]


def test_parts_have_the_numbers_of_their_variant(turk: Board, result: dict[str, Any]) -> None:
    table, scores = leaderboard_tables(turk)[-1], result["test_sets"]["turk"]["systems"]["best"]["scores"]
    values = [cell.value for cell in table.rows[0].cells[2:]]
    names = [*("add", "keep", "del"), *(f"sari_corpus_{part}" for part in ("add", "keep", "del")), "compression_ratio"]
    assert values[:7] == [scores[name] for name in names] and values[-1] == scores["fkgl"]
    assert sum(values[:3]) / 3 == pytest.approx(scores["sari"])


def test_opposite_results_have_a_row_each(result: dict[str, Any], tmp_path: Path) -> None:
    """Two variants that contradict each other with significance; the pair comes twice and has one row."""
    changed = json.loads(json.dumps(result))
    board = changed["test_sets"]["turk"]
    ahead = {"difference": 2.0, "low": 1.0, "high": 3.0, "p_bootstrap": 0.0, "p_randomisation": 0.001, "p_holm": 0.01}
    board["pairs"]["sari"]["best"]["worst"] = ahead
    board["pairs"]["sari_corpus"]["best"]["worst"] = {**ahead, "difference": -2.04, "low": -3.0, "high": -1.0}
    board["pairs"]["sari_del_f1"]["best"]["worst"] = {**ahead, "p_holm": 0.3}
    flip = {"higher": "best", "lower": "worst", "significant": ["sari", "sari_corpus"]}
    unsure = {"higher": "best", "lower": "middle", "significant": ["sari"]}
    board["flips"] = [{"metrics": ["sari", "sari_corpus"], **one} for one in (flip, flip, unsure)]
    write_json(tmp_path / "published" / "leaderboard.json", changed)
    (turk, *_) = read_leaderboard(tmp_path).boards
    table = leaderboard_tables(turk)[3]
    assert table.key == "leaderboard-contradictions-turk" and len(table.rows) == 1
    assert texts(table, 0)[:5] == ["Best", "Worst", "+2.0", "+2.0", "-2.0"]
    assert [cell.best for cell in table.rows[0].cells[2:5]] == [True, False, True]
    assert table.rows[0].cells[4].interval == (-3.0, -1.0)


def test_names_that_several_systems_have(turk: Board) -> None:
    systems = {key: replace(one, name="LSTM", trained_on=key) for key, one in turk.systems.items()}
    assert turk.label("best") == "Best" and replace(turk, systems=systems).label("best") == "LSTM (best)"
    unsaid = {key: replace(one, name="LSTM", trained_on="") for key, one in turk.systems.items()}
    mine = replace(unsaid["worst"], kind="submission", paper="")
    board = replace(turk, systems={**unsaid, "worst": mine})
    labels = [board.label(key) for key in ("best", "worst", "identity")]
    assert labels == ["LSTM (A 2020)", "LSTM (yours)", "LSTM (identity)"]


def test_the_figure_has_every_name_twice_and_the_same_bytes(turk: Board) -> None:
    figure = leaderboard_figure(turk)
    (panel,) = figure.strips[0].panels
    assert panel.wide and panel.svg.count("Complex (input)") >= 2 and "&lt;img src=x&gt;" in panel.svg
    assert leaderboard_figure(turk) == figure


def test_in_the_report(reports: Path) -> None:
    root = reports.parent
    write_published(root)
    write(root / "params.yaml", params([], ["jiang2020", "leaderboard"]))
    files = report_files(root / "report")
    write_report(load_plan(root / "params.yaml"), folders(root), files)
    markdown, html = files.markdown.read_text(encoding="utf-8"), files.html.read_text(encoding="utf-8")
    assert markdown.index("Table 8 again") < markdown.index("### Leaderboard: released outputs on TURK")
    assert "### Leaderboard: released outputs on ASSET" in markdown and "text:ptb-lc" in markdown
    assert "&lt;img src=x&gt;" in html and "<img" not in html
    assert 'id="leaderboard-ranks-turk"' in html and 'id="leaderboard-ranks-asset"' in html


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"alpha"', '"beta"', "no key 'alpha'"),
        ('"p_holm"', '"p_other"', "no key 'p_holm'"),
        ('"flips": []', '"flips": [{"higher": "x", "lower": "best"}]', "not what its stage writes .no system 'x'"),
        ('"spearman": ', '"spearman": "a", "was": ', "'a' is no number"),
        ('"sari_corpus_legacy": {', '"sari_new": {', "no key 'sari_corpus_legacy'"),
        ('"fkgl": ', '"fk_grade": ', "no key 'fkgl'"),
    ],
)
def test_a_damaged_file(reports: Path, old: str, new: str, reason: str) -> None:
    path = reports / "published" / "leaderboard.json"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=reason):
        read_leaderboard(reports)
    path.unlink()
    with pytest.raises(InputError, match="run the stage score_published for leaderboard first"):
        read_leaderboard(reports)
