"""EditNTS: edit programs and their execution, words of a text, word classes."""

import random

import pytest

from textsimp.simplification.editnts.programs import (
    DELETE_EDIT,
    KEEP_EDIT,
    STOP_EDIT,
    Edit,
    Operation,
    add,
    edit_program,
    execute,
)
from textsimp.simplification.spacing import capitalise, detokenise, is_tokenised, tokenise


@pytest.mark.parametrize(
    ("complex_text", "simple_text", "program"),
    [
        ("a b c", "a b c", [STOP_EDIT]),
        ("a b c", "a", [KEEP_EDIT, DELETE_EDIT, DELETE_EDIT, STOP_EDIT]),
        ("a b .", "b .", [DELETE_EDIT, STOP_EDIT]),
        ("a b .", "a x .", [KEEP_EDIT, add("x"), DELETE_EDIT, STOP_EDIT]),
        ("a b", "x y", [add("x"), add("y"), DELETE_EDIT, DELETE_EDIT, STOP_EDIT]),
        ("", "x", [add("x"), STOP_EDIT]),
        ("a", "", [DELETE_EDIT, STOP_EDIT]),
        ("the big dog , the cat .", "the cat .", [DELETE_EDIT, DELETE_EDIT, DELETE_EDIT, DELETE_EDIT, STOP_EDIT]),
        ("a b c", "c b a", [add("c"), add("b"), KEEP_EDIT, DELETE_EDIT, DELETE_EDIT, STOP_EDIT]),
    ],
)
def test_programs_by_hand(complex_text: str, simple_text: str, program: list[Edit]) -> None:
    assert edit_program(complex_text.split(), simple_text.split()) == program


def test_programs_give_the_simple_sentence_back_and_are_shortest() -> None:
    source = random.Random(5)
    for _ in range(600):
        sides = [source.choices("abcd", k=source.randint(0, 9)) for _ in range(2)]
        program = edit_program(*sides)
        assert execute(sides[0], program) == sides[1]
        changes = sum(edit.operation in (Operation.ADD, Operation.DELETE) for edit in program)
        assert changes == len(sides[0]) + len(sides[1]) - 2 * common_subsequence(*sides)
        assert program[-1] == STOP_EDIT and program[-2:-1] != [KEEP_EDIT]


def common_subsequence(left: list[str], right: list[str]) -> int:
    """Length of the longest common subsequence, by recursion over all prefixes."""
    lengths: dict[tuple[int, int], int] = {}
    for i in range(len(left) + 1):
        for j in range(len(right) + 1):
            if not i or not j:
                lengths[i, j] = 0
            elif left[i - 1] == right[j - 1]:
                lengths[i, j] = lengths[i - 1, j - 1] + 1
            else:
                lengths[i, j] = max(lengths[i - 1, j], lengths[i, j - 1])
    return lengths[len(left), len(right)]


def test_execution_keeps_what_is_unread_and_refuses_to_read_on() -> None:
    assert execute(["a", "b"], [add("x"), STOP_EDIT, DELETE_EDIT]) == ["x", "a", "b"]
    assert execute(["a", "b"], [DELETE_EDIT]) == ["b"]
    with pytest.raises(IndexError, match="DELETE after the last of 1 words"):
        execute(["a"], [KEEP_EDIT, DELETE_EDIT])


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
