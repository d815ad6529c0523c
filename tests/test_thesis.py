"""Simplification by the quality of the alignment: trained runs as results, in the report, and bad ones."""

import json
from pathlib import Path

import pytest
from reporting_run import folders, made, params, write, write_run

from textsimp.core.errors import InputError
from textsimp.evaluation.thesis import thesis_results
from textsimp.reporting.grid import build_tables
from textsimp.reporting.inputs import Run
from textsimp.reporting.plan import load_plan
from textsimp.reporting.plots import thesis
from textsimp.reporting.specs import read_specs
from textsimp.reporting.templates import Frame

GOLD = {"training_set": "gold", "precision": 100, "recall": 100, "f1": 100, "seeds": {"1": 41.0, "2": 43.0}}
WRONG = {"training_set": "wrong_20", "precision": 80, "recall": 100, "f1": 88.9, "seeds": {"1": 38.0, "2": 39.0}}
RUNS = {"test_set": "auto", "simplifier": "lstm", "pairs": 4000, "runs": [GOLD, WRONG]}


def test_means_bounds_and_correlations(tmp_path: Path) -> None:
    write(tmp_path / "runs.json", json.dumps(RUNS))
    results = thesis_results(tmp_path / "runs.json")
    sari = results.get("auto", "gold", "sari")
    assert (sari.value, sari.low, sari.high) == (42, 41, 43)
    assert results.value("auto", "wrong_20", "links.f1") == 88.9 and results.value("auto", "gold", "seeds") == 2
    # F1 as 1, 1, 0, 0; deviations of SARI from its mean 40.25: .75, 2.75, -2.25, -1.25
    assert results.value("auto", "all", "correlation") == pytest.approx(3.5 / 14.75**0.5)
    assert results.value("auto", "all", "rank_correlation") == pytest.approx(2 / 5**0.5)
    write(tmp_path / "runs.json", json.dumps(RUNS | {"runs": [GOLD]}))
    assert thesis_results(tmp_path / "runs.json").value("auto", "all", "correlation") is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"runs": [GOLD, GOLD]}, "one stands twice"),
        ({"runs": [GOLD | {"training_set": "all"}]}, "or is 'all'"),
        ({"runs": [GOLD, WRONG | {"seeds": {"1": 38.0}}]}, "wrong_20: no seeds, or not those of gold"),
        ({"runs": [GOLD | {"seeds": {}}]}, "gold: no seeds"),
        ({"runs": [GOLD | {"f1": 101}]}, "f1: 101 is not"),
        ({"pairs": 0}, "pairs: 0 is not"),
        ({"more": 1}, "more"),
    ],
)
def test_runs_that_are_none(tmp_path: Path, changes: dict[str, object], message: str) -> None:
    write(tmp_path / "runs.json", json.dumps(RUNS | changes))
    with pytest.raises(InputError, match=message):
        thesis_results(tmp_path / "runs.json")


def test_table_and_figure(tmp_path: Path) -> None:
    write_run(tmp_path, ["sample_news"])
    write(tmp_path / "runs.json", json.dumps(RUNS))
    thesis_results(tmp_path / "runs.json").write(made(tmp_path / "reports/thesis/sample_news.json"))
    plan = json.loads(params(["sample_news"], [])) | {"thesis_corpora": ["sample_news"]}
    write(tmp_path / "params.yaml", json.dumps(plan))
    run = Run(load_plan(tmp_path / "params.yaml"), folders(tmp_path))
    spec = next(spec for spec in read_specs().tables if spec.per == "thesis")
    (table,) = build_tables(Frame(run, {}), spec)
    assert [cell.text for cell in table.rows[1].cells] == ["20% wrong partners", "80.0", "100.0", "88.9", "38.5", "2"]
    assert table.rows[0].cells[4].best and table.rows[0].cells[4].interval == (41, 43)
    assert table.text.startswith("LSTM, trained on 4,000 pairs") and "models: 0.91, of their ranks 0.89." in table.text
    (figure,) = thesis(run)
    (panel,) = figure.strips[0].panels
    assert "gold links" in panel.svg and "20% wrong partners" in panel.svg
