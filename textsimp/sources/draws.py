"""The splits of a corpus, and article sets drawn at random for them (Jiang et al. 2020, sections 3.1 and 3.2)."""

import random
from dataclasses import dataclass

from textsimp.core.errors import InputError
from textsimp.core.settings import Positive, Seed

SPLITS = ("train", "dev", "test")
UNLABELLED = "unlabelled"


@dataclass(frozen=True)
class ManualDraw:
    """Numbers of article sets of each split of the manual annotation (section 3: 35/5/10 and 350/50/100).

    They are drawn at random with `seed`; the article sets that remain are the unlabelled ones.
    """

    train: Positive
    dev: Positive
    test: Positive
    seed: Seed


def draw(names: list[str], manual: ManualDraw) -> dict[str, list[str]]:
    """Return sorted names of article sets by split, whatever the order of `names`; `InputError` for too few."""
    wanted = (manual.train, manual.dev, manual.test)
    if min(wanted) < 1 or sum(wanted) > len(names):
        raise InputError(f"manual counts {wanted} do not fit {len(names)} article sets; correct them under conf/corpus")
    order = random.Random(manual.seed).sample(sorted(names), len(names))
    result = {}
    for split, count in zip(SPLITS, wanted, strict=True):
        result[split], order = sorted(order[:count]), order[count:]
    return result | {UNLABELLED: sorted(order)}
