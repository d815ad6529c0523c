"""Shards in, shards out: the command `align-shards` (F2)."""

import logging
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tqdm import tqdm

from textsimp.alignment.own_documents import Given
from textsimp.alignment.scale.cluster import run_ray
from textsimp.alignment.scale.ledger import Ledger
from textsimp.alignment.scale.local import run_local
from textsimp.alignment.scale.setup import Setup, Wanted
from textsimp.alignment.scale.shards import Shard, cut, total_pairs
from textsimp.alignment.scale.worker import Answer
from textsimp.errors import InputError

EXECUTORS = ("local", "ray")
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
    wanted, shards = Wanted(system, given, count_pairs), cut(documents, shard_size)
    ledger = Ledger(output, wanted.identity(shards))

    def run(setup: Setup, rest: Sequence[Shard]) -> Iterator[tuple[Shard, Answer]]:
        return run_local(setup, rest, workers) if executor == "local" else run_ray(setup, rest, workers, address)

    with ledger.claimed():
        setup = wanted.prepare(ledger.fitted, shards)
        rest = ledger.start(shards)
        if rest:
            _say(wanted, shards, rest)
            _work(ledger, setup, shards, rest, run)
        ledger.close(shards)


def _say(wanted: Wanted, shards: Sequence[Shard], rest: Sequence[Shard]) -> None:
    message = "%s: %d document pairs in %d shards, %d shards are finished"
    _log.info(message, wanted.config.label, total_pairs(shards), len(shards), len(shards) - len(rest))


def _work(
    ledger: Ledger,
    setup: Setup,
    shards: Sequence[Shard],
    rest: Sequence[Shard],
    run: Callable[[Setup, Sequence[Shard]], Iterator[tuple[Shard, Answer]]],
) -> None:
    done, total = total_pairs(shards) - total_pairs(rest), total_pairs(shards)
    with tqdm(total=total, initial=done, desc="align", unit="article pair", disable=None) as bar:
        for shard, answer in run(setup, rest):
            if answer.error is not None:
                raise InputError(answer.error)
            ledger.finish(shard, answer.text)
            bar.update(shard.pairs)
