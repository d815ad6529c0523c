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
from commands import done, refused, run

from textsimp.alignment.cache import Cache
from textsimp.alignment.fitted import THRESHOLDS
from textsimp.alignment.neural.aligner_settings import Device, EncoderConfig
from textsimp.alignment.spec import load_system_config
from textsimp.alignment.systems import Choice, ComposedSystem
from textsimp.core.params import from_conf
from textsimp.core.reading import read_json
from textsimp.core.records import read_pairs, write_pairs
from textsimp.core.results import Results
from textsimp.core.word_vectors import WordVectorConfig

SECTIONS = [("word_vectors", WordVectorConfig), ("aligner.encoder", EncoderConfig)]
ROOT = Path(__file__).resolve().parent.parent
PAIRS = [document_pair(number) for number in range(6)]


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
    given = ("evaluate-alignment", gold, "--system", "tfidf", "--dev", gold)
    scores = estimates(done(*given, "--json"), "tfidf")
    assert {f"task1.{name}" for name in ("precision", "recall", "f1", "max_f1", "area")} <= set(scores)
    assert 0 < value(scores["task2.f1"]) <= 100
    plain = done(*given)
    low, high = scores["task1.precision"][1:]
    assert f"{value(scores['task1.precision']):.1f} [{low:.1f}, {high:.1f}]" in plain.stdout
    assert max(map(len, plain.stdout.splitlines())) <= 80
    assert plain.stderr.startswith(f"{gold}: 1 system on ") and plain.stderr.count("\n") == 1


def test_evaluate_alignment_of_predictions_against_a_system(gold: Path, tmp_path: Path) -> None:
    done("align", gold, tmp_path / "found.jsonl", "--system", "jaccard", "--dev", gold)
    given = ("evaluate-alignment", gold, "--dev", gold, "--json")
    result = done(*given, "--predictions", tmp_path / "found.jsonl", "--against", "tfidf")
    scores = estimates(result, str(tmp_path / "found.jsonl"))
    direct = estimates(done(*given, "--system", "jaccard"), "jaccard")
    assert scores["task1.f1"] == direct["task1.f1"] and "task1.max_f1" not in scores
    (tmp_path / "results.json").write_text(result.stdout, encoding="utf-8")
    comparisons = Results.read(tmp_path / "results.json").comparisons
    (difference,) = [tests for contrast, tests in comparisons.items() if contrast.measure == "task1.f1"]
    assert difference.low <= difference.difference <= difference.high
    same = done("evaluate-alignment", gold, "--predictions", gold, "--json")
    assert value(estimates(same, str(gold))["task2.f1"]) == 100


def test_word_vectors_may_be_the_packaged_ones(gold: Path) -> None:
    found = done("evaluate-alignment", gold, "--system", "cats_wavg", "--vectors", "glove", "--dev", gold, "--json")
    assert estimates(found, "cats_wavg")["task1.f1"][0] > 0
    for options in (("--vectors", "gloves"), ("--system", "frozen_crf_words", "--encoder", "bert-base-uncased")):
        assert run("evaluate-alignment", gold, *options).exit_code == 2, "no option is passed over"


def test_the_aligners_of_the_package_need_no_labels(gold: Path) -> None:
    named = done("evaluate-alignment", gold, "--system", "frozen_crf_words", "--against", "frozen_crf", "--json")
    default = done("evaluate-alignment", gold, "--against", "jaccard", "--json")
    assert "task1.max_f1" in estimates(named, "frozen_crf_words") and estimates(default, "jaccard")
    assert estimates(named, "frozen_crf")["task1.f1"] == estimates(default, "frozen_crf")["task1.f1"]


def test_pipes_are_taken_where_one_reading_is_enough(gold: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(gold.read_bytes(),))
    writer.start()
    same = done("evaluate-alignment", gold, "--predictions", gold, "--against", tmp_path / "pipe", "--json")
    writer.join()
    assert value(estimates(same, str(tmp_path / "pipe"))["task1.f1"]) == 100
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    for name in ("table.tsv", "table.parquet"):
        done("convert", gold, tmp_path / name, "--join", "link")
        with open(tmp_path / name, "rb") as table:
            command = [sys.executable, "-m", "textsimp.cli", "convert", "-", "-", "--format", "tsv", "--join", "link"]
            piped = subprocess.run(command, stdin=table, capture_output=True, check=True, env=variables)
        assert piped.stdout.decode() == done("convert", tmp_path / name, *command[-5:]).stdout


def test_thresholds_of_the_package_serve_without_labels(gold: Path, tmp_path: Path) -> None:
    shipped = read_json(THRESHOLDS)["chosen"]
    assert {"jaccard", "massalign", "tfidf", "cats_c3g", "bertscore", "hwang", "wmd"} <= shipped.keys()
    cache = Cache(PAIRS, *(from_conf(*section) for section in SECTIONS), Device())
    for name, state in shipped.items():
        system = ComposedSystem(load_system_config(name), cache)
        system.take({task: Choice(**choice) for task, choice in state.items()}, THRESHOLDS)
        assert system.state() == state
    write_pairs(tmp_path / "plain.jsonl", [replace(pair, alignments=None) for pair in PAIRS])
    for system in ("massalign", "coster_kauchak"):  # of thresholds, and of fixed values
        done("align", tmp_path / "plain.jsonl", tmp_path / "found.jsonl", "--system", system)
        assert any(pair.alignments for pair in read_pairs(tmp_path / "found.jsonl"))
    done("evaluate-alignment", gold, "--system", "coster_kauchak", "--dev", gold)


def test_a_system_is_fitted_kept_and_used_again(gold: Path, tmp_path: Path) -> None:
    arguments = ("evaluate-alignment", gold, "--system", "lr", "--json")
    fitted = done(*arguments, "--train", gold, "--dev", gold, "--save", tmp_path / "lr")
    assert done(*arguments, "--model", tmp_path / "lr").stdout == fitted.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--system", "lr"), "--dev: lr needs labelled document pairs"),
        (("--system", "lr", "--dev", "GOLD"), "--train: lr learns from labelled document pairs"),
        (("--system", "neural_crf"), "--model: neural_crf needs a trained aligner"),
        (("--dev", "GOLD"), "--dev: the aligner of the package is fitted; give --system"),
        (("--kind", "wiki"), "--kind: the aligner of the package"),
        (("--system", "lr", "--against", "lr"), "--against lr: the same as --system"),
        (("--predictions", "GOLD", "--against", "GOLD"), "the same as --predictions"),
        (("--predictions", "GOLD", "--system", "lr", "--against", "tfidf"), "--predictions: no --system is run"),
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
    refused(run("evaluate-alignment", gold, *(places.get(argument, argument) for argument in arguments)), message)
