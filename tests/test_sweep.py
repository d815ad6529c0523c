"""A sweep as README describes it: two values queued, run and compared, on the pipeline's own stages (slow)."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FILES = (".dvc/config", ".dvcignore", ".gitignore", "dvc.yaml", "params.yaml")
FOLDERS = ("conf", "stages", "textsimp", "tools", "data/sample")
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


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A committed copy of the project, without anything computed."""
    for name in FILES + FOLDERS:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if name in FOLDERS else shutil.copy
        copy(ROOT / name, tmp_path / name)
    run(tmp_path, "git", "init", "-q")
    run(tmp_path, "git", "add", "-A")
    run(tmp_path, "git", "commit", "-q", "-m", "the project")
    return tmp_path


def run(folder: Path, *command: str) -> str:
    """A command with this environment's Python first on the PATH, as `make` has it; its standard output."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    names = ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL")
    identity = dict.fromkeys(names, "test@example.org")
    environment = os.environ | identity | {"PATH": path}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


@pytest.mark.slow
def test_two_values_are_queued_run_and_compared(clone: Path) -> None:
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
