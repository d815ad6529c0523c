"""OneStopEnglish (Vajjala and Lucic 2018) and OneStopQA (Berzak et al. 2020): news articles at three levels.

OneStopEnglish, `Adv-Txt/NAME-adv.txt` and so on, has one paragraph per line and no alignment. OneStopQA, `NAME.txt`,
has 30 of these articles in blocks that begin with `# Paragraph`: one paragraph at each level (spans marked
`<A1>...</A1>`), merged or left out until each had one partner. A paragraph of OneStopEnglish belongs to the block
that has most of its words, if it has at least a given share of them; two paragraphs of one block are aligned as far
as people said.
"""

import logging
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import files_below, folder_files, read_lines
from textsimp.core.records import Document, DocumentPair
from textsimp.core.settings import Positive, Seed, Share
from textsimp.sources.sentences import check_text, damage, level_pairs, split_document

ONESTOP_ENGLISH, ONESTOP_QA = "onestop_english", "onestop_qa"
LEVELS = {"Adv": "Advanced", "Int": "Intermediate", "Ele": "Elementary"}
"""The levels from the most complex to the simplest: as the folders name them, and in full."""
_SPACE = re.compile(r"\s+")
_REMEDY = "fetch the release again"
_MARK = re.compile(r"</?[AD]\d+>")
_LEVEL = re.compile(rf"({'|'.join(LEVELS)}):\s*(.*)")
_WORD = re.compile(r"\w+")
logger = logging.getLogger(__name__)


class OneStopCorpus(NamedTuple):
    """Unlabelled document pairs, and the articles (`SLUG-LEVEL`) whose text the release damaged, with the damage."""

    pairs: list[DocumentPair]
    dropped: dict[str, str]


def read_onestop_english(folder: str | Path, corpus: str) -> OneStopCorpus:
    """Return all pairs of levels of all articles, by article; levels are 0 (advanced), 1 and 2 (elementary).

    The `group` of a pair is the article's name, with `-` for spaces. `InputError` for a folder without articles, an
    article that lacks a level, and a file that is empty or not UTF-8.
    """
    pairs: list[DocumentPair] = []
    dropped: dict[str, str] = {}
    for slug, paths in _articles(Path(folder)).items():
        documents = []
        for level, path in enumerate(paths):
            document = split_document(f"{slug}-{level}", level, _paragraphs(path))
            if fault := damage(*document.sentences):
                dropped[document.id] = fault
                logger.warning("left out %s: %s", path, fault)
            else:
                documents.append(document)
        pairs += level_pairs(slug, corpus, slug, documents)
    return OneStopCorpus(pairs, dropped)


def onestop_pairs(raw: Path, corpus: str) -> list[DocumentPair]:
    """Return the document pairs of an acquired corpus (`read_onestop_english`); damaged articles are logged."""
    articles = read_onestop_english(raw / ONESTOP_ENGLISH, corpus)
    logger.info("damaged articles left out: %s", articles.dropped)
    return articles.pairs


def _articles(folder: Path) -> dict[str, Sequence[Path]]:
    """Return the files of each article, one for each level."""
    files: dict[str, dict[str, Path]] = {}
    for level in LEVELS:
        ending = re.compile(rf"\s*-{level.lower()}$")
        for path in files_below(folder, f"{level}-Txt/*.txt", _REMEDY):
            if not ending.search(path.stem):
                raise bad_input(path, None, f"its name is not NAME-{level.lower()}.txt", _REMEDY)
            slug = _SPACE.sub("-", ending.sub("", path.stem))
            if level in files.setdefault(slug, {}):
                raise bad_input(path, None, f"article {slug} has this level twice", "remove one of the files")
            files[slug][level] = path
    if not files:
        raise bad_input(folder, None, "no articles (Adv-Txt/*.txt, Int-Txt/*.txt, Ele-Txt/*.txt)", _REMEDY)
    for slug, paths in files.items():
        if missing := [level for level in LEVELS if level not in paths]:
            what = f"article {slug} has no {missing[0]}-Txt/*-{missing[0].lower()}.txt"
            raise bad_input(folder, None, what, "fetch the release again, or remove the article's other levels")
    return {slug: [files[slug][level] for level in LEVELS] for slug in sorted(files)}


def _paragraphs(path: Path) -> list[str]:
    lines = [" ".join(line.split()) for line in read_lines(path) if line.strip()]
    if lines and lines[0].casefold() in {name.casefold() for name in LEVELS.values()}:
        del lines[0]
    if not lines:
        raise bad_input(path, None, "an article without text", _REMEDY)
    return lines


class AlignedParagraphs(NamedTuple):
    """One article: `paragraphs` holds the text of each aligned paragraph at the levels of `LEVELS`, in order."""

    slug: str
    paragraphs: tuple[tuple[str, ...], ...]


class ParagraphPair(NamedTuple):
    """A document pair and the gold alignment of its paragraphs: (simple, complex) indexes from 0, sorted."""

    pair: DocumentPair
    links: tuple[tuple[int, int], ...]


def read_onestop_qa(folder: str | Path) -> list[AlignedParagraphs]:
    """Return the articles of a folder, by name.

    `InputError` where there are none, or a file is not UTF-8, damaged, or lacks a level; with file and line.
    """
    paths = folder_files(folder, "*.txt", _REMEDY)
    if not paths:
        raise bad_input(folder, None, "no articles (*.txt)", _REMEDY)
    return [_qa_article(path) for path in paths]


