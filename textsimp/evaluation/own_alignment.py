"""Evaluation of a system on a user's gold data, optionally against another system."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from textsimp.alignment.neural.aligner_settings import Device
from textsimp.alignment.spec import SystemSpec, labelled_pairs, load_system_config, system_names
from textsimp.core.errors import InputError
from textsimp.core.params import from_conf
from textsimp.core.records import DocumentPair, Link, read_pairs
from textsimp.core.results import Resampling, Results
from textsimp.evaluation.aligners import curves_of, score_predictions
from textsimp.metrics.links import Predictions


def evaluate_file(
    gold: Path,
    spec: SystemSpec,
    resampling: Resampling,
    predictions: Path | None = None,
    against: str | None = None,
) -> Results:
    """What `textsimp evaluate-alignment` prints: the scores of one system in the scope `gold`, beside another one's.

    Args:
        resampling: of the article sets.
        predictions: score the alignments of this file instead of running the system.
        against: a file of alignments or the name of a system, to compare with.

    Returns:
        As `aligners.score_predictions` writes; predictions have no scores, and so no `max_f1` and `area`.
    """
    pairs = labelled_pairs(gold)
    results, curves = Results(resampling=resampling), {}
    if predictions is not None:
        name, links = str(predictions), {str(predictions): read_predictions(predictions, pairs)}
    else:
        ready = spec.load(from_conf("runtime", Device), pairs)
        name, links = spec.name, {spec.name: [ready.align(pair) for pair in pairs]}
        curves[name] = curves_of(ready, pairs)
    if against is not None and against != name:
        links[against] = _links_of(against, spec, pairs)
    score_predictions(results, "gold", pairs, links, curves, [against] if against else [], resampling)
    return results


def alignment_lines(results: Results) -> list[str]:
    """The results as text: a line for each system and slice of the gold data, then the differences."""
    lines = []
    for scope in ("gold", *results.scopes("gold")):
        for system in results.systems(scope):
            for group in dict.fromkeys(measure.partition(".")[0] for measure in results.measures(scope, system)):
                cells = [
                    f"{measure.partition('.')[2]} {estimate.value:.2f}"
                    for measure, estimate in results.measures(scope, system).items()
                    if measure.startswith(f"{group}.")
                ]
                lines.append(f"{scope}, {system}, {group}: {', '.join(cells)}")
    for contrast, tests in results.comparisons.items():
        numbers = f"{tests.difference:+.2f} [{tests.low:.2f}, {tests.high:.2f}]"
        ps = f"p {tests.p_bootstrap:.4f} (bootstrap), {tests.p_randomisation:.4f} (randomisation)"
        lines.append(f"{contrast.measure}: {contrast.system} minus {contrast.base} {numbers}, {ps}")
    return lines


def read_predictions(path: Path, pairs: Sequence[DocumentPair]) -> Predictions:
    """The alignments that a file gives to the gold document pairs, found by their ids.

    Raises:
        InputError: a document pair is absent, comes twice, has no alignments, or has other sentences than the gold.
    """
    predicted: dict[str, DocumentPair] = {}
    for pair in read_pairs(path):
        if pair.id in predicted:
            raise InputError(f"{path}: document pair {pair.id!r} comes twice; give each once")
        predicted[pair.id] = pair
    return [_checked_links(predicted.get(pair.id), pair, path) for pair in pairs]


def _checked_links(predicted: DocumentPair | None, gold: DocumentPair, path: Path) -> tuple[Link, ...]:
    if predicted is None or predicted.alignments is None:
        raise InputError(f"{path}: has no alignments for document pair {gold.id!r}; align the gold file's documents")
    if (predicted.simple.sentences, predicted.complex.sentences) != (gold.simple.sentences, gold.complex.sentences):
        raise InputError(f"{path}: document pair {gold.id!r} has other sentences than the gold file; align those")
    return predicted.alignments


def _links_of(against: str, spec: SystemSpec, pairs: Sequence[DocumentPair]) -> Predictions:
    if against in system_names():
        config = load_system_config(against)
        ready = replace(spec, name=against, config=config, save=None).load(from_conf("runtime", Device), pairs)
        return [ready.align(pair) for pair in pairs]
    if not Path(against).is_file():
        known = ", ".join(system_names())
        raise InputError(f"--against: {against!r} is neither a file nor an alignment system ({known})")
    return read_predictions(Path(against), pairs)
