"""Alignment over seeds of training: where its results are, and of which settings (written by tools/seeds.py)."""

import hashlib
import json
from pathlib import Path
from typing import Any

from textsimp.core.params import PARAMS, select, select_list
from textsimp.core.results import Results

SETTINGS = "settings"
"""The note of such results that says with which settings they were made."""
_SECTIONS = ("aligner", "aligner_variant", "encoder_corpora")


def seeds_file(reports: Path, experiment: str, corpus: str) -> Path:
    """The results of a corpus: mean scores over the seeds in the scope of each split, those of one in slices."""
    return reports / "seeds" / f"{experiment}.{corpus}.json"


def seed_scope(split: str, seed: int) -> str:
    """The scope of one seed."""
    return f"{split}/seed={seed}"


def seed_scopes(results: Results, split: str) -> list[str]:
    """The scopes of all seeds; none where the results are of one run."""
    return [scope for scope in results.scopes(split) if scope.startswith(f"{split}/seed=")]


def alignment_settings(params: str | Path = PARAMS) -> str:
    """A digest of what decides the results but the seeds: results of other settings are not those of this run."""
    systems = [f"alignment_system.{name}" for name in select_list("trained_systems", params)]
    corpora = [f"corpus.{name}.source" for name in select_list("annotated_corpora", params)]
    values = {key: _without_seeds(select(key, params)) for key in (*_SECTIONS, *systems, *corpora)}
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]


def _without_seeds(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_seeds(item) for key, item in value.items() if key != "seed"}
    return value
