"""Simplification by the quality of the alignment: the outputs of trained models as results, in the report, bad ones."""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from reporting_run import folders, made, params, write, write_run
from test_metrics_simplification import CONFIG

from textsimp.core.errors import InputError
from textsimp.core.results import Cell, Estimate, Resampling, Results
from textsimp.core.writing import write_lines
from textsimp.evaluation.thesis import evaluate_thesis
from textsimp.reporting.inputs import Run
from textsimp.reporting.plan import load_plan
from textsimp.reporting.tables_thesis import figures, thesis

RESAMPLING = Resampling(samples=200, seed=1)
COMPLEX = [f"The enormous dog number {number} was sleeping , as was its owner ." for number in range(20)]
SIMPLE = [f"The big dog number {number} slept ." for number in range(20)]
LINKS = {"gold": (100, 100, 100), "wrong_20": (80, 80, 80), "missing_20": (100, 80, 88.9)}
RIGHT = {"gold.1": 20, "gold.2": 18, "wrong_20.1": 8, "wrong_20.2": 9, "missing_20.1": 15, "missing_20.2": 12}
"""Of the outputs of each model, how many are as the reference; the others as the input."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_lines(tmp_path / "corpora/test/generated.complex", COMPLEX)
    write_lines(tmp_path / "corpora/test/generated.reference.0", SIMPLE)
    built = Results()
    for run, right in RIGHT.items():
        write_lines(tmp_path / f"outputs/{run}/lstm/generated.txt", SIMPLE[:right] + COMPLEX[right:])
        qualities = zip(("precision", "recall", "f1"), LINKS[run.rpartition(".")[0]], strict=True)
        for measure, value in (*qualities, ("pairs", 4000)):
            built.estimates[Cell("links", run, measure)] = Estimate(value)
    built.write(tmp_path / "statistics.json")
    return tmp_path


def evaluated(folder: Path, sets: Sequence[str] = tuple(LINKS), seeds: Sequence[str] = ("1", "2")) -> Results:
    paths = folder / "corpora", folder / "statistics.json", folder / "outputs"
    return evaluate_thesis(*paths, sets, seeds, "lstm", CONFIG, RESAMPLING)


def test_means_bounds_and_differences(folder: Path) -> None:
    results = evaluated(folder)
    ones = [evaluated(folder, ["wrong_20"], [seed]).value("generated", "wrong_20", "sari") for seed in "12"]
    sari = results.get("generated", "wrong_20", "sari")
    assert sari == Estimate(pytest.approx(sum(ones) / 2), *ones) and ones[0] < ones[1]
    assert results.value("generated", "missing_20", "links.f1") == 88.9
    assert results.value("generated", "gold", "seeds") == 2
    gap = results.compared("generated", "sari", "wrong_20", "gold")
    assert gap.difference == pytest.approx(sari.value - results.value("generated", "gold", "sari"))
    assert gap.low < gap.difference < gap.high < 0
    assert results.notes == {"simplifier": "lstm", "pairs": "4,000"} and "sari" in results.signatures


def test_what_all_models_say_together(folder: Path) -> None:
    results = evaluated(folder)
    means = {name: results.value("generated", name, "sari") for name in LINKS}
    worth = {name: results.get("generated", "all", f"per.{name}") for name in ("f1", "precision", "recall")}
    # three sets make a plane: what is wrong and not missing is worth 20 points of precision
    assert worth["precision"].value == pytest.approx((means["missing_20"] - means["wrong_20"]) / 2)
    assert worth["recall"].value == pytest.approx((means["gold"] - means["missing_20"]) / 2)
    assert all(one.low < one.value < one.high for one in worth.values()) and worth["f1"].low > 0
    ranks = results.get("generated", "all", "rank_correlation")
    # SARI of the six models: ranks 6 5 1 2 4 3; of F1: 5.5 5.5 1.5 1.5 3.5 3.5
    assert ranks.value == pytest.approx(16 / (17.5 * 16) ** 0.5) and -1 <= ranks.low < ranks.high <= 1
    assert results.value("generated", "all", "correlation") > 0.9
    two = evaluated(folder, ["gold", "missing_20"])
    assert two.value("generated", "all", "per.f1") and two.value("generated", "all", "per.recall") is None
    assert two.compared("generated", "sari", "missing_20", "gold").difference == pytest.approx(
        means["missing_20"] - means["gold"]
    )
    assert evaluated(folder, ["gold"]).measures("generated", "all") == {}


def test_runs_that_are_none(folder: Path) -> None:
    for sets, seeds in (([], "1"), (["gold"], ""), (["gold", "all"], "1")):
        with pytest.raises(InputError, match="thesis_sets, thesis_seeds: one of each at least, and no set 'all'"):
            evaluated(folder, sets, seeds)
    with pytest.raises(InputError, match=r"no quality of the links of gold\.3; run the stage build_corpus again"):
        evaluated(folder, ["gold"], ["1", "3"])
    (folder / "outputs/gold.1/lstm/generated.txt").unlink()
    with pytest.raises(InputError, match=r"gold\.1/lstm/generated\.txt: "):
        evaluated(folder)


def test_stage(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from stages.evaluate_thesis import main

    settings = {"evaluation": asdict(CONFIG), "resampling": asdict(RESAMPLING), "thesis_sets": list(LINKS)}
    settings |= {"thesis_seeds": [1, 2], "thesis_simplifier": "lstm"}
    write(folder / "params.yaml", json.dumps(settings))
    monkeypatch.chdir(folder)
    arguments = "x c --corpora corpora --statistics statistics.json --outputs outputs --results r.json --metrics m.json"
    monkeypatch.setattr(sys, "argv", arguments.split())
    main()
    assert Results.read("r.json") == evaluated(folder)
    assert json.loads((folder / "m.json").read_text())["generated"]["wrong_20"]["links.f1"] == 80
    write_lines(folder / "outputs/gold.2/lstm/generated.txt", SIMPLE[1:])
    with pytest.raises(SystemExit) as stop:
        main()
    error = capsys.readouterr().err
    assert stop.value.code == 2 and "gold.2/lstm/generated.txt" in error and "Traceback" not in error


@pytest.fixture
def run(folder: Path) -> Run:
    write_run(folder, ["sample_news"])
    evaluated(folder).write(made(folder / "reports/thesis/sample_news.json"))
    plan = json.loads(params(["sample_news"], [])) | {"thesis_corpora": ["sample_news"]}
    write(folder / "params.yaml", json.dumps(plan))
    return Run(load_plan(folder / "params.yaml"), folders(folder))


def test_table_and_figure(run: Run) -> None:
    (table,) = thesis(run)
    label, *qualities, sari, difference, _, seeds = table.rows[1].cells
    assert label.text == "20% wrong partners" and [cell.text for cell in qualities] == ["80.0", "80.0", "80.0"]
    assert difference.text.startswith("-") and difference.text.endswith("†") and seeds.text == "2"
    assert table.rows[0].cells[4].best and not sari.best and sari.interval is not None
    assert table.text.startswith("Better links make better simplifiers here: ten points of F1 are worth ")
    assert "LSTM, trained on 4,000 pairs" in table.text and "ten points of recall with the same precision" in table.text
    assert "One seed alone" not in table.text
    (figure,) = figures(run)
    (panel,), (precision, recall) = (strip.panels for strip in figure.strips)
    assert "gold links" in panel.svg and "20% wrong partners" in panel.svg
    assert "precision of the links against gold" in precision.svg and "recall of the links against gold" in recall.svg


def test_one_seed_is_said_to_be_one(folder: Path, run: Run) -> None:
    evaluated(folder, seeds=["1"]).write(folder / "reports/thesis/sample_news.json")
    (table,) = thesis(run)
    assert "One seed alone: no interval knows what another would give." in table.text


@pytest.mark.parametrize(
    ("worth", "says"),
    [
        (Estimate(1.0, -0.5, 2.0), "Whether better links make better simplifiers cannot be told"),
        (Estimate(-1.0, -2.0, -0.5), "Better links make worse simplifiers here: ten points of F1 are worth -1.0 (-2.0"),
        (None, ""),
    ],
)
def test_what_the_numbers_say_is_said(run: Run, worth: Estimate | None, says: str) -> None:
    results = run.results("thesis/sample_news")
    cell = Cell("generated", "all", "per.f1")
    results.estimates.pop(cell)
    results.estimates |= {cell: replace(worth)} if worth else {}
    (table,) = thesis(run)
    assert says in table.text if worth else "ten points of F1" not in table.text
