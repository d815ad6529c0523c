"""`textsimp doctor`: what each experiment of conf/experiment needs, what of it is here, and what runs without the rest.

Nothing is fetched and nothing is written: files are looked for in the mirror folder and in data/raw, where `acquire`
puts them, and their digests are compared. How to obtain a source is said in the note that its file of
conf/sources begins with (F1).
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

from huggingface_hub import try_to_load_from_cache
from omegaconf import DictConfig, OmegaConf

from textsimp.encoders import encoder_folder
from textsimp.errors import InputError
from textsimp.params import CONF, compose, structured
from textsimp.sources.config import Release, ReleaseFile
from textsimp.sources.fetch import digest_of
from textsimp.sources.newsela import ARTICLES, METADATA, read_metadata
from textsimp.sources.splits import NEWSELA_MANUAL, SPLITS

PRESENT, MISSING, DAMAGED = "present", "missing", "damaged"
SAMPLE = Path("data", "sample")


@dataclass(frozen=True)
class Places:
    """Where sources may be: the mirror folder and the licensed Newsela folder (None: not set), and data/raw."""

    mirror: Path | None
    newsela: Path | None
    raw: Path = Path("data", "raw")


@dataclass(frozen=True)
class Need:
    """One source that a part of an experiment needs.

    Attributes:
        experiment: a name of conf/experiment.
        part: `corpus NAME` or `outputs NAME` (released outputs to score).
        source: a release, `newsela`, `sample`, or a pre-trained encoder.
        state: present, damaged or missing.
        detail: what was found, and where.
        remedy: how to get it; empty where it is present.
    """

    experiment: str
    part: str
    source: str
    state: str
    detail: str
    remedy: str


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


Finding = tuple[str, str, str]  # state, detail, remedy


def examine(places: Places, experiments: Iterable[str] | None = None) -> list[Need]:
    """What each experiment needs, in the order of names; all experiments of conf/ where none are named.

    Args:
        places: where to look. The mirror and the Newsela folder that conf/ itself sets are not used.
        experiments: names of conf/experiment.

    Raises:
        InputError: no such experiment, or a configuration that does not compose.
    """
    known: dict[tuple[str, str], Finding] = {}
    names = sorted(path.stem for path in (CONF / "experiment").glob("*.yaml"))
    return [
        need
        for name in (names if experiments is None else experiments)
        for need in _needs(name, OmegaConf.create(compose([f"experiment={name}"])), places, known)
    ]


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


def diagnosis(needs: Sequence[Need]) -> dict[str, Any]:
    """Everything in nested groups of plain values, by experiment, for a command to print or to write as JSON."""
    result: dict[str, Any] = {}
    for verdict in verdicts(needs):
        group: dict[str, Any] = {
            "runs": _list(verdict.ready),
            "does not run": _list(verdict.blocked),
            "runs instead": ", ".join(f"make repro EXPERIMENT={name}" for name in verdict.instead) or "-",
        }
        own = [need for need in needs if need.experiment == verdict.experiment]
        for need in own:
            row = asdict(need)
            rows = {key: row[key] for key in ("state", "detail", "remedy") if row[key]}
            group.setdefault(need.part, {})[need.source] = rows
        result[verdict.experiment] = group
    return result


def _needs(experiment: str, config: DictConfig, places: Places, known: dict[tuple[str, str], Finding]) -> list[Need]:
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
            known[source, part] = _find(source, config, places, places.raw / part)
        needs.append(Need(experiment, f"{kind} {part}", source, *known[source, part]))
    return needs


def _encoders(config: DictConfig) -> list[str]:
    """The pre-trained encoders of the aligner and the simplifiers, each once."""
    names = [config.aligner.encoder.name, *(config.simplifier[name].get("encoder") for name in config.simplifiers)]
    return [name for name in dict.fromkeys(names) if name]


def _find(source: str, config: DictConfig, places: Places, raw: Path) -> Finding:
    """What is known of one source; `raw` is where `acquire` puts it for the part that needs it."""
    if source == "sample":
        return _sample()
    if source == "newsela":
        return _newsela(places.newsela)
    if source in _encoders(config):
        return _encoder(source)
    if source not in config.sources.releases:
        files = f"conf/sources/{source}.yaml"
        return MISSING, f"the experiment does not compose {files}", f"name {source} in its `override /sources`"
    return _release(source, structured(config.sources.releases[source], Release), places.mirror, raw)


def _sample() -> Finding:
    if SAMPLE.is_dir():
        return PRESENT, str(SAMPLE), ""
    return MISSING, f"no folder {SAMPLE}", "run it in the repository, where the sample is committed"


def _release(name: str, release: Release, mirror: Path | None, raw: Path) -> Finding:
    states = [(file, _file(file, mirror / name if mirror else None, raw / release.folder)) for file in release.files]
    absent = [file for file, state in states if state == MISSING]
    damaged = [file.name for file, state in states if state == DAMAGED]
    found = f"{len(states) - len(absent) - len(damaged)} of {len(states)} files"
    if damaged:
        what = f"{found}; {damaged[0]} in the mirror is corrupt, cut short or changed"
        return DAMAGED, what, f"put the released file there. {note(name)}"
    if absent:
        where = mirror / name if mirror else "a mirror folder (sources.mirror is not set)"
        return MISSING, f"{found}; no {absent[0].name} in {where} or {raw}", f"{note(name)} {absent[0].url}"
    return PRESENT, found, ""


def _file(file: ReleaseFile, mirror: Path | None, raw: Path) -> str:
    """The state of one file: `acquire` leaves a good one in `raw`, else takes that of `mirror`, good or bad."""
    if file.digest and _is(raw / file.name, file.digest):
        return PRESENT
    if mirror is None or not (mirror / file.name).is_file():
        return PRESENT if file.digest is None and (raw / file.name).is_file() else MISSING
    return PRESENT if file.digest is None or _is(mirror / file.name, file.digest) else DAMAGED


def _is(path: Path, digest: str) -> bool:
    return path.is_file() and digest_of(path, digest) == digest


def note(name: str) -> str:
    """The comment that `conf/sources/NAME.yaml` begins with, on one line: size, terms, how to obtain the source."""
    lines = (CONF / "sources" / f"{name}.yaml").read_text(encoding="utf-8").splitlines()
    comment = list(takewhile(lambda line: line.startswith("#"), lines))
    return " ".join(line.lstrip("# ") for line in comment) or "Public; `acquire` downloads it."


def _newsela(folder: Path | None) -> Finding:
    """Whether the licensed release is whole, as `acquire` will want it; its text is not read."""
    remedy = "ask for it at newsela.com/data, then set sources.newsela=FOLDER"
    if folder is None:
        return MISSING, "sources.newsela is not set; the release is licensed", remedy
    metadata = sorted(folder.glob(f"**/{METADATA}"))
    manual = sorted(folder.glob(f"**/{NEWSELA_MANUAL}/train.tsv"))
    if len(metadata) != 1 or len(manual) != 1:
        what = f"{len(metadata)} files {METADATA} and {len(manual)} {NEWSELA_MANUAL}/train.tsv below {folder}, not one"
        return MISSING, what, remedy
    try:
        paths = [metadata[0].parent / ARTICLES / row.filename for row in read_metadata(metadata[0])]
    except InputError as error:
        return DAMAGED, str(error), "unpack the release again"
    paths += (manual[0].with_name(f"{split}.tsv") for split in SPLITS)
    if absent := [path for path in paths if not path.is_file()]:
        return DAMAGED, f"{len(absent)} of {len(paths)} files are absent; first {absent[0]}", "unpack the release again"
    return PRESENT, f"{len(paths)} files below {folder}", ""


def _encoder(name: str) -> Finding:
    """A packaged encoder, a folder, or one in the cache of the Hugging Face hub, which is not asked."""
    try:
        folder = encoder_folder(name)
    except InputError as error:
        return MISSING, str(error), "see the message"
    if Path(folder).is_dir():
        return PRESENT, "installed" if folder != name else folder, ""
    if isinstance(try_to_load_from_cache(name, "config.json"), str):
        return PRESENT, "in the cache of the Hugging Face hub", ""
    what = "not in the cache of the Hugging Face hub"
    return MISSING, what, "downloaded at first use where the hub is reachable; else name the folder of a copy"


def _list(names: Sequence[str]) -> str:
    return ", ".join(names) or "-"
