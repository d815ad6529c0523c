"""Averages, intervals, differences and agreement of ratings: by hand, by enumeration, by published examples."""

import itertools
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from crowd_sample import SETTINGS
from human_evaluation_sample import refused, run

from textsimp.cli import main
from textsimp.core.results import Resampling, Results
from textsimp.extras.human.guidelines import guidelines
from textsimp.extras.human.rater_agreement import LEVELS, agreement, matrix
from textsimp.extras.human.ratings import table_of, write_ratings
from textsimp.extras.human.summary import summarise

NONE = np.nan
CRITERIA = ("fluency", "adequacy", "simplicity")
Scores = Mapping[str, Sequence[Sequence[int | None]]]
SYSTEMS: Scores = {
    "old/LSTM": [[2, 3], [2, 2], [3, 3], [2, 1]],
    "new/LSTM": [[4, 4], [5, 5], [4, 5], [5, 4]],
    "bad|*name*": [[1, 1], [2, 1], [1, 1], [1, 2]],
}


def rated(scores: Scores, criteria: Sequence[str] = CRITERIA, shared: Sequence[tuple[int, str]] = ()) -> pd.DataFrame:
    """Ratings of each system, sentence by sentence and rater by rater, the same on every criterion.

    shared: sentence (from 1) and system whose output is that of the system "a".
    """
    return table_of(
        [
            (f"rater-{rater}", line, f"item-{line}-{'a' if (line, system) in shared else system}", *cell)
            for system, sentences in scores.items()
            for line, values in enumerate(sentences, 1)
            for rater, value in enumerate(values, 1)
            for cell in ((system, criterion, value) for criterion in criteria)
        ]
    )


def values(results: Results, system: str) -> dict[str, float]:
    return {name: estimate.value for name, estimate in results.measures("ratings", system).items()}


# ---- averages and differences


def test_means_by_hand() -> None:
    cells = [("r1", 1, "fluency", 5), ("r2", 1, "fluency", 4), ("r1", 2, "fluency", 3), ("r2", 2, "fluency", None)]
    cells += [("r1", 1, "adequacy", 2), ("r1", 1, "simplicity", 1)]
    ratings = table_of([(rater, line, f"i{line}", "a", key, value) for rater, line, key, value in cells])
    found = summarise(ratings, None, Resampling(100, 1))
    wanted = {"fluency": (5 + 4 + 3) / 3, "adequacy": 2, "simplicity": 1, "average": (4 + 2 + 1) / 3}
    assert values(found, "a") == pytest.approx(wanted)
    assert found.notes == {"against": "a", "sentences": "2", "raters": "2", "items": "2"} and not found.comparisons


def test_intervals_against_all_resamples() -> None:
    scores = [[5, 4], [2, 2], [4, 3], [1, 2]]
    found = summarise(rated({"a": scores}), None, Resampling(40_000, 3)).get("ratings", "a", "adequacy")
    means = [np.mean([scores[place] for place in drawn]) for drawn in itertools.product(range(4), repeat=4)]
    assert found is not None and [found.low, found.high] == pytest.approx(np.percentile(means, [2.5, 97.5]), abs=0.13)


def test_the_best_is_compared_with_by_default() -> None:
    scores: Scores = {"a": [[3, 3]] * 6, "b": [[4, 5], [5, 4]] * 3, "c": [[4, 4]] * 6}
    found = summarise(rated(scores), None, Resampling(500, 1))
    gap = found.compared("ratings", "average", "a", "b")
    assert found.notes["against"] == "b" and {pair.system for pair in found.comparisons} == {"a", "c"}
    assert gap is not None and (gap.difference, gap.p_bootstrap, gap.p_holm) == (pytest.approx(-1.5), 0, 0)
    named = summarise(rated(scores), "a", Resampling(500, 1)).compared("ratings", "fluency", "b", "a")
    assert named is not None and named.difference == pytest.approx(1.5)


def test_a_shared_output_counts_once_for_agreement_and_for_both_systems() -> None:
    ratings = rated({"a": [[5, 5], [1, 2]], "b": [[5, 5], [3, 3]]}, shared=[(1, "b")])
    assert sorted(matrix(ratings, "fluency").tolist()) == [[1, 2], [3, 3], [5, 5]]
    found = summarise(ratings, "a", Resampling(50, 1))
    assert found.notes["items"] == "3" and found.value("agreement", "fluency", "exact") == pytest.approx(2 / 3)
    assert (values(found, "a")["fluency"], values(found, "b")["fluency"]) == (3.25, 4.0)


