"""Benchmark of the candidates: how many sentence pairs the encoder is spared, and what that costs in F1.

Run from the repository's root:

    python -m benchmarks.candidates MODEL GOLD.jsonl [GOLD.jsonl ...] [--candidates 0 1 2 3 4 6 8] [--limit N]
        [--gate-train TRAIN.jsonl --gate-dev DEV.jsonl] [--train TRAIN.jsonl --dev DEV.jsonl --kind wiki]
        [--documents 2 4 8] [--articles 138095]

For each number of candidates (`AlignerConfig.candidates`; 0 is all pairs), and for a gate that is
learned from `--gate-train` and `--gate-dev` (benchmarks/pruning.py), the trained aligner of the folder MODEL aligns the
labelled document pairs. `pairs` are those that the encoder looks at, identical sentences left out; `fewer` is how
many times fewer than all; `kept` is the share of gold links among the candidates, and so the bound of recall; `lost`
is F1 below that with all pairs, with the 95 percent interval of a paired bootstrap over article sets. `links` is how
many times fewer than all the gold links are: no rule that keeps them all can spare more. With `--train` and `--dev` the
CRF and its thresholds are learned anew for each number, by the pair encoder of MODEL, so that each number gets the
aligner that would be used with it; else, and with the gate, the aligner stays as it was trained. Then article pairs per
second: processor time of one thread with nothing encoded before, for several numbers of document pairs; the slope
through them (without the constant part) gives the hours for `--articles`.
"""

import argparse
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from benchmarks.pruning import Gate, GatedScorer, PruningConfig, learn_gate
from textsimp.alignment.neural.aligner import Aligner, load_aligner
from textsimp.alignment.neural.aligner_settings import Device
from textsimp.alignment.neural.training import train_aligner
from textsimp.alignment.spec import labelled_pairs
from textsimp.core.params import from_conf
from textsimp.core.records import DocumentPair, Link
from textsimp.core.results import Resampling
from textsimp.metrics.links import TASKS, Task, alignment_scores, gold_mask, identical_mask, pair_counts
from textsimp.metrics.resampling import resample
from textsimp.metrics.scores import SegmentStatistics, Signature

WIKI_AUTO = 138_095
"""Article pairs of WIKI-AUTO (Jiang et al. 2020, section 3.2)."""
SAMPLES = 1000
Rule = int | Gate
"""A number of candidates, or a gate."""


@dataclass(frozen=True)
class Learning:
    """What the CRF is learned from anew, if at all."""

    train: Sequence[DocumentPair]
    dev: Sequence[DocumentPair]
    kind: str


def aligner_with(model: Path, rule: Rule, device: Device, learning: Learning | None) -> Aligner:
    """The aligner of a folder with another choice of candidates; no encoder outputs at hand."""
    aligner = load_aligner(model, device)
    if learning is not None and not isinstance(rule, Gate):
        config = replace(aligner.config, candidates=rule)
        settings = (learning.kind, model / "encoder", config, device)
        return train_aligner(learning.train, learning.dev, *settings)[0]
    if isinstance(rule, Gate):
        aligner = GatedScorer.of(aligner, rule)
    else:
        aligner.scorer.candidates = rule
    forget(aligner)
    return aligner


def forget(aligner: Aligner) -> None:
    """Drop all that was encoded, what came with the folder too."""
    aligner.scorer.keep([], np.zeros((0, 3), dtype=np.float32))
    aligner.forget()


