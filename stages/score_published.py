"""Stage: released system outputs, beside the numbers printed for them or ranked by all metrics; nothing is trained."""

from pathlib import Path

from stages import stage
from textsimp.core.params import load_params
from textsimp.core.results import Resampling
from textsimp.evaluation.released import score_release
from textsimp.evaluation.simplification import EvaluationConfig
from textsimp.metrics.ranking import RANKED


@stage()
def main(name: str, *, raw: Path, published: Path, submissions: Path, results: Path, metrics: Path) -> str:
    """Score the released outputs of one of `published` in params.yaml."""
    config, resampling = load_params("evaluation", EvaluationConfig), load_params("resampling", Resampling)
    found = score_release(name, raw, published, submissions, config, load_params, resampling)
    found.write(results, metrics, (*RANKED, "fk", "len", "compared", "equal", "printed", "sentences"))
    sizes = ", ".join(f"{len(found.systems(scope))} systems in {scope}" for scope in found.scopes())
    return f"{name}: {sizes}"
