"""Benchmark of the candidates: how many sentence pairs the encoder is spared, and what that costs in F1.

Run from the repository's root:

    python -m benchmarks.candidates MODEL GOLD.jsonl [GOLD.jsonl ...] [--candidates 0 1 2 3 4 6 8] [--limit N]
        [--train TRAIN.jsonl --dev DEV.jsonl --kind wiki] [--documents 2 4 8] [--articles 138095] [--json]

For each number of candidates (`AlignerConfig.candidates`; 0 is all pairs) the trained aligner of the folder MODEL aligns
the labelled document pairs. `pairs` are those that the encoder looks at, identical sentences left out; `fewer` is how
many times fewer than all; `kept` is the share of gold links among the candidates, and so the bound of recall; `lost`
is F1 below that with all pairs. With `--train` and `--dev` the CRF and its thresholds are learned anew for each
number, by the pair encoder of MODEL, so that each number gets the aligner that would be used with it; else the aligner
stays as it was trained. Then article pairs per second: processor time of one thread with nothing encoded before, for
several numbers of document pairs; the slope through them (without the constant part) gives the hours for `--articles`.
"""

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from textsimp.alignment.neural.aligner import Aligner
from textsimp.alignment.neural.checkpoint import load_aligner
from textsimp.alignment.neural.config import RuntimeConfig
from textsimp.alignment.neural.pair_scores import identical
from textsimp.alignment.neural.training import train_aligner
from textsimp.alignment.own_documents import labelled_pairs
from textsimp.metrics.alignment import TASKS, alignment_scores, gold_mask
from textsimp.params import from_conf
from textsimp.records import DocumentPair

WIKI_AUTO = 138_095
"""Article pairs of WIKI-AUTO (Jiang et al. 2020, section 3.2)."""


@dataclass(frozen=True)
class Learning:
    """What the CRF is learned from anew, if at all."""

    train: Sequence[DocumentPair]
    dev: Sequence[DocumentPair]
    kind: str


def aligner_with(model: Path, candidates: int, runtime: RuntimeConfig, learning: Learning | None) -> Aligner:
    """The aligner of a folder with another number of candidates; no encoder outputs at hand."""
    aligner = load_aligner(model, runtime)
    if learning is not None:
        config = replace(aligner.config, candidates=candidates)
        settings = (learning.kind, model / "encoder", config, runtime)
        return train_aligner(learning.train, learning.dev, *settings)[0]
    aligner.scorer.candidates = candidates
    forget(aligner)
    return aligner


def forget(aligner: Aligner) -> None:
    """Drop all that was encoded, what came with the folder too."""
    aligner.scorer.keep([], np.zeros((0, 3), dtype=np.float32))
    aligner.scorer.forget()
    aligner.scorer.encoder.forget()
    aligner.scorer.sentences.forget()


def quality(aligner: Aligner, pairs: Sequence[DocumentPair]) -> dict[str, Any]:
    """Pairs encoded, the share of gold links among them, and F1 of both tasks in percent."""
    aligner.scorer.prepare(pairs)
    masks = [aligner.scorer.choose(pair) & ~identical(pair) for pair in pairs]
    gold = [gold_mask(pair, "task1") & ~identical(pair) for pair in pairs]
    found = alignment_scores((pair, aligner.align(pair)) for pair in pairs)
    links = sum(int(mask.sum()) for mask in gold)
    kept = sum(int((mask & right).sum()) for mask, right in zip(masks, gold, strict=True))
    return {
        "pairs": sum(int(mask.sum()) for mask in masks),
        "kept": 100 * kept / links if links else None,
        **{task: found[task]["f1"] for task in TASKS},
    }


def quality_rows(
    model: Path,
    pairs: Sequence[DocumentPair],
    numbers: Sequence[int],
    runtime: RuntimeConfig,
    learning: Learning | None,
) -> list[dict[str, Any]]:
    """One row for each number of candidates; the first is all pairs, with which the others are compared."""
    rows = []
    for number in [0, *(number for number in numbers if number)]:
        row = {"candidates": number, **quality(aligner_with(model, number, runtime, learning), pairs)}
        every = rows[0] if rows else row
        row["fewer"] = every["pairs"] / row["pairs"]
        row["lost"] = {task: every[task] - row[task] for task in TASKS}
        rows.append(row)
    return rows


