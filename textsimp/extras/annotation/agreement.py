"""Agreement of two annotators, and the gold that comes of it (Jiang et al. 2020, section 3.1)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.core.errors import bad_input
from textsimp.core.reading import quoted
from textsimp.core.records import AlignmentLabel, DocumentPair, first_difference
from textsimp.extras.annotation.annotated import ADJUDICATION, Annotated, disputed
from textsimp.metrics.kappa import cohen_kappa

# rows (first annotator) and columns (second) of a table of counts; None is not aligned
CLASSES = (AlignmentLabel.ALIGNED, AlignmentLabel.PARTIAL, None)
_FINISH = "finish it in the page and download it again"


def matched(first: Sequence[Annotated], second: Sequence[Annotated]) -> list[Annotated]:
    """Return the second annotator's pairs in the order of the first one's.

    Raises:
        InputError: a document pair is in one alone, or has other sentences.
    """
    of_both = [{one.pair.id: one for one in annotated} for annotated in (first, second)]
    for there, wanted in (of_both, of_both[::-1]):
        if missing := [name for name in there if name not in wanted]:
            what = f"no document pair {quoted(missing[0])}, which {there[missing[0]].source[0]} has"
            path, remedy = next(iter(wanted.values())).source[0], "give two annotations of the same documents"
            raise bad_input(path, None, f"{what} ({len(missing)} such)", remedy)
    in_order = [of_both[1][one.pair.id] for one in first]
    for of_first, of_second in zip(first, in_order, strict=True):
        pairs = of_first.pair, of_second.pair
        if difference := first_difference(*pairs) or _differing_paragraphs(*pairs):
            path, line = of_first.source
            what = f"document pair {quoted(of_first.pair.id)} differs from {path}:{line}: {difference}"
            raise bad_input(*of_second.source, what, "give two annotations of one file")
    return in_order


def _differing_paragraphs(first: DocumentPair, second: DocumentPair) -> str:
    for side in ("complex", "simple"):
        if getattr(first, side).paragraph_of != getattr(second, side).paragraph_of:
            return f"the {side} document has other paragraphs"
    return ""


def agreements(first: Sequence[Annotated], second: Sequence[Annotated]) -> list[dict[str, Any]]:
    """Return the agreement on each document pair, and on all of them together as the last.

    Args:
        first, second: annotations of the same document pairs, in the same order (`matched`).

    Returns:
        Of each: `pairs`, the sentence pairs that are counted, those of paragraphs that one of the two linked, and those
        that one of the two linked themselves; `same`: with the same label; `undecided`: simple sentences that one of
        them has not settled, whose pairs are not counted; `kappa` of the three labels, of which kind the paper's .807
        is; `kappa_aligned`: aligned against the rest (Task 2); `kappa_linked`: aligned or partial against the rest
        (Task 1); `kappa_aligned_partial`: aligned against partial, where both see a link. A kappa is None where chance
        explains all, or nothing is counted.
    """
    both = list(zip(first, second, strict=True))
    tables = [_table(*opinions) for opinions in both]
    undecided = [len(one.pair.simple.sentences) - len(one.settled & other.settled) for one, other in both]
    rows = [*zip((one.pair.id for one in first), tables, undecided, strict=True)]
    return [_numbers(*row) for row in (*rows, ("all", np.sum(tables, axis=0), sum(undecided)))]


def _numbers(name: str, table: NDArray[np.int64], undecided: int) -> dict[str, Any]:
    return {
        "name": name,
        "pairs": int(table.sum()),
        "same": int(np.trace(table)),
        "undecided": undecided,
        "kappa": cohen_kappa(table),
        "kappa_aligned": cohen_kappa(_joined(table, 1)),
        "kappa_linked": cohen_kappa(_joined(table, 2)),
        "kappa_aligned_partial": cohen_kappa(table[:2, :2]),
    }


def _joined(table: NDArray[np.int64], first: int) -> NDArray[np.int64]:
    """Return a table of two classes: the first ones of three, and the rest. Shapes: (3, 3) to (2, 2)"""
    return np.array([[part.sum() for part in np.split(rows, [first], axis=1)] for rows in np.split(table, [first])])


def _table(first: Annotated, second: Annotated) -> NDArray[np.int64]:
    """Return the counted sentence pairs by the two labels, in the order of `CLASSES`. Shape: (3, 3)"""
    table = np.zeros((len(CLASSES), len(CLASSES)), dtype=np.int64)
    simple_of, complex_of = first.pair.simple.paragraph_of, first.pair.complex.paragraph_of
    paragraphs, labels = first.paragraphs | second.paragraphs, (first.labels, second.labels)
    for simple in first.settled & second.settled:
        for ends in ((simple, complex_) for complex_ in range(len(complex_of))):
            given = [CLASSES.index(of_one.get(ends)) for of_one in labels]
            if (simple_of[simple], complex_of[ends[1]]) in paragraphs or given != [2, 2]:
                table[given[0], given[1]] += 1
    return table


def disagreements(first: Sequence[Annotated], second: Sequence[Annotated]) -> int:
    """Return the number of sentence pairs that are labelled differently."""
    return sum(len(disputed(*opinions)) for opinions in zip(first, second, strict=True))


def merged_gold(
    first: Sequence[Annotated], second: Sequence[Annotated], adjudicated: Sequence[Annotated] | None
) -> list[DocumentPair]:
    """Return the document pairs with the links that both gave, and where they differ those of who decided.

    Args:
        first, second: annotations of the same document pairs, in the same order (`matched`).
        adjudicated: what the adjudication page gave, in the same order; None where nothing is to be decided.

    Raises:
        InputError: a sentence is not settled, a difference is not decided, or nobody decides it: `adjudicated` is of
            another page.
    """
    if adjudicated is None and (number := disagreements(first, second)):
        what = f"{number} sentence pairs have two labels (the other file is {second[0].source[0]})"
        remedy = "decide them in the page of --html and give it as --adjudicated"
        raise bad_input(first[0].source[0], None, what, remedy)
    for one in adjudicated or ():
        if one.annotation is not None and one.annotation.round != ADJUDICATION:
            what = f"of a round {quoted(one.annotation.round)}, not of {ADJUDICATION}"
            raise bad_input(*one.source, what, "give what was downloaded from the page of --html")
    for one in (*first, *second) if adjudicated is None else adjudicated:
        _check_is_finished(one)
    return [one.pair for one in (first if adjudicated is None else adjudicated)]


def _check_is_finished(annotated: Annotated) -> None:
    pair, annotation, name = annotated.pair, annotated.annotation, quoted(annotated.pair.id)
    if undecided := sorted(set(range(len(pair.simple.sentences))) - annotated.settled):
        what = f"document pair {name} has {len(undecided)} undecided simple sentences, first S{undecided[0] + 1}"
        raise bad_input(*annotated.source, what, _FINISH)
    if annotation is not None and annotation.flags:
        simple, complex_ = min(annotation.flags)
        what = f"document pair {name} has {len(annotation.flags)} open flags, first S{simple + 1} with C{complex_ + 1}"
        raise bad_input(*annotated.source, what, _FINISH)
