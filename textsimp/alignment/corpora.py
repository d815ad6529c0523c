"""Alignment of any number of document pairs, in shards: by processes of this machine, or by whoever is given.

The new training data of section 3 of Jiang et al. 2020 and its old counterpart are made so, and a user's own documents.
"""

import hashlib
import json
import logging
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

import torch
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from textsimp.alignment.neural.aligner_settings import Device
from textsimp.alignment.shards import Ledger, Shard, cut, spread, total_pairs
from textsimp.alignment.spec import SystemSpec, labelled_pairs
from textsimp.alignment.systems import System
from textsimp.core import pool
from textsimp.core.errors import InputError, bad_input
from textsimp.core.records import pair_line, write_pairs
from textsimp.core.textfiles import atomic_write, partial_folder, write_json

EXECUTORS = ("local", "ray")
COUNT_PAIRS = 2000
"""Document pairs, evenly spread, in which words are counted; more change the counts little, and every worker reads
them."""
ONE_THREAD = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    "OMP_WAIT_POLICY": "PASSIVE",
    "TOKENIZERS_PARALLELISM": "false",
}
"""Environment of a worker: with as many workers as processors more threads only wait for each other, and the last
bits of a sum may depend on their number."""
_SYSTEM, _CORPUS, _FITTED = "system", "corpus.jsonl", "fitted.json"
_log = logging.getLogger(__name__)

MakeWorker = Callable[[], Callable[[Shard], str]]


class Executor(Protocol):
    """Who does tasks in several processes; see `textsimp.core.pool.run`, which is one."""

    def __call__(
        self, make: MakeWorker, tasks: Sequence[Shard], workers: int, environment: Mapping[str, str]
    ) -> Iterator[tuple[Shard, str]]:
        """Each task and its result, in no fixed order."""
        ...


@dataclass(frozen=True)
class AutoAlignConfig:
    """What is aligned automatically: `corpus.NAME.align` in params.yaml.

    splits: NEWSELA-AUTO covers the articles without annotation (section 3.1), WIKI-AUTO all of them, those that
        the aligner was trained on included (section 3.2).
    encoder: the pair encoder of the corpus's aligner, a key of `encoder_corpora`.
    aligner: the corpus whose trained aligner aligns this one: itself, or another where it has no annotation.
    """

    splits: list[str]
    encoder: str
    aligner: str


@dataclass(frozen=True)
class Execution:
    """Who aligns, which changes the speed and no result: `execution` in params.yaml.

    executor: `local`, processes of this machine, or `ray`, a Ray cluster (RAY_ADDRESS).
    workers: how many at a time; None takes all processors, or one for a GPU. A single local one works in this process.
    shard_size: document pairs in a shard; so much work of each worker is lost by a kill.
    """

    executor: str = "local"
    workers: int | None = None
    shard_size: int = 100

    def __post_init__(self) -> None:
        if self.executor not in EXECUTORS:
            raise InputError(f"executor: {self.executor!r} is none of {', '.join(EXECUTORS)}")
        if self.workers is not None and self.workers < 1:
            raise InputError(f"workers: {self.workers} cannot work; give 1 or more, or null for all processors")
        if self.shard_size < 1:
            raise InputError(f"shard_size: {self.shard_size} document pairs are no shard; give 1 or more")

    def number(self, device: Device) -> int:
        """How many workers there are on this machine."""
        is_gpu = device.device != "cpu" and device.prepare() != "cpu"
        return self.workers or (1 if is_gpu else len(os.sched_getaffinity(0)))


def align_corpus(
    spec: SystemSpec,
    documents: Path | Sequence[Path],
    output: Path,
    device: Device,
    execution: Execution,
    executor: Executor = pool.run,
    in_shards: bool = False,
    is_bare: bool = False,
) -> None:
    """Align document pairs of any number; started again after a kill it does the unfinished shards only.

    The output has the same bytes for every executor and number of workers. Another system, model or setting begins
    anew; other input lines only their own shards, unless the system counts words in the input.

    Args:
        documents: a JSON Lines file, a folder of them, or several files.
        output: a file with all pairs in their order, beside whose place finished shards wait in `partial_folder`; or,
            `in_shards`, a folder with `NAME-NUMBER.jsonl` for each shard of the input file NAME, each there when it is
            complete, and `alignment.json` when all are.
        is_bare: gold links of the input are not read.

    Raises:
        InputError: bad input, before anything is written; or a shard whose worker is killed again and again.
    """
    shards = cut(documents, execution.shard_size, is_bare)
    if in_shards and not shards:
        raise bad_input(str(documents), None, "holds no document pairs", "see docs/formats.md")
    identity = spec.identity()
    if spec.counts_words:
        identity["word_counts"] = _digest([COUNT_PAIRS, *(shard.digest for shard in shards)])
    ledger = Ledger(output if in_shards else partial_folder(output), identity)
    with ledger.claimed():
        if shards:
            _finish(ledger, spec, shards, device, execution, executor)
        if in_shards:
            ledger.close(shards)
            return
        with atomic_write(output) as file:
            for shard in shards:
                file.write(ledger.text(shard))
        shutil.rmtree(ledger.folder)


def _finish(
    ledger: Ledger, spec: SystemSpec, shards: Sequence[Shard], device: Device, execution: Execution, executor: Executor
) -> None:
    ready = _fitted(ledger.fitted, spec, shards, device)
    rest = ledger.start(shards)
    if not rest:
        return
    done, total = total_pairs(shards) - total_pairs(rest), total_pairs(shards)
    _log.info("%s: %d document pairs, %d of them are finished", spec.name, total, done)
    make = partial(worker, ready, replace(device, threads=1))
    number = execution.number(device)
    with tqdm(total=total, initial=done, desc=f"align by {spec.name}", unit="article pair", disable=None) as bar:
        if execution.executor == "local" and number == 1:
            results = run_here(make, rest)
        else:
            results = executor(make, rest, min(number, len(rest)), ONE_THREAD)
        for shard, text in results:
            ledger.finish(shard, text)
            bar.update(shard.pairs)


def _fitted(folder: Path, spec: SystemSpec, shards: Sequence[Shard], device: Device) -> SystemSpec:
    if spec.counts_words:
        spec = replace(spec, corpus=folder / _CORPUS)
    if not (folder / _FITTED).is_file():
        if spec.corpus is not None:
            labelled = [pair for file in (spec.train, spec.dev) if file for pair in labelled_pairs(file)]
            write_pairs(spec.corpus, [*labelled, *spread(shards, COUNT_PAIRS)])
        spec.fit(folder / _SYSTEM, device)
        write_json(folder / _FITTED, {"system": spec.name})
    return spec.fitted_in(folder / _SYSTEM)


def worker(spec: SystemSpec, device: Device) -> Callable[[Shard], str]:
    """Loads the system; the result aligns one shard after the other."""
    return partial(align_shard, spec.load(device))


def align_shard(system: System, shard: Shard) -> str:
    """JSON Lines of a shard with alignments; the same whatever shards the system saw before."""
    pairs = shard.read()
    system.prepare(pairs)
    return "".join(pair_line(replace(pair, alignments=tuple(sorted(system.align(pair))))) for pair in pairs)


def run_here(make: MakeWorker, shards: Sequence[Shard]) -> Iterator[tuple[Shard, str]]:
    """Align shards in this process, with one thread as every worker has, in their order."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with threadpool_limits(1):
            work = make()
            for shard in shards:
                yield shard, work(shard)
    finally:
        torch.set_num_threads(before)


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()
