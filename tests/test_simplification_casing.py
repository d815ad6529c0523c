"""Capitals of words that a model wrote without."""

from pathlib import Path

import pytest

from textsimp.core.errors import InputError
from textsimp.simplification.casing import Casing

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
    assert Casing.of(path).to_json() == {"ash": "Ash", "river": "river"}
    for damaged in ("[]", '{"ash": 3}'):
        path.write_text(damaged)
        with pytest.raises(InputError, match="casing.json: not as it was written"):
            Casing.of(path)
