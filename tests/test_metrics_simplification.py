"""Test sets on disk: the evaluation stage, the published table, `textsimp score`, word overlap, and bad input."""

import json
import sys
from dataclasses import asdict
from pathlib import Path

import pytest
from commands import done

from textsimp.core.errors import InputError
from textsimp.core.reading import read_json
from textsimp.core.results import Resampling, Results, as_printed
from textsimp.core.writing import write_json, write_lines
from textsimp.evaluation.released import TABLES, PrintedTable, PrintedTestSet, read_table, score_printed
from textsimp.evaluation.simplification import EvaluationConfig, evaluate_simplification, read_test_sets
from textsimp.metrics.degenerate import DegenerateLimits, count_flaws, degeneracy, output_shares
from textsimp.metrics.quality import ESTIMATES, quality_statistics
from textsimp.metrics.word_overlap import simple_string_accuracy_statistics, word_f1_statistics
from textsimp.sources.parallel import MISSING

LIMITS = DegenerateLimits(distinct=50, flawed=50, bleu=5, times=2, words=10, repeats=20)
CONFIG = EvaluationConfig(max_tokens=80, metrics=["default"], degenerate=LIMITS)
RESAMPLING = Resampling(200, 1)
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


def _evaluate(folder: Path) -> Results:
    return evaluate_simplification(folder / "corpora", folder / "outputs", ["auto"], ["lstm"], CONFIG, RESAMPLING)


def test_evaluation(folder: Path) -> None:
    results = _evaluate(folder)
    assert results.scopes() == ["a", "b"] and results.resampling == RESAMPLING
    for scope in results.scopes():
        assert set(results.systems(scope)) == {"identity", "reference", "lstm.new"}
        shares = {f"outputs.{name}" for name in ("distinct", "copies", "empty", "overlong", "looping", "flawed")}
        assert set(results.measures(scope, "reference")) == {"fk", "len", *shares}
        identity, lstm = (results.measures(scope, name) for name in ("identity", "lstm.new"))
        assert identity["sari.add"].value == identity["sari.del"].value == 0
        assert lstm["sari"].value > identity["sari"].value
        parts = {f"{metric}.{part}" for metric in ("sari", "sari_corpus") for part in ("add", "keep", "del")}
        assert set(lstm) == set(identity) == {"sari", "sari_corpus", "bleu", "fk", "len", "distinct", *parts, *shares}
        for measure, estimate in lstm.items():
            if measure in shares:
                continue
            assert estimate.low <= estimate.high
            if measure not in ("bleu", "fk"):  # of two lines, brevity and sentence length leave the others' range
                assert estimate.low - 1e-9 <= estimate.value <= estimate.high + 1e-9
    assert results.signatures["sari"].endswith("|nrefs:var|version:1")
    assert results.value("a", "reference", "len") == pytest.approx(14 / 3)


LONG = "one two three four five six seven eight nine ten eleven"


ROW = "row , row , row your boat"


@pytest.mark.parametrize(
    ("line", "output", "flaw"),
    [
        (COMPLEX[0], "The Committee decided to purchase a house.", "copies"),
        (COMPLEX[0], "... -", "empty"),
        *((COMPLEX[0], line, "looping") for line in (f"{LONG} {LONG.upper()}", "the the the a the the they .", ROW)),
        (COMPLEX[0], "of the house of the house of the", "looping"),
        (f"row , {ROW}", ROW, ""),  # the input repeats it too
        *((COMPLEX[0], f"{LONG} a b c d e f g", "overlong"), ("a", f"{LONG} twelve", "overlong")),
        *((line, LONG, "") for line in (COMPLEX[0], "a b c")),  # over one of the two bounds alone
        (COMPLEX[0], "it was the house that the committee decided on", ""),
    ],
)
def test_flaws_of_one_output(line: str, output: str, flaw: str) -> None:
    counts = count_flaws([line], [output], LIMITS)
    assert {name for name, number in counts.items() if number} - {"lines", "flawed"} >= {flaw} - {""}
    assert counts["flawed"] == bool(flaw) and counts["lines"] == 1


def test_degenerate_systems_are_noted(folder: Path) -> None:
    """The note says why; a model that has learned, the input and the references have none."""
    outputs = folder / "outputs/auto/lstm"
    write_lines(outputs / "a.txt", ["so so so so .", "so so so so ."])
    results = _evaluate(folder)
    notes = {name: note for name, note in results.notes.items() if name != "degenerate"}
    assert list(notes) == ["degenerate.a.lstm.new"]
    assert notes["degenerate.a.lstm.new"].startswith("100.0% looping, BLEU 4.")
    assert results.value("a", "identity", "outputs.copies") == results.value("a", "identity", "outputs.flawed") == 100
    assert results.value("b", "reference", "outputs.copies") == 50
    assert "50 percent" in results.notes["degenerate"]


