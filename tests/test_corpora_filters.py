"""Each filter of sentence pairs, their order and counts, and the comparable forms behind the leak filter."""

import csv
from ast import literal_eval
from pathlib import Path

import pytest

from textsimp.corpora import filters
from textsimp.corpora.pairs import LinkedPair
from textsimp.corpora.text import bleu, bleu_signature, comparable, jaccard, tokens
from textsimp.records import AlignmentLabel, SentencePair


def linked(complex_: str, simple: str, levels: str = "0-4", simple_length: int = 5) -> LinkedPair:
    high, low = map(int, levels.split("-"))
    pair = SentencePair(complex_, simple, AlignmentLabel.PARTIAL, "p", "g")
    return LinkedPair(pair, "c", "s", high, low, (0,), 0, simple_length)


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


def test_comparable_forms_keep_words_apart_from_others() -> None:
    assert comparable("Ten cats.") != comparable("Two cats.")
    assert comparable(" ... ") == ""


def test_jaccard() -> None:
    assert jaccard("The cat sat", "the cat ran") == pytest.approx(2 / 4)
    assert jaccard("", "") == 0.0


def test_bleu_of_the_complex_sentence_against_the_simple_one() -> None:
    """One of 4, 3 and 2 n-grams missing in a hypothesis of 5 words, reference of 4: p = 4/5, 3/4, 2/3, 1/2."""
    assert bleu("a b c d e", "a b c d") == pytest.approx((4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25)
    assert bleu("a b c d", "a b c d") == pytest.approx(1.0)
    assert bleu("x y z w", "a b c d") < 0.1
    assert "eff:yes" in bleu_signature()


def test_levels() -> None:
    keep = filters.other_levels({"0-1", "1-2", "2-3"})
    kept = [levels for levels in ("0-1", "0-2", "1-2", "2-3", "3-4") if keep(linked("a", "b", levels))]
    assert kept == ["0-2", "3-4"]


def test_fewer_than_four_tokens_on_either_side() -> None:
    keep = filters.long_enough(4)
    assert keep(linked("It is so.", "So it is."))
    assert not keep(linked("It is.", "So it is."))
    assert not keep(linked("It is so.", "Yes."))


def test_ending_with_a_colon() -> None:
    assert not filters.no_colon(linked("These are they:", "They are these."))
    assert not filters.no_colon(linked("These are they.", "They are: "))
    assert filters.no_colon(linked("One: two.", "One, two."))


def test_identical() -> None:
    assert not filters.not_identical(linked("The same.", "The same."))
    assert filters.not_identical(linked("The same.", "the same."))


def test_bleu_range_includes_its_ends() -> None:
    pair = linked("a b c d e", "a b c d")
    value = bleu(pair.complex, pair.simple)
    assert filters.bleu_between(value, value)(pair)
    assert not filters.bleu_between(value + 1e-6, 1)(pair)
    assert not filters.bleu_between(0, value - 1e-6)(pair)


def test_one_sentence_articles() -> None:
    keep = filters.not_repetitive([r"^\w+ is a city in \w+\.$"], 0.5, filters.lexical_similarity)
    repetitive = "Bonn is a city in Germany."
    assert not keep(linked(repetitive, repetitive, simple_length=1))
    assert keep(linked(repetitive, repetitive, simple_length=2))
    assert keep(linked("Bonn lies on the Rhine.", "Bonn lies on the Rhine river.", simple_length=1))
    assert not keep(linked("Bonn lies on the Rhine.", "A town by water.", simple_length=1))
    assert keep(linked("Bonn lies on the Rhine.", "A town by water.", simple_length=2))


def test_one_sentence_articles_with_scores_of_an_aligner() -> None:
    scores = {"A town by water.": 0.5, "A town.": 0.4999}
    keep = filters.not_repetitive([r"city"], 0.5, lambda pair: scores.get(pair.simple))
    assert [keep(linked("Bonn.", text, simple_length=1)) for text in (*scores, "No score.", "A city.")] == [
        True,
        False,
        True,
        False,
    ]


def test_duplicates_keep_the_first() -> None:
    keep = filters.first_of_its_kind()
    pairs = [linked("One.", "1."), linked("one", "1"), linked("One.", "2."), linked("One.", "1.")]
    assert [keep(pair) for pair in pairs] == [True, False, True, False]
    assert filters.first_of_its_kind()(pairs[0])


def test_leak_on_either_side_in_any_tokenisation() -> None:
    keep = filters.no_leak(filters.protect(["the cat -lrb- tom -rrb- sat .", "Short and sweet.", "..."]))
    assert not keep(linked("The cat (Tom) sat.", "A cat sat."))
    assert not keep(linked("It was brief and nice.", "Short and sweet"))
    assert keep(linked("The cat sat.", "A cat sat."))
    assert keep(linked("!", "?"))  # no words: nothing to compare


def test_first_filter_that_drops_gets_the_count() -> None:
    named = [("identical", filters.not_identical), ("colon", filters.no_colon)]
    pairs = [linked("a:", "a:"), linked("a:", "b"), linked("a", "b")]
    assert filters.judge(pairs, named) == ["identical", "colon", None]
    assert filters.judge(pairs, named[::-1]) == ["colon", "colon", None]
    assert filters.judge([], named) == []


def test_bleu_filter_on_the_released_validation_articles(mirror: Path) -> None:
    """Every fifth row; the golden 77.4% is our own measurement on all rows (the paper keeps 80.9% of its corpus)."""
    keep, kept, total = filters.bleu_between(0.1, 0.9), 0, 0
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
