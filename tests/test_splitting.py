"""Plain text in sentences: hand-made cases in six languages, layout, and that nothing is lost or takes for ever."""

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from splitting_cases import LANGUAGES, Case, cases
from typer.testing import CliRunner

from textsimp.cli.app import app
from textsimp.core.errors import InputError
from textsimp.core.records import read_pairs
from textsimp.core.text_form import text_form
from textsimp.sources import sentences as paper
from textsimp.sources.plain import split_text
from textsimp.sources.splitting import language as rules

ROOT = Path(__file__).resolve().parent.parent
CASES = [case for language in LANGUAGES for case in cases(language)]
GERMAN = (
    "Am 30. September beginnt die Schule. Die Kinder sind in der Stadt, und das ist nicht schön, denn der Weg mit dem "
    "Bus dauert lange. Sie werden von den Eltern auf dem Hof erwartet, für die das auch eine lange Zeit ist."
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.language}-{case.kind}")
def test_hand_made_cases(case: Case) -> None:
    assert split_text(case.text, case.language) == case.paragraphs


def test_every_language_has_sixty_cases() -> None:
    assert LANGUAGES == rules.LANGUAGES
    assert min(len(cases(language)) for language in LANGUAGES) >= 60


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
    for _ in range(1_000):
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
        "from textsimp.sources.plain import split_text\nfrom textsimp.sources.sentences import split_sentences\n"
        f"for part in {LONG!r}:\n"
        "    split_text(part * (50_000 // len(part)), 'de')\n"
        "    split_sentences(part * (100_000 // len(part)))\n"
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


# ---- the splitter of the paper's data

PAPER_PARTS = [
    *".!?…\"'”’)]([“‘ \n\t\u00a0\x1c\x85Ab7É中",
    *"a.m. p.m. Monday EST GMT, U.S. The Mr. J. said Smith Why e.g. No. word Inc Dr. (No ?” !' St. Mary's 9".split(),
]
BOUNDARY = re.compile(r"[.!?…]+[\"'”’)\]]*\s+(?=[\"'“‘(’\[]*[A-Z0-9À-ÖØ-Þ])")


def defined(paragraph: str) -> list[str]:
    """The definition, with slices of the text before and after each candidate: quadratic."""
    found, start = [], 0
    for match in BOUNDARY.finditer(paragraph):
        before = paragraph[start : match.end()].rstrip()
        if is_boundary(before, paragraph[match.end() :]):
            found.append(before)
            start = match.end()
    rest = paragraph[start:].strip()
    return found + [rest] if rest else found


def is_boundary(before: str, after: str) -> bool:
    last = re.search(r"\S+$", before)
    word = last[0] if last else ""
    if word.lstrip("\"'“‘([") in paper._TITLES or paper._INITIAL.fullmatch(word):
        return False
    if paper._CLOCK.fullmatch(word):
        return not paper._DAY.match(after)
    if paper._ACRONYM.fullmatch(word):
        return after.split(maxsplit=1)[0].strip("\"'“‘([,.") in paper._STARTERS
    if paper._QUESTION_QUOTE.search(word) and paper._SAID.match(after):
        return False
    return before.count("(") <= before.count(")")


def test_random_texts_are_split_as_defined() -> None:
    draw = random.Random(8)
    cut = 0
    for _ in range(5_000):
        size = draw.choice((3, 8, 20, 60))
        text = "".join(draw.choice(PAPER_PARTS) + draw.choice(("", " ")) for _ in range(size))
        found = paper.split_sentences(text)
        assert found == defined(text), repr(text)
        cut += len(found) > 1
    assert cut > 1_200
