"""Lets DVC, which composes conf/ for `dvc exp run --set-param` by itself, find what has a name there, too."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from textsimp.core.params import offer_named  # noqa: E402 the root has to be on the path first

offer_named()
