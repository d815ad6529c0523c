"""What raters are asked: the three criteria of section 5.3.2 on a 5-point scale, and how to use it.

The paper's own instructions (appendix D.2) are a picture; it says that they are those of Kriz et al. 2019. The wording
here is ours. Simplicity is relative to the original, with 3 for "no change", because raters read an unanchored scale in
different ways (Stodden 2021, When the scale is unclear).
"""

from dataclasses import dataclass

SCALE = (1, 2, 3, 4, 5)


@dataclass(frozen=True)
class Criterion:
    """One thing to rate: the column's name, its title, the question, what each point of SCALE means."""

    key: str
    title: str
    question: str
    points: tuple[str, str, str, str, str]


CRITERIA = (
    Criterion(
        "fluency",
        "Fluency",
        "Is it correct and natural English?",
        (
            "cannot be read",
            "many errors, hard to read",
            "some errors, but readable",
            "one small slip, or slightly awkward",
            "correct and natural",
        ),
    ),
    Criterion(
        "adequacy",
        "Adequacy",
        "Does it keep the meaning of the original?",
        (
            "says something else, or nothing",
            "only a small part of the meaning",
            "about half of the meaning",
            "nearly all of what matters",
            "everything that matters",
        ),
    ),
    Criterion(
        "simplicity",
        "Simplicity",
        "Is it easier to understand than the original?",
        ("much harder", "harder", "as hard as the original", "easier", "much easier"),
    ),
)

KEYS = tuple(criterion.key for criterion in CRITERIA)

RULES = (
    "You see an original sentence and several versions of it. Rate each from 1 to 5 on each of the three questions.",
    "Compare each version with the original, not with the other versions. Several versions may get the same rating.",
    "Keep the questions apart: a version that is easy to read but says something else is simple, yet not adequate.",
    "Detail may be left out: that is part of simplifying. The main point may not, and nothing false may be added.",
    "Lower-case letters at the start of names or sentences, and spaces before punctuation, do not count as errors.",
    "A version that repeats the original word for word gets 3 for simplicity. One without any text gets 1 throughout.",
    "Trust your first careful reading. Do not look the sentences up, and do not talk about them with the other raters.",
)


def guidelines_text() -> str:
    """The guidelines as plain text, for those who fill in the CSV sheet."""
    lines = ["How to rate", "", *(f"- {rule}" for rule in RULES), ""]
    for criterion in CRITERIA:
        lines += [f"{criterion.title} ({criterion.key}): {criterion.question}"]
        lines += [f"  {point} = {meaning}" for point, meaning in zip(SCALE, criterion.points, strict=True)] + [""]
    lines += [
        "Open the sheet in a spreadsheet program, write a whole number from 1 to 5 into each empty cell, change",
        "nothing else, and save it as CSV in UTF-8. Or open the HTML form instead: it saves while you rate, and its button",
        '"Download ratings" gives the file to send back.',
    ]
    return "\n".join(lines) + "\n"
