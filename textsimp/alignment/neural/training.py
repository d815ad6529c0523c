"""Training of the whole aligner: encoder, paragraph thresholds, CRF, decision thresholds (sections 2.2, 2.3, 4.3).

The pair encoder is fine-tuned by cross entropy (appendix A.1). The CRF is trained on gold paragraphs: two chains and a
classifier of labels over features, or, as in the paper, a chain for each task over the [CLS] vectors of the encoder.
"""

import copy
import logging
import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from tqdm import tqdm

from textsimp.alignment.neural.aligner import NEVER, Aligner, AlignerSettings, ClsAligner, new_aligner, new_scorer
from textsimp.alignment.neural.aligner_settings import (
    PARAGRAPH_ALGORITHMS,
    AlignerConfig,
    CrfConfig,
    Device,
    EncoderConfig,
)
from textsimp.alignment.neural.bert import PairEncoder, TextPair, classes_of
from textsimp.alignment.neural.network import ChainInput, train_epoch
from textsimp.alignment.neural.pair_scores import Matrix, PairScorer
from textsimp.alignment.neural.paragraphs import (
    Algorithm,
    Block,
    ParagraphExample,
    gold_paragraphs,
    in_document,
    links_of,
    tune_thresholds,
)
from textsimp.alignment.words import TfIdf
from textsimp.core.batches import length_batches
from textsimp.core.errors import InputError, check_choice
from textsimp.core.progress import progress
from textsimp.core.records import DocumentPair
from textsimp.core.resumable import TrainingState
from textsimp.metrics.curves import best_threshold
from textsimp.metrics.links import TASKS, Task, alignment_scores, evaluated, gold_mask

S = TypeVar("S")
T = TypeVar("T")
Curve = list[dict[str, float | str]]
Example = tuple[TextPair, int]
"""A distinct sentence pair and its class, an index of `CLASSES`."""
_POOL = 32
"""Batches of like length are cut from a pool of so many batches of random examples."""

_log = logging.getLogger(__name__)


def train_encoder(
    train: Sequence[DocumentPair],
    dev: Sequence[DocumentPair],
    config: AlignerConfig,
    device: Device,
    state_folder: Path,
) -> tuple[PairEncoder, Curve]:
    """Fine-tune the pair encoder on labelled document pairs, of one corpus or of several; see `fine_tune`.

    Returns:
        The encoder, and its training curve (part, step, loss, dev_f1).
    """
    torch.manual_seed(config.encoder.seed)
    of_encoder = config.encoder
    encoder = PairEncoder(of_encoder.name, of_encoder.max_length, device.prepare(), device.batch, of_encoder.order)
    # the choice of negatives is not worth an embedding of every sentence
    scorer = PairScorer(encoder, None, TfIdf.fit([*train, *dev]), config.candidates)
    linked, candidates = (
        examples_of(pairs, scorer, only_candidates) for pairs, only_candidates in ((train, False), (dev, True))
    )
    curve = fine_tune(encoder, linked, candidates, config.encoder, state_folder, device.checkpoint_steps)
    return encoder, [{"part": "encoder", **row} for row in curve]


def examples_of(pairs: Sequence[DocumentPair], scorer: PairScorer, only_candidates: bool) -> list[Example]:
    """Return the distinct sentence pairs that are not identical: candidates and, unless `only_candidates`, all links.

    A pair of texts that occurs with several labels counts as the closest relation among them.
    """
    labels: dict[TextPair, int] = {}
    for pair in pairs:
        chosen, gold = scorer.choose(pair), classes_of(pair)
        wanted = chosen if only_candidates else chosen | (gold > 0)
        for i, j in np.argwhere(wanted).tolist():
            texts = (pair.simple.sentences[i], pair.complex.sentences[j])
            if texts[0] != texts[1]:
                labels[texts] = max(labels.get(texts, 0), int(gold[i, j]))
    return list(labels.items())


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
    """The examples that each step sees: a function of the seed and the number of the step alone."""

    def __init__(self, examples: Sequence[Example], config: EncoderConfig) -> None:
        self.linked = [example for example in examples if example[1]]
        self.others = [example for example in examples if not example[1]]
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
            rows = list(length_batches(pool, size, lambda example: encoder.length(example[0])))
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
    texts, labels = zip(*plan.batch(step, encoder), strict=True)
    loss = functional.cross_entropy(encoder.logits(texts), torch.tensor(labels, device=encoder.device))
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(encoder.model.parameters(), 1.0)
    optimizer.step()
    return float(loss.detach())


