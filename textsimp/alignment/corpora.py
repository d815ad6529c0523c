"""Alignment of any number of document pairs, in shards: by processes of this machine, or by whoever is given.

The new training data of section 3 of Jiang et al. 2020 and its old counterpart are made so, and a user's own documents.
"""

import contextlib
import hashlib
import json
import logging
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from textsimp.alignment import fitted
from textsimp.alignment.neural.aligner_settings import Device, EncoderConfig
from textsimp.alignment.parts import CRF, Part, SystemConfig
from textsimp.alignment.shards import (
    READY,
    SHARDS,
    Ledger,
    Shard,
    cut,
    discard_unbegun,
    hidden_work,
    spread,
    total_pairs,
)
from textsimp.alignment.spec import SystemSpec, labelled_pairs
from textsimp.alignment.systems import System
from textsimp.core import pool
from textsimp.core.bounds import Positive, fault
from textsimp.core.devices import ONE_THREAD, one_thread, processors
from textsimp.core.errors import InputError, bad_input, check_choice
from textsimp.core.progress import progress
from textsimp.core.records import NEW, OWN, DocumentPair, Link, pair_line, write_pairs
from textsimp.core.word_vectors import WordVectorConfig
from textsimp.core.writing import atomic_write, partial_folder, remove, write_json

EXECUTORS = ("local", "ray")
MOST_WORKERS = 10_000
"""More than any machine or cluster has use for."""
COUNT_PAIRS = 2000
"""Document pairs, evenly spread, in which words are counted; more change the counts little, and every worker reads
them."""
_SYSTEM, _CORPUS, _DOCUMENTS = "system", "corpus.jsonl", "documents.jsonl"
_log = logging.getLogger(__name__)

MakeWorker = Callable[[], Callable[[Shard], str]]
Write = Callable[[Path, Iterable[str]], None]
"""Writes the aligned document pairs, which come as JSON Lines of one shard after the other, to a path."""


