"""Trains the adapter that travels with the package on the sample corpus's simplified sentences, and puts it there.

    python tools/ship_simplifier.py

Every twentieth sentence tells which epoch is the best. Seventy minutes on two cores with AVX-512 beside other work;
--device cuda takes a GPU. On the same kind of processor the result has the same bytes. A killed training goes on when
it is started again.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # read when torch is imported, here already
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from textsimp.core.errors import exit_on_bad_input  # noqa: E402
from textsimp.core.params import from_conf  # noqa: E402
from textsimp.core.reading import read_lines  # noqa: E402
from textsimp.core.records import SIDES  # noqa: E402
from textsimp.core.writing import write_lines  # noqa: E402
from textsimp.simplification import simplifiers  # noqa: E402
from textsimp.simplification.interface import CorpusFiles, ParallelFiles, Runtime  # noqa: E402
from textsimp.simplification.language_model import CausalLmConfig  # noqa: E402
from textsimp.sources.sample import read_multi_reference  # noqa: E402

SENTENCES = ROOT / "data" / "sample" / "multi-reference" / "train.tsv"
SHIPPED = ROOT / "textsimp" / "simplification" / "fitted" / "causal_lm"
EVERY = 20  # one sentence of so many is held out
BACK = "simplifier.causal_lm.recovery.pairs=1"  # from the light one of the two simplifications of each sentence


def write_corpus(corpus: Path) -> CorpusFiles:
    """Write the sentences as train and dev, each with its light and its strong simplification."""
    rows = read_multi_reference(SENTENCES, 2)
    files = {}
    for split in ("train", "dev"):
        chosen = [row for number, row in enumerate(rows) if (number % EVERY == 0) == (split == "dev")]
        pairs = [(sentence, simple) for sentence, both in chosen for simple in both]
        paths = [corpus / f"{split}.{side}" for side in SIDES]
        for column, path in enumerate(paths):
            write_lines(path, [pair[column] for pair in pairs])
        files[split] = ParallelFiles(*paths)
    return CorpusFiles(files["train"], files["dev"], {})


def ship(target: Path, runtime: Runtime) -> None:
    """Train; a killed training goes on when it is started again."""
    config = from_conf("simplifier.causal_lm", CausalLmConfig, BACK)
    simplifier = simplifiers.simplifier_of(config.kind)
    with tempfile.TemporaryDirectory() as scratch:
        corpus, binary, curve = (Path(scratch, name) for name in ("corpus", "binary", "curve.csv"))
        simplifiers.binarize(simplifier, config, write_corpus(corpus), binary)
        simplifiers.train(simplifier, config, binary, target, curve, runtime)
        print(*read_lines(curve), sep="\n")


@exit_on_bad_input
def main() -> None:
    """Ship."""
    parser = argparse.ArgumentParser(prog="python tools/ship_simplifier.py", description=__doc__.splitlines()[0])
    parser.add_argument("--output", metavar="FOLDER", type=Path, default=SHIPPED)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    ship(args.output, Runtime(args.device, args.threads))


if __name__ == "__main__":
    main()
