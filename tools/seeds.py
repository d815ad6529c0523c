"""Alignment over several seeds of training, of which the report's claims have the mean.

    python tools/seeds.py run --seed 14 [--folder FOLDER]
    python tools/seeds.py gather [--folder FOLDER]

`run` trains everything that annotated corpora are aligned with again, in a clone of the committed state in FOLDER/14,
and aligns dev and test with all systems that depend on the seed. Simplifiers play no part. Started again, it goes on
where it ended; several seeds may run side by side. `gather` joins the runs of `seeds` in params.yaml with that of the
pipeline, which is the one of its own seed (`aligner.encoder.seed`), and has the systems that no seed changes.

It writes reports/seeds/EXPERIMENT.CORPUS.json: of dev and test the mean scores over the seeds with their intervals and
differences, and in slices, `test/seed=14`, those of each seed. Resampled are article sets: the seeds are fixed.
"""

import argparse
import itertools
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from textsimp.alignment.parts import SystemConfig  # noqa: E402 the root has to be on the path first
from textsimp.core.errors import InputError, bad_input, exit_on_bad_input  # noqa: E402
from textsimp.core.params import PARAMS, load_params, select, select_list  # noqa: E402
from textsimp.core.reading import read_records  # noqa: E402
from textsimp.core.results import Cell, Estimate, Resampling, Results  # noqa: E402
from textsimp.evaluation.aligners import GOLD_SUFFIX  # noqa: E402
from textsimp.metrics.links import COUNTS, MEASURES, precision_recall_f1  # noqa: E402
from textsimp.metrics.resampling import score_systems  # noqa: E402
from textsimp.metrics.scores import Counts, SegmentStatistics, Signature  # noqa: E402
from textsimp.reporting.plan import SETTINGS, alignment_settings, seed_scope, seeds_file  # noqa: E402
from tools.keep import write_compact  # noqa: E402
from tools.refresh import path_of, pipeline  # noqa: E402

FOLDER = Path(tempfile.gettempdir()) / "textsimp-seeds"
OWN = "aligner.encoder.seed"
SEEDS = (
    OWN,
    "aligner.crf.seed",
    "alignment_system.infersent.similarity.options.seed",
    "alignment_system.esim.similarity.options.seed",
)
"""What an alignment system learns with. Word vectors stay as they are: no system is learned from them alone."""
STAGES = (
    "acquire", "load_splits", "train_encoder", "train_aligner", "train_aligner_variant", "train_system",
    "evaluate_alignment",
)  # fmt: skip
ARTICLES = "reports/alignment/{}.articles.csv"

Articles = Mapping[tuple[str, str, str], Counts]
"""(Split, system, task) -> correct, predicted and gold links of each article set. Shape of each: (N, 3)."""


def seeded_systems(params: Path) -> list[str]:
    """The alignment systems of params.yaml that a seed of `SEEDS` changes."""
    trained = select_list("trained_systems", params)
    names = select_list("alignment_systems", params)
    configs = {name: load_params(f"alignment_system.{name}", SystemConfig, params) for name in names}
    return [name for name, config in configs.items() if name in trained or config.needs_aligner]


def run(folder: Path, seed: int) -> None:
    """Train and align with one seed in a clone; what is there from an earlier start is not done again."""
    clone, here = folder / str(seed), _commit(ROOT)
    if not clone.exists():
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    if (there := _commit(clone)) != here:
        raise InputError(f"{clone}: a run of commit {there:.7}, here is {here:.7}; remove it, or give another --folder")
    annotated = ",".join(select_list("annotated_corpora", ROOT / PARAMS))
    overrides = [
        f"experiment={select('experiment', ROOT / PARAMS)}",
        *(f"{key}={seed}" for key in SEEDS),
        f"corpora=[{annotated}]",
        "simplification_corpora=[]",
        f"alignment_systems=[{','.join(seeded_systems(ROOT / PARAMS))}]",
        "baseline_systems=[]",
        "shown_systems=[]",
        "resampling.samples=1",  # the scores of one seed are not shown with an interval
    ]
    _python(clone, "-m", "textsimp.core.params", *overrides)
    for command, outs in commands(clone):
        if not all((clone / out).exists() for out in outs):
            print(f"[seed {seed}] {' '.join(command[:2])}", flush=True)
            _python(clone, "-m", *command)


def commands(root: Path) -> Iterator[tuple[list[str], list[str]]]:
    """The module and arguments of each stage to run, with its outputs, as dvc.yaml and params.yaml have them."""
    for name in STAGES:
        stage = pipeline(root)[name]
        keys = {key: select_list(names[2:-1], root / PARAMS) for key, names in stage["matrix"].items()}
        for values in itertools.product(*keys.values()):
            texts = [stage["cmd"], *map(path_of, stage["outs"])]
            for key, value in zip(keys, values, strict=True):
                texts = [text.replace(f"${{item.{key}}}", value) for text in texts]
            command, *outs = texts
            yield shlex.split(command)[2:], outs


