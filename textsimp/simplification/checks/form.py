"""Simplifications that are no sentences, and brackets and quotations that they leave out or rewrite."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from textsimp.simplification.checks.parsed_texts import LEFT_OUT, Finding, Side, cosine, words

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_QUOTED = re.compile(r"[\"“”„«»]([^\"“”„«»]+)[\"“”„«»]|(?<!\w)[‘']([^‘’']{3,})[’'](?!\w)|``(.+?)''")
_BRACKET = re.compile(r"\(([^()]*)\)|\[\[?([^\[\]]*)\]\]?|-lrb- (.*?) -rrb-")
_LIFE = r"\bborn\b|^see\b|^\D*(\d\d?\D+)?\d{3,4}\s*[-–]?\s*(\D*\d\d?\D+)?\d{3,4}$"
_BY_THE_WAY = re.compile(_LIFE + r"|^\D*[\d,.–-]+\s*(km|mi|m|ft|feet|lb|kg|cm|in|sq)\b")
_WORD = re.compile(r"\w+(?:[.:'’-]\w+)*")
_FINITE = frozenset(("VBD", "VBP", "VBZ", "MD"))
_NO_END = frozenset("the a an and or but from into because although which who".split())
_PREPOSITIONS = frozenset("in at of to for with by near from".split())
_SUBORDINATE = frozenset("although though because whereas unless if while until".split())
# Words of a sentence in which a tagger hardly takes a verb for something else.
_SHORT = 12


def changed_quotations(before: Side, after: Side) -> Iterator[Finding]:
    """Yield quotations of which the simplification has some words and not all in their order."""
    said = _WORD.findall(after.doc.text.lower())
    for match in _QUOTED.finditer(before.doc.text):
        quoted = _WORD.findall(next(filter(None, match.groups())).lower())
        if quoted and " ".join(quoted) not in " ".join(said):
            kept = sum(word in said for word in quoted) >= max(1, 0.4 * len(quoted))
            yield Finding("quotation", "changed" if kept or _QUOTED.search(after.doc.text) else LEFT_OUT, match[0])


def changed_brackets(before: Side, after: Side) -> Iterator[Finding]:
    """Yield brackets that are gone with what they held.

    They alarm with a number, name, abbreviation, limit or denial inside, behind a name or a word of another language
    that is still there, and in square brackets; conversions of a measure and dates of a life do not.
    """
    old, new = (Counter(_WORD.findall(side.doc.text.lower())) for side in (before, after))
    for match in _BRACKET.finditer(before.doc.text):
        inner = next(filter(None, match.groups()), "").strip()
        held = _WORD.findall(inner.lower())
        if held and all(new[word] < old[word] for word in held):
            first = next((token for token in reversed(before.tokens) if token.idx < match.start()), None)
            is_foreign = (
                first is not None
                and after.has(first)
                and (first.pos_ == "PROPN" or not cosine(first.lower_, first.lower_))
            )
            counts = re.search(r"[A-Z\d\[]", match[0]) or not _matters().isdisjoint(held) or is_foreign
            yield Finding("bracket", "lost" if counts and not _BY_THE_WAY.search(inner) else LEFT_OUT, match[0])


def _matters() -> frozenset[str]:
    return words("negations") | words("conditions") | words("limits", "only") | words("limits", "except")


def broken_sentences(before: Side, after: Side) -> Iterator[Finding]:
    """Yield sentences of the simplification that are none, and words that it says twice."""
    if not any(map(_fault, before.doc.sents)):
        faults = ((_fault(sentence), sentence) for sentence in after.doc.sents)
        yield from (Finding("sentence", "broken", f"{fault} in {text.text!r}") for fault, text in faults if fault)
    for left, right in zip(after.tokens, after.tokens[1:], strict=False):
        twice = f"{left.lower_} {right.lower_}"
        if left.lower_ == right.lower_ and left.is_alpha and twice not in ("had had", "that that", *before.rows):
            yield Finding("sentence", "broken", twice)


def _fault(sentence: "Span") -> str:
    tokens = [token for token in sentence if not token.is_punct and not token.is_space]
    if sum(token.is_alpha for token in tokens) < 2 or sentence.text[0] in "([-":
        return ""
    verbs = [token for token in tokens if token.pos_ in ("VERB", "AUX") and token.dep_ not in ("amod", "compound")]
    is_finite = any(token.tag_ in _FINITE for token in tokens)
    if not is_finite and all(token.tag_ == "VBG" for token in verbs) and len(tokens) <= _SHORT:
        return "no verb"
    strands = any(token.tag_ == "VBN" or token.dep_ in ("relcl", "acl") for token in verbs)
    if tokens[-1].lower_ in _NO_END or (tokens[-1].lower_ in _PREPOSITIONS and not strands):
        return "no end"
    subjects = [token for token in tokens if token.dep_ in ("nsubj", "nsubjpass", "csubj", "expl")]
    if tokens[0].lower_ in _SUBORDINATE and "," not in sentence.text and len(subjects) < 2:
        return "no main clause"
    opening = tokens[2 if tokens[1].lower_ == "of" and len(tokens) > 2 else 0].lower_  # `one of which`
    marked = any(child.dep_ == "mark" and child.i > tokens[0].i for child in sentence.root.children)
    if "?" not in sentence.text and (
        opening in ("which", "whom", "whose") or (marked and sentence.root.tag_ in _FINITE | {"VBN"})
    ):
        return "no main clause"
    is_verb = tokens[0].tag_ in (*_FINITE, "VBN") and tokens[0].dep_ in ("ROOT", "aux", "auxpass")
    if is_verb and "?" not in sentence.text and not any(token.head.i == sentence.root.i for token in subjects):
        return "no subject"
    return next((f"{token.text!r} before nothing" for token in tokens if _hangs(token)), "")


def _hangs(token: "Token") -> bool:
    """Return whether an article, a preposition or a conjunction has nothing to stand before."""
    following = token.nbor() if token.i + 1 < len(token.doc) else token
    if token.lower_ in ("the", "a", "an"):
        return following.tag_ in (*_FINITE, "IN", ".", ",", "CC", "WP")
    if token.lower_ == "but" and token.i and token.nbor(-1).text == ",":
        return "," in [other.text for other in token.doc[token.i + 1 : token.i + 3]] and not following.is_title
    is_bare = token.lower_ in _PREPOSITIONS and token.dep_ == "prep" and not token.n_rights
    return is_bare and following.tag_ in ("VBD", "VBZ", ",", "CC")
