"""The simplifier that travels with the package, for texts of a user who has nothing to train on.

`python tools/ship_simplifier.py` makes it from public releases; `textsimp simplify` takes it where no other is named.
"""

from pathlib import Path

from textsimp.simplification.interface import RECORD

SHIPPED = Path(__file__).resolve().parent


def shipped_folder() -> Path | None:
    """Return the folder of the package's simplifier; None where it has none."""
    return next((path for path in sorted(SHIPPED.iterdir()) if (path / RECORD).is_file()), None)
