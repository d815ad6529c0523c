"""Are the committed metrics reproduced? Compares two report folders, number by number.

    python tools/check_metrics.py [--part] COMMITTED FRESH

With `--part` FRESH has some of the numbers only: those that are not there are not missed.
`COMMITTED/machine.json` says on what kind of processor its numbers were computed (by tools/repro.py). On the same
kind every number has to be the same. Another kind adds numbers in another order, training amplifies the last bit, and a
model ends elsewhere. There, numbers have to lie between the bounds of tools/bounds.json, and the order of the systems
that it names has to hold; of systems that it does not name every number has to be the same, but for the rounding of a
sum. tools/bounds.py derives all that from repeated runs. The kept experiments (reports/experiments) name no kind.
"""

import argparse
import json
import math
import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from textsimp.core.errors import InputError, exit_on_bad_input
from textsimp.core.reading import read_json

FOLDERS = ("metrics", "corpora", "published")
MACHINE = "machine.json"
BOUNDS = Path(__file__).resolve().parent / "bounds.json"
ROUNDING = 1e-9
"""Relative; the order of a sum may differ between builds of numpy where nothing is trained."""

Numbers = dict[str, Any]
"""Every number and text of the metrics by its key, `FOLDER/FILE.json:KEY/KEY/...`."""


@dataclass(frozen=True)
class Bounds:
    """What must hold on a processor of another kind.

    Attributes:
        numbers: key -> lowest and highest value.
        orders: pairs of keys; the first number has to be above the second.
        varying: systems (`KIND/SYSTEM`, see `system_of`) that end elsewhere on other kinds; a number of theirs that
            has no bounds only has to be there.
    """

    numbers: dict[str, list[float]] = field(default_factory=dict)
    orders: list[list[str]] = field(default_factory=list)
    varying: frozenset[str] = frozenset()


def processor(cpuinfo: Path = Path("/proc/cpuinfo")) -> dict[str, str]:
    """What decides the order in which numbers are added: architecture, maker, model and torch's vector instructions."""
    import torch

    lines = cpuinfo.read_text(encoding="utf-8").splitlines() if cpuinfo.is_file() else []
    values = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in reversed(lines))}
    keys = ("vendor_id", "cpu family", "model", "CPU implementer", "CPU part")
    maker = {key: values[key] for key in keys if key in values}
    return {"machine": platform.machine(), **maker, "capability": torch.backends.cpu.get_cpu_capability()}


def leaves(value: Any, key: str) -> Iterator[tuple[str, Any]]:
    """Every number and text of a JSON value with its key."""
    if isinstance(value, dict | list):
        for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, f"{key}{'' if key.endswith(':') else '/'}{name}")
    else:
        yield key, value


def read_metrics(folder: Path) -> Numbers:
    """Every number and text of the metrics under a report folder; `InputError` if there is none."""
    paths = sorted(path for name in FOLDERS for path in (folder / name).glob("*.json"))
    numbers = {
        key: value
        for path in paths
        for key, value in leaves(read_json(path), f"{path.relative_to(folder).as_posix()}:")
    }
    if not numbers:
        raise InputError(f"{folder}: no metrics (JSON files in {', '.join(FOLDERS)}); run `make repro` first")
    return numbers


def system_of(key: str) -> str:
    """The kind of metrics and the system that a number is about: `alignment/neural_crf`."""
    file, _, keys = key.partition(":")
    parts = [part for part in keys.split("/") if part not in ("estimates", "value", "low", "high")]
    kind = file.split("/")[-1].split(".")[0] if file.startswith("metrics/") else file.split("/")[0]
    return f"{kind}/{parts[-2] if len(parts) > 1 else parts[-1]}"


def is_number(value: Any) -> bool:
    """Whether a value is a number, which may lie between bounds."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def compare(committed: Numbers, fresh: Numbers, bounds: Bounds | None) -> list[str]:
    """One line for each key that is missing on one side or has an unexpected value.

    Args:
        bounds: of another kind of processor; None: both are of one kind.
    """
    problems = [f"{key}: not in the fresh run" for key in committed.keys() - fresh.keys()]
    problems += [f"{key}: not committed" for key in fresh.keys() - committed.keys()]
    shared = committed.keys() & fresh.keys()
    for key in shared:
        if bounds and key in bounds.numbers:
            low, high = bounds.numbers[key]
            if not (is_number(fresh[key]) and low <= fresh[key] <= high):
                problems.append(f"{key}: {fresh[key]}; expected {low} to {high} on any machine")
        elif committed[key] != fresh[key] and not (bounds and _may_differ(key, committed[key], fresh[key], bounds)):
            problems.append(f"{key}: committed {committed[key]}, now {fresh[key]}; expected exactly")
    for higher, lower in bounds.orders if bounds else ():
        values = [fresh[key] for key in (higher, lower) if key in shared and is_number(fresh[key])]
        if len(values) == 2 and not values[0] > values[1]:
            problems.append(f"{higher}: {fresh[higher]}, not above {lower}: {fresh[lower]}")
    return sorted(problems)


def _may_differ(key: str, committed: Any, fresh: Any, bounds: Bounds) -> bool:
    are_numbers = is_number(committed) and is_number(fresh)
    is_rounding = are_numbers and math.isclose(committed, fresh, rel_tol=ROUNDING, abs_tol=ROUNDING)
    return is_rounding or system_of(key) in bounds.varying


def read_bounds() -> Bounds:
    """The bounds of the file that tools/bounds.py wrote."""
    value = read_json(BOUNDS)
    return Bounds(value["numbers"], value["orders"], frozenset(value["varying"]))


@exit_on_bad_input
def main() -> None:
    """Compare two folders; exit status 1 if the metrics are not reproduced."""
    parser = argparse.ArgumentParser(prog="python tools/check_metrics.py", description=__doc__.splitlines()[0])
    for name in ("committed", "fresh"):
        parser.add_argument(name, type=Path, help="a report folder")
    parser.add_argument("--part", action="store_true", help="FRESH has some of the numbers only")
    args = parser.parse_args()
    committed, fresh = read_metrics(args.committed), read_metrics(args.fresh)
    total = len(committed)
    if args.part:
        committed = {key: value for key, value in committed.items() if key in fresh}
    machine, here = args.committed / MACHINE, processor()
    same = machine.is_file() and read_json(machine) == here
    problems = compare(committed, fresh, None if same else read_bounds())
    for problem in problems:
        print(problem)
    kind = "the kind of processor that is committed" if same else f"another kind of processor ({json.dumps(here)})"
    equal = sum(fresh.get(key) == value for key, value in committed.items())
    compared = f"{len(committed)} of {total} committed"
    print(f"metrics, on {kind}: {compared}, {equal} the same, {len(problems)} problems")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
