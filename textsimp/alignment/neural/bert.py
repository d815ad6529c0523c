"""The encoders: a BERT over sentence pairs, and what the same BERT says of sentences and words before fine-tuning.

`PairEncoder` has a classifier on [CLS] (section 2.2, appendix A.1) that serves both tasks: it tells three classes apart
(not aligned, partial, aligned). Task 1 reads P(partial) + P(aligned), Task 2 reads P(aligned). `SentenceEncoder` gives
the mean of the last hidden states: it chooses which pairs the pair encoder looks at, at one BERT pass for each sentence
instead of each pair. `TokenEncoder` gives the hidden states of the word pieces.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from transformers import AutoModel, AutoModelForSequenceClassification, AutoTokenizer
from transformers.utils import logging as transformers_logging

from textsimp.alignment.neural.aligner_settings import COMPLEX_FIRST, SIMPLE_FIRST
from textsimp.core.batches import narrow_batches
from textsimp.core.errors import InputError, bad_input, one_line
from textsimp.core.pretrained import encoder
from textsimp.core.records import AlignmentLabel, DocumentPair
from textsimp.metrics.links import TASKS, gold_mask

V = TypeVar("V")
TextPair = tuple[str, str]
"""A simple sentence and a complex sentence."""
_Vectors = dict[TextPair, NDArray[np.float32]]

CLASSES: tuple[AlignmentLabel | None, ...] = (None, AlignmentLabel.PARTIAL, AlignmentLabel.ALIGNED)
"""Meaning of the encoder's outputs; None is not aligned."""


def classes_of(pair: DocumentPair) -> NDArray[np.int64]:
    """Return the gold class of every sentence pair, an index of `CLASSES`. Shape: (m, n)."""
    return np.sum([gold_mask(pair, task) for task in TASKS], 0, dtype=np.int64)


