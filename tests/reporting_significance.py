"""Invented intervals and differences of simplifiers, for the tests of the report."""

from collections.abc import Iterable

P_VALUES = {"p_bootstrap": 0.01, "p_randomisation": 0.02}


def significance(rows: dict[str, dict[str, dict[str, float]]], metrics: Iterable[str]) -> dict[str, object]:
    """Intervals of two points to each side, and the differences that follow from the scores."""
    scores = {f"{training}/{system}": row for training, systems in rows.items() for system, row in systems.items()}
    del scores["none/reference"]
    pairs = {
        metric: {
            a: {
                b: {"difference": (d := one[metric] - scores[b][metric]), "low": d - 1, "high": d + 1, **P_VALUES}
                for b in list(scores)[place + 1 :]
            }
            for place, (a, one) in enumerate(scores.items())
        }
        for metric in metrics
    }
    return {
        "intervals": {
            name: {part: [value - 2, value + 2] for part, value in row.items()} for name, row in scores.items()
        },
        "pairs": pairs,
    }