def _rate(step: int, steps: int, warmup: float) -> float:
    rising = max(1.0, warmup * steps)
    return min((step + 1) / rising, (steps - step) / max(1.0, steps - rising + 1))


def _evaluate(encoder: PairEncoder, dev: Sequence[Example], state: TrainingState, progress: dict[str, Any]) -> None:
    gold = np.array([label > 0 for _, label in dev])
    scores = encoder.log_probabilities([texts for texts, _ in dev])
    linked = np.logaddexp(scores[:, 1], scores[:, 2]) if len(dev) else np.zeros(0)
    f1 = best_threshold(linked, gold, int(gold.sum()))[1]
    losses = progress["losses"]
    progress["curve"].append({"step": progress["step"], "loss": sum(losses) / max(len(losses), 1), "dev_f1": f1})
    progress["losses"] = []
    _log.info("step %d: loss %.3f, dev F1 %.1f", progress["step"], progress["curve"][-1]["loss"], f1)
    if f1 > progress["best"]:
        progress["best"] = f1
        state.save_best(encoder.model)


def train_aligner(
    train: Sequence[DocumentPair],
    dev: Sequence[DocumentPair],
    kind: str,
    encoder_folder: Path,
    config: AlignerConfig,
    device: Device,
    scored: PairScorer | None = None,
) -> tuple[Aligner, Curve]:
    """Train the CRF on labelled document pairs and choose every threshold on dev.

    Args:
        kind: of `PARAGRAPH_ALGORITHMS`: Algorithms 1-2 or 3-4.
        encoder_folder: a fine-tuned pair encoder.
        scored: where another aligner with this encoder has scored sentence pairs before.

    Returns:
        The aligner, and its training curve (part, step, loss, dev_f1).
    """
    check_choice("paragraph algorithm", kind, PARAGRAPH_ALGORITHMS)
    scorer = new_scorer(config, device, encoder_folder, TfIdf.fit([*train, *dev]))
    if scored is not None:
        scorer.keep(*scored.computed())
    algorithm: Algorithm = "newsela" if kind == "newsela" else "wikipedia"
    settings = AlignerSettings(algorithm, getattr(config.paragraphs, algorithm), 0.5, 0.5)
    aligner = new_aligner(config, scorer, settings)
    if isinstance(aligner, ClsAligner):
        scorer.encoder.kept = {}  # vectors are kept for training alone
    chosen = _drawn(train, config.crf)
    # the paper's model sees the gold paragraphs alone of what it is trained on
    scorer.prepare(dev if config.emission.is_cls else [*dev, *chosen], "score sentence pairs for the CRF")
    if config.paragraphs.tune:
        examples = [ParagraphExample(aligner.paragraph_scores(pair), gold_paragraphs(pair)) for pair in dev]
        tuned, _ = tune_thresholds(examples, algorithm, config.paragraphs.beta)
        aligner.settings = replace(settings, paragraph_thresholds=tuned)
    if isinstance(aligner, ClsAligner):
        curve = _train_tasks(aligner, chosen, dev, config.crf)
        scorer.encoder.kept = None
        return aligner, curve
    return aligner, [{"part": "crf", **row} for row in _train_crf(aligner, chosen, dev, config.crf)]


