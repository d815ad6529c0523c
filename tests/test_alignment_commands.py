"""The aligner's commands on a user's own files."""

import json
import os
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from alignment_sample import document_pair
from typer.testing import CliRunner

from textsimp.alignment.cache import Cache
from textsimp.alignment.fitted import THRESHOLDS
from textsimp.alignment.neural.aligner_settings import Device, EncoderConfig
from textsimp.alignment.spec import load_system_config
from textsimp.alignment.systems import Choice, ComposedSystem
from textsimp.cli import app
from textsimp.core.params import from_conf
from textsimp.core.reading import read_json
from textsimp.core.records import read_pairs, write_pairs
from textsimp.core.results import Results
from textsimp.core.word_vectors import WordVectorConfig

SECTIONS = [("word_vectors", WordVectorConfig), ("aligner.encoder", EncoderConfig)]
ROOT = Path(__file__).resolve().parent.parent
PAIRS = [document_pair(number) for number in range(6)]


def invoke(*arguments: object):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def estimates(result, system: str) -> dict[str, Any]:
    return json.loads(result.stdout)["estimates"]["gold"][system]


def value(estimate: Any) -> float:
    """An estimate is a number, or that and the bounds of its interval."""
    return estimate[0] if isinstance(estimate, list) else estimate


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    write_pairs(tmp_path / "gold.jsonl", PAIRS)
    return tmp_path / "gold.jsonl"


def test_evaluate_alignment_command(gold: Path) -> None:
    result = invoke("evaluate-alignment", gold, "--system", "tfidf", "--dev", gold, "--json")
    assert result.exit_code == 0, result.output
    scores = estimates(result, "tfidf")
    assert {f"task1.{name}" for name in ("precision", "recall", "f1", "max_f1", "area")} <= set(scores)
    assert 0 < value(scores["task2.f1"]) <= 100
    plain = invoke("evaluate-alignment", gold, "--system", "tfidf", "--dev", gold)
    low, high = scores["task1.precision"][1:]
    assert f"{value(scores['task1.precision']):.1f} [{low:.1f}, {high:.1f}]" in plain.stdout
    assert max(map(len, plain.stdout.splitlines())) <= 80
    assert plain.stderr.startswith(f"{gold}: 1 system on ") and plain.stderr.count("\n") == 1


def test_evaluate_alignment_of_predictions_against_a_system(gold: Path, tmp_path: Path) -> None:
    assert invoke("align", gold, tmp_path / "found.jsonl", "--system", "jaccard", "--dev", gold).exit_code == 0
    found = tmp_path / "found.jsonl"
    result = invoke(
        *("evaluate-alignment", gold, "--predictions", found, "--against", "jaccard", "--dev", gold, "--json")
    )
    assert result.exit_code == 0, result.output
    scores, direct = estimates(result, str(found)), estimates(result, "jaccard")
    assert scores["task1.f1"] == direct["task1.f1"] and "task1.max_f1" not in scores
    (tmp_path / "results.json").write_text(result.stdout, encoding="utf-8")
    comparisons = Results.read(tmp_path / "results.json").comparisons
    (difference,) = [tests for contrast, tests in comparisons.items() if contrast.measure == "task1.f1"]
    assert difference.low <= difference.difference <= difference.high


def test_a_system_of_fixed_values_needs_no_labels(gold: Path, tmp_path: Path) -> None:
    write_pairs(tmp_path / "plain.jsonl", [replace(pair, alignments=None) for pair in PAIRS])
    without = invoke("align", tmp_path / "plain.jsonl", tmp_path / "a.jsonl", "--system", "coster_kauchak")
    assert without.exit_code == 0, without.output
    assert any(pair.alignments for pair in read_pairs(tmp_path / "a.jsonl"))


def test_word_vectors_may_be_the_packaged_ones(gold: Path) -> None:
    found = invoke("evaluate-alignment", gold, "--system", "cats_wavg", "--vectors", "glove", "--dev", gold, "--json")
    assert estimates(found, "cats_wavg")["task1.f1"][0] > 0
    for options in (("--vectors", "gloves"), ("--system", "frozen_crf_words", "--encoder", "bert-base-uncased")):
        assert invoke("evaluate-alignment", gold, *options).exit_code == 2, "no option is passed over"


