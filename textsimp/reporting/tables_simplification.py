"""Tables of simplification: SARI beside Tables 5 and 8, what the outputs are like, and SARI by slices."""

from collections.abc import Iterator, Sequence
from functools import partial

from textsimp.metrics.degenerate import NOTE, note_of
from textsimp.reporting.compared_systems import Simplifier, new_and_old, simplifiers, slices
from textsimp.reporting.inputs import Numbers, Run
from textsimp.reporting.names import ABOUT
from textsimp.reporting.plan import CorpusPlan
from textsimp.reporting.table import MARKS, Cell, Column, Line, Table, mark_best, tables, words

STUB = ("System", "Trained on")
PRINTED_MEASURES = {"sari.add": "add", "sari.keep": "keep", "sari.del": "del", "fk": "FK", "len": "Len"}
"""What stands beside SARI in Tables 5 and 8."""
_BASE = "editnts.new"
RULES = "Rules assign the classes, with some errors (see the table of the corpus)."


def test_sets(run: Run, stage: str = "analysis") -> Iterator[tuple[CorpusPlan, str, Numbers, str]]:
    """Yield each corpus with each of its test sets, what a stage found there, and the words of both for a title."""
    for corpus in run.simplified:
        for name in run.test_sets(corpus.name):
            yield corpus, name, run.at(f"{stage}/{corpus.name}", name), f"{run.label(corpus.name)}, test set {name}"


def all_simplifiers(
    run: Run, numbers: Numbers, which: Sequence[str] = ("identity", "trained", "reference")
) -> tuple[list[Simplifier], list[Line]]:
    """Return the input, the trained systems and the references, or those `which` of them, with their rows."""
    systems = simplifiers(run, numbers, *which)
    blocks = {"identity": "", "reference": "people"}
    return systems, [Line(one.labels(run), block=blocks.get(one.system, one.training)) for one in systems]


def _ranked(numbers: Numbers, systems: Sequence[Simplifier]) -> list[bool]:
    """Return which systems may be the best."""
    return [one.training != "none" and not numbers.is_degenerate(one.system) for one in systems]


def simplification(run: Run) -> Iterator[Table]:
    """Every system, beside Tables 5 and 8."""
    marks = f"with its 95% interval (paired bootstrap over sentences). {MARKS}"
    base = f"SARI per sentence minus that of {run.label(_BASE)}, new data, {marks}"
    old = "SARI per sentence minus that of the same model on old data, with its 95% interval and marks as before."
    for corpus, test_set, numbers, label in test_sets(run, "simplification"):
        paper, (shown, lines) = corpus.paper, all_simplifiers(run, numbers)
        systems, ranked = [one.system for one in shown], _ranked(numbers, shown)
        column, score = partial(Column, f"{corpus.name}, {test_set}", short="ours"), partial(numbers.cells, systems)
        columns = {column("SARI", numbers.signature("sari")): mark_best(score("sari"), ranked)}
        columns[column("ΔSARI", base)] = [numbers.gap("sari", system, _BASE) for system in systems]
        columns[column("new - old", old)] = [numbers.gap("sari", one.system, f"{one.model}.old") for one in shown]
        columns |= numbers.columns(systems, PRINTED_MEASURES, f"{corpus.name}, {test_set}", "ours", interval=False)
        there, name = paper.test_set(test_set)
        printed = run.printed(paper.simplification, test_set=there)
        note = f"As printed in Jiang et al. 2020, {paper.table}: SARI per sentence on another test set, with other "
        note += "training data."
        rows = [{"system": run.label(one.model), "train_set": paper.train_set(one.training)} for one in shown]
        for measure, header in {"sari": "SARI", **PRINTED_MEASURES}.items():
            paper_column = Column(f"{name} (paper)", header, note, "paper")
            columns[paper_column] = [printed.cell(measure.removeprefix("sari."), **row) for row in rows]
        beyond = partial(Column, f"{corpus.name}, {test_set}, not in the paper", short="ours")
        for measure, header in {"sari_corpus": "corpus SARI", "bleu": "BLEU"}.items():
            columns[beyond(header, numbers.signature(measure))] = mark_best(score(measure), ranked)
        title = f"Simplification, {label}" + (f" beside {paper.table} ({name})" if name else "")
        key = f"simplification-{corpus.name}-{test_set}"
        yield from tables(key, title, _about(corpus, test_set), STUB, lines, columns)


