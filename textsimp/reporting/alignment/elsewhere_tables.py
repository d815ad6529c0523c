"""Alignment numbers of other papers, on their corpora, beside ours: Stajner et al. 2017, Kajiwara and Komachi 2016."""

from collections.abc import Callable, Sequence

from textsimp.reporting.alignment.names import KAJIWARA, STAJNER, published_elsewhere
from textsimp.reporting.alignment.results import CURVE_MEASURES, Alignment
from textsimp.reporting.alignment.tables import HEADERS
from textsimp.reporting.inputs import CorpusResults
from textsimp.reporting.published import HUMAN_COLUMNS, SIMILARITY_COLUMNS, Printed, Published
from textsimp.reporting.tables import Cell, Column, Row, Table, number_cell, printed_cell, text_cell

_TEST = "test"
_LEVELS = {"levels_0_1": "levels 0-1", "levels_0_4": "levels 0-4", "levels_3_4": "levels 3-4"}
_GAPS = (1, 4)
"""Of the levels that the paper compares: 0 to 1 and 3 to 4, 0 to 4."""
_SIMILARITY = {"task2": "G against O", "task1": "G and GP against O"}
_SHORT = {"task2": "G", "task1": "G+GP"}


def elsewhere_tables(corpora: Sequence[CorpusResults], published: Published) -> list[Table]:
    """Both tables; without rows where no corpus has one of their systems."""
    return [_human(corpora, published), _similarities(corpora, published)]


def _human(corpora: Sequence[CorpusResults], published: Published) -> Table:
    """Percent of the links that a person finds good or partly good, beside the precision of our Task 1."""
    group = "paper: ten English Newsela articles, judged by hand"
    columns = [Column("", "System", numeric=False)]
    columns += [Column(group, header, short="paper") for header in _LEVELS.values()]
    for corpus in corpora:
        name = corpus.plan.name
        for header in ("all", *(f"gap {gap}" for gap in _gaps(corpus))):
            columns.append(Column(f"{name} {_TEST}, precision in Task 1", header, short=name))

    def ours(corpus: CorpusResults, system: str) -> list[float | None]:
        alignment = corpus.alignment
        gaps = alignment.found[_TEST][system].level_gap if system in alignment.found[_TEST] else {}
        by_gap = [gaps.get(gap, {}).get("task1", {}).get("precision") for gap in _gaps(corpus)]
        return [_score(alignment, system, "task1", "precision"), *by_gap]

    rows = _rows(corpora, published.human_alignment(), HUMAN_COLUMNS, published_elsewhere(STAJNER), ours)
    return Table(
        key="alignment-human",
        title=f"Published elsewhere: links judged by hand ({STAJNER}, Table 2)",
        text="The paper: percent of the sentence links of a system that people judge good or partly good, between two "
        "levels of the same article. Ours: precision in Task 1 (aligned and partially aligned) against the gold "
        "annotation, over all document pairs and by the difference of their levels; identical pairs are left out (the "
        "paper does not say). The paper's systems link every simple sentence, ours leave out links under their "
        "thresholds. Another corpus and another annotation: compare the order.",
        columns=tuple(columns),
        rows=tuple(rows),
    )


def _gaps(corpus: CorpusResults) -> list[int]:
    """The gaps that stand beside the paper's: none where all document pairs have the same."""
    there = {gap for found in corpus.alignment.found[_TEST].values() for gap in found.level_gap}
    return [gap for gap in _GAPS if gap in there] if len(there) > 1 else []


def _similarities(corpora: Sequence[CorpusResults], published: Published) -> Table:
    """MaxF1 and area under the curve of similarities."""
    columns = [Column("", "System", numeric=False)]
    for task, words in _SIMILARITY.items():
        group = f"paper: EW-SEW, {words}, fractions"
        columns += [Column(group, HEADERS[m], short=f"paper {_SHORT[task]}") for m in CURVE_MEASURES]
    for corpus in corpora:
        for task, words in _SIMILARITY.items():
            number = {"task1": "Task 1", "task2": "Task 2"}[task]
            group = f"{corpus.plan.name} {_TEST}, {number}, percent"
            short = f"{corpus.plan.name} {_SHORT[task]}"
            columns += [Column(group, HEADERS[measure], short=short) for measure in CURVE_MEASURES]

    def ours(corpus: CorpusResults, system: str) -> list[float | None]:
        return [_score(corpus.alignment, system, task, m) for task in _SIMILARITY for m in CURVE_MEASURES]

    rows = _rows(corpora, published.similarities(), SIMILARITY_COLUMNS, published_elsewhere(KAJIWARA), ours)
    return Table(
        key="alignment-similarities",
        title=f"Published elsewhere: similarities of sentences ({KAJIWARA}, Table 1)",
        text="The paper: English and Simple English Wikipedia, annotated by Hwang et al. 2015; G good, GP good "
        "partial, O other; fractions as printed. Ours, in percent: Task 2 (aligned) stands beside G against O, Task 1 "
        "(aligned and partially aligned) beside G and GP against O. MaxF1: the best F1 of any threshold; AUC: area "
        "under the precision-recall curve. Other corpora: compare the order.",
        columns=tuple(columns),
        rows=tuple(rows),
    )


def _rows(
    corpora: Sequence[CorpusResults],
    printed: dict[str, Printed],
    measures: Sequence[str],
    names: dict[str, str],
    ours: Callable[[CorpusResults, str], list[float | None]],
) -> list[Row]:
    """A row for each printed system; none at all where we have none of them."""
    systems = {name: system for system, name in names.items()}
    rows = []
    for name, row in printed.items():
        cells: list[Cell] = [printed_cell(row[measure]) for measure in measures]
        cells += [number_cell(value) for corpus in corpora for value in ours(corpus, systems.get(name, ""))]
        rows.append(Row((text_cell(name), *cells)))
    return rows if any(names.keys() & corpus.alignment.scores[_TEST].keys() for corpus in corpora) else []


def _score(alignment: Alignment, system: str, task: str, measure: str) -> float | None:
    return alignment.scores[_TEST].get(system, {}).get(task, {}).get(measure)
