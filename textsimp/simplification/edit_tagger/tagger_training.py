"""Training of the edit tagger: cross-entropy of each offered edit, made or not made by the simple side.

Below the last layer the encoder does not change: its states are computed once. Each epoch takes its randomness from
the seed and its own number, so that a continued run ends as an uninterrupted one.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from textsimp.core.errors import bad_input
from textsimp.core.progress import progress
from textsimp.core.reading import read_aligned
from textsimp.core.resumable import TrainingState
from textsimp.metrics.sari import SariRecipe, corpus_recipe, sari
from textsimp.simplification.edit_tagger import EditTaggerConfig
from textsimp.simplification.edit_tagger.edit_candidates import KINDS, Candidates
from textsimp.simplification.edit_tagger.edit_choice import Biases, choose
from textsimp.simplification.edit_tagger.edit_words import edit_words, folded
from textsimp.simplification.edit_tagger.edited_text import edited
from textsimp.simplification.edit_tagger.tagger_examples import RULES, Example, read_examples, read_rules
from textsimp.simplification.edit_tagger.tagger_network import EditEncoder, EditNetwork, Encoded, edit_batch
from textsimp.simplification.edit_tagger.trained_tagger import EditTagger, new_network, save
from textsimp.simplification.interface import Epoch, Runtime, out_of_memory

_UNCHANGED = "unchanged"
_STEP = 0.5
_PRIOR = 0.03
"""Points of SARI for a bias of 1."""
_ROUNDS = 3


@dataclass(frozen=True)
class TuningSet:
    """Sentences with R columns of references, and the SARI that is meant."""

    sources: Sequence[str]
    references: Sequence[Sequence[str]]
    recipe: SariRecipe


def tune(tagger: EditTagger, sets: Sequence[TuningSet], max_bias: float, max_unchanged: float) -> Biases:
    """The biases, multiples of 0.5 up to the given ones, with the best mean SARI over the sets.

    They go up and down one after the other. SARI gives most to those who change much; `_PRIOR` is what a step away from
    zero has to gain, so that edits which the network thinks unlikely are not made for a few hundredths of a point.
    """
    words = [[edit_words(" ".join(text.split())) for text in tuning_set.sources] for tuning_set in sets]
    offers = [tagger.judged(rows) for rows in words]

    def value(biases: Biases) -> float:
        total = 0.0
        for tuning_set, rows, judged in zip(sets, words, offers, strict=True):
            outputs = []
            for sentence, windows in zip(rows, judged, strict=True):
                edits = [edit for offered, z in windows for edit in choose(offered, z, biases, 1)[0].edits]
                outputs.append(edited(sentence, edits))
            score = sari(tuning_set.sources, outputs, tuning_set.references, tuning_set.recipe)
            total += score.value / len(sets)
        return total - _PRIOR * sum(map(abs, [*biases.kinds.values(), biases.unchanged]))

    best = Biases(dict.fromkeys(KINDS, 0.0), min(1.0, max_unchanged))
    if not sets or not all(tuning_set.sources for tuning_set in sets):
        return best
    reached = value(best)
    for _ in range(_ROUNDS):
        before = reached
        for name in (_UNCHANGED, *KINDS):
            limit = max_unchanged if name == _UNCHANGED else max_bias
            for direction in (_STEP, -_STEP):
                for moved in _moves(best, name, direction, limit):
                    gained = value(moved)
                    if gained <= reached:
                        break
                    best, reached = moved, gained
        if reached == before:
            break
    return best


def _moves(biases: Biases, name: str, step: float, limit: float) -> Iterator[Biases]:
    """One bias moved on, step after step."""
    while True:
        moved = (biases.unchanged if name == _UNCHANGED else biases.kinds[name]) + step
        if abs(moved) > limit or (name == _UNCHANGED and moved < 0):
            return
        if name == _UNCHANGED:
            biases = Biases(biases.kinds, moved)
        else:
            biases = Biases({**biases.kinds, name: moved}, biases.unchanged)
        yield biases


_BUCKET = 32
"""Batches whose sentences are sorted by length together."""
_WARM_UP, _LAST_RATE = 0.15, 0.02
"""Share of the updates until the learning rate is reached, and share of it that is left at the end."""
_WEIGHT_DECAY = 0.01


class _Data(NamedTuple):
    encoded: list[Encoded]
    examples: list[Example]

    def batches(self, size: int, rng: random.Random | None) -> Iterator[list[int]]:
        """Numbers of examples of about one length; in order where nothing is shuffled."""
        numbers = list(range(len(self.examples)))
        if rng:
            rng.shuffle(numbers)
        for start in range(0, len(numbers), size * _BUCKET):
            bucket = sorted(numbers[start : start + size * _BUCKET], key=lambda n: len(self.encoded[n].states))
            batches = [bucket[first : first + size] for first in range(0, len(bucket), size)]
            if rng:
                rng.shuffle(batches)
            yield from batches


class _Run:
    """A network in training."""

    def __init__(self, network: EditNetwork, candidates: Candidates, config: EditTaggerConfig, examples: int) -> None:
        self.network, self.candidates, self.config = network, candidates, config
        own = [value for name, value in network.named_parameters() if not name.startswith("layer.")]
        self.optimizer = torch.optim.AdamW(
            [{"params": list(network.layer.parameters())}, {"params": own}], weight_decay=_WEIGHT_DECAY
        )
        self.rates = (config.layer_learning_rate, config.learning_rate)
        batches = -(-examples // config.batch_size)
        self.epochs = min(config.max_epochs, -(-config.max_updates // batches))
        self.steps, self.step = self.epochs * batches, 0

    def loss(self, data: _Data, numbers: Sequence[int]) -> tuple[Tensor, int]:
        """The summed loss of a batch and the number of edits in it."""
        edits = [data.examples[number].edits for number in numbers]
        scores = self.network(edit_batch([data.encoded[number] for number in numbers], edits, self.candidates.rules))
        made = torch.tensor([mark for number in numbers for mark in data.examples[number].made], device=scores.device)
        known = made >= 0
        return binary_cross_entropy_with_logits(scores[known], made[known], reduction="sum"), int(known.sum())

    def epoch(self, data: _Data, epoch: int) -> float:
        """One pass; returns the mean loss."""
        seed = self.config.seed + epoch
        torch.manual_seed(seed)
        self.network.train()
        total, count = 0.0, 0
        batches = list(data.batches(self.config.batch_size, random.Random(seed)))
        for numbers in progress(batches, desc=f"edit tagger, epoch {epoch}", unit="batch"):
            rate = min(1.0, (self.step + 1) / (_WARM_UP * self.steps)) * max(_LAST_RATE, 1 - self.step / self.steps)
            for group, full in zip(self.optimizer.param_groups, self.rates, strict=True):
                group["lr"] = rate * full
            loss, size = self.loss(data, numbers)
            self.optimizer.zero_grad()
            (loss / max(size, 1)).backward()
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
            self.optimizer.step()
            self.step += 1
            total, count = total + loss.item(), count + size
        return total / max(count, 1)

    @torch.inference_mode()
    def evaluate(self, data: _Data) -> float:
        """The mean loss without dropout."""
        self.network.eval()
        sums = [self.loss(data, numbers) for numbers in data.batches(self.config.batch_size, None)]
        return sum(loss.item() for loss, _ in sums) / max(1, sum(size for _, size in sums))


def train(binary: Path, model: Path, partial: Path, config: EditTaggerConfig, runtime: Runtime) -> list[Epoch]:
    """Train on a binarized corpus and write the tagger with the least loss on dev; the curve is returned."""
    torch.set_num_threads(runtime.threads)
    candidates = Candidates(read_rules(binary / RULES))
    encoder = EditEncoder(config.encoder, runtime.device, config.batch_size, config.max_pieces)
    with out_of_memory("batch_size", config.batch_size):
        data, dev = (_read(binary, split, candidates, encoder) for split in ("train", "dev"))
    if not data.examples:
        raise bad_input(binary / "train.complex", None, "no sentence offers an edit", "give more training pairs")
    torch.manual_seed(config.seed)
    network = new_network(encoder, candidates.rules, config.hidden_size, config.dropout).to(runtime.device)
    state = TrainingState(partial / "state", {"config": asdict(config), "examples": len(data.examples)})
    with out_of_memory("batch_size", config.batch_size):
        curve = _fit(_Run(network, candidates, config, len(data.examples)), data, dev, state)
    tagger = EditTagger(encoder, network, candidates.rules, Biases({kind: config.biases[kind] for kind in KINDS}, 0.0))
    if config.tuned:
        tagger.biases = tune(tagger, _tuning_sets(binary, config.dev_pairs), config.max_bias, config.max_unchanged)
    save(model, tagger, config.encoder, config.hidden_size, config.max_pieces)
    return curve


def _read(binary: Path, split: str, candidates: Candidates, encoder: EditEncoder) -> _Data:
    """The examples of a split that the encoder takes whole, and their states."""
    examples = [
        example
        for example in read_examples(binary, split, candidates)
        if sum(encoder.sizes(folded(example.comparison.complex))) <= encoder.limit
    ]
    encoded: list[Encoded] = []
    for start in progress(range(0, len(examples), 1024), desc=f"encode {split}", unit=" x 1024 sentences"):
        encoded += encoder([example.comparison.complex for example in examples[start : start + 1024]])
    return _Data(encoded, examples)


def _fit(run: _Run, data: _Data, dev: _Data, state: TrainingState) -> list[Epoch]:
    """Run the epochs that are still to run; leaves the weights of the best one in the network."""
    done = state.restore(run.network, run.optimizer) or {"step": 0, "curve": []}
    run.step, curve = done["step"], [Epoch(*row) for row in done["curve"]]
    for epoch in range(len(curve) + 1, run.epochs + 1):
        train_loss = run.epoch(data, epoch)
        curve.append(Epoch(epoch, train_loss, run.evaluate(dev)))
        if min(curve, key=lambda row: row.valid_loss) is curve[-1]:
            state.save_best(run.network)
        state.save(run.network, run.optimizer, {"step": run.step, "curve": [astuple(row) for row in curve]})
    state.load_best(run.network)
    return curve


def _tuning_sets(binary: Path, size: int) -> list[TuningSet]:
    rows = read_aligned([binary / "dev.complex", binary / "dev.simple"])[:size]
    if not rows:
        return []
    sources, references = zip(*rows, strict=True)
    return [TuningSet(sources, [references], corpus_recipe())]
