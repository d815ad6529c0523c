"""Stage analyse: the kinds of rewriting in a corpus and in its systems' outputs, and where the systems are good."""

import argparse
import logging
from pathlib import Path

from textsimp.errors import exit_on_bad_input
from textsimp.metrics.analysis.config import AnalysisConfig, Plan
from textsimp.metrics.analysis.corpora import CorpusFolders
from textsimp.metrics.analysis.run import Folders, analyse
from textsimp.metrics.simplification import EvaluationConfig
from textsimp.params import load_params, select_list
from textsimp.textfiles import write_json

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
    parser.add_argument("--agreement", type=Path, required=True, help="JSON file on the classifier and labels")
    parser.add_argument("--metrics", type=Path, required=True, help="JSON file to write")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    cut = load_params("evaluation", EvaluationConfig).max_tokens
    names = (select_list("training_sets"), select_list("simplifiers"))
    folders = Folders(CorpusFolders(args.corpora, args.alignments, args.splits), args.outputs, args.agreement)
    write_json(args.metrics, analyse(folders, Plan(*names, cut, load_params("analysis", AnalysisConfig))))
    logger.info("%s: wrote %s", args.corpus, args.metrics)


if __name__ == "__main__":
    main()
