"""Loss and dev: the weighted likelihood of edits, and what decides which epoch's model is kept."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor
from torch.nn.functional import nll_loss

from textsimp.metrics.sari import sari_corpus
from textsimp.simplification.editnts.batches import Batch, make_batches
from textsimp.simplification.editnts.config import EditNtsConfig
from textsimp.simplification.editnts.examples import load_examples
from textsimp.simplification.editnts.generation import Source, read_sources, simplify
from textsimp.simplification.editnts.model import EditNts
from textsimp.simplification.editnts.tags import Tagger
from textsimp.simplification.editnts.vocabulary import PAD, Vocabulary
from textsimp.textfiles import read_aligned


@dataclass(frozen=True)
class Dev:
    """The dev corpus, and how it is judged (`sources` and `references` are used by the selection `sari`)."""

    batches: Sequence[Batch]
    sources: Sequence[Source]
    references: Sequence[str]
    vocabulary: Vocabulary
    config: EditNtsConfig

    def judge(self, network: EditNts, weights: Tensor) -> tuple[float, float]:
        """The mean weighted loss, and the score of the selection: SARI or the loss with its sign turned.

        SARI is that of the corpus level: per sentence, where deletion is precision only, a copy without its full
        stop scores as high as a simplification.
        """
        loss = evaluate(network, self.batches, weights)
        if self.config.selection == "loss":
            return loss, -loss
        outputs = simplify(self.sources, network, self.vocabulary, self.config.max_added_run)
        return loss, sari_corpus([source.text for source in self.sources], outputs, [self.references]).value


def read_dev(binary: Path, vocabulary: Vocabulary, tagger: Tagger | None, config: EditNtsConfig, device: str) -> Dev:
    """The dev corpus of a binarized folder."""
    batches = make_batches(load_examples(binary / "dev.safetensors"), config.batch_size, device)
    texts = read_aligned([binary / "dev.complex", binary / "dev.simple"])
    sources = read_sources([complex_text for complex_text, _ in texts], vocabulary, tagger)
    return Dev(batches, sources, [simple_text for _, simple_text in texts], vocabulary, config)


def loss_sums(network: EditNts, batch: Batch, weights: Tensor) -> tuple[Tensor, Tensor]:
    """The weighted negative log-likelihood of a batch's edits and the sum of their weights.

    Args:
        weights: of each symbol; 0 for padding and unknown words. Shape: (V,)
    """
    log_probabilities = network(batch.complex, batch.tags, batch.program)  # (B, T, V)
    target = batch.program.masked_fill(batch.program >= network.outputs, PAD)  # (B, T)
    loss = nll_loss(log_probabilities.flatten(0, 1), target.flatten(), weights, reduction="sum")
    return loss, weights[target].sum()


def evaluate(network: EditNts, batches: Sequence[Batch], weights: Tensor) -> float:
    """The mean weighted loss over batches, without dropout."""
    network.eval()
    with torch.inference_mode():
        sums = [[part.item() for part in loss_sums(network, batch, weights)] for batch in batches]
    loss, weight = (math.fsum(column) for column in zip(*sums, strict=True))
    return loss / weight
