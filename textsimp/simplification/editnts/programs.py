"""Edit programs (Dong et al. 2019, section 3.1), and the words and edits that the model knows.

A program turns the words of a complex sentence into a simple one. A pointer stands on one complex word:

    KEEP      write the word, move the pointer on
    DELETE    move the pointer on
    ADD(w)    write w, leave the pointer
    STOP      end; the words that are still unread are kept

The shortest program is unique by these rules: ADD and DELETE cost 1, KEEP costs 0 and there is no substitution; the
table of edit distances is walked from the ends of both sentences; equal words are kept; of an ADD and a DELETE that
are equally short, the DELETE is taken first, so that in reading order ADD stands before DELETE, as the paper orders
them. The KEEPs that would end a program become its STOP, as in the authors' implementation: this makes KEEP, the
most frequent operation, less so.

One numbering serves complex words, simple words and edits, as in section 3.2: the special symbols first, then the
words that may be added, then the words that are only read. Words are lower-cased; each remembers the case in which it
is most often written inside a sentence.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from textsimp.core.errors import bad_input
from textsimp.core.reading import read_lines
from textsimp.core.writing import write_lines
from textsimp.simplification.editnts import EditNtsConfig
from textsimp.simplification.spacing import Casing, sentence_starts

PAD, UNKNOWN, START, KEEP, DELETE, STOP = range(6)
FIRST_WORD = 6
Edit = int | str  # one step of a program: KEEP, DELETE, STOP, or the word that an ADD writes


def edit_program(complex_words: Sequence[str], simple_words: Sequence[str]) -> list[Edit]:
    """Return the shortest program from one sentence to the other, ending in STOP; time and memory O(m n).

    `execute(complex_words, edit_program(complex_words, simple_words)) == simple_words` always holds.
    """
    distance = _distances(complex_words, simple_words)
    i, j = len(complex_words), len(simple_words)
    program: list[Edit] = []
    while i or j:
        if i and j and complex_words[i - 1] == simple_words[j - 1]:
            i, j = i - 1, j - 1
            if program:  # a KEEP with nothing after it is left to STOP
                program.append(KEEP)
        elif i and distance[i][j] == distance[i - 1][j] + 1:
            i -= 1
            program.append(DELETE)
        else:
            j -= 1
            program.append(simple_words[j])
    return [*reversed(program), STOP]


def execute(complex_words: Sequence[str], program: Iterable[Edit]) -> list[str]:
    """Return the words that a program writes; a program without STOP stops at its end.

    Raises:
        IndexError: a KEEP where every complex word has been read.
    """
    written: list[str] = []
    pointer = 0
    for edit in program:
        if edit == STOP:
            break
        if isinstance(edit, str):
            written.append(edit)
            continue
        if edit == KEEP:
            written.append(complex_words[pointer])
        pointer += 1
    return [*written, *complex_words[pointer:]]


def _distances(complex_words: Sequence[str], simple_words: Sequence[str]) -> list[list[int]]:
    """Return edit distances between all prefixes, by Levenshtein without substitution. Shape: (m+1, n+1)."""
    table = [list(range(len(simple_words) + 1))]
    for i, word in enumerate(complex_words, 1):
        above, row = table[-1], [i]
        for j, simple_word in enumerate(simple_words, 1):
            row.append(above[j - 1] if word == simple_word else 1 + min(above[j], row[j - 1]))
        table.append(row)
    return table


@dataclass(frozen=True)
class Vocabulary:
    """Words in the order of their numbers (from `FIRST_WORD`), their written forms, how many of them may be added."""

    words: tuple[str, ...]
    written: tuple[str, ...]
    addable: int

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """Return the number of each word."""
        return {word: number for number, word in enumerate(self.words, FIRST_WORD)}

    @property
    def size(self) -> int:
        """Return how many numbers there are."""
        return FIRST_WORD + len(self.words)

    @property
    def outputs(self) -> int:
        """Return the number below which numbers may be predicted."""
        return FIRST_WORD + self.addable

    def word_numbers(self, words: Iterable[str]) -> list[int]:
        """Return the numbers of words in any case."""
        return [self.numbers.get(word.lower(), UNKNOWN) for word in words]

    def edit_numbers(self, program: Iterable[Edit]) -> list[int]:
        """Return the numbers of the edits of a program."""
        return [self.numbers.get(edit, UNKNOWN) if isinstance(edit, str) else edit for edit in program]

    def in_sentence(self, words: Sequence[str]) -> list[str]:
        """Return the words with those that begin a sentence written as they are inside one, where that is known."""
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
    """Read the vocabulary of a file; `InputError` where a line is not of the form."""
    rows = [line.split("\t") for line in read_lines(path)]
    addable = sum(row[-1] == "add" for row in rows)
    for number, row in enumerate(rows, 1):
        if len(row) != 3 or row[2] != ("add" if number <= addable else "read"):
            raise bad_input(path, number, "not 'word, written form, add or read'", "binarize the corpus again")
    return Vocabulary(tuple(row[0] for row in rows), tuple(row[1] for row in rows), addable)


def build_vocabulary(
    sentences: Sequence[Sequence[str]], programs: Sequence[Sequence[Edit]], config: EditNtsConfig
) -> Vocabulary:
    """Return the words of training sentences that are frequent enough, the most frequent first.

    `sentences` are those of both sides in their own case, `programs` are in lower case.
    """
    counts = Counter(word.lower() for words in sentences for word in words)
    added = Counter(edit for program in programs for edit in program if isinstance(edit, str))
    frequent = (word for word in counts if counts[word] >= config.min_frequency)
    known = sorted(frequent, key=lambda word: (-counts[word], word))[: config.max_words]
    addable = [word for word in known if added[word] >= config.min_add_frequency]
    words = (*addable, *(word for word in known if added[word] < config.min_add_frequency))
    forms = Casing.learn(sentences).forms
    return Vocabulary(words, tuple(forms.get(word, word) for word in words), len(addable))
