"""What `conf/corpus/NAME.yaml` (key `source`) and `conf/sources/` hold (F1)."""

from dataclasses import dataclass

from textsimp.errors import InputError

KINDS = ("newsela", "wiki")
ORIGINS = ("sample", "licensed", "released")


@dataclass(frozen=True)
class ManualDraw:
    """How many article sets each split of the manual annotation gets (section 3: 35/5/10 and 350/50/100).

    They are drawn at random with `seed`; the article sets that remain are the unlabelled ones.
    """

    train: int
    dev: int
    test: int
    seed: int


@dataclass(frozen=True)
class SourceConfig:
    """Acquisition and splitting of one corpus: `corpus.NAME.source` in params.yaml.

    name: the corpus, as in `corpora`.
    kind: `newsela` (article sets at five levels) or `wiki` (article pairs); says which formats are read.
    origin: `sample` (the committed sample corpus), `licensed` (a folder that the user has, `sources.newsela`) or
        `released` (files with digests, `sources.releases`).
    language: two letters, as in Newsela's file names.
    releases: the keys of `sources.releases` that a `released` corpus needs.
    manual: how the sample's article sets are split; null where the release itself is split.
    """

    name: str
    kind: str
    origin: str
    language: str
    releases: list[str]
    manual: ManualDraw | None

    def __post_init__(self) -> None:
        for key, value, known in (("kind", self.kind, KINDS), ("origin", self.origin, ORIGINS)):
            if value not in known:
                raise InputError(f"corpus.{self.name}.source.{key}: {value!r} is none of {', '.join(known)}")
        if (self.origin == "sample") != (self.manual is not None):
            raise InputError(f"corpus.{self.name}.source.manual: counts go with origin sample, null with the others")


@dataclass
class ReleaseFile:
    """One file of a release. Not frozen: OmegaConf cannot merge values into a list of frozen dataclasses.

    name: its name in the mirror and in data/raw.
    digest: `sha256:HEX` or `gitblob:HEX` (the id that Git gives the content); null where none is published.
    url: where it is fetched from when the mirror does not have it.
    """

    name: str
    digest: str | None
    url: str


@dataclass
class Release:
    """A published data set. Not frozen, for the same reason as `ReleaseFile`.

    title: what it is and whose; licence: as stated by its authors; folder: its folder under data/raw/CORPUS.
    """

    title: str
    licence: str
    folder: str
    files: list[ReleaseFile]


@dataclass(frozen=True)
class SourcesConfig:
    """Where files come from: `sources` in params.yaml, composed from every file of conf/sources/.

    mirror: a folder with RELEASE/FILE for each file, tried before any download; null for none.
    newsela: the folder of the licensed Newsela release and its manual alignments; null where there is none.
    word_vectors: a file of word vectors for the alignment systems; null for none.
    timeout: seconds that a download may stand still.
    releases: the published data sets by name.
    published: the releases that each zero-training experiment scores.
    """

    mirror: str | None
    newsela: str | None
    word_vectors: str | None
    timeout: float
    releases: dict[str, Release]
    published: dict[str, list[str]]
