"""Keeps the numbers of an experiment that is not the default one: from reports/ to reports/experiments/NAME.

    python tools/keep.py --machine "two CPU cores" --time "80 minutes"

Numbers, tables and training curves alone; examples and the HTML page quote corpora whose licences are not this
project's. What is kept there is nobody's input.
"""

import argparse
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from omegaconf import OmegaConf

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from textsimp.errors import InputError, exit_on_bad_input  # noqa: E402 the root has to be on the path first
from textsimp.params import PARAMS, select, select_list  # noqa: E402
from textsimp.textfiles import atomic_folder  # noqa: E402

METRICS = ("alignment", "analysis", "audit", "corpora", "paragraphs", "simplification", "published")
DEFAULT = "sample"


def files(reports: Path, names: list[str]) -> Iterator[Path]:
    """The files of the named corpora and published experiments, relative to the reports."""
    for path in sorted(path for folder in METRICS for path in (reports / folder).glob("*.json")):
        if path.name.partition(".")[0] in names:
            yield path.relative_to(reports)
    for path in sorted((reports / "training").glob("*.csv")):
        if path.name.split(".")[1] in names:
            yield path.relative_to(reports)
    yield Path("results.md")


def readme(experiment: str, machine: str, time: str) -> str:
    """What the folder is, for a reader who finds it."""
    return (
        f"# Experiment {experiment}\n\n"
        f"Written by `make repro EXPERIMENT={experiment}` and `python tools/keep.py`.\n\n"
        f"Machine: {machine}. Time: {time}.\n\n"
        "Tables: [results.md](results.md); parameters: [params.yaml](params.yaml).\n"
    )


@exit_on_bad_input
def main() -> None:
    """Copy what params.yaml names."""
    parser = argparse.ArgumentParser(prog="python tools/keep.py", description=__doc__.splitlines()[0])
    parser.add_argument("--machine", required=True, help="on what kind of machine it ran")
    parser.add_argument("--time", required=True, help="how long it took")
    parser.add_argument("--reports", type=Path, default=Path("reports"))
    parser.add_argument("--to", type=Path, help="the folder to write; reports/experiments/NAME by default")
    args = parser.parse_args()
    experiment = str(select("experiment"))
    if experiment == DEFAULT:
        raise InputError(f"params.yaml: experiment {DEFAULT}: its reports are in Git as they are; nothing is kept")
    names = [name for key in ("corpora", "encoders", "published") for name in select_list(key)]
    with atomic_folder(args.to or args.reports / "experiments" / experiment) as folder:
        for file in files(args.reports, names):
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(args.reports / file, folder / file)
        (folder / "params.yaml").write_text(_public_params(), encoding="utf-8")
        (folder / "README.md").write_text(readme(experiment, args.machine, args.time), encoding="utf-8")


def _public_params() -> str:
    """params.yaml without the addresses of files and the folders of this machine."""
    tree = OmegaConf.load(PARAMS)
    tree.pop("sources")
    return OmegaConf.to_yaml(tree)


if __name__ == "__main__":
    main()
