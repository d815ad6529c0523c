"""Capitals for the words of a model that knows none: as the sentence writes them, or the training corpus.

In this order: as the complex sentence writes the word elsewhere than at a sentence's start; as the simple sentences of
the training corpus mostly write it inside a sentence; as the complex sentence writes it at its start. A sentence then
begins with a capital where the complex one does.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from textsimp.core.settings import read_as
from textsimp.simplification.spacing import capitalise, sentence_starts


class Casing:
    """How words are written inside a sentence: word in lower case -> form."""

    def __init__(self, forms: Mapping[str, str]) -> None:
        self._forms = forms

    @classmethod
    def learn(cls, sentences: Iterable[Sequence[str]]) -> "Casing":
        """The most frequent form of each word that stands inside a sentence; ties by code point."""
        forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for words in sentences:
            starts = set(sentence_starts(words))
            for position, word in enumerate(words):
                if position not in starts:
                    forms[word.lower()][word] += 1
        return cls({word: min(counts, key=lambda form: (-counts[form], form)) for word, counts in forms.items()})

    @classmethod
    def of(cls, path: Path) -> "Casing":
        """What `to_json` gave, from a file; `InputError` where it holds anything else."""
        return cls(read_as(path, dict[str, str]))

    def to_json(self) -> dict[str, str]:
        """The forms, for the constructor."""
        return dict(sorted(self._forms.items()))

    def names(self) -> set[str]:
        """Words in lower case that are mostly written otherwise."""
        return {word for word, written in self._forms.items() if word != written}

    def write(self, words: Sequence[str], source: Sequence[str], written: Sequence[str]) -> list[str]:
        """Words in lower case as they are written; `written` are those of the complex sentence, `source` as read."""
        starts = sentence_starts(written)
        seen = {source[start]: written[start] for start in starts}
        seen |= {word: self._forms[word] for word in seen if word in self._forms}
        seen |= {word: written[index] for index, word in enumerate(source) if index not in starts}
        result = [seen.get(word, self._forms.get(word, word)) if word.islower() else word for word in words]
        return capitalise(result) if starts and written[starts[0]][:1].isupper() else result
