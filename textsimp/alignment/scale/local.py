"""Shards on one machine, in this process or in several; one that is killed is replaced, its shard begun again (F2)."""

import contextlib
import multiprocessing
import os
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from multiprocessing.connection import Connection, wait

import torch
from threadpoolctl import threadpool_limits

from textsimp.alignment.neural.aligner import device_of
from textsimp.alignment.scale.setup import Setup
from textsimp.alignment.scale.shards import Shard
from textsimp.alignment.scale.worker import ATTEMPTS, ONE_THREAD, Answer, Worker, killed_too_often


def number_of_workers(setup: Setup, wanted: int | None) -> int:
    """How many processes work: as wanted, else one for each free processor, but a single one for a GPU."""
    if wanted is None and setup.runtime.device != "cpu" and device_of(setup.runtime) != "cpu":
        return 1
    return wanted or len(os.sched_getaffinity(0))


def run_here(setup: Setup, shards: Sequence[Shard]) -> Iterator[tuple[Shard, Answer]]:
    """Align shards in this process, with one thread as every worker has, in their order."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with threadpool_limits(1):
            worker = Worker(setup)
            for shard in shards:
                yield shard, worker.align(shard)
    finally:
        torch.set_num_threads(before)


def run_local(setup: Setup, shards: Sequence[Shard], workers: int | None) -> Iterator[tuple[Shard, Answer]]:
    """Align shards; each comes back when it is done, in no fixed order.

    Args:
        workers: processes; None as `number_of_workers` says.

    Raises:
        InputError: a shard's worker was killed several times.
    """
    waiting, begun = deque(shards), Counter[str]()
    number = min(number_of_workers(setup, workers), len(shards))
    with contextlib.ExitStack() as stack:
        busy: dict[Connection, tuple[_Process, Shard]] = {}

        def give(process: _Process) -> None:
            if waiting:
                shard = waiting.popleft()
                begun[shard.name] += 1
                process.pipe.send(shard)
                busy[process.pipe] = process, shard

        for _ in range(number):
            give(stack.enter_context(_Process(setup)))
        while busy:
            for pipe in wait(list(busy)):
                process, shard = busy.pop(pipe)
                answer = process.answer()
                if answer is not None:
                    yield shard, answer
                elif begun[shard.name] == ATTEMPTS:
                    raise killed_too_often(shard)
                else:
                    waiting.appendleft(shard)
                    process = stack.enter_context(_Process(setup))
                give(process)


class _Process(contextlib.AbstractContextManager):
    """A worker process and the pipe to it. It ends when the driver closes the pipe, or dies."""

    def __init__(self, setup: Setup) -> None:
        # the interpreter starts anew: torch's threads do not survive a fork
        context = multiprocessing.get_context("spawn")
        self.pipe, end = context.Pipe()
        self._process = context.Process(target=_serve, args=(setup, end), daemon=True)
        with _environment(ONE_THREAD):
            self._process.start()
        end.close()

    def answer(self) -> Answer | None:
        """What the process sent; None where it was killed. RuntimeError where it ended by an error of its own."""
        try:
            return self.pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            if (self._process.exitcode or 0) > 0:
                raise RuntimeError("a worker failed; its traceback is above") from None
            return None

    def __exit__(self, *error: object) -> None:
        self.pipe.close()
        if any(error):
            self._process.terminate()  # it may be in the middle of a shard
        self._process.join()


def _serve(setup: Setup, pipe: Connection) -> None:
    worker = Worker(setup)
    with contextlib.suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            pipe.send(worker.align(pipe.recv()))


@contextlib.contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    """Environment variables for processes that are started inside."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
