"""Stage analyse: the kinds of rewriting in a corpus and in its systems' outputs, and where the systems are good."""

import argparse
import logging
from pathlib import Path

from stages import parse_with_results
from textsimp.core.errors import exit_on_bad_input
from textsimp.core.params import load_params, select, select_list
from textsimp.core.results import Resampling
from textsimp.evaluation.rewriting_analysis import AnalysisConfig, AnalysisFolders, Plan, analyse
from textsimp.metrics.rewriting.kinds import CLASSES

logger = logging.getLogger("analyse")


@exit_on_bad_input
def main() -> None:
    """Analyse the corpus and the outputs that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m stages.analyse", description=__doc__)
    parser.add_argument("corpus", help="the corpus's name")
    parser.add_argument("--corpora", type=Path, required=True, help="the corpus's folder, with test/")
    parser.add_argument("--alignments", type=Path, required=True, help="folder of auto.jsonl and old.jsonl")
    parser.add_argument("--splits", type=Path, required=True, help="folder of the manual splits")
    parser.add_argument("--outputs", type=Path, required=True, help="folder of TRAINING_SET/SIMPLIFIER/TEST_SET.txt")
    parser.add_argument("--labelled", type=Path, required=True, help="folder of labelled units, for the classifier")
    args = parse_with_results(parser)
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    config, max_tokens = load_params("analysis", AnalysisConfig), select("evaluation.max_tokens")
    names = select_list("training_sets"), select_list("simplifiers")
    folders = AnalysisFolders(args.corpora, args.alignments, args.splits, args.outputs, args.labelled)
    results = analyse(folders, Plan(*names, max_tokens, config, load_params("resampling", Resampling)))
    results.write(args.results, args.metrics, [f"classes.{name}" for name in CLASSES])
    logger.info("%s: wrote %s", args.corpus, args.results)


if __name__ == "__main__":
    main()
