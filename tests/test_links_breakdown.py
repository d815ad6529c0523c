"""Scores by kind of link on a small alignment worked by hand, their sums against the totals, and ceilings."""

import itertools
import random
from dataclasses import replace
from operator import itemgetter

import numpy as np
import pytest

from textsimp.core.errors import InputError
from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link
from textsimp.core.results import Results
from textsimp.metrics import links as linked
from textsimp.metrics.links import CEILINGS, LINK_TYPES, TASKS, Predictions, alignment_scores, link_types

A, P = AlignmentLabel.ALIGNED, AlignmentLabel.PARTIAL
COMPLEX = ("a b c d", "e f g h", "i j", "k l", "m n o p", "same words")
SIMPLE = ("a b", "c d", "e f g h x", "i j k l", "z", "same words")
GOLD = (Link(0, 0, P), Link(1, 0, P), Link(2, 1, A), Link(3, 2, P), Link(3, 3, P), Link(5, 5, A))
PREDICTED = (Link(0, 0, P), Link(2, 1, P), Link(3, 2, A), Link(4, 4, P), Link(5, 5, A))
NOTHING = {"precision": 0.0, "recall": 0.0, "f1": 0.0}


def pair(links: tuple[Link, ...], gap: int = 1) -> DocumentPair:
    return DocumentPair("p", "t", "g", Document("c", 0, (COMPLEX,)), Document("s", gap, (SIMPLE,)), links)


def broken_down(pairs: list[DocumentPair], links: Predictions) -> Results:
    results = Results()
    linked.breakdown(results, "test", "x", pairs, links)
    return results


def numbers(results: Results, scope: str, part: str) -> dict[str, float]:
    """The measures of a part, such as a task, but for the correct links."""
    found = {name.partition("."): estimate.value for name, estimate in results.measures(scope, "x").items()}
    return {measure: value for (group, _, measure), value in found.items() if group == part and measure != "correct"}


def test_link_types_by_connected_component() -> None:
    links = [(0, 0), (1, 0), (2, 1), (3, 2), (3, 3), (4, 4), (5, 4), (5, 5)]
    assert link_types(6, 6, links) == ["1-n", "1-n", "1-1", "n-1", "n-1", "n-m", "n-m", "n-m"]
    assert link_types(2, 2, []) == []


def test_by_hand() -> None:
    results = broken_down([pair(GOLD)], [PREDICTED])
    # 4 right of 5 predicted and 6 gold, with the identical pair
    scores = {"precision": 80.0, "recall": pytest.approx(400 / 6), "f1": pytest.approx(800 / 11)}
    assert numbers(results, "test/with_identical", "task1") == {**scores, "predicted": 5, "gold": 6}
    expected = {"1-1": (75, 100, 4, 1), "1-n": (0, 50, 0, 2), "n-1": (0, 50, 0, 2), "n-m": (0, 0, 0, 0)}
    for kind, values in expected.items():
        found = numbers(results, f"test/link_type={kind}", "task1")
        assert tuple(found[name] for name in ("precision", "recall", "predicted", "gold")) == values
    # gold leaves simple sentence 4 alone, the system sentence 1
    assert numbers(results, "test", "unaligned") == {"gold": 1, "predicted": 1, **NOTHING}
    bins = [name for name in results.scopes("test") if name.startswith("test/word_overlap=")]
    low, some, half, high, full = bins
    assert (low, full) == ("test/word_overlap=0.0-0.2", "test/word_overlap=0.8-1.0")
    assert numbers(results, low, "task1") == {"gold": 0, "predicted": 1, **NOTHING}
    assert numbers(results, some, "task1")["gold"] == numbers(results, high, "task1")["gold"] == 0
    # "a b" and "c d" in "a b c d", "i j" and "k l" in "i j k l": 2 of 4 words each
    scores = {"precision": 100.0, "recall": 50.0, "f1": pytest.approx(200 / 3)}
    assert numbers(results, half, "task1") == {"gold": 4, "predicted": 2, **scores}
    assert numbers(results, half, "task2") == {"gold": 0, "predicted": 1, **NOTHING}
    assert numbers(results, full, "task2") == {"gold": 1, "predicted": 0, **NOTHING}
    assert [name for name in results.scopes("test") if "level_gap" in name] == ["test/level_gap=1"]


