"""The report's figures: what they draw of the results, a function for each kind."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from matplotlib.figure import Figure as Canvas

from textsimp.core.errors import InputError
from textsimp.reporting.compared_systems import fair, simplifiers, slices
from textsimp.reporting.figures import (
    COLOURS,
    REFERENCE,
    Figure,
    Line,
    Panel,
    Point,
    Strip,
    draw,
    draw_bars,
    draw_intervals,
    legend_entry,
    painted,
)
from textsimp.reporting.inputs import CsvRow, Numbers, Run
from textsimp.reporting.names import CLASSES, TASKS, TRAINING
from textsimp.reporting.tables_published import Board, boards
from textsimp.reporting.tables_simplification import test_sets

_REFERENCE_SYSTEM = "neural_crf"
_STYLES = [style for style in range(len(COLOURS)) if style != REFERENCE]
_WIDTH, _ROW, _ABOVE, _BELOW, _SIDE = 9.0, 0.2, 0.15, 0.55, 0.22
"""Of the figure of ranks: inches, of a rank, of what is above and below them; the share that names take on a side."""
_RANK_STYLES = ("-", "--", ":")
"""For the first systems, for the next ones where the colours begin again, and so on."""
_VARIANTS = {
    "sari": "per sentence", "sari_del_f1": "per sentence,\ndeletion by F1", "sari_corpus": "corpus",
    "sari_corpus_del_precision": "corpus, deletion\nby precision", "sari_corpus_legacy": "corpus,\ncased",
    "sari_evaluate": "per sentence,\nevaluate",
}  # fmt: skip
"""The variants of SARI, as the figure of ranks has them below it."""

Points = tuple[tuple[float, float], ...]


def precision_recall(run: Run) -> list[Figure]:
    """Precision over recall of the systems that see no gold paragraphs, on the test split; a panel for each task."""
    figures = []
    for corpus in run.annotated:
        numbers = run.at(f"alignment/{corpus.name}", "test")
        curves = _curves(run.curve(f"alignment/{corpus.name}.pr.csv", "evaluate_alignment", corpus.name))
        families: dict[str, list[str]] = {}
        for system in fair(run, numbers):
            drawn = families.setdefault(run.of_aligner(system, "family"), [])
            drawn += [system] if system != _REFERENCE_SYSTEM else []
        strips = []
        for family, systems in families.items():
            for start in range(0, len(systems), len(_STYLES)):
                title = family + (f" {start // len(_STYLES) + 1}" if len(systems) > len(_STYLES) else "")
                strips.append(_strip(run, numbers, corpus.name, curves, title, systems[start : start + len(_STYLES)]))
        text = "Each line moves the threshold of one system; the dot is the system as the tables report it."
        if numbers.value(_REFERENCE_SYSTEM, "task1.f1") is not None:
            text += f" Black in every panel: {run.label(_REFERENCE_SYSTEM)}."
        title = f"Precision and recall, {corpus.name}, test"
        figures.append(Figure(f"pr-{corpus.name}", title, text, tuple(strips), folded=True))
    return figures


def _curves(rows: Iterable[CsvRow]) -> dict[tuple[str, str], Points]:
    """(system, task) -> points (recall, precision) of the test split, the highest threshold first."""
    points: dict[tuple[str, str], list[tuple[float, float, float]]] = {}
    system = "a system"
    try:
        for row in rows:
            system = row["system"]
            if row["split"] == "test":
                point = -float(row["threshold"]), float(row["recall"]), float(row["precision"])
                points.setdefault((system, row["task"]), []).append(point)
    except (KeyError, ValueError) as error:
        message = f"precision-recall curve of {system}: {error}; run the stage evaluate_alignment again"
        raise InputError(message) from None
    return {key: tuple((recall, precision) for _, recall, precision in sorted(line)) for key, line in points.items()}


def _strip(
    run: Run, numbers: Numbers, corpus: str, curves: Mapping[tuple[str, str], Points], title: str, systems: list[str]
) -> Strip:
    """A panel for each task with the systems and the reference."""
    styles = dict(zip(systems, _STYLES, strict=False))
    if numbers.value(_REFERENCE_SYSTEM, "task1.f1") is not None:
        styles[_REFERENCE_SYSTEM] = REFERENCE
    panels = []
    for task, words in TASKS.items():
        lines = []
        for system, style in styles.items():
            recall, precision = (numbers.value(system, f"{task}.{part}") for part in ("recall", "precision"))
            reported = None if recall is None or precision is None else (recall, precision)
            lines.append(Line(curves.get((system, task), ()), style, reported))
        panel = draw(f"pr-{corpus}-{task}-{title}", words, lines, ("recall", "precision"), (0, 102))
        panels.append(replace(panel, title=f"{title}, {words}"))
    legend = [legend_entry(run.label(system), style) for system, style in styles.items()]
    return Strip(title, tuple(panels), tuple(legend))


def rewriting_sources(run: Run) -> list[Figure]:
    """The kinds of rewriting in each corpus, like Figure 2."""
    figures = []
    for corpus in run.simplified:
        at = {scope: run.at(f"analysis/{corpus.name}", scope) for scope in ("documents", "pairs")}
        bars = {
            f"{run.label(scope)}, {run.label(source)}": _shares(numbers, source)
            for scope, numbers in at.items()
            for source in ("manual", *run.plan.training_sets)
            if numbers.value(source, "units") is not None
        }
        title = f"Kinds of rewriting in the corpus {run.label(corpus.name)}, as in Figure 2"
        figures += _bars(f"figure-rewriting-{corpus.name}", title, bars)
    return figures


def rewriting_outputs(run: Run) -> list[Figure]:
    """The kinds of rewriting in the outputs for each test set, like Figure 3."""
    figures = []
    for corpus, test_set, label in test_sets(run):
        numbers = run.at(f"analysis/{corpus.name}", test_set)
        bars = {}
        for one in simplifiers(run, numbers, "identity", "trained", "reference"):
            names = one.labels(run) if "." in one.system else one.labels(run)[:1]
            bars[", ".join(names)] = _shares(numbers, one.system)
        title = f"Kinds of rewriting in outputs, {label}, as in Figure 3"
        figures += _bars(f"figure-rewriting-{corpus.name}-{test_set}", title, bars)
    return figures


def released_rewriting(run: Run) -> list[Figure]:
    """The kinds of rewriting in released outputs and by people, like Figure 3."""
    figures = []
    for board in boards(run):
        bars = {"Simple (references)": _shares(board.numbers, "reference")}
        bars |= {one.label: _shares(board.numbers, one.system) for one in board.shown}
        title = f"Kinds of rewriting in released outputs for {board.title}, as in Figure 3"
        figures += _bars(f"leaderboard-kinds-{board.name}", title, bars)
    return figures


def _bars(key: str, title: str, bars: dict[str, tuple[float, ...]]) -> list[Figure]:
    text = "In percent; the tables have the intervals. The paper prints no numbers for its shares."
    return [Figure(key, title, text, (Strip("", (draw_bars(key, title, bars, CLASSES),), ()),))] if bars else []


def _shares(numbers: Numbers, system: str) -> tuple[float, ...]:
    return tuple(numbers.value(system, f"classes.{name}") or 0.0 for name in CLASSES)


def lengths(run: Run) -> list[Figure]:
    """SARI over the length of the complex sentence, for each test set: a panel for each model, on new and old data."""
    text = "SARI per sentence by length of the complex sentence in tokens. The bars are 95% intervals."
    figures = []
    for corpus, test_set, label in test_sets(run):
        key = f"figure-length-{corpus.name}-{test_set}"
        strips = _length_strips(run, run.at(f"analysis/{corpus.name}", test_set), key)
        figures.append(Figure(key, f"SARI by sentence length, {label}", text, strips))
    return figures


def _length_strips(run: Run, numbers: Numbers, key: str) -> tuple[Strip, ...]:
    """A panel for each model, with a line for each training set and one for the input; nothing without models."""
    trained = simplifiers(run, numbers, "trained")
    styles = {training: 2 * at for at, training in enumerate(dict.fromkeys(one.training for one in trained))}
    bins = slices(numbers, "length")
    points = {system: _bin_points(numbers, bins, system) for system in ("identity", *(one.system for one in trained))}
    all_points = [point for line in points.values() for point in line]
    reached = [bound for _, value, below, above in all_points for bound in (value - below, value + above)]
    limits = (min(reached) - 1, max(reached) + 1) if reached else None
    axes = ("tokens of the complex sentence", "SARI")
    ticks = [name.replace("up to ", "≤").replace(" to ", "–").replace(" and more", "+") for name in bins.values()]
    panels = []
    for model in dict.fromkeys(one.model for one in trained):
        lines = [(styles[one.training], points[one.system]) for one in trained if one.model == model]
        lines.append((REFERENCE, points["identity"]))
        panels.append(draw_intervals(f"{key}-{model}", run.label(model), ticks, lines, axes, limits))
    legend = [legend_entry(f"{TRAINING.get(training, training)} data", style) for training, style in styles.items()]
    legend.append(legend_entry(run.label("identity"), REFERENCE))
    return (Strip("", tuple(panels), tuple(legend)),) if panels else ()


def _bin_points(numbers: Numbers, bins: Iterable[str], system: str) -> list[Point]:
    points = []
    for tick, scope in enumerate(bins):
        if estimate := numbers.results.get(scope, system, "sari"):
            value = estimate.value
            below, above = (0.0 if bound is None else abs(bound - value) for bound in (estimate.low, estimate.high))
            points.append((float(tick), value, below, above))
    return points


def ranks(run: Run) -> list[Figure]:
    """The rank that each variant of SARI gives to each released output, as lines between the variants."""
    figures = []
    for board in boards(run):
        title, key = f"Ranks on {board.title} by variant of SARI", f"leaderboard-ranks-{board.name}"
        text = "One line per system, the best on top. Lines that cross are systems that two variants order differently."
        figures.append(Figure(key, title, text, (Strip("", (_ranks_panel(board, key, title),), ()),)))
    return figures


def _ranks_panel(board: Board, key: str, title: str) -> Panel:
    ranks_of = {
        system: [board.numbers.value(system, f"{name}.rank") or 0 for name in _VARIANTS] for system in board.systems
    }
    height = _ABOVE + _ROW * len(ranks_of) + _BELOW
    last = len(_VARIANTS) - 1

    def rows_of_names(index: int) -> dict[str, int]:
        ordered = sorted(ranks_of, key=lambda system: ranks_of[system][index])  # ties stand below each other
        return {system: row for row, system in enumerate(ordered, 1)}

    def paint(canvas: Canvas) -> None:
        plot = canvas.add_axes((_SIDE, _BELOW / height, 1 - 2 * _SIDE, 1 - (_ABOVE + _BELOW) / height))
        left, right = rows_of_names(0), rows_of_names(last)
        for number, one in enumerate(board.shown):
            system, colour = one.system, COLOURS[number % len(COLOURS)]
            style = _RANK_STYLES[number // len(COLOURS) % len(_RANK_STYLES)]
            plot.plot(range(last + 1), ranks_of[system], color=colour, linestyle=style, marker="o", markersize=4)
            for end, line, away, align in ((0, left[system], -0.06, "right"), (last, right[system], 0.06, "left")):
                # names are dark to be read; a short line leads to each, since ties end in one point
                plot.plot((end, end + away), (ranks_of[system][end], line), color=colour, linewidth=1)
                plot.text(end + 1.3 * away, line, one.label, color="#222222", ha=align, va="center", fontsize=8.5)
        plot.set(xlim=(0, last), ylim=(len(ranks_of) + 0.5, 0.5), ylabel="")
        plot.set_xticks(range(last + 1), list(_VARIANTS.values()))
        plot.set_yticks([])
        plot.spines[["left", "bottom"]].set_visible(False)
        for drawn in plot.lines:
            drawn.set_clip_on(False)

    return Panel(title, painted(key, (_WIDTH, height), paint), wide=True)


ALIGNMENT = (precision_recall,)
SIMPLIFICATION = (lengths,)
REWRITING = (rewriting_sources, rewriting_outputs)
PUBLISHED = (ranks, released_rewriting)
