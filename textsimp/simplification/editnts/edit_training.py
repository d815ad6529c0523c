"""Training with teacher forcing (Dong et al. 2019, section 3), selection on dev, and continuation of a killed run.

Every epoch takes its randomness from the seed and its own number, so that a continued run ends in the same bytes as an
uninterrupted one.
"""

import logging
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass
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
from textsimp.simplification.editnts.edit_examples import Example, Tagger, check_binary, load_examples, load_tagger
from textsimp.simplification.editnts.generation import (
    TAGGER,
    WEIGHTS,
    Source,
    predict_programs,
    read_sources,
    write_output,
)
from textsimp.simplification.editnts.model import Batch, EditNts, load_vectors, make_batches
from textsimp.simplification.editnts.programs import DELETE, KEEP, PAD, STOP, Vocabulary, load_vocabulary
from textsimp.simplification.interface import Epoch, Runtime, out_of_memory

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Dev:
    """The dev corpus, and how it is judged (`sources` and `references` are used by the selection `sari`)."""

    batches: Sequence[Batch]
    sources: Sequence[Source]
    references: Sequence[str]
    vocabulary: Vocabulary
    config: EditNtsConfig

    def judge(self, network: EditNts, weights: Tensor) -> tuple[float, float]:
        """Return the mean weighted loss, and the score of the selection: SARI or the loss with its sign turned.

        SARI is that of the corpus level: per sentence, where deletion is precision only, a copy without its full
        stop scores as high as a simplification.
        """
        loss = evaluate(network, self.batches, weights)
        if self.config.selection == "loss":
            return loss, -loss
        programs = predict_programs(network, [source.example for source in self.sources], self.config.max_added_run)
        outputs = [
            write_output(source, program, self.vocabulary)
            for source, (program, _) in zip(self.sources, programs, strict=True)
        ]
        texts = [source.text for source in self.sources]
        return loss, sari(texts, outputs, [self.references], corpus_recipe()).value


def read_dev(binary: Path, vocabulary: Vocabulary, tagger: Tagger | None, config: EditNtsConfig, device: str) -> Dev:
    """Read the dev corpus of a binarized folder."""
    batches = make_batches(load_examples(binary / "dev.safetensors"), config.batch_size, device)
    texts = read_aligned([binary / "dev.complex", binary / "dev.simple"])
    sources = read_sources([complex_text for complex_text, _ in texts], vocabulary, tagger)
    return Dev(batches, sources, [simple_text for _, simple_text in texts], vocabulary, config)


def loss_sums(network: EditNts, batch: Batch, weights: Tensor) -> tuple[Tensor, Tensor]:
    """Return the weighted negative log-likelihood of a batch's edits and the sum of their weights.

    Args:
        weights: of each symbol; 0 for padding and unknown words. Shape: (V,)
    """
    device = batch.complex.device.type
    with torch.autocast(device, torch.bfloat16, enabled=network.half_precision and device != "cpu"):
        log_probabilities = network(batch.complex, batch.tags, batch.program)  # (B, T, V)
    target = batch.program.masked_fill(batch.program >= network.outputs, PAD)  # (B, T)
    loss = nll_loss(log_probabilities.float().flatten(0, 1), target.flatten(), weights, reduction="sum")
    return loss, weights[target].sum()


def evaluate(network: EditNts, batches: Sequence[Batch], weights: Tensor) -> float:
    """Return the mean weighted loss over batches, without dropout."""
    network.eval()
    with torch.inference_mode():
        sums = [[part.item() for part in loss_sums(network, batch, weights)] for batch in batches]
    loss, weight = (math.fsum(column) for column in zip(*sums, strict=True))
    return loss / weight


def train(binary: Path, model: Path, partial: Path, config: EditNtsConfig, runtime: Runtime) -> list[Epoch]:
    """Train on a binarized corpus and write the model that is best on dev; the curve is returned."""
    tagger_name = check_binary(binary, config)
    tagger = load_tagger(tagger_name)
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
    # what must agree for a run to be continued; a longer one may be asked for
    free = ("max_updates", "max_epochs", "patience")
    settings = {key: value for key, value in asdict(config).items() if key not in free}
    identity = {"config": settings, "words": list(vocabulary.words), "addable": vocabulary.addable}
    state = TrainingState(partial / "state", identity)
    with out_of_memory("batch_size", config.batch_size):
        curve = fit(network, batches, weights, dev, state)
    save_tensors(model / WEIGHTS, network.state_dict())
    vocabulary.save(model / "vocabulary.txt")
    write_json(model / TAGGER, {"tagger": tagger_name})
    return curve


def fit(network: EditNts, batches: Sequence[Batch], weights: Tensor, dev: Dev, state: TrainingState) -> list[Epoch]:
    """Run the epochs that are still to run, and leave the network as it was after the best one on dev."""
    config = dev.config
    optimizer = torch.optim.Adam(network.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay)
    progress = state.restore(network, optimizer) or {"curve": [], "scores": []}
    curve, scores = [Epoch(*row) for row in progress["curve"]], progress["scores"]
    last = min(config.max_epochs, -(-config.max_updates // len(batches)))
    for epoch in tqdm(range(len(curve) + 1, last + 1), desc="EditNTS epochs", unit="epoch", mininterval=2):
        if config.patience and epoch > _best_epoch(scores) + config.patience:
            break
        train_loss = _train_epoch(network, optimizer, batches, weights, config, epoch)
        valid_loss, score = dev.judge(network, weights)
        curve.append(Epoch(epoch, train_loss, valid_loss))
        scores.append(score)
        if _best_epoch(scores) == epoch:
            state.save_best(network)
        state.save(network, optimizer, {"step": epoch, "curve": [astuple(row) for row in curve], "scores": scores})
    state.load_best(network)
    log.info("EditNTS: epoch %d of %d is the best on dev", _best_epoch(scores), len(curve))
    return curve


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
    """Pass over the batches once; return the mean weighted loss."""
    torch.manual_seed(config.seed + epoch)
    network.train()
    total_loss = total_weight = 0.0
    order = torch.randperm(len(batches), generator=torch.Generator().manual_seed(config.seed + epoch))
    for index in order.tolist():
        loss, weight = loss_sums(network, batches[index], weights)
        optimizer.zero_grad()
        (loss / weight).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), config.clip_norm)
        optimizer.step()
        total_loss += loss.item()
        total_weight += weight.item()
    return total_loss / total_weight
