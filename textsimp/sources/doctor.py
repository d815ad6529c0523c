"""`textsimp doctor`: what each experiment of conf/experiment needs, what of it is here, and what runs without the rest.

And every source that the project has a reader for, whether an experiment needs it or not, with its size and how to
obtain it. Nothing is fetched and nothing is written (F1).
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from omegaconf import DictConfig, OmegaConf

from textsimp.params import CONF, compose, structured
from textsimp.sources.config import Release
from textsimp.sources.holdings import (
    MISSING,
    PRESENT,
    Holding,
    Places,
    find_encoder,
    find_newsela,
    find_release,
    find_sample,
)


@dataclass(frozen=True)
class Need:
    """One source that a part of an experiment needs.

    Attributes:
        experiment: a name of conf/experiment.
        part: `corpus NAME` or `outputs NAME` (released outputs to score).
        source: a release, `newsela`, `sample`, or a pre-trained encoder.
        holding: what is known of it.
    """

    experiment: str
    part: str
    source: str
    holding: Holding

    @property
    def state(self) -> str:
        """Present, damaged or missing."""
        return self.holding.state


@dataclass(frozen=True)
class Verdict:
    """What will run of one experiment.

    Attributes:
        experiment: its name.
        ready: the parts that have all their sources.
        blocked: the other parts.
        instead: where a part is blocked, the experiments that run as they are, on ready parts of this one alone.
    """

    experiment: str
    ready: tuple[str, ...]
    blocked: tuple[str, ...]
    instead: tuple[str, ...]


def examine(places: Places, experiments: Iterable[str] | None = None) -> list[Need]:
    """What each experiment needs, in the order of names; all experiments of conf/ where none are named.

    Args:
        places: where to look. The mirror and the Newsela folder that conf/ itself sets are not used.
        experiments: names of conf/experiment.

    Raises:
        InputError: no such experiment, a configuration that does not compose, or a mirror that is no folder.
    """
    known: dict[tuple[str, str], Holding] = {}
    names = sorted(path.stem for path in (CONF / "experiment").glob("*.yaml"))
    return [
        need
        for name in (names if experiments is None else experiments)
        for need in _needs(name, OmegaConf.create(compose([f"experiment={name}"])), places, known)
    ]


def catalogue(places: Places) -> dict[str, Holding]:
    """Every release of conf/sources by name, and the licensed one and the sample before them.

    A release counts as present where any corpus of data/raw has it.
    """
    raws = sorted(path for path in places.raw.glob("*") if path.is_dir())
    found = {"sample": find_sample(), "newsela": find_newsela(places.newsela)}
    for path in sorted((CONF / "sources").glob("*.yaml")):
        for name, release in (OmegaConf.load(path).get("releases") or {}).items():
            found[str(name)] = _release(str(name), release, places, raws)
    return found


def verdicts(needs: Sequence[Need]) -> list[Verdict]:
    """What will run of each experiment that `needs` covers; only those can be named `instead`."""
    parts: dict[str, dict[str, bool]] = {}
    for need in needs:
        of_one = parts.setdefault(need.experiment, {})
        of_one[need.part] = of_one.get(need.part, True) and need.state == PRESENT
    result = []
    for name, states in parts.items():
        ready = tuple(part for part, here in states.items() if here)
        blocked = tuple(part for part, here in states.items() if not here)
        instead = tuple(
            other
            for other, theirs in parts.items()
            if blocked and other != name and all(theirs.values()) and set(theirs) <= set(ready)
        )
        result.append(Verdict(name, ready, blocked, instead))
    return result


def diagnosis(needs: Sequence[Need], sources: dict[str, Holding] | None = None) -> dict[str, Any]:
    """Everything in nested groups of plain values, for JSON: `experiments` and, where they are given, `sources`."""
    experiments: dict[str, Any] = {}
    for verdict in verdicts(needs):
        group: dict[str, Any] = {
            "runs": list(verdict.ready),
            "does not run": list(verdict.blocked),
            "runs instead": list(verdict.instead),
        }
        for need in needs:
            if need.experiment == verdict.experiment:
                group.setdefault(need.part, {})[need.source] = asdict(need.holding)
        experiments[verdict.experiment] = group
    found = {"sources": {name: asdict(holding) for name, holding in sources.items()}} if sources else {}
    return {**found, "experiments": experiments}


def _needs(experiment: str, config: DictConfig, places: Places, known: dict[tuple[str, str], Holding]) -> list[Need]:
    wanted: list[tuple[str, str, str]] = []  # the kind of a part, its name, a source
    for corpus in config.corpora:
        source = config.corpus[corpus].source
        special = {"sample": ["sample"], "licensed": ["newsela"]}.get(source.origin, [])
        wanted += [("corpus", corpus, name) for name in (*special, *source.releases, *_encoders(config))]
    for name in config.published:
        wanted += [("outputs", name, release) for release in config.sources.published[name]]
    needs = []
    for kind, part, source in wanted:
        if (source, part) not in known:
            known[source, part] = _find(source, part, config, places)
        needs.append(Need(experiment, f"{kind} {part}", source, known[source, part]))
    return needs


def _encoders(config: DictConfig) -> list[str]:
    """The pre-trained encoders of the aligner and the simplifiers, each once."""
    names = [config.aligner.encoder.name, *(config.simplifier[name].get("encoder") for name in config.simplifiers)]
    return [name for name in dict.fromkeys(names) if name]


def _find(source: str, part: str, config: DictConfig, places: Places) -> Holding:
    """What is known of one source for the part, a corpus or a set of outputs, that needs it."""
    if source == "sample":
        return find_sample()
    if source == "newsela":
        return find_newsela(places.newsela)
    if source in _encoders(config):
        return find_encoder(source)
    if source not in config.sources.releases:
        detail = f"the experiment does not compose conf/sources/{source}.yaml"
        return Holding(source, "-", "-", MISSING, detail, f"Name {source} in its `override /sources`.")
    return _release(source, config.sources.releases[source], places, [places.raw / part])


def _release(name: str, node: DictConfig, places: Places, raws: Sequence[Path]) -> Holding:
    return find_release(name, structured(node, Release), places, raws)
