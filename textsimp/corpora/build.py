"""The corpora of one source: training sets filtered and divided, no held-out sentence in training.

Jiang et al. 2020, sections 3 and 5.1: `auto` is aligned by the neural CRF, `old` by JaccardAlign, from the same
document pairs, filtered and divided alike. A training set may also be the sentence pairs of a release (the paper's
WikiLarge).
"""

import json
import logging
import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import quoted
from textsimp.core.records import ALIGNMENTS, OWN, SIDES, DocumentPair, numbered_pairs
from textsimp.core.results import Cell, Estimate, Results
from textsimp.core.writing import atomic_folder, atomic_write, write_lines
from textsimp.corpora import filters
from textsimp.corpora.card import data_card
from textsimp.corpora.config import LEAK, SIZE, UNITED, BuildConfig
from textsimp.corpora.heldout import (
    HeldOutSet,
    Protected,
    count_leaks,
    divide,
    protected_sets,
    read_benchmark,
    training_pairs,
)
from textsimp.corpora.pairs import LinkedPair, linked_pairs, pair_row, released_pair
from textsimp.corpora.statistics import Statistics, Tally, TextPair, seq2seq_statistics
from textsimp.sources.formats import read_released_pairs

logger = logging.getLogger(__name__)


class Candidate(NamedTuple):
    """A linked sentence pair, the split of its article, and the filter that dropped it; None where it stays."""

    pair: LinkedPair
    split: str
    fate: str | None


@dataclass(frozen=True)
class Candidates:
    """Every linked sentence pair of an alignment file, or every pair of a release, in order, and what became of it.

    `tally` is None for a release of sentence pairs, which has no documents; `path` is then the folder of acquired
    releases.
    """

    path: Path
    tally: Tally | None
    rows: list[Candidate]

    def kept(self, split: str) -> list[LinkedPair]:
        """Return the pairs that stay, in one split."""
        return [row.pair for row in self.rows if row.split == split and row.fate is None]

    def texts(self, split: str) -> list[TextPair]:
        """Return the (complex, simple) texts of the pairs that stay, in one split."""
        return [(pair.complex, pair.simple) for pair in self.kept(split)]

    def without_leaks(self, split: str, protected: Collection[str]) -> "Candidates":
        """Return the same, pairs of one split dropped that hold a protected sentence (`filters.no_leak`)."""
        keep = filters.no_leak(protected)
        is_leak = [row.fate is None and row.split == split and not keep(row.pair) for row in self.rows]
        return self._dropped(LEAK, is_leak)

    def drawn(self, size: int, seed: int) -> "Candidates":
        """Return the same, with `size` of the pairs that train, drawn at random; all where they are not more."""
        places = [place for place, row in enumerate(self.rows) if row.fate is None and row.split == "train"]
        left = set(places) - set(random.Random(seed).sample(places, min(size, len(places))))
        return self._dropped(SIZE, [place in left for place in range(len(self.rows))])

    def _dropped(self, reason: str, which: Sequence[bool]) -> "Candidates":
        pairs = zip(self.rows, which, strict=True)
        return replace(self, rows=[row._replace(fate=reason) if is_dropped else row for row, is_dropped in pairs])

    def dropped(self, reasons: Collection[str]) -> dict[str, int]:
        """Return how many pairs were left out for each of the reasons."""
        counts = Counter(row.fate for row in self.rows)
        return {reason: counts[reason] for reason in reasons}


def gathered(pairs: Iterable[DocumentPair], join: str) -> tuple[Tally, list[LinkedPair]]:
    """Count aligned document pairs and return their sentence pairs, in one pass."""
    tally = Tally(linked=True)
    linked: list[LinkedPair] = []
    for pair in pairs:
        tally.add(pair)
        linked.extend(linked_pairs(pair, join))
    return tally, linked


def _read_aligned(path: Path) -> Iterator[DocumentPair]:
    for line, pair in numbered_pairs(path, {}):
        if pair.alignments is None:
            raise bad_input(path, line, f"document pair {quoted(pair.id)} has no alignments", "align it first")
        yield pair


def _read_released(names: Iterable[str], raw: Path) -> list[LinkedPair]:
    """Return the pairs of releases that give sentence pairs (`read_released_pairs`)."""
    pairs: list[LinkedPair] = []
    for name in names:
        released = read_released_pairs(name, raw)
        if released.dropped:
            logger.info("%s: lines left out: %s", name, released.dropped)
        pairs.extend(released_pair(pair) for pair in released.pairs)
    return pairs


def judged(
    path: Path, tally: Tally | None, pairs: list[LinkedPair], config: BuildConfig, asked: Sequence[filters.Named]
) -> Candidates:
    """Divide the pairs by article set and filter them; with a benchmark for dev and test, all sets train."""
    groups = tally.groups if tally else {pair.pair.group for pair in pairs}
    split_of = dict.fromkeys(groups, "train")
    if not config.benchmarks:
        try:
            split_of = divide(groups, config.dev_fraction, config.test_fraction, config.seed)
        except InputError as error:
            raise bad_input(path, None, str(error), "or evaluate on a benchmark") from None
    fates = filters.judge(pairs, asked)
    rows = [Candidate(pair, split_of[pair.pair.group], fate) for pair, fate in zip(pairs, fates, strict=True)]
    return Candidates(path, tally, rows)


