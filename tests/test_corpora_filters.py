"""Each filter of sentence pairs, their order and counts, and held-out sentences in training pairs."""

import csv
import re
from ast import literal_eval
from pathlib import Path
from typing import Any

import pytest
from composition_sample import plain_values

from textsimp.core.errors import InputError
from textsimp.core.records import AlignmentLabel, SentencePair
from textsimp.core.settings import structured
from textsimp.corpora import filters
from textsimp.corpora.config import BuildConfig
from textsimp.corpora.filters import bleu, bleu_signature, comparable, jaccard, tokens
from textsimp.corpora.heldout import count_leaks, protected_sets, read_benchmark
from textsimp.corpora.pairs import LinkedPair
from textsimp.sources.formats import read_released_pairs


def linked(complex_: str, simple: str, levels: str = "0-4", simple_length: int = 5) -> LinkedPair:
    high, low = map(int, levels.split("-"))
    pair = SentencePair(complex_, simple, AlignmentLabel.PARTIAL, "p", "g")
    return LinkedPair(pair, "c", "s", high, low, (0,), 0, simple_length)


def made(name: str, **values: Any) -> filters.Keep:
    """One filter of a configuration."""
    config = structured(plain_values()["corpus"]["sample_news"]["build"] | values | {"filters": [name]}, BuildConfig)
    return filters.configured(config)[0][1]


def test_tokens_separate_punctuation() -> None:
    assert tokens('He said: "No, 3.5%."') == ["He", "said", ":", '"', "No", ",", "3.5", "%", ".", '"']
    assert tokens("") == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The cat (a big one) sat.", "the cat -lrb- a big one -rrb- sat ."),
        ("It\u2019s  \u201chere\u201d!", "it 's `` here '' !"),
        ("A non\u00adbreaking\u00a0space", "a NON BREAKING space"),
        ("Stra\u00dfe", "STRASSE"),
    ],
)
def test_comparable_forms_ignore_tokenisation_case_and_typography(one: str, other: str) -> None:
    assert comparable(one) == comparable(other) != ""


def test_comparable_forms_keep_words_apart_and_jaccard() -> None:
    assert comparable("Ten cats.") != comparable("Two cats.")
    assert comparable(" ... ") == ""
    assert jaccard("The cat sat", "the cat ran") == pytest.approx(2 / 4)
    assert jaccard("", "") == 0.0


def test_bleu_of_the_complex_sentence_against_the_simple_one() -> None:
    """One of 4, 3 and 2 n-grams missing in a hypothesis of 5 words, reference of 4: p = 4/5, 3/4, 2/3, 1/2."""
    assert bleu("a b c d e", "a b c d") == pytest.approx((4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25)
    assert bleu("a b c d", "a b c d") == pytest.approx(1.0)
    assert bleu("x y z w", "a b c d") < 0.1
    assert "eff:yes" in bleu_signature()


@pytest.mark.parametrize(
    ("keep", "kept", "dropped"),
    [
        (
            made("levels", excluded_levels=["0-1", "2-3"]),
            [linked("a", "b", "0-2"), linked("a", "b", "3-4")],
            [linked("a", "b", "0-1"), linked("a", "b", "2-3")],
        ),
        (
            made("tokens", min_tokens=4),
            [linked("It is so.", "So it is.")],
            [linked("It is.", "So it is."), linked("It is so.", "Yes.")],
        ),
        (
            made("colon"),
            [linked("One: two.", "One, two.")],
            [linked("These are they:", "They are these."), linked("These are they.", "They are: ")],
        ),
        (made("identical"), [linked("The same.", "the same.")], [linked("The same.", "The same.")]),
        (
            filters.no_leak(filters.protect(["the cat -lrb- tom -rrb- sat .", "Short and sweet.", "..."])),
            [linked("The cat sat.", "A cat sat."), linked("!", "?")],  # no words: nothing to compare
            [linked("The cat (Tom) sat.", "A cat sat."), linked("It was brief and nice.", "Short and sweet")],
        ),
    ],
    ids=["levels", "tokens", "colon", "identical", "leak"],
)
def test_a_filter(keep: filters.Keep, kept: list[LinkedPair], dropped: list[LinkedPair]) -> None:
    assert all(map(keep, kept)) and not any(map(keep, dropped))


def test_bleu_range_includes_its_ends() -> None:
    pair = linked("a b c d e", "a b c d")
    value = bleu(pair.complex, pair.simple)
    for low, high, stays in ((value, value, True), (value + 1e-6, 1.0, False), (0.0, value - 1e-6, False)):
        assert made("bleu", bleu_low=low, bleu_high=high)(pair) == stays


def test_one_sentence_articles() -> None:
    keep = filters.not_repetitive([r"^\w+ is a city in \w+\.$"], 0.5, filters.lexical_similarity)
    repetitive = "Bonn is a city in Germany."
    assert not keep(linked(repetitive, repetitive, simple_length=1))
    assert keep(linked(repetitive, repetitive, simple_length=2))
    assert keep(linked("Bonn lies on the Rhine.", "Bonn lies on the Rhine river.", simple_length=1))
    assert not keep(linked("Bonn lies on the Rhine.", "A town by water.", simple_length=1))
    assert keep(linked("Bonn lies on the Rhine.", "A town by water.", simple_length=2))
    scores = {"A town by water.": 0.5, "A town.": 0.4999}  # of an aligner
    keep = filters.not_repetitive([r"city"], 0.5, lambda pair: scores.get(pair.simple))
    kept = [text for text in (*scores, "No score.", "A city.") if keep(linked("Bonn.", text, simple_length=1))]
    assert kept == ["A town by water.", "No score."]


def test_duplicates_keep_the_first() -> None:
    keep = filters.first_of_its_kind()
    pairs = [linked("One.", "1."), linked("one", "1"), linked("One.", "2."), linked("One.", "1.")]
    assert [keep(pair) for pair in pairs] == [True, False, True, False]
    assert filters.first_of_its_kind()(pairs[0])


def test_first_filter_that_drops_gets_the_count() -> None:
    named = [(name, made(name)) for name in ("identical", "colon")]
    pairs = [linked("a:", "a:"), linked("a:", "b"), linked("a", "b")]
    assert filters.judge(pairs, named) == ["identical", "colon", None]
    assert filters.judge(pairs, named[::-1]) == ["colon", "colon", None]
    assert filters.judge([], named) == []


def test_bleu_filter_on_the_released_validation_articles(mirror: Path) -> None:
    """Every fifth row; the golden 77.4% is our own measurement on all rows (the paper keeps 80.9% of its corpus)."""
    keep, kept, total = made("bleu", bleu_low=0.1, bleu_high=0.9), 0, 0
    with open(mirror / "wiki_auto_valid" / "wikiauto_sents_valid.csv", encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file)):
            if number % 5 or not row["simple"].startswith("["):
                continue
            for simple in literal_eval(row["simple"]):
                if simple != row["complex"]:
                    total += 1
                    kept += keep(linked(row["complex"], simple))
    assert total > 1000
    assert kept / total == pytest.approx(0.774, abs=0.03)


