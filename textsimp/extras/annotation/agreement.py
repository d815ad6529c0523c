"""How far two annotators agree, and the gold that comes of it (Jiang et al. 2020, section 3.1)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.core.errors import bad_input
from textsimp.core.reading import quoted
from textsimp.core.records import AlignmentLabel, DocumentPair, first_difference
from textsimp.extras.annotation.annotated import ADJUDICATION, Annotated, Ends, disputed
from textsimp.metrics.rewriting.labelled import cohen_kappa

CLASSES = (AlignmentLabel.ALIGNED, AlignmentLabel.PARTIAL, None)
"""Rows (first annotator) and columns (second) of a table of counts; None is not aligned."""
_FINISH = "finish it in the page and download it again"


@dataclass(frozen=True)
class Agreement:
    """What two annotators said of the same sentence pairs.

    Attributes:
        name: the document pair, or `all`.
        table: sentence pairs by the two labels, in the order of `CLASSES`. Shape: (3, 3)
        undecided: simple sentences that one of them has not settled; their pairs are not counted.
    """

    name: str
    table: NDArray[np.int64]
    undecided: int

    def numbers(self) -> dict[str, Any]:
        """Counts, and kappas (None where chance explains all, or nothing is counted).

        `kappa`: of the three labels, over all sentence pairs of paragraphs that one of the two linked, or that one of
        the two linked themselves; the paper's .807 is of this kind. `kappa_aligned`: aligned against the rest (Task 1);
        `kappa_linked`: aligned or partial against the rest (Task 2); `kappa_aligned_partial`: aligned against partial,
        where both see a link.
        """
        table = self.table
        return {
            "name": self.name,
            "pairs": int(table.sum()),
            "same": int(np.trace(table)),
            "undecided": self.undecided,
            "kappa": _kappa(table),
            "kappa_aligned": _kappa(_joined(table, 1)),
            "kappa_linked": _kappa(_joined(table, 2)),
            "kappa_aligned_partial": _kappa(table[:2, :2]),
        }


def _joined(table: NDArray[np.int64], first: int) -> NDArray[np.int64]:
    """A table of two classes: the first ones of three, and the rest. Shapes: (3, 3) to (2, 2)."""
    ends = [0, first]
    joined: NDArray[np.int64] = np.add.reduceat(np.add.reduceat(table, ends, axis=0), ends, axis=1)
    return joined


def _kappa(table: NDArray[np.int64]) -> float | None:
    kappa = cohen_kappa(table) if table.sum() else np.nan
    return None if np.isnan(kappa) else float(kappa)


def matched(first: Sequence[Annotated], second: Sequence[Annotated]) -> list[Annotated]:
    """The second annotator's pairs in the order of the first one's.

    Raises:
        InputError: a document pair is in one alone, or has other sentences.
    """
    _check_has_all(second, first)
    _check_has_all(first, second)
    by_id = {annotated.pair.id: annotated for annotated in second}
    in_order = [by_id[annotated.pair.id] for annotated in first]
    for of_first, of_second in zip(first, in_order, strict=True):
        pairs = of_first.pair, of_second.pair
        if difference := first_difference(*pairs) or _differing_paragraphs(*pairs):
            path, line = of_first.source
            what = f"document pair {quoted(of_first.pair.id)} differs from {path}:{line}: {difference}"
            raise bad_input(*of_second.source, what, "give two annotations of one file")
    return in_order


def _check_has_all(file: Sequence[Annotated], wanted: Sequence[Annotated]) -> None:
    there = {annotated.pair.id for annotated in file}
    if missing := [annotated for annotated in wanted if annotated.pair.id not in there]:
        path, _ = missing[0].source
        what = f"no document pair {quoted(missing[0].pair.id)}, which {path} has ({len(missing)} such)"
        raise bad_input(file[0].source[0], None, what, "give two annotations of the same documents")


def _differing_paragraphs(first: DocumentPair, second: DocumentPair) -> str:
    for side in ("complex", "simple"):
        if getattr(first, side).paragraph_of != getattr(second, side).paragraph_of:
            return f"the {side} document has other paragraphs"
    return ""


def agreements(first: Sequence[Annotated], second: Sequence[Annotated]) -> list[Agreement]:
    """The agreement on each document pair, and on all of them together as the last.

    Args:
        first, second: annotations of the same document pairs, in the same order (`matched`).
    """
    rows = [_agreement(*opinions) for opinions in zip(first, second, strict=True)]
    together = Agreement("all", np.sum([row.table for row in rows], axis=0), sum(row.undecided for row in rows))
    return [*rows, together]


def _agreement(first: Annotated, second: Annotated) -> Agreement:
    table = np.zeros((len(CLASSES), len(CLASSES)), dtype=np.int64)
    first_labels, second_labels = first.labels, second.labels
    for ends in _judged(first, second):
        table[CLASSES.index(first_labels.get(ends)), CLASSES.index(second_labels.get(ends))] += 1
    undecided = len(first.pair.simple.sentences) - len(first.settled & second.settled)
    return Agreement(first.pair.id, table, undecided)


def _judged(first: Annotated, second: Annotated) -> Iterator[Ends]:
    """The sentence pairs (simple, complex) that agreement is counted over; see `Agreement.numbers`."""
    simple_paragraph, complex_paragraph = first.pair.simple.paragraph_of, first.pair.complex.paragraph_of
    paragraphs, linked = first.paragraphs | second.paragraphs, first.labels.keys() | second.labels.keys()
    for simple in sorted(first.settled & second.settled):
        for complex_ in range(len(complex_paragraph)):
            ends = simple, complex_
            if (simple_paragraph[simple], complex_paragraph[complex_]) in paragraphs or ends in linked:
                yield ends


def disagreements(first: Sequence[Annotated], second: Sequence[Annotated]) -> int:
    """The number of sentence pairs that are labelled differently."""
    return sum(len(disputed(*opinions)) for opinions in zip(first, second, strict=True))


def merged_gold(
    first: Sequence[Annotated], second: Sequence[Annotated], adjudicated: Sequence[Annotated] | None
) -> list[DocumentPair]:
    """The document pairs with the links that both gave, and where they differ those of who decided.

    Args:
        first, second: annotations of the same document pairs, in the same order (`matched`).
        adjudicated: what the adjudication page gave, in the same order; None where nothing is to be decided.

    Raises:
        InputError: a sentence is not settled, a difference is not decided, or nobody decides it: `adjudicated` is of
            another page.
    """
    if adjudicated is None and (number := disagreements(first, second)):
        what = f"{number} sentence pairs have two labels (the other file is {second[0].source[0]})"
        raise bad_input(
            first[0].source[0], None, what, "decide them in the page of --html and give it as --adjudicated"
        )
    for annotated in adjudicated or ():
        if annotated.annotation is not None and annotated.annotation.round != ADJUDICATION:
            what = f"of a round {quoted(annotated.annotation.round)}, not of {ADJUDICATION}"
            raise bad_input(*annotated.source, what, "give what was downloaded from the page of --html")
    for annotated in (*first, *second) if adjudicated is None else adjudicated:
        _check_is_finished(annotated)
    return [annotated.pair for annotated in (first if adjudicated is None else adjudicated)]


def _check_is_finished(annotated: Annotated) -> None:
    pair, annotation, name = annotated.pair, annotated.annotation, quoted(annotated.pair.id)
    if undecided := sorted(set(range(len(pair.simple.sentences))) - annotated.settled):
        what = f"document pair {name} has {len(undecided)} undecided simple sentences, first S{undecided[0] + 1}"
        raise bad_input(*annotated.source, what, _FINISH)
    if annotation is not None and annotation.flags:
        simple, complex_ = min(annotation.flags)
        what = f"document pair {name} has {len(annotation.flags)} open flags, first S{simple + 1} with C{complex_ + 1}"
        raise bad_input(*annotated.source, what, _FINISH)
