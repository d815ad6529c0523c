"""Stage build_corpus: filtered, divided sentence-pair corpora and their statistics from the alignments."""

import argparse
from pathlib import Path

from textsimp.core.errors import exit_on_bad_input
from textsimp.core.params import load_params
from textsimp.core.records import read_splits
from textsimp.corpora.build import build, corpus_results, statistics_report, write_corpora
from textsimp.corpora.config import BuildConfig
from textsimp.corpora.statistics import manual_statistics
from textsimp.sources.draws import SPLITS


@exit_on_bad_input
def main() -> None:
    """Build the corpora that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m stages.build_corpus", description=__doc__)
    parser.add_argument("corpus", help="a name under `corpus` in params.yaml")
    parser.add_argument("--splits", type=Path, required=True, help="folder of the manual splits")
    parser.add_argument("--alignments", type=Path, required=True, help="folder of auto.jsonl and old.jsonl")
    parser.add_argument("--raw", type=Path, required=True, help="folder of the acquired files (benchmarks)")
    parser.add_argument("--corpora", type=Path, required=True, help="folder to write")
    parser.add_argument("--statistics", type=Path, required=True, help="JSON file to write")
    args = parser.parse_args()
    config = load_params(f"corpus.{args.corpus}.build", BuildConfig)
    manual = manual_statistics(pair for pairs in read_splits(args.splits, SPLITS).values() for pair in pairs)
    corpora = build(config, args.alignments, args.raw)
    report = statistics_report(manual, corpora)
    write_corpora(args.corpora, args.corpus, corpora, report, config)
    corpus_results(report).write(args.statistics)


if __name__ == "__main__":
    main()