def test_counts_add_up_to_the_totals() -> None:
    draw = random.Random(3)
    cells = [(i, j) for i in range(len(SIMPLE)) for j in range(len(COMPLEX))]
    pairs, links = [], []
    for number in range(20):
        chosen = (sorted(draw.sample(cells, draw.randint(0, 9))) for _ in range(2))
        gold, predicted = ([Link(i, j, draw.choice([A, P])) for i, j in cell] for cell in chosen)
        pairs.append(pair(tuple(gold), number % 3))
        links.append(predicted)
    results, totals = broken_down(pairs, links), alignment_scores(zip(pairs, links, strict=True))

    def total(slices: str, measure: str) -> float:
        scopes = [name for name in results.scopes("test") if name.startswith(f"test/{slices}=")]
        return sum(results.value(name, "x", measure) or 0 for name in scopes)

    for task, side in itertools.product(TASKS, ("gold", "predicted", "correct")):
        assert total("word_overlap", f"{task}.{side}") == total("level_gap", f"{task}.{side}") == totals[task][side]
    for side in ("gold", "predicted"):
        assert total("link_type", f"task1.{side}") == totals["task1"][side]
    rows = [numbers(results, f"test/link_type={kind}", "task1") for kind in LINK_TYPES]
    assert sum(row["recall"] * row["gold"] for row in rows) / 100 == pytest.approx(totals["task1"]["correct"])
    assert len(linked.link_facts(pairs, links)) == sum(
        len({(link.simple, link.complex) for link in (*p.alignments, *found)})
        for p, found in zip(pairs, links, strict=True)
    )


def test_three_fifths_lie_in_the_fourth_bin() -> None:
    documents = [Document(name, 0, ((text,),)) for name, text in (("c", "a b c d e"), ("s", "a b c"))]
    results = broken_down([DocumentPair("p", "t", "g", *documents, (Link(0, 0, P),))], [()])
    assert results.value("test/word_overlap=0.6-0.8", "x", "task1.gold") == 1


def test_unlabelled_pairs_and_wrong_links_are_refused() -> None:
    with pytest.raises(InputError, match="has no 'alignments'"):
        broken_down([replace(pair(()), alignments=None)], [()])
    with pytest.raises(InputError, match="names no sentence"):
        broken_down([pair(GOLD)], [(Link(9, 0, A),)])


def sized(m: int, n: int, links: list[tuple[int, int]], label: AlignmentLabel = P) -> DocumentPair:
    complex_, simple = (
        Document(side, 0, (tuple(f"{side} {k}" for k in range(size)),)) for side, size in (("c", n), ("s", m))
    )
    return DocumentPair("p", "test", "g", complex_, simple, tuple(Link(i, j, label) for i, j in sorted(links)))


def matching(links: list[tuple[int, int]]) -> int:
    """The most links of which no two share a sentence."""
    if not links:
        return 0
    (i, j), rest = links[0], links[1:]
    return max(matching(rest), 1 + matching([link for link in rest if link[0] != i and link[1] != j]))


def chains(links: list[tuple[int, int]], axis: int) -> list[set[tuple[int, int]]]:
    """Every choice of one link for each sentence of a side that has some."""
    groups = [list(group) for _, group in itertools.groupby(sorted(links, key=itemgetter(axis)), itemgetter(axis))]
    return list(map(set, itertools.product(*groups)))


@pytest.mark.parametrize("seed", range(10))
def test_ceilings_against_all_choices(seed: int) -> None:
    generator = np.random.default_rng(seed)
    gold = generator.random((int(generator.integers(1, 5)), int(generator.integers(1, 5)))) < 0.45
    links, results = [tuple(link) for link in np.argwhere(gold).tolist()], Results()
    linked.ceilings(results, "test", [sized(*gold.shape, links)])
    one_complex, one_simple = chains(links, 0), chains(links, 1)
    assert {kind: results.value("test", f"ceiling.{kind}", "task1.links") for kind in CEILINGS} == {
        "one_complex": max(map(len, one_complex)),
        "one_simple": max(map(len, one_simple)),
        "one_to_one": matching(links),
        "either": max(len(a | b) for a, b in itertools.product(one_complex, one_simple)),
    }


def test_percentages_of_ceilings_and_identical_pairs() -> None:
    gold = sized(2, 3, [(0, 0), (0, 1), (1, 2)], A)
    same = DocumentPair("p", "t", "g", Document("c", 0, (("x",),)), Document("s", 1, (("x",),)), (Link(0, 0, A),))
    results = Results()
    linked.ceilings(results, "test", [gold, same])
    row = results.measures("test", "ceiling.one_complex")
    for task in TASKS:
        assert row[f"{task}.gold"].value == 3
        assert row[f"{task}.recall"].value == pytest.approx(200 / 3)
        assert row[f"{task}.f1"].value == pytest.approx(100 * 2 * 2 / (2 + 3))
