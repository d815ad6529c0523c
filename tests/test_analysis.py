"""The analysis: sums over subsets, samples, references and people, differences."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from analysis_sample import CONFIG, PLAN, SIMPLIFIERS, TRAINING_SETS, folders, sentences, simpler, write_corpus

from textsimp.metrics.analysis.corpora import drawn
from textsimp.metrics.analysis.kinds import kind_statistics, rewrite
from textsimp.metrics.analysis.resamples import resample
from textsimp.metrics.analysis.run import analyse
from textsimp.metrics.analysis.subsets import by_length, length_bins, sari_of
from textsimp.metrics.analysis.systems import IDENTITY, REFERENCE
from textsimp.metrics.resampling import paired_bootstrap
from textsimp.metrics.rewriting.distribution import Resampling, shares
from textsimp.metrics.rewriting.pairs import units_of
from textsimp.metrics.rewriting.statistics import GROUPS, PARTS
from textsimp.metrics.sari import sari_sentence
from textsimp.metrics.simplification import EvaluationSet, read_test_sets

SYSTEMS = [IDENTITY, *(f"{training}/{name}" for training in TRAINING_SETS for name in SIMPLIFIERS)]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("analysis")
    write_corpus(folder)
    return folder


@pytest.fixture(scope="module")
def found(root: Path) -> dict[str, Any]:
    return analyse(folders(root), PLAN)


def test_every_length_is_in_one_bin() -> None:
    bins = length_bins([5, 9])
    assert bins == [(0, 5), (6, 9), (10, None)] and length_bins([]) == [(0, None)]
    for length in range(30):
        assert sum(low <= length and (high is None or length <= high) for low, high in bins) == 1


def test_bins_and_kinds_add_up_to_the_whole(root: Path, found: dict[str, Any]) -> None:
    (test,) = read_test_sets(root / "data" / "corpora" / "small" / "test")
    result = found["test_sets"]["both"]
    for subsets in (result["length"], list(result["kind"].values())):
        assert sum(one["sentences"] for one in subsets) == len(test.complex) == result["rewriting"]["sentences"]
        for name in SYSTEMS:
            filled = [one for one in subsets if one["sentences"]]
            whole = sum(one["sentences"] * one["systems"]["sari"][name]["value"] for one in filled) / len(test.complex)
            lines = test.complex if name == IDENTITY else _output(root, name)
            assert whole == pytest.approx(sari_sentence(test.complex, lines, test.references).value)


def _output(root: Path, name: str) -> list[str]:
    return (root / "data" / "outputs" / "small" / name / "both.txt").read_text(encoding="utf-8").splitlines()


def test_orders_average_to_the_operations(root: Path, found: dict[str, Any]) -> None:
    (test,) = read_test_sets(root / "data" / "corpora" / "small" / "test")
    sari = sari_of({name: _output(root, name) for name in SYSTEMS[1:]}, test, PLAN)
    for name, metrics in sari.items():
        for metric, statistics in metrics.items():
            parts = statistics.score().parts
            for operation, row in found["test_sets"]["both"]["order"][metric][name].items():
                assert len(row) == 4 and np.mean([one["value"] for one in row]) == pytest.approx(parts[operation])
                assert all(one["low"] <= one["value"] <= one["high"] for one in row)


def test_a_subset_is_scored_and_resampled_alone(root: Path, found: dict[str, Any]) -> None:
    """A bin's numbers are those of its sentences as a test set of their own."""
    (test,) = read_test_sets(root / "data" / "corpora" / "small" / "test")
    bins = found["test_sets"]["both"]["length"]
    inside = next(one for one in bins if one["sentences"] >= CONFIG.min_sentences)
    alone = replace(CONFIG, lengths=[])
    kept = [k for k, line in enumerate(test.complex) if _length(line, inside)]
    lines = {IDENTITY: test.complex, **{name: _output(root, name) for name in SYSTEMS[1:]}}
    references = [_at(side, kept) for side in test.references]
    part = EvaluationSet("part", test.complex_file, _at(test.complex, kept), references)
    sari = sari_of({name: _at(side, kept) for name, side in lines.items()}, part, PLAN)
    (whole,) = by_length(sari, part.complex, replace(PLAN, config=alone))
    assert {key: whole[key] for key in ("sentences", "systems", "new_to_old")} == {
        key: inside[key] for key in ("sentences", "systems", "new_to_old")
    }


