"""Figures as inline SVG: precision-recall curves and training curves, one small panel each.

The bytes depend on the numbers alone: ids come from a fixed salt, no date or program is written, text stays text.
"""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

import matplotlib
from matplotlib.figure import Figure as Canvas

from textsimp.errors import InputError
from textsimp.reporting.inputs import ALIGNER, TASKS, CorpusResults, Curve, Scores
from textsimp.reporting.names import TRAINING_SETS, alignment_label, simplifier_label

# Okabe and Ito's colours, told apart by colour-blind readers, and line styles for print without colour
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7f7f7f")
DASHES = ("", "6 2", "2 2", "6 2 2 2", "8 3", "1 2", "4 4", "3 1")
_STYLE = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    "text.parse_math": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#666666",
    "axes.grid": True,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.7,
    "xtick.color": "#444444",
    "ytick.color": "#444444",
    "axes.labelcolor": "#222222",
    "lines.linewidth": 1.6,
}
_SIZE = (3.4, 2.7)
_BOX = (0.15, 0.17, 0.81, 0.71)
LOSSES = {"train_loss": "training loss", "valid_loss": "dev loss"}
_X_COLUMNS = ("step", "epoch", "update")


@dataclass(frozen=True)
class Line:
    """One line of a panel; a point where the system's reported numbers lie."""

    label: str
    points: tuple[tuple[float, float], ...]
    style: int
    marker: tuple[float, float] | None = None


@dataclass(frozen=True)
class Panel:
    """One small figure: its title and its SVG."""

    title: str
    svg: str


@dataclass(frozen=True)
class Figure:
    """Panels side by side with a common legend: (label, colour, dashes)."""

    key: str
    title: str
    text: str
    panels: tuple[Panel, ...]
    legend: tuple[tuple[str, str, str], ...]


def precision_recall_figure(corpus: CorpusResults) -> Figure:
    """Precision over recall of each system on the test split, a panel a task; a dot where the tables' numbers lie."""
    scores = corpus.alignment["test"]
    panels = []
    for task, name in zip(TASKS, ("Task 1", "Task 2"), strict=True):
        lines = [
            _precision_recall_line(corpus.precision_recall, system, task, style, scores[system][task])
            for style, system in enumerate(scores)
        ]
        key = f"pr-{corpus.plan.name}-{task}"
        panels.append(draw(key, f"{corpus.plan.name}, {name}", lines, ("recall", "precision"), (0, 102)))
    return Figure(
        key=f"pr-{corpus.plan.name}",
        title=f"Precision and recall, {corpus.plan.name}, test",
        text="Each line moves the threshold of one system; the dot is the system as the tables report it.",
        panels=tuple(panels),
        legend=tuple(_legend(alignment_label(system), style) for style, system in enumerate(scores)),
    )


def _precision_recall_line(curve: Curve, system: str, task: str, style: int, reported: Scores) -> Line:
    try:
        rows = [r for r in curve.rows if (r["system"], r["split"], r["task"]) == (system, "test", task)]
        ranked = sorted((-float(row["threshold"]), float(row["recall"]), float(row["precision"])) for row in rows)
    except (KeyError, ValueError) as error:
        raise InputError(
            f"precision-recall curve of {system}: {error}; run the stage evaluate_alignment again"
        ) from None
    points = tuple((recall, precision) for _, recall, precision in ranked)
    return Line(system, points, style, (reported["recall"], reported["precision"]))


def aligner_figure(corpus: CorpusResults) -> Figure:
    """The training curves of the aligner: a panel for each column of its log."""
    name = corpus.plan.name
    panels = _aligner_panels(name, corpus.training[ALIGNER])
    return Figure(f"training-{name}-aligner", f"Training of the aligner, {name}", "", tuple(panels), ())


def simplifier_figure(corpus: CorpusResults) -> Figure:
    """The training curves of the simplifiers, a panel each, on new and on old data."""
    name = corpus.plan.name
    runs: dict[str, dict[str, Curve]] = {}
    for (system, training), curve in corpus.training.items():
        if (system, training) != ALIGNER:
            runs.setdefault(system, {})[training] = curve
    trainings = list(dict.fromkeys(training for curves in runs.values() for training in curves))
    panels = []
    for system, curves in runs.items():
        lines = [
            Line(f"{training} {column}", _points(curves[training], column), 2 * place + offset)
            for place, training in enumerate(trainings)
            for offset, column in enumerate(LOSSES)
        ]
        panels.append(draw(f"training-{name}-{system}", simplifier_label(system), lines, ("epoch", "loss"), None))
    legend = [
        _legend(f"{TRAINING_SETS.get(training, training)} data, {words}", 2 * place + offset)
        for place, training in enumerate(trainings)
        for offset, words in enumerate(LOSSES.values())
    ]
    text = "Each model's own loss per token; models with different vocabularies do not compare."
    return Figure(f"training-{name}", f"Training of the simplifiers, {name}", text, tuple(panels), tuple(legend))


