"""Trains the adapter that travels with the package on ASSET's dev part, and puts it there.

    python tools/ship_simplifier.py --mirror FOLDER

Without --mirror ASSET is downloaded as conf/sources says; its digests are checked either way. Of the 2,000 dev
sentences, with ten simplifications each, every twentieth tells which epoch is the best; the test part is not read. An
hour and a half on two cores, three minutes on a GPU (--device cuda). On the same kind of processor the result has the
same bytes.
"""

import argparse
import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # read when torch is imported, here already
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from textsimp.core.errors import exit_on_bad_input  # noqa: E402
from textsimp.core.params import from_conf  # noqa: E402
from textsimp.core.records import SIDES  # noqa: E402
from textsimp.core.writing import write_lines  # noqa: E402
from textsimp.corpora.heldout import read_benchmark, training_pairs  # noqa: E402
from textsimp.simplification import simplifiers  # noqa: E402
from textsimp.simplification.interface import CorpusFiles, ParallelFiles, Runtime  # noqa: E402
from textsimp.simplification.language_model import CausalLmConfig  # noqa: E402
from textsimp.sources.config import SourcesConfig  # noqa: E402
from textsimp.sources.fetch import fetch_releases  # noqa: E402

SHIPPED = ROOT / "textsimp" / "simplification" / "fitted" / "causal_lm"
EVERY = 20
"""One sentence of so many is held out."""


def write_corpus(raw: Path, corpus: Path) -> CorpusFiles:
    """Write ASSET's dev part as train and dev; all simplifications of a sentence are in one of them."""
    pairs = training_pairs(read_benchmark(raw, "asset", "asset")[0], "all")
    number = {sentence: place for place, sentence in enumerate(dict.fromkeys(complex for complex, _ in pairs))}
    files = {}
    for split in ("train", "dev"):
        rows = [pair for pair in pairs if (number[pair[0]] % EVERY == 0) == (split == "dev")]
        paths = [corpus / f"{split}.{side}" for side in SIDES]
        for column, path in enumerate(paths):
            write_lines(path, [row[column] for row in rows])
        files[split] = ParallelFiles(*paths)
    return CorpusFiles(files["train"], files["dev"], {})


def ship(mirror: str | None, target: Path, runtime: Runtime) -> None:
    """Fetch and train; a killed training goes on when it is started again."""
    sources = replace(from_conf("sources", SourcesConfig, "experiment=public"), mirror=mirror)
    config = from_conf("simplifier.causal_lm", CausalLmConfig)
    simplifier = simplifiers.simplifier_of(config.kind)
    with tempfile.TemporaryDirectory() as scratch:
        raw, corpus, binary, curve = (Path(scratch, name) for name in ("raw", "corpus", "binary", "curve.csv"))
        fetch_releases(["asset"], sources, raw)
        simplifiers.binarize(simplifier, config, write_corpus(raw, corpus), binary)
        simplifiers.train(simplifier, config, binary, target, curve, runtime)


@exit_on_bad_input
def main() -> None:
    """Ship."""
    parser = argparse.ArgumentParser(prog="python tools/ship_simplifier.py", description=__doc__.splitlines()[0])
    parser.add_argument("--mirror", metavar="FOLDER", help="where ASSET lies")
    parser.add_argument("--output", metavar="FOLDER", type=Path, default=SHIPPED)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    ship(args.mirror, args.output, Runtime(args.device, args.threads))


if __name__ == "__main__":
    main()
