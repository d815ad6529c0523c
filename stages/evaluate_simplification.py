"""Stage: the scores of every simplifier of a corpus, of the unchanged input and of the references."""

import argparse
import logging
from pathlib import Path

from stages import parse_with_results
from textsimp.core.errors import exit_on_bad_input
from textsimp.core.params import load_params, select_list
from textsimp.core.results import Resampling
from textsimp.core.writing import write_json
from textsimp.evaluation.simplification import EvaluationConfig, evaluate_simplification, simplification_headline

logger = logging.getLogger("evaluate_simplification")


@exit_on_bad_input
def main() -> None:
    """Score the outputs that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m stages.evaluate_simplification", description=__doc__)
    parser.add_argument("corpus", help="the corpus's name")
    parser.add_argument("--corpora", type=Path, required=True, help="the corpus's folder, with test/")
    parser.add_argument("--outputs", type=Path, required=True, help="folder of TRAINING_SET/SIMPLIFIER/TEST_SET.txt")
    parser.add_argument("--headline", type=Path, required=True, help="JSON file of the few numbers for `dvc metrics`")
    args = parse_with_results(parser)
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    training_sets, simplifiers = select_list("training_sets"), select_list("simplifiers")
    logger.info("%s: simplifiers %s trained on %s", args.corpus, simplifiers, training_sets)
    config, resampling = load_params("evaluation", EvaluationConfig), load_params("resampling", Resampling)
    results = evaluate_simplification(args.corpora, args.outputs, training_sets, simplifiers, config, resampling)
    results.write(args.results, args.metrics, config.names)
    write_json(args.headline, simplification_headline(results, training_sets))


if __name__ == "__main__":
    main()
