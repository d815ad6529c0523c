"""The word aligner (what matches, which of several matches wins), and operations on cases that a reader can count."""

import itertools
from dataclasses import asdict

import numpy as np
import pytest

from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link
from textsimp.metrics.rewriting.units import (
    AlignedUnit,
    Unit,
    align_unit,
    corpus_units,
    edit_operations,
    moved,
    sentence_operations,
    split_points,
    units_of,
    word_operations,
)
from textsimp.metrics.rewriting.word_links import Match, align_words, match, sentences_of, words_of


def aligned(complex_text: str, *simple: str) -> AlignedUnit:
    return align_unit(Unit(complex_text, simple))


def kind(a: str, b: str) -> Match:
    first, second = (words_of([text])[0] for text in (a, b))
    return match(first, second)[0]


MATCHES = {
    Match.EXACT: "river river",
    Match.CASE: "River river 3,000 3000",
    Match.SPELLING: "organisers organizers colour color nine 9",
    Match.INFLECTION: "carries carry stopped stops making makes went goes children child",
    Match.SIMILAR: "popular popularity",
    Match.NONE: "winter water month mouth bus but 1907 1906 the they not now",
}


@pytest.mark.parametrize("expected", MATCHES)
def test_kinds_of_match(expected: Match) -> None:
    words = MATCHES[expected].split()
    pairs = list(zip(words[::2], words[1::2], strict=True))
    assert [kind(a, b) for a, b in pairs] == [kind(b, a) for a, b in pairs] == [expected] * len(pairs)


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


@pytest.mark.parametrize(
    ("complex_text", "simple", "words_per_new", "expected"),
    [
        ("Owls hunt at night.", "owls hunt at night .", 1.0, {"kept": 3}),
        ("The old stone bridge near Ost burned on Friday.", "The bridge burned.", 1.0, {"kept": 2, "deleted": 5}),
        ("The minister quit today.", "The minister resigned today.", 1.0, {"kept": 2, "substituted": 1, "written": 1}),
        ("The dog barked.", "The big dog barked.", 1.0, {"kept": 2, "inserted": 1}),
        (
            *("The minister tendered his formal resignation today.", "The minister quit today.", 1.0),
            {"kept": 2, "substituted": 1, "deleted": 2, "written": 1},
        ),
        (
            *("The minister tendered his formal resignation today.", "The minister quit today.", 2.0),
            {"kept": 2, "substituted": 2, "deleted": 1, "written": 1},
        ),
        # other forms are kept, similar words are not
        ("Farmers carried baskets.", "Farmers carry baskets.", 1.0, {"kept": 3}),
        ("The popular song.", "The popularity song.", 1.0, {"kept": 1, "substituted": 1, "written": 1}),
        (
            *("After the match fans danced in Velmont.", "Fans danced in Velmont after the match.", 1.0),
            {"moved": 2, "kept": 5},
        ),
    ],
)
def test_edit_operations(complex_text: str, simple: str, words_per_new: float, expected: dict[str, int]) -> None:
    found = asdict(edit_operations(align_unit(Unit(complex_text, (simple,))), words_per_new))
    del found["complex_words"], found["simple_words"]
    assert {name: count for name, count in found.items() if count} == expected


def test_moved_is_the_least_number_by_trying_all() -> None:
    for order in itertools.permutations(range(5)):
        keep = max(
            len(rows) for size in range(6) for rows in itertools.combinations(order, size) if list(rows) == sorted(rows)
        )
        assert moved([10 * k for k in order]) == 5 - keep


@pytest.mark.parametrize(
    ("complex_text", "simple", "points"),
    [
        ("It rained all day, and the river flooded.", ("It rained all day.", "The river flooded."), 1),
        ("It rained all day, and the river flooded.", ("It rained all day. The river flooded.",), 1),
        ("Rain fell, wind blew and trees broke.", ("Rain fell.", "Wind blew.", "Trees broke."), 2),
        ("Rain fell. Wind blew and trees broke.", ("Rain fell.", "Wind blew.", "Trees broke."), 1),
        ("Rain fell. Wind blew.", ("Rain fell.", "Wind blew."), 0),
        ("Rain fell. Wind blew.", ("Rain fell and wind blew.",), 0),
        # an explanation is added, nothing is parted
        ("The court granted parole.", ("The court granted parole.", "He may leave prison."), 0),
        # the second sentence says in other words what the first leaves out
        ("Bronze resists corrosion and rings loudly.", ("Bronze rings loudly.", "It does not rust."), 1),
    ],
)
def test_split_points(complex_text: str, simple: tuple[str, ...], points: int) -> None:
    assert split_points(align_unit(Unit(complex_text, simple))) == points


@pytest.mark.parametrize(
    ("complex_text", "simple", "expected"),
    [
        ("Owls hunt.", "Owls hunt.", ""),
        ("Owls hunted.", "Owls hunt.", "rewordings"),
        ("Owls hunt silently.", "Owls hunt.", "deletions"),
        ("Today owls hunt mice.", "Owls hunt mice today.", "reorders"),
        ("Owls seek mice.", "Owls hunger after fresh mice.", "rewordings splits"),
        ("Owls chase quickly mice.", "Owls grab mice.", "rewordings deletions merges"),
        ("The rain water tank.", "The rainwater tank.", "merges"),
        ("The rainwater tank.", "The rain water tank.", "splits"),
    ],
)
def test_word_operations_of_coster_and_kauchak(complex_text: str, simple: str, expected: str) -> None:
    found = asdict(word_operations(align_unit(Unit(complex_text, (simple,))), 1.0))
    assert [name for name, occurs in found.items() if occurs] == expected.split()


def document_pair(complexes: int, simples: int, links: list[tuple[int, int]]) -> tuple[DocumentPair, list[Link]]:
    """Documents of sentences `c0`, `c1`, ... and `s0`, ..., and links given as (complex, simple)."""
    sides = (("c", complexes), ("s", simples))
    texts = [Document(side, 0, (tuple(f"{side}{k}" for k in range(size)),)) for side, size in sides]
    pair = DocumentPair("p", "corpus", "g", *texts)
    return pair, [Link(simple, complex_, AlignmentLabel.ALIGNED) for complex_, simple in links]


def test_sentence_operations_of_coster_and_kauchak() -> None:
    first = document_pair(5, 6, [(0, 0), (1, 1), (1, 2), (2, 3), (3, 3)])
    second = document_pair(2, 4, [(0, 1), (0, 2), (0, 3)])
    assert sentence_operations([first, second, document_pair(0, 0, [])]) == {
        "skip simple": 3,
        "skip normal": 2,
        "one normal to one simple": 1,
        "one normal to two simple": 1,
        "two normal to one simple": 1,
        "other": 1,
    }


def test_units_of_aligned_documents() -> None:
    pair = document_pair(5, 5, [(0, 0), (1, 1), (1, 2), (2, 4), (3, 4)])
    assert list(corpus_units([pair])) == [Unit("c0", ("s0",)), Unit("c1", ("s1", "s2")), Unit("c2 c3", ("s4",))]
