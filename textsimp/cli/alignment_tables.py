"""The tables that `textsimp evaluate-alignment` prints, in 80 columns."""

from collections.abc import Iterator

from textsimp.cli.arguments import aligned, bounds_text
from textsimp.core.results import Estimate, Results

SCOPE = "gold"
SCORES = ("precision", "recall", "f1")
GROUPS = {"task1": "Task 1", "task2": "Task 2", "unaligned": "unlinked"}
"""What is scored, by the beginning of its measures."""
_CURVE = {"max_f1": "best F1 of its curve", "area": "area under it"}
_HEADER = ("precision", "recall", "F1")
_CHANCE = "p (bootstrap)", "p (randomisation)"
_DIGITS = 1
_LEGEND = (
    "Task 1: aligned or partial links; Task 2: aligned ones alone; unlinked: simple",
    "sentences without a link. In percent, identical sentence pairs left out.",
)


def alignment_tables(results: Results) -> list[str]:
    """Scores of each system with intervals, the differences, then what it finds by kind of sentence pair."""
    lines: list[str] = []
    for system in results.systems(SCOPE):
        lines += [system, *_scores(results, system), *_curve(results, system), ""]
    lines += _differences(results)
    for system in results.systems(SCOPE):
        lines += [f"{system}, by kind of sentence pair", *_breakdown(results, system), ""]
    draw = results.resampling
    drawn = [f"95% intervals: {draw.samples} resamples of the article sets, seed {draw.seed}."] if draw else []
    return [*lines, *_LEGEND, *drawn]


def _scores(results: Results, system: str) -> list[str]:
    rows: list[tuple[str, ...]] = [("", *_HEADER)]
    for group, title in GROUPS.items():
        estimates = [_estimate(results, SCOPE, system, group, score) for score in SCORES]
        if any(estimates):
            rows.append((title, *map(_with_bounds, estimates)))
    return _indented(rows)


def _curve(results: Results, system: str) -> Iterator[str]:
    for measure, title in _CURVE.items():
        by_task = [(task, results.value(SCOPE, system, f"{task}.{measure}")) for task in ("task1", "task2")]
        shown = [f"Task {task[-1]} {value:.{_DIGITS}f}" for task, value in by_task if value is not None]
        if shown:
            yield f"  {title}: {', '.join(shown)}"


def _differences(results: Results) -> Iterator[str]:
    bases = dict.fromkeys((contrast.system, contrast.base) for contrast in results.comparisons)
    for system, base in bases:
        rows: list[tuple[str, ...]] = [("", "difference", "95% interval", *_CHANCE)]
        for contrast, tests in results.comparisons.items():
            if (contrast.scope, contrast.system, contrast.base) == (SCOPE, system, base):
                ps = (
                    f"{value:.4f}" if value is not None else "-" for value in (tests.p_bootstrap, tests.p_randomisation)
                )
                group, _, score = contrast.measure.partition(".")
                title = f"{GROUPS.get(group, group)} {score.replace('f1', 'F1')}"
                rows.append((title, f"{tests.difference:+.{_DIGITS}f}", bounds_text(tests, _DIGITS, "+"), *ps))
        yield from (f"{system} minus {base}", *_indented(rows), "")


def _breakdown(results: Results, system: str) -> list[str]:
    tasks = ("task1", "task2")
    rows = [("", "links", *(f"{score} {task[-1]}" for task in tasks for score in ("P", "R", "F1")))]
    for scope in results.scopes(SCOPE):
        cells = [_estimate(results, scope, system, task, score) for task in tasks for score in SCORES]
        links = results.value(scope, system, "task1.gold")
        if any(cells):
            name = scope.partition("/")[2].replace("_", " ").replace("=", " ")
            rows.append((name, f"{links or 0:.0f}", *map(_plain, cells)))
    return _indented(rows)


def _estimate(results: Results, scope: str, system: str, group: str, score: str) -> Estimate | None:
    """A score; None where there is nothing that it could be a share of."""
    numbers = {"precision": ["predicted"], "recall": ["gold"], "f1": ["predicted", "gold"]}[score]
    counts = [results.value(scope, system, f"{group}.{number}") for number in numbers]
    return results.get(scope, system, f"{group}.{score}") if any(count != 0 for count in counts) else None


def _indented(rows: list[tuple[str, ...]]) -> list[str]:
    return [f"  {line}" for line in aligned(rows, 1)]


def _with_bounds(estimate: Estimate | None) -> str:
    if estimate is None:
        return "-"
    bounds = bounds_text(estimate, _DIGITS)
    return f"{estimate.value:.{_DIGITS}f}" + (f" {bounds}" if bounds != "-" else "")


def _plain(estimate: Estimate | None) -> str:
    return "-" if estimate is None else f"{estimate.value:.{_DIGITS}f}"
