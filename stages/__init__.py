"""Thin entry points, one verb per file, run by DVC as `python -m stages.NAME`."""