class PairEncoder:
    """A BERT classifier of sentence pairs with its tokenizer.

    Attributes:
        model: the torch module, on `device`.
        max_length: word pieces of a pair; the longer sentence is cut first.
        order: which sentence stands first (`EncoderConfig.order`).
        kept: where [CLS] vectors of the pairs that pass through the model are put, so that `cls` and
            `log_probabilities` need one pass in all; None keeps none. 3 KB a pair at 768 dimensions.
    """

    kept: _Vectors | None = None

    def __init__(
        self, folder: str | Path, max_length: int, device: str, batch_size: int, order: str = SIMPLE_FIRST
    ) -> None:
        """Load a pre-trained or fine-tuned BERT, as `textsimp.core.pretrained.encoder` takes it.

        A checkpoint without a classifier gets a new one. `batch_size` pairs are in one pass of `log_probabilities`.

        Raises:
            InputError: no BERT checkpoint there, or one whose classifier has other classes.
        """
        self.tokenizer, self.model = load_pretrained(
            AutoModelForSequenceClassification, folder, device, num_labels=len(CLASSES)
        )
        self.max_length = min(max_length, self.model.config.max_position_embeddings)
        self.device, self.batch_size, self.order = device, batch_size, order
        self._pieces: dict[str, list[int]] = {}

    def save(self, folder: Path) -> None:
        """Write the weights (safetensors), configuration and tokenizer as a Hugging Face folder."""
        self.model.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)

    def length(self, pair: TextPair) -> int:
        """Word pieces of a pair as the model sees it: [CLS] simple [SEP] complex [SEP], or the other order."""
        return min(len(self._encode(pair[0])) + len(self._encode(pair[1])) + 3, self.max_length)

    def logits(self, pairs: Sequence[TextPair]) -> Tensor:
        """Class scores of one batch. Shape: (N, 3)."""
        return self.model(**self._batch(pairs)).logits

    def cls(self, pairs: Sequence[TextPair]) -> NDArray[np.float32]:
        """Return the last hidden state of [CLS] of each pair, encoded in batches of like length. Shape: (N, width)."""
        known = {} if self.kept is None else self.kept
        self._classify([pair for pair in dict.fromkeys(pairs) if pair not in known], known, None)
        return np.stack([known[pair] for pair in pairs]) if pairs else np.zeros((0, self.width), dtype=np.float32)

    @property
    def width(self) -> int:
        """Numbers of a hidden state."""
        return int(self.model.config.hidden_size)

    def _batch(self, pairs: Sequence[TextPair]) -> dict[str, Tensor]:
        """The model's inputs, (N, W) each."""
        rows = [self._join(pair) for pair in pairs]
        width = max(len(ids) for ids, _ in rows)
        padding = self.tokenizer.pad_token_id
        ids = torch.tensor([row + [padding] * (width - len(row)) for row, _ in rows])  # (N, W)
        types = torch.tensor([kinds + [0] * (width - len(kinds)) for _, kinds in rows])  # (N, W)
        lengths = torch.tensor([len(row) for row, _ in rows])  # (N,)
        mask = torch.arange(width) < lengths[:, None]  # (N, W)
        batch = {"input_ids": ids, "token_type_ids": types, "attention_mask": mask.long()}
        return {key: value.to(self.device) for key, value in batch.items()}

    def log_probabilities(self, pairs: Sequence[TextPair], progress: Any = None) -> NDArray[np.float32]:
        """Return log P(class) of each pair; distinct ones are encoded once, in batches of like length. Shape: (N, 3).

        Each batch moves the tqdm bar `progress` on, if there is one.
        """
        rows = {pair: index for index, pair in enumerate(dict.fromkeys(pairs))}
        out = self._classify(list(rows), self.kept, progress)
        return out[[rows[pair] for pair in pairs]] if pairs else out

    @torch.inference_mode()
    def _classify(self, distinct: Sequence[TextPair], kept: _Vectors | None, progress: Any) -> NDArray[np.float32]:
        """Return log P(class) of distinct pairs, and put their [CLS] vectors into `kept`. Shape: (N, 3)."""
        out = np.zeros((len(distinct), len(CLASSES)), dtype=np.float32)
        self.model.eval()
        for batch in narrow_batches(distinct, self.batch_size, self.length):
            texts = [distinct[i] for i in batch]
            result = self.model(**self._batch(texts), output_hidden_states=kept is not None)
            out[batch] = torch.log_softmax(result.logits.float(), 1).cpu().numpy()
            if kept is not None:
                vectors = result.hidden_states[-1][:, 0].float().cpu().numpy()  # (N, width)
                kept.update(zip(texts, vectors, strict=True))
            if progress is not None:
                progress.update(len(batch))
        return out

    def forget(self) -> None:
        """Drop the word pieces and vectors of the sentences seen so far, to bound memory."""
        self._pieces.clear()
        if self.kept is not None:
            self.kept.clear()

    def _encode(self, sentence: str) -> list[int]:
        if sentence not in self._pieces:
            self._pieces[sentence] = self.tokenizer.encode(
                sentence, add_special_tokens=False, truncation=True, max_length=self.max_length
            )
        return self._pieces[sentence]

    def _join(self, pair: TextPair) -> tuple[list[int], list[int]]:
        left, right = (self._encode(sentence) for sentence in (pair[::-1] if self.order == COMPLEX_FIRST else pair))
        room = self.max_length - 3
        left = left[: max(room - len(right), room // 2)]
        right = right[: room - len(left)]
        start, end = self.tokenizer.cls_token_id, self.tokenizer.sep_token_id
        return [start, *left, end, *right, end], [0] * (len(left) + 2) + [1] * (len(right) + 1)


def load_pretrained(kind: Any, name: str | Path, device: str = "cpu", **options: Any) -> tuple[Any, Any]:
    """The tokenizer and the model (a class of transformers) of an encoder, in evaluation mode.

    No code of a folder is run, and no pickle read.

    Raises:
        InputError: there is no such encoder, or it is no BERT checkpoint that can be used.
    """
    checkpoint = encoder(name)
    transformers_logging.set_verbosity_error()
    transformers_logging.disable_progress_bar()
    try:
        tokenizer = AutoTokenizer.from_pretrained(checkpoint.folder, trust_remote_code=False)
        _check_tokenizer(tokenizer, checkpoint.config["vocab_size"])
        options |= {"trust_remote_code": False, "use_safetensors": True, "attn_implementation": "sdpa"}
        model = kind.from_pretrained(checkpoint.folder, **options)
    except BaseException as error:
        # beside many types of its own, a library's panic in Rust is no Exception
        if isinstance(error, MemoryError | KeyboardInterrupt | SystemExit):
            raise
        what = f"not a BERT checkpoint that can be used ({one_line(error)[:200]})"
        raise bad_input(checkpoint.folder, None, what, "check its files") from None
    return tokenizer, model.to(device).eval()


def _check_tokenizer(tokenizer: Any, pieces: int) -> None:
    """`InputError` where the tokenizer does not frame sentences as BERT does, or has pieces without an embedding."""
    first, last = tokenizer.cls_token_id, tokenizer.sep_token_id
    ids = tokenizer("a", "b")["input_ids"]
    if None in (first, last, tokenizer.pad_token_id) or ids.count(last) < 2 or ids[0] != first or ids[-1] != last:
        raise InputError("its tokenizer has not BERT's [CLS], [SEP] and [PAD]")
    if max(*ids, tokenizer.pad_token_id, *tokenizer.get_vocab().values()) >= pieces:
        raise InputError("its tokenizer has pieces that its weights have not")
    if tokenizer.num_special_tokens_to_add() != 2:
        raise InputError("its tokenizer frames sentences in another way than BERT's")


class _Kept(Generic[V], ABC):
    """The answers of an encoder for texts, each encoded once.

    Last bits depend on the batch that a text came in; `forget` makes them those of what is asked next alone.
    """

    def __init__(self, batch_size: int) -> None:
        self.batch_size = batch_size
        self._known: dict[str, V] = {}

    def _of(self, texts: Sequence[str]) -> list[V]:
        """Return what is known of each text; encode the new ones in batches of like length."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        for batch in narrow_batches(new, self.batch_size, len):
            together = [new[index] for index in batch]
            self._known.update(zip(together, self._encode(together), strict=True))
        return [self._known[text] for text in texts]

    def forget(self) -> None:
        """Drop everything."""
        self._known.clear()

    @abstractmethod
    def _encode(self, texts: list[str]) -> Iterable[V]:
        """Return what the encoder says of each text of one batch."""


class SentenceEncoder(_Kept[NDArray[np.float32]]):
    """Embeddings of sentences."""

    def __init__(self, name: str, max_length: int, device: str, batch_size: int) -> None:
        super().__init__(batch_size)
        self.tokenizer, self.model = load_pretrained(AutoModel, name, device)
        self.max_length = min(max_length, self.model.config.max_position_embeddings)
        self.device = device

    def embed(self, sentences: Sequence[str]) -> NDArray[np.float32]:
        """Return embeddings of unit length. Shape: (N, width)."""
        return np.stack(self._of(sentences))

    def tokens(self, texts: Sequence[str], **options: bool) -> Any:
        """The model's inputs for some texts, cut and padded; `options` are of the tokenizer."""
        limits = {"padding": True, "truncation": True, "max_length": self.max_length, "return_tensors": "pt"}
        return self.tokenizer(texts, **limits, **options).to(self.device)

    @torch.inference_mode()
    def _encode(self, texts: list[str]) -> NDArray[np.float32]:
        tokens = self.tokens(texts)
        states = self.model(**tokens).last_hidden_state.float()  # (N, W, width)
        mask = tokens["attention_mask"].unsqueeze(2)  # (N, W, 1)
        mean = (states * mask).sum(1) / mask.sum(1)  # (N, width)
        return torch.nn.functional.normalize(mean, dim=1).cpu().numpy()


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


class TokenEncoder(_Kept[TokenStates]):
    """Last states of the word pieces of texts, in the context of the whole text; the latest ones are kept.

    Args:
        encoder: whose model and tokenizer are used; its embeddings of sentences stay as they are.
    """

    def __init__(self, encoder: SentenceEncoder) -> None:
        super().__init__(encoder.batch_size)
        self.encoder = encoder

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """The word pieces of each text as `states` sees them, cut to the encoder's length; no states are computed."""
        if not texts:
            return []
        tokenizer = self.encoder.tokenizer
        room = self.encoder.max_length - tokenizer.num_special_tokens_to_add()
        return tokenizer(list(texts), add_special_tokens=False, truncation=True, max_length=room)["input_ids"]

    def states(self, texts: Sequence[str]) -> list[TokenStates]:
        """Return the states of each text; none where it has no word piece."""
        states = self._of(texts)
        pieces = sum(len(known.ids) for known in self._known.values())
        while pieces > _KEPT_PIECES:
            pieces -= len(self._known.pop(next(iter(self._known))).ids)
        return states

    @torch.inference_mode()
    def _encode(self, texts: list[str]) -> Iterator[TokenStates]:
        tokens = self.encoder.tokens(texts, return_special_tokens_mask=True)
        real = tokens["attention_mask"].bool() & ~tokens.pop("special_tokens_mask").bool()  # (N, W)
        states = self.encoder.model(**tokens).last_hidden_state.float()
        unit = torch.nn.functional.normalize(states, dim=2)  # (N, W, width)
        for ids, row, mask in zip(tokens["input_ids"], unit, real, strict=True):
            yield TokenStates(ids[mask].cpu().numpy(), row[mask].cpu().numpy())
