"""The device on which models compute, and the number of threads."""

import contextlib
import os
import sys
from collections.abc import Iterator

from threadpoolctl import threadpool_limits

from textsimp.core.errors import InputError

ONE_THREAD = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    "OMP_WAIT_POLICY": "PASSIVE",
    "TOKENIZERS_PARALLELISM": "false",
}
"""Environment of a worker: with as many workers as processors more threads only wait for each other, and the last
bits of a sum may depend on their number."""


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0))


def resolve_device(device: str) -> str:
    """Return the torch device that `runtime.device` means: `cpu`, `cuda`, `cuda:N`, or `auto`, a GPU if there is one.

    `InputError` where it is unknown, or a GPU was asked for and there is none. torch is imported if it has to be asked.
    """
    kind, _, number = device.partition(":")
    if kind not in ("auto", "cpu", "cuda") or (number and (kind != "cuda" or not number.isdigit())):
        raise InputError(f"runtime.device: {device!r} is none of auto, cpu, cuda and cuda:N")
    if kind == "cpu":
        return "cpu"
    import torch

    gpus = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if kind == "cuda" and int(number or 0) >= gpus:
        raise InputError(f"runtime.device: {device!r}, but torch finds {gpus} GPUs here; set `auto` or `cpu`")
    return device if kind == "cuda" else "cuda" if gpus else "cpu"


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """In the block this process computes as a worker with `ONE_THREAD` does, torch too if it is imported there."""
    before = sys.modules["torch"].get_num_threads() if "torch" in sys.modules else processors()
    kept = {name: os.environ[name] for name in ONE_THREAD if name in os.environ}
    os.environ.update(ONE_THREAD)
    _set_threads(1)
    try:
        with threadpool_limits(1):
            yield
    finally:
        _set_threads(before)
        for name in ONE_THREAD:
            os.environ.pop(name, None)
        os.environ.update(kept)


def _set_threads(number: int) -> None:
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(number)
