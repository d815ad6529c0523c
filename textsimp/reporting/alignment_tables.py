"""Sentence alignment beside tables 2, 3, 12 and 13 of Jiang et al. 2020."""

from textsimp.reporting.inputs import MEASURES, SPLITS, TASKS, CorpusResults
from textsimp.reporting.names import MANUAL_CORPUS, ORACLE, PAPER, VITERBI, alignment_label, published_alignment
from textsimp.reporting.published import Printed, Published
from textsimp.reporting.tables import Cell, Column, Row, Table, mark_best, number_cell, printed_cell, text_cell

_HEADERS = {"precision": "P", "recall": "R", "f1": "F1"}
_SHORT = {"task1": "T1", "task2": "T2"}
_TASK_NAMES = {"task1": "Task 1", "task2": "Task 2"}


def alignment_tables(corpus: CorpusResults, published: Published) -> list[Table]:
    """One table a split, test first."""
    return [_table(corpus, split, published) for split in SPLITS]


def _table(corpus: CorpusResults, split: str, published: Published) -> Table:
    name, kind = corpus.plan.name, corpus.plan.kind
    printed_name, printed = published.alignment(kind, split)
    paper_tasks = [task for task in TASKS if any(tasks[task] for tasks in printed.values())]
    columns = [Column("", "System", numeric=False)]
    for owner, place, tasks in (("ours", name, TASKS), ("paper", f"{MANUAL_CORPUS[kind]} (paper)", paper_tasks)):
        for task in tasks:
            group, short = f"{place}, {_TASK_NAMES[task]}", f"{owner} {_SHORT[task]}"
            columns += [Column(group, _HEADERS[measure], short=short) for measure in MEASURES]
    rows, fair = _rows(corpus, split, printed, paper_tasks)
    best = [index for index, column in enumerate(columns) if column.header == "F1"]
    return Table(
        key=f"alignment-{name}-{split}",
        title=f"Alignment, {name} {split} beside {MANUAL_CORPUS[kind]} {split} ({printed_name})",
        text=_text(corpus, split, printed_name, paper_tasks),
        columns=tuple(columns),
        rows=mark_best(rows, best, fair),
    )


def _rows(
    corpus: CorpusResults, split: str, printed: dict[str, dict[str, Printed]], paper_tasks: list[str]
) -> tuple[list[Row], list[bool]]:
    """Our systems, then those that only the paper has; and whether each may be the best (the oracle may not)."""
    scores = corpus.alignment[split]
    names = {system: published_alignment(system, corpus.plan.kind) for system in scores}
    rows, fair = [], []
    for system, tasks in scores.items():
        ours = [number_cell(float(tasks[task][measure])) for task in TASKS for measure in MEASURES]
        paper = _printed_cells(printed.get(names[system]), paper_tasks)
        rows.append(Row((text_cell(alignment_label(system)), *ours, *paper)))
        fair.append(system != ORACLE)
    others = [system for system in printed if system not in names.values()]
    for place, system in enumerate(others):
        ours = [number_cell(None)] * (len(TASKS) * len(MEASURES))
        rows.append(Row((text_cell(system), *ours, *_printed_cells(printed[system], paper_tasks)), place == 0))
        fair.append(system != alignment_label(ORACLE))
    return rows, fair


def _printed_cells(tasks: dict[str, Printed] | None, paper_tasks: list[str]) -> list[Cell]:
    return [printed_cell((tasks or {}).get(task, {}).get(measure)) for task in paper_tasks for measure in MEASURES]


def _text(corpus: CorpusResults, split: str, printed_name: str, paper_tasks: list[str]) -> str:
    kind = corpus.plan.kind
    parts = [
        f"Ours: {corpus.plan.name}, {split} split. Paper: {MANUAL_CORPUS[kind]}, {split} split ({PAPER}, "
        f"{printed_name}). Precision, recall and F1 in percent, micro-averaged over the split, identical pairs left "
        "out. Task 1: aligned and partially aligned against the rest; Task 2: aligned against the rest.",
    ]
    if len(paper_tasks) < len(TASKS):
        parts.append("The paper reports Task 1 only here.")
    if VITERBI in corpus.alignment[split]:
        parts.append(
            "The paper decodes with Viterbi (equation 5), as our row with that name; our row without decodes as the "
            "parameter aligner.crf.decoding says."
        )
    parts.append("Bold: the best F1 without gold paragraph alignment.")
    return " ".join(parts)
