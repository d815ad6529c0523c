"""Negations, limits, conditions, speakers, roles and words of a sentence that its simplification has otherwise."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING

from textsimp.simplification.checks.parsed_texts import (
    LEFT_OUT,
    Finding,
    Side,
    clause,
    cosine,
    glove,
    is_content,
    words,
)

if TYPE_CHECKING:
    from spacy.tokens import Token

_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "mis")
_NOT_DENIED = ("only", "just", "merely", "necessarily", "doubt", ".")
_LIMITS = tuple("only even about perhaps must can most least except often hardly fully soon seem latest".split())
_NEVER_NEW = ("only", "must", "most", "least", "except")
_SUBJECTS = ("nsubj", "nsubjpass", "expl", "csubj", "csubjpass")
# Cosine from which a new word may come of an old one, and that of the names of animals.
_LEAST, _ANIMAL = 0.4, 0.75
_ANIMALS = ("animal", "bird", "fish", "mammal", "insect", "cattle")
# Share of the words around a limit that have to be there for its loss to alarm.
_SHARE = 0.6


def changed_negations(before: Side, after: Side) -> Iterator[Finding]:
    """Yield what is denied in one of the texts alone: by a word, or by a prefix or ending of it."""
    for side, facing, change in ((before, after, "lost"), (after, before, "invented")):
        denials = [token for token in facing.tokens if _denies(token)]
        denied = any(_bare(word) & side.words for word in facing.words) or facing.words & words("implied") - side.words
        for token in side.tokens:
            if _denies(token):
                following = token.nbor().lower_ if token.i + 1 < len(token.doc) else ""
                is_doubled = _bare(following) and following not in facing.words  # not illegal
                if not denied and not is_doubled and not _is_denied(token, denials):
                    kept = change == "invented" or facing.keeps(clause(token)[:1]) or facing.keeps(clause(token))
                    yield Finding("negation", change if kept else LEFT_OUT, token.text)
            elif token.lower_ not in facing.words and not denials and not facing.words & words("implied"):
                says_no = token.lemma_.lower() in words("denials") and facing.keeps(token.subtree)
                if says_no or _bare(token.lower_) & facing.words - side.words:
                    yield Finding("negation", change, token.text)


def _denies(token: "Token") -> bool:
    following = token.nbor().lower_ if token.i + 1 < len(token.doc) else ""
    return token.lower_ in words("negations") and following not in _NOT_DENIED


def _is_denied(token: "Token", denials: Sequence["Token"]) -> bool:
    """Return whether these words deny what a word of the other text denies; one may deny several verbs."""
    if denials and sum(map(_denies, token.doc)) <= len(denials):
        return True
    scope = {other.lemma_.lower() for other in clause(token)}
    denied = (word for denial in denials for head in clause(denial)[:1] for word in (*clause(denial), *head.conjuncts))
    return any(word.lemma_.lower() in scope for word in denied)


def _bare(word: str) -> frozenset[str]:
    forms = {word.removeprefix(start) for start in _PREFIXES if word.startswith(start) and len(word) > len(start) + 3}
    stem = word.removesuffix("less")
    return frozenset(forms | ({stem, f"{stem}ful"} if 2 < len(stem) < len(word) else set()))


def changed_limits(before: Side, after: Side) -> Iterator[Finding]:
    """Yield words that limit, widen, oblige, allow or hedge in one of the texts alone; a new reason."""
    orders = any(text.root.tag_ == "VB" and not _subjects(text.root) for text in after.doc.sents)
    for side, facing, change in ((before, after, "lost"), (after, before, "invented")):
        for name in _LIMITS:
            own = words("limits", name)
            said = None if change == "invented" and name not in _NEVER_NEW else side.says(own)
            if said is None or facing.says(own | words("said_by", name)) or (name == "must" and orders):
                continue
            if not (name == "can" and any(child.dep_ == "auxpass" for child in said[0].head.children)):
                kept = change == "invented" or facing.keeps(clause(said[0]), _SHARE)
                yield Finding("limit", change if kept else LEFT_OUT, said[1])
    if not before.words & words("reasons") and (reason := after.says(words("new_reasons"))):
        yield Finding("limit", "invented", reason[1])


def _subjects(verb: "Token") -> list["Token"]:
    return [child for child in verb.children if child.dep_ in _SUBJECTS]


def changed_conditions(before: Side, after: Side) -> Iterator[Finding]:
    """Yield conditions that are gone, or that the simplification adds."""
    for side, facing, change in ((before, after, "lost"), (after, before, "invented")):
        said = side.says(words("conditions"))
        if change == "lost" and side.says(words("exceptions")) and not facing.says(words("keeps_exception")):
            yield Finding("condition", change, "unless")
            continue
        if said and not facing.says(words("conditions")) and not facing.words & words("keeps_condition") - side.words:
            yield Finding("condition", change, said[1])


def changed_speakers(before: Side, after: Side) -> Iterator[Finding]:
    """Yield verbs of saying whose speaker is gone while what was said is told as a fact."""
    for token in () if after.words & words("keeps_speaking") else before.tokens[:-1]:
        if token.lemma_.lower() in words("speaking") and token.pos_ in ("VERB", "NOUN"):
            said = [child for child in token.children if child.dep_ in ("ccomp", "xcomp")]
            if token.nbor().tag_ in ("VBZ", "VBD", "VBP", "MD"):  # who you state resides there
                said.append(token.nbor())
            if any(after.keeps(head.subtree) for head in said):
                yield Finding("speaker", "lost", token.text)


def changed_roles(before: Side, after: Side) -> Iterator[Finding]:
    """Yield subjects that were objects of the same verb, and a first pronoun for a subject that is nowhere."""
    for (verb, subject, thing), (old_verb, old_subject, old_thing) in product(_roles(after), _roles(before)):
        was_object = subject and subject == old_thing != old_subject and old_subject and thing in (old_subject, "")
        was_subject = thing and thing == old_subject != subject and old_thing and subject in (old_thing, "")
        if verb == old_verb and (was_object or was_subject):
            yield Finding("role", "changed", f"{subject or thing} {verb}")
    first = next((token for token in after.tokens if token.pos_ in ("NOUN", "PROPN", "PRON")), None)
    family = next((words(name) for name in ("he", "she", "it") if first and first.lower_ in words(name)), None)
    if not first or not family or family & before.words or first.dep_ not in _SUBJECTS:
        return
    subjects = [token for sentence in before.doc.sents for token in _subjects(sentence.root) if token.pos_ != "PRON"]
    is_dummy = first.lower_ == "it" and any(child.dep_ == "acomp" for child in first.head.children)
    if not is_dummy and any(not after.has(token) for token in subjects):
        yield Finding("pronoun", "invented", first.text)


def _roles(side: Side) -> list[tuple[str, str, str]]:
    """Return verbs with their subject and object, those of a passive turned round; empty where there is none."""
    roles = []
    for verb in (token for token in side.tokens if token.pos_ == "VERB"):
        child = {token.dep_: token.lemma_.lower() for token in verb.children if token.pos_ in ("NOUN", "PROPN")}
        agents = [word.lemma_.lower() for token in verb.children if token.dep_ == "agent" for word in token.children]
        passive = (agents[0] if agents else "", child.get("nsubjpass", ""))
        active = (child.get("nsubj", ""), child.get("dobj", ""))
        roles.append((verb.lemma_.lower(), *(passive if any(passive) else active)))
    return roles


def new_words(before: Side, after: Side) -> Iterator[Finding]:
    """Yield content words of the simplification that no word of the sentence is near; people where it has animals."""
    for token in after.tokens if glove() else ():
        is_word = token.is_alpha and token.pos_ in ("NOUN", "VERB", "ADJ") and is_content(token)
        if is_word and not before.has(token) and before.nearness(token.lemma_.lower()) < _LEAST:
            yield Finding("word", "invented", token.text)
    if "people" in after.words - before.words:
        nouns = (token.lemma_.lower() for token in before.tokens if token.pos_ == "NOUN")
        if any(cosine(noun, animal) > _ANIMAL for noun in nouns for animal in _ANIMALS):
            yield Finding("word", "invented", "people")
