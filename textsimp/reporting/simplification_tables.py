"""Simplification beside tables 5 and 8 of Jiang et al. 2020, and table 8 again from the released outputs."""

from collections.abc import Iterable, Mapping
from typing import Any

from textsimp.reporting.inputs import CorpusResults, Scores
from textsimp.reporting.names import CORPUS_COLUMNS, PAPER, PRINTED, TEST_SETS, TRAINING_SETS, simplifier_label
from textsimp.reporting.published import SIMPLIFICATION_COLUMNS, Printed, Published
from textsimp.reporting.tables import Cell, Column, Row, Table, mark_best, number, number_cell, printed_cell, text_cell

COMPLEX, REFERENCE = "Complex (input)", "Simple (reference)"
HEADERS = {"sari": "SARI", "add": "add", "keep": "keep", "del": "del", "fk": "FK", "len": "Len"}
OTHER = {"sari_corpus": "corpus SARI", "bleu": "BLEU"}
_PART_OF = {"add": "sari", "keep": "sari", "del": "sari"}
_TABLES = {"newsela": "Table 5", "wiki": "Table 8"}


def simplification_tables(corpus: CorpusResults, published: Published) -> list[Table]:
    """One table a test set."""
    return [_table(corpus, test_set, published) for test_set in main_first(corpus.test_sets)]


def main_first(test_sets: Iterable[str]) -> list[str]:
    """The test sets in order of name, with that of the new corpus, or TURK, first."""
    return sorted(test_sets, key=lambda name: (name not in ("auto", "turk"), name))


def _table(corpus: CorpusResults, test_set: str, published: Published) -> Table:
    name, kind = corpus.plan.name, corpus.plan.kind
    paper_set = TEST_SETS.get((kind, test_set))
    printed = published.simplification(kind, paper_set)
    columns = [Column("", "System", numeric=False), Column("", "Trained on", numeric=False)]
    ours, other = _our_columns(corpus.signatures, f"{name}, {test_set}")
    beside = f"{PRINTED[paper_set]} (paper)" if paper_set else ""
    note = f"As printed in {PAPER}, {_TABLES[kind]}: SARI per sentence; its own test set, references and training data."
    paper = [Column(beside, HEADERS[measure], note, short="paper") for measure in SIMPLIFICATION_COLUMNS if printed]
    columns += [*ours, *paper, *other]
    rows = _rows(corpus, test_set, printed)
    trained = [row.cells[0].text not in (COMPLEX, REFERENCE) for row in rows]
    best = [i for i, column in enumerate(columns) if column.header in ("SARI", *OTHER.values())]
    title = f"Simplification, {name}, test set {test_set}"
    return Table(
        key=f"simplification-{name}-{test_set}",
        title=f"{title} beside {_TABLES[kind]} ({PRINTED[paper_set]})" if paper_set else title,
        text=_text(corpus, test_set, paper_set),
        columns=tuple(columns),
        rows=mark_best(rows, best, trained),
    )


def _our_columns(signatures: Mapping[str, str], group: str) -> tuple[list[Column], list[Column]]:
    """The columns of the paper's tables, and those that it does not have."""
    columns = [
        Column(group, header, str(signatures.get(_PART_OF.get(measure, measure), "")), short="ours")
        for measure, header in HEADERS.items()
    ]
    other = f"{group}, not in the paper"
    return columns, [
        Column(other, header, str(signatures.get(measure, "")), short="ours") for measure, header in OTHER.items()
    ]


def _rows(corpus: CorpusResults, test_set: str, printed: dict[tuple[str, str], Printed]) -> list[Row]:
    """The input, the systems trained on old and on new data, the reference; as in the paper's tables."""
    scores, kind = corpus.test_sets[test_set], corpus.plan.kind
    sides = CORPUS_COLUMNS[kind]
    rows = [_row("none", COMPLEX, scores["none"]["identity"], printed, "none")]
    trained = [name for name in scores if name != "none"]
    for training in sorted(trained, key=lambda name: (name != "old", name)):
        for place, (system, numbers) in enumerate(scores[training].items()):
            label = simplifier_label(system)
            rows.append(_row(training, label, numbers, printed, sides.get(training, training), place == 0))
    rows.append(_row("none", REFERENCE, scores["none"]["reference"], printed, "none", True))
    return rows


