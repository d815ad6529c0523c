"""Tasks on several processes: results, lazy input, killed processes, errors of all kinds."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from textsimp.core import pool
from textsimp.core.errors import InputError


def double(task: int) -> int:
    return 2 * task


def do(task: str) -> str | None:
    """`die`, `die once PATH`, `fail`, `refuse`, `tell`, or any other text, which comes back."""
    if task == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if task.startswith("die once") and not (mark := Path(task.split()[2])).exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    if task == "fail":
        raise KeyError("a bug")
    if task == "refuse":
        raise InputError("x.txt:1: is no task; give another")
    return os.environ.get("TEXTSIMP_POOL_TEST") if task == "tell" else task


def test_each_task_is_done_once_and_only_a_few_wait() -> None:
    taken: list[int] = []

    def tasks() -> Iterator[int]:
        for task in range(7):
            taken.append(task)
            yield task

    running = pool.run(pool.always(double), tasks(), 2)
    results = [next(running)]
    assert len(taken) <= 3, "two that are worked on, and none waits before a process is free"
    results += running
    assert sorted(results) == [(task, 2 * task) for task in range(7)]
    assert list(pool.run(pool.always(double), [], 2)) == []


@pytest.mark.parametrize("least", [1, 100])
def test_results_by_key_in_the_order_of_the_keys_here_and_elsewhere(least: int) -> None:
    tasks = {str(number): number for number in range(9, 0, -1)}
    found = pool.by_key(double, tasks, "double", "number", least)
    assert list(found.items()) == [(key, 2 * number) for key, number in tasks.items()]
    with pytest.raises(InputError, match="x.txt:1"):
        pool.by_key(do, {"a": "fine", "b": "refuse"}, "do", "task", least)


def test_a_killed_process_is_replaced_and_its_task_begun_again(tmp_path: Path) -> None:
    """With its own variables of the environment."""
    tasks, name = ["a", f"die once {tmp_path / 'mark'}", "b", "tell"], "TEXTSIMP_POOL_TEST"
    found = dict(pool.run(pool.always(do), tasks, 1, {name: "1"}))
    assert found == {task: "1" if task == "tell" else task for task in tasks} and name not in os.environ


@pytest.mark.parametrize(
    ("task", "kind", "message"),
    [
        ("die", pool.KilledError, "die: its worker was killed 3 times.* run again to go on"),
        ("fail", KeyError, "a bug"),
        ("refuse", InputError, r"^x\.txt:1: is no task; give another$"),
    ],
)
def test_a_task_that_cannot_be_done_ends_the_run(task: str, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        list(pool.run(pool.always(do), ["a", task], 1))


DRIVER = """
import os, sys, time
from textsimp.core import pool
def work(task):
    os.close(os.open(f"{sys.argv[1]}/{os.getpid()}", os.O_CREAT))
    time.sleep(600)
list(pool.run(pool.always(work), [1, 2], 2))
"""


def test_processes_end_with_the_one_that_started_them(tmp_path: Path) -> None:
    """In the middle of a task, and though nothing told them."""
    code = DRIVER.replace("sys.argv[1]", repr(str(tmp_path)))
    driver = subprocess.Popen([sys.executable, "-c", code])
    wait_for(lambda: len(list(tmp_path.iterdir())) == 2)
    driver.kill()
    driver.wait()
    wait_for(lambda: not any(psutil.pid_exists(int(path.name)) for path in tmp_path.iterdir()))


def wait_for(condition: Callable[[], bool], seconds: float = 240) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)
