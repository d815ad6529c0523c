"""Fairseq's training through its command line, as a process of its own.

The stages that train never import fairseq (or torch): it runs beside them, with our plugin folder as `--user-dir`.
This module is also what that process begins with:

    python -m textsimp.simplification.fairseq_tools --export MODEL OPTION ...
"""

import argparse
import contextlib
import logging
import os
import subprocess
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field
from tqdm import tqdm

from textsimp.core.errors import InputError, bad_input, exit_on_bad_input
from textsimp.core.reading import parse_json, read_lines
from textsimp.core.records import SIDES
from textsimp.core.settings import NonNegative, NonNegativeNumber, Positive, PositiveNumber, Share, read_as
from textsimp.core.writing import copy_file, write_json
from textsimp.simplification.interface import OUT_OF_MEMORY, REMEDY, Epoch, Runtime, memory_fault

PLUGIN = Path(__file__).resolve().parent / "fairseq_plugin"
ENTRY = "textsimp.simplification.fairseq_tools"
# Of a model folder: the weights, and nothing else; the network that they are of.
MODEL, NETWORK = "model.pt", "network.json"
SHORTLIST = "shortlist.json"  # of a binarized corpus and of a model folder; see `fairseq_corpus`
# What generation needs of a binarized corpus, of every kind of model.
KEPT = ("dict.complex.txt", "dict.simple.txt", "spacing.json", "casing.json")
TOKENS = "tokens"
HALVES = ("encoder", "decoder")  # of a network, as fairseq names them
logger = logging.getLogger(__name__)

Count = Annotated[int, Field(ge=1, le=1 << 20)]  # layers, heads, positions, and units of a layer


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


Network = LstmNetwork | TransformerNetwork


def of_both(**values: Any) -> dict[str, Any]:
    """Return the same settings of both halves of a network."""
    return {f"{half}_{key}": value for half in HALVES for key, value in values.items()}


def read_network(folder: Path) -> Network:
    """Read the network of a model folder: of checked numbers alone, for fairseq evaluates texts as Python."""
    form: Any = Annotated[Network, Field(discriminator="arch")]
    network: Network = read_as(folder / NETWORK, form, REMEDY)
    return network


def parse_curve(log: Path) -> list[Epoch]:
    """Read the losses of each epoch from fairseq's JSON log; a repeated epoch (a resumed run) counts as it was last.

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


def run_training(
    arguments: Sequence[str], log: Path, runtime: Runtime, on_line: Callable[[str], object] = lambda line: None
) -> None:
    """Run fairseq-train to its end, its output appended to `log`.

    Raises:
        InputError: it failed; a bad input that our own code found there is passed on as it is.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", ENTRY, *arguments]
    logger.info("running fairseq-train")
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
    if process.returncode == 2 and last.startswith("error: "):
        raise InputError(last.removeprefix("error: "))
    if process.returncode:
        raise InputError(f"fairseq-train ended with status {process.returncode}: {last[:300] or 'no message'}")


def _environment(runtime: Runtime) -> dict[str, str]:
    """Return the process's environment: the threads, and this package on the path whatever the folder is."""
    paths = [str(PLUGIN.parents[2]), os.environ.get("PYTHONPATH", "")]
    gpu = runtime.device.partition(":")[2]
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
        **({"CUDA_VISIBLE_DEVICES": gpu} if gpu else {}),
    }


@dataclass(frozen=True)
class SearchConfig:
    """Fairseq's beam search."""

    beam: Positive
    length_penalty: NonNegativeNumber  # divides the score by length to this power
    # an output ends at the latest after `length_ratio` x source length + `length_margin` tokens
    length_ratio: NonNegativeNumber
    length_margin: NonNegative
    no_repeat_ngram: NonNegative  # n-grams of this size occur once at most in an output; 0 allows any
    batch_size: Positive  # sentences that are searched together
    # symbols of an output are those of the sentence, `instead` ones for each, and `common` ones; with 0 of these, all
    common: NonNegative
    instead: NonNegative
    # among the hypotheses of the beam, the best that is no copy is the answer where its score (mean log probability)
    # is at most so much below that of the copy
    copy_margin: NonNegativeNumber


@dataclass(frozen=True)
class OptimizerConfig:
    """Fairseq's training with Adam, the same for every architecture."""

    batch_size: Positive  # pairs of a batch at most
    max_tokens: NonNegative  # tokens of a batch at most, on either side, its padding included; 0: no such limit
    learning_rate: PositiveNumber
    warmup_updates: NonNegative  # in which the learning rate rises linearly
    # after that it falls linearly to 0 at `max_updates`, or with the square root of the updates, or stays
    schedule: Literal["linear", "inverse_sqrt", "fixed"]
    # training ends after whichever comes first; 0: no such limit
    max_updates: NonNegative
    max_epochs: NonNegative
    patience: NonNegative  # in epochs; 0: never stop early
    clip_norm: NonNegativeNumber
    label_smoothing: Share  # of the probability that the loss wants for all other symbols; 0: cross entropy
    precision: Literal["fp32", "bf16", "fp16"]  # of a GPU; a CPU always computes in fp32

    def __post_init__(self) -> None:
        """Check what does not go together; `InputError` names the key."""
        if not self.max_updates and (self.schedule == "linear" or not self.max_epochs):
            raise InputError("simplifier: max_updates: 0 leaves training without an end, or its schedule without one")
        if self.schedule == "inverse_sqrt" and not self.warmup_updates:
            raise InputError("simplifier: warmup_updates: schedule inverse_sqrt begins with a warm-up")
        if self.schedule == "fixed" and self.warmup_updates:
            raise InputError("simplifier: warmup_updates: schedule fixed has no warm-up")


