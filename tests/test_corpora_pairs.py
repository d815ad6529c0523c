"""Sentence pairs from links, phenomena, and the statistics of Tables 1 and 4 against hand counts."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link
from textsimp.corpora.pairs import linked_pairs, pair_row
from textsimp.corpora.statistics import Tally, manual_statistics, mean_length, phenomena, seq2seq_statistics

A, P = AlignmentLabel.ALIGNED, AlignmentLabel.PARTIAL


def document(name: str, level: int, *sentences: str) -> Document:
    return Document(name, level, (tuple(sentences),))


ORIGINAL = document("set.0", 0, "The big dog barked .", "It ran and it ate .", "One .", "Two .", "Gone for ever .")
EASIER = document("set.1", 1, "A dog barked .", "It ran .", "It ate .", "One and two .", "Added here .")
EASIEST = document("set.2", 2, "A dog barked .", "It ran and ate .")
SPLIT_MERGE = ((1, 1), (2, 1), (3, 2), (3, 3))
PAIRS = [
    # rephrasing 0-0, splitting 1-(1, 2), merging (2, 3)-3, deletion of 4
    DocumentPair("set.0-1", "toy", "set", ORIGINAL, EASIER, (Link(0, 0, A), *(Link(*ends, P) for ends in SPLIT_MERGE))),
    # copying 0-0, merging (1, 2)-1, deletions of 3 and 4
    DocumentPair("set.1-2", "toy", "set", EASIER, EASIEST, (Link(0, 0, A), Link(1, 1, P), Link(1, 2, P))),
    # rephrasing 0-0, deletions of 1 to 4
    DocumentPair("set.0-2", "toy", "set", ORIGINAL, EASIEST, (Link(0, 0, P),)),
]


def test_one_pair_a_link() -> None:
    pairs = list(linked_pairs(PAIRS[0], "link"))
    assert [(*pair.complex_indexes, pair.simple_index) for pair in pairs] == [(0, 0), (1, 1), (1, 2), (2, 3), (3, 3)]
    assert (pairs[3].complex, pairs[3].simple) == ("One .", "One and two .")
    assert [pair.pair.label for pair in pairs] == [A, P, P, P, P]
    assert (pairs[0].levels, pairs[0].simple_length, pairs[0].pair.group) == ("0-1", 5, "set")


def test_one_pair_a_simple_sentence() -> None:
    pairs = list(linked_pairs(PAIRS[0], "simple"))
    assert [(pair.complex, pair.simple) for pair in pairs] == [
        ("The big dog barked .", "A dog barked ."),
        ("It ran and it ate .", "It ran ."),
        ("It ran and it ate .", "It ate ."),
        ("One . Two .", "One and two ."),
    ]
    assert pairs[3].complex_indexes == (2, 3)
    assert [pair.pair.label for pair in pairs] == [A, P, P, P]
    mixed = replace(PAIRS[0], alignments=(Link(0, 0, A), Link(0, 1, P), Link(1, 2, A), Link(1, 3, A)))
    assert [pair.pair.label for pair in linked_pairs(mixed, "simple")] == [P, A], "aligned where every link is"


def test_row_names_place_split_and_fate() -> None:
    row = pair_row(next(linked_pairs(PAIRS[0], "link")), "train", "bleu")
    assert row == {
        "pair": "set.0-1",
        "group": "set",
        "levels": "0-1",
        "label": "aligned",
        "split": "train",
        "dropped": "bleu",
        "complex_id": "set.0",
        "complex_indexes": [0],
        "simple_id": "set.1",
        "simple_index": 0,
        "complex": "The big dog barked .",
        "simple": "A dog barked .",
    }


def counts(*values: int) -> dict[str, int]:
    names = ("rephrasing (1-to-1)", "copying (1-to-1)", "splitting (1-to-n)", "merging (n-to-1)", "fusion (m-to-n)")
    return dict(zip((*names, "deletion (1-to-0)"), values, strict=True))


def test_phenomena() -> None:
    wanted = [counts(1, 0, 1, 1, 0, 1), counts(0, 1, 0, 1, 0, 2), counts(1, 0, 0, 0, 0, 4)]
    assert [dict(phenomena(pair)) for pair in PAIRS] == wanted
    fusion = DocumentPair("p", "toy", "g", EASIER, EASIEST, (Link(0, 0, P), Link(0, 1, P), Link(1, 0, P)))
    assert dict(phenomena(fusion)) == counts(0, 0, 0, 0, 1, 3)
    chain = DocumentPair("p", "toy", "g", ORIGINAL, EASIER, tuple(Link(k, j, P) for k in range(3) for j in (k, k + 1)))
    assert dict(phenomena(chain)) == counts(0, 0, 0, 0, 1, 1)
    nothing = DocumentPair("p", "toy", "g", EASIER, EASIEST, ())
    assert dict(phenomena(nothing)) == counts(0, 0, 0, 0, 0, 5)


def test_manual_column() -> None:
    """m x n pairs; lengths over unique sentences: complex 5+6+2+2+4 and 4+3+3+4+3 tokens, simple those and 5."""
    assert manual_statistics(PAIRS) == {
        "original articles": 1,
        "article pairs": 3,
        "original sentences (level 0)": 5,
        "sentence pairs": 25 + 10 + 10,
        "unique complex sentences": 10,
        "unique simple sentences": 6,
        "average length of complex sentence": pytest.approx(36 / 10),
        "average length of simple sentence": pytest.approx(22 / 6),
        "aligned (not identical)": 1,
        "partially aligned": 4 + 2 + 1,
        "not aligned": 45 - 9,
        **counts(2, 1, 1, 2, 0, 7),
    }


def test_auto_column() -> None:
    """Linked pairs without the copy; lengths over the pairs, repeated sentences each time."""
    tally = Tally(linked=True)
    for pair in PAIRS:
        tally.add(pair)
    found = tally.statistics()
    assert found["sentence pairs"] == 8
    assert found["unique complex sentences"] == 6  # dog, ran-and-ate, One, Two; It ran, It ate
    assert found["unique simple sentences"] == 5
    # 0-1: 5 6 6 2 2 against 4 3 3 4 4; 1-2: 3 3 against 5 5; 0-2: 5 against 4
    assert found["average length of complex sentence"] == pytest.approx(32 / 8)
    assert found["average length of simple sentence"] == pytest.approx(32 / 8)
    assert found["original sentences (level 0)"] == 5
    assert dict(tally.levels) == {"0-1": 1, "1-2": 1, "0-2": 1}


def test_original_is_nobodys_simple_side_whatever_its_level() -> None:
    """Wikipedia's standard articles have level 1."""
    pair = DocumentPair("w", "toy", "w", document("w-1", 1, "Long .", "Text ."), document("w-0", 0, "Text ."), ())
    assert manual_statistics([pair])["original sentences (level 0)"] == 2
    assert set(manual_statistics([]).values()) == {0} and mean_length([]) == 0.0


def test_seq2seq_column() -> None:
    levels = Counter({"0-1": 2, "0-2": 2, "1-2": 2})
    train = [("a b c", "a b"), ("a", "a b")]
    assert seq2seq_statistics(levels, ["0-1", "1-2"], train, 7, 9) == {
        "article pairs": 2,
        "train pairs": 2,
        "dev pairs": 7,
        "test pairs": 9,
        "average length of complex sentence": 2.0,
        "average length of simple sentence": 2.0,
    }


def test_every_published_row_of_tables_1_and_4_has_a_key(root: Path) -> None:
    tally = Tally(linked=True)
    tally.add(PAIRS[0])
    keys = {"1": tally.statistics(), "4": seq2seq_statistics(tally.levels, [], [("a", "b")], 1, 1)}
    lines = (root / "data/published/corpus_statistics.csv").read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split(",") for line in lines if line.startswith("Jiang")]
    assert rows
    for row in rows:
        assert row[2] in keys[row[1].removeprefix("Table ")]
