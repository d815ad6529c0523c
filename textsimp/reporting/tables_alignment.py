"""Tables of sentence alignment: every system, the paper's model part by part, and what is found where."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import product

from textsimp.core.results import Estimate
from textsimp.reporting.compared_systems import fair, several, slices, unmatched, with_gold
from textsimp.reporting.inputs import Numbers, PrintedTable, Run
from textsimp.reporting.names import CURVE, PARTS, SHORT, TASKS
from textsimp.reporting.plan import CorpusPlan
from textsimp.reporting.table import MARKS, Cell, Column, Line, Table, estimate_cell, mark_best, tables, text_of

SPLITS = ("test", "dev")
_PAPER_MODEL, _OURS = "neural_crf_paper", "neural_crf"
_PARTS_OF_THE_MODEL = ("bert_embedding", "bertscore", "bert_finetune", "bert_finetune_paraalign", _PAPER_MODEL)
_IN_ITS_PLACE = ("neural_crf_paper_gold_paragraphs", "neural_crf_release", "neural_crf_viterbi", _OURS)
_SHIPPED = ("frozen_crf", "frozen_crf_words")
_ALL = estimate_cell(Estimate(100.0))


def prefix(task: str) -> str:
    """Return how columns of data/published begin."""
    return SHORT[task].lower()


def printed_beside(run: Run, corpus: CorpusPlan, split: str) -> PrintedTable:
    """Return the rows of Table 2, 3, 12 or 13 that stand beside a split."""
    return run.printed(corpus.paper.alignment, split=split)


def by_task(
    rows: Sequence[tuple[Numbers, str]],
    group: str = "{words}",
    short: str = "{task}",
    parts: Mapping[str, str] = PARTS,
    plain: Collection[str] = (),
    base: str = "",
    note: str = "",
) -> dict[Column, list[Cell]]:
    """Return columns for each task: its parts, and how far F1 is above that of a base, if one is given.

    Args:
        rows: where the numbers of each row are, and of which system.
        group, short: of the columns; `{words}`, `{task}` and `{short}` are the names of the task.
        plain: the parts without their intervals.
        note: of the difference.
    """
    columns = {}
    for task, words in TASKS.items():
        names = {"words": words, "task": task, "short": SHORT[task]}
        column = partial(Column, group.format(**names), short=short.format(**names))
        for part, header in parts.items():
            measure, interval = f"{task}.{part}", part not in plain
            columns[column(header)] = [there.cell(name, measure, interval=interval) for there, name in rows]
        if base:
            columns[column("ΔF1", note)] = [there.gap(f"{task}.f1", name, base) for there, name in rows]
    return columns


def _of_splits(run: Run) -> Iterator[tuple[CorpusPlan, str, PrintedTable, str, str]]:
    """Yield each corpus and split, what is printed, and words for a title, without and with what they stand beside."""
    for corpus, split in product(run.annotated, SPLITS):
        printed, label = printed_beside(run, corpus, split), f"{run.label(corpus.name)} {split}"
        beside = f" beside {corpus.paper.manual_corpus} {split} ({printed.name})" if printed.name else ""
        yield corpus, split, printed, label, label + beside


def _of_test(run: Run) -> Iterator[tuple[CorpusPlan, Numbers, str]]:
    """Each annotated corpus with its numbers on the test split, and the words of both for a title."""
    for corpus in run.annotated:
        yield corpus, run.at(f"alignment/{corpus.name}", "test"), f"{run.label(corpus.name)} test"


def _paper(corpus: CorpusPlan, split: str, printed: PrintedTable) -> str:
    text = f"Paper: {corpus.paper.manual_corpus}, {split} split (Jiang et al. 2020, {printed.name})."
    return text if printed.name else ""


def _named(run: Run, systems: Sequence[str]) -> list[Line]:
    return [Line([run.label(name)], run.of_aligner(name, "family")) for name in systems]


def default_aligners(run: Run) -> Iterator[Table]:
    """Each aligner is trained once, on train and dev of all annotated corpora and, unless the experiment says
    otherwise, on everyday texts of this project in English and German, with one threshold. "Test" is the test split of
    a corpus. "Set aside" is gold, or another aligner's links, on which nothing was chosen. "Everyday" are letters,
    leaflets, news and other texts of this project, written apart from those. "German" are older article pairs, from
    close (1) to free (4). F1 in percent, without identical pairs. The calibration error is the mean distance between
    probability (of 5% and more) and share of true links, in percentage points.
    """
    for name in run.plan.default_results:
        scopes = run.results(f"alignment/{name}").scopes()
        rows = [(run.at(f"alignment/{name}", scope), system) for scope in scopes for system in _SHIPPED]
        lines = [
            Line([there.scope, run.label(system), there.text("reference", "document_pairs", ",")], block=there.scope)
            for there, system in rows
        ]
        columns = by_task(rows, parts=PARTS | {"calibration_error": "Calibration error"})
        stub = ("Gold", "System", "Document pairs")
        title = "The aligners that travel with the package"
        yield from tables("default-aligner", title, text_of(default_aligners), stub, lines, columns)


def alignment(run: Run) -> Iterator[Table]:
    """Every system, beside Tables 2, 3, 12 and 13."""
    note = f"F1 minus that of {run.label(_OURS)}, in points, "
    note += f"with its 95% interval (paired bootstrap over article sets). {MARKS}"
    for corpus, split, printed, _, label in _of_splits(run):
        numbers = run.at(f"alignment/{corpus.name}", split)
        ours, others = fair(run, numbers), unmatched(run, numbers, printed, corpus.kind)
        rows, group = [(numbers, name) for name in (*ours, *others)], f"{corpus.name}, {{words}}"
        columns = by_task(rows, group, "ours {short}", PARTS | CURVE, ("precision", "recall"), _OURS, note)
        columns = {column: mark_best(cells) if column.header == "F1" else cells for column, cells in columns.items()}
        names = [*(run.of_aligner(name, "jiang2020", corpus.kind) for name in ours), *others]
        columns |= _printed_columns(corpus, printed, names)
        lines = [*_named(run, ours), *(Line([name], "In the paper only") for name in others)]
        vectors = numbers.results.notes.get("word_vectors")
        text = [f"Ours: {corpus.name}, {split} split, one run.", _paper(corpus, split, printed), *_ALIGNMENT]
        text += [f"Word vectors: {vectors}."] if vectors else []
        key, title = f"alignment-{corpus.name}-{split}", f"Alignment, {label}"
        yield from tables(key, title, text, "System", lines, columns, folded=split == "dev")


_ALIGNMENT = (
    "In percent, micro-averaged over the split, without identical pairs. Task 1: aligned and partially aligned against "
    "the rest. Task 2: aligned against the rest. MaxF1 is the best F1 of any threshold, AUC the area under the "
    "precision-recall curve. Small numbers are 95% intervals (bootstrap over article sets). The best F1 is bold.",
    'The paper\'s model, neural_crf_paper, is the row that ends in "as in the paper". The other rows of the neural CRF '
    "aligner change a part of it.",
    "Paragraph alignment has no effect where its thresholds are lower than that of links (docs/aligners.md).",
)


def _printed_columns(
    corpus: CorpusPlan, printed: PrintedTable, names: Sequence[str], what: str = ""
) -> dict[Column, list[Cell]]:
    """Precision, recall and F1 as the paper prints them for the systems that it calls so."""
    columns = {}
    for task, words in TASKS.items():
        group = f"{corpus.paper.manual_corpus} (paper), {words}" + (what and f", {what}")
        short = f"paper {what and what + ' '}{SHORT[task]}"
        for part, header in PARTS.items():
            cells = [printed.cell(f"{prefix(task)}_{part}", system=name) for name in names]
            columns[Column(group, header, short=short)] = cells
    return columns


def model_parts(run: Run) -> Iterator[Table]:
    """The paper's model, part by part; means over the seeds where there are several."""
    systems = (*_PARTS_OF_THE_MODEL, *_IN_ITS_PLACE)
    for corpus, split, printed, _, label in _of_splits(run):
        numbers, ceiling = run.at(run.aligned(corpus.name), split), run.at(f"alignment/{corpus.name}", split)
        rows = [*((numbers, name) for name in systems), (ceiling, "ceiling.one_complex")]
        group, plain = f"{corpus.name}, {{words}}", ("precision", "recall")
        columns = by_task(rows, group, "ours {short}", plain=plain, base=_PAPER_MODEL)
        for column, cells in columns.items():
            if column.header == PARTS["precision"]:
                cells[-1] = _ALL
        names = [run.of_aligner(name, "jiang2020", corpus.kind) for name in (*systems, "ceiling")]
        for task, words in TASKS.items():
            paper = Column(f"{corpus.paper.manual_corpus} (paper), F1", words, short=f"paper {SHORT[task]}")
            columns[paper] = [printed.cell(f"{prefix(task)}_f1", system=name) for name in names]
        lines = [Line([run.label(name)], "The model, part by part") for name in _PARTS_OF_THE_MODEL]
        lines += [Line([run.label(name)], "With something else in its place") for name in _IN_ITS_PLACE]
        lines.append(Line(["one partner for each simple sentence"], "Ceiling"))
        seeds = numbers.results.notes.get("seeds")
        text = [
            "F1 in percent. ΔF1 is the difference to the paper's model; †, ‡ as in the claims. The ceiling is a "
            "chain that finds every gold link except those of second partners.",
            f"Means over the training seeds {seeds}." if seeds else "",
            _paper(corpus, split, printed),
        ]
        title = f"Parts of the paper's model, {label}"
        yield from tables(f"ablation-{corpus.name}-{split}", title, text, "Model", lines, columns, split == "dev")


