"""Article sets drawn at random for the splits of a corpus (F1; Jiang et al. 2020, sections 3.1 and 3.2)."""

import random

from textsimp.errors import InputError
from textsimp.sources.config import ManualDraw
from textsimp.sources.layout import SPLITS, UNLABELLED


def draw(names: list[str], manual: ManualDraw) -> dict[str, list[str]]:
    """Draw article sets for train, dev and test at random; the rest is unlabelled.

    Args:
        names: distinct names; their order does not matter.
        manual: how many go into each split, and the seed.

    Returns:
        Sorted names by split. Raises `InputError` where there are not enough.
    """
    wanted = (manual.train, manual.dev, manual.test)
    if min(wanted) < 1 or sum(wanted) > len(names):
        raise InputError(f"manual counts {wanted} do not fit {len(names)} article sets; correct them under conf/corpus")
    order = random.Random(manual.seed).sample(sorted(names), len(names))
    result = {}
    for split, count in zip(SPLITS, wanted, strict=True):
        result[split], order = sorted(order[:count]), order[count:]
    return result | {UNLABELLED: sorted(order)}
