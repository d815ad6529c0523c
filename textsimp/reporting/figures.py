"""Figures as inline SVG: points with intervals, stacked bars.

The bytes depend on the numbers alone: ids come from a fixed salt, no date or program is written, text stays text.
"""

import io
import re
import zlib
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from textsimp.core.results import Estimate

# Okabe and Ito's colours, told apart by colour-blind readers, and line styles for print without colour
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7f7f7f")
DASHES = ("", "6 2", "2 2", "6 2 2 2", "8 3", "1 2", "", "3 1")
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9, "text.parse_math": False,
    "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": "#666666", "axes.labelcolor": "#222222",
    "axes.grid": True, "grid.color": "#e4e4e4", "grid.linewidth": 0.7, "lines.linewidth": 1.6,
    "xtick.color": "#444444", "ytick.color": "#444444",
}  # fmt: skip
# a light and a dark one by turns, and no two hatches alike, so that neighbours differ in print without colour too
_FILLS = ("#ffffff", "#56b4e9", "#e69f00", "#009e73", "#0072b2", "#cc79a7", "#7f7f7f")
_HATCHES = ("", "///", "|||", "---", "\\\\\\", "xxx", "+++")
"""Of lines alone: one with dots takes 100 kB."""
_BARS_WIDTH, _BAR, _HEAD, _LABELS = 8.6, 0.27, 1.0, 2.5
"""Inches: a wide panel, one bar's row, what is above and below the bars, and the names to the left."""
_EDGE = "#222222"
_LEAST = 5.0
"""Percent: a narrower piece has no room for its number."""
_DOT_WIDTH, _DOT_NAMES, _DOT_ROW, _DOT_AROUND = 5.4, 2.4, 0.26, 0.95
"""Inches: a panel of dots, the names to its left, a row, and what is above and below the rows."""
Bars = dict[str, tuple[float, ...]]
"""Label -> shares, from the top bar to the lowest."""
Dots = list[Estimate | None]
"""Of each row the number with its interval."""


@dataclass(frozen=True)
class Panel:
    """One figure: its title and its SVG; a wide one stands in a row of its own."""

    title: str
    svg: str
    wide: bool = False


@dataclass(frozen=True)
class Figure:
    """Panels side by side under one title, with a common legend of (label, colour, dashes)."""

    key: str
    title: str
    text: str
    panels: tuple[Panel, ...]
    legend: tuple[tuple[str, str, str], ...] = ()


def draw_bars(key: str, title: str, bars: Bars, parts: Sequence[str]) -> Panel:
    """Return a wide panel of stacked horizontal bars, told apart by colour and by hatching; shares in percent."""
    height = _HEAD + _BAR * len(bars)
    with _style(key):
        canvas = Canvas(figsize=(_BARS_WIDTH, height))
        left, width = _LABELS / _BARS_WIDTH, 1 - (_LABELS + 0.2) / _BARS_WIDTH
        plot = canvas.add_axes((left, 0.42 / height, width, _BAR * len(bars) / height))
        lefts = [0.0] * len(bars)
        for index, part in enumerate(parts):
            widths = [shares[index] for shares in bars.values()]
            look: dict[str, Any] = {"color": _FILLS[index % len(_FILLS)], "hatch": _HATCHES[index % len(_HATCHES)]}
            plot.barh(range(len(bars)), widths, 0.74, lefts, label=part, edgecolor=_EDGE, linewidth=0.6, **look)
            for row, piece in enumerate(zip(lefts, widths, strict=True)):
                _print_share(plot, *piece, row)
            lefts = [before + share for before, share in zip(lefts, widths, strict=True)]
        plot.set(xlim=(0, 100), ylim=(len(bars) - 0.5, -0.5), xlabel="percent")
        plot.set_yticks(range(len(bars)), list(bars))
        plot.tick_params(axis="y", length=0)
        plot.grid(visible=False, axis="y")
        plot.set_axisbelow(True)
        canvas.legend(loc="upper center", ncols=4, frameon=False, handlelength=2.4, handleheight=1.1)
        return Panel(title, _svg(canvas, key), wide=True)


