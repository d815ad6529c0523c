"""The metrics by name: what computes each, and with how many digits it is shown. A new one is an entry here."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from textsimp.core.errors import InputError
from textsimp.core.records import NEW
from textsimp.metrics import bleu, sari
from textsimp.metrics.bertscore import NamedEncoder, bertscore_statistics
from textsimp.metrics.lexical_complexity import FrequencyTable, lexical_complexity_statistics
from textsimp.metrics.ngrams import Segments, chunks_of_lines
from textsimp.metrics.quality import ESTIMATES, distinct_of_shares, distinct_statistics, quality_statistics
from textsimp.metrics.readability import fk_statistics, fkgl_statistics, length_statistics
from textsimp.metrics.sari import PAPER_MAX_TOKENS
from textsimp.metrics.scores import Counts, SegmentStatistics, Signature, concatenated
from textsimp.metrics.tokens import IN_SIGNATURE
from textsimp.metrics.word_overlap import simple_string_accuracy_statistics, word_f1_statistics

IDENTITY, REFERENCE = "identity", "reference"
"""The names of the unchanged input and of the human references among systems."""
DEFAULT, EVERYTHING = "default", "all"
"""Names of groups of metrics: those computed by default, and all that need no further file or model."""
ENGLISH, SENTENCES, ANY = "English", "sentences of an alphabet", "any text"
"""Domains of metrics: the second one is what our rules for alphabets find."""


@dataclass(frozen=True)
class MetricOptions:
    """Where outputs are cut in SARI per sentence, if at all; what `lexical_complexity` and `bertscore` need."""

    max_tokens: int | None = PAPER_MAX_TOKENS
    frequencies: FrequencyTable | None = None
    encoder: NamedEncoder | None = None


@dataclass(frozen=True)
class Texts:
    """N complex sentences, a system's output for them, and R sets of references.

    some_missing: an empty line of a reference says that there is none, not that it deletes everything.
    """

    complex: Sequence[str]
    output: Sequence[str]
    references: Sequence[Sequence[str]]
    some_missing: bool = False

    @cached_property
    def segments(self) -> Segments:
        """Their n-grams, which several metrics count."""
        return Segments(self.complex, self.output, self.references, self.some_missing)

    def chunks(self) -> Iterator["Texts"]:
        """Return the same in chunks whose n-grams fit into memory; `ValueError` where the numbers of lines differ."""
        for old, new, *goals in chunks_of_lines([self.complex, self.output, *self.references]):
            yield Texts(old, new, goals, self.some_missing)


@dataclass(frozen=True)
class Metric:
    """One metric.

    Attributes:
        statistics: of the segments of one system's output.
        digits: after the point, in tables.
        default: whether the group `default` has it.
        needs: the field of `MetricOptions` without which it cannot be computed.
        of_text: whether it is of the output alone, so that references have it too.
        of_shares: for a metric that compares all lines of a text with each other: its statistics from 1/n of each
            segment, where n segments have its line, for the output and for the source. Shape: (N, 2).
        of_references: whether it compares the output with references.
        takes_missing: whether references may lack for some sentences.
        in_groups: whether the groups have it, where no further file is needed.
        line_fault: says what is wrong with a source or an output that it cannot take.
    """

    statistics: Callable[[Texts, MetricOptions], SegmentStatistics]
    digits: int = 2
    default: bool = False
    needs: str | None = None
    of_text: bool = False
    of_shares: Callable[[Counts], SegmentStatistics] | None = None
    of_references: bool = True
    domain: str = ANY
    takes_missing: bool = False
    in_groups: bool = True
    line_fault: Callable[[str], str | None] | None = None


def _sari(name: str, texts: Texts, options: MetricOptions) -> SegmentStatistics:
    return sari.statistics_of_segments(texts.segments, sari.VARIANTS[name](options.max_tokens))


def _bleu(tokeniser: str, lowercase: bool, texts: Texts, _: MetricOptions) -> SegmentStatistics:
    return bleu.statistics_of_segments(texts.segments, tokeniser, lowercase)


def _lexical_complexity(texts: Texts, options: MetricOptions) -> SegmentStatistics:
    assert options.frequencies is not None
    return lexical_complexity_statistics(texts.output, options.frequencies)


def _bertscore(texts: Texts, options: MetricOptions) -> SegmentStatistics:
    assert options.encoder is not None
    return bertscore_statistics(texts.output, texts.references, options.encoder)


def _quality(name: str, texts: Texts, _: MetricOptions) -> SegmentStatistics:
    return quality_statistics(name, texts.complex, texts.output)


def _rewriting(texts: Texts, _: MetricOptions) -> SegmentStatistics:
    from textsimp.metrics.rewriting.kinds import rewriting_statistics, rewritings  # scipy is slow to import
    from textsimp.metrics.rewriting.units import units_of

    return rewriting_statistics([rewritings(units_of(texts.complex, texts.output))])


def _too_many_words(line: str) -> str | None:
    from textsimp.metrics.rewriting.word_links import LONGEST, is_too_long

    return f"a line of more than {LONGEST} words" if is_too_long(line) else None


def _of_output(statistics: Callable[[Sequence[str]], SegmentStatistics], domain: str = ENGLISH, **more: Any) -> Metric:
    """Return a metric that reads the output alone."""
    return Metric(lambda texts, _: statistics(texts.output), of_text=True, of_references=False, domain=domain, **more)


def _of_references(statistics: Callable[[Sequence[str], Sequence[Sequence[str]]], SegmentStatistics]) -> Metric:
    return Metric(lambda texts, _: statistics(texts.output, texts.references))


METRICS: dict[str, Metric] = {
    **{
        name: Metric(partial(_sari, name), default=name in ("sari", "sari_corpus"), takes_missing=True)
        for name in sari.VARIANTS
    },
    "bleu": Metric(partial(_bleu, "13a", True), default=True, takes_missing=True),
    "bleu_as_tokenised": Metric(partial(_bleu, "none", True), takes_missing=True),
    "bleu_cased": Metric(partial(_bleu, "13a", False), takes_missing=True),
    "fk": _of_output(fk_statistics, default=True),
    "len": _of_output(length_statistics, SENTENCES, default=True),
    "fkgl": _of_output(fkgl_statistics),
    "word_f1": _of_references(word_f1_statistics),
    "ssa": _of_references(simple_string_accuracy_statistics),
    "ssa_floor": _of_references(partial(simple_string_accuracy_statistics, floored=True)),
    **{name: Metric(partial(_quality, name), digits=3, of_references=False) for name in ESTIMATES},
    "sentence_splits": Metric(partial(_quality, "sentence_splits"), 3, of_references=False, domain=SENTENCES),
    "distinct": Metric(
        lambda texts, _: distinct_statistics(texts.complex, texts.output),
        default=True,
        of_shares=distinct_of_shares,
        of_references=False,
    ),
    "lexical_complexity": Metric(_lexical_complexity, digits=3, needs="frequencies", of_references=False),
    "bertscore": Metric(_bertscore, needs="encoder"),
    "rewriting": Metric(
        _rewriting, 1, of_references=False, domain=ENGLISH, in_groups=False, line_fault=_too_many_words
    ),
}


def checked_names(
    asked: Sequence[str],
    options: MetricOptions,
    option: str = "--metric",
    references: bool = True,
    some_missing: bool = False,
) -> tuple[str, ...]:
    """Return the metrics asked for, each once, with the groups `default` (where none is asked for) and `all` replaced.

    Args:
        option: what a message calls the list that the names come from.
        references: whether there are any; without, `default` is all that needs neither them nor a further file.
        some_missing: whether some sentences lack some of them.

    Raises:
        InputError: a name is unknown, or its metric needs what was not given.
    """
    possible = {
        name: metric
        for name, metric in METRICS.items()
        if not metric.of_references or (references and (metric.takes_missing or not some_missing))
    }
    complete = [name for name, metric in possible.items() if metric.needs is None and metric.in_groups]
    default = [name for name in possible if METRICS[name].default] if references else complete
    groups = {DEFAULT: default, EVERYTHING: complete}
    names = [name for entry in asked or [DEFAULT] for name in groups.get(entry, [entry])]
    for name in names:
        if name not in METRICS:
            raise InputError(f"{option}: no metric {name!r}; known: {', '.join((*METRICS, *groups))}")
        if name not in possible and references:
            raise InputError(f"{option} {name}: needs all references; leave out --missing-references")
        if name not in possible:
            raise InputError(f"{option} {name}: compares with references; give them with --reference")
        needs = METRICS[name].needs
        if needs and getattr(options, needs) is None:
            raise InputError(f"{option} {name}: needs what --{needs} names; give it with --{needs}")
    return tuple(dict.fromkeys(names))


def with_form(signature: Signature, form: str) -> Signature:
    """Return a signature that says in which form the texts are, where they are not as released."""
    return signature.including(text=IN_SIGNATURE[form]) if form in IN_SIGNATURE else signature


def metric_statistics(names: Sequence[str], texts: Texts, options: MetricOptions) -> dict[str, SegmentStatistics]:
    """Return the statistics of the metrics asked for, in their order; names as `checked_names` gives them."""
    of_lines = local_metrics(names)
    parts = [chunk_statistics(of_lines, chunk, options) for chunk in texts.chunks()]
    whole = {name: METRICS[name].statistics(texts, options) for name in names if name not in of_lines}
    return {name: whole.get(name) or concatenated([part[name] for part in parts]) for name in names}


def local_metrics(names: Sequence[str]) -> list[str]:
    """Return those of the metrics whose counts of a segment depend on no other segment."""
    return [name for name in names if METRICS[name].of_shares is None]


def chunk_statistics(names: Sequence[str], chunk: Texts, options: MetricOptions) -> dict[str, SegmentStatistics]:
    """Return the statistics of `local_metrics` of a part of some texts; n-grams are counted once for all of them."""
    return {name: METRICS[name].statistics(chunk, options) for name in names}


def system_name(training_set: str, simplifier: str) -> str:
    """Return how results name a simplifier by what it was trained on: `editnts.new`, `editnts.old`."""
    return f"{simplifier}.{'new' if training_set == NEW else training_set}"


def digits_of(measure: str) -> int:
    """Digits after the point that a measure such as `sari.add` is shown with."""
    metric = METRICS.get(measure.partition(".")[0])
    return metric.digits if metric else 2
