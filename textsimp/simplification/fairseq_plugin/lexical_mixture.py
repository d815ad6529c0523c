"""An LSTM whose words are mixed with translations of the words that it attends to (Zhang and Lapata 2017, Dress-Ls)."""

import torch
from fairseq import utils
from fairseq.models import FairseqEncoder, FairseqIncrementalDecoder
from torch import Tensor, nn


class SourceKeepingEncoder(FairseqEncoder):
    """An LSTM's encoder; the last part of its output is the source words, in the order that the decoder attends to."""

    def __init__(self, encoder: FairseqEncoder) -> None:
        super().__init__(encoder.dictionary)
        self.encoder = encoder

    def forward(self, src_tokens: Tensor, src_lengths: Tensor) -> tuple[Tensor, ...]:
        """The encoder's output and the words. Shape: src_tokens (B, S)."""
        words = src_tokens
        if self.encoder.left_pad:  # as the encoder itself turns them
            padding = torch.full_like(src_tokens, self.encoder.padding_idx)
            words = utils.convert_padding_direction(src_tokens, padding, left_to_right=True)
        return (*self.encoder(src_tokens, src_lengths=src_lengths), words)

    def reorder_encoder_out(self, encoder_out: tuple[Tensor, ...], new_order: Tensor) -> tuple[Tensor, ...]:
        """Both for other rows."""
        *states, words = encoder_out
        return (*self.encoder.reorder_encoder_out(tuple(states), new_order), words.index_select(0, new_order))

    def max_positions(self) -> int:
        """As the encoder."""
        return self.encoder.max_positions()


class LexicalDecoder(FairseqIncrementalDecoder):
    """An LSTM's decoder with the lexical model.

    Args:
        translations: p(simple word | complex word), sparse. Shape: (V_simple, V_complex).
        share: of the lexical model in the mixture.
    """

    def __init__(self, decoder: FairseqIncrementalDecoder, translations: Tensor, share: float) -> None:
        super().__init__(decoder.dictionary)
        self.decoder, self.share = decoder, share
        self.register_buffer("translations", translations)

    def forward(self, prev_output_tokens, encoder_out=None, incremental_state=None, src_lengths=None):
        """(1 - share) times the decoder's probabilities plus share times p(y | X) = sum_i attention_i p(y | x_i).

        Returns log probabilities of shape (B, T, V_simple), and the attention, (B, T, S).
        """
        *states, words = encoder_out
        scores, attention = self.decoder(prev_output_tokens, tuple(states), incremental_state)
        batch, length, _ = scores.shape
        by_word = attention.new_zeros(batch, length, self.translations.size(1))
        by_word.scatter_add_(2, words.unsqueeze(1).expand(batch, length, -1), attention)  # (B, T, V_complex)
        lexical = torch.sparse.mm(self.translations, by_word.flatten(0, 1).t()).t()  # (B * T, V_simple)
        mixed = (1 - self.share) * scores.softmax(2) + self.share * lexical.view_as(scores)
        return mixed.log(), attention

    def max_positions(self) -> int:
        """As the decoder."""
        return self.decoder.max_positions()


def mix(model: nn.Module, translations: Tensor, share: float) -> None:
    """Let a trained LSTM answer with the mixture."""
    model.encoder = SourceKeepingEncoder(model.encoder)
    model.decoder = LexicalDecoder(model.decoder, translations, share)
