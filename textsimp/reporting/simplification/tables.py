"""Simplification beside tables 5 and 8 of Jiang et al. 2020, and table 8 again from the released outputs."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from textsimp.reporting.inputs import CorpusResults, Scores
from textsimp.reporting.names import CORPUS_COLUMNS, PAPER, PRINTED, TEST_SETS, TRAINING_SETS, simplifier_label
from textsimp.reporting.published import SIMPLIFICATION_COLUMNS, Printed, Published
from textsimp.reporting.significance import NOTHING, Significance
from textsimp.reporting.tables import (
    MARKS,
    Cell,
    Column,
    Row,
    Table,
    mark_best,
    number,
    number_cell,
    printed_cell,
    text_cell,
)

COMPLEX, REFERENCE = "Complex (input)", "Simple (reference)"
HEADERS = {"sari": "SARI", "add": "add", "keep": "keep", "del": "del", "fk": "FK", "len": "Len"}
OTHER = {"sari_corpus": "corpus SARI", "bleu": "BLEU"}
_PART_OF = {"add": "sari", "keep": "sari", "del": "sari"}
PAPER_TABLES = {"newsela": "Table 5", "wiki": "Table 8"}


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
    ours, other = _our_columns(corpus, test_set)
    beside = f"{PRINTED[paper_set]} (paper)" if paper_set else ""
    note = (
        f"As printed in {PAPER}, {PAPER_TABLES[kind]}: SARI per sentence; its own test set, references and training "
        "data."
    )
    paper = [Column(beside, HEADERS[measure], note, short="paper") for measure in SIMPLIFICATION_COLUMNS if printed]
    columns += [*ours, *paper, *other]
    rows = _rows(corpus, test_set, printed)
    trained = [row.cells[0].text not in (COMPLEX, REFERENCE) for row in rows]
    best = [i for i, column in enumerate(columns) if column.header in ("SARI", *OTHER.values())]
    title = f"Simplification, {name}, test set {test_set}"
    return Table(
        key=f"simplification-{name}-{test_set}",
        title=f"{title} beside {PAPER_TABLES[kind]} ({PRINTED[paper_set]})" if paper_set else title,
        text=_text(corpus, test_set, paper_set),
        columns=tuple(columns),
        rows=mark_best(rows, best, trained),
    )


def _our_columns(corpus: CorpusResults, test_set: str) -> tuple[list[Column], list[Column]]:
    """The columns of the paper's tables with differences in SARI, and those that it does not have."""
    group, signatures = f"{corpus.plan.name}, {test_set}", corpus.signatures
    columns = [
        Column(group, header, str(signatures.get(_PART_OF.get(measure, measure), "")), short="ours")
        for measure, header in HEADERS.items()
    ]
    if base := base_system(corpus.significance.get(test_set, NOTHING)):
        columns.insert(1, Column(group, "ΔSARI", _difference_note(f"that of {_printed_name(base)}"), short="ours"))
        between = _difference_note("that of the same model on old data")
        columns.insert(2, Column(group, "new - old", between, short="ours"))
    other = f"{group}, not in the paper"
    return columns, [
        Column(other, header, str(signatures.get(measure, "")), short="ours") for measure, header in OTHER.items()
    ]


def _difference_note(other: str) -> str:
    return f"SARI per sentence minus {other}, with its 95 percent interval: paired bootstrap over sentences. {MARKS}"


def base_system(significance: Significance) -> str | None:
    """What every other system is compared with: the first one trained on new data."""
    return next((name for name in significance.intervals if name.startswith("auto/")), None)


def _printed_name(system: str) -> str:
    training_set, name = system.split("/")
    return f"{simplifier_label(name)}, {TRAINING_SETS.get(training_set, training_set)}"


def _rows(corpus: CorpusResults, test_set: str, printed: dict[tuple[str, str], Printed]) -> list[Row]:
    """The input, the systems trained on old and on new data, the reference; as in the paper's tables."""
    scores, sides = corpus.test_sets[test_set], CORPUS_COLUMNS[corpus.plan.kind]
    one_row = partial(_row, corpus.significance.get(test_set, NOTHING), printed)
    rows = [one_row("none/identity", COMPLEX, scores["none"]["identity"], "none")]
    trained = [name for name in scores if name != "none"]
    for training in sorted(trained, key=lambda name: (name != "old", name)):
        for place, (system, numbers) in enumerate(scores[training].items()):
            label, paper = simplifier_label(system), sides.get(training, training)
            rows.append(one_row(f"{training}/{system}", label, numbers, paper, place == 0))
    rows.append(one_row("none/reference", REFERENCE, scores["none"]["reference"], "none", True))
    return rows


def _row(
    significance: Significance,
    printed: dict[tuple[str, str], Printed],
    system: str,
    label: str,
    scores: Scores,
    paper: str,
    first: bool = False,
) -> Row:
    training_set, name = system.split("/")
    ours = [significance.score_cell(system, measure, scores.get(measure)) for measure in HEADERS]
    if base := base_system(significance):
        old = significance.difference("sari", system, f"old/{name}") if training_set == "auto" else None
        differences = (significance.difference("sari", system, base), old)
        ours[1:1] = [number_cell(None) if found is None else found.cell for found in differences]
    cells = [text_cell(label), text_cell(TRAINING_SETS.get(training_set, training_set)), *ours]
    if printed:
        row = printed.get((paper, label), {})
        cells += [printed_cell(row.get(measure)) for measure in SIMPLIFICATION_COLUMNS]
    cells += [significance.score_cell(system, measure, scores.get(measure)) for measure in OTHER]
    return Row(tuple(cells), first)


def score_cell(value: float | None, tone: str = "") -> Cell:
    """A score of ours with one decimal, integers too."""
    return number_cell(None if value is None else float(value), tone)


def _text(corpus: CorpusResults, test_set: str, paper_set: str | None) -> str:
    kind, data = corpus.plan.kind, {"auto": "the CRF aligner's corpus (new)", "old": f"{_old(corpus)} (old)"}
    trained = " and on ".join(words for name, words in data.items() if name in corpus.test_sets[test_set])
    ours = f"Ours: {corpus.plan.name}, test set {test_set}{f'; trained on {trained}' if trained else ''}."
    marks = "Bold: the best trained system. Small: 95 percent intervals, bootstrap over sentences."
    if not paper_set:
        return f"{ours} The paper has no counterpart. {marks}"
    new, old = (PRINTED[CORPUS_COLUMNS[kind][side]] for side in ("auto", "old"))
    return (
        f"{ours} Paper: {PRINTED[paper_set]} ({PAPER}, {PAPER_TABLES[kind]}), where the new training data are {new} "
        f"and the old are {old}. {marks}"
    )


def _old(corpus: CorpusResults) -> str:
    """What the old training set is: a release has no statistics of documents."""
    return "JaccardAlign's corpus" if "statistics" in corpus.statistics.get("old", {}) else "a released corpus"


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
