"""Training with teacher forcing (Dong et al. 2019, section 3), selection on dev, and continuation of a killed run.

The `partial` folder holds the state after the last whole epoch. Every epoch takes its randomness from the seed and
its own number, so that a continued run ends in the same bytes as an uninterrupted one.
"""

import logging
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor
from tqdm import tqdm

from textsimp.simplification.editnts.batches import Batch, make_batches, shuffled
from textsimp.simplification.editnts.checkpoints import Progress, load_progress, run_settings, save_model, save_progress
from textsimp.simplification.editnts.config import EditNtsConfig
from textsimp.simplification.editnts.dev import Dev, loss_sums, read_dev
from textsimp.simplification.editnts.examples import Example, check_binary, load_examples
from textsimp.simplification.editnts.model import EditNts
from textsimp.simplification.editnts.tags import load_tagger
from textsimp.simplification.editnts.vectors import load_vectors
from textsimp.simplification.editnts.vocabulary import DELETE, KEEP, STOP, Vocabulary, load_vocabulary
from textsimp.simplification.interface import Epoch, Runtime

log = logging.getLogger(__name__)


def train(binary: Path, model: Path, partial: Path, config: EditNtsConfig, runtime: Runtime) -> list[Epoch]:
    """Train on a binarized corpus and write the model that is best on dev; the curve is returned."""
    tagger = load_tagger(check_binary(binary, config))
    torch.set_num_threads(runtime.threads)
    vocabulary = load_vocabulary(binary / "vocabulary.txt")
    examples = load_examples(binary / "train.safetensors")
    torch.manual_seed(config.seed)
    network = EditNts(vocabulary, config)
    load_vectors(binary, network.embedding.weight)
    network.to(runtime.device)
    batches = make_batches(examples, config.batch_size, runtime.device)
    weights = edit_weights(examples, vocabulary, config).to(runtime.device)
    dev = read_dev(binary, vocabulary, tagger, config, runtime.device)
    progress = fit(network, batches, weights, dev, partial)
    save_model(model, progress.best, vocabulary, config)
    return progress.curve


def fit(
    network: EditNts,
    batches: Sequence[Batch],
    weights: Tensor,
    dev: Dev,
    partial: Path,
) -> Progress:
    """Run the epochs that are still to run, and return the state behind the last one."""
    config, run = dev.config, run_settings(dev.vocabulary, dev.config)
    optimizer = torch.optim.Adam(network.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay)
    progress = load_progress(partial, network, optimizer, run)
    last = min(config.max_epochs, -(-config.max_updates // len(batches)))
    epochs = range(len(progress.curve) + 1, last + 1)
    for epoch in tqdm(epochs, desc="EditNTS epochs", unit="epoch", mininterval=2):
        if config.patience and epoch > progress.best_epoch + config.patience:
            break
        train_loss = _train_epoch(network, optimizer, batches, weights, config, epoch)
        valid_loss, score = dev.judge(network, weights)
        progress.record(Epoch(epoch, train_loss, valid_loss), score, network)
        save_progress(partial, progress, network, optimizer, run)
    log.info("EditNTS: epoch %d of %d is the best on dev", progress.best_epoch, len(progress.curve))
    return progress


def edit_weights(examples: Sequence[Example], vocabulary: Vocabulary, config: EditNtsConfig) -> Tensor:
    """The weight of each symbol in the loss: inverse frequency of its operation, times the operation's factor.

    With n_o edits of operation o among n that are KEEP, DELETE or ADD: (n / (3 n_o)) ** balance. STOP weighs 1:
    one a sentence, it is rare by nature, and a heavier one ends programs too early. Unknown words, which cannot be
    added, and padding weigh 0. Shape: (V,)
    """
    edits = Counter(edit for example in examples for edit in example.program if edit < vocabulary.outputs)
    added = sum(count for edit, count in edits.items() if edit > STOP)
    counts = {KEEP: edits[KEEP], DELETE: edits[DELETE], STOP + 1: added}
    factors = {KEEP: config.keep_weight, DELETE: config.delete_weight, STOP + 1: config.add_weight}
    weights = torch.zeros(vocabulary.outputs)
    weights[STOP] = 1.0
    for operation, count in counts.items():
        balanced = (sum(counts.values()) / (3 * max(count, 1))) ** config.balance
        weights[operation : None if operation > STOP else operation + 1] = balanced * factors[operation]
    return weights


def _train_epoch(
    network: EditNts,
    optimizer: torch.optim.Optimizer,
    batches: Sequence[Batch],
    weights: Tensor,
    config: EditNtsConfig,
    epoch: int,
) -> float:
    """One pass over the batches; returns the mean weighted loss."""
    torch.manual_seed(config.seed + epoch)
    network.train()
    total_loss = total_weight = 0.0
    for batch in shuffled(batches, config.seed + epoch):
        loss, weight = loss_sums(network, batch, weights)
        optimizer.zero_grad()
        (loss / weight).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), config.clip_norm)
        optimizer.step()
        total_loss += loss.item()
        total_weight += weight.item()
    return total_loss / total_weight
