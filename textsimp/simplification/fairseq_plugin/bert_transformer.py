"""A fairseq Transformer of BERT's shape, its encoder initialised from a BERT checkpoint or at random.

Jiang et al. 2020, section 5.2 and appendix D.1, after Rothe et al. 2020: encoder and decoder follow BERT
(normalisation after each block, learned positions, normalised embeddings, GELU); one embedding table serves the
encoder's input, the decoder's input and, transposed, the decoder's output; the decoder, with its cross attention,
always starts at random.
"""

from fairseq.models import register_model, register_model_architecture
from fairseq.models.transformer import TransformerModel, base_architecture
from fairseq.modules.transformer_sentence_encoder import init_bert_params
from torch import nn

from .bert_weights import load_encoder


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
        parser.add_argument("--bert-spare-layers", type=int, help="top layers of the BERT that are left out")
        parser.add_argument("--bert-layer-norm-eps", type=float, help="epsilon of each LayerNorm")
        parser.add_argument("--bert-freeze-encoder", action="store_true", help="keep encoder and embeddings")

    @classmethod
    def build_model(cls, args, task) -> "BertTransformer":
        """Build, initialise as BERT does (N(0, 0.02), biases 0), then load the encoder's checkpoint if one is named."""
        model = super().build_model(args, task)
        model.apply(init_bert_params)
        for module in model.modules():
            if isinstance(module, nn.LayerNorm):
                module.eps = args.bert_layer_norm_eps
        for layer in model.encoder.layers:
            # Builds of fairseq whose encoder layers know torch's fused path fail in it ("Mask Type should be defined").
            layer.can_use_fastpath = False
        if args.bert_encoder:
            load_encoder(model.encoder, task.source_dictionary, args.bert_encoder, args.bert_spare_layers)
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
        setattr(args, f"{side}_normalize_before", False)
    defaults = {"encoder": "", "spare_layers": 0, "layer_norm_eps": 1e-12, "freeze_encoder": False}
    for key, value in defaults.items():  # fairseq drops the defaults of a model's options
        setattr(args, f"bert_{key}", getattr(args, f"bert_{key}", value))
    args.layernorm_embedding = True
    args.no_scale_embedding = True
    args.share_all_embeddings = True
    args.activation_fn = "gelu"
    base_architecture(args)
