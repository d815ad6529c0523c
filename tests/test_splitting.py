"""Plain text in sentences: hand-made cases in six languages, layout, and that nothing is lost or takes for ever.

The cases are in sentence_cases/LANGUAGE.tsv: what is tried, and the text, in which `¦` marks the end of a sentence, `¶`
that of a paragraph. Lines that divide a table are no sentences. Odd lines served to correct the rules, even ones to
test them; those of the kind `further` came when the rules were done.
"""

import json
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from textsimp.cli.app import app
from textsimp.core.errors import InputError
from textsimp.core.records import read_pairs
from textsimp.core.text_form import text_form
from textsimp.sources.plain import split_text
from textsimp.sources.splitting import language as rules

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted((ROOT / "tests" / "sentence_cases").glob("*.tsv"))
CASES = [(path.stem, *row.split("\t")) for path in FILES for row in path.read_text(encoding="utf-8").splitlines()]
LANGUAGES = tuple(path.stem for path in FILES)
ESCAPE = re.compile(r"\\(?:u[0-9a-f]{4}|[nrt])")
DIVIDER = re.compile(r"^[-=|]{3,}$", re.MULTILINE)
GERMAN = (
    "Am 30. September beginnt die Schule. Die Kinder sind in der Stadt, und das ist nicht schön, denn der Weg mit dem "
    "Bus dauert lange. Sie werden von den Eltern auf dem Hof erwartet, für die das auch eine lange Zeit ist."
)


@pytest.mark.parametrize(("language", "kind", "marked"), CASES)
def test_hand_made_cases(language: str, kind: str, marked: str) -> None:
    marked = ESCAPE.sub(lambda found: str(json.loads(f'"{found[0]}"')), marked)
    paragraphs = tuple(
        tuple(" ".join(sentence.split()) for sentence in DIVIDER.sub("", paragraph).split("¦") if sentence.strip())
        for paragraph in marked.split("¶")
    )
    assert split_text(re.sub("[¦¶]", "", marked), language) == paragraphs


def test_every_language_has_cases() -> None:
    assert LANGUAGES == rules.LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_abbreviations_are_written_as_the_lookup_needs_them(language: str) -> None:
    found = rules.load_language(language)
    for words in (found.never, found.starter, found.number, found.clock):
        assert not [word for word in words if word.endswith(".") or " " in word]
    assert found.starters == {word.lower() for word in found.starters}
    assert found.particles <= found.starters
    assert not found.never & (found.starter | found.number)


def test_an_unknown_language_or_meaning_of_lines() -> None:
    with pytest.raises(InputError, match="language 'xx': .* there is de, en, es, fr, it, pt"):
        split_text("One.", "xx")
    with pytest.raises(InputError, match="lines 'all': .* there is auto, wrapped, sentences"):
        split_text("One.", lines="all")


TWO_LINES = "He came from Dr.\nHill. Then he left\nNobody saw him.\n\nThe end"


@pytest.mark.parametrize(
    ("lines", "paragraphs"),
    [
        ("auto", (("He came from Dr. Hill.", "Then he left", "Nobody saw him."), ("The end",))),
        ("wrapped", (("He came from Dr. Hill.", "Then he left Nobody saw him."), ("The end",))),
        ("sentences", (("He came from Dr.", "Hill. Then he left", "Nobody saw him."), ("The end",))),
    ],
)
def test_the_user_may_say_what_lines_are(lines: str, paragraphs: tuple[tuple[str, ...], ...]) -> None:
    assert split_text(TWO_LINES, lines=lines) == paragraphs


def test_lines_of_several_sentences_are_paragraphs() -> None:
    text = "The boat is old. It leaks.\nNobody mends it. Nobody will.\nThe river is wide. It is deep.\n"
    assert [len(paragraph) for paragraph in split_text(text)] == [2, 2, 2]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028"])
