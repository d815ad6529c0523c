"""Fairseq through its command line: preprocess, train and generate as processes of their own.

The stages never import fairseq (or torch): it runs beside them, with our plugin folder as `--user-dir`.
"""

import json
import logging
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from textsimp.errors import InputError, bad_input
from textsimp.simplification.interface import Epoch, Runtime
from textsimp.textfiles import read_lines

PLUGIN = Path(__file__).resolve().parent / "fairseq_plugin"
ENTRY = "textsimp.simplification.fairseq_entry"
LANGUAGES = ("--source-lang", "complex", "--target-lang", "simple")
SPLITS = {"train": "train", "dev": "valid", "test": "test"}
"""Our names of the splits and fairseq's."""
WHOLE_BATCHES = ("--required-batch-size-multiple", "1")
"""With fairseq's default of 8, its compiled batcher loses up to 7 sentences of the last batch, without a word."""
MODEL = "model.pt"
TOKENS = "tokens"

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Hypothesis:
    """One generated sentence.

    `score` is fairseq's: log probability to base 2, normalised by length. `attended` maps a position of `tokens` to
    the source position that it attends to most; empty where no alignment was asked for.
    """

    score: float
    tokens: tuple[str, ...]
    attended: Mapping[int, int]


def preprocess(folder: Path, dictionaries: Mapping[str, Path]) -> None:
    """Put fairseq's binary form of `folder`/tokens/{train,dev,test}.{complex,simple} into `folder`.

    The tool wants a target side of the test set as well: it gets one, which never reaches the binary form.
    """
    arguments = [*LANGUAGES, "--destdir", str(folder), "--workers", "1"]
    for split, name in SPLITS.items():
        arguments += [f"--{name}pref", str(folder / TOKENS / split)]
    arguments += ["--srcdict", str(dictionaries["complex"])]
    if dictionaries["simple"] == dictionaries["complex"]:
        arguments += ["--joined-dictionary"]
    else:
        arguments += ["--tgtdict", str(dictionaries["simple"])]
    log = folder / "process.log"
    _run("preprocess", arguments, log, Runtime(device="cpu", threads=1))
    for name in ("process.log", "preprocess.log"):  # they hold times of the clock
        (folder / name).unlink()
    for path in set(dictionaries.values()):  # the tool has written dict.complex.txt and dict.simple.txt
        path.unlink()
    for suffix in ("bin", "idx"):
        (folder / f"test.complex-simple.simple.{suffix}").unlink()


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
    for line in read_lines(log):
        for name, column in losses.items():
            if f'"{name}_loss"' in line:
                row = json.loads(line[line.index("{") :])
                column[int(row["epoch"])] = float(row[f"{name}_loss"])
    if not losses["train"] or losses["train"].keys() != losses["valid"].keys():
        raise bad_input(log, None, "fairseq-train logged no complete epoch", "see the log")
    return [Epoch(epoch, losses["train"][epoch], losses["valid"][epoch]) for epoch in sorted(losses["train"])]


def parse_hypotheses(lines: Sequence[str], sentences: int, source: str) -> list[Hypothesis]:
    """The `H-` and `A-` lines of fairseq-generate, which come in any order, as hypotheses 0 to `sentences` - 1.

    Raises:
        InputError: an id is missing, repeated or out of range, or a line is damaged.
    """
    found: dict[int, tuple[float, tuple[str, ...]]] = {}
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
            value = float(score)
        except ValueError:
            raise bad_input(source, number, f"damaged line of kind {kind}", "run the stage again") from None
        if index in found:
            raise bad_input(source, number, f"sentence {index} appears twice", "run the stage again")
        found[index] = (value, tuple(text.split()))
    if sorted(found) != list(range(sentences)):
        missing = sorted(set(range(sentences)) ^ found.keys())
        what = f"{len(found)} outputs for {sentences} sentences; sentence {missing[0]} is the first at fault"
        raise bad_input(source, None, what, "run the stage again")
    return [Hypothesis(*found[index], attended.get(index, {})) for index in range(sentences)]


def _common(runtime: Runtime) -> list[str]:
    options = ["--user-dir", os.path.relpath(PLUGIN), "--task", "simplification", "--no-progress-bar", *WHOLE_BATCHES]
    return options if runtime.device.startswith("cuda") else [*options, "--cpu"]


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
        "PYTHONUNBUFFERED": "1",
        "PYTHONHASHSEED": "0",
    }