def _length(line: str, one: dict[str, Any]) -> bool:
    tokens = len(line.replace(",", " ,").replace(".", " .").split())
    return one["from"] <= tokens and (one["to"] is None or tokens <= one["to"])


def _at(lines: Any, places: list[int]) -> list[str]:
    return [lines[k] for k in places]


def test_empty_and_small_subsets(found: dict[str, Any]) -> None:
    """No sentence has so few tokens; a class of few sentences has scores without intervals."""
    result = found["test_sets"]["both"]
    assert result["length"][0] == {"from": 0, "to": 5, "sentences": 0, "systems": {}, "new_to_old": {}}
    assert result["kind"]["not aligned"]["sentences"] == 0 == len(result["kind"]["not aligned"]["systems"])
    few = [one for one in result["kind"].values() if 0 < one["sentences"] < CONFIG.min_sentences]
    many = [one for one in result["kind"].values() if one["sentences"] >= CONFIG.min_sentences]
    assert few and many
    for subset in (*few, *many):
        sure = subset in many
        for row in subset["systems"]["sari"].values():
            assert (row["low"] is not None) == sure == (row["high"] is not None)
        assert all((row["p"] is not None) == sure for row in subset["new_to_old"]["sari"].values())


def test_parts_are_the_shares_of_each_version() -> None:
    source = sentences(20, 3)
    versions = [rewrite(units_of(source, simpler(source, seed)), CONFIG.language) for seed in (1, 2)]
    one = kind_statistics(versions[:1], CONFIG.language)
    result, numbers = shares(versions[0], Resampling(10, 1)), dict(zip(one.parts, one.per_segment().T[1:], strict=True))
    score = one.score()
    assert score.value == 100 * result["aligned"] / result["units"]
    classes = {name: found["share"] for name, found in result["classes"].items()}
    assert {name: score.parts[name] for name in PARTS["classes"]} == classes
    assert {name: score.parts[name] for name in PARTS["word_operations"]} == pytest.approx(result["word_operations"])
    rates = {name: 100 * rate for name, rate in result["edit_rates"].items()}
    assert {name: score.parts[name] for name in PARTS["edit_rates"]} == pytest.approx(rates)
    for name, kinds in GROUPS.items():
        assert score.parts[name] == pytest.approx(sum(score.parts[kind.value] for kind in kinds))
        assert set(numbers[name]) <= {0.0, 100.0}
    both = kind_statistics(versions, CONFIG.language)
    other = kind_statistics(versions[1:], CONFIG.language).score()
    assert both.score().parts["copy"] == pytest.approx((score.parts["copy"] + other.parts["copy"]) / 2)
    assert both.counts.shape == one.counts.shape


def test_statistics_need_units() -> None:
    for versions in (
        [],
        [rewrite([], CONFIG.language)],
        [rewrite(units_of(["A."] * n, ["A."] * n), CONFIG.language) for n in (1, 2)],
    ):
        with pytest.raises(ValueError, match="as many units"):
            kind_statistics(versions, CONFIG.language)


def test_differences_are_of_the_same_sentences(found: dict[str, Any]) -> None:
    result = found["test_sets"]["both"]["rewriting"]
    assert set(result["systems"]) == {*SYSTEMS, REFERENCE} and set(result["to_reference"]) == set(SYSTEMS)
    assert set(result["new_to_old"]) == {f"old/{name}" for name in SIMPLIFIERS}
    assert result["systems"][IDENTITY]["copy"] == {"value": 100.0, "low": 100.0, "high": 100.0}
    for name, row in result["to_reference"].items():
        for part, one in row.items():
            values = (result["systems"][side][part]["value"] for side in (name, REFERENCE))
            assert one["difference"] == pytest.approx(next(values) - next(values)), (name, part)
    new, old = (result["systems"][f"{training}/lstm"] for training in TRAINING_SETS)
    row = result["new_to_old"]["old/lstm"]
    for part, one in row.items():
        assert one["difference"] == pytest.approx(new[part]["value"] - old[part]["value"])
    assert row["copy"]["difference"] != 0
    assert row["copy"]["percent"] == pytest.approx(100 * (new["copy"]["value"] / old["copy"]["value"] - 1))
    assert result["new_to_old"]["old/lstm"]["not aligned"]["percent"] is None


