"""Fairseq's training through its command line, as a process of its own.

The stages that train never import fairseq (or torch): it runs beside them, with our plugin folder as `--user-dir`.
This module is also what that process begins with:

    python -m textsimp.simplification.fairseq_tools train --export MODEL OPTION ...
"""

import argparse
import contextlib
import importlib
import logging
import os
import subprocess
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field
from tqdm import tqdm

from textsimp.core.errors import InputError, bad_input, exit_on_bad_input
from textsimp.core.reading import parse_json, read_lines
from textsimp.core.settings import NonNegative, NonNegativeNumber, Positive, PositiveNumber, Share, read_as
from textsimp.core.writing import copy_file, write_json
from textsimp.simplification.interface import OUT_OF_MEMORY, Epoch, Runtime, memory_fault
from textsimp.simplification.shortlist import FILE

PLUGIN = Path(__file__).resolve().parent / "fairseq_plugin"
ENTRY = "textsimp.simplification.fairseq_tools"
LANGUAGES = ("--source-lang", "complex", "--target-lang", "simple")
WHOLE_BATCHES = ("--required-batch-size-multiple", "1")
"""With fairseq's default of 8, its compiled batcher loses up to 7 sentences of the last batch, without a word."""
MODEL, NETWORK = "model.pt", "network.json"
"""Of a model folder: the weights, and nothing else; the network that they are of."""
TOKENS = "tokens"
REMEDY = "restore the folder, or train again"

logger = logging.getLogger(__name__)


Count = Annotated[int, Field(ge=1, le=1 << 20)]
"""Layers, heads, positions, and units of a layer."""


@dataclass(frozen=True)
class LstmNetwork:
    """Settings of the layers of an LSTM, by fairseq's names."""

    arch: Literal["lstm"]
    encoder_embed_dim: Count
    decoder_embed_dim: Count
    decoder_out_embed_dim: Count
    encoder_hidden_size: Count
    decoder_hidden_size: Count
    encoder_layers: Count
    decoder_layers: Count
    encoder_bidirectional: bool
    dropout: Share


@dataclass(frozen=True)
class TransformerNetwork:
    """Settings of the layers of a Transformer of BERT's shape, by fairseq's names."""

    arch: Literal["bert_transformer"]
    encoder_embed_dim: Count
    decoder_embed_dim: Count
    encoder_ffn_embed_dim: Count
    decoder_ffn_embed_dim: Count
    encoder_attention_heads: Count
    decoder_attention_heads: Count
    encoder_layers: Count
    decoder_layers: Count
    encoder_normalize_before: bool
    decoder_normalize_before: bool
    max_source_positions: Count
    max_target_positions: Count
    dropout: Share
    attention_dropout: Share
    bert_layer_norm_eps: Share


HALVES = ("encoder", "decoder")
"""Of a network, as fairseq names them."""
Network = LstmNetwork | TransformerNetwork


def of_both(**values: Any) -> dict[str, Any]:
    """The same settings of both halves of a network."""
    return {f"{half}_{key}": value for half in HALVES for key, value in values.items()}


def network_options(network: Network) -> list[str]:
    """The network as options of fairseq-train."""
    options = []
    for key, value in asdict(network).items():
        name = f"--{key.replace('_', '-')}"
        options += [name, str(value)] if not isinstance(value, bool) else [name] if value else []
    return options


def read_network(folder: Path) -> Network:
    """The network of a model folder: one of ours, of checked numbers alone, for fairseq evaluates texts as Python."""
    form: Any = Annotated[Network, Field(discriminator="arch")]
    network: Network = read_as(folder / NETWORK, form, REMEDY)
    return network


