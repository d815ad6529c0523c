"""The report's figures: what they draw of the results, a function for each kind."""

from collections.abc import Iterator

from textsimp.reporting.compared_systems import simplifiers
from textsimp.reporting.figures import Figure, draw_bars
from textsimp.reporting.inputs import Numbers, Run
from textsimp.reporting.names import CLASSES
from textsimp.reporting.tables_published import boards
from textsimp.reporting.tables_simplification import test_sets


def rewriting_sources(run: Run) -> Iterator[Figure]:
    """The kinds of rewriting in each corpus, like Figure 2."""
    for corpus in run.simplified:
        at = {scope: run.at(f"analysis/{corpus.name}", scope) for scope in ("documents", "pairs")}
        bars = {
            f"{run.label(scope)}, {run.label(source)}": _shares(numbers, source)
            for scope, numbers in at.items()
            for source in ("manual", *run.plan.training_sets)
            if numbers.value(source, "units") is not None
        }
        title = f"Kinds of rewriting in the corpus {run.label(corpus.name)}, as in Figure 2"
        yield from _bars(f"figure-rewriting-{corpus.name}", title, bars)


def rewriting_outputs(run: Run) -> Iterator[Figure]:
    """The kinds of rewriting in the outputs for each test set, like Figure 3."""
    for corpus, test_set, numbers, label in test_sets(run):
        bars = {}
        for one in simplifiers(run, numbers, "identity", "trained", "reference"):
            names = one.labels(run) if "." in one.system else one.labels(run)[:1]
            bars[", ".join(names)] = _shares(numbers, one.system)
        title = f"Kinds of rewriting in outputs, {label}, as in Figure 3"
        yield from _bars(f"figure-rewriting-{corpus.name}-{test_set}", title, bars)


def released_rewriting(run: Run) -> Iterator[Figure]:
    """The kinds of rewriting in released outputs and by people, like Figure 3."""
    for board in boards(run):
        bars = {"Simple (references)": _shares(board.numbers, "reference")}
        bars |= {one.label: _shares(board.numbers, one.system) for one in board.shown}
        title = f"Kinds of rewriting in released outputs for {board.title}, as in Figure 3"
        yield from _bars(f"leaderboard-kinds-{board.name}", title, bars)


def _bars(key: str, title: str, bars: dict[str, tuple[float, ...]]) -> Iterator[Figure]:
    if bars:
        text = "In percent; the tables have the intervals. The paper prints no numbers for its shares."
        yield Figure(key, title, text, (draw_bars(key, title, bars, CLASSES),))


def _shares(numbers: Numbers, system: str) -> tuple[float, ...]:
    return tuple(numbers.value(system, f"classes.{name}") or 0.0 for name in CLASSES)


REWRITING = (rewriting_sources, rewriting_outputs)
PUBLISHED = (released_rewriting,)
