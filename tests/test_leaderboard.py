"""The leaderboard on invented systems: ranks, letters, corrected tests, disagreements, submissions, bad input."""

import itertools
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from leaderboard_sample import BOARD, CONFIG, KEPT, LINES, write_releases

from textsimp.errors import InputError
from textsimp.metrics.comparison import compare_systems
from textsimp.metrics.experiments import ExperimentFiles, headline, run_experiment
from textsimp.metrics.leaderboard import system_statistics
from textsimp.metrics.leaderboard_config import LeaderboardConfig
from textsimp.metrics.leaderboard_files import one_leaderboard, released_folders, released_leaderboard
from textsimp.metrics.leaderboard_tests import RANKED, VARIANTS
from textsimp.metrics.letters import compact_letters
from textsimp.metrics.rankings import correlations, flips, rank_intervals, ranks
from textsimp.metrics.simplification import read_test_set
from textsimp.metrics.text_form import in_form, lines_of_other_form, treebank_form
from textsimp.textfiles import read_lines, write_lines

SYSTEMS = {*KEPT, "identity"}


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_releases(tmp_path_factory.mktemp("raw"))


@pytest.fixture(scope="module")
def board(raw: Path) -> dict[str, Any]:
    return one_leaderboard(raw, "turk", {}, BOARD, CONFIG)


def test_kinds_of_rewriting(raw: Path, board: dict[str, Any]) -> None:
    """The input copies; noise instead of words paraphrases; the shares of each row are of all sentences."""
    kinds = board["rewriting"]
    assert kinds["systems"].keys() == SYSTEMS and kinds["signature"].startswith("rewriting|language:english|")
    for row in (*kinds["systems"].values(), kinds["references"]):
        assert sum(share["value"] for share in row.values()) == pytest.approx(100)
        assert all(0 <= share["low"] <= share["value"] <= share["high"] <= 100 for share in row.values())
    assert kinds["systems"]["identity"]["copy"] == {"value": 100.0, "low": 100.0, "high": 100.0}
    assert kinds["systems"]["worst"]["not aligned"]["value"] > kinds["systems"]["best"]["not aligned"]["value"]
    mine = raw.parent / "reference.txt"
    write_lines(mine, read_lines(raw / "sets" / "t.reference.0"))
    one = replace(BOARD, test_sets={"turk": replace(BOARD.test_sets["turk"], references="sets/one.reference.")})
    write_lines(raw / "sets" / "one.reference.0", read_lines(mine))
    found = one_leaderboard(raw, "turk", {"mine": mine}, one, CONFIG)["rewriting"]
    assert found["systems"]["mine"] == found["references"]


def test_ties_share_a_rank() -> None:
    assert ranks(np.array([3.0, 5.0, 3.0, 1.0])).tolist() == [2, 1, 2, 4]
    assert ranks(np.array([[1.0, 1.0 + 1e-12], [2.0, 1.0]])).tolist() == [[1, 1], [1, 2]]


def test_rank_intervals_of_resamples() -> None:
    """The first system leads in 90 of 100 resamples, the third is always last."""
    resampled = np.array([[9.0] * 90 + [1.0] * 10, [5.0] * 100, [0.0] * 100])
    bounds, first = rank_intervals(resampled)
    assert bounds.tolist() == [[1, 2], [1, 2], [3, 3]]
    assert first.tolist() == [0.9, 0.1, 0.0]


def test_correlations_and_flips_by_hand() -> None:
    one, other = [1.0, 2.0, 3.0, 4.0], [1.0, 3.0, 2.0, 4.0]
    assert correlations(one, other) == {"spearman": pytest.approx(0.8), "kendall": pytest.approx(2 / 3)}
    assert flips(one, other) == [(1, 2)]
    assert flips(one, [1.0, 2.0, 2.0, 0.0]) == [(0, 3), (1, 3), (2, 3)], "a tie is no flip"
    assert correlations(one, [5.0] * 4) == {"spearman": None, "kendall": None}


