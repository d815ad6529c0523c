"""Tables of people's ratings of simplifications (docs/human-evaluation.md)."""

from collections.abc import Iterator

from textsimp.reporting.inputs import Numbers, Run
from textsimp.reporting.names import PAPERS
from textsimp.reporting.table import MISSING, Cell, Column, Line, Table, number, tables, text_of

_LEAST_P = 0.00005
"""Smaller ones are not told apart."""
_COUNTS = {"raters": "raters", "items": "items", "missing": "missing"}
_AGREEMENT = {
    "exact": "equal pairs", "kappa": "kappa", "quadratic_kappa": "quadratic", "alpha_nominal": "alpha, nominal",
    "alpha_ordinal": "ordinal",
}  # fmt: skip


def _rated(numbers: Numbers, run: Run) -> dict[str, tuple[str, str, str]]:
    """The systems that people rated, called `MODEL` or `TRAINING_SET/MODEL`: their two labels, and the training set."""
    named = {system: system.rpartition("/") for system in numbers.systems}
    return {
        system: (run.label(model), training or MISSING, training or "none")
        for system, (training, _, model) in named.items()
    }


def ratings(run: Run) -> Iterator[Table]:
    """Means of all ratings, beside Tables 6 and 7."""
    for name in run.plan.human_ratings:
        numbers = run.at(f"human/{name}", "ratings")
        rated, notes = _rated(numbers, run), numbers.results.notes
        columns = {Column("ours", m): numbers.cells(rated, m, digits=2) for m in numbers.measures}
        for table in ("Table 6", "Table 7"):
            printed = run.printed("human_evaluation.csv", source="Jiang et al. 2020", table=table)
            for part, header in {"fluency": "F", "adequacy": "A", "simplicity": "S", "average": "Avg."}.items():
                columns[Column(f"{table} (paper)", header, short=table)] = [
                    printed.cell(part, system=model, train_set=PAPERS["newsela"].train_set(training))
                    for model, _, training in rated.values()
                ]
        text = [
            f"{notes.get('raters')} raters, {notes.get('sentences')} sentences, {notes.get('items')} different items.",
            "Means of all ratings, and percentages of classes. Small numbers are 95% intervals (bootstrap over "
            "sentences, with the same raters).",
            "Paper: Jiang et al. 2020, Tables 6 and 7, where five people rated other sentences and outputs.",
        ]
        lines = [Line([model, training]) for model, training, _ in rated.values()]
        yield from tables(f"human-{name}", f"People's ratings, {name}", text, ("System", "Trained on"), lines, columns)


def differences(run: Run) -> Iterator[Table]:
    """p of Wilcoxon's two-sided signed-rank test over the means of the sentences that are rated for both, with Holm's
    correction for the systems of a column.
    """
    for name in run.plan.human_ratings:
        numbers = run.at(f"human/{name}", "ratings")
        tests, base = Numbers(numbers.results, "wilcoxon"), numbers.results.notes["against"]
        rated = _rated(numbers, run)
        columns = {Column(header=m): [_p(tests.value(one, m)) for one in rated] for m in tests.measures}
        lines = [Line([model, training]) for model, training, _ in rated.values()]
        key, title = f"human-differences-{name}", f"People's ratings, {name}, against those of {base}"
        yield from tables(key, title, text_of(differences), ("System", "Trained on"), lines, columns, folded=True)


def _p(p: float | None) -> Cell:
    """A p value in four digits, or that it is smaller."""
    return Cell() if p is None else Cell("<0.0001" if p < _LEAST_P else number(float(p), 4), float(p))


def agreement(run: Run) -> Iterator[Table]:
    """A text that several systems wrote counts once. 1 is full agreement, 0 chance; "equal pairs" is a share, without
    correction for chance. Kappa is Cohen's, the mean over all pairs of raters, plain and with quadratic weights;
    alpha is Krippendorff's. A dash: not defined.
    """
    for name in run.plan.human_ratings:
        numbers = run.at(f"human/{name}", "agreement")
        columns = {
            Column(header=header): numbers.cells(numbers.systems, measure, digits=0 if measure in _COUNTS else 2)
            for measure, header in (_COUNTS | _AGREEMENT).items()
        }
        key, title = f"human-agreement-{name}", f"Agreement of the raters, {name}"
        yield from tables(key, title, text_of(agreement), "Criterion", numbers.systems, columns, folded=True)


TABLES = (ratings, differences, agreement)
