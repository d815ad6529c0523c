"""A trained edit tagger: its folder, and what it makes of sentences."""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Annotated

import numpy as np
import torch
from pydantic import Field
from safetensors.torch import save_file

from textsimp.core.errors import bad_input
from textsimp.core.pretrained import check_is_here
from textsimp.core.resumable import load_tensors, load_weights
from textsimp.core.settings import read_as
from textsimp.core.writing import write_json
from textsimp.simplification.edit_tagger.edit_candidates import Candidates, Edit
from textsimp.simplification.edit_tagger.edit_choice import Biases, Choice, Floats, choose
from textsimp.simplification.edit_tagger.edit_doubts import is_doubtful, is_in_code
from textsimp.simplification.edit_tagger.edit_rules import Rule
from textsimp.simplification.edit_tagger.edit_words import EditWord, edit_words, folded
from textsimp.simplification.edit_tagger.edited_text import edited
from textsimp.simplification.edit_tagger.tagger_examples import RULES, read_rules
from textsimp.simplification.edit_tagger.tagger_network import EditEncoder, EditNetwork, edit_batch
from textsimp.simplification.interface import Hypothesis, Runtime

WEIGHTS, TAGGER, BIASES = "weights.safetensors", "tagger.json", "biases.json"
_REMEDY = "restore the folder, or train again"
_BATCH = 64
_SETS = 4
"""Sets of edits looked at for each text that is asked for: two may write the same."""
_DIGITS = 4
"""Of a score: which sentences are computed together moves the last ones."""
_Size = Annotated[int, Field(gt=2, lt=1 << 16)]


@dataclass(frozen=True)
class _Settings:
    """What `tagger.json` holds."""

    encoder: str
    hidden_size: _Size
    max_pieces: _Size
    fingerprint: str


class EditTagger:
    """Simplifies sentences; `load` makes one of a folder."""

    def __init__(self, encoder: EditEncoder, network: EditNetwork, rules: Sequence[Rule], biases: Biases) -> None:
        self.encoder, self.network, self.biases = encoder, network.eval(), biases
        self.candidates = Candidates(rules)

    def simplify(self, sentences: Sequence[str], n_best: int = 1) -> list[list[Hypothesis]]:
        """See `TrainedSimplifier.simplify`; a sentence that offers no edit comes back as it is."""
        words = [edit_words(" ".join(sentence.split())) for sentence in sentences]
        offers = self.judged(words)
        return [self._hypotheses(*row, n_best) for row in zip(words, offers, strict=True)]

    def judged(self, sentences: Sequence[Sequence[EditWord]]) -> list[list[tuple[list[Edit], Floats]]]:
        """Of each window of each sentence, the edits that it offers, placed in the sentence, and their z."""
        windows = [(number, *window) for number, words in enumerate(sentences) for window in self._windows(words)]
        offers: list[list[tuple[list[Edit], Floats]]] = [[] for _ in sentences]
        for start in range(0, len(windows), _BATCH):
            part = windows[start : start + _BATCH]
            edits = [self._offered(words) for _, _, words in part]
            scores = self._scores([words for _, _, words in part], edits)
            for (number, offset, _), offered, z in zip(part, edits, scores, strict=True):
                placed = [replace(edit, start=edit.start + offset, end=edit.end + offset) for edit in offered]
                offers[number].append((placed, z))
        return offers

    def _offered(self, words: Sequence[EditWord]) -> list[Edit]:
        texts = folded(words)
        offered = (edit for edit in self.candidates(words) if not is_in_code(edit, words))
        return [edit for edit in offered if not is_doubtful(edit, texts)]

    def _windows(self, words: Sequence[EditWord]) -> Iterator[tuple[int, Sequence[EditWord]]]:
        """Parts that the encoder can take, with the place of their first word."""
        start = pieces = 0
        for index, size in enumerate(self.encoder.sizes(folded(words))):
            if pieces + size > self.encoder.limit and index > start:
                yield start, words[start:index]
                start, pieces = index, 0
            pieces += size
        if start < len(words):
            yield start, words[start:]

    @torch.inference_mode()
    def _scores(self, sentences: Sequence[Sequence[EditWord]], edits: Sequence[Sequence[Edit]]) -> list[Floats]:
        if not any(edits):
            return [np.zeros(0) for _ in edits]
        batch = edit_batch(self.encoder(sentences), edits, self.candidates.rules)
        scores = self.network(batch).cpu().numpy().astype(float)
        return np.split(scores, np.cumsum([len(row) for row in edits])[:-1])

    def _hypotheses(
        self, words: Sequence[EditWord], windows: Sequence[tuple[list[Edit], Floats]], size: int
    ) -> list[Hypothesis]:
        sets = size if size == 1 else size * _SETS
        best = [Choice((), 0.0)]
        for edits, scores in windows:
            joined = [
                Choice((*before.edits, *here.edits), before.log_probability + here.log_probability)
                for before, here in product(best, choose(edits, scores, self.biases, sets))
            ]
            best = heapq.nlargest(sets, joined, key=lambda choice: choice.log_probability)
        scores_of: dict[str, float] = {}
        for choice in best:
            scores_of.setdefault(edited(words, choice.edits), choice.log_probability / max(1, len(words)))
        return [Hypothesis(text, round(score, _DIGITS)) for text, score in list(scores_of.items())[:size]]


def save(folder: Path, tagger: EditTagger, encoder: str, hidden_size: int, max_pieces: int) -> None:
    """Write a tagger into an existing folder."""
    state = {name: value.detach().cpu().half().contiguous() for name, value in tagger.network.state_dict().items()}
    save_file(state, folder / WEIGHTS)
    settings = {"encoder": encoder, "hidden_size": hidden_size, "max_pieces": max_pieces}
    write_json(folder / TAGGER, {**settings, "fingerprint": tagger.encoder.fingerprint()})
    write_json(folder / RULES, [rule.to_json() for rule in tagger.candidates.rules])
    save_biases(folder, tagger.biases)


def save_biases(folder: Path, biases: Biases) -> None:
    """Write the biases into a tagger's folder."""
    write_json(folder / BIASES, {"kinds": dict(biases.kinds), "unchanged": biases.unchanged})


def load(model: Path, runtime: Runtime) -> EditTagger:
    """The tagger of a folder; `InputError` where a file is missing, damaged or of something else."""
    settings = read_as(model / TAGGER, _Settings)
    check_is_here(settings.encoder, model / TAGGER)
    rules, biases = read_rules(model / RULES), read_as(model / BIASES, Biases)
    weights = load_tensors(model / WEIGHTS, _REMEDY)
    torch.set_num_threads(runtime.threads)
    encoder = EditEncoder(settings.encoder, runtime.device, _BATCH, settings.max_pieces)
    if encoder.fingerprint() != settings.fingerprint:
        what = f"trained over another encoder than the {settings.encoder} that is installed"
        raise bad_input(model / TAGGER, None, what, "install that version, or train again")
    network = new_network(encoder, rules, settings.hidden_size, 0.0)
    load_weights(network, {name: value.float() for name, value in weights.items()}, model / WEIGHTS)
    return EditTagger(encoder, network.to(runtime.device), rules, biases)


def new_network(encoder: EditEncoder, rules: Sequence[Rule], hidden_size: int, dropout: float) -> EditNetwork:
    """A network whose encoder layer is the encoder's last one, and whose other weights are random."""
    targets = encoder.embeddings([rule.target for rule in rules])
    return EditNetwork(encoder.last_layer(), targets, hidden_size, dropout)
