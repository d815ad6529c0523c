"""Stage: the scores of every simplifier of a corpus, of the unchanged input and of the references."""

import argparse
import logging
from pathlib import Path

from textsimp.errors import exit_on_bad_input
from textsimp.metrics.simplification import EvaluationConfig, evaluate_simplification
from textsimp.params import load_params, select_list
from textsimp.textfiles import write_json

logger = logging.getLogger("evaluate_simplification")


@exit_on_bad_input
def main() -> None:
    """Score the outputs that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m stages.evaluate_simplification", description=__doc__)
    parser.add_argument("corpus", help="the corpus's name")
    parser.add_argument("--corpora", type=Path, required=True, help="the corpus's folder, with test/")
    parser.add_argument("--outputs", type=Path, required=True, help="folder of TRAINING_SET/SIMPLIFIER/TEST_SET.txt")
    parser.add_argument("--metrics", type=Path, required=True, help="JSON file of scores to write")
    parser.add_argument("--details", type=Path, required=True, help="JSON file of intervals and differences to write")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    training_sets, simplifiers = select_list("training_sets"), select_list("simplifiers")
    logger.info("%s: simplifiers %s trained on %s", args.corpus, simplifiers, training_sets)
    config = load_params("evaluation", EvaluationConfig)
    found = evaluate_simplification(args.corpora, args.outputs, training_sets, simplifiers, config)
    write_json(args.metrics, found.scores)
    write_json(args.details, found.significance)


if __name__ == "__main__":
    main()
