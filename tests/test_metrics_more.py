"""FKGL, lexical complexity, BERTScore and word overlap with several references, on small texts of our own."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from textsimp.core.errors import InputError
from textsimp.core.writing import write_lines
from textsimp.metrics.bertscore import NamedEncoder, bertscore_statistics
from textsimp.metrics.lexical_complexity import FrequencyTable, lexical_complexity_statistics, read_frequencies
from textsimp.metrics.readability import fkgl_statistics, rule_syllables
from textsimp.metrics.word_overlap import simple_string_accuracy_statistics, word_f1_statistics


@pytest.mark.parametrize(
    ("word", "syllables"),
    [("cat", 1), ("see", 0), ("table", 2), ("nation", 2), ("capitalism", 5), (".", 0), ("mr", 2), ("the", 1)],
)
def test_rule_syllables(word: str, syllables: int) -> None:
    assert rule_syllables(word) == syllables


def test_fkgl_by_hand() -> None:
    # two sentences; words: the cat sat . / it sat . -> 7 with the full stops, 5 syllables
    score = fkgl_statistics(["The cat sat. It sat."]).score()
    assert score.value == max(0, 0.39 * 7 / 2 + 11.8 * 5 / 7 - 15.59) == 0
    score = fkgl_statistics(["Unostentatious capitalism.", ""]).score()
    assert score.value == pytest.approx(0.39 * 3 + 11.8 * 10 / 3 - 15.59)
    assert fkgl_statistics([""]).score().value == 0


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
