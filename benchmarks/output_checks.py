"""How often the checks of outputs alarm on what people wrote, by kind, and how many pairs they read a second.

    python -m benchmarks.output_checks [--count 600] [--mirror FOLDER]

The pairs are people's simplifications of the project's own sample and, where a mirror has them, of the development
sets of ASSET and TURK. Some alarms are true, for people err too. The first figure of speed is with parsing.
"""

import argparse
import json
import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from textsimp.core.reading import read_lines
from textsimp.simplification.checks import check_outputs

SAMPLE = Path(__file__).resolve().parent.parent / "data" / "sample"
RELEASED = {
    "asset": ("asset/asset.valid.orig", "asset/asset.valid.simp.{}", 10),
    "turk": ("turk/tune.8turkers.tok.norm", "turk/tune.8turkers.tok.turk.{}", 8),
}


def own_pairs() -> Iterator[tuple[str, str]]:
    """Yield the original sentences of the sample, each with a simplification by people."""
    for name in ("dev", "test"):
        for line in read_lines(SAMPLE / "multi-reference" / f"{name}.tsv"):
            complex_, *references = line.split("\t")
            yield from ((complex_, reference) for reference in references)


def released_pairs(mirror: Path, name: str) -> Iterator[tuple[str, str]]:
    """Yield the development set of `asset` or `turk` with each of its references."""
    original, reference, number = RELEASED[name]
    for index in range(number):
        yield from zip(read_lines(mirror / original), read_lines(mirror / reference.format(index)), strict=True)


def figures(pairs: Sequence[tuple[str, str]], count: int) -> dict[str, object]:
    """Return the share of pairs that alarm in percent, how many by kind, and pairs a second; copies are left out."""
    changed = [pair for pair in pairs if pair[0] != pair[1]]
    drawn = Random(5).sample(changed, min(count, len(changed)))
    check_outputs(drawn[:1])
    start = time.perf_counter()
    checks = check_outputs(drawn)
    parsed = time.perf_counter()
    check_outputs(drawn)
    speed = [round(len(drawn) / seconds) for seconds in (parsed - start, time.perf_counter() - parsed)]
    kinds = Counter(kind for check in checks for kind in {alarm.split(":")[0] for alarm in check.alarms})
    share = 100 * sum(bool(check.alarms) for check in checks) / len(drawn)
    return {"pairs": len(drawn), "alarming": round(share, 1), "pairs_a_second": speed, **dict(kinds.most_common())}


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--count", type=int, default=600, help="pairs of a corpus at most, drawn by a seed")
    parser.add_argument("--mirror", type=Path, default=os.environ.get("TEXTSIMP_MIRROR"))
    arguments = parser.parse_args()
    table = {"sample": figures(list(own_pairs()), arguments.count)}
    for name in RELEASED if arguments.mirror else ():
        table[name] = figures(list(released_pairs(Path(arguments.mirror), name)), arguments.count)
    print(json.dumps(table, indent=2))


if __name__ == "__main__":
    main()