def _row(
    training: str, system: str, scores: Scores, printed: dict[tuple[str, str], Printed], paper: str, first: bool = False
) -> Row:
    cells = [text_cell(system), text_cell(TRAINING_SETS.get(training, training))]
    cells += [score_cell(scores.get(measure)) for measure in HEADERS]
    if printed:
        row = printed.get((paper, system), {})
        cells += [printed_cell(row.get(measure)) for measure in SIMPLIFICATION_COLUMNS]
    cells += [score_cell(scores.get(measure)) for measure in OTHER]
    return Row(tuple(cells), first)


def score_cell(value: float | None, tone: str = "") -> Cell:
    """A score of ours with one decimal, integers too."""
    return number_cell(None if value is None else float(value), tone)


def _text(corpus: CorpusResults, test_set: str, paper_set: str | None) -> str:
    ours = (
        f"Ours: {corpus.plan.name}, test set {test_set}; trained on the corpus that the CRF aligner gives (new) and on "
        f"{_old(corpus)} (old)."
    )
    if not paper_set:
        return f"{ours} The paper has no counterpart."
    sides = CORPUS_COLUMNS[corpus.plan.kind]
    return (
        f"{ours} Paper: {PRINTED[paper_set]} ({PAPER}, {_TABLES[corpus.plan.kind]}), where the new training data are "
        f"{PRINTED[sides['auto']]} and the old are {PRINTED[sides['old']]}. Bold: the best trained system."
    )


def _old(corpus: CorpusResults) -> str:
    """What the old training set is: a release has no statistics of documents."""
    return "that of JaccardAlign" if "statistics" in corpus.statistics.get("old", {}) else "a released one"


def published_table(name: str, found: dict[str, Any]) -> Table:
    """Table 8, each cell that we compute from the released outputs beside the printed one."""
    signatures = found["signatures"]
    columns = [Column("", "System", numeric=False), Column("", "Trained on", numeric=False)]
    for measure, header in HEADERS.items():
        note = str(signatures.get(_PART_OF.get(measure, measure), ""))
        columns += [Column(header, "ours", note), Column(header, "printed")]
    columns += [
        Column("not in the paper", header, str(signatures.get(m, "")), short="ours") for m, header in OTHER.items()
    ]
    rows = [_published_row(row, place, found["rows"]) for place, row in enumerate(found["rows"])]
    return Table(
        key=f"published-{name}",
        title="Table 8 again, from the system outputs released with the paper",
        text=_published_text(found["rows"]),
        columns=tuple(columns),
        rows=tuple(rows),
    )


def _published_row(row: dict[str, Any], place: int, rows: list[dict[str, Any]]) -> Row:
    cells = [text_cell(row["system"]), text_cell(PRINTED.get(row["train_set"], row["train_set"]))]
    for measure in HEADERS:
        ours, printed = row["ours"].get(measure), row["published"].get(measure)
        if ours is None or printed is None:
            tone = ""
        else:
            tone = "good" if _same(ours, printed) else "bad"
        cells += [score_cell(ours, tone), score_cell(printed)]
    cells += [score_cell(row["ours"].get(measure)) for measure in OTHER]
    return Row(tuple(cells), place > 0 and row["train_set"] != rows[place - 1]["train_set"])


def _same(ours: float, printed: float) -> bool:
    """Equal to the printed decimal."""
    return number(float(ours)) == number(float(printed))


def equal_cells(rows: list[dict[str, Any]], systems_only: bool) -> tuple[int, int]:
    """Cells equal to the printed decimal, and cells compared; of the trained systems only, or of all rows."""
    chosen = [row for row in rows if not systems_only or row["system"] not in (COMPLEX, REFERENCE)]
    pairs = [(row["ours"].get(m), printed) for row in chosen for m, printed in row["published"].items()]
    return sum(ours is not None and _same(ours, printed) for ours, printed in pairs), len(pairs)


def _published_text(rows: list[dict[str, Any]]) -> str:
    equal, compared = equal_cells(rows, systems_only=True)
    equal_all, compared_all = equal_cells(rows, systems_only=False)
    text = f"Equal to the printed decimal: {equal} of {compared} cells of the systems, {equal_all} of {compared_all} "
    differing = [
        f"{HEADERS.get(measure, measure)} of {row['system']} ({number(row['ours'].get(measure))} computed, "
        f"{number(float(printed))} printed)"
        for row in rows
        for measure, printed in row["published"].items()
        if row["ours"].get(measure) is None or not _same(row["ours"][measure], printed)
    ]
    return text + "of the whole table. " + (f"Different: {'; '.join(differing)}." if differing else "None differs.")
