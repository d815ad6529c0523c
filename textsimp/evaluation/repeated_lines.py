"""How often each line of a text occurs in it, for texts of any length: digests in a temporary file, some at a time."""

import tempfile
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from math import ceil

import numpy as np
from numpy.typing import NDArray

from textsimp.core.reading import system_fault
from textsimp.metrics.scores import Counts

_DIGEST = 8
"""Bytes of a digest: two of a million different lines have the same with a probability of 3e-8."""
_IN_MEMORY = 1 << 25
"""Bytes of digests that wait in memory; more go to a file."""
_AT_ONCE = 1 << 20
"""Digests that are sorted together."""
_BLOCK = 1 << 16


class RepeatedLines:
    """The digests of the lines of some texts side by side, and the groups that the lines are in."""

    def __init__(self, texts: int) -> None:
        self._width, self._lines = 1 + texts, 0
        self._file = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115

    def add(self, groups: NDArray[np.int64], texts: Sequence[Sequence[str]]) -> None:
        """Add the next lines of every text; `InputError` where the folder of temporary files is full."""
        rows = np.empty((len(groups), self._width), dtype=np.uint64)
        rows[:, 0] = groups
        for column, lines in enumerate(texts, 1):
            digests = b"".join(blake2b(line.encode(), digest_size=_DIGEST).digest() for line in lines)
            rows[:, column] = np.frombuffer(digests, dtype=np.uint64)
        try:
            self._file.write(rows.tobytes())
        except OSError as error:
            raise system_fault(tempfile.gettempdir(), error) from None
        self._lines += len(groups)

    def shares(self, groups: int | None) -> Counts:
        """1/n of each line, where its text has it n times; summed over groups where their number is given.

        Shape: (lines or groups, texts).
        """
        shares = np.zeros((groups or self._lines, self._width - 1))
        parts = ceil(self._lines / _AT_ONCE)
        for part in range(parts):
            for text in range(1, self._width):
                units, digests = self._column(text, part, parts, groups is not None)
                _, number, times = np.unique(digests, return_inverse=True, return_counts=True)
                shares[:, text - 1] += np.bincount(units, (1 / times)[number], len(shares))
        return shares

    def close(self) -> None:
        """Remove the temporary file."""
        self._file.close()

    def _column(self, text: int, part: int, parts: int, grouped: bool) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        """The units and digests of those lines of a text whose digests belong to one of some parts."""
        chosen, start = [], 0
        for rows in self._rows():
            of_part = np.flatnonzero(rows[:, text] % parts == part)
            units = rows[of_part, 0].astype(np.int64) if grouped else start + of_part
            chosen.append((units, rows[of_part, text]))
            start += len(rows)
        return np.concatenate([units for units, _ in chosen]), np.concatenate([digests for _, digests in chosen])

    def _rows(self) -> Iterator[NDArray[np.uint64]]:
        self._file.seek(0)
        while data := self._file.read(_BLOCK * self._width * _DIGEST):
            yield np.frombuffer(data, dtype=np.uint64).reshape(-1, self._width)
