"""Fits the confidence of the packaged simplifier to outputs that people judged, and prints what each caution costs.

    python experiments/confidence.py data/readings/*.tsv [--write] [--measures FILE]

A file has a line for each output, and columns with names: genre, sentence, output, and `verdict`, or `reader_1` and
`reader_2` (right or wrong; wrong is what one of them finds wrong; a line without is left out); length and kept are the
control where it is not the default. It prints the weights for conf/simplifier/causal_lm.yaml (`ranking.weights`),
and with --write puts those of the kinds of edits where the package reads them. Then, by cross-validation over
sentences: the area under the ROC curve, and for some values of `caution` how many outputs pass and how many of these
are wrong. Twenty minutes on two cores; --measures keeps what takes the time.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold
from sklearn.preprocessing import StandardScaler

from textsimp.core.errors import exit_on_bad_input
from textsimp.core.reading import read_lines
from textsimp.core.writing import write_json
from textsimp.simplification.checks import grade
from textsimp.simplification.checks.parsed_texts import parse
from textsimp.simplification.interface import SHIPPED, Hypothesis, Runtime
from textsimp.simplification.language_model import Control
from textsimp.simplification.language_model.chosen_outputs import Measures, load
from textsimp.simplification.language_model.edit_kinds import EDIT_WEIGHTS, edit_kinds
from textsimp.simplification.language_model.prompts import Prompt
from textsimp.simplification.language_model.search import log_probabilities

FOLDS = 10
LEAST = 3  # outputs with an edit of a kind that has a weight
PENALTY = 0.1  # the inverse of its strength
SHRUNK_LESS = 3.0
CAUTIONS = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9)
LIGHT = ("1.0", "0.8")

Row = dict[str, str]


def readings(path: str) -> list[Row]:
    """Return the rows of a file that were judged, with a verdict and a control."""
    header, *lines = (line.split("\t") for line in read_lines(path))
    rows: list[Row] = []
    for line in lines:
        row = {"length": LIGHT[0], "kept": LIGHT[1]} | dict(zip(header, line, strict=True))
        if verdicts := {row.get(column, "") for column in ("verdict", "reader_1", "reader_2")} - {""}:
            rows.append(row | {"verdict": "wrong" if "wrong" in verdicts else "right"})
    return rows


def measured(rows: list[Row]) -> np.ndarray:
    """Return the measures of each row's output but the last, which is fitted here. Shape: (N, 5)."""
    model = load(SHIPPED / "causal_lm", Runtime("cpu", 2))
    prompt, base = Prompt(model.config.prompt, model.config.bin), model.base
    groups: dict[tuple[str, ...], list[int]] = {}
    for place, row in enumerate(rows):
        groups.setdefault((row["sentence"], row["length"], row["kept"]), []).append(place)
    found = np.zeros((len(rows), len(Measures._fields) - 1))
    for (sentence, length, kept), places in groups.items():
        start, rest = base.tokens([prompt.of(sentence), prompt.rest(Control(float(length), float(kept)))])
        outputs = list(dict.fromkeys(rows[place]["output"] for place in places))
        targets = [[*target, base.end] for target in base.tokens([f" {output}" for output in outputs])]
        likelihoods = log_probabilities(base.network, [(start + rest, target) for target in targets])
        hypotheses = list(map(Hypothesis, outputs, likelihoods))
        (known,) = model.judge.measures([sentence], [hypotheses], model.config.ranking.weights, 0.0)
        for place in places:
            found[place] = known[rows[place]["output"]][:-1]
    return found


def kinds_of(rows: list[Row]) -> list[dict[str, float]]:
    """Return the kinds of edits of each row's output."""
    before = parse((row["sentence"] for row in rows), True)
    after = parse((row["output"] for row in rows), False)
    return [edit_kinds(before[row["sentence"]], after[row["output"]]) for row in rows]


class Confidence:
    """Logistic regression on the measures, standardised, and on the kinds of edits that are not rare.

    The measures are shrunk less: there are five of them, and some hundred kinds.
    """

    def __init__(self, values: np.ndarray, kinds: list[dict[str, float]], is_right: np.ndarray) -> None:
        counts = Counter(kind for row in kinds for kind in row)
        self.names = sorted(kind for kind, count in counts.items() if count >= LEAST)
        self._scaler = StandardScaler().fit(values)
        self._regression = LogisticRegression(C=PENALTY, max_iter=5000).fit(self._inputs(values, kinds), is_right)

    def _inputs(self, values: np.ndarray, kinds: list[dict[str, float]]) -> np.ndarray:
        edits = [[row.get(name, 0.0) for name in self.names] for row in kinds]
        return np.hstack([self._scaler.transform(values) * SHRUNK_LESS, edits])

    def of(self, values: np.ndarray, kinds: list[dict[str, float]]) -> np.ndarray:
        """Return the probability that each output is right."""
        return self._regression.predict_proba(self._inputs(values, kinds))[:, 1]

    def weights(self) -> tuple[dict[str, float], dict[str, float]]:
        """Return the weights of the measures as they are, with the bias, and those of the kinds of edits."""
        of_measures, of_edits = np.split(self._regression.coef_[0], [len(self._scaler.scale_)])
        own = of_measures * SHRUNK_LESS / self._scaler.scale_
        bias = self._regression.intercept_[0] - own @ self._scaler.mean_
        measures = dict(zip(Measures._fields, [*own, 1.0], strict=True))
        return {"bias": bias, **measures}, dict(zip(self.names, of_edits, strict=True))


def print_costs(rows: list[Row], sure: np.ndarray, is_right: np.ndarray) -> None:
    """Print what the confidences of held-out outputs are worth."""
    print(f"area under the ROC curve: {roc_auc_score(is_right, sure):.3f}")
    gain = np.array([grade(row["sentence"]) - grade(row["output"]) for row in rows])
    light = np.array([(row["length"], row["kept"]) == LIGHT for row in rows])
    for caution in CAUTIONS:
        passed = light & (sure >= caution) & (gain >= 0.5)
        wrong = 100 * (1 - is_right[passed].mean())
        print(f"caution {caution}: {passed.sum()} of {light.sum()} outputs, {wrong:.0f}% wrong")


@exit_on_bad_input
def main() -> None:
    """Fit and print."""
    parser = argparse.ArgumentParser(prog="python experiments/confidence.py", description=__doc__)
    parser.add_argument("readings", nargs="+", help="files of data/readings, or of that form")
    parser.add_argument("--measures", type=Path, help="npy file that keeps the measures of the outputs")
    parser.add_argument("--write", action="store_true", help="write the weights of the kinds of edits")
    args = parser.parse_args()
    rows = [row for path in args.readings for row in readings(path)]
    is_right, kinds = np.array([row["verdict"] == "right" for row in rows]), kinds_of(rows)
    if args.measures and args.measures.exists():
        values = np.load(args.measures)
    else:
        values = measured(rows)
        if args.measures:
            np.save(args.measures, values)
    measures, edits = Confidence(values, kinds, is_right).weights()
    print(", ".join(f"{name}: {weight:.4g}" for name, weight in measures.items()))
    if args.write:
        write_json(EDIT_WEIGHTS, {kind: round(weight, 3) for kind, weight in edits.items()})
    sure = np.zeros(len(rows))
    for train, test in GroupKFold(FOLDS).split(values, is_right, [row["sentence"] for row in rows]):
        fitted = Confidence(values[train], [kinds[place] for place in train], is_right[train])
        sure[test] = fitted.of(values[test], [kinds[place] for place in test])
    print_costs(rows, sure, is_right)


if __name__ == "__main__":
    main()
