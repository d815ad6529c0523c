"""Thin entry points, one verb per file, run by DVC as `python -m stages.NAME`."""

import os
from argparse import ArgumentParser, Namespace
from pathlib import Path

# Has to stand before torch is imported: threads that wait for each other spin by default, which on a machine with
# other work to do makes two threads several times slower than one.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


def parse_with_results(parser: ArgumentParser) -> Namespace:
    """The arguments, with the files that a stage writes numbers into: all of them, and those that are kept."""
    parser.add_argument("--results", type=Path, required=True, help="JSON file of all results to write")
    parser.add_argument("--metrics", type=Path, required=True, help="JSON file of the headline numbers to write")
    return parser.parse_args()
