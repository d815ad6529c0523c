"""Precision, recall and F1 of sentence alignment, of all links and by kind of link, and what an aligner could reach.

Jiang et al. 2020, section 4.1, tables 2, 3, 12 and 13. Task 1 tells aligned and partially aligned pairs from the rest,
Task 2 aligned ones from the rest. Pairs of identical sentences are easy and are left out, of the gold links and of the
predicted ones. Counts are summed over all document pairs (micro).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from textsimp.core.errors import InputError
from textsimp.core.records import AlignmentLabel, DocumentPair, Link
from textsimp.core.results import Cell, Estimate, Results
from textsimp.metrics.scores import Counts, SegmentStatistics, Signature, quotient
from textsimp.metrics.tokens import REMEMBERED, words

Task: TypeAlias = Literal["task1", "task2"]
TASKS: tuple[Task, Task] = ("task1", "task2")
MEASURES = ("precision", "recall", "f1")
F1S = tuple(f"{task}.f1" for task in TASKS)
"""The headline measures of an aligner."""
COUNTS = ("correct", "predicted", "gold")
LINK_TYPES = ("1-1", "1-n", "n-1", "n-m")
"""As in Paetzold et al. 2017 and Stajner et al. 2017: in 1-n a complex sentence is split, in n-1 some are merged."""
BINS = 5
"""Equal parts of 0 to 1 that links are sorted into by word overlap."""
CEILINGS = ("one_complex", "one_simple", "one_to_one", "either")
Predictions: TypeAlias = Sequence[Sequence[Link]]
"""The links that a system predicts for each document pair."""
_LABELS = {"task1": frozenset(AlignmentLabel), "task2": frozenset([AlignmentLabel.ALIGNED])}


def precision_recall_f1(counts: Counts) -> NDArray[np.float64]:
    """Precision, recall and F1 in percent from correct, predicted and gold links; a quotient by 0 is 0.

    Shapes: (..., 3) to (..., 3).
    """
    correct, predicted, gold = np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0)
    shares = np.stack([correct, correct, 2 * correct], axis=-1)
    totals = np.stack([predicted, gold, predicted + gold], axis=-1)
    return quotient(100 * shares, totals)


def alignment_scores(pairs: Iterable[tuple[DocumentPair, Sequence[Link]]]) -> dict[Task, dict[str, Any]]:
    """Return `{task: {precision, recall, f1, correct, predicted, gold}}` of gold document pairs and predicted links.

    Raises:
        InputError: a document pair is unlabelled, or a predicted link names no sentence or one pair twice.
    """
    counts: dict[Task, NDArray[np.int64]] = {task: np.zeros(3, dtype=np.int64) for task in TASKS}
    for pair, predicted in pairs:
        for task, numbers in pair_counts(pair, predicted).items():
            counts[task] += numbers
    return {task: scores_of_counts(numbers) for task, numbers in counts.items()}


def scores_of_counts(counts: Sequence[int] | NDArray[np.integer]) -> dict[str, Any]:
    """`{precision, recall, f1, correct, predicted, gold}` from the last three. Shape: (3,)."""
    numbers = np.asarray(counts)
    scores = precision_recall_f1(numbers).tolist()
    return dict(zip(MEASURES, scores, strict=True)) | dict(zip(COUNTS, numbers.tolist(), strict=True))


def pair_counts(pair: DocumentPair, predicted: Sequence[Link]) -> dict[Task, tuple[int, int, int]]:
    """Return correct, predicted and gold links of a document pair for each task; raise as `alignment_scores`."""
    check_links(pair, predicted)
    different = ~identical_mask(pair)
    counts: dict[Task, tuple[int, int, int]] = {}
    for task in TASKS:
        gold, positive = gold_mask(pair, task) & different, _mask(pair, predicted, task) & different
        counts[task] = (int((gold & positive).sum()), int(positive.sum()), int(gold.sum()))
    return counts


def link_statistics(pairs: Sequence[DocumentPair], links: Predictions) -> dict[str, SegmentStatistics]:
    """F1 of each task with precision and recall, as statistics of article sets (`DocumentPair.group`).

    The levels of one article depend on each other, so that article sets are what is resampled. Raises: as
    `alignment_scores`.
    """
    rows = {group: row for row, group in enumerate(article_sets(pairs))}
    counts = {task: np.zeros((len(rows), 3)) for task in TASKS}
    for pair, predicted in zip(pairs, links, strict=True):
        for task, numbers in pair_counts(pair, predicted).items():
            counts[task][rows[pair.group]] += numbers
    return {task: f1_statistics(counts[task], "ALIGNMENT") for task in TASKS}


def article_sets(pairs: Sequence[DocumentPair]) -> list[str]:
    """Return the sorted names of the article sets."""
    return sorted({pair.group for pair in pairs})


def f1_statistics(counts: Counts, name: str) -> SegmentStatistics:
    """F1 with precision and recall in percent, from correct, predicted and gold of each unit. Shape: (N, 3)."""

    def f1_first(sums: Counts) -> NDArray[np.float64]:
        return precision_recall_f1(sums)[..., [2, 0, 1]]

    return SegmentStatistics(Signature.of(name), counts, f1_first, ("precision", "recall"), "f1")


def identical_mask(pair: DocumentPair) -> np.ndarray:
    """Mark the pairs that are the same sentence twice, and so not evaluated. Shape: (m, n), simple by complex; bool."""
    simple = np.array(pair.simple.sentences, dtype=object)
    return simple[:, None] == np.array(pair.complex.sentences, dtype=object)[None, :]  # (m, n)


def gold_mask(pair: DocumentPair, task: Task) -> np.ndarray:
    """Mark the pairs that are positive in a task, identical ones as the gold links say. Shape: (m, n); bool."""
    return _mask(pair, pair.alignments or (), task)


def _mask(pair: DocumentPair, links: Sequence[Link], task: Task) -> NDArray[np.bool_]:
    mask = np.zeros((len(pair.simple.sentences), len(pair.complex.sentences)), dtype=bool)
    for link in links:
        mask[link.simple, link.complex] |= link.label in _LABELS[task]
    return mask


def evaluated(
    scores: Callable[[DocumentPair, Task], NDArray[np.float64]], pairs: Sequence[DocumentPair], task: Task
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Scores and gold marks of all sentence pairs that count, identical ones left out. Shape of both: (N,)."""
    masks = [~identical_mask(pair) for pair in pairs]
    kept = [scores(pair, task)[mask] for pair, mask in zip(pairs, masks, strict=True)]
    gold = [gold_mask(pair, task)[mask] for pair, mask in zip(pairs, masks, strict=True)]
    return np.concatenate(kept), np.concatenate(gold)


