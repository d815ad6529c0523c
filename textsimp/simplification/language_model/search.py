"""Search for hypotheses, and log probabilities of given texts, on trees of tokens.

Token sequences that begin alike are one tree, so that each token is read once: a node attends to itself and its
ancestors, and its position is its depth. The search is beam search as fairseq has it: a hypothesis ends when its end is
among the `beam` best continuations, a sentence when `beam` hypotheses have ended; hypotheses are ordered by their mean
log probability.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor
from transformers import DynamicCache

from textsimp.core.batches import token_batches
from textsimp.simplification.language_model import SearchConfig

_FREE = 10  # tokens that an output may have beyond `max_ratio`
_BATCH = 2000  # tokens of the rows that are read at once


class Found(NamedTuple):
    """A hypothesis."""

    tokens: tuple[int, ...]  # ids, without the end
    score: float  # mean log probability of its tokens and its end (natural)


class _Live(NamedTuple):
    """A hypothesis that has not ended."""

    score: float  # log probability of its tokens, summed
    tokens: tuple[int, ...]
    parent: int  # place of the hypothesis that it continues


class _Trees:
    """A tree for each sentence: its prompt, and behind it what all its hypotheses have ever been.

    Attributes:
        log_probabilities: of the next token of each hypothesis. Shape: (N, K, V).
    """

    def __init__(self, network: Any, prompts: Sequence[Sequence[int]], padding: int, device: str) -> None:
        self._network = network
        width = max(map(len, prompts))
        tokens = torch.tensor([[padding] * (width - len(prompt)) + [*prompt] for prompt in prompts], device=device)
        self._depth = torch.tensor([[len(prompt)] for prompt in prompts], device=device)
        # the nodes that each hypothesis has come by; shape: (N, K, nodes)
        self._path = (torch.arange(width, device=device) >= width - self._depth)[:, None]
        mask = self._path[:, 0].long()
        output = network(
            input_ids=tokens,
            attention_mask=mask,
            position_ids=(mask.cumsum(1) - 1).clamp(min=0),
            past_key_values=DynamicCache(),  # one of a sliding window would lose the trees' first nodes
            use_cache=True,
            logits_to_keep=1,
        )
        self._cache = output.past_key_values
        self.log_probabilities = output.logits.float().log_softmax(-1)

    def advance(self, sentences: Sequence[int], hypotheses: Sequence[Sequence[_Live]]) -> None:
        """Go on with some of the sentences, and with new hypotheses of each, none of them empty."""
        device = self._depth.device
        rows = torch.tensor(sentences, device=device)
        if len(sentences) < len(self._depth):
            self._cache.batch_select_indices(rows)
        most = max(map(len, hypotheses))
        filled = [[*row, *[row[0]] * (most - len(row))] for row in hypotheses]
        parents = torch.tensor([[item.parent for item in row] for row in filled], device=device)
        tokens = torch.tensor([[item.tokens[-1] for item in row] for row in filled], device=device)
        itself = torch.eye(most, dtype=torch.bool, device=device).expand(len(rows), -1, -1)
        self._path = torch.cat([self._path[rows[:, None], parents], itself], 2)
        self._depth = self._depth[rows]
        output = self._network(
            input_ids=tokens,
            attention_mask=_mask(self._path),
            position_ids=self._depth.expand(-1, most),
            past_key_values=self._cache,
            use_cache=True,
        )
        self._depth = self._depth + 1
        self.log_probabilities = output.logits.float().log_softmax(-1)


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
        for batch in token_batches(prompts, self._config.batch_tokens, lambda prompt: beam * len(prompt)):
            for index, searched in zip(batch, self._beam([prompts[index] for index in batch], beam), strict=True):
                found[index] = sorted(searched, key=lambda item: (-item.score, item.tokens))
        return found

    def _beam(self, prompts: Sequence[Sequence[int]], beam: int) -> list[list[Found]]:
        trees = _Trees(self._network, prompts, self._end, self._device)
        ended: list[list[Found]] = [[] for _ in prompts]
        live = {index: [_Live(0.0, (), 0)] for index in range(len(prompts))}
        step = 0
        while live:
            begun: dict[int, list[_Live]] = {}
            for row, (index, hypotheses) in enumerate(live.items()):
                scores = torch.tensor([item.score for item in hypotheses], device=self._device)
                totals = trees.log_probabilities[row, : len(hypotheses)] + scores[:, None]  # (K, V)
                if step == math.ceil(self._config.max_ratio * len(prompts[index])) + _FREE:
                    ends = totals[:, self._end].tolist()
                    ended[index] += [
                        Found(item.tokens, total / (step + 1)) for item, total in zip(hypotheses, ends, strict=True)
                    ]
                elif going_on := self._continued(hypotheses, totals, beam, ended[index]):
                    begun[index] = going_on
            if begun:
                trees.advance([row for row, index in enumerate(live) if index in begun], list(begun.values()))
            live, step = begun, step + 1
        return ended

    def _continued(self, hypotheses: list[_Live], totals: Tensor, beam: int, ended: list[Found]) -> list[_Live]:
        """Return the `beam` best continuations, and add those that end; none where all has ended."""
        best, places = totals.flatten().topk(min(2 * beam, totals.numel()))
        going_on: list[_Live] = []
        for rank, (total, place) in enumerate(zip(best.tolist(), places.tolist(), strict=True)):
            parent, token = divmod(place, totals.shape[1])
            tokens = hypotheses[parent].tokens
            if token != self._end:
                going_on.append(_Live(total, (*tokens, token), parent))
            elif rank < beam:
                ended.append(Found(tokens, total / (len(tokens) + 1)))
        return going_on[:beam] if len(ended) < beam else []


Rows = Sequence[tuple[Sequence[int], Sequence[int]]]


@torch.inference_mode()
def log_probabilities(network: Any, rows: Rows) -> list[float]:
    """Return the log probability of each target's tokens after its prompt, summed.

    Args:
        rows: prompts (not empty) and targets as token ids. What begins alike is read once.
    """
    found: dict[int, float] = {}
    for batch in token_batches(rows, _BATCH, lambda row: len(row[0]) + len(row[1])):
        found |= zip(batch, _of_one_tree(network, [rows[index] for index in batch]), strict=True)
    return [found[index] for index in range(len(rows))]


def _of_one_tree(network: Any, rows: Rows) -> list[float]:
    nodes: dict[tuple[int, int], int] = {}  # parent (-1 for a first node) and token -> place, parents first
    paths: list[list[int]] = []  # the nodes of each row, without its last token
    for prompt, target in rows:
        path = [-1]
        for token in [*prompt, *target][:-1]:
            path.append(nodes.setdefault((path[-1], token), len(nodes)))
        paths.append(path[1:])
    seen = torch.eye(len(nodes), dtype=torch.bool)
    for (parent, _), node in nodes.items():
        if parent >= 0:
            seen[node] |= seen[parent]
    seen = seen.to(network.device)
    asked = [path[len(prompt) - 1 :] for (prompt, _), path in zip(rows, paths, strict=True)]
    kept = sorted({node for path in asked for node in path})  # the last layer is the largest
    output = network(
        input_ids=torch.tensor([[token for _, token in nodes]], device=network.device),
        attention_mask=_mask(seen[None]),
        position_ids=seen.sum(1)[None] - 1,
        use_cache=False,
        logits_to_keep=torch.tensor(kept, device=network.device),
    )
    logits = output.logits[0].float()
    places = {node: place for place, node in enumerate(kept)}
    at = [places[node] for path in asked for node in path]
    tokens = [token for _, target in rows for token in target]
    values = logits[at, tokens] - logits.logsumexp(-1)[at]
    return [float(part.sum()) for part in values.split([len(target) for _, target in rows])]


def _mask(seen: Tensor) -> Tensor:
    """Return what is added to attention scores: (N, Q, K) -> (N, 1, Q, K)."""
    return torch.zeros(seen.shape, device=seen.device).masked_fill(~seen, torch.finfo(torch.float32).min)[:, None]
