"""The folder of a BERT checkpoint that somebody else wrote: what of it may be used, checked before a library sees it.

transformers does much with a folder: it imports classes and packages that the configuration names, unpickles weights,
allocates what the configuration asks for, and fills in missing weights at random. So it is shown a folder of our own:
the weights (safetensors alone), and of configuration and tokenizer what a BERT has and we have checked.
"""

import json
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from textsimp.core.errors import InputError, bad_input
from textsimp.core.model_folder import MANIFEST, ModelKind
from textsimp.core.reading import read_json
from textsimp.core.settings import structured
from textsimp.core.tensors import Shape, check_tensors

PAIR_ENCODER = ModelKind("encoder", "config.json")  # a pair encoder that we trained: a checkpoint with a manifest
CONFIG, WEIGHTS, TOKENIZER, WORDS = "config.json", "model.safetensors", "tokenizer.json", "vocab.txt"
TOKENIZER_CONFIG, SPECIAL = "tokenizer_config.json", "special_tokens_map.json"
FILES = (CONFIG, WEIGHTS, TOKENIZER, WORDS, TOKENIZER_CONFIG, SPECIAL)  # all that is read of a checkpoint's folder

_REMEDY = "give the folder of a BERT checkpoint"
_CODE = ("auto_map", "custom_pipelines", "quantization_config", "custom_code")
_OTHER_KINDS = ("is_decoder", "add_cross_attention", "is_encoder_decoder", "pruned_heads")
_Rate = Annotated[float, Field(ge=0, lt=1)]
_Activation = Literal[
    "gelu", "gelu_new", "gelu_fast", "gelu_pytorch_tanh", "quick_gelu", "relu", "silu", "swish", "tanh"
]
_Precision = Literal["float32", "float16", "bfloat16"]
# some files have special tokens as objects with flags, which tokenizer.json has too
_Token = Annotated[str, BeforeValidator(lambda token: token.get("content") if isinstance(token, dict) else token)]


@dataclass(frozen=True)
class _Config:
    """What of config.json is used; what is absent or null is left to the library's defaults."""

    vocab_size: Annotated[int, Field(ge=5, le=2_000_000)]
    hidden_size: Annotated[int, Field(ge=1, le=16_384)]
    num_hidden_layers: Annotated[int, Field(ge=1, le=256)]
    num_attention_heads: Annotated[int, Field(ge=1, le=1024)]
    intermediate_size: Annotated[int, Field(ge=1, le=131_072)]
    max_position_embeddings: Annotated[int, Field(ge=4, le=1_000_000)]
    type_vocab_size: Annotated[int, Field(ge=2, le=1024)]
    model_type: Literal["bert"]
    attention_probs_dropout_prob: _Rate | None = None
    hidden_dropout_prob: _Rate | None = None
    classifier_dropout: _Rate | None = None
    layer_norm_eps: Annotated[float, Field(ge=0, lt=0.1)] | None = None
    initializer_range: Annotated[float, Field(ge=0, lt=1000)] | None = None
    hidden_act: _Activation | None = None
    position_embedding_type: Literal["absolute"] | None = None
    dtype: _Precision | None = None
    torch_dtype: _Precision | None = None
    pad_token_id: Annotated[int, Field(ge=0)] | None = None

    def __post_init__(self) -> None:
        if self.hidden_size % self.num_attention_heads:
            raise InputError("hidden_size is no multiple of num_attention_heads")
        if self.pad_token_id is not None and self.pad_token_id >= self.vocab_size:
            raise InputError(f"pad_token_id is {self.pad_token_id}, not below vocab_size")


@dataclass(frozen=True)
class _Tokenizer:
    """What a BERT's tokenizer is told; its added tokens are in tokenizer.json too."""

    unk_token: _Token | None = None
    sep_token: _Token | None = None
    pad_token: _Token | None = None
    cls_token: _Token | None = None
    mask_token: _Token | None = None
    do_lower_case: bool | None = None
    do_basic_tokenize: bool | None = None
    tokenize_chinese_chars: bool | None = None
    strip_accents: bool | None = None
    tokenizer_class: (
        Literal["BertTokenizer", "BertTokenizerFast", "PreTrainedTokenizerFast", "TokenizersBackend"] | None
    ) = None
    model_max_length: Annotated[float, Field(ge=0)] | None = None


class Checkpoint:
    """A checked folder.

    Attributes:
        folder: where the files are.
        config: what of config.json is used.
        parts: what of each JSON file is used, by its name.
    """

    def __init__(self, folder: str | Path) -> None:
        """Check everything but what only the libraries can tell.

        Raises:
            InputError: a file is absent, damaged, of another kind of model, asks for code, or contradicts another one.
        """
        self.folder = Path(folder)
        if (self.folder / MANIFEST).exists():
            PAIR_ENCODER.check(self.folder)
        else:
            _check_links(self.folder)
        self.config = _checked(self.folder / CONFIG, _Config)
        self.parts = {CONFIG: self.config, **_tokenizer_parts(self.folder)}
        _check_weights(self.folder, self.config)

    def show(self, folder: Path) -> None:
        """Write into an empty folder what a library may see: the weights and words by links, all else as checked."""
        for name, value in self.parts.items():
            (folder / name).write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8", newline="\n")
        for path in (self.folder / name for name in (WEIGHTS, WORDS) if (self.folder / name).exists()):
            try:
                (folder / path.name).symlink_to(path.resolve())
            except OSError:  # a system without links
                shutil.copyfile(path, folder / path.name)


