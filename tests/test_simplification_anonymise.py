"""Entity anonymisation and its inverse, with the rule-based pipeline."""

import pytest

from textsimp.simplification.entities import Anonymiser, Word, as_tokens, entity_texts, restore
from textsimp.simplification.spacing import Spacing

ABSENT = "no_such_spacy_model"


@pytest.fixture(scope="module")
def anonymiser() -> Anonymiser:
    return Anonymiser(ABSENT)


def tokens(words: list[Word]) -> str:
    return " ".join(word.token for word in words)


def test_it_says_that_rules_stand_in(anonymiser: Anonymiser, caplog: pytest.LogCaptureFixture) -> None:
    assert "rule" in anonymiser.description and ABSENT in anonymiser.description
    with caplog.at_level("WARNING"):
        Anonymiser(ABSENT)
    assert "by rule" in caplog.text


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("On Monday Dr. Ann Reed met John Hale in Paris.", "on DATE@1 dr. PERSON@1 met NAME@1 in GPE@1 ."),
        ("The club paid $3.5 million in April 2010.", "the club paid MONEY@1 in DATE@1 ."),
        ("On 5 May 1999, 40 percent left Ferry University.", "on DATE@1 , PERCENT@1 left ORG@1 ."),
        ("John Hale saw John Hale near the Otter River.", "NAME@1 saw NAME@1 near the LOC@1 ."),
        ("May it rain on us two, I said.", "may it rain on us CARDINAL@1 , i said ."),
        ("Whales sing.", "whales sing ."),
    ],
)
def test_rules(anonymiser: Anonymiser, sentence: str, expected: str) -> None:
    assert tokens(anonymiser.complex([sentence])[0]) == expected


def test_the_simple_side_gets_the_complex_side_s_tags(anonymiser: Anonymiser) -> None:
    source = anonymiser.complex(["In 1990 Ann Reed left New York, said Ann Reed of the Times."])
    target = anonymiser.simple(["Ann Reed moved from New York to Rome in 1990."], source)[0]
    tags = {text: tag for tag, text in entity_texts(source[0]).items()}
    assert tokens(target) == f"{tags['Ann Reed']} moved from {tags['New York']} to rome in {tags['1990']} ."


def test_inverse_gives_the_text_back(anonymiser: Anonymiser) -> None:
    sentence = "On 5 May 1999, Ann Reed of Ferry University paid $3.5 million to two men in New York."
    source = anonymiser.complex([sentence])[0]
    words = restore([word.token for word in source], source, {})
    assert Spacing({}).join(words, as_tokens(source)).lower() == sentence.lower()


def test_unknown_words_and_foreign_tags_come_from_the_attended_place() -> None:
    source = [Word("NAME@1", "Ann Reed", False), Word("sang", "sang", True), Word("arias", "arias", True)]
    generated = ["NAME@1", "loved", "<unk>", "DATE@1", "<unk>"]
    assert restore(generated, source, {2: 2, 3: 1, 4: 7}) == ["Ann Reed", "loved", "arias", "sang"]


def test_white_space_tokens_vanish(anonymiser: Anonymiser) -> None:
    assert tokens(anonymiser.complex(["a   b \u00a0 c"])[0]) == "a b c"
