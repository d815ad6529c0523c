"""The folder of a BERT checkpoint that somebody else wrote: what of it may be used, checked before a library sees it.

transformers does much with a folder: it imports classes and packages that the configuration names, unpickles weights,
allocates what the configuration asks for, and fills in missing weights at random. So it is shown a folder of our own:
the weights (safetensors alone), and of configuration and tokenizer what a BERT has and we have checked.
"""

import json
import math
import os
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from textsimp.core.errors import bad_input
from textsimp.core.model_folder import MANIFEST, ModelKind
from textsimp.core.reading import quoted, read_json, read_lines
from textsimp.core.tensors import Shape, check_tensors

PAIR_ENCODER = ModelKind("encoder", "config.json")
"""A pair encoder that we trained: a checkpoint with a manifest."""
CONFIG, WEIGHTS, TOKENIZER, WORDS = "config.json", "model.safetensors", "tokenizer.json", "vocab.txt"
TOKENIZER_CONFIG, SPECIAL = "tokenizer_config.json", "special_tokens_map.json"
FILES = (CONFIG, WEIGHTS, TOKENIZER, WORDS, TOKENIZER_CONFIG, SPECIAL)
"""All that is read of a checkpoint's folder."""

_REMEDY = "give the folder of a BERT checkpoint"
_CODE = ("auto_map", "custom_pipelines", "quantization_config", "custom_code")
_OTHER_KINDS = ("is_decoder", "add_cross_attention", "is_encoder_decoder", "pruned_heads")
_SIZES = {
    "vocab_size": (5, 2_000_000),
    "hidden_size": (1, 16_384),
    "num_hidden_layers": (1, 256),
    "num_attention_heads": (1, 1024),
    "intermediate_size": (1, 131_072),
    "max_position_embeddings": (4, 1_000_000),
    "type_vocab_size": (2, 1024),
}
_SHARES = {
    "attention_probs_dropout_prob": 1.0,
    "hidden_dropout_prob": 1.0,
    "classifier_dropout": 1.0,
    "layer_norm_eps": 0.1,
    "initializer_range": 1e3,
}
"""Numbers from 0, and what they are below."""
_CHOICES = {
    "hidden_act": ("gelu", "gelu_new", "gelu_fast", "gelu_pytorch_tanh", "quick_gelu", "relu", "silu", "swish", "tanh"),
    "position_embedding_type": ("absolute",),
    "dtype": ("float32", "float16", "bfloat16"),
    "torch_dtype": ("float32", "float16", "bfloat16"),
}
_NORMALIZERS = ("BertNormalizer", "Lowercase", "StripAccents", "Strip", "NFC", "NFD", "NFKC", "NFKD")
_SPLITTERS = ("BertPreTokenizer", "Whitespace", "WhitespaceSplit", "Punctuation")
_POST_PROCESSORS = ("TemplateProcessing", "BertProcessing")
_TOKENIZERS = ("BertTokenizer", "BertTokenizerFast", "PreTrainedTokenizerFast", "TokenizersBackend")
_SPECIAL_TOKENS = ("unk_token", "sep_token", "pad_token", "cls_token", "mask_token")
_FLAGS = ("do_lower_case", "do_basic_tokenize", "tokenize_chinese_chars", "strip_accents")


