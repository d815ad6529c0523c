"""One border: texts that look alike score, align and are rated alike, whatever bytes they are written with."""

import json
import unicodedata
from functools import partial
from pathlib import Path

import pytest
from commands import refused, run
from simplifier_sample import Told

import textsimp
from textsimp.core.errors import InputError
from textsimp.core.reading import lines_of
from textsimp.core.text_form import line_form, text_form
from textsimp.simplification import simplified_text

HARD = "The council für Köln approved the budget.\nConstruction begins in May."
EASY = "The council of Köln agreed.\nThe work begins in May."
DAMAGE = {
    "NFD": lambda text: unicodedata.normalize("NFD", text),
    "byte-order mark, CRLF": lambda text: "\ufeff" + text.replace("\n", "\r\n"),
    "CR": lambda text: text.replace("\n", "\r") + "\r",
    "CR, then LF": lambda text: text.replace("\n", "\r") + "\n",
    "CR CR LF": lambda text: text.replace("\n", "\r\r\n") + "\r\r\n",
    "NEL": lambda text: text.replace("\n", "\x85"),
    "U+2028": lambda text: text.replace("\n", "\u2028"),
    "soft hyphens": lambda text: text.replace("cil", "\u00adcil"),
    "zero width": lambda text: text.replace("cil", "\u200bcil\u2060").replace(".", ".\ufeff"),
    "breaks in lines": lambda text: text.replace(" begins", "\u2028begins").replace(" in", "\x0cin") + "\n",
}
"""What does not change what a reader sees."""
FORMS = [
    ("May.\u200b\u200bIt ends.\ufeff “So” be.\u200b“It”.", "May. It ends. “So” be. “It”."),
    ("3.\u200b000 www.\u200bexample", "3.000 www.example"),
    ("می\u200cخواهم क्\u200dष 👩\u200d👧", "می\u200cخواهم क्\u200dष 👩\u200d👧"),
    ("co\u200cop co\u200dop \u200eok\u200f", "coop coop ok"),
    ("\u200fשלום (a)\u200e", "\u200fשלום (a)\u200e"),
    ("bud\u00adget", "budget"),
]


def write(name: str, text: str) -> Path:
    path = Path(name)
    path.write_bytes(text.encode())
    return path


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_form_of_lines_and_texts() -> None:
    for given, expected in FORMS:
        assert line_form(given) == text_form(given) == line_form(expected) == expected
    lines = ["a b", " c d", "muni\u00ad", "cipal e"]
    assert lines_of(text_form("a\x0cb\n\x0cc\u2028d\nmuni\u00ad\ncipal\x85e\n")) == lines


@pytest.mark.parametrize("damage", DAMAGE)
def test_every_command_reads_the_same(damage: str) -> None:
    clean, damaged = (write("clean", HARD), write("easy", EASY)), write("damaged", DAMAGE[damage](HARD))
    options = ("--samples", 10, "--json")
    results = []
    for hard in (clean[0], damaged):
        results.append([
            run("score", "--complex", hard, "--output", "easy", "--reference", hard, *options).stdout,
            run("convert", hard, "easy", "-", "--lines", "sentences").stdout.replace("damaged", "clean"),
            run("human", "export", f"{hard}.sheets", "--complex", hard, "--output", "a=easy", "--count", 2).exit_code,
            Path(f"{hard}.sheets.key.json").read_text(),
        ])  # fmt: skip
    assert results[0] == results[1] and all(results[0][:2])


def test_raw_texts_stay_as_they_are() -> None:
    given = DAMAGE["soft hyphens"](DAMAGE["NFD"](HARD))
    done = run("convert", write("hard", given), write("easy", EASY), "-", "--raw", "--lines", "sentences")
    assert json.loads(done.stdout)["complex"]["paragraphs"] == [given.split("\n")]


def test_document_pairs_and_python_have_the_form_too() -> None:
    damaged = DAMAGE["NFD"](HARD)
    row = {"id": "a", "corpus": "own", "group": "a", "alignments": [[0, 0, "aligned"]]}
    for name, text in (("gold", HARD), ("found", damaged)):
        sides = {side: {"id": side, "level": 0, "paragraphs": [text.split("\n")]} for side in ("complex", "simple")}
        write(f"{name}.jsonl", json.dumps({**row, **sides}) + "\n")
    assert run("evaluate-alignment", "gold.jsonl", "--predictions", "found.jsonl").exit_code == 0
    assert textsimp.align(damaged, EASY) == textsimp.align(HARD, EASY)
    assert textsimp.sari([damaged], [HARD], [[damaged]]) == textsimp.sari([HARD], [HARD], [[HARD]])


def test_simplify_names_the_line_of_an_editor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simplified_text, "load_simplifier_folder", lambda *_: Told(lambda sentence: [sentence]))
    text = "A cat sat.\x0c\nIt slept.\u2028It ate.\nMuni\u00ad\ncipal cats left.\n\nΗ γάτα κοιμάται εδώ.\n"
    Path("model").mkdir()
    done = run("simplify", write("a.txt", text), "b.txt", "--model", "model")
    assert "a.txt:6: kept as it is, another script" in done.stderr and "Municipal cats" in Path("b.txt").read_text()


@pytest.mark.parametrize(
    ("command", "twice"),
    [
        ("human export x --complex easy --output a=- --output b={}", "-"),
        ("score --complex - --output {}", "/dev/stdin"),
        ("convert {} - out", "-"),
        ("align - {} out.tsv", "/dev/stdin"),
    ],
)
def test_standard_input_is_read_once(command: str, twice: str) -> None:
    write("easy", EASY)
    refused(run(*command.format(twice).split(), text=HARD), "given twice")
    assert not Path("out").exists()


def test_python_refuses_the_name_of_a_file_and_a_text_as_sentences() -> None:
    for text in ("hard.txt", "./a/b", Path("hard"), "C:\\texts\\hard.docx"):
        for call in (textsimp.simplify, partial(textsimp.align, simple=EASY)):
            with pytest.raises(InputError, match="is the name of a file; give its text"):
                call(text)
    for texts in (("ab", ["a", "b"], [["a", "b"]]), (["a", "b"], "ab", [["a", "b"]]), (["a", "b"], ["a", "b"], ["ab"])):
        with pytest.raises(InputError, match="one text where a list of sentences is expected"):
            textsimp.sari(*texts)
