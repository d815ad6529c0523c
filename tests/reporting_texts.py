"""Invented texts for the tests of the report: document pairs with links, test sentences and outputs."""

import random

HOSTILE = "<script>alert('x')</script> & \"quoted\" | pipe `tick` {{ 7 * 7 }}"
WORDS = "the river town council voted on a plan to move old boats from its harbour before winter storms".split()


def sentence(draw: random.Random, length: int) -> str:
    words = draw.choices(WORDS, k=length)
    return " ".join(words).capitalize() + "."


def example_rows(name: str, draw: random.Random) -> list[dict[str, object]]:
    rows = []
    for group in range(3):
        complex_ = [sentence(draw, 14) for _ in range(7)]
        simple = [sentence(draw, 8) for _ in range(6)]
        complex_[1], simple[1] = HOSTILE, "A hostile line."
        sides = {"complex": complex_, "simple": simple}
        row: dict[str, object] = {"id": f"{name}-{group}", "corpus": name, "group": f"set-{group}"}
        for level, (side, lines) in enumerate(sides.items()):
            row[side] = {"id": f"{name}-{group}-{level}", "level": level, "paragraphs": [lines[:3], lines[3:]]}
        row["alignments"] = [[0, 0, "aligned"], [1, 1, "aligned"], [2, 1, "partial"], [3, 4, "partial"]]
        predicted = [[0, 0, "aligned"], [1, 1, "partial"], [2, 1, "partial"], [5, 6, "aligned"]]
        row["predicted"] = {"neural_crf": predicted, "jaccard": predicted[: 2 * group]}
        rows.append(row)
    return rows


def sentences_and_references(references: int, draw: random.Random) -> tuple[list[str], list[list[str]]]:
    """Nine complex sentences and their references."""
    complex_ = [sentence(draw, 16) for _ in range(9)]
    complex_[1] = HOSTILE
    return complex_, [[sentence(draw, 10) for _ in complex_] for _ in range(references)]


def simplified(complex_: list[str], draw: random.Random) -> list[str]:
    """What a simplifier might make of them; one output is empty."""
    outputs = [line if draw.random() < 0.3 else sentence(draw, 11) for line in complex_]
    outputs[1] = HOSTILE + " </mark>"
    outputs[4] = ""
    return outputs
