"""What one pass of a frozen encoder says of each sentence: states of its word pieces at two layers, and their mean."""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from textsimp.core.batches import narrow_batches
from textsimp.core.frozen_encoder import FrozenEncoder
from textsimp.core.records import DocumentPair

Half = NDArray[np.float16]


@dataclass(frozen=True)
class Encoding:
    """One sentence as the encoder sees it, cut to the encoder's length; half precision, as states are only compared.

    Attributes:
        pieces: ids of the word pieces, special tokens left out. Shape: (W,).
        middle, last: their states of length 1 after two thirds of the layers and after the last. Shape: (W, width).
        mean: of the last states, special tokens among them, of length 1. Shape: (width,).
    """

    pieces: NDArray[np.int64]
    middle: Half
    last: Half
    mean: Half


class Encodings:
    """The encodings of the sentences seen so far.

    Args:
        batches: encoded side by side, each with torch's own threads; the result does not depend on it.
    """

    def __init__(self, encoder: FrozenEncoder, batches: int = 1) -> None:
        self.encoder, self._batches = encoder, batches
        self._middle = max(1, round(encoder.layers * 2 / 3))
        self._known: dict[str, Encoding] = {}

    def add(self, sentences: Iterable[str]) -> None:
        """Encode the sentences that are new, in batches of like length."""
        new = [sentence for sentence in dict.fromkeys(sentences) if sentence not in self._known]
        rows = narrow_batches(new, self.encoder.batch_size, len)
        # the longest first: what is allocated for them serves all others
        batches = [[new[index] for index in row] for row in rows][::-1]
        with ThreadPoolExecutor(self._batches) as pool:
            for texts, encodings in zip(batches, pool.map(self._encode, batches), strict=True):
                self._known.update(zip(texts, encodings, strict=True))

    def add_pairs(self, pairs: Sequence[DocumentPair]) -> None:
        """Encode the new sentences of several document pairs at once."""
        self.add(text for pair in pairs for side in (pair.simple, pair.complex) for text in side.sentences)

    def of(self, sentences: Sequence[str]) -> list[Encoding]:
        """The encoding of each sentence."""
        self.add(sentences)
        return [self._known[sentence] for sentence in sentences]

    def forget(self) -> None:
        """Drop the encodings: to bound memory, and because their last bits depend on the batch they came in."""
        self._known.clear()

    @torch.inference_mode()
    def _encode(self, texts: list[str]) -> list[Encoding]:
        states = self.encoder.states(texts, (self._middle, self.encoder.layers))
        attention = states.attention[:, :, None]
        sentence = (states.layers[1] * attention).sum(1) / attention.sum(1)
        middle, last, mean = (
            torch.nn.functional.normalize(part, dim=-1).half().cpu().numpy() for part in (*states.layers, sentence)
        )
        ends = states.attention.sum(1).cpu().numpy() - 1  # where [SEP] is; [CLS] is before the first piece
        rows = zip(states.pieces.cpu().numpy(), middle, last, mean, ends, strict=True)
        return [Encoding(ids[1:end], low[1:end], high[1:end], row) for ids, low, high, row, end in rows]
