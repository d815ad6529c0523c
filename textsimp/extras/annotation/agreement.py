"""How far two annotators agree, and the gold that comes of it (Jiang et al. 2020, section 3.1)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.core.errors import bad_input
from textsimp.core.reading import quoted
from textsimp.core.records import AlignmentLabel, DocumentPair, first_difference
from textsimp.extras.annotation.annotated import Annotated, Ends, disputed
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
    by_id = {one.pair.id: one for one in second}
    _check_has(first, {one.pair.id for one in second}, second)
    _check_has(second, {one.pair.id for one in first}, first)
    for one in first:
        if difference := first_difference(one.pair, by_id[one.pair.id].pair) or _other_paragraphs(one, by_id):
            what = f"document pair {quoted(one.pair.id)} differs from {one.source[0]}:{one.source[1]}: {difference}"
            raise bad_input(*by_id[one.pair.id].source, what, "give two annotations of one file")
    return [by_id[one.pair.id] for one in first]


def _check_has(wanted: Sequence[Annotated], names: set[str], file: Sequence[Annotated]) -> None:
    if missing := [one for one in wanted if one.pair.id not in names]:
        place = missing[0].source[0]
        what = f"no document pair {quoted(missing[0].pair.id)}, which {place} has ({len(missing)} such)"
        raise bad_input(file[0].source[0], None, what, "give two annotations of the same documents")


def _other_paragraphs(one: Annotated, others: dict[str, Annotated]) -> str:
    other = others[one.pair.id].pair
    for side in ("complex", "simple"):
        if getattr(one.pair, side).paragraph_of != getattr(other, side).paragraph_of:
            return f"the {side} document has other paragraphs"
    return ""


def agreements(first: Sequence[Annotated], second: Sequence[Annotated]) -> list[Agreement]:
    """The agreement on each document pair, and on all of them together as the last.

    Args:
        first, second: annotations of the same document pairs, in the same order (`matched`).
    """
    rows = [_agreement(one, other) for one, other in zip(first, second, strict=True)]
    together = Agreement("all", np.sum([row.table for row in rows], axis=0), sum(row.undecided for row in rows))
    return [*rows, together]


def _agreement(one: Annotated, other: Annotated) -> Agreement:
    table = np.zeros((len(CLASSES), len(CLASSES)), dtype=np.int64)
    first, second = one.labels, other.labels
    for ends in judged(one, other):
        table[CLASSES.index(first.get(ends)), CLASSES.index(second.get(ends))] += 1
    undecided = len(one.pair.simple.sentences) - len(one.settled & other.settled)
    return Agreement(one.pair.id, table, undecided)


def judged(one: Annotated, other: Annotated) -> Iterator[Ends]:
    """The sentence pairs (simple, complex) that agreement is counted over; see `Agreement.numbers`."""
    simple, complex_ = one.pair.simple.paragraph_of, one.pair.complex.paragraph_of
    paragraphs, linked = one.paragraphs | other.paragraphs, one.labels.keys() | other.labels.keys()
    for low in sorted(one.settled & other.settled):
        for high in range(len(complex_)):
            if (simple[low], complex_[high]) in paragraphs or (low, high) in linked:
                yield low, high


def disagreements(first: Sequence[Annotated], second: Sequence[Annotated]) -> int:
    """The number of sentence pairs that are labelled differently."""
    return sum(len(disputed(one, other)) for one, other in zip(first, second, strict=True))


def merged_gold(
    first: Sequence[Annotated], second: Sequence[Annotated], adjudicated: Sequence[Annotated] | None
) -> list[DocumentPair]:
    """The document pairs with the links that both gave, and where they differ those of who decided.

    Args:
        first, second: annotations of the same document pairs, in the same order (`matched`).
        adjudicated: what the adjudication page gave, in the same order; None where nothing is to be decided.

    Raises:
        InputError: a sentence is not settled, a difference is not decided, or there is none to decide it.
    """
    last = first if adjudicated is None else adjudicated
    if adjudicated is None and (number := disagreements(first, second)):
        what = f"{number} sentence pairs have two labels (the other file is {second[0].source[0]})"
        raise bad_input(
            first[0].source[0], None, what, "decide them in the page of --html and give it as --adjudicated"
        )
    for one in (*first, *second, *last) if adjudicated is None else last:
        _check_is_finished(one)
    return [one.pair for one in last]


def _check_is_finished(one: Annotated) -> None:
    if open_ := sorted(set(range(len(one.pair.simple.sentences))) - one.settled):
        what = f"document pair {quoted(one.pair.id)} has {len(open_)} undecided simple sentences, first S{open_[0] + 1}"
        raise bad_input(*one.source, what, _FINISH)
    if one.annotation is not None and one.annotation.flags:
        simple, complex_ = min(one.annotation.flags)
        number = len(one.annotation.flags)
        what = f"document pair {quoted(one.pair.id)} has {number} open flags, first S{simple + 1} with C{complex_ + 1}"
        raise bad_input(*one.source, what, _FINISH)


def summary_lines(rows: Sequence[Agreement]) -> list[str]:
    """The agreement as a table of text, a line a document pair."""
    header = ["document pair", "pairs", "same", "undecided", "kappa", "aligned", "linked", "aligned/partial"]
    cells = [header] + [[_shown(value) for value in row.numbers().values()] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in cells
    ]


def _shown(value: str | float | None) -> str:
    return "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
