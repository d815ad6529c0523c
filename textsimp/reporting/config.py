"""What the report covers (`params.yaml`) and how much text it shows (its section `report`)."""

from dataclasses import asdict, dataclass
from pathlib import Path

from textsimp.errors import InputError
from textsimp.params import PARAMS, load_params, select, select_list
from textsimp.sources.config import SourceConfig


@dataclass(frozen=True)
class ReportConfig:
    """Section `report` of params.yaml.

    example_pairs: document pairs of each corpus that are shown with their alignment.
    example_sentences: a document of more sentences is shown only where there are no shorter ones.
    browser_pairs: document pairs of each corpus that can be browsed; of more, a sample can.
    output_sentences: sentences of each test set that are shown with the output of every system, in print too.
    output_sentences_browsed: sentences of each test set that can be browsed.
    show_licensed_text: whether text of licensed corpora is shown at all; numbers always are.
    """

    example_pairs: int
    example_sentences: int
    browser_pairs: int
    output_sentences: int
    output_sentences_browsed: int
    show_licensed_text: bool

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if value < 0:
                raise InputError(f"report.{name}: {value} is negative; give a number of 0 or more")


@dataclass(frozen=True)
class CorpusPlan:
    """A corpus of the report.

    kind: `newsela` or `wiki`: whose published numbers stand beside ours.
    show_text: whether its sentences may be shown.
    encoder: the pair encoder of its aligner.
    is_annotated: whether alignment systems are compared on it.
    is_simplified: whether simplifiers are trained on it.
    has_paragraphs: whether paragraph aligners are compared on it.
    is_sample: whether it is the sample corpus.
    """

    name: str
    kind: str
    show_text: bool
    encoder: str
    is_annotated: bool
    is_simplified: bool
    has_paragraphs: bool
    is_sample: bool


@dataclass(frozen=True)
class ReportPlan:
    """Everything that the report covers, in the order of params.yaml."""

    experiment: str
    corpora: tuple[CorpusPlan, ...]
    training_sets: tuple[str, ...]
    simplifiers: tuple[str, ...]
    alignment_systems: tuple[str, ...]
    published: tuple[str, ...]
    config: ReportConfig


def load_plan(path: str | Path = PARAMS) -> ReportPlan:
    """The plan that params.yaml gives; `InputError` names a key that is missing or wrong."""
    config = load_params("report", ReportConfig, path)
    return ReportPlan(
        experiment=str(select("experiment", path)),
        corpora=tuple(_corpus(name, config, path) for name in select_list("corpora", path)),
        training_sets=tuple(select_list("training_sets", path)),
        simplifiers=tuple(select_list("simplifiers", path)),
        alignment_systems=tuple(select_list("alignment_systems", path)),
        published=tuple(select_list("published", path)),
        config=config,
    )


def _corpus(name: str, config: ReportConfig, path: str | Path) -> CorpusPlan:
    source = load_params(f"corpus.{name}.source", SourceConfig, path)
    show_text = source.origin != "licensed" or config.show_licensed_text
    listed = (
        name in select_list(key, path) for key in ("annotated_corpora", "simplification_corpora", "paragraph_corpora")
    )
    encoder = str(select(f"corpus.{name}.align.encoder", path))
    return CorpusPlan(name, source.kind, show_text, encoder, *listed, source.origin == "sample")
