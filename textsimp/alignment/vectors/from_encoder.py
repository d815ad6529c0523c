"""Word vectors from the input embeddings of a pre-trained encoder, where no file of vectors is given (F2)."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from transformers import AutoModel, AutoTokenizer

from textsimp.alignment.neural.pair_encoder import load_pretrained
from textsimp.encoders import encoder_folder


class EncoderVectors:
    """A word is the mean of the input embeddings of its word pieces; unknown where it has none but [UNK].

    The mean embedding of the vocabulary is not subtracted, as one would where all embeddings point one way: those of
    the packaged encoder hardly do (mean cosine 0.02), and aligning the sample's dev pairs gains nothing by it.
    """

    def __init__(self, encoder_name: str) -> None:
        """Load the embeddings. Raises InputError where there is no such encoder."""
        folder = encoder_folder(encoder_name)
        self._tokenizer = load_pretrained(AutoTokenizer, folder)
        embeddings = load_pretrained(AutoModel, folder).get_input_embeddings()
        self._table: NDArray[np.float32] = embeddings.weight.detach().float().numpy().copy()  # (pieces, D)
        self.size = self._table.shape[1]
        shown = Path(encoder_name).name if Path(encoder_name).is_dir() else encoder_name
        self.name = f"input embeddings of {shown}, {self.size} dimensions"

    def lookup(self, words: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Vectors of the words, 0 where a word is unknown, and which are known. Shapes: (W, D), (W,)."""
        if not words:
            return np.zeros((0, self.size), dtype=np.float32), np.zeros(0, dtype=bool)
        tokens = self._tokenizer(list(words), add_special_tokens=False)["input_ids"]
        pieces = [[piece for piece in row if piece != self._tokenizer.unk_token_id] for row in tokens]
        lengths = np.array([len(row) for row in pieces])  # (W,)
        flat = np.array([piece for row in pieces for piece in row], dtype=np.int64)
        shares = np.repeat(1 / np.maximum(lengths, 1), lengths).astype(np.float32)
        mean = csr_array((shares, flat, np.append(0, lengths.cumsum())), shape=(len(words), len(self._table)))
        return mean @ self._table, lengths > 0
