"""The linear-chain CRF of Jiang et al. 2020, section 2.2-2.3, equations 1, 2, 5 and 6, as pure functions (F2).

Time steps are the m simple sentences of a pair, states its n + 1 labels: state 0 is NULL (not aligned), state
j > 0 is complex sentence j - 1. Pairs of different m and n share a batch through two bool masks (True is real).

The score of an alignment is Psi(a, S, C) = sum_i sim(s_i, c_{a_i}) + sum_{i > 1} T(a_i, a_{i-1}) (equation 2): the
paper leaves a_0 undefined, so nothing is paid for the way into the first sentence. There is no end score either.

All scores are logarithms. What a mask excludes scores -inf, never a large negative number, so that the partition
function is exact; -inf among the given scores forbids a state or a transition. Time is O(m n^2). The partition
function brings its own gradient (the marginals), and so keeps O(B K^2 + B S K) numbers where automatic
differentiation of its recursion would keep O(B S K^2). It is differentiable once. The recursions that it shares
with the posteriors are in forward_backward.py.
"""

from itertools import pairwise
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from textsimp.alignment.neural.forward_backward import finite, last_sentences, marginals

NULL = 0
PADDING = -1


def log_partition(emissions: Tensor, transitions: Tensor, sentence_mask: Tensor, state_mask: Tensor) -> Tensor:
    """log sum_a exp(Psi(a, S, C)) over all alignments: the second term of equation 6, by the forward algorithm.

    Args:
        emissions: sim(s_i, c_a), and the NULL score in state 0. Shape: (B, S, K), float32 or float64.
        transitions: T[b, a_prev, a]. Shape: (B, K, K), or (K, K) where the batch shares them.
        sentence_mask: real sentences, a prefix of each row. Shape: (B, S), bool.
        state_mask: real states. Shape: (B, K), bool.

    Returns:
        Shape: (B,). -inf where no alignment is possible (its gradient is then zero), 0 for a pair without
        sentences.

    Raises:
        ValueError: shapes do not fit, a mask is not bool, or the scores have another type.
    """
    scores, moves = _mask(emissions, transitions, sentence_mask, state_mask)
    return _LogPartition.apply(scores, moves, sentence_mask, torch.is_grad_enabled())  # (B,)


def gold_score(
    emissions: Tensor, transitions: Tensor, sentence_mask: Tensor, state_mask: Tensor, labels: Tensor
) -> Tensor:
    """Psi(a*, S, C) of given labels: the first term of equation 6.

    Args:
        emissions, transitions, sentence_mask, state_mask: as for `log_partition`.
        labels: the state of each sentence; ignored where the sentence is padding. Shape: (B, S), int64.

    Returns:
        Shape: (B,). -inf where a label is a padded state.
    """
    scores, moves = _mask(emissions, transitions, sentence_mask, state_mask)
    labels = labels.masked_fill(~sentence_mask, NULL)  # (B, S)
    unary = scores.gather(2, labels[:, :, None]).squeeze(2)  # (B, S)
    batch = torch.arange(len(labels), device=labels.device)[:, None]  # (B, 1)
    steps = moves[batch, labels[:, :-1], labels[:, 1:]]  # (B, S - 1)
    unary = torch.where(sentence_mask, unary, 0.0)
    steps = torch.where(sentence_mask[:, 1:], steps, 0.0)
    return unary.sum(1) + steps.sum(1)  # (B,)


def log_likelihood(
    emissions: Tensor, transitions: Tensor, sentence_mask: Tensor, state_mask: Tensor, labels: Tensor
) -> Tensor:
    """log P(a* | S, C) of equation 6, the quantity that training maximises; arguments as for `gold_score`.

    Returns:
        Shape: (B,), not above 0.
    """
    gold = gold_score(emissions, transitions, sentence_mask, state_mask, labels)
    return gold - log_partition(emissions, transitions, sentence_mask, state_mask)


