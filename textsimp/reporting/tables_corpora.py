"""Tables of the corpora: what they hold beside Tables 1 and 4, what was left out, and how well they were aligned."""

from collections.abc import Iterator
from itertools import product

from textsimp.reporting.inputs import Numbers, Run
from textsimp.reporting.names import PARTS
from textsimp.reporting.table import MARKS, Column, Line, Table, mark_best, tables, text_of
from textsimp.reporting.tables_alignment import by_task

SETS = ("auto", "old", "authors")
_LENGTHS = "Lengths are in tokens. A dash: not reported."


def statistics(run: Run) -> Iterator[Table]:
    """Yield what the alignments hold, beside Table 1, and the corpora of sentence pairs, beside Table 4."""
    kinds = {"statistics": ("Table 1", "Alignment statistics"), "seq2seq": ("Table 4", "Sentence-pair corpora")}
    for (scope, (table, what)), corpus in product(kinds.items(), run.plan.corpora):
        numbers, paper = run.at(f"corpora/{corpus.name}", scope), corpus.paper
        printed = run.printed("corpus_statistics.csv", source="Jiang et al. 2020", table=table)
        measures = list(dict.fromkeys([*printed.values("statistic"), *numbers.measures]))
        columns = {}
        for one in ("manual", *SETS) if scope == "statistics" else SETS:
            group = f"{corpus.name}, {run.label(one)}"
            columns[Column(group, "ours", short=one)] = [numbers.cell(one, measure) for measure in measures]
            key, beside = (paper.statistics if scope == "statistics" else paper.seq2seq).get(one, ("", ""))
            cells = [printed.cell("value", statistic=measure, corpus=key) for measure in measures]
            columns[Column(group, f"paper: {beside}", short=one)] = cells
        name = paper.manual_corpus if scope == "statistics" else paper.train_sets.get("new", ("", ""))[1]
        text = f"Paper: Jiang et al. 2020, {table}, where it has such a corpus. {_LENGTHS}"
        title = f"{what}, {run.label(corpus.name)}" + (f" beside {table} ({name})" if name else "")
        yield from tables(f"{scope}-{corpus.name}", title, text, "Statistic", measures, columns)


_DROPPED = {
    "filters": (
        "Filters",
        "How many sentence pairs each filter dropped. A pair counts under the first filter that drops it.",
        ("Filter", "dropped pairs"),
    ),
    "leaks": (
        "Training pairs with a sentence of a dev or test set",
        "These pairs were removed from training after all other filters. A pair counts for each set that has a "
        "sentence of it.",
        ("Set", "removed pairs"),
    ),
}


def dropped(run: Run) -> Iterator[Table]:
    """The sentence pairs that filters dropped, and those that were removed as dev or test sets have them."""
    for (scope, (what, text, (stub, pairs))), corpus in product(_DROPPED.items(), run.plan.corpora):
        numbers, title = run.at(f"corpora/{corpus.name}", scope), f"{what}, {run.label(corpus.name)}"
        columns = {
            Column(f"{corpus.name}, {pairs}", run.label(one)): [numbers.cell(one, m) for m in numbers.measures]
            for one in SETS
        }
        yield from tables(f"{scope}-{corpus.name}", title, text, stub, numbers.measures, columns, folded=True)


def audit(run: Run) -> Iterator[Table]:
    """The reference is gold on which nothing was chosen (sample and generated articles), or the release's own links,
    made by its authors' aligner: then the numbers are agreement, not quality. In percent, without identical pairs.
    """
    note = f"F1 minus that of the CRF aligner, with its 95% interval (paired bootstrap over article sets). {MARKS}"
    aligners = {"auto": "CRF aligner (auto)", "old": "JaccardAlign (old)"}
    rows = [
        (corpus, run.at(f"audit/{corpus.name}", "articles"), name) for corpus in run.plan.corpora for name in aligners
    ]
    columns = by_task([row[1:] for row in rows], base="auto", note=note)
    lines = []
    for corpus, there, name in rows:
        pairs = there.text("reference", "document_pairs", ",")
        lines.append(Line([run.label(corpus.name), aligners[name], pairs], block=corpus.name))
    title = "Automatic alignments held against what is known of the same articles"
    stub = ("Corpus", "Aligned by", "Document pairs")
    yield from tables("audit-alignments", title, text_of(audit), stub, lines, columns)


def paragraphs(run: Run) -> Iterator[Table]:
    """Gold paragraph pairs are OneStopQA's. "Merged" are its own articles, where every paragraph has one partner, in
    order; "original" are the same articles before paragraphs were merged or left out. Algorithms 2 and 4 use the
    trained aligner's probability of a link. Two-step systems are fitted on the aligner's tuning sentences. In percent.
    """
    note = (
        "F1 minus that of the algorithm as trained, with its 95% interval (paired bootstrap over document pairs). "
        f"{MARKS}"
    )
    for corpus in run.plan.corpora:
        if not corpus.has_paragraphs:
            continue
        results = run.results(f"paragraphs/{corpus.name}")
        systems = [name for name in results.systems("original") if name != "gold"]
        columns = {}
        for scope in results.scopes():
            there, group = Numbers(results, scope), run.label(scope)
            for part, header in PARTS.items():
                columns[Column(group, header, short=scope)] = there.cells(systems, part)
            columns[Column(group, "F1", short=scope)] = mark_best(there.cells(systems, "f1"))
            columns[Column(group, "ΔF1", note, scope)] = [there.gap("f1", name, "trained") for name in systems]
        title = f"Paragraph alignment, {run.label(corpus.name)}"
        names = [run.label(name) for name in systems]
        yield from tables(f"paragraphs-{corpus.name}", title, text_of(paragraphs), "Paragraphs by", names, columns)


TABLES = (statistics, dropped)
