"""`textsimp score` from end to end: files in, table or JSON out, and what is wrong with the input."""

import itertools
import json
import os
import threading
from functools import partial
from pathlib import Path

import pytest
from commands import done, refused, run

import textsimp
from textsimp.cli.command import p_text, spread_values
from textsimp.core.params import from_conf
from textsimp.core.results import Resampling, Results
from textsimp.core.writing import write_lines
from textsimp.evaluation import scored_files
from textsimp.metrics.grouping import Units
from textsimp.metrics.tokens import spaced_characters

COMPLEX = ["The committee decided to purchase a house .", "It rained , but nobody minded .", "He resided there ."]
REFERENCE = ["The group chose to buy a house .", "It rained . Nobody minded .", "He lived there ."]
GOOD = ["The committee chose to buy a house .", "It rained . Nobody minded .", "He lived there ."]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with the files `complex`, `ref.0`, `ref.1`, `good`, `copy`, `short` and `long`."""
    files = {"complex": COMPLEX, "ref.0": REFERENCE, "ref.1": GOOD, "good": GOOD, "copy": COMPLEX, "short": GOOD[:2]}
    files |= {"reference": GOOD, "long": [*GOOD[:2], "word " * 20_001]}
    for name, lines in files.items():
        write_lines(tmp_path / name, lines)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _run(arguments: str, stdin: str | None = None) -> str:
    return done("score", *arguments.split(), text=stdin).stdout


def _results(arguments: str, folder: Path) -> Results:
    (folder / "results.json").write_text(_run(f"{arguments} --json"))
    return Results.read(folder / "results.json")


def test_one_output_as_json(folder: Path) -> None:
    results = _results("--complex complex --output good --reference ref.0 ref.1 --samples 50", folder)
    assert [results.value("test", "reference", name) for name in ("references", "sentences")] == [2, 3]
    assert results.resampling == Resampling(50, from_conf("resampling", Resampling).seed) and not results.comparisons
    values = {name: estimate.value for name, estimate in results.measures("test", "good").items()}
    operations = [values[f"sari.{name}"] for name in ("add", "keep", "del")]
    assert values["sari"] == pytest.approx(sum(operations) / 3)
    for metric, name in itertools.product(("sari", "sari_corpus"), ("add", "keep", "del")):
        orders = [values[f"{metric}.{name}.{order}"] for order in range(1, 5)]
        assert sum(orders) / 4 == pytest.approx(values[f"{metric}.{name}"])
    sari = results.get("test", "good", "sari")
    assert sari.low <= sari.value <= sari.high


def test_several_outputs(folder: Path) -> None:
    files = "--complex complex --output copy good --reference ref.0 --metric sari exact_copies --samples 50"
    results = _results(files, folder)
    assert results.systems("test") == ["copy", "good", "reference"]
    assert set(results.signatures) == {"sari", "exact_copies"}
    tests = results.comparisons["test", "sari", "good", "copy"]
    gap = results.value("test", "good", "sari") - results.value("test", "copy", "sari")
    assert tests.difference == pytest.approx(gap) and tests.p_randomisation is None
    measures = {contrast.measure for contrast in results.comparisons}
    assert measures == {"sari", "sari.add", "sari.keep", "sari.del", "exact_copies"}
    turned = _results(f"{files} --against good", folder).comparisons
    assert turned["test", "sari", "copy", "good"].difference == -tests.difference


def test_table(folder: Path) -> None:
    text = _run("--complex complex --output copy good --reference ref.0 --metric sari exact_copies --samples 50")
    lines = text.splitlines()
    assert lines[0].split()[:3] == ["metric", "output", "score"]
    assert lines[1].split()[:2] == ["sari", "copy"] and lines[2].split()[:2] == ["sari", "good"]
    assert "sari: SARI|level:sentence|del:precision|tok:none|case:lc|nrefs:1|version:1" in lines
    assert "differences: to copy, paired bootstrap and approximate randomisation" in lines
    assert "-1.000" in next(line for line in lines if line.startswith("exact_copies  good"))
    single = _run("--complex complex --output good --reference ref.0 --samples 50").splitlines()
    assert "difference" not in single[0] and single[-1] == "intervals: 50 resamples of 3 lines, seed 13"


def test_a_comparison_is_a_page_with_what_each_output_did(folder: Path) -> None:
    """The table as it is printed, and the sentences with the largest gaps first: their words, kinds and scores."""
    hostile = "He lived <b>here</b> | *there* ."
    write_lines(folder / "mine", [COMPLEX[0], GOOD[1], hostile])
    files = "--complex complex --output copy mine --reference ref.0 --metric sari --samples 9"
    assert _run(f"{files} --html page.html --md page.md") == _run(files)
    page, text = (folder / "page.html").read_text(), (folder / "page.md").read_text()
    assert "&lt;<ins>b</ins>&gt;" in page and "Content-Security-Policy" in page and "<script" not in page
    assert text.startswith("# copy, mine on complex\n") and r"\| \*there\*" in text
    for shown in (page, text):
        order = [shown.index(line) for line in ("Line 2", "Line 3")] if shown is text else [shown.index("line2")]
        assert order == sorted(order) and "Line 1" not in shown and 'id="line1"' not in shown
        assert "splitting" in shown and "sari.keep" in shown and "level:sentence" in shown and COMPLEX[1] in shown
    assert "**lived**" in text and "left out: resided" in text and "<ins>lived</ins>" in page
    assert _run(f"{files.replace('copy mine', 'mine')} --md one.md") and "differ most" not in Path("one.md").read_text()
    write_lines(folder / "mine", [*map(str.upper, GOOD[:2]), ""])
    told = run("score", *files.split(), "--form", "treebank", "--html", "page.html", "--md", "page.md").stderr
    page, text = (folder / "page.html").read_text(), (folder / "page.md").read_text()
    assert told.startswith("warning: mine: empty lines: 1") and "it rained . nobody minded ." in text
    assert all(line in page and f"- {line}" in text for line in told.splitlines()[:-1]) and "IT" not in page
    piped = run("score", *files.replace(" complex ", " - ").split(), "--md", "x.md", text="a\n")
    refused(piped, "error: -: a pipe, which --html and --md cannot read")


def test_same_names_in_two_folders(folder: Path) -> None:
    for name in ("x", "y"):
        (folder / name).mkdir()
        write_lines(folder / name / "out", GOOD)
    text = _run("--complex complex --output x/out y/out --reference ref.0 --metric len --samples 9 --against y/out")
    assert "x/out" in text and "to y/out" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--output short --reference ref.0", "short:3: 2 lines where complex has 3"),
        ("--output good --reference ref.0 short", "short:3: 2 lines where complex has 3"),
        ("--output good absent --reference ref.0", "absent: no such file"),
        ("--output long", "error: long:3: a line of more than 100000 characters; give one sentence per line\n"),
        ("--output good good --reference ref.0", "--output good: given 2 times"),
        ("--output good copy --reference ref.0 --against other", "--against other: none of the outputs; there is good"),
        ("--output reference --reference ref.0", "results have human references under this name"),
        ("--output - - --reference ref.0", "-: given twice, but a stream can be read once"),
        ("--output good --reference ref.0 --metric rouge", "no metric 'rouge'; known: sari,"),
        ("--output good --reference ref.0 --metric bertscore", "give it with --encoder"),
        ("--output good --reference ref.0 --metric lexical_complexity", "give it with --frequencies"),
        ("--output good --reference ref.0 --samples 0", "'--samples': Input should be greater than or equal to 1"),
    ],
)
def test_bad_input(folder: Path, arguments: str, message: str) -> None:
    refused(run("score", "--complex", "complex", *arguments.split()), message)


def test_every_file_is_read_once(folder: Path) -> None:
    """From a pipe too, which cannot be read twice."""
    plain = _run("--complex complex --output good --reference ref.0 ref.1 --samples 9 --json")
    stdin = "".join(f"{line}\n" for line in COMPLEX)
    assert _run("--complex - --output good --reference ref.0 ref.1 --samples 9 --json", stdin) == plain
    os.mkfifo(folder / "pipe")
    writer = threading.Thread(target=(folder / "pipe").write_text, args=("\ufeff" + stdin.replace("\n", "\r\n"),))
    writer.start()
    assert _run("--complex pipe --output good --reference ref.0 ref.1 --samples 9 --json") == plain
    writer.join()


def _said(arguments: str) -> str:
    return run("score", *arguments.split(), "--samples", "9").stderr


FOREIGN = {
    "ar": ("قررت اللجنة تأجيل القرار، وذلك بسبب الفيضان؟", "أجلت اللجنة القرار بسبب الفيضان."),
    "de": ("Die Behörde überprüft sämtliche Anträge.", "Die Behörde prüft die Anträge."),
    "ja": ("委員会は洪水のため決定を延期した。", "委員会は決定をのばしました。"),
    "th": ("คณะกรรมการเลื่อนการตัดสินใจ", "คณะกรรมการเลื่อนการตัดสิน"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_what_is_about_english_is_left_out_elsewhere(folder: Path, name: str) -> None:
    for file, line in zip(("f.complex", "f.out"), FOREIGN[name], strict=True):
        write_lines(folder / file, [line])
    files, is_unspaced = "--complex f.complex --output f.out --reference f.out", name in ("ja", "th")
    results = _results(f"{files} --samples 9", folder)
    assert {"fk", "len"} & results.signatures.keys() == ({"len"} if name == "de" else set())
    assert ("|text:char|" in results.signatures["sari"]) is is_unspaced
    assert results.value("test", "f.out", "bleu") == 100
    told = _said(f"{files} --metric fk")
    assert "error: --metric fk: it is about English; the texts look like" in told
    assert ("; if they are English, say --language en" in told) is (name == "de")
    assert "it is about English; --language says fr; leave it out" in _said(f"{files} --metric fk --language fr")
    english = _results(f"{files} --metric fk sari --language en --samples 9", folder)
    assert "fk" in english.signatures and english.signatures["sari"] == results.signatures["sari"]
    scores = textsimp.score(*([line] for line in FOREIGN[name]), [[FOREIGN[name][1]]])
    assert scores["sari"].value == results.value("test", "f.out", "sari") and "fk" not in scores


def test_characters_of_unspaced_text_are_scored(folder: Path) -> None:
    """An output that shares all but two characters with its reference; by white space, nothing would be alike."""
    assert spaced_characters("決定を2回 Tokyo。") == "決 定 を 2 回 Tokyo 。" and spaced_characters("ที่ดี") == "ที่ ดี"
    assert textsimp.sari(["委員会は延期した。"], ["委員会は決めた。"], [["委員会は決めました。"]]).value > 50


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (GOOD[1:] + GOOD[:1], "of the lines fit another sentence of the complex side better than their own"),
        ([line.lower() for line in GOOD], "different forms (complex, ref.0: cased tokens; out: lower-cased tokens)"),
        ([line.replace(" .", ".") for line in GOOD], "different forms (complex, ref.0: cased tokens; out: cased text)"),
        (["Mitochondria generate ATP. " * 9] * 3, "rules here; if they are English, say --language en"),
        (GOOD, ""),
    ],
)
def test_texts_that_do_not_belong_together_are_told(folder: Path, lines: list[str], said: str) -> None:
    write_lines(folder / "out", lines)
    told = _said("--complex complex --output out --reference ref.0")
    assert told.startswith("warning: ") and said in told if said else "warning" not in told


def test_a_missing_reference_is_none(folder: Path) -> None:
    write_lines(folder / "holes", [REFERENCE[0], "", REFERENCE[2]])
    files, options = "--complex complex --output good", "--metric sari sari_corpus bleu --samples 9"
    whole = _results(f"{files} --reference ref.1 {options}", folder)
    write_lines(folder / "none", [""] * 3)
    some = _results(f"{files} --reference ref.1 none --missing-references {options}", folder)
    for metric in ("sari", "sari_corpus", "bleu"):
        assert some.value("test", "good", metric) == pytest.approx(whole.value("test", "good", metric))
        assert "|nrefs:var|" in some.signatures[metric]
    both = "--reference ref.0 holes --missing-references"
    alone = _results(f"{files} --reference ref.0 {options}", folder).value("test", "good", "sari")
    assert _results(f"{files} {both} {options}", folder).value("test", "good", "sari") == pytest.approx(alone)
    assert "needs all references" in _said(f"{files} {both} --metric ssa")
    assert "holes:2: no reference of this sentence" in _said(f"{files} --reference holes --missing-references")


@pytest.mark.parametrize(("p", "samples", "text"), [(0, 10_000, "< 0.0001"), (0, 50, "< 0.0200"), (0.5, 50, "0.5000")])
def test_p_values_have_a_floor(p: float, samples: int, text: str) -> None:
    assert p_text(p, samples) == text and p_text(None, samples) == "-"


def test_empty_lines_are_told(folder: Path) -> None:
    write_lines(folder / "gaps", [GOOD[0], " ", ""])
    result = done("score", *"--complex complex --output gaps --reference ref.0 gaps --samples 9 --json".split())
    said = "2, the first is line 2; they are scored as they are"
    assert result.stderr.startswith(f"warning: gaps: empty lines: {said}\n")
    notes = {"empty lines of gaps": said, "degenerate.test.gaps": "66.7% empty"}
    assert json.loads(result.stdout)["notes"] == notes


def test_many_lines_are_resampled_in_groups(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The scores are those of the lines; the printed lines say what was resampled."""
    monkeypatch.setattr(scored_files, "Units", partial(Units, most=2000))
    times = 700
    for name, lines in {"many": COMPLEX, "out": GOOD, "other": COMPLEX, "ref": REFERENCE}.items():
        write_lines(folder / name, lines * times)
    files = "--complex many --output out other --reference ref --samples 20"
    few = _results("--complex complex --output good copy --reference ref.0 --samples 20", folder)
    many = _results(files, folder)
    for old, new in (("good", "out"), ("copy", "other")):
        for measure, estimate in few.measures("test", old).items():
            smoothed = (old, measure) == ("copy", "bleu")  # without a 4-gram in common, it depends on the sums' size
            assert smoothed or many.value("test", new, measure) == pytest.approx(estimate.value, abs=1e-9)
    sari = many.get("test", "out", "sari")
    assert sari.low < sari.value < sari.high < few.get("test", "good", "sari").high
    assert many.notes == {"units": "2000 random groups", "degenerate.test.other": "100.0% copies"}
    assert many.comparisons["test", "sari", "other", "out"].p_randomisation == pytest.approx(1 / 21)
    assert "intervals: 20 resamples of 2100 lines in 2000 random groups, seed 13" in _run(files)


