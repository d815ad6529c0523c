"""Shards of document pairs through an alignment system; the command `align-shards` (F2)."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from textsimp.alignment.neural.config import EXECUTORS
from textsimp.alignment.own_documents import Given
from textsimp.alignment.scale.cluster import run_ray
from textsimp.alignment.scale.ledger import Ledger
from textsimp.alignment.scale.local import number_of_workers, run_here, run_local
from textsimp.alignment.scale.setup import Setup, Wanted, Work
from textsimp.alignment.scale.shards import Shard, cut, total_pairs
from textsimp.alignment.scale.worker import Answer
from textsimp.errors import InputError

_log = logging.getLogger(__name__)


def align_shards(
    documents: Path,
    output: Path,
    system: str,
    given: Given,
    executor: str = "local",
    workers: int | None = None,
    shard_size: int = 100,
    count_pairs: int = 2000,
    address: str | None = None,
) -> None:
    """Align document pairs of any number; started again after a kill it does the unfinished shards only.

    The output has the same bytes for every executor and number of workers. A shard's file is there when it is
    complete, `alignment.json` when all are. Another system, model or setting begins anew; other input lines only
    their own shards, unless the system counts words in the input.

    Args:
        documents: a JSON Lines file or a folder of them.
        output: folder; `NAME-NUMBER.jsonl` for each shard of the input file NAME.
        executor: `local` or `ray`.
        workers: None takes all processors.
        shard_size: document pairs in a shard, so much work of each worker is lost by a kill.
        count_pairs: see `Wanted.count_pairs`.
        address: of the Ray cluster.

    Raises:
        InputError: bad input, before anything is written; or a shard whose worker is killed again and again.
    """
    if executor not in EXECUTORS:
        raise InputError(f"--executor: {executor!r} is none of {', '.join(EXECUTORS)}")
    if workers is not None and workers < 1:
        raise InputError(f"--workers: {workers} cannot work; give 1 or more")
    work, shards = Wanted(system, given, count_pairs), cut(documents, shard_size)
    ledger = Ledger(output, work.identity(shards))
    with ledger.claimed():
        finish_shards(ledger, work, shards, Execution(executor, workers, address))
        ledger.close(shards)


@dataclass(frozen=True)
class Execution:
    """Who aligns, which changes the speed and no result; see `align_shards`."""

    executor: str
    workers: int | None
    address: str | None = None

    def run(self, setup: Setup, shards: Sequence[Shard]) -> Iterator[tuple[Shard, Answer]]:
        """Align shards; each comes back when it is done, in no fixed order."""
        if self.executor == "ray":
            return run_ray(setup, shards, self.workers, self.address)
        if number_of_workers(setup, self.workers) == 1:
            return run_here(setup, shards)
        return run_local(setup, shards, self.workers)


def finish_shards(ledger: Ledger, work: Work, shards: Sequence[Shard], execution: Execution) -> None:
    """Align what the claimed ledger has not yet; `InputError` says what is wrong with the input."""
    setup = work.prepare(ledger.fitted, shards)
    rest = ledger.start(shards)
    if not rest:
        return
    message = "%s: %d document pairs in %d shards, %d shards are finished"
    _log.info(message, work.config.label, total_pairs(shards), len(shards), len(shards) - len(rest))
    done, total = total_pairs(shards) - total_pairs(rest), total_pairs(shards)
    title = f"align by {work.config.label}"
    with tqdm(total=total, initial=done, desc=title, unit="article pair", disable=None) as bar:
        for shard, answer in execution.run(setup, rest):
            if answer.error is not None:
                raise InputError(answer.error)
            ledger.finish(shard, answer.text)
            bar.update(shard.pairs)
