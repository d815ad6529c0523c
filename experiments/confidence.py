"""Fits the confidence of the packaged simplifier to outputs that people judged, and prints what each caution costs.

    python experiments/confidence.py data/readings/dev.tsv

The file has a line for each output: genre, length and kept (the control), sentence, output, verdict (right or wrong),
reason. It prints the weights for conf/simplifier/causal_lm.yaml (`ranking.weights`; logistic regression on standardised
measures), the area under the ROC curve by cross-validation over sentences, and for some values of `caution` how many
outputs pass and how many of these are wrong. Twenty minutes on two cores.
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
from textsimp.simplification.language_model.adapter_training import batch_of, loss_sum
from textsimp.simplification.language_model.chosen_outputs import Measures, load
from textsimp.simplification.language_model.prompts import Prompt

FOLDS = 10
CAUTIONS = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9)


def measures(rows: list[list[str]]) -> np.ndarray:
    """Return the measures of each row's output. Shape: (N, 6)."""
    model = load(SHIPPED / "causal_lm", Runtime("cpu", 2))
    prompt, base = Prompt(model.config.prompt, model.config.bin), model.base
    found = []
    for _, length, kept, sentence, output, *_ in rows:
        (example,) = prompt.examples([(sentence, output)], base, 10**6)
        (rest,) = base.tokens([prompt.rest(Control(float(length), float(kept)))])
        example = example._replace(outputs=[(rest, example.outputs[0][1])])
        likelihood = -loss_sum(base.network, batch_of([example], base.end, "cpu"))[0].item()
        weights, hypotheses = model.config.ranking.weights, [[Hypothesis(output, likelihood)]]
        found.append(model.judge.measures([sentence], hypotheses, weights, 0.0)[0][output])
    return np.array(found)


@exit_on_bad_input
def main() -> None:
    """Fit and print."""
    parser = argparse.ArgumentParser(prog="python experiments/confidence.py", description=__doc__)
    parser.add_argument("readings", help="data/readings/dev.tsv, or a file of that form")
    rows = [line.split("\t") for line in read_lines(parser.parse_args().readings)[1:]]
    values, is_right = measures(rows), np.array([row[5] == "right" for row in rows])
    sentences = [row[3] for row in rows]
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
    gain = np.array([grade(row[3]) - grade(row[4]) for row in rows])
    light = np.array([row[1:3] == ["1.0", "0.8"] for row in rows])
    for caution in CAUTIONS:
        passed = light & (sure >= caution) & (gain >= 0.5)
        wrong = 100 * (1 - is_right[passed].mean())
        print(f"caution {caution}: {passed.sum()} of {light.sum()} outputs, {wrong:.0f}% wrong")


if __name__ == "__main__":
    main()
