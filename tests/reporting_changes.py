"""Results of an invented run with other numbers or fewer systems, for the tests of the report."""

from dataclasses import replace

from textsimp.reporting.inputs import CorpusResults


def with_scores(corpus: CorpusResults, **numbers: float) -> CorpusResults:
    """The corpus with other numbers of both tasks on test: SYSTEM=f1, or SYSTEM__MEASURE=value."""
    test = {name: {task: dict(found) for task, found in tasks.items()} for name, tasks in scores_of(corpus).items()}
    for key, value in numbers.items():
        system, _, measure = key.partition("__")
        for task in test[system]:
            test[system][task][measure or "f1"] = value
    alignment = replace(corpus.alignment, scores={**corpus.alignment.scores, "test": test})
    return replace(corpus, alignment=alignment)


def scores_of(corpus: CorpusResults) -> dict[str, dict[str, dict[str, float | None]]]:
    return corpus.alignment.scores["test"]


def without(corpus: CorpusResults, *systems: str) -> CorpusResults:
    kept = {
        split: {name: found for name, found in scores.items() if name not in systems}
        for split, scores in corpus.alignment.scores.items()
    }
    return replace(corpus, alignment=replace(corpus.alignment, scores=kept))
