"""Numbers of others beside ours: BLESS's runs and EASSE's numbers, which recipe gives a number, named test sets."""

import json
from pathlib import Path

import pytest
from commands import done, refused, run
from leaderboard_sample import BOARD, LINES

from textsimp.core.errors import InputError
from textsimp.core.params import from_conf
from textsimp.core.reading import read_lines
from textsimp.core.results import Results
from textsimp.core.writing import write_lines
from textsimp.evaluation.leaderboard import LeaderboardConfig
from textsimp.evaluation.parity import TOLERANCE, add_parity, deviations
from textsimp.evaluation.printed_numbers import Found, recipes_of, sari_of_every_recipe, sari_recipes
from textsimp.metrics.registry import MetricOptions, Texts, checked_names, metric_statistics
from textsimp.metrics.sari import VARIANTS
from textsimp.sources.bless import read_printed, read_run

ROW = {"source": "The old boat.", "model_output": "The  boat.\n", "references": ["A boat.", "The boat."]}


def test_recipes_by_hand() -> None:
    found = [Found(value, name, "") for value, name in ((36.61, "a"), (36.61 + 1e-12, "c"), (36.64, "b"), (40.0, "d"))]

    def names(printed: str) -> tuple[bool, str]:
        given, chosen = recipes_of(printed, found)
        return given, "".join(item.signature for item in chosen)

    assert names("36.61") == (True, "ac") and names("36.6") == (True, "acb") and names("40") == (True, "d")
    assert names("39.5") == (False, "d") and names("36") == (False, "ac")


def test_every_variant_in_use_is_tried(releases: Path) -> None:
    recipes = list(sari_recipes())
    assert {make(80) for make in VARIANTS.values()} <= set(recipes) and len(set(recipes)) == len(recipes)
    complex_, references = BOARD.test_sets["turk"].files(releases)
    output = releases / "outputs" / "middle.txt"
    numbers = {item.signature: item.value for item in sari_of_every_recipe(complex_, output, references)}
    options, texts = MetricOptions(), Texts(*map(read_lines, (complex_, output)), list(map(read_lines, references)))
    for name, statistics in metric_statistics(checked_names(["all"], options), texts, options).items():
        if name in VARIANTS:
            assert numbers[str(statistics.signature)] == pytest.approx(statistics.score().value)


def test_a_printed_number_on_the_command_line(releases: Path) -> None:
    words = ("score", "mine.txt", "-t", "turk", "--releases", releases)
    text = done(*words, "--metric", "sari_corpus", "--json").stdout
    found = done(*words, "--printed", f"{json.loads(text)['estimates']['test']['mine.txt']['sari_corpus'][0]:.4f}")
    assert "SARI|level:corpus|del:f1|tok:13a|case:lc|nrefs:3|version:1" in found.stdout
    assert "  counts of the corpus, deletion by F1, 13a tokens, lower-cased, texts as they are\n" in found.stdout
    assert "mine.txt: " in found.stderr and "of 88 recipes give it" in found.stderr
    tree = json.loads(done(*words, "--printed", "99.99", "--json").stdout)
    assert not tree["given"] and tree["recipes"] and tree["tried"] == 2 * len(list(sari_recipes()))
    nearest = done(*words, "--printed", "99.99").stdout.splitlines()[0]
    assert nearest.endswith("none of 88 recipes gives it; the nearest")
    write_lines("zh", ["委员会因洪水推迟了决定。", "会议昨天开始。"])
    write_lines("zh.out", ["委员会推迟了决定。", "会议昨天开始。"])
    words = ("score", "zh.out", "--complex", "zh", "--reference", "zh")
    text = done(*words, "--metric", "sari", "--json").stdout
    found = done(*words, "--printed", f"{json.loads(text)['estimates']['test']['zh.out']['sari'][0]:.4f}").stdout
    assert "|text:char|" in found and ", characters in place of words\n" in found
    write_lines("same", ["The boat ."])
    last = done("score", "same", "--complex", "same", "--reference", "same", "--printed", "0").stdout.splitlines()[-1]
    assert last.startswith("and ") and last.endswith(" more; --json has all"), last


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["score", "mine.txt", "-t", "turk", "--printed", "144"], "--printed '144': not a number from 0 to 100"),
        (["score", "mine.txt", "-t", "turk", "--printed", "44,15"], "not a number from 0 to 100, such as 44.15"),
        (["score", "-t", "turk", "--printed", "40"], "--printed 40: 0 outputs given; name the one"),
        (["score", "mine.txt", "-t", "turk", "--printed", "40", "--seed", "7"], "leave out the options about other"),
        (["score", "mine.txt", "--complex", "mine.txt", "--printed", "40"], "SARI compares with references"),
        (["score", "short.txt", "-t", "turk", "--printed", "40"], "short.txt:3: 2 lines where"),
        (["score", "mine.txt", "-t", "x"], "--test-set 'x': none of asset, turk"),
        (["score", "short.txt", "-t", "asset"], "2 lines where"),
        (["score", "mine.txt"], "--complex: no file given; name it, or a test set with --test-set"),
        (["score", "mine.txt", "-t", "turk", "--complex", "mine.txt"], "brings its own sentences"),
        (["score", "mine.txt", "--complex", "mine.txt", "--metric", "bleu"], "bleu: compares with references"),
    ],
)
def test_bad_input_is_one_line(releases: Path, tmp_path: Path, words: list[str], said: str) -> None:
    write_lines(tmp_path / "short.txt", ["a", "b"])
    refused(run(*words, "--releases", releases), said)


def test_a_named_test_set_and_no_references(releases: Path) -> None:
    named = done("score", "mine.txt", "-t", "turk", "--releases", releases, "--json")
    references = [releases / "sets" / f"t.reference.{n}" for n in range(3)]
    given = ("score", "--complex", releases / "sets" / "t.complex", "--output", "mine.txt", "--json")
    assert named.stdout == done(*given, "--reference", *references).stdout
    assert named.stderr.startswith(f"turk: 1 output scored, {LINES} lines")
    tree = json.loads(done(*given).stdout)["estimates"]["test"]
    assert {"fk", "len", "compression_ratio", "exact_copies", "distinct"} <= set(tree["mine.txt"])
    assert "sari" not in tree["mine.txt"] and tree["reference"]["references"] == 0


def test_runs_of_bless(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(ROW) + "\n")
    found = read_run(path)
    assert (found.outputs, found.references) == (["The boat."], [["A boat."], ["The boat."]])
    path.with_suffix(".eval").write_text("bleu;sari;file_id\n100.0;61.5;x\n")
    assert read_printed(path.with_suffix(".eval")) == {"bleu": "100.0", "sari": "61.5"}
    results = Results()
    add_parity(results, {"a": path, "b": tmp_path / "b.txt"})
    found = deviations(results)
    assert sorted((system, name) for _, system, name in found) == [("a", "bleu"), ("a", "sari")]
    largest = found[0][0]
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
    """The certificate, over 2 of the 13 runs; all of them: reports/experiments/published."""
    board = from_conf("leaderboard", LeaderboardConfig, "experiment=published")
    runs = {key: mirror / board.systems[key].output for key in ("people", "muss_mined")}
    results = Results()
    add_parity(results, runs)
    found = deviations(results)
    assert len(found) == 12 * len(runs) and found[0][0] < TOLERANCE, found[0]
