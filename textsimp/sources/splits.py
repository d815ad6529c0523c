"""From the raw releases to document pairs: train, dev, test and the unlabelled articles (F1; sections 3.1 and 3.2).

The manual annotation is split by article set, never by sentence. Article sets that the manual part does not have are
the unlabelled ones. No article set is in two splits: `load_splits` checks that before anything is written.
"""

import logging
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from textsimp.errors import bad_input
from textsimp.records import Document, DocumentPair, write_pairs
from textsimp.sources.checks import damage
from textsimp.sources.config import SourceConfig
from textsimp.sources.derivation import derive_levels
from textsimp.sources.manual_tsv import ManualPair
from textsimp.sources.newsela import ARTICLES, METADATA, Article, read_article, read_metadata
from textsimp.sources.newsela_manual import LEVELS, read_newsela_manual
from textsimp.sources.sentences import split_sentences
from textsimp.sources.wiki_auto import ArticlePair, read_wiki_auto
from textsimp.sources.wiki_manual import page_of, read_wiki_manual
from textsimp.textfiles import atomic_folder

SPLITS = ("train", "dev", "test")
UNLABELLED = "unlabelled"
NEWSELA_MANUAL = Path("newsela-manual", "all")
WIKI_MANUAL, WIKI_AUTO = Path("wiki-manual"), Path("wiki-auto")
logger = logging.getLogger(__name__)


def load_splits(raw: str | Path, out: str | Path, config: SourceConfig) -> dict[str, int]:
    """Write OUT/{train,dev,test,unlabelled}.jsonl from the releases under `raw`; return the pairs in each.

    Raises:
        InputError: a file of the release is absent or bad, or an article set stands in two splits.
    """
    raw = Path(raw)
    labelled_of, unlabelled_of = (_news, _news_unlabelled) if config.kind == "newsela" else (_wiki, _wiki_unlabelled)
    labelled = {split: labelled_of(raw, split, config) for split in SPLITS}
    check_disjoint({split: {pair.group for pair in pairs} for split, pairs in labelled.items()}, raw)
    manual = {pair.group for pairs in labelled.values() for pair in pairs}
    counts = {split: len(pairs) for split, pairs in labelled.items()}
    with atomic_folder(out) as folder:
        for split, pairs in labelled.items():
            write_pairs(folder / f"{split}.jsonl", pairs)
        counter = _Counter(unlabelled_of(raw, manual, config), manual, raw)
        write_pairs(folder / f"{UNLABELLED}.jsonl", counter)
    return counts | {UNLABELLED: counter.count}


def check_disjoint(groups: dict[str, set[str]], where: str | Path) -> None:
    """Raise `InputError` where an article set stands in two splits."""
    for (first, left), (second, right) in combinations(groups.items(), 2):
        if common := sorted(left & right):
            what = f"article set {common[0]!r} is in {first} and in {second} ({len(common)} such)"
            raise bad_input(where, None, what, "splits are made by article set: remove it from one of them")


class _Counter:
    """Passes unlabelled pairs on, counts them, and refuses one whose article set is annotated or that comes twice."""

    def __init__(self, pairs: Iterator[DocumentPair], manual: set[str], where: Path) -> None:
        self.pairs, self.manual, self.where = pairs, manual, where
        self.count = 0

    def __iter__(self) -> Iterator[DocumentPair]:
        seen = set()
        for pair in self.pairs:
            check_disjoint({"the manual part": self.manual, UNLABELLED: {pair.group}}, self.where)
            if pair.id in seen:
                raise bad_input(self.where, None, f"unlabelled pair {pair.id!r} stands here twice", "drop one of them")
            seen.add(pair.id)
            self.count += 1
            yield pair


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
        yield DocumentPair(
            f"{article}.{high}-{low}", corpus, _slug(article), documents[high], documents[low], links
        )


def _news_unlabelled(raw: Path, manual: set[str], config: SourceConfig) -> Iterator[DocumentPair]:
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


def _slug(article: str) -> str:
    return article.rpartition(".")[0]


def _wiki(raw: Path, split: str, config: SourceConfig) -> list[DocumentPair]:
    pairs = read_wiki_manual(raw / WIKI_MANUAL / f"{split}.tsv")
    return [
        DocumentPair(pair.article, config.name, page_of(pair.article), pair.complex, pair.simple, pair.links)
        for pair in sorted(pairs, key=lambda pair: pair.article)
    ]


def _wiki_unlabelled(raw: Path, manual: set[str], config: SourceConfig) -> Iterator[DocumentPair]:
    """The pairs of every WIKI-AUTO file whose simple page nobody annotated; its alignments are not used."""
    paths = sorted((raw / WIKI_AUTO).glob("*.json"))
    if not paths:
        raise bad_input(raw / WIKI_AUTO, None, "no WIKI-AUTO file (*.json)", "run the stage acquire again")
    dropped = {"annotated": 0, "damaged": 0}
    for pair in (pair for path in paths for pair in read_wiki_auto(path)):
        if pair.page in manual:
            dropped["annotated"] += 1
        elif fault := _damage(pair):
            dropped["damaged"] += 1
            logger.warning("dropped the article pair %s: %s", pair.key, fault)
        else:
            yield DocumentPair(f"{pair.key}_{pair.page}", config.name, pair.page, pair.complex, pair.simple)
    logger.info("unlabelled pairs left out: %(annotated)d in the manual part, %(damaged)d damaged or empty", dropped)


def _damage(pair: ArticlePair) -> str | None:
    if not (pair.complex.sentences and pair.simple.sentences):
        return "a side without sentences"
    sentences = (*pair.complex.sentences, *pair.simple.sentences)
    return next((fault for sentence in sentences if (fault := damage(sentence))), None)