def check_links(pair: DocumentPair, predicted: Sequence[Link]) -> None:
    """`InputError` where the document pair is unlabelled, or a predicted link names no sentence or one pair twice."""
    if pair.alignments is None:
        raise InputError(f"document pair {pair.id!r}: has no 'alignments' to compare with; give a labelled file")
    seen: set[tuple[int, int]] = set()
    simple, complex_ = len(pair.simple.sentences), len(pair.complex.sentences)
    for link in predicted:
        where = (link.simple, link.complex)
        if not (0 <= link.simple < simple and 0 <= link.complex < complex_):
            raise InputError(
                f"document pair {pair.id!r}: predicted link {where} names no sentence; "
                f"simple has 0 to {simple - 1}, complex 0 to {complex_ - 1}"
            )
        if where in seen:
            raise InputError(f"document pair {pair.id!r}: predicted link {where} comes twice; give one label a pair")
        seen.add(where)


def components(first: int, second: int, links: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
    """Return the connected components of a bipartite graph with so many nodes on each side, linked in pairs.

    Returns:
        A number, from 0 on, for each node of the first side, then of the second. Shape: (first + second,).
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components  # numbers components by their first nodes

    if not first + second:
        return np.zeros(0, dtype=np.int64)
    ends = np.array(links, dtype=np.int64).reshape(-1, 2)
    graph = coo_array((np.ones(len(ends)), (ends[:, 0], first + ends[:, 1])), shape=(first + second, first + second))
    return connected_components(graph, directed=False)[1].astype(np.int64)


def link_types(m: int, n: int, links: Sequence[tuple[int, int]]) -> list[str]:
    """Return the type of each (simple, complex) link in documents of m simple and n complex sentences.

    It says how many of them its connected component has.
    """
    if not links:
        return []
    component = components(m, n, links)
    simple, complex_ = np.bincount(component[:m], minlength=m + n), np.bincount(component[m:], minlength=m + n)
    of_link = component[[i for i, _ in links]]
    names = {(False, False): "1-1", (True, False): "1-n", (False, True): "n-1", (True, True): "n-m"}
    return [names[s > 1, c > 1] for s, c in zip(simple[of_link].tolist(), complex_[of_link].tolist(), strict=True)]


class LinkFacts(NamedTuple):
    """A sentence pair that is a gold or a predicted link.

    Attributes:
        overlap: which of `BINS` parts of 0 to 1 holds the Jaccard coefficient of the words of both.
        level_gap: difference of the reading levels of the documents.
        gold, predicted: the tasks that it is positive in.
        gold_type, predicted_type: its link type among the gold and among the predicted links; empty where it is none.
    """

    identical: bool
    overlap: int
    level_gap: int
    gold: frozenset[Task]
    predicted: frozenset[Task]
    gold_type: str
    predicted_type: str


def link_facts(pairs: Sequence[DocumentPair], links: Predictions) -> list[LinkFacts]:
    """Return every sentence pair that is a gold or a predicted link. Raises: as `alignment_scores`."""
    return [facts for pair, predicted in zip(pairs, links, strict=True) for facts in _facts_of_pair(pair, predicted)]


def breakdown(results: Results, scope: str, system: str, pairs: Sequence[DocumentPair], links: Predictions) -> None:
    """Write what a system finds by kind of link into slices of `scope`: numbers over all links hide what it misses.

    The slices are `with_identical`, `link_type=...` (Task 1: recall of the gold links of a type, precision of the
    predicted ones), `word_overlap=0.0-0.2` ... and `level_gap=...`. Into `scope` itself goes `unaligned`: leaving a
    simple sentence without a link, where none is identical. Raises: as `alignment_scores`.
    """
    every = link_facts(pairs, links)
    distinct = [facts for facts in every if not facts.identical]
    slices = {"with_identical": every}
    for part in range(BINS):
        name = f"word_overlap={round(part / BINS, 2)}-{round((part + 1) / BINS, 2)}"
        slices[name] = [facts for facts in distinct if facts.overlap == part]
    for gap in sorted({facts.level_gap for facts in distinct}):
        slices[f"level_gap={gap}"] = [facts for facts in distinct if facts.level_gap == gap]
    for (name, rows), task in product(slices.items(), TASKS):
        add_counts(results, f"{scope}/{name}", system, task, _counts(rows, task))
    for kind in LINK_TYPES:
        gold = _counts([facts for facts in distinct if facts.gold_type == kind], "task1")
        predicted = _counts([facts for facts in distinct if facts.predicted_type == kind], "task1")
        numbers = {"precision": scores_of_counts(predicted)["precision"], "recall": scores_of_counts(gold)["recall"]}
        numbers |= {"predicted": predicted[1], "gold": gold[2]}
        results.put(f"{scope}/link_type={kind}", system, {f"task1.{name}": value for name, value in numbers.items()})
    add_counts(results, scope, system, "unaligned", _unaligned(pairs, links))


def add_counts(
    results: Results, scope: str, system: str, measure: str, counts: Sequence[int] | NDArray[np.integer]
) -> None:
    """Write correct, predicted and gold links and the scores that follow from them, where they are not there yet."""
    for name, value in scores_of_counts(counts).items():
        results.estimates.setdefault(Cell(scope, system, f"{measure}.{name}"), Estimate(value))


def ceilings(results: Results, scope: str, pairs: Iterable[DocumentPair]) -> None:
    """Write the best recall, and F1 with it where nothing else is predicted, that the gold links alone allow.

    The linear-chain CRF of Jiang et al. 2020, section 2, labels each simple sentence with at most one complex
    sentence: merges (n-1) and fusions (n-m) cost it recall, whatever its scores. The systems are `ceiling.KIND` with
    the kinds `one_complex` (each simple sentence has at most one partner, as in the paper's chain), `one_simple` (each
    complex sentence, a chain the other way), `one_to_one` (a matching), `either` (a link that one of the two chains can
    find, as when the posteriors of both are joined). Measures: `TASK.links`, `TASK.gold`, `TASK.recall`, `TASK.f1`.
    """
    numbers = {task: np.zeros(1 + len(CEILINGS), dtype=np.int64) for task in TASKS}
    for pair in pairs:
        check_links(pair, ())
        for task in TASKS:
            numbers[task] += _reachable(gold_mask(pair, task) & ~identical_mask(pair))
    for task in TASKS:
        gold, *reachable = numbers[task].tolist()
        for kind, links in zip(CEILINGS, reachable, strict=True):
            scores = scores_of_counts((links, links, gold))
            row = {"links": links, "gold": gold, "recall": scores["recall"], "f1": scores["f1"]}
            results.put(scope, f"ceiling.{kind}", {f"{task}.{measure}": value for measure, value in row.items()})


@lru_cache(REMEMBERED)  # each sentence is in links of many systems
def _distinct_words(text: str) -> frozenset[str]:
    return frozenset(words(text))


def _facts_of_pair(pair: DocumentPair, predicted: Sequence[Link]) -> Iterator[LinkFacts]:
    check_links(pair, predicted)
    gap = abs(pair.simple.level - pair.complex.level)
    gold, found = _described(pair, pair.alignments or ()), _described(pair, predicted)
    nothing: tuple[frozenset[Task], str] = (frozenset(), "")
    for ends in sorted(gold.keys() | found.keys()):
        simple, complex_ = pair.simple.sentences[ends[0]], pair.complex.sentences[ends[1]]
        (tasks, kind), (found_tasks, found_kind) = gold.get(ends, nothing), found.get(ends, nothing)
        yield LinkFacts(simple == complex_, _overlap(simple, complex_), gap, tasks, found_tasks, kind, found_kind)


def _overlap(simple: str, complex_: str) -> int:
    left, right = _distinct_words(simple), _distinct_words(complex_)
    # in integers, as 3/5 has no exact float
    return min(BINS * len(left & right) // max(len(left | right), 1), BINS - 1)


def _described(pair: DocumentPair, links: Sequence[Link]) -> dict[tuple[int, int], tuple[frozenset[Task], str]]:
    """The tasks that each link is positive in, and its type."""
    ends = [(link.simple, link.complex) for link in links]
    types = link_types(len(pair.simple.sentences), len(pair.complex.sentences), ends)
    return {
        end: (frozenset(task for task in TASKS if link.label in _LABELS[task]), kind)
        for end, link, kind in zip(ends, links, types, strict=True)
    }


def _counts(rows: Sequence[LinkFacts], task: Task) -> tuple[int, int, int]:
    """Correct, predicted and gold links."""
    gold, predicted = [task in facts.gold for facts in rows], [task in facts.predicted for facts in rows]
    return sum(a and b for a, b in zip(gold, predicted, strict=True)), sum(predicted), sum(gold)


def _unaligned(pairs: Sequence[DocumentPair], links: Predictions) -> NDArray[np.int64]:
    """Return the simple sentences without a link: rightly, predicted, gold. Shape: (3,)."""
    counts = np.zeros(3, dtype=np.int64)
    for pair, proposed in zip(pairs, links, strict=True):
        every = set(np.flatnonzero(~identical_mask(pair).any(1)).tolist())
        gold, predicted = (every - {link.simple for link in of} for of in (pair.alignments or (), proposed))
        counts += (len(gold & predicted), len(predicted), len(gold))
    return counts


def _reachable(gold: np.ndarray) -> NDArray[np.int64]:
    """Return the links of a document pair, and how many of them each of `CEILINGS` can find. Shapes: (m, n) to (5,)."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    matching = maximum_bipartite_matching(csr_array(gold.astype(np.int8)), perm_type="column")
    return np.array([gold.sum(), gold.any(1).sum(), gold.any(0).sum(), (matching >= 0).sum(), _either(gold)])


def _either(gold: np.ndarray) -> int:
    """The most links such that each can be given to one of its two sentences, no sentence having two.

    In a connected component with E links and V sentences that is min(E, V): V - 1 links can be given to all sentences
    but one, and one further link to the last.
    """
    rows, columns = np.nonzero(gold)
    component = components(gold.shape[0], gold.shape[1], list(zip(rows.tolist(), columns.tolist(), strict=True)))
    sentences = np.bincount(component)
    return int(np.minimum(np.bincount(component[rows], minlength=len(sentences)), sentences).sum())
