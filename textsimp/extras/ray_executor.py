"""Tasks on a Ray cluster: actors that do them, restarted by Ray where a process or a node dies."""

import importlib.util
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from textsimp.core.errors import InputError
from textsimp.core.pool import ATTEMPTS, Work, killed
from textsimp.core.pool import run as run_local

T = TypeVar("T")
R = TypeVar("R")


def executor(
    name: str, workers: int | None, uses_gpu: bool, address: str | None = None
) -> Callable[..., Iterator[tuple[Any, Any]]]:
    """Return who does tasks: `textsimp.core.pool.run` for `local`, a cluster in its place for `ray`."""
    if name != "ray":
        return run_local
    if importlib.util.find_spec("ray") is None:
        raise InputError("--executor ray: Ray is not installed; run `pip install -r requirements-ray.txt`")
    return partial(run_ray, number=workers, uses_gpu=uses_gpu, address=address)


def run_ray(
    make: Callable[[], Work[T, R]],
    tasks: Iterable[T],
    workers: int,
    environment: Mapping[str, str] | None = None,
    number: int | None = None,
    uses_gpu: bool = False,
    address: str | None = None,
) -> Iterator[tuple[T, R]]:
    """Do every task; see `textsimp.core.pool.run` for arguments and results.

    Model and fitted system lie at the same paths on every node, as on a shared file system, and the nodes have this
    package; documents travel with the tasks, and the driver alone writes.

    Args:
        workers: of this machine: not used.
        number: actors; None takes one for each processor of the cluster.
        uses_gpu: the actors share the cluster's GPUs.
        address: of the cluster; None takes RAY_ADDRESS, or starts one on this machine.

    `InputError` where there is no such cluster, or it has fewer processors, or a task's own;
    `KilledError` where a task's worker was killed several times.
    """
    ray, started = _started(address)
    try:
        yield from _run(ray, make, tasks, _number(ray, number), uses_gpu, environment or {})
    finally:
        if started:
            ray.shutdown()


class _Worker:
    """A function that is made at the first task, so that bad input comes back as an answer."""

    def __init__(self, make: Callable[[], Work[Any, Any]]) -> None:
        self._make = make
        self._work: Work[Any, Any] | None = None

    def do(self, task: Any) -> Any:
        """Return the result of a task, or an `InputError`."""
        try:
            self._work = self._work or self._make()
            return self._work(task)
        except InputError as error:
            return InputError(str(error))


def _run(
    ray: Any,
    make: Callable[[], Work[T, R]],
    tasks: Iterable[T],
    workers: int,
    uses_gpu: bool,
    environment: Mapping[str, str],
) -> Iterator[tuple[T, R]]:
    options: dict[str, Any] = {
        "num_cpus": 1,
        "max_restarts": -1,
        "max_task_retries": ATTEMPTS - 1,
        "scheduling_strategy": "SPREAD",
        "runtime_env": {"env_vars": dict(environment)},
    }
    if uses_gpu:
        options["num_gpus"] = min(1.0, ray.cluster_resources().get("GPU", 0.0) / workers)
    kind, waiting = ray.remote(**options)(_Worker), iter(tasks)
    first = list(islice(waiting, workers))
    actors = [kind.remote(make) for _ in first]
    try:
        busy = {actor.do.remote(task): (actor, task) for actor, task in zip(actors, first, strict=True)}
        while busy:
            for done in ray.wait(list(busy))[0]:
                actor, task = busy.pop(done)
                try:
                    result = ray.get(done)
                except ray.exceptions.RayActorError as error:
                    raise _failed(error, task) from None
                if isinstance(result, InputError):
                    raise result
                yield task, result
                busy |= {actor.do.remote(following): (actor, following) for following in islice(waiting, 1)}
    finally:
        for actor in actors:
            ray.kill(actor)


def _failed(error: Any, task: object) -> InputError:
    if error.actor_init_failed:
        reason = " ".join(str(error).split())[-200:]
        return InputError(f"--executor ray: no worker can start; is this package on every node? (... {reason})")
    return killed(task)


def _started(address: str | None) -> tuple[Any, bool]:
    """Return Ray, connected to its cluster, and whether it was not so before."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # read when Ray is imported; it would call home
    if _is_own(address):
        # read when Ray is imported: its node is the loopback; by default it listens on all interfaces, without a
        # password, and whoever reaches it may run code
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    import ray

    if ray.is_initialized():
        return ray, False
    try:
        ray.init(**start_options(address))
    except Exception as error:  # Ray raises bare ones, too
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"--address: no Ray cluster there ({reason}); start one with `ray start`") from None
    return ray, True


def _is_own(address: str | None) -> bool:
    """Tell whether a Ray of our own is started: no address is given, here or in RAY_ADDRESS."""
    return not (address or os.environ.get("RAY_ADDRESS"))


def start_options(address: str | None) -> dict[str, Any]:
    """Return how Ray is started: a cluster's is joined, one of our own has no dashboard."""
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    own = {"address": "local", "include_dashboard": False}
    return {**(own if _is_own(address) else {"address": address}), **quiet}


def _number(ray: Any, workers: int | None) -> int:
    processors = int(ray.cluster_resources().get("CPU", 0))
    if workers is not None and workers > processors:
        raise InputError(f"--workers: {workers}, but the Ray cluster has {processors} processors; give fewer")
    return workers or processors
