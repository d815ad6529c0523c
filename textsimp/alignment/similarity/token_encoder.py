"""Contextual embeddings of word pieces: the hidden states of the encoder before fine-tuning (F2)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from textsimp.alignment.neural.pair_encoder import length_batches
from textsimp.alignment.neural.sentence_encoder import SentenceEncoder
from textsimp.errors import InputError

_KEPT_PIECES = 200_000
"""Word pieces whose states are kept: 0.3 GB at 384 dimensions."""


@dataclass(frozen=True)
class TokenStates:
    """The word pieces of one text, special tokens left out.

    Attributes:
        ids: of the word pieces. Shape: (W,).
        states: of length 1, float32. Shape: (W, width).
    """

    ids: NDArray[np.int64]
    states: NDArray[np.float32]


class TokenEncoder:
    """States of the word pieces of texts, in the context of the whole text; the latest ones are kept.

    Args:
        encoder: whose model and tokenizer are used; its embeddings of sentences stay as they are.
        layer: whose output is taken: 0 is the input embeddings, -1 the last layer.

    Raises:
        InputError: the encoder has no such layer.
    """

    def __init__(self, encoder: SentenceEncoder, layer: int = -1) -> None:
        outputs = encoder.model.config.num_hidden_layers + 1
        if not -outputs <= layer < outputs:
            raise InputError(f"layer {layer} is none of the encoder's; give one from {-outputs} to {outputs - 1}")
        self.encoder, self.layer = encoder, layer
        self._known: dict[str, TokenStates] = {}

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """The word pieces of each text as `states` sees them, cut to the encoder's length; no states are computed."""
        if not texts:
            return []
        tokenizer = self.encoder.tokenizer
        room = self.encoder.max_length - tokenizer.num_special_tokens_to_add()
        return tokenizer(list(texts), add_special_tokens=False, truncation=True, max_length=room)["input_ids"]

    def states(self, texts: Iterable[str]) -> list[TokenStates]:
        """The states of each text; none where it has no word piece."""
        wanted = list(texts)
        self._add([text for text in dict.fromkeys(wanted) if text not in self._known])
        found = [self._known[text] for text in wanted]
        self._forget()
        return found

    def forget(self) -> None:
        """Drop all states: their last bits depend on the batch they came in."""
        self._known.clear()

    @torch.inference_mode()
    def _add(self, texts: list[str]) -> None:
        encoder = self.encoder
        for batch in length_batches(texts, encoder.batch_size, len):
            tokens = encoder.tokenizer(
                [texts[index] for index in batch],
                padding=True,
                truncation=True,
                max_length=encoder.max_length,
                return_special_tokens_mask=True,
                return_tensors="pt",
            ).to(encoder.device)
            real = tokens["attention_mask"].bool() & ~tokens.pop("special_tokens_mask").bool()  # (N, W)
            states = encoder.model(**tokens, output_hidden_states=True).hidden_states[self.layer].float()
            unit = torch.nn.functional.normalize(states, dim=2)  # (N, W, width)
            for index, ids, row, mask in zip(batch, tokens["input_ids"], unit, real, strict=True):
                self._known[texts[index]] = TokenStates(ids[mask].cpu().numpy(), row[mask].cpu().numpy())

    def _forget(self) -> None:
        """Drop the oldest texts where too many are kept."""
        kept = sum(len(known.ids) for known in self._known.values())
        while kept > _KEPT_PIECES:
            kept -= len(self._known.pop(next(iter(self._known))).ids)
