"""Stage build_corpus: filtered, divided sentence-pair corpora and their statistics from the alignments."""

from pathlib import Path

from stages import stage
from textsimp.core.params import load_params
from textsimp.core.records import read_splits
from textsimp.corpora.build import build, corpus_results, statistics_report, write_corpora
from textsimp.corpora.config import BuildConfig
from textsimp.corpora.statistics import manual_statistics
from textsimp.sources.draws import SPLITS


@stage(log="")
def main(corpus: str, *, splits: Path, alignments: Path, raw: Path, corpora: Path, statistics: Path) -> None:
    """Build the corpora of one that is aligned."""
    config = load_params(f"corpus.{corpus}.build", BuildConfig)
    manual = manual_statistics(pair for pairs in read_splits(splits, SPLITS).values() for pair in pairs)
    built = build(config, alignments, raw)
    report = statistics_report(manual, built)
    write_corpora(corpora, corpus, built, report, config)
    corpus_results(report).write(statistics)