def _print_share(plot: Axes, left: float, width: float, row: int) -> None:
    """Write the number into its piece, on white, where there is room."""
    if width >= _LEAST:
        box = {"facecolor": "white", "edgecolor": "none", "boxstyle": "round,pad=0.15"}
        plot.text(left + width / 2, row, f"{width:.0f}", ha="center", va="center", fontsize=8, bbox=box)


def draw_dots(
    key: str, title: str, names: Sequence[str], lines: Sequence[Dots], axis: str, mark: float | None = None
) -> Panel:
    """Return a panel of rows, from the top, with a dot and its interval for each of the lines.

    Args:
        names: of the rows.
        lines: in the order of the styles; a number for each row.
        axis: what the dots stand for.
        mark: where a dashed line goes through all rows.
    """
    height = _DOT_ROW * len(names) + _DOT_AROUND
    with _style(key):
        canvas = Canvas(figsize=(_DOT_WIDTH, height))
        across = 1 - (_DOT_NAMES + 0.1) / _DOT_WIDTH
        plot = canvas.add_axes((_DOT_NAMES / _DOT_WIDTH, 0.46 / height, across, 1 - 0.8 / height))
        plot.set(title=title, xlabel=axis, ylim=(len(names) - 0.5, -0.5))
        plot.set_yticks(range(len(names)), names)
        plot.tick_params(axis="y", length=0)
        for style, dots in enumerate(lines):
            shown = {row: dot for row, dot in enumerate(dots) if dot}
            values = [dot.value for dot in shown.values()]
            reach = [[max(0.0, dot.value - (dot.value if dot.low is None else dot.low)) for dot in shown.values()]]
            reach += [[max(0.0, (dot.value if dot.high is None else dot.high) - dot.value) for dot in shown.values()]]
            beside = [row + (style - (len(lines) - 1) / 2) * 0.26 for row in shown]
            look: dict[str, Any] = {"fmt": "os^D"[style % 4], "color": COLOURS[style % len(COLOURS)], "markersize": 4.5}
            plot.errorbar(values, beside, xerr=reach, elinewidth=1, **look)
        if mark is not None:
            plot.axvline(mark, color="#444444", linestyle=(0, (4, 3)), linewidth=1)
        return Panel(title, _svg(canvas, key))


def legend_entry(label: str, style: int) -> tuple[str, str, str]:
    """Return the legend of the dots of a style: label, colour, dashes."""
    return label, COLOURS[style % len(COLOURS)], DASHES[style % len(DASHES)]


def _style(key: str) -> AbstractContextManager[None]:
    return matplotlib.rc_context({**_STYLE, "svg.hashsalt": key})


def _svg(canvas: Canvas, key: str) -> str:
    """Return the SVG element alone, sized by its box, in few bytes; ids are distinct in the page, and used."""
    buffer = io.StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    canvas.savefig(buffer, format="svg", transparent=True, metadata=nothing)
    svg = buffer.getvalue()[buffer.getvalue().index("<svg") :]
    svg = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", svg, count=1, flags=re.DOTALL)
    svg = re.sub(r'(?<= )(d|x|y)="[^"]*"', lambda match: re.sub(r"(\.\d\d)\d+", r"\1", match.group()), svg)
    svg = re.sub(r' transform="rotate\(-0 [^"]*"| font-family: [^;]*;', "", svg)  # the page has a font of its own
    svg = re.sub(r'<path d="[^"]*" style="fill: none"/>', "", svg)
    start = f"f{zlib.crc32(key.encode()):08x}"
    used = dict.fromkeys(re.findall(r'(?:href="#|url\(#)([^")]*)', svg))
    ids = {name: f"{start}-{number}" for number, name in enumerate(used)}
    svg = re.sub(r' id="([^"]*)"', lambda match: f' id="{ids[match[1]]}"' if match[1] in ids else "", svg)
    svg = re.sub(r'(?:xlink:)?(href="#|url\(#)([^")]*)', lambda match: match[1] + ids[match[2]], svg)
    box = re.search(r'viewBox="[^"]*"', svg)
    svg = re.sub(r"<svg[^>]*>", f'<svg {box.group() if box else ""} aria-hidden="true">', svg, count=1)
    return re.sub(r"\s*\n\s*", "\n", svg).strip()