@pytest.mark.parametrize("seed", range(30))
def test_systems_share_a_letter_if_and_only_if_they_do_not_differ(seed: int) -> None:
    draw = random.Random(seed)
    names = [str(number) for number in range(draw.randint(1, 12))]
    different = {pair for pair in itertools.combinations(names, 2) if draw.random() < 0.5}
    letters = compact_letters(names, different)
    for pair in itertools.combinations(names, 2):
        assert (set(letters[pair[0]]).isdisjoint(letters[pair[1]])) == (pair in different), pair
    assert all(letters.values()) and letters[names[0]].startswith("a")
    groups = {letter: {name for name in names if letter in letters[name]} for letter in set("".join(letters.values()))}
    assert not any(a != b and groups[a] <= groups[b] for a in groups for b in groups), "no letter too many"


def test_letters_by_hand_in_any_order_of_the_pairs() -> None:
    pairs = [("a", "c"), ("d", "a"), ("a", "e"), ("b", "e")]
    expected = {"a": "a", "b": "ab", "c": "bc", "d": "bc", "e": "c"}
    assert all(compact_letters("abcde", order) == expected for order in itertools.permutations(pairs))
    assert compact_letters(["x", "y"], []) == {"x": "a", "y": "a"}


def test_treebank_form() -> None:
    text = 'He said "no" (twice) in Rome, didn\'t he? It cost $5.'
    expected = 'he said " no " -lrb- twice -rrb- in rome , did n\'t he ? it cost $ 5 .'
    assert treebank_form(text) == expected
    assert treebank_form(expected) == expected, "what has the form keeps it"
    assert in_form([text], "released") == [text]
    assert lines_of_other_form([text, expected]) == 1
    with pytest.raises(InputError, match="text form 'x': unknown; there is released, treebank"):
        replace(BOARD.test_sets["turk"], form="x")


def test_a_row_for_each_system_and_the_input(board: dict[str, Any]) -> None:
    assert set(board["systems"]) == set(board["intervals"]) == SYSTEMS
    assert (board["sentences"], board["references"], board["title"]) == (LINES, 3, "TURK")
    best = board["systems"]["best"]
    printed = ("name", "kind", "paper", "released_with", "trained_on")
    assert [best[key] for key in printed] == ["Best", "released", "A 2020", "B 2021", None]
    identity = board["systems"]["identity"]
    assert identity["kind"] == "identity" and identity["scores"]["exact_copies"] == 1 and identity["scores"]["add"] == 0
    for key in SYSTEMS:
        scores, intervals = board["systems"][key]["scores"], board["intervals"][key]
        assert set(scores) == set(intervals) and {"add", "sari_corpus_keep", "fk", "compression_ratio"} <= set(scores)
        assert all(intervals[part][0] - 1e-9 <= scores[part] <= intervals[part][1] + 1e-9 for part in RANKED)


def test_ranks_are_those_of_the_scores(board: dict[str, Any]) -> None:
    for metric in RANKED:
        ordered = sorted(SYSTEMS, key=lambda key: -board["systems"][key]["scores"][metric])
        assert [board["ranks"][metric][key]["rank"] for key in ordered] == [1, 2, 3, 4]
    for metric in VARIANTS:
        assert board["ranks"][metric]["best"] == {"rank": 1, "low": 1, "high": 1, "first": 1.0}


def test_pairs_are_those_of_textsimp_score(board: dict[str, Any], raw: Path) -> None:
    """The same draws, so that the numbers of `textsimp score` are the same."""
    test = read_test_set(raw / "sets" / "t.complex", sorted((raw / "sets").glob("t.reference.*")))
    outputs = {name: read_lines(raw / "outputs" / f"{name}.txt") for name in ("best", "worst")}
    rows = system_statistics(test, outputs, "released", CONFIG.max_tokens)
    compared = compare_systems(list(rows.values()), 1, CONFIG.samples, CONFIG.seed)
    for metric in VARIANTS:
        tests = compared[metric][0].tests
        assert tests is not None
        found = dict(board["pairs"][metric]["best"]["worst"])
        assert found.pop("p_holm") >= max(found["p_bootstrap"], found["p_randomisation"])
        assert found == pytest.approx(tests[0].as_dict())


