"""Stage: released system outputs, beside the numbers printed for them or ranked by all metrics; nothing is trained."""

import argparse
import logging
from pathlib import Path

from stages import parse_with_results
from textsimp.core.errors import exit_on_bad_input
from textsimp.core.params import load_params
from textsimp.core.results import Resampling
from textsimp.evaluation.released import score_release
from textsimp.evaluation.simplification import EvaluationConfig
from textsimp.metrics.ranking import RANKED

logger = logging.getLogger("score_published")


@exit_on_bad_input
def main() -> None:
    """Score the released outputs that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m stages.score_published", description=__doc__)
    parser.add_argument("name", help="one of `published` in params.yaml")
    parser.add_argument("--raw", type=Path, required=True, help="folder of the acquired test set and outputs")
    parser.add_argument("--published", type=Path, required=True, help="folder of the printed tables, CSV")
    parser.add_argument("--submissions", type=Path, required=True, help="outputs to rank with the released ones")
    args = parse_with_results(parser)
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    config, resampling = load_params("evaluation", EvaluationConfig), load_params("resampling", Resampling)
    results = score_release(args.name, args.raw, args.published, args.submissions, config, load_params, resampling)
    results.write(args.results, args.metrics, (*RANKED, "fk", "len", "compared", "equal", "printed", "sentences"))
    sizes = ", ".join(f"{len(results.systems(scope))} systems in {scope}" for scope in results.scopes())
    logger.info("%s: %s", args.name, sizes)


if __name__ == "__main__":
    main()
