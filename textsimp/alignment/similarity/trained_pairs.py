"""Similarities by networks that are trained on labelled sentence pairs: table 3 of Jiang et al. 2020 (F2)."""

from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray

from textsimp.alignment.neural.training_state import load_tensors, load_weights, save_tensors
from textsimp.alignment.similarity.base import Matrix
from textsimp.alignment.similarity.pair_network import Encoded, PairNetwork, WordReader
from textsimp.alignment.similarity.pair_training import PairTraining, examples_of, train_network
from textsimp.alignment.similarity.two_tasks import TwoTaskSimilarity, best_f1
from textsimp.alignment.tfidf import TfIdf
from textsimp.alignment.vectors.base import WordVectors
from textsimp.errors import InputError, bad_input
from textsimp.records import DocumentPair
from textsimp.textfiles import read_json, write_json

_WEIGHTS, _WORDS = "network.safetensors", "words.json"
_SENTENCES = 256
"""Sentences that are read at once."""


@dataclass(eq=False, repr=False)
class TrainedPairs(TwoTaskSimilarity, ABC):
    """A network over pairs of sentences as a similarity. Identical sentences have probability 1.

    Attributes:
        vectors: of the words; they are not trained.
        hidden: units of each layer; an LSTM has as many in each direction.
        dropout: share of units dropped in training.
        learning_rate: of Adam at the start; it falls to 0.
        epochs: over the links; the one of the best F1 of Task 1 on dev is kept.
        min_steps: a small train split gets more epochs, until there are so many steps.
        batch_size: sentence pairs of a step.
        negatives: unlinked pairs for each linked one, drawn anew each epoch: half at random, half from the most similar
            by TF-IDF.
        candidates: the most similar complex sentences of a simple one, by TF-IDF, that the network looks at; other
            pairs have probability 0. 0 is all.
        max_words: a sentence is cut after so many.
        seed: of the first weights, of what is drawn, and of dropout.

    Raises:
        InputError: for a number out of its range.
    """

    vectors: WordVectors
    hidden: int = 64
    dropout: float = 0.1
    learning_rate: float = 0.002
    epochs: int = 3
    min_steps: int = 200
    batch_size: int = 64
    negatives: float = 2.0
    candidates: int = 10
    max_words: int = 60
    seed: int = 1
    network_class: ClassVar[type[PairNetwork]]
    batch_cells: ClassVar[int]
    """Sentence pairs that are compared at once."""
    _words: TfIdf | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        TwoTaskSimilarity.__init__(self)
        self._check()
        self._reader = WordReader(self.vectors, self.max_words)
        self.network = self._untrained()

    def train(self, train: Sequence[DocumentPair], dev: Sequence[DocumentPair]) -> list[dict[str, Any]]:
        """See `Trained.train`; `InputError` where no pair is linked."""
        self._words, self.network = TfIdf().fit(train), self._untrained()
        options = PairTraining(
            self.learning_rate, self.epochs, self.min_steps, self.batch_size, self.negatives, self.seed
        )
        examples = examples_of(train, self._words)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.seed)
            curve = train_network(self.network, self._reader, examples, options, lambda: self._dev_f1(dev))
        self.forget()
        return curve

    @torch.inference_mode()
    def probabilities(self, rows: Sequence[str], columns: Sequence[str]) -> Matrix:
        """See `TwoTaskSimilarity.probabilities`."""
        if self._words is None:
            raise RuntimeError(f"{type(self).__name__}.train or load comes first")
        found = np.zeros((2, len(rows), len(columns)))
        if not found.size:
            return found
        same = np.array(rows, dtype=object)[:, None] == np.array(columns, dtype=object)[None, :]  # (m, n)
        cells = np.argwhere(self._candidates(rows, columns) & ~same)  # (N, 2)
        if len(cells):
            numbers = {text: number for number, text in enumerate(dict.fromkeys([*rows, *columns]))}
            simple, complex_ = (np.array([numbers[text] for text in side]) for side in (rows, columns))
            pairs = np.stack([simple[cells[:, 0]], complex_[cells[:, 1]]], 1)  # (N, 2)
            found[:, cells[:, 0], cells[:, 1]] = self._compare(self._encode(list(numbers)), pairs)
        found[:, same] = 1.0
        return found

    def save(self, folder: Path) -> None:
        """See `Trained.save`. Raises RuntimeError before `train`."""
        if self._words is None:
            raise RuntimeError(f"{type(self).__name__}.train comes first")
        save_tensors(folder / _WEIGHTS, self.network.state_dict())
        write_json(folder / _WORDS, self._words.state())

    def load(self, folder: Path) -> None:
        """See `Trained.load`."""
        path = folder / _WORDS
        state = read_json(path)
        try:
            words = TfIdf.from_state(state)
        except (TypeError, ValueError) as error:
            raise bad_input(path, None, f"no word weights ({error})", "train it again") from None
        load_weights(self.network, load_tensors(folder / _WEIGHTS), folder / _WEIGHTS)
        self._words = words
        self.forget()

    def _check(self) -> None:
        what = f"similarity {type(self).__name__}"
        for name in ("hidden", "learning_rate", "epochs", "batch_size", "max_words"):
            if getattr(self, name) <= 0:
                raise InputError(f"{what}: {name} is positive; got {getattr(self, name)}")
        for name in ("negatives", "candidates", "min_steps"):
            if getattr(self, name) < 0:
                raise InputError(f"{what}: {name} is 0 or more; got {getattr(self, name)}")
        if not 0 <= self.dropout < 1:
            raise InputError(f"{what}: dropout is at least 0 and under 1; got {self.dropout}")

    def _untrained(self) -> PairNetwork:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.seed)
            return self.network_class(self.vectors.size, self.hidden, self.dropout).eval()

    def _dev_f1(self, dev: Sequence[DocumentPair]) -> float:
        self.forget()
        return best_f1(self, dev)

    def _candidates(self, rows: Sequence[str], columns: Sequence[str]) -> NDArray[np.bool_]:
        """Which pairs the network looks at. Shape: (m, n)."""
        if not self.candidates or self.candidates >= len(columns):
            return np.ones((len(rows), len(columns)), dtype=bool)
        order = (-self._words.compare(rows, columns)).argsort(1, kind="stable")[:, : self.candidates]  # (m, candidates)
        chosen = np.zeros((len(rows), len(columns)), dtype=bool)
        np.put_along_axis(chosen, order, True, axis=1)
        return chosen

    def _encode(self, sentences: Sequence[str]) -> Encoded:
        """All sentences, read in their order in batches and padded to the longest."""
        batches = [
            self.network.encode(self._reader.read(sentences[start : start + _SENTENCES]))
            for start in range(0, len(sentences), _SENTENCES)
        ]
        width = max(batch.mask.shape[1] for batch in batches)
        mask = torch.zeros(len(sentences), width, dtype=torch.bool)
        shape = (width, *batches[0].states.shape[2:]) if batches[0].states.dim() == 3 else batches[0].states.shape[1:]
        states = torch.zeros(len(sentences), *shape)
        for number, batch in enumerate(batches):
            part = slice(number * _SENTENCES, number * _SENTENCES + len(batch.mask))
            mask[part, : batch.mask.shape[1]] = batch.mask
            (states[part, : batch.states.shape[1]] if states.dim() == 3 else states[part]).copy_(batch.states)
        return Encoded(states, mask)

    def _compare(self, encoded: Encoded, pairs: NDArray[np.int64]) -> Matrix:
        """Both tasks' probabilities, in batches of like length. Shapes: (N, 2) to (2, N)."""
        lengths = encoded.mask.sum(1).numpy()[pairs]  # (N, 2)
        order = np.lexsort((lengths[:, 1], lengths[:, 0]))
        found = np.empty((2, len(pairs)))
        for start in range(0, len(order), self.batch_cells):
            part = order[start : start + self.batch_cells]
            simple, complex_ = torch.from_numpy(pairs[part]).T
            logits = self.network(encoded.take(simple), encoded.take(complex_))  # (N, 3)
            none, _, aligned = logits.double().softmax(1).numpy().T
            found[:, part] = 1 - none, aligned
        return found
