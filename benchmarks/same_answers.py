"""Does the shipped aligner give the same answer everywhere? F1 over seeds of training and over vector instructions.

    python -m benchmarks.same_answers --splits data/splits --seeds 13 14 15 16 17 --capabilities default avx2

Each line is one training, by another seed or with fewer vector instructions (ATEN_CPU_CAPABILITY), and its F1 on the
test splits of both sample corpora; the last line has the distance between the lowest and the highest. `shipped` lines
train nothing: the shipped weights under fewer instructions.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

CORPORA = ("sample_news", "sample_wiki")
_RUN = "--one"


def scores(splits: Path, seed: int | None) -> dict[str, float]:
    """F1 of both tasks on both test splits, of an aligner trained with this seed; of the shipped one where None."""
    from dataclasses import replace

    from textsimp.alignment.cache import Cache
    from textsimp.alignment.fitted import DEFAULT
    from textsimp.alignment.neural.aligner_settings import Device, EncoderConfig
    from textsimp.alignment.parts import Part
    from textsimp.alignment.systems import load_system, make_system, saved_config
    from textsimp.core.params import from_conf
    from textsimp.core.records import read_pairs
    from textsimp.core.word_vectors import WordVectorConfig
    from textsimp.metrics.links import alignment_scores

    config = saved_config(DEFAULT)
    device, vectors = from_conf("runtime", Device), from_conf("word_vectors", WordVectorConfig)
    cache = Cache([], vectors, from_conf("aligner.encoder", EncoderConfig), device)
    if seed is None:
        system = load_system(DEFAULT, cache, config)
    else:
        options = {**config.strategy.options, "seed": seed}
        system = make_system(replace(config, strategy=Part(config.strategy.name, options)), cache)
        parts = ("train", "dev")
        labelled = [list(read_pairs(splits / corpus / f"{part}.jsonl")) for corpus in CORPORA for part in parts]
        system.fit(sum(labelled, []), [])
    f1_by_task: dict[str, float] = {}
    for corpus in CORPORA:
        pairs = list(read_pairs(splits / corpus / "test.jsonl"))
        system.prepare(pairs)
        of_tasks = alignment_scores((pair, system.align(pair)) for pair in pairs)
        f1_by_task |= {f"{corpus}.{task}": of_tasks[task]["f1"] for task in ("task1", "task2")}
    return f1_by_task


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.same_answers", description=__doc__.splitlines()[0])
    parser.add_argument("--splits", type=Path, default=Path("data/splits"))
    parser.add_argument("--seeds", type=int, nargs="*", default=[13, 14, 15, 16, 17])
    parser.add_argument("--capabilities", nargs="*", default=["default", "avx2"])
    parser.add_argument(_RUN, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        print(json.dumps(scores(args.splits, None if args.one == "shipped" else int(args.one))))
        return
    runs = [(str(seed), "native") for seed in args.seeds]
    first = str(args.seeds[0]) if args.seeds else None
    runs += [(what, name) for name in args.capabilities for what in ("shipped", first) if what]
    rows = []
    for what, capability in runs:
        environment = os.environ | ({} if capability == "native" else {"ATEN_CPU_CAPABILITY": capability})
        command = [sys.executable, "-m", "benchmarks.same_answers", "--splits", str(args.splits), _RUN, what]
        done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
        rows.append(json.loads(done.stdout.splitlines()[-1]))
        print(f"{what:8s} {capability:8s}", *(f"{key} {value:.2f}" for key, value in rows[-1].items()), flush=True)
    print("spread", *(f"{key} {max(row[key] for row in rows) - min(row[key] for row in rows):.2f}" for key in rows[0]))


if __name__ == "__main__":
    main()
