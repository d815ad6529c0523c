"""The settings and the files of an extraction from dumps."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import Field

from textsimp.core.errors import InputError
from textsimp.core.settings import NonNegative, Positive

SETTINGS = Path(__file__).with_name("settings.yaml")
Pairing = Literal["wikidata", "title"]
PAIRINGS: tuple[Pairing, ...] = get_args(Pairing)


@dataclass(frozen=True)
class WikiSide:
    """One of the two wikis, see `settings.yaml`."""

    site: str
    level: NonNegative
    min_sentences: Positive


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


@dataclass(frozen=True)
class DumpFiles:
    """The files of an extraction; a dump may come in several parts.

    complex, simple: `pages-articles` XML dumps: plain, gzip, bzip2 or, best, multistream bzip2.
    items: Wikidata's `wb_items_per_site` SQL dump; needed for the pairing `wikidata`.
    """

    complex: tuple[Path, ...]
    simple: tuple[Path, ...]
    items: Path | None = None
