"""Kinds of rewriting in corpora, beside what Jiang et al. 2020 and Coster and Kauchak 2011 print."""

from textsimp.reporting.inputs import CorpusResults
from textsimp.reporting.names import COSTER, PAPER, simplifier_label
from textsimp.reporting.published import Printed, Published
from textsimp.reporting.simplification.analysis_cells import (
    EXCLUDES,
    KINDS,
    SOURCES,
    agreement_text,
    difference_of,
    number_of,
)
from textsimp.reporting.simplification.analysis_results import CLAIMS, Analysis, Number, Source
from textsimp.reporting.simplification.tables import main_first
from textsimp.reporting.tables import MISSING, Column, Row, Table, number, number_cell, printed_cell, text_cell

_SHOWN = "transformer_bert"
"""The model of Figure 3."""
_RELATIONS = ("Printed for", "Ours from", "Measure", "Compared with", "Printed", "Ours, percent", "Ours, points")
_GIZA = "GIZA++ learns from the corpus and links light words too: compare the order, not the numbers."


def corpus_rewriting_tables(corpus: CorpusResults, published: Published) -> list[Table]:
    """What the corpus does, beside Figures 2 and 3 and Tables 1 and 2; tables without rows are left out."""
    analysis = corpus.analysis
    if analysis is None:
        return []
    tables = [_classes(corpus, analysis), _relations(corpus, analysis, published)]
    tables += [_sentence_operations(corpus, analysis, published), _word_operations(corpus, analysis, published)]
    return [table for table in tables if table.rows]


def _classes(corpus: CorpusResults, analysis: Analysis) -> Table:
    """Figure 2: classes and groups of classes, a column a source, then new minus old."""
    name, signature = corpus.plan.name, analysis.signatures["rewriting"]
    columns, sources = _source_columns(analysis)
    columns += [
        Column(f"new - {SOURCES.get(old, old)}", KINDS[kind], signature, short=f"new - {old}")
        for kind, found in analysis.differences.items()
        for old in found
    ]
    differences = [row for found in analysis.differences.values() for row in found.values()]
    rows = []
    for group in ("classes", "groups"):
        for place, part in enumerate(analysis.parts[group]):
            cells = (number_of(source.parts[part]) for source in sources)
            changes = (difference_of(row[part]) for row in differences)
            rows.append(Row((text_cell(part), *cells, *changes), place == 0))
    return Table(
        key=f"rewriting-corpora-{name}",
        title=f"Kinds of rewriting in the corpus {name}, beside Figure 2",
        text=f"Percent of the units. {_units_text(analysis)} {agreement_text(analysis)} {PAPER}, Figure 2, sorts 100 "
        f"pairs of each corpus by hand; its shares are printed as a figure only. {EXCLUDES}",
        columns=(Column("", "Kind", numeric=False), *columns),
        rows=tuple(rows) if sources else (),
    )


def _relations(corpus: CorpusResults, analysis: Analysis, published: Published) -> Table:
    """What the text says about Figures 2 and 3: by how many percent new data have more or less than old data."""
    name, kind = corpus.plan.name, corpus.plan.kind
    found = [("Figure 2", KINDS[which], rows) for which, rows in analysis.differences.items()]
    for test_set in main_first(analysis.test_sets):
        outputs = analysis.test_sets[test_set].new_to_old
        rows = {old.split("/")[0]: row for old, row in outputs.items() if old.split("/")[1] == _SHOWN}
        found.append(("Figure 3", f"{simplifier_label(_SHOWN)}, test set {test_set}", rows))
    rows = []
    for figure, where, differences in found:
        for measure, printed in published.rewriting(figure, corpus=kind).items():
            for old, numbers in differences.items():
                rows.append(_relation(figure, where, measure, printed, numbers[CLAIMS[measure]], old))
    return Table(
        key=f"rewriting-relations-{name}",
        title=f"What the text of {PAPER} says of Figures 2 and 3, {name}",
        text="The shares of both figures are printed as figures only; these relations of new to old data are in their "
        "captions and in the text, which does not say whether they are of the share or in points. Ours: in percent of "
        "the share on old data, and in points with the 95 percent interval. Complex rewrites: deletion + paraphrase or "
        "splitting + paraphrase. Not simpler is no kind of rewriting; ours is not aligned alone. Other corpora and "
        f"other judges: compare the signs. {EXCLUDES}",
        columns=tuple(Column("", header, numeric=header.startswith("Ours, ")) for header in _RELATIONS),
        rows=tuple(rows),
    )