def test_either_side_counts_and_a_pair_counts_for_every_set() -> None:
    pairs = [("A b c.", "D e."), ("F g.", "H i."), ("J.", "Fg"), ("K l.", "M n.")]
    protected = protected_sets({"tune": ["d E ."], "test": ["-LRB- F g -RRB-", "D, e!"], "other": ["zzz"]})
    assert count_leaks(pairs, protected) == {"tune": 1, "test": 3, "other": 0}
    assert frozenset().union(*protected.values()) == {"de", "fg", "zzz"}
    assert count_leaks([("...", "A.")], protected_sets({"test": ["!", "B."]})) == {"test": 0}
    with pytest.raises(InputError, match="test: is held out and has no sentences"):
        protected_sets({"test": ["!"]})


def test_leaks_of_the_mirror(mirror: Path) -> None:
    """A tenth of Kauchak 2013 shares sentences with TURK and ASSET."""
    held_out = {}
    for name in ("turk", "asset"):
        for part, benchmark in zip(("tune", "test"), read_benchmark(mirror / name, name, name), strict=True):
            held_out[f"{name}.{part}"] = benchmark.sentences()
    pairs = [(pair.complex, pair.simple) for pair in read_released_pairs("kauchak_2013_tenth", mirror).pairs]
    counts = count_leaks(pairs, protected_sets(held_out))
    assert counts == {"turk.tune": 75, "turk.test": 8, "asset.tune": 74, "asset.test": 9}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("join", "word"),
        ("filters", ["levels", "bleeu"]),
        ("filters", ["levels", "levels"]),
        ("benchmarks", {"x": "none"}),
        ("benchmarks", {"x": "turk", "y": "turk"}),
        ("dev_pairs", 0),
        ("dev_reference", "second"),
        ("min_tokens", -1),
        ("bleu_low", 0.95),
        ("dev_fraction", 0.0),
        ("excluded_levels", ["0>1"]),
        ("one_sentence_patterns", ["(a"]),
        ("one_sentence_similarity", 1.5),
        ("dev_fraction", 0.95),
    ],
)
def test_wrong_values_are_named(key: str, value: Any) -> None:
    values = plain_values()["corpus"]["sample_news"]["build"]
    assert structured(values, BuildConfig).test_fraction >= 0.05
    with pytest.raises(InputError, match=re.escape(key)):
        structured(values | {key: value}, BuildConfig)