def parse_curve(log: Path) -> list[Epoch]:
    """The losses of each epoch from fairseq's JSON log; a repeated epoch (a resumed run) counts as it was last.

    Of an epoch after which training was killed, before both losses were written, the log may have one.
    """
    losses: dict[str, dict[int, float]] = {"train": {}, "valid": {}}
    for number, line in enumerate(read_lines(log), 1):
        for name, column in losses.items():
            if f'"{name}_loss"' in line:
                row = parse_json(line[line.index("{") :], log, number, "train again")
                column[int(row["epoch"])] = float(row[f"{name}_loss"])
    complete = sorted(losses["train"].keys() & losses["valid"].keys())
    if not complete:
        raise bad_input(log, None, "fairseq-train logged no complete epoch", "see the log")
    return [Epoch(epoch, losses["train"][epoch], losses["valid"][epoch]) for epoch in complete]


def _common(runtime: Runtime) -> list[str]:
    options = ["--user-dir", os.path.relpath(PLUGIN), "--task", "simplification", "--no-progress-bar", *WHOLE_BATCHES]
    # one GPU at most: batches shared among several would give other numbers
    options += ["--distributed-world-size", "1"]
    return [*options, "--cpu"] if runtime.device == "cpu" else options


def _run(
    tool: str,
    arguments: Sequence[str],
    log: Path,
    runtime: Runtime,
    on_line: Callable[[str], object] = lambda line: None,
) -> None:
    """Run one fairseq tool to its end, its output appended to `log`; an error becomes one line."""
    log.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", ENTRY, tool, *arguments]
    logger.info("running fairseq-%s", tool)
    last = ""
    with (
        open(log, "a", buffering=1, encoding="utf-8", newline="\n") as file,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=_environment(runtime), encoding="utf-8"
        ) as process,
    ):
        assert process.stdout is not None
        try:
            for line in process.stdout:
                file.write(line)
                on_line(line)
                last = line.strip() or last
        except BaseException:
            process.terminate()
            raise
    if process.returncode:
        raise _failure(tool, process.returncode, last)


def _failure(tool: str, status: int, last: str) -> InputError:
    """What a failed process said last; a bad input that our own code found there is passed on as it is."""
    if status == 2 and last.startswith("error: "):
        return InputError(last.removeprefix("error: "))
    return InputError(f"fairseq-{tool} ended with status {status}: {last[:300] or 'no message'}")


def _environment(runtime: Runtime) -> dict[str, str]:
    """The process's environment: the number of threads, and this package on the path whatever the folder is."""
    paths = [str(PLUGIN.parents[2]), os.environ.get("PYTHONPATH", "")]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(path for path in paths if path),
        "OMP_NUM_THREADS": str(runtime.threads),
        "MKL_NUM_THREADS": str(runtime.threads),
        "OMP_WAIT_POLICY": "PASSIVE",  # threads that spin while they wait halve the speed of a busy machine, or worse
        "TOKENIZERS_PARALLELISM": "false",
        "TORCH_FORCE_WEIGHTS_ONLY_LOAD": "1",  # whatever fairseq asks for: a checkpoint holds weights, and runs no code
        "PYTHONUNBUFFERED": "1",
        "PYTHONHASHSEED": "0",
        **({"CUDA_VISIBLE_DEVICES": gpu} if (gpu := runtime.device.partition(":")[2]) else {}),
    }


@dataclass(frozen=True)
class SearchConfig:
    """Fairseq's beam search.

    `length_penalty` divides the score by length to this power. An output ends at the latest after
    `length_ratio` x source length + `length_margin` tokens. `no_repeat_ngram`: n-grams of this size occur once at
    most in an output; 0 allows any. `batch_size` sentences are searched together. Symbols of an output are those of
    the sentence, `instead` ones for each, and `common` ones (see `shortlist`); with 0 `common` ones, all. Among the
    hypotheses of the beam, the best that is no copy is the answer where its score (mean log probability) is at most
    `copy_margin` below that of the copy.
    """

    beam: Positive
    length_penalty: NonNegativeNumber
    length_ratio: NonNegativeNumber
    length_margin: NonNegative
    no_repeat_ngram: NonNegative
    batch_size: Positive
    common: NonNegative
    instead: NonNegative
    copy_margin: NonNegativeNumber


