"""Training, dev and test by article set (Jiang et al. 2020, section 5.1).

"We partitioned the article sets such that there is no overlap between the new train set and the old test set,
and vice-versa": one division of the article sets serves both alignments.
"""

import hashlib
from collections.abc import Collection

from textsimp.errors import InputError


def divide(groups: Collection[str], dev: float, test: float, seed: int) -> dict[str, str]:
    """The split (train, dev or test) of each article set.

    Sets are ranked by a digest of seed and name, which depends on no library's random numbers; dev and test take
    their shares, rounded, at least one set each, and train the rest.

    Args:
        groups: names of the article sets.
        dev: the share of dev, above 0.
        test: the share of test, above 0.
        seed: another seed gives another ranking.

    Raises:
        InputError: nothing would be left for training.
    """
    ranked = sorted(groups, key=lambda group: hashlib.sha256(f"{seed}\0{group}".encode()).digest())
    n_dev, n_test = (max(1, round(share * len(ranked))) for share in (dev, test))
    if n_dev + n_test >= len(ranked):
        raise InputError(
            f"{len(ranked)} unlabelled article sets cannot be divided into train, dev and test; give at least 3"
        )
    names = ["test"] * n_test + ["dev"] * n_dev + ["train"] * (len(ranked) - n_test - n_dev)
    return dict(zip(ranked, names, strict=True))