def paragraph_pairs(articles: list[AlignedParagraphs], corpus: str) -> Iterator[ParagraphPair]:
    """Yield all pairs of levels of each article, with the gold of its paragraphs: each with its own number.

    As every paragraph has one partner, in order, a paragraph aligner is tested here on 1-to-1 alignment alone.
    """
    for article in articles:
        documents = [
            split_document(f"{article.slug}-{level}", level, texts)
            for level, texts in enumerate(zip(*article.paragraphs, strict=True))
        ]
        links = tuple((number, number) for number in range(len(article.paragraphs)))
        yield from (ParagraphPair(pair, links) for pair in level_pairs(article.slug, corpus, article.slug, documents))


def _qa_article(path: Path) -> AlignedParagraphs:
    blocks: list[tuple[int, dict[str, str]]] = []  # the line where each begins
    for number, line in enumerate(read_lines(path), 1):
        line = line.strip()
        if line == "# Paragraph":
            blocks.append((number, {}))
        elif match := _LEVEL.fullmatch(line):
            level, text = match[1], " ".join(_MARK.sub("", match[2]).split())
            if not blocks:
                raise bad_input(path, number, f"{level}: before the first # Paragraph", _REMEDY)
            if level in blocks[-1][1]:
                raise bad_input(path, number, f"a second {level}: in one paragraph", _REMEDY)
            blocks[-1][1][level] = check_text(path, number, text)
    if not blocks:
        raise bad_input(path, None, "no # Paragraph", _REMEDY)
    for number, block in blocks:
        if missing := [level for level in LEVELS if level not in block]:
            raise bad_input(path, number, f"the paragraph lacks level {missing[0]}", _REMEDY)
    return AlignedParagraphs(path.stem, tuple(tuple(block[level] for level in LEVELS) for _, block in blocks))


def original_pairs(
    pairs: Sequence[DocumentPair], articles: Iterable[AlignedParagraphs], share: float
) -> list[ParagraphPair]:
    """Return the document pairs of OneStopEnglish whose article is in OneStopQA, in the order of `articles`.

    Two paragraphs are aligned where they belong to the same block, which must have a share (0 to 1) of a paragraph's
    vocabulary. An article of OneStopQA is taken for the article set whose simplest text has most of its words;
    `InputError` where no set has half of them.
    """
    sets = {group: list(of_set) for group, of_set in groupby(pairs, key=lambda pair: pair.group)}
    vocabulary = {
        group: _words(max((pair.simple for pair in of_set), key=lambda text: text.level).sentences)
        for group, of_set in sets.items()
    }
    result = []
    for article in articles:
        words = _words(levels[-1] for levels in article.paragraphs)
        best = max(sorted(vocabulary), key=lambda group: len(words & vocabulary[group]), default=None)
        if best is None or 2 * len(words & vocabulary[best]) < len(words):
            raise InputError(f"OneStopQA's article {article.slug!r} is not in OneStopEnglish; fetch both again")
        for pair in sets[best]:
            low, high = (list(enumerate(blocks_of(side, article, share))) for side in (pair.simple, pair.complex))
            links = tuple((i, j) for i, block in low for j, facing in high if block == facing is not None)
            result.append(ParagraphPair(pair, links))
    return result


def blocks_of(document: Document, article: AlignedParagraphs, share: float) -> tuple[int | None, ...]:
    """Return the block of each paragraph of a document: the number of OneStopQA's paragraph, or None."""
    blocks = [_words([levels[document.level]]) for levels in article.paragraphs]
    found: list[int | None] = []
    for words in map(_words, document.paragraphs):
        common = [len(words & block) for block in blocks]
        found.append(common.index(max(common)) if words and max(common) >= share * len(words) else None)
    return tuple(found)


def _words(texts: Iterable[str]) -> set[str]:
    return {word.casefold() for text in texts for word in _WORD.findall(text)}


@dataclass(frozen=True)
class ParagraphGoldConfig:
    """`corpus.NAME.paragraphs` in params.yaml: OneStopQA's paragraphs, and where they are in OneStopEnglish.

    share: how much of the vocabulary of a paragraph of OneStopEnglish its block must have, from 0 to 1.
    dev: on so many articles thresholds are tuned; the others are the test set.
    seed: of the draw.
    """

    share: Share
    dev: Positive
    seed: Seed


def read_paragraph_gold(
    raw: Path, corpus: str, config: ParagraphGoldConfig
) -> dict[str, dict[str, list[ParagraphPair]]]:
    """Return document pairs with gold paragraphs, by test set and split (`dev`, `test`); no article is in both splits.

    `merged`: OneStopQA's own articles, where every paragraph has one partner. `original`: the same articles in
    OneStopEnglish, where several paragraphs make one of OneStopQA's, and some are in none. `InputError` where a release
    is absent or bad, or has too few articles.
    """
    articles = read_onestop_qa(raw / ONESTOP_QA)
    if not 0 < config.dev < len(articles):
        what = f"{config.dev} of {len(articles)} articles leave none for dev or for test"
        raise InputError(f"corpus.{corpus}.paragraphs.dev: {what}; correct it under conf/corpus")
    english = read_onestop_english(raw / ONESTOP_ENGLISH, corpus).pairs
    gold: dict[str, dict[str, list[ParagraphPair]]] = {"merged": {}, "original": {}}
    drawn = random.Random(config.seed).sample(articles, len(articles))
    for split, chosen in (("dev", drawn[: config.dev]), ("test", drawn[config.dev :])):
        chosen = sorted(chosen, key=lambda article: article.slug)
        gold["merged"][split] = list(paragraph_pairs(chosen, corpus))
        gold["original"][split] = original_pairs(english, chosen, config.share)
    return gold
