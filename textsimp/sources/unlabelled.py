"""Articles to be aligned as document pairs, one reader a format, and the alignments that a release has of them (F1)."""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from pathlib import Path

from textsimp.errors import bad_input
from textsimp.records import AlignmentLabel, Document, DocumentPair, Link
from textsimp.sources.checks import damage
from textsimp.sources.config import SourceConfig
from textsimp.sources.layout import WIKI_AUTO
from textsimp.sources.newsela import ARTICLES, METADATA, Article, read_article, read_metadata
from textsimp.sources.newsela_manual import LEVELS
from textsimp.sources.onestop_english import read_onestop_english
from textsimp.sources.sentences import split_sentences
from textsimp.sources.wiki_auto import ArticlePair, read_wiki_auto
from textsimp.sources.wiki_auto_valid import read_wiki_auto_valid

WIKI_AUTO_VALID, ONESTOP_ENGLISH = Path("wiki_auto_valid"), Path("onestop_english")
logger = logging.getLogger(__name__)


def unlabelled_pairs(raw: Path, manual: set[str], config: SourceConfig) -> Iterator[DocumentPair]:
    """The pairs of the articles, without alignments and without the article sets in `manual`, which are annotated."""
    return _READERS[config.articles](raw, manual, config)


def released_alignments(raw: Path, config: SourceConfig) -> Iterator[DocumentPair]:
    """The pairs with the alignments that their release has of them: made by its authors' aligner, not by people.

    Empty for a format that has none. Ids are those of `unlabelled_pairs`; annotated article sets are not left out.
    """
    if config.articles == "wiki_auto_valid":
        yield from read_wiki_auto_valid(raw / WIKI_AUTO_VALID, config.name)
    elif config.articles == "wiki_auto":
        for pair in _wiki_auto(raw):
            if pair.links is not None and not _damage(pair):
                yield _wiki_pair(pair, config, _labelled(pair.links))


def _labelled(links: Iterable[tuple[int, int]]) -> tuple[Link, ...]:
    """WIKI-AUTO has no labels: a link is called aligned where neither of its sentences has another one."""
    links = sorted(links)
    simple, complex_ = (Counter(link[side] for link in links) for side in (0, 1))
    labels = {True: AlignmentLabel.ALIGNED, False: AlignmentLabel.PARTIAL}
    return tuple(Link(i, j, labels[simple[i] == complex_[j] == 1]) for i, j in links)


def _newsela(raw: Path, manual: set[str], config: SourceConfig) -> Iterator[DocumentPair]:
    sets: dict[str, list[Article]] = {}
    for article in read_metadata(raw / METADATA):
        if article.language == config.language and article.version in LEVELS and article.slug not in manual:
            sets.setdefault(article.slug, []).append(article)
    for slug in sorted(sets):
        documents = [_article(raw, row) for row in sorted(sets[slug], key=lambda row: row.version)]
        for high, low in combinations(documents, 2):
            name = f"{slug}.{config.language}.{high.level}-{low.level}"
            yield DocumentPair(name, config.name, slug, high, low)


def _article(raw: Path, row: Article) -> Document:
    paragraphs = read_article(raw / ARTICLES / row.filename)
    sentences = tuple(tuple(split_sentences(paragraph)) for paragraph in paragraphs)
    return Document(f"{row.slug}.{row.language}-{row.version}", row.version, sentences)


def _wikipedia(raw: Path, manual: set[str], config: SourceConfig) -> Iterator[DocumentPair]:
    """The pairs of every WIKI-AUTO file whose simple page nobody annotated; its alignments are not used."""
    dropped = {"annotated": 0, "damaged": 0}
    for pair in _wiki_auto(raw):
        if pair.page in manual:
            dropped["annotated"] += 1
        elif fault := _damage(pair):
            dropped["damaged"] += 1
            logger.warning("dropped the article pair %s: %s", pair.key, fault)
        else:
            yield _wiki_pair(pair, config, None)
    logger.info("unlabelled pairs left out: %(annotated)d in the manual part, %(damaged)d damaged or empty", dropped)


def _wiki_auto(raw: Path) -> Iterator[ArticlePair]:
    paths = sorted((raw / WIKI_AUTO).glob("*.json"))
    if not paths:
        raise bad_input(raw / WIKI_AUTO, None, "no WIKI-AUTO file (*.json)", "run the stage acquire again")
    return (pair for path in paths for pair in read_wiki_auto(path))


def _wiki_pair(pair: ArticlePair, config: SourceConfig, links: tuple[Link, ...] | None) -> DocumentPair:
    return DocumentPair(f"{pair.key}_{pair.page}", config.name, pair.page, pair.complex, pair.simple, links)


def _wiki_auto_valid(raw: Path, manual: set[str], config: SourceConfig) -> Iterator[DocumentPair]:
    """WIKI-AUTO's validation articles; pages that SWiPE has too are left out."""
    dropped = 0
    for pair in read_wiki_auto_valid(raw / WIKI_AUTO_VALID, config.name):
        if pair.group in manual:
            dropped += 1
        else:
            yield DocumentPair(pair.id, pair.corpus, pair.group, pair.complex, pair.simple)
    logger.info("unlabelled pairs left out: %d in the manual part", dropped)


def _onestop_english(raw: Path, manual: set[str], config: SourceConfig) -> Iterator[DocumentPair]:
    corpus = read_onestop_english(raw / ONESTOP_ENGLISH, config.name)
    logger.info("damaged articles left out: %s", corpus.dropped)
    return (pair for pair in corpus.pairs if pair.group not in manual)


def _damage(pair: ArticlePair) -> str | None:
    if not (pair.complex.sentences and pair.simple.sentences):
        return "a side without sentences"
    sentences = (*pair.complex.sentences, *pair.simple.sentences)
    return next((fault for sentence in sentences if (fault := damage(sentence))), None)


_READERS: dict[str, Callable[[Path, set[str], SourceConfig], Iterator[DocumentPair]]] = {
    "newsela": _newsela,
    "wiki_auto": _wikipedia,
    "wiki_auto_valid": _wiki_auto_valid,
    "onestop_english": _onestop_english,
}