def _drawn(pairs: Sequence[DocumentPair], config: CrfConfig) -> list[DocumentPair]:
    groups = sorted({pair.group for pair in pairs})
    random.Random(config.seed).shuffle(groups)
    chosen: list[DocumentPair] = []
    for group in groups:
        if config.training_pairs and len(chosen) >= config.training_pairs:
            break
        chosen += [pair for pair in pairs if pair.group == group]
    return chosen


def _train_crf(
    aligner: Aligner, train: Sequence[DocumentPair], dev: Sequence[DocumentPair], config: CrfConfig
) -> list[dict[str, float]]:
    """Maximise equation 6 on gold paragraphs; keep an epoch (`CrfConfig.checkpoint`) and its thresholds.

    Thresholds are tuned on dev and the CRF's training pairs together: a dev split of a few articles alone leaves
    them to chance.
    """
    inputs = [blocks for blocks in (_inputs(aligner, pair) for pair in train) if blocks]

    def loss_of(pairs: Sequence[list[ChainInput]]) -> Tensor:
        return aligner.network.loss([block for blocks in pairs for block in blocks])

    def evaluate() -> tuple[float, AlignerSettings]:
        _choose_thresholds(aligner, [*dev, *train])
        f1 = alignment_scores((pair, aligner.align(pair)) for pair in dev)["task1"]["f1"]
        return f1, aligner.settings

    curve, settings = train_chain(aligner.network, inputs, loss_of, evaluate, config, "train the CRF")
    aligner.settings = settings or aligner.settings
    return curve


def _inputs(aligner: Aligner, pair: DocumentPair) -> list[ChainInput]:
    masks, inputs = [gold_mask(pair, task) for task in TASKS], []
    for block in aligner.blocks(pair, "gold"):
        gold, label = (torch.from_numpy(mask[np.ix_(block.simple, block.complex)]) for mask in masks)
        inputs.append(ChainInput(aligner.block_features(pair, block), gold, label))
    return inputs


def _choose_thresholds(aligner: Aligner, pairs: Sequence[DocumentPair]) -> None:
    """Take the thresholds of links and of labels of the best F1 over the pairs, identical sentences left out."""

    def labels_of(pair: DocumentPair, task: Task) -> Matrix:
        linked = aligner.linked(pair)
        return np.where(linked, aligner.label_scores(pair, linked), -np.inf)

    scores, gold = evaluated(lambda pair, _: aligner.link_scores(pair), pairs, "task1")
    threshold, _ = best_threshold(scores, gold, int(gold.sum()))
    aligner.settings = replace(aligner.settings, link_threshold=min(threshold, NEVER))
    labels, aligned = evaluated(labels_of, pairs, "task2")
    if aligned.any():
        threshold, _ = best_threshold(labels, aligned, int(aligned.sum()))
        aligner.settings = replace(aligner.settings, label_threshold=min(threshold, NEVER))


@dataclass(frozen=True)
class _ClsExample:
    """A block of paragraphs: the candidates, a mask (S, N), their texts, and the gold links of each task (S, N).

    The encoder is frozen, so the vectors of the texts stay what they are.
    """

    block: Block
    known: Tensor
    texts: list[TextPair]
    gold: dict[Task, Tensor]


def _train_tasks(
    aligner: ClsAligner, train: Sequence[DocumentPair], dev: Sequence[DocumentPair], config: CrfConfig
) -> Curve:
    """Maximise equation 6 for each task on gold paragraphs; keep for each the epoch of its highest dev F1.

    A gold link that is no candidate is lost: its sentence counts as not aligned. Identical sentences count as aligned
    in both tasks, as the manual labels have it. Returns the training curve, a part for each task.
    """
    examples = [block for pair in train for block in _cls_examples(aligner, pair, "gold")]
    held_out = [(pair, _cls_examples(aligner, pair)) for pair in dev]
    seen = [*examples, *(block for _, blocks in held_out for block in blocks)]
    aligner.scorer.encoder.cls([texts for block in seen for texts in block.texts])  # all at once, in full batches
    curve: Curve = []
    for task in TASKS:
        loss_of, evaluate = partial(_task_loss, aligner, task), partial(_task_f1, aligner, task, held_out)
        rows, _ = train_chain(aligner.network[task], examples, loss_of, evaluate, config, f"train the CRF of {task}")
        curve += [{"part": task, **row} for row in rows]
    return curve


