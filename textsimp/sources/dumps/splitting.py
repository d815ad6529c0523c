"""Sentences of a paragraph, and the filters of appendix B (F1)."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

from textsimp.errors import InputError
from textsimp.sources.dumps.balance import LEFT
from textsimp.sources.dumps.pages import MAX_PAGE
from textsimp.sources.sentences import split_sentences

_LEFTOVER = re.compile(rf"{LEFT}|\{{\{{|\}}\}}|\[\[|\]\]")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_OPENING = re.compile(r"\s+[\"'“‘«(\[]+$")


class SentenceSplitter(Protocol):
    """Finds sentences. What it remembers of the words inside a `zone` it forgets at the zone's end."""

    def split(self, paragraph: str) -> Iterator[tuple[str, int]]:
        """The sentences of a paragraph, each with its number of tokens."""

    def zone(self) -> AbstractContextManager[Any]:
        """A context that bounds the memory of what is split inside."""


def sentence_splitter(name: str, language: str) -> SentenceSplitter:
    """A splitter by name, see DumpConfig; `InputError` where spaCy has no such language or pipeline."""
    return _Rules() if name == "rules" else _Spacy(name, language)


class Splitter:
    """Splits paragraphs and drops sentences by name, with counts.

    `markup`: holds markup that could not be resolved; `short`: fewer than `min_tokens` tokens; `ending`: ends with
    one of `sentence_ends`.

    Args:
        sentences: from `sentence_splitter`.
        min_tokens, sentence_ends: see DumpConfig.
    """

    def __init__(self, sentences: SentenceSplitter, min_tokens: int, sentence_ends: Sequence[str]):
        self.sentences = sentences
        self.min_tokens, self.ends = min_tokens, tuple(sentence_ends)
        self.counts: Counter[str] = Counter()

    def paragraphs(self, paragraphs: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """The sentences that stay, by paragraph; paragraphs without any are left out."""
        kept = (tuple(self._kept(paragraph)) for paragraph in paragraphs)
        return tuple(sentences for sentences in kept if sentences)

    def _kept(self, paragraph: str) -> Iterator[str]:
        for sentence, tokens in self.sentences.split(paragraph):
            reason = self._reason(sentence, tokens)
            self.counts[reason or "kept"] += 1
            if reason is None:
                yield sentence

    def _reason(self, sentence: str, tokens: int) -> str | None:
        if _LEFTOVER.search(sentence):
            return "markup"
        if tokens < self.min_tokens:
            return "short"
        return "ending" if sentence.endswith(self.ends) else None


class _Rules:
    """textsimp.sources.sentences, with words and signs as tokens; it remembers nothing."""

    zone = nullcontext

    def split(self, paragraph: str) -> Iterator[tuple[str, int]]:
        return ((sentence, len(_TOKEN.findall(sentence))) for sentence in split_sentences(paragraph))


class _Spacy:
    """spaCy's tokeniser with its rule-based sentence splitter, or an installed pipeline."""

    def __init__(self, name: str, language: str):
        import spacy  # slow to import, and only the worker processes need it

        try:
            if name == "sentencizer":
                self.pipeline = spacy.blank(language)
                self.pipeline.add_pipe("sentencizer")
            else:
                self.pipeline = spacy.load(name, exclude=["ner", "lemmatizer", "attribute_ruler"])
        except (ImportError, OSError) as error:
            reason = str(error).split("\n")[0]
            raise InputError(f"dumps.splitter {name!r} for {language!r}: {reason}; install it or use 'rules'") from None
        # a page may be one paragraph
        self.pipeline.max_length = MAX_PAGE

    def zone(self) -> AbstractContextManager[Any]:
        return self.pipeline.memory_zone()

    def split(self, paragraph: str) -> Iterator[tuple[str, int]]:
        found = [
            (span.text_with_ws, sum(not token.is_space for token in span)) for span in self.pipeline(paragraph).sents
        ]
        carried = ""
        for number, (text, tokens) in enumerate(found):
            text, tokens = carried + text, tokens + len(carried)
            # quotation marks and brackets that open belong to what follows them
            match = _OPENING.search(text.rstrip()) if number + 1 < len(found) else None
            carried = match[0].strip() if match else ""
            text = text[: match.start()] if match else text
            if text.strip():
                yield text.strip(), tokens - len(carried)
