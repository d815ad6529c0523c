"""Tables of sentence alignment: every system, the paper's model part by part, and what is found where."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

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
DIFFERENCE = f"with its 95% interval (paired bootstrap over article sets). {MARKS}"


def prefix(task: str) -> str:
    """Return how columns of data/published begin."""
    return SHORT[task].lower()


def printed_beside(run: Run, corpus: CorpusPlan, split: str) -> PrintedTable:
    """Return the rows of Table 2, 3, 12 or 13 that stand beside a split."""
    return run.printed(corpus.paper.alignment, split=split)


def _paper(corpus: CorpusPlan, split: str, printed: PrintedTable) -> str:
    if not printed.name:
        return ""
    return f"Paper: {corpus.paper.manual_corpus}, {split} split (Jiang et al. 2020, {printed.name})."


def _title(start: str, corpus: CorpusPlan, split: str, printed: PrintedTable) -> str:
    return start + (f" beside {corpus.paper.manual_corpus} {split} ({printed.name})" if printed.name else "")


def _of_task(task: str, parts: Mapping[str, str]) -> dict[str, str]:
    """The measures of a task, with their headers."""
    return {f"{task}.{part}": header for part, header in parts.items()}


def _named(run: Run, systems: Sequence[str]) -> list[Line]:
    return [Line([run.labels.label(name)], run.labels.of_aligner(name, "family")) for name in systems]


def default_aligners(run: Run) -> Iterator[Table]:
    """Each aligner is trained once, on train and dev of all annotated corpora, with one threshold. "Test" is the test
    split of a corpus. "Set aside" is gold, or another aligner's links, on which nothing was chosen. "German" are
    article pairs of this project, from close (1) to free (4); nothing German was trained on. F1 in percent, without
    identical pairs. The calibration error is the mean distance between probability (of 5% and more) and share of true
    links, in percentage points.
    """
    for name in run.plan.default_results:
        results = run.results(f"alignment/{name}")
        rows = [(run.at(f"alignment/{name}", scope), system) for scope in results.scopes() for system in _SHIPPED]
        pairs = [numbers.text("reference", "document_pairs", ",") for numbers, _ in rows]
        lines = [
            Line([numbers.scope, run.labels.label(system), number], block=numbers.scope)
            for (numbers, system), number in zip(rows, pairs, strict=True)
        ]
        columns = {
            Column(words, header, short=task): [numbers.cell(system, f"{task}.{part}") for numbers, system in rows]
            for task, words in TASKS.items()
            for part, header in (PARTS | {"calibration_error": "Calibration error"}).items()
        }
        stub = ("Gold", "System", "Document pairs")
        title = "The aligners that travel with the package"
        yield from tables("default-aligner", title, text_of(default_aligners), stub, lines, columns)


def alignment(run: Run) -> Iterator[Table]:
    """Every system, beside Tables 2, 3, 12 and 13."""
    note = f"F1 minus that of {run.labels.label(_OURS)}, in points, {DIFFERENCE}"
    for corpus in run.annotated:
        for split in SPLITS:
            numbers, printed = run.at(f"alignment/{corpus.name}", split), printed_beside(run, corpus, split)
            ours = fair(run, numbers)
            others = unmatched(run, numbers, printed, corpus.kind)
            columns: dict[Column, list[Cell]] = {}
            for task, words in TASKS.items():
                column = partial(Column, f"{corpus.name}, {words}", short=f"ours {SHORT[task]}")
                for part, header in (PARTS | CURVE).items():
                    cells = numbers.cells(
                        [*ours, *others], f"{task}.{part}", interval=part not in ("precision", "recall")
                    )
                    columns[column(header)] = mark_best(cells) if part == "f1" else cells
                columns[column("ΔF1", note)] = numbers.gaps(f"{task}.f1", [*ours, *others], _OURS)
            names = [*(run.labels.of_aligner(name, "jiang2020", corpus.kind) for name in ours), *others]
            columns |= _printed_columns(corpus, printed, names)
            lines = [*_named(run, ours), *(Line([name], "In the paper only") for name in others)]
            title = _title(f"Alignment, {run.labels.label(corpus.name)} {split}", corpus, split, printed)
            text = [f"Ours: {corpus.name}, {split} split, one run.", _paper(corpus, split, printed), *_ALIGNMENT]
            if vectors := numbers.results.notes.get("word_vectors"):
                text.append(f"Word vectors: {vectors}.")
            key = f"alignment-{corpus.name}-{split}"
            yield from tables(key, title, text, ["System"], lines, columns, folded=split == "dev")


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
    return {
        Column(
            f"{corpus.paper.manual_corpus} (paper), {words}" + (what and f", {what}"),
            header,
            short=f"paper {what and what + ' '}{SHORT[task]}",
        ): [printed.cell(f"{prefix(task)}_{part}", system=name) for name in names]
        for task, words in TASKS.items()
        for part, header in PARTS.items()
    }


def model_parts(run: Run) -> Iterator[Table]:
    """The paper's model, part by part; means over the seeds where there are several."""
    for corpus in run.annotated:
        for split in SPLITS:
            numbers = run.at(run.aligned(corpus.name), split)
            ceiling = run.at(f"alignment/{corpus.name}", split)
            printed = printed_beside(run, corpus, split)
            systems = (*_PARTS_OF_THE_MODEL, *_IN_ITS_PLACE)
            top = "ceiling.one_complex"
            columns: dict[Column, list[Cell]] = {}
            for task, words in TASKS.items():
                column = partial(Column, f"{corpus.name}, {words}", short=f"ours {SHORT[task]}")
                for part, header in PARTS.items():
                    cells = numbers.cells(systems, f"{task}.{part}", interval=part == "f1")
                    reached = ceiling.cell(top, f"{task}.{part}", interval=part == "f1")
                    columns[column(header)] = [*cells, _ALL if part == "precision" else reached]
                gaps = numbers.gaps(f"{task}.f1", systems, _PAPER_MODEL)
                columns[column("ΔF1")] = [*gaps, ceiling.gap(f"{task}.f1", top, _PAPER_MODEL)]
            names = [run.labels.of_aligner(name, "jiang2020", corpus.kind) for name in (*systems, "ceiling")]
            for task, words in TASKS.items():
                paper = Column(f"{corpus.paper.manual_corpus} (paper), F1", words, short=f"paper {SHORT[task]}")
                columns[paper] = [printed.cell(f"{prefix(task)}_f1", system=name) for name in names]
            lines = [Line([run.labels.label(name)], "The model, part by part") for name in _PARTS_OF_THE_MODEL]
            lines += [Line([run.labels.label(name)], "With something else in its place") for name in _IN_ITS_PLACE]
            lines.append(Line(["one partner for each simple sentence"], "Ceiling"))
            seeds = numbers.results.notes.get("seeds")
            text = [
                "F1 in percent. ΔF1 is the difference to the paper's model; †, ‡ as in the claims. The ceiling is a "
                "chain that finds every gold link except those of second partners.",
                f"Means over the training seeds {seeds}." if seeds else "",
                _paper(corpus, split, printed),
            ]
            start = f"Parts of the paper's model, {run.labels.label(corpus.name)} {split}"
            key, title = f"ablation-{corpus.name}-{split}", _title(start, corpus, split, printed)
            yield from tables(key, title, text, ["Model"], lines, columns, folded=split == "dev")


