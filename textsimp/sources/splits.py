"""From the raw releases to document pairs: train, dev, test and the unlabelled articles (sections 3.1 and 3.2).

The manual annotation is split by article set, never by sentence. Article sets that the manual part does not have are
the unlabelled ones. No article set is in two splits: `load_splits` checks that before anything is written.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path

from textsimp.core.errors import bad_input
from textsimp.core.records import DocumentPair, write_pairs
from textsimp.core.writing import atomic_folder
from textsimp.sources.config import SourceConfig
from textsimp.sources.draws import UNLABELLED
from textsimp.sources.formats import annotated_pairs, unlabelled_pairs


def load_splits(raw: str | Path, out: str | Path, config: SourceConfig) -> dict[str, int]:
    """Write OUT/{train,dev,test,unlabelled}.jsonl from the releases under `raw`; return the pairs in each.

    Raises:
        InputError: a file of the release is absent or bad, or an article set stands in two splits.
    """
    raw = Path(raw)
    labelled = annotated_pairs(raw, config)
    groups = {split: {pair.group for pair in pairs} for split, pairs in labelled.items()}
    for (first, left), (second, right) in combinations(groups.items(), 2):
        if common := sorted(left & right):
            what = f"article set {common[0]!r} is in {first} and in {second} ({len(common)} such)"
            raise bad_input(raw, None, what, "splits are made by article set: remove it from one of them")
    unlabelled = unlabelled_pairs(raw, set().union(*groups.values()), config)
    counts = Counter(dict.fromkeys((*labelled, UNLABELLED), 0))
    with atomic_folder(out, f"{UNLABELLED}.jsonl") as folder:
        for split, pairs in {**labelled, UNLABELLED: unlabelled}.items():
            write_pairs(folder / f"{split}.jsonl", _counted(split, pairs, counts))
    return dict(counts)


def _counted(split: str, pairs: Iterable[DocumentPair], counts: Counter[str]) -> Iterator[DocumentPair]:
    for pair in pairs:
        counts[split] += 1
        yield pair
