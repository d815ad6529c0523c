"""A fairseq Transformer of BERT's shape, its encoder initialised from a BERT checkpoint or at random.

Jiang et al. 2020, section 5.2 and appendix D.1, after Rothe et al. 2020: encoder and decoder follow BERT
(normalisation after each block, learned positions, normalised embeddings, GELU), or have the normalisation before each
block and at the end, as in the authors' release; one embedding table serves the
encoder's input, the decoder's input and, transposed, the decoder's output; the decoder, with its cross attention,
always starts at random.

Every weight of the checkpoint is either copied, folded into another, or named here as left out with its reason, but
those of layers above the encoder's; every weight of the encoder is set.
"""

import re
from itertools import product

import torch
from fairseq.data import Dictionary
from fairseq.models import register_model, register_model_architecture
from fairseq.models.transformer import TransformerModel, base_architecture
from fairseq.modules.transformer_sentence_encoder import init_bert_params
from safetensors.torch import load_file
from torch import Tensor, nn

from textsimp.core.checkpoint import WEIGHTS, modern_name
from textsimp.core.errors import InputError
from textsimp.core.pretrained import encoder
from textsimp.simplification.fairseq_corpus import WordPiece

BERT_STD = 0.02  # standard deviation of BERT's initial weights
WORDS = "embeddings.word_embeddings.weight"
POSITIONS = "embeddings.position_embeddings.weight"
SEGMENTS = "embeddings.token_type_embeddings.weight"

# Module of the checkpoint -> module of the encoder; each has a `weight` and a `bias`; `{}` is the layer.
TABLE = {
    "embeddings.LayerNorm": "layernorm_embedding",
    "encoder.layer.{}.attention.self.query": "layers.{}.self_attn.q_proj",
    "encoder.layer.{}.attention.self.key": "layers.{}.self_attn.k_proj",
    "encoder.layer.{}.attention.self.value": "layers.{}.self_attn.v_proj",
    "encoder.layer.{}.attention.output.dense": "layers.{}.self_attn.out_proj",
    "encoder.layer.{}.attention.output.LayerNorm": "layers.{}.self_attn_layer_norm",
    "encoder.layer.{}.intermediate.dense": "layers.{}.fc1",
    "encoder.layer.{}.output.dense": "layers.{}.fc2",
    "encoder.layer.{}.output.LayerNorm": "layers.{}.final_layer_norm",
}
# Names of the checkpoint that no encoder-decoder needs, the pooled [CLS] vector, which no decoder attends to, the heads
# of the pre-training tasks, and a constant; and the embeddings, which are none of `TABLE`.
OTHERS = re.compile(r"pooler\.|cls\.|embeddings\.(position_ids|\w+_embeddings\.weight)$")


def load_encoder(encoder: nn.Module, dictionary: Dictionary, name: str) -> None:
    """Set every weight of fairseq's TransformerEncoder from the BERT checkpoint `name`, of its lowest layers.

    The dictionary holds WordPieces, and the four special symbols of fairseq for BERT's.

    Raises:
        InputError: the checkpoint is damaged, or has a weight that no BERT has; the text names it.
    """
    pieces = WordPiece.of_encoder(name).piece_ids(dictionary.symbols)
    weights = encoder_weights(read_checkpoint(name), pieces, dictionary.pad(), len(encoder.layers), name)
    expected = encoder.state_dict()
    if "layer_norm.weight" in expected:  # the norm at the end, where none is at the beginning: as in the release
        weights |= {f"layer_norm.{kind}": weights.pop(f"layernorm_embedding.{kind}") for kind in ("weight", "bias")}
    encoder.load_state_dict(weights | {"version": expected["version"]}, strict=True)


def read_checkpoint(name: str) -> dict[str, Tensor]:
    """Return the weights of a BERT checkpoint, by the names of `transformers.BertModel`; none lacks."""
    return {modern_name(key): value for key, value in load_file(encoder(name).folder / WEIGHTS).items()}


