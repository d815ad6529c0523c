"""Thin entry points, one verb per file, run by DVC as `python -m stages.NAME`."""

import os

# Has to stand before torch is imported: threads that wait for each other spin by default, which on a machine with
# other work to do makes two threads several times slower than one.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
