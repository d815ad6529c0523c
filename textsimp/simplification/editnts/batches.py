"""Batches of sentences of like length."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from textsimp.simplification.editnts.examples import Example
from textsimp.simplification.editnts.vocabulary import PAD, STOP


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
    """All examples, sorted by length and cut into batches of at most `size`."""
    order = sorted(range(len(examples)), key=lambda row: (len(examples[row].complex), len(examples[row].program), row))
    return [_batch(examples, order[start : start + size], device) for start in range(0, len(order), size)]


def shuffled(batches: Sequence[Batch], seed: int) -> Iterator[Batch]:
    """The batches in a random order that `seed` fixes."""
    order = torch.randperm(len(batches), generator=torch.Generator().manual_seed(seed))
    return (batches[index] for index in order.tolist())


def _batch(examples: Sequence[Example], rows: list[int], device: str) -> Batch:
    return Batch(
        rows,
        _pad([[*examples[row].complex, STOP] for row in rows], PAD, device),
        _pad([[*examples[row].tags, 0] for row in rows], 0, device),
        _pad([examples[row].program for row in rows], PAD, device),
    )


def _pad(sequences: Sequence[Sequence[int]], value: int, device: str) -> Tensor:
    """Shape: (B, longest)."""
    longest = max(map(len, sequences))
    return torch.tensor([[*sequence, *[value] * (longest - len(sequence))] for sequence in sequences], device=device)
