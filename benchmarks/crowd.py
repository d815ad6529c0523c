"""What becomes of gold links when careless workers are among a crowd: simulated workers, round after round.

Run from the repository's root, with document pairs that have gold links, the same as an aligner links them, and others
with gold links for the test questions:

    textsimp align data/splits/sample_wiki/test.jsonl found.jsonl
    python -m benchmarks.crowd data/splits/sample_wiki/test.jsonl found.jsonl data/splits/sample_wiki/train.jsonl

A fifth each of the workers errs in 3, 8, 15 and 40% of the answers, to any of the other labels; a fifth says "aligned"
throughout. What the workers who are left out owe is asked of new ones, of whom as many are careless, until nothing is
wanting. Prints a line for each round: F1 is that of the links against the gold ones.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from experiments.recipes_translation import markdown_table
from textsimp.core.errors import InputError, exit_on_bad_input
from textsimp.core.params import read_settings
from textsimp.core.records import AlignmentLabel, DocumentPair, read_pairs
from textsimp.extras.human import SETTINGS, HumanConfig
from textsimp.extras.human.crowd import aligned_by, draw_again, draw_crowd, judge
from textsimp.extras.human.ratings import Rating
from textsimp.extras.human.study import Study
from textsimp.metrics.links import alignment_scores

ERRORS = (0.03, 0.08, 0.15, 0.40, None)
"""Share of wrong answers of each fifth of the workers; None: the same answer to all."""
MOST_ROUNDS = 20


def answers(study: Study, raters: Sequence[str], gold: Sequence[DocumentPair], seed: int) -> Iterator[Rating]:
    """What simulated workers answer."""
    right = {(pair.id, link.simple, link.complex): link.label for pair in gold for link in pair.alignments or ()}
    points = {AlignmentLabel.ALIGNED: 2, AlignmentLabel.PARTIAL: 1, None: 0}
    for rater in raters:
        draw = random.Random(f"{seed}/{rater}")
        errors = ERRORS[int(rater.rpartition("-")[2]) % len(ERRORS)]
        for item in study.asked(rater):
            known = points[right.get(item.places[0])] if item.right is None else item.right
            wrong = draw.random() < (errors or 0)
            point = 2 if errors is None else (known + draw.choice((1, 2))) % 3 if wrong else known
            yield Rating(rater, item.line, item.id, item.systems[0], study.guidelines.keys[0], point)


def rounds(gold: Path, found: Path, tests: Path, config: HumanConfig) -> Iterator[list[str]]:
    """The rows of the table."""
    pairs = list(read_pairs(gold))
    study, _ = draw_crowd({"aligner": found}, tests, config)
    ratings: list[Rating] = []
    raters: tuple[str, ...] = study.raters
    for number in range(1, MOST_ROUNDS + 1):
        ratings += answers(study, raters, pairs, config.seed)
        crowd = judge(study, ratings, config.least_accuracy, found)
        linked = aligned_by(crowd, study, pairs, gold)
        scores = alignment_scores((pair, list(own.alignments or ())) for pair, own in zip(pairs, linked, strict=True))
        f1 = ", ".join(f"{of_task['f1']:.1f}" for of_task in scores.values())
        most = max(len(study.asked(rater)) for rater in raters)
        short = [answered for answered in crowd.answers.values() if answered < study.judgements]
        kappa = f"{crowd.kappa:.3f}" if crowd.kappa is not None else "–"
        counts = [f"{len(raters)} x {most}", f"{crowd.trusted} of {len(crowd.workers)}", len(short), short.count(0)]
        yield [str(number), *map(str, counts), kappa, f1]
        if not short:
            return
        study, raters, _ = draw_again(study, ratings, config.least_accuracy, found)
    raise InputError(f"after {MOST_ROUNDS} rounds answers are still wanting")


@exit_on_bad_input
def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.crowd", description=__doc__.splitlines()[0])
    for name, what in (("gold", "gold links"), ("found", "an aligner's links"), ("tests", "gold links, for the tests")):
        parser.add_argument(name, type=Path, help=f"document pairs with {what} (JSON Lines)")
    parser.add_argument("--raters", type=int, default=20)
    parser.add_argument("--judgements", type=int, default=5)
    args = parser.parse_args()
    config = replace(read_settings(SETTINGS, HumanConfig), raters=args.raters, judgements=args.judgements)
    header = ["round", "new workers x questions", "kept", f"under {args.judgements} answers", "none", "kappa", "F1"]
    print(markdown_table(list(rounds(args.gold, args.found, args.tests, config)), header))


if __name__ == "__main__":
    main()