def judged_by_hand(run: Run) -> Iterator[Table]:
    """The paper prints the percentage of a system's links that people judge good or partly good, between two levels of
    an article. Ours is precision in Task 1 against gold links, over all document pairs and by the difference of their
    levels, without identical pairs (the paper does not say). The paper's systems link every simple sentence; ours leave
    out links below a threshold. Corpus and annotation are others: compare the order.
    """
    where = {"source": "Stajner et al. 2017", "unit": "sentence"}
    printed, names, ours = _elsewhere(run, "stajner2017", "alignment_newsela_human.csv", **where)
    paper = partial(Column, "paper: ten English Newsela articles, judged by hand", short="paper")
    columns = {
        paper(f"levels {gap.replace('_', '-')}"): [printed.cell(f"levels_{gap}", system=name) for name in names]
        for gap in ("0_1", "0_4", "3_4")
    }
    for corpus, numbers, _ in _of_test(run):
        column = partial(Column, f"{corpus.name} test, precision in Task 1", short=corpus.name)
        columns[column("all")] = numbers.cells(ours, "task1.precision", interval=False)
        for scope, gap in several(slices(numbers, "level_gap")).items():
            if gap in ("1", "4"):
                there = Numbers(numbers.results, scope)
                columns[column(f"gap {gap}")] = there.cells(ours, "task1.precision", interval=False)
    title = "Published elsewhere: links judged by hand (Stajner et al. 2017, Table 2)"
    yield from tables("alignment-human", title, text_of(judged_by_hand), "System", names, columns, folded=True)


