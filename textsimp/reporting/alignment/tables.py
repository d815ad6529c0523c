"""Sentence alignment beside tables 2, 3, 12 and 13 of Jiang et al. 2020, with own and with gold paragraphs."""

from collections.abc import Sequence

from textsimp.reporting.alignment.names import (
    CRF,
    ORACLE,
    VITERBI,
    by_family,
    published_alignment,
    with_own_paragraphs,
)
from textsimp.reporting.alignment.results import CURVE_MEASURES, MEASURES, TASKS, Alignment
from textsimp.reporting.inputs import CorpusResults
from textsimp.reporting.names import MANUAL_CORPUS, PAPER
from textsimp.reporting.published import Printed, Published
from textsimp.reporting.tables import (
    MARKS,
    Cell,
    Column,
    Row,
    Table,
    interval_cell,
    mark_best,
    number_cell,
    printed_cell,
    text_cell,
)

HEADERS = {"precision": "P", "recall": "R", "f1": "F1", "max_f1": "MaxF1", "area": "AUC"}
SHORT = {"task1": "T1", "task2": "T2"}
TASK_NAMES = {"task1": "Task 1", "task2": "Task 2"}
_OURS = (*MEASURES, *CURVE_MEASURES)
_PAPER_ONLY = "In the paper only"


def alignment_table(corpus: CorpusResults, split: str, published: Published) -> Table:
    """All systems that see no gold paragraphs, by family; the difference to one of them; the paper's numbers."""
    name, kind, alignment = corpus.plan.name, corpus.plan.kind, corpus.alignment
    printed_name, printed = published.alignment(kind, split)
    paper_tasks = _paper_tasks(printed)
    compared = bool(alignment.compared_with)
    columns = [Column("", "System", numeric=False)]
    for task in TASKS:
        group, short = f"{name}, {TASK_NAMES[task]}", f"ours {SHORT[task]}"
        columns += [Column(group, HEADERS[measure], short=short) for measure in _OURS]
        columns += [Column(group, "ΔF1", note=_difference_note(alignment), short=short)] * compared
    for task in paper_tasks:
        group, short = f"{MANUAL_CORPUS[kind]} (paper), {TASK_NAMES[task]}", f"paper {SHORT[task]}"
        columns += [Column(group, HEADERS[measure], short=short) for measure in MEASURES]
    rows = [
        *_own_rows(corpus, split, printed, paper_tasks, compared),
        *_paper_rows(corpus, split, printed, len(columns)),
    ]
    best = [index for index, column in enumerate(columns) if column.header == HEADERS["f1"]]
    return Table(
        key=f"alignment-{name}-{split}",
        title=f"Alignment, {name} {split} beside {MANUAL_CORPUS[kind]} {split} ({printed_name})",
        text=_text(corpus, split, printed_name, paper_tasks),
        columns=tuple(columns),
        rows=mark_best(rows, best, [True] * len(rows)),
    )


def _own_rows(
    corpus: CorpusResults, split: str, printed: dict[str, dict[str, Printed]], paper_tasks: list[str], compared: bool
) -> list[Row]:
    alignment, rows = corpus.alignment, []
    for family, systems in by_family(alignment.fair(split)).items():
        for place, system in enumerate(systems):
            cells = [text_cell(alignment.labels[system])]
            for task in TASKS:
                cells += score_cells(alignment, split, system, task)
                cells += [number_cell(alignment.scores[split][system][task][measure]) for measure in CURVE_MEASURES]
                cells += [difference_cell(alignment, split, system, task)] * compared
            paper = printed.get(published_alignment(system, corpus.plan.kind) or "")
            cells += _printed_cells(paper, paper_tasks)
            rows.append(Row(tuple(cells), place == 0, family if place == 0 else ""))
    return rows


def _paper_rows(corpus: CorpusResults, split: str, printed: dict[str, dict[str, Printed]], width: int) -> list[Row]:
    """The systems of the paper that we do not have on this split; the one with gold paragraphs is in another table."""
    kind, rows = corpus.plan.kind, []
    ours = {published_alignment(system, kind) for system in (*corpus.alignment.fair(split), ORACLE)}
    for system in [system for system in printed if system not in ours]:
        paper = _printed_cells(printed[system], _paper_tasks(printed))
        gap = [number_cell(None)] * (width - 1 - len(paper))
        rows.append(Row((text_cell(system), *gap, *paper), not rows, "" if rows else _PAPER_ONLY))
    return rows


def _paper_tasks(printed: dict[str, dict[str, Printed]]) -> list[str]:
    return [task for task in TASKS if any(tasks[task] for tasks in printed.values())]


def _printed_cells(tasks: dict[str, Printed] | None, paper_tasks: Sequence[str]) -> list[Cell]:
    return [printed_cell((tasks or {}).get(task, {}).get(measure)) for task in paper_tasks for measure in MEASURES]


def difference_cell(alignment: Alignment, split: str, system: str, task: str) -> Cell:
    """The difference of F1; a dash where nothing is compared."""
    base = alignment.compared_with[:1]
    difference = alignment.difference(split, system, base[0], task) if base else None
    return number_cell(None) if difference is None else difference.cell


