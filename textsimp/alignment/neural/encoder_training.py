"""Fine-tuning of the sentence-pair encoder on labelled pairs by cross entropy (section 2.2, appendix A.1)."""

import logging
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional
from tqdm import tqdm

from textsimp.alignment.neural.aligner_settings import EncoderConfig
from textsimp.alignment.neural.bert import CLASSES, PairEncoder, TextPair
from textsimp.alignment.neural.pair_scores import PairScorer
from textsimp.core.batches import length_batches
from textsimp.core.errors import InputError
from textsimp.core.records import DocumentPair
from textsimp.core.resumable import TrainingState
from textsimp.metrics.curves import best_threshold

_POOL = 32
"""Batches of like length are cut from a pool of so many batches of random examples."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Example:
    """A distinct sentence pair and its class, an index of `CLASSES`."""

    texts: TextPair
    label: int


def examples_of(pairs: Sequence[DocumentPair], scorer: PairScorer, only_candidates: bool) -> list[Example]:
    """The distinct sentence pairs that are not identical: the candidates and, unless `only_candidates`, all links.

    A pair of texts that occurs with several labels counts as the closest relation among them.
    """
    labels: dict[TextPair, int] = {}
    for pair in pairs:
        chosen = scorer.choose(pair)
        gold = np.zeros(chosen.shape, dtype=int)
        for link in pair.alignments or ():
            gold[link.simple, link.complex] = CLASSES.index(link.label)
        wanted = chosen if only_candidates else chosen | (gold > 0)
        for i, j in np.argwhere(wanted).tolist():
            texts = (pair.simple.sentences[i], pair.complex.sentences[j])
            if texts[0] != texts[1]:
                labels[texts] = max(labels.get(texts, 0), int(gold[i, j]))
    return [Example(texts, label) for texts, label in labels.items()]


def fine_tune(
    encoder: PairEncoder,
    train: Sequence[Example],
    dev: Sequence[Example],
    config: EncoderConfig,
    state_folder: Path,
    checkpoint_steps: int,
) -> list[dict[str, float]]:
    """Train the encoder in place and leave it at the checkpoint of the highest dev F1 of Task 1.

    A training that was stopped goes on from `state_folder` and ends in the same weights.

    Returns:
        The curve: step, mean loss since the last entry, dev_f1 in percent.

    Raises:
        InputError: there is no linked pair to learn from.
    """
    plan = _Plan(train, config)
    dev = random.Random(config.seed).sample(list(dev), min(config.dev_pairs, len(dev)))
    model = encoder.model
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay, fused=True
    )
    state = TrainingState(state_folder, {"config": asdict(config), "examples": len(train), "steps": plan.steps})
    progress = state.restore(model, optimizer) or {"step": 0, "best": -1.0, "curve": [], "losses": []}
    marks = {round(plan.steps * (k + 1) / config.evaluations) for k in range(config.evaluations)}
    with tqdm(total=plan.steps, initial=progress["step"], desc="fine-tune the pair encoder", unit="step") as bar:
        for step in range(progress["step"], plan.steps):
            progress["losses"].append(_step(encoder, plan, optimizer, step, config))
            progress["step"] = step + 1
            if step + 1 in marks:
                _evaluate(encoder, dev, state, progress)
            if (step + 1) % checkpoint_steps == 0 or step + 1 in marks:
                state.save(model, optimizer, progress)
            bar.update()
    state.load_best(model)
    model.eval()
    return progress["curve"]


class _Plan:
    """Which examples each step sees: a function of the seed and the number of the step alone."""

    def __init__(self, examples: Sequence[Example], config: EncoderConfig) -> None:
        self.linked = [example for example in examples if example.label]
        self.others = [example for example in examples if not example.label]
        if not self.linked:
            raise InputError("the train split has no aligned or partial pair; the encoder cannot be fine-tuned")
        self.config = config
        self.drawn = min(len(self.others), round(config.negatives * len(self.linked)))
        self.per_epoch = -(-(len(self.linked) + self.drawn) // config.batch_size)
        self.steps = min(config.max_steps, config.epochs * self.per_epoch)
        self._epoch = -1
        self._batches: list[list[Example]] = []

    def batch(self, step: int, encoder: PairEncoder) -> list[Example]:
        """The examples of a step."""
        epoch, number = divmod(step, self.per_epoch)
        if epoch != self._epoch:
            self._epoch, self._batches = epoch, self._shuffle(epoch, encoder)
        return self._batches[number]

    def _shuffle(self, epoch: int, encoder: PairEncoder) -> list[list[Example]]:
        draw = random.Random(self.config.seed * 100_003 + epoch)
        examples = self.linked + draw.sample(self.others, self.drawn)
        draw.shuffle(examples)
        size, batches = self.config.batch_size, []
        for start in range(0, len(examples), size * _POOL):
            pool = examples[start : start + size * _POOL]
            rows = list(length_batches(pool, size, lambda example: encoder.length(example.texts)))
            draw.shuffle(rows)
            batches += [[pool[index] for index in row] for row in rows]
        return batches


def _step(
    encoder: PairEncoder, plan: _Plan, optimizer: torch.optim.Optimizer, step: int, config: EncoderConfig
) -> float:
    torch.manual_seed(config.seed * 1_000_003 + step)
    encoder.model.train()
    for group in optimizer.param_groups:
        group["lr"] = config.learning_rate * _rate(step, plan.steps, config.warmup)
    batch = plan.batch(step, encoder)
    labels = torch.tensor([example.label for example in batch], device=encoder.device)  # (N,)
    loss = functional.cross_entropy(encoder.logits([example.texts for example in batch]), labels)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(encoder.model.parameters(), 1.0)
    optimizer.step()
    return float(loss.detach())


def _rate(step: int, steps: int, warmup: float) -> float:
    rising = max(1.0, warmup * steps)
    return min((step + 1) / rising, (steps - step) / max(1.0, steps - rising + 1))


def _evaluate(encoder: PairEncoder, dev: Sequence[Example], state: TrainingState, progress: dict[str, Any]) -> None:
    gold = np.array([example.label > 0 for example in dev])
    scores = encoder.log_probabilities([example.texts for example in dev])
    linked = np.logaddexp(scores[:, 1], scores[:, 2]) if len(dev) else np.zeros(0)
    f1 = best_threshold(linked, gold, int(gold.sum()))[1]
    losses = progress["losses"]
    progress["curve"].append({"step": progress["step"], "loss": sum(losses) / max(len(losses), 1), "dev_f1": f1})
    progress["losses"] = []
    _log.info("step %d: loss %.3f, dev F1 %.1f", progress["step"], progress["curve"][-1]["loss"], f1)
    if f1 > progress["best"]:
        progress["best"] = f1
        state.save_best(encoder.model)
