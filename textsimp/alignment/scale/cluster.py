"""Shards on a Ray cluster: actors that hold the system, restarted by Ray where a process or a node dies (F2)."""

import importlib.util
import logging
import os
from collections.abc import Iterator, Sequence
from typing import Any

from textsimp.alignment.scale.setup import Setup
from textsimp.alignment.scale.shards import Shard
from textsimp.alignment.scale.worker import ATTEMPTS, ONE_THREAD, Answer, Worker, killed_too_often
from textsimp.errors import InputError


def run_ray(
    setup: Setup, shards: Sequence[Shard], workers: int | None, address: str | None = None
) -> Iterator[tuple[Shard, Answer]]:
    """Align shards; each comes back when it is done, in no fixed order.

    Input and model lie at the same paths on every node, as on a shared file system, and the nodes have this package;
    the driver alone writes.

    Args:
        workers: actors; None takes one for each processor of the cluster.
        address: of the cluster; None takes RAY_ADDRESS, or starts one on this machine.

    Raises:
        InputError: Ray is not installed, there is no such cluster, it has fewer processors, or a shard's worker was
            killed several times.
    """
    ray = _ray()
    started = not ray.is_initialized()
    if started:
        _connect(ray, address)
    try:
        yield from _run(ray, setup, shards, min(_number(ray, workers), len(shards)))
    finally:
        if started:
            ray.shutdown()


def _run(ray: Any, setup: Setup, shards: Sequence[Shard], workers: int) -> Iterator[tuple[Shard, Answer]]:
    options: dict[str, Any] = {
        "num_cpus": 1,
        "max_restarts": -1,
        "max_task_retries": ATTEMPTS - 1,
        "scheduling_strategy": "SPREAD",
        "runtime_env": {"env_vars": ONE_THREAD},
    }
    if setup.runtime.device != "cpu":
        options["num_gpus"] = min(1.0, ray.cluster_resources().get("GPU", 0.0) / workers)
    kind = ray.remote(**options)(Worker)
    waiting = iter(shards)
    busy: dict[Any, tuple[Any, Shard]] = {}

    def give(actor: Any) -> None:
        shard = next(waiting, None)
        if shard is not None:
            busy[actor.align.remote(shard)] = actor, shard

    actors = [kind.remote(setup) for _ in range(workers)]
    try:
        for actor in actors:
            give(actor)
        while busy:
            for done in ray.wait(list(busy))[0]:
                actor, shard = busy.pop(done)
                try:
                    answer = ray.get(done)
                except ray.exceptions.RayActorError as error:
                    raise _failed(error, shard) from None
                yield shard, answer
                give(actor)
    finally:
        for actor in actors:
            ray.kill(actor)


def _failed(error: Any, shard: Shard) -> InputError:
    if error.actor_init_failed:
        reason = " ".join(str(error).split())[-200:]
        return InputError(f"--executor ray: no worker can start; is this package on every node? (... {reason})")
    return killed_too_often(shard)


def _ray() -> Any:
    if importlib.util.find_spec("ray") is None:
        raise InputError("--executor ray: Ray is not installed; run `pip install -r requirements-ray.txt`")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # read when Ray is imported; it would call home
    import ray

    return ray


def _connect(ray: Any, address: str | None) -> None:
    try:
        ray.init(address=address, include_dashboard=None, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"--address: no Ray cluster there ({reason}); start one with `ray start`") from None


def _number(ray: Any, workers: int | None) -> int:
    processors = int(ray.cluster_resources().get("CPU", 0))
    if workers is not None and workers > processors:
        raise InputError(f"--workers: {workers}, but the Ray cluster has {processors} processors; give fewer")
    return workers or processors
