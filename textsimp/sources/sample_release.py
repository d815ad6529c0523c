"""From the sample corpus to the real distribution formats (F1), so that all further code is what real data uses.

news: the licensed Newsela layout and NEWSELA-MANUAL; wiki: WIKI-MANUAL, WIKI-AUTO without its alignments, and ASSET.
The gold of the article sets that stay unlabelled goes to an audit file that no other stage reads.
"""

from itertools import pairwise
from pathlib import Path

from textsimp.errors import InputError
from textsimp.records import Document, DocumentPair, write_pairs
from textsimp.sources.asset import write_asset
from textsimp.sources.config import SourceConfig
from textsimp.sources.derivation import derive_levels
from textsimp.sources.draws import draw
from textsimp.sources.layout import NEWSELA_MANUAL, SPLITS, UNLABELLED, WIKI_AUTO, WIKI_MANUAL
from textsimp.sources.manual_tsv import write_manual
from textsimp.sources.newsela import Article, write_release
from textsimp.sources.sample import SampleText, read_multi_reference, read_texts
from textsimp.sources.wiki_auto import ArticlePair, write_wiki_auto
from textsimp.sources.wiki_manual import COMPLEX_LEVEL, SIMPLE_LEVEL
from textsimp.textfiles import atomic_folder

# Newsela's metadata gives each version a school grade. The sample is not graded: these are typical of the levels.
GRADES = (12.0, 8.0, 6.0, 4.0, 3.0)
ASSET = Path("asset")


def acquire_sample(sample: str | Path, raw: str | Path, audit: str | Path, config: SourceConfig) -> dict[str, int]:
    """Write the sample in the formats of the corpus's kind to `raw`, the gold of unlabelled sets to `audit`.

    Returns:
        How many article sets are in train, dev, test and unlabelled.
    """
    sample = Path(sample)
    texts = read_texts(sample / ("newsela-style" if config.kind == "newsela" else "wiki-style"))
    if config.manual is None:
        raise InputError(f"corpus.{config.name}.source.manual: no counts for the sample's splits")
    parts = draw([text.slug for text in texts], config.manual)
    with atomic_folder(raw) as folder:
        if config.kind == "newsela":
            gold = _write_news(texts, parts, folder, config)
        else:
            gold = _write_wiki(texts, parts, folder, config)
            for split, name in (("valid", "dev"), ("test", "test")):
                write_asset(folder / ASSET, split, read_multi_reference(sample / "multi-reference" / f"{name}.tsv"))
    write_pairs(audit, gold)
    return {name: len(slugs) for name, slugs in parts.items()}


def _write_news(
    texts: list[SampleText], parts: dict[str, list[str]], folder: Path, config: SourceConfig
) -> list[DocumentPair]:
    pairs = {text.slug: _news_pairs(text, config) for text in texts}
    write_release(folder, (row for text in texts for row in _articles(text, config.language)))
    for split in SPLITS:
        adjacent = [
            pair for slug in parts[split] for pair in pairs[slug] if pair.simple.level == pair.complex.level + 1
        ]
        write_manual(folder / NEWSELA_MANUAL / f"{split}.tsv", adjacent, with_gleu=False)
    return [pair for slug in parts[UNLABELLED] for pair in pairs[slug]]


def _articles(text: SampleText, language: str) -> list[tuple[Article, list[str]]]:
    rows = []
    for level, (part, grade) in enumerate(zip(text.parts, GRADES, strict=True)):
        name = f"{text.slug}.{language}.{level}.txt"
        article = Article(text.slug, language, text.title, grade, level, name)
        rows.append((article, [" ".join(paragraph) for paragraph in part.paragraphs]))
    return rows


def _news_pairs(text: SampleText, config: SourceConfig) -> list[DocumentPair]:
    """All ten level combinations of an article set, labelled."""
    article = f"{text.slug}.{config.language}"
    documents = [
        Document(f"{article}-{level}", level, tuple(map(tuple, part.paragraphs)))
        for level, part in enumerate(text.parts)
    ]
    known = {
        (high.level, low.level): tuple(part.links)
        for (high, low), part in zip(pairwise(documents), text.parts[1:], strict=True)
    }
    return [
        DocumentPair(f"{article}.{high}-{low}", config.name, text.slug, documents[high], documents[low], links)
        for (high, low), links in derive_levels(known, range(len(documents))).items()
    ]


def _write_wiki(
    texts: list[SampleText], parts: dict[str, list[str]], folder: Path, config: SourceConfig
) -> list[DocumentPair]:
    pairs = {text.slug: _wiki_pair(number, text, config.name) for number, text in enumerate(texts)}
    for split in SPLITS:
        rows = [pairs[slug] for slug in parts[split]]
        write_manual(folder / WIKI_MANUAL / f"{split}.tsv", rows, with_gleu=True)
    titles = {text.slug: text.title for text in texts}
    gold = [_as_wiki_auto(pairs[slug]) for slug in parts[UNLABELLED]]
    entries = (
        ArticlePair(pair.id.partition("_")[0], pair.group, (titles[pair.group],) * 2, pair.complex, pair.simple)
        for pair in gold
    )
    write_wiki_auto(folder / WIKI_AUTO / "wiki-auto-part-1-data.json", entries)
    return gold


def _wiki_pair(number: int, text: SampleText, corpus: str) -> DocumentPair:
    article = f"{number}_{text.slug}"
    complex_, simple = (
        Document(f"{article}-{level}", level, tuple(map(tuple, part.paragraphs)))
        for level, part in zip((COMPLEX_LEVEL, SIMPLE_LEVEL), text.parts, strict=True)
    )
    return DocumentPair(article, corpus, text.slug, complex_, simple, tuple(text.parts[1].links))


def _as_wiki_auto(pair: DocumentPair) -> DocumentPair:
    """The same pair with the document ids of WIKI-AUTO."""
    normal = Document(f"normal-{pair.group}", pair.complex.level, pair.complex.paragraphs)
    simple = Document(f"simple-{pair.group}", pair.simple.level, pair.simple.paragraphs)
    return DocumentPair(pair.id, pair.corpus, pair.group, normal, simple, pair.alignments)