def encoder_weights(
    source: dict[str, Tensor], pieces: list[int], padding: int, layers: int, name: str
) -> dict[str, Tensor]:
    """Return the weights of an encoder of so many layers, made of the checkpoint's.

    The embedding of segment 0 is folded into the positions: a sentence to simplify is one segment, so BERT adds it
    at each position anyway. Fairseq counts positions from `padding` + 1.

    `source` has word embeddings of shape (V_bert, d) and positions (P, d); `pieces` is its row of each dictionary
    symbol, of shape (V,); `padding` is fairseq's padding index; `name` is for messages.
    """
    for key in source:
        module = re.sub(r"\.layer\.\d+\.", ".layer.{}.", key.rpartition(".")[0])
        if module not in TABLE and not OTHERS.match(key):
            what = f"its weight {key!r} has no place in a BERT encoder"
            raise InputError(f"encoder {name!r}: {what}; it is another encoder")
    if max(pieces) >= len(source[WORDS]):
        raise InputError(f"encoder {name!r}: {WORDS!r} has {len(source[WORDS])} rows, its vocabulary has more")
    positions = source[POSITIONS] + source[SEGMENTS][0]  # (P, d)
    front = positions.new_zeros(padding + 1, positions.size(1))  # (padding + 1, d)
    weights = {
        "embed_tokens.weight": source[WORDS][torch.tensor(pieces)],  # (V, d)
        "embed_positions.weight": torch.cat([front, positions]),  # (padding + 1 + P, d)
    }
    for (module, target), kind, layer in product(TABLE.items(), ("weight", "bias"), range(layers)):
        weights[f"{target.format(layer)}.{kind}"] = source[f"{module.format(layer)}.{kind}"]
    return weights


@register_model("bert_transformer")
class BertTransformer(TransformerModel):
    """Encoder-decoder of BERT's shape.

    `bert_encoder` names the checkpoint that initialises the encoder; empty for a random start and in generation,
    where the weights come from our own checkpoint.
    """

    @classmethod
    def add_args(cls, parser) -> None:
        """Fairseq's Transformer options and ours."""
        TransformerModel.add_args(parser)
        parser.add_argument("--bert-encoder", help="BERT that initialises the encoder; empty: none does")
        parser.add_argument("--bert-layer-norm-eps", type=float, help="epsilon of each LayerNorm")
        parser.add_argument("--bert-initial-std", type=float, help="standard deviation of weights that start at random")
        parser.add_argument("--bert-freeze-encoder", action="store_true", help="keep encoder and embeddings")

    @classmethod
    def build_model(cls, args, task) -> "BertTransformer":
        """Build, initialise as BERT does (normally, biases 0), then load the encoder's checkpoint if one is named."""
        model = super().build_model(args, task)
        model.apply(init_bert_params)
        with torch.no_grad():
            for module in model.modules():
                if isinstance(module, nn.Linear) and module is not model.decoder.output_projection:
                    module.weight.mul_(args.bert_initial_std / BERT_STD)
                elif isinstance(module, nn.LayerNorm):
                    module.eps = args.bert_layer_norm_eps
        for layer in model.encoder.layers:
            # Builds of fairseq whose encoder layers know torch's fused path fail in it ("Mask Type should be defined").
            layer.can_use_fastpath = False
        if args.bert_encoder:
            load_encoder(model.encoder, task.source_dictionary, args.bert_encoder)
        if args.bert_freeze_encoder:
            model.encoder.requires_grad_(False)
        return model

    def train(self, mode: bool = True) -> "BertTransformer":
        """A frozen encoder stays in evaluation mode: dropout would only blur features that cannot adapt to it."""
        super().train(mode)
        if mode and self.args.bert_freeze_encoder:
            self.encoder.eval()
        return self


@register_model_architecture("bert_transformer", "bert_transformer")
def bert_architecture(args) -> None:
    """BERT's shape where fairseq's defaults differ; the widths and depths come from the command line."""
    for side in ("encoder", "decoder"):
        setattr(args, f"{side}_learned_pos", True)
    defaults = {"encoder": "", "layer_norm_eps": 1e-12, "freeze_encoder": False, "initial_std": BERT_STD}
    for key, value in defaults.items():  # fairseq drops the defaults of a model's options
        setattr(args, f"bert_{key}", getattr(args, f"bert_{key}", value))
    args.layernorm_embedding = not getattr(args, "encoder_normalize_before", False)
    args.no_scale_embedding = True
    args.share_all_embeddings = True
    args.activation_fn = "gelu"
    base_architecture(args)
