"""Stage analyse: the kinds of rewriting in a corpus and in its systems' outputs, and where the systems are good."""

from pathlib import Path

from stages import stage
from textsimp.core.params import load_params, select, select_list
from textsimp.core.results import Resampling
from textsimp.evaluation.rewriting_analysis import AnalysisConfig, AnalysisFolders, Plan, analyse
from textsimp.metrics.rewriting.kinds import CLASSES


@stage()
def main(
    corpus: str,
    *,
    corpora: Path,
    alignments: Path,
    splits: Path,
    outputs: Path,
    labelled: Path,
    results: Path,
    metrics: Path,
) -> str:
    """Analyse a corpus and its outputs."""
    config, max_tokens = load_params("analysis", AnalysisConfig), select("evaluation.max_tokens")
    names = select_list("training_sets"), select_list("simplifiers")
    folders = AnalysisFolders(corpora, alignments, splits, outputs, labelled)
    found = analyse(folders, Plan(*names, max_tokens, config, load_params("resampling", Resampling)))
    found.write(results, metrics, [f"classes.{name}" for name in CLASSES])
    return f"{corpus}: wrote {results}"
