"""Manual annotation as document pairs for train, dev and test, one reader a format (F1; sections 3.1 and 3.2)."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

from textsimp.errors import bad_input
from textsimp.records import DocumentPair
from textsimp.sources.config import SourceConfig
from textsimp.sources.derivation import derive_levels
from textsimp.sources.draws import draw
from textsimp.sources.layout import NEWSELA_MANUAL, SPLITS, WIKI_MANUAL
from textsimp.sources.manual_tsv import ManualPair
from textsimp.sources.newsela_manual import read_newsela_manual
from textsimp.sources.swipe import read_swipe, swipe_pairs
from textsimp.sources.wiki_manual import page_of, read_wiki_manual

SWIPE = Path("swipe", "swipe_val.json")
logger = logging.getLogger(__name__)


def annotated_pairs(raw: Path, config: SourceConfig) -> dict[str, list[DocumentPair]]:
    """The labelled document pairs of each split; empty lists for a corpus without annotation.

    Raises:
        InputError: a file of the release is absent or bad.
    """
    if config.annotation is None:
        return {split: [] for split in SPLITS}
    return _READERS[config.annotation](raw, config)


def _newsela(raw: Path, config: SourceConfig) -> dict[str, list[DocumentPair]]:
    return {split: _news(raw, split, config) for split in SPLITS}


def _wikipedia(raw: Path, config: SourceConfig) -> dict[str, list[DocumentPair]]:
    return {split: _wiki(raw, split, config) for split in SPLITS}


def _swipe(raw: Path, config: SourceConfig) -> dict[str, list[DocumentPair]]:
    """SWiPE's page pairs with the links that their edits imply, drawn by English page."""
    corpus = swipe_pairs(read_swipe(raw / SWIPE), config.name, config.link_rule)
    logger.info("SWiPE: %d page pairs, dropped: %s", len(corpus.pairs), corpus.dropped)
    split_of = {
        name: split
        for split, names in draw(sorted({p.group for p in corpus.pairs}), config.manual).items()
        for name in names
    }
    return {split: [pair for pair in corpus.pairs if split_of[pair.group] == split] for split in SPLITS}


def _news(raw: Path, split: str, config: SourceConfig) -> list[DocumentPair]:
    path = raw / NEWSELA_MANUAL / f"{split}.tsv"
    sets: dict[str, list[ManualPair]] = {}
    for pair in read_newsela_manual(path):
        sets.setdefault(pair.article, []).append(pair)
    return [pair for article in sorted(sets) for pair in _article_set(path, article, sets[article], config.name)]


def _article_set(path: Path, article: str, pairs: list[ManualPair], corpus: str) -> Iterator[DocumentPair]:
    """All combinations of the levels of one annotated article set; labels of non-adjacent levels are derived."""
    documents = {document.level: document for pair in pairs for document in (pair.complex, pair.simple)}
    known = {(pair.complex.level, pair.simple.level): pair.links for pair in pairs}
    try:
        derived = derive_levels(known, documents)
    except KeyError as error:
        what = f"{article} has no rows for levels {error.args[0]}, which are neighbours there"
        raise bad_input(path, None, what, "fetch the release again, or drop the article set") from None
    for (high, low), links in derived.items():
        yield DocumentPair(f"{article}.{high}-{low}", corpus, _slug(article), documents[high], documents[low], links)


def _slug(article: str) -> str:
    return article.rpartition(".")[0]


def _wiki(raw: Path, split: str, config: SourceConfig) -> list[DocumentPair]:
    pairs = read_wiki_manual(raw / WIKI_MANUAL / f"{split}.tsv")
    return [
        DocumentPair(pair.article, config.name, page_of(pair.article), pair.complex, pair.simple, pair.links)
        for pair in sorted(pairs, key=lambda pair: pair.article)
    ]


_READERS: dict[str, Callable[[Path, SourceConfig], dict[str, list[DocumentPair]]]] = {
    "newsela_manual": _newsela,
    "wiki_manual": _wikipedia,
    "swipe": _swipe,
}
