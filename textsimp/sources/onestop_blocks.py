"""OneStopQA's hand-made paragraph alignment on OneStopEnglish's own paragraphs (F1).

OneStopQA merged paragraphs until each had one partner at each level, so that its own articles test 1-to-1 alignment
alone. The articles of OneStopEnglish that it took have the original paragraphs. Each of these belongs to the block
(paragraph of OneStopQA) that has most of its words, if it has at least a given share of them; else to none, for
OneStopQA left paragraphs out. Two paragraphs of one block are aligned as far as people said; within a block of several
paragraphs on both sides nobody said which belongs to which.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textsimp.errors import InputError
from textsimp.records import Document, DocumentPair
from textsimp.sources.onestop_qa import AlignedParagraphs

_WORD = re.compile(r"\w+")
Blocks = tuple[int | None, ...]


@dataclass(frozen=True)
class BlockPair:
    """A document pair and the block of each paragraph, or None, on both sides."""

    pair: DocumentPair
    complex: Blocks
    simple: Blocks

    def links(self) -> tuple[tuple[int, int], ...]:
        """The (simple, complex) paragraphs of the same block, sorted."""
        return tuple(
            (i, j)
            for i, low in enumerate(self.simple)
            for j, high in enumerate(self.complex)
            if low is not None and low == high
        )


def block_pairs(pairs: Sequence[DocumentPair], articles: Iterable[AlignedParagraphs], share: float) -> list[BlockPair]:
    """The document pairs whose article is in OneStopQA, with their blocks, in the order of `articles`.

    Args:
        pairs: OneStopEnglish's, from `read_onestop_english`.
        articles: OneStopQA's. Each is taken for the article set whose simplest text has most of its words.
        share: how much of a paragraph's vocabulary its block must have, from 0 to 1.

    Raises:
        InputError: no document pairs, or an article that has less than half of its words in common with any.
    """
    sets: dict[str, list[DocumentPair]] = {}
    for pair in pairs:
        sets.setdefault(pair.group, []).append(pair)
    vocabulary = {
        group: _words(max((pair.simple for pair in own), key=lambda text: text.level).sentences)
        for group, own in sets.items()
    }
    result = []
    for article in articles:
        words = _words(levels[-1] for levels in article.paragraphs)
        best = max(sorted(vocabulary), key=lambda group: len(words & vocabulary[group]), default=None)
        if best is None or 2 * len(words & vocabulary[best]) < len(words):
            raise InputError(f"OneStopQA's article {article.slug!r} is not in OneStopEnglish; fetch both again")
        result += [
            BlockPair(pair, _blocks(pair.complex, article, share), _blocks(pair.simple, article, share))
            for pair in sets[best]
        ]
    return result


def _blocks(document: Document, article: AlignedParagraphs, share: float) -> Blocks:
    blocks = [_words([levels[document.level]]) for levels in article.paragraphs]
    return tuple(_block(_words(paragraph), blocks, share) for paragraph in document.paragraphs)


def _block(words: set[str], blocks: Sequence[set[str]], share: float) -> int | None:
    common = [len(words & block) for block in blocks]
    best = max(range(len(common)), key=common.__getitem__)
    return best if words and common[best] >= share * len(words) else None


def _words(texts: Iterable[str]) -> set[str]:
    return {word.casefold() for text in texts for word in _WORD.findall(text)}
