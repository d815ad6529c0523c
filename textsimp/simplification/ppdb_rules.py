"""Paraphrase rules of a file: PPDB (Ganitkevitch et al. 2013; Pavlick et al. 2015), or pairs of words.

A line of PPDB is `[X] ||| complex ||| simple ||| NAME=VALUE ... ||| alignment`, with the relation of entailment as a
sixth field from version 2.0 on. Negative log probabilities are `p(e|f)` and `p(f|e)` in version 1.0, `-logp(e2|e1)` and
`-logp(e1|e2)` in 2.0, which has `PPDB2.0Score` too. A line of the other format is two words: either may be written for
the other, if both are of one form. Their probabilities are those with which the training pairs replace the word.
"""

import gzip
import math
import zlib
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from textsimp.core.errors import bad_input
from textsimp.core.progress import progress
from textsimp.core.reading import decoded, iterate_bytes, opened, read_lines
from textsimp.core.records import SIDES
from textsimp.simplification.phrase_based import CASING
from textsimp.simplification.spacing import Casing
from textsimp.simplification.word_forms import form, is_inflection

_GZIP = b"\x1f\x8b"
_FIELDS = (5, 6)
_FORWARD, _BACKWARD, _SCORE = ("p(e|f)", "-logp(e2|e1)"), ("p(f|e)", "-logp(e1|e2)"), "PPDB2.0Score"
_OTHERWISE = frozenset(("Exclusion", "Independent"))  # relations of which the two sides do not mean the same
_DIGITS = 5
_PRIOR = 10  # sentences in which every word is taken to be replaced as often as words on average are
_MOST = 1000  # no logarithm of a probability is further from 0
_REMEDY = "give a file of PPDB as it was released, or one with two words a line"


class Rule(NamedTuple):
    """Simple words for complex ones: log p(simple|complex), log p(complex|simple), and PPDB's score, 0 for none."""

    complex: str
    simple: str
    forward: float
    backward: float
    score: float


class Corpus(NamedTuple):
    """The training pairs, in lower case: words of each complex and simple side, and words that are names."""

    complex: Sequence[Sequence[str]]
    simple: Sequence[Sequence[str]]
    names: Container[str]


def corpus_of(folder: Path) -> Corpus:
    """Return the training pairs of a binarized corpus; names are what its simple side mostly capitalises."""
    complex_, simple = ([line.split() for line in read_lines(folder / f"train.{side}")] for side in SIDES)
    return Corpus(complex_, simple, Casing.of(folder / CASING).names())


def read_rules(path: Path, longest: int, corpus: Corpus) -> list[Rule]:
    """Return the rules of a file without slots, in lower case and sorted; of equal pairs the likeliest.

    Rules whose simple side has a word that the simple side of the corpus lacks are left out, and pairs with a name.

    Args:
        longest: words of a rule, on either side.

    Raises:
        InputError: the file is absent, damaged, or a line is no rule; or none of its rules is left.
    """
    best: dict[tuple[str, str], Rule] = {}
    for rule in _usable(path, longest, corpus):
        pair = rule.complex, rule.simple
        if pair not in best or rule > best[pair]:
            best[pair] = rule
    if not best:
        what = f"no rule of up to {longest} words whose simple side the training corpus has"
        raise bad_input(path, None, what, "give another file of rules, or a larger corpus")
    return sorted(best.values())


def _usable(path: Path, longest: int, corpus: Corpus) -> Iterator[Rule]:
    known = set(chain.from_iterable(corpus.simple))
    lines = _lines(path)
    first = next(lines, (1, ""))
    if "|||" not in first[1]:
        yield from _with_chances(_partners(path, chain([first], lines), corpus, known), corpus)
        return
    for number, line in progress(chain([first], lines), desc="rules", unit="line"):
        rule = _ppdb_rule(path, number, line)
        if rule is not None and rule.complex != rule.simple:
            words = rule.simple.split()
            if max(len(words), len(rule.complex.split())) <= longest and all(word in known for word in words):
                yield rule


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    with opened(path, _REMEDY) as file:
        is_packed = file.read(2) == _GZIP
    with opened(path, _REMEDY) as file:
        stream = cast(BinaryIO, gzip.GzipFile(fileobj=file)) if is_packed else file
        try:
            for number, line in enumerate(iterate_bytes(stream, path), 1):
                yield number, decoded(line, path, number).rstrip("\r\n")
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise bad_input(path, None, f"damaged gzip data ({error})", "fetch the file again") from None


