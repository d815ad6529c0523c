"""Run in a process of its own by test_simplification_plugin.py: what holds of the plugin, which is loaded by folder.

Arguments: a BERT's folder, a file of word weights, then pairs of an encoder's name or folder and how many of its layers
to use. Prints a JSON object.
"""

import argparse
import json
import sys
from types import SimpleNamespace

import torch
from fairseq import utils
from fairseq.data import Dictionary
from fairseq.models import ARCH_CONFIG_REGISTRY, ARCH_MODEL_REGISTRY
from transformers import BertModel

from textsimp.core.errors import InputError
from textsimp.core.pretrained import encoder
from textsimp.simplification.fairseq_corpus import WordPiece
from textsimp.simplification.fairseq_tools import PLUGIN

SENTENCES = ["The old man saw a big dog.", "A cat sat.", "the small birds sang on the mat, and the dog's bird ran"]


def main() -> None:
    folder, weights, *rest = sys.argv[1:]
    utils.import_user_module(SimpleNamespace(user_dir=str(PLUGIN)))
    plugin = sys.modules[PLUGIN.name]
    found = {
        "encoders": [compare(name, int(layers)) for name, layers in zip(rest[::2], rest[1::2], strict=True)],
        "strange": strange_weight(plugin.bert_transformer, folder),
        "loss": weighted_loss(plugin, weights),
        **blocked(plugin),
    }
    print(json.dumps(found))


def strange_weight(bert_transformer, folder: str) -> str:
    """What is said of a weight that no BERT has."""
    source = bert_transformer.read_checkpoint(folder)
    source["transformer.h.0.weight"] = torch.zeros(1)
    try:
        bert_transformer.encoder_weights(source, list(range(10)), 1, 2, "x")
    except InputError as error:
        return str(error)
    return ""


def blocked(plugin) -> dict[str, object]:
    """The tokens that may not follow each row, and whether there are any before an n-gram is complete."""
    tokens = torch.tensor([[2, 5, 6, 5, 1, 1], [2, 7, 7, 7, 1, 1], [2, 5, 6, 7, 1, 1]])
    scores = plugin.RepeatBlocker(2)(tokens, torch.zeros(3, 9), 3, 1, 3)
    early = plugin.RepeatBlocker(3)(tokens, torch.zeros(3, 9), 3, 1, 1)
    return {"blocked": [row.isinf().nonzero().flatten().tolist() for row in scores], "early": bool(early.isinf().any())}


def weighted_loss(plugin, weights: str) -> float:
    """The loss of two words, each with the log probability -2, and of padding."""
    known = Dictionary()
    target = torch.tensor([[known.add_symbol("cat"), known.add_symbol("dog"), known.pad()]])
    weighted = plugin.WeightedCrossEntropy(SimpleNamespace(target_dictionary=known), False, weights)
    network = SimpleNamespace(get_normalized_probs=lambda output, log_probs: output, get_targets=lambda *_: target)
    return float(weighted.compute_loss(network, torch.full((1, 3, len(known)), -2.0), None)[0])


def compare(name: str, layers: int) -> dict[str, object]:
    """Largest differences to transformers' BertModel at real positions, and what holds of the model beside."""
    reference = BertModel.from_pretrained(encoder(name).folder).eval()
    tokenizer = WordPiece.of_encoder(name)
    dictionary = Dictionary()
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
    before = build(name, layers, reference.config, dictionary, before=True)
    halves = (before.encoder, before.decoder)
    tables = [model.encoder.embed_tokens, model.decoder.embed_tokens, model.decoder.output_projection]
    return {
        "difference": (ours - theirs)[mask].abs().max().item(),
        "padding": (ours[1:2, : len(rows[1])] - alone).abs().max().item(),
        "padding_left": (padded_left - ours[mask]).abs().max().item(),
        "scale": theirs[mask].abs().max().item(),
        "tied": len({table.weight.data_ptr() for table in tables}) == 1,
        # the norm of BERT's embeddings is the encoder's last one, as in the release
        "before": torch.equal(before.encoder.layer_norm.weight, model.encoder.layernorm_embedding.weight)
        and all(layer.normalize_before for half in halves for layer in half.layers)
        and all(half.layernorm_embedding is None and half.layer_norm is not None for half in halves),
        "sizes": len({sum(weights.numel() for weights in each.parameters()) for each in (before, model)}),
        "fastpath": any(layer.can_use_fastpath for layer in model.encoder.layers),
    }


def encode(model: torch.nn.Module, tokens: torch.Tensor) -> torch.Tensor:
    """Hidden states of the encoder's last layer. Shape: (B, S, d)"""
    lengths = tokens.ne(model.encoder.padding_idx).sum(1)
    return model.encoder(tokens, src_lengths=lengths)["encoder_out"][0].transpose(0, 1)


def build(name: str, layers: int, shape, dictionary: Dictionary, before: bool = False):
    """The model as fairseq-train would build it; normalised before each block, or after."""
    args = argparse.Namespace(arch="bert_transformer", encoder_layers=layers, decoder_layers=1, bert_encoder=name)
    for side in ("encoder", "decoder"):
        setattr(args, f"{side}_embed_dim", shape.hidden_size)
        setattr(args, f"{side}_ffn_embed_dim", shape.intermediate_size)
        setattr(args, f"{side}_attention_heads", shape.num_attention_heads)
        setattr(args, f"{side}_normalize_before", before)
    args.max_source_positions = args.max_target_positions = shape.max_position_embeddings
    args.bert_layer_norm_eps = shape.layer_norm_eps
    args.bert_freeze_encoder = False
    ARCH_CONFIG_REGISTRY[args.arch](args)
    task = SimpleNamespace(source_dictionary=dictionary, target_dictionary=dictionary)
    return ARCH_MODEL_REGISTRY[args.arch].build_model(args, task).eval()


if __name__ == "__main__":
    main()