def _elsewhere(run: Run, paper: str, file: str, **where: str) -> tuple[PrintedTable, list[str], list[str]]:
    """Return what another paper prints, its names of the systems, and our keys of them, empty where there is none."""
    called = {run.of_aligner(system, paper): system for system in reversed(run.labels.alignment_systems)}
    printed = run.printed(file, **where)
    names = printed.values("system")
    return printed, names, [called.get(name, "") for name in names]


def similarities(run: Run) -> Iterator[Table]:
    """The paper prints fractions on English and Simple English Wikipedia, annotated by Hwang et al. 2015 (G: good, GP:
    good partial, O: other). Ours are in percent: Task 2 stands beside G against O, Task 1 beside G and GP against O.
    MaxF1 is the best F1 of any threshold, AUC the area under the precision-recall curve. The corpora are others:
    compare the order.
    """
    source = "Kajiwara and Komachi 2016"
    printed, names, ours = _elsewhere(run, "kajiwara2016", "sentence_similarity_hwang.csv", source=source)
    beside = {"task2": ("G against O", "G", "good"), "task1": ("G and GP against O", "G+GP", "good_partial")}
    columns = {
        Column(f"paper: EW-SEW, {task}, fractions", header, short=f"paper {short}"): [
            printed.cell(f"{start}_{header.lower()}", system=name) for name in names
        ]
        for task, short, start in beside.values()
        for header in CURVE.values()
    }
    for (corpus, numbers, _), (task, (_, short, _)) in product(_of_test(run), beside.items()):
        measures = {f"{task}.{part}": header for part, header in CURVE.items()}
        group = f"{corpus.name} test, {TASKS[task]}, percent"
        columns |= numbers.columns(ours, measures, group, f"{corpus.name} {short}")
    title = "Published elsewhere: similarities of sentences (Kajiwara and Komachi 2016, Table 1)"
    yield from tables("alignment-similarities", title, text_of(similarities), "System", names, columns, folded=True)


