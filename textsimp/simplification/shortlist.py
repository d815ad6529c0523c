"""The words that an output may have: those of its sentence, what stands for them in training pairs, and common ones.

A sequence model that has seen few sentences puts any word in the place of one that it does not know, such as another
name. Here it chooses among a short list for each sentence (Jean et al. 2015, section 3.2; L'Hostis et al. 2016).
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from textsimp.core.settings import read_as
from textsimp.core.writing import write_json

FILE = "shortlist.json"
"""Its file in a binarized corpus and in a model folder."""
_IBM1, _HMM = 4, 0
"""Iterations of the word alignment."""

Words = Sequence[str]


@dataclass(frozen=True)
class Shortlist:
    """`common`: simple symbols that any output may have; `instead`: those that may stand for a complex symbol."""

    common: Sequence[str]
    instead: Mapping[str, Sequence[str]]

    @classmethod
    def learn(cls, pairs: Sequence[tuple[Words, Words]], common: int, instead: int) -> "Shortlist":
        """The `common` most frequent simple symbols, and for each complex one the `instead` likeliest translations."""
        frequent = Counter(word for _, simple in pairs for word in simple)
        ranked = sorted(frequent, key=lambda word: (-frequent[word], word))
        likeliest = {
            word: sorted(counts.keys() - {word}, key=lambda simple: (-counts[simple], simple))[:instead]
            for word, counts in links_of_words(pairs).items()
        }
        return cls(ranked[:common], {word: simple for word, simple in likeliest.items() if simple})

    def of(self, words: Words) -> Iterator[str]:
        """What an output for these complex symbols may have."""
        yield from self.common
        for word in dict.fromkeys(words):
            yield word
            yield from self.instead.get(word, ())

    def write(self, folder: Path) -> None:
        """Write it where `read` finds it."""
        write_json(folder / FILE, {"common": self.common, "instead": self.instead})

    @classmethod
    def read(cls, folder: Path, remedy: str) -> "Shortlist":
        """What `write` wrote; `InputError` where the file is something else."""
        return read_as(folder / FILE, cls, remedy)


def links_of_words(pairs: Sequence[tuple[Words, Words]]) -> dict[str, Counter[str]]:
    """Return how often each complex word is linked with each simple one; it counts once as its own, too."""
    from textsimp.simplification.phrase_based.word_alignment import align_words

    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for (complex_, simple), links in zip(pairs, align_words(pairs, _IBM1, _HMM), strict=True):
        for word in set(complex_) - counts.keys():
            counts[word][word] = 1
        for i, j in links:
            counts[complex_[i]][simple[j]] += 1
    return dict(sorted(counts.items()))
