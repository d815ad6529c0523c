"""A fitted system that travels with the package, for texts of a user who has nothing to train on."""

from pathlib import Path

DEFAULT = Path(__file__).resolve().parent / "cats_c3g"
"""CATS C3G: of the systems that learn nothing the best one on the sample corpora, with thresholds chosen on them."""
