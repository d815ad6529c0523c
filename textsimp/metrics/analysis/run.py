"""The whole analysis of one corpus, as the stage `analyse` writes it: numbers and names, no text."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from textsimp.errors import bad_input
from textsimp.metrics.analysis.config import Plan
from textsimp.metrics.analysis.corpora import CorpusFolders, analyse_corpora
from textsimp.metrics.analysis.kinds import recipe
from textsimp.metrics.analysis.outputs import analyse_outputs, rewrite_references
from textsimp.metrics.analysis.subsets import by_kind, by_length, by_order, sari_of
from textsimp.metrics.analysis.systems import IDENTITY, read_systems
from textsimp.metrics.rewriting.statistics import PARTS
from textsimp.metrics.simplification import EvaluationSet, merge_signatures, read_test_sets
from textsimp.textfiles import read_json

_AGREEMENT = ("units", "accuracy", "accuracy_low", "accuracy_high", "kappa")
_TESTED = ("test", "drawn-test")


@dataclass(frozen=True)
class Folders:
    """Where a corpus and the outputs of its systems are; `agreement` is what `tools.rewriting_agreement` writes."""

    corpus: CorpusFolders
    outputs: Path
    agreement: Path


def analyse(folders: Folders, plan: Plan) -> dict[str, Any]:
    """What the corpus and the systems trained on it do, and where the systems are good.

    Returns:
        `settings`, `agreement` (of the classifier with labels), `parts` (what is measured, in order), `signatures`,
        `corpus` (see `corpora.analyse_corpora`), and for each test set under `test_sets` the `rewriting` of the systems
        (see `outputs.analyse_outputs`) and their SARI by `length`, `kind` and `order` (see `subsets`).

    Raises:
        InputError: a file is absent or damaged, or `analysis.language` is unknown.
    """
    agreement = _agreement(folders.agreement, plan.config.language)
    tests = read_test_sets(folders.corpus.corpora / "test")
    outputs = {test.name: read_systems(folders.outputs, test, plan) for test in tests}
    found = {test.name: _analyse_test(test, outputs[test.name], plan) for test in tests}
    signatures = merge_signatures([row.pop("signatures") for row in found.values()])
    return {
        "settings": asdict(plan.config),
        "agreement": agreement,
        "parts": PARTS,
        "signatures": {"rewriting": str(recipe(plan.config.language)), **signatures},
        "corpus": analyse_corpora(folders.corpus, plan),
        "test_sets": found,
    }


def _analyse_test(test: EvaluationSet, lines: Mapping[str, Sequence[str]], plan: Plan) -> dict[str, Any]:
    references, sari = rewrite_references(test, plan), sari_of(lines, test, plan)
    return {
        "signatures": {metric: str(one.signature) for metric, one in sari[IDENTITY].items()},
        "rewriting": analyse_outputs(lines, test, references, plan),
        "length": by_length(sari, test.complex, plan),
        "kind": by_kind(sari, references[0], plan),
        "order": by_order(sari, plan),
    }


def _agreement(path: Path, language: str) -> dict[str, dict[str, float]]:
    """How well the classifier agreed with labels that chose none of its thresholds, with the rules of the language."""
    found = read_json(path)
    part = "agreement" if language == "english" else "without_language_rules"
    try:
        return {half: {name: found[part][half][name] for name in _AGREEMENT} for half in _TESTED}
    except (KeyError, TypeError):
        what = f"says nothing of {' and '.join(_TESTED)} under {part!r}"
        raise bad_input(path, None, what, "run `python -m tools.rewriting_agreement`") from None
