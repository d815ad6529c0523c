"""The parts of the page, their tables in order, and the words that its first screen explains."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from textsimp.reporting import (
    plots,
    tables_alignment,
    tables_claims,
    tables_corpora,
    tables_people,
    tables_published,
    tables_rewriting,
    tables_simplification,
)
from textsimp.reporting.figures import Figure
from textsimp.reporting.inputs import Run
from textsimp.reporting.table import Table

Tables = Callable[[Run], Iterable[Table]]


@dataclass(frozen=True)
class Part:
    """A part of the page: functions that give its tables and figures, and what else it shows of each corpus.

    `texts` is `alignments`, `outputs` or `cards`; empty for none.
    """

    key: str
    title: str
    tables: Sequence[Tables]
    figures: Sequence[Callable[[Run], Iterable[Figure]]] = ()
    texts: str = ""

    def tables_of(self, run: Run) -> list[Table]:
        """Return the tables that the results fill, the folded ones last."""
        return sorted((table for tables in self.tables for table in tables(run)), key=lambda table: table.folded)


_CORPORA = (tables_corpora.statistics, tables_corpora.training_pairs, tables_corpora.filters, tables_corpora.leaks)
_SIMPLIFICATION = tables_simplification.TABLES
_PUBLISHED = (
    tables_published.printed_again, tables_published.missing,
    tables_published.leaderboard, tables_published.places, tables_published.letters, tables_published.agreement,
    tables_published.contradictions, tables_published.parts, tables_published.kinds_of_rewriting,
    tables_published.changes, tables_published.parity,
)  # fmt: skip
_CURVES = (plots.precision_recall, plots.aligner_training)
_TRAINING = (plots.simplifier_training, plots.lengths)
PARTS = (
    Part("claims", "Claims", tables_claims.TABLES),
    Part("alignment", "Sentence alignment", tables_alignment.TABLES, _CURVES, "alignments"),
    Part("audit", "Alignment of the unlabelled articles", (tables_corpora.audit, tables_corpora.paragraphs)),
    Part("corpora", "Corpora", _CORPORA, texts="cards"),
    Part("simplification", "Simplification", _SIMPLIFICATION, _TRAINING, "outputs"),
    Part("people", "Judged by people", tables_people.TABLES),
    Part(
        "rewriting",
        "Kinds of rewriting",
        tables_rewriting.TABLES,
        (plots.rewriting_sources, plots.rewriting_outputs),
    ),
    Part("published", "Published outputs", _PUBLISHED, (plots.ranks, plots.released_rewriting)),
)
TERMS = {
    "Task 1, Task 2": (
        "Task 1 is to find the sentence pairs that are aligned or partially aligned. Task 2 is to find those that are "
        "aligned."
    ),
    "New (auto) and old data": (
        "simplifiers are trained on sentence pairs that the CRF aligner found (new), or on those of JaccardAlign or of "
        "an earlier release (old)."
    ),
    "Printed": "the numbers of Jiang et al. 2020. Their corpora are others: compare the order only.",
    "CRF aligner": (
        "the paper's model, neural_crf_paper. This project's own additions (neural_crf) are judged in another table."
    ),
    "Holds, fails": (
        "bootstrap and randomisation test both find the difference (‡), and all training seeds agree. With † the "
        "bootstrap alone finds it; without a mark it may be chance. Otherwise we cannot tell."
    ),
}
"""Words that the first screen explains, in their order."""
