"""The units of resampling where there are many lines: random groups of lines, in memory that does not grow with them.

10,000 resamples of a million lines would take hours. So up to `MOST_UNITS` lines each is a unit, and beyond that every
line is put at random (files may be sorted) into one of as many groups, whose summed counts are the units. A score
depends on the ratios of its sums alone (but for BLEU of texts that share no 4-gram at all, which is smoothed), so that
the unequal sizes of the groups add nothing to its spread; and what few lines alone contribute keeps its shape, which a
normal approximation of the sums would lose. How wide an interval is varies with the draw of the groups by
1/sqrt(2 MOST_UNITS) of its width, half a percent: less than with the 10,000 resamples
(`python -m benchmarks.scoring --agreement`).
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from textsimp.metrics.scores import SegmentStatistics, Statistics, concatenated

MOST_UNITS = 20_000


class Units:
    """Collects the statistics of chunks of lines as those of units; several systems side by side, in the same groups.

    `lines` were added, `most` is the greatest number of units.
    """

    def __init__(self, seed: int, most: int = MOST_UNITS) -> None:
        self.lines, self.most = 0, most
        # the resamples start from the seed itself
        self._generator = np.random.default_rng((seed, most))
        self._waiting: list[tuple[NDArray[np.int64], Mapping[str, Statistics]]] = []
        self._sums: dict[str, dict[str, SegmentStatistics]] = {}

    @property
    def are_groups(self) -> bool:
        """Return whether a unit is a group of lines."""
        return self.lines > self.most

    def add(self, chunk: Mapping[str, Statistics], lines: int) -> NDArray[np.int64]:
        """Add the next lines' statistics by system and metric, and return their groups. Shape: (lines,)."""
        groups = self._generator.integers(0, self.most, size=lines)
        self.lines += lines
        self._waiting.append((groups, chunk))
        if self.are_groups:
            for waiting in self._waiting:
                self._sum_up(*waiting)
            self._waiting = []
        return groups

    def statistics(self) -> dict[str, dict[str, SegmentStatistics]]:
        """Return the statistics of the units by system and metric, at least one line of which was added."""
        if self.are_groups:
            return self._sums
        chunks = [chunk for _, chunk in self._waiting]
        return {
            system: {metric: concatenated([chunk[system][metric] for chunk in chunks]) for metric in row}
            for system, row in chunks[0].items()
        }

    def _sum_up(self, groups: NDArray[np.int64], chunk: Mapping[str, Statistics]) -> None:
        order = np.argsort(groups, kind="stable")
        first = np.flatnonzero(np.diff(groups[order], prepend=-1))
        present = groups[order[first]]
        for system, row in chunk.items():
            sums = self._sums.setdefault(system, {})
            for metric, statistics in row.items():
                if metric not in sums:
                    zeros = np.zeros((self.most, statistics.counts.shape[1]))
                    sums[metric] = replace(statistics, counts=zeros, is_mean=False)  # groups differ in size
                sums[metric].counts[present] += np.add.reduceat(statistics.counts[order], first, axis=0)
