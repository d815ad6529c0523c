"""The forward-backward recursions behind crf.py (F2), in two number formats with one contract.

`marginals` picks one. Scaled probabilities need no exponential inside the loop over sentences, but lose what is
below the smallest number; that cannot change a result where the transition scores of a pair lie close together:
after normalisation the best state has probability 1/K or more, so every state is reached with at least
exp(-spread) / K, and a state whose probability was lost wins back at most exp(spread). Where the spread is wider,
or a transition is forbidden (-inf), the recursions stay in logarithms.

Both take emissions with padded states at -inf and padded sentences at 0, and transitions [b, a_prev, a] whose
padded cells hold the pair's largest real one (see `crf`), and return the log partition (B,), and, where asked,
P(a_i = a) (B, S, K), 0 in the padding, and sum_i P(a_{i-1} = a_prev, a_i = a) (B, K, K).

The loops keep the batch last: sums over states then run along contiguous memory, whatever the batch.
"""

import torch
from torch import Tensor

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
    """P(a_{i-1}, a_i) = P(a_i) P(a_{i-1} | a_i, s_1..s_{i-1}), from the last sentence on.

    Args:
        filtered: P(a_i | s_1..s_i). Shape: (S, K, B).
        incoming: sum over a_prev of the filtered probability before, times its weight. Shape: (S, K, B).
        weights: exp(T) on the scale of the largest. Shape: (K, K, B).
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
    """As `_scaled_backward`; no exponent is above 0."""
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
