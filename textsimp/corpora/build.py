"""The corpora of one source: training sets filtered and divided, no held-out sentence in training.

Jiang et al. 2020, sections 3 and 5.1: `auto` is aligned by the neural CRF, `old` by JaccardAlign; both come from the
same document pairs, pass the same filters and are divided alike, so that only the alignment differs. A training set
may also be the sentence pairs of a release, which pass the same filters: the paper's `old` is WikiLarge.
"""

from dataclasses import dataclass
from pathlib import Path

from textsimp.corpora import filters
from textsimp.corpora.candidates import Candidates, read_candidates, read_released
from textsimp.corpora.config import BuildConfig
from textsimp.corpora.heldout import EvaluationSet, read_benchmark, training_pairs
from textsimp.corpora.leaks import Protected, count_leaks, everything, protected_sets
from textsimp.corpora.statistics import Statistics, TextPair, seq2seq_statistics
from textsimp.errors import bad_input

ALIGNMENTS = ("auto", "old")


@dataclass(frozen=True)
class TrainingSet:
    """One training corpus.

    Attributes:
        candidates: every linked sentence pair of its alignment, or every pair of its release, with split and fate.
        train: the (complex, simple) training pairs.
        dev: the (complex, simple) dev pairs.
        statistics: Table 1, right column; None for a release without documents.
        seq2seq: Table 4.
        dropped: how many pairs each filter dropped, by name.
        leaks: by held-out set, how many training pairs were dropped for a sentence of it.
    """

    candidates: Candidates
    train: list[TextPair]
    dev: list[TextPair]
    statistics: Statistics | None
    seq2seq: Statistics
    dropped: dict[str, int]
    leaks: dict[str, int]


@dataclass(frozen=True)
class Corpora:
    """What one source gives: its training sets by name and its test sets by name."""

    training: dict[str, TrainingSet]
    test: dict[str, EvaluationSet]


@dataclass(frozen=True)
class _HeldOut:
    """Test sets by name, dev pairs by training set, and all sentences that may not be trained on."""

    test: dict[str, EvaluationSet]
    dev: dict[str, list[TextPair]]
    protected: Protected


def build(
    config: BuildConfig, alignments: Path, raw: Path, similarity: filters.Similarity = filters.lexical_similarity
) -> Corpora:
    """Build the training sets and the test sets.

    Args:
        config: the parameters.
        alignments: folder with auto.jsonl and old.jsonl, the same document pairs with either alignment.
        raw: folder with the benchmarks and the releases that `config` asks for.
        similarity: scores for the one-sentence rule (`filters.not_repetitive`).

    Raises:
        InputError: a file is wrong, the alignments disagree about the article sets, or a file would be empty.
    """
    candidates = {
        name: read_candidates(alignments / f"{name}.jsonl", config, similarity)
        for name in ALIGNMENTS
        if name not in config.released
    }
    _check_same_groups(candidates)
    for name, release in config.released.items():
        candidates[name] = read_released(release, raw, config, similarity)
    if config.benchmarks:
        held_out = _benchmarks(config, raw, candidates)
    else:
        candidates, held_out = _set_aside(candidates)
    training = {name: _training_set(config, name, data, held_out) for name, data in candidates.items()}
    return Corpora(training, held_out.test)


def _benchmarks(config: BuildConfig, raw: Path, candidates: dict[str, Candidates]) -> _HeldOut:
    """Every benchmark tests every training set; the first one has the dev set."""
    read = {name: read_benchmark(raw, layout) for name, layout in config.benchmarks.items()}
    sets = {
        f"{name}, {part}": benchmark.sentences()
        for name, parts in read.items()
        for part, benchmark in zip(("dev", "test"), parts, strict=True)
    }
    first = next(iter(read.values()))[0]
    dev = dict.fromkeys(candidates, training_pairs(first, config.dev_reference, config.dev_pairs))
    return _HeldOut({name: parts[1] for name, parts in read.items()}, dev, protected_sets(sets))


def _set_aside(candidates: dict[str, Candidates]) -> tuple[dict[str, Candidates], _HeldOut]:
    """The article sets that were set aside test their own training set; none is tested on what another has as dev."""
    test = {name: _evaluation_set(data.kept("test")) for name, data in candidates.items()}
    tested = protected_sets(
        {f"{name}, test": held_out.sentences() for name, held_out in test.items() if held_out.complex}
    )
    candidates = {name: data.without_leaks("dev", everything(tested)) for name, data in candidates.items()}
    dev = {name: data.kept("dev") for name, data in candidates.items()}
    sides = {f"{name}, dev": [side for pair in pairs for side in pair] for name, pairs in dev.items() if pairs}
    return candidates, _HeldOut(test, dev, {**tested, **protected_sets(sides)})


def _training_set(config: BuildConfig, name: str, data: Candidates, held_out: _HeldOut) -> TrainingSet:
    leaks = count_leaks(data.kept("train"), held_out.protected)
    data = data.without_leaks("train", everything(held_out.protected))
    train, dev = data.kept("train"), held_out.dev[name]
    n_test = len(held_out.test[name if name in held_out.test else next(iter(held_out.test))].complex)
    dropped = data.dropped(config.filters)
    for split, size in (("train", len(train)), ("dev", len(dev)), ("test", n_test)):
        if not size:
            reasons = ", ".join(f"{reason} {count}" for reason, count in dropped.items())
            what = f"no sentence pair is left for {split} ({len(data.pairs)} linked; dropped: {reasons})"
            raise bad_input(data.path, None, what, "align more documents, or relax the filters in conf/corpus")
    excluded = config.excluded_levels if "levels" in config.filters else []
    levels = data.tally.levels if data.tally else None
    seq2seq = seq2seq_statistics(levels, excluded, train, len(dev), n_test)
    statistics = data.tally.statistics() if data.tally else None
    return TrainingSet(data, train, dev, statistics, seq2seq, dropped, leaks)


def _check_same_groups(candidates: dict[str, Candidates]) -> None:
    """All alignments cover the same article sets: else a set could train in one and test in the other."""
    for name, data in list(candidates.items())[1:]:
        first = next(iter(candidates.values()))
        if different := sorted(first.tally.groups ^ data.tally.groups):
            what = f"article set {different[0]!r} is not in both this file and {first.path}"
            raise bad_input(data.path, None, what, "align the same document pairs with both aligners")


def _evaluation_set(pairs: list[TextPair]) -> EvaluationSet:
    return EvaluationSet([pair[0] for pair in pairs], [[pair[1] for pair in pairs]])
