"""The stage analyse on a small corpus through its command line: numbers only, the same bytes, settings, bad input."""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from analysis_sample import AGREEMENT, CONFIG, MARKER, PLAN, SETTINGS, folders, write_corpus

from stages.analyse import main
from textsimp.errors import InputError
from textsimp.metrics.analysis.run import analyse
from textsimp.metrics.rewriting.statistics import PARTS
from textsimp.textfiles import read_json

STAGE = (
    "small --corpora data/corpora/small --alignments data/alignments/small --splits data/splits/small"
    f" --outputs data/outputs/small --agreement {AGREEMENT} --metrics reports/analysis/small.json"
)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("analysis")
    write_corpus(folder)
    return folder


@pytest.fixture(scope="module")
def found(root: Path) -> dict[str, Any]:
    return analyse(folders(root), PLAN)


def test_the_file_has_numbers_and_names_only(found: dict[str, Any]) -> None:
    text = json.dumps(found)
    assert MARKER not in text and set(_strings(found["parts"])) == {name for names in PARTS.values() for name in names}
    strings = set(_strings({key: value for key, value in found.items() if key != "parts"}))
    assert strings == {"english", *found["signatures"].values()}


def _strings(value: Any) -> Iterator[str]:
    """The values that are text; names are keys."""
    if isinstance(value, dict):
        for one in value.values():
            yield from _strings(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _strings(one)
    elif isinstance(value, str):
        yield value


def test_agreement_is_read_from_the_file_of_the_language(root: Path, found: dict[str, Any]) -> None:
    labels = read_json(AGREEMENT)
    assert found["agreement"]["test"]["kappa"] == labels["agreement"]["test"]["kappa"]
    other = analyse(folders(root), replace(PLAN, config=replace(CONFIG, language="none", samples=5)))
    assert other["agreement"]["drawn-test"]["kappa"] == labels["without_language_rules"]["drawn-test"]["kappa"]
    assert "language:none" in other["signatures"]["rewriting"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"units": 0}, "analysis.units: 0"),
        ({"samples": 0}, "analysis.samples: 0"),
        ({"seed": -1}, "analysis.seed: -1"),
        ({"lengths": [5, 5]}, r"analysis.lengths: \[5, 5\]"),
        ({"lengths": [0, 5]}, r"analysis.lengths: \[0, 5\]"),
        ({"min_sentences": 0}, "analysis.min_sentences: 0"),
    ],
)
def test_wrong_settings(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        replace(CONFIG, **changes)


def run(monkeypatch: pytest.MonkeyPatch, folder: Path) -> int:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["analyse", *STAGE.split()])
    try:
        main()
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


def test_the_stage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], found: dict[str, Any]
) -> None:
    write_corpus(tmp_path)
    path = tmp_path / "reports" / "analysis" / "small.json"
    assert run(monkeypatch, tmp_path) == 0
    first = path.read_bytes()
    assert json.loads(first) == json.loads(json.dumps(found))
    assert run(monkeypatch, tmp_path) == 0 and path.read_bytes() == first
    assert MARKER not in capfd.readouterr().err


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("data/outputs/small/old/lstm/both.txt", None, "both.txt: no such file"),
        ("data/outputs/small/old/lstm/both.txt", "One line.\n", "1 lines where"),
        ("data/corpora/small/auto/dev.simple", None, "dev.simple: no such file"),
        ("data/alignments/small/old.jsonl", "{\n", "old.jsonl:1: not JSON"),
        ("data/splits/small/dev.jsonl", None, "dev.jsonl: no such file"),
        ("params.yaml", json.dumps({**SETTINGS, "analysis": {}}), "analysis"),
        ("params.yaml", json.dumps(SETTINGS).replace('"english"', '"x"'), "language 'x'"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    name: str,
    text: str | None,
    message: str,
) -> None:
    write_corpus(tmp_path, lines=12)
    if text is None:
        (tmp_path / name).unlink()
    else:
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert run(monkeypatch, tmp_path) == 2
    errors = capfd.readouterr().err
    assert errors.startswith("error: ") and errors.count("\n") == 1 and message in errors and MARKER not in errors
    assert not (tmp_path / "reports").exists()
