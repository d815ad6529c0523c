"""Numbers of others beside ours: BLESS's runs and EASSE's numbers, which signature gives a number, named test sets."""

import json
from pathlib import Path

import pytest
from leaderboard_sample import BOARD, LINES, RESAMPLING, write_releases
from typer.testing import CliRunner

from textsimp.cli import arguments, releases, score, which_sari
from textsimp.cli.app import app
from textsimp.core.errors import InputError
from textsimp.core.params import SHIPPED, from_conf
from textsimp.core.reading import read_lines
from textsimp.core.results import Results
from textsimp.core.writing import write_lines
from textsimp.evaluation.leaderboard import LeaderboardConfig
from textsimp.evaluation.parity import TOLERANCE, add_parity, deviations, runs_of
from textsimp.evaluation.printed_numbers import candidates, released_numbers, sari_recipes, verdict
from textsimp.evaluation.simplification import read_test_set
from textsimp.metrics.registry import MetricOptions, Texts, checked_names, metric_statistics
from textsimp.metrics.sari import VARIANTS
from textsimp.sources.bless import read_printed, read_run

ROW = {"source": "The old boat.", "model_output": "The  boat.\n", "references": ["A boat.", "The boat."]}


@pytest.fixture
def raw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for module in (score, which_sari, releases):
        known = module.from_conf
        monkeypatch.setattr(
            module, "from_conf", lambda s, *a, known=known: BOARD if s == "leaderboard" else known(s, *a)
        )
    monkeypatch.setattr(arguments, "from_conf", lambda section, kind, *overrides: RESAMPLING)
    monkeypatch.chdir(tmp_path)
    folder = write_releases(tmp_path / "raw")
    write_lines(tmp_path / "mine.txt", read_lines(folder / "outputs" / "middle.txt"))
    return folder


def run(*words: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [*map(str, words)])
    return result.exit_code, result.stdout, result.stderr


def test_verdicts_by_hand() -> None:
    found = [(36.61, "a"), (36.64, "b"), (36.61 + 1e-12, "c"), (40.0, "d")]
    assert verdict("36.61", found).word == "identified" and verdict("36.61", found).matches[0][1] == ["a", "c"]
    assert verdict("36.6", found).word == "ambiguous" and len(verdict("36.6", found).matches) == 2
    none = verdict("39.5", found)
    assert none.word == "none" and none.nearest == (40.0, ["d"])
    assert verdict("40", found).matches == [(40.0, ["d"])], "whole numbers are printed to the unit"
    for printed in ("101", "-1", "44,15", "nan", "", "4e1"):
        with pytest.raises(InputError, match="not a number from 0 to 100"):
            verdict(printed, found)


def test_every_variant_in_use_is_tried(raw: Path) -> None:
    recipes = list(sari_recipes())
    assert {make(80) for make in VARIANTS.values()} <= set(recipes) and len(set(recipes)) == len(recipes)
    test = read_test_set(*BOARD.test_sets["turk"].files(raw))
    output = read_lines(raw / "outputs" / "middle.txt")
    options, found = MetricOptions(), candidates(test, output)
    statistics = metric_statistics(
        checked_names(["all"], options), Texts(test.complex, output, test.references), options
    )
    for name, measure in {**dict.fromkeys(VARIANTS, "sari"), "bleu": "bleu", "fk": "fk", "len": "len"}.items():
        numbers = {signature: value for value, signature in found[measure]}
        assert numbers[str(statistics[name].signature)] == pytest.approx(statistics[name].score().value)


