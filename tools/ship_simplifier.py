"""Trains the simplifier that travels with the package from public releases, and puts it there.

    python tools/ship_simplifier.py --mirror FOLDER

Without --mirror the releases that conf/sources names are downloaded; their digests are checked either way. Sentences of
TURK, ASSET and the test part of Coster and Kauchak 2011 are not trained on. Ten minutes on two cores. On the same kind
of processor the result has the same bytes.
"""

import argparse
import hashlib
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # read when torch is imported, here already
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from textsimp.core.errors import exit_on_bad_input  # noqa: E402
from textsimp.core.model_folder import MANIFEST  # noqa: E402
from textsimp.core.params import from_conf  # noqa: E402
from textsimp.core.reading import folder_files  # noqa: E402
from textsimp.core.records import SIDES  # noqa: E402
from textsimp.core.writing import copy_file, write_lines  # noqa: E402
from textsimp.corpora.filters import comparable  # noqa: E402
from textsimp.corpora.heldout import read_benchmark  # noqa: E402
from textsimp.simplification import edit_tagger, simplifiers  # noqa: E402
from textsimp.simplification.edit_tagger import EditTaggerConfig  # noqa: E402
from textsimp.simplification.interface import CorpusFiles, ParallelFiles, Runtime, Simplifier  # noqa: E402
from textsimp.sources.config import SourcesConfig  # noqa: E402
from textsimp.sources.fetch import fetch_releases  # noqa: E402
from textsimp.sources.formats import read_released_pairs  # noqa: E402

SHIPPED = ROOT / "textsimp" / "simplification" / "fitted" / "edit_tagger"
TRAINED_ON = {  # release -> format
    "coster_kauchak_2011": "coster_kauchak",
    "kauchak_2013": "kauchak_2013",
    "kauchak_2013_labelled": "kauchak_2013_labelled",
    "wikilarge_part": "wikilarge_part",
}
HELD_OUT = ("turk", "asset", "coster_kauchak")
DEV = 300
"""Pairs on which the epoch is chosen."""


def pairs(raw: Path) -> Iterator[tuple[str, str]]:
    """The training pairs, in the order of a digest, without sentences of the benchmarks and without repeats."""
    held_out = {
        comparable(sentence)
        for name in HELD_OUT
        for part in read_benchmark(raw, name, name)
        for sentence in part.sentences()
    }
    texts: dict[str, tuple[str, str]] = {}
    for layout in TRAINED_ON.values():
        for pair in read_released_pairs(layout, raw).pairs:
            sides = tuple(map(comparable, (pair.complex, pair.simple)))
            if held_out.isdisjoint(sides):
                texts.setdefault("\0".join(sides), (pair.complex, pair.simple))
    for key in sorted(texts, key=lambda key: hashlib.sha256(key.encode()).digest()):
        yield texts[key]


def ship(mirror: str | None, target: Path, threads: int) -> None:
    """Fetch, train, write."""
    sources = replace(from_conf("sources", SourcesConfig, "experiment=public"), mirror=mirror)
    config = from_conf("simplifier.edit_tagger", EditTaggerConfig, "experiment=public")
    runtime = Runtime("cpu", threads)
    with tempfile.TemporaryDirectory() as scratch:
        raw, corpus, binary, trained = (Path(scratch, name) for name in ("raw", "corpus", "binary", "trained"))
        fetch_releases([*TRAINED_ON, "turk", "asset"], sources, raw)
        rows = list(pairs(raw))
        for split, part in (("dev", rows[:DEV]), ("train", rows[DEV:])):
            for column, side in enumerate(SIDES):
                write_lines(corpus / f"{split}.{side}", [row[column] for row in part])
        files = {
            split: ParallelFiles(corpus / f"{split}.complex", corpus / f"{split}.simple") for split in ("train", "dev")
        }
        simplifier = Simplifier(EditTaggerConfig, edit_tagger.binarize, edit_tagger.train, edit_tagger.load)
        simplifiers.binarize(simplifier, config, CorpusFiles(files["train"], files["dev"], {}), binary)
        simplifiers.train(simplifier, config, binary, trained, Path(scratch, "curve.csv"), runtime)
        with simplifiers.MODEL.written(target) as model:
            for file in folder_files(trained):
                if file.name != MANIFEST:
                    copy_file(file, model / file.name)


@exit_on_bad_input
def main() -> None:
    """Ship."""
    parser = argparse.ArgumentParser(prog="python tools/ship_simplifier.py", description=__doc__.splitlines()[0])
    parser.add_argument("--mirror", metavar="FOLDER", help="where the releases lie")
    parser.add_argument("--output", metavar="FOLDER", type=Path, default=SHIPPED)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    ship(args.mirror, args.output, args.threads)


if __name__ == "__main__":
    main()
