"""The analysis: sums over subsets, samples, references and people, differences; the stage through its command line."""

import json
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import analysis_sample as sample
import pytest

from stages.analyse import main
from textsimp.core.errors import InputError
from textsimp.core.results import Estimate, Resampling, Results
from textsimp.core.settings import structured
from textsimp.evaluation.rewriting_analysis import AnalysisConfig, analyse, bin_names, drawn
from textsimp.evaluation.simplification import read_outputs, read_test_sets
from textsimp.metrics.registry import IDENTITY, REFERENCE
from textsimp.metrics.rewriting.kinds import GROUPS, PARTS, Rewriting, rewriting_statistics, rewritings
from textsimp.metrics.rewriting.units import units_of
from textsimp.metrics.sari import sari, sentence_recipe
from textsimp.metrics.tokens import tokenise

SYSTEMS = [IDENTITY, *(f"{name}.{training}" for training in ("new", "old") for name in sample.SIMPLIFIERS)]


def test_bins_add_up_to_the_whole(analysis_root: Path, analysis: Results) -> None:
    """No sentence has so few tokens as the first bin; a bin of few sentences has scores without intervals."""
    (test,) = read_test_sets(sample.folders(analysis_root).corpora / "test")
    lines = read_outputs(sample.folders(analysis_root).outputs, test, sample.TRAINING_SETS, sample.SIMPLIFIERS)
    assert set(lines) == set(SYSTEMS)
    scopes = [scope for scope in analysis.scopes("both") if scope.startswith("both/length=")]
    assert scopes == [f"both/length={name}" for name in ("0-5", "6-9", "10-12", "13-")] and bin_names([]) == ["0-"]
    lengths = [len(tokenise(line, "13a")) for line in test.complex]
    sizes = {scope: analysis.value(scope, REFERENCE, "sentences") for scope in scopes}
    assert sum(sizes.values()) == len(test.complex) == analysis.value("both", REFERENCE, "sentences")
    assert sizes["both/length=10-12"] == sum(10 <= length <= 12 for length in lengths) > 0
    assert sizes["both/length=0-5"] == 0 and analysis.systems("both/length=0-5") == [REFERENCE]
    for name in SYSTEMS:
        total = sum(size * analysis.value(scope, name, "sari") for scope, size in sizes.items() if size)
        score = sari(test.complex, lines[name], test.references, sentence_recipe()).value
        assert total / len(test.complex) == pytest.approx(score)
    for scope, size in sizes.items():
        estimate = analysis.get(scope, "lstm.new", "sari")
        assert size == 0 or (estimate.low is not None) == (size >= sample.CONFIG.min_sentences)


def test_parts_are_the_shares_of_each_version() -> None:
    source = sample.sentences(20, 3)
    versions = [rewritings(units_of(source, sample.simpler(source, seed))) for seed in (1, 2)]
    first, other, both = (rewriting_statistics(rows).score() for rows in (versions[:1], versions[1:], versions))
    classes, units = versions[0].classes, len(versions[0].classes)
    aligned = units - classes.count(Rewriting.NOT_ALIGNED)
    assert first.value == 100 * aligned / units
    for name in PARTS["classes"]:
        assert first.parts[f"classes.{name}"] == 100 * classes.count(Rewriting(name)) / units
    for name in PARTS["word_operations"]:
        number = sum(getattr(unit, name) for unit in versions[0].words)
        assert first.parts[f"word_operations.{name}"] == pytest.approx(100 * number / aligned)
    for name in PARTS["edit_rates"]:
        words = "simple_words" if name in ("inserted", "written") else "complex_words"
        number, total = (sum(getattr(unit, column) for unit in versions[0].edits) for column in (name, words))
        assert first.parts[f"edit_rates.{name}"] == pytest.approx(100 * number / total)
    for name, kinds in GROUPS.items():
        assert first.parts[f"groups.{name}"] == pytest.approx(sum(first.parts[f"classes.{kind}"] for kind in kinds))
    copies = [score.parts["classes.copy"] for score in (first, other, both)]
    assert copies[2] == pytest.approx((copies[0] + copies[1]) / 2)


def test_differences_are_of_the_same_sentences(analysis: Results) -> None:
    measures = ["aligned", *(f"{group}.{name}" for group, names in PARTS.items() for name in names)]
    assert set(analysis.systems("both")) == {*SYSTEMS, REFERENCE}
    assert analysis.get("both", IDENTITY, "classes.copy") == Estimate(100.0, 100.0, 100.0)
    pairs = {(c.system, c.base) for c in analysis.comparisons if c.scope == "both" and c.measure == "classes.copy"}
    assert pairs == {(f"{n}.new", f"{n}.old") for n in sample.SIMPLIFIERS}
    for name, base in pairs:
        for measure in measures:
            gap = analysis.value("both", name, measure) - analysis.value("both", base, measure)
            assert analysis.comparisons["both", measure, name, base].difference == pytest.approx(gap), (name, measure)
    assert analysis.comparisons["both", "classes.copy", "lstm.new", "lstm.old"].difference != 0


