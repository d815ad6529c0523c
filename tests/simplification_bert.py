"""A tiny BERT checkpoint of our own, as a hub or a local folder would have it, for the simplification tests."""

import json
from pathlib import Path

WORDS = "the a cat dog sat ran on mat big small . , ' s old man saw bird sang ##s ##ing".split()


def write_bert(folder: Path, layers: int = 2, hidden: int = 16) -> Path:
    """Write config.json, tokenizer.json and model.safetensors of a random BERT with unusual, non-zero weights."""
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
    from transformers import BertConfig, BertModel

    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    tokenizer = Tokenizer(models.WordPiece({piece: row for row, piece in enumerate(vocabulary)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=hidden,
        num_hidden_layers=layers,
        num_attention_heads=4,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    torch.manual_seed(1)
    model = BertModel(config)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.3)
    folder.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = json.loads((folder / "config.json").read_text())
    assert settings["hidden_act"] == "gelu"
    return folder
