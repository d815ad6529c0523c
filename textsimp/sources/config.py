"""What `conf/corpus/NAME.yaml` (key `source`) and `conf/sources/` hold (F1)."""

from dataclasses import dataclass

from textsimp.errors import InputError
from textsimp.sources.swipe_links import LinkRule

KINDS = ("newsela", "wiki")
ORIGINS = ("sample", "licensed", "released")
ANNOTATIONS = ("newsela_manual", "wiki_manual", "swipe")
ARTICLES = ("newsela", "wiki_auto", "wiki_auto_valid", "onestop_english")


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
    kind: `newsela` (article sets at several levels) or `wiki` (article pairs): which paragraph algorithm aligns it, and
        which numbers of the paper stand beside it.
    origin: `sample` (the committed sample corpus), `licensed` (a folder that the user has, `sources.newsela`) or
        `released` (files with digests, `sources.releases`).
    language: two letters, as in Newsela's file names.
    releases: the keys of `sources.releases` that a `released` corpus needs.
    annotation: the format of the manual annotation, of `ANNOTATIONS`; null for a corpus without any.
    articles: the format of the articles to be aligned, of `ARTICLES`.
    manual: how many article sets each split gets; null where the release itself is split.
    link_rule: when edits link two sentences (annotation `swipe`); null with the others.
    """

    name: str
    kind: str
    origin: str
    language: str
    releases: list[str]
    annotation: str | None
    articles: str
    manual: ManualDraw | None
    link_rule: LinkRule | None

    def __post_init__(self) -> None:
        known = {"kind": KINDS, "origin": ORIGINS, "annotation": (None, *ANNOTATIONS), "articles": ARTICLES}
        for key, choices in known.items():
            if (value := getattr(self, key)) not in choices:
                raise self._wrong(key, f"{value!r} is none of {', '.join(name or 'null' for name in choices)}")
        if (self.origin == "sample" or self.annotation == "swipe") != (self.manual is not None):
            raise self._wrong("manual", "counts go with origin sample and annotation swipe, null with the others")
        if (self.annotation == "swipe") != (self.link_rule is not None):
            raise self._wrong("link_rule", "goes with annotation swipe, null with the others")

    def _wrong(self, key: str, what: str) -> InputError:
        return InputError(f"corpus.{self.name}.source.{key}: {what}; correct it under conf/corpus")


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
