"""Tasks on several processes of one machine; a process that is killed is replaced, and its task begun again."""

import contextlib
import functools
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, NamedTuple, TypeVar, cast

from textsimp.core.devices import processors
from textsimp.core.errors import InputError
from textsimp.core.progress import progress
from textsimp.core.reading import system_fault

T = TypeVar("T")
R = TypeVar("R")
Work = Callable[[T], R]
ATTEMPTS = 3
"""How often a task is begun whose process is killed."""

PAYS = 8
"""Tasks of some tenths of a second that are worth a process, which takes seconds to start."""


class KilledError(InputError):
    """Processes were killed from outside, again and again; what was finished stands, and another run goes on."""


def run(
    make: Callable[[], Work[T, R]], tasks: Iterable[T], workers: int, environment: Mapping[str, str] | None = None
) -> Iterator[tuple[T, R]]:
    """Do every task, each in one of several processes.

    Tasks are taken from their iterator as processes become free, so that memory holds as many as there are workers.
    The processes end with this one, however it ends.

    Args:
        make: makes the function that does a task; called once in each process, which it travels to by pickle.
        tasks: pickled too; `str(task)` names one in messages.
        environment: variables of the processes, beside those of this one.

    Yields:
        A task and its result, when it is done: in no fixed order.

    Raises:
        InputError: a task's own, or that of `make`, at once.
        KilledError: a task's process was killed `ATTEMPTS` times.
        RuntimeError: a task failed in another way; its traceback is on standard error.
    """
    waiting = iter(tasks)
    with contextlib.ExitStack() as stack:
        busy: dict[Connection, tuple[_Process[T, R], T, int]] = {}

        def begin(process: _Process[T, R], task: T, attempt: int) -> None:
            with contextlib.suppress(BrokenPipeError):  # killed since its last task: it is found below
                process.pipe.send(task)
            busy[process.pipe] = process, task, attempt

        def new() -> _Process[T, R]:
            return stack.enter_context(_Process(make, environment or {}))

        for _, task in zip(range(workers), waiting, strict=False):
            begin(new(), task, 1)
        while busy:
            for pipe in wait(list(busy)):
                process, task, attempt = busy.pop(cast(Connection, pipe))
                try:
                    result = process.result()
                except EOFError:
                    if attempt == ATTEMPTS:
                        raise killed(task) from None
                    begin(new(), task, attempt + 1)
                    continue
                yield task, result
                for following in waiting:
                    begin(process, following, 1)
                    break


def always(work: Work[T, R]) -> Callable[[], Work[T, R]]:
    """A `make` for a function that needs nothing made."""
    return functools.partial(_itself, work)


def _itself(work: Work[T, R]) -> Work[T, R]:
    return work


def by_key(work: Work[T, R], tasks: Mapping[str, T], title: str, unit: str, least: int = PAYS) -> dict[str, R]:
    """What `work` makes of each value, in the order of the keys, with a bar; in several processes where it pays.

    `work` and values travel by pickle. A process has `least` of the tasks at least.
    """
    workers = min(processors(), len(tasks) // least)
    keyed = functools.partial(_keyed, work)
    entries = [_Entry(key, value) for key, value in tasks.items()]
    done = zip(entries, map(keyed, entries), strict=True) if workers < 2 else run(always(keyed), entries, workers)
    results = {entry.key: result for entry, result in progress(done, total=len(entries), desc=title, unit=unit)}
    return {key: results[key] for key in tasks}


class _Entry(NamedTuple, Generic[T]):
    key: str
    value: T

    def __str__(self) -> str:
        return self.key


def _keyed(work: Work[T, R], entry: _Entry[T]) -> R:
    return work(entry.value)


def killed(task: object) -> KilledError:
    """The error for a task that no process survives."""
    what = f"its worker was killed {ATTEMPTS} times, often for memory"
    return KilledError(f"{task}: {what}; take fewer workers or smaller pieces of work, and run again to go on")


class _Process(contextlib.AbstractContextManager[Any], Generic[T, R]):
    """A process and the pipe to it. It ends when the pipe is closed, or breaks."""

    def __init__(self, make: Callable[[], Work[T, R]], environment: Mapping[str, str]) -> None:
        # the interpreter starts anew: a fork would copy threads' locks, open databases and the memory of this process
        context = multiprocessing.get_context("spawn")
        self.pipe, end = context.Pipe()
        self._process = context.Process(target=_serve, args=(make, end), daemon=True)
        with _variables(environment):
            self._process.start()
        end.close()

    def result(self) -> R:
        """What the task gave. EOFError where the process was killed; RuntimeError where it failed."""
        try:
            result = self.pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            if (self._process.exitcode or 0) > 0:
                raise RuntimeError("a worker failed; its traceback is above") from None
            raise EOFError from None
        if isinstance(result, InputError):
            raise result
        return result

    def __exit__(self, *error: object) -> None:
        self.pipe.close()
        if any(error):
            self._process.terminate()  # it may be in the middle of a task
        self._process.join()


def _serve(make: Callable[[], Work[T, R]], pipe: Connection) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    work: Work[T, R] | None = None
    with contextlib.suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            task = pipe.recv()
            try:
                work = work or make()
                pipe.send(work(task))
            except InputError as error:
                pipe.send(InputError(str(error)))
            except OSError as error:
                pipe.send(system_fault(error.filename or str(task), error))
            except MemoryError:
                pipe.send(InputError(f"{task}: not enough memory; take fewer workers or smaller pieces of work"))


def _end_with_parent() -> None:
    """End this process when the one that started it has ended, in the middle of a task too."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


@contextlib.contextmanager
def _variables(values: Mapping[str, str]) -> Iterator[None]:
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
