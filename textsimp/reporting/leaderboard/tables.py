"""All released outputs under every variant of SARI: scores and ranks, what differs, what the variants disagree on."""

from collections.abc import Iterator

from textsimp.reporting.leaderboard.results import (
    IDENTITY,
    OPERATIONS,
    OTHER,
    PARTS,
    RANKED,
    RATIOS,
    SUBMISSION,
    VARIANTS,
    Agreement,
    Board,
    RankedSystem,
)
from textsimp.reporting.names import PRINTED
from textsimp.reporting.tables import MISSING, Cell, Column, Row, Table, mark_best, number, number_cell, text_cell

_FORMS = {
    "released": "Texts as they were released.",
    "treebank": "All texts as lower-case Penn Treebank tokens, which the outputs are (text:ptb-lc in the signatures).",
}


def leaderboard_tables(board: Board) -> list[Table]:
    """The tables of a test set; one that has no rows is left out."""
    tables = (_scores(board), _letters(board), _agreement(board), _contradictions(board), _parts(board))
    return [table for table in tables if table.rows]


def _scores(board: Board) -> Table:
    columns = name_columns()
    for metric, label in RANKED.items():
        note = board.signatures[metric]
        columns += [Column(label, "score", note), Column(label, "rank", note)]
    columns += [Column("", header, board.signatures[metric]) for metric, header in OTHER.items()]
    columns.append(Column(" ", "Published", numeric=False))
    rows = [_score_row(board, key) for key in board.order]
    trained = [board.systems[key].kind != IDENTITY for key in board.order]
    best = [place for place, column in enumerate(columns) if column.header == "score"]
    return Table(
        key=f"leaderboard-{board.key}",
        title=f"Leaderboard: released outputs on {board.title}",
        text=f"{board.sentences} sentences, {board.references} references. {_FORMS.get(board.form, board.form)} Best "
        "by SARI per sentence, the paper's variant, first; a rank is 1 + the number of systems with a higher score, "
        f"unrounded. Small: 95 percent intervals of scores and ranks over {board.samples:,} resamples of the "
        "sentences. Bold: the best system. People are no row: a reference scored against the others has one reference "
        "less than a system.",
        columns=tuple(columns),
        rows=mark_best(rows, best, trained),
    )


def _score_row(board: Board, key: str) -> Row:
    """Who published it stands last: on a narrow screen the scores are what is to be seen first."""
    system = board.systems[key]
    return Row((*name_cells(system), *_score_cells(board, key), text_cell(_published(system))))


def name_columns() -> list[Column]:
    """Of the first two cells of a row."""
    return [Column("", header, numeric=False) for header in ("System", "Trained on")]


def name_cells(system: RankedSystem) -> Iterator[Cell]:
    """A system, marked where it is the user's own, and what it was trained on."""
    name = f"{system.name} (yours)" if system.kind == SUBMISSION else system.name
    return map(text_cell, (name, PRINTED.get(system.trained_on, system.trained_on)))


def _published(system: RankedSystem) -> str:
    """Whose system, and whose output where that is another paper's."""
    return system.paper + (f" / {system.released_with}" if system.released_with != system.paper else "")


def _score_cells(board: Board, key: str) -> Iterator[Cell]:
    values = board.systems[key].scores
    for metric in RANKED:
        yield board.significance.score_cell(key, metric, values[metric])
        rank = board.ranks[metric][key]
        yield Cell(number(rank.rank), rank.rank, interval=(rank.low, rank.high))
    for metric in OTHER:
        yield board.significance.score_cell(key, metric, values[metric])


def _letters(board: Board) -> Table:
    columns = name_columns()
    columns += [Column("", label, board.signatures[metric], numeric=False) for metric, label in VARIANTS.items()]
    rows = []
    for key in board.order:
        rows.append(
            Row((*name_cells(board.systems[key]), *(text_cell(board.letters[metric][key]) for metric in VARIANTS)))
        )
    pairs = len(board.systems) * (len(board.systems) - 1) // 2
    numbers = {metric: sum(p < board.alpha for p in found.values()) for metric, found in board.p_holm.items()}
    significant = (f"{number} by {VARIANTS[metric]}" for metric, number in numbers.items())
    return Table(
        key=f"leaderboard-letters-{board.key}",
        title=f"Which differences on {board.title} are significant",
        text="Two systems that share a letter in a column do not differ significantly by that variant; all others do. "
        f"Significant: p below {board.alpha} by paired bootstrap and by approximate randomisation, each corrected for "
        f"{pairs} pairs (Holm). Pairs that differ: {', '.join(significant)}.",
        columns=tuple(columns),
        rows=tuple(rows),
    )


