"""The rank that each variant of SARI gives to each released output, as lines between the variants."""

from matplotlib.figure import Figure as Canvas

from textsimp.reporting.figures import COLOURS, Figure, Panel, Strip, painted
from textsimp.reporting.leaderboard.results import VARIANTS, Board

_WIDTH, _ROW, _ABOVE, _BELOW = 9.0, 0.2, 0.15, 0.55
"""Inches: of the figure, of a rank, and of what is above and below the ranks."""
_SIDE = 0.22
"""Share of the width that the names on one side take."""
_STYLES = ("-", "--", ":")
"""For the first systems, for the next ones where the colours begin again, and so on."""
_TICKS = {
    "sari": "per sentence",
    "sari_del_f1": "per sentence,\ndeletion by F1",
    "sari_corpus": "corpus",
    "sari_corpus_del_precision": "corpus, deletion\nby precision",
    "sari_corpus_legacy": "corpus,\ncased",
}


def leaderboard_figure(board: Board) -> Figure:
    """The ranks on one test set, a line a system."""
    title = f"Ranks on {board.title} by variant of SARI"
    key = f"leaderboard-ranks-{board.key}"
    height = _ABOVE + _ROW * len(board.systems) + _BELOW
    panel = Panel(title, painted(key, (_WIDTH, height), lambda canvas: _paint(canvas, board, height)), wide=True)
    text = "A line a system, the best on top. Lines that cross are systems that two variants order differently."
    return Figure(key, title, text, (Strip("", (panel,), ()),))


def _paint(canvas: Canvas, board: Board, height: float) -> None:
    plot = canvas.add_axes((_SIDE, _BELOW / height, 1 - 2 * _SIDE, 1 - (_ABOVE + _BELOW) / height))
    last = len(VARIANTS) - 1
    left, right = (_places(board, metric) for metric in (list(VARIANTS)[0], list(VARIANTS)[last]))
    for number, key in enumerate(board.order):
        colour, style = COLOURS[number % len(COLOURS)], _STYLES[number // len(COLOURS) % len(_STYLES)]
        ranks = [board.ranks[metric][key].rank for metric in VARIANTS]
        plot.plot(range(last + 1), ranks, color=colour, linestyle=style, marker="o", markersize=4)
        for end, place, away, align in ((0, left[key], -0.06, "right"), (last, right[key], 0.06, "left")):
            # names are dark to be read; a short line leads to each, since ties end in one place
            plot.plot((end, end + away), (ranks[end], place), color=colour, linewidth=1)
            plot.text(end + 1.3 * away, place, board.label(key), color="#222222", ha=align, va="center", fontsize=8.5)
    plot.set(xlim=(0, last), ylim=(len(board.systems) + 0.5, 0.5), ylabel="")
    plot.set_xticks(range(last + 1), [_TICKS[metric] for metric in VARIANTS])
    plot.set_yticks([])
    plot.spines[["left", "bottom"]].set_visible(False)
    for line in plot.lines:
        line.set_clip_on(False)


def _places(board: Board, metric: str) -> dict[str, int]:
    """Rows of the names: those of ties stand below each other."""
    ordered = sorted(board.order, key=lambda key: board.ranks[metric][key].rank)
    return {key: place for place, key in enumerate(ordered, 1)}
