"""Stages side by side (tools/repro.py): which may start, in which order, and what a real pipeline makes of it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from textsimp.core.errors import InputError
from tools.repro import changed_stages, needed_runs, next_chain, stage_needs, work_behind

ROOT = Path(__file__).resolve().parent.parent
DOT = """strict digraph {
"split";
"train@a";
"write@a";
"train@b";
"write@b";
"report";
"split" -> "train@a";
"split" -> "train@b";
"train@a" -> "write@a";
"train@b" -> "write@b";
"write@a" -> "report";
"write@b" -> "report";
}
"""
NEEDS = stage_needs(DOT)


def test_what_a_change_runs() -> None:
    assert needed_runs(NEEDS, ["train@b"]) == {"train@b", "write@b", "report"}
    assert needed_runs(NEEDS, ["split"]) == set(NEEDS)
    assert needed_runs(NEEDS, []) == set()


def test_a_chain_ends_where_another_stage_is_waited_for() -> None:
    behind = work_behind(NEEDS)
    assert behind["report"] == 5 and behind["train@a"] == 160 and behind["split"] == 165
    assert next_chain(NEEDS, behind, set(NEEDS), set()) == ["split"]
    rest = set(NEEDS) - {"split"}
    assert next_chain(NEEDS, behind, rest, set()) == ["train@a", "write@a"]
    rest -= {"train@a", "write@a"}
    assert next_chain(NEEDS, behind, rest, {"train@a", "write@a"}) == ["train@b", "write@b"]
    assert next_chain(NEEDS, behind, {"report"}, {"write@b"}) == []
    assert next_chain(NEEDS, behind, {"train@b", "write@b", "report"}, set()) == ["train@b", "write@b", "report"]


PIPELINE = """stages:
  first: {cmd: 'sleep 0.2; echo 1 > a', outs: [a]}
  second: {cmd: 'sleep 0.2; echo 2 > b', params: [seed], outs: [b]}
  both: {cmd: 'cat a b > c', deps: [a, b], outs: [c]}
  broken: {cmd: 'echo why; exit 3', deps: [c], outs: [d]}
"""


@pytest.fixture
def pipeline(tmp_path: Path) -> Path:
    (tmp_path / "dvc.yaml").write_text(PIPELINE)
    (tmp_path / "params.yaml").write_text("runtime: {device: cpu}\nseed: 1\n")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    (tmp_path / ".dvc").mkdir()
    (tmp_path / ".dvc" / "config").write_text("[core]\n    analytics = false\n")
    return tmp_path


def repro(folder: Path) -> subprocess.CompletedProcess[str]:
    """The tool in another pipeline's folder, two stages at a time."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from tools.repro import reproduce; sys.exit(reproduce(2))"
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)


def test_two_stages_at_a_time_and_one_that_fails(pipeline: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = repro(pipeline)
    assert run.returncode not in (0, 70)
    assert (pipeline / "c").read_text() == "1\n2\n" and not (pipeline / "d").exists()
    assert "why" in run.stdout and "failed to reproduce" in run.stdout
    monkeypatch.chdir(pipeline)
    (pipeline / "params.yaml").write_text("runtime: {device: cpu}\nseed: 2\n")
    command = [sys.executable, "-m", "dvc", "status", "--json"]
    said = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert set(changed_stages()) == set(said) == {"second", "broken"}
    (pipeline / "params.yaml").write_text("runtime: {device: cpu}\nseed: 1\n")
    steps = (pipeline / "dvc.yaml").read_text()
    (pipeline / "dvc.yaml").write_text(steps.replace("echo why; exit 3", "cp c d"))
    run = repro(pipeline)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "1 of 4 stages to run" in run.stdout and (pipeline / "d").is_file()
    run = repro(pipeline)
    assert (run.returncode, run.stdout) == (0, "Data and pipelines are up to date.\n")
    lock = (pipeline / "dvc.lock").read_text()
    subprocess.run([sys.executable, "-m", "dvc", "repro", "-q", "--force"], cwd=pipeline, check=True)
    assert (pipeline / "dvc.lock").read_text() == lock, "not as DVC itself writes it"


def test_a_pipeline_that_is_none(pipeline: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(pipeline)
    (pipeline / "dvc.yaml").write_text("stages: {")
    with pytest.raises(InputError, match="dvc status: "):
        changed_stages()