def speed(
    model: Path, pairs: Sequence[DocumentPair], sizes: Sequence[int], candidates: int, runtime: RuntimeConfig
) -> dict[str, Any]:
    """Processor seconds by number of document pairs, seconds for one more, and the constant part."""
    aligner = aligner_with(model, candidates, runtime, None)
    aligner.align(pairs[0])  # the first call of a model is slow
    seconds = {}
    for size in sizes:
        chosen = [pairs[place] for place in np.linspace(0, len(pairs) - 1, size).round().astype(int).tolist()]
        forget(aligner)
        start = time.process_time()
        aligner.scorer.prepare(chosen)
        for pair in chosen:
            aligner.align(pair)
        seconds[size] = time.process_time() - start
    slope, constant = np.polyfit(list(seconds), list(seconds.values()), 1)
    return {"candidates": candidates, "seconds": seconds, "slope": float(slope), "constant": float(constant)}


def sizes_of(wanted: Sequence[int], pairs: Sequence[DocumentPair]) -> list[int]:
    """The numbers of documents that there are, two at least."""
    return sorted({min(size, len(pairs)) for size in wanted} | ({1, len(pairs)} if len(pairs) < 3 else set()))


def show(rows: Sequence[dict[str, Any]], speeds: Sequence[dict[str, Any]], articles: int) -> None:
    """Print two tables."""
    print(f"{'candidates':>10}{'pairs':>9}{'fewer':>8}{'kept %':>8}{'F1 1':>8}{'F1 2':>8}{'lost 1':>8}{'lost 2':>8}")
    for row in rows:
        figures = (row["fewer"], row["kept"] or 0.0, *(row[task] for task in TASKS), *row["lost"].values())
        print(f"{row['candidates'] or 'all':>10}{row['pairs']:>9}" + "".join(f"{value:>8.2f}" for value in figures))
    print()
    for row in speeds:
        times = ", ".join(f"{size}: {seconds:.2f} s" for size, seconds in row["seconds"].items())
        hours = articles * row["slope"] / 3600
        print(f"candidates {row['candidates'] or 'all'}: {times}")
        print(f"    {1 / row['slope']:.2f} article pairs per second and thread; {articles:,} take {hours:,.1f} hours")


def main() -> None:
    """Measure what the command line names and print tables or JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.candidates", description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path, help="folder of a trained aligner")
    parser.add_argument("gold", type=Path, nargs="+", help="labelled document pairs")
    parser.add_argument("--candidates", type=int, nargs="+", default=[0, 1, 2, 3, 4, 6, 8])
    parser.add_argument("--limit", type=int, help="so many document pairs at most, evenly spread")
    parser.add_argument("--train", type=Path, help="learn the CRF anew from these labelled document pairs")
    parser.add_argument("--dev", type=Path, help="tune its thresholds on these")
    parser.add_argument("--kind", default="newsela", help="newsela or wiki: its paragraph algorithm")
    parser.add_argument("--documents", type=int, nargs="+", default=[2, 4, 8], help="numbers of document pairs to time")
    parser.add_argument("--articles", type=int, default=WIKI_AUTO, help="document pairs to extrapolate to")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if (args.train is None) != (args.dev is None):
        parser.error("--train and --dev go together")
    pairs = [pair for path in args.gold for pair in labelled_pairs(path)]
    if args.limit:
        pairs = [pairs[k] for k in sorted({k * len(pairs) // args.limit for k in range(args.limit)})]
    learning = Learning(labelled_pairs(args.train), labelled_pairs(args.dev), args.kind) if args.train else None
    runtime = replace(from_conf("runtime", RuntimeConfig), threads=1)
    torch.set_num_threads(1)
    rows = quality_rows(args.model, pairs, args.candidates, runtime, learning)
    sizes, own = sizes_of(args.documents, pairs), load_aligner(args.model, runtime).config.candidates
    speeds = [speed(args.model, pairs, sizes, number, runtime) for number in sorted({0, 2, own})]
    if args.json:
        print(json.dumps({"quality": rows, "speed": speeds}, indent=2))
        return
    show(rows, speeds, args.articles)


if __name__ == "__main__":
    main()
