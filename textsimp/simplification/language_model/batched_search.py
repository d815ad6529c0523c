"""Search for outputs of a causal language model, many sentences at once, each token computed once (key-value cache).

Beam search as fairseq has it: a hypothesis ends when its end is among the `beam` best continuations, a sentence when
`beam` hypotheses have ended; hypotheses are ordered by their mean log probability.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from textsimp.simplification.language_model import SearchConfig

_FREE = 10
"""Tokens that an output may have beyond `max_ratio`."""


class Found(NamedTuple):
    """A hypothesis.

    Attributes:
        tokens: ids, without the end.
        score: mean log probability of its tokens and its end (natural).
    """

    tokens: tuple[int, ...]
    score: float


class _Rows:
    """The rows of a batch: prompts and what was written behind them, with their cache.

    Attributes:
        log_probabilities: of the next token of each row. Shape: (N, V).
    """

    def __init__(self, network: Any, prompts: Sequence[Sequence[int]], padding: int, device: str) -> None:
        self._network = network
        width = max(map(len, prompts))
        rows = [[padding] * (width - len(prompt)) + list(prompt) for prompt in prompts]
        self._mask = torch.tensor([[0] * (width - len(row)) + [1] * len(row) for row in prompts], device=device)
        self._cache: Any = None
        self._read(torch.tensor(rows, device=device), (self._mask.cumsum(1) - 1).clamp(min=0))

    def advance(self, parents: Sequence[int], tokens: Sequence[int]) -> None:
        """Make rows of `parents`, each with one more token."""
        index = torch.tensor(parents, device=self._mask.device)
        if list(parents) != list(range(len(self._mask))):  # copying the cache costs as much as a few layers
            self._cache.batch_select_indices(index)
        self._mask = torch.cat([self._mask[index], self._mask.new_ones(len(parents), 1)], 1)
        self._read(torch.tensor(tokens, device=index.device)[:, None], self._mask.sum(1, keepdim=True) - 1)

    def _read(self, tokens: Tensor, positions: Tensor) -> None:
        output = self._network(
            input_ids=tokens,
            position_ids=positions,
            attention_mask=self._mask,
            past_key_values=self._cache,
            use_cache=True,
            logits_to_keep=1,
        )
        self._cache = output.past_key_values
        self.log_probabilities = output.logits[:, -1].float().log_softmax(-1)


class Search:
    """A model with its settings of search."""

    def __init__(self, network: Any, end: int, config: SearchConfig, device: str) -> None:
        self._network, self._end, self._config, self._device = network, end, config, device

    @torch.inference_mode()
    def hypotheses(self, prompts: Sequence[Sequence[int]], n_best: int) -> list[list[Found]]:
        """Return different hypotheses for each prompt, those with the best score first.

        Args:
            prompts: token ids of each.
            n_best: so many at least where the search finds them; beyond `beam` it is widened.
        """
        beam = max(self._config.beam, n_best)
        found: list[list[Found]] = [[] for _ in prompts]
        for batch in self._batches(prompts, beam):
            for index, searched in zip(batch, self._beam([prompts[index] for index in batch], beam), strict=True):
                found[index] = sorted(searched, key=lambda item: (-item.score, item.tokens))
        return found

    def _batches(self, prompts: Sequence[Sequence[int]], width: int) -> Iterator[list[int]]:
        """Indexes of prompts of like length, whose hypotheses fit into `batch_tokens`; one prompt at least."""
        batch: list[int] = []
        for index in sorted(range(len(prompts)), key=lambda index: len(prompts[index])):
            if batch and (len(batch) + 1) * width * len(prompts[index]) > self._config.batch_tokens:
                yield batch
                batch = []
            batch.append(index)
        if batch:
            yield batch

    def _limit(self, prompt: Sequence[int]) -> int:
        return math.ceil(self._config.max_ratio * len(prompt)) + _FREE

    def _beam(self, prompts: Sequence[Sequence[int]], beam: int) -> list[list[Found]]:
        rows = _Rows(self._network, prompts, self._end, self._device)
        ended: list[list[Found]] = [[] for _ in prompts]
        live: dict[int, list[tuple[float, tuple[int, ...]]]] = {index: [(0.0, ())] for index in range(len(prompts))}
        step = 0
        while live:
            parents: list[int] = []
            begun: dict[int, list[tuple[float, tuple[int, ...]]]] = {}
            row = 0
            for index, hypotheses in live.items():
                scores = torch.tensor([score for score, _ in hypotheses], device=self._device)
                totals = rows.log_probabilities[row : row + len(hypotheses)] + scores[:, None]  # (k, V)
                if step == self._limit(prompts[index]):
                    ended[index] += [
                        Found(tokens, total / (step + 1))
                        for (_, tokens), total in zip(hypotheses, totals[:, self._end].tolist(), strict=True)
                    ]
                elif going_on := self._continued(hypotheses, totals, beam, ended[index]):
                    begun[index] = [(total, tokens) for total, tokens, _ in going_on]
                    parents += [row + parent for _, _, parent in going_on]
                row += len(hypotheses)
            live, step = begun, step + 1
            if live:
                rows.advance(parents, [tokens[-1] for hypotheses in live.values() for _, tokens in hypotheses])
        return ended

    def _continued(
        self, hypotheses: list[tuple[float, tuple[int, ...]]], totals: Tensor, beam: int, ended: list[Found]
    ) -> list[tuple[float, tuple[int, ...], int]]:
        """Return the `beam` best continuations with their parents, and add those that end; none where all has ended."""
        best, places = totals.flatten().topk(min(2 * beam, totals.numel()))
        going_on: list[tuple[float, tuple[int, ...], int]] = []
        for rank, (total, place) in enumerate(zip(best.tolist(), places.tolist(), strict=True)):
            parent, token = divmod(place, totals.shape[1])
            tokens = hypotheses[parent][1]
            if token != self._end:
                going_on.append((total, (*tokens, token), parent))
            elif rank < beam:
                ended.append(Found(tokens, total / (len(tokens) + 1)))
        return going_on[:beam] if len(ended) < beam else []