def _relation(figure: str, where: str, measure: str, printed: Printed, ours: Number, old: str) -> Row:
    *before, word = printed["relation"].split()
    words = " ".join((*before, f"{printed['percent']}%", word))
    percent = MISSING if ours.percent is None else f"{'+' if ours.percent > 0 else ''}{number(float(ours.percent))}%"
    cells = map(text_cell, (figure, where, measure, SOURCES.get(old, old), words, percent))
    return Row((*cells, difference_of(ours)))


def _sentence_operations(corpus: CorpusResults, analysis: Analysis, published: Published) -> Table:
    name, printed = corpus.plan.name, published.rewriting("Table 1", COSTER)
    operations = dict.fromkeys([*printed, *(part for row in analysis.operations.values() for part in row)])
    group = f"{name}, aligned documents"
    columns = [Column(group, SOURCES.get(source, source), short=name) for source in analysis.operations]
    rows = []
    for operation in operations:
        cells = [number_cell(row.get(operation)) for row in analysis.operations.values()]
        paper = printed_cell(printed.get(operation, {}).get("percent"))
        rows.append(Row((text_cell(operation), *cells, paper)))
    return Table(
        key=f"rewriting-sentence-operations-{name}",
        title=f"Operations on sentences, {name}, beside Table 1 of {COSTER}",
        text="Percent of the operations; normal is the complex side. Sentences that hang together by links are one "
        "operation. Ours are over whole documents; the paper's over paragraphs that TF-IDF aligned, so that it skips "
        "less. Other: what the paper's aligner does not know, such as one to three.",
        columns=(Column("", "Operation", numeric=False), *columns, Column("printed", "English Wikipedia 2010")),
        rows=tuple(rows) if analysis.operations else (),
    )


def _word_operations(corpus: CorpusResults, analysis: Analysis, published: Published) -> Table:
    name, printed = corpus.plan.name, published.rewriting("Table 2", COSTER)
    columns, sources = _source_columns(analysis)
    headings = {
        "word_operations": "Aligned units with the operation, percent; they do not exclude each other",
        "edit_rates": "Content words of the aligned units, percent; inserted and written: of the simple ones",
    }
    rows = []
    for group, heading in headings.items():
        for place, part in enumerate(analysis.parts[group]):
            paper = printed_cell(printed.get(part, {}).get("percent") if group == "word_operations" else None)
            cells = (text_cell(part), *(number_of(source.parts[part]) for source in sources), paper)
            rows.append(Row(cells, place == 0, heading if place == 0 else ""))
    return Table(
        key=f"rewriting-word-operations-{name}",
        title=f"Operations on words, {name}, beside Table 2 of {COSTER}",
        text=f"{_units_text(analysis)} The words are linked by our own aligner. {_GIZA}",
        columns=(Column("", "Operation", numeric=False), *columns, Column("printed", "English Wikipedia 2010")),
        rows=tuple(rows) if sources else (),
    )


def _source_columns(analysis: Analysis) -> tuple[list[Column], list[Source]]:
    """A column for each source that has units, those of one kind side by side."""
    columns, sources = [], []
    for kind, found in analysis.sources.items():
        for name, source in found.items():
            columns.append(Column(KINDS[kind], SOURCES.get(name, name), analysis.signatures["rewriting"], short=kind))
            sources.append(source)
    return columns, sources


def _units_text(analysis: Analysis) -> str:
    """What the units are, and how many of them were looked at."""
    sizes = "; ".join(
        f"{KINDS[kind]}, {SOURCES.get(name, name)}: {number(source.units)}"
        + (f" drawn from {number(source.available)}" if source.units < source.available else "")
        for kind, found in analysis.sources.items()
        for name, source in found.items()
    )
    return (
        "A unit of aligned documents is all sentences that hang together by links, so that splits are seen; a training "
        f"pair has one simple sentence, so that a split is seen as deletions. Units: {sizes}."
    )
