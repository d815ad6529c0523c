"""The neural programmer-interpreter (Dong et al. 2019, section 3.2), the batches that it reads, and its files.

B is the batch, M the complex words and the end mark after them, T the edits, D the width of one LSTM, E that of
the embeddings, V the symbols that may be predicted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from textsimp.core.resumable import load_tensors
from textsimp.simplification.editnts import EditNtsConfig
from textsimp.simplification.editnts.edit_examples import TAGS, VECTORS, Example
from textsimp.simplification.editnts.programs import DELETE, KEEP, PAD, START, STOP, UNKNOWN, Vocabulary


@dataclass(frozen=True)
class Batch:
    """Padded sentences. `rows` are their indexes; the complex sentences are closed by STOP.

    Shape: complex and tags (B, M), program (B, T).
    """

    rows: list[int]
    complex: Tensor
    tags: Tensor
    program: Tensor


def make_batches(examples: Sequence[Example], size: int, device: str) -> list[Batch]:
    """Sort all examples by length and cut them into batches of at most `size`."""
    order = sorted(range(len(examples)), key=lambda row: (len(examples[row].complex), len(examples[row].program), row))
    batches = []
    for start in range(0, len(order), size):
        rows = order[start : start + size]
        words = _pad([[*examples[row].complex, STOP] for row in rows], device)
        tags = _pad([[*examples[row].tags, 0] for row in rows], device)
        batches.append(Batch(rows, words, tags, _pad([examples[row].program for row in rows], device)))
    return batches


def _pad(rows: Sequence[Sequence[int]], device: str) -> Tensor:
    """Fill rows up with PAD, word classes too. Shape: (B, longest)."""
    tensors = [torch.tensor(row, dtype=torch.long) for row in rows]
    return pad_sequence(tensors, batch_first=True, padding_value=PAD).to(device)


State = tuple[Tensor, Tensor]


@dataclass(frozen=True)
class Memory:
    """An encoded batch: `complex` numbers, encoder `states`, `mask` (True is real), and the first LSTM state.

    Shape: complex (B, M), states (B, M, 2D), mask (B, M), first a pair of (1, B, D).
    """

    complex: Tensor
    states: Tensor
    mask: Tensor
    first: State


class EditNts(nn.Module):
    """Encoder, programmer and interpreter; words and edits share one embedding, tied to the output layer."""

    def __init__(self, vocabulary: Vocabulary, config: EditNtsConfig) -> None:
        super().__init__()
        width, hidden = config.embedding_size, config.hidden_size
        self.outputs = vocabulary.outputs
        self.word_dropout = config.word_dropout
        self.half_precision = config.precision == "bf16"
        self.embedding = nn.Embedding(vocabulary.size, width, padding_idx=PAD)
        self.tags = nn.Embedding(len(TAGS), config.tag_size) if config.tagger != "none" else None
        tag_width = 0 if self.tags is None else config.tag_size
        self.forwards = nn.LSTM(width + tag_width, hidden, batch_first=True)
        self.backwards = nn.LSTM(width + tag_width, hidden, batch_first=True)
        self.bridge = nn.Linear(2 * hidden, hidden)
        self.programmer = nn.LSTM(width, hidden, batch_first=True)
        self.interpreter = nn.LSTM(width, hidden, batch_first=True)
        self.attention = nn.Linear(hidden, 2 * hidden, bias=False)
        self.combine = nn.Linear(6 * hidden, width)
        self.bias = nn.Parameter(torch.zeros(self.outputs))
        self.dropout = nn.Dropout(config.dropout)
        nn.init.normal_(self.embedding.weight, std=width**-0.5)

    def encode(self, complex_words: Tensor, tags: Tensor) -> Memory:
        """Read complex sentences, each closed by STOP and padded. Shape: (B, M) both."""
        mask, shown = complex_words != PAD, complex_words
        if self.training and self.word_dropout > 0:
            dropped = (torch.rand(complex_words.shape, device=mask.device) < self.word_dropout) & (complex_words > STOP)
            shown = complex_words.masked_fill(dropped, UNKNOWN)
        embedded = self.embedding(shown)  # (B, M, E)
        if self.tags is not None:
            embedded = torch.cat([embedded, self.tags(tags)], dim=-1)
        states, last = self._both_ways(self.dropout(embedded), mask.sum(1))  # (B, M, 2D), (B, 2D)
        first = torch.tanh(self.bridge(last))[None]  # (1, B, D)
        return Memory(complex_words, self.dropout(states), mask, (first, torch.zeros_like(first)))

    def _both_ways(self, embedded: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """States and last states of the encoder's two LSTMs; the second reads every sentence from its own end.

        Packed sequences would do the same, slower on a CPU.
        Shape: embedded (B, M, E), lengths (B,); returns (B, M, 2D) and (B, 2D).
        """
        indexes = torch.arange(embedded.shape[1], device=lengths.device)  # (M,)
        reverse = (lengths[:, None] - 1 - indexes) % embedded.shape[1]  # (B, M); padding stays at the end
        ahead, _ = self.forwards(embedded)  # (B, M, D)
        back, _ = self.backwards(_take(embedded, reverse))  # (B, M, D)
        last = (lengths - 1)[:, None]  # (B, 1)
        ends = torch.cat([_take(ahead, last), _take(back, last)], dim=-1)[:, 0]  # (B, 2D)
        return torch.cat([ahead, _take(back, reverse)], dim=-1), ends

    def forward(self, complex_words: Tensor, tags: Tensor, program: Tensor) -> Tensor:
        """Return log-probabilities of every edit of given programs, all steps at once. Shape: (B, T, V)."""
        memory = self.encode(complex_words, tags)
        pointer, written = positions(program)  # (B, T) both
        edits = torch.cat([torch.full_like(program[:, :1], START), program[:, :-1]], dim=1)
        programmed, _ = self.programmer(self.embedding(edits), memory.first)  # (B, T, D)
        output = executed(complex_words, program, pointer, written)  # (B, T + 1)
        interpreted, _ = self.interpreter(self.embedding(output), memory.first)  # (B, T + 1, D)
        return self.predict(memory, programmed, _take(interpreted, written), pointer)

    def predict(self, memory: Memory, programmed: Tensor, interpreted: Tensor, pointer: Tensor) -> Tensor:
        """Return log-probabilities of edits from the two LSTMs' states and the pointer's positions.

        Args:
            programmed: summary of the edits so far. Shape: (B, T, D)
            interpreted: summary of the words written so far. Shape: (B, T, D)
            pointer: index of the complex word to edit. Shape: (B, T)
        """
        scores = self.attention(programmed) @ memory.states.transpose(1, 2)  # (B, T, M)
        weights = scores.masked_fill(~memory.mask[:, None], -torch.inf).softmax(-1)
        context = weights @ memory.states  # (B, T, 2D)
        current = _take(memory.states, pointer)  # (B, T, 2D)
        features = torch.cat([programmed, context, current, interpreted], dim=-1)  # (B, T, 6D)
        combined = self.dropout(torch.tanh(self.combine(features)))  # (B, T, E)
        logits = combined @ self.embedding.weight[: self.outputs].T + self.bias  # (B, T, V)
        return torch.log_softmax(logits, dim=-1)


def reads(program: Tensor) -> Tensor:
    """Mark the edits that move the pointer on: KEEP and DELETE."""
    return (program == KEEP) | (program == DELETE)


def writes(program: Tensor) -> Tensor:
    """Mark the edits that write a word: KEEP, and ADD of a known or unknown word."""
    return (program == KEEP) | (program > STOP) | (program == UNKNOWN)


def positions(program: Tensor) -> tuple[Tensor, Tensor]:
    """Return k_t and j_t of section 3.2: words read and words written before each edit. Shape: (B, T) both."""
    read, written = reads(program).long(), writes(program).long()
    return read.cumsum(1) - read, written.cumsum(1) - written


def executed(complex_words: Tensor, program: Tensor, pointer: Tensor, written: Tensor) -> Tensor:
    """Return START and then the words that the programs write, padded; not those that STOP keeps.

    Shape: complex_words (B, M), the others (B, T); returns (B, T + 1).
    """
    words = torch.where(program == KEEP, complex_words.gather(1, pointer), program)  # (B, T)
    words = words.masked_fill(~writes(program), PAD)
    output = torch.zeros(len(program), program.shape[1] + 1, dtype=torch.long, device=program.device)
    output[:, 0] = START
    # An edit that writes nothing adds PAD (0) to a place that a later edit fills.
    return output.scatter_add(1, written + 1, words)


def _take(sequences: Tensor, indexes: Tensor) -> Tensor:
    """Return the vectors of these indexes of each sequence. Shape: (B, M, D) and (B, T) give (B, T, D)."""
    return sequences.gather(1, indexes[..., None].expand(-1, -1, sequences.shape[-1]))


def load_vectors(binary: Path, embedding: Tensor) -> None:
    """Overwrite the rows of the known words in place; nothing where the folder has no vectors. Shape: (N, E)."""
    if not (binary / VECTORS).exists():
        return
    arrays = load_tensors(binary / VECTORS, "binarize the corpus again")
    with torch.no_grad():
        embedding[arrays["rows"].long()] = arrays["vectors"]
