"""Figures of the analysis: shares of the kinds of rewriting as stacked bars, SARI over sentence length as lines."""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from textsimp.reporting.bars import Bars, draw_bars
from textsimp.reporting.figures import (
    BOX,
    COLOURS,
    DASHES,
    REFERENCE,
    SIZE,
    Figure,
    Panel,
    Strip,
    legend_entry,
    painted,
)
from textsimp.reporting.inputs import CorpusResults
from textsimp.reporting.names import TRAINING_SETS, simplifier_label
from textsimp.reporting.simplification.analysis_cells import KINDS, SOURCES, system_label, system_order
from textsimp.reporting.simplification.analysis_results import (
    INPUT,
    METRICS,
    UNTRAINED,
    AnalysedSet,
    Analysis,
    Number,
    Numbers,
    Subset,
)
from textsimp.reporting.simplification.tables import COMPLEX, main_first

_METRIC = "sari"
_TEXT = (
    "Percent of the units or sentences; the tables have the intervals. The paper prints its shares as a figure only; "
    "they are not here."
)


def rewriting_figures(corpus: CorpusResults) -> list[Figure]:
    """The classes of a corpus's sources, like Figure 2, and of the outputs for each test set, like Figure 3."""
    analysis, name = corpus.analysis, corpus.plan.name
    if analysis is None:
        return []
    figures = []
    if bars := _source_bars(analysis):
        figures.append((f"figure-rewriting-{name}", f"Kinds of rewriting in the corpus {name}, as in Figure 2", bars))
    for test_set in main_first(analysis.test_sets):
        title = f"Kinds of rewriting in outputs, {name}, test set {test_set}, as in Figure 3"
        figures.append((f"figure-rewriting-{name}-{test_set}", title, _output_bars(analysis, test_set)))
    return [
        Figure(key, title, _TEXT, (Strip("", (draw_bars(key, title, bars, analysis.parts["classes"]),), ()),))
        for key, title, bars in figures
    ]


def length_figures(corpus: CorpusResults) -> list[Figure]:
    """SARI over the length of the complex sentence, for each test set: a panel a model, on new and old data."""
    analysis, name = corpus.analysis, corpus.plan.name
    if analysis is None:
        return []
    text = f"{METRICS[_METRIC]} in bins of the complex sentence's length in tokens; the bars are 95 percent intervals."
    figures = []
    for test_set in main_first(analysis.test_sets):
        key = f"figure-length-{name}-{test_set}"
        panels, legend = _length_panels(key, analysis.test_sets[test_set])
        strips = (Strip("", panels, legend),) if panels else ()
        figures.append(Figure(key, f"SARI by sentence length, {name}, test set {test_set}", text, strips))
    return figures


def _source_bars(analysis: Analysis) -> Bars:
    return {
        f"{KINDS[kind]}, {SOURCES.get(source, source)}": _shares(analysis, found.parts)
        for kind, sources in analysis.sources.items()
        for source, found in sources.items()
    }


def _output_bars(analysis: Analysis, test_set: str) -> Bars:
    systems = analysis.test_sets[test_set].systems
    return {_system_text(name): _shares(analysis, systems[name]) for name in system_order(systems)}


def _shares(analysis: Analysis, numbers: Numbers) -> tuple[float, ...]:
    return tuple(numbers[part].value for part in analysis.parts["classes"])


def _system_text(name: str) -> str:
    label, training = system_label(name)
    return label if name.startswith(UNTRAINED) else f"{label}, {training}"


def _length_panels(key: str, found: AnalysedSet) -> tuple[tuple[Panel, ...], tuple[tuple[str, str, str], ...]]:
    """A panel for each model, with a line for each training set and one for the input, and their legend."""
    trained = [name.split("/", 1) for name in system_order(found.systems) if not name.startswith(UNTRAINED)]
    styles = {training: 2 * place for place, training in enumerate(dict.fromkeys(training for training, _ in trained))}
    limits = _limits(found, [INPUT, *("/".join(name) for name in trained)])
    panels = []
    for model in dict.fromkeys(model for _, model in trained):
        lines = {style: f"{training}/{model}" for training, style in styles.items()} | {REFERENCE: INPUT}
        panels.append(_draw_lengths(f"{key}-{model}", simplifier_label(model), found.length, lines, limits))
    legend = [legend_entry(f"{TRAINING_SETS.get(name, name)} data", style) for name, style in styles.items()]
    return tuple(panels), (*legend, legend_entry(COMPLEX, REFERENCE))


def _limits(found: AnalysedSet, systems: Sequence[str]) -> tuple[float, float] | None:
    """The SARI that all panels of a test set begin and end with, so that they compare; None without any number."""
    numbers = [one.systems[_METRIC][system] for one in found.length if one.sentences for system in systems]
    bounds = [bound for one in numbers for bound in (one.value, one.low, one.high) if bound is not None]
    return (min(bounds) - 1, max(bounds) + 1) if bounds else None


def _draw_lengths(
    key: str,
    title: str,
    bins: Sequence[Subset],
    systems: Mapping[int, str],
    limits: tuple[float, float] | None,
) -> Panel:
    """SARI of the systems, by style, over the bins; each a little beside the others, so that intervals stand apart."""
    ticks = [one.label.replace("up to ", "≤").replace(" to ", "–").replace(" and more", "+") for one in bins]

    def paint(canvas: Canvas) -> None:
        plot = canvas.add_axes(BOX)
        plot.set(title=title, xlabel="tokens of the complex sentence", ylabel="SARI", xlim=(-0.5, len(bins) - 0.5))
        plot.set_xticks(range(len(bins)), ticks)
        for place, (style, system) in enumerate(systems.items()):
            found = [(k, one.systems[_METRIC][system]) for k, one in enumerate(bins) if one.sentences]
            _draw_intervals(plot, found, style, (place - (len(systems) - 1) / 2) * 0.12)
        plot.set_ylim(limits)

    return Panel(title, painted(key, SIZE, paint))


def _draw_intervals(plot: Axes, found: Sequence[tuple[int, Number]], style: int, beside: float) -> None:
    """A line through the bins that have sentences; a bar where there is an interval."""
    dashes = DASHES[style % len(DASHES)]
    x = [place + beside for place, _ in found]
    below, above = (
        [0 if bound is None else abs(bound - one.value) for one, bound in sides]
        for sides in ([(one, one.low) for _, one in found], [(one, one.high) for _, one in found])
    )
    plot.errorbar(
        x,
        [one.value for _, one in found],
        yerr=[below, above],
        color=COLOURS[style % len(COLOURS)],
        linestyle=(0, tuple(map(float, dashes.split()))) if dashes else "-",
        marker="o",
        markersize=3,
        elinewidth=0.9,
        capsize=2,
    )
