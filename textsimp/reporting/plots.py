"""The report's figures: what they draw of the results, a function for each kind."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby

from textsimp.core.errors import InputError
from textsimp.reporting.compared_systems import fair, simplifiers
from textsimp.reporting.figures import COLOURS, REFERENCE, Figure, Line, Strip, draw_bars, draw_curves, legend_entry
from textsimp.reporting.inputs import CsvRow, Numbers, Run
from textsimp.reporting.names import CLASSES, TASKS
from textsimp.reporting.tables_published import boards
from textsimp.reporting.tables_simplification import test_sets

_REFERENCE_SYSTEM = "neural_crf"
_STYLES = [style for style in range(len(COLOURS)) if style != REFERENCE]
Points = tuple[tuple[float, float], ...]


def precision_recall(run: Run) -> Iterator[Figure]:
    """Precision over recall of the systems that see no gold paragraphs, on the test split; a panel for each task."""
    for corpus in run.annotated:
        numbers = run.at(f"alignment/{corpus.name}", "test")
        curves = _curves(run.curve(f"alignment/{corpus.name}.pr.csv", "evaluate_alignment", corpus.name))
        strips = []
        for family, members in groupby(fair(run, numbers), lambda system: run.of_aligner(system, "family")):
            systems = [system for system in members if system != _REFERENCE_SYSTEM]
            for start in range(0, len(systems), len(_STYLES)):
                title = family + (f" {start // len(_STYLES) + 1}" if len(systems) > len(_STYLES) else "")
                strips.append(_strip(run, numbers, corpus.name, curves, title, systems[start : start + len(_STYLES)]))
        text = "Each line moves the threshold of one system; the dot is the system as the tables report it."
        if numbers.value(_REFERENCE_SYSTEM, "task1.f1") is not None:
            text += f" Black in every panel: {run.label(_REFERENCE_SYSTEM)}."
        title = f"Precision and recall, {corpus.name}, test"
        yield Figure(f"pr-{corpus.name}", title, text, tuple(strips), folded=True)


def _curves(rows: Iterable[CsvRow]) -> dict[tuple[str, str], Points]:
    """(system, task) -> points (recall, precision) of the test split, the highest threshold first."""
    points: dict[tuple[str, str], list[tuple[float, float, float]]] = {}
    system = "a system"
    try:
        for row in rows:
            system = row["system"]
            if row["split"] == "test":
                point = -float(row["threshold"]), float(row["recall"]), float(row["precision"])
                points.setdefault((system, row["task"]), []).append(point)
    except (KeyError, ValueError) as error:
        message = f"precision-recall curve of {system}: {error}; run the stage evaluate_alignment again"
        raise InputError(message) from None
    return {key: tuple((recall, precision) for _, recall, precision in sorted(line)) for key, line in points.items()}


def _strip(
    run: Run, numbers: Numbers, corpus: str, curves: Mapping[tuple[str, str], Points], title: str, systems: list[str]
) -> Strip:
    """A panel for each task with the systems and the reference."""
    styles = dict(zip(systems, _STYLES, strict=False))
    if numbers.value(_REFERENCE_SYSTEM, "task1.f1") is not None:
        styles[_REFERENCE_SYSTEM] = REFERENCE
    panels = []
    for task, words in TASKS.items():
        lines = []
        for system, style in styles.items():
            recall, precision = (numbers.value(system, f"{task}.{part}") for part in ("recall", "precision"))
            reported = None if recall is None or precision is None else (recall, precision)
            lines.append(Line(curves.get((system, task), ()), style, reported))
        panel = draw_curves(f"pr-{corpus}-{task}-{title}", words, lines)
        panels.append(replace(panel, title=f"{title}, {words}"))
    legend = [legend_entry(run.label(system), style) for system, style in styles.items()]
    return Strip(title, tuple(panels), tuple(legend))


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
        yield Figure(key, title, text, (Strip("", (draw_bars(key, title, bars, CLASSES),), ()),))


def _shares(numbers: Numbers, system: str) -> tuple[float, ...]:
    return tuple(numbers.value(system, f"classes.{name}") or 0.0 for name in CLASSES)


ALIGNMENT = (precision_recall,)
REWRITING = (rewriting_sources, rewriting_outputs)
PUBLISHED = (released_rewriting,)
