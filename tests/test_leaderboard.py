"""The leaderboard on invented systems: ranks, letters, corrected tests, disagreements, submissions, bad input."""

import itertools
import json
import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from leaderboard_sample import BOARD, KEPT, LINES, RESAMPLING, write_releases

from textsimp.core.errors import InputError
from textsimp.core.reading import read_lines
from textsimp.core.results import Estimate, Resampling, Results
from textsimp.core.settings import structured
from textsimp.core.writing import write_lines
from textsimp.evaluation.leaderboard import LeaderboardConfig, add_leaderboard, released_leaderboard
from textsimp.evaluation.simplification import read_test_set
from textsimp.metrics.ranking import (
    RANKED,
    compact_letters,
    letters,
    rank_intervals,
    ranks,
)
from textsimp.metrics.rewriting.kinds import CLASSES
from textsimp.metrics.sari import VARIANTS, sari, sentence_recipe
from textsimp.metrics.tokens import in_form, lines_of_other_form, treebank_form

SYSTEMS = {*KEPT, "identity"}


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_releases(tmp_path_factory.mktemp("raw"))


def test_one_reference_is_scored_against_the_others(raw: Path, tmp_path: Path) -> None:
    """With no rank and no comparison; in ASSET's form, as the outputs are."""
    test = read_test_set(*BOARD.test_set("asset").files(raw))
    first, *others = test.references
    run = tmp_path / "people.jsonl"
    keys = ("source", "model_output", "references")
    rows = [
        dict(zip(keys, row, strict=True))
        for row in zip(test.complex, first, map(list, zip(*others, strict=True)), strict=True)
    ]
    run.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    sets = {**BOARD.test_sets, "asset": replace(BOARD.test_set("asset"), people=str(run))}
    results = ranked(raw, "asset", board=replace(BOARD, test_sets=sets))
    texts = [in_form(lines, "treebank") for lines in (test.complex, first, *others)]
    expected = sari(texts[0], texts[1], texts[2:], sentence_recipe(80))
    assert results.value("people/asset", "reference", "sari") == pytest.approx(expected.value)
    assert results.value("people/asset", "reference", "references") == 2
    assert results.get("people/asset", "reference", "sari.rank") is None and results.scopes() == ["asset"]
    assert not [pair for pair in results.comparisons if pair.scope != "asset"]
    without = ranked(raw, "asset")
    assert all(results.estimates[cell] == value for cell, value in without.estimates.items())
    rows[0]["source"] = "Another sentence."
    run.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with pytest.raises(InputError, match="people.jsonl: its sources are not the sentences of"):
        ranked(raw, "asset", board=replace(BOARD, test_sets=sets))


def ranked(
    raw: Path,
    test_set: str = "turk",
    submissions: Mapping[str, Path] | None = None,
    board: LeaderboardConfig = BOARD,
    resampling: Resampling = RESAMPLING,
    form: str | None = None,
) -> Results:
    results = Results(resampling=resampling)
    add_leaderboard(results, raw, test_set, submissions or {}, board, 80, resampling, form)
    return results


@pytest.fixture(scope="module")
def board(raw: Path) -> Results:
    return ranked(raw)


def values(results: Results, system: str, scope: str = "turk") -> dict[str, float]:
    return {measure: estimate.value for measure, estimate in results.measures(scope, system).items()}


def classes(results: Results, system: str) -> dict[str, Estimate]:
    return {name: results.estimates["turk", system, f"classes.{name}"] for name in CLASSES}


def test_kinds_of_rewriting(raw: Path, board: Results) -> None:
    """The input copies; noise instead of words paraphrases; the shares of each row are of all sentences."""
    assert board.signatures["rewriting"].startswith("rewriting|language:english|")
    for system in (*SYSTEMS, "reference"):
        row = classes(board, system)
        assert sum(share.value for share in row.values()) == pytest.approx(100)
        assert all(0 <= share.low <= share.value <= share.high <= 100 for share in row.values())
    assert classes(board, "identity")["copy"] == Estimate(100.0, 100.0, 100.0)
    assert classes(board, "worst")["not aligned"].value > classes(board, "best")["not aligned"].value