def test_sources_of_the_corpus(analysis: Results) -> None:
    """Documents keep one sentence, split one, leave one out and merge two; training pairs are train and dev."""
    assert set(analysis.systems("documents")) == {"manual", "auto", "old"}
    assert set(analysis.systems("pairs")) == {"auto", "old"}
    sizes = {name: analysis.value("documents", name, "units") for name in analysis.systems("documents")}
    assert sizes == {"manual": 6 * 3, "auto": 3 * 3, "old": 4 * 3}
    assert {analysis.value("pairs", name, "units") for name in ("auto", "old")} == {25}
    row = {measure: estimate.value for measure, estimate in analysis.measures("documents", "manual").items()}
    split = row["classes.splitting"] + row["classes.splitting + paraphrase"]
    assert row["classes.copy"] == split == pytest.approx(100 / 3)
    counts = {"skip simple": 0, "skip normal": 6, "one normal to one simple": 6, "one normal to two simple": 6}
    counts |= {"two normal to one simple": 6, "other": 0}
    assert {name: row[f"sentence_operations.{name}.count"] for name in counts} == counts
    assert row["sentence_operations.total"] == 24 and row["sentence_operations.skip normal"] == 25
    for scope in ("documents", "pairs"):
        assert {contrast[2:] for contrast in analysis.comparisons if contrast.scope == scope} == {("auto", "old")}


def test_the_sample_is_drawn_in_order_and_the_same_each_time() -> None:
    assert drawn(iter("abc"), 5, 1) == (list("abc"), 3) and drawn([], 5, 1) == ([], 0)
    few, total = drawn(range(1000), 50, 1)
    assert total == 1000 and len(set(few)) == 50 and few == sorted(few)
    assert drawn(range(1000), 50, 1)[0] == few != drawn(range(1000), 50, 2)[0]


def test_one_training_set_no_annotation_and_more_units_than_the_sample(tmp_path: Path) -> None:
    """Nothing to compare with, and no manual source."""
    sample.write_corpus(tmp_path)
    for split in (tmp_path / "data" / "splits" / "small").iterdir():
        split.write_text("", encoding="utf-8")
    plan = replace(sample.PLAN, training_sets=["old"], config=replace(sample.CONFIG, units=4))
    analysis = analyse(sample.folders(tmp_path), replace(plan, resampling=Resampling(5, 1)))
    assert analysis.systems("documents") == analysis.systems("pairs") == ["old"]
    assert not analysis.comparisons
    assert [analysis.value("pairs", "old", name) for name in ("available", "units")] == [25, 4]


STAGE = (
    "small --corpora data/corpora/small --alignments data/alignments/small --splits data/splits/small"
    f" --outputs data/outputs/small --labelled {sample.LABELLED} --results reports/analysis/small.json"
    " --metrics reports/metrics/analysis.small.json"
)


def test_the_file_has_numbers_and_names_only(analysis: Results) -> None:
    assert sample.MARKER not in analysis.to_json()
    assert analysis.notes == {"units": "2000", "lengths": "5 9 12", "min_sentences": "10"}
    assert set(analysis.signatures) == {"rewriting", "sari", "sari_corpus"}


def test_agreement_with_labels(analysis: Results) -> None:
    for half, units in (("labelled.test", 84), ("labelled.drawn-test", 100)):
        row = analysis.measures(half, "classifier")
        assert row["units"].value == units and row["accuracy"].low < row["accuracy"].value < row["accuracy"].high < 1
        assert row["kappa"].value > 0.5


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
        structured({**asdict(sample.CONFIG), **changes}, AnalysisConfig)


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["analyse", *STAGE.split()])
    return main


def test_the_stage(
    tmp_path: Path, stage: Callable[[], None], capfd: pytest.CaptureFixture[str], analysis: Results
) -> None:
    sample.write_corpus(tmp_path)
    stage()
    assert Results.read(tmp_path / "reports" / "analysis" / "small.json") == analysis
    assert (tmp_path / "reports" / "metrics" / "analysis.small.json").is_file()
    assert sample.MARKER not in capfd.readouterr().err


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("data/outputs/small/old/lstm/both.txt", "", "both.txt: no such file"),
        ("data/alignments/small/old.jsonl", "{\n", "old.jsonl:1: not JSON"),
        ("params.yaml", json.dumps({**sample.SETTINGS, "analysis": {}}), "analysis"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(
    tmp_path: Path, stage: Callable[[], None], capfd: pytest.CaptureFixture[str], name: str, text: str, message: str
) -> None:
    sample.write_corpus(tmp_path, lines=12)
    (tmp_path / name).unlink()
    if text:
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit) as stopped:
        stage()
    assert stopped.value.code == 2
    errors = capfd.readouterr().err
    assert errors.startswith("error: ") and errors.count("\n") == 1
    assert message in errors and sample.MARKER not in errors
    assert not (tmp_path / "reports").exists()