def test_which_sari_on_the_command_line(raw: Path) -> None:
    code, text, _ = run("score", "mine.txt", "-t", "turk", "--raw", raw, "--metric", "sari_corpus", "--json")
    printed = f"{json.loads(text)['estimates']['test']['mine.txt']['sari_corpus'][0]:.4f}"
    words = ("which-sari", "--output", "mine.txt", "-t", "turk", "--raw", raw)
    code, text, said = run(*words, "--printed", printed)
    assert code == 0 and "SARI|level:corpus|del:f1|tok:13a|case:lc|nrefs:3|version:1" in text
    assert "mine.txt: identified in " in said
    tree = json.loads(run(*words, "--printed", "99.99", "--json")[1])
    assert tree["verdict"] == "none" and not tree["matches"] and tree["tried"] == 2 * len(list(sari_recipes()))
    assert run(*words, "--printed", "99.99")[1].splitlines()[0].endswith("none of 88 signatures gives it; the nearest")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["which-sari", "--output", "mine.txt", "--printed", "144"], "--printed '144': not a number from 0 to 100"),
        (["which-sari", "--output", "mine.txt"], "a number and the file that it was printed of are needed"),
        (["which-sari", "--output", "mine.txt", "--printed", "40", "-t", "x"], "--test-set 'x': none of asset, turk"),
        (["which-sari", "--output", "mine.txt", "--printed", "40", "--measure", "x"], "--measure 'x': none of sari"),
        (["which-sari", "--released", "--printed", "40"], "--released: goes without --printed"),
        (["which-sari", "--released", "--json"], "--released: goes without --printed"),
        (["which-sari", "--output", "short.txt", "--printed", "40"], "short.txt:3: 2 lines where"),
        (["score", "mine.txt", "-t", "x"], "--test-set 'x': none of asset, turk"),
        (["score", "short.txt", "-t", "asset"], "2 lines where"),
        (["score", "mine.txt"], "--complex: no file given; name it, or a test set with --test-set"),
        (["score", "mine.txt", "-t", "turk", "--complex", "mine.txt"], "brings its own sentences"),
        (["score", "mine.txt", "--complex", "mine.txt", "--metric", "bleu"], "bleu: compares with references"),
    ],
)
def test_bad_input_is_one_line(raw: Path, tmp_path: Path, words: list[str], said: str) -> None:
    write_lines(tmp_path / "short.txt", ["a", "b"])
    code, text, error = run(*words, "--raw", raw)
    assert code == 2 and text == "" and said in error and error.count("\n") == 1


def test_a_named_test_set_and_no_references(raw: Path) -> None:
    named = run("score", "mine.txt", "-t", "turk", "--raw", raw, "--json")
    references = [raw / "sets" / f"t.reference.{n}" for n in range(3)]
    files = run(
        "score", "--complex", raw / "sets" / "t.complex", "--output", "mine.txt", "--reference", *references, "--json"
    )
    assert named[0] == 0 and named[1] == files[1] and named[2].startswith(f"turk: 1 output scored, {LINES} lines")
    code, text, _ = run("score", "mine.txt", "--complex", raw / "sets" / "t.complex", "--json")
    tree = json.loads(text)["estimates"]["test"]
    assert code == 0 and {"fk", "len", "compression_ratio", "exact_copies", "distinct"} <= set(tree["mine.txt"])
    assert "sari" not in tree["mine.txt"] and tree["reference"]["references"] == 0


def test_runs_of_bless(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(ROW) + "\n")
    found = read_run(path)
    assert (found.outputs, found.references) == (["The boat."], [["A boat."], ["The boat."]])
    path.with_suffix(".eval").write_text("bleu;sari;file_id\n100.0;61.5;x\n")
    assert read_printed(path.with_suffix(".eval")) == {"bleu": "100.0", "sari": "61.5"}
    results = Results()
    add_parity(results, runs_of({"a": "a.jsonl", "b": "b.txt"}, tmp_path))
    assert [(system, name) for _, system, name in sorted(deviations(results), key=lambda d: d[2])] == [
        ("a", "bleu"),
        ("a", "sari"),
    ]
    largest = max(deviation for deviation, _, _ in deviations(results))
    assert largest > TOLERANCE and results.notes["parity"] == f"0 of 2; the largest difference is {largest:.5f}"
    other = {**ROW, "references": ["one"]}
    for bad, message in (
        (json.dumps({**ROW, "model_output": None}), "a.jsonl:1: no texts source and model_output"),
        (f"{json.dumps(ROW)}\n{json.dumps(other)}", "a.jsonl:2: 1 references where the first has 2"),
        ("", "has no run"),
        ("[]", "a.jsonl:1: no texts"),
    ):
        path.write_text(bad)
        with pytest.raises(InputError, match=message):
            read_run(path)
    path.write_text("bleu;sari\n100.0;x\n")
    with pytest.raises(InputError, match="a.jsonl:2: 'x' is no number"):
        read_printed(path)


def test_every_printed_number_of_easse(mirror: Path) -> None:
    """The certificate, over 3 of the 13 runs; all of them: reports/experiments/published."""
    board = from_conf("leaderboard", LeaderboardConfig, "experiment=published")
    runs = runs_of({key: board.systems[key].output for key in ("people", "t0pp", "muss_mined")}, mirror)
    results = Results()
    add_parity(results, runs)
    found = deviations(results)
    assert len(found) == 12 * len(runs) and found[0][0] < TOLERANCE, found[0]


@pytest.mark.slow
def test_the_shares_of_released_numbers(mirror: Path) -> None:
    board = from_conf("leaderboard", LeaderboardConfig, "experiment=published")
    found = released_numbers(mirror, SHIPPED / "data" / "published", board)
    words = [said.word for where, _, said in found if "BLESS" in where]
    assert words == ["identified"] * 78
    assert [said.word for where, _, said in found if "systems" in where].count("none") == 0
