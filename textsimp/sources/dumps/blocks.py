"""The second pass: a block of article pairs from wikitext to sentences (F1; section 3.2, appendix B)."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from textsimp.records import Document, DocumentPair, write_pairs
from textsimp.sources.dumps.config import SIDES, DumpConfig
from textsimp.sources.dumps.parts import read_text
from textsimp.sources.dumps.splitting import SentenceSplitter, Splitter, sentence_splitter
from textsimp.sources.dumps.wikitext import Stripper
from textsimp.textfiles import write_json

BLOCK = 64
"""Article pairs in a block: what a killed run loses for each worker."""


class Stored(NamedTuple):
    """Where the text of a page is: its id, part, and place in the part."""

    page: int
    part: Path
    offset: int
    size: int


@dataclass(frozen=True)
class BlockTask:
    """The pairs of one block, (complex, simple), the settings, the namespaces of each side, and the file to write."""

    pairs: tuple[tuple[Stored, Stored], ...]
    config: DumpConfig
    namespaces: Mapping[str, Mapping[int, str]]
    block: Path


def write_block(task: BlockTask) -> None:
    """Write the block's pairs, and before them its counts beside it: a block that stands is complete."""
    sentences = _sentences(task.config.splitter, task.config.language)
    reader = _Reader(task, sentences)
    with sentences.zone():
        pairs = [pair for number in range(len(task.pairs)) if (pair := reader.pair(number))]
    write_json(counts_file(task.block), reader.counts())
    write_pairs(task.block, pairs)


def counts_file(block: Path) -> Path:
    """The counts of a block."""
    return block.with_suffix(".json")


class _Reader:
    """Makes the document pairs of a block and counts what is dropped."""

    def __init__(self, task: BlockTask, sentences: SentenceSplitter):
        self.task, config = task, task.config
        self.splitters = {side: Splitter(sentences, config.min_tokens, config.sentence_ends) for side in SIDES}
        self.strippers = {
            side: Stripper(task.namespaces[side], config.template_text, config.keep_lists) for side in SIDES
        }
        self.pairs: Counter[str] = Counter()

    def pair(self, number: int) -> DocumentPair | None:
        """One pair; None where a side is dropped: `unreadable` by the parser, or a `stub`."""
        documents = {}
        for side, stored in zip(SIDES, self.task.pairs[number], strict=True):
            found = self._document(side, stored)
            if isinstance(found, str):
                self.pairs[f"{side} {found}"] += 1
                return None
            documents[side] = found
        self.pairs["kept"] += 1
        self.pairs["kept, with one simple sentence"] += len(documents["simple"].sentences) == 1
        name = "_".join(documents[side].id for side in SIDES)
        return DocumentPair(name, self.task.config.corpus, name, documents["complex"], documents["simple"])

    def _document(self, side: str, stored: Stored) -> Document | str:
        wiki = self.task.config.side(side)
        try:
            paragraphs = self.strippers[side].paragraphs(read_text(stored.part, stored.offset, stored.size))
        except ValueError:
            return "unreadable"
        document = Document(f"{wiki.site}-{stored.page}", wiki.level, self.splitters[side].paragraphs(paragraphs))
        characters = sum(map(len, document.sentences))
        stub = len(document.sentences) < max(1, wiki.min_sentences) or characters < wiki.min_characters
        return "stub" if stub else document

    def counts(self) -> dict[str, dict[str, int]]:
        """What became of the pairs and, by side, of the sentences."""
        sentences = {f"{side} sentences": dict(splitter.counts) for side, splitter in self.splitters.items()}
        return {"pairs": dict(self.pairs), **sentences}


@lru_cache(maxsize=1)
def _sentences(splitter: str, language: str) -> SentenceSplitter:
    """Once for each process: spaCy takes seconds to start."""
    return sentence_splitter(splitter, language)
