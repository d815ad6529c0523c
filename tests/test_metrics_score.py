"""`textsimp score` from end to end: files in, table or JSON out, and what is wrong with the input."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from textsimp.cli import app
from textsimp.metrics.arguments import spread_values
from textsimp.textfiles import write_lines

COMPLEX = ["The committee decided to purchase a house .", "It rained , but nobody minded .", "He resided there ."]
REFERENCE = ["The group chose to buy a house .", "It rained . Nobody minded .", "He lived there ."]
GOOD = ["The committee chose to buy a house .", "It rained . Nobody minded .", "He lived there ."]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with the files `complex`, `ref.0`, `ref.1`, `good`, `copy` and `short`."""
    files = {"complex": COMPLEX, "ref.0": REFERENCE, "ref.1": GOOD, "good": GOOD, "copy": COMPLEX, "short": GOOD[:2]}
    for name, lines in files.items():
        write_lines(tmp_path / name, lines)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _run(arguments: str, stdin: str | None = None) -> str:
    result = CliRunner().invoke(app, ["score", *arguments.split()], input=stdin)
    assert result.exit_code == 0, result.output + str(result.exception)
    return result.stdout


def test_one_output_as_json(folder: Path) -> None:
    result = json.loads(_run("--complex complex --output good --reference ref.0 ref.1 --samples 50 --json"))
    assert result["references"] == 2 and result["lines"] == 3
    assert result["resampling"] == {"samples": 50, "seed": 1, "confidence": 95}
    assert result["sari"] == pytest.approx((result["add"] + result["keep"] + result["del"]) / 3)
    for name, value in result["orders"]["sari"].items():
        assert sum(value) / 4 == pytest.approx(result[name])
    low, high = result["intervals"]["sari"]
    assert low <= result["sari"] <= high


def test_several_outputs(folder: Path) -> None:
    files = "--complex complex --output copy good --reference ref.0 --metric sari exact_copies --samples 50"
    result = json.loads(_run(f"{files} --json"))
    assert list(result["outputs"]) == ["copy", "good"] and result["against"] == "copy"
    assert set(result["signatures"]) == {"sari", "exact_copies"}
    scores = {name: row["scores"] for name, row in result["outputs"].items()}
    difference = result["differences"]["good"]["sari"]
    assert difference["difference"] == pytest.approx(scores["good"]["sari"] - scores["copy"]["sari"])
    assert set(difference) == {"difference", "low", "high", "p_bootstrap", "p_randomisation"}
    turned = json.loads(_run(f"{files} --against good --json"))["differences"]
    assert turned["copy"]["sari"]["difference"] == -difference["difference"]
    assert _run(f"{files} --json") == _run(f"{files} --json")


def test_table(folder: Path) -> None:
    text = _run("--complex complex --output copy good --reference ref.0 --metric sari exact_copies --samples 50")
    lines = text.splitlines()
    assert lines[0].split()[:3] == ["metric", "output", "score"]
    assert lines[1].split()[:2] == ["sari", "copy"] and lines[2].split()[:2] == ["sari", "good"]
    assert "sari: SARI|level:sentence|del:precision|tok:none|case:lc|nrefs:1|version:1" in lines
    assert "differences: to copy, paired bootstrap and approximate randomisation" in lines
    assert "-1.000" in next(line for line in lines if line.startswith("exact_copies  good"))
    single = _run("--complex complex --output good --reference ref.0 --samples 50").splitlines()
    assert "difference" not in single[0] and single[-1] == "intervals: 50 resamples of 3 lines, seed 1"


def test_same_names_in_two_folders(folder: Path) -> None:
    for name in ("x", "y"):
        (folder / name).mkdir()
        write_lines(folder / name / "out", GOOD)
    text = _run("--complex complex --output x/out y/out --reference ref.0 --metric len --samples 9 --against y/out")
    assert "x/out" in text and "to y/out" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--output short --reference ref.0", "short:3: 2 lines where complex has 3"),
        ("--output good --reference ref.0 short", "short:3: 2 lines where complex has 3"),
        ("--output good absent --reference ref.0", "absent: no such file"),
        ("--output good good --reference ref.0", "--output good: given 2 times"),
        ("--output good copy --reference ref.0 --against other", "--against other: none of the outputs; there is good"),
        ("--output - - --reference ref.0", "standard input can be one of the files only"),
        ("--output good --reference ref.0 --metric rouge", "no metric 'rouge'; known: sari,"),
        ("--output good --reference ref.0 --metric bertscore", "give it with --encoder"),
        ("--output good --reference ref.0 --metric lexical_complexity", "give it with --frequencies"),
        ("--output good --reference ref.0 --samples 0", "--samples 0: give 1 at least"),
    ],
)
def test_bad_input(folder: Path, arguments: str, message: str) -> None:
    result = CliRunner().invoke(app, ["score", "--complex", "complex", *arguments.split()])
    assert result.exit_code == 2
    assert message in result.stderr and result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_frequencies(folder: Path) -> None:
    write_lines(folder / "counts", ["the 9", "house 3", "chose 2", "committee 1"])
    text = _run("--complex complex --output good --reference ref.0 --metric lexical_complexity --frequencies counts")
    assert "|quantile:0.75|table:" in text


def test_spread_values() -> None:
    spread = spread_values("--output a b --complex c --reference=d e --json --metric x -".split())
    expected = "--output a --output b --complex c --reference=d --reference e --json --metric x --metric -"
    assert spread == expected.split()
