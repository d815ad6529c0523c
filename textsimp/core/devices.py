"""Where models compute."""

from textsimp.core.errors import InputError


def resolve_device(device: str) -> str:
    """The torch device that `runtime.device` means: `cpu`, `cuda`, `cuda:N`, or `auto`, a GPU if there is one.

    torch is imported only if it has to be asked.

    Raises:
        InputError: the device is unknown, or a GPU was asked for and there is none.
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
