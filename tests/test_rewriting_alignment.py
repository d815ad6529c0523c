"""The word aligner: what matches, which of several matches wins, and the words and sentences that it sees."""

import itertools

import numpy as np
import pytest

from textsimp.metrics.rewriting.units import AlignedUnit, Unit, align_unit, units_of
from textsimp.metrics.rewriting.word_links import Match, align_words, match, sentences_of, words_of


def aligned(complex_text: str, *simple: str) -> AlignedUnit:
    return align_unit(Unit(complex_text, simple))


def links(unit: AlignedUnit) -> list[tuple[str, str, Match]]:
    return [
        (unit.complex_words[link.complex].text, unit.simple_words[link.simple].text, link.match) for link in unit.links
    ]


def kind(a: str, b: str) -> Match:
    first, second = (words_of([text])[0] for text in (a, b))
    return match(first, second)[0]


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("river", "river", Match.EXACT),
        ("River", "river", Match.CASE),
        ("3,000", "3000", Match.CASE),
        ("organisers", "organizers", Match.SPELLING),
        ("colour", "color", Match.SPELLING),
        ("nine", "9", Match.SPELLING),
        ("carries", "carry", Match.INFLECTION),
        ("stopped", "stops", Match.INFLECTION),
        ("making", "makes", Match.INFLECTION),
        ("went", "goes", Match.INFLECTION),
        ("children", "child", Match.INFLECTION),
        ("popular", "popularity", Match.SIMILAR),
        ("winter", "water", Match.NONE),
        ("month", "mouth", Match.NONE),
        ("bus", "but", Match.NONE),
        ("1907", "1906", Match.NONE),
        ("the", "they", Match.NONE),
        ("not", "now", Match.NONE),
    ],
)
def test_kinds_of_match(a: str, b: str, expected: Match) -> None:
    assert kind(a, b) == expected and kind(b, a) == expected


def test_neighbours_decide_which_of_several_words() -> None:
    """The second `bridge` of the complex side has the neighbours of the simple one."""
    unit = aligned("The bridge burned, and the stone bridge collapsed.", "The stone bridge collapsed.")
    positions = {unit.complex_words[link.complex].text: link.complex for link in unit.links}
    assert positions["bridge"] == [word.text for word in unit.complex_words].index("stone") + 1
    assert positions["The" if "The" in positions else "the"] == positions["stone"] - 1


def test_light_words_need_a_neighbour_of_content() -> None:
    unit = aligned("The dog barked at the postman.", "A cat slept under the warm stove of the house.")
    assert unit.links == ()
    assert len(aligned("It was so.", "It was so.").links) == 3  # nothing but light words: all stay


def test_one_to_one_and_best_as_a_whole() -> None:
    """The assignment's sum is the greatest of all, by trying all of them."""
    words = [words_of([text]) for text in ("carry carries paint carry", "carry paint carried")]
    strength = np.array([[match(a, b)[1] for b in words[1]] for a in words[0]])
    found = align_words(*words)
    best = max(sum(strength[i, j] for j, i in enumerate(rows)) for rows in itertools.permutations(range(4), 3))
    assert sum(strength[link.complex, link.simple] for link in found) == pytest.approx(best)
    assert len({link.complex for link in found}) == len({link.simple for link in found}) == len(found) == 3


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The rain-water tank leaks.", "The rainwater tank leaks."),
        ("The team didn't play.", "The team did not play."),
        ("They cannot swim.", "They can't swim."),
        ("The town's mill burned.", "the town 's mill burned ."),
        ("“No,” said the mayor’s son.", '"No", said the mayor\'s son.'),
        ("It costs 3,000 dollars (or less).", "it costs 3000 dollars -lrb- or less -rrb- ."),
    ],
)
def test_the_same_in_other_marks_is_linked_as_a_whole(a: str, b: str) -> None:
    unit = aligned(a, b)
    assert len(unit.links) == len(unit.complex_words) == len(unit.simple_words)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It rained. We left.", ["It rained.", "We left."]),
        ("it rained . we left .", ["it rained .", "we left ."]),
        ("he lives in st . louis now .", ["he lives in st . louis now ."]),
        ("dr . who lives there . she left .", ["dr . who lives there .", "she left ."]),
        ("Dr. Who left.", ["Dr. Who left."]),
        ("he left . . she stayed .", ["he left .", "she stayed ."]),
        ("she fell ill . they left the u.s . army .", ["she fell ill .", "they left the u.s . army ."]),
        ("asked by john f . kennedy .", ["asked by john f . kennedy ."]),
        ("", []),
    ],
)
def test_sentences_of_running_and_of_tokenised_text(text: str, sentences: list[str]) -> None:
    assert sentences_of([text]) == sentences


def test_names_are_capitals_inside_a_sentence() -> None:
    words = words_of(["Ruth Quill met a Doctor in Ost.", "Nobody saw it."])
    assert [word.text for word in words if word.name] == ["Ruth", "Quill", "Doctor", "Ost"]
    assert not any(word.name for word in words_of(["COUNCIL KEEPS POOL OPEN"]))


def test_nothing_to_align() -> None:
    assert aligned("A word.").links == () and aligned("", "").links == ()
    assert aligned("...", "A word.").complex_words == ()


def test_units_of_lines() -> None:
    assert units_of(["A.", "B."], ["A. C.", " "]) == [Unit("A.", ("A. C.",)), Unit("B.", ())]
    with pytest.raises(ValueError, match="argument 2"):
        units_of(["A."], [])
