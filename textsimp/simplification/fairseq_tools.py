"""Fairseq through its command line: train and generate as processes of their own.

The stages never import fairseq (or torch): it runs beside them, with our plugin folder as `--user-dir`. This module is
also what those processes begin with:

    python -m textsimp.simplification.fairseq_tools train|generate [--export MODEL] OPTION ...
"""

import argparse
import contextlib
import importlib
import logging
import os
import re
import subprocess
import sys
import tempfile
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from textsimp.core.bounds import NonNegative, NonNegativeNumber, Positive
from textsimp.core.errors import InputError, bad_input, exit_on_bad_input
from textsimp.core.reading import parse_json, read_lines
from textsimp.simplification.interface import Epoch, Runtime

PLUGIN = Path(__file__).resolve().parent / "fairseq_plugin"
ENTRY = "textsimp.simplification.fairseq_tools"
LANGUAGES = ("--source-lang", "complex", "--target-lang", "simple")
WHOLE_BATCHES = ("--required-batch-size-multiple", "1")
"""With fairseq's default of 8, its compiled batcher loses up to 7 sentences of the last batch, without a word."""
MODEL = "model.pt"
TOKENS = "tokens"

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Hypothesis:
    """One generated sentence.

    `attended` maps a position of `tokens` to the source position that it attends to most; empty where no alignment
    was asked for.
    """

    tokens: tuple[str, ...]
    attended: Mapping[int, int]


def train(binary: Path, model: Path, partial: Path, options: Sequence[str], runtime: Runtime) -> list[Epoch]:
    """Train until `options` end it; the checkpoint that is best on dev becomes `model`/model.pt.

    Fairseq saves its state in `partial` after every epoch and continues from there when it finds one; its log, from
    which the curve is read, is continued likewise.
    """
    log = partial / "train.log"
    arguments = ["--export", str(model / MODEL), str(binary), *LANGUAGES, *_common(runtime)]
    arguments += ["--save-dir", str(partial), "--no-epoch-checkpoints", "--log-format", "json", "--num-workers", "0"]
    arguments += ["--skip-invalid-size-inputs-valid-test", *options]
    with tqdm(desc="training", unit="epoch", disable=None) as bar:
        _run("train", arguments, log, runtime, lambda line: bar.update() if '"valid_loss"' in line else None)
    return parse_curve(log)


def generate(binary: Path, model: Path, options: Sequence[str], runtime: Runtime) -> list[Hypothesis]:
    """The best hypothesis for each sentence of the binary test set, in order."""
    sentences = len(read_lines(binary / TOKENS / "test.complex"))
    arguments = [str(binary), *LANGUAGES, *_common(runtime), "--path", str(model / MODEL), "--gen-subset", "test"]
    arguments += ["--num-workers", "0", *options]
    with tempfile.TemporaryDirectory() as scratch, tqdm(desc="simplifying", total=sentences, disable=None) as bar:
        log = Path(scratch) / "generate.log"
        _run("generate", arguments, log, runtime, lambda line: bar.update() if line.startswith("H-") else None)
        return parse_hypotheses(read_lines(log), sentences, log.name)


def parse_curve(log: Path) -> list[Epoch]:
    """The losses of each epoch from fairseq's JSON log; a repeated epoch (a resumed run) counts as it was last."""
    losses: dict[str, dict[int, float]] = {"train": {}, "valid": {}}
    for number, line in enumerate(read_lines(log), 1):
        for name, column in losses.items():
            if f'"{name}_loss"' in line:
                row = parse_json(line[line.index("{") :], log, number, "train again")
                column[int(row["epoch"])] = float(row[f"{name}_loss"])
    if not losses["train"] or losses["train"].keys() != losses["valid"].keys():
        raise bad_input(log, None, "fairseq-train logged no complete epoch", "see the log")
    return [Epoch(epoch, losses["train"][epoch], losses["valid"][epoch]) for epoch in sorted(losses["train"])]