@torch.no_grad()
def viterbi(
    emissions: Tensor, transitions: Tensor, sentence_mask: Tensor, state_mask: Tensor
) -> tuple[Tensor, Tensor]:
    """The best alignment (equation 5) and its score Psi, by the Viterbi algorithm; arguments as for `log_partition`.

    Between equal scores the lower state wins, last sentence first.

    Returns:
        labels: the state of each sentence, `PADDING` where the sentence is padding. Shape: (B, S), int64.
        scores: -inf where no alignment is possible, 0 for a pair without sentences. Shape: (B,).
    """
    scores, moves = _mask(emissions, transitions, sentence_mask, state_mask)
    by_origin = moves.permute(1, 2, 0).contiguous()  # (K, K, B): batch last, as in forward_backward
    best = scores.permute(1, 2, 0).clone(memory_format=torch.contiguous_format)  # (S, K, B), ours to write in
    buffer = torch.empty_like(by_origin)
    for before, after in pairwise(best.unbind()):
        torch.add(by_origin, before[:, None, :], out=buffer)
        after += buffer.amax(0)
    top, final = best.max(1)  # (S, B), (S, B)
    ends = last_sentences(sentence_mask).T  # (S, B)
    labels = _trace_back(best, moves, final, ends)
    return labels.masked_fill(~sentence_mask, PADDING), torch.where(ends, top, 0.0).sum(0)


def _trace_back(best: Tensor, moves: Tensor, final: Tensor, ends: Tensor) -> Tensor:
    """The labels that lead to the best last label.

    The origin of a label is found again from the scores: one (B, K) row a step, where the forward loop would have
    had to find and keep the origin of every state.

    Args:
        best: score of the best alignment up to each sentence and state. Shape: (S, K, B).
        moves: transitions [b, a_prev, a]. Shape: (B, K, K).
        final: best label if the sentence were the last. Shape: (S, B).
        ends: marks the last real sentence. Shape: (S, B).
    """
    labels = list(final)  # S of (B,)
    rows = torch.arange(len(moves), device=moves.device)  # (B,)
    before, stops = best.transpose(1, 2).contiguous().unbind(), ends.unbind()  # S of (B, K), S of (B,)
    for step in reversed(range(len(best) - 1)):
        arrivals = before[step] + moves[rows, :, labels[step + 1]]  # (B, K)
        labels[step] = torch.where(stops[step], labels[step], arrivals.argmax(1))
    return torch.stack(labels, 1) if labels else final.T  # (B, S)


@torch.no_grad()
def posteriors(emissions: Tensor, transitions: Tensor, sentence_mask: Tensor, state_mask: Tensor) -> Tensor:
    """P(a_i = a | S, C) by forward-backward; arguments as for `log_partition`.

    Returns:
        Sums to 1 over the states of each real sentence, 0 in the padding. Shape: (B, S, K).
    """
    scores, moves = _mask(emissions, transitions, sentence_mask, state_mask)
    return marginals(scores, moves, sentence_mask, both=True)[1]


def _mask(
    emissions: Tensor, transitions: Tensor, sentence_mask: Tensor, state_mask: Tensor
) -> tuple[Tensor, Tensor]:
    """Emissions and transitions that owe nothing to what the padding holds, NaN included.

    Padded states get emissions of -inf, padded sentences 0. Padded transitions get the pair's largest real one:
    the emissions already forbid them, and the spread of the scores stays that of the real ones.
    """
    size, steps, states = emissions.shape
    if sentence_mask.shape != (size, steps) or state_mask.shape != (size, states):
        raise ValueError(
            f"masks {tuple(sentence_mask.shape)} and {tuple(state_mask.shape)} do not fit emissions "
            f"{tuple(emissions.shape)}: expected (B, S), (B, K) and (B, S, K)"
        )
    if sentence_mask.dtype != torch.bool or state_mask.dtype != torch.bool:
        raise ValueError("masks must be bool, True where real")
    if emissions.dtype not in (torch.float32, torch.float64):
        raise ValueError(f"scores must be float32 or float64, not {emissions.dtype}")
    moves = transitions.expand(size, states, states)  # (B, K, K)
    if sentence_mask.all() and state_mask.all():
        return emissions, moves
    scores = torch.where(sentence_mask[:, :, None], emissions, 0.0)  # (B, S, K)
    scores = scores.masked_fill(~state_mask[:, None, :], -torch.inf)
    real = state_mask[:, :, None] & state_mask[:, None, :]  # (B, K, K)
    largest = finite(moves.detach().masked_fill(~real, -torch.inf).amax((1, 2), keepdim=True))  # (B, 1, 1)
    return scores, torch.where(real, moves, largest)


class _LogPartition(torch.autograd.Function):
    """The log partition with the marginals as its gradient."""

    @staticmethod
    def forward(ctx: Any, scores: Tensor, moves: Tensor, sentence_mask: Tensor, gradient: bool) -> Tensor:
        total, unary, pairs = marginals(scores, moves, sentence_mask, gradient and any(ctx.needs_input_grad))
        ctx.save_for_backward(unary, pairs)
        return total

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None, None]:
        unary, pairs = ctx.saved_tensors
        return gradient[:, None, None] * unary, gradient[:, None, None] * pairs, None, None
