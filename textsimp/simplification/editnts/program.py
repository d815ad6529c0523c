"""Edit programs (Dong et al. 2019, section 3.1) and the function that executes them.

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
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum


class Operation(str, Enum):
    """What an edit does."""

    KEEP = "KEEP"
    DELETE = "DELETE"
    ADD = "ADD"
    STOP = "STOP"


@dataclass(frozen=True)
class Edit:
    """One step of a program; `word` is given for ADD only."""

    operation: Operation
    word: str = ""


KEEP, DELETE, STOP = Edit(Operation.KEEP), Edit(Operation.DELETE), Edit(Operation.STOP)


def add(word: str) -> Edit:
    """The edit that writes `word`."""
    return Edit(Operation.ADD, word)


def edit_program(complex_words: Sequence[str], simple_words: Sequence[str]) -> list[Edit]:
    """The shortest program from one sentence to the other, ending in STOP; time and memory O(m n).

    `execute(complex_words, edit_program(complex_words, simple_words)) == simple_words` always holds.
    """
    distance = _distances(complex_words, simple_words)
    i, j = len(complex_words), len(simple_words)
    program: list[Edit] = []
    while i or j:
        if i and j and complex_words[i - 1] == simple_words[j - 1]:
            i, j = i - 1, j - 1
            if program:  # a KEEP with nothing behind it is left to STOP
                program.append(KEEP)
        elif i and distance[i][j] == distance[i - 1][j] + 1:
            i -= 1
            program.append(DELETE)
        else:
            j -= 1
            program.append(add(simple_words[j]))
    return [*reversed(program), STOP]


def execute(complex_words: Sequence[str], program: Iterable[Edit]) -> list[str]:
    """The words that a program writes; a program without STOP stops at its end.

    Raises:
        IndexError: a KEEP or DELETE where every complex word has been read.
    """
    written: list[str] = []
    pointer = 0
    for edit in program:
        if edit.operation is Operation.STOP:
            break
        if edit.operation is Operation.ADD:
            written.append(edit.word)
            continue
        if pointer == len(complex_words):
            raise IndexError(f"{edit.operation.value} after the last of {len(complex_words)} words")
        if edit.operation is Operation.KEEP:
            written.append(complex_words[pointer])
        pointer += 1
    return [*written, *complex_words[pointer:]]


def _distances(complex_words: Sequence[str], simple_words: Sequence[str]) -> list[list[int]]:
    """Edit distances between all prefixes, by Levenshtein's recurrence without substitution. Shape: (m+1, n+1)."""
    table = [list(range(len(simple_words) + 1))]
    for i, word in enumerate(complex_words, 1):
        above, row = table[-1], [i]
        for j, other in enumerate(simple_words, 1):
            row.append(above[j - 1] if word == other else 1 + min(above[j], row[j - 1]))
        table.append(row)
    return table
