"""Invented files of the stages audit and evaluate_paragraphs, for the tests of the report."""

import json
import random
from pathlib import Path
from typing import Any


def write_audit(reports: Path, name: str, draw: random.Random) -> None:
    """Alignments of unlabelled articles against hidden gold, and paragraph aligners."""

    def found() -> dict[str, float]:
        return {"precision": 80 + draw.random(), "recall": 70 + draw.random(), "f1": 75 + draw.random()}

    bounds, gap = dict.fromkeys(("precision", "recall", "f1"), [60.0, 90.0]), {"f1": -3.0, "low": -5.0, "high": -1.0}
    tests = {**gap, "p_bootstrap": 0.0, "p_randomisation": 0.01}
    tasks = ("task1", "task2")
    audit = {
        which: {task: found() for task in tasks} | {"counts": {}, "intervals": dict.fromkeys(tasks, bounds)}
        for which in ("auto", "old")
    }
    audit["old"]["difference"] = dict.fromkeys(tasks, tests)
    _write(reports / "audit" / f"{name}.json", {"document_pairs": 12, **audit})
    systems = {
        key: {"label": label, **found(), "intervals": bounds, "difference": difference}
        for key, label, difference in (("trained", "As trained", None), ("massalign", "MASSAlign", tests))
    }
    paragraphs = {"merged": {"dev_pairs": 6, "test_pairs": 9, "systems": systems}}
    _write(reports / "paragraphs" / f"{name}.json", paragraphs)


def _write(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
