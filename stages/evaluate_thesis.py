"""Stage: what links of better quality are worth, from the outputs of simplifiers trained on links of each quality."""

import argparse
import logging
from pathlib import Path

from stages import parse_with_results
from textsimp.core.errors import exit_on_bad_input
from textsimp.core.params import load_params, select, select_list
from textsimp.core.results import Resampling
from textsimp.evaluation.simplification import EvaluationConfig
from textsimp.evaluation.thesis import evaluate_thesis

logger = logging.getLogger("evaluate_thesis")


@exit_on_bad_input
def main() -> None:
    """Score the outputs that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m stages.evaluate_thesis", description=__doc__)
    parser.add_argument("corpus", help="the corpus's name")
    parser.add_argument("--corpora", type=Path, required=True, help="the corpus's folder, with test/")
    parser.add_argument("--statistics", type=Path, required=True, help="results of the stage build_corpus")
    parser.add_argument("--outputs", type=Path, required=True, help="folder of SET.SEED/SIMPLIFIER/TEST_SET.txt")
    args = parse_with_results(parser)
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    sets, seeds, simplifier = select_list("thesis_sets"), select_list("thesis_seeds"), str(select("thesis_simplifier"))
    logger.info("%s: %s trained on %s, seeds %s", args.corpus, simplifier, sets, seeds)
    config, resampling = load_params("evaluation", EvaluationConfig), load_params("resampling", Resampling)
    folders = args.corpora, args.statistics, args.outputs
    results = evaluate_thesis(*folders, sets, seeds, simplifier, config, resampling)
    results.write(args.results, args.metrics, ("sari", "links.f1"))


if __name__ == "__main__":
    main()