def _aligner_panels(corpus: str, curve: Curve) -> list[Panel]:
    """A panel for each numeric column, split by the columns of words (such as the part that is trained)."""
    if not curve.rows:
        return []
    words = [column for column in curve.rows[0] if any(not _is_number(row[column]) for row in curve.rows)]
    x = next((column for column in _X_COLUMNS if column in curve.rows[0]), None)
    numbers = [column for column in curve.rows[0] if column not in (*words, x)]
    panels = []
    for part in dict.fromkeys(tuple(row[column] for column in words) for row in curve.rows):
        rows = tuple(row for row in curve.rows if tuple(row[column] for column in words) == part)
        for column in numbers:
            points = _points(Curve(rows), column)
            if points:
                title = ", ".join((*part, column.replace("_", " ")))
                key = "-".join(("training", corpus, "aligner", *part, column))
                panels.append(draw(key, title, [Line(column, points, 0)], (x or "row", column.replace("_", " ")), None))
    return panels


def _is_number(text: str) -> bool:
    try:
        float(text or "0")
    except ValueError:
        return False
    return True


def _points(curve: Curve, column: str) -> tuple[tuple[float, float], ...]:
    """The column over the step or epoch (or the row's number); empty cells are left out."""
    points = []
    for place, row in enumerate(curve.rows, 1):
        x = next((row[name] for name in _X_COLUMNS if row.get(name)), str(place))
        y = row.get(column)
        if y and _is_number(x) and _is_number(y):
            points.append((float(x), float(y)))
    return tuple(points)


def draw(
    key: str, title: str, lines: Sequence[Line], axes: tuple[str, str], limits: tuple[float, float] | None
) -> Panel:
    """One panel.

    Args:
        key: distinct in the page: every id of the SVG begins with it.
        title: shown above the panel, and read to those who do not see it.
        lines: drawn in order; a line of one point is a dot.
        axes: names of the x and the y axis.
        limits: of both axes; None takes them from the data.
    """
    with matplotlib.rc_context({**_STYLE, "svg.hashsalt": key}):
        canvas = Canvas(figsize=_SIZE)
        plot = canvas.add_axes(_BOX)
        plot.set(title=title, xlabel=axes[0], ylabel=axes[1])
        for line in reversed(lines):
            _draw_line(plot, line)
        if limits:
            plot.set(xlim=limits, ylim=limits)
        buffer = io.StringIO()
        nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        canvas.savefig(buffer, format="svg", transparent=True, metadata=nothing)
    return Panel(title, _inline(buffer.getvalue(), key))


def _draw_line(plot: matplotlib.axes.Axes, line: Line) -> None:
    colour, dashes = COLOURS[line.style % len(COLOURS)], DASHES[line.style % len(DASHES)]
    style = (0, tuple(map(float, dashes.split()))) if dashes else "-"
    x, y = [point[0] for point in line.points], [point[1] for point in line.points]
    plot.plot(x, y, color=colour, linestyle=style, marker="." if len(x) == 1 else "")
    if line.marker:
        plot.plot(*[[value] for value in line.marker], "o", color=colour, markersize=5, markeredgecolor="white")


def _legend(label: str, style: int) -> tuple[str, str, str]:
    return label, COLOURS[style % len(COLOURS)], DASHES[style % len(DASHES)]


def _inline(svg: str, key: str) -> str:
    """The SVG element alone, sized by its box, with ids that are distinct in the page."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", svg, count=1, flags=re.DOTALL)
    box = re.search(r'viewBox="[^"]*"', svg)
    svg = re.sub(r"<svg[^>]*>", f'<svg {box.group() if box else ""} aria-hidden="true">', svg, count=1)
    prefix = re.sub(r"[^A-Za-z0-9_-]", "-", key)
    svg = re.sub(r'( id="|xlink:href="#|url\(#)', lambda match: f"{match.group().replace('xlink:', '')}{prefix}-", svg)
    return "\n".join(line.rstrip() for line in svg.splitlines())
