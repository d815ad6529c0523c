"""tools/keep.py: the numbers of another experiment are kept, its texts are not; what is kept can be read."""

import subprocess
import sys
from pathlib import Path

import pytest

from textsimp.core.reading import read_json
from textsimp.core.results import SCHEMA, Cell, Comparison, Contrast, Estimate, Results
from tools import keep

ROOT = Path(__file__).resolve().parent.parent
KEPT = sorted(path for path in (ROOT / "reports" / "experiments").iterdir() if path.is_dir())
SOURCES = "sources: {mirror: /a/folder}\n"
PARAMS = f"experiment: mine\ncorpora: [wiki]\nencoders: [shared]\npublished: [paper]\n{SOURCES}value: 3\n"


def results() -> Results:
    """A number and a difference of a test set, and of a slice of it."""
    cells = (Cell("test", "crf", "task1.f1"), Cell("test/link_type=1-1", "crf", "task1.f1"))
    pairs = [Contrast(scope, m, "crf", "jaccard") for scope in ("test", "test/x=1") for m in ("task1.f1", "precision")]
    found = Results({cell: Estimate(90.0, 88.0, 92.0) for cell in cells})
    found.comparisons = dict.fromkeys(pairs, Comparison(1.0, 0.5, 1.5, 0.01))
    return found


def keep_it(folder: Path, monkeypatch: pytest.MonkeyPatch, params: str = PARAMS) -> str:
    """Run the tool in a repository of its own; its commit."""
    monkeypatch.chdir(folder)
    (folder / "dvc.yaml").write_text("stages: {}\n")
    for command in (["init", "-q"], ["add", "dvc.yaml"], ["commit", "-q", "-m", "code"]):
        identity = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
        subprocess.run(["git", *identity, *command], check=True)
    (folder / "params.yaml").write_text(params)
    monkeypatch.setattr(sys, "argv", ["keep.py", "--machine", "two cores", "--time", "an hour"])
    keep.main()
    return keep.current_commit()


def test_numbers_of_the_experiment_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = ("alignment/wiki.json", "published/paper.json", "results.md")
    curves = {"training/encoder.shared.csv": "step\n1.0\n", "training/system.wiki.lr.csv": "epoch\n2\n"}
    others = ("alignment/news.json", "training/aligner.news.csv", "index.html", "examples/alignment.wiki.jsonl")
    for name in (*mine, *curves, *others):
        path = tmp_path / "reports" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        results().write(path) if path.suffix == ".json" else path.write_text(curves.get(name, name))
    commit = keep_it(tmp_path, monkeypatch)
    kept = tmp_path / "reports" / "experiments" / "mine"
    files = {path.relative_to(kept).as_posix() for path in kept.rglob("*") if path.is_file()}
    assert files == {*mine, "training.csv", "README.md", "params.yaml", "made_with.json"}
    assert (kept / "training.csv").read_text() == "curve,step,epoch\nencoder.shared,1.0,\nsystem.wiki.lr,,2\n"
    assert read_json(kept / "made_with.json") == {"commit": commit, "schema": SCHEMA}
    assert f"computed by commit {commit}.\n\nMachine: two cores. Time: an hour." in (kept / "README.md").read_text()
    assert "/a/folder" not in (kept / "params.yaml").read_text() and "value: 3" in (kept / "params.yaml").read_text()
    read = Results.read(kept / "alignment" / "wiki.json")
    assert [cell.scope for cell in read.estimates] == ["test"]
    assert [(pair.scope, pair.measure) for pair in read.comparisons] == [("test", "task1.f1")]


def test_changed_code_is_not_named_by_a_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "results.md").write_text("")
    keep_it(tmp_path, monkeypatch)
    (tmp_path / "dvc.yaml").write_text("stages: {other: {}}\n")
    with pytest.raises(SystemExit) as stop:
        keep.main()
    assert stop.value.code == 2
    assert "dvc.yaml: changed since the last commit" in capsys.readouterr().err


def test_the_default_experiment_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        keep_it(tmp_path, monkeypatch, PARAMS.replace("mine", "sample"))
    assert stop.value.code == 2
    assert "nothing is kept" in capsys.readouterr().err


@pytest.mark.parametrize("folder", KEPT, ids=lambda path: path.name)
def test_what_is_kept_is_read_by_the_present_code(folder: Path) -> None:
    made_with = read_json(folder / "made_with.json")
    assert made_with["schema"] == SCHEMA, "written in another form: run the experiment again, or convert its files"
    assert made_with["commit"] in (folder / "README.md").read_text(encoding="utf-8")
    files = [path for kind in keep.RESULTS for path in (folder / kind).glob("*.json")]
    assert files
    for path in files:
        assert Results.read(path).estimates, path


def test_git_holds_no_more_of_the_reports_than_it_should() -> None:
    """Small numbers, training curves, the main tables and what is kept: 2 MB, and nothing that DVC holds."""
    done = subprocess.run(["git", "ls-files", "reports"], cwd=ROOT, capture_output=True, text=True, check=True)
    files = [ROOT / line for line in done.stdout.splitlines()]
    if not files:
        pytest.skip("not a Git repository")
    assert sum(path.stat().st_size for path in files if path.exists()) <= 2_000_000
    assert not any(path.suffix in (".html", ".tex", ".jsonl") or path.name.endswith(".pr.csv") for path in files)
