"""Entity anonymisation and its inverse (Zhang and Lapata 2017; Jiang et al. 2020, appendix D.1).

Each entity of a complex sentence becomes one token, its label and a running number such as `PERSON@1`; the same text
gets the same token again. In the simple sentence, the words of these entities become the same tokens; what is only in
the simple sentence stays as it is, for no source could give it back. A generated token is replaced by its entity.

A trained spaCy model finds the entities, as in the paper; `spacy` is the packaged one.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textsimp.simplification.spacing import Token
from textsimp.simplification.spacy_models import trained_pipeline

if TYPE_CHECKING:
    from spacy.tokens import Doc

TAG = re.compile(r"[A-Z_]+@\d+\Z")
UNKNOWN = "<unk>"


@dataclass(frozen=True)
class Word(Token):
    """A word of a sentence, or an entity of several words, and what stands for it in the model.

    `token` is lower-cased, or an entity's tag.
    """

    token: str


class Anonymiser:
    """A trained spaCy pipeline that finds entities; `description` says which."""

    def __init__(self, model: str) -> None:
        """Load the pipeline; `InputError` where no such model is installed or it finds no entities."""
        import spacy

        self._nlp = trained_pipeline(model, ["ner", "entity_ruler"], ["parser", "lemmatizer", "attribute_ruler"])
        self.description = f"spaCy {spacy.__version__}, model {self._nlp.meta['name']} {self._nlp.meta['version']}"

    def complex(self, sentences: Sequence[str]) -> list[list[Word]]:
        """Return the words of complex sentences, their entities found and numbered."""
        return [_words(doc) for doc in self._nlp.pipe(sentences)]

    def simple(self, sentences: Sequence[str], sources: Sequence[Sequence[Word]]) -> list[list[Word]]:
        """Return the words of simple sentences, with the entities of their complex sentences."""
        tokenizer: Any = self._nlp.tokenizer
        docs = tokenizer.pipe(sentences)
        return [_match_entities(_words(doc), source) for doc, source in zip(docs, sources, strict=True)]


def restore(tokens: Sequence[str], source: Sequence[Word], attended: Mapping[int, int]) -> list[str]:
    """Return the words of a generated sentence: entities for their tags, attended source words for unknown words.

    `attended` maps positions of `tokens` to those of `source` (Jean et al. 2015); an unknown word without one is left
    out. A tag that the source does not have is treated as an unknown word.
    """
    entities = entity_texts(source)
    words = []
    for position, token in enumerate(tokens):
        if token in entities:
            words.append(entities[token])
        elif token != UNKNOWN and not TAG.match(token):
            words.append(token)
        elif (attended_position := attended.get(position, len(source))) < len(source):
            words.append(source[attended_position].text)
    return words


def entity_texts(source: Sequence[Word]) -> dict[str, str]:
    """Return tag -> text of the entities of an anonymised sentence."""
    return {word.token: word.text for word in source if TAG.match(word.token)}


def _words(doc: "Doc") -> list[Word]:
    """Return the words of a sentence and its entities, which are numbered by their labels."""
    tags: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for span in doc.ents:
        if span.text not in tags:
            counts[span.label_] += 1
            tags[span.text] = f"{span.label_}@{counts[span.label_]}"
    starts = {span.start: span for span in doc.ents}
    words: list[Word] = []
    position, spaced = 0, False
    while position < len(doc):
        span = starts.get(position, doc[position : position + 1])
        is_entity = position in starts
        # without white space, which fairseq would split at
        text = " ".join(span.text.split()) if is_entity else span.text
        words.append(Word(text, spaced, tags[span.text] if is_entity else "".join(span[0].lower_.split())))
        position, spaced = span.end, bool(span[-1].whitespace_)
    return [word for word in words if word.token]


def _match_entities(words: list[Word], source: Sequence[Word]) -> list[Word]:
    """Replace the longest runs of words that spell an entity of the source."""
    entities = {"".join(text.split()): tag for tag, text in entity_texts(source).items()}
    longest = max(map(len, entities), default=0)
    matched: list[Word] = []
    position = 0
    while position < len(words):
        end, spelt, word = position, "", words[position]
        run = [word]
        while end < len(words) and len(spelt) <= longest:
            spelt, end = spelt + "".join(words[end].text.split()), end + 1
            if spelt in entities:
                run = words[position:end]
                text = "".join(" " * part.spaced * (at > 0) + part.text for at, part in enumerate(run))
                word = Word(text, run[0].spaced, entities[spelt])
        matched.append(word)
        position += len(run)
    return matched
