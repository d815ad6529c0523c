"""A BERT that is only asked for its states (Devlin et al. 2019): no dropout, no gradient, no transformers to import.

The library needs half of the time in which 80 document pairs are aligned, to say nothing but what is below.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import BeforeValidator
from torch import Tensor
from torch.nn import functional

from textsimp.core.checkpoint import REMEDY, TOKENIZER, TOKENIZER_CONFIG, WEIGHTS, WORDS, modern_name
from textsimp.core.errors import bad_input, one_line
from textsimp.core.pretrained import encoder
from textsimp.core.resumable import load_tensors
from textsimp.core.settings import read_as

_ACTIVATIONS = {
    "gelu": functional.gelu,
    **dict.fromkeys(("gelu_new", "gelu_fast", "gelu_pytorch_tanh"), lambda x: functional.gelu(x, approximate="tanh")),
    "quick_gelu": lambda x: x * torch.sigmoid(1.702 * x),
    "relu": functional.relu,
    **dict.fromkeys(("silu", "swish"), functional.silu),
    "tanh": torch.tanh,
}
# some files have special tokens as objects with flags, which tokenizer.json has too
_Token = Annotated[str, BeforeValidator(lambda token: token.get("content") if isinstance(token, dict) else token)]


@dataclass(frozen=True)
class _Tokenizer:
    """The part of tokenizer_config.json that its other files do not say."""

    cls_token: _Token = "[CLS]"
    sep_token: _Token = "[SEP]"
    pad_token: _Token = "[PAD]"
    do_lower_case: bool = True
    strip_accents: bool | None = None


class States(NamedTuple):
    """A batch of texts, padded to one length.

    Attributes:
        pieces: ids of the word pieces, [CLS] and [SEP] among them. Shape: (N, W).
        attention: which are no padding. Shape: (N, W), bool.
        layers: states after the layers that were asked for. Shape of each: (N, W, width).
    """

    pieces: Tensor
    attention: Tensor
    layers: list[Tensor]


class FrozenEncoder:
    """The checkpoint of a BERT, in single precision.

    Attributes:
        max_length: word pieces of a text, [CLS] and [SEP] among them; longer ones are cut.
        batch_size: texts that a caller should give at a time.
        layers: how many the network has.
        heads: of each layer.
        eps: of the layer norms.
        weights: by their names in the checkpoint.
        unknown: id of [UNK].
    """

    def __init__(self, name: str | Path, max_length: int, device: str, batch_size: int) -> None:
        """Load an encoder as `pretrained.encoder` finds it; `InputError` where it is none that can be used."""
        checkpoint = encoder(name)
        config = checkpoint.config
        self.device, self.batch_size = device, batch_size
        self.max_length = min(max_length, config["max_position_embeddings"])
        self.layers, self.heads = config["num_hidden_layers"], config["num_attention_heads"]
        self.eps = config["layer_norm_eps"]
        self._activation = _ACTIVATIONS[config["hidden_act"]]
        self._tokenizer, frame = _tokenizer(checkpoint.folder)
        self.unknown = self._tokenizer.token_to_id(self._tokenizer.model.unk_token)
        self._first, self._last, self._padding = frame
        weights = load_tensors(checkpoint.folder / WEIGHTS, "fetch or convert it again")
        if max(*frame, *self._tokenizer.get_vocab().values()) >= config["vocab_size"]:
            what = "its tokenizer has pieces that its weights have not"
            raise bad_input(checkpoint.folder, None, what, "check its files")
        self.weights = {
            modern_name(key): value.float().to(device) for key, value in weights.items() if value.is_floating_point()
        }

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """The word pieces of each text, cut to the encoder's length, without [CLS] and [SEP]."""
        encoded = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [row.ids[: self.max_length - 2] for row in encoded]

    @torch.inference_mode()
    def states(self, texts: Sequence[str], layers: Sequence[int]) -> States:
        """The states of a batch of texts after some layers; 0 is the input."""
        rows = [[self._first, *ids, self._last] for ids in self.pieces(texts)]
        width = max(map(len, rows))
        pieces = torch.tensor([row + [self._padding] * (width - len(row)) for row in rows], device=self.device)
        lengths = torch.tensor([len(row) for row in rows], device=self.device)
        attention = torch.arange(width, device=self.device) < lengths[:, None]  # (N, W)
        weight = self.weights
        states = weight["embeddings.word_embeddings.weight"][pieces]
        states = states + weight["embeddings.token_type_embeddings.weight"][0]
        states = self._norm("embeddings", states + weight["embeddings.position_embeddings.weight"][:width])
        by_layer = {0: states}
        for layer in range(max(layers)):
            states = self._layer(f"encoder.layer.{layer}.", states, attention)
            if layer + 1 in layers:
                by_layer[layer + 1] = states
        return States(pieces, attention, [by_layer[layer] for layer in layers])

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the mean state of the last layer over each text's word pieces, of length 1. Shape: (N, width)."""
        distinct = sorted(set(texts), key=lambda text: (len(text), text))
        rows: dict[str, NDArray[np.float64]] = {}
        for start in range(0, len(distinct), self.batch_size):
            batch = distinct[start : start + self.batch_size]
            states = self.states(batch, [self.layers])
            known = states.attention.unsqueeze(2).to(states.layers[0])
            means = (states.layers[0] * known).sum(1) / known.sum(1)
            rows.update(zip(batch, (means / means.norm(dim=1, keepdim=True)).double().cpu().numpy(), strict=True))
        return np.stack([rows[text] for text in texts])

    def _layer(self, prefix: str, states: Tensor, attention: Tensor) -> Tensor:
        """One block: attention of all heads, then two linear layers, each added to its input and normalised."""
        size, width, _ = states.shape
        query, key, value = (
            self._linear(f"{prefix}attention.self.{part}", states).view(size, width, self.heads, -1).transpose(1, 2)
            for part in ("query", "key", "value")
        )  # (N, heads, W, width / heads)
        mask = None if attention.all() else attention[:, None, None, :]
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        seen = self._linear(f"{prefix}attention.output.dense", seen.transpose(1, 2).flatten(2))
        states = self._norm(f"{prefix}attention.output", seen + states)
        inner = self._activation(self._linear(f"{prefix}intermediate.dense", states))
        return self._norm(f"{prefix}output", self._linear(f"{prefix}output.dense", inner) + states)

    def _linear(self, name: str, values: Tensor) -> Tensor:
        return functional.linear(values, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])

    def _norm(self, name: str, values: Tensor) -> Tensor:
        weight, bias = (self.weights[f"{name}.LayerNorm.{part}"] for part in ("weight", "bias"))
        return functional.layer_norm(values, weight.shape, weight, bias, self.eps)


