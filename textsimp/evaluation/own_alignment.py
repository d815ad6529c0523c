"""Evaluation of a system on a user's gold data, optionally against another system."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from textsimp.alignment.fitted import DEFAULT, WITHOUT_ENCODER
from textsimp.alignment.neural.aligner_settings import Device
from textsimp.alignment.spec import SystemSpec, labelled_pairs, load_system_config, system_names
from textsimp.alignment.systems import System
from textsimp.core.errors import InputError, bad_input
from textsimp.core.progress import progress
from textsimp.core.reading import quoted
from textsimp.core.records import DocumentPair, Link, first_difference, numbered_pairs
from textsimp.core.results import Resampling, Results
from textsimp.evaluation.aligners import curves_of, score_predictions
from textsimp.metrics.links import Predictions


def evaluate_file(
    gold: Path, spec: SystemSpec, resampling: Resampling, predictions: Path | None = None, against: str | None = None
) -> tuple[Results, list[DocumentPair], dict[str, Predictions]]:
    """Return what `textsimp evaluate-alignment` prints: the scores of a system in the scope `gold`, beside another's.

    Args:
        resampling: of the article sets.
        predictions: score the alignments of this file instead of running the system.
        against: a file of alignments or the name of a system, to compare with.

    Returns:
        As `aligners.score_predictions` writes; predictions have no scores, and so no `max_f1` and `area`. Then the
        gold document pairs, and the links that each system gives to them.
    """
    option, name = ("--system", spec.name) if predictions is None else ("--predictions", str(predictions))
    if against == name:
        raise InputError(f"--against {against}: the same as {option}; give another file or system")
    pairs = labelled_pairs(gold)
    results, curves = Results(resampling=resampling), {}
    if predictions is not None:
        links = {name: read_predictions(predictions, pairs, gold)}
    else:
        ready = spec.load(Device.of_command(), pairs)
        links, curves[name] = {name: _aligned(ready, pairs)}, curves_of(ready, pairs)
    if against is not None:
        links[against] = _links_of(against, spec, pairs, gold)
    score_predictions(results, "gold", pairs, links, curves, [against] if against else [], resampling)
    return results, pairs, links


def _aligned(system: System, pairs: Sequence[DocumentPair]) -> Predictions:
    return [system.align(pair) for pair in progress(pairs, desc="align", unit=" document pairs")]


def read_predictions(path: Path, pairs: Sequence[DocumentPair], gold_file: Path) -> Predictions:
    """The alignments that a file gives to the gold document pairs, found by their ids; `gold_file` is for messages.

    Raises:
        InputError: a document pair is absent, comes twice, has no alignments, or has other sentences than the gold.
    """
    gold, links = {pair.id: pair for pair in pairs}, dict[str, tuple[Link, ...]]()
    for line, pair in numbered_pairs(path, {}):
        if pair.id not in gold:
            continue
        name = f"document pair {quoted(pair.id)}"
        if pair.alignments is None:
            raise bad_input(path, line, f"{name} has no 'alignments'", "align it first")
        if difference := first_difference(pair, gold[pair.id]):
            remedy = "align the gold file's documents, or give the gold file that was aligned"
            raise bad_input(path, line, f"{name} differs from {gold_file}'s: {difference}", remedy)
        links[pair.id] = pair.alignments
    if missing := [name for name in gold if name not in links]:
        what = f"no document pair {quoted(missing[0])}, which {gold_file} has ({len(missing)} such)"
        raise bad_input(path, None, what, f"align the documents of {gold_file}")
    return [links[pair.id] for pair in pairs]


def _links_of(against: str, spec: SystemSpec, pairs: Sequence[DocumentPair], gold: Path) -> Predictions:
    if against in system_names():
        config = load_system_config(against)
        fitted = {path.name: path for path in (DEFAULT, WITHOUT_ENCODER) if spec.train is None}.get(against)
        other = replace(spec, name=against, config=config, save=None, fitted=fitted)
        return _aligned(other.load(Device.of_command(), pairs), pairs)
    if not Path(against).exists():
        known = ", ".join(system_names())
        raise InputError(f"--against: {against!r} is neither a file nor an alignment system ({known})")
    return read_predictions(Path(against), pairs, gold)
