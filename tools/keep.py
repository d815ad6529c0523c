"""Keeps the numbers of an experiment that is not the default one: from reports/ to reports/experiments/NAME.

    python tools/keep.py --machine "two CPU cores" --time "80 minutes"

Numbers, tables and training curves alone; examples and the HTML page quote corpora whose licences are not this
project's. Of the results, slices of test sets are left out, and differences in other than the main measures. What is
kept there is nobody's input; `made_with.json` says which commit computed it and in which schema it is.
"""

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from omegaconf import OmegaConf

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from textsimp.core.errors import InputError, exit_on_bad_input  # noqa: E402 the root has to be on the path first
from textsimp.core.params import PARAMS, select, select_list  # noqa: E402
from textsimp.core.reading import read_records  # noqa: E402
from textsimp.core.results import SCHEMA, Results  # noqa: E402
from textsimp.core.writing import atomic_folder, write_json, write_lines  # noqa: E402

RESULTS = ("alignment", "analysis", "audit", "corpora", "paragraphs", "simplification", "published", "human")
MAIN = ("task1.f1", "task2.f1", "f1", "sari")
CODE = ("conf", "stages", "textsimp", "dvc.yaml")
DEFAULT = "sample"


def named(reports: Path, pattern: str, names: list[str], part: int) -> Iterator[Path]:
    """Files that match a pattern and whose given part, between dots, is one of the names; relative to the reports."""
    for path in sorted(reports.glob(pattern)):
        if path.name.split(".")[part] in names:
            yield path.relative_to(reports)


def keep_results(source: Path, target: Path) -> None:
    """Copy results without slices and without differences in other measures than the main ones, on one line each."""
    results = Results.read(source)
    results.estimates = {cell: value for cell, value in results.estimates.items() if "/" not in cell.scope}
    results.comparisons = {
        pair: value for pair, value in results.comparisons.items() if "/" not in pair.scope and pair.measure in MAIN
    }
    write_compact(results, target)


def write_compact(results: Results, target: Path) -> None:
    """Write results on one line."""
    tree = json.loads(results.to_json())
    write_lines(target, [json.dumps(tree, ensure_ascii=False, separators=(",", ":"))])


def keep(reports: Path, folder: Path, names: list[str]) -> None:
    """Write what is kept of the reports about the named corpora, encoders and released outputs into a folder."""
    for kind in RESULTS:
        for file in named(reports, f"{kind}/*.json", names, 0):
            keep_results(reports / file, folder / file)
    curves = named(reports, "training/*.csv", names, 1)
    rows = [{"curve": file.stem, **row} for file in curves for _, row in read_records(reports / file)]
    columns = dict.fromkeys(key for row in rows for key in row)
    if rows:
        table = (",".join(row.get(name, "") for name in columns) for row in rows)
        write_lines(folder / "training.csv", [",".join(columns), *table])
    shutil.copyfile(reports / "results.md", folder / "results.md")


def readme(experiment: str, machine: str, time: str, commit: str) -> str:
    """The README of the folder."""
    return (
        f"# Experiment {experiment}\n\n"
        f"Written by `make repro EXPERIMENT={experiment}` and `python tools/keep.py`; computed by commit {commit}.\n\n"
        f"Machine: {machine}. Time: {time}.\n\n"
        "Tables: [results.md](results.md); parameters: [params.yaml](params.yaml).\n"
    )


def current_commit() -> str:
    """The commit that computed the reports; `InputError` if its code has been changed since."""
    if changed := _git("status", "--porcelain", "--untracked-files=no", "--", *CODE):
        raise InputError(f"{changed.split()[-1]}: changed since the last commit; commit it, and run `make repro` again")
    return _git("rev-parse", "--short", "HEAD")


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise InputError(f"git {arguments[0]}: {done.stderr.strip().splitlines()[-1]}; run this in the repository")
    return done.stdout.strip()


@exit_on_bad_input
def main() -> None:
    """Keep what params.yaml names."""
    parser = argparse.ArgumentParser(prog="python tools/keep.py", description=__doc__.splitlines()[0])
    parser.add_argument("--machine", required=True, help="on what kind of machine it ran")
    parser.add_argument("--time", required=True, help="how long it took")
    parser.add_argument("--about", nargs="+", help="the corpora whose numbers are kept, if not those of all of them")
    parser.add_argument("--reports", type=Path, default=Path("reports"))
    parser.add_argument("--to", type=Path, help="the folder to write; reports/experiments/NAME by default")
    args = parser.parse_args()
    experiment = str(select("experiment"))
    if experiment == DEFAULT:
        raise InputError(f"params.yaml: experiment {DEFAULT}: its reports are in Git as they are; nothing is kept")
    names = args.about or [name for key in ("corpora", "encoders", "published") for name in select_list(key)]
    commit = current_commit()
    with atomic_folder(args.to or args.reports / "experiments" / experiment, "made_with.json") as folder:
        keep(args.reports, folder, names)
        (folder / "params.yaml").write_text(_public_params(), encoding="utf-8")
        (folder / "README.md").write_text(readme(experiment, args.machine, args.time, commit), encoding="utf-8")
        write_json(folder / "made_with.json", {"commit": commit, "schema": SCHEMA})


def _public_params() -> str:
    """params.yaml without the addresses of files and the folders of this machine."""
    return OmegaConf.to_yaml({key: value for key, value in select("", PARAMS).items() if key != "sources"})


if __name__ == "__main__":
    main()
