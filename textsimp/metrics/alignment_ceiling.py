"""How much of a gold alignment an aligner can find that allows a sentence only one partner (F1).

The linear-chain CRF of Jiang et al. 2020, section 2, labels each simple sentence with at most one complex sentence:
merges (n-1) and fusions (n-m) cost it recall, whatever its scores. The ceilings follow from the gold links alone.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components, maximum_bipartite_matching

from textsimp.metrics.alignment import TASKS, check_links, gold_mask, identical_mask, precision_recall_f1
from textsimp.records import DocumentPair

KINDS = ("one_complex", "one_simple", "one_to_one", "either")


def ceilings(pairs: Iterable[DocumentPair]) -> dict[str, dict[str, Any]]:
    """The best recall, and F1 with it where nothing else is predicted, in percent; identical pairs are left out.

    Returns:
        `{task: {"gold": links, kind: {"links", "recall", "f1"}}}` with the kinds `one_complex` (each simple sentence
        has at most one partner, as in the paper's chain), `one_simple` (each complex sentence, a chain the other way),
        `one_to_one` (a matching), `either` (a link that one of the two chains can find, as when the posteriors of both
        are joined).
    """
    found = {task: dict.fromkeys(("gold", *KINDS), 0) for task in TASKS}
    for pair in pairs:
        check_links(pair, ())
        for task in TASKS:
            for kind, number in _reachable(gold_mask(pair, task) & ~identical_mask(pair)).items():
                found[task][kind] += number
    return {
        task: {
            "gold": numbers["gold"],
            **{kind: {"links": numbers[kind], **_scores(numbers[kind], numbers["gold"])} for kind in KINDS},
        }
        for task, numbers in found.items()
    }


def _reachable(gold: np.ndarray) -> dict[str, int]:
    """Links of one document pair that each kind of aligner can find. Shape of `gold`: (m, n)."""
    matching = maximum_bipartite_matching(csr_array(gold.astype(np.int8)), perm_type="column")
    return {
        "gold": int(gold.sum()),
        "one_complex": int(gold.any(1).sum()),
        "one_simple": int(gold.any(0).sum()),
        "one_to_one": int((matching >= 0).sum()),
        "either": _either(gold),
    }


def _either(gold: np.ndarray) -> int:
    """The most links such that each can be given to one of its two sentences, no sentence having two.

    In a part of the graph that hangs together, with E links and V sentences, that is min(E, V): V - 1 links can be
    given to all sentences but one, and one further link to the last.
    """
    m = len(gold)
    rows, columns = np.nonzero(gold)
    graph = coo_array((np.ones(len(rows)), (rows, columns + m)), shape=(sum(gold.shape), sum(gold.shape)))
    number, component = connected_components(graph, directed=False)
    links = np.bincount(component[rows], minlength=number)
    return int(np.minimum(links, np.bincount(component, minlength=number)).sum())


def _scores(links: int, gold: int) -> dict[str, float]:
    scores = precision_recall_f1(links, links, gold)
    return {"recall": scores["recall"], "f1": scores["f1"]}
