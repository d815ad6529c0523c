"""Precision-recall curves of the alignment systems: a strip for each family, with the neural CRF for reference."""

from collections.abc import Sequence
from dataclasses import replace

from textsimp.errors import InputError
from textsimp.reporting.alignment.names import CRF, by_family
from textsimp.reporting.figures import COLOURS, REFERENCE, Figure, Line, Strip, draw, legend_entry
from textsimp.reporting.inputs import CorpusResults
from textsimp.reporting.reading import Curve

_TASK_NAMES = {"task1": "Task 1", "task2": "Task 2"}
_STYLES = [style for style in range(len(COLOURS)) if style != REFERENCE]
_SPLIT = "test"

Lines = dict[tuple[str, str], tuple[tuple[float, float], ...]]
"""(system, task) -> points (recall, precision), the highest threshold first."""


def precision_recall_figure(corpus: CorpusResults) -> Figure:
    """Precision over recall of the systems that see no gold paragraphs, on the test split; a panel a task."""
    alignment, lines = corpus.alignment, _lines(corpus.precision_recall)
    strips = []
    for family, systems in by_family(alignment.fair(_SPLIT)).items():
        others = [system for system in systems if system != CRF]
        for start in range(0, len(others), len(_STYLES)):
            part = f"{start // len(_STYLES) + 1}" if len(others) > len(_STYLES) else ""
            strips.append(_strip(corpus, lines, f"{family} {part}".strip(), others[start : start + len(_STYLES)]))
    reference = f" Black in every panel: {alignment.labels[CRF]}." if CRF in alignment.scores[_SPLIT] else ""
    return Figure(
        key=f"pr-{corpus.plan.name}",
        title=f"Precision and recall, {corpus.plan.name}, {_SPLIT}",
        text=f"Each line moves the threshold of one system; the dot is the system as the tables report it.{reference}",
        strips=tuple(strips),
    )


def _lines(curve: Curve) -> Lines:
    """The points of the split; `InputError` names the system whose row is wrong."""
    found: dict[tuple[str, str], list[tuple[float, float, float]]] = {}
    system = "a system"
    try:
        for row in curve.rows:
            system = row["system"]
            if row["split"] == _SPLIT:
                point = -float(row["threshold"]), float(row["recall"]), float(row["precision"])
                found.setdefault((system, row["task"]), []).append(point)
    except (KeyError, ValueError) as error:
        raise InputError(
            f"precision-recall curve of {system}: {error}; run the stage evaluate_alignment again"
        ) from None
    return {key: tuple((recall, precision) for _, recall, precision in sorted(points)) for key, points in found.items()}


def _strip(corpus: CorpusResults, lines: Lines, title: str, systems: Sequence[str]) -> Strip:
    """A panel a task with the systems and the reference."""
    alignment, name = corpus.alignment, corpus.plan.name
    styles = dict(zip(systems, _STYLES, strict=False))
    if CRF in alignment.scores[_SPLIT]:
        styles[CRF] = REFERENCE
    panels = []
    for task, words in _TASK_NAMES.items():
        drawn = [
            Line(
                system,
                lines.get((system, task), ()),
                style,
                (alignment.score(_SPLIT, system, task, "recall"), alignment.score(_SPLIT, system, task, "precision")),
            )
            for system, style in styles.items()
        ]
        panel = draw(f"pr-{name}-{task}-{title}", words, drawn, ("recall", "precision"), (0, 102))
        panels.append(replace(panel, title=f"{title}, {words}"))
    legend = [legend_entry(alignment.labels[system], style) for system, style in styles.items()]
    return Strip(title, tuple(panels), tuple(legend))
