"""Words of a pair of sentences that stand for each other: IBM 1, then HMM (Vogel et al. 1996), both by sil-thot.

Both directions are trained and joined by grow-diag-final-and (Koehn et al. 2005).
"""

from collections.abc import Sequence

import numpy as np
from thot.alignment import (
    AlignmentModel,
    HmmAlignmentModel,
    Ibm1AlignmentModel,
    SymmetrizationHeuristic,
    SymmetrizedAligner,
)

Words = Sequence[str]
Links = list[tuple[int, int]]
"""Places of the complex and of the simple word, ascending."""


def align_words(pairs: Sequence[tuple[Words, Words]], ibm1_iterations: int, hmm_iterations: int) -> list[Links]:
    """The links of each pair of sentences, which the models are trained on."""
    sides = [list(map(list, side)) for side in zip(*pairs, strict=True)]
    direct = _trained(sides[0], sides[1], ibm1_iterations, hmm_iterations)
    inverse = _trained(sides[1], sides[0], ibm1_iterations, hmm_iterations)
    both = SymmetrizedAligner(direct, inverse)
    both.heuristic = SymmetrizationHeuristic.GROW_DIAG_FINAL_AND
    alignments = both.get_best_alignments(*sides)
    return [[(i, j) for i, j in np.argwhere(matrix.to_numpy()).tolist()] for _, matrix in alignments]


def _trained(sources: list[list[str]], targets: list[list[str]], ibm1: int, hmm: int) -> AlignmentModel:
    model = Ibm1AlignmentModel()
    for source, target in zip(sources, targets, strict=True):
        model.add_sentence_pair(source, target)
    _train(model, ibm1)
    if not hmm:
        return model
    hmm_model = HmmAlignmentModel(model)
    _train(hmm_model, hmm)
    return hmm_model


def _train(model: AlignmentModel, iterations: int) -> None:
    model.start_training()
    for _ in range(iterations):
        model.train()
    model.end_training()