def _agreement(board: Board) -> Table:
    headers = ("Spearman", "Kendall", "pairs", "ordered differently", "one significant", "both significant")
    columns = [Column("", header, numeric=False) for header in ("By", "and by")]
    columns += [Column("", header) for header in headers]
    return Table(
        key=f"leaderboard-agreement-{board.key}",
        title=f"How far the metrics agree on {board.title}",
        text=f"Rank correlations over the {len(board.systems)} rows, and how many pairs of them two metrics order "
        "differently; of these, the pairs with a significant difference by one of the two, and by both.",
        columns=tuple(columns),
        rows=tuple(_agreement_row(found) for found in board.agreement),
    )


def _agreement_row(found: Agreement) -> Row:
    one, other = found.metrics
    correlations = map(_correlation, (found.spearman, found.kendall))
    counts = (number_cell(count) for count in (found.pairs, found.flips, found.one, found.both))
    return Row((text_cell(RANKED[one]), text_cell(RANKED[other]), *correlations, *counts))


def _correlation(value: float | None) -> Cell:
    return Cell(MISSING if value is None else f"{value:.2f}", value)


def _contradictions(board: Board) -> Table:
    """The pairs on which two variants of SARI come to opposite significant results."""
    columns = [Column("", "System", numeric=False), Column("", "minus", numeric=False)]
    columns += [Column("", label, board.signatures[metric]) for metric, label in VARIANTS.items()]
    places = {key: place for place, key in enumerate(board.order)}
    opposite = [(places[flip.higher], places[flip.lower]) for flip in board.flips if len(flip.significant) > 1]
    pairs = sorted({(min(pair), max(pair)) for pair in opposite})
    return Table(
        key=f"leaderboard-contradictions-{board.key}",
        title=f"Opposite results on {board.title}",
        text="Pairs of which the first is significantly better by one variant, and the second by another one. "
        "Differences with 95 percent intervals; bold: significant after correction.",
        columns=tuple(columns),
        rows=tuple(_contradiction(board, board.order[one], board.order[other]) for one, other in pairs),
    )


def _contradiction(board: Board, one: str, other: str) -> Row:
    cells = [text_cell(board.label(key)) for key in (one, other)]
    for metric in VARIANTS:
        found = board.significance.difference(metric, one, other)
        if found is None:
            raise ValueError(f"leaderboard {board.key}: {metric} does not compare {one} and {other}")
        text = ("+" if found.value > 0 else "") + number(found.value)
        cells.append(Cell(text, found.value, best=board.differ(metric, one, other), interval=(found.low, found.high)))
    return Row(tuple(cells))


def _parts(board: Board) -> Table:
    """What the variants are made of, and what the outputs do to their sentences."""
    columns = name_columns()
    for metric in PARTS:
        columns += [Column(VARIANTS[metric], operation, board.signatures[metric]) for operation in OPERATIONS]
    columns += [Column("Output to input", header, board.signatures[metric]) for metric, header in RATIOS.items()]
    columns.append(Column("", "FKGL", board.signatures["fkgl"]))
    rows = []
    for key in board.order:
        scores = board.systems[key].scores
        operations = (number_cell(float(scores[part])) for names in PARTS.values() for part in names)
        ratios = (Cell(f"{scores[metric]:.2f}", scores[metric]) for metric in RATIOS)
        names = name_cells(board.systems[key])
        rows.append(Row((*names, *operations, *ratios, number_cell(float(scores["fkgl"])))))
    return Table(
        key=f"leaderboard-parts-{board.key}",
        title=f"What the outputs on {board.title} do",
        text="Why the variants disagree: add, keep and del, whose mean is SARI, and ratios of output to input.",
        columns=tuple(columns),
        rows=tuple(rows),
    )
