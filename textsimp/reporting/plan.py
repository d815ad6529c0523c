"""What the report covers (`params.yaml`), how much text it shows (section `report`)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.core.params import PARAMS, load_params, select, select_list
from textsimp.core.settings import NonNegative
from textsimp.reporting.names import PAPERS, Labels, Paper
from textsimp.reporting.seeds import alignment_settings
from textsimp.sources.config import SourceConfig


@dataclass(frozen=True)
class ReportConfig:
    """Section `report` of params.yaml: texts of each corpus or test set that are shown, and that can be browsed.

    A document of more than `example_sentences` is shown only where there are no shorter ones.
    """

    example_pairs: NonNegative
    example_sentences: NonNegative
    browser_pairs: NonNegative
    output_sentences: NonNegative
    output_sentences_browsed: NonNegative
    show_licensed_text: bool


@dataclass(frozen=True)
class CorpusPlan:
    """A corpus of the report: what is compared on it, and whether its sentences may be shown.

    `kind`, `newsela` or `wiki`, says whose published numbers stand beside ours; empty for none. `encoder` is that of
    its aligner.
    """

    name: str
    kind: str
    origin: str
    show_text: bool
    encoder: str
    is_annotated: bool
    is_simplified: bool
    has_paragraphs: bool

    @property
    def paper(self) -> Paper:
        """What the paper has beside the corpus."""
        return PAPERS.get(self.kind, Paper())


@dataclass(frozen=True)
class ReportPlan:
    """Everything that the report covers, in the order of params.yaml.

    `released` and `boards` are systems and test sets of the leaderboard, as params.yaml describes them;
    `alignment_settings` tells which results over seeds are those of this run (`seeds.alignment_settings`).
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


def load_plan(path: str | Path = PARAMS) -> ReportPlan:
    """The plan that params.yaml gives; `InputError` names a key that is missing or wrong."""
    config = load_params("report", ReportConfig, path)
    published = tuple(select_list("published", path))
    return ReportPlan(
        experiment=str(select("experiment", path)),
        corpora=tuple(_corpus(name, config, path) for name in select_list("corpora", path)),
        training_sets=tuple(select_list("training_sets", path)),
        simplifiers=tuple(select_list("simplifiers", path)),
        default_results=tuple(select_list("default_results", path)),
        alignment_systems=tuple(select_list("alignment_systems", path)),
        published=published,
        human_ratings=tuple(select_list("human_ratings", path)),
        config=config,
        labels=load_params("labels", Labels, path),
        released=_leaderboard("systems", published, path),
        boards=_leaderboard("test_sets", published, path),
        alignment_settings=alignment_settings(path),
    )


def _leaderboard(part: str, published: tuple[str, ...], path: str | Path) -> dict[str, dict[str, Any]]:
    if "leaderboard" not in published:
        return {}
    return {str(key): dict(row) for key, row in select(f"leaderboard.{part}", path).items()}


def _corpus(name: str, config: ReportConfig, path: str | Path) -> CorpusPlan:
    source = load_params(f"corpus.{name}.source", SourceConfig, path)
    return CorpusPlan(
        name=name,
        kind=str(select(f"corpus.{name}", path).get("printed_beside") or ""),
        origin=source.origin,
        show_text=source.origin != "licensed" or config.show_licensed_text,
        encoder=str(select(f"corpus.{name}.align.encoder", path)),
        is_annotated=name in select_list("annotated_corpora", path),
        is_simplified=name in select_list("simplification_corpora", path),
        has_paragraphs=name in select_list("paragraph_corpora", path),
    )
