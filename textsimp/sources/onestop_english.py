"""OneStopEnglish: news articles at three levels (F1; Vajjala and Lucic 2018).

`Adv-Txt/NAME-adv.txt`, `Int-Txt/NAME-int.txt`, `Ele-Txt/NAME-ele.txt`: a line is a paragraph, blank lines and spaces at
its ends mean nothing, and a first line that is the level's name is no text. Nobody aligned the sentences: the pairs of
an article's levels, adjacent or not, are what Newsela's are, to be aligned. A text that the release damaged (control
characters where quotation marks and ligatures were) is left out, with its pairs, and counted; the article's other two
levels stay.
"""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from textsimp.errors import bad_input
from textsimp.records import Document, DocumentPair
from textsimp.sources.checks import damage
from textsimp.sources.sentences import split_sentences
from textsimp.textfiles import read_lines

LEVELS = {"Adv": "Advanced", "Int": "Intermediate", "Ele": "Elementary"}
"""The levels from the most complex to the simplest: as the folders name them, and in full."""
_SPACE = re.compile(r"\s+")
_REMEDY = "fetch the release again"
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class OneStopCorpus:
    """Unlabelled document pairs, and the articles (`SLUG-LEVEL`) whose text the release damaged, with the damage."""

    pairs: list[DocumentPair]
    dropped: dict[str, str]


def read_onestop_english(folder: str | Path, corpus: str) -> OneStopCorpus:
    """All pairs of levels of all articles, by article; levels are 0 (advanced), 1 and 2 (elementary).

    Args:
        folder: the folder with Adv-Txt, Int-Txt and Ele-Txt.
        corpus: the name that the pairs carry. Their `group` is the article's name, with `-` for spaces.

    Raises:
        InputError: no articles, an article that lacks a level, an empty file, a file that is not UTF-8.
    """
    pairs: list[DocumentPair] = []
    dropped: dict[str, str] = {}
    for slug, paths in _articles(Path(folder)).items():
        documents = []
        for level, path in enumerate(paths):
            document = Document(f"{slug}-{level}", level, _paragraphs(path))
            fault = next((found for sentence in document.sentences if (found := damage(sentence))), None)
            if fault:
                dropped[document.id] = fault
                logger.warning("left out %s: %s", path, fault)
            else:
                documents.append(document)
        pairs += (
            DocumentPair(f"{slug}.{high.level}-{low.level}", corpus, slug, high, low)
            for high, low in combinations(documents, 2)
        )
    return OneStopCorpus(pairs, dropped)


def _articles(folder: Path) -> dict[str, Sequence[Path]]:
    """The files of each article, one a level."""
    found: dict[str, dict[str, Path]] = {}
    for level in LEVELS:
        ending = re.compile(rf"\s*-{level.lower()}$")
        for path in sorted(folder.glob(f"{level}-Txt/*.txt")):
            if not ending.search(path.stem):
                raise bad_input(path, None, f"its name is not NAME-{level.lower()}.txt", _REMEDY)
            slug = _SPACE.sub("-", ending.sub("", path.stem))
            if level in found.setdefault(slug, {}):
                raise bad_input(path, None, f"article {slug} has this level twice", "remove one of the files")
            found[slug][level] = path
    if not found:
        raise bad_input(folder, None, "no articles (Adv-Txt/*.txt, Int-Txt/*.txt, Ele-Txt/*.txt)", _REMEDY)
    for slug, paths in found.items():
        if missing := [level for level in LEVELS if level not in paths]:
            what = f"article {slug} has no {missing[0]}-Txt/*-{missing[0].lower()}.txt"
            raise bad_input(folder, None, what, "fetch the release again, or remove the article's other levels")
    return {slug: [found[slug][level] for level in LEVELS] for slug in sorted(found)}


def _paragraphs(path: Path) -> tuple[tuple[str, ...], ...]:
    lines = [" ".join(line.split()) for line in read_lines(path)]
    lines = [line for line in lines if line]
    if lines and lines[0].casefold() in {name.casefold() for name in LEVELS.values()}:
        del lines[0]
    if not lines:
        raise bad_input(path, None, "an article without text", _REMEDY)
    return tuple(tuple(split_sentences(line)) for line in lines)
