"""Entity anonymisation and its inverse (Zhang and Lapata 2017; Jiang et al. 2020, appendix D.1).

Each entity of a complex sentence becomes one token, its label and a running number such as `PERSON@1`; the same text
gets the same token again. In the simple sentence, the words of these entities become the same tokens; what is only in
the simple sentence stays as it is, for no source could give it back. A generated token is replaced by its entity.

A trained spaCy model finds the entities, as in the paper (`spacy` is the packaged one), or rules do, where the
configuration says `rules`. The rules, over spaCy's tokens, the first that matches at a token winning:

- DATE: a weekday; a month's name with the day and the year around it, or alone unless it opens the sentence; a year
  from 1000 to 2099 written as four digits.
- MONEY: a currency sign and a number, with "million" and the like. PERCENT: a number and "%" or "percent".
- CARDINAL: a number in digits, or a number word from "two" on ("one" is mostly a pronoun).
- Names: the longest run of capitalised words, "of" and "and the" kept inside "University of Ferry"; the first word of
  the sentence opens a name only when a capitalised word follows and it is no function word. PERSON after a title,
  ORG with a word such as "University", LOC with a word such as "River", GPE after "in", "from" and the like, else
  NAME, for rules cannot tell people from places by form.

They find less than a trained model does and confuse more; an entity that is missed is only a rare word.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textsimp.simplification.spacing import Token
from textsimp.simplification.spacy_models import RULES as RULES_NAME
from textsimp.simplification.spacy_models import trained_pipeline

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

MONTHS = tuple("january february march april may june july august september october november december".split())
WEEKDAYS = tuple("monday tuesday wednesday thursday friday saturday sunday".split())
TAG = re.compile(r"[A-Z_]+@\d+\Z")
UNKNOWN = "<unk>"


@dataclass(frozen=True)
class Word:
    """A token of a sentence for the model, and what stands for it in the text.

    `token` is lower-cased, or an entity's tag; `text` is the sentence's own writing, of one or (for an entity)
    several words; `spaced` says whether a space precedes it.
    """

    token: str
    text: str
    spaced: bool


class Anonymiser:
    """A spaCy pipeline that finds entities: a trained model, or `rules`; `description` says which."""

    def __init__(self, model: str) -> None:
        """Load the pipeline; `InputError` where no such model is installed or it finds no entities."""
        self._nlp, self.description = _pipeline(model)

    def complex(self, sentences: Sequence[str]) -> list[list[Word]]:
        """The words of complex sentences, their entities found and numbered."""
        return [_anonymise(doc) for doc in self._nlp.pipe(sentences)]

    def simple(self, sentences: Sequence[str], sources: Sequence[Sequence[Word]]) -> list[list[Word]]:
        """The words of simple sentences, with the entities of their complex sentences."""
        tokenizer: Any = self._nlp.tokenizer
        docs = tokenizer.pipe(sentences)
        return [_match_entities(_words(doc), source) for doc, source in zip(docs, sources, strict=True)]


def restore(tokens: Sequence[str], source: Sequence[Word], attended: Mapping[int, int]) -> list[str]:
    """The words of a generated sentence: entities for their tags, attended source words for unknown words.

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
    """Tag -> text of the entities of an anonymised sentence."""
    return {word.token: word.text for word in source if TAG.match(word.token)}


def as_tokens(words: Sequence[Word]) -> list[Token]:
    """The words as the text spells them, for `Spacing`."""
    return [Token(word.text, word.spaced) for word in words]


def _pipeline(model: str) -> tuple["Language", str]:
    import spacy

    if model != RULES_NAME:
        nlp = trained_pipeline(model, ["ner", "entity_ruler"], ["parser", "lemmatizer", "attribute_ruler"])
        return nlp, f"spaCy {spacy.__version__}, model {nlp.meta['name']} {nlp.meta['version']}"
    spacy.language.Language.component(COMPONENT, func=mark_entities)
    nlp = spacy.blank("en")
    nlp.add_pipe(COMPONENT)
    return nlp, f"spaCy {spacy.__version__}, entities by rule"


def _anonymise(doc: "Doc") -> list[Word]:
    tags: dict[str, str] = {}
    counts: dict[str, int] = {}
    words: list[Word] = []
    starts = {span.start: span for span in doc.ents}
    position = 0
    while position < len(doc):
        span = starts.get(position)
        spaced = position > 0 and bool(doc[position - 1].whitespace_)
        if span is None:
            words.append(Word(_clean(doc[position].lower_), doc[position].text, spaced))
            position += 1
            continue
        if span.text not in tags:
            counts[span.label_] = counts.get(span.label_, 0) + 1
            tags[span.text] = f"{span.label_}@{counts[span.label_]}"
        words.append(Word(tags[span.text], " ".join(span.text.split()), spaced))
        position = span.end
    return [word for word in words if word.token]


def _words(doc: "Doc") -> list[Word]:
    spaced = [False, *(bool(token.whitespace_) for token in doc)]
    words = [Word(_clean(token.lower_), token.text, before) for token, before in zip(doc, spaced, strict=False)]
    return [word for word in words if word.token]


def _clean(token: str) -> str:
    """A token without white space, which fairseq would split at."""
    return "".join(token.split())


