"""Stage: the scores of every simplifier of a corpus, of the unchanged input and of the references."""

import logging
from pathlib import Path

from stages import stage
from textsimp.core.params import load_params, select_list
from textsimp.core.results import Resampling
from textsimp.core.writing import write_json
from textsimp.evaluation.simplification import EvaluationConfig, evaluate_simplification, simplification_headline

logger = logging.getLogger("evaluate_simplification")


@stage()
def main(corpus: str, *, corpora: Path, outputs: Path, headline: Path, results: Path, metrics: Path) -> None:
    """Score the outputs for the test sets of a corpus."""
    training_sets, simplifiers = select_list("training_sets"), select_list("simplifiers")
    logger.info("%s: simplifiers %s trained on %s", corpus, simplifiers, training_sets)
    config, resampling = load_params("evaluation", EvaluationConfig), load_params("resampling", Resampling)
    found = evaluate_simplification(corpora, outputs, training_sets, simplifiers, config, resampling)
    found.write(results, metrics, config.names)
    write_json(headline, simplification_headline(found, training_sets))
