"""The sentence pairs of an alignment file, or of a release, on their way into a corpus: read, divided, judged."""

import logging
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from textsimp.corpora import filters
from textsimp.corpora.config import BuildConfig
from textsimp.corpora.pairs import LinkedPair, linked_pairs, released_pair
from textsimp.corpora.splits import divide
from textsimp.corpora.statistics import Tally, TextPair
from textsimp.errors import InputError, bad_input
from textsimp.records import read_pairs
from textsimp.sources.released_pairs import read_released_pairs

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Candidates:
    """Every linked sentence pair of an alignment file, or every pair of a release, and what became of it.

    Attributes:
        path: the file, or the folder of acquired releases.
        tally: the counts of its document pairs; None for a release of sentence pairs, which has no documents.
        pairs: the sentence pairs, in the file's order.
        splits: the split of each pair: train, dev or test.
        fates: the filter that dropped each pair, or None where it stays.
    """

    path: Path
    tally: Tally | None
    pairs: list[LinkedPair]
    splits: list[str]
    fates: list[str | None]

    def kept(self, split: str) -> list[TextPair]:
        """The (complex, simple) texts of the pairs that stay, in one split."""
        return [
            (pair.complex, pair.simple)
            for pair, where, fate in zip(self.pairs, self.splits, self.fates, strict=True)
            if where == split and fate is None
        ]

    def without_leaks(self, split: str, protected: Collection[str]) -> "Candidates":
        """The same, pairs of one split dropped that hold a protected sentence (`filters.no_leak`)."""
        keep = filters.no_leak(protected)
        fates = [
            filters.LEAK if fate is None and where == split and not keep(pair) else fate
            for pair, where, fate in zip(self.pairs, self.splits, self.fates, strict=True)
        ]
        return replace(self, fates=fates)

    def dropped(self, names: Collection[str]) -> dict[str, int]:
        """How many pairs each of the named filters dropped, and the leak filter."""
        counts = Counter(self.fates)
        return {name: counts[name] for name in (*names, filters.LEAK)}


def read_candidates(path: Path, config: BuildConfig, similarity: filters.Similarity) -> Candidates:
    """Read, divide and judge the pairs of an alignment file, in one pass over its document pairs.

    Raises:
        InputError: a document pair carries no alignments, or there are too few article sets to divide.
    """
    tally, pairs = Tally(linked=True), []
    for pair in read_pairs(path):
        if pair.alignments is None:
            raise bad_input(path, None, f"document pair {pair.id!r} has no alignments", "align it first")
        tally.add(pair)
        pairs.extend(linked_pairs(pair, config.join))
    split_of = _splits(path, tally.groups, config)
    return Candidates(
        path=path,
        tally=tally,
        pairs=pairs,
        splits=[split_of[pair.pair.group] for pair in pairs],
        fates=filters.judge(pairs, filters.configured(config, similarity)),
    )


def read_released(name: str, raw: Path, config: BuildConfig, similarity: filters.Similarity) -> Candidates:
    """Read, divide and judge the pairs of a release that gives sentence pairs (`read_released_pairs`)."""
    released = read_released_pairs(name, raw)
    if released.dropped:
        logger.info("%s: lines left out: %s", name, released.dropped)
    pairs = [released_pair(pair) for pair in released.pairs]
    split_of = _splits(raw, {pair.group for pair in released.pairs}, config)
    splits = [split_of[pair.group] for pair in released.pairs]
    return Candidates(raw, None, pairs, splits, filters.judge(pairs, filters.configured(config, similarity)))


def _splits(path: Path, groups: Collection[str], config: BuildConfig) -> dict[str, str]:
    """The split of each article set; with a benchmark for dev and test, all of them train."""
    if config.benchmarks:
        return dict.fromkeys(groups, "train")
    try:
        return divide(groups, config.dev_fraction, config.test_fraction, config.seed)
    except InputError as error:
        raise bad_input(path, None, str(error), "or evaluate on a benchmark") from None