def _task_loss(aligner: ClsAligner, task: Task, blocks: Sequence[_ClsExample]) -> Tensor:
    gold, scored = [block.gold[task] for block in blocks], _scored(aligner, task, blocks)
    return aligner.chain(task).loss([ChainInput(*row) for row in zip(scored, gold, gold, strict=True)])


def train_chain(
    network: nn.Module,
    examples: Sequence[T],
    loss_of: Callable[[Sequence[T]], Tensor],
    evaluate: Callable[[], tuple[float, S]],
    config: CrfConfig,
    title: str,
) -> tuple[list[dict[str, float]], S | None]:
    """Train by Adam, the examples in another order each epoch, and leave the network at the epoch that is kept.

    `evaluate` gives F1 on dev of the network as it is, and what else belongs to an epoch. Returns the curve (step, mean
    loss since the row before, dev_f1), and what belongs to the epoch that is kept.
    """
    inputs, optimizer = list(examples), torch.optim.Adam(network.parameters(), lr=config.learning_rate)
    marks = {round(config.epochs * (k + 1) / config.evaluations) for k in range(config.evaluations)}
    curve: list[dict[str, float]] = []
    best: tuple[float, dict[str, Any], S | None] = (-1.0, copy.deepcopy(network.state_dict()), None)
    losses: list[float] = []
    for epoch in progress(range(config.epochs), desc=title, unit="epoch"):
        losses += train_epoch(inputs, loss_of, optimizer, config.batch_size, config.seed * 1_009 + epoch)
        if epoch + 1 in marks:
            f1, others = evaluate()
            curve.append({"step": epoch + 1, "loss": float(np.mean(losses)), "dev_f1": f1})
            if config.checkpoint == "last" or f1 > best[0]:
                best = (f1, copy.deepcopy(network.state_dict()), others)
            losses = []
    network.load_state_dict(best[1])
    return curve, best[2]


def _scored(aligner: ClsAligner, task: Task, blocks: Sequence[_ClsExample]) -> list[Tensor]:
    """sim(s, c) of each block by the CRF of a task. Shape of each: (S, N)."""
    vectors = (torch.from_numpy(aligner.scorer.encoder.cls(block.texts)) for block in blocks)
    return [aligner.chain(task).scored(block.known, of) for block, of in zip(blocks, vectors, strict=True)]


@torch.no_grad()
def _task_f1(
    aligner: ClsAligner, task: Task, dev: Sequence[tuple[DocumentPair, list[_ClsExample]]]
) -> tuple[float, None]:
    predicted = []
    for pair, blocks in dev:
        by_block = aligner.chain(task).viterbi(_scored(aligner, task, blocks))
        linked = in_document(pair, [item.block for item in blocks], by_block, bool)
        predicted.append((pair, links_of(linked, linked)))
    return float(alignment_scores(predicted)[task]["f1"]), None


def _cls_examples(aligner: ClsAligner, pair: DocumentPair, paragraphs: str | None = None) -> list[_ClsExample]:
    """The blocks of gold paragraphs, or of those that the aligner predicts."""
    gold = {task: gold_mask(pair, task) for task in TASKS}
    blocks, examples = aligner.blocks(pair, paragraphs), []
    for block, (known, texts) in zip(blocks, aligner.candidates(pair, blocks), strict=True):
        cells = np.ix_(block.simple, block.complex)
        examples.append(_ClsExample(block, known, texts, {t: torch.from_numpy(gold[t][cells]) & known for t in TASKS}))
    return examples
