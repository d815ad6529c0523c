"""What an extraction from dumps is given: its settings and its files (F1; section 3.2, appendix B)."""

import re
from dataclasses import dataclass
from pathlib import Path

from textsimp.errors import InputError

SIDES = ("complex", "simple")
PAIRINGS = ("wikidata", "title", "langlink")


@dataclass(frozen=True)
class WikiSide:
    """One of the two wikis.

    site: its database name, as in the dump's <dbname> and in Wikidata: `enwiki`.
    prefix: how other wikis link to it: `en` in [[en:Title]] and in `langlinks`.
    level: the reading level of its documents.
    min_sentences: articles with fewer sentences are stubs.
    min_characters: articles with fewer characters of text are stubs.
    """

    site: str
    prefix: str
    level: int
    min_sentences: int
    min_characters: int


@dataclass(frozen=True)
class DumpConfig:
    """Settings of an extraction: `conf/dumps/`; everything here changes the result.

    corpus: the name that the document pairs carry.
    language: of both wikis, for spaCy's tokeniser.
    pairing: `wikidata`, `title` or `langlink`; the others are counted for comparison.
    complex, simple: the two wikis.
    title_filters: filter name -> regular expression; pages whose title it finds are dropped under that name.
    template_filters: filter name -> templates; pages that use one are dropped under that name.
    template_text: templates that stand for text -> the numbers of the arguments that hold it, which are joined with a
        space; the others are removed.
    keep_lists: whether list items stay, each as a paragraph of its own.
    splitter: `sentencizer` (spaCy's tokeniser and rule-based sentence splitter for `language`), `rules`
        (textsimp.sources.sentences, for English), or the name of an installed spaCy pipeline.
    min_tokens: shorter sentences are dropped (4 in the paper).
    sentence_ends: sentences that end with one of these are dropped (a colon in the paper).
    pairs_per_shard: article pairs in every shard but the last.
    """

    corpus: str
    language: str
    pairing: str
    complex: WikiSide
    simple: WikiSide
    title_filters: dict[str, str]
    template_filters: dict[str, list[str]]
    template_text: dict[str, list[int]]
    keep_lists: bool
    splitter: str
    min_tokens: int
    sentence_ends: list[str]
    pairs_per_shard: int

    def __post_init__(self) -> None:
        if self.pairing not in PAIRINGS:
            raise InputError(f"dumps.pairing: {self.pairing!r} is none of {', '.join(PAIRINGS)}")
        if self.pairs_per_shard < 1:
            raise InputError(f"dumps.pairs_per_shard: {self.pairs_per_shard} is less than 1")
        if self.complex.site == self.simple.site:
            raise InputError(f"dumps.simple.site: {self.simple.site!r} is the complex site too")
        for name, pattern in self.title_filters.items():
            try:
                re.compile(pattern)
            except re.error as error:
                raise InputError(
                    f"dumps.title_filters.{name}: {pattern!r} is no regular expression ({error})"
                ) from None

        if not all(name.strip() for names in self.template_filters.values() for name in names):
            raise InputError("dumps.template_filters: a template's name is empty")

    def side(self, name: str) -> WikiSide:
        """The wiki of a side."""
        return self.complex if name == "complex" else self.simple


@dataclass(frozen=True)
class DumpFiles:
    """The files of an extraction; a dump may come in several parts.

    complex, simple: `pages-articles` XML dumps: plain, gzip, bzip2 or, best, multistream bzip2.
    items: Wikidata's `wb_items_per_site` SQL dump; needed for the pairing `wikidata`.
    complex_langlinks, simple_langlinks: a wiki's `langlinks` SQL dump, for the pairing `langlink`.
    complex_props, simple_props: a wiki's `page_props` SQL dump, which marks disambiguation pages in any language.
    """

    complex: tuple[Path, ...]
    simple: tuple[Path, ...]
    items: Path | None = None
    complex_langlinks: Path | None = None
    simple_langlinks: Path | None = None
    complex_props: Path | None = None
    simple_props: Path | None = None

    def dumps(self, side: str) -> tuple[Path, ...]:
        """The XML dumps of a side."""
        return self.complex if side == "complex" else self.simple

    def langlinks(self, side: str) -> Path | None:
        """The `langlinks` dump of a side."""
        return self.complex_langlinks if side == "complex" else self.simple_langlinks

    def props(self, side: str) -> Path | None:
        """The `page_props` dump of a side."""
        return self.complex_props if side == "complex" else self.simple_props

    def named(self) -> dict[str, Path]:
        """Every file that is given, by role."""
        dumps = {f"{side}-{number}": path for side in SIDES for number, path in enumerate(self.dumps(side))}
        single = {"items": self.items}
        for side in SIDES:
            single |= {f"{side}-langlinks": self.langlinks(side), f"{side}-props": self.props(side)}
        return dumps | {role: path for role, path in single.items() if path is not None}