def _about(corpus: CorpusPlan, test_set: str) -> list[str]:
    paper, (_, name) = corpus.paper, corpus.paper.test_set(test_set)
    trained = {training: name for training, (_, name) in paper.train_sets.items()}
    return [
        ABOUT.get(corpus.name, ""),
        f"Ours: {corpus.name}, test set {test_set}. New training data come from the CRF aligner, old ones from "
        "JaccardAlign or a release.",
        name
        and f"Paper: {name} (Jiang et al. 2020, {paper.table}). Its new training data are {trained['new']}, its old "
        f"ones {trained['old']}.",
        "The best system that has learned is bold. Small numbers are 95% intervals (bootstrap over sentences).",
        "Another table says what the outputs are like.",
    ]


def outputs(run: Run) -> Iterator[Table]:
    """Yield whether the outputs are those of systems that have learned."""
    measures = {f"outputs.{name}": name for name in ("distinct", "copies", "empty", "overlong", "looping", "flawed")}
    measures["outputs.overlong"] = "over-long"
    for corpus, test_set, numbers, label in test_sets(run, "simplification"):
        shown, lines = all_simplifiers(run, numbers)
        systems, notes = [one.system for one in shown], numbers.results.notes
        columns = numbers.columns(systems, measures)
        columns[Column(header="learned")] = [_learned(numbers, one) for one in shown]
        limits = notes.get(NOTE, "")
        text = [
            ABOUT.get(corpus.name, ""),
            "Percent of the outputs (distinct: of the distinct inputs). In looping outputs pairs of neighbouring words "
            "repeat. Flawed outputs are copied, empty, over-long or looping. People: the mean over the references.",
            f"A system has not learned, and is no side of a claim, with {limits}." if limits else "",
        ]
        key, title = f"outputs-{corpus.name}-{test_set}", f"What the outputs are like, {label}"
        yield from tables(key, title, text, STUB, lines, columns)


def _learned(numbers: Numbers, one: Simplifier) -> Cell:
    """Say whether a system has learned, and why not; a dash where nobody looked."""
    if one.training == "none":
        return words("", is_ours=True)
    why = numbers.results.notes.get(note_of(numbers.scope, one.system))
    return words(f"no: {why}" if why else "yes" if NOTE in numbers.results.notes else "", "void" if why else "", True)


def by_slice(run: Run) -> Iterator[Table]:
    """SARI by the length of the complex sentence."""
    for corpus, test_set, numbers, label in test_sets(run):
        shown, lines = all_simplifiers(run, numbers, ("identity", "trained"))
        pairs = new_and_old(run, numbers)
        columns = {}
        for scope, name in slices(numbers, "length").items():
            there = Numbers(numbers.results, scope)
            count = int(there.value("reference", "sentences") or 0)
            scores = there.cells([one.system for one in shown], "sari")
            gaps = [there.gap("sari", new.system, old.system) for new, old in pairs]
            column = Column(name, f"n = {count:,}", there.signature("sari"))
            columns[column] = [*mark_best(scores, _ranked(numbers, shown)), *gaps]
        lines += [Line(old.labels(run), "New minus old data") for _, old in pairs]
        least = numbers.results.notes.get("min_sentences", "")
        text = [
            "By the length of the complex sentence in 13a tokens; n is the number of sentences.",
            least and _INTERVALS.format(least),
        ]
        title = f"SARI per sentence by sentence length, {label}"
        yield from tables(f"sari-length-{corpus.name}-{test_set}", title, text, STUB, lines, columns, folded=True)


_INTERVALS = (
    "Intervals are 95% (bootstrap over a column's sentences); a column of fewer than {} has none. The best trained "
    "system is bold. The last rows are a model's SARI on new data minus that on old. †: the interval excludes 0."
)


TABLES = (by_slice, simplification, outputs)
