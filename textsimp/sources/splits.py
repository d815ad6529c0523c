"""From the raw releases to document pairs: train, dev, test and the unlabelled articles (F1; sections 3.1 and 3.2).

The manual annotation is split by article set, never by sentence. Article sets that the manual part does not have are
the unlabelled ones. No article set is in two splits: `load_splits` checks that before anything is written.
"""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from textsimp.errors import bad_input
from textsimp.records import DocumentPair, write_pairs
from textsimp.sources.annotated import annotated_pairs
from textsimp.sources.config import SourceConfig
from textsimp.sources.layout import UNLABELLED
from textsimp.sources.unlabelled import unlabelled_pairs
from textsimp.textfiles import atomic_folder


def load_splits(raw: str | Path, out: str | Path, config: SourceConfig) -> dict[str, int]:
    """Write OUT/{train,dev,test,unlabelled}.jsonl from the releases under `raw`; return the pairs in each.

    Raises:
        InputError: a file of the release is absent or bad, or an article set stands in two splits.
    """
    raw = Path(raw)
    labelled = annotated_pairs(raw, config)
    check_disjoint({split: {pair.group for pair in pairs} for split, pairs in labelled.items()}, raw)
    manual = {pair.group for pairs in labelled.values() for pair in pairs}
    counts = {split: len(pairs) for split, pairs in labelled.items()}
    with atomic_folder(out) as folder:
        for split, pairs in labelled.items():
            write_pairs(folder / f"{split}.jsonl", pairs)
        counter = _Counter(unlabelled_pairs(raw, manual, config), manual, raw)
        write_pairs(folder / f"{UNLABELLED}.jsonl", counter)
    return counts | {UNLABELLED: counter.count}


def check_disjoint(groups: dict[str, set[str]], where: str | Path) -> None:
    """Raise `InputError` where an article set stands in two splits."""
    for (first, left), (second, right) in combinations(groups.items(), 2):
        if common := sorted(left & right):
            what = f"article set {common[0]!r} is in {first} and in {second} ({len(common)} such)"
            raise bad_input(where, None, what, "splits are made by article set: remove it from one of them")


class _Counter:
    """Passes unlabelled pairs on, counts them, and refuses one whose article set is annotated or that comes twice."""

    def __init__(self, pairs: Iterator[DocumentPair], manual: set[str], where: Path) -> None:
        self.pairs, self.manual, self.where = pairs, manual, where
        self.count = 0

    def __iter__(self) -> Iterator[DocumentPair]:
        seen = set()
        for pair in self.pairs:
            check_disjoint({"the manual part": self.manual, UNLABELLED: {pair.group}}, self.where)
            if pair.id in seen:
                raise bad_input(self.where, None, f"unlabelled pair {pair.id!r} stands here twice", "drop one of them")
            seen.add(pair.id)
            self.count += 1
            yield pair
