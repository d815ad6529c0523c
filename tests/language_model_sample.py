"""A tiny causal language model with a tokenizer of its own, and a configuration that trains it in seconds."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from simplifier_sample import PAIRS

from textsimp.core.params import from_conf
from textsimp.simplification.language_model import CausalLmConfig


def write_base(folder: Path, seed: int = 1, pieces: int = 300, texts: tuple[str, ...] = ()) -> Path:
    """Write a Llama of two layers with random weights, and a tokenizer of bytes learned from the pairs."""
    import torch
    from tokenizers import ByteLevelBPETokenizer
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    tokenizer = ByteLevelBPETokenizer()
    lines = [*texts, *(text for pair in PAIRS for text in pair), "Complex: Simple 4 4:"]
    tokenizer.train_from_iterator(lines, vocab_size=pieces, special_tokens=["<end>"], show_progress=False)
    PreTrainedTokenizerFast(tokenizer_object=tokenizer._tokenizer, eos_token="<end>").save_pretrained(folder)
    torch.manual_seed(seed)
    sizes: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2, "eos_token_id": 0, "bos_token_id": 0}
    config = LlamaConfig(vocab_size=pieces, max_position_embeddings=256, initializer_range=0.3, **sizes, **heads)
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def small_config(base: Path | str, **changes: Any) -> CausalLmConfig:
    """The default configuration with another base, and a short training."""
    config = from_conf("simplifier.causal_lm", CausalLmConfig)
    short: dict[str, Any] = {"rank": 4, "alpha": 8, "learning_rate": 0.02, "batch_tokens": 100, "save_updates": 7}
    short["recovery"] = replace(config.recovery, pairs=0)
    return replace(config, base=str(base), max_updates=30, max_epochs=30, **{**short, **changes})
