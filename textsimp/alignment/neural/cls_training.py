"""Training of the paper's aligner: a CRF over [CLS] vectors for each task (sections 2.2, 2.3, 4.3)."""

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from textsimp.alignment.neural.aligner import ClsAligner
from textsimp.alignment.neural.aligner_settings import CrfConfig
from textsimp.alignment.neural.bert import TextPair
from textsimp.alignment.neural.network import ChainInput, train_epoch
from textsimp.alignment.neural.paragraphs import Block, document_links
from textsimp.core.progress import progress
from textsimp.core.records import AlignmentLabel, DocumentPair, Link
from textsimp.metrics.links import TASKS, Task, alignment_scores, gold_mask

S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True)
class _Example:
    """A block of paragraphs: the candidates, a mask (S, N), their texts, and the gold links of each task (S, N).

    The encoder is frozen, so the vectors of the texts stay what they are.
    """

    block: Block
    known: Tensor
    texts: list[TextPair]
    gold: dict[Task, Tensor]


def train_tasks(
    aligner: ClsAligner, train: Sequence[DocumentPair], dev: Sequence[DocumentPair], config: CrfConfig
) -> list[dict[str, float | str]]:
    """Maximise equation 6 for each task on gold paragraphs; keep for each the epoch of its highest dev F1.

    A gold link that is no candidate is lost: its sentence counts as not aligned. Identical sentences count as aligned
    in both tasks, as the manual labels have it.

    Returns:
        The training curve (part, step, loss, dev_f1), a part for each task.
    """
    examples = [block for pair in train for block in _examples(aligner, pair, "gold")]
    held_out = [(pair, _examples(aligner, pair)) for pair in dev]
    seen = [*examples, *(block for _, blocks in held_out for block in blocks)]
    aligner.scorer.encoder.cls([texts for block in seen for texts in block.texts])  # all at once, in full batches
    return [row for task in TASKS for row in _train_task(aligner, task, examples, held_out, config)]


def _train_task(
    aligner: ClsAligner,
    task: Task,
    examples: Sequence[_Example],
    dev: Sequence[tuple[DocumentPair, list[_Example]]],
    config: CrfConfig,
) -> list[dict[str, float | str]]:
    chain = aligner.network.chain(task)

    def loss_of(blocks: Sequence[_Example]) -> Tensor:
        gold, scored = [block.gold[task] for block in blocks], _scored(aligner, task, blocks)
        return chain.loss([ChainInput(*row) for row in zip(scored, gold, gold, strict=True)])

    curve, _ = train_chain(
        chain, examples, loss_of, lambda: (_dev_f1(aligner, task, dev), None), config, f"train the CRF of {task}"
    )
    return [{"part": task, **row} for row in curve]


def train_chain(
    network: nn.Module,
    examples: Sequence[T],
    loss_of: Callable[[Sequence[T]], Tensor],
    evaluate: Callable[[], tuple[float, S]],
    config: CrfConfig,
    title: str,
) -> tuple[list[dict[str, float]], S | None]:
    """Train by Adam, the examples in another order each epoch, and leave the network at the epoch that is kept.

    Args:
        evaluate: F1 on dev of the network as it is, and what else belongs to an epoch.

    Returns:
        The curve (step, mean loss since the row before, dev_f1), and what belongs to the epoch.
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
            if config.is_kept(f1, best[0]):
                best = (f1, copy.deepcopy(network.state_dict()), others)
            losses = []
    network.load_state_dict(best[1])
    return curve, best[2]


def _scored(aligner: ClsAligner, task: Task, blocks: Sequence[_Example]) -> list[Tensor]:
    """sim(s, c) of each block by the CRF of a task. Shape of each: (S, N)."""
    vectors = (torch.from_numpy(aligner.scorer.encoder.cls(block.texts)) for block in blocks)
    return [aligner.network.chain(task).scored(block.known, of) for block, of in zip(blocks, vectors, strict=True)]


@torch.no_grad()
def _dev_f1(aligner: ClsAligner, task: Task, dev: Sequence[tuple[DocumentPair, list[_Example]]]) -> float:
    predicted = []
    for pair, blocks in dev:
        chains = aligner.network.chain(task).viterbi(_scored(aligner, task, blocks))
        links = document_links([item.block for item in blocks], chains)
        predicted.append((pair, [Link(*cell, AlignmentLabel.ALIGNED) for cell in links]))
    return float(alignment_scores(predicted)[task]["f1"])


def _examples(aligner: ClsAligner, pair: DocumentPair, paragraphs: str | None = None) -> list[_Example]:
    """The blocks of gold paragraphs, or of those that the aligner predicts."""
    gold = {task: gold_mask(pair, task) for task in TASKS}
    blocks, examples = aligner.blocks(pair, paragraphs), []
    for block, (known, texts) in zip(blocks, aligner.candidates(pair, blocks), strict=True):
        cells = np.ix_(block.simple, block.complex)
        examples.append(_Example(block, known, texts, {t: torch.from_numpy(gold[t][cells]) & known for t in TASKS}))
    return examples