def test_kinds_of_rewriting_are_parts_of_one_metric(folder: Path) -> None:
    (folder / "complex").write_text("The old club closed in May.\nThe club closed in May, and Vale moved away.\n" * 5)
    (folder / "good").write_text("The club closed in May.\nThe club closed in May. Vale moved away.\n" * 5)
    (folder / "copy").write_bytes((folder / "complex").read_bytes())
    files = "--complex complex --output copy good --metric rewriting --samples 50"
    results = _results(files, folder)
    mine = {name: estimate.value for name, estimate in results.measures("test", "good").items()}
    parts = ("aligned", "classes.deletion", "classes.splitting")
    assert [mine[f"rewriting.{part}"] for part in parts] == [100, 50, 50]
    assert results.compared("test", "rewriting.classes.copy", "good", "copy").difference == -100
    table = [line.split() for line in _run(files).splitlines()]
    assert ["rewriting.classes.splitting", "good", "50.0"] in [row[:3] for row in table]
    assert "rewriting" not in _results("--complex complex --output good --metric all", folder).signatures
    (folder / "good").write_text("The club closed in May.\n" * 9 + "the club closed in May " * 201)
    refused(run("score", *files.split()), "good:10: a line of more than 1000 words; give one sentence per line")


def test_frequencies(folder: Path) -> None:
    write_lines(folder / "counts", ["the 9", "house 3", "chose 2", "committee 1"])
    text = _run("--complex complex --output good --reference ref.0 --metric lexical_complexity --frequencies counts")
    assert "|quantile:0.75|table:" in text


def test_spread_values() -> None:
    spread = spread_values("--output a b -t c --reference=d e -q f --json --metric x -".split())
    expected = "--output a --output b -t c --reference=d --reference e -q f --json --metric x --metric -"
    assert spread == expected.split()