def _options(values: Mapping[str, Any]) -> list[str]:
    """Return options of fairseq-train: of a value that is True the name alone, and none of what is False or None."""
    options: list[str] = []
    for key, value in values.items():
        if value is not None and value is not False:
            options += [f"--{key.replace('_', '-')}", *([] if value is True else [str(value)])]
    return options


def training_options(config: OptimizerConfig, runtime: Runtime) -> list[str]:
    """Return the settings as options of fairseq-train."""
    is_linear = config.schedule == "linear"
    return _options(
        {
            "optimizer": "adam",
            "adam_betas": "(0.9, 0.999)",
            "lr": config.learning_rate,
            "lr_scheduler": "polynomial_decay" if is_linear else config.schedule,
            "total_num_update": config.max_updates if is_linear else None,
            "warmup_init_lr": "1e-7" if config.schedule == "inverse_sqrt" else None,
            "warmup_updates": config.warmup_updates,
            "max_update": config.max_updates,
            "max_epoch": config.max_epochs,
            "batch_size": config.batch_size,
            "clip_norm": config.clip_norm,
            "max_tokens": config.max_tokens or None,
            "criterion": "label_smoothed_cross_entropy" if config.label_smoothing else "cross_entropy",
            "label_smoothing": config.label_smoothing or None,
            config.precision: config.precision != "fp32" and runtime.device != "cpu",
            "distributed_world_size": 1,  # one GPU at most: batches shared among several would give other numbers
            "cpu": runtime.device == "cpu",
            "patience": config.patience or -1,
        }
    )


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
    arguments = ["--export", str(model / MODEL), str(binary), "--user-dir", os.path.relpath(PLUGIN)]
    arguments += ["--source-lang", SIDES[0], "--target-lang", SIDES[1]]
    arguments += ["--task", "simplification", "--no-progress-bar", "--log-format", "json", "--num-workers", "0"]
    # with fairseq's default of 8, its compiled batcher loses up to 7 sentences of the last batch, without a word
    arguments += ["--required-batch-size-multiple", "1"]
    arguments += ["--save-dir", str(partial), "--no-epoch-checkpoints", "--skip-invalid-size-inputs-valid-test"]
    arguments += training_options(config, runtime) + _options(asdict(network))
    with tqdm(desc="training", unit="epoch", disable=None) as bar:

        def read(line: str) -> None:
            if OUT_OF_MEMORY in line:  # fairseq would leave the batch out and go on
                key = "max_tokens" if config.max_tokens else "batch_size"
                raise memory_fault(key, getattr(config, key))
            bar.update('"valid_loss"' in line)

        run_training([*arguments, *options], log, runtime, read)
    shortlist = [SHORTLIST] if (binary / SHORTLIST).is_file() else []
    for name in (*KEPT, record, *shortlist):
        copy_file(binary / name, model / name)
    write_json(model / NETWORK, asdict(network))
    return parse_curve(log)


@exit_on_bad_input
def main() -> None:
    """Run fairseq-train with the arguments, but for `--export FILE`, where the best weights go."""
    arguments = sys.argv[1:]
    index = arguments.index("--export")
    target = arguments[index + 1]
    del arguments[index : index + 2]
    with no_statistics():
        from fairseq_cli import train as tool
    if "--cpu" in arguments:
        # an optimizer imports torch's compiler, for seconds, only to switch it off
        compiler: Any = types.ModuleType("torch._dynamo")
        compiler.disable = lambda function, *args, **kwargs: function
        sys.modules[compiler.__name__] = compiler
    import torch

    # the command line, which fairseq's checkpoints hold: read where they are made, and nowhere else
    torch.serialization.add_safe_globals([argparse.Namespace])
    sys.argv = ["fairseq-train", *arguments]
    folder, updates = (arguments[arguments.index(option) + 1] for option in ("--save-dir", "--max-update"))
    if not _has_ended(Path(folder) / "checkpoint_last.pt", int(updates)):
        tool.cli_main()
    best = Path(folder) / "checkpoint_best.pt"
    if not best.is_file():
        raise InputError(f"{best}: fairseq-train left no best checkpoint; see its log")
    # no settings, no optimizer, no clock, no path of this machine
    torch.save({"model": torch.load(best, map_location="cpu", weights_only=True)["model"]}, target)


def _has_ended(checkpoint: Path, updates: int) -> bool:
    """Return whether training was killed after its last update: fairseq would make one more before it looks."""
    import torch

    if not updates or not checkpoint.is_file():
        return False
    state = torch.load(checkpoint, map_location="cpu", weights_only=True, mmap=True)
    return bool(state["optimizer_history"][-1]["num_updates"] >= updates)


@contextlib.contextmanager
def no_statistics() -> Iterator[None]:
    """Let fairseq start without scikit-learn and scipy.stats, which take as long to import as all the rest.

    Fairseq needs them for the scores of sentence classification only, which no simplifier computes.
    """
    stand_in: Any = types.ModuleType("statistics")
    vars(stand_in).update(dict.fromkeys(("metrics", "f1_score", "matthews_corrcoef", "pearsonr", "spearmanr")))
    names = ("sklearn", "sklearn.metrics", "scipy.stats")
    sys.modules.update(dict.fromkeys(names, stand_in))
    try:
        yield
    finally:
        for name in names:
            del sys.modules[name]


if __name__ == "__main__":
    main()
