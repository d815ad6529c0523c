"""Edit operations, word operations and sentence operations, on cases that a reader can count."""

import itertools
from dataclasses import asdict

import pytest

from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link
from textsimp.metrics.rewriting.units import (
    Unit,
    align_unit,
    corpus_units,
    edit_operations,
    moved,
    sentence_operations,
    split_points,
    word_operations,
)


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
    texts = [
        Document(side, 0, (tuple(f"{side}{k}" for k in range(size)),))
        for side, size in (("c", complexes), ("s", simples))
    ]
    pair = DocumentPair("p", "corpus", "g", texts[0], texts[1])
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
