"""The few numbers of a corpus for `dvc metrics show`, and the page of `dvc plots show`."""

from pathlib import Path

import pytest
from dvc_render.html import render_html
from dvc_render.vega import VegaRenderer

from textsimp.core.results import Results
from textsimp.evaluation.aligners import alignment_headline
from textsimp.evaluation.simplification import simplification_headline
from tools.plots_page import template


def test_of_alignment_those_of_the_crf_and_of_the_shipped_design() -> None:
    found = Results()
    found.put("test", "neural_crf", {"task1.f1": 94.419})
    found.put("test", "jaccard", {"task1.f1": 80.0})
    found.put("dev", "frozen_crf", {"task1.f1": 1.0})
    found.put("test", "frozen_crf", {"task2.f1": 84.161})
    assert alignment_headline(found) == {"crf_task1": 94.42, "shipped_task2": 84.16}


@pytest.mark.parametrize(("main", "other"), [("turk", "asset"), ("auto", "old"), ("one", None)])
def test_of_simplification_the_best_of_each_training_set_on_the_main_test_set(main: str, other: str | None) -> None:
    scores = {"lstm.new": 36.004, "editnts.new": 37.126, "lstm.old": 35.0, "identity": 90.0}
    results = Results()
    if other:
        results.put(other, "lstm.new", {"sari": 99.0})
    for system, score in scores.items():
        results.put(main, system, {"sari": score})
    numbers = simplification_headline(results, ["auto", "old", "old_equal"])
    assert numbers == {"sari_new": 37.13, "sari_old": 35.0}


def test_plots_are_drawn_without_the_network(tmp_path: Path) -> None:
    points = [{"step": step, "loss": 1 / step, "rev": "workspace"} for step in (1, 2, 3)]
    plot = VegaRenderer(points, "curve.csv", template="linear", x="step", y="loss")
    (tmp_path / "template.html").write_text(template(), encoding="utf-8")
    page = render_html([plot], tmp_path / "plots.html", tmp_path / "template.html")
    text = Path(page).read_text(encoding="utf-8")
    marks = [mark in text for mark in ("window.vegaEmbed=", '"loss"', "{plot_divs}", "{refresh_tag}", "<script src")]
    assert marks == [True, True, False, False, False]