def test_every_pair_once_in_the_order_of_the_alphabet(board: dict[str, Any]) -> None:
    keys = sorted(SYSTEMS)
    for metric in VARIANTS:
        pairs = board["pairs"][metric]
        assert {(a, b) for a, others in pairs.items() for b in others} == set(itertools.combinations(keys, 2))


def test_letters_follow_from_the_pairs(board: dict[str, Any]) -> None:
    for metric in VARIANTS:
        letters = board["letters"][metric]
        for one, others in board["pairs"][metric].items():
            for other, tests in others.items():
                assert (tests["p_holm"] < BOARD.alpha) == set(letters[one]).isdisjoint(letters[other])
        assert letters["best"] == "a" and letters["worst"] != "a"


def test_equal_outputs_are_ties_that_nothing_tells_apart(raw: Path) -> None:
    twin = {"twin": raw / "outputs" / "best.txt"}
    found = one_leaderboard(raw, "turk", twin, BOARD, CONFIG)
    for metric in VARIANTS:
        assert found["ranks"][metric]["twin"] == found["ranks"][metric]["best"]
        assert found["letters"][metric]["twin"] == found["letters"][metric]["best"] == "a"
        tests = found["pairs"][metric]["best"]["twin"]
        assert (tests["difference"], tests["p_bootstrap"], tests["p_randomisation"], tests["p_holm"]) == (0, 1, 1, 1)
    assert not any({flip["higher"], flip["lower"]} == {"best", "twin"} for flip in found["flips"])


def test_flips_follow_from_the_pairs(raw: Path, tmp_path: Path) -> None:
    """With a system that deletes nearly everything and one that changes nothing, the variants disagree."""
    lines = read_lines(raw / "sets" / "t.complex")
    write_lines(tmp_path / "short.txt", [" ".join(line.split()[:4]) for line in lines])
    write_lines(tmp_path / "copy.txt", [line.replace(" .", " , .") for line in lines])
    mine = {name: tmp_path / f"{name}.txt" for name in ("short", "copy")}
    found = one_leaderboard(raw, "turk", mine, BOARD, CONFIG)
    pairs = {
        metric: {(one, other): tests for one, row in rows.items() for other, tests in row.items()}
        for metric, rows in found["pairs"].items()
    }
    expected = {
        (one, other, *pair)
        for one, other in itertools.combinations(VARIANTS, 2)
        for pair in pairs[one]
        if pairs[one][pair]["difference"] * pairs[other][pair]["difference"] < 0
    }
    flipped = {(*flip["metrics"], *sorted((flip["higher"], flip["lower"]))): flip for flip in found["flips"]}
    assert set(flipped) == expected and expected
    for (one, other, *pair), flip in flipped.items():
        sign = 1 if flip["higher"] == pair[0] else -1
        assert sign * pairs[one][tuple(pair)]["difference"] > 0
        assert set(flip["significant"]) == {m for m in (one, other) if pairs[m][tuple(pair)]["p_holm"] < BOARD.alpha}
    for row in found["agreement"]:
        one, other = row["metrics"]
        own = [flip for flip in found["flips"] if flip["metrics"] == [one, other]]
        if other == "bleu":
            assert row["one"] is None and row["both"] is None
        else:
            sizes = [len(flip["significant"]) for flip in own]
            assert (row["flips"], row["one"], row["both"]) == (len(own), sizes.count(1), sizes.count(2))
        assert row["pairs"] == 15 and -1 <= row["kendall"] <= 1


def test_cased_text_is_brought_to_the_form_of_the_outputs(raw: Path, board: dict[str, Any]) -> None:
    """The same sentences, cased and untokenised: with the form the scores are those of the tokens, without far off."""
    asset = one_leaderboard(raw, "asset", {}, BOARD, CONFIG)
    assert all("|text:ptb-lc|version:" in signature for signature in asset["signatures"].values())
    assert not any("text:" in signature for signature in board["signatures"].values())
    for key in SYSTEMS:
        assert asset["systems"][key]["scores"] == pytest.approx(board["systems"][key]["scores"])
    best, as_it_is = (
        found["systems"]["best"]["scores"]["sari"]
        for found in (board, one_leaderboard(raw, "asset", {}, BOARD, CONFIG, form="released"))
    )
    assert as_it_is != pytest.approx(best, abs=1)


