"""The few numbers of a corpus that `dvc metrics show` and `dvc exp show` put side by side."""

from collections.abc import Sequence

from textsimp.core.results import Results

_TEST, _MAIN_TEST_SETS = "test", ("auto", "turk")
_ALIGNERS = {"crf": "neural_crf", "shipped": "frozen_crf"}


def alignment_headline(results: Results) -> dict[str, float]:
    """F1 of both tasks on the test split, of the corpus's CRF aligner and of the design that is shipped; percent."""
    numbers = {
        f"{name}_{task}": results.value(_TEST, system, f"{task}.f1")
        for name, system in _ALIGNERS.items()
        for task in ("task1", "task2")
    }
    return {name: round(value, 2) for name, value in numbers.items() if value is not None}


def simplification_headline(results: Results, training_sets: Sequence[str]) -> dict[str, float]:
    """SARI of the best simplifier of each training set on the main test set: of the new corpus, TURK, or any."""
    scope = min(results.scopes(), key=lambda name: name not in _MAIN_TEST_SETS)
    scores = {system: results.value(scope, system, "sari") for system in results.systems(scope)}
    numbers: dict[str, float] = {}
    for training in training_sets:
        end = {"auto": "new"}.get(training, training)
        values = [score for system, score in scores.items() if score is not None and system.endswith(f".{end}")]
        numbers |= {f"sari_{end}": round(max(values), 2)} if values else {}
    return numbers
