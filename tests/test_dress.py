"""Dress: rewards by hand, what is sampled and what is given, training from end to end in the same bytes."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
import torch
from simplifier_sample import small_corpus, trained

from textsimp.core.params import KeyFault, from_conf, structured
from textsimp.core.reading import read_lines
from textsimp.metrics.sari import sari_sentence
from textsimp.simplification import simplifiers
from textsimp.simplification.dress import DressConfig, ReinforceConfig, Rewards
from textsimp.simplification.fairseq_corpus import tokenised_pairs
from textsimp.simplification.interface import CorpusFiles, Runtime
from textsimp.simplification.phrase_based.backoff_model import learn_language_model

RUNTIME = Runtime("cpu", 1)
KIND = simplifiers.simplifier_of("dress")
LANGUAGE = learn_language_model(["the otter swims .".split(), "the cat sat .".split()], 2)
REINFORCE = ReinforceConfig(6, 3, "adam", 1e-2, 1.0, 0.25, 0.5, 0.1, 2, 2, 3, 2)


def small_config() -> DressConfig:
    """A tiny LSTM that is trained for two updates, then rewarded for six."""
    config: DressConfig = from_conf("simplifier.dress", DressConfig)
    sizes = {"embedding_dim": 6, "hidden_size": 8, "min_frequency": 1, "batch_size": 8, "max_tokens": 0}
    return replace(config, **sizes, max_updates=2, max_epochs=2, reinforce=REINFORCE)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> CorpusFiles:
    return small_corpus(tmp_path_factory.mktemp("corpus"))


def test_a_reward_is_the_weighted_sum_of_its_parts() -> None:
    def encode(rows: list[list[str]]) -> torch.Tensor:
        return torch.tensor([[float("otter" in row), 1.0] for row in rows])

    source, output, reference = "the big otter swims .".split(), "the otter swims .".split(), "the cat sat .".split()
    rewards = Rewards(REINFORCE, LANGUAGE, encode)
    (found,) = rewards.parts([source], [output], [reference])
    texts = [" ".join(row) for row in (source, output, reference)]
    forwards = sari_sentence(texts[:1], texts[1:2], [texts[2:]]).value
    backwards = sari_sentence(texts[:1], texts[2:], [texts[1:2]]).value
    assert found[0] == pytest.approx((0.9 * forwards + 0.1 * backwards) / 100)
    assert found[1] == pytest.approx(1.0)
    total, _ = LANGUAGE.words(LANGUAGE.begin(), [*output, "</s>"])
    assert found[2] == pytest.approx(math.exp(total / 5))
    assert rewards([source], [output], [reference]) == pytest.approx([found[0] + 0.25 * found[1] + 0.5 * found[2]])
    (other,) = rewards.parts([source], [["big", "."]], [reference])
    assert other[1] == pytest.approx(1 / math.sqrt(2)) and other[2] < found[2]


def test_the_beginning_is_given_and_the_end_is_sampled(corpus: CorpusFiles, tmp_path: Path) -> None:
    from textsimp.simplification import dress
    from textsimp.simplification.fairseq_generation import load_trained

    config = small_config()
    model = trained(KIND, corpus, tmp_path, config)
    task, network = load_trained(model)
    learner = dress._Learner(task, network, config, "cpu")
    learner.network.eval()
    pairs = tokenised_pairs(tmp_path / "binary", "train")[:3]
    batch, order = dress._batch(task, [complex_ for complex_, _ in pairs], "cpu")
    simple = [pairs[row][1] for row in order.tolist()]
    gold, lengths = learner._numbers(simple)
    torch.manual_seed(1)
    for given in (0, 2, 100):
        starts = lengths.clamp(max=given)
        written = learner._write(batch, gold, starts)
        for row, (start, words) in enumerate(zip(starts.tolist(), simple, strict=True)):
            assert learner._words(written)[row][:start] == words[:start]
            ends = (written[row] == task.target_dictionary.eos()).nonzero()
            assert len(ends) == 1 and (written[row, int(ends) + 1 :] == task.target_dictionary.pad()).all()
    alone, _ = dress._batch(task, [pairs[0][0]], "cpu")
    together = learner._write(batch, gold[:, :0], torch.zeros(3, dtype=torch.long), draws=False)
    single = learner._write(alone, gold[:1, :0], torch.zeros(1, dtype=torch.long), draws=False)
    row = order.tolist().index(0)
    shared = min(together.size(1), single.size(1)) - 1
    assert together[row, :shared].tolist() == single[0, :shared].tolist()


def test_the_reward_rises(corpus: CorpusFiles, tmp_path: Path) -> None:
    """Rewarded for one word alone, the network says it more often."""
    from textsimp.simplification import dress
    from textsimp.simplification.fairseq_generation import load_trained

    config = small_config()
    task, network = load_trained(trained(KIND, corpus, tmp_path, config))
    learner = dress._Learner(task, network, replace(config, reinforce=replace(REINFORCE, learning_rate=0.05)), "cpu")

    def rewards(_: object, outputs: list[list[str]], __: object) -> list[float]:
        return [row.count("otter") / (len(row) + 1) for row in outputs]

    torch.manual_seed(1)
    pairs = tokenised_pairs(tmp_path / "binary", "train")
    earned = [learner.learn(pairs, rewards, 100) for _ in range(60)]  # type: ignore[arg-type]
    assert sum(earned[-10:]) > 2 * sum(earned[:10])


@pytest.mark.parametrize("optimizer", ["adam", "sgd"])
def test_the_optimizer(corpus: CorpusFiles, tmp_path: Path, optimizer: Literal["adam", "sgd"]) -> None:
    """A step of SGD is the gradient times the rate; Adam's first one is the rate in every weight that learns."""
    from textsimp.simplification import dress
    from textsimp.simplification.fairseq_generation import load_trained

    config = replace(small_config(), clip_norm=0.0, reinforce=replace(REINFORCE, optimizer=optimizer))
    task, network = load_trained(trained(KIND, corpus, tmp_path, config))
    learner = dress._Learner(task, network, config, "cpu")
    weight = network.decoder.fc_out.bias
    before = weight.detach().clone()
    pairs = tokenised_pairs(tmp_path / "binary", "train")
    learner.learn(pairs, lambda *rows: [1.0] * len(rows[0]), 0)
    step = 1e-2 * weight.grad if optimizer == "sgd" else 1e-2 * weight.grad.sign()
    assert torch.allclose(before - weight, step, atol=1e-4) and step.abs().max() > 1e-4


def test_from_pairs_to_text_in_the_same_bytes(corpus: CorpusFiles, tmp_path: Path) -> None:
    models = [trained(KIND, corpus, tmp_path / name, small_config()) for name in ("a", "b")]
    for name in ("model.pt", "model.json"):
        assert (models[0] / name).read_bytes() == (models[1] / name).read_bytes()
    outputs = simplifiers.load_simplifier_folder(models[0], RUNTIME).simplify(["The otter swims.", ""], 2)
    assert outputs[1][0].text == "" and 1 <= len(outputs[0]) <= 2
    simplifiers.generate(tmp_path / "a" / "binary", models[0], tmp_path / "out", RUNTIME)
    assert len(read_lines(tmp_path / "out" / "test.txt")) == 2
    assert "reinforce" in (models[0] / "model.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(("key", "value"), [("updates", 0), ("reverse", 1.5), ("learning_rate", -1.0)])
def test_settings_out_of_range(key: str, value: float) -> None:
    values = {name: getattr(REINFORCE, name) for name in REINFORCE.__dataclass_fields__} | {key: value}
    with pytest.raises(KeyFault, match=key):
        structured(values, ReinforceConfig)
