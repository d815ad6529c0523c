"""The contents of `conf/corpus/NAME.yaml` (key `source`) and of `conf/sources/`."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from textsimp.core import params
from textsimp.core.errors import InputError, bad_input, none_of
from textsimp.core.reading import read_lines
from textsimp.core.settings import NonNegative, PositiveNumber
from textsimp.sources.draws import ManualDraw
from textsimp.sources.formats import FORMATS, names_with
from textsimp.sources.generated.articles import GeneratorConfig
from textsimp.sources.swipe import LinkRule

_EVERY_FILE = "*"
_DIGEST_LINE = re.compile(r"([0-9a-f]{64})  (\S.*)")


@dataclass(frozen=True)
class SourceConfig:
    """Acquisition and splitting of one corpus: `corpus.NAME.source` in params.yaml.

    origin: `sample` (the committed sample corpus), `generated` (by a grammar, `textsimp.sources.generated`),
        `licensed` (a folder that the user has, `sources.newsela`) or `released` (files with digests).
    language: two letters, as in Newsela's file names.
    releases: the keys of `sources.releases` that a `released` corpus needs.
    annotation: the format (`sources.formats`) of the manual annotation; null for a corpus without any.
    articles: the format of the articles to be aligned, or several.
    manual: how many article sets each split gets; null where the release itself is split.
    link_rule: when edits link two sentences, for a format whose links are derived from edits; null with the others.
    generator: how much is generated, for the origin `generated`; null with the others.
    """

    name: str
    origin: Literal["sample", "generated", "licensed", "released"]
    language: str
    releases: list[str]
    annotation: str | None
    articles: str | list[str]
    manual: ManualDraw | None
    link_rule: LinkRule | None
    generator: GeneratorConfig | None = None

    def __post_init__(self) -> None:
        annotations, articles = (None, *names_with("annotation")), names_with("articles")
        asked = [("annotation", self.annotation, annotations)]
        asked += [("articles", name, articles) for name in self.article_formats or [""]]
        for key, value, choices in asked:
            if value not in choices:
                raise self._wrong(key, none_of(f"{value!r} is", (name or "null" for name in choices)))
        edited = self.annotation is not None and FORMATS[self.annotation].has_edits
        if (self.origin == "sample" or edited) != (self.manual is not None):
            raise self._wrong("manual", "counts go with origin sample and annotation by edits, null with the others")
        if edited != (self.link_rule is not None):
            raise self._wrong("link_rule", "goes with annotation by edits (swipe), null with the others")
        if (self.origin == "generated") != (self.generator is not None):
            raise self._wrong("generator", "goes with origin generated, null with the others")

    @property
    def article_formats(self) -> list[str]:
        """Return the formats of the articles to be aligned."""
        return [self.articles] if isinstance(self.articles, str) else self.articles

    def _wrong(self, key: str, what: str) -> InputError:
        return InputError(f"corpus.{self.name}.source.{key}: {what}; correct it under conf/corpus")


@dataclass(frozen=True)
class ReleaseFile:
    """One file of a release.

    name: its name in the mirror and in data/raw; `*` stands for every file of a list of digests.
    digest: `sha256:HEX` or `gitblob:HEX` (the id that Git gives the content); null where none is published; with the
        name `*` a list of digests in conf/sources/digests, as `sha256sum` writes it.
    url: where it is fetched from when the mirror does not have it; with `*` what stands before each name.
    """

    name: str
    digest: str | None
    url: str


@dataclass(frozen=True)
class Release:
    """A published data set: what it is and whose, the licence that its authors state, its folder in data/raw/CORPUS."""

    title: str
    licence: str
    folder: str
    files: list[ReleaseFile]


@dataclass(frozen=True)
class SourcesConfig:
    """The places that files come from: `sources` in params.yaml, composed from the files of conf/sources/.

    mirror: a folder with RELEASE/FILE for each file, tried before any download; null for none.
    newsela: the folder of the licensed Newsela release and its manual alignments; null where there is none.
    timeout: seconds that a download may stand still.
    seconds: that the download of one file may take.
    megabytes: of one file at most.
    retries: how many times a broken download is tried again.
    releases: the published data sets by name.
    published: the releases that each zero-training experiment scores.
    optional: those of these experiments whose releases may be absent; the report then says what is missing.
    """

    mirror: str | None
    newsela: str | None
    timeout: PositiveNumber
    seconds: PositiveNumber
    megabytes: PositiveNumber
    retries: NonNegative
    releases: dict[str, Release]
    published: dict[str, list[str]]
    optional: list[str] = field(default_factory=list)


def release_files(release: Release) -> list[ReleaseFile]:
    """Return the files of a release: those of lists of digests by name, then those that are named one by one.

    `InputError` where a list of digests is absent, or has a line that is not `HEX  NAME`.
    """
    listed = [file for row in release.files if row.name == _EVERY_FILE for file in _listed(row)]
    return sorted(listed, key=lambda file: file.name) + [row for row in release.files if row.name != _EVERY_FILE]


def _listed(row: ReleaseFile) -> list[ReleaseFile]:
    path = params.CONF / "sources" / "digests" / Path(row.digest or "").name
    files = []
    for number, line in enumerate(read_lines(path), 1):
        match = _DIGEST_LINE.fullmatch(line)
        if not match:
            raise bad_input(path, number, "not `SHA256  NAME`", "write the list with sha256sum")
        files.append(ReleaseFile(match[2], f"sha256:{match[1]}", row.url + quote(match[2], safe="/'")))
    return files
