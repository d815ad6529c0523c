"""Names, cells and sentences that the tables and figures of the analysis share."""

from collections.abc import Iterable

from textsimp.reporting.names import TRAINING_SETS, simplifier_label
from textsimp.reporting.simplification.analysis_results import INPUT, MANUAL, REFERENCES, AnalysedSet, Analysis, Number
from textsimp.reporting.simplification.tables import COMPLEX, REFERENCE
from textsimp.reporting.tables import Cell, difference_cell, interval_cell, number, number_cell, text_cell

KINDS = {"documents": "aligned documents", "pairs": "training pairs"}
SOURCES = {**TRAINING_SETS, MANUAL: "manual"}
EXCLUDES = "† the interval excludes 0."
_HALVES = {"test": "written for it", "drawn-test": "drawn from texts"}


def agreement_text(analysis: Analysis) -> str:
    """How well the classifier agrees with labels that chose none of its thresholds."""
    halves = "; ".join(
        f"{row['units']} units {_HALVES.get(half, half)}: accuracy {100 * row['accuracy']:.0f} "
        f"[{100 * row['accuracy_low']:.0f}, {100 * row['accuracy_high']:.0f}] percent, kappa {row['kappa']:.2f}"
        for half, row in sorted(analysis.agreement.items(), key=lambda item: [*_HALVES, item[0]].index(item[0]))
    )
    return f"Classes are found by rules, errors included; agreement with a reader's labels on held-out units: {halves}."


def people_text(found: AnalysedSet) -> str:
    """Which people the row of references is."""
    people = "each of the references counts alike" if found.references > 1 else "one reference each"
    return f"{number(found.sentences)} sentences, {people}."


def number_of(found: Number | None) -> Cell:
    """A number with its interval where it has one; a dash for None."""
    if found is None:
        return number_cell(None)
    if found.low is None or found.high is None:
        return number_cell(float(found.value))
    return interval_cell(found.value, found.low, found.high)


def difference_of(found: Number | None) -> Cell:
    """A difference with its sign, its interval and a mark where it has them; a dash for None."""
    if found is None:
        return number_cell(None)
    if found.low is None or found.high is None:
        # an interval around 0 sets no mark; only the sign is wanted
        return Cell(difference_cell(found.value, -1, 1).text, found.value)
    return difference_cell(found.value, found.low, found.high)


def system_order(names: Iterable[str]) -> list[str]:
    """The input, the systems trained on old and then on new data, the references: as in the paper's tables."""
    names = list(names)
    trained = [name for name in names if name not in (INPUT, REFERENCES)]
    trained.sort(key=lambda name: not name.startswith("old/"))
    return [name for name in (INPUT, *trained, REFERENCES) if name in names]


def system_label(name: str) -> tuple[str, str]:
    """What to print for a system, and what it was trained on."""
    if name in (INPUT, REFERENCES):
        return (COMPLEX if name == INPUT else REFERENCE), TRAINING_SETS["none"]
    training, system = name.split("/", 1)
    return simplifier_label(system), TRAINING_SETS.get(training, training)


def system_cells(name: str) -> tuple[Cell, Cell]:
    """The first two cells of a system's row."""
    label, training = system_label(name)
    return text_cell(label), text_cell(training)


def starts_block(names: list[str], place: int) -> bool:
    """Whether a row begins another training set."""
    return place > 0 and names[place].split("/")[0] != names[place - 1].split("/")[0]