def test_intervals_are_those_of_the_paired_bootstrap() -> None:
    source = sentences(30, 4)
    sides = {
        name: [rewrite(units_of(source, simpler(source, seed)), CONFIG.language)] for name, seed in (("a", 1), ("b", 2))
    }
    statistics = {name: kind_statistics(versions, CONFIG.language) for name, versions in sides.items()}
    pair, column = resample(statistics, 200, 9), 1 + statistics["a"].parts.index("deletion")
    counts = [one.counts for one in statistics.values()]
    expected = paired_bootstrap(*counts, lambda sums: statistics["a"].function(sums)[..., column], 200, 9)
    one = pair["a"].minus(pair["b"], column)
    assert {name: one[name] for name in ("difference", "low", "high", "p")} == expected.as_dict()


def test_sources_of_the_corpus(found: dict[str, Any]) -> None:
    """Documents keep one sentence, split one, leave one out and merge two; training pairs are train and dev."""
    corpus = found["corpus"]
    assert {kind: set(rows) for kind, rows in corpus["sources"].items()} == {
        "documents": {"manual", "auto", "old"},
        "pairs": {"auto", "old"},
    }
    sizes = {name: row["units"] for name, row in corpus["sources"]["documents"].items()}
    assert sizes == {"manual": 6 * 3, "auto": 3 * 3, "old": 4 * 3}
    assert {row["units"] for row in corpus["sources"]["pairs"].values()} == {25}
    parts = corpus["sources"]["documents"]["manual"]["parts"]
    split = parts["splitting"]["value"] + parts["splitting + paraphrase"]["value"]
    assert parts["copy"]["value"] == split == pytest.approx(100 / 3)
    operations = corpus["operations"]["manual"]
    assert operations["counts"] == {
        "skip simple": 0,
        "skip normal": 6,
        "one normal to one simple": 6,
        "one normal to two simple": 6,
        "two normal to one simple": 6,
        "other": 0,
    }
    assert operations["total"] == 24 and operations["percent"]["skip normal"] == 25
    assert {kind: set(rows) for kind, rows in corpus["differences"].items()} == {"documents": {"old"}, "pairs": {"old"}}


def test_the_sample_is_drawn_in_order_and_the_same_each_time() -> None:
    few, total = drawn(iter("abc"), 5, 1)
    assert (few, total) == (list("abc"), 3) and drawn([], 5, 1) == ([], 0)
    sample, total = drawn(range(1000), 50, 1)
    assert total == 1000 and len(set(sample)) == 50 and sample == sorted(sample)
    assert drawn(range(1000), 50, 1)[0] == sample != drawn(range(1000), 50, 2)[0]


def test_every_item_is_as_likely() -> None:
    counts = np.zeros(20)
    for seed in range(2000):
        counts[drawn(range(20), 5, seed)[0]] += 1
    # a binomial share: 500 of 2000 each, with a standard deviation of 19
    assert counts.sum() == 5 * 2000 and np.abs(counts - 500).max() < 5 * 19


def test_a_corpus_larger_than_the_sample(root: Path) -> None:
    plan = replace(PLAN, config=replace(CONFIG, units=4, samples=5))
    pairs = analyse(folders(root), plan)["corpus"]["sources"]["pairs"]["auto"]
    assert (pairs["available"], pairs["units"]) == (25, 4)


def test_new_minus_old_in_whatever_order_the_training_sets_come(root: Path, found: dict[str, Any]) -> None:
    turned = analyse(folders(root), replace(PLAN, training_sets=["old", "auto"]))
    assert turned["corpus"]["differences"] == found["corpus"]["differences"]
    test, other = (one["test_sets"]["both"] for one in (turned, found))
    assert test["rewriting"]["new_to_old"] == other["rewriting"]["new_to_old"]
    assert test["length"][1]["new_to_old"] == other["length"][1]["new_to_old"]


def test_one_training_set_and_no_annotation(root: Path, tmp_path: Path) -> None:
    """Nothing to compare with, and no manual source."""
    write_corpus(tmp_path)
    for split in ("train", "dev", "test"):
        (tmp_path / "data" / "splits" / "small" / f"{split}.jsonl").write_text("", encoding="utf-8")
    found = analyse(folders(tmp_path), replace(PLAN, training_sets=["old"]))
    assert set(found["corpus"]["sources"]["documents"]) == set(found["corpus"]["operations"]) == {"old"}
    assert found["corpus"]["differences"] == {"documents": {}, "pairs": {}}
    assert found["test_sets"]["both"]["rewriting"]["new_to_old"] == {}
