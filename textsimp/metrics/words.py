"""What counts as a word where overlap is measured (F1)."""

import re

_WORD = re.compile(r"\w+")


def words(sentence: str) -> list[str]:
    """Lower-cased runs of letters, digits and underscores (`\\w+`), in order.

    The rule knows no language: "don't" gives two words, and scripts that write no spaces give whole runs.
    """
    return _WORD.findall(sentence.lower())