def test_ties_share_a_rank() -> None:
    assert ranks(np.array([3.0, 5.0, 3.0, 1.0])).tolist() == [2, 1, 2, 4]
    assert ranks(np.array([[1.0, 1.0 + 1e-12], [2.0, 1.0]])).tolist() == [[1, 1], [1, 2]]


def test_rank_intervals_of_resamples() -> None:
    """The first system leads in 90 of 100 resamples, the third is always last."""
    resampled = np.array([[9.0] * 90 + [1.0] * 10, [5.0] * 100, [0.0] * 100])
    bounds, first = rank_intervals(resampled)
    assert bounds.tolist() == [[1, 2], [1, 2], [3, 3]]
    assert first.tolist() == [0.9, 0.1, 0.0]


@pytest.mark.parametrize("seed", range(8))
def test_systems_share_a_letter_if_and_only_if_they_do_not_differ(seed: int) -> None:
    draw = random.Random(seed)
    names = [str(number) for number in range(draw.randint(1, 12))]
    different = {pair for pair in itertools.combinations(names, 2) if draw.random() < 0.5}
    groups_of = compact_letters(names, different)
    for pair in itertools.combinations(names, 2):
        assert (set(groups_of[pair[0]]).isdisjoint(groups_of[pair[1]])) == (pair in different), pair
    assert all(groups_of.values()) and groups_of[names[0]].startswith("a")
    used = set("".join(groups_of.values()))
    groups = {letter: {name for name in names if letter in groups_of[name]} for letter in used}
    assert not any(a != b and groups[a] <= groups[b] for a in groups for b in groups), "no letter too many"


def test_treebank_form() -> None:
    text = 'He said "no" (twice) in Rome, didn\'t he? It cost $5.'
    expected = 'he said " no " -lrb- twice -rrb- in rome , did n\'t he ? it cost $ 5 .'
    assert treebank_form(text) == expected
    assert treebank_form(expected) == expected, "what has the form keeps it"
    assert in_form([text], "released") == [text]
    assert lines_of_other_form([text, expected]) == 1
    with pytest.raises(InputError, match="text form 'x': unknown; there is released, treebank"):
        replace(BOARD.test_sets["turk"], form="x")


def test_ranks_are_those_of_the_scores(board: Results) -> None:
    for metric in RANKED:
        ordered = sorted(SYSTEMS, key=lambda key: -values(board, key)[metric])
        assert [values(board, key)[f"{metric}.rank"] for key in ordered] == [1, 2, 3, 4]
    for metric in VARIANTS:
        assert board.get("turk", "best", f"{metric}.rank") == Estimate(1, 1, 1)
        assert board.value("turk", "best", f"{metric}.first") == 1


def test_every_pair_once_in_the_order_of_the_alphabet(board: Results) -> None:
    pairs = list(itertools.combinations(sorted(SYSTEMS), 2))
    assert [(c.measure, (c.system, c.base)) for c in board.comparisons] == list(itertools.product(VARIANTS, pairs))


def test_letters_follow_from_the_pairs(board: Results) -> None:
    for metric in VARIANTS:
        of_systems = letters(board, "turk", metric, BOARD.alpha)
        for contrast, tests in board.comparisons.items():
            if contrast.measure == metric:
                apart = set(of_systems[contrast.system]).isdisjoint(of_systems[contrast.base])
                assert (tests.p_holm < BOARD.alpha) == apart
        assert of_systems["best"] == "a" and of_systems["worst"] != "a"