def test_what_is_degenerate_is_told() -> None:
    inputs = [f"{word} walked to the market" for word in LONG.split()]
    assert degeneracy(output_shares(inputs, inputs, LIMITS), LIMITS) == "100.0% copies"
    half = [*inputs[:5], *(f"{word} went there" for word in LONG.split()[5:])]
    assert degeneracy(output_shares(inputs, half, LIMITS), LIMITS) == ""
    assert degeneracy(output_shares(inputs, half, LIMITS), LIMITS, bleu=4.9) == "BLEU 4.9"
    same = ["he went there"] * len(inputs)
    assert degeneracy(output_shares(inputs, same, LIMITS), LIMITS, bleu=5.0) == "9.1% distinct"
    with pytest.raises(ValueError, match="shorter"):
        count_flaws(inputs, same[1:], LIMITS)


def test_missing_parts(folder: Path) -> None:
    (folder / "outputs/auto/lstm/b.txt").unlink()
    with pytest.raises(InputError, match="b.txt: no such file"):
        _evaluate(folder)
    (folder / "corpora/test/a.reference.0").unlink()
    with pytest.raises(InputError, match="a.complex: has no references"):
        _evaluate(folder)
    with pytest.raises(InputError, match="no such folder; run stage build_corpus first"):
        evaluate_simplification(folder, folder, [], [], CONFIG, RESAMPLING)


def test_more_than_ten_references_are_in_order(folder: Path) -> None:
    for number in range(11):
        write_lines(folder / f"corpora/test/a.reference.{number}", SIMPLE)
    write_lines(folder / "corpora/test/a.reference.10", OUTPUT)
    references = read_test_sets(folder / "corpora/test")[0].references
    assert [lines == OUTPUT for lines in references] == [False] * 10 + [True]


