"""The metrics by name, each as statistics of segments, from a test set and one system's output."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from textsimp.errors import InputError
from textsimp.metrics.bertscore import NamedEncoder, bertscore_statistics
from textsimp.metrics.bleu import bleu_statistics
from textsimp.metrics.fkgl import fkgl_statistics
from textsimp.metrics.lexical_complexity import FrequencyTable, lexical_complexity_statistics
from textsimp.metrics.quality import ESTIMATES, quality_statistics
from textsimp.metrics.readability import readability_statistics
from textsimp.metrics.sari import PAPER_MAX_TOKENS, SariRecipe, corpus_recipe, sari_statistics, sentence_recipe
from textsimp.metrics.statistics import SegmentStatistics
from textsimp.metrics.word_overlap import simple_string_accuracy_statistics, word_f1_statistics

Statistics: TypeAlias = dict[str, SegmentStatistics]


@dataclass(frozen=True)
class MetricOptions:
    """What changes numbers or is needed for some metrics.

    max_tokens: outputs are cut there in SARI per sentence; None cuts nothing.
    frequencies: the table of word frequencies for `lexical_complexity`.
    encoder: for `bertscore`.
    """

    max_tokens: int | None = PAPER_MAX_TOKENS
    frequencies: FrequencyTable | None = None
    encoder: NamedEncoder | None = None


@dataclass(frozen=True)
class Texts:
    """N complex sentences, a system's output for them, and R sets of references."""

    complex: Sequence[str]
    output: Sequence[str]
    references: Sequence[Sequence[str]]


DEFAULT_METRICS = ("sari", "sari_corpus", "bleu", "fk", "len")
EVERYTHING = "all"
"""Name of all metrics that need no further file or model."""


def sari_recipes(options: MetricOptions) -> dict[str, SariRecipe]:
    """The variants of SARI by name."""
    return {
        "sari": sentence_recipe(options.max_tokens),
        "sari_del_f1": sentence_recipe(options.max_tokens, "f1"),
        "sari_corpus": corpus_recipe(),
        "sari_corpus_del_precision": corpus_recipe(deletion="precision"),
        "sari_corpus_legacy": corpus_recipe(legacy=True),
    }


def metric_statistics(names: Sequence[str], texts: Texts, options: MetricOptions) -> Statistics:
    """The statistics of the metrics asked for, in their order; names as `checked_names` gives them."""
    found: Statistics = {}
    for name in names:
        if name not in found:
            found.update(_GROUPS[name](name, texts, options))
    return {name: found[name] for name in names}


def part_names(metric: str, statistics: SegmentStatistics) -> tuple[str, ...]:
    """Names of a metric's numbers: its own, then `METRIC_PART`; those of SARI per sentence are plainly `add`, `keep`,
    `del`, the columns of the paper's tables."""
    prefix = "" if metric == "sari" else f"{metric}_"
    return (metric, *(prefix + part for part in statistics.parts))


def checked_names(names: Sequence[str], options: MetricOptions) -> tuple[str, ...]:
    """The metrics asked for, each once: the default ones for none, `all` replaced.

    Raises:
        InputError: a name is unknown, or its metric needs what was not given.
    """
    named = [name for asked in names or DEFAULT_METRICS for name in (_FREE if asked == EVERYTHING else (asked,))]
    for name in named:
        if name not in _GROUPS:
            raise InputError(f"--metric: no metric {name!r}; known: {', '.join((*_GROUPS, EVERYTHING))}")
    if "lexical_complexity" in named and options.frequencies is None:
        raise InputError("--metric lexical_complexity: needs a table of word frequencies; give it with --frequencies")
    if "bertscore" in named and options.encoder is None:
        raise InputError("--metric bertscore: needs an encoder; give it with --encoder")
    return tuple(dict.fromkeys(named))


def _sari(name: str, texts: Texts, options: MetricOptions) -> Statistics:
    recipe = sari_recipes(options)[name]
    return {name: sari_statistics(texts.complex, texts.output, texts.references, recipe)}


def _bleu(name: str, texts: Texts, options: MetricOptions) -> Statistics:
    return {name: bleu_statistics(texts.output, texts.references)}


def _readability(name: str, texts: Texts, options: MetricOptions) -> Statistics:
    return readability_statistics(texts.output)


def _fkgl(name: str, texts: Texts, options: MetricOptions) -> Statistics:
    return {name: fkgl_statistics(texts.output)}


def _word_f1(name: str, texts: Texts, options: MetricOptions) -> Statistics:
    return {name: word_f1_statistics(texts.output, texts.references)}


def _accuracy(name: str, texts: Texts, options: MetricOptions) -> Statistics:
    return {name: simple_string_accuracy_statistics(texts.output, texts.references)}


def _quality(name: str, texts: Texts, options: MetricOptions) -> Statistics:
    return quality_statistics(texts.complex, texts.output)


def _lexical_complexity(name: str, texts: Texts, options: MetricOptions) -> Statistics:
    assert options.frequencies is not None
    return {name: lexical_complexity_statistics(texts.output, options.frequencies)}


def _bertscore(name: str, texts: Texts, options: MetricOptions) -> Statistics:
    assert options.encoder is not None
    return {name: bertscore_statistics(texts.output, texts.references, options.encoder)}


_GROUPS: dict[str, Callable[[str, Texts, MetricOptions], Statistics]] = {
    **dict.fromkeys(sari_recipes(MetricOptions()), _sari),
    "bleu": _bleu,
    **dict.fromkeys(("fk", "len"), _readability),
    "fkgl": _fkgl,
    "word_f1": _word_f1,
    "ssa": _accuracy,
    **dict.fromkeys(ESTIMATES, _quality),
    "lexical_complexity": _lexical_complexity,
    "bertscore": _bertscore,
}
_FREE = tuple(name for name in _GROUPS if name not in ("lexical_complexity", "bertscore"))
