"""The folder of a BERT checkpoint that somebody else wrote, checked before a library computes with it.

Code and pickles of a folder are never run: the libraries are told so where they load it. What they would pass over is
refused here: another kind of model, and weights that are absent, which they fill in at random.
"""

import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from textsimp.core.errors import InputError, bad_input
from textsimp.core.model_folder import MANIFEST, ModelKind
from textsimp.core.reading import read_json
from textsimp.core.settings import Positive, read_as
from textsimp.core.tensors import Shape, check_tensors

PAIR_ENCODER = ModelKind("encoder", "config.json")  # a pair encoder that we trained: a checkpoint with a manifest
CONFIG, WEIGHTS, TOKENIZER, WORDS = "config.json", "model.safetensors", "tokenizer.json", "vocab.txt"
TOKENIZER_CONFIG = "tokenizer_config.json"
FILES = (CONFIG, WEIGHTS, TOKENIZER, WORDS, TOKENIZER_CONFIG, "special_tokens_map.json")  # fetched of the hub
REMEDY = "give the folder of a BERT checkpoint"
_CODE = ("_attn_implementation", "attn_implementation", "quantization_config")


@dataclass(frozen=True)
class _Config:
    """The part of config.json that we ask for, with BERT's defaults; its other keys are left to transformers."""

    vocab_size: Positive
    hidden_size: Positive
    num_hidden_layers: Annotated[int, Field(ge=1, le=256)]
    num_attention_heads: Positive
    intermediate_size: Positive
    max_position_embeddings: Annotated[int, Field(ge=4, le=10**6)]
    type_vocab_size: Annotated[int, Field(ge=2, le=10**6)]
    model_type: Literal["bert"]
    layer_norm_eps: Annotated[float, Field(ge=0, lt=0.1)] = 1e-12
    hidden_act: Literal[
        "gelu", "gelu_new", "gelu_fast", "gelu_pytorch_tanh", "quick_gelu", "relu", "silu", "swish", "tanh"
    ] = "gelu"
    position_embedding_type: Literal["absolute"] = "absolute"
    is_decoder: Literal[False] = False

    def __post_init__(self) -> None:
        if self.hidden_size % self.num_attention_heads:
            raise InputError("hidden_size is no multiple of num_attention_heads")


class Checkpoint:
    """A checked folder.

    Attributes:
        folder: where the files are.
        config: what we ask of config.json.
    """

    def __init__(self, folder: str | Path) -> None:
        """Check everything but what only the libraries can tell; raise `InputError` for the first fault."""
        self.folder = Path(folder)
        if (self.folder / MANIFEST).exists():
            PAIR_ENCODER.check(self.folder)
        if (self.folder / "adapter_config.json").exists():  # transformers would load the model that it names
            raise bad_input(self.folder / "adapter_config.json", None, "an adapter, no whole model", "merge it")
        self.config = asdict(read_as(self.folder / CONFIG, _Config, REMEDY, is_closed=False))
        for key in filter(read_json(self.folder / CONFIG).get, _CODE):
            what = f"{key} is set: it names a kernel or package of others, which is never loaded"
            raise bad_input(self.folder / CONFIG, None, what, REMEDY)
        if not any((self.folder / name).is_file() for name in (TOKENIZER, WORDS)):
            raise bad_input(self.folder / TOKENIZER, None, f"no such file, and no {WORDS}", REMEDY)
        weights = self.folder / WEIGHTS
        found = check_tensors(weights, "give the weights as one file of safetensors; a pickle is never read")
        shapes = {modern_name(name): shape for name, shape in found.items()}
        for name, shape in _expected(self.config).items():
            if (here := shapes.get(name)) != shape:
                state = "is missing, which" if here is None else f"has shape {here[:8]} where"
                raise bad_input(weights, None, f"weight {name!r} {state} {CONFIG} asks for {shape}", REMEDY)


def modern_name(name: str) -> str:
    """Return a name without the model prefix, LayerNorm's parameters as torch spells them (not gamma and beta)."""
    name = name.removeprefix("bert.")
    return re.sub(r"LayerNorm\.gamma$", "LayerNorm.weight", re.sub(r"LayerNorm\.beta$", "LayerNorm.bias", name))


def _expected(config: dict[str, Any]) -> dict[str, Shape]:
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
