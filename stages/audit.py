"""Stage audit: the automatic alignments of one corpus against the gold, or the other aligner's links, set aside."""

from pathlib import Path

from stages import stage
from textsimp.core.params import load_params
from textsimp.core.records import ALIGNMENTS
from textsimp.core.results import Resampling
from textsimp.evaluation.audit import SCOPE, audit
from textsimp.metrics.links import F1S
from textsimp.metrics.registry import REFERENCE


@stage()
def main(corpus: str, *, reference: Path, alignments: Path, results: Path, metrics: Path) -> str:
    """Compare alignments with the reference that the stage acquire set aside."""
    files = {name: path for name in ALIGNMENTS if (path := alignments / f"{name}.jsonl").is_file()}
    found = audit(reference, files, load_params("resampling", Resampling))
    found.write(results, metrics, F1S)
    return f"{corpus}: {found.value(SCOPE, REFERENCE, 'document_pairs'):.0f} document pairs"
