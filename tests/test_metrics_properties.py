"""What holds for every metric on any text: seeded random corpora, empty and long lines, foreign scripts."""

import random

import numpy as np
import pytest
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from textsimp.metrics.registry import EVERYTHING, MetricOptions, Texts, checked_names, metric_statistics
from textsimp.metrics.sari import sari, sentence_recipe
from textsimp.metrics.tokens import tokenise

WORDS = ["the", "The", "cat", "sat", ".", ",", "3.5", "1,000", "well-known", "U.S.", "é", "日本", "don't", "🙂", "ΟΔΟΣ"]
OPTIONS = MetricOptions()
ALL = checked_names([EVERYTHING], OPTIONS)


def _lines(draw: random.Random, number: int, shortest: int = 0) -> list[str]:
    return [" ".join(draw.choices(WORDS, k=draw.randint(shortest, 12))) for _ in range(number)]


@pytest.mark.parametrize("name", ALL)
def test_empty_long_and_foreign_lines(name: str) -> None:
    long = " ".join(f"w{number % 321}" for number in range(1000))
    sources = ["a b c .", "a b c .", long, "Це є речення.", "ΟΔΟΣ ΣΟΦΟΣ", "日本 語 。 🙂"]
    outputs = ["", "a b .", long + " x", "Це речення.", "οδος", "日本"]
    references = [["a .", "", long, "Речення.", "οδός", "日本 語"], ["b", "", "w1", "", "", "🙂"]]
    (found,) = metric_statistics((name,), Texts(sources, outputs, references), OPTIONS).values()
    assert np.isfinite(found.per_segment()).all()
    assert len(found.per_segment()) == 6
    empty = Texts([""], [""], [[""]])
    (nothing,) = metric_statistics((name,), empty, OPTIONS).values()
    assert np.isfinite(nothing.score().value)


@pytest.mark.parametrize("name", ALL)
def test_the_order_of_segments_is_irrelevant(name: str) -> None:
    draw = random.Random(3)
    sides = [_lines(draw, 8, 1) for _ in range(4)]
    order = draw.sample(range(8), 8)
    moved = [[lines[place] for place in order] for lines in sides]
    one, other = (metric_statistics((name,), Texts(s, o, r), OPTIONS)[name] for s, o, *r in (sides, moved))
    assert one.score().value == pytest.approx(other.score().value, abs=1e-9)
    assert one.per_segment()[order] == pytest.approx(other.per_segment(), abs=1e-9)


def test_case_depends_on_the_word_alone() -> None:
    """A final sigma is small or final by its place in the word, which stays the same in a line."""
    words = ["ΟΔΟΣ", "ΣΟΦΟΣ", "Α.Σ.", "İZMIR", "ǅ"]
    assert tokenise(" ".join(words)) == [word.lower() for word in words]
    folded = " ".join(tokenise(" ".join(words)))
    assert sari([" ".join(words)], [folded], [[folded]], sentence_recipe()).parts["keep"] == pytest.approx(100)


@pytest.mark.parametrize("seed", range(3))
def test_13a_is_that_of_sacrebleu_word_by_word(seed: int) -> None:
    draw, theirs = random.Random(seed), Tokenizer13a()
    alphabet = [*"ab1 2.,-&;:'\"()[]{}/~`^_+*%$#@!?<>|\\é。\u00a0", *["&amp;", "&quot;", "<skipped>"], "  "]
    for _ in range(400):
        line = "".join(draw.choices(alphabet, k=draw.randint(0, 25)))
        whole = theirs(line.lower()).split()
        assert tokenise(line, "13a") == whole
        assert [token for word in line.split() for token in tokenise(word, "13a")] == whole
