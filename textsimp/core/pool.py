"""Tasks on several processes of one machine, by joblib's executor; after a kill the open tasks are begun again."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import chain, islice
from typing import Any, Generic, NamedTuple, TypeVar, cast

from textsimp.core.devices import processors
from textsimp.core.errors import InputError
from textsimp.core.progress import progress
from textsimp.core.reading import system_fault

T = TypeVar("T")
R = TypeVar("R")
Work = Callable[[T], R]
ATTEMPTS = 3  # to start processes, where one of them is killed
PAYS = 8  # tasks of some tenths of a second that are worth a process, which takes seconds to start
_made: list[Work[Any, Any]] = []  # in a worker: the function of the one run that it serves, once it is made


class KilledError(InputError):
    """Processes were killed from outside, again and again; what was finished stands, and another run goes on."""


def run(
    make: Callable[[], Work[T, R]], tasks: Iterable[T], workers: int, environment: Mapping[str, str] | None = None
) -> Iterator[tuple[T, R]]:
    """Do every task, each in one of several processes; yield it with its result when it is done, in no fixed order.

    Tasks are taken from their iterator as processes become free, so that memory holds as many as there are workers.
    The processes end with this one, however it ends.

    Args:
        make: makes the function that does a task; called once in each process, which it travels to by pickle.
        tasks: pickled too; `str(task)` names one in messages.
        environment: variables of the processes, beside those of this one.

    Raises:
        KilledError: processes were killed `ATTEMPTS` times.
        Exception: that of a task or of `make`, at once; the traceback of its process is the cause.
    """
    from joblib.externals.loky import ProcessPoolExecutor
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    waiting = iter(tasks)
    for attempt in range(1, ATTEMPTS + 1):
        own = {"env": dict(environment or {}), "initializer": _end_with, "initargs": (os.getpid(),)}
        executor = ProcessPoolExecutor(workers, **own)
        busy: dict[Future[R], T] = {}
        try:
            while True:
                busy |= {executor.submit(_do, make, task): task for task in islice(waiting, workers - len(busy))}
                if not busy:
                    return
                for future in wait(busy, return_when=FIRST_COMPLETED).done:
                    result = future.result()
                    yield busy.pop(future), result
        except TerminatedWorkerError:
            unfinished = list(busy.values())
            if attempt == ATTEMPTS:
                raise killed(unfinished[0]) from None
            waiting = chain(unfinished, waiting)
        finally:
            executor.shutdown(kill_workers=bool(busy))


def always(work: Work[T, R]) -> Callable[[], Work[T, R]]:
    """Return a `make` for a function that needs nothing made."""
    return lambda: work


def by_key(work: Work[T, R], tasks: Mapping[str, T], title: str, unit: str, least: int = PAYS) -> dict[str, R]:
    """Return what `work` makes of each value, in the order of the keys, with a bar; in several processes if it pays.

    `work` and values travel by pickle. A process has `least` of the tasks at least.
    """
    workers = min(processors(), len(tasks) // least)

    def keyed(entry: _Entry[T]) -> R:
        return work(entry.value)

    entries = [_Entry(key, value) for key, value in tasks.items()]
    done = zip(entries, map(keyed, entries), strict=True) if workers < 2 else run(always(keyed), entries, workers)
    results = {entry.key: result for entry, result in progress(done, total=len(entries), desc=title, unit=unit)}
    return {key: results[key] for key in tasks}


class _Entry(NamedTuple, Generic[T]):
    key: str
    value: T

    def __str__(self) -> str:
        return self.key


def killed(task: object) -> KilledError:
    """Return the error for a task that no process survives."""
    what = f"its worker was killed {ATTEMPTS} times, often for memory"
    return KilledError(f"{task}: {what}; take fewer workers or smaller pieces of work, and run again to go on")


def _end_with(parent: int) -> None:
    """Let a worker leave Ctrl-C to its parent, and end when that has ended, in the middle of a task too."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.2)
        os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=watch, daemon=True).start()


def _do(make: Callable[[], Work[T, R]], task: T) -> R:
    try:
        if not _made:
            _made.append(make())
        return cast(R, _made[0](task))
    except OSError as error:
        raise system_fault(error.filename or str(task), error) from None
    except MemoryError:
        raise InputError(f"{task}: not enough memory; take fewer workers or smaller pieces of work") from None