def _tokenizer(folder: Path) -> tuple[Any, tuple[int, int, int]]:
    """Return the tokenizer of a checkpoint, and the ids of [CLS], [SEP] and [PAD]."""
    from tokenizers import BertWordPieceTokenizer, Tokenizer

    path = folder / TOKENIZER_CONFIG
    settings = read_as(path, _Tokenizer, REMEDY, is_closed=False) if path.exists() else _Tokenizer()
    try:
        if (folder / TOKENIZER).exists():
            tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
            tokenizer.no_padding()
            tokenizer.no_truncation()
        else:
            lower, accents = settings.do_lower_case, settings.strip_accents
            tokenizer = BertWordPieceTokenizer(str(folder / WORDS), lowercase=lower, strip_accents=accents)
        tokenizer.encode("a")
        tokenizer.token_to_id(tokenizer.model.unk_token)
    except BaseException as error:  # a library's panic in Rust is no Exception
        if isinstance(error, MemoryError | KeyboardInterrupt | SystemExit):
            raise
        raise bad_input(folder, None, f"its tokenizer cannot be used ({one_line(error)[:200]})", REMEDY) from None
    names = settings.cls_token, settings.sep_token, settings.pad_token
    ids = [number for name in names if (number := tokenizer.token_to_id(name)) is not None]
    if len(ids) < 3:
        raise bad_input(folder, None, "its tokenizer has not BERT's [CLS], [SEP] and [PAD]", REMEDY)
    return tokenizer, (ids[0], ids[1], ids[2])