def test_every_kind_of_line_end(end: str) -> None:
    text = text_form(f"- One{end}- Two{end}{end}Three. Four.")
    assert split_text(text) == (("- One", "- Two"), ("Three.", "Four."))


WORDS = (
    "Dr. z. B. 3. 1) a) U.S. J. The Der und \n\n \n- \n1. \n2. \n| \n\t ## ... [...] p. 5 www.a.de ?! .” etc. --- ===="
)
PARTS = [*"aÉ中7.!?…-*|#_=:;,()[]\"'«»„“”—–•\t\n\u00a0\u00ad😀", *WORDS.split(" ")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_letter_is_lost_or_moved(language: str) -> None:
    draw = random.Random(language)
    for _ in range(300):
        size = draw.choice((3, 10, 40))
        text = "".join(draw.choice(PARTS) + draw.choice(("", " ")) for _ in range(size))
        for lines in ("auto", "wrapped", "sentences"):
            paragraphs = split_text(text, language, lines)
            letters = "".join(char for paragraph in paragraphs for sentence in paragraph for char in sentence)
            assert [char for char in letters if char.isalnum()] == [char for char in text if char.isalnum()], repr(text)
            for sentence in (sentence for paragraph in paragraphs for sentence in paragraph):
                assert sentence == " ".join(sentence.split()) != ""
            assert all(paragraphs)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_marker_is_never_a_sentence(language: str) -> None:
    for marker in ("1.", "12.", "a)", "(3)", "2)", "-", "•", "1.2."):
        for text in ("{} The first\n{} The second", "Der Rest:\n\n{} Er kam. Sie ging.", "{}\nA", "{} {} A"):
            sentences = split_text(text.replace("{}", marker), language)
            assert marker not in [sentence for paragraph in sentences for sentence in paragraph]


LONG = (
    "a¦word ¦.¦. ¦(¦\"¦a.b.c.¦J. ¦z. B. ¦3. ¦?' A ¦(a. B ¦„a. B ¦a\n¦- a\n¦- \n¦1. a\n¦a\n---\n¦a\t¦|¦! 😀¦. [...]"
    "¦.[1]¦中文。¦a\u00ad\n¦a.m. E¦U.S. ¦?' A- ¦.) ¦word word word word word word word\n¦Dr. Hill at 5 p.m. He sat. "
).split("¦")


def test_long_texts_end() -> None:
    """In linear time some seconds together; a quadratic step takes from minutes to hours."""
    code = (
        "from textsimp.sources.plain import split_text\n"
        f"for part in {LONG!r}:\n"
        "    split_text(part * (50_000 // len(part)), 'de')\n"
        "for part in ('a', '.', '(', 'a.b.c.'):\n"
        "    split_text(part * 500_000, 'de')\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=240)


def invoke(folder: Path, text: str, *arguments: str) -> tuple[int, list[str]]:
    (folder / "a.txt").write_text(text, encoding="utf-8")
    (folder / "b.txt").write_text(text, encoding="utf-8")
    files = [str(folder / name) for name in ("a.txt", "b.txt", "pair.jsonl")]
    result = CliRunner().invoke(app, ["convert", *files, *arguments])
    return result.exit_code, [line for line in result.stderr.splitlines() if not line.startswith(files[2])]


def test_pair_takes_language_and_lines(tmp_path: Path) -> None:
    assert invoke(tmp_path, "Am 3. Mai.\nz. B. Anna", "--language", "de", "--lines", "wrapped") == (0, [])
    (pair,) = read_pairs(tmp_path / "pair.jsonl")
    assert pair.complex.paragraphs == pair.simple.paragraphs == (("Am 3. Mai. z. B. Anna",),)
    said = "looks like de, was split as en; use --language"
    assert invoke(tmp_path, GERMAN) == (0, [f"warning: {tmp_path / name}: {said}" for name in ("a.txt", "b.txt")])
    status, (error,) = invoke(tmp_path, GERMAN, "--language", "ger")
    assert status == 2 and "'ger'" in error and "de, en, es, fr, it, pt" in error
