"""Where systems are good: SARI by sentence length, by the kind of rewriting that people do, and by operation."""

from collections.abc import Sequence
from dataclasses import dataclass

from textsimp.reporting.inputs import CorpusResults
from textsimp.reporting.simplification.analysis_cells import (
    EXCLUDES,
    agreement_text,
    difference_of,
    number_of,
    starts_block,
    system_cells,
    system_order,
)
from textsimp.reporting.simplification.analysis_output_tables import SYSTEM
from textsimp.reporting.simplification.analysis_results import (
    INPUT,
    METRICS,
    OPERATIONS,
    AnalysedSet,
    Analysis,
    Subset,
)
from textsimp.reporting.simplification.tables import main_first
from textsimp.reporting.tables import Column, Row, Table, mark_best, number


@dataclass(frozen=True)
class _Scores:
    """One SARI on one test set."""

    corpus: str
    test_set: str
    metric: str
    found: AnalysedSet
    analysis: Analysis

    @property
    def place(self) -> str:
        return f"{self.corpus}, test set {self.test_set}"

    @property
    def signature(self) -> str:
        return self.analysis.signatures[self.metric]

    def key(self, what: str) -> str:
        return f"{self.metric}-{what}-{self.corpus}-{self.test_set}"


def sari_tables(corpus: CorpusResults) -> list[Table]:
    """Tables for each test set and each SARI: by length, by kind, by operation and order."""
    analysis = corpus.analysis
    if analysis is None:
        return []
    tables = []
    for test_set in main_first(analysis.test_sets):
        found = analysis.test_sets[test_set]
        named = [_Scores(corpus.plan.name, test_set, metric, found, analysis) for metric in METRICS]
        tables += [make(scores) for make in (_by_length, _by_kind, _by_order) for scores in named]
    return tables


def _by_length(scores: _Scores) -> Table:
    text = "Bins by the length of the complex sentence in 13a tokens, each with its number of sentences."
    return _by_subset(scores, "length", "by sentence length", text, scores.found.length)


def _by_kind(scores: _Scores) -> Table:
    text = f"By what the first reference does, with the number of sentences. {agreement_text(scores.analysis)}"
    return _by_subset(scores, "kind", "by the kind of rewriting that people do", text, scores.found.kind)


def _by_subset(scores: _Scores, what: str, title: str, text: str, subsets: Sequence[Subset]) -> Table:
    """A column a subset; below the systems the differences of new to old data."""
    metric = scores.metric
    rows, names = [], system_order(scores.found.order[metric])
    for place, name in enumerate(names):
        cells = [number_of(subset.systems.get(metric, {}).get(name)) for subset in subsets]
        rows.append(Row((*system_cells(name), *cells), starts_block(names, place)))
    columns = range(len(SYSTEM), len(SYSTEM) + len(subsets))
    marked = list(mark_best(rows, columns, [name != INPUT for name in names]))
    for place, name in enumerate(system_order(scores.found.new_to_old)):
        cells = [difference_of(subset.new_to_old.get(metric, {}).get(name)) for subset in subsets]
        marked.append(Row((*system_cells(name), *cells), place == 0, "New minus old data" if place == 0 else ""))
    fewest = number(int(scores.analysis.settings["min_sentences"]))
    return Table(
        key=scores.key(what),
        title=f"{METRICS[metric]} {title}, {scores.place}",
        text=f"{text} Intervals are of the bootstrap over a column's sentences; one of fewer than {fewest} has none. "
        f"Bold: the best trained system. Below: the same model on new minus on old data. {EXCLUDES}",
        columns=(*SYSTEM, *(_column(subset, scores.signature) for subset in subsets)),
        rows=tuple(marked),
    )


def _column(subset: Subset, signature: str) -> Column:
    return Column(subset.label, f"n = {number(subset.sentences)}", signature)


def _by_order(scores: _Scores) -> Table:
    """A group of columns for each operation, a column an order."""
    found = scores.found.order[scores.metric]
    rows, names = [], system_order(found)
    orders = max(len(row) for operations in found.values() for row in operations.values())
    for place, name in enumerate(names):
        cells = [number_of(one) for operation in OPERATIONS for one in found[name][operation]]
        rows.append(Row((*system_cells(name), *cells), starts_block(names, place)))
    columns = [
        Column(words, f"n = {order}", scores.signature)
        for words in OPERATIONS.values()
        for order in range(1, orders + 1)
    ]
    places = range(len(SYSTEM), len(SYSTEM) + len(columns))
    return Table(
        key=scores.key("order"),
        title=f"{METRICS[scores.metric]} by operation and length of the n-grams, {scores.place}",
        text="What SARI is the mean of, in percent with 95 percent intervals: n-grams rightly added, kept and deleted. "
        "Bold: the best trained system.",
        columns=(*SYSTEM, *columns),
        rows=mark_best(rows, places, [name != INPUT for name in names]),
    )
