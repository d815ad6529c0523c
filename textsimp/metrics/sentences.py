"""Sentences and words as NLTK's `sent_tokenize` and `word_tokenize` find them, without NLTK's data files.

The metric script of Jiang et al. 2020 counts NLTK's words and the sentences of its Punkt model. Punkt (Kiss and
Strunk 2006) is an algorithm with learnt lists; NLTK's package has the algorithm, the learnt lists are a separate
download. Here the lists are our own: newspaper abbreviations, and words that often begin a sentence. On the outputs
of the paper's table 8 they give exactly the learnt model's counts, which show that it ends a sentence after `i.e.`;
`e.g.` is treated alike. On other text single sentences may be split otherwise.
"""

from functools import cache
from typing import Any

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
STARTERS = frozenset(
    "a after although an and as at but by during each for from he her his however if in it its many most no on one "
    "our she since so some such that the their there these they this those though to under until we what when "
    "where while with you".split()
)


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
