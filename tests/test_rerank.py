"""Rerank: complexity by hand, clusters, weighing, training from end to end."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from simplifier_sample import CPU, PAIRS, small_corpus, trained

from textsimp.core.params import from_conf
from textsimp.core.reading import read_lines
from textsimp.core.settings import read_as
from textsimp.simplification import simplifiers
from textsimp.simplification.backoff_model import LanguageModel
from textsimp.simplification.lstm import Written
from textsimp.simplification.rerank import (
    Floats,
    Judge,
    RerankConfig,
    WordComplexity,
    learn_complexity,
    ranked,
    representatives,
    weigh,
)

KIND = simplifiers.simplifier_of("rerank")
RULES = [
    ("the physicians utilised numerous instruments , regrettably .", "the doctors used many tools ."),
    ("the physicians obtained numerous manuscripts .", "the doctors got many books ."),
    ("the cat sat .", "the cat sat ."),
]
LEARNT = [(one.split(), other.split()) for one, other in 3 * RULES]


def small_config() -> RerankConfig:
    """A tiny LSTM with six hypotheses in two groups, whose words spaCy cuts without a model."""
    config: RerankConfig = from_conf("simplifier.rerank", RerankConfig)
    ranking = replace(config.ranking, loss=0.5, hypotheses=6, groups=2, clusters=3, order=2, tuning_pairs=4)
    sizes = {"embedding_dim": 6, "hidden_size": 8, "min_frequency": 1, "batch_size": 8, "max_tokens": 0}
    words: dict[str, Any] = {"spacy_model": "spacy", "embeddings": None}
    search = replace(config.search, batch_size=2)
    return replace(config, **sizes, **words, max_updates=2, max_epochs=2, search=search, ranking=ranking)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trained")
    return trained(KIND, small_corpus(folder), folder, small_config())


def test_long_and_rare_words_are_complex() -> None:
    complexity = learn_complexity(LEARNT)
    known = {word: complexity.of_word(word) for word in ("the", "many", "doctors", "numerous", "manuscripts")}
    assert list(known.values()) == sorted(known.values(), key=lambda value: value or 0), known
    assert all(value is not None and 0 <= value <= 1 for value in known.values())
    assert complexity.of_word("Numerous") == complexity.of_word("numerous")
    unseen = complexity.of_word("incomprehensibilities"), complexity.of_word("ox")
    assert unseen[0] is not None and unseen[1] is not None and unseen[0] > unseen[1]
    assert [complexity.of_word(word) for word in (",", "1999", "PERSON@1", "<unk>", "")] == [None] * 5
    for one, other in LEARNT[:2]:
        assert complexity.of_sentence(one) > 0.5 > complexity.of_sentence(other)
    same = learn_complexity([(["cat"], ["cat"])])
    assert same.of_sentence(["cat"]) == same.of_sentence(["a", "physician"]) == 0
    assert learn_complexity([(["1", "2"], ["1"])]).of_word("cat") is not None


def test_from_pairs_to_text(model: Path, tmp_path: Path) -> None:
    """With a file of weights of words, which training reads."""
    binary = model.parent / "binary"
    weights = dict(line.split() for line in read_lines(binary / "weights.simple.txt"))
    complexity = read_as(binary / "complexity.json", WordComplexity)
    assert weights
    for word, weight in weights.items():
        value = complexity.of_word(word)
        assert value is not None and float(weight) == pytest.approx(1 + 0.5 * (1 - 2 * value), abs=1e-4)
    loaded = simplifiers.load_simplifier_folder(model, CPU)
    sentences = [PAIRS[0][0], "", PAIRS[1][0]]
    together, alone = loaded.simplify(sentences, 4), loaded.simplify(sentences[:1], 4)
    assert together[1][0].text == "" and together[0] == alone[0] and 1 <= len(together[0]) <= 3
    scores = [item.score for item in together[0]]
    assert scores == sorted(scores, reverse=True) and len({item.text for item in together[0]}) == len(scores)
    assert loaded.simplify(sentences)[0][0] == together[0][0], "the best is the best of any number"
    simplifiers.generate(binary, model, tmp_path / "out", CPU)
    assert len(read_lines(tmp_path / "out" / "test.txt")) == 2


def test_the_first_of_each_cluster_stands_for_it() -> None:
    angles = np.array([0.0, 0.02, 1.5, 0.01, 1.52, 3.0])
    vectors = np.stack([np.cos(angles), np.sin(angles)], 1)
    assert representatives(vectors, 3) == [0, 2, 5]
    assert representatives(vectors, 6) == list(range(6)) == representatives(vectors, 9)
    assert representatives(vectors, 1) == [0]
    assert representatives(np.roll(vectors, 1, 0), 3) == [0, 1, 3], "in order, whatever the numbers of the groups"
    assert len(representatives(np.ones((4, 2)) / math.sqrt(2), 2)) <= 2, "all the same"


def test_measures_of_a_shortlist() -> None:
    complexity = learn_complexity(LEARNT)
    language = LanguageModel.learn([other for _, other in LEARNT], 2)

    def vectors(texts: list[str]) -> Floats:
        rows = np.array([[1.0 + ("doctors" in text), 1.0] for text in texts])
        normalised: Floats = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return normalised

    texts = ["the doctors used many tools .", "the doctors used many tools .", "numerous manuscripts ."]
    items = [Written(text, -float(place), text.split()) for place, text in enumerate(texts)]
    judge = Judge(language, complexity, vectors, 8)  # type: ignore[arg-type]
    ((kept, measured),) = judge.shortlists(["the doctors utilised tools ."], [items])
    assert kept == [items[0], items[2]], "of equal texts the more probable"
    total = language.words(language.begin, [*texts[0].split(), "</s>"])
    assert measured[0, 0] == pytest.approx(math.exp(total / 7), abs=1e-5)
    assert measured[:, 1].tolist() == pytest.approx([1.0, 3 / math.sqrt(10)], abs=1e-5)
    assert measured[0, 2] == pytest.approx(1 - complexity.of_sentence(texts[0].split()), abs=1e-5)
    assert measured[:, 3].tolist() == [0.0, -2.0]
    assert measured[0, 0] > measured[1, 0] and measured[0, 2] > measured[1, 2]


def test_weights_are_those_with_the_best_quality() -> None:
    generator = np.random.default_rng(3)
    measured = [generator.normal(size=(5, 4)) for _ in range(400)]
    weighing = weigh(measured, [row[:, 1].tolist() for row in measured])
    assert weighing.weights == [0.1, 0.8, 0.1, 0.0], "what is adequacy alone"
    items = [Written(name, 0.0, [name]) for name in "abc"]
    order = ranked(items, np.array([[0.0, 0, 0, 0], [0, 2, 0, 0], [0, 0, 0, 0]]), weighing)
    assert [item.text for item, _ in order] == ["b", "a", "c"] and order[1][1] == order[2][1]