@dataclass(frozen=True)
class TrainingSet:
    """One training corpus: its candidates, its (complex, simple) training and dev pairs, and their counts.

    `statistics` is Table 1, right column (None for a release without documents), `seq2seq` Table 4, `dropped` has the
    pairs that each filter dropped, and `leaks`, by held-out set, the training pairs dropped for a sentence of it.
    """

    candidates: Candidates
    train: list[TextPair]
    dev: list[TextPair]
    statistics: Statistics | None
    seq2seq: Statistics
    dropped: dict[str, int]
    leaks: dict[str, int]


class Corpora(NamedTuple):
    """The training sets of one source by name, and its test sets by name."""

    training: dict[str, TrainingSet]
    test: dict[str, HeldOutSet]


class HeldOut(NamedTuple):
    """Test sets by name, dev pairs by training set, and all sentences that may not be trained on."""

    test: dict[str, HeldOutSet]
    dev: dict[str, list[TextPair]]
    protected: Protected


def build(
    config: BuildConfig, alignments: Path, raw: Path, similarity: filters.Similarity = filters.lexical_similarity
) -> Corpora:
    """Build the training sets and the test sets.

    Args:
        alignments: folder with auto.jsonl, old.jsonl and, where there is one, own.jsonl: the same document pairs.
        raw: folder with the benchmarks and the releases that `config` asks for.
        similarity: scores for the one-sentence rule (`filters.not_repetitive`).

    Raises:
        InputError: a file is wrong, the alignments disagree about the article sets, or a file would be empty.
    """
    candidates: dict[str, Candidates] = {}

    def add(name: str, path: Path, tally: Tally | None, pairs: list[LinkedPair]) -> None:
        candidates[name] = judged(path, tally, pairs, config, _filters(config, name, similarity))

    for name in ALIGNMENTS:
        path = alignments / f"{name}.jsonl"
        if name not in config.released and (name != OWN or path.is_file()):
            add(name, path, *gathered(_read_aligned(path), config.join))
    _check_same_groups(candidates)
    for name, releases in config.released.items():
        add(name, raw, None, _read_released(releases, raw))
    for name, parts in config.united.items():
        add(name, raw, None, [row.pair for part in parts for row in candidates[part].rows])
    if config.benchmarks:
        held_out = _benchmarks(config, raw, candidates)
    else:
        candidates, held_out = set_aside(candidates)
    training = {name: training_set(config, name, data, held_out) for name, data in candidates.items()}
    for name, (source, like) in config.drawn.items():
        training[name] = _drawn(config, training[source], len(training[like].train))
        held_out.test.update({name: held_out.test[source]} if source in held_out.test else {})
    return Corpora(training, held_out.test)


def _filters(config: BuildConfig, name: str, similarity: filters.Similarity) -> list[filters.Named]:
    """Return the filters of a training set: those of the settings, unless it has none; of a union, no pair twice."""
    asked = [] if name in config.unfiltered else filters.configured(config, similarity)
    united = (name in config.united or len(config.released.get(name, ())) > 1) and UNITED not in dict(asked)
    return [*asked, (UNITED, filters.first_of_its_kind())] if united else asked


def _drawn(config: BuildConfig, source: TrainingSet, size: int) -> TrainingSet:
    """Return a training set of some of another's pairs; the alignment's own statistics are those of the other."""
    data = source.candidates.drawn(size, config.seed)
    train, seq2seq = data.texts("train"), source.seq2seq
    counts = seq2seq_statistics(None, (), train, int(seq2seq["dev pairs"]), int(seq2seq["test pairs"]))
    return replace(
        source, candidates=data, train=train, statistics=None, seq2seq=counts, dropped=data.dropped(config.reasons)
    )


def _benchmarks(config: BuildConfig, raw: Path, candidates: dict[str, Candidates]) -> HeldOut:
    """Return all benchmarks as tests of every training set, and the dev set of the first."""
    read = {name: read_benchmark(raw, layout, name) for name, layout in config.benchmarks.items()}
    sets = {
        f"{name}, {part}": benchmark.sentences()
        for name, parts in read.items()
        for part, benchmark in zip(("dev", "test"), parts, strict=True)
        if benchmark.complex or part == "test"
    }
    first = next(iter(read.values()))[0]
    dev = dict.fromkeys(candidates, training_pairs(first, config.dev_reference, config.dev_pairs))
    return HeldOut({name: parts[1] for name, parts in read.items()}, dev, protected_sets(sets))


