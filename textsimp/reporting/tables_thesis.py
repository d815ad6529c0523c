"""Simplification by the quality of the alignment: its table and its figure."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from matplotlib.figure import Figure as Canvas

from textsimp.core.results import Estimate
from textsimp.reporting.figures import BOX, COLOURS, SIZE, Figure, Panel, Strip, painted
from textsimp.reporting.inputs import Numbers, Run
from textsimp.reporting.names import ABOUT, PARTS
from textsimp.reporting.plan import CorpusPlan
from textsimp.reporting.table import Column, Line, Table, mark_best, tables

SETS = {
    "gold": "gold links", "auto": "CRF aligner", "old": "JaccardAlign",
    "wrong_10": "10% wrong partners", "wrong_20": "20% wrong partners", "wrong_40": "40% wrong partners",
    "missing_10": "10% missing", "missing_20": "20% missing", "missing_40": "40% missing",
}  # fmt: skip
"""Where training pairs come from."""
_ROWS = (
    "Links: percent of precision, recall and F1 against the gold ones, before pairs are drawn. Wrong partners: so "
    "many of the gold links lead from their simple sentence to another complex sentence of the article, the likelier "
    "the nearer it is; missing: so many are left out. SARI per sentence and BLEU: the mean over seeds, small: the "
    "lowest and the highest. A seed draws noise, pairs and the initial weights."
)
_NOTE = (
    "SARI minus that of gold links, with its 95 percent interval: test sentences, the same for all models, and seeds "
    "drawn again. † the interval excludes 0."
)


def studies(run: Run) -> Iterator[tuple[CorpusPlan, Numbers, str]]:
    """Yield the corpora and test sets of the study, with their words for a title."""
    for corpus in run.plan.corpora:
        if corpus.has_thesis:
            results = run.results(f"thesis/{corpus.name}")
            for scope in results.scopes():
                yield corpus, Numbers(results, scope), f"{run.labels.label(corpus.name)}, test set {scope}"


def thesis(run: Run) -> Iterator[Table]:
    """SARI of simplifiers by what their training pairs come from."""
    for corpus, numbers, label in studies(run):
        sets = [name for name in numbers.systems if name != "all"]
        columns = numbers.columns(sets, {f"links.{part}": header for part, header in PARTS.items()}, "links")
        columns[Column(header="SARI", note=numbers.signature("sari"))] = mark_best(numbers.cells(sets, "sari"))
        columns[Column(header="ΔSARI", note=_NOTE)] = numbers.gaps("sari", sets, "gold")
        columns[Column(header="BLEU", note=numbers.signature("bleu"))] = numbers.cells(sets, "bleu")
        columns[Column(header="seeds")] = numbers.cells(sets, "seeds", digits=0)
        notes, is_one = numbers.results.notes, all(numbers.value(name, "seeds") in (1, None) for name in sets)
        text = [
            *_findings(numbers),
            f"{run.labels.label(notes.get('simplifier', ''))}, trained on {notes.get('pairs')} pairs from the links "
            f"of each row. {_ROWS}",
            "One seed alone: no interval knows what another would give." if is_one else "",
            ABOUT.get(corpus.name, ""),
        ]
        key, title = f"thesis-{corpus.name}-{numbers.scope}", f"Simplification by the quality of the alignment, {label}"
        lines = [Line([SETS.get(name, "")]) for name in sets]
        yield from tables(key, title, text, ["Training pairs from"], lines, columns)


def _findings(numbers: Numbers) -> Iterator[str]:
    """Yield what links that are better by ten points are worth, and how far quality and SARI go together."""
    f1, precision, recall = (numbers.text("all", f"per.{part}", ".1f±") for part in ("f1", "precision", "recall"))
    if f1:
        yield f"{_finding(numbers.results.get(numbers.scope, 'all', 'per.f1'))}: ten points of F1 are worth {f1} SARI."
    if precision and recall:
        yield (
            f"Ten points of precision with the same recall are worth {precision}, ten points of recall with the same "
            f"precision {recall}."
        )
    values, ranks = (numbers.text("all", name, ".2f±") for name in ("correlation", "rank_correlation"))
    if values and ranks:
        yield f"Correlation of F1 and SARI over all models: {values}, of their ranks {ranks}."


def _finding(worth: Estimate | None) -> str:
    """What the SARI that better links are worth says, by its interval."""
    if worth is None or worth.low is None or worth.high is None or worth.low <= 0 <= worth.high:
        return "Whether better links make better simplifiers cannot be told from these runs"
    return f"Better links make {'better' if worth.value > 0 else 'worse'} simplifiers here"


def figures(run: Run) -> list[Figure]:
    """SARI over F1, precision and recall of the links that the training pairs come from: a point for each set."""
    text = (
        "The mean over the seeds; the bars reach from the lowest to the highest. A line joins gold links and more and "
        "more noise of one kind. Numbers are in the table."
    )
    found = []
    for corpus, numbers, label in studies(run):
        key, title = f"figure-thesis-{corpus.name}-{numbers.scope}", f"SARI by alignment quality, {label}"
        f1, *others = (_panel(numbers, key, part) for part in ("f1", "precision", "recall"))
        strips = Strip("", (replace(f1, title=title),), ()), Strip("", tuple(others), ())
        found.append(Figure(key, title, text, strips))
    return found


_BESIDE = {"gold": ((8, -3), "left"), "auto": ((0, 7), "center"), "wrong": ((-8, 6), "right")}
"""Points from a training set's mark to its name, and the side that is there; others have theirs below to the right."""


def _panel(numbers: Numbers, key: str, part: str) -> Panel:
    wide, points = part == "f1", {}
    for name in numbers.systems:
        quality, sari = numbers.value(name, f"links.{part}"), numbers.results.get(numbers.scope, name, "sari")
        if quality is not None and sari is not None and sari.low is not None and sari.high is not None:
            points[name] = quality, sari.value, sari.value - sari.low, sari.high - sari.value
    families: dict[str, list[str]] = {}
    for name in points:
        families.setdefault(name.rpartition("_")[0] or name, []).append(name)
    name_of_part = {"f1": "F1"}.get(part, part)
    title = f"SARI by {name_of_part} of the links"

    def paint(canvas: Canvas) -> None:
        plot = canvas.add_axes((0.08, 0.13, 0.89, 0.84) if wide else BOX)
        for style, names in enumerate(families.values()):
            joined = [points[name] for name in (*(["gold"] if len(names) > 1 and "gold" in points else []), *names)]
            plot.plot([point[0] for point in joined], [point[1] for point in joined], color=COLOURS[style])
            x, y, *reach = zip(*(points[name] for name in names), strict=True)
            look: dict[str, Any] = {"color": COLOURS[style], "marker": "oDs^v"[style % 5], "markersize": 5}
            plot.errorbar(x, y, reach, linestyle="", capsize=3, **look)
            for name in names if wide else ():
                label = SETS.get(name, name)
                beside, align = _BESIDE.get(name.partition("_")[0], ((8, -11), "left"))
                plot.annotate(label, points[name][:2], beside, textcoords="offset points", fontsize=8, ha=align)
        plot.set(xlabel=f"{name_of_part} of the links against gold, percent", ylabel="SARI")
        plot.margins(0.26 if wide else 0.06, 0.12)

    return Panel(title, painted(f"{key}-{part}", (9.0, 4.0) if wide else SIZE, paint), wide=wide)
