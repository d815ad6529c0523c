"""A sweep as README describes it: two values queued, run and compared, on the pipeline's own stages (slow)."""

import json
import sys
from pathlib import Path

import pytest
from project_copy import copy_project, run

TARGET = "evaluate_alignment@sample_wiki"
METRICS = "reports/metrics/alignment.sample_wiki.json"
HEADLINE = "reports/headline/alignment.sample_wiki.json"
CURVE = "reports/training/aligner.sample_wiki.csv"
SMALL = (
    "corpus.sample_wiki.source.manual.train=4",
    "corpus.sample_wiki.source.manual.dev=2",
    "corpus.sample_wiki.source.manual.test=2",
    "encoder_corpora.sample=[sample_wiki]",
    "aligner.encoder.max_steps=2",
    "aligner.encoder.dev_pairs=50",
    "aligner.candidates=1",
    "aligner.paragraphs.tune=false",
)
"""Few articles and steps: the sweep is tested here, not the aligner."""


@pytest.mark.slow
def test_two_values_are_queued_run_and_compared(tmp_path: Path) -> None:
    clone = copy_project(tmp_path)
    overrides = [part for override in (*SMALL, "aligner.crf.epochs=1,2") for part in ("-S", override)]
    dvc = (sys.executable, "-m", "dvc")
    run(clone, *dvc, "exp", "run", "--queue", *overrides, TARGET)
    run(clone, *dvc, "exp", "run", "--run-all")
    shown = json.loads(run(clone, *dvc, "exp", "show", "--json"))
    scores, curves = {}, {}
    for experiment in shown[1]["experiments"]:
        revision = experiment["revs"][0]
        epochs = revision["data"]["params"]["params.yaml"]["data"]["aligner"]["crf"]["epochs"]
        scores[epochs] = json.loads(run(clone, "git", "show", f"{revision['rev']}:{METRICS}"))["test"]
        headline = revision["data"]["metrics"][HEADLINE]["data"]
        assert headline["crf_task1"] == round(scores[epochs]["neural_crf"]["task1.f1"], 2)
        curves[epochs] = run(clone, "git", "show", f"{revision['rev']}:{CURVE}")
    assert sorted(scores) == [1, 2]
    assert scores[1]["jaccard"] == scores[2]["jaccard"], "what is not trained does not change"
    assert curves[1] != curves[2]