class Checkpoint:
    """A checked folder.

    Attributes:
        folder: where the files are.
        config: what of config.json is used.
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
        self.config = _checked_config(self.folder / CONFIG)
        self._parts = {CONFIG: self.config, **_tokenizer_parts(self.folder, self.config["vocab_size"])}
        _check_weights(self.folder, self.config)

    def show(self, folder: Path) -> None:
        """Write into an empty folder what a library may see: the weights by a link, all else as checked."""
        for name, value in self._parts.items():
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
        weights = (self.folder / WEIGHTS).resolve()
        try:
            (folder / WEIGHTS).symlink_to(weights)
        except OSError:  # a system without links
            shutil.copyfile(weights, folder / WEIGHTS)


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


def _checked_config(path: Path) -> dict[str, Any]:
    stored = _read_object(path)
    if stored.get("model_type") != "bert":
        what = f"not a BERT checkpoint: model_type is {_shown(stored.get('model_type'))}"
        raise bad_input(path, None, what, _REMEDY)
    for key in _OTHER_KINDS:
        if stored.get(key):
            raise bad_input(path, None, f"{key} is set: no encoder as BERT is", _REMEDY)
    config: dict[str, Any] = {"model_type": "bert"}
    for key, (low, high) in _SIZES.items():
        _take(config, stored, key, path, f"a whole number from {low} to {high}", _is_from(low, high), needed=True)
    for key, limit in _SHARES.items():
        _take(config, stored, key, path, f"a number from 0 to below {limit:g}", _is_below(limit))
    for key, choices in _CHOICES.items():
        _take(config, stored, key, path, f"one of {', '.join(choices)}", choices.__contains__)
    last = config["vocab_size"] - 1
    _take(config, stored, "pad_token_id", path, f"a whole number from 0 to {last}", _is_from(0, last))
    if config["hidden_size"] % config["num_attention_heads"]:
        raise bad_input(path, None, "hidden_size is no multiple of num_attention_heads", _REMEDY)
    return config


def _take(
    config: dict[str, Any],
    stored: Mapping[str, Any],
    key: str,
    path: Path,
    wanted: str,
    fits: Callable[[Any], bool],
    needed: bool = False,
) -> None:
    """Copy a value that fits; null and absent ones are left to the library's defaults, unless `needed`."""
    value = stored.get(key)
    if value is None and not needed:
        return
    if isinstance(value, list | dict) or not fits(value):
        raise bad_input(path, None, f"{key} is {_shown(value)}, not {wanted}", _REMEDY)
    config[key] = value


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return quoted(value)
    return "missing" if value is None else repr(value)[:40] if isinstance(value, int | float) else type(value).__name__


