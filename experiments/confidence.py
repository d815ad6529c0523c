"""Fits the confidence of the packaged simplifier to outputs that people judged, and prints what each caution costs.

    python experiments/confidence.py data/readings/{dev,dev_changes,test,second,third}.tsv

A file has a line for each output, and columns with names: genre, sentence, output, and `verdict`, or `reader_1` and
`reader_2` (right or wrong; wrong is what one of them finds wrong; a line without is left out); length and kept are the
control where it is not the default. It prints the weights for conf/simplifier/causal_lm.yaml (`ranking.weights`;
logistic regression on standardised measures), the area under the ROC curve by cross-validation over sentences, and for
some values of `caution` how many outputs pass and how many of these are wrong. An hour on two cores.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from textsimp.core.errors import exit_on_bad_input
from textsimp.core.reading import read_lines
from textsimp.simplification.checks import grade
from textsimp.simplification.interface import SHIPPED, Hypothesis, Runtime
from textsimp.simplification.language_model import Control
from textsimp.simplification.language_model.chosen_outputs import Measures, load
from textsimp.simplification.language_model.prompts import Prompt
from textsimp.simplification.language_model.search import log_probabilities

FOLDS = 10
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


def measures(rows: list[Row]) -> np.ndarray:
    """Return the measures of each row's output. Shape: (N, 5)."""
    model = load(SHIPPED / "causal_lm", Runtime("cpu", 2))
    prompt, base = Prompt(model.config.prompt, model.config.bin), model.base
    found = []
    for row in rows:
        sentence, output = row["sentence"], row["output"]
        control = Control(float(row["length"]), float(row["kept"]))
        start, rest, target = base.tokens([prompt.of(sentence), prompt.rest(control), f" {output}"])
        (likelihood,) = log_probabilities(base.network, [(start + rest, [*target, base.end])])
        weights, hypotheses = model.config.ranking.weights, [[Hypothesis(output, likelihood)]]
        found.append(model.judge.measures([sentence], hypotheses, weights, 0.0)[0][output])
    return np.array(found)


@exit_on_bad_input
def main() -> None:
    """Fit and print."""
    parser = argparse.ArgumentParser(prog="python experiments/confidence.py", description=__doc__)
    parser.add_argument("readings", nargs="+", help="files of data/readings, or of that form")
    rows = [row for path in parser.parse_args().readings for row in readings(path)]
    values, is_right = measures(rows), np.array([row["verdict"] == "right" for row in rows])
    sentences = [row["sentence"] for row in rows]
    scaler, regression = StandardScaler(), LogisticRegression()
    regression.fit(scaler.fit_transform(values), is_right)
    weights = regression.coef_[0] / scaler.scale_
    bias = regression.intercept_[0] - weights @ scaler.mean_
    print(
        f"bias: {bias:.2f}", *(f"{name}: {weight:.4g}" for name, weight in zip(Measures._fields, weights, strict=True))
    )
    folds = GroupKFold(FOLDS)
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    sure = cross_val_predict(pipeline, values, is_right, groups=sentences, cv=folds, method="predict_proba")[:, 1]
    print(f"area under the ROC curve: {roc_auc_score(is_right, sure):.3f}")
    gain = np.array([grade(row["sentence"]) - grade(row["output"]) for row in rows])
    light = np.array([(row["length"], row["kept"]) == LIGHT for row in rows])
    for caution in CAUTIONS:
        passed = light & (sure >= caution) & (gain >= 0.5)
        wrong = 100 * (1 - is_right[passed].mean())
        print(f"caution {caution}: {passed.sum()} of {light.sum()} outputs, {wrong:.0f}% wrong")


if __name__ == "__main__":
    main()
