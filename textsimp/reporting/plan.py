"""What the report covers (`params.yaml`), how much text it shows (section `report`), and results over seeds."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.core.params import PARAMS, load_params, select, select_list
from textsimp.core.results import Results
from textsimp.core.settings import NonNegative
from textsimp.reporting.names import PAPERS, Labels, Paper
from textsimp.sources.config import SourceConfig

SETTINGS = "settings"
"""The note of results over seeds that says with which settings they were made (by tools/seeds.py)."""


@dataclass(frozen=True)
class ReportConfig:
    """Section `report` of params.yaml: texts of each corpus or test set that can be browsed."""

    browser_pairs: NonNegative
    output_sentences_browsed: NonNegative
    show_licensed_text: bool


@dataclass(frozen=True)
class CorpusPlan:
    """A corpus of the report: what is compared on it, and whether its sentences may be shown.

    `kind`, `newsela` or `wiki`, says whose published numbers, `paper`, stand beside ours; empty for none.
    """

    name: str
    kind: str
    origin: str
    show_text: bool
    is_annotated: bool
    is_simplified: bool
    has_paragraphs: bool
    paper: Paper


@dataclass(frozen=True)
class ReportPlan:
    """Everything that the report covers, in the order of params.yaml.

    `released` and `boards` are systems and test sets of the leaderboard, as params.yaml describes them;
    `alignment_settings` tells which results over seeds are those of this run.
    """

    experiment: str
    corpora: tuple[CorpusPlan, ...]
    training_sets: tuple[str, ...]
    simplifiers: tuple[str, ...]
    default_results: tuple[str, ...]
    alignment_systems: tuple[str, ...]
    published: tuple[str, ...]
    human_ratings: tuple[str, ...]
    config: ReportConfig
    labels: Labels
    released: dict[str, dict[str, Any]]
    boards: dict[str, dict[str, Any]]
    alignment_settings: str


_LISTS = ("training_sets", "simplifiers", "default_results", "alignment_systems", "published", "human_ratings")


def load_plan(path: str | Path = PARAMS) -> ReportPlan:
    """Return the plan that params.yaml gives; `InputError` names a key that is missing or wrong."""
    config = load_params("report", ReportConfig, path)
    lists = {name: tuple(select_list(name, path)) for name in _LISTS}
    has_board = "leaderboard" in lists["published"]
    return ReportPlan(
        **lists,
        experiment=str(select("experiment", path)),
        corpora=tuple(_corpus(name, config, path) for name in select_list("corpora", path)),
        config=config,
        labels=load_params("labels", Labels, path),
        released=select("leaderboard.systems", path) if has_board else {},
        boards=select("leaderboard.test_sets", path) if has_board else {},
        alignment_settings=alignment_settings(path),
    )


def _corpus(name: str, config: ReportConfig, path: str | Path) -> CorpusPlan:
    source = load_params(f"corpus.{name}.source", SourceConfig, path)
    kind = str(select(f"corpus.{name}", path).get("printed_beside") or "")
    return CorpusPlan(
        name=name,
        kind=kind,
        origin=source.origin,
        show_text=source.origin != "licensed" or config.show_licensed_text,
        is_annotated=name in select_list("annotated_corpora", path),
        is_simplified=name in select_list("simplification_corpora", path),
        has_paragraphs=name in select_list("paragraph_corpora", path),
        paper=PAPERS.get(kind, Paper()),
    )


def seeds_file(reports: Path, experiment: str, corpus: str) -> Path:
    """Return the file of results over seeds: means in the scope of each split, those of one seed in slices."""
    return reports / "seeds" / f"{experiment}.{corpus}.json"


def seed_scope(split: str, seed: int | str = "") -> str:
    """Return the scope of one seed."""
    return f"{split}/seed={seed}"


def seed_scopes(results: Results, split: str) -> list[str]:
    """Return the scopes of all seeds; none where the results are of one run."""
    return [scope for scope in results.scopes(split) if scope.startswith(seed_scope(split))]


def alignment_settings(params: str | Path = PARAMS) -> str:
    """Return a digest of what decides the results but the seeds: results of other settings are not those of a run."""
    keys = ["aligner", "aligner_variant", "encoder_corpora"]
    keys += [f"alignment_system.{name}" for name in select_list("trained_systems", params)]
    keys += [f"corpus.{name}.source" for name in select_list("annotated_corpora", params)]
    values = {key: _without_seeds(select(key, params)) for key in keys}
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]


def _without_seeds(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_seeds(item) for key, item in value.items() if key != "seed"}
    return value