def gather(folder: Path) -> None:
    """Write the results over the seeds of params.yaml; `InputError` names one that is missing or differs."""
    seeds, own = [int(seed) for seed in select_list("seeds", ROOT / PARAMS)], int(select(OWN, ROOT / PARAMS))
    runs = {seed: ROOT if seed == own else folder / str(seed) for seed in seeds}
    if own not in runs:
        raise InputError(f"seeds: {seeds}; the pipeline's own, {OWN}: {own}, has to be one of them")
    settings = alignment_settings(ROOT / PARAMS)
    for seed, run_folder in runs.items():
        if not (run_folder / PARAMS).is_file():
            raise InputError(f"{run_folder}: no run; `python tools/seeds.py run --seed {seed}` first")
        if alignment_settings(run_folder / PARAMS) != settings:
            raise InputError(f"{run_folder}: a run with other settings; remove it and run the seed again")
    resampling = load_params("resampling", Resampling, ROOT / PARAMS)
    experiment, baselines = str(select("experiment", ROOT / PARAMS)), select_list("baseline_systems", ROOT / PARAMS)
    for corpus in select_list("annotated_corpora", ROOT / PARAMS):
        articles = {seed: read_articles(run_folder / ARTICLES.format(corpus)) for seed, run_folder in runs.items()}
        results = over_seeds(articles, own, seeded_systems(ROOT / PARAMS), baselines, resampling)
        notes = Results.read(ROOT / "reports" / "alignment" / f"{corpus}.json").notes
        results.notes |= notes | {SETTINGS: settings}
        write_compact(results, seeds_file(ROOT / "reports", experiment, corpus))


def read_articles(path: Path) -> Articles:
    """Read the counts that the stage evaluate_alignment writes; `InputError` where they are absent or damaged."""
    remedy = "run the stage evaluate_alignment, or `python tools/seeds.py run`, again"
    rows: dict[tuple[str, str, str], list[list[int]]] = {}
    for line, row in read_records(path, ["split", "system", "task", *COUNTS], remedy=remedy):
        try:
            counts = [int(row[name]) for name in COUNTS]
        except ValueError:
            raise bad_input(path, line, "a count is no whole number", remedy) from None
        rows.setdefault((row["split"], row["system"], row["task"]), []).append(counts)
    return {key: np.array(counts, dtype=np.float64) for key, counts in rows.items()}


def over_seeds(
    articles: Mapping[int, Articles],
    own: int,
    seeded: Sequence[str],
    baselines: Sequence[str],
    resampling: Resampling,
) -> Results:
    """Mean scores over the seeds, their differences to the baselines, and the scores of each seed.

    Args:
        articles: of each seed.
        own: the seed whose run has all systems.
        seeded: the systems that every run has, those with gold paragraphs among them; any other has the same counts
            with every seed, and no scores of each.

    Raises:
        InputError: a run lacks such a system.
    """
    results = Results(resampling=resampling, notes={"seeds": " ".join(map(str, articles))})
    statistics: dict[str, dict[str, dict[str, SegmentStatistics]]] = {}
    for split, system, task in articles[own]:
        of_seed, is_seeded = {}, system.removesuffix(GOLD_SUFFIX) in seeded
        for seed, found in articles.items():
            counts = (found if is_seeded else articles[own]).get((split, system, task))
            if counts is None:
                raise InputError(f"seed {seed}: {system} was not evaluated on {split}; remove the run and run it again")
            of_seed[seed] = counts
            if is_seeded:
                for part, value in zip(MEASURES, precision_recall_f1(counts.sum(0)).tolist(), strict=True):
                    results.estimates[Cell(seed_scope(split, seed), system, f"{task}.{part}")] = Estimate(value)
        statistics.setdefault(split, {}).setdefault(system, {})[task] = mean_statistics(list(of_seed.values()))
    for split, systems in statistics.items():
        pairs = [(name, base) for name in systems for base in baselines if base in systems and base != name]
        score_systems(results, split, systems, pairs, resampling)
    return results


def mean_statistics(of_seed: Sequence[Counts]) -> SegmentStatistics:
    """Statistics of the mean F1, precision and recall over the seeds, from the counts of each. Shapes: (N, 3)."""

    def mean_f1_first(sums: Counts) -> NDArray[np.float64]:
        scores = precision_recall_f1(sums.reshape(*sums.shape[:-1], len(of_seed), len(COUNTS)))
        return scores[..., [2, 0, 1]].mean(-2)

    signature = Signature.of("ALIGNMENT", seeds=len(of_seed))
    return SegmentStatistics(signature, np.hstack(of_seed), mean_f1_first, ("precision", "recall"), "f1")


def _python(folder: Path, *arguments: str) -> None:
    environment = os.environ | {"PYTHONPATH": str(folder)}
    if subprocess.run([sys.executable, *arguments], cwd=folder, env=environment).returncode:
        raise InputError(f"{folder}: {shlex.join(arguments)} failed; see above, correct it and run the seed again")


def _commit(folder: Path) -> str:
    command = ["git", "-C", str(folder), "rev-parse", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@exit_on_bad_input
def main() -> None:
    """Run one seed, or gather all."""
    parser = argparse.ArgumentParser(prog="python tools/seeds.py", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    once = commands.add_parser("run", help="train and align with one seed")
    once.add_argument("--seed", type=int, required=True)
    joined = commands.add_parser("gather", help="write reports/seeds/")
    for command in (once, joined):
        command.add_argument("--folder", type=Path, default=FOLDER, help=f"of the runs, one for each seed ({FOLDER})")
    args = parser.parse_args()
    if args.command == "run":
        args.folder.mkdir(parents=True, exist_ok=True)
        run(args.folder.resolve(), args.seed)
    else:
        gather(args.folder)


if __name__ == "__main__":
    main()
