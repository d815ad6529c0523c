"""Training of an adapter (LoRA, Hu et al. 2021): cross-entropy of the simple side alone, after the prompt.

The simplifications of one sentence share its states: they stand behind it in one row, and each sees the sentence and
itself. Nothing is random but the adapter's first weights and the order of batches, both from the seed, so that a
continued run ends as an uninterrupted one.
"""

import hashlib
import logging
import random
from collections.abc import Sequence
from dataclasses import asdict, astuple
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from textsimp.core.batches import token_batches
from textsimp.core.errors import bad_input
from textsimp.core.progress import progress
from textsimp.core.reading import read_aligned
from textsimp.core.records import SIDES
from textsimp.core.resumable import TrainingState, save_tensors
from textsimp.core.writing import write_json, write_lines
from textsimp.simplification.interface import CorpusFiles, Epoch, Runtime, out_of_memory
from textsimp.simplification.language_model import CausalLmConfig
from textsimp.simplification.language_model.base_model import Base, find_base, load_base
from textsimp.simplification.language_model.prompts import Example, Prompt, recovery_examples

ADAPTER, BASE = "adapter.safetensors", "base.json"  # of a model folder: the adapter, and which base it belongs to
_CLIP = 1.0
_HAS_AVX512 = torch.backends.cpu.get_cpu_capability().startswith("AVX512")
# Settings of networks that do more behind their last layer than multiply.
_SCALED = ("final_logit_softcapping", "logit_scale", "logits_scaling")
logger = logging.getLogger(__name__)


def binarize(corpus: CorpusFiles, folder: Path, config: CausalLmConfig) -> None:
    """Write train and dev as text, each pair once, without pairs that have an empty side."""
    for split, files in (("train", corpus.train), ("dev", corpus.dev)):
        texts = read_aligned([files.complex, files.simple])
        rows = dict.fromkeys(filter(all, (tuple(" ".join(text.split()) for text in row) for row in texts)))
        if not rows:
            raise bad_input(files.complex, None, "no pair with words on both sides", "give other pairs")
        for column, side in enumerate(SIDES):
            write_lines(folder / f"{split}.{side}", [row[column] for row in rows])


class Batch(NamedTuple):
    """Examples as tensors."""

    tokens: Tensor  # ids, padded at the end. Shape: (B, T).
    positions: Tensor  # in the text that each token belongs to. Shape: (B, T).
    mask: Tensor  # 0 where the row's token sees the column's, else the least number. Shape: (B, 1, T, T).
    targets: Tensor  # the id of the token that is to follow, -1 where nothing is learnt. Shape: (B, T).


def batch_of(examples: Sequence[Example], padding: int, device: str) -> Batch:
    """Return examples as a batch."""
    width = max(example.size for example in examples)
    rows: list[list[list[int]]] = []
    for example in examples:
        size = len(example.sentence)
        tokens, positions, part, targets = list(example.sentence), list(range(size)), [0] * size, [-1] * size
        for number, (rest, output) in enumerate(example.outputs, 1):
            length = len(rest) + len(output)
            tokens += rest + output
            positions += range(size, size + length)
            part += [number] * length
            targets += [-1] * (len(rest) - 1) + output + [-1]
        free = width - len(tokens)
        rows.append([tokens + [padding] * free, positions + [0] * free, part + [-1] * free, targets + [-1] * free])
    tokens_, positions_, part_, targets_ = (torch.tensor(column, device=device) for column in zip(*rows, strict=True))
    earlier = torch.ones(width, width, dtype=torch.bool, device=device).tril()
    shared = (part_[:, None, :] == 0) | (part_[:, None, :] == part_[:, :, None])  # (B, T, T)
    mask = torch.zeros(shared.shape, device=device).masked_fill(~(shared & earlier), torch.finfo(torch.float32).min)
    return Batch(tokens_, positions_, mask[:, None], targets_)


def add_adapter(base: Base, config: CausalLmConfig) -> dict[str, nn.Parameter]:
    """Put an adapter of rank `config.rank` beside all linear layers but the last; return its parameters by name."""
    from peft import LoraConfig, inject_adapter_in_model

    torch.manual_seed(config.seed)
    settings = LoraConfig(r=config.rank, lora_alpha=config.alpha, target_modules="all-linear", task_type="CAUSAL_LM")
    inject_adapter_in_model(settings, base.network)
    named = base.network.named_parameters()
    return {name.replace(".default", ""): value for name, value in named if value.requires_grad}


def loss_sum(network: Any, batch: Batch) -> tuple[Tensor, int]:
    """Return the summed cross-entropy of a batch's targets (natural logarithm), and how many there are."""
    learnt = batch.targets >= 0
    inputs = {"input_ids": batch.tokens, "position_ids": batch.positions, "attention_mask": batch.mask}
    if any(getattr(network.config, setting, None) for setting in _SCALED):
        logits = network(**inputs, use_cache=False).logits[learnt]
    else:  # most tokens are not learnt, and the last layer is the largest
        logits = network.get_output_embeddings()(network.base_model(**inputs, use_cache=False)[0][learnt])
    return cross_entropy(logits.float(), batch.targets[learnt], reduction="sum"), int(learnt.sum())


