"""reports/published/leaderboard.json as the report takes it (docs/leaderboard.md)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.reporting.reading import Scores, checked, finite, finite_or_none, present, scores
from textsimp.reporting.significance import Significance, significance_of
from textsimp.textfiles import read_json

LEADERBOARD = "leaderboard"
VARIANTS = {
    "sari": "SARI per sentence",
    "sari_del_f1": "SARI per sentence, deletion by F1",
    "sari_corpus": "corpus SARI",
    "sari_corpus_del_precision": "corpus SARI, deletion by precision",
    "sari_corpus_legacy": "corpus SARI, cased",
}
RANKED = {**VARIANTS, "bleu": "BLEU"}
OTHER = {"fk": "FK", "len": "Len"}
OPERATIONS = ("add", "keep", "del")
PARTS = {"sari": OPERATIONS, "sari_corpus": tuple(f"sari_corpus_{operation}" for operation in OPERATIONS)}
RATIOS = {
    "compression_ratio": "length",
    "exact_copies": "copies",
    "additions": "added words",
    "deletions": "deleted words",
    "sentence_splits": "sentences",
}
_SHOWN = (*RANKED, *OTHER, *RATIOS, "fkgl")
_SCORES = (*_SHOWN, *(part for parts in PARTS.values() for part in parts))
SUBMISSION, IDENTITY = "submission", "identity"
CLASSES = (
    "copy",
    "deletion",
    "paraphrase",
    "splitting",
    "deletion + paraphrase",
    "splitting + paraphrase",
    "not aligned",
)
"""Kinds of rewriting, as the stage names them."""
_FIRST = "turk"


@dataclass(frozen=True)
class RankedSystem:
    """A row: the system as printed, and its scores by part."""

    name: str
    kind: str
    paper: str
    released_with: str
    trained_on: str
    scores: Scores


@dataclass(frozen=True)
class Rank:
    """A rank with its 95 percent interval over resamples of the test set."""

    rank: int
    low: int
    high: int


@dataclass(frozen=True)
class Agreement:
    """Two metrics: correlations, and how many pairs they order differently.

    one, both: those of which one or both differences are significant; None with BLEU.
    """

    metrics: tuple[str, str]
    pairs: int
    spearman: float | None
    kendall: float | None
    flips: int
    one: int | None
    both: int | None


@dataclass(frozen=True)
class Flip:
    """A pair that two variants order differently, and the variants in which it differs significantly."""

    higher: str
    lower: str
    significant: frozenset[str]


Share = tuple[float, float, float]
"""Percent of the sentences with its 95 percent interval."""


@dataclass(frozen=True)
class Kinds:
    """Shares of the kinds of rewriting: system -> class -> share, and those of people."""

    signature: str
    systems: dict[str, dict[str, Share]]
    people: dict[str, Share]


@dataclass(frozen=True)
class Board:
    """One test set. Ranks and letters are by metric and system, `p_holm` by metric and pair of systems.

    samples: resamples of the sentences. alpha: a pair differs significantly where its `p_holm` is below it.
    """

    key: str
    title: str
    sentences: int
    references: int
    form: str
    signatures: dict[str, str]
    systems: dict[str, RankedSystem]
    ranks: dict[str, dict[str, Rank]]
    letters: dict[str, dict[str, str]]
    significance: Significance
    p_holm: dict[str, dict[tuple[str, str], float]]
    agreement: tuple[Agreement, ...]
    flips: tuple[Flip, ...]
    kinds: Kinds
    samples: int
    alpha: float

    def differ(self, metric: str, one: str, other: str) -> bool:
        """Whether two systems differ significantly by a variant of SARI; `KeyError` where they are not compared."""
        found = self.p_holm[metric]
        return found[(one, other) if (one, other) in found else (other, one)] < self.alpha

    @property
    def order(self) -> list[str]:
        """The systems, the best by the first variant first."""
        first = next(iter(VARIANTS))
        return sorted(self.systems, key=lambda key: (-self.systems[key].scores[first], key))

    def label(self, key: str) -> str:
        """A system's name, with its training data or else its paper where another one has the same name."""
        system = self.systems[key]
        shared = [other for other in self.systems.values() if other.name == system.name]
        origin = "yours" if system.kind == SUBMISSION else system.trained_on or system.paper or system.kind
        return f"{system.name} ({origin})" if len(shared) > 1 else system.name


