"""Counts the common words and the names of English in public releases, for the checks of outputs, and ships them.

    python tools/ship_common_words.py --mirror FOLDER

A common word is written without a capital inside a sentence at least three times, and more often than with one; a name
with a capital, at least five times, and twenty times as often as without. The sentences are those that the shipped
simplifier was trained on, so none of TURK, ASSET or the test part of Coster and Kauchak 2011. A minute.
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
from textsimp.simplification.common_words import COMMON, NAMES  # noqa: E402
from textsimp.sources.config import SourcesConfig  # noqa: E402
from textsimp.sources.fetch import fetch_releases  # noqa: E402

LEAST, LEAST_OF_NAMES, SHARE_OF_NAMES = 3, 5, 20
_PART = re.compile(r"[^\W\d_]+|\S")


def counted(sentences: Iterable[str]) -> tuple[list[str], list[str]]:
    """The common words and the names, each in order."""
    plain, capital = Counter[str](), Counter[str]()
    for sentence in sentences:
        before = "."
        for part in _PART.findall(sentence):
            if part.islower():
                plain[part] += 1
            elif part[0].isupper() and part[1:].islower() and before.isalpha():
                capital[part.lower()] += 1
            before = part
    common = [word for word, count in plain.items() if count >= LEAST and count > capital[word]]
    names = [word for word, count in capital.items() if count >= max(LEAST_OF_NAMES, SHARE_OF_NAMES * plain[word])]
    return sorted(filter(_is_word, common)), sorted(filter(_is_word, names))


def _is_word(word: str) -> bool:
    return len(word) > 2


@exit_on_bad_input
def main() -> None:
    """Count and write."""
    parser = argparse.ArgumentParser(
        prog="python tools/ship_common_words.py", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--mirror", metavar="FOLDER", help="where the releases lie")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as raw:
        sources = replace(from_conf("sources", SourcesConfig, "experiment=public"), mirror=args.mirror)
        fetch_releases([*TRAINED_ON, "turk", "asset"], sources, Path(raw))
        for path, words in zip(
            (COMMON, NAMES), counted(side for pair in pairs(Path(raw)) for side in pair), strict=True
        ):
            write_lines(path, words)


if __name__ == "__main__":
    main()
