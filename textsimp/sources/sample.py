"""The sample corpus (`data/sample/`, described in its FORMAT.md), written as real data is distributed.

So all further code is what real data uses. The gold of the article sets that stay unlabelled goes to an audit file.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from textsimp.core.errors import InputError, bad_input, none_of
from textsimp.core.reading import folder_files, read_lines
from textsimp.core.records import SIDES, AlignmentLabel, Document, DocumentPair, Link, write_pairs
from textsimp.core.writing import atomic_folder
from textsimp.sources.config import SourceConfig
from textsimp.sources.draws import SPLITS, UNLABELLED, draw
from textsimp.sources.manual import (
    COMPLEX_LEVEL,
    NEWSELA_MANUAL,
    SIMPLE_LEVEL,
    WIKI_MANUAL,
    derive_levels,
    write_manual,
)
from textsimp.sources.newsela import Article, write_release
from textsimp.sources.parallel import ASSET, write_asset
from textsimp.sources.sentences import check_text
from textsimp.sources.wiki_auto import WIKI_AUTO, ArticlePair, write_wiki_auto

REFERENCES = 4
LEVELS = ("0", "1", "2", "3", "4")
DIFFICULTIES = ("1", "2", "3", "4")
_SENTENCE = re.compile(r"\[([^\]]*)\] (\S.*)")
_LABEL = re.compile(r"([=~])([1-9]\d*)")
_MARKS = {"=": AlignmentLabel.ALIGNED, "~": AlignmentLabel.PARTIAL}
_REMEDY = "see data/sample/FORMAT.md"
# Newsela's metadata gives each version a school grade. The sample is not graded: these are typical of the levels.
GRADES = (12.0, 8.0, 6.0, 4.0, 3.0)


class SamplePart(NamedTuple):
    """One level or side: its paragraphs of sentences, and its links to the part before it (indexes from 0)."""

    name: str
    paragraphs: list[list[str]]
    links: list[Link]

    def size(self) -> int:
        """Return the number of sentences."""
        return sum(map(len, self.paragraphs))

    def document(self, article: str, level: int) -> Document:
        """Return the part as a document of an article, `ARTICLE-LEVEL`."""
        return Document(f"{article}-{level}", level, tuple(map(tuple, self.paragraphs)))


class SampleText(NamedTuple):
    """A text and its rewrites; `parts` go from the most complex to the simplest.

    `difficulty` is how hard the text is to align, 1 to 4 (data/sample/FORMAT.md); 0 where the file does not say.
    """

    slug: str
    title: str
    parts: tuple[SamplePart, ...]
    difficulty: int = 0


def read_texts(path: str | Path, parts: tuple[str, ...] = SIDES) -> list[SampleText]:
    """Return the texts of a file, or of all files of a folder, by slug; `parts` is how theirs are called.

    `InputError` where there are none, two have one slug, or a text breaks the format.
    """
    paths = [Path(path)] if Path(path).is_file() else folder_files(path, "*.txt", "give a folder of data/sample")
    texts: dict[str, SampleText] = {}
    for file in paths:
        for text in _read_file(file, parts):
            if text.slug in texts:
                raise bad_input(file, None, f"@set {text.slug} is there twice", _REMEDY)
            texts[text.slug] = text
    if not texts:
        raise bad_input(path, None, "no sample texts here", "give a folder of data/sample")
    return [texts[slug] for slug in sorted(texts)]


def _read_file(path: Path, parts: tuple[str, ...]) -> Iterator[SampleText]:
    texts: list[tuple[dict[str, str], list[SamplePart]]] = []
    for number, line in enumerate(read_lines(path), 1):
        if line.startswith("@set "):
            texts.append(({}, []))
        if not texts:
            raise bad_input(path, number, "text before the first @set", _REMEDY)
        try:
            _read_line(line.rstrip(), *texts[-1])
        except InputError as error:
            raise bad_input(path, number, str(error), _REMEDY) from None
        if line.startswith("["):
            check_text(path, number, line)
    for head, found in texts:
        yield _whole_text(path, head, found, parts)


def _whole_text(path: Path, head: dict[str, str], found: list[SamplePart], parts: tuple[str, ...]) -> SampleText:
    slug, names = head["set"], tuple(part.name for part in found)
    if names != parts:
        raise bad_input(path, None, f"{slug} has the parts {names}, not {parts}", _REMEDY)
    if "title" not in head:
        raise bad_input(path, None, f"{slug} has no @title", _REMEDY)
    if head.get("difficulty", "1") not in DIFFICULTIES:
        raise bad_input(path, None, none_of(f"{slug}: @difficulty is", DIFFICULTIES), _REMEDY)
    for part in found:
        if not part.paragraphs or not all(part.paragraphs):
            raise bad_input(path, None, f"{slug}: part {part.name} is empty or has an empty paragraph", _REMEDY)
    return SampleText(slug, head["title"], tuple(found), int(head.get("difficulty", "0")))


def sample_pairs(path: str | Path) -> list[DocumentPair]:
    """Return the labelled document pairs of a file or folder of text pairs, by slug; no split is drawn.

    Their ids are DIFFICULTY_SLUG, their groups the slugs. `InputError` as of `read_texts`.
    """
    return [_wiki_pair(text.difficulty, text, "sample") for text in read_texts(path)]


def read_multi_reference(path: str | Path, references: int = REFERENCES) -> list[tuple[str, tuple[str, ...]]]:
    """Return source sentences, each with so many simplifications, from a TSV with a column for each of them."""
    rows = []
    for number, line in enumerate(read_lines(path), 1):
        cells = line.split("\t")
        if len(cells) != references + 1:
            raise bad_input(path, number, f"{len(cells)} columns, not {references + 1}", _REMEDY)
        cells = [check_text(path, number, cell) for cell in cells]
        rows.append((cells[0], tuple(cells[1:])))
    return rows


def _read_line(line: str, head: dict[str, str], parts: list[SamplePart]) -> None:
    if not line:
        return
    if line.startswith("@"):
        key, _, value = line[1:].partition(" ")
        if key in ("level", "side"):
            parts.append(SamplePart(value, [], []))
        else:
            head[key] = value
    elif not parts:
        raise InputError("text before the first @level or @side")
    elif line == "P":
        parts[-1].paragraphs.append([])
    else:
        _read_sentence(line, parts)


def _read_sentence(line: str, parts: list[SamplePart]) -> None:
    match = _SENTENCE.fullmatch(line)
    if not match:
        raise InputError("neither '@key value', 'P' nor '[labels] sentence'")
    part = parts[-1]
    if not part.paragraphs:
        raise InputError("a sentence before its P")
    labels, sentence = match.groups()
    if (len(parts) == 1) != (labels == ""):
        raise InputError("the first part has empty brackets, a later one names its sources or '-'")
    if labels not in ("", "-"):
        part.links.extend(_links(labels, part.size(), parts[-2].size()))
    part.paragraphs[-1].append(sentence)


def _links(labels: str, simple: int, sources: int) -> list[Link]:
    links = {}
    for item in labels.split(","):
        match = _LABEL.fullmatch(item.strip())
        if not match:
            raise InputError(f"label {item!r} is neither =n nor ~n")
        index = int(match[2]) - 1
        if index >= sources:
            raise InputError(f"label {item!r} names no sentence of the part before, which has {sources}")
        if index in links:
            raise InputError(f"sentence {index + 1} is named twice")
        links[index] = Link(simple, index, _MARKS[match[1]])
    return [links[index] for index in sorted(links)]


def acquire_sample(sample: str | Path, raw: str | Path, audit: str | Path, config: SourceConfig) -> dict[str, int]:
    """Write the sample in the formats of the corpus to `raw`, the gold of unlabelled sets to `audit`.

    Return how many article sets are in train, dev, test and unlabelled.
    """
    assert config.manual is not None  # SourceConfig checks it
    sample = Path(sample)
    news = config.articles == "newsela"
    texts = read_texts(sample / "news.txt", LEVELS) if news else read_texts(sample / "encyclopedia.txt")
    parts = draw([text.slug for text in texts], config.manual)
    with atomic_folder(raw, "*") as folder:
        if news:
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
        of_split = [pair for slug in parts[split] for pair in pairs[slug]]
        adjacent = [pair for pair in of_split if pair.simple.level == pair.complex.level + 1]
        write_manual(folder / NEWSELA_MANUAL / f"{split}.tsv", adjacent, with_gleu=False)
    return [pair for slug in parts[UNLABELLED] for pair in pairs[slug]]


def _articles(text: SampleText, language: str) -> Iterator[tuple[Article, list[str]]]:
    for level, (part, grade) in enumerate(zip(text.parts, GRADES, strict=True)):
        name = f"{text.slug}.{language}.{level}.txt"
        yield Article(text.slug, language, text.title, grade, level, name), [" ".join(rows) for rows in part.paragraphs]


def _news_pairs(text: SampleText, config: SourceConfig) -> list[DocumentPair]:
    """Return all ten level combinations of an article set, labelled."""
    article = f"{text.slug}.{config.language}"
    documents = [part.document(article, level) for level, part in enumerate(text.parts)]
    annotated = {(level, level + 1): tuple(part.links) for level, part in enumerate(text.parts[1:])}
    return [
        DocumentPair(f"{article}.{high}-{low}", config.name, text.slug, documents[high], documents[low], links)
        for (high, low), links in derive_levels(annotated, range(len(documents))).items()
    ]


def _write_wiki(
    texts: list[SampleText], parts: dict[str, list[str]], folder: Path, config: SourceConfig
) -> list[DocumentPair]:
    pairs = {text.slug: _wiki_pair(number, text, config.name) for number, text in enumerate(texts)}
    for split in SPLITS:
        rows = [pairs[slug] for slug in parts[split]]
        write_manual(folder / WIKI_MANUAL / f"{split}.tsv", rows, with_gleu=True)
    titles = {text.slug: text.title for text in texts}
    gold, entries = [], []
    for slug in parts[UNLABELLED]:
        pair = pairs[slug]
        sides = replace(pair.complex, id=f"normal-{slug}"), replace(pair.simple, id=f"simple-{slug}")
        entries.append(ArticlePair(pair.id.partition("_")[0], slug, (titles[slug],) * 2, *sides))
        gold.append(replace(pair, complex=sides[0], simple=sides[1]))
    write_wiki_auto(folder / WIKI_AUTO / "wiki-auto-part-1-data.json", entries)
    return gold


def _wiki_pair(number: int, text: SampleText, corpus: str) -> DocumentPair:
    article = f"{number}_{text.slug}"
    complex_, simple = text.parts
    sides = complex_.document(article, COMPLEX_LEVEL), simple.document(article, SIMPLE_LEVEL)
    return DocumentPair(article, corpus, text.slug, *sides, tuple(simple.links))
