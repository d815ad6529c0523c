"""`textsimp doctor`: what each experiment of conf/experiment needs, what of it is here, and what runs without the rest.

And every source that conf/sources describes, whether an experiment needs it or not, with its size and how to obtain it.
Nothing is fetched and nothing is written. Digests are compared where reading costs no transfer. The size of a release
and how to obtain it are said in the note that its file of conf/sources begins with.
"""

import contextlib
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

from huggingface_hub import try_to_load_from_cache

from textsimp.core.errors import InputError
from textsimp.core.params import CONF, compose_values, structured
from textsimp.core.pretrained import local_encoder
from textsimp.core.progress import progress
from textsimp.core.reading import file_size, files_below, folder_files, read_lines, subfolders
from textsimp.core.yaml_text import read_yaml
from textsimp.sources.acquisition import LICENCE, TITLE, URL, licensed_files
from textsimp.sources.config import Release, ReleaseFile, release_files
from textsimp.sources.fetch import Mirror, digest_of, mirror_folder, open_mirror
from textsimp.sources.newsela import METADATA

PRESENT, MISSING, DAMAGED = "present", "missing", "damaged"
SAMPLE = Path("data", "sample")
_SHOWN_URLS, _WIDTH, _COLUMN = 3, 80, 14


class Places(NamedTuple):
    """Where sources may be: the mirror (a folder or an address), the licensed Newsela folder, data/raw."""

    mirror: str | Path | None
    newsela: Path | None
    raw: Path = Path("data", "raw")


class Holding(NamedTuple):
    """What is known of one source; `state` is present, damaged or missing, `detail` what was found, and where.

    The licence is as stated by its authors; the size is that of the files where they are here, else as its note says.
    """

    title: str
    licence: str
    size: str
    state: str
    detail: str
    obtain: str


class Need(NamedTuple):
    """One source (a release, `newsela`, `sample`, or an encoder) that a part of an experiment needs.

    `part` is `corpus NAME` or `outputs NAME` (released outputs to score). Without an optional one the experiment runs.
    """

    experiment: str
    part: str
    source: str
    holding: Holding
    optional: bool = False

    @property
    def state(self) -> str:
        """Present, damaged or missing."""
        return self.holding.state


class Verdict(NamedTuple):
    """What will run of one experiment: the parts that have all their sources (`ready`), and those that stop it.

    Where a part is blocked, `instead` names the experiments that run as they are, on ready parts of this one alone.
    """

    experiment: str
    ready: tuple[str, ...]
    blocked: tuple[str, ...]
    instead: tuple[str, ...]


def examine(places: Places, experiments: Iterable[str] | None = None) -> list[Need]:
    """What each experiment of conf/experiment needs, sorted by name; all experiments by default.

    The mirror and the Newsela folder that conf/ itself sets are not used.

    Raises:
        InputError: no such experiment, a configuration that does not compose, or a mirror that is no folder.
    """
    needs: list[Need] = []
    known: dict[tuple[str, str], Holding] = {}
    names = experiments or [path.stem for path in folder_files(CONF / "experiment", "*.yaml")]
    for experiment in progress(names, desc="compose", unit=" experiments"):
        config = compose_values([f"experiment={experiment}"])
        for kind, name, source in _wanted(config):
            if (source, name) not in known:
                known[source, name] = _find(source, name, config, places)
            optional = kind == "outputs" and name in config["sources"].get("optional", ())
            needs.append(Need(experiment, f"{kind} {name}", source, known[source, name], optional))
    return needs


def catalogue(places: Places) -> dict[str, Holding]:
    """The sample, the licensed release, and every release of conf/sources by name.

    A release counts as present where any corpus of data/raw has it.
    """
    raws = subfolders(places.raw)
    holdings = {"sample": _sample(), "newsela": _newsela(places.newsela)}
    for path in folder_files(CONF / "sources", "*.yaml"):
        for name, release in (read_yaml(path).get("releases") or {}).items():
            holdings[str(name)] = _release(str(name), structured(release, Release), places, raws)
    return holdings


