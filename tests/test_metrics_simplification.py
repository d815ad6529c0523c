"""Test sets on disk: the evaluation stage, the published table, `textsimp score`, word overlap, and bad input."""

import random
import sys
from pathlib import Path

import pytest

from textsimp.errors import InputError
from textsimp.metrics.commands import score_files
from textsimp.metrics.published import differing_cells, read_table, score_published
from textsimp.metrics.quality import quality_estimates
from textsimp.metrics.simplification import (
    Evaluation,
    EvaluationConfig,
    evaluate_simplification,
    merge_signatures,
    read_test_sets,
)
from textsimp.metrics.word_overlap import edit_distance, simple_string_accuracy, word_f1
from textsimp.textfiles import read_json, write_lines

CONFIG = EvaluationConfig(max_tokens=80, samples=200, seed=1)
COMPLEX = ["The committee decided to purchase a house .", "It rained , but nobody minded ."]
SIMPLE = ["The group chose to buy a house .", "It rained . Nobody minded ."]
OUTPUT = ["The committee chose to buy a house .", "It rained ."]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Corpora with two test sets, `a` with one reference and `b` with two, and the outputs of one simplifier."""
    for name, references in (("a", [SIMPLE]), ("b", [SIMPLE, COMPLEX])):
        write_lines(tmp_path / f"corpora/test/{name}.complex", COMPLEX)
        for number, lines in enumerate(references):
            write_lines(tmp_path / f"corpora/test/{name}.reference.{number}", lines)
        write_lines(tmp_path / f"outputs/auto/lstm/{name}.txt", OUTPUT)
    return tmp_path


def _evaluate(folder: Path) -> Evaluation:
    return evaluate_simplification(folder / "corpora", folder / "outputs", ["auto"], ["lstm"], CONFIG)


def test_evaluation(folder: Path) -> None:
    result = _evaluate(folder).scores
    assert list(result["test_sets"]) == ["a", "b"]
    for rows in result["test_sets"].values():
        assert set(rows) == {"none", "auto"}
        assert set(rows["none"]["reference"]) == {"fk", "len"}
        assert rows["none"]["identity"]["add"] == rows["none"]["identity"]["del"] == 0
        assert rows["auto"]["lstm"]["sari"] > rows["none"]["identity"]["sari"]
        assert set(rows["auto"]["lstm"]) == {
            *("sari", "add", "keep", "del", "fk", "len", "bleu"),
            *("sari_corpus", "sari_corpus_add", "sari_corpus_keep", "sari_corpus_del"),
        }
    assert result["signatures"]["sari"].endswith("|nrefs:var|version:1")
    assert result["test_sets"]["a"]["none"]["reference"]["len"] == pytest.approx(14 / 3)


def test_intervals_and_differences(folder: Path) -> None:
    found = _evaluate(folder)
    assert found.significance["resampling"] == {"samples": 200, "seed": 1, "confidence": 95}
    for name, rows in found.significance["test_sets"].items():
        scores = found.scores["test_sets"][name]
        for system in ("none/identity", "auto/lstm"):
            training_set, simplifier = system.split("/")
            intervals = rows["intervals"][system]
            assert intervals.keys() == scores[training_set][simplifier].keys()
            for part, (low, high) in intervals.items():
                assert low <= high
                if part not in ("bleu", "fk"):  # of two lines, brevity and sentence length leave the others' range
                    assert low - 1e-9 <= scores[training_set][simplifier][part] <= high + 1e-9
        assert rows["pairs"].keys() == found.scores["signatures"].keys()
        tests = rows["pairs"]["sari"]["none/identity"]["auto/lstm"]
        gap = scores["none"]["identity"]["sari"] - scores["auto"]["lstm"]["sari"]
        assert tests["difference"] == pytest.approx(gap) and tests["low"] <= gap <= tests["high"] < 0
        assert tests["p_bootstrap"] == 0 < tests["p_randomisation"]


def test_signatures_are_merged_only_where_they_differ() -> None:
    one = {"bleu": "BLEU|nrefs:1|version:1", "fk": "FK|version:1"}
    assert merge_signatures([one, dict(one)]) == one
    assert merge_signatures([one, {**one, "bleu": "BLEU|nrefs:8|version:1"}])["bleu"] == "BLEU|nrefs:var|version:1"


@pytest.mark.parametrize("lines", [OUTPUT[:1], [*OUTPUT, ""]])
def test_output_with_a_line_too_many_or_too_few(folder: Path, lines: list[str]) -> None:
    write_lines(folder / "outputs/auto/lstm/b.txt", lines)
    with pytest.raises(InputError, match=f"lstm/b.txt:.*{len(lines)} lines where .*b.complex has 2"):
        _evaluate(folder)


def test_reference_with_a_line_too_few(folder: Path) -> None:
    write_lines(folder / "corpora/test/b.reference.1", SIMPLE[:1])
    with pytest.raises(InputError, match="b.reference.1:2: 1 lines where .*b.complex has 2"):
        _evaluate(folder)


def test_missing_parts(folder: Path) -> None:
    (folder / "outputs/auto/lstm/b.txt").unlink()
    with pytest.raises(InputError, match="b.txt: no such file"):
        _evaluate(folder)
    (folder / "corpora/test/a.reference.0").unlink()
    with pytest.raises(InputError, match="a.complex: has no references"):
        _evaluate(folder)
    with pytest.raises(InputError, match="holds no test set"):
        evaluate_simplification(folder, folder, [], [], CONFIG)


def test_more_than_ten_references_are_in_order(folder: Path) -> None:
    for number in range(11):
        write_lines(folder / f"corpora/test/a.reference.{number}", SIMPLE)
    write_lines(folder / "corpora/test/a.reference.10", OUTPUT)
    references = read_test_sets(folder / "corpora/test")[0].references
    assert [lines == OUTPUT for lines in references] == [False] * 10 + [True]


def test_stage(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from stages.evaluate_simplification import main

    (folder / "params.yaml").write_text(
        "evaluation: {max_tokens: 80, samples: 200, seed: 1}\ntraining_sets: [auto]\nsimplifiers: [lstm]\n"
    )
    monkeypatch.chdir(folder)
    arguments = "x c --corpora corpora --outputs outputs --metrics m.json --details d.json".split()
    monkeypatch.setattr(sys, "argv", arguments)
    main()
    found = _evaluate(folder)
    assert (read_json("m.json"), read_json("d.json")) == (found.scores, found.significance)
    write_lines(folder / "outputs/auto/lstm/a.txt", [])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    error = capsys.readouterr().err
    assert "outputs/auto/lstm/a.txt:1: 0 lines" in error
    assert "Traceback" not in error


def test_score_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    test = folder / "corpora/test"
    references = [test / "b.reference.0", test / "b.reference.1"]
    scores = score_files(test / "b.complex", folder / "outputs/auto/lstm/b.txt", references).as_dict()
    row = _evaluate(folder).scores["test_sets"]["b"]["auto"]["lstm"]
    assert {name: scores[name] for name in row} == pytest.approx(row, abs=1e-9)
    assert (scores["lines"], scores["references"]) == (2, 2)
    assert scores["signatures"]["sari"] == "SARI|level:sentence|del:precision|tok:none|case:lc|nrefs:2|version:1"


def test_score_files_refuses(folder: Path) -> None:
    test = folder / "corpora/test"
    with pytest.raises(InputError, match="one of the files only"):
        score_files("-", "-", [test / "a.reference.0"])
    with pytest.raises(InputError, match="one reference at least"):
        score_files(test / "a.complex", test / "a.complex", [])
    write_lines(folder / "empty", [])
    with pytest.raises(InputError, match="empty: has no lines"):
        score_files(folder / "empty", folder / "empty", [folder / "empty"])
    (folder / "binary").write_bytes(b"a\0b\n")
    with pytest.raises(InputError, match="binary:1: holds a NUL"):
        score_files(folder / "binary", folder / "binary", [folder / "binary"])


def test_published_table(mirror: Path, root: Path, tmp_path: Path) -> None:
    table = root / "data/published/simplification_turk.csv"
    result = score_published(mirror, table, CONFIG)
    systems = [row for row in result["rows"] if len(row["published"]) == 6 and row["train_set"] != "none"]
    assert len(systems) == 8
    assert differing_cells(systems) == []
    assert result["cells"] == {"compared": 56, "equal": 55}
    (only,) = result["differences"]
    assert (only["system"], only["metric"], only["published"]) == ("Complex (input)", "fk", 13.6)
    assert only["ours"] == pytest.approx(13.363261, abs=1e-4)


def test_published_table_that_is_none(root: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        score_published(tmp_path, root / "data/published/simplification_turk.csv", CONFIG)
    write_lines(tmp_path / "t.csv", ["system,sari", "LSTM,1"])
    with pytest.raises(InputError, match="t.csv:1: has no column add, del, fk, keep, len, train_set"):
        read_table(tmp_path / "t.csv")
    write_lines(tmp_path / "t.csv", ["system,train_set,sari,add,keep,del,fk,len", "LSTM,wikilarge,x,,,,,"])
    with pytest.raises(InputError, match="t.csv:2: .*'x'"):
        read_table(tmp_path / "t.csv")


def test_rounding_of_cells() -> None:
    row = {"system": "s", "train_set": "t", "ours": {"sari": 33.84, "add": 2.0}}
    row["published"] = {"sari": 33.8, "add": 2.1}
    assert [cell["metric"] for cell in differing_cells([row])] == ["add"]


def _distance(left: list[str], right: list[str]) -> int:
    if not left or not right:
        return len(left) + len(right)
    change = _distance(left[1:], right[1:]) + (left[0] != right[0])
    return min(change, _distance(left[1:], right) + 1, _distance(left, right[1:]) + 1)


@pytest.mark.parametrize("seed", range(20))
def test_edit_distance_against_recursion(seed: int) -> None:
    generator = random.Random(seed)
    left, right = ([generator.choice("abc") for _ in range(generator.randint(0, 6))] for _ in range(2))
    assert edit_distance(left, right) == _distance(left, right)


def test_word_overlap_by_hand() -> None:
    score = word_f1(["A b b", ""], ["b b c", ""])
    assert score.parts == pytest.approx({"macro": (200 / 3 + 100) / 2, "micro": 200 / 3})
    score = simple_string_accuracy(["a x c d", "q"], ["a b c", "q"])
    assert score.parts == pytest.approx({"macro": (100 / 3 + 100) / 2, "micro": 50})
    assert str(score.signature) == "SSA|level:sentence|tok:none|case:lc|nrefs:1|version:1"
    assert simple_string_accuracy(["a b c"], ["d"]).value == -200
    with pytest.raises(ValueError, match="got 2 and 1"):
        word_f1(["a", "b"], ["a"])


def test_quality_by_hand() -> None:
    scores = quality_estimates(["A b c d.", ""], ["a b. e", ""])
    assert {name: score.value for name, score in scores.items()} == pytest.approx(
        {
            "compression_ratio": 7 / 9 / 2,  # "a b . e" and "a b c d ."
            "sentence_splits": (2 / 1 + 0) / 2,
            "levenshtein_similarity": (2 * 5 / 16 + 1) / 2,
            "exact_copies": 0.5,
            "additions": 1 / 5 / 2,
            "deletions": 2 / 5 / 2,
        }
    )
    with pytest.raises(ValueError, match="got 1 and 0"):
        quality_estimates([], ["a"])
