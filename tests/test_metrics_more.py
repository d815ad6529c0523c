"""Lexical complexity, BERTScore and word overlap on small texts; and what holds for every metric on any text."""

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from textsimp.core.errors import InputError
from textsimp.core.writing import write_lines
from textsimp.metrics.bertscore import NamedEncoder, bertscore_statistics
from textsimp.metrics.lexical_complexity import FrequencyTable, lexical_complexity_statistics, read_frequencies
from textsimp.metrics.registry import EVERYTHING, MetricOptions, Texts, checked_names, metric_statistics
from textsimp.metrics.sari import sari, sentence_recipe
from textsimp.metrics.tokens import tokenise
from textsimp.metrics.word_overlap import simple_string_accuracy_statistics, word_f1_statistics


def test_frequencies(tmp_path: Path) -> None:
    write_lines(tmp_path / "t", ["rare 2", "The 900", "", "the 100", "common 50.5"])
    table = read_frequencies(tmp_path / "t")
    assert table.ranks == {"the": 0, "common": 1, "rare": 2}
    assert len(table.digest) == 8
    for lines, message in ((["the 1", "two words 3"], "t:2: 'two words 3'"), (["the x"], "t:1"), ([], "has no words")):
        write_lines(tmp_path / "t", lines)
        with pytest.raises(InputError, match=message):
            read_frequencies(tmp_path / "t")


def test_lexical_complexity_by_hand() -> None:
    table = FrequencyTable({"the": 0, "common": 1, "rare": 7}, "digest")
    found = lexical_complexity_statistics(["The rare, unknown", "nothing known", "the common rare"], table)
    # quartiles of (0, log 8), of nothing, and of (0, log 2, log 8)
    expected = [0.75 * np.log(8), np.log(4), (np.log(2) + np.log(8)) / 2]
    assert found.per_segment()[:, 0] == pytest.approx(expected)
    assert found.score().value == pytest.approx(np.mean(expected))
    assert "|table:digest|" in str(found.signature)


VECTORS = {"a": [1.0, 0.0], "b": [0.0, 2.0], "c": [3.0, 3.0]}


def _encode(texts: Sequence[str]) -> list[np.ndarray]:
    return [np.array([VECTORS[word] for word in text.split()]).reshape(-1, 2) for text in texts]


def test_bertscore_by_hand() -> None:
    found = bertscore_statistics(["a b", "c", ""], [["a", "a", "a"], ["b a", "c c", "b"]], NamedEncoder("toy", _encode))
    near = 100 * np.sqrt(0.5)
    # a b: to `a` precision 1/2 and recall 1, to `b a` both 1; c: to `a` the cosine, to `c c` 1; nothing: 0
    assert found.per_segment() == pytest.approx(np.array([[100, 100, 100], [100, 100, 100], [0, 0, 0]]))
    one = bertscore_statistics(["a b", "c"], [["a", "a"]], NamedEncoder("toy", _encode))
    assert one.per_segment() == pytest.approx(np.array([[200 / 3, 50, 100], [near, near, near]]))
    assert str(one.signature) == "BERTSCORE|level:sentence|encoder:toy|idf:no|rescale:no|nrefs:1|version:1"
    assert one.score().parts == pytest.approx({"precision": (50 + near) / 2, "recall": (100 + near) / 2})
    with pytest.raises(ValueError, match=r"\[1, 2\]"):
        bertscore_statistics(["a"], [["a", "b"]], NamedEncoder("toy", _encode))


def test_word_overlap_takes_the_nearest_reference() -> None:
    outputs, references = ["a b", "c d"], [["a b", "x y"], ["x", "c"]]
    found = word_f1_statistics(outputs, references)
    assert found.per_segment()[:, 0] == pytest.approx([100, 200 / 3])
    assert str(found.signature) == "WORD-F1|level:sentence|tok:none|case:lc|nrefs:2|ref:best|version:1"
    assert found.score().parts["micro"] == pytest.approx(100 * 6 / 7)
    # `c d` for `c` is one insertion too many of one word, for `x y` two substitutions of two
    assert simple_string_accuracy_statistics(outputs, references).per_segment()[:, 0] == pytest.approx([100, 0])


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
