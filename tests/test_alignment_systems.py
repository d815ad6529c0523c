"""Alignment systems, their evaluation, chunked alignment and the aligner's commands."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from alignment_sample import document_pair
from typer.testing import CliRunner

from textsimp.alignment.chunked import align_in_chunks
from textsimp.alignment.evaluation import evaluate, fit_systems, write_curves, write_examples
from textsimp.alignment.own_documents import load_system_config, system_names
from textsimp.alignment.systems import SystemConfig, make_system
from textsimp.cli import app
from textsimp.errors import InputError
from textsimp.records import AlignmentLabel, DocumentPair, Link, read_pairs, write_pairs

PAIRS = [document_pair(number) for number in range(6)]
LEXICAL = ("jaccard", "tfidf", "jaccard_align")


@pytest.mark.parametrize("name", system_names())
def test_every_system_file_loads(name: str) -> None:
    config = load_system_config(name)
    assert config.needs_aligner == (name not in LEXICAL)


def test_unknown_parts_are_refused() -> None:
    with pytest.raises(InputError, match="similarity: 'cosine' is none of"):
        SystemConfig("cosine", "threshold", "none", None)
    with pytest.raises(InputError, match="no alignment system 'x'; known: bert_finetune"):
        load_system_config("x")
    with pytest.raises(InputError, match="needs a trained aligner"):
        make_system(load_system_config("neural_crf"), PAIRS, None)


def test_thresholds_are_those_of_the_best_dev_f1() -> None:
    system = make_system(load_system_config("jaccard"), PAIRS, None)
    system.fit(PAIRS)
    reached = evaluate({"jaccard": system}, {"dev": PAIRS})["dev"]["jaccard"]
    for task in ("task1", "task2"):
        chosen = system.thresholds[task]
        for other in (0.05 * step for step in range(1, 20)):
            system.thresholds = {"task1": float("inf"), "task2": float("inf"), task: other}
            assert evaluate({"jaccard": system}, {"dev": PAIRS})["dev"]["jaccard"][task]["f1"] <= reached[task]["f1"] + 1e-9
        system.thresholds = {"task1": chosen, "task2": chosen}


def test_evaluation_writes_metrics_curves_and_examples(tmp_path: Path) -> None:
    systems = fit_systems({name: load_system_config(name) for name in LEXICAL}, PAIRS[:3], PAIRS, None)
    splits = {"dev": PAIRS[:3], "test": PAIRS[3:]}
    metrics = evaluate(systems, splits)
    assert set(metrics) == {"dev", "test"}
    assert set(metrics["test"]) == set(LEXICAL)
    assert set(metrics["test"]["tfidf"]) == {"task1", "task2"}
    write_curves(tmp_path / "pr.csv", systems, splits)
    rows = list(csv.DictReader((tmp_path / "pr.csv").open()))
    assert {(row["system"], row["split"], row["task"]) for row in rows} == {
        (name, split, task) for name in LEXICAL for split in splits for task in ("task1", "task2")
    }
    assert all(0 <= float(row["precision"]) <= 100 and 0 <= float(row["recall"]) <= 100 for row in rows)
    write_examples(tmp_path / "examples.jsonl", PAIRS[3:], systems["tfidf"])
    lines = [json.loads(line) for line in (tmp_path / "examples.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines] == [pair.id for pair in PAIRS[3:]]
    assert all(line["predicted"] and line["alignments"] for line in lines)


class Killed(Exception):
    """Stands for a kill in the middle of the work."""


def first_of_each(pairs: list[DocumentPair]) -> list[list[Link]]:
    return [[Link(0, 0, AlignmentLabel.ALIGNED)] for _ in pairs]


def run_chunks(output: Path, align, identity: str = "a") -> None:
    bare = [replace(pair, alignments=None) for pair in PAIRS]
    align_in_chunks(bare, align, output, output.with_name("chunks"), 2, identity, "test")


def test_killed_alignment_goes_on_and_ends_alike(tmp_path: Path) -> None:
    run_chunks(tmp_path / "whole" / "out.jsonl", first_of_each)
    calls: list[int] = []

    def dies(pairs: list[DocumentPair]) -> list[list[Link]]:
        calls.append(len(pairs))
        if len(calls) == 3:
            raise Killed
        return first_of_each(pairs)

    output = tmp_path / "killed" / "out.jsonl"
    with pytest.raises(Killed):
        run_chunks(output, dies)
    assert not output.exists()
    again: list[int] = []
    run_chunks(output, lambda pairs: (again.append(len(pairs)), first_of_each(pairs))[1])
    assert again == [2], "two of three chunks were on disk"
    assert output.read_bytes() == (tmp_path / "whole" / "out.jsonl").read_bytes()
    assert not output.with_name("chunks").exists()
    assert [pair.alignments[0].simple for pair in read_pairs(output)] == [0] * len(PAIRS)


def test_chunks_of_another_model_are_not_used(tmp_path: Path) -> None:
    output = tmp_path / "out.jsonl"
    with pytest.raises(Killed):
        run_chunks(output, lambda pairs: (_ for _ in ()).throw(Killed()) if pairs[0].id == "pair-2" else first_of_each(pairs))
    calls: list[int] = []
    run_chunks(output, lambda pairs: (calls.append(1), first_of_each(pairs))[1], identity="b")
    assert len(calls) == 3


def invoke(*arguments: object):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    write_pairs(tmp_path / "gold.jsonl", PAIRS)
    return tmp_path / "gold.jsonl"


def test_evaluate_alignment_command(gold: Path) -> None:
    result = invoke("evaluate-alignment", gold, "--system", "tfidf", "--dev", gold, "--json")
    assert result.exit_code == 0, result.output
    scores = json.loads(result.output)
    assert set(scores["task1"]) == {"precision", "recall", "f1"}
    assert 0 < scores["task2"]["f1"] <= 100


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--system", "tfidf"), "--dev: tfidf needs labelled document pairs"),
        (("--system", "neural_crf"), "--model: neural_crf needs a trained aligner"),
        (("--system", "nothing"), "no alignment system 'nothing'"),
    ],
)
def test_evaluate_alignment_says_what_is_missing(gold: Path, arguments: tuple[str, ...], message: str) -> None:
    result = invoke("evaluate-alignment", gold, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_evaluate_alignment_refuses_unlabelled_pairs(gold: Path, tmp_path: Path) -> None:
    write_pairs(tmp_path / "bare.jsonl", [replace(PAIRS[0], alignments=None)])
    result = invoke("evaluate-alignment", tmp_path / "bare.jsonl", "--system", "tfidf", "--dev", gold)
    assert result.exit_code == 2
    assert "has no 'alignments'" in result.stderr


def test_own_texts_are_paired_and_aligned(gold: Path, tmp_path: Path) -> None:
    (tmp_path / "hard.txt").write_text("The old otter often swims. It hunts.\n\nThe newt waits near the quarry.\n")
    (tmp_path / "easy.txt").write_text("The otter swims.\n\nThe newt waits.\n")
    assert invoke("pair", tmp_path / "hard.txt", tmp_path / "easy.txt", tmp_path / "pair.jsonl").exit_code == 0
    result = invoke("align", tmp_path / "pair.jsonl", tmp_path / "out.jsonl", "--system", "jaccard_align", "--dev", gold)
    assert result.exit_code == 0, result.output
    (pair,) = read_pairs(tmp_path / "out.jsonl")
    assert pair.complex.paragraphs == (("The old otter often swims.", "It hunts."), ("The newt waits near the quarry.",))
    assert [(link.simple, link.complex) for link in pair.alignments] == [(0, 0), (1, 2)]