def quality(aligner: Aligner, pairs: Sequence[DocumentPair]) -> tuple[dict[str, Any], list[list[Link]]]:
    """Pairs encoded, the share of gold links among them, and F1 of both tasks in percent; and the links found."""
    aligner.scorer.prepare(pairs)
    masks = [aligner.scorer.choose(pair) & ~identical_mask(pair) for pair in pairs]
    gold = [gold_mask(pair, "task1") & ~identical_mask(pair) for pair in pairs]
    links = [aligner.align(pair) for pair in pairs]
    scores = alignment_scores(zip(pairs, links, strict=True))
    linked = sum(int(mask.sum()) for mask in gold)
    kept = sum(int((mask & right).sum()) for mask, right in zip(masks, gold, strict=True))
    row: dict[str, Any] = {
        "pairs": sum(int(mask.sum()) for mask in masks),
        "gold": linked,
        "kept": 100 * kept / linked if linked else None,
        **{task: scores[task]["f1"] for task in TASKS},
    }
    return row, links


def quality_rows(
    model: Path,
    pairs: Sequence[DocumentPair],
    rules: Mapping[str, Rule],
    device: Device,
    learning: Learning | None,
) -> list[dict[str, Any]]:
    """One row for each choice of candidates; the first is all pairs, with which the others are compared."""
    rows, every = [], None
    for name, rule in {"all": 0, **rules}.items():
        figures, links = quality(aligner_with(model, rule, device, learning), pairs)
        row = {"candidates": name, **figures}
        every = every or (row, links)
        row["fewer"] = every[0]["pairs"] / row["pairs"]
        row["lost"] = {task: lost(pairs, every[1], links, task) for task in TASKS}
        rows.append(row)
    return rows


def lost(
    pairs: Sequence[DocumentPair], every: Sequence[list[Link]], links: Sequence[list[Link]], task: Task
) -> dict[str, float | None]:
    """F1 in percent below that with all pairs, and its 95 percent interval over article sets."""
    groups = sorted({pair.group for pair in pairs})
    counts = [np.zeros((len(groups), 3)) for _ in range(2)]
    for table, predicted in zip(counts, (every, links), strict=True):
        for pair, own in zip(pairs, predicted, strict=True):
            table[groups.index(pair.group)] += pair_counts(pair, own)[task]
    statistics = [{"f1": SegmentStatistics(Signature.of("f1"), table, _f1)} for table in counts]
    all_pairs, fewer = resample(statistics, Resampling(SAMPLES, 1))
    difference = all_pairs["f1"].minus(fewer["f1"])[0]
    return {"f1": difference.difference, "low": difference.low, "high": difference.high}


