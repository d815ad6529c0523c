"""Stages side by side (tools/repro.py): which may start, in which order, and what a real pipeline makes of it."""

import subprocess
from pathlib import Path

import pytest
from dvc.cli import main as dvc
from dvc.repo import Repo

from textsimp.core.errors import InputError
from tools.repro import needed_runs, next_chain, pipeline_state, reproduce, work_behind

BEFORE = {"split": (), "train@a": ("split",), "write@a": ("train@a",), "train@b": ("split",), "write@b": ("train@b",)}
NEEDS = {stage: frozenset(before) for stage, before in {**BEFORE, "report": ("write@a", "write@b")}.items()}


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
def pipeline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dvc.yaml").write_text(PIPELINE)
    (tmp_path / "params.yaml").write_text("runtime: {device: cpu}\nseed: 1\n")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    (tmp_path / ".dvc").mkdir()
    (tmp_path / ".dvc" / "config").write_text("[core]\n    analytics = false\n")
    return tmp_path


def test_two_stages_at_a_time_and_one_that_fails(pipeline: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert reproduce(2) not in (0, 70)
    printed = capfd.readouterr().out
    assert (pipeline / "c").read_text() == "1\n2\n" and not (pipeline / "d").exists()
    assert "why" in printed and "failed to reproduce" in printed
    (pipeline / "params.yaml").write_text("runtime: {device: cpu}\nseed: 2\n")
    needs, changed = pipeline_state()
    with Repo() as repo:
        assert set(changed) == set(repo.status()) == {"second", "broken"}
    assert needs == {"first": set(), "second": set(), "both": {"first", "second"}, "broken": {"both"}}
    (pipeline / "params.yaml").write_text("runtime: {device: cpu}\nseed: 1\n")
    steps = (pipeline / "dvc.yaml").read_text()
    (pipeline / "dvc.yaml").write_text(steps.replace("echo why; exit 3", "cp c d"))
    assert reproduce(2) == 0, capfd.readouterr()
    assert "1 of 4 stages to run" in capfd.readouterr().out and (pipeline / "d").is_file()
    assert (reproduce(2), capfd.readouterr().out) == (0, "Data and pipelines are up to date.\n")
    lock = (pipeline / "dvc.lock").read_text()
    assert dvc(["repro", "-q", "--force"]) == 0
    assert (pipeline / "dvc.lock").read_text() == lock, "not as DVC itself writes it"


def test_a_pipeline_that_is_none(pipeline: Path) -> None:
    (pipeline / "dvc.yaml").write_text("stages: {")
    with pytest.raises(InputError, match="dvc status: "):
        pipeline_state()
