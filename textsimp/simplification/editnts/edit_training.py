"""Training with teacher forcing (Dong et al. 2019, section 3), selection on dev, and continuation of a killed run.

Every epoch takes its randomness from the seed and its own number, so that a continued run ends in the same bytes as an
uninterrupted one.
"""

import logging
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, astuple, replace
from pathlib import Path

import torch
from torch import Tensor
from torch.nn.functional import nll_loss
from tqdm import tqdm

from textsimp.core.reading import read_aligned
from textsimp.core.resumable import TrainingState, save_tensors
from textsimp.core.writing import write_json
from textsimp.metrics.sari import corpus_recipe, sari
from textsimp.simplification.editnts import EditNtsConfig
from textsimp.simplification.editnts.edit_examples import Example, check_binary, load_examples, load_tagger
from textsimp.simplification.editnts.generation import TAGGER, WEIGHTS, predict_programs, write_output
from textsimp.simplification.editnts.model import Batch, EditNts, load_vectors, make_batches
from textsimp.simplification.editnts.programs import DELETE, KEEP, PAD, STOP, Vocabulary, load_vocabulary
from textsimp.simplification.interface import Epoch, Runtime, out_of_memory
from textsimp.simplification.spacing import tokenise

log = logging.getLogger(__name__)


def train(binary: Path, model: Path, partial: Path, config: EditNtsConfig, runtime: Runtime) -> list[Epoch]:
    """Train on a binarized corpus and write the model that is best on dev; the curve is returned."""
    tagger = check_binary(binary, config)
    load_tagger(tagger)  # so that a missing one is told before training
    torch.set_num_threads(runtime.threads)
    vocabulary = load_vocabulary(binary / "vocabulary.txt")
    training = _Training(binary, vocabulary, config, runtime.device)
    # what must agree for a run to be continued; a longer one may be asked for
    free = ("max_updates", "max_epochs", "patience")
    settings = {key: value for key, value in asdict(config).items() if key not in free}
    identity = {"config": settings, "words": list(vocabulary.words), "addable": vocabulary.addable}
    with out_of_memory("batch_size", config.batch_size):
        curve = training.fit(TrainingState(partial / "state", identity))
    save_tensors(model / WEIGHTS, training.network.state_dict())
    vocabulary.save(model / "vocabulary.txt")
    write_json(model / TAGGER, {"tagger": tagger})
    return curve


