"""Agreement of two raters beyond chance."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def cohen_kappa(table: NDArray[Any], weights: str | None = None) -> float | None:
    """Return Cohen's kappa (1960; 1968 with weights) of a table of counts, as scikit-learn computes it.

    It is 1 for full agreement, 0 for that of chance, and None where both use one and the same value, or the table is
    empty.

    Args:
        table: how often the first rater gave the value of a row where the second gave that of a column. Shape: (n, n)
        weights: `linear` or `quadratic` distances of the values, in their order; None takes all differences alike.
    """
    from sklearn.metrics import cohen_kappa_score  # slow to import

    if np.count_nonzero(table.sum(0) + table.sum(1)) < 2:
        return None
    first, second = (place.ravel() for place in np.indices(table.shape))
    return float(cohen_kappa_score(first, second, weights=weights, sample_weight=table.ravel()))