def test_submissions_of_a_folder(raw: Path, tmp_path: Path) -> None:
    write_lines(tmp_path / "turk" / "mine.txt", read_lines(raw / "outputs" / "middle.txt"))
    (tmp_path / "README.md").write_text("what this is\n", encoding="utf-8")
    files = ExperimentFiles(raw, Path("unused.csv"), tmp_path)
    found = run_experiment("leaderboard", files, CONFIG, BOARD)
    turk, asset = found["test_sets"]["turk"], found["test_sets"]["asset"]
    assert set(turk["systems"]) == {*SYSTEMS, "mine"} and set(asset["systems"]) == SYSTEMS
    assert turk["systems"]["mine"]["kind"] == "submission" and turk["systems"]["mine"]["name"] == "mine"
    assert turk["systems"]["mine"]["scores"] == turk["systems"]["middle"]["scores"]
    assert headline(found) == "5 systems on turk, 4 systems on asset"
    assert found["alpha"] == 0.05 and found["resampling"]["samples"] == CONFIG.samples
    assert run_experiment("leaderboard", files, CONFIG, BOARD) == found
    with pytest.raises(InputError, match="'other': unknown; there is jiang2020, leaderboard"):
        run_experiment("other", files, CONFIG, BOARD)


@pytest.mark.parametrize(
    ("name", "lines", "said"),
    [
        ("turk/mine.txt", ["one line"], r"mine.txt:2: 1 lines where .*t.complex has 24"),
        ("turk/mine.txt", [""] * LINES, "mine.txt: has nothing but empty lines"),
        ("turk/best.txt", ["word"] * LINES, "best.txt: 'best' is a row of the leaderboard already"),
        ("turk/identity.txt", ["word"] * LINES, "'identity' is a row"),
        ("turk/mine.csv", ["word"] * LINES, r"mine.csv: neither .*outputs go to TEST_SET/NAME.txt; .* asset, turk"),
        ("truk/mine.txt", ["word"] * LINES, "truk: neither a folder of a test set"),
        ("mine.txt", ["word"] * LINES, "mine.txt: neither"),
        ("turk/deep/mine.txt", ["word"] * LINES, "turk/deep: neither"),
    ],
)
def test_bad_submissions(raw: Path, tmp_path: Path, name: str, lines: list[str], said: str) -> None:
    write_lines(tmp_path / name, lines)
    with pytest.raises(InputError, match=said):
        released_leaderboard(raw, tmp_path, BOARD, CONFIG)


def test_bad_releases_and_settings(raw: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="absent: no such folder"):
        released_leaderboard(raw, tmp_path / "absent", BOARD, CONFIG)
    with pytest.raises(InputError, match="'other': unknown; there is asset, turk"):
        one_leaderboard(raw, "other", {}, BOARD, CONFIG)
    with pytest.raises(InputError, match=r"t.reference.\*: references \[\], not 0, 1"):
        one_leaderboard(tmp_path, "turk", {}, BOARD, CONFIG)
    with pytest.raises(InputError, match="100 resamples are too few to test 6 pairs of 4 systems at 0.05; give 120 at"):
        one_leaderboard(raw, "turk", {}, BOARD, replace(CONFIG, samples=100))
    with pytest.raises(InputError, match=r"leaderboard.alpha: 1 is not between"):
        LeaderboardConfig(1, "english", {}, {})
    with pytest.raises(InputError, match=r"leaderboard.systems.identity"):
        LeaderboardConfig(0.05, "english", {}, {"identity": BOARD.systems["best"]})


def test_which_releases_a_test_set_needs() -> None:
    assert released_folders(BOARD, "asset") == ["sets", "outputs"]