def _ppdb_rule(path: Path, number: int, line: str) -> Rule | None:
    """Return the rule of a line; None where it has slots, or its sides do not mean the same."""
    fields = [field.strip() for field in line.split("|||")]
    if len(fields) not in _FIELDS or not all(fields[:4]):
        raise bad_input(path, number, "not a rule `[X] ||| words ||| words ||| features ||| alignment`", _REMEDY)
    _, complex_, simple, features, *rest = fields
    values = dict(field.rpartition("=")[::2] for field in features.split())
    numbers = [_number(path, number, values, names) for names in (_FORWARD, _BACKWARD)]
    score = _number(path, number, values, (_SCORE,)) if _SCORE in values else 0.0
    if any("[" in side and "," in side for side in (complex_, simple)) or rest[1:] and rest[1] in _OTHERWISE:
        return None
    sides = [" ".join(side.lower().split()) for side in (complex_, simple)]
    return Rule(sides[0], sides[1], -numbers[0], -numbers[1], score)


def _number(path: Path, line: int, values: Mapping[str, str], names: Iterable[str]) -> float:
    for name in names:
        if name in values:
            try:
                value = float(values[name])
            except ValueError:
                value = math.nan
            if not abs(value) < _MOST:
                raise bad_input(path, line, f"{name}={values[name][:40]} is not a negative log probability", _REMEDY)
            return value
    raise bad_input(path, line, f"has neither {' nor '.join(names)} among its features", _REMEDY)


def _partners(
    path: Path, lines: Iterable[tuple[int, str]], corpus: Corpus, known: Container[str]
) -> dict[str, set[str]]:
    """Return words -> words of the same form, which the simple side of the corpus has (`known`)."""
    words = set(chain.from_iterable(chain(corpus.complex, corpus.simple)))
    partners: defaultdict[str, set[str]] = defaultdict(set)
    for number, line in lines:
        pair = line.lower().split()
        if pair and len(pair) != 2:
            raise bad_input(path, number, f"{line[:40]!r} is neither a rule of PPDB nor two words", _REMEDY)
        if pair and pair[0] not in corpus.names and pair[1] not in corpus.names:
            for word, partner in (pair, pair[::-1]):
                partners[word].add(partner)
    forms = {word: form(word, words) for word in partners}
    return {
        word: {
            partner
            for partner in facing
            if partner in known and forms[word] == forms[partner] and not is_inflection(word, partner)
        }
        for word, facing in partners.items()
    }


def _with_chances(partners: Mapping[str, set[str]], corpus: Corpus) -> Iterator[Rule]:
    """Yield rules with the share of sentence pairs with the one word that have the other instead on the other side."""
    replaced: Counter[tuple[str, str]] = Counter()
    whole: tuple[Counter[str], Counter[str]] = Counter(), Counter()
    for complex_, simple in zip(map(set, corpus.complex), map(set, corpus.simple), strict=True):
        whole[0].update(complex_)
        whole[1].update(simple)
        added = simple - complex_
        for word in complex_ - simple:
            replaced.update((word, partner) for partner in partners.get(word, set()) & added)
    possible = sum(whole[0][word] * len(facing) for word, facing in partners.items())
    usual = _PRIOR * (replaced.total() + 1) / (possible + 1)
    for word, facing in partners.items():
        for partner in facing:
            part = replaced[word, partner] + usual
            counts = whole[0][word], whole[1][partner]
            forward, backward = (round(math.log(part / (count + _PRIOR)), _DIGITS) for count in counts)
            yield Rule(word, partner, forward, backward, 0.0)
