"""The words of a language, from its file (`de.yaml` and so on): abbreviations and words that begin sentences."""

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

from textsimp.core.errors import InputError

FOLDER = Path(__file__).parent
LANGUAGES = tuple(sorted(file.stem for file in FOLDER.glob("*.yaml")))
DEFAULT_LANGUAGE = "en"
_WORD = re.compile(r"[^\W\d_]+")
_ENOUGH = 10
_TIMES = 3
_LOOK = 100_000
"""Characters that tell the language of a text."""
_FEWEST, _RARE = 20, 0.035
"""Words of a text that tells its language, and a share of common ones: its own has 10 to 40%, others 0 to 3%."""
_SCRIPTS = {"CJK": "Chinese or Japanese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean"}


@dataclass(frozen=True)
class Language:
    """Words in lists are written without their last full stop and without spaces (`z.b`).

    One in lower case stands for all spellings, one with a capital for itself alone.

    Attributes:
        never: abbreviations after which no sentence ends, for a name or a number follows.
        starter: abbreviations after which a sentence ends only before one of `starters`.
        suffix: ends of words that are as `starter` (`Bergstr.`).
        number: abbreviations after which no sentence ends before a number (`p. 5`).
        starters: words that begin a sentence, and seldom a name, in lower case.
        particles: those of `starters` that also follow an initial (`J. Le Goff`).
        clock, days: times of day that may end a sentence, but not before these words (`5 p.m. Monday`).
        said: verbs after which a question in quotation marks and a name go on (`"Why?" Smith asked`).
        ordinals: whether ordinal numbers have a full stop (`am 3. Oktober`).
        common: frequent words that few other languages have.
    """

    never: frozenset[str]
    starter: frozenset[str]
    suffix: frozenset[str]
    number: frozenset[str]
    starters: frozenset[str]
    particles: frozenset[str]
    clock: frozenset[str]
    days: frozenset[str]
    said: frozenset[str]
    ordinals: bool
    common: frozenset[str]

    def leaves_open(self, text: str) -> bool:
        """Return whether a text ends with an abbreviation after which no sentence ends."""
        word = text[-20:].rsplit(None, 1)[-1].lstrip("\"'“„«»(")
        return word.endswith(".") and not self.never.isdisjoint({word[:-1], word[:-1].lower()})


@cache
def load_language(code: str) -> Language:
    """Return the rules of one of `LANGUAGES`; `InputError` for another one."""
    if code not in LANGUAGES:
        raise InputError(f"language {code!r}: no rules for it; there is {', '.join(LANGUAGES)}")
    from textsimp.core.params import read_yaml  # not needed for --help

    rules = read_yaml(FOLDER / f"{code}.yaml")
    words = {field.name: frozenset(str(rules.get(field.name, "")).split()) for field in fields(Language)}
    return Language(**{**words, "ordinals": rules.get("ordinals", False)})


def other_language(text: str, code: str, enough: int = _ENOUGH) -> str | None:
    """Return the language that a text is in if that is surely not this one, as its most frequent words say; else None.

    It has `enough` of that language's frequent words.
    """
    hits, _ = common_words(text)
    likely = max(LANGUAGES, key=lambda name: hits[name])
    return likely if hits[likely] >= max(enough, _TIMES * hits[code]) else None


def foreign(text: str) -> str:
    """Return what a text is in that is surely in none of `LANGUAGES`, such as `Arabic script`; else nothing."""
    return other_script(text) or other_words(text)


def other_script(text: str) -> str:
    """Return what most letters of a text are of that is not Latin, such as `Arabic script`; else nothing."""
    scripts = Counter(unicodedata.name(letter, " ").split()[0] for letter in filter(str.isalpha, text[:_LOOK]))
    script, number = scripts.most_common(1)[0] if scripts else ("LATIN", 0)
    is_other = script != "LATIN" and 2 * number > scripts.total()
    return _SCRIPTS.get(script, f"{script.capitalize()} script") if is_other else ""


def other_words(text: str) -> str:
    """Return that a text has hardly any common words of `LANGUAGES`, if it is long enough to tell; else nothing."""
    hits, words = common_words(text)
    return "no language with rules here" if words >= _FEWEST and max(hits.values()) < _RARE * words else ""


def common_words(text: str) -> tuple[dict[str, int], int]:
    """Return how many words of a text are common ones of each language, and the number of all words."""
    counts = Counter(word.lower() for word in _WORD.findall(text[:_LOOK]))
    return {name: sum(counts[word] for word in load_language(name).common) for name in LANGUAGES}, counts.total()
