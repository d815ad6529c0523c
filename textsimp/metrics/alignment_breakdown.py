"""What an alignment system finds, by kind of link: type, word overlap, level gap, identical pairs (F1).

Precision, recall and F1 over all pairs (Jiang et al. 2020, section 4.2) hide which links a system misses. Link types
are those of Paetzold et al. 2017 and Stajner et al. 2017: 1-1, 1-n (a complex sentence is split), n-1 (complex
sentences are merged), n-m. Identical pairs are left out of everything but `with_identical`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from textsimp.metrics.alignment import TASKS, Task, check_links, identical_mask, precision_recall_f1
from textsimp.metrics.words import words
from textsimp.records import AlignmentLabel, DocumentPair, Link

LINK_TYPES = ("1-1", "1-n", "n-1", "n-m")
BINS = 5

Labelled = tuple[DocumentPair, Sequence[Link]]


def breakdown(pairs: Sequence[Labelled]) -> dict[str, Any]:
    """Scores by kind of link, in percent.

    Args:
        pairs: gold document pairs, each with the links that a system predicts for it.

    Returns:
        `with_identical`: `{task: {precision, recall, f1}}`, identical pairs counted.
        `link_types`: `{type: {gold, recall, predicted, precision}}` for Task 1; a gold link has the type of the gold
        links that it hangs together with, a predicted one that of the predicted links.
        `unaligned`: `{gold, predicted, precision, recall, f1}` of leaving a simple sentence without a link; those with
        an identical complex sentence are left out.
        `word_overlap`: a list of `{from, to, task1: {gold, predicted, precision, recall, f1}, task2: ...}`; the
        overlap is the Jaccard coefficient of the words of both sentences.
        `level_gap`: `{gap: {task1: ..., task2: ...}}`, the difference of the reading levels of the documents.
    """
    table = link_table(pairs)
    counted = table[~table["identical"]]
    bins = np.array([_bin(*overlap) for overlap in counted[["common", "union"]].itertuples(index=False)], dtype=int)
    edges = [round(k / BINS, 2) for k in range(BINS + 1)]
    in_bin = [counted[bins == k] for k in range(BINS)]
    return {
        "with_identical": {task: _scores(table, task) for task in TASKS},
        "link_types": {kind: _of_type(counted, kind) for kind in LINK_TYPES},
        "unaligned": _unaligned(pairs),
        "word_overlap": [{"from": edges[k], "to": edges[k + 1], **_tasks(rows)} for k, rows in enumerate(in_bin)],
        "level_gap": {str(gap): _tasks(rows) for gap, rows in counted.groupby("gap")},
    }


def link_table(pairs: Sequence[Labelled]) -> pd.DataFrame:
    """Every sentence pair that is a gold or a predicted link.

    Returns:
        Columns: pair, simple, complex (indexes); gold_task1, gold_task2, predicted_task1, predicted_task2 (bool);
        gold_type, predicted_type (a link type, or empty); identical (bool); common, union (words); gap (levels).

    Raises:
        InputError: as `alignment_scores`.
    """
    rows = [row for index, (pair, predicted) in enumerate(pairs) for row in _rows(index, pair, predicted)]
    names = ["pair", "simple", "complex", "identical", "common", "union", "gap"]
    sides = [f"{side}_{what}" for side in ("gold", "predicted") for what in ("task1", "task2", "type")]
    kinds = dict.fromkeys(("gold_task1", "gold_task2", "predicted_task1", "predicted_task2", "identical"), bool)
    return pd.DataFrame(rows, columns=[*names, *sides]).astype(kinds)


def _rows(index: int, pair: DocumentPair, predicted: Sequence[Link]) -> list[tuple[Any, ...]]:
    check_links(pair, predicted)
    simple, complex_ = pair.simple.sentences, pair.complex.sentences
    gap = abs(pair.simple.level - pair.complex.level)
    gold, found = _described(pair, pair.alignments or ()), _described(pair, predicted)
    rows = []
    for i, j in sorted(gold.keys() | found.keys()):
        left, right = (frozenset(words(text)) for text in (simple[i], complex_[j]))
        sides = (*gold.get((i, j), (False, False, "")), *found.get((i, j), (False, False, "")))
        rows.append((index, i, j, simple[i] == complex_[j], len(left & right), len(left | right), gap, *sides))
    return rows


def _described(pair: DocumentPair, links: Sequence[Link]) -> dict[tuple[int, int], tuple[bool, bool, str]]:
    """Whether each link counts in Task 1 and Task 2, and its type."""
    types = link_types(len(pair.simple.sentences), len(pair.complex.sentences), [(k.simple, k.complex) for k in links])
    return {
        (link.simple, link.complex): (True, link.label is AlignmentLabel.ALIGNED, kind)
        for link, kind in zip(links, types, strict=True)
    }


def link_types(m: int, n: int, links: Sequence[tuple[int, int]]) -> list[str]:
    """The type of each link: how many simple and complex sentences hang together with it through links.

    Args:
        m, n: simple and complex sentences of the documents.
        links: (simple, complex) indexes.
    """
    if not links:
        return []
    rows, columns = np.array(links).T
    graph = coo_array((np.ones(len(links)), (rows, columns + m)), shape=(m + n, m + n))
    _, component = connected_components(graph, directed=False)  # (m + n,)
    simple, complex_ = np.bincount(component[:m], minlength=m + n), np.bincount(component[m:], minlength=m + n)
    sizes = zip(simple[component[rows]].tolist(), complex_[component[rows]].tolist(), strict=True)
    names = {(False, False): "1-1", (True, False): "1-n", (False, True): "n-1", (True, True): "n-m"}
    return [names[s > 1, c > 1] for s, c in sizes]


def _bin(common: int, union: int) -> int:
    """Which of `BINS` equal parts of 0 to 1 holds the Jaccard coefficient; in integers, as 3/5 has no exact float."""
    return min(BINS * common // union, BINS - 1) if union else 0


def _tasks(table: pd.DataFrame) -> dict[str, Any]:
    return {
        task: {
            "gold": int(table[f"gold_{task}"].sum()),
            "predicted": int(table[f"predicted_{task}"].sum()),
            **_scores(table, task),
        }
        for task in TASKS
    }


def _scores(table: pd.DataFrame, task: Task) -> dict[str, float]:
    gold, predicted = table[f"gold_{task}"], table[f"predicted_{task}"]
    return precision_recall_f1(int((gold & predicted).sum()), int(predicted.sum()), int(gold.sum()))


def _of_type(table: pd.DataFrame, kind: str) -> dict[str, float]:
    gold, predicted = table[table["gold_type"] == kind], table[table["predicted_type"] == kind]
    hits, right = int(gold["predicted_task1"].sum()), int(predicted["gold_task1"].sum())
    return {
        "gold": len(gold),
        "recall": 100 * hits / len(gold) if len(gold) else 0.0,
        "predicted": len(predicted),
        "precision": 100 * right / len(predicted) if len(predicted) else 0.0,
    }


def _unaligned(pairs: Sequence[Labelled]) -> dict[str, float]:
    correct = predicted = gold = 0
    for pair, links in pairs:
        every = set(np.flatnonzero(~identical_mask(pair).any(1)).tolist())
        free_gold = every - {link.simple for link in pair.alignments or ()}
        free_found = every - {link.simple for link in links}
        correct, predicted, gold = (
            correct + len(free_gold & free_found),
            predicted + len(free_found),
            gold + len(free_gold),
        )
    return {"gold": gold, "predicted": predicted, **precision_recall_f1(correct, predicted, gold)}