def set_aside(candidates: dict[str, Candidates]) -> tuple[dict[str, Candidates], HeldOut]:
    """Test each training set on its article sets that were set aside, and none on what another has as dev."""
    test = {
        name: HeldOutSet([pair.complex for pair in pairs], [[pair.simple for pair in pairs]])
        for name, pairs in ((name, data.kept("test")) for name, data in candidates.items())
    }
    tested = protected_sets({f"{name}, test": of_set.sentences() for name, of_set in test.items() if of_set.complex})
    everything = frozenset().union(*tested.values())
    candidates = {name: data.without_leaks("dev", everything) for name, data in candidates.items()}
    dev = {name: data.texts("dev") for name, data in candidates.items()}
    sides = {f"{name}, dev": [side for pair in pairs for side in pair] for name, pairs in dev.items() if pairs}
    return candidates, HeldOut(test, dev, {**tested, **protected_sets(sides)})


def training_set(config: BuildConfig, name: str, data: Candidates, held_out: HeldOut) -> TrainingSet:
    """Return a training set without held-out sentences; raise `InputError` where a split is left without pairs."""
    leaks = count_leaks(data.texts("train"), held_out.protected)
    data = data.without_leaks("train", frozenset().union(*held_out.protected.values()))
    train, dev = data.texts("train"), held_out.dev[name]
    n_test = len(held_out.test[name if name in held_out.test else next(iter(held_out.test))].complex)
    dropped = data.dropped(config.reasons)
    for split, size in (("train", len(train)), ("dev", len(dev)), ("test", n_test)):
        if not size:
            reasons = ", ".join(f"{reason} {count}" for reason, count in dropped.items())
            what = f"no sentence pair is left for {split} ({len(data.rows)} linked; dropped: {reasons})"
            raise bad_input(data.path, None, what, "align more documents, or relax the filters")
    excluded = config.excluded_levels if "levels" in config.filters else []
    levels = data.tally.levels if data.tally else None
    seq2seq = seq2seq_statistics(levels, excluded, train, len(dev), n_test)
    statistics = data.tally.statistics() if data.tally else None
    return TrainingSet(data, train, dev, statistics, seq2seq, dropped, leaks)


def _check_same_groups(candidates: dict[str, Candidates]) -> None:
    """Check that all alignments cover the same article sets: else a set could train in one and test in the other."""
    groups = {data.path: data.tally.groups for data in candidates.values() if data.tally}
    for (first, left), (second, right) in pairwise(groups.items()):
        if different := sorted(left ^ right):
            what = f"article set {different[0]!r} is not in both this file and {first}"
            raise bad_input(second, None, what, "align the same document pairs with both aligners")


def write_corpora(folder: Path, name: str, corpora: Corpora, report: dict[str, Any], config: BuildConfig) -> None:
    """Write data/corpora/NAME whole: training sets, test sets and the card."""
    with atomic_folder(folder, "CARD.md") as partial:
        for alignment, training in corpora.training.items():
            for split, pairs in (("train", training.train), ("dev", training.dev)):
                sides = {side: [pair[number] for pair in pairs] for number, side in enumerate(SIDES)}
                _write_sides(partial / alignment / split, sides)
            with atomic_write(partial / alignment / "pairs.jsonl") as file:
                file.writelines(
                    json.dumps(pair_row(*row), ensure_ascii=False) + "\n" for row in training.candidates.rows
                )
        for test, held_out in corpora.test.items():
            references = {f"reference.{number}": column for number, column in enumerate(held_out.references)}
            _write_sides(partial / "test" / test, {"complex": held_out.complex, **references})
        with atomic_write(partial / "CARD.md") as file:
            file.write(data_card(name, config, report))


def statistics_report(manual: Statistics, corpora: Corpora) -> dict[str, Any]:
    """Return the report of a corpus: Table 1 (`manual`, `statistics`), Table 4 (`seq2seq`), filters, leaks."""
    report: dict[str, Any] = {"manual": manual}
    for name, training in corpora.training.items():
        report[name] = {} if training.statistics is None else {"statistics": training.statistics}
        report[name] |= {"seq2seq": training.seq2seq, "filters": training.dropped, "leaks": training.leaks}
    return report


def corpus_results(report: dict[str, Any]) -> Results:
    """Return the statistics as results: a scope for each table, a system for each training set and `manual`."""
    results = Results()
    for scope in ("statistics", "seq2seq", "filters", "leaks"):
        for name, tables in report.items():
            manual = name == "manual" and "filters" not in tables
            rows = tables if manual and scope == "statistics" else tables.get(scope, {})
            for measure, value in rows.items():
                results.estimates[Cell(scope, name, measure)] = Estimate(value)
    return results


def _write_sides(stem: Path, sides: Mapping[str, Sequence[str]]) -> None:
    """Write line-aligned files STEM.SIDE; inner line breaks, which they cannot hold, become spaces."""
    for side, sentences in sides.items():
        write_lines(stem.with_name(f"{stem.name}.{side}"), (" ".join(sentence.split()) for sentence in sentences))
