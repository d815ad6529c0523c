"""Kinds of rewriting with the settings of the analysis."""

from collections.abc import Iterable, Sequence

from textsimp.metrics.analysis.config import AnalysisConfig
from textsimp.metrics.rewriting.classes import RewritingConfig
from textsimp.metrics.rewriting.distribution import Rewritings, rewritings, signature
from textsimp.metrics.rewriting.pairs import Unit, unit_aligner
from textsimp.metrics.rewriting.statistics import rewriting_statistics
from textsimp.metrics.score import Signature
from textsimp.metrics.statistics import SegmentStatistics


def rewrite(units: Iterable[Unit], config: AnalysisConfig) -> Rewritings:
    """What was done to each unit; `InputError` where the language is unknown."""
    return rewritings(units, unit_aligner(config.language), RewritingConfig())


def kind_statistics(versions: Sequence[Rewritings], config: AnalysisConfig) -> SegmentStatistics:
    """See `rewriting_statistics`."""
    return rewriting_statistics(versions, recipe(config))


def recipe(config: AnalysisConfig) -> Signature:
    """The signature of everything that is told of kinds of rewriting."""
    return signature(config.language, RewritingConfig())