def _f1(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """F1 in percent of correct, predicted and gold links. Shape: (..., 3) to (..., 1)."""
    return 200 * counts[..., :1] / np.maximum(counts[..., 1:2] + counts[..., 2:], 1)


def speed(
    model: Path, pairs: Sequence[DocumentPair], sizes: Sequence[int], rule: Rule, device: Device
) -> dict[str, Any]:
    """Processor seconds by number of document pairs, seconds for one more, and the constant part."""
    aligner = aligner_with(model, rule, device, None)
    aligner.align(pairs[0])  # the first call of a model is slow
    seconds = {}
    for size in sizes:
        chosen = [pairs[index] for index in np.linspace(0, len(pairs) - 1, size).round().astype(int).tolist()]
        forget(aligner)
        start = time.process_time()
        aligner.scorer.prepare(chosen)
        for pair in chosen:
            aligner.align(pair)
        seconds[size] = time.process_time() - start
    slope, constant = np.polyfit(list(seconds), list(seconds.values()), 1)
    return {"seconds": seconds, "slope": float(slope), "constant": float(constant)}


def sizes_of(wanted: Sequence[int], pairs: Sequence[DocumentPair]) -> list[int]:
    """The numbers of documents that there are, two at least."""
    return sorted({min(size, len(pairs)) for size in wanted} | ({1, len(pairs)} if len(pairs) < 3 else set()))


def show(rows: Sequence[dict[str, Any]], speeds: Sequence[dict[str, Any]], articles: int) -> None:
    """Print two tables."""
    print(f"{'candidates':>10}{'pairs':>9}{'fewer':>8}{'kept %':>8}{'F1 1':>8}{'F1 2':>8}{'lost 1':>24}{'lost 2':>24}")
    for row in rows:
        figures = (row["fewer"], row["kept"] or 0.0, *(row[task] for task in TASKS))
        intervals = (f"{f1['f1']:.2f} ({f1['low']:.2f} to {f1['high']:.2f})" for f1 in row["lost"].values())
        print(f"{row['candidates']:>10}{row['pairs']:>9}" + "".join(f"{value:>8.2f}" for value in figures), end="")
        print("".join(f"{text:>24}" for text in intervals))
    print(f"{'links':>10}{rows[0]['gold']:>9}{rows[0]['pairs'] / max(rows[0]['gold'], 1):>8.2f}")
    print()
    for row in speeds:
        times = ", ".join(f"{size}: {seconds:.2f} s" for size, seconds in row["seconds"].items())
        hours = articles * row["slope"] / 3600
        print(f"candidates {row['candidates']}: {times}")
        print(f"    {1 / row['slope']:.2f} article pairs per second and thread; {articles:,} take {hours:,.1f} hours")


def gate_for(args: argparse.Namespace, device: Device) -> Gate | None:
    """The gate that the command line asks for."""
    if args.gate_train is None:
        return None
    train, dev = (labelled_pairs(path) for path in (args.gate_train, args.gate_dev))
    return learn_gate(load_aligner(args.model, device), train, dev, PruningConfig())


def arguments() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.candidates", description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path, help="folder of a trained aligner")
    parser.add_argument("gold", type=Path, nargs="+", help="labelled document pairs")
    parser.add_argument("--candidates", type=int, nargs="+", default=[0, 1, 2, 3, 4, 6, 8])
    parser.add_argument("--limit", type=int, help="so many document pairs at most, evenly spread")
    parser.add_argument("--gate-train", type=Path, help="learn a gate from these labelled document pairs")
    parser.add_argument("--gate-dev", type=Path, help="tune its threshold on these")
    parser.add_argument("--train", type=Path, help="learn the CRF anew from these labelled document pairs")
    parser.add_argument("--dev", type=Path, help="tune its thresholds on these")
    parser.add_argument("--kind", default="newsela", help="newsela or wiki: its paragraph algorithm")
    parser.add_argument("--documents", type=int, nargs="+", default=[2, 4, 8], help="numbers of document pairs to time")
    parser.add_argument("--articles", type=int, default=WIKI_AUTO, help="document pairs to extrapolate to")
    return parser


def main() -> None:
    """Measure what the command line names and print tables."""
    parser = arguments()
    args = parser.parse_args()
    if (args.train is None) != (args.dev is None) or (args.gate_train is None) != (args.gate_dev is None):
        parser.error("--train goes with --dev, and --gate-train with --gate-dev")
    pairs = [pair for path in args.gold for pair in labelled_pairs(path)]
    if args.limit:
        pairs = [pairs[k] for k in sorted({k * len(pairs) // args.limit for k in range(args.limit)})]
    learning = Learning(labelled_pairs(args.train), labelled_pairs(args.dev), args.kind) if args.train else None
    device = replace(from_conf("runtime", Device), threads=1)
    torch.set_num_threads(1)
    rules: dict[str, Rule] = {str(number): number for number in args.candidates if number}
    gate = gate_for(args, device)
    if gate is not None:
        rules["gate"] = gate
    rows = quality_rows(args.model, pairs, rules, device, learning)
    sizes, own = sizes_of(args.documents, pairs), load_aligner(args.model, device).config.candidates
    timed: dict[str, Rule] = {
        "all": 0,
        **{str(number): number for number in sorted({2, own} - {0})},
        **({"gate": gate} if gate else {}),
    }
    speeds = [{"candidates": name, **speed(args.model, pairs, sizes, rule, device)} for name, rule in timed.items()]
    show(rows, speeds, args.articles)


if __name__ == "__main__":
    main()