def score_cells(alignment: Alignment, split: str, system: str, task: str) -> list[Cell]:
    """Precision, recall and F1 with their intervals."""
    intervals = alignment.found[split][system].intervals[task]
    return [interval_cell(alignment.score(split, system, task, measure), *intervals[measure]) for measure in MEASURES]


def base_label(alignment: Alignment) -> str:
    """What the differences are to, as it is printed; empty where nothing is compared."""
    return ", ".join(alignment.labels.get(name, name) for name in alignment.compared_with[:1])


def _difference_note(alignment: Alignment) -> str:
    return (
        f"F1 minus that of {base_label(alignment)}, in points, with its 95 percent interval: paired bootstrap over "
        f"article sets. {MARKS}"
    )


def _text(corpus: CorpusResults, split: str, printed_name: str, paper_tasks: list[str]) -> str:
    kind, alignment = corpus.plan.kind, corpus.alignment
    text = (
        f"Ours: {corpus.plan.name}, {split} split. Paper: {MANUAL_CORPUS[kind]}, {split} split ({PAPER}, "
        f"{printed_name}). Precision, recall and F1 in percent, micro-averaged over the split, identical pairs left "
        "out. Task 1: aligned and partially aligned against the rest; Task 2: aligned against the rest. MaxF1: the "
        "best F1 of any threshold; AUC: area under the precision-recall curve. Small: 95 percent intervals, bootstrap "
        "over article sets."
    )
    if len(paper_tasks) < len(TASKS):
        text += " The paper reports Task 1 only here."
    if VITERBI in alignment.scores[split]:
        text += (
            " The paper decodes with Viterbi (equation 5), as our row with that name; our row without decodes as the "
            "parameter aligner.crf.decoding says."
        )
    return f"{text} Word vectors: {alignment.word_vectors}. Bold: the best F1. {_sources(alignment, split)}"


def _sources(alignment: Alignment, split: str) -> str:
    """Who published the systems of each family."""
    found = {
        family: dict.fromkeys(alignment.sources[system].split(", Table")[0] for system in systems)
        for family, systems in by_family(alignment.fair(split)).items()
    }
    return "Sources. " + "; ".join(f"{family}: {', '.join(sources)}" for family, sources in found.items()) + "."


def gold_table(corpus: CorpusResults, split: str, published: Published) -> Table:
    """Two-step systems with the paragraphs that they align themselves, and with gold ones; no rows without any."""
    name, kind, alignment = corpus.plan.name, corpus.plan.kind, corpus.alignment
    printed_name, printed = published.alignment(kind, split)
    paper = printed.get(published_alignment(ORACLE, kind) or "", {})
    paper_tasks = [task for task in TASKS if paper.get(task)]
    columns = [Column("", "System", numeric=False)]
    for task in TASKS:
        for which in ("own", "gold"):
            group, short = f"{name}, {TASK_NAMES[task]}, {which}", f"{which} {SHORT[task]}"
            columns += [Column(group, HEADERS[measure], short=short) for measure in MEASURES]
    for task in paper_tasks:
        group, short = f"{MANUAL_CORPUS[kind]} (paper), {TASK_NAMES[task]}, gold", f"paper gold {SHORT[task]}"
        columns += [Column(group, HEADERS[measure], short=short) for measure in MEASURES]
    rows = []
    for system in [system for system in alignment.scores[split] if system in alignment.gold_paragraphs]:
        beside = _printed_cells(paper if system == ORACLE else None, paper_tasks)
        rows.append(Row((*_gold_cells(alignment, split, system), *beside)))
    printed_beside = f" Paper: {MANUAL_CORPUS[kind]}, {split} split ({PAPER}, {printed_name})." if paper_tasks else ""
    return Table(
        key=f"alignment-gold-{name}-{split}",
        title=f"Two-step systems with their own and with gold paragraphs, {name} {split}",
        text="Own: paragraphs as the system aligns them; gold: as the gold links connect them. Gold paragraphs are no "
        f"fair input, so these numbers are in no other table.{_crf_note(alignment)}{printed_beside}",
        columns=tuple(columns),
        rows=tuple(rows),
    )


def _gold_cells(alignment: Alignment, split: str, system: str) -> list[Cell]:
    """Label and scores of a system with gold paragraphs, beside those with its own, where there is such a system."""
    own = with_own_paragraphs(system)
    base = own if own in alignment.fair(split) else None
    cells = [text_cell(alignment.labels[base or system])]
    for task in TASKS:
        for which in (base, system):
            scores = alignment.scores[split][which][task] if which else {}
            cells += [number_cell(scores.get(measure)) for measure in MEASURES]
    return cells


def _crf_note(alignment: Alignment) -> str:
    if ORACLE not in alignment.gold_paragraphs:
        return ""
    return f" {alignment.labels.get(CRF, CRF)} aligns paragraphs itself only where aligner.crf.paragraphs says so."