def test_what_is_not_rated_has_no_number() -> None:
    alone = rated({"b": [[None, None], [5, 5]]}, ["fluency"])
    found = summarise(pd.concat([rated({"a": [[4, 4], [3, 3]]}), alone], ignore_index=True), None, Resampling(50, 1))
    assert found.notes["against"] == "a" and list(values(found, "b")) == ["fluency"], "b has no average"
    gap = found.compared("ratings", "fluency", "b", "a")
    assert gap is not None and gap.difference == pytest.approx(2.0), "over the sentence rated for both"
    assert found.compared("ratings", "adequacy", "b", "a") is None


def test_wilcoxon_is_that_of_all_signs() -> None:
    """By enumeration: of all ways to put signs before the ranks, the share that is as far from their mean."""
    gaps = [1, -2, 3, 4, -5, 6, 7]
    scores: Scores = {
        "one": [[1 + int(np.sign(gap)) * (rater < abs(gap)) for rater in range(8)] for gap in gaps],
        "other": [[1] * 8] * 7,
    }
    found = summarise(rated(scores, ["match"]), "other", Resampling(20, 1)).value("wilcoxon", "one", "match")
    observed = sum(gap for gap in gaps if gap > 0)
    sums = [np.dot(signs, range(1, 8)) for signs in itertools.product((0, 1), repeat=7)]
    assert found == pytest.approx(np.mean([abs(total - 14) >= abs(observed - 14) for total in sums]), abs=1e-6)


def test_scales_that_differ_have_no_average_and_classes_no_mean() -> None:
    for kind, has_average in (("outputs", True), ("changes", False), ("inspection", False)):
        ratings = table_of([("a", 1, "x", "s", key, 2) for key in guidelines(kind).keys])
        assert ("average" in values(summarise(ratings, None, Resampling(10, 1)), "s")) == has_average
    shares = summarise(rated({"s": [[7], [8], [2], [5]]}, ["class"]), None, Resampling(10, 1))
    wanted = {"deletion": 25, "deletion + paraphrase": 25, "complex rewrites": 25, "defective": 50, "not simpler": 25}
    assert wanted.items() <= values(shares, "s").items() and "class" not in values(shares, "s")
    assert {"linear_kappa", "alpha_ordinal"}.isdisjoint(shares.measures("agreement", "class"))


# ---- agreement


def by_rater(*rows: str) -> np.ndarray:
    """Ratings written as one line of digits a rater, a dot for a missing one; shape (items, raters)."""
    return np.array([[NONE if cell == "." else float(cell) for cell in row] for row in rows]).T


# Krippendorff 2011, sections A (binary, two observers), B (nominal, a to e as 1 to 5) and C (four, with gaps)
SECTION_A = by_rater("0100000010", "1110010000")
SECTION_B = by_rater("112243335441", "212223335444")
SECTION_C = by_rater("123321412...", "1233224125.3", ".3332342251.", "12332441251.")
# the example of the article "Krippendorff's alpha" in Wikipedia: three coders, fifteen units, two of them unpairable
WIKIPEDIA = by_rater(".....34121133.3", "1.213343.......", "..21344.21133.4")
# ten subjects, fourteen raters: the example of the article "Fleiss' kappa" in Wikipedia
FLEISS = "0 0 0 0 14|0 2 6 4 2|0 0 3 5 6|0 3 9 2 0|2 2 8 1 1|7 7 0 0 0|3 2 6 3 0|2 5 3 2 2|6 5 2 1 0|0 2 2 3 7"
FOURTEEN = np.array([np.repeat(np.arange(5.0), [int(cell) for cell in row.split()]) for row in FLEISS.split("|")])
# 20 both yes, 5 yes-no, 10 no-yes, 15 both no: 0.7 observed, 0.5 * 0.6 + 0.5 * 0.4 = 0.5 by chance
FIFTY = by_rater("1" * 25 + "0" * 25, "1" * 20 + "0" * 5 + "1" * 10 + "0" * 15)
PUBLISHED = [
    (SECTION_A, "alpha_nominal", 0.095),
    (SECTION_B, "alpha_nominal", 0.692),
    (SECTION_C, "alpha_nominal", 0.743),
    (SECTION_C, "alpha_ordinal", 0.815),
    (SECTION_C, "alpha_interval", 0.849),
    (WIKIPEDIA, "alpha_nominal", 0.691),
    (WIKIPEDIA, "alpha_interval", 0.811),
    (FOURTEEN, "fleiss_kappa", 0.210),
    (FIFTY, "kappa", 0.4),
    # P = 1 and 1/3, mean 2/3; shares 2/3 and 1/3: 5/9; (2/3 - 5/9) / (4/9); an incomplete item does not count
    (np.array([[1.0, 1, 1], [1, 2, 2], [3, NONE, 3]]), "fleiss_kappa", 1 / 4),
    # (1, 1), (2, 1), (5, 5): distances of values that nobody uses count; 1/3 observed, 59/9 and 17/9 by chance
    (by_rater("125", "115"), "quadratic_kappa", 1 - (1 / 3) / (59 / 9)),
    (by_rater("125", "115"), "linear_kappa", 1 - (1 / 3) / (17 / 9)),
    (np.array([[1.0, 1, 2], [3, NONE, 3], [4, NONE, NONE]]), "exact", 2 / 4),
]


