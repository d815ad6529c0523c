"""The splitter of the paper's data gives what its definition gives, on random texts, and in linear time."""

import random
import re
import subprocess
import sys
from pathlib import Path

from textsimp.sources import sentences

ROOT = Path(__file__).resolve().parent.parent
PARTS = [
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
    if word.lstrip("\"'“‘([") in sentences._TITLES or sentences._INITIAL.fullmatch(word):
        return False
    if sentences._CLOCK.fullmatch(word):
        return not sentences._DAY.match(after)
    if sentences._ACRONYM.fullmatch(word):
        return after.split(maxsplit=1)[0].strip("\"'“‘([,.") in sentences._STARTERS
    if sentences._QUESTION_QUOTE.search(word) and sentences._SAID.match(after):
        return False
    return before.count("(") <= before.count(")")


def test_random_texts_are_split_as_defined() -> None:
    draw = random.Random(8)
    cut = 0
    for _ in range(20_000):
        size = draw.choice((3, 8, 20, 60))
        text = "".join(draw.choice(PARTS) + draw.choice(("", " ")) for _ in range(size))
        found = sentences.split_sentences(text)
        assert found == defined(text), repr(text)
        cut += len(found) > 1
    assert cut > 5_000


def test_long_texts_end() -> None:
    """Each took from minutes to hours when the text before a candidate was searched and copied."""
    code = (
        "from textsimp.sources.sentences import split_sentences as split\n"
        "for part in ('a', '.', '(', 'a.b.c.', 'J. ', '?\" A ', '. ', 'a.m. E', 'U.S. ', '?\\' A- ', '.) ', '中。'):\n"
        "    split(part * (1_000_000 // len(part)))\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=120)
