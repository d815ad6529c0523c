"""The report's figures: what they draw of the results, by the names that `sections.yaml` gives them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from matplotlib.figure import Figure as Canvas

from textsimp.core.errors import InputError
from textsimp.core.results import Results
from textsimp.reporting.figures import (
    BOX,
    COLOURS,
    REFERENCE,
    SIZE,
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
from textsimp.reporting.inputs import CsvRow, Run
from textsimp.reporting.listers import Variables, contexts, expanded, fair, released, simplifiers, slices
from textsimp.reporting.templates import Frame

REFERENCE_SYSTEM = "neural_crf"
_TEST, _TASKS = "test", ("task1", "task2")
_STYLES = [style for style in range(len(COLOURS)) if style != REFERENCE]
_X_COLUMNS = ("step", "epoch", "update")
_LOSSES = ("train_loss", "valid_loss")
_WIDTH, _ROW, _ABOVE, _BELOW, _SIDE = 9.0, 0.2, 0.15, 0.55, 0.22
"""Of the figure of ranks: inches, of a rank, of what is above and below them; the share that names take on a side."""
_RANK_STYLES = ("-", "--", ":")
"""For the first systems, for the next ones where the colours begin again, and so on."""

Points = tuple[tuple[float, float], ...]


def precision_recall(run: Run) -> list[Figure]:
    """Precision over recall of the systems that see no gold paragraphs, on the test split; a panel for each task."""
    figures = []
    for corpus in run.annotated:
        frame = Frame(run, {"kind": corpus.kind}, f"alignment/{corpus.name}", _TEST)
        lines = _curves(run.curve(f"alignment/{corpus.name}.pr.csv", "evaluate_alignment", corpus.name))
        families: dict[str, list[str]] = {}
        for row in fair(frame):
            families.setdefault(format(row["system"], "family"), []).append(row["system"])
        strips = []
        for family, systems in families.items():
            drawn = [system for system in systems if system != REFERENCE_SYSTEM]
            for start in range(0, len(drawn), len(_STYLES)):
                part = f" {start // len(_STYLES) + 1}" if len(drawn) > len(_STYLES) else ""
                strips.append(_strip(frame, corpus.name, lines, family + part, drawn[start : start + len(_STYLES)]))
        reference = f" Black in every panel: {run.labels.name(REFERENCE_SYSTEM, 'label')}."
        text = "Each line moves the threshold of one system; the dot is the system as the tables report it."
        has_reference = frame.numbers.get(_TEST, REFERENCE_SYSTEM, "task1.f1") is not None
        title = f"Precision and recall, {corpus.name}, {_TEST}"
        figures.append(Figure(f"pr-{corpus.name}", title, text + reference * has_reference, tuple(strips), folded=True))
    return figures


def _curves(rows: Iterable[CsvRow]) -> dict[tuple[str, str], Points]:
    """(system, task) -> points (recall, precision) of the split, the highest threshold first."""
    points: dict[tuple[str, str], list[tuple[float, float, float]]] = {}
    system = "a system"
    try:
        for row in rows:
            system = row["system"]
            if row["split"] == _TEST:
                point = -float(row["threshold"]), float(row["recall"]), float(row["precision"])
                points.setdefault((system, row["task"]), []).append(point)
    except (KeyError, ValueError) as error:
        message = f"precision-recall curve of {system}: {error}; run the stage evaluate_alignment again"
        raise InputError(message) from None
    return {key: tuple((recall, precision) for _, recall, precision in sorted(line)) for key, line in points.items()}


def _strip(
    frame: Frame, corpus: str, lines: dict[tuple[str, str], Points], title: str, systems: Sequence[str]
) -> Strip:
    """A panel for each task with the systems and the reference."""
    styles = dict(zip(systems, _STYLES, strict=False))
    if frame.numbers.get(_TEST, REFERENCE_SYSTEM, "task1.f1") is not None:
        styles[REFERENCE_SYSTEM] = REFERENCE
    panels = []
    for task in _TASKS:
        words = frame.run.labels.name(task, "label")
        drawn = [
            Line(system, lines.get((system, task), ()), style, _reported(frame.numbers, system, task))
            for system, style in styles.items()
        ]
        panel = draw(f"pr-{corpus}-{task}-{title}", words, drawn, ("recall", "precision"), (0, 102))
        panels.append(replace(panel, title=f"{title}, {words}"))
    legend = [legend_entry(frame.run.labels.name(system, "label"), style) for system, style in styles.items()]
    return Strip(title, tuple(panels), tuple(legend))


def _reported(results: Results, system: str, task: str) -> tuple[float, float] | None:
    recall, precision = (results.value(_TEST, system, f"{task}.{part}") for part in ("recall", "precision"))
    return None if recall is None or precision is None else (recall, precision)


def aligner_training(run: Run) -> list[Figure]:
    """The training curves of the aligners: a panel for each column of their logs."""
    figures = []
    for corpus in run.annotated:
        name = corpus.name
        encoder = run.curve(f"training/encoder.{corpus.encoder}.csv", "train_encoder", corpus.encoder)
        chains = run.curve(f"training/aligner.{name}.csv", "train_aligner", name)
        panels = tuple(_panels(name, encoder + chains))
        strips = (Strip("", panels, ()),) if panels else ()
        figures.append(Figure(f"training-{name}-aligner", f"Training of the aligner, {name}", "", strips, folded=True))
    return figures


def _panels(corpus: str, rows: Sequence[CsvRow]) -> list[Panel]:
    """A panel for each numeric column, split by the columns of words (such as the part that is trained)."""
    columns = list(rows[0]) if rows else []
    words = [column for column in columns if any(not _is_number(row[column]) for row in rows)]
    x = next((column for column in _X_COLUMNS if column in columns), None)
    parts: dict[tuple[str, ...], list[CsvRow]] = {}
    for row in rows:
        parts.setdefault(tuple(row[column] for column in words), []).append(row)
    panels = []
    for part, members in parts.items():
        for column in columns:
            name = column.replace("_", " ")
            if column not in (*words, x) and (points := _points(members, column)):
                key = "-".join(("training", corpus, "aligner", *part, column))
                panels.append(draw(key, ", ".join((*part, name)), [Line(column, points, 0)], (x or "row", name), None))
    return panels


def simplifier_training(run: Run) -> list[Figure]:
    """The training curves of the simplifiers, a panel for each, on new and on old data."""
    labels = run.labels
    styles = {
        (training, column): style for style, (training, column) in enumerate(product(run.plan.training_sets, _LOSSES))
    }
    legend = [
        legend_entry(f"{labels.name(training, 'training')} data, {labels.name(column, 'label')}", style)
        for (training, column), style in styles.items()
    ]
    figures = []
    for corpus in run.simplified:
        panels = []
        for system in run.plan.simplifiers:
            curves = {}
            for training in run.plan.training_sets:
                name = f"{corpus.name}.{training}.{system}"
                curves[training] = run.curve(f"training/simplifier.{name}.csv", "train_simplifier", name)
            lines = [Line(f"{t} {column}", _points(curves[t], column), style) for (t, column), style in styles.items()]
            title = labels.name(system, "label")
            panels.append(draw(f"training-{corpus.name}-{system}", title, lines, ("epoch", "loss"), None))
        text = "Each model's own loss per token; models with different vocabularies do not compare."
        strips = (Strip("", tuple(panels), tuple(legend)),) if panels else ()
        title = f"Training of the simplifiers, {labels.name(corpus.name, 'label')}"
        figures.append(Figure(f"training-{corpus.name}", title, text, strips, folded=True))
    return figures


def _is_number(text: str) -> bool:
    try:
        float(text or "0")
    except ValueError:
        return False
    return True


def _points(rows: Iterable[CsvRow], column: str) -> Points:
    """The column over the step or epoch (or the row's number); empty cells are left out."""
    points = []
    for number, row in enumerate(rows, 1):
        x = next((row[name] for name in _X_COLUMNS if row.get(name)), str(number))
        y = row.get(column)
        if y and _is_number(x) and _is_number(y):
            points.append((float(x), float(y)))
    return tuple(points)


def rewriting_sources(run: Run) -> list[Figure]:
    """The kinds of rewriting in each corpus, like Figure 2."""
    figures = []
    for corpus in run.simplified:
        results, labels = run.results(f"analysis/{corpus.name}"), run.labels
        bars = {
            f"{labels.name(scope, 'label')}, {labels.name(source, 'label')}": _shares(run, results, scope, source)
            for scope in ("documents", "pairs")
            for source in ("manual", *run.plan.training_sets)
            if results.get(scope, source, "units") is not None
        }
        title = f"Kinds of rewriting in the corpus {labels.name(corpus.name, 'label')}, as in Figure 2"
        figures += _bars(run, f"figure-rewriting-{corpus.name}", title, bars)
    return figures


def rewriting_outputs(run: Run) -> list[Figure]:
    """The kinds of rewriting in the outputs for each test set, like Figure 3."""
    figures = []
    for variables in contexts(Frame(run, {}), "test_set"):
        corpus, test_set = variables["corpus"], variables["test_set"]
        frame = Frame(run, variables, f"analysis/{corpus}", test_set)
        bars = {
            _named(row): _shares(run, frame.numbers, test_set, row["system"])
            for row in simplifiers(frame, "identity", "trained", "reference")
        }
        title = f"Kinds of rewriting in outputs, {corpus:label}, test set {test_set}, as in Figure 3"
        figures += _bars(run, f"figure-rewriting-{corpus}-{test_set}", title, bars)
    return figures


def released_rewriting(run: Run) -> list[Figure]:
    """The kinds of rewriting in released outputs and by people, like Figure 3."""
    figures = []
    for frame in _boards(run):
        results, board = frame.numbers, frame.scope_name
        bars = {"Simple (references)": _shares(run, results, board, "reference")}
        bars |= {format(row["system"], "label"): _shares(run, results, board, row["system"]) for row in released(frame)}
        title = frame.text("Kinds of rewriting in released outputs for {board:title}, as in Figure 3")
        figures += _bars(run, f"leaderboard-kinds-{board}", title, bars)
    return figures


def _bars(run: Run, key: str, title: str, bars: dict[str, tuple[float, ...]]) -> list[Figure]:
    if not bars:
        return []
    panel = draw_bars(key, title, bars, list(run.labels.names["classes"].values()))
    text = "Percent; the tables have the intervals. The paper prints its shares as a figure only; they are not here."
    return [Figure(key, title, text, (Strip("", (panel,), ()),))]


def _shares(run: Run, results: Results, scope: str, system: str) -> tuple[float, ...]:
    return tuple(results.value(scope, system, f"classes.{name}") or 0.0 for name in run.labels.names["classes"])


def _named(row: Variables) -> str:
    training = format(row["training"], "training")
    return format(row["model"], "label") + (f", {training}" if "." in row["system"] else "")


_LENGTHS_TEXT = (
    "SARI per sentence in bins of the complex sentence's length in tokens; the bars are 95 percent intervals."
)


def lengths(run: Run) -> list[Figure]:
    """SARI over the length of the complex sentence, for each test set: a panel for each model, on new and old data."""
    figures = []
    for variables in contexts(Frame(run, {}), "test_set"):
        corpus, test_set = variables["corpus"], variables["test_set"]
        frame = Frame(run, variables, f"analysis/{corpus}", test_set)
        key = f"figure-length-{corpus}-{test_set}"
        title = f"SARI by sentence length, {corpus:label}, test set {test_set}"
        panels, legend = _length_panels(frame, key)
        figures.append(Figure(key, title, _LENGTHS_TEXT, (Strip("", panels, legend),) if panels else ()))
    return figures


def _length_panels(frame: Frame, key: str) -> tuple[tuple[Panel, ...], tuple[tuple[str, str, str], ...]]:
    """A panel for each model, with a line for each training set and one for the input, and their legend."""
    trained = simplifiers(frame, "trained")
    trainings = list(dict.fromkeys(row["training"] for row in trained))
    styles = {training: 2 * index for index, training in enumerate(trainings)}
    bins = slices(frame, "length")
    names = ["identity", *(row["system"] for row in trained)]
    points = {system: _bin_points(frame.numbers, bins, system) for system in names}
    all_points = [point for line in points.values() for point in line]
    reached = [bound for _, value, below, above in all_points for bound in (value - below, value + above)]
    limits = (min(reached) - 1, max(reached) + 1) if reached else None
    ticks = [_tick(format(row["slice"], "label")) for row in bins]
    panels = []
    for model in dict.fromkeys(row["model"] for row in trained):
        lines = [(styles[row["training"]], points[row["system"]]) for row in trained if row["model"] == model]
        lines.append((REFERENCE, points["identity"]))
        title = format(model, "label")
        axes = ("tokens of the complex sentence", "SARI")
        panels.append(draw_intervals(f"{key}-{model}", title, ticks, lines, axes, limits))
    legend = [legend_entry(f"{format(training, 'training')} data", style) for training, style in styles.items()]
    return tuple(panels), (*legend, legend_entry(frame.run.labels.name("identity", "label"), REFERENCE))


def thesis(run: Run) -> list[Figure]:
    """SARI over F1, precision and recall of the links that the training pairs come from: a point for each set."""
    figures = []
    for variables in contexts(Frame(run, {}), "thesis"):
        corpus, test_set = variables["corpus"], variables["test_set"]
        frame = Frame(run, variables, f"thesis/{corpus}", test_set)
        title = f"SARI by alignment quality, {corpus:label}, test set {test_set}"
        key = f"figure-thesis-{corpus}-{test_set}"
        f1, *others = (_thesis_panel(frame, key, part) for part in ("f1", "precision", "recall"))
        strips = Strip("", (replace(f1, title=title),), ()), Strip("", tuple(others), ())
        figures.append(Figure(key, title, _THESIS_TEXT, strips))
    return figures


_THESIS_TEXT = (
    "The mean over the seeds; the bars reach from the lowest to the highest. A line joins gold links and more and more "
    "noise of one kind. Numbers are in the table."
)


_BESIDE = {"gold": ((8, -3), "left"), "auto": ((0, 7), "center"), "wrong": ((-8, 6), "right")}
"""Points from a training set's mark to its name, and the side that is there; others have theirs below to the right."""


def _thesis_panel(frame: Frame, key: str, part: str) -> Panel:
    numbers, scope, wide = frame.numbers, frame.scope_name, part == "f1"
    points = {}
    for row in expanded(frame, {"set": "systems all"}):
        quality, sari = numbers.value(scope, row["set"], f"links.{part}"), numbers.get(scope, row["set"], "sari")
        if quality is not None and sari is not None and sari.low is not None and sari.high is not None:
            points[row["set"]] = quality, sari.value, sari.value - sari.low, sari.high - sari.value
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
                label = frame.run.labels.name(name, "thesis") or name
                beside, align = _BESIDE.get(name.partition("_")[0], ((8, -11), "left"))
                plot.annotate(label, points[name][:2], beside, textcoords="offset points", fontsize=8, ha=align)
        plot.set(xlabel=f"{name_of_part} of the links against gold, percent", ylabel="SARI")
        plot.margins(0.26 if wide else 0.06, 0.12)

    return Panel(title, painted(f"{key}-{part}", (_WIDTH, 4.0) if wide else SIZE, paint), wide=wide)


def _bin_points(results: Results, bins: Sequence[Variables], system: str) -> list[Point]:
    points = []
    for tick, row in enumerate(bins):
        estimate = results.get(row["slice"], system, "sari")
        if estimate is not None:
            value = estimate.value
            below, above = (0.0 if bound is None else abs(bound - value) for bound in (estimate.low, estimate.high))
            points.append((float(tick), value, below, above))
    return points


def _tick(label: str) -> str:
    return label.replace("up to ", "≤").replace(" to ", "–").replace(" and more", "+")


def ranks(run: Run) -> list[Figure]:
    """The rank that each variant of SARI gives to each released output, as lines between the variants."""
    figures = []
    for frame in _boards(run):
        title = frame.text("Ranks on {board:title} by variant of SARI")
        key = f"leaderboard-ranks-{frame.scope_name}"
        text = "One line per system, the best on top. Lines that cross are systems that two variants order differently."
        figures.append(Figure(key, title, text, (Strip("", (_ranks_panel(frame, key, title),), ()),)))
    return figures


def _ranks_panel(frame: Frame, key: str, title: str) -> Panel:
    systems = released(frame)
    variants = [row["variant"] for row in expanded(frame, {"variant": "compared"})]
    ranks_of = {
        row["system"]: [frame.numbers.value(frame.scope_name, row["system"], f"{name}.rank") or 0 for name in variants]
        for row in systems
    }
    height = _ABOVE + _ROW * len(systems) + _BELOW

    def paint(canvas: Canvas) -> None:
        plot = canvas.add_axes((_SIDE, _BELOW / height, 1 - 2 * _SIDE, 1 - (_ABOVE + _BELOW) / height))
        last = len(variants) - 1
        left, right = (_rows_of_names(ranks_of, index) for index in (0, last))
        for number, row in enumerate(systems):
            system, colour = row["system"], COLOURS[number % len(COLOURS)]
            style = _RANK_STYLES[number // len(COLOURS) % len(_RANK_STYLES)]
            plot.plot(range(last + 1), ranks_of[system], color=colour, linestyle=style, marker="o", markersize=4)
            for end, line, away, align in ((0, left[system], -0.06, "right"), (last, right[system], 0.06, "left")):
                # names are dark to be read; a short line leads to each, since ties end in one point
                plot.plot((end, end + away), (ranks_of[system][end], line), color=colour, linewidth=1)
                label = format(system, "label")
                plot.text(end + 1.3 * away, line, label, color="#222222", ha=align, va="center", fontsize=8.5)
        plot.set(xlim=(0, last), ylim=(len(systems) + 0.5, 0.5), ylabel="")
        plot.set_xticks(range(last + 1), [format(name, "tick") for name in variants])
        plot.set_yticks([])
        plot.spines[["left", "bottom"]].set_visible(False)
        for drawn in plot.lines:
            drawn.set_clip_on(False)

    return Panel(title, painted(key, (_WIDTH, height), paint), wide=True)


def _rows_of_names(ranks_of: dict[str, list[float]], index: int) -> dict[str, int]:
    """Rows of the names: those of ties stand below each other."""
    ordered = sorted(ranks_of, key=lambda system: ranks_of[system][index])
    return {system: row for row, system in enumerate(ordered, 1)}


def _boards(run: Run) -> list[Frame]:
    frame = Frame(run, {}, "published/leaderboard", "{board}")
    return [frame.holding(variables) for variables in contexts(frame, "board")]


FIGURES: dict[str, Callable[[Run], list[Figure]]] = {
    function.__name__: function
    for function in (
        precision_recall, aligner_training, simplifier_training, rewriting_sources, rewriting_outputs, lengths, thesis,
        ranks, released_rewriting,
    )
}  # fmt: skip
"""By the words of `sections.yaml`."""