def _check_links(folder: Path) -> None:
    """Links may point into the folder, or as the hub's cache has them; other files of this machine stay out of it."""
    root = folder.resolve()
    blobs = root.parent.parent / "blobs" if root.parent.name == "snapshots" else root
    for name in FILES:
        target = Path(os.path.realpath(folder / name))
        if not (target.is_relative_to(root) or target.parent == blobs):
            raise bad_input(folder / name, None, "is a link out of the folder", "put the file itself there")
        if target.exists() and not target.is_file():
            raise bad_input(folder / name, None, "is no file", _REMEDY)


def _read_object(path: Path) -> dict[str, Any]:
    value = read_json(path, _REMEDY)
    if not isinstance(value, dict):
        raise bad_input(path, None, "no JSON object", _REMEDY)
    for key in _CODE:
        if value.get(key):
            what = f"asks for code of its own ({key}), which is never run"
            raise bad_input(path, None, what, "give a BERT checkpoint without")
    return value


def _checked(path: Path, kind: Any) -> dict[str, Any]:
    """Return what of a JSON object is used, without what is null."""
    stored = _read_object(path)
    for key in _OTHER_KINDS:
        if stored.get(key):
            raise bad_input(path, None, f"{key} is set: no encoder as BERT is", _REMEDY)
    try:
        found = structured(stored, kind, is_closed=False)
    except InputError as error:
        raise bad_input(path, None, f"not of a BERT checkpoint: {error}", _REMEDY) from None
    return {key: value for key, value in asdict(found).items() if value is not None}


def _check_weights(folder: Path, config: Mapping[str, Any]) -> None:
    path = folder / WEIGHTS
    if (folder / "adapter_config.json").exists():
        raise bad_input(folder / "adapter_config.json", None, "an adapter, no whole model", "merge it into its BERT")
    if not path.is_file():
        others = [*folder.glob("*.bin"), *folder.glob("*.pt"), *folder.glob("*.pth"), *folder.glob("*.pkl")]
        what = "no such file"
        if others:
            what += f"; {others[0].name} is a pickle, which can run code and is never read"
        elif any(folder.glob("*.safetensors.index.json")):
            what += ", but weights in parts"
        raise bad_input(path, None, what, "save the weights as one file of safetensors")
    shapes = {modern_name(name): shape for name, shape in check_tensors(path, "fetch or convert it again").items()}
    layers = {int(match[1]) for name in shapes if (match := re.match(r"encoder\.layer\.(\d{1,9})\.", name))}
    if beyond := sorted(layer for layer in layers if layer >= config["num_hidden_layers"]):
        raise bad_input(path, None, f"has a layer {beyond[0]} beyond those that {CONFIG} names", _REMEDY)
    for name, shape in _expected(config).items():
        if name not in shapes:
            raise bad_input(path, None, f"weight {name!r} is missing, which {CONFIG} asks for", _REMEDY)
        if shapes[name] != shape:
            what = f"weight {name!r} has shape {shapes[name][:8]} where {CONFIG} says {shape}"
            raise bad_input(path, None, what, _REMEDY)


def modern_name(name: str) -> str:
    """Without the model prefix, and LayerNorm's parameters as torch spells them (old checkpoints: gamma and beta)."""
    name = name.removeprefix("bert.")
    return re.sub(r"LayerNorm\.gamma$", "LayerNorm.weight", re.sub(r"LayerNorm\.beta$", "LayerNorm.bias", name))


def _expected(config: Mapping[str, Any]) -> dict[str, Shape]:
    """Return the shapes of the weights of a BERT encoder, its pooler apart: (out, in), as torch has them."""
    width, inner = config["hidden_size"], config["intermediate_size"]
    in_layer: dict[str, Shape] = {
        **{f"attention.{part}": (width, width) for part in ("self.query", "self.key", "self.value", "output.dense")},
        **{"intermediate.dense": (inner, width), "output.dense": (width, inner)},
        **{f"{part}.LayerNorm": (width,) for part in ("attention.output", "output")},
    }
    weights: dict[str, Shape] = {"embeddings.LayerNorm": (width,)}
    for layer in range(config["num_hidden_layers"]):
        weights |= {f"encoder.layer.{layer}.{name}": shape for name, shape in in_layer.items()}
    sizes = {"word": "vocab_size", "position": "max_position_embeddings", "token_type": "type_vocab_size"}
    shapes: dict[str, Shape] = {f"embeddings.{n}_embeddings.weight": (config[size], width) for n, size in sizes.items()}
    for name, shape in weights.items():
        shapes |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
    return shapes


def _tokenizer_parts(folder: Path) -> dict[str, Any]:
    """The tokenizer's JSON files as checked."""
    parts: dict[str, Any] = {}
    if (folder / TOKENIZER).exists():
        stored = _read_object(folder / TOKENIZER)
        model = stored.get("model")
        if not isinstance(model, dict) or model.get("type", "WordPiece") != "WordPiece":
            raise bad_input(folder / TOKENIZER, None, "no WordPiece tokenizer", _REMEDY)
        parts[TOKENIZER] = {**stored, "padding": None, "truncation": None}  # which the caller has
    elif not (folder / WORDS).exists():
        raise bad_input(folder / TOKENIZER, None, f"no such file, and no {WORDS}", _REMEDY)
    present = {
        name: _checked(folder / name, _Tokenizer) for name in (TOKENIZER_CONFIG, SPECIAL) if (folder / name).exists()
    }
    return {**parts, TOKENIZER_CONFIG: {}, **present}
