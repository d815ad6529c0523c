"""Puts the aligners that the pipeline made into the package, or tells whether they are the same.

    python tools/ship.py
    python tools/ship.py --check

On another kind of processor than that of the committed numbers (reports/machine.json) training ends elsewhere in the
last digits; there `--check` compares settings and shapes, and tools/check_metrics.py the scores.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from textsimp.alignment.parts import SYSTEM  # noqa: E402
from textsimp.core.errors import InputError, exit_on_bad_input  # noqa: E402
from textsimp.core.model_folder import MANIFEST  # noqa: E402
from textsimp.core.params import PARAMS, select_list  # noqa: E402
from textsimp.core.reading import folder_files, read_json, sha256  # noqa: E402
from textsimp.core.tensors import check_tensors  # noqa: E402
from textsimp.core.writing import copy_file  # noqa: E402
from tools.check_metrics import MACHINE, processor  # noqa: E402

MADE, SHIPPED = ROOT / "models" / "default", ROOT / "textsimp" / "alignment" / "fitted"


def ship(made: Path, shipped: Path) -> None:
    """Copy a trained system, its list of files last."""
    SYSTEM.check(made)
    shipped.mkdir(exist_ok=True)
    for file in sorted(folder_files(made), key=lambda path: path.name == MANIFEST):
        copy_file(file, shipped / file.name)


def difference(made: Path, shipped: Path, same_processor: bool) -> str | None:
    """What differs between a system as it was made and as it is shipped; None where nothing does."""
    SYSTEM.check(made)
    SYSTEM.check(shipped)
    names = [{path.name for path in folder_files(folder)} for folder in (made, shipped)]
    if names[0] != names[1]:
        return f"files {sorted(names[0] ^ names[1])}"
    for name in sorted(names[0]):
        files = made / name, shipped / name
        if same_processor:
            are_equal = len({sha256(file) for file in files}) == 1
        elif name.endswith(".safetensors"):
            are_equal = check_tensors(files[0]) == check_tensors(files[1])
        else:
            are_equal = name != "system.json" or read_json(files[0]) == read_json(files[1])
        if not are_equal:
            return name
    return None


@exit_on_bad_input
def main() -> None:
    """Ship, or check."""
    parser = argparse.ArgumentParser(prog="python tools/ship.py", description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing; exit status 2 where they differ")
    args = parser.parse_args()
    same = processor() == read_json(ROOT / "reports" / MACHINE)
    for name in select_list("default_systems", ROOT / PARAMS):
        if not args.check:
            ship(MADE / name, SHIPPED / name)
        elif what := difference(MADE / name, SHIPPED / name, same):
            raise InputError(f"{SHIPPED / name}: {what} differs from {MADE / name}; run `python tools/ship.py`")


if __name__ == "__main__":
    main()
