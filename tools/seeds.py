"""Claims over seeds: the column "Seeds" of the report's tables of claims, from runs of `tools/bounds.py run`.

    python tools/bounds.py run FOLDER --seed 14
    python tools/seeds.py FOLDER ...

A run without simplifiers (`--alignment`) decides nothing about them.
Writes reports/seeds/EXPERIMENT.json.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from textsimp.core.errors import InputError, exit_on_bad_input  # noqa: E402 the root has to be on the path first
from textsimp.core.params import PARAMS  # noqa: E402
from textsimp.core.reading import read_json  # noqa: E402
from textsimp.reporting.claims import grouped_claims  # noqa: E402
from textsimp.reporting.inputs import Folders, Run  # noqa: E402
from textsimp.reporting.plan import load_plan  # noqa: E402
from textsimp.reporting.seeds import ClaimKey, OtherSeeds  # noqa: E402
from textsimp.reporting.specs import read_specs  # noqa: E402
from textsimp.reporting.templates import Frame  # noqa: E402


def margins(folder: Path) -> tuple[str, dict[ClaimKey, float | None]]:
    """The experiment of a run, and how far each of its claims holds."""
    plan = load_plan(folder / PARAMS)
    frame = Frame(Run(plan, Folders(folder, ROOT / "data" / "published", folder, folder)), {})
    return plan.experiment, {
        ClaimKey(here.text(spec.key), claim.group, claim.text): claim.closest
        for spec, here, claims in grouped_claims(frame, read_specs())
        for claim in claims
    }


def other_seeds(folders: Sequence[Path]) -> tuple[str, OtherSeeds]:
    """The experiment that all folders are runs of, and its claims."""
    runs = {folder: margins(folder) for folder in folders}
    experiment, _ = runs[folders[0]]
    if odd := [folder for folder, (name, _) in runs.items() if name != experiment]:
        raise InputError(f"{odd[0]}: experiment {runs[odd[0]][0]}, the others are {experiment}")
    seeds = tuple(int(read_json(folder / "run.json")["seed"]) for folder in folders)
    known = dict.fromkeys(key for _, of_run in runs.values() for key in of_run)
    rows = {key: tuple(of_run.get(key) for _, of_run in runs.values()) for key in known}
    return experiment, OtherSeeds(seeds, rows)


@exit_on_bad_input
def main() -> None:
    """Read the runs and write the file."""
    parser = argparse.ArgumentParser(prog="python tools/seeds.py", description=__doc__.splitlines()[0])
    parser.add_argument("folders", type=Path, nargs="+", help="that `tools/bounds.py run` wrote")
    experiment, seeds = other_seeds(parser.parse_args().folders)
    seeds.write(ROOT / "reports" / "seeds" / f"{experiment}.json")


if __name__ == "__main__":
    main()
