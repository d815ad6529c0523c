"""Stage: released system outputs, beside the numbers printed for them or ranked by all metrics; nothing is trained."""

import argparse
import logging
from pathlib import Path

from textsimp.errors import exit_on_bad_input
from textsimp.metrics.experiments import ExperimentFiles, headline, run_experiment
from textsimp.metrics.leaderboard_config import LeaderboardConfig
from textsimp.metrics.simplification import EvaluationConfig
from textsimp.params import load_params
from textsimp.textfiles import write_json

logger = logging.getLogger("score_published")


@exit_on_bad_input
def main() -> None:
    """Score the released outputs that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m stages.score_published", description=__doc__)
    parser.add_argument("name", help="one of `published` in params.yaml")
    parser.add_argument("--raw", type=Path, required=True, help="folder of the acquired test set and outputs")
    parser.add_argument("--published", type=Path, required=True, help="the printed table, CSV")
    parser.add_argument("--submissions", type=Path, required=True, help="folder of one's own outputs")
    parser.add_argument("--metrics", type=Path, required=True, help="JSON file to write")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    configs = load_params("evaluation", EvaluationConfig), load_params("leaderboard", LeaderboardConfig)
    result = run_experiment(args.name, ExperimentFiles(args.raw, args.published, args.submissions), *configs)
    write_json(args.metrics, result)
    logger.info("%s: %s", args.name, headline(result))


if __name__ == "__main__":
    main()
