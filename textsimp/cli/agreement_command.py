"""The command `textsimp metric-agreement`: how well each metric agrees with what people say of outputs."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Annotated

import typer

from textsimp.cli.arguments import AsJson, Samples, Seed, aligned, resampling_of
from textsimp.cli.command import Reads, Writes, command
from textsimp.cli.releases import EXPERIMENT, Mirror, Raw, release_folder
from textsimp.core.params import from_conf
from textsimp.core.results import Estimate, Results


@command
def metric_agreement(
    scores: Annotated[
        Path | None,
        typer.Option("--scores", help="CSV of scores from elsewhere: system, original_id, a column per metric."),
        Reads(),
    ] = None,
    summary: Annotated[
        Path | None, typer.Option("--summary", help="File for what the leaderboard shows, as JSON."), Writes()
    ] = None,
    mirror: Mirror = None,
    raw: Raw = None,
    samples: Samples = None,
    seed: Seed = None,
    as_json: AsJson = False,
) -> str:
    """Correlate every metric with the ratings of SimpEval, by system and by sentence, with intervals and tests."""
    from textsimp.evaluation import metric_agreement as evaluation  # numpy, scipy are slow to import

    config = from_conf("metric_agreement", evaluation.MetricAgreementConfig, f"experiment={EXPERIMENT}")
    folder = release_folder(["asset", "simpeval"], mirror, raw)
    results = evaluation.metric_agreement(folder, config, resampling_of(samples, seed), scores)
    if summary is not None:
        evaluation.summary(results).write(summary)
    typer.echo(results.to_json() if as_json else "\n".join(agreement_text(results)))
    return f"metric-agreement: {len(results.systems(evaluation.PAST)) - 2} metrics"


def agreement_text(results: Results) -> list[str]:
    """A table for each set of ratings, then the metrics of the first one that differ, and the signatures."""
    from textsimp.evaluation.metric_agreement import LEVELS, NEWER, PAST, RATER, RATING
    from textsimp.metrics.correlations import KINDS
    from textsimp.metrics.ranking import RANKED

    lines = []
    for scope in (PAST, *results.scopes(PAST), NEWER, *results.scopes(NEWER)):
        systems, sentences = (results.value(scope, RATING, name) for name in ("systems", "sentences"))
        lines += [f"{scope}: {systems} systems, {sentences} sentences", ""]
        measures = [f"{level}.{kind}" for level in LEVELS for kind in KINDS]
        shown = [name for name in measures if results.get(scope, RATER, name)]
        rows: list[tuple[str, ...]] = [("metric", *shown)]
        rows += [
            (name, *(correlation_text(results.get(scope, name, measure)) for measure in shown))
            for name in results.systems(scope)
            if name != RATING
        ]
        lines += [*aligned(rows, 1), ""]
    metrics = [name for name in RANKED if results.get(PAST, name, "sentence.pearson")]
    lines += [*_differences(results, PAST, metrics), ""]
    lines += [f"{metric}: {signature}" for metric, signature in results.signatures.items()]
    if draw := results.resampling:
        drawn = "sentences and systems per system, sentences per sentence"
        lines.append(f"intervals: 95 percent, {draw.samples} resamples of {drawn}, seed {draw.seed}")
    return lines


def correlation_text(estimate: Estimate | None) -> str:
    """A correlation such as `.52 [.14, .92]`; `-` where there is none."""
    if estimate is None:
        return "-"
    bounds = "" if estimate.low is None else f" [{estimate.low:.2f}, {estimate.high:.2f}]"
    return f"{estimate.value:.2f}{bounds}".replace("0.", ".")


def _differences(results: Results, scope: str, metrics: Sequence[str]) -> Iterator[str]:
    """Pairs of metrics whose Pearson correlations with people differ, per system and per sentence."""
    yield f"{scope}: pairs of metrics that differ in Pearson's r (p of the bootstrap after Holm below .05; Williams' p)"
    for a, b in combinations(metrics, 2):
        differences = []
        for level in ("system", "sentence"):
            tests = results.compared(scope, f"{level}.pearson", a, b)
            if tests and tests.p_holm is not None and tests.p_holm < 0.05:
                p = results.value(scope, a, f"system.williams.{b}") if level == "system" else None
                differences.append(
                    f"per {level} {tests.difference:+.2f}" + (f" (Williams {p:.3f})" if p is not None else "")
                )
        if differences:
            yield f"  {a} - {b}: {', '.join(differences)}"
