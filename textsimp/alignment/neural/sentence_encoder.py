"""Sentence embeddings of the encoder before fine-tuning: the mean of its last hidden states (F2).

They choose which pairs the pair encoder looks at, at one BERT pass for each sentence instead of each pair.
"""

from collections.abc import Iterable

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import AutoModel, AutoTokenizer

from textsimp.alignment.neural.pair_encoder import length_batches, load_pretrained
from textsimp.encoders import encoder_folder


class SentenceEncoder:
    """Embeddings of length 1, kept for every sentence that was ever asked for."""

    def __init__(self, name: str, max_length: int, device: str, batch_size: int) -> None:
        folder = encoder_folder(name)
        self.max_length, self.device, self.batch_size = max_length, device, batch_size
        self.tokenizer = load_pretrained(AutoTokenizer, folder)
        self.model = load_pretrained(AutoModel, folder).to(device)
        self.model.eval()
        self._known: dict[str, NDArray[np.float32]] = {}

    def embed(self, sentences: Iterable[str]) -> NDArray[np.float32]:
        """Embeddings of unit length. Shape: (N, width)."""
        wanted = list(sentences)
        self._add([sentence for sentence in dict.fromkeys(wanted) if sentence not in self._known])
        return np.stack([self._known[sentence] for sentence in wanted])

    def forget(self) -> None:
        """Drop the embeddings: to bound memory, and because their last bits depend on the batch they came in."""
        self._known.clear()

    @torch.inference_mode()
    def _add(self, sentences: list[str]) -> None:
        for batch in length_batches(sentences, self.batch_size, len):
            texts = [sentences[index] for index in batch]
            tokens = self.tokenizer(
                texts, padding=True, truncation=True, max_length=self.max_length, return_tensors="pt"
            ).to(self.device)
            states = self.model(**tokens).last_hidden_state.float()  # (N, W, width)
            mask = tokens["attention_mask"].unsqueeze(2)  # (N, W, 1)
            mean = (states * mask).sum(1) / mask.sum(1)  # (N, width)
            for text, row in zip(texts, torch.nn.functional.normalize(mean, dim=1).cpu().numpy(), strict=True):
                self._known[text] = row