def verdicts(needs: Sequence[Need]) -> list[Verdict]:
    """What will run of each experiment that `needs` covers; only those can be named `instead`."""
    parts: dict[str, dict[str, bool]] = {}
    spared = {(need.experiment, need.part) for need in needs if need.optional and need.state == MISSING}
    for need in needs:
        states = parts.setdefault(need.experiment, {})
        states[need.part] = states.get(need.part, True) and need.state == PRESENT
    result = []
    for name, states in parts.items():
        ready = tuple(part for part, here in states.items() if here)
        blocked = tuple(part for part, here in states.items() if not here and (name, part) not in spared)
        instead = tuple(
            candidate
            for candidate, available in parts.items()
            if blocked and candidate != name and all(available.values()) and set(available) <= set(ready)
        )
        result.append(Verdict(name, ready, blocked, instead))
    return result


def diagnosis(needs: Sequence[Need], sources: Mapping[str, Holding]) -> dict[str, Any]:
    """The whole result as nested plain values for JSON: `sources` and `experiments`."""
    experiments: dict[str, Any] = {}
    for name, ready, blocked, instead in verdicts(needs):
        group: dict[str, Any] = {"runs": ready, "does not run": blocked, "runs instead": instead}
        for need in needs:
            if need.experiment == name:
                group.setdefault(need.part, {})[need.source] = need.holding._asdict()
        experiments[name] = group
    return {"sources": {name: holding._asdict() for name, holding in sources.items()}, "experiments": experiments}


