"""Counts the common words of English in public releases, for the checks of outputs, and puts them into the package.

    python tools/ship_common_words.py --mirror FOLDER

A common word is written without a capital inside a sentence at least three times, and more often than with one: names
are not among them. The sentences are those that the shipped simplifier was trained on, so none of TURK, ASSET or the
test part of Coster and Kauchak 2011. A minute.
"""

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from ship_simplifier import TRAINED_ON, pairs  # noqa: E402

from textsimp.core.errors import exit_on_bad_input  # noqa: E402
from textsimp.core.params import from_conf  # noqa: E402
from textsimp.core.writing import write_lines  # noqa: E402
from textsimp.simplification.common_words import LIST  # noqa: E402
from textsimp.sources.config import SourcesConfig  # noqa: E402
from textsimp.sources.fetch import fetch_releases  # noqa: E402

LEAST = 3
_PART = re.compile(r"[^\W\d_]+|\S")


def common(sentences: Iterable[str]) -> list[str]:
    """The words that are mostly written without a capital where no sentence begins, in order."""
    plain, capital = Counter[str](), Counter[str]()
    for sentence in sentences:
        before = "."
        for part in _PART.findall(sentence):
            if part.islower():
                plain[part] += 1
            elif part[0].isupper() and before.isalpha():
                capital[part.lower()] += 1
            before = part
    return sorted(word for word, count in plain.items() if count >= LEAST and count > capital[word] and len(word) > 1)


@exit_on_bad_input
def main() -> None:
    """Count and write."""
    parser = argparse.ArgumentParser(
        prog="python tools/ship_common_words.py", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--mirror", metavar="FOLDER", help="where the releases lie")
    parser.add_argument("--output", metavar="FILE", type=Path, default=LIST)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as raw:
        sources = replace(from_conf("sources", SourcesConfig, "experiment=public"), mirror=args.mirror)
        fetch_releases([*TRAINED_ON, "turk", "asset"], sources, Path(raw))
        write_lines(args.output, common(side for pair in pairs(Path(raw)) for side in pair))


if __name__ == "__main__":
    main()
