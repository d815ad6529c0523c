"""Corpus statistics beside tables 1 and 4 of Jiang et al. 2020, and what each filter dropped."""

from textsimp.reporting.inputs import CorpusResults
from textsimp.reporting.names import CORPUS_COLUMNS, PAPER, PRINTED, SEQ2SEQ_COLUMNS, TRAINING_SETS
from textsimp.reporting.published import Published
from textsimp.reporting.tables import MISSING, Column, Row, Table, number_cell, printed_cell, text_cell


def corpus_tables(corpus: CorpusResults, published: Published) -> list[Table]:
    """Tables 1 and 4, and the filters."""
    kind = corpus.plan.kind
    columns4 = SEQ2SEQ_COLUMNS if kind == "newsela" else CORPUS_COLUMNS[kind]
    tables = [
        _beside(corpus, "statistics", "Table 1", published, CORPUS_COLUMNS[kind], "Alignment statistics"),
        _beside(corpus, "seq2seq", "Table 4", published, columns4, "Sentence-pair corpora"),
        _filters(corpus),
        _leaks(corpus),
    ]
    return [table for table in tables if table.rows]


def _beside(
    corpus: CorpusResults, part: str, table: str, published: Published, columns: dict[str, str], title: str
) -> Table:
    """Each of our corpora beside the published one of the same role, where the table has one."""
    name, printed = corpus.plan.name, published.statistics(table)
    ours = {which: parts[part] for which, parts in corpus.statistics.items() if part in parts}
    in_print = {which: column for which, column in columns.items() if any(column in row for row in printed.values())}
    head = [Column("", "Statistic", numeric=False)]
    for which in ours:
        group = f"{name}, {TRAINING_SETS.get(which, which)}"
        head.append(Column(group, "ours", short=which))
        if which in in_print:
            head.append(Column(group, f"paper: {PRINTED[in_print[which]]}", short=which))
    statistics = list(dict.fromkeys([*printed, *(statistic for numbers in ours.values() for statistic in numbers)]))
    rows = []
    for statistic in statistics if ours else []:
        cells = [text_cell(statistic)]
        for which, numbers in ours.items():
            cells.append(number_cell(numbers.get(statistic)))
            if which in in_print:
                cells.append(printed_cell(printed.get(statistic, {}).get(in_print[which])))
        if any(cell.text != MISSING for cell in cells[1:]):
            rows.append(Row(tuple(cells)))
    return Table(
        key=f"{part}-{name}",
        title=f"{title}, {name} beside {table}",
        text=_text(table, bool(in_print)),
        columns=tuple(head),
        rows=tuple(rows),
    )


def _text(table: str, has_paper: bool) -> str:
    beside = f"Paper: {PAPER}, {table}." if has_paper else f"{table} of {PAPER} has no column for such a corpus."
    return f"{beside} Lengths in tokens; a dash where a number is not reported."


def _filters(corpus: CorpusResults) -> Table:
    """How many sentence pairs each filter dropped, in the order in which the filters are asked."""
    return _counts(
        corpus,
        "filters",
        f"Filters, {corpus.plan.name}",
        "Sentence pairs that each filter dropped; a pair counts under the first filter that drops it.",
        ("Filter", "dropped pairs"),
    )


def _leaks(corpus: CorpusResults) -> Table:
    """How many training pairs each held-out set removed."""
    return _counts(
        corpus,
        "leaks",
        f"Training pairs with a sentence of a dev or test set, {corpus.plan.name}",
        "Removed from training, after all other filters; a pair counts for each set that has a sentence of it.",
        ("Set", "removed pairs"),
    )


def _counts(corpus: CorpusResults, part: str, title: str, text: str, headers: tuple[str, str]) -> Table:
    """The counts of one part of the statistics, a column a training set; `headers` name the rows and the columns."""
    name, (of_rows, of_columns) = corpus.plan.name, headers
    counts = {which: parts[part] for which, parts in corpus.statistics.items() if part in parts}
    keys = list(dict.fromkeys(key for numbers in counts.values() for key in numbers))
    columns = [Column(f"{name}, {of_columns}", TRAINING_SETS.get(which, which)) for which in counts]
    rows = [Row((text_cell(key), *(number_cell(numbers.get(key)) for numbers in counts.values()))) for key in keys]
    return Table(
        key=f"{part}-{name}",
        title=title,
        text=text,
        columns=(Column("", of_rows, numeric=False), *columns),
        rows=tuple(rows),
    )
