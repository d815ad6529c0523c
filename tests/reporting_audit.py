"""Invented files of the stages audit and evaluate_paragraphs, for the tests of the report."""

import json
import random
from pathlib import Path
from typing import Any


def write_audit(reports: Path, name: str, draw: random.Random) -> None:
    """Alignments of unlabelled articles against hidden gold, and paragraph aligners."""

    def found() -> dict[str, float]:
        return {"precision": 80 + draw.random(), "recall": 70 + draw.random(), "f1": 75 + draw.random()}

    audit = {which: {"task1": found(), "task2": found(), "counts": {}} for which in ("auto", "old")}
    _write(reports / "audit" / f"{name}.json", {"document_pairs": 12, **audit})
    systems = {
        key: {"label": label, **found()} for key, label in (("trained", "As trained"), ("massalign", "MASSAlign"))
    }
    paragraphs = {"merged": {"dev_pairs": 6, "test_pairs": 9, "systems": systems}}
    _write(reports / "paragraphs" / f"{name}.json", paragraphs)


def _write(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
