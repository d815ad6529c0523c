"""Negations, limits, conditions, speakers and roles of a sentence that its simplification has otherwise."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from textsimp.simplification.checks.closed_words import (
    CONDITIONS,
    DENIALS,
    IMPLIED,
    KEEPS_CONDITION,
    KEEPS_SPEAKING,
    LIMITS,
    NEGATIONS,
    PRONOUNS,
    NEVER_NEW,
    NEW_REASONS,
    REASONS,
    SPEAKING,
)
from textsimp.simplification.checks.findings import Change, Finding, Kind
from textsimp.simplification.checks.parsed_texts import Side, clause, cosine, has_vectors, is_content

if TYPE_CHECKING:
    from spacy.tokens import Token

_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "mis")
# Cosine from which a new word may come of an old one, and that of the names of animals.
_LEAST, _ANIMAL = 0.4, 0.75
# Share of the words around a limit that have to be there for its loss to alarm.
_SHARE = 0.6


def changed_negations(before: Side, after: Side) -> Iterator[Finding]:
    """Yield what is denied in one of the texts alone: by a word, or by a prefix or ending of it."""
    for side, facing, change in ((before, after, Change.LOST), (after, before, Change.INVENTED)):
        denials = [token for token in facing.doc if _denies(token)]
        implied = facing.words & IMPLIED - side.words or any(_bare(word) & side.words for word in facing.words)
        for token in side.doc:
            doubled = token.i + 1 < len(token.doc) and _bare(token.nbor().lower_) and token.nbor().lower_ not in facing.words
            if doubled:
                continue
            if _denies(token) and not implied and not _is_denied(token, denials):
                kept = change is Change.INVENTED or facing.keeps(clause(token)[:1]) or facing.keeps(clause(token))
                yield Finding(Kind.NEGATION, change if kept else Change.LEFT_OUT, token.text)
            elif token.lower_ not in facing.words and not denials and not facing.words & IMPLIED:
                bare = _bare(token.lower_) & facing.words - side.words
                if bare or token.lemma_.lower() in DENIALS and facing.keeps(token.subtree):
                    yield Finding(Kind.NEGATION, change, token.text)


def _denies(token: "Token") -> bool:
    if token.lower_ == "no" and token.i + 1 < len(token.doc) and token.nbor().lower_ in ("doubt", ".", "matter"):
        return False
    only = token.i + 1 < len(token.doc) and token.nbor().lower_ in ("only", "just", "merely", "necessarily")
    return token.lower_ in NEGATIONS and not (token.lower_ == "not" and only)


def _is_denied(token: "Token", denials: Sequence["Token"]) -> bool:
    """Return whether these words deny what a word of the other text denies; one may deny several verbs."""
    if denials and sum(map(_denies, token.doc)) <= len(denials):
        return True
    scope = {other.lemma_.lower() for other in clause(token)}
    denied = (word for denial in denials for head in clause(denial)[:1] for word in (*clause(denial), *head.conjuncts))
    return any(word.lemma_.lower() in scope for word in denied)


def _bare(word: str) -> frozenset[str]:
    """Return what a word is without a prefix or an ending that denies."""
    forms = {word.removeprefix(prefix) for prefix in _PREFIXES if word.startswith(prefix) and len(word) > len(prefix) + 3}
    if word.endswith("less") and len(word) > 6:
        forms |= {word.removesuffix("less"), word.removesuffix("less") + "ful"}
    return frozenset(forms)


def changed_limits(before: Side, after: Side) -> Iterator[Finding]:
    """Yield words that limit, widen, oblige, allow or hedge in one of the texts alone; a new reason."""
    for side, facing, change in ((before, after, Change.LOST), (after, before, Change.INVENTED)):
        for name, (own, others) in LIMITS.items():
            if change is Change.INVENTED and name not in NEVER_NEW or name == "must" and _orders(facing):
                continue
            said = [] if _said(facing, own | others) else _said(side, own)
            for token, text in said[:1]:
                kept = change is Change.INVENTED or facing.keeps(clause(token), _SHARE)
                if not (name == "can" and any(child.dep_ == "auxpass" for child in token.head.children)):
                    yield Finding(Kind.LIMIT, change if kept else Change.LEFT_OUT, text)
    if not before.words & REASONS:
        new = [token.text for token in after.doc if token.lower_ in NEW_REASONS]
        yield from (Finding(Kind.LIMIT, Change.INVENTED, word) for word in new)


def _said(side: Side, words: frozenset[str]) -> list[tuple["Token", str]]:
    """Return the words of a text that are among these, or begin some that are written so."""
    found = []
    for token in side.doc:
        rows = (side.doc[token.i : token.i + length].text for length in (3, 2))
        if text := next((row for row in rows if row.lower() in words), None):
            found.append((token, text))
        elif token.pos_ != "PROPN" and (token.lower_ in words or token.lemma_.lower() in words):
            found.append((token, token.text))
    return found


def _orders(side: Side) -> bool:
    """Return whether a text gives an order: `Send the form.`"""
    return any(sentence.root.tag_ == "VB" and not _subjects(sentence.root) for sentence in side.doc.sents)


def _subjects(verb: "Token") -> list["Token"]:
    return [child for child in verb.children if child.dep_ in ("nsubj", "nsubjpass", "expl", "csubj", "csubjpass")]


def changed_conditions(before: Side, after: Side) -> Iterator[Finding]:
    """Yield conditions that are gone, or that the simplification adds."""
    for side, facing, change in ((before, after, Change.LOST), (after, before, Change.INVENTED)):
        if not _said(facing, CONDITIONS) and not facing.words & KEEPS_CONDITION - side.words:
            for token, text in _said(side, CONDITIONS):
                if token.dep_ not in ("dobj", "pobj", "nsubj"):
                    yield Finding(Kind.CONDITION, change, text)


def changed_speakers(before: Side, after: Side) -> Iterator[Finding]:
    """Yield verbs of saying whose speaker is gone while what was said is told as a fact."""
    if after.words & KEEPS_SPEAKING:
        return
    for token in before.doc:
        if token.lemma_.lower() in SPEAKING and token.pos_ in ("VERB", "NOUN"):
            said = [child for child in token.children if child.dep_ in ("ccomp", "xcomp")]
            if token.i + 1 < len(token.doc) and token.nbor().tag_ in ("VBZ", "VBD", "VBP", "MD"):
                said.append(token.nbor())  # who you state resides there
            if any(after.keeps(head.subtree) for head in said):
                yield Finding(Kind.SPEAKER, Change.LOST, token.text)


def changed_roles(before: Side, after: Side) -> Iterator[Finding]:
    """Yield subjects that were objects of the same verb, and pronouns that stand for nobody."""
    old, new = _roles(before), _roles(after)
    for verb, subject, thing in new:
        if any(v == verb and s and s == thing and t in (subject, "") and thing != subject for v, s, t in old) or any(
            v == verb and t and t == subject and s != subject and s in (thing, "") for v, s, t in old
        ):
            yield Finding(Kind.ROLE, Change.CHANGED, f"{subject} {verb}")
    yield from _new_pronoun(before, after)


def _new_pronoun(before: Side, after: Side) -> Iterator[Finding]:
    """Yield a pronoun at the beginning that stands for a subject which is nowhere in the simplification."""
    first = next((token for token in after.doc if token.pos_ in ("NOUN", "PROPN", "PRON")), None)
    if first is None or first.lower_ not in PRONOUNS or first.dep_ not in ("nsubj", "nsubjpass"):
        return
    family = next(words for words in _FAMILIES if first.lower_ in words)
    subjects = [token for sentence in before.doc.sents for token in _subjects(sentence.root)]
    lost = any(token.pos_ in ("NOUN", "PROPN") and not after.has(token) for token in subjects)
    is_dummy = first.lower_ == "it" and any(child.dep_ == "acomp" for child in first.head.children)
    if lost and not family & before.words and not is_dummy:
        yield Finding(Kind.PRONOUN, Change.INVENTED, first.text)


_FAMILIES = (
    frozenset(("he", "him", "his")),
    frozenset(("she", "her")),
    frozenset(("it", "its", "they", "them", "their", "this", "these", "we", "us", "our")),
)


def _roles(side: Side) -> list[tuple[str, str, str]]:
    """Return verbs with their subject and object, those of a passive turned round; empty where there is none."""
    roles = []
    for verb in side.doc:
        if verb.pos_ != "VERB":
            continue
        child = {token.dep_: token.lemma_.lower() for token in verb.children if token.pos_ in ("NOUN", "PROPN")}
        agents = [word.lemma_.lower() for token in verb.children if token.dep_ == "agent" for word in token.children]
        if "nsubjpass" in child:
            roles.append((verb.lemma_.lower(), agents[0] if agents else "", child["nsubjpass"]))
        elif "nsubj" in child:
            roles.append((verb.lemma_.lower(), child["nsubj"], child.get("dobj", "")))
    return roles


_ANIMALS = ("animal", "bird", "fish", "mammal", "insect", "cattle")


def new_words(before: Side, after: Side) -> Iterator[Finding]:
    """Yield content words of the simplification that no word of the sentence is near; people where it has animals."""
    if not has_vectors():
        return
    for token in after.content:
        if token.is_alpha and token.pos_ in ("NOUN", "VERB", "ADJ") and not before.has(token):
            if cosine(token.lemma_.lower(), before.content_lemmas) < _LEAST:
                yield Finding(Kind.WORD, Change.INVENTED, token.text)
    if "people" in after.words - before.words:
        nouns = [token.lemma_.lower() for token in before.doc if token.pos_ == "NOUN"]
        if any(cosine(noun, _ANIMALS) > _ANIMAL for noun in nouns):
            yield Finding(Kind.WORD, Change.INVENTED, "people")
