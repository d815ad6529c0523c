"""Derives, from repeated runs, the bounds that the metrics must keep on any kind of processor.

    python tools/bounds.py run FOLDER --seed 14 --capability avx2
    python tools/bounds.py derive FOLDER ... --committed reports
    python tools/bounds.py recentre --committed reports --against OLD_REPORTS

`run` reproduces the committed experiment in a clone of the committed state, every seed of training replaced and
torch's vector instructions restricted, and keeps its metrics in FOLDER.
`derive` writes tools/bounds.json from the metrics of several such folders and the committed ones:

- a system whose numbers all runs agree on has no bounds: they are compared exactly;
- the numbers of any other system may lie as far beyond the lowest and the highest run as these lie apart, and
  `MARGIN` at least;
- a score whose lowest bound would not be above zero has no bounds; nor has any number of a system whose outputs have a
  BLEU below `DEGENERATE` in every run: it did not learn, and is listed under `untrained`;
- of the claims (`CLAIMS`), those that hold in every run.

`recentre` needs no new runs. Its bounds are distances measured in repeated runs of an earlier state of the corpus,
moved to the numbers of this one, until repeated runs are made again: they say how far a number strayed then, not now. A
new number of a system that learns gets the largest distance of its measure in its kind of file; where its measure has
none, that of the numbers beside it.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from textsimp.core.errors import exit_on_bad_input  # noqa: E402 the root has to be on the path first
from textsimp.core.params import PARAMS, select, select_list  # noqa: E402
from textsimp.core.reading import read_json  # noqa: E402
from textsimp.core.writing import write_json  # noqa: E402
from textsimp.evaluation.aligners import GOLD_SUFFIX  # noqa: E402
from tools import seeds  # noqa: E402
from tools.check_metrics import BOUNDS, FOLDERS, MACHINE, Numbers, is_number, read_metrics, system_of  # noqa: E402

MARGIN = 2.0
"""Points of percent, tokens, or grades: the least that a bound lies beyond the runs."""
DEGENERATE = 5.0
"""BLEU; outputs below it are not simplifications of anything."""
SCORES = ("f1", "sari", "bleu", "keep", "add", "del")
"""Ends of measures whose lowest value is zero."""
CLAIMS = (
    ("neural_crf", "jaccard"),
    ("neural_crf", "massalign"),
    ("neural_crf", "bert_finetune"),
    ("neural_crf_paper", "jaccard"),
    ("neural_crf_paper", "bert_finetune"),
    ("bert_finetune", "jaccard"),
    ("editnts.new", "identity"),
    ("editnts.old", "identity"),
)
"""Systems of which the first is above the second on test, in F1 of both tasks or SARI."""
CLAIMED = ("task1.f1", "task2.f1", "sari")


def derive(runs: Sequence[Numbers]) -> dict[str, Any]:
    """Bounds, orders, varying and untrained systems of the first run's numbers, from all runs that have them."""
    numbers_of = {key: [run[key] for run in runs if key in run] for key in sorted(runs[0])}
    varying = {system_of(key) for key, values in numbers_of.items() if len(set(values)) > 1}
    bleus: dict[str, list[float]] = {}
    for key, values in numbers_of.items():
        if key.endswith("/bleu"):
            bleus.setdefault(system_of(key), []).extend(values)
    untrained = sorted(system for system, values in bleus.items() if max(values) < DEGENERATE)
    numbers = {}
    for key, values in numbers_of.items():
        system = system_of(key)
        if system in varying and system not in untrained and all(map(is_number, values)):
            margin = max(MARGIN, max(values) - min(values))
            if min(values) - margin > 0 or not key.endswith(SCORES):
                numbers[key] = [round(min(values) - margin, 2), round(max(values) + margin, 2)]
    return {"numbers": numbers, "orders": orders(runs), "varying": sorted(varying), "untrained": untrained}


def orders(runs: Sequence[Numbers]) -> list[list[str]]:
    """The claims that hold in every run with both systems, for every file and test set."""
    pairs = []
    for key in sorted(runs[0]):
        *scope, system, measure = key.split("/")
        if measure not in CLAIMED or scope[-1].endswith(":dev"):
            continue
        for better, worse in CLAIMS:
            lower = "/".join([*scope, worse, measure])
            if system != better or lower not in runs[0]:
                continue
            if all(run[key] > run[lower] for run in runs if {key, lower} <= run.keys()):
                pairs.append([key, lower])
    return pairs


def trained_aligners() -> set[str]:
    """The alignment systems of params.yaml that learn, or use one that does."""
    trained = (select_list(key, ROOT / PARAMS) for key in ("trained_systems", "default_systems"))
    return set().union(*trained, seeds.seeded_systems(ROOT / PARAMS))