def judged_by_hand(run: Run) -> Iterator[Table]:
    """The paper prints the percentage of a system's links that people judge good or partly good, between two levels of
    an article. Ours is precision in Task 1 against gold links, over all document pairs and by the difference of their
    levels, without identical pairs (the paper does not say). The paper's systems link every simple sentence; ours leave
    out links below a threshold. Corpus and annotation are others: compare the order.
    """
    source = {"source": "Stajner et al. 2017", "unit": "sentence"}
    printed = run.printed("alignment_newsela_human.csv", **source)
    names = printed.values("system")
    ours = [_called(run, "stajner2017", name) for name in names]
    columns = {
        Column(
            "paper: ten English Newsela articles, judged by hand", f"levels {gap.replace('_', '-')}", short="paper"
        ): [printed.cell(f"levels_{gap}", system=name) for name in names]
        for gap in ("0_1", "0_4", "3_4")
    }
    for corpus in run.annotated:
        numbers = run.at(f"alignment/{corpus.name}", "test")
        column = partial(Column, f"{corpus.name} test, precision in Task 1", short=corpus.name)
        columns[column("all")] = numbers.cells(ours, "task1.precision", interval=False)
        for scope, gap in several(slices(numbers, "level_gap")).items():
            if gap in ("1", "4"):
                there = Numbers(numbers.results, scope)
                columns[column(f"gap {gap}")] = there.cells(ours, "task1.precision", interval=False)
    title = "Published elsewhere: links judged by hand (Stajner et al. 2017, Table 2)"
    yield from tables(
        "alignment-human",
        title,
        text_of(judged_by_hand),
        ["System"],
        [Line([name]) for name in names],
        columns,
        folded=True,
    )


