"""What alignment systems find by kind of link, the ceilings of chains, and what the ensemble emission brings."""

from collections.abc import Callable, Iterable, Sequence

from textsimp.reporting.alignment.names import CRF, ONE_CHAIN, PRECISE, by_family, emission_pair
from textsimp.reporting.alignment.results import LINK_TYPES, MEASURES, SPLITS, TASKS, Found
from textsimp.reporting.alignment.tables import HEADERS, SHORT, TASK_NAMES, base_label, difference_cell, score_cells
from textsimp.reporting.inputs import CorpusResults
from textsimp.reporting.tables import MARKS, Cell, Column, Row, Table, mark_best, number_cell, text_cell

CEILING_NAMES = {
    "one_complex": "one complex sentence for each simple one (one chain)",
    "one_simple": "one simple sentence for each complex one (a chain the other way)",
    "one_to_one": "one to one",
    "either": "each link from one of both chains (two chains)",
}
_TEST = "test"

Kind = tuple[Column, Callable[[Found], tuple[float, float | None]]]
"""A column, and what it shows of a system: the number of gold links, and the score."""


def link_table(corpus: CorpusResults) -> Table:
    """Recall by link type, unaligned sentences, and F1 with identical pairs, on the test split."""
    kinds = [_link_type(kind) for kind in LINK_TYPES]
    kinds += [_unaligned(measure) for measure in MEASURES]
    kinds += [_with_identical(task) for task in TASKS]
    return _kinds_table(
        corpus,
        kinds,
        key="links",
        title=f"What the systems find by link type, {corpus.plan.name} {_TEST}",
        text="Recall in Task 1 by type of the gold link: 1-n a complex sentence that is split, n-1 complex sentences "
        "that are merged, n-m both. Unaligned: simple sentences without any link. With identical: F1 when identical "
        "pairs count too.",
    )


def overlap_table(corpus: CorpusResults) -> Table:
    """F1 of Task 1 by word overlap and by level gap (where there are several), on the test split."""
    found = next(iter(corpus.alignment.found[_TEST].values()), None)
    bins = [] if found is None else [_overlap(place, *row[:2]) for place, row in enumerate(found.word_overlap)]
    gaps = sorted({gap for one in corpus.alignment.found[_TEST].values() for gap in one.level_gap})
    return _kinds_table(
        corpus,
        [*bins, *map(_gap, gaps if len(gaps) > 1 else [])],
        key="overlap",
        title=f"What the systems find by word overlap and level gap, {corpus.plan.name} {_TEST}",
        text="F1 in Task 1. Word overlap: the Jaccard coefficient of the words of both sentences, identical pairs left "
        "out. Level gap: the difference of the reading levels of both documents.",
    )


def _link_type(kind: str) -> Kind:
    return Column("recall, Task 1", kind, short="R"), lambda found: _where_gold(found.link_types[kind], "recall")


def _unaligned(measure: str) -> Kind:
    return Column("unaligned", HEADERS[measure]), lambda found: _where_gold(found.unaligned, measure)


def _with_identical(task: str) -> Kind:
    column = Column("F1 with identical", TASK_NAMES[task], short="with identical")
    return column, lambda found: (0, found.with_identical[task]["f1"])


def _overlap(place: int, start: float, end: float) -> Kind:
    column = Column("word overlap", f"{start:.1f}-{end:.1f}", short="overlap")
    return column, lambda found: _where_gold(found.word_overlap[place][2]["task1"], "f1")


def _gap(gap: int) -> Kind:
    def score(found: Found) -> tuple[float, float | None]:
        return _where_gold(found.level_gap[gap]["task1"], "f1") if gap in found.level_gap else (0, None)

    return Column("level gap", str(gap), short="gap"), score


def _where_gold(scores: dict[str, float], measure: str) -> tuple[float, float | None]:
    """The number of gold links, and a score; none without gold links."""
    return scores["gold"], scores[measure] if scores["gold"] else None


