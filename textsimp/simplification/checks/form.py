"""Simplifications that are no sentences, and brackets and quotations that they leave out or rewrite."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from textsimp.simplification.checks.findings import Change, Finding, Kind
from textsimp.simplification.checks.parsed_texts import Side

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_QUOTED = re.compile(r"[\"“”„«»]([^\"“”„«»]+)[\"“”„«»]|(?<!\w)[‘']([^‘’']{3,})[’'](?!\w)|``(.+?)''")
_BRACKET = re.compile(r"\(([^()]*)\)|\[\[?([^\[\]]*)\]\]?|-lrb- (.*?) -rrb-")
_BY_THE_WAY = re.compile(r"\bborn\b|^\S\s*[\d,.–-]+\s*(km|mi|m|ft|feet|lb|kg|cm|in|sq|[–-]|\d)|^\S\D*\d{3,4}\W+\S?$")
_WORD = re.compile(r"\w+(?:[.:'’-]\w+)*")
_FINITE = frozenset(("VBD", "VBP", "VBZ", "MD"))
_NO_END = frozenset("the a an and or but of with from into because although which who".split())
_SUBORDINATE = frozenset("although though because whereas unless if while until".split())
# Words of a sentence in which a tagger hardly takes a verb for something else.
_SHORT = 12


def changed_quotations(before: str, after: str) -> Iterator[Finding]:
    """Yield quotations of which the simplification has some words and not all in their order."""
    words = " ".join(_WORD.findall(after.lower()))
    for match in _QUOTED.finditer(before):
        quoted = _WORD.findall(next(filter(None, match.groups())).lower())
        if not quoted or " ".join(quoted) in words:
            continue
        kept = sum(word in words.split() for word in quoted)
        is_quoted = bool(_QUOTED.search(after))
        change = Change.CHANGED if kept >= max(1, 0.4 * len(quoted)) or is_quoted else Change.LEFT_OUT
        yield Finding(Kind.QUOTATION, change, match[0])


def changed_brackets(before: Side, after: Side) -> Iterator[Finding]:
    """Yield brackets that are gone with what they held; conversions of a measure and dates of a life are left out."""
    old, new = (Counter(_WORD.findall(side.doc.text.lower())) for side in (before, after))
    for match in _BRACKET.finditer(before.doc.text):
        held = _WORD.findall(next(filter(None, match.groups()), "").lower())
        if held and all(new[word] < old[word] for word in held):
            is_by_the_way = _BY_THE_WAY.search(match[0]) and before.doc.text[: match.start()].strip()
            yield Finding(Kind.BRACKET, Change.LEFT_OUT if is_by_the_way else Change.LOST, match[0])


def broken_sentences(before: Side, after: Side) -> Iterator[Finding]:
    """Yield sentences of the simplification that are none, and words that it says twice."""
    was_sound = not any(True for sentence in before.doc.sents if _fault(sentence))
    for sentence in after.doc.sents:
        if was_sound and (fault := _fault(sentence)):
            yield Finding(Kind.SENTENCE, Change.BROKEN, f"{fault} in {sentence.text.strip()!r}")
    for left, right in zip(after.doc, after.doc[1:], strict=False):
        doubled = left.lower_ == right.lower_ and left.is_alpha and left.lower_ not in ("had", "that")
        if doubled and f"{left.lower_} {left.lower_}" not in before.text:
            yield Finding(Kind.SENTENCE, Change.BROKEN, f"{left.text} {right.text}")


def _fault(sentence: "Span") -> str:
    words = [token for token in sentence if token.is_alpha]
    if len(words) < 2 or sentence.text[0] in "([-":
        return ""
    root, tags = sentence.root, {token.tag_ for token in words}
    verbs = [token for token in words if token.pos_ in ("VERB", "AUX") and token.dep_ not in ("amod", "compound")]
    if not tags & _FINITE and (not verbs or root.tag_ in ("VBN", "VBG")) and len(words) <= _SHORT:
        return "no verb"
    last = [token for token in sentence if not token.is_punct and not token.is_space][-1]
    strands = any(token.tag_ == "VBN" or token.dep_ in ("relcl", "acl") for token in verbs)
    if last.lower_ in _NO_END or last.lower_ in ("in", "at", "of", "to", "for", "with", "by") and not strands:
        return "no end"
    subjects = [token for token in words if token.dep_ in ("nsubj", "nsubjpass", "csubj", "expl")]
    begins = {token.lower_ for token in words[:2]} if words[0].lower_ in ("even", "just") else {words[0].lower_}
    if begins & _SUBORDINATE and "," not in sentence.text and len(subjects) < 2:
        return "no main clause"
    if words[0].tag_ in ("VBD", "VBZ", "VBN", "VBP", "MD") and "?" not in sentence.text:
        if words[0].dep_ in ("ROOT", "aux", "auxpass") and not any(token.head.i == root.i for token in subjects):
            return "no subject"
    return next((f"{token.text!r} before nothing" for token in sentence if _hangs(token)), "")


def _hangs(token: "Token") -> bool:
    """Return whether an article, a preposition or a conjunction has nothing to stand before."""
    following = token.nbor() if token.i + 1 < len(token.doc) else token
    if token.lower_ in ("the", "a", "an"):
        return following.tag_ in (*_FINITE, "IN", ".", ",", "CC", "WP")
    if token.lower_ == "but" and token.i and token.nbor(-1).text == ",":
        return "," in (row := [other.text for other in token.doc[token.i + 1 : token.i + 3]]) and not row[0].istitle()
    is_preposition = token.lower_ in ("in", "of", "at", "from", "with", "near") and token.dep_ == "prep"
    return is_preposition and not token.n_rights and following.tag_ in ("VBD", "VBZ", ",", "CC")
