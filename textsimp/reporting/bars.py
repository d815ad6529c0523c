"""Shares as stacked bars, told apart by colour and by hatching."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from textsimp.reporting.figures import Panel, painted

# a light and a dark one by turns, and no two hatches alike, so that neighbours differ in print without colour too
_FILLS = ("#ffffff", "#56b4e9", "#e69f00", "#009e73", "#0072b2", "#cc79a7", "#7f7f7f")
_HATCHES = ("", "///", "|||", "---", "\\\\\\", "xxx", "+++")
"""Of lines alone: one with dots takes 100 kB."""
_WIDTH, _BAR, _HEAD, _LABELS = 8.6, 0.27, 1.0, 2.5
"""Inches: a wide panel, one bar's row, what is above and below the bars, and the names to the left."""
_EDGE = "#222222"
_LEAST = 5.0
"""Percent: a narrower piece has no room for its number."""
Bars = dict[str, tuple[float, ...]]
"""Label -> shares, from the top bar to the lowest."""


def draw_bars(key: str, title: str, bars: Bars, parts: Sequence[str]) -> Panel:
    """A wide panel of stacked horizontal bars, told apart by colour and by hatching.

    Args:
        key: distinct in the page: every id of the SVG begins with it.
        title: read to those who do not see it.
        bars: shares in percent, in the order of `parts`.
        parts: names for the legend.
    """
    height = _HEAD + _BAR * len(bars)

    def paint(canvas: Canvas) -> None:
        left, width = _LABELS / _WIDTH, 1 - (_LABELS + 0.2) / _WIDTH
        plot = canvas.add_axes((left, 0.42 / height, width, _BAR * len(bars) / height))
        lefts = [0.0] * len(bars)
        for place, part in enumerate(parts):
            widths = [shares[place] for shares in bars.values()]
            style = {"color": _FILLS[place % len(_FILLS)], "hatch": _HATCHES[place % len(_HATCHES)]}
            plot.barh(range(len(bars)), widths, 0.74, lefts, label=part, edgecolor=_EDGE, linewidth=0.6, **style)
            for row, piece in enumerate(zip(lefts, widths, strict=True)):
                _print_share(plot, *piece, row)
            lefts = [before + share for before, share in zip(lefts, widths, strict=True)]
        plot.set(xlim=(0, 100), ylim=(len(bars) - 0.5, -0.5), xlabel="percent")
        plot.set_yticks(range(len(bars)), list(bars))
        plot.tick_params(axis="y", length=0)
        plot.grid(visible=False, axis="y")
        plot.set_axisbelow(True)
        canvas.legend(loc="upper center", ncols=4, frameon=False, handlelength=2.4, handleheight=1.1)

    return Panel(title, painted(key, (_WIDTH, height), paint), wide=True)


def _print_share(plot: Axes, left: float, width: float, row: int) -> None:
    """The number in its piece, on white, where there is room."""
    if width >= _LEAST:
        box = {"facecolor": "white", "edgecolor": "none", "boxstyle": "round,pad=0.15"}
        plot.text(left + width / 2, row, f"{width:.0f}", ha="center", va="center", fontsize=8, bbox=box)