@dataclass(frozen=True)
class OptimizerConfig:
    """Fairseq's training with Adam, the same for every architecture.

    A batch has at most `batch_size` pairs and, where it is above 0, at most `max_tokens` tokens on either side, its
    padding included. The learning rate rises linearly over `warmup_updates`; after that, `schedule: linear` lets it
    fall linearly to 0 at `max_updates`, `inverse_sqrt` with the square root of the updates, and `fixed` keeps it.
    Training ends after `max_updates` or `max_epochs`, whichever comes first; 0: no such limit. `patience` is in
    epochs; 0: never stop early. `label_smoothing` is the share of probability that the loss wants for all other
    symbols; 0: cross entropy. `precision` is that of a GPU: fp32, bf16 or fp16; a CPU always computes in fp32.
    """

    batch_size: Positive
    max_tokens: NonNegative
    learning_rate: PositiveNumber
    warmup_updates: NonNegative
    schedule: Literal["linear", "inverse_sqrt", "fixed"]
    max_updates: NonNegative
    max_epochs: NonNegative
    patience: NonNegative
    clip_norm: NonNegativeNumber
    label_smoothing: Share
    precision: Literal["fp32", "bf16", "fp16"]

    def __post_init__(self) -> None:
        """Check what does not go together; `InputError` names the key."""
        if not self.max_updates and (self.schedule == "linear" or not self.max_epochs):
            raise InputError("simplifier: max_updates: 0 leaves training without an end, or its schedule without one")
        if self.schedule == "inverse_sqrt" and not self.warmup_updates:
            raise InputError("simplifier: warmup_updates: schedule inverse_sqrt begins with a warm-up")
        if self.schedule == "fixed" and self.warmup_updates:
            raise InputError("simplifier: warmup_updates: schedule fixed has no warm-up")


def training_options(config: OptimizerConfig, runtime: Runtime) -> list[str]:
    """The settings as options of fairseq-train."""
    options = ["--optimizer", "adam", "--adam-betas", "(0.9, 0.999)", "--lr", repr(config.learning_rate)]
    if config.schedule == "linear":
        options += ["--lr-scheduler", "polynomial_decay", "--total-num-update", str(config.max_updates)]
    else:
        options += ["--lr-scheduler", config.schedule]
    if config.schedule == "inverse_sqrt":
        options += ["--warmup-init-lr", "1e-7"]
    options += ["--warmup-updates", str(config.warmup_updates)]
    options += ["--max-update", str(config.max_updates), "--max-epoch", str(config.max_epochs)]
    options += ["--batch-size", str(config.batch_size), "--clip-norm", repr(config.clip_norm)]
    if config.max_tokens:
        options += ["--max-tokens", str(config.max_tokens)]
    if config.label_smoothing:
        options += ["--criterion", "label_smoothed_cross_entropy", "--label-smoothing", repr(config.label_smoothing)]
    else:
        options += ["--criterion", "cross_entropy"]
    if config.precision != "fp32" and runtime.device != "cpu":
        options += [f"--{config.precision}"]
    return [*options, "--patience", str(config.patience or -1)]


