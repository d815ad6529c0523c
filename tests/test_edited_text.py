"""Edits as text: what is left when words have gone reads well."""

import pytest

from textsimp.simplification.edit_tagger.edit_candidates import Edit
from textsimp.simplification.edit_tagger.edit_words import edit_words
from textsimp.simplification.edit_tagger.edited_text import edited


@pytest.mark.parametrize(
    ("text", "cut", "expected"),
    [
        ("A red , old apple fell .", (1, 4), "An apple fell ."),
        ("However, it rained.", (0, 2), "It rained."),
        ("It rained (a bit), he said.", (3, 5), "It rained, he said."),
        ("He left, at noon.", (3, 5), "He left."),
        ("an honest old unicorn", (1, 3), "a unicorn"),
        ("The jury, however, was out.", (3, 4), "The jury was out."),
        ("In May, however, he left.", (3, 4), "In May, he left."),
        ("The jury, a body of six, however, was out.", (8, 9), "The jury, a body of six, was out."),
    ],
)
def test_what_is_left_reads_well(text: str, cut: tuple[int, int], expected: str) -> None:
    assert edited(edit_words(text), [Edit(*cut, 0, -1, ())]) == expected


def test_a_line_of_capitals_stays_one() -> None:
    yearly = Edit(0, 1, 0, -1, ("yearly",))
    assert edited(edit_words("ANNUAL REPORT OF 2 PEOPLE"), [yearly]) == "YEARLY REPORT OF 2 PEOPLE"
    assert edited(edit_words("Annual report of NASA"), [yearly]) == "Yearly report of NASA"
