"""Labelled pairs, word vectors and small networks for the tests of trained similarities."""

from collections.abc import Sequence

import numpy as np
from alignment_sample import document_pair

from textsimp.alignment.similarity.pair_training import Esim, InferSent

TRAIN = [document_pair(number) for number in range(8)]
DEV = [document_pair(number) for number in (8, 9)]
TEXTS = ["The vole sleeps .", "The old badger often hunts near the meadow , every meadow said .", "A newt !", "vole"]


class Vectors:
    """A vector of 12 numbers for every word of the sample but `finch`."""

    name, size = "test", 12

    def lookup(self, wanted: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        known = np.array([word != "finch" for word in wanted], dtype=bool)
        rows = [np.random.default_rng(list(word.encode())).standard_normal(12) for word in wanted]
        return np.array(rows, dtype=np.float32).reshape(len(wanted), 12) * known[:, None], known


def infersent(**options: float) -> InferSent:
    return InferSent(Vectors(), **{"hidden": 12, "learning_rate": 0.02, "epochs": 20, "min_steps": 0, **options})


def esim(**options: float) -> Esim:
    fixed = {"hidden": 16, "dropout": 0.0, "learning_rate": 0.01, "epochs": 10, "min_steps": 0, "batch_size": 16}
    return Esim(Vectors(), **{**fixed, **options})