def train(
    binary: Path,
    model: Path,
    partial: Path,
    network: Network,
    options: Sequence[str],
    config: OptimizerConfig,
    runtime: Runtime,
    record: str,
) -> list[Epoch]:
    """Train a network until `config` ends it, with fairseq's further `options`, which may name another loss.

    The weights that are best on dev become `model`/model.pt; beside them lie the network, `KEPT` and, of `binary`, the
    file `record` and the short list, if it has one.
    Fairseq saves its state in `partial` after every epoch and continues from there when it finds one; its log, from
    which the curve is read, is continued likewise.
    """
    log = partial / "train.log"
    arguments = ["--export", str(model / MODEL), str(binary), *LANGUAGES, *_common(runtime)]
    arguments += ["--save-dir", str(partial), "--no-epoch-checkpoints", "--log-format", "json", "--num-workers", "0"]
    arguments += ["--skip-invalid-size-inputs-valid-test", *training_options(config, runtime)]
    arguments += [*network_options(network), *options]
    with tqdm(desc="training", unit="epoch", disable=None) as bar:

        def read(line: str) -> None:
            if OUT_OF_MEMORY in line:  # fairseq would leave the batch out and go on
                key = "max_tokens" if config.max_tokens else "batch_size"
                raise memory_fault(key, getattr(config, key))
            bar.update('"valid_loss"' in line)

        _run("train", arguments, log, runtime, read)
    shortlist = [FILE] if (binary / FILE).is_file() else []
    for name in (*KEPT, record, *shortlist):
        copy_file(binary / name, model / name)
    write_json(model / NETWORK, asdict(network))
    return parse_curve(log)


KEPT = ("dict.complex.txt", "dict.simple.txt", "spacing.json", "casing.json")
"""What generation needs of a binarized corpus, of every kind of model."""


@exit_on_bad_input
def main() -> None:
    """Run the tool that the first argument names with the other arguments."""
    tool, arguments = sys.argv[1], sys.argv[2:]
    index = arguments.index("--export")
    target = arguments[index + 1]
    del arguments[index : index + 2]
    with no_statistics():
        module = importlib.import_module(f"fairseq_cli.{tool}")
    if "--cpu" in arguments:
        _no_compiler()
    import torch

    # the command line, which fairseq's checkpoints hold: read where they are made, and nowhere else
    torch.serialization.add_safe_globals([argparse.Namespace])
    sys.argv = [f"fairseq-{tool}", *arguments]
    folder, updates = (arguments[arguments.index(option) + 1] for option in ("--save-dir", "--max-update"))
    if not _has_ended(Path(folder) / "checkpoint_last.pt", int(updates)):
        module.cli_main()
    export(Path(folder) / "checkpoint_best.pt", Path(target))


def _has_ended(checkpoint: Path, updates: int) -> bool:
    """Whether training was killed after its last update: fairseq would make one more before it looks."""
    import torch

    if not updates or not checkpoint.is_file():
        return False
    state = torch.load(checkpoint, map_location="cpu", weights_only=True, mmap=True)
    return bool(state["optimizer_history"][-1]["num_updates"] >= updates)


def export(checkpoint: Path, target: Path) -> None:
    """Write the weights of a training checkpoint: no settings, no optimizer, no clock, no path of this machine."""
    import torch

    if not checkpoint.is_file():
        raise InputError(f"{checkpoint}: fairseq-train left no best checkpoint; see its log")
    torch.save({"model": torch.load(checkpoint, map_location="cpu", weights_only=True)["model"]}, target)


@contextlib.contextmanager
def no_statistics() -> Iterator[None]:
    """Let fairseq start without scikit-learn and scipy.stats, which take as long to import as all the rest.

    Fairseq needs them for the scores of sentence classification only, which no simplifier computes.
    """
    stand_ins = {
        "sklearn.metrics": ("f1_score", "matthews_corrcoef"),
        "sklearn": ("metrics",),
        "scipy.stats": ("pearsonr", "spearmanr"),
    }
    for name, attributes in stand_ins.items():
        module = types.ModuleType(name)
        for attribute in attributes:
            setattr(module, attribute, None)
        sys.modules[name] = module
    try:
        yield
    finally:
        for name in stand_ins:
            del sys.modules[name]


def _no_compiler() -> None:
    """Let an optimizer start without torch's compiler, which it imports, for seconds, only to switch it off."""
    stand_in: Any = types.ModuleType("torch._dynamo")
    stand_in.disable = lambda function, *args, **kwargs: function
    sys.modules[stand_in.__name__] = stand_in


if __name__ == "__main__":
    main()
