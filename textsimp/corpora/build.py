"""The corpora of one source: both alignments filtered and divided, no held-out sentence in training.

Jiang et al. 2020, sections 3 and 5.1: `auto` is aligned by the neural CRF, `old` by JaccardAlign; both come from the
same document pairs, pass the same filters and are divided alike, so that only the alignment differs.
"""

from dataclasses import dataclass
from pathlib import Path

from textsimp.corpora import filters
from textsimp.corpora.candidates import Candidates, read_candidates
from textsimp.corpora.config import BuildConfig
from textsimp.corpora.heldout import MULTI_REFERENCE, EvaluationSet, read_benchmark, training_pairs
from textsimp.corpora.statistics import Statistics, TextPair, seq2seq_statistics
from textsimp.errors import bad_input

ALIGNMENTS = ("auto", "old")


@dataclass(frozen=True)
class TrainingSet:
    """One training corpus.

    Attributes:
        candidates: every linked sentence pair of its alignment, with split and fate.
        train: the (complex, simple) training pairs.
        dev: the (complex, simple) dev pairs.
        statistics: Table 1, right column.
        seq2seq: Table 4.
        dropped: how many pairs each filter dropped, by name.
    """

    candidates: Candidates
    train: list[TextPair]
    dev: list[TextPair]
    statistics: Statistics
    seq2seq: Statistics
    dropped: dict[str, int]


@dataclass(frozen=True)
class Corpora:
    """What one source gives: its training sets by alignment and its test sets by name."""

    training: dict[str, TrainingSet]
    test: dict[str, EvaluationSet]


def build(
    config: BuildConfig, alignments: Path, raw: Path, similarity: filters.Similarity = filters.lexical_similarity
) -> Corpora:
    """Build both training sets and the test sets.

    Args:
        config: the parameters.
        alignments: folder with auto.jsonl and old.jsonl, the same document pairs with either alignment.
        raw: folder with the multi-reference benchmark, where `config.evaluation` asks for it.
        similarity: scores for the one-sentence rule (`filters.not_repetitive`).

    Raises:
        InputError: a file is wrong, the alignments disagree about the article sets, or a file would be empty.
    """
    candidates = {name: read_candidates(alignments / f"{name}.jsonl", config, similarity) for name in ALIGNMENTS}
    _check_same_groups(candidates)
    if config.evaluation != "groups":
        benchmark, test_set = read_benchmark(raw, config.evaluation)
        test = {MULTI_REFERENCE: test_set}
        dev = dict.fromkeys(ALIGNMENTS, training_pairs(benchmark, config.dev_reference))
        held_out = filters.protect([*_sentences(test), *benchmark.sentences()])
    else:
        test = {name: _evaluation_set(data.kept("test")) for name, data in candidates.items()}
        tested = filters.protect(_sentences(test))
        candidates = {name: data.without_leaks("dev", tested) for name, data in candidates.items()}
        dev = {name: data.kept("dev") for name, data in candidates.items()}
        held_out = tested | filters.protect(side for pairs in dev.values() for pair in pairs for side in pair)
    training = {}
    for name, data in candidates.items():
        tested_on = test[MULTI_REFERENCE if MULTI_REFERENCE in test else name]
        data = data.without_leaks("train", held_out)
        training[name] = _training_set(config, data, dev[name], len(tested_on.complex))
    return Corpora(training, test)


def _training_set(config: BuildConfig, data: Candidates, dev: list[TextPair], n_test: int) -> TrainingSet:
    train = data.kept("train")
    dropped = data.dropped(config.filters)
    for split, size in (("train", len(train)), ("dev", len(dev)), ("test", n_test)):
        if not size:
            reasons = ", ".join(f"{name} {count}" for name, count in dropped.items())
            what = f"no sentence pair is left for {split} ({len(data.pairs)} linked; dropped: {reasons})"
            raise bad_input(data.path, None, what, "align more documents, or relax the filters in conf/corpus")
    excluded = config.excluded_levels if "levels" in config.filters else []
    seq2seq = seq2seq_statistics(data.tally.levels, excluded, train, len(dev), n_test)
    return TrainingSet(data, train, dev, data.tally.statistics(), seq2seq, dropped)


def _check_same_groups(candidates: dict[str, Candidates]) -> None:
    """Both alignments cover the same article sets: else a set could train in one and test in the other."""
    auto, old = (candidates[name] for name in ALIGNMENTS)
    if different := sorted(auto.tally.groups ^ old.tally.groups):
        what = f"article set {different[0]!r} is not in both this file and {auto.path}"
        raise bad_input(old.path, None, what, "align the same document pairs with both aligners")


def _evaluation_set(pairs: list[TextPair]) -> EvaluationSet:
    return EvaluationSet([pair[0] for pair in pairs], [[pair[1] for pair in pairs]])


def _sentences(test: dict[str, EvaluationSet]) -> list[str]:
    return [sentence for held_out in test.values() for sentence in held_out.sentences()]
