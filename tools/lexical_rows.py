"""Computes again the rows of the metrics of alignment that cost seconds: those of lexical systems, which need no model.

    python tools/lexical_rows.py data/splits reports

Reads the splits of the annotated corpora and writes REPORTS/metrics/alignment.CORPUS.json with these rows alone.
"""

import argparse
import sys
import tempfile
from dataclasses import fields
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from textsimp.alignment.cache import Cache  # noqa: E402 the root has to be on the path first
from textsimp.alignment.neural.aligner_settings import Device, EncoderConfig  # noqa: E402
from textsimp.alignment.parts import SystemConfig  # noqa: E402
from textsimp.core.errors import exit_on_bad_input  # noqa: E402
from textsimp.core.params import load_params, select, select_list  # noqa: E402
from textsimp.core.records import read_splits  # noqa: E402
from textsimp.core.results import Resampling  # noqa: E402
from textsimp.core.word_vectors import WordVectorConfig  # noqa: E402
from textsimp.evaluation.aligners import AlignmentOutputs, compare_systems  # noqa: E402
from textsimp.sources.draws import SPLITS  # noqa: E402


def lexical_systems() -> dict[str, SystemConfig]:
    """The compared systems that count words or characters, by name."""
    labels = select("labels.alignment_systems")
    names = [name for name in select_list("alignment_systems") if labels[name].get("lexical")]
    return {name: load_params(f"alignment_system.{name}", SystemConfig) for name in names}


def write_rows(corpus: str, splits: Path, reports: Path) -> None:
    """Evaluate the lexical systems on the dev and test split of a corpus."""
    pairs = read_splits(splits / corpus, SPLITS)
    common = load_params("word_vectors", WordVectorConfig), load_params("aligner.encoder", EncoderConfig)
    cache = Cache(sum(pairs.values(), []), *common, load_params("runtime", Device))
    with tempfile.TemporaryDirectory() as folder:
        kept = {"metrics": reports / "metrics" / f"alignment.{corpus}.json"}
        files = AlignmentOutputs(**{row.name: Path(folder) / row.name for row in fields(AlignmentOutputs)} | kept)
        compare_systems(lexical_systems(), pairs, cache, [], [], [], load_params("resampling", Resampling), files)


@exit_on_bad_input
def main() -> None:
    """Write the rows of every annotated corpus."""
    parser = argparse.ArgumentParser(prog="python tools/lexical_rows.py", description=__doc__.splitlines()[0])
    for name in ("splits", "reports"):
        parser.add_argument(name, type=Path, help="a folder")
    args = parser.parse_args()
    for corpus in select_list("annotated_corpora"):
        write_rows(corpus, args.splits, args.reports)


if __name__ == "__main__":
    main()