def _called(run: Run, paper: str, name: str) -> str:
    """Our system that a paper calls so; empty where there is none."""
    systems = run.labels.alignment_systems
    return next((system for system in systems if run.labels.of_aligner(system, paper) == name), "")


def similarities(run: Run) -> Iterator[Table]:
    """The paper prints fractions on English and Simple English Wikipedia, annotated by Hwang et al. 2015 (G: good, GP:
    good partial, O: other). Ours are in percent: Task 2 stands beside G against O, Task 1 beside G and GP against O.
    MaxF1 is the best F1 of any threshold, AUC the area under the precision-recall curve. The corpora are others:
    compare the order.
    """
    printed = run.printed("sentence_similarity_hwang.csv", source="Kajiwara and Komachi 2016")
    names = printed.values("system")
    ours = [_called(run, "kajiwara2016", name) for name in names]
    beside = {"task2": ("G against O", "G", "good"), "task1": ("G and GP against O", "G+GP", "good_partial")}
    columns = {
        Column(f"paper: EW-SEW, {task}, fractions", header, short=f"paper {short}"): [
            printed.cell(f"{start}_{header.lower()}", system=name) for name in names
        ]
        for task, short, start in beside.values()
        for header in CURVE.values()
    }
    for corpus in run.annotated:
        numbers = run.at(f"alignment/{corpus.name}", "test")
        for task, (_, short, _) in beside.items():
            measures, group = _of_task(task, CURVE), f"{corpus.name} test, {TASKS[task]}, percent"
            columns |= numbers.columns(ours, measures, group, f"{corpus.name} {short}")
    key, title = (
        "alignment-similarities",
        "Published elsewhere: similarities of sentences (Kajiwara and Komachi 2016, Table 1)",
    )
    yield from tables(
        key, title, text_of(similarities), ["System"], [Line([name]) for name in names], columns, folded=True
    )


def gold_paragraphs(run: Run) -> Iterator[Table]:
    """Systems that align paragraphs first, with their own and with the gold ones."""
    for corpus in run.annotated:
        for split in SPLITS:
            numbers, printed = run.at(f"alignment/{corpus.name}", split), printed_beside(run, corpus, split)
            pairs = with_gold(run, numbers)
            columns: dict[Column, list[Cell]] = {}
            for task, words in TASKS.items():
                for place, who in enumerate(("own", "gold")):
                    names, about = (
                        [pair[place] for pair in pairs],
                        (f"{corpus.name}, {words}, {who}", f"{who} {SHORT[task]}"),
                    )
                    columns |= numbers.columns(names, _of_task(task, PARTS), *about, interval=False)
            names = ["Neural CRF aligner + gold ParaAlign" if own == _PAPER_MODEL else "" for own, _ in pairs]
            columns |= _printed_columns(corpus, printed, names, "gold")
            text = [
                "Own: the system aligns the paragraphs. Gold: the gold links align them, which no system could know, "
                "so these numbers are in no other table.",
                _paper(corpus, split, printed),
            ]
            key = f"alignment-gold-{corpus.name}-{split}"
            label = f"{run.labels.label(corpus.name)} {split}"
            title = f"Two-step systems with their own and with gold paragraphs, {label}"
            lines = [Line([run.labels.label(own)]) for own, _ in pairs]
            yield from tables(key, title, text, ["System"], lines, columns, folded=True)


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
    for corpus in run.annotated:
        numbers = run.at(f"alignment/{corpus.name}", "test")
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
        lines += [Line([run.labels.label(name)], "Reached") for name in systems]
        key = f"alignment-ceilings-{corpus.name}"
        title = f"Ceilings of one chain and of two, {run.labels.label(corpus.name)} test"
        yield from tables(key, title, text_of(ceilings), ["Links allowed"], lines, columns, folded=True)


