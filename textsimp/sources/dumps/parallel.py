"""Tasks on several processes, in bounded memory (F1)."""

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait as wait_for
from typing import Any, TypeVar

from tqdm import tqdm

from textsimp.errors import InputError

T = TypeVar("T")
_WAITING = 4


class KilledError(InputError):
    """A process was killed from outside; what was finished stands, and another run goes on."""


def run_all(work: Callable[[T], None], tasks: Iterable[T], total: int, workers: int, title: str, unit: str) -> None:
    """Do every task; with one worker here, else in as many processes.

    Tasks are taken from their iterator as they are needed. They write files of their own, so that the order in which
    they end does not matter.

    Raises:
        InputError: a task's own, at once.
        KilledError: a process was killed.
    """
    with tqdm(total=total, desc=title, unit=unit, disable=None) as bar:
        if workers == 1:
            for task in tasks:
                work(task)
                bar.update()
            return
        # the interpreter starts anew in each process: a fork would copy open databases and the parent's memory
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(workers, context, _end_with_parent) as pool:
            try:
                _feed(pool, work, tasks, workers * _WAITING, bar)
            except BrokenProcessPool:
                raise KilledError(f"{title}: a process was killed, often for memory; run again to go on") from None
            except BaseException:
                pool.shutdown(wait=True, cancel_futures=True)
                raise


def _feed(pool: ProcessPoolExecutor, work: Callable[[T], None], tasks: Iterable[T], limit: int, bar: Any) -> None:
    pending: set[Future[None]] = set()
    for task in tasks:
        pending.add(pool.submit(work, task))
        if len(pending) >= limit:
            pending = _collect(pending, bar)
    while pending:
        pending = _collect(pending, bar)


def _collect(pending: set[Future[None]], bar: Any) -> set[Future[None]]:
    done, pending = wait(pending, return_when=FIRST_COMPLETED)
    for future in done:
        future.result()
        bar.update()
    return pending


def _end_with_parent() -> None:
    """A worker whose parent is killed would wait for its next task for ever."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        wait_for([parent.sentinel])
        os._exit(1)

    if parent is not None:
        threading.Thread(target=watch, daemon=True).start()
