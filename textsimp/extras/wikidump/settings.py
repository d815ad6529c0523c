"""What an extraction from dumps is given: its settings and its files."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import Field

from textsimp.core.errors import InputError
from textsimp.core.records import SIDES
from textsimp.core.settings import NonNegative, Positive

SETTINGS = Path(__file__).with_name("settings.yaml")
Pairing = Literal["wikidata", "title", "langlink"]
PAIRINGS: tuple[Pairing, ...] = get_args(Pairing)


@dataclass(frozen=True)
class WikiSide:
    """One of the two wikis, see `settings.yaml`."""

    site: str
    prefix: str
    level: NonNegative
    min_sentences: NonNegative
    min_characters: NonNegative


@dataclass(frozen=True)
class DumpConfig:
    """Settings of an extraction, explained in `settings.yaml`; each of them changes the result."""

    corpus: str
    pairing: Pairing
    complex: WikiSide
    simple: WikiSide
    title_filters: dict[str, str]
    template_filters: dict[str, list[Annotated[str, Field(pattern=r"\S")]]]
    template_text: dict[str, list[Positive]]
    keep_lists: bool
    min_tokens: NonNegative
    sentence_ends: list[str]
    pairs_per_shard: Positive
    max_characters: Positive
    max_unclosed: NonNegative

    def __post_init__(self) -> None:
        if self.complex.site == self.simple.site:
            raise InputError(f"simple.site: {self.simple.site!r} is the complex site too")
        for name, pattern in self.title_filters.items():
            try:
                re.compile(pattern)
            except re.error as error:
                raise InputError(f"title_filters.{name}: {pattern!r} is no regular expression ({error})") from None

    def side(self, name: str) -> WikiSide:
        """Return the wiki of a side."""
        return self.complex if name == "complex" else self.simple


@dataclass(frozen=True)
class DumpFiles:
    """The files of an extraction; a dump may come in several parts.

    Attributes:
        complex, simple: `pages-articles` XML dumps: plain, gzip, bzip2 or, best, multistream bzip2.
        items: Wikidata's `wb_items_per_site` SQL dump; needed for the pairing `wikidata`.
        complex_langlinks, simple_langlinks: `langlinks` SQL dumps, for the pairing `langlink`.
        complex_props, simple_props: `page_props` SQL dumps, which mark disambiguation pages in any language.
    """

    complex: tuple[Path, ...]
    simple: tuple[Path, ...]
    items: Path | None = None
    complex_langlinks: Path | None = None
    simple_langlinks: Path | None = None
    complex_props: Path | None = None
    simple_props: Path | None = None

    def dumps(self, side: str) -> tuple[Path, ...]:
        """Return the XML dumps of a side."""
        return self.complex if side == "complex" else self.simple

    def tables(self) -> dict[str, Path]:
        """Return the SQL dumps that are given, by field."""
        names = ("items", *(f"{side}_{table}" for side in SIDES for table in ("langlinks", "props")))
        return {name: path for name in names if (path := getattr(self, name)) is not None}

    def named(self) -> dict[str, Path]:
        """Return every file that is given, by role."""
        dumps = {f"{side}-{number}": path for side in SIDES for number, path in enumerate(self.dumps(side))}
        return dumps | {name.replace("_", "-"): path for name, path in self.tables().items()}
