"""What runs inside fairseq's processes: its own command-line tools, and the export of a trained model.

    python -m textsimp.simplification.fairseq_entry preprocess|train|generate [--export MODEL] OPTION ...

Nothing of the project imports this module; `fairseq_runs` starts it.
"""

import argparse
import contextlib
import importlib
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from textsimp.errors import InputError, exit_on_bad_input

EXPORTED = ("model", "task")
"""The sections of a checkpoint's configuration that generation reads."""


@exit_on_bad_input
def main() -> None:
    """Run the tool that the first argument names with the other arguments."""
    tool, arguments = sys.argv[1], sys.argv[2:]
    if "--export" in arguments:
        place = arguments.index("--export")
        target = arguments[place + 1]
        del arguments[place : place + 2]
    else:
        target = None
    with _no_statistics():
        module = importlib.import_module(f"fairseq_cli.{tool}")
    sys.argv = [f"fairseq-{tool}", *arguments]
    module.cli_main()
    if target is not None:
        save_dir = Path(arguments[arguments.index("--save-dir") + 1])
        export(save_dir / "checkpoint_best.pt", Path(target))


def export(checkpoint: Path, target: Path) -> None:
    """Write what generation needs of a training checkpoint: no optimizer, no clock, no path of this machine."""
    import torch

    if not checkpoint.is_file():
        raise InputError(f"{checkpoint}: fairseq-train left no best checkpoint; see its log")
    torch.serialization.add_safe_globals([argparse.Namespace])
    state = torch.load(checkpoint, map_location="cpu", weights_only=True)
    cfg = {section: _without_paths(state["cfg"][section]) for section in EXPORTED}
    torch.save(
        {
            "args": None,
            "cfg": cfg,
            "model": state["model"],
            "optimizer_history": [{**state["optimizer_history"][-1], "lr_scheduler_state": {}}],
            "task_state": {},
            "extra_state": {},
        },
        target,
    )


def _without_paths(section: Any) -> Any:
    values = vars(section) if isinstance(section, argparse.Namespace) else section
    kept = {key: value for key, value in values.items() if key not in PATHS}
    return argparse.Namespace(**kept) if isinstance(section, argparse.Namespace) else kept


PATHS = ("data", "save_dir", "user_dir", "log_file", "restore_file", "encoder_embed_path", "decoder_embed_path")
"""Settings that hold places on this machine."""


@contextlib.contextmanager
def _no_statistics() -> Iterator[None]:
    """Let fairseq start without scikit-learn and scipy.stats, which take as long to import as all the rest.

    Fairseq needs them for the scores of sentence classification only, which no simplifier computes.
    """
    stand_ins = {
        "sklearn.metrics": ("f1_score", "matthews_corrcoef"),
        "sklearn": ("metrics",),
        "scipy.stats": ("pearsonr", "spearmanr"),
    }
    for name, attributes in stand_ins.items():
        module = types.ModuleType(name)
        for attribute in attributes:
            setattr(module, attribute, None)
        sys.modules[name] = module
    try:
        yield
    finally:
        for name in stand_ins:
            del sys.modules[name]


if __name__ == "__main__":
    main()
