"""Counts the file-system events of processes that a command starts: on PYTHONPATH, Python runs it at the beginning."""

import importlib.util
import os
from pathlib import Path

if "FUZZ_LOG" in os.environ:
    _spec = importlib.util.spec_from_file_location("fuzz_events", Path(__file__).parent.parent / "events.py")
    assert _spec and _spec.loader
    _events = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(_events)
    _events.install()