class _Training:
    """A network, the batches that it learns from, and dev, by which its epochs are judged."""

    def __init__(self, binary: Path, vocabulary: Vocabulary, config: EditNtsConfig, device: str) -> None:
        examples = load_examples(binary / "train.safetensors")
        torch.manual_seed(config.seed)
        self.network, self._vocabulary, self._config = EditNts(vocabulary, config), vocabulary, config
        load_vectors(binary, self.network.embedding.weight)
        self.network.to(device)
        self._weights = edit_weights(examples, vocabulary, config).to(device)  # (V,)
        self._batches = make_batches(examples, config.batch_size, device)
        dev = load_examples(binary / "dev.safetensors")
        self._dev = make_batches(dev, config.batch_size, device)
        self._sources = [replace(example, program=()) for example in dev]
        self._texts = read_aligned([binary / "dev.complex", binary / "dev.simple"])

    def fit(self, state: TrainingState) -> list[Epoch]:
        """Run the epochs that are still to run, and leave the network as it was after the best one on dev."""
        network, config = self.network, self._config
        optimizer = torch.optim.Adam(network.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay)
        progress = state.restore(network, optimizer) or {"curve": [], "scores": []}
        curve, scores = [Epoch(*row) for row in progress["curve"]], progress["scores"]
        last = min(config.max_epochs, -(-config.max_updates // len(self._batches)))
        for epoch in tqdm(range(len(curve) + 1, last + 1), desc="EditNTS epochs", unit="epoch", mininterval=2):
            if config.patience and epoch > _best_epoch(scores) + config.patience:
                break
            train_loss = self._train_epoch(optimizer, epoch)
            valid_loss = self._dev_loss()
            curve.append(Epoch(epoch, train_loss, valid_loss))
            scores.append(-valid_loss if config.selection == "loss" else self._dev_sari())
            if _best_epoch(scores) == epoch:
                state.save_best(network)
            state.save(network, optimizer, {"step": epoch, "curve": [astuple(row) for row in curve], "scores": scores})
        state.load_best(network)
        log.info("EditNTS: epoch %d of %d is the best on dev", _best_epoch(scores), len(curve))
        return curve

    def _train_epoch(self, optimizer: torch.optim.Optimizer, epoch: int) -> float:
        """Pass over the batches once; return the mean weighted loss."""
        seed = self._config.seed + epoch
        torch.manual_seed(seed)
        self.network.train()
        total_loss = total_weight = 0.0
        order = torch.randperm(len(self._batches), generator=torch.Generator().manual_seed(seed))
        for index in order.tolist():
            loss, weight = self._loss_sums(self._batches[index])
            optimizer.zero_grad()
            (loss / weight).backward()
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), self._config.clip_norm)
            optimizer.step()
            total_loss += loss.item()
            total_weight += weight.item()
        return total_loss / total_weight

    def _loss_sums(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Return the weighted negative log-likelihood of a batch's edits and the sum of their weights."""
        device = batch.complex.device.type
        with torch.autocast(device, torch.bfloat16, enabled=self.network.half_precision and device != "cpu"):
            log_probabilities = self.network(batch.complex, batch.tags, batch.program)  # (B, T, V)
        target = batch.program.masked_fill(batch.program >= self.network.outputs, PAD)  # (B, T)
        loss = nll_loss(log_probabilities.float().flatten(0, 1), target.flatten(), self._weights, reduction="sum")
        return loss, self._weights[target].sum()

    def _dev_loss(self) -> float:
        """Return the mean weighted loss, without dropout."""
        self.network.eval()
        with torch.inference_mode():
            sums = [[part.item() for part in self._loss_sums(batch)] for batch in self._dev]
        loss, weight = (math.fsum(column) for column in zip(*sums, strict=True))
        return loss / weight

    def _dev_sari(self) -> float:
        """Return SARI of the corpus level.

        Per sentence, where deletion is precision only, a copy without its full stop scores as high as a simplification.
        """
        programs = predict_programs(self.network, self._sources, self._config.max_added_run)
        sources, references = map(list, zip(*self._texts, strict=True))
        outputs = [
            write_output(source, tokenise(source), program, self._vocabulary)
            for source, (program, _) in zip(sources, programs, strict=True)
        ]
        return sari(sources, outputs, [references], corpus_recipe()).value


def _best_epoch(scores: Sequence[float]) -> int:
    """Return the first epoch with the highest score on dev, from 1; 0 before the first."""
    return scores.index(max(scores)) + 1 if scores else 0


def edit_weights(examples: Sequence[Example], vocabulary: Vocabulary, config: EditNtsConfig) -> Tensor:
    """Return the weight of each symbol in the loss: inverse frequency of its operation, times the operation's factor.

    With n_o edits of operation o among n that are KEEP, DELETE or ADD: (n / (3 n_o)) ** balance. STOP weighs 1:
    one a sentence, it is rare by nature, and a heavier one ends programs too early. Unknown words, which cannot be
    added, and padding weigh 0. Shape: (V,)
    """
    edits = Counter(edit for example in examples for edit in example.program if edit < vocabulary.outputs)
    added = sum(count for edit, count in edits.items() if edit > STOP)
    total = edits[KEEP] + edits[DELETE] + added
    weights = torch.zeros(vocabulary.outputs)
    weights[STOP] = 1.0
    for symbols, count, factor in (
        (slice(KEEP, KEEP + 1), edits[KEEP], config.keep_weight),
        (slice(DELETE, DELETE + 1), edits[DELETE], config.delete_weight),
        (slice(STOP + 1, None), added, config.add_weight),
    ):
        weights[symbols] = (total / (3 * max(count, 1))) ** config.balance * factor
    return weights
