"""BERTScore (Zhang et al. 2020, section 3) with any encoder: tokens matched greedily by the cosine of their states.

The encoder comes from outside, as a function, so that nothing here needs torch. No idf weights and no rescaling; the
encoder's special tokens take no part.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from textsimp.metrics.scores import SegmentStatistics, Signature, check_lines, first_per_unit, quotient

States: TypeAlias = NDArray[np.floating]
MAX_LENGTH, BATCH = 512, 32
"""Word pieces that a BERT reads at most, and texts that `textsimp score` encodes at a time."""
_LINES = 256


@dataclass(frozen=True)
class NamedEncoder:
    """A named function from texts to the states of their tokens. Shape of each: (W, width)."""

    name: str
    encode: Callable[[Sequence[str]], Sequence[States]]


def bertscore_statistics(
    outputs: Sequence[str], references: Sequence[Sequence[str]], encoder: NamedEncoder
) -> SegmentStatistics:
    """F1 with the parts `precision` and `recall`, each the mean over sentences, in percent; K is 4.

    Precision is the mean over the output's tokens of the largest cosine with a token of the reference, recall the
    reverse, F1 their harmonic mean; of several references, the largest of each. A text without tokens scores 0. The
    encoder has to give a text the same states whatever it is asked together with.
    """
    check_lines("BERTScore", outputs, *references)
    rows = []
    for start in range(0, len(outputs), _LINES):
        batch = [lines[start : start + _LINES] for lines in (outputs, *references)]
        states = [[_unit(of_text) for of_text in encoder.encode(lines)] for lines in batch]
        for output, *goals in zip(*states, strict=True):
            rows.append([*np.max([_match(output, goal) for goal in goals], axis=0), 1.0])
    settings = {"level": "sentence", "encoder": encoder.name, "idf": "no", "rescale": "no"}
    signature = Signature.of("BERTSCORE", **settings, nrefs=len(references))
    return SegmentStatistics(signature, np.array(rows), first_per_unit, ("precision", "recall"))


def _match(output: States, reference: States) -> tuple[float, float, float]:
    """F1, precision and recall of two texts from unit vectors, (W, width) and (V, width)."""
    if not len(output) or not len(reference):
        return 0.0, 0.0, 0.0
    cosine = output @ reference.T  # (W, V)
    precision, recall = 100 * float(cosine.max(1).mean()), 100 * float(cosine.max(0).mean())
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0, precision, recall


def _unit(states: States) -> States:
    states = np.asarray(states, dtype=np.float64)
    return quotient(states, np.sqrt((states**2).sum(-1, keepdims=True)))
