"""The systems that are analysed: what each training set's simplifiers, and the unchanged input, make of a test set."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from textsimp.metrics.analysis.config import NEW, Plan
from textsimp.metrics.simplification import UNTRAINED, EvaluationSet, read_output

T = TypeVar("T")

IDENTITY, REFERENCE = f"{UNTRAINED}/identity", f"{UNTRAINED}/reference"


def read_systems(folder: Path, test: EvaluationSet, plan: Plan) -> dict[str, Sequence[str]]:
    """The lines of each system as `TRAINING_SET/SIMPLIFIER`, the unchanged input first.

    Args:
        folder: with `TRAINING_SET/SIMPLIFIER/X.txt` for the test set X.

    Raises:
        InputError: a file is absent, or has another number of lines than the complex side.
    """
    lines: dict[str, Sequence[str]] = {IDENTITY: test.complex}
    for training_set in plan.training_sets:
        for simplifier in plan.simplifiers:
            path = folder / training_set / simplifier / f"{test.name}.txt"
            lines[f"{training_set}/{simplifier}"] = read_output(path, test)
    return lines


def new_and_old(found: Mapping[str, T], plan: Plan) -> dict[str, tuple[T, T]]:
    """What the systems on `NEW` found, each beside its counterparts, by the counterpart's name."""
    return {
        f"{other}/{simplifier}": (found[f"{NEW}/{simplifier}"], found[f"{other}/{simplifier}"])
        for other in plan.others
        for simplifier in plan.simplifiers
    }