class _Run:
    """An adapter in training."""

    def __init__(self, base: Base, adapter: dict[str, nn.Parameter], config: CausalLmConfig, device: str) -> None:
        self.base, self.config, self.device = base, config, device
        self.parameters = nn.ParameterList(adapter.values())
        self.optimizer = torch.optim.AdamW(self.parameters, lr=config.learning_rate, weight_decay=0.0)

    def update(self, examples: Sequence[Example], share: float) -> tuple[float, int]:
        """Change the adapter for a batch, `share` of the training being done; return its summed loss and its size."""
        self.base.network.train()
        for group in self.optimizer.param_groups:
            group["lr"] = self.config.learning_rate * (1 - share)
        loss, size = self._loss(examples)
        self.optimizer.zero_grad()
        (loss / size).backward()
        nn.utils.clip_grad_norm_(self.parameters, _CLIP)
        self.optimizer.step()
        return loss.item(), size

    @torch.inference_mode()
    def evaluate(self, batches: Sequence[Sequence[Example]]) -> float:
        """Return the mean loss of a token."""
        self.base.network.eval()
        sums = [self._loss(batch) for batch in batches]
        return sum(loss.item() for loss, _ in sums) / sum(size for _, size in sums)

    def _loss(self, examples: Sequence[Example]) -> tuple[Tensor, int]:
        """See `loss_sum`; matrices are multiplied in 16 bits (bfloat16) where the processor is quick at that."""
        is_quick = torch.cuda.is_bf16_supported() if self.device != "cpu" else _HAS_AVX512
        with torch.autocast(torch.device(self.device).type, torch.bfloat16, enabled=is_quick):
            return loss_sum(self.base.network, batch_of(examples, self.base.end, self.device))


def _read(binary: Path, split: str) -> list[tuple[str, str]]:
    return [(row[0], row[1]) for row in read_aligned([binary / f"{split}.{side}" for side in SIDES])]


def train(binary: Path, model: Path, partial: Path, config: CausalLmConfig, runtime: Runtime) -> list[Epoch]:
    """Train an adapter on a binarized corpus and write that of the epoch with the least loss on dev."""
    torch.set_num_threads(runtime.threads)
    files = find_base(config.base, fetch=True)
    base = load_base(files, runtime.device)
    prompt = Prompt(config.prompt, config.bin)
    pairs = _read(binary, "train")
    data = prompt.examples(pairs, base, config.max_tokens)
    dev = prompt.examples(_read(binary, "dev")[: config.dev_pairs], base, config.max_tokens)
    for split, examples in (("train", data), ("dev", dev)):
        if not examples:
            what = f"no pair of fewer than {config.max_tokens} tokens"
            raise bad_input(binary / f"{split}.complex", None, what, "raise max_tokens, or give other pairs")
    data += recovery_examples(pairs, config.recovery, base, config.max_tokens)
    adapter = add_adapter(base, config)
    run = _Run(base, adapter, config, runtime.device)
    corpus = hashlib.sha256(repr((data, dev)).encode()).hexdigest()
    state = TrainingState(partial / "state", {"config": asdict(config), "base": files.digest, "corpus": corpus})
    with out_of_memory("batch_tokens", config.batch_tokens):
        curve = _fit(run, _batched(data, config.batch_tokens), _batched(dev, config.batch_tokens), state)
    save_tensors(model / ADAPTER, {name: value.to(torch.float16) for name, value in adapter.items()})
    write_json(model / BASE, {"name": files.name, "digest": files.digest, "tokenizer": base.tokenizer_digest})
    return curve


def _batched(examples: Sequence[Example], tokens: int) -> list[list[Example]]:
    return [[examples[index] for index in batch] for batch in token_batches(examples, tokens, lambda row: row.size)]


def _fit(run: _Run, data: list[list[Example]], dev: list[list[Example]], state: TrainingState) -> list[Epoch]:
    """Run the updates that are still to run; leave the adapter of the best epoch in the network."""
    config = run.config
    last = min(config.max_updates, config.max_epochs * len(data))
    done = state.restore(run.parameters, run.optimizer) or {"step": 0, "sums": [0.0, 0], "curve": []}
    curve, sums = [Epoch(*row) for row in done["curve"]], done["sums"]
    begun = done["step"]
    for step in progress(range(begun, last), desc="adapter", unit=" updates", initial=begun, total=last):
        epoch, number = divmod(step, len(data))
        order = random.Random(config.seed + epoch).sample(range(len(data)), len(data))
        loss, size = run.update(data[order[number]], step / last)
        sums = [sums[0] + loss, sums[1] + size]
        is_end = number + 1 == len(data) or step + 1 == last
        if is_end:
            curve.append(Epoch(epoch + 1, sums[0] / sums[1], run.evaluate(dev)))
            sums = [0.0, 0]
            if min(curve, key=lambda row: row.valid_loss) is curve[-1]:
                state.save_best(run.parameters)
        if is_end or (step + 1) % config.save_updates == 0:
            if not is_end:
                logger.info("%d of %d updates, loss %.3f", step + 1, last, sums[0] / sums[1])
            done = {"step": step + 1, "sums": sums, "curve": [astuple(row) for row in curve]}
            state.save(run.parameters, run.optimizer, done)
    state.load_best(run.parameters)
    return curve
