"""The leaderboard on invented systems: ranks, letters, corrected tests, disagreements, submissions, bad input."""

import itertools
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest
from leaderboard_sample import BOARD, KEPT, LINES, RESAMPLING, write_releases

from textsimp.core.errors import InputError
from textsimp.core.reading import read_lines
from textsimp.core.results import Estimate, Results
from textsimp.core.settings import structured
from textsimp.core.writing import write_lines
from textsimp.evaluation.leaderboard import LeaderboardConfig, add_leaderboard, released_leaderboard
from textsimp.evaluation.simplification import read_test_set
from textsimp.metrics.ranking import RANKED, compact_letters, letters, rank_intervals, ranks
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
    columns = test.complex, first, zip(*others, strict=True)
    rows = [{"source": a, "model_output": b, "references": c} for a, b, c in zip(*columns, strict=True)]
    write_lines(run, map(json.dumps, rows))
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
    write_lines(run, map(json.dumps, rows))
    with pytest.raises(InputError, match="people.jsonl: its sources are not the sentences of"):
        ranked(raw, "asset", board=replace(BOARD, test_sets=sets))


def ranked(
    raw: Path,
    test_set: str = "turk",
    submissions: Mapping[str, Path] = MappingProxyType({}),
    board: LeaderboardConfig = BOARD,
    form: str | None = None,
) -> Results:
    results = Results(resampling=RESAMPLING)
    add_leaderboard(results, raw, test_set, submissions, board, 80, RESAMPLING, form)
    return results


@pytest.fixture(scope="module")
def board(raw: Path) -> Results:
    return ranked(raw)


def values(results: Results, system: str, scope: str = "turk") -> dict[str, float]:
    return {measure: estimate.value for measure, estimate in results.measures(scope, system).items()}


def test_kinds_of_rewriting(board: Results) -> None:
    """The input copies; noise instead of words paraphrases; the shares of each row are of all sentences."""
    assert board.signatures["rewriting"].startswith("rewriting|language:english|")
    for system in (*SYSTEMS, "reference"):
        shares = [board.estimates["turk", system, f"classes.{name}"] for name in CLASSES]
        assert sum(share.value for share in shares) == pytest.approx(100)
        assert all(0 <= share.low <= share.value <= share.high <= 100 for share in shares)
    assert board.get("turk", "identity", "classes.copy") == Estimate(100.0, 100.0, 100.0)
    assert values(board, "worst")["classes.not aligned"] > values(board, "best")["classes.not aligned"]


def test_ties_share_a_rank_and_ranks_have_intervals() -> None:
    """The first system leads in 90 of 100 resamples, the third is always last."""
    assert ranks(np.array([3.0, 5.0, 3.0, 1.0])).tolist() == [2, 1, 2, 4]
    assert ranks(np.array([[1.0, 1.0 + 1e-12], [2.0, 1.0]])).tolist() == [[1, 1], [1, 2]]
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


def test_ranks_are_those_of_the_scores_and_letters_follow_from_the_pairs(board: Results) -> None:
    """Every pair is there once, in the order of the alphabet."""
    for metric in RANKED:
        ordered = sorted(SYSTEMS, key=lambda key: -values(board, key)[metric])
        assert [values(board, key)[f"{metric}.rank"] for key in ordered] == [1, 2, 3, 4]
    pairs = list(itertools.combinations(sorted(SYSTEMS), 2))
    assert [(c.measure, (c.system, c.base)) for c in board.comparisons] == list(itertools.product(VARIANTS, pairs))
    for metric in VARIANTS:
        assert board.get("turk", "best", f"{metric}.rank") == Estimate(1, 1, 1)
        assert board.value("turk", "best", f"{metric}.first") == 1
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


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda raw, absent: released_leaderboard(raw, absent, BOARD, 80, RESAMPLING), "absent: no such folder"),
        (lambda raw, absent: ranked(raw, "other"), "--test-set 'other': none of asset, turk"),
        (lambda raw, absent: ranked(absent), "sets: no such folder; fetch the release"),
        (lambda *_: structured({"alpha": 1.0, "test_sets": {}, "systems": {}}, LeaderboardConfig), "alpha: 1.0 should"),
        (lambda *_: LeaderboardConfig(0.05, {}, {"identity": BOARD.systems["best"]}), "leaderboard.systems.identity"),
        (lambda *_: LeaderboardConfig(0.05, {}, {"reference": BOARD.systems["best"]}), "leaderboard.systems.reference"),
        (lambda *_: replace(BOARD.test_sets["turk"], form="x"), "text form 'x': unknown; there is released, treebank"),
    ],
)
def test_bad_releases_and_settings(raw: Path, tmp_path: Path, call: Callable[[Path, Path], object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        call(raw, tmp_path / "absent")
