"""The linear-chain CRF of Jiang et al. 2020, section 2.2-2.3, equations 1, 2, 5 and 6, as pure functions.

Time steps are the m simple sentences of a pair, states its n + 1 labels: state 0 is NULL (not aligned), state
j > 0 is complex sentence j - 1. Pairs of different m and n share a batch through two bool masks (True is real).

The score of an alignment is Psi(a, S, C) = sum_i sim(s_i, c_{a_i}) + sum_{i > 1} T(a_i, a_{i-1}) (equation 2): the
paper leaves a_0 undefined, so nothing is paid for the way into the first sentence. There is no end score either.

All scores are logarithms. What a mask excludes scores -inf, never a large negative number, so that the partition
function is exact; -inf among the given scores forbids a state or a transition. Time is O(m n^2). The partition
function brings its own gradient (the marginals), and so keeps O(B K^2 + B S K) numbers where automatic
differentiation of its recursion would keep O(B S K^2). It is differentiable once.

The forward-backward recursions come in two number formats with one contract; `marginals` picks one. Scaled
probabilities need no exponential inside the loop over sentences, but lose what is below the smallest number; that
cannot change a result where the transition scores of a pair lie close together: after normalisation the best state
has probability 1/K or more, so every state is reached with at least exp(-spread) / K, and a state whose
probability was lost wins back at most exp(spread). Where the spread is wider, or a transition is forbidden (-inf),
the recursions stay in logarithms.

Both take emissions with padded states at -inf and padded sentences at 0, and transitions [b, a_prev, a] whose
padded cells hold the pair's largest real one, and return the log partition (B,), and, where asked,
P(a_i = a) (B, S, K), 0 in the padding, and sum_i P(a_{i-1} = a_prev, a_i = a) (B, K, K).

The loops keep the batch last: sums over states then run along contiguous memory, whatever the batch.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.autograd.function import once_differentiable

NULL = 0
PADDING = -1
Vector = NDArray[np.float64]


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
    """
    scores, moves = _mask(emissions, transitions, sentence_mask, state_mask)
    return _LogPartition.apply(scores, moves, sentence_mask, torch.is_grad_enabled())  # (B,)


@torch.no_grad()
def viterbi(emissions: Tensor, transitions: Tensor, sentence_mask: Tensor, state_mask: Tensor) -> Tensor:
    """The best alignment (equation 5), by the Viterbi algorithm; arguments as for `log_partition`.

    Between equal scores the lower state wins, last sentence first.

    Returns:
        The state of each sentence, `PADDING` where the sentence is padding. Shape: (B, S), int64.
    """
    scores, moves = _mask(emissions, transitions, sentence_mask, state_mask)
    by_origin = moves.permute(1, 2, 0).contiguous()  # (K, K, B): batch last, as in `scaled`
    best = scores.permute(1, 2, 0).clone(memory_format=torch.contiguous_format)  # (S, K, B), ours to write in
    buffer = torch.empty_like(by_origin)
    for before, after in pairwise(best.unbind()):
        torch.add(by_origin, before[:, None, :], out=buffer)
        after += buffer.amax(0)
    labels = _trace_back(best, moves, best.argmax(1), last_sentences(sentence_mask).T)
    return labels.masked_fill(~sentence_mask, PADDING)


