"""The stage analyse on a small corpus through its command line: numbers only, the same bytes, settings, bad input."""

import json
import math
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from analysis_sample import CONFIG, LABELLED, MARKER, PLAN, SETTINGS, folders, write_corpus

from stages.analyse import main
from textsimp.core.errors import InputError
from textsimp.core.results import Resampling, Results
from textsimp.core.settings import structured
from textsimp.evaluation.rewriting_analysis import AnalysisConfig, analyse

STAGE = (
    "small --corpora data/corpora/small --alignments data/alignments/small --splits data/splits/small"
    f" --outputs data/outputs/small --labelled {LABELLED} --results reports/analysis/small.json"
    " --metrics reports/metrics/analysis.small.json"
)


def test_the_file_has_numbers_and_names_only(analysis: Results) -> None:
    assert MARKER not in analysis.to_json()
    assert analysis.notes == {"language": "english", "units": "2000", "lengths": "5 9 12", "min_sentences": "10"}
    assert set(analysis.signatures) == {"rewriting", "sari", "sari_corpus"}


def test_agreement_with_labels_by_the_rules_of_the_language(analysis_root: Path, analysis: Results) -> None:
    plan = replace(PLAN, config=replace(CONFIG, language="none"), resampling=Resampling(5, 1))
    without = analyse(folders(analysis_root), plan)
    for half, units in (("labelled.test", 84), ("labelled.drawn-test", 100)):
        row = analysis.measures(half, "classifier")
        assert row["units"].value == units and row["accuracy"].low < row["accuracy"].value < row["accuracy"].high < 1
        kappas = [found.value(half, "classifier", "kappa") for found in (analysis, without)]
        assert kappas[0] > kappas[1] > 0 and not math.isnan(kappas[0])
    assert "language:none" in without.signatures["rewriting"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"units": 0}, "units: 0 should be"),
        ({"lengths": [5, 5]}, r"analysis.lengths: \[5, 5\]"),
        ({"lengths": [0, 5]}, r"lengths\[0\]: 0 should be"),
        ({"min_sentences": 0}, "min_sentences: 0 should be"),
    ],
)
def test_wrong_settings(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        structured({**asdict(CONFIG), **changes}, AnalysisConfig)


def run(monkeypatch: pytest.MonkeyPatch, folder: Path) -> int:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["analyse", *STAGE.split()])
    try:
        main()
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


def test_the_stage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], analysis: Results
) -> None:
    write_corpus(tmp_path)
    path = tmp_path / "reports" / "analysis" / "small.json"
    assert run(monkeypatch, tmp_path) == 0
    first = path.read_bytes()
    assert Results.read(path) == analysis
    assert (tmp_path / "reports" / "metrics" / "analysis.small.json").is_file()
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