def test_equal_outputs_are_ties_that_nothing_tells_apart(raw: Path) -> None:
    results = ranked(raw, submissions={"twin": raw / "outputs" / "best.txt"})
    for metric in VARIANTS:
        ranks_of = [results.get("turk", key, f"{metric}.rank") for key in ("twin", "best")]
        assert ranks_of[0] == ranks_of[1]
        of_systems = letters(results, "turk", metric, BOARD.alpha)
        assert of_systems["twin"] == of_systems["best"] == "a"
        tests = results.compared("turk", metric, "best", "twin")
        assert (tests.difference, tests.p_bootstrap, tests.p_randomisation, tests.p_holm) == (0, 1, 1, 1)


def test_cased_text_is_brought_to_the_form_of_the_outputs(raw: Path, board: Results) -> None:
    """The same sentences, cased and untokenised: with the form the scores are those of the tokens, without far off."""
    asset = ranked(raw, "asset")
    metrics = {name for name in asset.signatures if name != "rewriting"}
    assert metrics and all("|text:ptb-lc|version:" in asset.signatures[name] for name in metrics)
    assert not any("text:" in signature for signature in board.signatures.values())
    for key in SYSTEMS:
        assert values(asset, key, "asset") == pytest.approx(values(board, key))
    as_it_is = ranked(raw, "asset", form="released")
    assert as_it_is.value("asset", "best", "sari") != pytest.approx(board.value("turk", "best", "sari"), abs=1)


def test_submissions_of_a_folder(raw: Path, tmp_path: Path) -> None:
    write_lines(tmp_path / "turk" / "mine.txt", read_lines(raw / "outputs" / "middle.txt"))
    (tmp_path / "README.md").write_text("what this is\n", encoding="utf-8")
    results = released_leaderboard(raw, tmp_path, BOARD, 80, RESAMPLING)
    assert results.scopes() == ["turk", "asset"] and results.notes["alpha"] == "0.05"
    assert set(results.systems("turk")) == {*SYSTEMS, "mine", "reference"}
    assert set(results.systems("asset")) == {*SYSTEMS, "reference"}
    assert values(results, "mine") == values(results, "middle")
    assert (results.notes["form.turk"], results.notes["form.asset"]) == ("released", "treebank")


@pytest.mark.parametrize(
    ("name", "lines", "said"),
    [
        ("turk/mine.txt", ["one line"], r"mine.txt:2: 1 lines where .*t.complex has 24"),
        ("turk/mine.txt", [""] * LINES, "mine.txt: has nothing but empty lines"),
        ("turk/best.txt", ["word"] * LINES, "best.txt: 'best' is a row of the leaderboard already"),
        ("turk/identity.txt", ["word"] * LINES, "'identity' is a row"),
        ("turk/mine.csv", ["word"] * LINES, r"mine.csv: neither .*outputs go to TEST_SET/NAME.txt; .* asset, turk"),
        ("turk/deep/mine.txt", ["word"] * LINES, "turk/deep/mine.txt: neither"),
    ],
)
def test_bad_submissions(raw: Path, tmp_path: Path, name: str, lines: list[str], said: str) -> None:
    write_lines(tmp_path / name, lines)
    with pytest.raises(InputError, match=said):
        released_leaderboard(raw, tmp_path, BOARD, 80, RESAMPLING)


def test_bad_releases_and_settings(raw: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="absent: no such folder"):
        released_leaderboard(raw, tmp_path / "absent", BOARD, 80, RESAMPLING)
    with pytest.raises(InputError, match="--test-set 'other': none of asset, turk"):
        ranked(raw, "other")
    with pytest.raises(InputError, match=r"sets: no such folder; fetch the release"):
        ranked(tmp_path)
    with pytest.raises(InputError, match=r"alpha: 1.0 should be less than 1"):
        structured({"alpha": 1.0, "test_sets": {}, "systems": {}}, LeaderboardConfig)
    for name in ("identity", "reference"):
        with pytest.raises(InputError, match=rf"leaderboard.systems.{name}"):
            LeaderboardConfig(0.05, {}, {name: BOARD.systems["best"]})