@dataclass(frozen=True)
class Leaderboard:
    """All test sets, TURK first, which the outputs were made for."""

    boards: tuple[Board, ...]


def read_leaderboard(reports: Path) -> Leaderboard:
    """The leaderboard that the stage score_published writes; `InputError` where it is absent or something else."""
    path = present(reports / "published" / f"{LEADERBOARD}.json", "score_published", LEADERBOARD)
    value = read_json(path)

    def read() -> Leaderboard:
        boards = (_board(name, found, value) for name, found in value["test_sets"].items())
        return Leaderboard(tuple(sorted(boards, key=lambda board: (board.key != _FIRST, board.key))))

    return checked(read, path)


def _board(name: str, value: dict[str, Any], whole: dict[str, Any]) -> Board:
    systems = {str(key): _system(row) for key, row in value["systems"].items()}
    return Board(
        key=name,
        title=str(value["title"]),
        sentences=int(value["sentences"]),
        references=int(value["references"]),
        form=str(value["form"]),
        signatures={metric: str(value["signatures"][metric]) for metric in _SHOWN},
        systems=systems,
        ranks={metric: {key: _rank(value["ranks"][metric][key]) for key in systems} for metric in RANKED},
        letters={metric: {key: str(value["letters"][metric][key]) for key in systems} for metric in VARIANTS},
        significance=significance_of(value),
        p_holm={
            metric: {
                (one, other): finite(tests["p_holm"])
                for one, others in value["pairs"][metric].items()
                for other, tests in others.items()
            }
            for metric in VARIANTS
        },
        agreement=tuple(_agreement(row) for row in value["agreement"]),
        flips=tuple(_flip(row, systems) for row in value["flips"]),
        kinds=_kinds(value["rewriting"], list(systems)),
        samples=int(whole["resampling"]["samples"]),
        alpha=finite(whole["alpha"]),
    )


def _system(row: dict[str, Any]) -> RankedSystem:
    texts = ("name", "kind", "paper", "released_with", "trained_on")
    found = {name: row["scores"][name] for name in _SCORES}
    return RankedSystem(*(str(row[key] or "") for key in texts), scores=scores(found))


def _rank(row: dict[str, Any]) -> Rank:
    return Rank(*(int(finite(row[key])) for key in ("rank", "low", "high")))


def _agreement(row: dict[str, Any]) -> Agreement:
    one, other = (str(metric) for metric in row["metrics"])
    correlations = (finite_or_none(row[key]) for key in ("spearman", "kendall"))
    counts = (None if row[key] is None else int(row[key]) for key in ("one", "both"))
    return Agreement((one, other), int(row["pairs"]), *correlations, int(row["flips"]), *counts)


def _flip(row: dict[str, Any], systems: dict[str, RankedSystem]) -> Flip:
    higher, lower = str(row["higher"]), str(row["lower"])
    if not {higher, lower} <= set(systems):
        raise ValueError(f"no system {higher!r} or {lower!r}")
    return Flip(higher, lower, frozenset(map(str, row["significant"])))


def _kinds(value: dict[str, Any], systems: list[str]) -> Kinds:
    """The classes in the order of `CLASSES`."""
    return Kinds(
        str(value["signature"]),
        {key: {name: _share(value["systems"][key][name]) for name in CLASSES} for key in systems},
        {name: _share(value["references"][name]) for name in CLASSES},
    )


def _share(value: dict[str, Any]) -> Share:
    return finite(value["value"]), finite(value["low"]), finite(value["high"])
