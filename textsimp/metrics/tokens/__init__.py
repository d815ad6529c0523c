"""Words, tokens and sentences of text: lower-casing, spaces, mteval-v13a, NLTK's rules, and TURK's form.

TURK and the outputs released for it are lower-case Penn Treebank tokens. ASSET has the same sentences cased and
untokenised: split at white space, hardly a word at a full stop or comma would equal one of TURK's. So texts can be
brought to TURK's form.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import chain
from typing import Any

from textsimp.core.errors import InputError
from textsimp.metrics.tokens.punkt import split_sentences
from textsimp.metrics.tokens.treebank import split_words

TOKENISERS = ("none", "13a")


@dataclass(frozen=True)
class Tokenisation:
    """A way to tokens: the arguments of `tokenise`, and after how many tokens a line is cut (None: never)."""

    tokeniser: str = "none"
    lowercase: bool = True
    max_tokens: int | None = None

    @property
    def words(self) -> "Tokenisation":
        """The same for single words, which nothing is cut from."""
        return replace(self, max_tokens=None)


REMEMBERED = 1 << 17
"""Words and sentences of which what was found out is kept."""


# sacrebleu is slow to import, and aligners need only `words`
@cache
def _mteval() -> Any:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    return Tokenizer13a()


@lru_cache(REMEMBERED)
def _tokens_13a(word: str) -> tuple[str, ...]:
    return (word,) if word.isalnum() else tuple(_mteval()(word).split())


def tokenise(text: str, tokeniser: str = "none", lowercase: bool = True) -> list[str]:
    """Return the tokens of one line, lower-cased if wanted: those of its words between spaces.

    The tokeniser `none` splits at white space only; `13a` separates punctuation as mteval-v13a does.
    """
    if tokeniser not in TOKENISERS:
        raise ValueError(f"tokeniser {tokeniser!r} is none of {TOKENISERS}")
    words = (text.lower() if lowercase else text).split()
    return list(chain.from_iterable(map(_tokens_13a, words))) if tokeniser == "13a" else words


_WORD = re.compile(r"\w+")


def words(sentence: str) -> list[str]:
    """Lower-cased runs of letters, digits and underscores (`\\w+`), in order.

    The rule knows no language: "don't" gives two words, and scripts that write no spaces give whole runs.
    """
    return _WORD.findall(sentence.lower())


RELEASED, TREEBANK, CHARACTERS = "released", "treebank", "characters"
FORMS = (RELEASED, TREEBANK, CHARACTERS)
IN_SIGNATURE = {TREEBANK: "ptb-lc", CHARACTERS: "char"}
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Letters of scripts that write no spaces between words: Thai, Lao, Burmese, Khmer, kana, Chinese characters."""
_WRITTEN = {"``": '"', "''": '"', "(": "-lrb-", ")": "-rrb-", "[": "-lsb-", "]": "-rsb-", "{": "-lcb-", "}": "-rcb-"}


def checked_form(name: str) -> str:
    """Return the name of a form; `InputError` if it is unknown."""
    if name not in FORMS:
        raise InputError(f"text form {name!r}: unknown; there is {', '.join(FORMS)}")
    return name


def in_form(lines: Sequence[str], form: str) -> list[str]:
    """Return lines in one of `FORMS`; `InputError` for another name."""
    forms: dict[str, Callable[[str], str]] = {TREEBANK: treebank_form, CHARACTERS: spaced_characters}
    return list(map(forms.get(checked_form(form), str), lines))


def spaced_characters(line: str) -> str:
    """A line with spaces around each character of a script that has none between words, accents with their letter."""
    return " ".join(_unspaced().sub(r" \g<0> ", line).split())


def is_unspaced(lines: Iterable[str]) -> bool:
    """Return whether most letters of some lines are of scripts that write no spaces between words."""
    text = "".join(lines)
    return 2 * sum(1 for _ in _unspaced().finditer(text)) > sum(map(str.isalpha, text))


@cache
def _unspaced() -> Any:
    import regex  # slow to import

    alone = rf"[{UNSPACED}\u3001-\u303f\uff01-\uff0f\uff1a-\uff20]\p{{M}}*"
    return regex.compile(rf"{alone}|(?<=[{UNSPACED}\p{{M}}])[\p{{P}}]|[\p{{P}}](?=[{UNSPACED}])")


def treebank_form(line: str) -> str:
    """A line as TURK has it: Penn Treebank tokens parted by spaces, in lower case, straight quotes, `-lrb-` for `(`.

    Lines that have this form keep it, but for rare ones: an abbreviation that no list has loses its full stop.
    """
    words = (word for sentence in split_sentences(line) for word in split_words(sentence))
    return " ".join(_WRITTEN.get(word, word) for word in words).lower()


def lines_of_other_form(lines: Sequence[str]) -> int:
    """Return how many lines `treebank_form` would change."""
    return sum(treebank_form(line) != line for line in lines)