def test_the_aligners_of_the_package_need_no_labels(gold: Path) -> None:
    found = invoke("evaluate-alignment", gold, "--against", "frozen_crf_words", "--json")
    assert found.exit_code == 0, found.output
    assert "task1.max_f1" in estimates(found, "frozen_crf") and estimates(found, "frozen_crf_words")


def test_pipes_are_taken_where_one_reading_is_enough(gold: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(gold.read_bytes(),))
    writer.start()
    same = invoke("evaluate-alignment", gold, "--predictions", gold, "--against", tmp_path / "pipe", "--json")
    writer.join()
    assert value(estimates(same, str(tmp_path / "pipe"))["task1.f1"]) == 100
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    assert invoke("convert", gold, tmp_path / "table.parquet", "--join", "link").exit_code == 0
    with open(tmp_path / "table.parquet", "rb") as table:
        command = [sys.executable, "-m", "textsimp.cli", "convert", "-", "-", "--format", "tsv", "--join", "link"]
        done = subprocess.run(command, stdin=table, capture_output=True, check=True, env=variables)
    assert done.stdout.decode() == invoke("convert", tmp_path / "table.parquet", *command[-5:]).stdout


def test_thresholds_of_the_package_serve_without_labels(gold: Path, tmp_path: Path) -> None:
    shipped = read_json(THRESHOLDS)["chosen"]
    assert {"jaccard", "massalign", "tfidf", "cats_c3g", "bertscore", "hwang", "wmd"} <= shipped.keys()
    cache = Cache(PAIRS, *(from_conf(*section) for section in SECTIONS), Device())
    for name, state in shipped.items():
        system = ComposedSystem(load_system_config(name), cache)
        system.take({task: Choice(**choice) for task, choice in state.items()}, THRESHOLDS)
        assert system.state() == state
    result = invoke("align", gold, tmp_path / "found.jsonl", "--system", "massalign")
    assert result.exit_code == 0 and any(pair.alignments for pair in read_pairs(tmp_path / "found.jsonl"))


def test_a_system_is_fitted_kept_and_used_again(gold: Path, tmp_path: Path) -> None:
    arguments = ("evaluate-alignment", gold, "--system", "lr", "--json")
    fitted = invoke(*arguments, "--train", gold, "--dev", gold, "--save", tmp_path / "lr")
    assert fitted.exit_code == 0, fitted.output
    again = invoke(*arguments, "--model", tmp_path / "lr")
    assert again.exit_code == 0 and json.loads(again.stdout) == json.loads(fitted.stdout)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--system", "lr"), "--dev: lr needs labelled document pairs"),
        (("--system", "lr", "--dev", "GOLD"), "--train: lr learns from labelled document pairs"),
        (("--system", "neural_crf"), "--model: neural_crf needs a trained aligner"),
        (("--system", "nothing"), "no alignment system 'nothing'"),
        (("--predictions", "OTHER"), "OTHER: no document pair 'pair-0', which"),
        (("--predictions", "TWICE"), "document pair 'pair-1' is in"),
        (("--predictions", "CHANGED"), "CHANGED:1: document pair 'pair-0' differs from"),
        (("--predictions", "GOLD", "--against", "nobody"), "--against: 'nobody' is neither a file nor"),
        (("--system", "tfidf", "--dev", "BARE"), "has no 'alignments'"),
    ],
)
def test_evaluate_alignment_says_what_is_missing(
    gold: Path, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    write_pairs(tmp_path / "OTHER", PAIRS[1:])
    write_pairs(tmp_path / "TWICE", [*PAIRS, PAIRS[1]])
    write_pairs(tmp_path / "CHANGED", [replace(document_pair(8), id="pair-0"), *PAIRS[1:]])
    write_pairs(tmp_path / "BARE", [replace(PAIRS[0], alignments=None)])
    places = {"GOLD": gold, **{name: tmp_path / name for name in ("OTHER", "TWICE", "CHANGED", "BARE")}}
    result = invoke("evaluate-alignment", gold, *(places.get(argument, argument) for argument in arguments))
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