def test_stage(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from stages.evaluate_simplification import main

    (folder / "params.yaml").write_text(
        f"evaluation: {json.dumps(asdict(CONFIG))}\n"
        "resampling: {samples: 200, seed: 1}\n"
        "training_sets: [auto]\nsimplifiers: [lstm]\n"
    )
    monkeypatch.chdir(folder)
    arguments = ["x", "c", "--corpora", "corpora", "--outputs", "outputs", "--results", "r.json", "--metrics", "m.json"]
    arguments += ["--headline", "h.json"]
    monkeypatch.setattr(sys, "argv", arguments)
    main()
    results = _evaluate(folder)
    assert Results.read("r.json") == results
    headline = read_json("m.json")["a"]["lstm.new"]
    assert headline == {name: results.value("a", "lstm.new", name) for name in CONFIG.names}
    write_lines(folder / "outputs/auto/lstm/a.txt", [])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    error = capsys.readouterr().err
    assert "outputs/auto/lstm/a.txt:1: 0 lines" in error
    assert "Traceback" not in error


def test_score_warns_in_one_line_of_each_degenerate_output(folder: Path) -> None:
    test, same = folder / "corpora/test", folder / "same"
    write_lines(test / "m.complex", [f"{word} walked to the market" for word in LONG.split()])
    write_lines(test / "m.reference.0", [f"{word} went to the market" for word in LONG.split()])
    write_lines(same, ["he walked to the market"] * len(LONG.split()))
    files = {"complex": test / "m.complex", "reference": test / "m.reference.0"}
    arguments = [f"--{name}={path}" for name, path in files.items()]
    arguments += [f"--output={test / 'm.reference.0'}", f"--output={same}", "--metric=sari", "--samples=10"]
    warnings = [line for line in done("score", *arguments).stderr.splitlines() if line.startswith("warning")]
    assert warnings == ["warning: same: the outputs are degenerate (9.1% distinct); their scores say little"]


def counts_of(results: Results, scope: str) -> list[float | None]:
    return [results.value(scope, "table", name) for name in ("sentences", "printed", "compared", "equal")]


@pytest.fixture
def small(tmp_path: Path) -> PrintedTable:
    """A printed table and its outputs: test set `whole` has its sentences, `outputs` not."""
    header = "test_set,train_set,system,sari,add,keep,del,fk,len"
    rows = ["none,Complex (input),33.3,,,,3,", "newsela_old,LSTM,,,,,,5.5", "newsela_auto,LSTM,,,,,,7.0"]
    write_lines(tmp_path / "t.csv", [header, *(f"{name},{row}" for name in ("a", "b") for row in rows)])
    write_lines(tmp_path / "set/complex", COMPLEX)
    write_lines(tmp_path / "set/reference", SIMPLE)
    for training, lines in (("old", OUTPUT), ("new", SIMPLE)):
        for name in ("a", "b"):
            write_lines(tmp_path / f"set/lstm.{training}_train_{name}", lines)
    whole = PrintedTestSet("a", "set/{}_a", "set/complex", ("set/reference",), {"Other": "set/reference"})
    return PrintedTable("newsela", "t.csv", {"whole": whole, "outputs": PrintedTestSet("b", "set/{}_b")})


def test_a_printed_table_without_sentences_is_scored_by_its_outputs(small: PrintedTable, tmp_path: Path) -> None:
    results = score_printed(small, tmp_path, tmp_path, CONFIG)
    assert results.scopes() == ["whole", "outputs"]
    assert set(results.systems("outputs")) == {"lstm.old", "lstm.new", "table"}
    assert set(results.measures("outputs", "lstm.old")) == {"fk", "len"}
    assert counts_of(results, "outputs")[:3] == [2, 4, 2] and counts_of(results, "whole")[:3] == [2, 4, 4]
    assert results.value("whole", "Other.old", "sari") == pytest.approx(87.5)
    length = results.value("outputs", "lstm.old", "len")
    assert length == results.value("whole", "lstm.old", "len") == 5.5
    assert counts_of(results, "outputs")[3] == 1, "7.0 is not the length of the other output"


@pytest.mark.parametrize("name", ["a", "b"])
def test_an_output_with_a_line_too_few_is_refused(small: PrintedTable, tmp_path: Path, name: str) -> None:
    write_lines(tmp_path / f"set/lstm.new_train_{name}", SIMPLE[:1])
    with pytest.raises(InputError, match=rf"set/lstm\.new_train_{name}:2: 1 lines where \S+ has 2"):
        score_printed(small, tmp_path, tmp_path, CONFIG)


def test_outputs_that_could_not_be_had_are_named(small: PrintedTable, tmp_path: Path) -> None:
    write_json(tmp_path / MISSING, {"missing": "the_outputs", "how": "get them"})
    results = score_printed(small, tmp_path, tmp_path, CONFIG)
    assert not results.scopes() and results.notes == {"kind": "newsela", "missing": "the_outputs", "how": "get them"}


def test_whole_numbers_are_compared_as_printed() -> None:
    assert as_printed(11.449, "11") == "11" and as_printed(11.449, "11.5") == "11.4"


def test_published_table_that_is_none(root: Path, tmp_path: Path, small: PrintedTable) -> None:
    with pytest.raises(InputError, match="no such file"):
        score_printed(TABLES["jiang2020"], tmp_path / "nowhere", root / "data/published", CONFIG)
    header = "test_set,train_set,system,sari,add,keep,del,fk,len"
    write_lines(tmp_path / "t.csv", [header, "a,newsela_old,LSTM,1,,,,,"])
    with pytest.raises(InputError, match="t.csv: names no system for b"):
        score_printed(small, tmp_path, tmp_path, CONFIG)
    bad = {
        "t.csv:1: no column 'train_set'": ["test_set,system,sari", "a,LSTM,1"],
        "t.csv:2: .*'x'": [header, "a,wikilarge,LSTM,x,,,,,"],
        "t.csv:2: no released output is known for 'RNN'": [header, "a,wikilarge,RNN,1,,,,,"],
    }
    for said, lines in bad.items():
        write_lines(tmp_path / "t.csv", lines)
        with pytest.raises(InputError, match=said):
            read_table(tmp_path / "t.csv")


def test_word_overlap_by_hand() -> None:
    score = word_f1_statistics(["A b b", ""], [["b b c", ""]]).score()
    assert score.parts == pytest.approx({"macro": (200 / 3 + 100) / 2, "micro": 200 / 3})
    score = simple_string_accuracy_statistics(["a x c d", "q"], [["a b c", "q"]]).score()
    assert score.parts == pytest.approx({"macro": (100 / 3 + 100) / 2, "micro": 50})
    assert str(score.signature) == "SSA|level:sentence|tok:none|case:lc|nrefs:1|version:1"
    assert simple_string_accuracy_statistics(["a b c"], [["d"]]).score().value == -200
    floored = simple_string_accuracy_statistics(["a b c", "a"], [["d", "a"]], floored=True).score()
    assert floored.value == 50
    assert str(floored.signature) == "SSA|level:sentence|tok:none|case:lc|nrefs:1|floor:0|version:1"
    with pytest.raises(ValueError, match=r"got \[2, 1\]"):
        word_f1_statistics(["a", "b"], [["a"]])


def test_quality_by_hand() -> None:
    lines = ["A b c d.", ""], ["a b. e", ""]
    assert {name: quality_statistics(name, *lines).score().value for name in ESTIMATES} == pytest.approx(
        {
            "compression_ratio": 7 / 9 / 2,  # "a b . e" and "a b c d ."
            "sentence_splits": (2 / 1 + 0) / 2,
            "levenshtein_similarity": (2 * 5 / 16 + 1) / 2,
            "exact_copies": 0.5,
            "additions": 1 / 5 / 2,
            "deletions": 2 / 5 / 2,
        }
    )
    with pytest.raises(ValueError, match=r"got \[0, 1\]"):
        quality_statistics("additions", [], ["a"])
