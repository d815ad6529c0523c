"""Benchmark of the CRF: batched partition with gradient and Viterbi against a plain per-cell Python implementation.

Run from the repository's root:

    python -m benchmarks.crf [--pairs 64] [--sentences 10] [--states 21] [--dtype float32] [--repeats 5]

Both sides run in the same process on the same scores (plain Python computes in 64 bits, the batched functions in
`--dtype`; training uses float32), and their results are compared before anything is timed. Prints the
processor time per pair (one thread, so that other work on the machine counts little) and the ratio.
"""

import argparse
import math
from time import process_time
from timeit import repeat

import torch
from torch import Tensor

from textsimp.alignment.neural import crf

Scores = list[list[float]]
TOLERANCE = {torch.float32: 1e-3, torch.float64: 1e-9}


def plain_partition(emissions: Scores, transitions: Scores) -> tuple[float, Scores, Scores]:
    """Log partition of one pair and its gradients by emissions and transitions, cell by cell."""
    states = range(len(transitions))
    alphas = [emissions[0]]
    for row in emissions[1:]:
        last = alphas[-1]
        alphas.append([row[a] + _log_sum([last[b] + transitions[b][a] for b in states]) for a in states])
    betas = [[0.0 for _ in states]]
    for row in emissions[:0:-1]:
        last = betas[-1]
        betas.append([_log_sum([transitions[a][b] + row[b] + last[b] for b in states]) for a in states])
    betas.reverse()
    total = _log_sum(alphas[-1])
    unary = [[math.exp(x + y - total) for x, y in zip(*rows, strict=True)] for rows in zip(alphas, betas, strict=True)]
    pairwise = [[0.0 for _ in states] for _ in states]
    for step in range(1, len(emissions)):
        for a in states:
            for b in states:
                score = alphas[step - 1][a] + transitions[a][b] + emissions[step][b] + betas[step][b]
                pairwise[a][b] += math.exp(score - total)
    return total, unary, pairwise


def plain_viterbi(emissions: Scores, transitions: Scores) -> list[int]:
    """The best labels of one pair, cell by cell."""
    states = range(len(transitions))
    best, pointers = emissions[0], []
    for row in emissions[1:]:
        scores, origins = [], []
        for a in states:
            arrivals = [best[b] + transitions[b][a] for b in states]
            origin = max(states, key=arrivals.__getitem__)
            origins.append(origin)
            scores.append(arrivals[origin] + row[a])
        best = scores
        pointers.append(origins)
    labels = [max(states, key=best.__getitem__)]
    for origins in reversed(pointers):
        labels.append(origins[labels[-1]])
    return labels[::-1]


def batched_partition(emissions: Tensor, transitions: Tensor, masks: tuple[Tensor, Tensor]) -> tuple[Tensor, ...]:
    """Log partition of the batch and its gradients by automatic differentiation."""
    emissions, transitions = emissions.detach().requires_grad_(), transitions.detach().requires_grad_()
    total = crf.log_partition(emissions, transitions, *masks)
    return total, *torch.autograd.grad(total.sum(), (emissions, transitions))


def problem(
    pairs: int, sentences: int, states: int, dtype: torch.dtype
) -> tuple[Tensor, Tensor, tuple[Tensor, Tensor]]:
    """Random scores: emissions (B, S, K), transitions (B, K, K), and full masks."""
    generator = torch.Generator().manual_seed(13)
    emissions = torch.randn(pairs, sentences, states, generator=generator, dtype=dtype)
    transitions = torch.randn(pairs, states, states, generator=generator, dtype=dtype)
    masks = torch.ones(pairs, sentences, dtype=torch.bool), torch.ones(pairs, states, dtype=torch.bool)
    return emissions, transitions, masks


def compare(pairs: int, sentences: int, states: int, dtype: torch.dtype, repeats: int) -> dict[str, dict[str, float]]:
    """Milliseconds a pair for both implementations, and their ratio; ValueError if their results differ."""
    emissions, transitions, masks = problem(pairs, sentences, states, dtype)
    lists = list(zip(emissions.tolist(), transitions.tolist(), strict=True))
    _check(lists, emissions, transitions, masks)
    work = {
        "forward+backward": (
            lambda: [plain_partition(*item) for item in lists],
            lambda: batched_partition(emissions, transitions, masks),
        ),
        "viterbi": (
            lambda: [plain_viterbi(*item) for item in lists],
            lambda: crf.viterbi(emissions, transitions, *masks),
        ),
    }
    rows = {}
    for name, (plain, batched) in work.items():
        runs = (plain, repeats), (batched, 10 * repeats)
        seconds = (min(repeat(run, timer=process_time, number=1, repeat=times)) for run, times in runs)
        rows[name] = _row(*(1000 * value / pairs for value in seconds))
    rows["all"] = _row(*(sum(row[key] for row in rows.values()) for key in ("plain_ms", "batched_ms")))
    return rows


def main() -> None:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=64, help="pairs in a batch (64)")
    parser.add_argument("--sentences", type=int, default=10, help="simple sentences m (10)")
    parser.add_argument("--states", type=int, default=21, help="states n + 1 (21)")
    parser.add_argument("--dtype", choices=("float32", "float64"), default="float32", help="of torch (float32)")
    parser.add_argument("--repeats", type=int, default=5, help="timed runs, of which the best counts (5)")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    dtype = getattr(torch, arguments.dtype)
    shape = arguments.pairs, arguments.sentences, arguments.states
    title = f"{arguments.pairs} pairs of {arguments.sentences} x {arguments.states - 1} sentences"
    print(f"{title}, {arguments.dtype}, milliseconds a pair")
    print(f"{'':18}{'plain':>10}{'batched':>10}{'ratio':>8}")
    for name, row in compare(*shape, dtype, arguments.repeats).items():
        print(f"{name:18}{row['plain_ms']:10.3f}{row['batched_ms']:10.4f}{row['ratio']:8.0f}")


def _log_sum(scores: list[float]) -> float:
    top = max(scores)
    return top + math.log(sum([math.exp(score - top) for score in scores]))


def _row(plain: float, batched: float) -> dict[str, float]:
    return {"plain_ms": plain, "batched_ms": batched, "ratio": plain / batched}


def _check(
    lists: list[tuple[Scores, Scores]], emissions: Tensor, transitions: Tensor, masks: tuple[Tensor, Tensor]
) -> None:
    results = batched_partition(emissions, transitions, masks)
    plain = zip(*(plain_partition(*item) for item in lists), strict=True)
    for got, column in zip(results, plain, strict=True):
        want = torch.tensor(column, dtype=got.dtype)
        if not torch.allclose(got, want, rtol=0, atol=TOLERANCE[got.dtype]):
            raise ValueError("the two implementations disagree on the partition function or its gradient")
    labels = crf.viterbi(emissions, transitions, *masks).tolist()
    if labels != [plain_viterbi(*item) for item in lists]:
        raise ValueError("the two implementations disagree on the best labels")


if __name__ == "__main__":
    main()
