"""Figures as inline SVG, one small panel each; the training curves.

The bytes depend on the numbers alone: ids come from a fixed salt, no date or program is written, text stays text.
"""

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import matplotlib
from matplotlib.figure import Figure as Canvas

from textsimp.reporting.inputs import ALIGNER, CorpusResults
from textsimp.reporting.names import TRAINING_SETS, simplifier_label
from textsimp.reporting.reading import Curve

# Okabe and Ito's colours, told apart by colour-blind readers, and line styles for print without colour
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7f7f7f")
DASHES = ("", "6 2", "2 2", "6 2 2 2", "8 3", "1 2", "", "3 1")
REFERENCE = 6
"""The style of a line that every panel has."""
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
SIZE = (3.4, 2.7)
BOX = (0.19, 0.17, 0.77, 0.71)
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
    """One figure: its title and its SVG; a wide one stands in a row of its own."""

    title: str
    svg: str
    wide: bool = False


@dataclass(frozen=True)
class Strip:
    """Panels side by side with a common legend of (label, colour, dashes); its title may be empty."""

    title: str
    panels: tuple[Panel, ...]
    legend: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Figure:
    """Strips of panels under one title."""

    key: str
    title: str
    text: str
    strips: tuple[Strip, ...]


def aligner_figure(corpus: CorpusResults) -> Figure:
    """The training curves of the aligner: a panel for each column of its log."""
    name = corpus.plan.name
    panels = tuple(_aligner_panels(name, corpus.training[ALIGNER]))
    strips = (Strip("", panels, ()),) if panels else ()
    return Figure(f"training-{name}-aligner", f"Training of the aligner, {name}", "", strips)


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
        legend_entry(f"{TRAINING_SETS.get(training, training)} data, {words}", 2 * place + offset)
        for place, training in enumerate(trainings)
        for offset, words in enumerate(LOSSES.values())
    ]
    text = "Each model's own loss per token; models with different vocabularies do not compare."
    strips = (Strip("", tuple(panels), tuple(legend)),) if panels else ()
    return Figure(f"training-{name}", f"Training of the simplifiers, {name}", text, strips)


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

    def paint(canvas: Canvas) -> None:
        plot = canvas.add_axes(BOX)
        plot.set(title=title, xlabel=axes[0], ylabel=axes[1])
        for line in reversed(lines):
            _draw_line(plot, line)
        if limits:
            plot.set(xlim=limits, ylim=limits)

    return Panel(title, painted(key, SIZE, paint))


def painted(key: str, size: tuple[float, float], paint: Callable[[Canvas], None]) -> str:
    """The SVG of what `paint` draws in the report's style.

    Args:
        key: distinct in the page: every id of the SVG begins with it.
        size: width and height in inches.
    """
    with matplotlib.rc_context({**_STYLE, "svg.hashsalt": key}):
        canvas = Canvas(figsize=size)
        paint(canvas)
        buffer = io.StringIO()
        nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        canvas.savefig(buffer, format="svg", transparent=True, metadata=nothing)
    return _inline(buffer.getvalue(), key)


def _draw_line(plot: matplotlib.axes.Axes, line: Line) -> None:
    colour, dashes = COLOURS[line.style % len(COLOURS)], DASHES[line.style % len(DASHES)]
    style = (0, tuple(map(float, dashes.split()))) if dashes else "-"
    x, y = [point[0] for point in line.points], [point[1] for point in line.points]
    plot.plot(x, y, color=colour, linestyle=style, marker="." if len(x) == 1 else "")
    if line.marker:
        plot.plot(*[[value] for value in line.marker], "o", color=colour, markersize=5, markeredgecolor="white")


def legend_entry(label: str, style: int) -> tuple[str, str, str]:
    """The legend of the lines of a style: label, colour, dashes."""
    return label, COLOURS[style % len(COLOURS)], DASHES[style % len(DASHES)]


def _inline(svg: str, key: str) -> str:
    """The SVG element alone, sized by its box, with ids that are distinct in the page and short coordinates."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", svg, count=1, flags=re.DOTALL)
    svg = re.sub(r' d="[^"]*"', lambda match: re.sub(r"(\.\d\d)\d+", r"\1", match.group()), svg)
    box = re.search(r'viewBox="[^"]*"', svg)
    svg = re.sub(r"<svg[^>]*>", f'<svg {box.group() if box else ""} aria-hidden="true">', svg, count=1)
    prefix = re.sub(r"[^A-Za-z0-9_-]", "-", key)
    svg = re.sub(r'( id="|xlink:href="#|url\(#)', lambda match: f"{match.group().replace('xlink:', '')}{prefix}-", svg)
    return "\n".join(line.rstrip() for line in svg.splitlines())