def write_json_lines(path: Path, texts: Iterable[str]) -> None:
    """The aligned document pairs as they are (docs/formats.md)."""
    with atomic_write(path) as file:
        file.writelines(texts)


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
    system: what makes `auto`, the paper's new data: `neural_crf_paper`, another aligner that is trained for the corpus
        `aligner`, or one that travels with the package (`textsimp.alignment.fitted`), which needs no pair encoder and
        is ten times as quick.
    own: what makes a third training set `own`, such as `neural_crf`; null for none.
    encoder: the pair encoder of the corpus's aligner, a key of `encoder_corpora`.
    aligner: the corpus whose trained aligner aligns this one: itself, or another where it has no annotation.
    """

    splits: list[str]
    system: str
    own: str | None
    encoder: str
    aligner: str

    @property
    def systems(self) -> dict[str, str]:
        """Map each training set but `old` to the name of the system that aligns it."""
        return {NEW: self.system} | ({OWN: self.own} if self.own else {})

    def spec(
        self, name: str, system: SystemConfig, vectors: WordVectorConfig, encoder: EncoderConfig, models: Path | None
    ) -> SystemSpec:
        """Describe one of `systems`, trained in `models`/aligner/CORPUS or `models`/aligner_variant/CORPUS/VARIANT."""
        if system.strategy.name != CRF:
            return SystemSpec(name, system, vectors, encoder, fitted=fitted.shipped(name))
        if models is None:
            raise InputError(f"{name} is trained before it aligns; give the folder of the trained aligners, --models")
        options = dict(system.strategy.options)
        variant = options.pop("variant", None)
        model = models / "aligner_variant" / self.aligner / variant if variant else models / "aligner" / self.aligner
        return SystemSpec(name, replace(system, strategy=Part(CRF, options)), vectors, encoder, model=model)


@dataclass(frozen=True)
class Execution:
    """Who aligns, which changes the speed and no result: `execution` in params.yaml.

    executor: `local`, processes of this machine, or `ray`, a Ray cluster (RAY_ADDRESS).
    workers: how many at a time; None takes all processors, or one for a GPU. A single local one works in this process.
    shard_size: document pairs in a shard; so much work of each worker is lost by a kill.
    """

    executor: str = "local"
    workers: Positive | None = None
    shard_size: Positive = 100

    def __post_init__(self) -> None:
        check_choice("executor:", self.executor, EXECUTORS)
        if self.workers is not None and not 1 <= self.workers <= MOST_WORKERS:
            what = f"{self.workers} cannot work"
            raise InputError(f"workers: {what}; give 1 to {MOST_WORKERS}, or null for all processors")
        if fault(Positive, self.shard_size):
            raise InputError(f"shard_size: {self.shard_size} document pairs are no shard; give 1 or more")

    def number(self, device: Device) -> int:
        """How many workers there are on this machine."""
        is_gpu = device.device != "cpu" and device.prepare() != "cpu"
        return self.workers or (1 if is_gpu else processors())


def align_corpus(
    spec: SystemSpec,
    documents: Path | Sequence[Path],
    output: Path,
    device: Device,
    execution: Execution,
    executor: Executor = pool.run,
    in_shards: bool = False,
    is_bare: bool = False,
    write: Write = write_json_lines,
    with_scores: bool = False,
) -> int:
    """Align document pairs of any number; started again after a kill it does the unfinished shards only.

    The output has the same bytes for every executor and number of workers. Another system, model or setting begins
    anew; other input lines only their own shards, unless the system counts words in the input.

    Args:
        documents: a JSON Lines file, a folder of them, or several files.
        output: a file with all pairs in their order, beside whose place finished shards wait in `partial_folder`; or,
            `in_shards`, a folder with `NAME-NUMBER.jsonl` for each shard of the input file NAME, each there when it is
            complete, and `alignment.json` when all are.
        is_bare: gold links of the input are not read.
        write: how the output is written, but for shards.
        with_scores: each link has a score, how sure the system is of it (`System.scores` of Task 1), or none where it
            has no such number.

    Returns:
        The number of document pairs.

    Raises:
        InputError: bad input, before anything is written; or a shard whose worker is killed again and again.
    """
    shards = cut(documents, execution.shard_size, is_bare)
    if not shards and (in_shards or not is_bare):
        raise bad_input(_named(documents), None, "holds no document pairs", "see docs/formats.md")
    identity = spec.identity()
    if spec.counts_words:
        identity["word_counts"] = _digest([COUNT_PAIRS, *(shard.digest for shard in shards)])
    if with_scores:
        identity["with_scores"] = True
    ledger = Ledger(output if in_shards else partial_folder(output), identity)
    with ledger.claimed():
        if shards:
            _finish(ledger, spec, shards, device, execution, executor, with_scores)
        if in_shards:
            ledger.close(shards)
        else:
            write(output, map(ledger.text, shards))
            remove(ledger.folder, READY, SHARDS)
    return total_pairs(shards)


def _named(documents: Path | Sequence[Path]) -> str:
    """The input in a message."""
    return str(documents) if isinstance(documents, Path) else ", ".join(map(str, documents))


def _finish(
    ledger: Ledger,
    spec: SystemSpec,
    shards: Sequence[Shard],
    device: Device,
    execution: Execution,
    executor: Executor,
    with_scores: bool,
) -> None:
    ready = _fitted(ledger.fitted, spec, shards, device)
    rest = ledger.start(shards)
    if not rest:
        return
    done, total = total_pairs(shards) - total_pairs(rest), total_pairs(shards)
    _log.info("%s: %d document pairs, %d of them are finished", spec.name, total, done)
    number = execution.number(device)
    is_here = execution.executor == "local" and number == 1
    alone = replace(device, threads=1, passes=device.threads_alone if is_here else 1)
    make = partial(worker, ready, alone, with_scores)
    with progress(range(total), initial=done, desc="align", unit=" document pairs") as bar:
        results = run_here(make, rest) if is_here else executor(make, rest, min(number, len(rest)), ONE_THREAD)
        for shard, text in results:
            ledger.finish(shard, text)
            bar.update(shard.pairs)


def _fitted(folder: Path, spec: SystemSpec, shards: Sequence[Shard], device: Device) -> SystemSpec:
    if spec.counts_words:
        spec = replace(spec, corpus=folder / _CORPUS)
    if not (folder / READY).is_file():
        remove(folder / _SYSTEM)  # what a kill left of it
        if spec.corpus is not None:
            labelled = [pair for file in (spec.train, spec.dev) if file for pair in labelled_pairs(file)]
            write_pairs(spec.corpus, [*labelled, *spread(shards, COUNT_PAIRS)])
        spec.fit(folder / _SYSTEM, device)
        write_json(folder / READY, {"system": spec.name})
    return spec.fitted_in(folder / _SYSTEM)


def worker(spec: SystemSpec, device: Device, with_scores: bool = False) -> Callable[[Shard], str]:
    """Loads the system; the result aligns one shard after the other."""
    return partial(align_shard, spec.load(device), with_scores=with_scores)


def align_shard(system: System, shard: Shard, with_scores: bool = False) -> str:
    """JSON Lines of a shard with alignments; the same whatever shards the system saw before."""
    pairs = shard.read()
    system.prepare(pairs)
    return "".join(_aligned_line(system, pair, with_scores) for pair in pairs)


def _aligned_line(system: System, pair: DocumentPair, with_scores: bool) -> str:
    links = sorted(system.align(pair))
    if with_scores:
        values = system.scores(pair, "task1")
        links = [_with_score(link, float(values[link.simple, link.complex])) for link in links]
    return pair_line(replace(pair, alignments=tuple(links)))


def _with_score(link: Link, score: float) -> Link:
    return replace(link, score=score if math.isfinite(score) else None)


@contextlib.contextmanager
def gathered(output: Path, pairs: Iterable[DocumentPair], source: Path) -> Iterator[Path]:
    """A JSON Lines file of document pairs that are in no file yet, for `align_corpus` with this output.

    It lies with the unfinished work, so that a run that is started again goes on where the same pairs are given.
    """
    folder = partial_folder(output)
    documents = hidden_work(folder) / _DOCUMENTS
    try:
        write_pairs(documents, pairs)
        if not documents.stat().st_size:
            raise bad_input(source, None, "holds no document pairs", "see docs/formats.md")
        yield documents
    except InputError:
        discard_unbegun(folder)
        raise
    remove(folder, READY, SHARDS)


def run_here(make: MakeWorker, shards: Sequence[Shard]) -> Iterator[tuple[Shard, str]]:
    """Align shards in this process, with one thread as every worker has, in their order."""
    with one_thread():
        work = make()
        for shard in shards:
            yield shard, work(shard)


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()
