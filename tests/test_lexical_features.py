"""Lexical features by hand, and the logistic regression on them."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from alignment_sample import document_pair
from trained_sample import DEV, TEXTS, TRAIN

from textsimp.alignment.similarity.lexical import CharacterNgrams
from textsimp.alignment.similarity.lexical_features import FEATURES, LexicalFeatures
from textsimp.alignment.similarity.logistic import LogisticRegression
from textsimp.alignment.spec import load_system_config
from textsimp.alignment.words import TfIdf
from textsimp.core.errors import InputError


def feature(name: str, simple: str, complex_: str) -> float:
    features = LexicalFeatures(position=True).fit([document_pair(0)])
    return float(features.compare([simple], [complex_])[0, 0, FEATURES.index(name)])


SIMPLE, COMPLEX = "A cat sat on mats", "The cat sat on a mat"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("jaccard_1", 4 / 7),  # a cat sat on; 5 + 6 - 4
        ("simple_share_1", 4 / 5),
        ("complex_share_1", 4 / 6),
        ("jaccard_2", 2 / 7),  # cat sat, sat on; 4 + 5 - 2
        ("simple_share_2", 2 / 4),
        ("complex_share_2", 2 / 5),
        ("jaccard_3", 1 / 6),  # cat sat on; 3 + 4 - 1
        ("simple_share_3", 1 / 3),
        ("complex_share_3", 1 / 4),
        ("subsequence", 3 / 5),  # cat sat on
        ("edit", 1 - 6 / 20),  # "a " becomes "the " by 3 edits, "mats" becomes "a mat" by 3
        ("length", math.log(7 / 6)),
        ("distance", 0.0),
        ("jaccard_numbers", 0.0),
        ("simple_share_numbers", 1.0),
    ],
)
def test_features_by_hand(name: str, value: float) -> None:
    assert feature(name, SIMPLE, COMPLEX) == pytest.approx(value, abs=1e-6)


def test_numbers_and_names_by_hand() -> None:
    simple, complex_ = "In 2011 Ana met Bo", "Ana and Cy met 40 times in 2011"
    assert feature("jaccard_numbers", simple, complex_) == pytest.approx(1 / 2)
    assert feature("simple_share_numbers", simple, complex_) == 1
    assert feature("jaccard_names", simple, complex_) == 0  # the first word of a text is no name
    assert feature("jaccard_names", simple, "Then Ana and Cy met") == pytest.approx(1 / 3)
    assert feature("simple_share_names", simple, "Then Ana and Cy met") == pytest.approx(1 / 2)


def test_distance_is_between_relative_places() -> None:
    features = LexicalFeatures(position=True).fit(TRAIN)
    distance = features.compare(["a", "b"], ["a", "b", "c", "d"])[:, :, FEATURES.index("distance")]
    assert distance == pytest.approx(np.array([[1, 1, 3, 5], [5, 3, 1, 1]]) / 8)


def test_the_place_is_a_feature_where_it_is_asked_for(tmp_path: Path) -> None:
    """It is not lexical: LR of the paper has words, letters and lengths alone."""
    without, with_place = LexicalFeatures().fit(TRAIN), LexicalFeatures(position=True).fit(TRAIN)
    assert with_place.names == FEATURES and set(FEATURES) - set(without.names) == {"distance"}
    kept = [FEATURES.index(name) for name in without.names]
    assert (without.compare(TEXTS, TEXTS) == with_place.compare(TEXTS, TEXTS)[:, :, kept]).all()
    options = {name: load_system_config(name).similarity.options for name in ("lr", "lr_position")}
    assert options["lr_position"] == options["lr"] | {"position": True} and "position" not in options["lr"]
    model = LogisticRegression(position=True)
    model.train(TRAIN, DEV)
    model.save(tmp_path)
    again = LogisticRegression(position=True)
    again.load(tmp_path)
    assert (again.matrix(DEV[0]) == model.matrix(DEV[0])).all()
    with pytest.raises(InputError, match="not a logistic regression of these features"):
        LogisticRegression().load(tmp_path)


def test_cosines_are_those_of_the_similarities() -> None:
    features = LexicalFeatures().fit(TRAIN)
    for name, similarity in (("tfidf", TfIdf()), ("characters", CharacterNgrams(3))):
        expected = similarity.fit(TRAIN).compare(TEXTS, TEXTS)
        assert features.compare(TEXTS, TEXTS)[:, :, FEATURES.index(name)] == pytest.approx(expected, abs=1e-6)


def test_features_of_texts_without_words() -> None:
    features = LexicalFeatures().fit(TRAIN)
    found = features.compare(["...", "A newt"], ["!", "A newt"])
    assert np.isfinite(found).all()
    assert found[0, 1, FEATURES.index("jaccard_1")] == found[0, 0, FEATURES.index("subsequence")] == 0
    assert features.compare([], TEXTS).shape == (0, 4, len(features.names))


def test_logistic_regression_finds_the_best_weights() -> None:
    """The gradient of the penalised log loss is 0 at the fitted weights, scaled back."""
    model = LogisticRegression(penalty=2.0)
    model.train(TRAIN, DEV)
    features, marks, _ = model._examples(TRAIN)
    scores = features.astype(float) @ model._weights[0] + model._offsets[0]
    surprise = 1 / (1 + np.exp(-scores)) - marks[0]
    spread = features.std(0, dtype=float)
    scaled = (features - features.mean(0, dtype=float)) / np.where(spread > 0, spread, 1)
    assert surprise.sum() == pytest.approx(0, abs=0.05)
    assert scaled.T @ surprise + 2.0 * model._weights[0] * spread == pytest.approx(0, abs=0.05)


def test_logistic_regression_of_drawn_pairs_is_calibrated() -> None:
    """Drawn unlinked pairs weigh for all, so that the mean probability stays near the share of links."""
    model = LogisticRegression(cells=60)
    model.train(TRAIN, DEV)
    share = sum(len(pair.alignments) for pair in TRAIN) / (36 * len(TRAIN))
    assert np.mean([model.matrix(pair) for pair in TRAIN]) == pytest.approx(share, rel=0.25)
    assert model._examples(TRAIN)[0].shape[0] < 36 * len(TRAIN) / 2


def test_other_features_and_weights_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    model = LogisticRegression()
    model.train(TRAIN, DEV)
    model.save(tmp_path)
    path = tmp_path / "logistic.json"
    for key, value in (("edit", "much"), ("edit", math.nan), ("moon", 1.0)):
        state = json.loads(path.read_text())
        state["models"]["task1"]["weights"][key] = value
        (tmp_path / "x").mkdir(exist_ok=True)
        (tmp_path / "x" / "logistic.json").write_text(json.dumps(state))
        with pytest.raises(InputError, match="logistic.json: .*; (train it again|restore or rewrite the file)"):
            LogisticRegression().load(tmp_path / "x")
