"""Further pairs to learn from: edited copies of texts, as an editor leaves a page that stays the same page, and
strangers, texts that have nothing to do with each other.

People's rewriting of whole articles has hardly any sentence that differs by a word or two, edited web pages are full of
them. A copy leaves sentences out, keeps some, changes a few words of some (aligned), and cuts some short (partial).
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link

_LEFT_OUT, _KEPT, _CHANGED = 0.3, 0.25, 0.3
"""Shares of the sentences; the rest are cut short."""
_SHORT, _LONG = 8, 15
"""Words: sentences below the first are not cut, sentences above the second get two changes instead of one."""
_CUT = (0.35, 0.65)
"""The share of the words that a sentence that is cut short keeps."""
_STRANGERS, _PASSAGE = 4, 12
"""Passages of each article set, and sentences of one at most."""
_ENDING = ".copy"


def edited_copies(pairs: Sequence[DocumentPair], seed: int) -> Iterator[DocumentPair]:
    """The complex text of each article set's first pair with an edited copy of itself, and the links between them.

    Copies of which nothing is left are left out. They belong to their article set.
    """
    rng = random.Random(seed)
    first = {pair.group: pair for pair in reversed(pairs)}
    for group in sorted(first):
        copy = _edited(first[group], rng)
        if copy is not None:
            yield copy


def strangers(pairs: Sequence[DocumentPair], seed: int) -> Iterator[DocumentPair]:
    """For each article set a passage of its first pair's complex text with one of another set's simple text, unlinked.

    Without them an aligner has only ever seen texts that belong together, and links the two most alike sentences of
    any. They belong to the article set of the complex text.
    """
    rng = random.Random(seed)
    first = {pair.group: pair for pair in reversed(pairs)}
    groups = sorted(first)
    for _ in range(_STRANGERS):
        others = rng.sample(groups, len(groups))
        for group, stranger in zip(groups, others, strict=True):
            if group != stranger:
                sides = (_passage(first[group].complex, rng), _passage(first[stranger].simple, rng))
                name = f"{first[group].id}.{first[stranger].id}"
                yield replace(first[group], id=name, complex=sides[0], simple=sides[1], alignments=())


def _passage(document: Document, rng: random.Random) -> Document:
    sentences = document.sentences
    length = min(rng.randint(1, _PASSAGE), len(sentences))
    start = rng.randint(0, len(sentences) - length)
    return replace(document, paragraphs=(sentences[start : start + length],))


def _edited(pair: DocumentPair, rng: random.Random) -> DocumentPair | None:
    paragraphs: list[tuple[str, ...]] = []
    links: list[Link] = []
    index = 0
    for paragraph in pair.complex.paragraphs:
        words = [word for sentence in paragraph for word in sentence.split()]
        copied = []
        for sentence in paragraph:
            drawn = rng.random() - _LEFT_OUT
            if drawn >= 0:
                text, label = _changed(sentence, drawn, words, rng)
                links.append(Link(len(links), index, label))
                copied.append(text)
            index += 1
        if copied:
            paragraphs.append(tuple(copied))
    if not paragraphs:
        return None
    simple = replace(pair.simple, paragraphs=tuple(paragraphs))
    return replace(pair, id=pair.id + _ENDING, simple=simple, alignments=tuple(links))


def _changed(sentence: str, drawn: float, words: Sequence[str], rng: random.Random) -> tuple[str, AlignmentLabel]:
    tokens = sentence.split()
    if drawn < _KEPT or not tokens:
        return sentence, AlignmentLabel.ALIGNED
    if drawn < _KEPT + _CHANGED or len(tokens) < _SHORT:
        for _ in range(2 if len(tokens) > _LONG else 1):
            index, kind = rng.randrange(len(tokens)), rng.choice(("delete", "replace", "insert"))
            if kind == "delete" and len(tokens) > 1:
                del tokens[index]
            elif kind == "replace":
                tokens[index] = rng.choice(words)
            else:
                tokens.insert(index, rng.choice(words))
        return " ".join(tokens), AlignmentLabel.ALIGNED
    cut = round(len(tokens) * rng.uniform(*_CUT))
    half = tokens[:cut] if rng.random() < 0.5 else tokens[cut:]
    return " ".join(half), AlignmentLabel.PARTIAL
