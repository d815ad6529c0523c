"""Files of a training: weights and the state of a stopped training as safetensors and JSON, curves as CSV."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import read_json
from textsimp.core.tensors import check_tensors
from textsimp.core.writing import atomic_file, atomic_write, write_json

_SEPARATOR = "|"


def save_tensors(path: Path, tensors: dict[str, Tensor]) -> None:
    """Write tensors as safetensors, atomically."""
    with atomic_file(path) as temporary:
        save_file({name: tensor.detach().contiguous().cpu() for name, tensor in tensors.items()}, temporary)


def load_tensors(path: Path, remedy: str = "train again") -> dict[str, Tensor]:
    """Read safetensors; `InputError` where the file is absent or damaged, or a number is not finite."""
    check_tensors(path, remedy)
    tensors = load_file(path)
    if bad := [name for name, tensor in tensors.items() if not tensor.isfinite().all()]:
        what = f"no readable weights ({bad[0][:80]!r} has a number that is not finite)"
        raise bad_input(path, None, what, remedy)
    return tensors


def load_weights(model: nn.Module, tensors: dict[str, Tensor], source: Path) -> None:
    """Fill a module; `InputError` names the first weight that is missing, left over, or of another shape."""
    check_shapes(model, tensors, source)
    model.load_state_dict(tensors)


def check_shapes(model: nn.Module, tensors: dict[str, Tensor], source: Path) -> None:
    """`InputError` where the tensors are not the weights of a module, which may be one without numbers (`meta`)."""
    wanted, remedy = model.state_dict(), "the checkpoint belongs to another configuration"
    for name in sorted(set(wanted) ^ set(tensors)):
        state = "missing" if name in wanted else "unknown"
        raise InputError(f"{source}: weight {name!r} is {state}; {remedy}")
    for name, tensor in wanted.items():
        if tensor.shape != tensors[name].shape:
            shapes = f"{tuple(tensors[name].shape)}, expected {tuple(tensor.shape)}"
            raise InputError(f"{source}: weight {name!r} has shape {shapes}; {remedy}")


class TrainingState:
    """The state with which a stopped training goes on exactly where it was, in a folder of its own.

    The random numbers of a step come from the seed and the number of the step, so no generator is stored.
    """

    def __init__(self, folder: Path, identity: dict[str, Any]) -> None:
        self.folder, self.identity = folder, identity

    def save(self, model: nn.Module, optimizer: torch.optim.Optimizer, progress: dict[str, Any]) -> None:
        """Write the state after a step; the JSON comes last and makes it valid."""
        step = progress["step"]
        save_tensors(self.folder / f"model-{step}.safetensors", model.state_dict())
        moments = {
            f"{index}{_SEPARATOR}{key}": torch.as_tensor(value)
            for index, values in optimizer.state_dict()["state"].items()
            for key, value in values.items()
        }
        save_tensors(self.folder / f"optimizer-{step}.safetensors", moments)
        write_json(self.folder / "progress.json", {"identity": self.identity, **progress})
        for old in self.folder.glob("*.safetensors"):
            if not old.stem.endswith(f"-{step}") and not old.stem.startswith("best"):
                old.unlink()

    def save_best(self, model: nn.Module) -> None:
        """Keep the weights of the best checkpoint so far."""
        save_tensors(self.folder / "best.safetensors", model.state_dict())

    def load_best(self, model: nn.Module) -> None:
        """Put the weights of the best checkpoint into the model."""
        path = self.folder / "best.safetensors"
        load_weights(model, load_tensors(path), path)

    def restore(self, model: nn.Module, optimizer: torch.optim.Optimizer) -> dict[str, Any] | None:
        """Load the last state and return its progress; None where there is none of this training."""
        path = self.folder / "progress.json"
        progress = read_json(path) if path.is_file() else {}
        if progress.get("identity") != self.identity:
            return None
        weights, moments = (self.folder / f"{kind}-{progress['step']}.safetensors" for kind in ("model", "optimizer"))
        load_weights(model, load_tensors(weights), weights)
        states: dict[int, dict[str, Tensor]] = {}
        for name, tensor in load_tensors(moments).items():
            index, key = name.split(_SEPARATOR)
            states.setdefault(int(index), {})[key] = tensor
        optimizer.load_state_dict({"state": states, "param_groups": optimizer.state_dict()["param_groups"]})
        return progress


def write_curve(path: Path, curve: Sequence[Mapping[str, Any]]) -> None:
    """Write a training curve as CSV: step, loss, dev_f1; before them part, where several were trained."""
    part = ["part"] if curve and "part" in curve[0] else []
    with atomic_write(path) as file:
        file.write(",".join([*part, "step", "loss", "dev_f1"]) + "\n")
        for row in curve:
            values = [*(row[key] for key in part), str(row["step"]), f"{row['loss']:.6f}", f"{row['dev_f1']:.4f}"]
            file.write(",".join(values) + "\n")
