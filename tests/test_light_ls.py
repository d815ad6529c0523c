"""LIGHT-LS: which words are content, which candidates they have, how these are ranked; retrofitting; folders."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from simplifier_sample import CPU, learnt

from textsimp.core.errors import InputError
from textsimp.core.params import from_conf
from textsimp.core.writing import write_lines
from textsimp.simplification import simplifiers
from textsimp.simplification.backoff_model import LanguageModel
from textsimp.simplification.light_ls import LightLs, LightLsConfig, Words, retrofitted
from textsimp.simplification.spacing import Casing

LANGUAGE = LanguageModel.learn(["the man bought an old house .".split(), "the old man came .".split()], 3)
COUNTS = {"purchased": 2.0, "bought": 90.0, "obtained": 5.0, "old": 80.0, "ancient": 3.0, "house": 50.0, "seven": 70.0}
NEAR = {"purchased": (1, 0.1, 0), "bought": (1, 0.2, 0), "obtained": (1, 0.15, 0), "buy": (1, 0.1, 0)}
OTHERS = {"old": (0, 1, 0.2), "ancient": (0, 1, 0.1), "house": (0, 0.1, 1), "seven": (0, 0, 1), "Rome": (0, 1, 0.1)}
VECTORS = {**NEAR, **OTHERS}


def _unit(rows: Sequence[Sequence[float]]) -> np.ndarray:
    matrix = np.array(rows, dtype=np.float32)
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def _simplifier(counts: dict[str, float] = COUNTS, candidates: int = 10, least: float = 0.8) -> LightLs:
    words = Words([word.lower() for word in VECTORS], _unit(list(VECTORS.values())), counts)
    return LightLs(words, LANGUAGE, Casing({"rome": "Rome"}), candidates, 3, least)


@pytest.mark.parametrize(
    ("settings", "sentence", "text"),
    [
        ({}, "The man purchased an ancient house.", "The man bought an old house."),
        ({}, "Purchased in 1990 , it fell .", "Bought in 1990 , it fell ."),
        ({}, "He saw a purchased thing.", "He saw a bought thing."),
        ({}, "A ancient house, an ancient house.", "An old house, an old house."),
        ({}, "In rome seven came .", "In rome seven came ."),
        ({}, "The man saw Ancient ruins.", "The man saw Ancient ruins."),
        ({}, "the of an.", "the of an."),
        ({"counts": {**COUNTS, "purchased": 1000.0}}, "the man purchased it .", "the man purchased it ."),
        ({"least": 0.999}, "an ancient house .", "an ancient house ."),
        # where one candidate is looked at, it is the nearest; where all are, frequency and language model speak too
        ({"candidates": 1}, "the man purchased it .", "the man obtained it ."),
        ({"candidates": 2}, "the man purchased it .", "the man bought it ."),
    ],
)
def test_words_become_simpler_ones_of_the_same_form(settings: dict, sentence: str, text: str) -> None:
    assert _simplifier(**settings).simplify([sentence])[0][0].text == text


def test_scores_and_information() -> None:
    found = _simplifier().simplify(["the man purchased it ."])[0][0]
    total = LANGUAGE.words(LANGUAGE.begin, [*found.text.split(), "</s>"])
    assert found.score == pytest.approx(total / 6, abs=1e-5) and found.score < 0
    words = Words(["a"], _unit([[1.0, 0.0]]), {"a": 3, "b": 6})
    assert words.information("a") == pytest.approx(-math.log(0.4))
    assert words.information("never") == pytest.approx(math.log(10)) and words.vector("b") is None


def test_retrofitting_moves_synonyms_together_and_gives_vectors_to_words_without() -> None:
    words, matrix = ["big", "large", "huge", "red"], np.array([[1, 0], [0, 1], [0, 0], [0.6, 0.8]], dtype=np.float32)
    found = retrofitted(words, matrix, [("big", "large"), ("large", "big"), ("huge", "big"), ("big", "unseen")])
    # q = (q̂ + q') / 2 of both: two thirds of the own and one of the other
    assert found[0] == pytest.approx(np.array([2, 1]) / math.sqrt(5), abs=1e-3)
    assert found[1] == pytest.approx(np.array([1, 2]) / math.sqrt(5), abs=1e-3)
    assert found[2] == pytest.approx(found[0], abs=1e-3)
    assert found[3] == pytest.approx(matrix[3])
    assert matrix[0].tolist() == [1, 0]  # the caller's is not changed


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> LightLsConfig:
    folder = tmp_path_factory.mktemp("words")
    write_lines(folder / "vectors.txt", (f"{word} {' '.join(map(str, row))}" for word, row in VECTORS.items()))
    write_lines(folder / "counts.txt", (f"{word} {count:.0f}" for word, count in {**COUNTS, "buy": 4.0}.items()))
    conf = from_conf("simplifier.light_ls", LightLsConfig)
    return replace(conf, vectors=str(folder / "vectors.txt"), frequencies=str(folder / "counts.txt"))


def _trained(folder: Path, config: LightLsConfig) -> Path:
    rows = ["The man bought an old house in Rome.", "She bought the old boat.", "An old house fell.", "He saw it."] * 5
    pairs = [(row, row) for row in rows]
    return learnt("light_ls", folder, pairs, pairs, config)


def test_from_a_file_of_vectors_to_a_model(tmp_path: Path, config: LightLsConfig) -> None:
    model = _trained(tmp_path, config)
    simplifier = simplifiers.load_simplifier_folder(model, CPU)
    found = simplifier.simplify(["The man purchased an ancient house.", ""], n_best=3)
    assert [[item.text for item in row] for row in found] == [["The man bought an old house."], [""]]


def test_vectors_of_the_encoder_moved_to_synonyms(tmp_path: Path, config: LightLsConfig) -> None:
    write_lines(tmp_path / "pairs", ["ancient old"])
    encoder = replace(config, vectors=None, synonyms=str(tmp_path / "pairs"))
    simplifier = simplifiers.load_simplifier_folder(_trained(tmp_path, encoder), CPU)
    assert simplifier.simplify(["An ancient house."])[0][0].text == "An old house."
    words = (tmp_path / "model" / "vector_words.txt").read_text().split()
    assert "house" in words and len(words) == np.unique(words).size


def test_frequencies(tmp_path: Path, config: LightLsConfig) -> None:
    """Of the corpus where no file gives them; a file with something else is refused."""
    model = _trained(tmp_path, replace(config, frequencies=None, vocabulary=3))
    lines = (model / "frequencies.txt").read_text().splitlines()
    assert lines[0] == ". 20" and len(lines) == 3
    for count in ("many", "-3", "9" * 400):
        write_lines(tmp_path / "counts", [f"house {count}"])
        with pytest.raises(InputError, match="counts:1: 'house .*' is no word and count"):
            _trained(tmp_path, replace(config, frequencies=str(tmp_path / "counts")))