@pytest.mark.parametrize(("ratings", "name", "wanted"), PUBLISHED, ids=[name for _, name, _ in PUBLISHED])
def test_coefficients_of_published_examples_and_by_hand(ratings: np.ndarray, name: str, wanted: float) -> None:
    assert agreement(ratings)[name] == pytest.approx(wanted, abs=0.0005)


def test_mean_over_pairs_leaves_undefined_ones_out() -> None:
    """The third rater shares no item with the others; the fourth agrees with the first and half with the second."""
    ratings = by_rater("12..12", "11..12", "..12..", "12....")
    both, found = agreement(ratings[:, :2]), agreement(ratings)
    assert both["pairs"] == 1 and agreement(ratings[:, [0, 2]])["kappa"] is None
    assert found["pairs"] == 3 and found["kappa"] == pytest.approx((both["kappa"] + 1 + 0) / 3)
    counts = {"raters": 4, "items": 6, "complete_items": 0, "ratings": 12, "missing": 12, "fleiss_kappa": None}
    assert counts.items() <= found.items()


@pytest.mark.parametrize("rows", [["444", "444"], ["1.", ".2"], ["..", ".."], ["123"], ["", ""]])
def test_not_defined_without_room_for_disagreement(rows: list[str]) -> None:
    found = agreement(by_rater(*rows))
    names = ("kappa", "quadratic_kappa", "fleiss_kappa", *(f"alpha_{level}" for level in LEVELS))
    assert {found[name] for name in names} == {None} and found["pairs"] == 0
    assert found["exact"] == (1.0 if rows[0] == "444" else None)


# ---- the command


@pytest.fixture
def table(tmp_path: Path) -> Path:
    write_ratings(tmp_path / "ratings.csv", rated(SYSTEMS))
    return tmp_path / "ratings.csv"


def test_the_command_prints_tables_or_json(table: Path, tmp_path: Path) -> None:
    status, text = run("summary", table, "--samples", 300)
    assert status == 0 and text == run("summary", table, "--samples", 300)[1]
    mean, gap, test = (line for line in text.splitlines() if line.startswith("old/LSTM"))
    assert mean.split()[1] == "2.25" and gap.split()[1] == "-2.25" and gap.endswith("*") and test.split()[1] == "0.2500"
    assert "Difference to new/LSTM" in text and "bad|*name*" in text
    settings = tmp_path / "settings.yaml"
    crowd = "test_every: 4\nleast_accuracy: 0.8\nleast_seconds: 0\njudgements: 3\nmeasures: [tfidf]\n"
    settings.write_text(f"count: 10\nraters: 3\nseed: 4\nsamples: 60\n{crowd}")
    found = json.loads(run("summary", table, "--json", "--against", "old/LSTM", "--settings", settings)[1])
    assert found["resampling"] == {"samples": 60, "seed": 4} and found["notes"]["against"] == "old/LSTM"
    assert found["estimates"]["ratings"]["new/LSTM"]["average"][0] == 4.5
    assert set(found["estimates"]["agreement"]) == set(CRITERIA)


def test_what_is_wrong_is_one_line(table: Path, tmp_path: Path) -> None:
    refused("--against 'd': not in the ratings; they have old/LSTM", "summary", table, "--against", "d")
    write_ratings(tmp_path / "none.csv", rated({"b": [[None]]}))
    refused("no system is rated on all criteria", "summary", tmp_path / "none.csv")
    settings = tmp_path / "settings.yaml"
    for text, said in (("count: 10\n", "raters: missing"), (SETTINGS.replace("count: 3", "count: ten"), "count")):
        settings.write_text(text)
        refused(said, "summary", table, "--settings", settings)


def test_without_its_package_the_extra_is_named(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "krippendorff", None)
    for module in ("rater_agreement", "summary"):
        monkeypatch.delitem(sys.modules, f"textsimp.extras.human.{module}")
    monkeypatch.setattr(sys, "argv", ["textsimp", "human", "summary", str(table)])
    with pytest.raises(SystemExit) as stop:
        main()
    said = "error: krippendorff is not installed; run `pip install 'textsimp[human]'`\n"
    assert (stop.value.code, capsys.readouterr().err) == (2, said)