def _trace_back(best: Tensor, moves: Tensor, final: Tensor, ends: Tensor) -> Tensor:
    """The labels that lead to the best last label.

    The origin of a label is found again from the scores: one (B, K) row a step, where the forward loop would have
    had to find and keep the origin of every state. `best` is the score of the best alignment up to each sentence and
    state, (S, K, B), `final` the best label if the sentence were the last, (S, B), and `ends` marks the last, (S, B).
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
    _, unary, _ = marginals(scores, moves, sentence_mask, both=True)
    return cast(Tensor, unary)


def _mask(emissions: Tensor, transitions: Tensor, sentence_mask: Tensor, state_mask: Tensor) -> tuple[Tensor, Tensor]:
    """Emissions and transitions that owe nothing to what the padding holds, NaN included.

    Padded states get emissions of -inf, padded sentences 0. Padded transitions get the pair's largest real one:
    the emissions already forbid them, and the spread of the scores stays that of the real ones.
    """
    size, _, states = emissions.shape
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


Marginals = tuple[Tensor, Tensor | None, Tensor | None]
# exp(-spread) / K must stay far above the smallest number, about exp(-87) and exp(-708)
_WIDEST_SPREAD = {torch.float32: 40.0, torch.float64: 300.0}


def marginals(scores: Tensor, transitions: Tensor, sentence_mask: Tensor, both: bool) -> Marginals:
    """Log partition and, if `both`, the marginals, in the number format that the transitions allow."""
    spread = (transitions.amax((1, 2)) - transitions.amin((1, 2))).amax()
    if spread <= _WIDEST_SPREAD[scores.dtype]:
        return scaled(scores, transitions, sentence_mask, both)
    return logarithmic(scores, transitions, sentence_mask, both)


def scaled(scores: Tensor, transitions: Tensor, sentence_mask: Tensor, both: bool) -> Marginals:
    """In probabilities, normalised at each sentence."""
    top = transitions.amax((1, 2))  # (B,)
    peaks = finite(scores.amax(2))  # (B, S)
    weights = (transitions - top[:, None, None]).exp().permute(1, 2, 0).contiguous()  # (K, K, B)
    emissions = (scores - peaks[:, :, None]).exp().permute(1, 2, 0).contiguous()  # (S, K, B)
    incoming, filtered = torch.ones_like(emissions), torch.empty_like(emissions)
    sums = torch.empty_like(emissions[:, 0])  # (S, B)
    buffer = torch.empty_like(weights)
    smallest = torch.finfo(scores.dtype).tiny
    before = None
    for arrived, emission, current, scale in zip(incoming, emissions, filtered, sums, strict=True):
        if before is not None:
            torch.mul(weights, before[:, None, :], out=buffer)
            torch.sum(buffer, 0, out=arrived)
        torch.mul(arrived, emission, out=current)
        torch.sum(current, 0, out=scale)
        before = current.div_(scale.clamp_min(smallest))
    logs = sums.log().T + peaks  # (B, S)
    logs[:, 1:] += top[:, None]
    total = torch.where(sentence_mask, logs, 0.0).sum(1)  # (B,)
    return (total, *_scaled_backward(filtered, incoming, weights, sentence_mask)) if both else (total, None, None)


def _scaled_backward(
    filtered: Tensor, incoming: Tensor, weights: Tensor, sentence_mask: Tensor
) -> tuple[Tensor, Tensor]:
    """Return P(a_{i-1}, a_i) = P(a_i) P(a_{i-1} | a_i, s_1..s_{i-1}), from the last sentence on.

    `filtered` is P(a_i | s_1..s_i), (S, K, B), `incoming` its sum over a_prev times the weights, (S, K, B), and
    `weights` is exp(T) on the scale of the largest, (K, K, B).
    """
    unary = filtered * last_sentences(sentence_mask).T[:, None, :]  # (S, K, B)
    incoming.clamp_min_(torch.finfo(incoming.dtype).tiny)
    ratios = torch.zeros_like(filtered)  # P(a_i) / incoming; stays 0 in the padding, where P(a_i) is
    buffer = torch.empty_like(weights)
    steps = [tensor.unbind() for tensor in (unary, incoming, ratios, filtered)]
    for step in reversed(range(1, len(filtered))):
        after, arrived, ratio = (tensors[step] for tensors in steps[:3])
        torch.div(after, arrived, out=ratio)
        torch.mul(weights, ratio[None], out=buffer)
        steps[0][step - 1].addcmul_(steps[3][step - 1], buffer.sum(1))
    origins, targets = filtered[:-1].permute(2, 1, 0), ratios[1:].permute(2, 0, 1)  # (B, K, S - 1), (B, S - 1, K)
    return unary.permute(2, 0, 1), torch.bmm(origins, targets) * weights.permute(2, 0, 1)


def logarithmic(scores: Tensor, transitions: Tensor, sentence_mask: Tensor, both: bool) -> Marginals:
    """In logarithms, normalised at each sentence so that long documents keep their precision."""
    moves = transitions.permute(1, 2, 0).contiguous()  # (K, K, B)
    emissions = scores.permute(1, 2, 0).contiguous()  # (S, K, B)
    incoming, filtered = torch.zeros_like(emissions), torch.empty_like(emissions)
    sums = torch.empty_like(emissions[:, 0])  # (S, B)
    for step in range(len(emissions)):
        if step:
            incoming[step] = (moves + filtered[step - 1, :, None, :]).logsumexp(0)
        joint = incoming[step] + emissions[step]  # (K, B)
        sums[step] = joint.logsumexp(0)
        filtered[step] = joint - finite(sums[step])
    total = torch.where(sentence_mask, sums.T, 0.0).sum(1)  # (B,)
    return (total, *_logarithmic_backward(filtered, incoming, moves, sentence_mask)) if both else (total, None, None)


def _logarithmic_backward(
    filtered: Tensor, incoming: Tensor, moves: Tensor, sentence_mask: Tensor
) -> tuple[Tensor, Tensor]:
    unary = filtered.exp() * last_sentences(sentence_mask).T[:, None, :]  # (S, K, B)
    pairwise = torch.zeros_like(moves)  # (K, K, B)
    for step in reversed(range(1, len(filtered))):
        pair = (moves + filtered[step - 1, :, None, :]).sub_(finite(incoming[step])).exp_()  # (K, K, B)
        pair.mul_(unary[step])
        pairwise += pair
        unary[step - 1] += pair.sum(1)
    return unary.permute(2, 0, 1), pairwise.permute(2, 0, 1)


def last_sentences(sentence_mask: Tensor) -> Tensor:
    """Marks the last real sentence of each row. Shape: (B, S), bool."""
    following = torch.cat([sentence_mask[:, 1:], torch.zeros_like(sentence_mask[:, :1])], 1)
    return sentence_mask & ~following


def finite(scores: Tensor) -> Tensor:
    """-inf, where nothing was possible, as 0: subtracting it then leaves -inf and no NaN."""
    return scores.masked_fill(scores == -torch.inf, 0.0)


# Posteriors over a long document, where transitions of some distance and more score the same: with distances cut at D
# (`TransitionConfig.max_distance`), exp(T) between two sentences is a constant but for the 2 D - 1 labels around. A
# product with it is a sum and a convolution, in O(S K D) instead of O(S K^2) and without a matrix of transitions; the
# result is the same but for rounding.


@dataclass(frozen=True)
class Moves:
    """exp(T) between labels, on the scale of the largest.

    Attributes:
        near: between sentences of distance 1 - D to D - 1, less `far`. Shape: (2 D - 1,).
        far: between sentences of distance D and more.
        into, out: from each sentence to NULL, and from NULL to each. Shapes: (N,).
        stay: from NULL to NULL.
    """

    near: Vector
    far: float
    into: Vector
    out: Vector
    stay: float

    @classmethod
    def of(cls, scores: Vector, most: int) -> "Moves":
        """From T by kind of transition and distance; the kinds are those of `network.py`. Shape: (4, K)."""
        weights = np.exp(scores - scores.max())
        near = weights[0, :most] - weights[0, most]
        symmetric = np.concatenate([near[:0:-1], near])
        return cls(symmetric, float(weights[0, most]), weights[1, 1:], weights[2, 1:], float(weights[3, 0]))

    def forth(self, before: Vector) -> Vector:
        """sum over a_prev of exp(T[a_prev, a]) before[a_prev]. Shape: (K,)."""
        return self._moved(before, self.into, self.out)

    def back(self, after: Vector) -> Vector:
        """sum over a of exp(T[a_prev, a]) after[a]. Shape: (K,)."""
        return self._moved(after, self.out, self.into)

    def _moved(self, values: Vector, to_null: Vector, from_null: Vector) -> Vector:
        null, rest = values[0], values[1:]
        moved = np.empty_like(values)
        moved[0] = to_null @ rest + self.stay * null
        moved[1:] = np.convolve(rest, self.near, "same") + (self.far * rest.sum() + from_null * null)
        return np.maximum(moved, 0.0, out=moved)


def long_posteriors(emissions: NDArray[np.float32], moves: Moves) -> NDArray[np.float32]:
    """Return P(a_i = a | S, C) by forward-backward, normalised at each sentence; NULL has to be possible.

    Shapes: (S, K) to (S, K).
    """
    posteriors = np.empty(emissions.shape, np.float32)  # filtered, then the posteriors
    scales = np.empty(len(emissions))
    before = np.ones(emissions.shape[1])
    for step, row in enumerate(emissions):
        arrived = moves.forth(before) if step else before
        current = arrived * _likelihoods(row)
        scales[step] = max(current.sum(), np.finfo(np.float64).tiny)
        posteriors[step] = before = current / scales[step]
    behind = np.ones(emissions.shape[1])
    for step in reversed(range(len(emissions) - 1)):
        behind = moves.back(_likelihoods(emissions[step + 1]) * behind / scales[step + 1])
        posteriors[step] *= behind
    return posteriors


def _likelihoods(scores: NDArray[np.float32]) -> Vector:
    return np.exp(scores.astype(np.float64) - float(scores.max()))
