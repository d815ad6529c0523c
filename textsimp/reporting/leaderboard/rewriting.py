"""What kind of rewriting each released output does, beside people: Figure 3 of Jiang et al. 2020 for all of them."""

from textsimp.reporting.bars import draw_bars
from textsimp.reporting.figures import Figure, Strip
from textsimp.reporting.leaderboard.results import CLASSES, Board, Share
from textsimp.reporting.leaderboard.tables import name_cells, name_columns
from textsimp.reporting.names import PAPER
from textsimp.reporting.tables import Cell, Column, Row, Table, interval_cell, text_cell

_PEOPLE = "Simple (references)"
_TEXT = (
    "Percent of the sentences in each class, which word alignment and edit operations decide (docs/rewriting.md says "
    f"how well). People: all references, each counted alike. {PAPER}, Figure 3, sorts outputs of its own by hand."
)


def rewriting_table(board: Board) -> Table:
    """A row for people, then the systems, the best by the paper's variant of SARI first."""
    rows = [Row((text_cell(_PEOPLE), text_cell(""), *_cells(board.kinds.people)))]
    for place, key in enumerate(board.order):
        rows.append(Row((*name_cells(board.systems[key]), *_cells(board.kinds.systems[key])), place == 0))
    return Table(
        key=f"leaderboard-rewriting-{board.key}",
        title=f"Kinds of rewriting in released outputs for {board.title}",
        text=f"{_TEXT} Small: 95 percent intervals over {board.samples:,} resamples of the sentences.",
        columns=(*name_columns(), *(Column("", name, board.kinds.signature) for name in CLASSES)),
        rows=tuple(rows),
    )


def rewriting_figure(board: Board) -> Figure:
    """The same shares as stacked bars."""
    key, title = (
        f"leaderboard-kinds-{board.key}",
        f"Kinds of rewriting in released outputs for {board.title}, as in Figure 3",
    )
    rows = {_PEOPLE: board.kinds.people, **{board.label(name): board.kinds.systems[name] for name in board.order}}
    bars = {label: tuple(shares[name][0] for name in CLASSES) for label, shares in rows.items()}
    return Figure(key, title, "The table has the intervals.", (Strip("", (draw_bars(key, title, bars, CLASSES),), ()),))


def _cells(shares: dict[str, Share]) -> list[Cell]:
    return [interval_cell(*shares[name]) for name in CLASSES]