def learns(system: str, simplifiers: Sequence[str], aligners: Collection[str]) -> bool:
    """Whether a system (`KIND/SYSTEM`) is trained or made by a trained one, by its name."""
    kind, _, name = system.partition("/")
    if kind == "alignment":
        return name.removesuffix(GOLD_SUFFIX) in aligners
    return name == "auto" or name.split(".")[0] in simplifiers


def recentre(old: dict[str, Any], before: Numbers, now: Numbers, learned: frozenset[str]) -> dict[str, Any]:
    """The old bounds moved to the numbers of a new state.

    Args:
        old: what tools/bounds.json holds.
        before: the numbers that were committed with it.
        now: the numbers to bound.
        learned: systems that learn, beside those that varied before.
    """
    distances = {
        key: (max(MARGIN, before[key] - low), max(MARGIN, high - before[key]))
        for key, (low, high) in old["numbers"].items()
        if is_number(before.get(key))
    }
    widest: dict[object, float] = {}
    for key, pair in distances.items():
        for name in (_measure(key), key.rpartition("/")[0]):
            widest[name] = max(widest.get(name, MARGIN), *pair)
    fresh = derive([now])
    varying = {system_of(key) for key in now} & (learned | set(old["varying"]))
    numbers = {}
    for key, value in sorted(now.items()):
        system, width = system_of(key), widest.get(_measure(key)) or widest.get(key.rpartition("/")[0])
        if system not in varying or system in fresh["untrained"] or not is_number(value) or width is None:
            continue
        below, above = distances.get(key, (width, width))
        if value - below > 0 or not key.endswith(SCORES):
            numbers[key] = [round(value - below, 2), round(value + above, 2)]
    kept = [pair for pair in fresh["orders"] if pair in old["orders"]]
    return {"numbers": numbers, "orders": kept, "varying": sorted(varying), "untrained": fresh["untrained"]}


def _measure(key: str) -> tuple[str, str]:
    return system_of(key).split("/")[0], key.split("/")[-1]


def reproduce(folder: Path, seed: int, capability: str | None) -> None:
    """Run the committed experiment with other seeds in a clone; its metrics and processor go to the folder."""
    simplifiers = [f"simplifier.{name}.seed" for name in select_list("simplifiers", ROOT / PARAMS)]
    overrides = [f"experiment={select('experiment', ROOT / PARAMS)}"]
    overrides += [f"{key}={seed}" for key in (*seeds.SEEDS, *simplifiers)]
    environment = os.environ | ({"ATEN_CPU_CAPABILITY": capability} if capability else {})
    with tempfile.TemporaryDirectory() as scratch:
        clone = Path(scratch) / "clone"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        for command in (["-m", "textsimp.core.params", *overrides], ["tools/repro.py"]):
            subprocess.run([sys.executable, *command], cwd=clone, env=environment, check=True)
        for name in (*FOLDERS, MACHINE):
            source = clone / "reports" / name
            (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / name)
    write_json(folder / "run.json", {"seed": seed, "capability": capability or "native"})


@exit_on_bad_input
def main() -> None:
    """Run once, or derive from several runs."""
    parser = argparse.ArgumentParser(prog="python tools/bounds.py", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="reproduce once with another seed or fewer vector instructions")
    run.add_argument("folder", type=Path, help="to write; new")
    run.add_argument("--seed", type=int, required=True)
    run.add_argument("--capability", choices=["default", "avx2"], help="ATEN_CPU_CAPABILITY; all by default")
    fold = commands.add_parser("derive", help="write tools/bounds.json")
    fold.add_argument("folders", type=Path, nargs="+", help="that `run` wrote")
    move = commands.add_parser("recentre", help="move the bounds of tools/bounds.json to new committed numbers")
    move.add_argument("--against", type=Path, required=True, help="the reports that the old bounds belong to")
    for command in (fold, move):
        command.add_argument("--committed", type=Path, default=ROOT / "reports")
        command.add_argument("--output", type=Path, default=BOUNDS)
    args = parser.parse_args()
    if args.command == "run":
        args.folder.mkdir(parents=True)
        reproduce(args.folder, args.seed, args.capability)
    elif args.command == "recentre":
        old, now = read_json(BOUNDS), read_metrics(args.committed)
        names = select_list("simplifiers", ROOT / PARAMS), trained_aligners()
        learned = frozenset(system for system in map(system_of, now) if learns(system, *names))
        moved = recentre(old, read_metrics(args.against), now, learned)
        write_json(args.output, {"made_with": old["made_with"], **moved})
    else:
        folders = [args.committed, *args.folders]
        files = [
            [path for name in ("run", "machine") if (path := folder / f"{name}.json").exists()] for folder in folders
        ]
        made_with = [{path.stem: read_json(path) for path in of_folder} for of_folder in files]
        write_json(args.output, {"made_with": made_with, **derive([read_metrics(folder) for folder in folders])})


if __name__ == "__main__":
    main()
