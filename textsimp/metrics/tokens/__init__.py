"""How text becomes words, tokens and sentences: lower-casing, spaces, mteval-v13a, NLTK's rules, and TURK's form.

The metric script of Jiang et al. 2020 counts NLTK's words and the sentences of its Punkt model. Punkt (Kiss and
Strunk 2006) is an algorithm with learnt lists; the algorithm is in `punkt.py`, the learnt lists are a separate
download of NLTK's. Here the lists are our own: newspaper abbreviations, and words that often begin a sentence. On the
outputs of the paper's table 8 they give exactly the learnt model's counts, which show that it ends a sentence after
`i.e.`; `e.g.` is treated alike. On other text single sentences may be split otherwise.

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
from textsimp.metrics.tokens.punkt import Punkt
from textsimp.metrics.tokens.treebank import split_words

TOKENISERS = ("none", "13a")


@dataclass(frozen=True)
class Tokenisation:
    """How lines become tokens: the arguments of `tokenise`, and after how many tokens a line is cut (None: never)."""

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
    """Tokens of one line.

    No tokeniser looks past white space: the tokens of a line are those of its words between spaces.

    Args:
        text: the line.
        tokeniser: `none` splits at white space only; `13a` first separates punctuation as mteval-v13a does.
        lowercase: whether the line is lower-cased first.
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


_TITLES = "adm brig capt cmdr col dr gen gov hon jr lt maj messrs mr mrs ms prof rep reps rev sen sens sgt sr st supt"
_COMPANIES = "bros co corp cos inc ltd"
_PLACES = (
    "ala ariz ark ave blvd calif colo conn del fla ft ga ill ind kan ky la mass md mich minn miss mo mont mt n.c n.d "
    "n.h n.j n.m n.y neb nev okla ore pa r.i s.c s.d tenn tex u.k u.n u.s u.s.a u.s.s.r va vt w.va wash wis wyo"
)
_DATES = "a.d a.m apr aug b.c dec feb fri jan jul jun mon nov oct p.m sat sept thurs tues wed"
_OTHERS = "b.a d.c e.u etc l.a m.a m.d p.o ph.d v vs"
ABBREVIATIONS = frozenset(" ".join((_TITLES, _COMPANIES, _PLACES, _DATES, _OTHERS)).split())

# an upper-case word of this list begins a sentence even after an abbreviation: `in the U.S. The law ...`
_STARTERS = (
    "a after although an and as at but by during each for from he her his however if in it its many most no on one "
    "our she since so some such that the their there these they this those though to under until we what when where "
    "while with you"
)
STARTERS = frozenset(_STARTERS.split())


_PUNKT = Punkt(ABBREVIATIONS, STARTERS)


def split_sentences(line: str) -> list[str]:
    """Return the sentences of one line of text, without surrounding white space; none in a blank line."""
    return _PUNKT.sentences(line.strip())


RELEASED, TREEBANK, CHARACTERS = "released", "treebank", "characters"
FORMS = (RELEASED, TREEBANK, CHARACTERS)
IN_SIGNATURE = {TREEBANK: "ptb-lc", CHARACTERS: "char"}
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Letters of scripts that write no spaces between words: Thai, Lao, Burmese, Khmer, kana, Chinese characters."""
_WRITTEN = {
    **{"``": '"', "''": '"'},
    **{"(": "-lrb-", ")": "-rrb-", "[": "-lsb-", "]": "-rsb-", "{": "-lcb-", "}": "-rcb-"},
}


def checked_form(name: str) -> str:
    """Return the name of a form; `InputError` if it is unknown."""
    if name not in FORMS:
        raise InputError(f"text form {name!r}: unknown; there is {', '.join(FORMS)}")
    return name


def in_form(lines: Sequence[str], form: str) -> list[str]:
    """Lines in one of `FORMS`; `InputError` for another name."""
    forms: dict[str, Callable[[str], str]]
    forms = {RELEASED: str, TREEBANK: treebank_form, CHARACTERS: spaced_characters}
    return list(map(forms[checked_form(form)], lines))


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

    return regex.compile(
        rf"[{UNSPACED}\u3001-\u303f\uff01-\uff0f\uff1a-\uff20]\p{{M}}*|(?<=[{UNSPACED}\p{{M}}])[\p{{P}}]|[\p{{P}}](?=[{UNSPACED}])"
    )


def treebank_form(line: str) -> str:
    """A line as TURK has it: Penn Treebank tokens parted by spaces, in lower case, straight quotes, `-lrb-` for `(`.

    Lines that have this form keep it, but for rare ones: an abbreviation that no list has loses its full stop.
    """
    words = (word for sentence in split_sentences(line) for word in split_words(sentence))
    return " ".join(_WRITTEN.get(word, word) for word in words).lower()


def lines_of_other_form(lines: Sequence[str]) -> int:
    """Return how many lines `treebank_form` would change."""
    return sum(treebank_form(line) != line for line in lines)
