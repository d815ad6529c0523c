"""Plain text in sentences: hand-made cases in six languages, layout, and that nothing is lost or takes for ever."""

import random
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
from textsimp.sources.plain import language_doubt, read_plain_pair, split_text
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


def test_long_texts_end() -> None:
    """In linear time some seconds together; a quadratic step takes from minutes to hours."""
    code = (
        "from benchmarks.splitting import PARTS\nfrom textsimp.sources.plain import split_text\n"
        "for part in PARTS.values():\n"
        "    split_text(part * (100_000 // len(part)), 'de')\n"
        "for part in ('a', '.', '(', 'a.b.c.'):\n"
        "    split_text(part * 1_000_000, 'de')\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=120)


def invoke(folder: Path, text: str, *arguments: str) -> tuple[int, list[str]]:
    (folder / "a.txt").write_text(text, encoding="utf-8")
    (folder / "b.txt").write_text(text, encoding="utf-8")
    files = [str(folder / name) for name in ("a.txt", "b.txt", "pair.jsonl")]
    result = CliRunner().invoke(app, ["pair", *files, *arguments])
    return result.exit_code, [line for line in result.stderr.splitlines() if not line.startswith(files[2])]


def test_pair_takes_language_and_lines(tmp_path: Path) -> None:
    assert invoke(tmp_path, "Am 3. Mai.\nz. B. Anna", "--language", "de", "--lines", "wrapped") == (0, [])
    (pair,) = read_pairs(tmp_path / "pair.jsonl")
    assert pair.complex.paragraphs == pair.simple.paragraphs == (("Am 3. Mai. z. B. Anna",),)


def test_pair_warns_of_another_language_in_one_line(tmp_path: Path) -> None:
    assert invoke(tmp_path, GERMAN, "--language", "de") == (0, [])
    status, warnings = invoke(tmp_path, GERMAN)
    assert status == 0
    assert warnings == [
        f"warning: {tmp_path / name}: looks like de, was split as en; use --language" for name in ("a.txt", "b.txt")
    ]


def test_pair_refuses_an_unknown_language_in_one_line(tmp_path: Path) -> None:
    status, (error,) = invoke(tmp_path, GERMAN, "--language", "ger")
    assert status == 2
    assert "'ger'" in error and "de, en, es, fr, it, pt" in error
    assert not (tmp_path / "pair.jsonl").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Das ist der Hund und die Katze.", ""),
        ("The museum keeps a map of the town and the river, and it is open from May.", ""),
        ("أجلت اللجنة القرار. هل خرج السكان؟", "looks like Arabic script"),
        ("यह एक वाक्य है। यह दूसरा है।", "looks like Devanagari script"),
        ("委員会は決定をのばしました。", "looks like Japanese"),
        ("Это первое предложение.", "looks like Cyrillic script"),
        ("Rada miejska zatwierdziła budżet miasta na nowy rok. Prace rozpoczną się w maju.", "no language with rules"),
        (GERMAN, "looks like de, was split as en; use --language"),
    ],
)
def test_a_text_in_another_language_is_told(text: str, said: str) -> None:
    assert said in language_doubt(text, "en") if said else not language_doubt(text, "en")


@pytest.mark.parametrize(
    ("text", "what"),
    [("One.\n\nTwo\u0007.", r"a\.txt:3: the control character"), ("\n \n", r"a\.txt: a text without sentences")],
)
def test_damage_is_refused_with_its_line(tmp_path: Path, text: str, what: str) -> None:
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=what):
        read_plain_pair(tmp_path / "a.txt", tmp_path / "a.txt")
