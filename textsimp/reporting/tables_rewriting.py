"""Tables and figures of kinds of rewriting, beside Figures 2 and 3 and beside Coster and Kauchak 2011."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import product

from textsimp.metrics.rewriting.kinds import CLASSES, GROUPS
from textsimp.reporting.compared_systems import simplifiers
from textsimp.reporting.figures import Figure, draw_bars
from textsimp.reporting.inputs import Numbers, PrintedTable, Run
from textsimp.reporting.plan import CorpusPlan
from textsimp.reporting.table import Cell, Column, Line, Table, number, tables, text_of
from textsimp.reporting.tables_simplification import RULES, STUB, all_simplifiers, test_sets

KINDS = {f"classes.{name}": name for name in CLASSES}
_GROUPS = {f"groups.{name}": name for name in GROUPS}
UNITS = (
    "A unit of aligned documents is a connected group of linked sentences. A training pair has one simple sentence, so "
    "there a split counts as deletions."
)
_SETS = {"documents": ("manual", "auto", "old"), "pairs": ("auto", "old")}
_PRINTED = Column("printed", "English Wikipedia 2010")
_OURS = {
    "complex rewrites": "groups.complex rewrites",
    "not aligned or not simpler": "classes.not aligned",
    "paraphrasing and deletions": "groups.any paraphrase or deletion",
}
"""What of ours stands beside the measures of data/published/rewriting.csv."""


def in_corpora(run: Run) -> Iterator[Table]:
    """The kinds in aligned documents and in training pairs, beside Figure 2."""
    measures = KINDS | _GROUPS
    counts = {"units": "units, looked at", "available": "units, available"}
    for corpus in run.simplified:
        columns = _by_set(run, corpus, [*measures, *counts])
        for scope, old in product(_SETS, ("old", "authors")):
            there = run.at(f"analysis/{corpus.name}", scope)
            note, short = there.signature("rewriting"), f"new - {old}"
            column = Column(f"new - {run.label(old)}", run.label(scope), note, short)
            columns[column] = [there.gap(measure, "auto", old) for measure in (*measures, *counts)]
        lines = [Line([name], block=measure.partition(".")[0]) for measure, name in measures.items()]
        lines += [Line([name], block="units") for name in counts.values()]
        text = ["Percent of the units.", UNITS, _agreement(run, corpus), _FIGURE_2]
        title = f"Kinds of rewriting in the corpus {run.label(corpus.name)}, beside Figure 2"
        yield from tables(f"rewriting-corpora-{corpus.name}", title, text, "Kind", lines, columns)


_FIGURE_3 = (
    "For Figure 3 of Jiang et al. 2020, people sorted 100 outputs of a system; no shares are printed as numbers."
)
_FIGURE_2 = (
    "For Figure 2 of Jiang et al. 2020, people sorted 100 pairs of each corpus; the shares are not printed as numbers. "
    "†: the interval excludes 0."
)


def _by_set(run: Run, corpus: CorpusPlan, measures: Iterable[str]) -> dict[Column, list[Cell]]:
    """The measures in aligned documents and in training pairs, for each training set."""
    columns = {}
    for scope, sets in _SETS.items():
        there, group = run.at(f"analysis/{corpus.name}", scope), run.label(scope)
        for name in sets:
            column = Column(group, run.label(name), there.signature("rewriting"), scope)
            columns[column] = [there.cell(name, measure) for measure in measures]
    return columns


def _agreement(run: Run, corpus: CorpusPlan) -> str:
    """Say how well the rules find the classes; empty where that was not measured."""
    parts = []
    for scope, units in {"labelled.test": "written for it", "labelled.drawn-test": "drawn from texts"}.items():
        there = partial(run.at(f"analysis/{corpus.name}", scope).text, "classifier")
        number, accuracy, kappa = there("units", ""), there("accuracy", ".0%"), there("kappa", ".2f")
        if not (number and accuracy and kappa):
            return ""
        parts.append(f"{number} units {units}: accuracy {accuracy}, kappa {kappa}")
    found = "; ".join(parts)
    return f"Rules assign the classes, with some errors. Agreement with a reader's labels on held-out units: {found}."


def relations(run: Run) -> Iterator[Table]:
    """The paper prints no numbers for the two figures, only these relations of new to old data; it does not say whether
    they are percent or percentage points. Ours are both: percent of the share on old data, and points with the 95%
    interval. Complex rewrites are deletion or splitting with paraphrase. "Not simpler" cannot be measured here; ours is
    "not aligned" alone. Corpora and judges are others: compare the signs. †: the interval excludes 0.
    """
    for corpus in run.simplified:
        places = {"Figure 2": {scope: run.label(scope) for scope in _SETS}}
        places["Figure 3"] = {name: f"Transformer_bert, test set {name}" for name in run.test_sets(corpus.name)}
        lines, percent, points = [], [], []
        for figure, scopes in places.items():
            printed = run.printed("rewriting.csv", source="Jiang et al. 2020", table=figure, corpus=corpus.kind)
            new, old = ("auto", "old") if figure == "Figure 2" else ("transformer_bert.new", "transformer_bert.old")
            for scope, words in scopes.items():
                there = run.at(f"analysis/{corpus.name}", scope)
                for row in printed.rows:
                    measure = _OURS.get(row["measure"], "")
                    lines.append(Line([figure, words, row["measure"], row["relation"]]))
                    percent.append(_percent(there, measure, new, old))
                    points.append(there.gap(measure, new, old))
        columns = {Column(header="Ours, percent"): percent, Column(header="Ours, points"): points}
        title = f"What the text of Jiang et al. 2020 says of Figures 2 and 3, {run.label(corpus.name)}"
        stub = ("Printed for", "Ours from", "Measure", "Printed")
        key = f"rewriting-relations-{corpus.name}"
        yield from tables(key, title, text_of(relations), stub, lines, columns, folded=True)


def _percent(numbers: Numbers, measure: str, system: str, base: str) -> Cell:
    """A difference in percent of the base."""
    value, below = numbers.value(system, measure), numbers.value(base, measure)
    if value is None or not below:
        return Cell()
    percent = 100 * (value - below) / below
    return Cell(f"{'+' if percent > 0 else ''}{number(percent)}%", percent)


def in_outputs(run: Run) -> Iterator[Table]:
    """The kinds in the outputs, beside Figure 3."""
    for corpus, test_set, numbers, label in test_sets(run):
        shown, lines = all_simplifiers(run, numbers)
        columns = numbers.columns([one.system for one in shown], KINDS, recipe="rewriting")
        sentences, references = numbers.counts("sentences", "references")
        units = f"{sentences} sentences with {references} references each, which count alike."
        text = [f"Percent of the sentences. {units}" if sentences and references else "", RULES, _FIGURE_3]
        key = f"rewriting-outputs-{corpus.name}-{test_set}"
        title = f"Kinds of rewriting in outputs, {label}, beside Figure 3"
        yield from tables(key, title, text, STUB, lines, columns, folded=test_set == "old")


def _coster_kauchak(run: Run, table: str) -> PrintedTable:
    return run.printed("rewriting.csv", source="Coster and Kauchak 2011", table=table)


def sentence_operations(run: Run) -> Iterator[Table]:
    """Percent of the operations; "normal" is the complex side. A connected group of linked sentences is one operation.
    Ours are over whole documents. The paper's are over paragraphs that TF-IDF aligned, so it skips less. "Other" is
    what the paper's aligner cannot do, such as one to three.
    """
    printed = _coster_kauchak(run, "Table 1")
    operations = [*printed.values("measure"), "other"]
    for corpus in run.simplified:
        there = run.at(f"analysis/{corpus.name}", "documents")
        columns = {
            Column(f"{corpus.name}, aligned documents", run.label(name), short=corpus.name): [
                there.cell(name, f"sentence_operations.{operation}") for operation in operations
            ]
            for name in _SETS["documents"]
        }
        columns[_PRINTED] = [printed.cell("percent", measure=operation) for operation in operations]
        key = f"rewriting-sentence-operations-{corpus.name}"
        title = f"Operations on sentences, {run.label(corpus.name)}, beside Table 1 of Coster and Kauchak 2011"
        yield from tables(key, title, text_of(sentence_operations), "Operation", operations, columns, folded=True)


def word_operations(run: Run) -> Iterator[Table]:
    """Operations on words, beside Table 2 of Coster and Kauchak."""
    text = (
        f"{UNITS} Our own aligner links the words. The paper's, GIZA++, also links function words: compare the order, "
        "not the numbers."
    )
    operations = "Aligned units with the operation, percent; they do not exclude each other"
    edits = "Content words of the aligned units, percent; inserted and written: of the simple ones"
    lines = [Line([name], operations) for name in ("rewordings", "deletions", "reorders", "splits", "merges")]
    lines += [Line([name], edits) for name in ("kept", "substituted", "deleted", "moved", "inserted", "written")]
    parts = {operations: "word_operations", edits: "edit_rates"}
    printed = _coster_kauchak(run, "Table 2")
    for corpus in run.simplified:
        columns = _by_set(run, corpus, [f"{parts[line.heading]}.{line.labels[0]}" for line in lines])
        columns[_PRINTED] = [
            printed.cell("percent", measure=line.labels[0]) if line.heading == operations else Cell(is_ours=False)
            for line in lines
        ]
        title = f"Operations on words, {run.label(corpus.name)}, beside Table 2 of Coster and Kauchak 2011"
        key = f"rewriting-word-operations-{corpus.name}"
        yield from tables(key, title, text, "Operation", lines, columns, folded=True)


def rewriting_sources(run: Run) -> Iterator[Figure]:
    """The kinds of rewriting in each corpus, like Figure 2."""
    for corpus in run.simplified:
        at = {scope: run.at(f"analysis/{corpus.name}", scope) for scope in _SETS}
        bars = {
            f"{run.label(scope)}, {run.label(source)}": _shares(numbers, source)
            for scope, numbers in at.items()
            for source in ("manual", *run.plan.training_sets)
            if numbers.value(source, "units") is not None
        }
        title = f"Kinds of rewriting in the corpus {run.label(corpus.name)}, as in Figure 2"
        yield from _bars(f"figure-rewriting-{corpus.name}", title, bars)


def rewriting_outputs(run: Run) -> Iterator[Figure]:
    """The kinds of rewriting in the outputs for each test set, like Figure 3."""
    for corpus, test_set, numbers, label in test_sets(run):
        bars = {}
        for one in simplifiers(run, numbers, "identity", "trained", "reference"):
            names = one.labels(run) if "." in one.system else one.labels(run)[:1]
            bars[", ".join(names)] = _shares(numbers, one.system)
        title = f"Kinds of rewriting in outputs, {label}, as in Figure 3"
        yield from _bars(f"figure-rewriting-{corpus.name}-{test_set}", title, bars)


def _bars(key: str, title: str, bars: dict[str, tuple[float, ...]]) -> Iterator[Figure]:
    if bars:
        text = "In percent; the tables have the intervals. The paper prints no numbers for its shares."
        yield Figure(key, title, text, (draw_bars(key, title, bars, CLASSES),))


def _shares(numbers: Numbers, system: str) -> tuple[float, ...]:
    return tuple(numbers.value(system, measure) or 0.0 for measure in KINDS)


FIGURES = (rewriting_sources, rewriting_outputs)
TABLES = (in_corpora, relations, in_outputs, sentence_operations, word_operations)
