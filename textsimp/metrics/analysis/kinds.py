"""Kinds of rewriting and their statistics, with the rules of a language and the thresholds as they are by default."""

from collections.abc import Iterable, Sequence

from textsimp.metrics.rewriting.classes import RewritingConfig
from textsimp.metrics.rewriting.distribution import Rewritings, rewritings, signature
from textsimp.metrics.rewriting.pairs import Unit, unit_aligner
from textsimp.metrics.rewriting.statistics import rewriting_statistics
from textsimp.metrics.score import Signature
from textsimp.metrics.statistics import SegmentStatistics


def rewrite(units: Iterable[Unit], language: str) -> Rewritings:
    """What was done to each unit; `InputError` where the language is unknown."""
    return rewritings(units, unit_aligner(language), RewritingConfig())


def kind_statistics(versions: Sequence[Rewritings], language: str) -> SegmentStatistics:
    """See `rewriting_statistics`."""
    return rewriting_statistics(versions, recipe(language))


def recipe(language: str) -> Signature:
    """The signature of everything that is told of kinds of rewriting."""
    return signature(language, RewritingConfig())