def gold_paragraphs(run: Run) -> Iterator[Table]:
    """Systems that align paragraphs first, with their own and with the gold ones."""
    for corpus, split, printed, label, _ in _of_splits(run):
        numbers = run.at(f"alignment/{corpus.name}", split)
        pairs = with_gold(run, numbers)
        columns: dict[Column, list[Cell]] = {}
        for (task, words), (place, who) in product(TASKS.items(), enumerate(("own", "gold"))):
            measures = {f"{task}.{part}": header for part, header in PARTS.items()}
            systems, group = [pair[place] for pair in pairs], f"{corpus.name}, {words}, {who}"
            columns |= numbers.columns(systems, measures, group, f"{who} {SHORT[task]}", interval=False)
        names = ["Neural CRF aligner + gold ParaAlign" if own == _PAPER_MODEL else "" for own, _ in pairs]
        columns |= _printed_columns(corpus, printed, names, "gold")
        text = [
            "Own: the system aligns the paragraphs. Gold: the gold links align them, which no system could know, "
            "so these numbers are in no other table.",
            _paper(corpus, split, printed),
        ]
        key, title = f"alignment-gold-{corpus.name}-{split}", "Two-step systems with their own and with gold paragraphs"
        lines = [run.label(own) for own, _ in pairs]
        yield from tables(key, f"{title}, {label}", text, "System", lines, columns, folded=True)


def ceilings(run: Run) -> Iterator[Table]:
    """How many gold links an aligner can find at most, if its links are restricted in this way; without identical
    pairs. The paper's CRF is one chain, which cannot find all links of merges (n-1) and fusions (n-m). Below is what is
    reached by one chain with Viterbi, by two chains with the same precision on dev, and by the configured decoding.
    """
    kinds = {
        "ceiling.one_complex": "one complex sentence for each simple one (one chain)",
        "ceiling.one_simple": "one simple sentence for each complex one (a chain the other way)",
        "ceiling.one_to_one": "one to one",
        "ceiling.either": "each link from one of both chains (two chains)",
    }
    systems = ("neural_crf_one_chain", "neural_crf_precise", _OURS)
    for corpus, numbers, label in _of_test(run):
        cells = partial(numbers.cells, interval=False)
        columns = {}
        for task, words in TASKS.items():
            column = partial(Column, f"{corpus.name}, {words}", short=SHORT[task])
            gold = numbers.cell("ceiling.either", f"{task}.gold")
            columns[column("links")] = [gold, *numbers.cells((*kinds, *systems), f"{task}.links")]
            columns[column("P")] = [*[_ALL] * (1 + len(kinds)), *cells(systems, f"{task}.precision")]
            columns[column("R")] = [_ALL, *cells((*kinds, *systems), f"{task}.recall")]
            columns[column("F1")] = [_ALL, *cells((*kinds, *systems), f"{task}.f1")]
        lines = [Line([kind], "Ceilings") for kind in ("any number of links (gold)", *kinds.values())]
        lines += [Line([run.label(name)], "Reached") for name in systems]
        key, title = f"alignment-ceilings-{corpus.name}", f"Ceilings of one chain and of two, {label}"
        yield from tables(key, title, text_of(ceilings), "Links allowed", lines, columns, folded=True)