def _wanted(config: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """The kind of a part, its name, and a source that it needs."""
    for corpus in config["corpora"]:
        source = config["corpus"][corpus]["source"]
        special = {"sample": ["sample"], "licensed": ["newsela"]}.get(source["origin"], [])
        yield from (("corpus", corpus, name) for name in (*special, *source["releases"], *_encoders(config)))
    for name in config["published"]:
        yield from (("outputs", name, release) for release in config["sources"]["published"][name])


def _encoders(config: Mapping[str, Any]) -> list[str]:
    simplifiers = [config["simplifier"][name].get("encoder") for name in config["simplifiers"]]
    names = [config["aligner"]["encoder"]["name"], *simplifiers]
    return [name for name in dict.fromkeys(names) if name]


def _find(source: str, part: str, config: Mapping[str, Any], places: Places) -> Holding:
    """What is known of one source for the part, a corpus or a set of outputs, that needs it."""
    if source == "sample":
        return _sample()
    if source == "newsela":
        return _newsela(places.newsela)
    if source in _encoders(config):
        return _encoder(source)
    if source not in config["sources"]["releases"]:
        detail = f"the experiment does not compose conf/sources/{source}.yaml"
        return Holding(source, "-", "-", MISSING, detail, f"Name {source} in its `override /sources`.")
    return _release(source, structured(config["sources"]["releases"][source], Release), places, [places.raw / part])


def _release(name: str, release: Release, places: Places, raws: Iterable[Path]) -> Holding:
    """A published release in the mirror, or in one of the folders `raws` where `acquire` puts it."""
    mirror = open_mirror(places.mirror)
    folders = [raw / release.folder for raw in raws]
    by_state: dict[str, list[ReleaseFile]] = {PRESENT: [], MISSING: [], DAMAGED: []}
    for file in (files := release_files(release)):
        by_state[_file(file, mirror_folder(mirror, name, release.folder, file), mirror, folders)].append(file)
    state, (size, obtain) = PRESENT, note(name)
    detail = f"{len(by_state[PRESENT])} of {len(files)} files"
    if damaged := by_state[DAMAGED]:
        state, obtain = DAMAGED, f"put the released file there. {obtain}"
        detail += f"; {damaged[0].name} in the mirror is corrupt, cut short or changed"
    elif missing := by_state[MISSING]:
        looked = [f"MIRROR/{name}" if mirror else "a mirror (none is set)", *map(str, folders)]
        state, detail = MISSING, f"{detail}; no {missing[0].name} in {' or '.join(looked)}"
        more = f" and {len(missing) - _SHOWN_URLS} more" if len(missing) > _SHOWN_URLS else ""
        obtain = f"{obtain} {' '.join(file.url for file in missing[:_SHOWN_URLS])}{more}"
    elif mirror is not None and not mirror.is_local:
        detail += "; digests not compared, the mirror is not on this machine"
    return Holding(release.title, release.licence, size, state, detail, obtain)


def _file(file: ReleaseFile, release: str, mirror: Mirror | None, folders: list[Path]) -> str:
    """The state of one file: a good one in data/raw is used; otherwise `acquire` takes the mirror's, good or bad."""
    if file.digest and any(_is(folder / file.name, file.digest) for folder in folders):
        return PRESENT
    name = f"{release}/{file.name}"
    if mirror is None or not mirror.exists(name):
        is_here = file.digest is None and any((folder / file.name).is_file() for folder in folders)
        return PRESENT if is_here else MISSING
    if file.digest is None or not mirror.is_local:
        return PRESENT
    return PRESENT if _is(Path(mirror.path(name)), file.digest) else DAMAGED


def _is(path: Path, digest: str) -> bool:
    try:
        return path.is_file() and _digest(path, digest.partition(":")[0], path.stat().st_mtime_ns) == digest
    except (InputError, OSError):  # it cannot be read, or vanished while we looked
        return False


@lru_cache(maxsize=4096)
def _digest(path: Path, kind: str, _changed: int) -> str:
    """The digest of a file, computed once even if several experiments need the file."""
    return digest_of(path, f"{kind}:")


def note(name: str) -> tuple[str, str]:
    """Size, and how to obtain it: the comment that conf/sources/NAME.yaml begins with, up to its first stop and on."""
    lines = read_lines(CONF / "sources" / f"{name}.yaml")
    text = " ".join(line.lstrip("# ") for line in takewhile(lambda line: line.startswith("#"), lines))
    size, _, obtain = text.partition(". ")
    return size, obtain or "Public; `acquire` downloads it."


def _newsela(folder: Path | None) -> Holding:
    """Whether the licensed release is complete, as `acquire` requires."""
    state, detail = MISSING, "sources.newsela is not set"
    if folder is not None:
        try:
            state, detail = PRESENT, f"{len(licensed_files(folder))} files below {folder}"
        except InputError as error:
            state, detail = (DAMAGED if _holds(folder, METADATA) else MISSING), str(error)
    obtain = f"Licensed: ask for it at {URL}, then set sources.newsela=FOLDER (here: --newsela FOLDER)."
    return Holding(TITLE, LICENCE, "size not published", state, detail, obtain)


def _holds(folder: Path, name: str) -> bool:
    """Whether a file of a name is anywhere below a folder, so far as it can be read."""
    with contextlib.suppress(InputError):
        return bool(files_below(folder, name))
    return False


def _sample() -> Holding:
    here = (_size_of(SAMPLE), PRESENT, str(SAMPLE)) if SAMPLE.is_dir() else ("-", MISSING, f"no folder {SAMPLE}")
    obtain = "Committed: run it in the repository."
    return Holding("The sample corpus of this project", "see FORMAT.md there", *here, obtain)


def _encoder(name: str) -> Holding:
    """A packaged encoder, a folder, or a model in the local cache of the Hugging Face hub, without network access."""
    head = ("A pre-trained encoder", "-")
    try:
        folder = local_encoder(name)
    except InputError as error:
        return Holding(*head, "-", MISSING, str(error), "See the message.")
    if folder is not None:
        own = str(folder) == name
        detail, obtain = (name, "A folder of yours.") if own else ("installed", "Comes with `make setup`.")
        return Holding(*head, _size_of(folder), PRESENT, detail, obtain)
    obtain = "Downloaded at first use where the Hugging Face hub is reachable; else name the folder of a copy."
    is_cached = isinstance(try_to_load_from_cache(name, "config.json"), str)
    state, detail = (PRESENT, "in the cache") if is_cached else (MISSING, "not in the cache")
    return Holding(*head, "-", state, f"{detail} of the Hugging Face hub", obtain)


def _size_of(folder: Path) -> str:
    return megabytes(file_size(path) for path in files_below(folder))


def megabytes(sizes: Iterable[int]) -> str:
    """A number of bytes as text, in megabytes."""
    return f"{sum(sizes) / 1e6:.1f} MB"


def readable(needs: Sequence[Need], sources: Mapping[str, Holding]) -> Iterator[str]:
    """The lines that `doctor` prints: the experiments, then the catalogue and what else is needed (encoders).

    Lines have at most 80 characters, addresses and long file names apart.
    """
    yield "EXPERIMENTS (make repro EXPERIMENT=NAME)"
    for verdict in verdicts(needs):
        yield ""
        yield from _experiment_lines(verdict, [need for need in needs if need.experiment == verdict.experiment])
    more = {need.source: need.holding for need in needs if need.source not in sources}
    yield ""
    yield "SOURCES"
    for name, holding in (more | dict(sources)).items():
        users = list(dict.fromkeys(need.experiment for need in needs if need.source == name))
        yield ""
        state = holding.state.upper() if holding.state != PRESENT else holding.state
        yield from _wrapped(f"{name}: {state}, {holding.detail}", "", "  ")
        shown = {"what": holding.title, "size": holding.size, "licence": holding.licence, "obtain": holding.obtain}
        for label, text in (shown | {"used by": ", ".join(users) or "no experiment"}).items():
            yield from _item(label, text)


def _experiment_lines(verdict: Verdict, needs: Sequence[Need]) -> Iterator[str]:
    lacks = f"{', '.join(verdict.blocked)} {'lacks' if len(verdict.blocked) == 1 else 'lack'} sources"
    complete = all(need.state == PRESENT for need in needs)
    runs = "runs, its sources are all here" if complete else "runs, and its report says what is missing"
    state = f"does not run, for {lacks}" if verdict.blocked else runs
    yield from _wrapped(f"{verdict.experiment}: {state}", "", "  ")
    for part in dict.fromkeys(need.part for need in needs):
        of_part = [need for need in needs if need.part == part]
        present = [need.source for need in of_part if need.state == PRESENT]
        yield from _item(part, f"present: {', '.join(present) or 'nothing'}")
        for state in dict.fromkeys(need.state for need in of_part if need.state != PRESENT):
            names = [need.source for need in of_part if need.state == state]
            how = f"(see below how to get {'it' if len(names) == 1 else 'them'})"
            yield from _item("", f"{state}: {', '.join(names)} {how}")
    if verdict.instead:
        commands = ", ".join(f"make repro EXPERIMENT={name}" for name in verdict.instead)
        yield from _item("without them", f"{commands} does what can be done of it")
    elif verdict.blocked and verdict.ready:
        yield from _item("without them", f"{', '.join(verdict.ready)} can run, but no experiment has that alone")
    elif verdict.blocked:
        yield from _item("without them", "nothing of it; make repro, the experiment sample, needs no other data")


def _item(name: str, text: str) -> Iterator[str]:
    """A name in its own column with wrapped text beside it."""
    start = f"  {name:<{_COLUMN}}"
    if len(name) >= _COLUMN:  # on a line of its own
        yield start.rstrip()
        start = " " * (_COLUMN + 2)
    yield from _wrapped(text, start, " " * (_COLUMN + 2))


def _wrapped(text: str, first: str, rest: str) -> list[str]:
    return textwrap.TextWrapper(_WIDTH, first, rest, break_long_words=False, break_on_hyphens=False).wrap(text)