def emissions(run: Run) -> Iterator[Table]:
    """The encoder alone as emission of the CRF, and the ensemble."""
    text = (
        "The CRF sees the output of the fine-tuned pair encoder alone, or lexical and sentence features too. ΔF1 is "
        f"the difference to {run.labels.label(_OURS)}, with its 95% interval. {MARKS}"
    )
    systems = ("neural_crf_paper_emission", _OURS, "neural_crf_ensemble")
    for corpus in run.annotated:
        rows = [(run.at(f"alignment/{corpus.name}", split), system) for split in SPLITS for system in systems]
        columns = {}
        for task, words in TASKS.items():
            column = partial(Column, f"{corpus.name}, {words}", short=SHORT[task])
            for part, header in PARTS.items():
                columns[column(header)] = [numbers.cell(system, f"{task}.{part}") for numbers, system in rows]
            columns[column("ΔF1")] = [numbers.gap(f"{task}.f1", system, _OURS) for numbers, system in rows]
        lines = [Line([run.labels.label(system), there.scope], block=there.scope) for there, system in rows]
        key = f"alignment-emission-{corpus.name}"
        title = f"Emission: encoder alone against the ensemble, {run.labels.label(corpus.name)}"
        yield from tables(key, title, text, ["System", "Split"], lines, columns, folded=True)


def found_by_type(run: Run) -> Iterator[Table]:
    """Recall in Task 1 by type of the gold link: a complex sentence is split (1-n), complex sentences are merged (n-1),
    or both (n-m). "Unaligned" are simple sentences without a link. "With identical" is F1 when identical pairs count.
    The first row has the number of gold links or sentences. The best of a column is bold.
    """
    for corpus in run.annotated:
        numbers = run.at(f"alignment/{corpus.name}", "test")
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
        key = f"alignment-links-{corpus.name}"
        title = f"What the systems find by link type, {run.labels.label(corpus.name)} test"
        lines = [Line(["gold, number"]), *_named(run, systems)]
        yield from tables(key, title, text_of(found_by_type), ["System"], lines, columns, folded=True)


def _counted(run: Run, numbers: Numbers, scope: str, measure: str) -> list[Cell]:
    """How many gold links a slice has, and the measure of each system, if it has any."""
    there = Numbers(numbers.results, scope)
    systems = [name if there.value(name, "task1.gold") else "" for name in fair(run, numbers)]
    number = there.cell("jaccard" if there.value("jaccard", "task1.gold") else "", "task1.gold")
    return [number, *mark_best(there.cells(systems, measure))]


def found_by_overlap(run: Run) -> Iterator[Table]:
    """F1 in Task 1. Word overlap is the Jaccard coefficient of the words of both sentences, without identical pairs;
    level gap is the difference of the reading levels of both documents. The first row has the number of gold links. The
    best of a column is bold.
    """
    for corpus in run.annotated:
        numbers = run.at(f"alignment/{corpus.name}", "test")
        by_overlap, by_gap = slices(numbers, "word_overlap"), several(slices(numbers, "level_gap"))
        named = [Column("word overlap", name, short="overlap") for name in by_overlap.values()]
        named += [Column("level gap", name, short="gap") for name in by_gap.values()]
        scopes = zip(named, (*by_overlap, *by_gap), strict=True)
        columns = {column: _counted(run, numbers, scope, "task1.f1") for column, scope in scopes}
        lines = [Line(["gold, number"]), *_named(run, fair(run, numbers))]
        key = f"alignment-overlap-{corpus.name}"
        title = f"What the systems find by word overlap and level gap, {run.labels.label(corpus.name)} test"
        yield from tables(key, title, text_of(found_by_overlap), ["System"], lines, columns, folded=True)


TABLES = (
    default_aligners, alignment, model_parts, judged_by_hand, similarities, gold_paragraphs, ceilings, emissions,
    found_by_type, found_by_overlap
)  # fmt: skip