def _kinds_table(corpus: CorpusResults, kinds: Sequence[Kind], key: str, title: str, text: str) -> Table:
    """A row for the gold links, then one for each system that sees no gold paragraphs."""
    alignment, rows = corpus.alignment, []
    found = alignment.found[_TEST]
    for family, systems in by_family(alignment.fair(_TEST)).items():
        for place, system in enumerate(systems):
            cells = [number_cell(score(found[system])[1]) for _, score in kinds]
            rows.append(Row((text_cell(alignment.labels[system]), *cells), place == 0, "" if place else family))
    columns = (Column("", "System", numeric=False), *(column for column, _ in kinds))
    marked = mark_best(rows, range(1, len(columns)), [True] * len(rows))
    gold = [_gold_cell(score, found.values()) for _, score in kinds]
    return Table(
        key=f"alignment-{key}-{corpus.plan.name}",
        title=title,
        text=f"{text} First row: gold links or sentences of the kind. Bold: the best of the column.",
        columns=columns,
        rows=(Row((text_cell("gold, number"), *gold)), *marked) if marked and kinds else (),
    )


def _gold_cell(score: Callable[[Found], tuple[float, float | None]], found: Iterable[Found]) -> Cell:
    """The same number for every system; a dash where none is counted."""
    return number_cell(int(max(score(one)[0] for one in found)) or None)


def ceiling_table(corpus: CorpusResults) -> Table:
    """How many gold links each kind of decoding can find, and what one chain and two find, on the test split."""
    name, alignment = corpus.plan.name, corpus.alignment
    ceilings = alignment.ceilings[_TEST]
    columns = [Column("", "Links allowed", numeric=False)]
    for task in TASKS:
        columns += [Column(f"{name}, {TASK_NAMES[task]}", h, short=SHORT[task]) for h in ("links", "P", "R", "F1")]
    gold = [text_cell("any number of links (gold)")]
    for task in TASKS:
        gold += [number_cell(int(ceilings[task]["gold"])), *[number_cell(100.0)] * len(MEASURES)]
    rows = [Row(tuple(gold), heading="Ceilings")]
    for kind, words in CEILING_NAMES.items():
        cells = [text_cell(words)]
        for task in TASKS:
            scores = ceilings[task][kind]
            cells += [number_cell(int(scores["links"])), number_cell(100.0)]
            cells += [number_cell(scores["recall"]), number_cell(scores["f1"])]
        rows.append(Row(tuple(cells)))
    reached = [system for system in (ONE_CHAIN, PRECISE, CRF) if system in alignment.scores[_TEST]]
    for place, system in enumerate(reached):
        cells = [text_cell(alignment.labels[system])]
        for task in TASKS:
            scores = alignment.scores[_TEST][system][task]
            cells += [number_cell(None), *(number_cell(scores[measure]) for measure in MEASURES)]
        rows.append(Row(tuple(cells), place == 0, "" if place else "Reached"))
    return Table(
        key=f"alignment-ceilings-{name}",
        title=f"Ceilings of one chain and of two, {name} {_TEST}",
        text="The most gold links that an aligner can find whose links are restricted in this way, whatever its "
        "scores, when it predicts nothing else; identical pairs are left out. The paper's CRF is one chain: merges "
        "(n-1) and fusions (n-m) are out of its reach. Below: what one chain reaches by Viterbi, two chains with the "
        "precision of one on dev, and the configured decoding.",
        columns=tuple(columns),
        rows=tuple(rows),
    )


def emission_table(corpus: CorpusResults) -> Table:
    """The CRF with the encoder alone in its emission, and with lexical and sentence features too, on both splits."""
    name, alignment = corpus.plan.name, corpus.alignment
    columns = [Column("", "System", numeric=False), Column("", "Split", numeric=False)]
    for task in TASKS:
        headers = [*(HEADERS[measure] for measure in MEASURES), "ΔF1"]
        columns += [Column(f"{name}, {TASK_NAMES[task]}", header, short=SHORT[task]) for header in headers]
    rows = []
    for split in SPLITS:
        for place, system in enumerate(emission_pair(alignment.scores[split]) or ()):
            cells = [text_cell(alignment.labels[system]), text_cell(split)]
            for task in TASKS:
                cells += score_cells(alignment, split, system, task)
                cells.append(difference_cell(alignment, split, system, task))
            rows.append(Row(tuple(cells), place == 0))
    return Table(
        key=f"alignment-emission-{name}",
        title=f"Emission: encoder alone against the ensemble, {name}",
        text="The paper's emission sees the fine-tuned pair encoder alone (section 2.2); the other one has "
        f"lexical and sentence features too. ΔF1: to {base_label(alignment)}, with its 95 percent interval. {MARKS}",
        columns=tuple(columns),
        rows=tuple(rows),
    )