def parse_hypotheses(lines: Sequence[str], sentences: int, source: str) -> list[Hypothesis]:
    """The `H-` and `A-` lines of fairseq-generate, which come in any order, as hypotheses 0 to `sentences` - 1.

    Raises:
        InputError: an id is missing, repeated or out of range, or a line is damaged.
    """
    best: dict[int, tuple[str, ...]] = {}
    attended: dict[int, dict[int, int]] = {}
    for number, line in enumerate(lines, 1):
        match = re.match(r"([HA])-(\d+)\t(.*)", line)
        if match is None:
            continue
        kind, index, rest = match[1], int(match[2]), match[3]
        try:
            if kind == "A":
                pairs = (pair.split("-") for pair in rest.split())
                attended[index] = {int(target): int(position) for position, target in pairs}
                continue
            score, _, text = rest.partition("\t")
            float(score)
        except ValueError:
            raise bad_input(source, number, f"damaged line of kind {kind}", "run the stage again") from None
        if index in best:
            raise bad_input(source, number, f"sentence {index} appears twice", "run the stage again")
        best[index] = tuple(text.split())
    if sorted(best) != list(range(sentences)):
        missing = sorted(set(range(sentences)) ^ best.keys())
        what = f"{len(best)} outputs for {sentences} sentences; sentence {missing[0]} is the first at fault"
        raise bad_input(source, None, what, "run the stage again")
    return [Hypothesis(best[index], attended.get(index, {})) for index in range(sentences)]


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
        open(log, "a", encoding="utf-8", newline="\n") as file,
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
    """Beam search of fairseq-generate.

    `length_penalty` divides the score by length to this power. An output ends at the latest after
    `length_ratio` x source length + `length_margin` tokens. `no_repeat_ngram`: n-grams of this size occur once at
    most in an output; 0 allows any. `batch_size` sentences are searched together.
    """

    beam: Positive
    length_penalty: NonNegativeNumber
    length_ratio: NonNegativeNumber
    length_margin: NonNegative
    no_repeat_ngram: NonNegative
    batch_size: Positive


def search_options(config: SearchConfig) -> list[str]:
    """The settings as options of fairseq-generate."""
    return [
        *("--beam", str(config.beam)),
        *("--lenpen", repr(config.length_penalty)),
        *("--max-len-a", repr(config.length_ratio)),
        *("--max-len-b", str(config.length_margin)),
        *("--no-repeat-ngram-size", str(config.no_repeat_ngram)),
        *("--batch-size", str(config.batch_size)),
    ]


EXPORTED = ("model", "task")
"""The sections of a checkpoint's configuration that generation reads."""


@exit_on_bad_input
def main() -> None:
    """Run the tool that the first argument names with the other arguments."""
    tool, arguments = sys.argv[1], sys.argv[2:]
    if "--export" in arguments:
        index = arguments.index("--export")
        target = arguments[index + 1]
        del arguments[index : index + 2]
    else:
        target = None
    with _no_statistics():
        module = importlib.import_module(f"fairseq_cli.{tool}")
    if "--cpu" in arguments:
        _no_compiler()
    sys.argv = [f"fairseq-{tool}", *arguments]
    module.cli_main()
    if target is not None:
        save_dir = Path(arguments[arguments.index("--save-dir") + 1])
        export(save_dir / "checkpoint_best.pt", Path(target))


def export(checkpoint: Path, target: Path) -> None:
    """Write what generation needs of a training checkpoint: no optimizer, no clock, no path of this machine."""
    import torch

    if not checkpoint.is_file():
        raise InputError(f"{checkpoint}: fairseq-train left no best checkpoint; see its log")
    torch.serialization.add_safe_globals([argparse.Namespace])
    state = torch.load(checkpoint, map_location="cpu", weights_only=True)
    cfg = {section: _without_paths(state["cfg"][section]) for section in EXPORTED}
    history = [{**state["optimizer_history"][-1], "lr_scheduler_state": {}}]
    exported = {"args": None, "cfg": cfg, "model": state["model"], "optimizer_history": history}
    torch.save({**exported, "task_state": {}, "extra_state": {}}, target)


def _without_paths(section: Any) -> Any:
    values = vars(section) if isinstance(section, argparse.Namespace) else section
    settings = {key: value for key, value in values.items() if key not in PATHS}
    return argparse.Namespace(**settings) if isinstance(section, argparse.Namespace) else settings


PATHS = ("data", "save_dir", "user_dir", "log_file", "restore_file", "encoder_embed_path", "decoder_embed_path")
"""Settings that hold paths of this machine."""


@contextlib.contextmanager
def _no_statistics() -> Iterator[None]:
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