def _is_from(low: int, high: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and low <= value <= high


def _is_below(limit: float) -> Callable[[Any], bool]:
    return lambda value: type(value) in (int, float) and 0 <= value < limit


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
    """The weights of a BERT encoder, its pooler apart. Written as (out, in) like torch's."""
    width, inner = config["hidden_size"], config["intermediate_size"]
    shapes: dict[str, Shape] = {
        "embeddings.word_embeddings.weight": (config["vocab_size"], width),
        "embeddings.position_embeddings.weight": (config["max_position_embeddings"], width),
        "embeddings.token_type_embeddings.weight": (config["type_vocab_size"], width),
        **_norm("embeddings.LayerNorm", width),
    }
    for layer in range(config["num_hidden_layers"]):
        prefix = f"encoder.layer.{layer}."
        for part in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            shapes |= {f"{prefix}{part}.weight": (width, width), f"{prefix}{part}.bias": (width,)}
        shapes |= {f"{prefix}intermediate.dense.weight": (inner, width), f"{prefix}intermediate.dense.bias": (inner,)}
        shapes |= {f"{prefix}output.dense.weight": (width, inner), f"{prefix}output.dense.bias": (width,)}
        shapes |= _norm(f"{prefix}attention.output.LayerNorm", width) | _norm(f"{prefix}output.LayerNorm", width)
    return shapes


def _norm(name: str, width: int) -> dict[str, Shape]:
    return {f"{name}.weight": (width,), f"{name}.bias": (width,)}


def _tokenizer_parts(folder: Path, vocabulary: int) -> dict[str, Any]:
    """The tokenizer's files as checked: text of vocab.txt, JSON of the others."""
    parts: dict[str, Any] = {}
    if (folder / TOKENIZER).exists():
        parts[TOKENIZER] = _checked_tokenizer(folder / TOKENIZER, vocabulary)
    if (folder / WORDS).exists():
        parts[WORDS] = _checked_words(folder / WORDS, vocabulary)
    if not parts:
        raise bad_input(folder / TOKENIZER, None, f"no such file, and no {WORDS}", _REMEDY)
    parts[TOKENIZER_CONFIG] = _checked_settings(folder / TOKENIZER_CONFIG)
    if (folder / SPECIAL).exists():
        parts[SPECIAL] = _special_tokens(_read_object(folder / SPECIAL), folder / SPECIAL)
    return parts


def _checked_words(path: Path, vocabulary: int) -> str:
    words = read_lines(path)
    if not 5 <= len(words) <= vocabulary:
        raise bad_input(path, None, f"{len(words)} pieces, where {CONFIG} has room for {vocabulary}", _REMEDY)
    for number, word in enumerate(words, 1):
        if len(word) > 1000:
            raise bad_input(path, number, f"a piece of {len(word)} characters", _REMEDY)
    return "\n".join(words) + "\n"


def _checked_tokenizer(path: Path, vocabulary: int) -> dict[str, Any]:
    """The tokenizer without settings of length and padding, which the caller has."""
    stored = _read_object(path)
    model = stored.get("model")
    if not isinstance(model, dict) or model.get("type", "WordPiece") != "WordPiece":
        raise bad_input(path, None, "no WordPiece tokenizer", _REMEDY)
    pieces, added = model.get("vocab"), stored.get("added_tokens")
    fits = _is_from(0, vocabulary - 1)
    if not isinstance(pieces, dict) or not pieces or not all(map(fits, pieces.values())):
        raise bad_input(path, None, f"its vocabulary is none of {vocabulary} pieces, as {CONFIG} has it", _REMEDY)
    if len(set(pieces.values())) != len(pieces):
        raise bad_input(path, None, "two pieces have one number", _REMEDY)
    if not isinstance(added or [], list) or not all(_is_added(row, fits) for row in added or []):
        raise bad_input(path, None, f"an added token that is none of {vocabulary} pieces", _REMEDY)
    _check_step(stored.get("normalizer"), "normalizers", _NORMALIZERS, path)
    _check_step(stored.get("pre_tokenizer"), "pretokenizers", _SPLITTERS, path)
    _check_step(stored.get("post_processor"), "", _POST_PROCESSORS, path)
    _check_step(stored.get("decoder"), "", ("WordPiece",), path)
    return {**stored, "padding": None, "truncation": None}


def _is_added(row: Any, fits: Callable[[Any], bool]) -> bool:
    return isinstance(row, dict) and fits(row.get("id")) and isinstance(row.get("content"), str)


def _check_step(step: Any, inner: str, known: tuple[str, ...], path: Path) -> None:
    """Steps that a BERT has; others may take expressions that need for ever."""
    if step is None:
        return
    kind = step.get("type") if isinstance(step, dict) else None
    if inner and kind == "Sequence" and isinstance(step.get(inner), list):
        for part in step[inner]:
            _check_step(part, inner, known, path)
    elif kind not in known:
        raise bad_input(path, None, f"a step {_shown(kind)}, which no BERT tokenizer has", _REMEDY)


def _checked_settings(path: Path) -> dict[str, Any]:
    """What a BERT's tokenizer is told; its added tokens are in tokenizer.json too."""
    stored = _read_object(path) if path.exists() else {}
    settings = _special_tokens(stored, path)
    for key in _FLAGS:
        _take(settings, stored, key, path, "true or false", lambda value: isinstance(value, bool))
    _take(settings, stored, "tokenizer_class", path, f"one of {', '.join(_TOKENIZERS)}", _TOKENIZERS.__contains__)
    _take(settings, stored, "model_max_length", path, "a number of word pieces", _is_below(math.inf))
    return settings


def _special_tokens(stored: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """The special tokens as text; some files have them as objects with flags, which tokenizer.json has too."""
    tokens: dict[str, Any] = {}
    for key in _SPECIAL_TOKENS:
        value = stored.get(key)
        token = value.get("content") if isinstance(value, dict) else value
        _take(tokens, {key: token}, key, path, "a piece", lambda piece: isinstance(piece, str) and len(piece) < 100)
    return tokens
