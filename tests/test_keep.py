"""tools/keep.py: the numbers of another experiment go beside the reports, its texts do not."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import keep  # noqa: E402

SOURCES = "sources: {mirror: /a/folder}\n"
PARAMS = f"experiment: mine\ncorpora: [wiki]\nencoders: [shared]\npublished: [paper]\n{SOURCES}value: 3\n"


def keep_it(folder: Path, monkeypatch: pytest.MonkeyPatch, params: str = PARAMS) -> None:
    (folder / "params.yaml").write_text(params)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["keep.py", "--machine", "two cores", "--time", "an hour"])
    keep.main()


def test_numbers_of_the_experiment_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = ("alignment/wiki.json", "alignment/wiki.details.json", "published/paper.json", "results.md")
    mine += ("training/encoder.shared.csv", "training/simplifier.wiki.auto.lstm.csv")
    other = ("alignment/news.json", "training/aligner.news.csv", "index.html", "examples/alignment.wiki.jsonl")
    for name in (*mine, *other):
        (tmp_path / "reports" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "reports" / name).write_text(name)
    keep_it(tmp_path, monkeypatch)
    kept = tmp_path / "reports" / "experiments" / "mine"
    files = {path.relative_to(kept).as_posix() for path in kept.rglob("*") if path.is_file()}
    assert files == {*mine, "README.md", "params.yaml"}
    assert "Machine: two cores. Time: an hour." in (kept / "README.md").read_text()
    assert (kept / "params.yaml").read_text() == PARAMS.replace(SOURCES, "").replace(
        "[wiki]", "\n- wiki"
    ).replace("[shared]", "\n- shared").replace("[paper]", "\n- paper").replace(": \n", ":\n")


def test_the_default_experiment_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        keep_it(tmp_path, monkeypatch, PARAMS.replace("mine", "sample"))
    assert stop.value.code == 2
    assert "nothing is kept" in capsys.readouterr().err
