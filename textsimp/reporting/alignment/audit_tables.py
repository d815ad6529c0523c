"""Automatic alignments against what is known of the same articles, and paragraph aligners against gold paragraphs."""

from collections.abc import Sequence

from textsimp.reporting.alignment.results import MEASURES, TASKS
from textsimp.reporting.alignment.tables import HEADERS, TASK_NAMES
from textsimp.reporting.inputs import CorpusResults
from textsimp.reporting.tables import MARKS, Column, Row, Table, mark_best, text_cell

_TEST_SETS = {"merged": "OneStopQA, merged", "original": "OneStopEnglish, original"}
_AUDIT_NOTE = "F1 minus that of the CRF aligner, with its 95 percent interval: paired bootstrap over article sets."
_PARAGRAPH_NOTE = (
    "F1 minus that of the algorithm as trained, with its 95 percent interval: paired bootstrap over document pairs."
)
_ALIGNERS = {"auto": "CRF aligner (auto)", "old": "JaccardAlign (old)"}


def audit_tables(corpora: Sequence[CorpusResults]) -> list[Table]:
    """One table for all corpora that have something to be held against, and one a corpus with gold paragraphs."""
    audited = [corpus for corpus in corpora if corpus.audited]
    tables = [_audit(audited)] if audited else []
    return tables + [_paragraphs(corpus) for corpus in corpora if corpus.paragraphs]


def _audit(corpora: Sequence[CorpusResults]) -> Table:
    columns = [Column("", "Corpus", numeric=False), Column("", "Aligned by", numeric=False)]
    columns += [
        Column(TASK_NAMES[task], header, note, short=task) for task in TASKS for header, note in _headers(_AUDIT_NOTE)
    ]
    rows = []
    for corpus in corpora:
        for place, (aligner, found) in enumerate(corpus.audit.items()):
            cells = [cell for task in TASKS for cell in found[task].cells]
            rows.append(Row((text_cell(corpus.plan.name), text_cell(_ALIGNERS[aligner]), *cells), place == 0))
    return Table(
        key="audit-alignments",
        title="Automatic alignments held against what is known of the same articles",
        text=" ".join(map(_reference, corpora)) + " Precision, recall and F1 in percent, identical pairs left out.",
        columns=tuple(columns),
        rows=tuple(rows),
    )


def _headers(note: str) -> list[tuple[str, str]]:
    """Headers and notes of what `Measured.cells` gives."""
    return [*((HEADERS[measure], "") for measure in MEASURES), ("ΔF1", f"{note} {MARKS}")]


def _reference(corpus: CorpusResults) -> str:
    pairs = f"{corpus.plan.name}: {corpus.audited} document pairs"
    if corpus.plan.is_sample:
        return f"{pairs}, against gold that no stage reads."
    return (
        f"{pairs}, against the alignments of the release, made by its authors' aligner: an agreement, not a quality. "
        "They have no labels; a link is called aligned where neither sentence has another."
    )


def _paragraphs(corpus: CorpusResults) -> Table:
    name, sets = corpus.plan.name, corpus.paragraphs
    systems = next(iter(sets.values()))["systems"]
    columns = [Column("", "Paragraphs by", numeric=False)]
    for test_set in sets:
        group = _TEST_SETS.get(test_set, test_set)
        columns += [Column(group, header, note, short=test_set) for header, note in _headers(_PARAGRAPH_NOTE)]
    rows = []
    for system, (label, _) in systems.items():
        cells = [cell for found in sets.values() for cell in found["systems"][system][1].cells]
        rows.append(Row((text_cell(label), *cells)))
    sizes = "; ".join(
        f"{test_set}: {found['test_pairs']}, tuned on {found['dev_pairs']}" for test_set, found in sets.items()
    )
    best = [place for place, column in enumerate(columns) if column.header == HEADERS["f1"]]
    return Table(
        key=f"paragraphs-{name}",
        title=f"Paragraph alignment, {name}",
        text="Paragraph pairs against those that people aligned (OneStopQA). Merged: its own articles, where every "
        "paragraph has one partner, in order. Original: the same articles before paragraphs were merged and left out. "
        "Algorithms 2 and 4 read P(linked) of the trained aligner; two-step systems are fitted on the sentences that "
        f"the aligner was tuned on. Document pairs: {sizes}. In percent.",
        columns=tuple(columns),
        rows=mark_best(rows, best, [True] * len(rows)),
    )
