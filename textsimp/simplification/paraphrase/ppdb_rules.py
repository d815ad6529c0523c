"""Paraphrase rules of a file: PPDB (Ganitkevitch et al. 2013; Pavlick et al. 2015), or pairs of words.

A line of PPDB is `[X] ||| complex ||| simple ||| NAME=VALUE ... ||| alignment`, with the relation of entailment as a
sixth field from version 2.0 on. Negative log probabilities are `p(e|f)` and `p(f|e)` in version 1.0, `-logp(e2|e1)` and
`-logp(e1|e2)` in 2.0, which has `PPDB2.0Score` too. A line of the other format is two words: either may be written for
the other, if both are of one form; all partners of a word are equally likely.
"""

import gzip
import math
import zlib
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from textsimp.core.errors import bad_input
from textsimp.core.progress import progress
from textsimp.core.reading import decoded, iterate_bytes, opened
from textsimp.simplification.word_forms import form, is_inflection

_GZIP = b"\x1f\x8b"
_FIELDS = (5, 6)
_FORWARD, _BACKWARD, _SCORE = ("p(e|f)", "-logp(e2|e1)"), ("p(f|e)", "-logp(e1|e2)"), "PPDB2.0Score"
_OTHERWISE = frozenset(("Exclusion", "Independent"))
"""Relations of which the two sides do not mean the same."""
_DIGITS = 5
_MOST = 1000
"""No logarithm of a probability is further from 0."""
_REMEDY = "give a file of PPDB as it was released, or one with two words a line"


class Rule(NamedTuple):
    """Simple words for complex ones: log p(simple|complex), log p(complex|simple), and PPDB's score, 0 for none."""

    complex: str
    simple: str
    forward: float
    backward: float
    score: float


def read_rules(path: Path, longest: int, known: Container[str], names: Container[str]) -> list[Rule]:
    """The rules of a file without slots, in lower case and sorted; of equal pairs the likeliest.

    Args:
        longest: words of a rule, on either side.
        known: simple sides with other words are left out.
        names: words of a file of pairs that are left out.

    Raises:
        InputError: the file is absent, damaged, or a line is no rule; or none of its rules is left.
    """
    found: dict[tuple[str, str], Rule] = {}
    for rule in _usable(path, longest, known, names):
        pair = rule.complex, rule.simple
        if pair not in found or rule > found[pair]:
            found[pair] = rule
    if not found:
        what = f"no rule of up to {longest} words whose simple side the training corpus has"
        raise bad_input(path, None, what, "give another file of rules, or a larger corpus")
    return sorted(found.values())


def _usable(path: Path, longest: int, known: Container[str], names: Container[str]) -> Iterator[Rule]:
    lines = _lines(path)
    number, line = next(lines, (1, ""))
    if "|||" not in line:
        yield from _of_pairs(path, chain([(number, line)], lines), known, names)
        return
    for number, line in progress(chain([(number, line)], lines), desc="rules", unit="line"):
        rule = _ppdb_rule(path, number, line)
        if rule is not None and rule.complex != rule.simple:
            words = rule.simple.split()
            if max(len(words), len(rule.complex.split())) <= longest and all(word in known for word in words):
                yield rule


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines with their numbers, unpacked where the file is gzip."""
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
    """The rule of a line; None where it has slots, or its sides do not mean the same."""
    fields = [field.strip() for field in line.split("|||")]
    if len(fields) not in _FIELDS or not all(fields[:4]):
        raise bad_input(path, number, "not a rule `[X] ||| words ||| words ||| features ||| alignment`", _REMEDY)
    _, complex_, simple, features, *rest = fields
    values = dict(field.rpartition("=")[::2] for field in features.split())
    numbers = [_number(path, number, values, names) for names in (_FORWARD, _BACKWARD)]
    score = _number(path, number, values, (_SCORE,)) if _SCORE in values else 0.0
    if any("[" in side and "," in side for side in (complex_, simple)) or rest[1:] and rest[1] in _OTHERWISE:
        return None
    sides = (" ".join(side.lower().split()) for side in (complex_, simple))
    return Rule(*sides, -numbers[0], -numbers[1], score)


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


def _of_pairs(
    path: Path, lines: Iterable[tuple[int, str]], known: Container[str], names: Container[str]
) -> Iterator[Rule]:
    partners: defaultdict[str, set[str]] = defaultdict(set)
    for number, line in lines:
        pair = line.lower().split()
        if pair and len(pair) != 2:
            raise bad_input(path, number, f"{line[:40]!r} is neither a rule of PPDB nor two words", _REMEDY)
        for word, other in (pair, pair[::-1]) if pair else ():
            partners[word].add(other)
    forms = {word: form(word, known) for word in partners}
    kept = {
        word: {other for other in others if forms[word] == forms[other] and not is_inflection(word, other)}
        for word, others in partners.items()
        if word not in names
    }
    for word, others in kept.items():
        for other in others:
            if other in known and other in kept:
                chances = (round(math.log(1 / len(row)), _DIGITS) for row in (others, kept[other]))
                yield Rule(word, other, *chances, 0.0)
