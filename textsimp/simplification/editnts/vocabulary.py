"""The words that the model knows, and the numbers of words and edits.

One numbering serves complex words, simple words and edits, as in Dong et al. 2019 (section 3.2): the special symbols
first, then the words that may be added, then the words that are only read. Words are lower-cased; each remembers the
case in which it is most often written inside a sentence.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from textsimp.errors import bad_input
from textsimp.simplification.editnts.program import Edit, Operation
from textsimp.simplification.tokenisation import sentence_starts
from textsimp.textfiles import read_lines, write_lines

PAD, UNKNOWN, START, KEEP, DELETE, STOP = range(6)
FIRST_WORD = 6
_NUMBERS = {Operation.KEEP: KEEP, Operation.DELETE: DELETE, Operation.STOP: STOP}


@dataclass(frozen=True)
class Vocabulary:
    """Words in the order of their numbers (from `FIRST_WORD`), their written forms, how many of them may be added."""

    words: tuple[str, ...]
    written: tuple[str, ...]
    addable: int

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each word."""
        return {word: number for number, word in enumerate(self.words, FIRST_WORD)}

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return FIRST_WORD + len(self.words)

    @property
    def outputs(self) -> int:
        """Numbers below this one may be predicted."""
        return FIRST_WORD + self.addable

    def word_numbers(self, words: Iterable[str]) -> list[int]:
        """The numbers of words in any case."""
        return [self.numbers.get(word.lower(), UNKNOWN) for word in words]

    def edit_numbers(self, program: Iterable[Edit]) -> list[int]:
        """The numbers of the edits of a program."""
        return [_NUMBERS.get(edit.operation) or self.numbers.get(edit.word, UNKNOWN) for edit in program]

    def in_sentence(self, words: Sequence[str]) -> list[str]:
        """The words with those that begin a sentence written as they are inside one, where that is known."""
        result = list(words)
        for start in sentence_starts(words):
            if (number := self.numbers.get(words[start].lower())) is not None:
                result[start] = self.written[number - FIRST_WORD]
        return result

    def save(self, path: str | Path) -> None:
        """Write one word a line: word, written form, and `add` or `read`, separated by tabs."""
        kinds = ["add"] * self.addable + ["read"] * (len(self.words) - self.addable)
        write_lines(path, ("\t".join(row) for row in zip(self.words, self.written, kinds, strict=True)))


def load_vocabulary(path: str | Path) -> Vocabulary:
    """The vocabulary of a file; `InputError` where a line is not of the form."""
    rows = [line.split("\t") for line in read_lines(path)]
    kinds = [row[-1] for row in rows]
    addable = kinds.count("add")
    for number, row in enumerate(rows, 1):
        if len(row) != 3 or row[2] != ("add" if number <= addable else "read"):
            raise bad_input(path, number, "not 'word, written form, add or read'", "binarize the corpus again")
    return Vocabulary(tuple(row[0] for row in rows), tuple(row[1] for row in rows), addable)


def build_vocabulary(
    sentences: Sequence[Sequence[str]],
    programs: Sequence[Sequence[Edit]],
    min_frequency: int,
    min_add_frequency: int,
    max_words: int,
) -> Vocabulary:
    """The words of training sentences that are frequent enough, the most frequent first.

    Args:
        sentences: the words of all sentences, complex and simple, in their own case.
        programs: the edit programs of the training pairs, in lower case.
        min_frequency: words rarer than this are unknown.
        min_add_frequency: words that fewer ADDs write are never added.
        max_words: at most so many words are known.
    """
    counts = Counter(word.lower() for words in sentences for word in words)
    added = Counter(edit.word for program in programs for edit in program if edit.operation is Operation.ADD)
    ranked = sorted((word for word in counts if counts[word] >= min_frequency), key=lambda word: (-counts[word], word))
    known = ranked[:max_words]
    addable = [word for word in known if added[word] >= min_add_frequency]
    words = addable + [word for word in known if added[word] < min_add_frequency]
    forms = _written_forms(sentences)
    return Vocabulary(tuple(words), tuple(forms.get(word, word) for word in words), len(addable))


def _written_forms(sentences: Sequence[Sequence[str]]) -> dict[str, str]:
    """The most frequent written form of each word that stands inside a sentence; ties by code point."""
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for words in sentences:
        starts = set(sentence_starts(words))
        for position, word in enumerate(words):
            if position not in starts:
                forms[word.lower()][word] += 1
    return {word: min(found, key=lambda form: (-found[form], form)) for word, found in forms.items()}