def _match_entities(words: list[Word], source: Sequence[Word]) -> list[Word]:
    """Replace the longest runs of words that spell an entity of the source."""
    entities = {"".join(text.split()): tag for tag, text in entity_texts(source).items()}
    longest = max(map(len, entities), default=0)
    matched: list[Word] = []
    position = 0
    while position < len(words):
        end, tag = _longest_entity(words, position, entities, longest)
        if tag is None:
            matched.append(words[position])
            position += 1
            continue
        text = "".join(" " * word.spaced * (at > 0) + word.text for at, word in enumerate(words[position:end]))
        matched.append(Word(tag, text, words[position].spaced))
        position = end
    return matched


def _longest_entity(
    words: Sequence[Word], start: int, entities: Mapping[str, str], longest: int
) -> tuple[int, str | None]:
    best: tuple[int, str | None] = (start, None)
    spelt = ""
    for end in range(start, len(words)):
        spelt += "".join(words[end].text.split())
        if len(spelt) > longest:
            break
        if spelt in entities:
            best = (end + 1, entities[spelt])
    return best


COMPONENT = "textsimp_rule_entities"
TITLES = frozenset("mr. mr mrs. mrs ms. ms dr. dr prof. professor sir lady judge president captain king queen".split())
PLACES = frozenset("in at from near to into toward towards outside across".split())
ORGANISATIONS = frozenset(
    "university college school institute museum council company association party committee court bank ministry "
    "department agency society union library hospital club".split()
)
LOCATIONS = frozenset(
    "river lake sea ocean island islands mountain mountains valley street road bay desert park".split()
)
SCALES = frozenset("hundred thousand million billion trillion".split())
INNER = frozenset("of de van von del la".split())
Rule = Callable[["Doc", int], tuple[int, str] | None]
"""A rule takes the sentence and a start, and gives the end (exclusive) and the label where it matches."""


def mark_entities(doc: "Doc") -> "Doc":
    """The spaCy component: set `doc.ents`."""
    from spacy.tokens import Span

    spans = []
    position = 0
    while position < len(doc):
        match = next(filter(None, (rule(doc, position) for rule in RULES)), None)
        if match is None:
            position += 1
            continue
        end, label = match
        spans.append(Span(doc, position, end, label=label))
        position = end
    doc.ents = spans
    return doc


def _date(doc: "Doc", start: int) -> tuple[int, str] | None:
    word = doc[start]
    if word.lower_ in WEEKDAYS and word.is_title:
        return start + 1, "DATE"
    if len(word.text) == 4 and word.text.isdigit() and "1000" <= word.text <= "2099":
        return start + 1, "DATE"
    day = start + 1 if _is_day(doc, start) else start
    if day >= len(doc) or doc[day].lower_ not in MONTHS or not doc[day].is_title:
        return None
    end = day + 1
    if day == start and _is_day(doc, end):
        end += 1
    if end + 1 < len(doc) and doc[end].text == "," and _is_year(doc, end + 1):
        end += 2
    elif _is_year(doc, end):
        end += 1
    return (end, "DATE") if end - start > 1 or start > 0 else None


def _number(doc: "Doc", start: int) -> tuple[int, str] | None:
    money = doc[start].is_currency and start + 1 < len(doc)
    first = start + 1 if money else start
    if not doc[first].like_num or doc[first].lower_ == "one":
        return None
    end = first + 1
    while end < len(doc) and doc[end].lower_ in SCALES:
        end += 1
    if money:
        return end, "MONEY"
    if end < len(doc) and doc[end].lower_ in ("%", "percent"):
        return end + 1, "PERCENT"
    return end, "CARDINAL"


def _name(doc: "Doc", start: int) -> tuple[int, str] | None:
    if not _is_capitalised(doc, start) or doc[start].lower_ in TITLES:
        return None
    end = start + 1
    while end < len(doc):
        if _is_capitalised(doc, end):
            end += 1
        elif doc[end].lower_ in INNER and end + 1 < len(doc) and _is_capitalised(doc, end + 1):
            end += 2
        else:
            break
    if start == 0 and (end == 1 or doc[0].is_stop):
        return None
    return end, _name_label(doc, start, end)


def _name_label(doc: "Doc", start: int, end: int) -> str:
    words = {token.lower_ for token in doc[start:end]}
    before = doc[start - 1].lower_ if start else ""
    if before in TITLES:
        return "PERSON"
    if words & ORGANISATIONS:
        return "ORG"
    if words & LOCATIONS:
        return "LOC"
    return "GPE" if before in PLACES else "NAME"


def _is_capitalised(doc: "Doc", index: int) -> bool:
    token = doc[index]
    if not token.text[:1].isupper() or token.text == "I" or token.text.startswith("I'"):
        return False
    return token.lower_ not in (*WEEKDAYS, *MONTHS) and any(letter.isalpha() for letter in token.text)


def _is_day(doc: "Doc", index: int) -> bool:
    return index < len(doc) and doc[index].text.isdecimal() and 1 <= int(doc[index].text) <= 31


def _is_year(doc: "Doc", index: int) -> bool:
    return index < len(doc) and doc[index].text.isdecimal() and len(doc[index].text) == 4


RULES: tuple[Rule, ...] = (_date, _number, _name)
