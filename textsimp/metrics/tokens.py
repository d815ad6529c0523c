"""How text becomes words, tokens and sentences: lower-casing, spaces, mteval-v13a, NLTK's rules, and TURK's form.

The metric script of Jiang et al. 2020 counts NLTK's words and the sentences of its Punkt model. Punkt (Kiss and
Strunk 2006) is an algorithm with learnt lists; NLTK's package has the algorithm, the learnt lists are a separate
download. Here the lists are our own: newspaper abbreviations, and words that often begin a sentence. On the outputs
of the paper's table 8 they give exactly the learnt model's counts, which show that it ends a sentence after `i.e.`;
`e.g.` is treated alike. On other text single sentences may be split otherwise.

TURK and the outputs released for it are lower-case Penn Treebank tokens. ASSET has the same sentences cased and
untokenised: split at white space, hardly a word at a full stop or comma would equal one of TURK's. So texts can be
brought to TURK's form.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from textsimp.core.errors import InputError

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


# sacrebleu is slow to import, and aligners need only `words`
@cache
def _mteval() -> Any:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    return Tokenizer13a()


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
    text = text.lower() if lowercase else text
    if tokeniser == "13a" and not text.isalnum():
        text = _mteval()(text)
    return text.split()


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


def split_sentences(line: str) -> list[str]:
    """The sentences of one line of text, without surrounding white space; none in a blank line."""
    return list(_punkt().tokenize(line.strip()))


def split_words(sentence: str) -> list[str]:
    """The words of one sentence in the Penn Treebank's manner; punctuation marks are words too."""
    return list(_treebank().tokenize(sentence))


# NLTK takes a second to import, which scores without readability need not wait for
@cache
def _punkt() -> Any:
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    parameters = PunktParameters()
    parameters.abbrev_types = set(ABBREVIATIONS)
    parameters.sent_starters = set(STARTERS)
    return PunktSentenceTokenizer(parameters)


@cache
def _treebank() -> Any:
    from nltk.tokenize.destructive import NLTKWordTokenizer

    return NLTKWordTokenizer()


RELEASED, TREEBANK = "released", "treebank"
FORMS = (RELEASED, TREEBANK)
_WRITTEN = {
    **{"``": '"', "''": '"'},
    **{"(": "-lrb-", ")": "-rrb-", "[": "-lsb-", "]": "-rsb-", "{": "-lcb-", "}": "-rcb-"},
}


def checked_form(name: str) -> str:
    """The name of a form; `InputError` if it is unknown."""
    if name not in FORMS:
        raise InputError(f"text form {name!r}: unknown; there is {', '.join(FORMS)}")
    return name


def in_form(lines: Sequence[str], form: str) -> list[str]:
    """Lines in one of `FORMS`; `InputError` for another name."""
    return [treebank_form(line) for line in lines] if checked_form(form) == TREEBANK else list(lines)


def treebank_form(line: str) -> str:
    """A line as TURK has it: Penn Treebank tokens parted by spaces, in lower case, straight quotes, `-lrb-` for `(`.

    Lines that have this form keep it, but for rare ones: an abbreviation that no list has loses its full stop.
    """
    words = (word for sentence in split_sentences(line) for word in split_words(sentence))
    return " ".join(_WRITTEN.get(word, word) for word in words).lower()


def lines_of_other_form(lines: Sequence[str]) -> int:
    """How many lines `treebank_form` would change."""
    return sum(treebank_form(line) != line for line in lines)