def emissions(run: Run) -> Iterator[Table]:
    """The encoder alone as emission of the CRF, and the ensemble."""
    text = (
        "The CRF sees the output of the fine-tuned pair encoder alone, or lexical and sentence features too. ΔF1 is "
        f"the difference to {run.label(_OURS)}, with its 95% interval. {MARKS}"
    )
    systems = ("neural_crf_paper_emission", _OURS, "neural_crf_ensemble")
    for corpus in run.annotated:
        rows = [(run.at(f"alignment/{corpus.name}", split), system) for split in SPLITS for system in systems]
        columns = by_task(rows, f"{corpus.name}, {{words}}", "{short}", base=_OURS)
        lines = [Line([run.label(system), there.scope], block=there.scope) for there, system in rows]
        title = f"Emission: encoder alone against the ensemble, {run.label(corpus.name)}"
        key = f"alignment-emission-{corpus.name}"
        yield from tables(key, title, text, ["System", "Split"], lines, columns, folded=True)


def found_by_type(run: Run) -> Iterator[Table]:
    """Recall in Task 1 by type of the gold link: a complex sentence is split (1-n), complex sentences are merged (n-1),
    or both (n-m). "Unaligned" are simple sentences without a link. "With identical" is F1 when identical pairs count.
    The first row has the number of gold links or sentences. The best of a column is bold.
    """
    for corpus, numbers, label in _of_test(run):
        columns = {
            Column("recall, Task 1", kind, short="R"): _counted(run, numbers, f"test/link_type={kind}", "task1.recall")
            for kind in ("1-1", "1-n", "n-1", "n-m")
        }
        systems = fair(run, numbers)
        for part, header in PARTS.items():
            cells = mark_best(numbers.cells(systems, f"unaligned.{part}"))
            columns[Column("unaligned", header)] = [numbers.cell("jaccard", "unaligned.gold"), *cells]
        identical = Numbers(numbers.results, "test/with_identical")
        for task, words in TASKS.items():
            cells = mark_best(identical.cells(systems, f"{task}.f1"))
            columns[Column("F1 with identical", words, short="with identical")] = [Cell(), *cells]
        lines = [Line(["gold, number"]), *_named(run, systems)]
        key, title = f"alignment-links-{corpus.name}", f"What the systems find by link type, {label}"
        yield from tables(key, title, text_of(found_by_type), "System", lines, columns, folded=True)


def _counted(run: Run, numbers: Numbers, scope: str, measure: str) -> list[Cell]:
    """Count the gold links of a slice, and return the measure of each system, if it has any."""
    there = Numbers(numbers.results, scope)
    systems = [name if there.value(name, "task1.gold") else "" for name in fair(run, numbers)]
    number = there.cell("jaccard" if there.value("jaccard", "task1.gold") else "", "task1.gold")
    return [number, *mark_best(there.cells(systems, measure))]


def found_by_overlap(run: Run) -> Iterator[Table]:
    """F1 in Task 1. Word overlap is the Jaccard coefficient of the words of both sentences, without identical pairs;
    level gap is the difference of the reading levels of both documents. The first row has the number of gold links. The
    best of a column is bold.
    """
    for corpus, numbers, label in _of_test(run):
        kinds = {"word overlap": slices(numbers, "word_overlap"), "level gap": several(slices(numbers, "level_gap"))}
        columns = {
            Column(group, name, short=group.split()[1]): _counted(run, numbers, scope, "task1.f1")
            for group, scopes in kinds.items()
            for scope, name in scopes.items()
        }
        lines = [Line(["gold, number"]), *_named(run, fair(run, numbers))]
        title = f"What the systems find by word overlap and level gap, {label}"
        key = f"alignment-overlap-{corpus.name}"
        yield from tables(key, title, text_of(found_by_overlap), "System", lines, columns, folded=True)


TABLES = (
    default_aligners, alignment, model_parts, judged_by_hand, similarities, gold_paragraphs, ceilings, emissions,
    found_by_type, found_by_overlap
)  # fmt: skip
