"""The distribution formats: one entry says everything that a format can give.

A reader finds the files of its format in the folder of data/raw/CORPUS that the entry's module names; a release in
conf/sources with this `folder` and these file names is read without any code.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from textsimp.core.errors import InputError, bad_input, none_of
from textsimp.core.records import SIDES, DocumentPair, read_pairs
from textsimp.sources import d_wikipedia, manual, newsela, onestop, parallel, swipe, wiki_auto
from textsimp.sources.draws import SPLITS
from textsimp.sources.parallel import ASSET_REFERENCES, TURK_REFERENCES, MultiReference, ParallelCorpus

if TYPE_CHECKING:  # its checks read this registry
    from textsimp.sources.config import SourceConfig

DOCUMENT_PAIRS = "document-pairs.jsonl"
"""Our own format (docs/formats.md)."""
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Benchmark:
    """A test set with references: its title for a data card, its reader of a folder and a split, its splits' names
    (None for `dev` where it has none), a file that marks its folder, and how many references the release has.
    """

    title: str
    read: Callable[[Path, str, int | None], list[MultiReference]]
    dev: str | None
    test: str
    mark: str
    references: int


@dataclass(frozen=True)
class Format:
    """Readers of what a format can give, from the folder of a corpus under data/raw; None for what it cannot.

    annotation: the manually aligned document pairs of each split; `has_edits`: links from edits, splits drawn.
    articles: document pairs to be aligned, with the alignments that the release `has_alignments` of, if any.
    pairs: sentence pairs to train on; benchmark: dev and test sets with several references.
    """

    annotation: "Callable[[Path, SourceConfig], dict[str, list[DocumentPair]]] | None" = None
    articles: "Callable[[Path, SourceConfig], Iterable[DocumentPair]] | None" = None
    has_alignments: bool = False
    pairs: Callable[[Path], ParallelCorpus] | None = None
    benchmark: Benchmark | None = None
    has_edits: bool = False


def _swipe(raw: Path, config: "SourceConfig") -> dict[str, list[DocumentPair]]:
    assert config.manual and config.link_rule  # SourceConfig checks it
    return swipe.swipe_annotation(raw, config.name, config.manual, config.link_rule)


def _line_aligned(name: str, files: str, sides: Sequence[str] = SIDES, benchmark: Benchmark | None = None) -> Format:
    """Return the format of a release whose pairs are the lines of two files, named by a pattern for the side."""
    complex_, simple = map(files.format, sides)
    return Format(pairs=lambda raw: parallel.read_parallel(raw / complex_, raw / simple, name), benchmark=benchmark)


FORMATS = {
    "newsela": Format(articles=lambda raw, config: newsela.read_articles(raw, config.name, config.language)),
    "newsela_manual": Format(annotation=lambda raw, config: manual.newsela_annotation(raw, config.name)),
    "newsela_old": Format(pairs=newsela.newsela_old),
    "newsela_auto": _line_aligned("newsela_auto", f"{newsela.NEWSELA_AUTO}/train.{{}}", ("src", "dst")),
    "wiki_manual": Format(annotation=lambda raw, config: manual.wiki_annotation(raw, config.name)),
    "wiki_auto": Format(articles=lambda raw, config: wiki_auto.wiki_auto_pairs(raw, config.name), has_alignments=True),
    "wiki_auto_valid": Format(
        articles=lambda raw, config: wiki_auto.read_wiki_auto_valid(raw / wiki_auto.WIKI_AUTO_VALID, config.name),
        has_alignments=True,
        pairs=wiki_auto.wiki_auto_valid_sentences,
    ),
    "wiki_auto_acl2020": _line_aligned("wiki_auto_acl2020", "wiki-auto-acl2020/train.{}", ("src", "dst")),
    "swipe": Format(annotation=_swipe, has_edits=True),
    "document_pairs": Format(articles=lambda raw, config: read_pairs(raw / DOCUMENT_PAIRS)),
    "onestop_english": Format(articles=lambda raw, config: onestop.onestop_pairs(raw, config.name)),
    "kauchak_2013": Format(pairs=lambda raw: parallel.read_kauchak(raw / "kauchak_2013", "kauchak_2013")),
    "kauchak_2013_tenth": Format(pairs=parallel.read_kauchak_tenth),
    "kauchak_2013_labelled": Format(pairs=parallel.read_kauchak_labelled),
    "wikilarge_part": _line_aligned("wikilarge_part", "wikilarge_part/wikilarge_chunk.train.{}.txt"),
    "d_wikipedia": Format(articles=lambda raw, config: d_wikipedia.d_wikipedia_pairs(raw, config.name)),
    "wikilarge": Format(pairs=parallel.read_wikilarge),
    "coster_kauchak": _line_aligned(
        "coster_kauchak",
        "coster_kauchak_2011/wiki.tuning.{}",
        SIDES,
        Benchmark("Coster and Kauchak 2011", parallel.read_coster_kauchak, None, "test", "wiki.test.complex", 1),
    ),
    "asset": Format(
        benchmark=Benchmark("ASSET", parallel.read_asset, "valid", "test", "asset.test.orig", ASSET_REFERENCES)
    ),
    "turk": Format(
        benchmark=Benchmark("TURK", parallel.read_turk, "tune", "test", "test.8turkers.tok.norm", TURK_REFERENCES)
    ),
}


def names_with(gift: str) -> tuple[str, ...]:
    """Return the formats that give something: `annotation`, `articles`, `pairs` or `benchmark`."""
    return tuple(name for name, entry in FORMATS.items() if getattr(entry, gift) is not None)


def annotated_pairs(raw: Path, config: "SourceConfig") -> dict[str, list[DocumentPair]]:
    """Return the labelled document pairs of each split; empty lists for a corpus without annotation."""
    read = FORMATS[config.annotation].annotation if config.annotation else None
    return read(raw, config) if read else {split: [] for split in SPLITS}


def unlabelled_pairs(raw: Path, annotated: set[str], config: "SourceConfig") -> Iterator[DocumentPair]:
    """Yield the pairs of the articles without alignments, but not the article sets in `annotated`; each pair once."""
    dropped, seen = 0, set()
    for pair in _articles(raw, config):
        if pair.group in annotated:
            dropped += 1
        elif pair.id in seen:
            raise bad_input(raw, None, f"unlabelled pair {pair.id!r} stands here twice", "drop one of them")
        else:
            seen.add(pair.id)
            yield replace(pair, alignments=None)
    logger.info("unlabelled pairs left out: %d in the manual part", dropped)


def released_alignments(raw: Path, config: "SourceConfig") -> Iterator[DocumentPair]:
    """Yield the pairs with the alignments that their release has of them: made by its authors' aligner, not by people.

    Empty for a format that has none. Ids are those of `unlabelled_pairs`; annotated article sets are not left out.
    """
    articles = _articles(raw, config, lambda entry: entry.has_alignments)
    yield from (pair for pair in articles if pair.alignments is not None)


def read_released_pairs(name: str, raw: Path) -> ParallelCorpus:
    """Return the training pairs of an acquired release in the format `name`; `InputError` where it gives no pairs."""
    read = FORMATS[name].pairs if name in FORMATS else None
    if read is None:
        what = none_of(f"corpus build: released: {name!r} is", names_with("pairs"))
        raise InputError(f"{what}; correct it in conf/corpus")
    return read(raw)


def _articles(raw: Path, config: "SourceConfig", only: Callable[[Format], bool] = bool) -> Iterator[DocumentPair]:
    for entry in filter(only, (FORMATS[name] for name in config.article_formats)):
        assert entry.articles is not None  # SourceConfig checks it
        yield from entry.articles(raw, config)
