"""Models and interrupted runs on disk: safetensors and JSON."""

from dataclasses import asdict, astuple, dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from textsimp.errors import bad_input
from textsimp.simplification.editnts.config import EditNtsConfig
from textsimp.simplification.editnts.model import EditNts
from textsimp.simplification.editnts.vocabulary import Vocabulary, load_vocabulary
from textsimp.simplification.interface import Epoch
from textsimp.textfiles import atomic_folder, read_json, write_json

# What a model needs to be built again; the rest of the configuration may change between training and generation.
_ARCHITECTURE = ("kind", "tagger", "embedding_size", "tag_size", "hidden_size")


@dataclass
class Progress:
    """The curve so far, the score of each epoch on dev (higher is better), and the best weights (on the CPU)."""

    curve: list[Epoch] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    best: dict[str, Tensor] = field(default_factory=dict)

    @property
    def best_epoch(self) -> int:
        """The first epoch with the highest score, from 1; 0 before the first."""
        return self.scores.index(max(self.scores)) + 1 if self.scores else 0

    def record(self, row: Epoch, score: float, network: EditNts) -> None:
        """Add an epoch, and keep its weights where it is the best."""
        self.curve.append(row)
        self.scores.append(score)
        if self.best_epoch == row.epoch:
            self.best = {name: value.detach().cpu().clone() for name, value in network.state_dict().items()}


def save_model(folder: Path, weights: dict[str, Tensor], vocabulary: Vocabulary, config: EditNtsConfig) -> None:
    """Write `model.safetensors`, `vocabulary.txt` and `config.json` into a folder."""
    save_file(weights, folder / "model.safetensors")
    vocabulary.save(folder / "vocabulary.txt")
    write_json(folder / "config.json", asdict(config))


def load_model(folder: Path, vocabulary: Vocabulary, config: EditNtsConfig) -> EditNts:
    """The model of a folder; `InputError` where it has another vocabulary or shape than these, or is damaged."""
    found: Any = read_json(folder / "config.json")
    expected = asdict(config)
    if not isinstance(found, dict) or any(found.get(key) != expected[key] for key in _ARCHITECTURE):
        raise bad_input(folder / "config.json", None, "the model has another configuration", "train it again")
    if load_vocabulary(folder / "vocabulary.txt") != vocabulary:
        raise bad_input(folder / "vocabulary.txt", None, "not the vocabulary of the binarized corpus", "train it again")
    network = EditNts(vocabulary, config)
    path = folder / "model.safetensors"
    try:
        network.load_state_dict(load_file(path))
    except (OSError, SafetensorError, RuntimeError) as error:
        reason = " ".join(str(error).split())[:200]
        raise bad_input(path, None, f"not the weights of this model ({reason})", "train it again") from None
    return network


def save_progress(
    partial: Path,
    progress: Progress,
    network: EditNts,
    optimizer: torch.optim.Optimizer,
    run: dict[str, Any],
) -> None:
    """Replace the state of an interrupted run (`run_settings`); Adam's moments are stored beside the weights."""
    tensors = {f"network.{name}": value for name, value in network.state_dict().items()}
    tensors |= {f"best.{name}": value for name, value in progress.best.items()}
    for index, state in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{index}.{name}": value for name, value in state.items()}
    with atomic_folder(partial / "state") as folder:
        save_file({name: value.detach().cpu().clone() for name, value in tensors.items()}, folder / "state.safetensors")
        curve = [astuple(row) for row in progress.curve]
        write_json(folder / "state.json", {"run": run, "curve": curve, "scores": progress.scores})


def load_progress(partial: Path, network: EditNts, optimizer: torch.optim.Optimizer, run: dict[str, Any]) -> Progress:
    """Continue an interrupted run in place; a new run where there is none, or one of another configuration."""
    folder = partial / "state"
    if not folder.exists():
        return Progress()
    row = read_json(folder / "state.json")
    if row["run"] != run:
        return Progress()
    tensors = load_file(folder / "state.safetensors")
    network.load_state_dict(_part(tensors, "network."))
    states: dict[int, dict[str, Tensor]] = {}
    for name, value in _part(tensors, "optimizer.").items():
        index, _, key = name.partition(".")
        states.setdefault(int(index), {})[key] = value
    optimizer.load_state_dict({**optimizer.state_dict(), "state": states})
    return Progress([Epoch(*values) for values in row["curve"]], row["scores"], _part(tensors, "best."))


def run_settings(vocabulary: Vocabulary, config: EditNtsConfig) -> dict[str, Any]:
    """What must agree for a run to be continued; a longer one may be asked for."""
    free = ("max_updates", "max_epochs", "patience")
    settings = {key: value for key, value in asdict(config).items() if key not in free}
    return {"config": settings, "words": list(vocabulary.words), "addable": vocabulary.addable}


def _part(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}
