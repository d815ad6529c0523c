"""What a simplification says otherwise than its sentence: numbers, names, denials, limits, roles, and its form."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from textsimp.simplification.checks.parsed_texts import (
    LEFT_OUT,
    LIMITS,
    Finding,
    Side,
    clause,
    cosine,
    following,
    glove,
    is_content,
    words,
)

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
_YEAR = re.compile(r"\b(\d\d)\d\d\s?[-–/](\d\d)$")
# What text2num does not read; the first three make a number before them larger.
_OTHERS = {"dozen": 12.0, "decade": 10.0, "century": 100.0, "half": 0.5, "quarter": 0.25, "both": 2.0, "twice": 2.0}
_OTHERS |= {"once": 1.0, "couple": 2.0, "pair": 2.0, "double": 2.0, "single": 1.0}
_CURRENCIES = {"$": "dollar", "£": "pound", "€": "euro", "¥": "yen", "eur": "euro", "usd": "dollar", "gbp": "pound"}
_UNITS = frozenset({*_CURRENCIES.values(), "percent"})
_SUMS = ("DATE", "TIME", "MONEY", "QUANTITY", "PERCENT")
_SOFT = frozenset((0.0, 0.5, 1.0, 2.0, 100.0, 10.0))
_MONTHS = "january february march april may june july august september october november december".split()
_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "mis")
_SUBJECTS = ("nsubj", "nsubjpass", "expl", "csubj", "csubjpass")
_PEOPLE = frozenset(("i", "you", "we", "he", "she", "they", "anyone", "everyone"))
# Cosine from which a new word may come of an old one, and that of the names of animals.
_LEAST, _ANIMAL = 0.4, 0.75
_SHARE = 0.6  # of the words around a limit that have to be there for its loss to alarm
_QUOTED = re.compile(r"[\"“”„«»]([^\"“”„«»]+)[\"“”„«»]|(?<!\w)[‘']([^‘’']{3,})[’'](?!\w)|``(.+?)''")
_BRACKET = re.compile(r"\(([^()]*)\)|\[\[?([^\[\]]*)\]\]?|-lrb- (.*?) -rrb-")
_LIFE = r"\bborn\b|^see\b|^\D*(\d\d?\D+)?\d{3,4}\s*[-–]?\s*(\D*\d\d?\D+)?\d{3,4}$"
_BY_THE_WAY = re.compile(_LIFE + r"|^\D*[\d,.–-]+\s*(km|mi|m|ft|feet|lb|kg|cm|in|sq)\b")
_WORD = re.compile(r"\w+(?:[.:'’-]\w+)*")
_FINITE = frozenset(("VBD", "VBP", "VBZ", "MD"))


def _both_ways(before: Side, after: Side) -> tuple[tuple[Side, Side, str], ...]:
    """Return each text with the other one, and how it is called if only the first says something."""
    return (before, after, "lost"), (after, before, "invented")


class _Number(NamedTuple):
    """A number: its first token, text, values (a range has two), and what it counts; `soft` where words may say it."""

    token: "Token"
    text: str
    values: set[float]
    unit: str
    soft: bool


class _Word(NamedTuple):
    """A token for text2num."""

    token: "Token"

    def text(self) -> str:
        return self.token.lower_

    def nt_separated(self, previous: object) -> bool:
        return False

    def not_a_number_part(self) -> bool:
        return self.token.lower_ == "one" and self.token.pos_ in ("PRON", "DET")


def _numbers(side: Side) -> list[_Number]:
    """Return the numbers of a text: text2num reads the words, and `1.5 million` is one number."""
    from text_to_num import find_numbers

    doc, found, end = side.doc, list[_Number](), 0
    spoken = {item.start: item for item in find_numbers([_Word(token) for token in side.tokens], "en", threshold=0)}
    for token in side.tokens:
        item = spoken.get(token.i)
        if token.i < end:
            continue
        end, values = token.i + 1, _values(token)
        if values and end in spoken and spoken[end].value >= 100:
            values, end = {value * spoken[end].value for value in values}, spoken[end].end
        elif item and not values:
            values, end = {float(item.value)}, item.end
        elif token.lemma_ in _OTHERS:
            values = {_OTHERS[token.lemma_]}
        if values and end < len(doc) and (times := _OTHERS.get(doc[end].lemma_, 0)) >= 10:
            values |= {value * times for value in values}
        if values:
            soft = token.is_alpha and (values <= _SOFT or bool(item and item.is_ordinal))
            found.append(_Number(token, doc[token.i : end].text, values, _unit(token, doc[end - 1]), soft))
    return found


def _values(token: "Token") -> set[float]:
    values = {float(part.replace(",", "")) for part in _DIGITS.findall(token.text)}
    before = token.doc[max(token.i - 2, 0) : token.i].text if re.fullmatch(r"\d\d", token.text) else ""
    if match := _YEAR.search(before + token.text):  # 1990-95
        values.add(float(match[1] + match[2]))
    return values


def _unit(first: "Token", last: "Token") -> str:
    """Return the lemma of what a number counts, a currency or `percent`; empty where it counts nothing."""
    signs = {first.nbor(-1).lower_ if first.i else "", following(last)}
    if currency := next(filter(signs.__contains__, _CURRENCIES), None):
        return _CURRENCIES[currency]
    if following(last) in ("%", "percent") or last.doc[last.i + 1 : last.i + 3].text == "per cent":
        return "percent"
    return last.head.lemma_.lower() if last.dep_ in ("nummod", "amod", "quantmod", "compound") else ""


def _changed_numbers(before: Side, after: Side) -> Iterator[Finding]:
    """Yield the numbers and currencies that only one of the texts has, and numbers that count something else."""
    old, new = _numbers(before), _numbers(after)
    old_values = {value for number in old for value in number.values}
    old_values |= {_MONTHS.index(word) + 1.0 for word in before.words.intersection(_MONTHS)}
    new_values = {value for number in new for value in number.values}
    for number in old:
        has_unit = number.unit not in _UNITS or number.unit in {n.unit for n in new} | after.words
        if not has_unit and number.values & new_values:
            yield Finding("number", "lost", number.unit)
        if not number.soft and not number.values & _forms(new_values):
            yield Finding("number", "lost" if _is_cut(number.token, after) else LEFT_OUT, number.text)
    joints = sum(token.lower_ in ("and", "or", ",") for token in before.tokens)
    for number in new:
        is_old = number.soft or number.values <= _forms(old_values)
        counts = number.text.isalpha() and min(number.values) <= joints + 1  # how many things the sentence lists
        is_item = number.token.is_sent_start and number.token.doc[number.token.i + 1 :][:1].text in (".", ")")
        if (not is_old and not counts and not is_item) or (is_old and any(_takes(number, n, old, new) for n in old)):
            yield Finding("number", "invented", number.text)
        if number.unit in _UNITS and number.unit not in {n.unit for n in old} | before.words | {"percent"}:
            yield Finding("number", "invented", number.unit)


def _forms(values: set[float]) -> set[float]:
    """Return numbers, and what else they may be written as: 50% for a half, the 1800s for the 19th century."""
    return values | {form for n in values for form in (n * 100, n * 100 - 100, n / 100, n / 100 + 1)}


def _takes(new: _Number, old: _Number, olds: list[_Number], news: list[_Number]) -> bool:
    """Return whether a number counts what another one of the sentence counted, which now counts something else."""
    if not new.unit or new.unit != old.unit or new.values & old.values:
        return False
    pairs = [(number, new) for number in olds] + [(number, old) for number in news]
    return not any(number.unit == new.unit and number.values & other.values for number, other in pairs)


def _is_cut(token: "Token", after: Side) -> bool:
    """Return whether what a number belongs to is still there: what it counts, or the rest of its date or sum."""
    spans = (span for span in token.doc.ents if span.label_ in _SUMS and span.start <= token.i < span.end)
    rest = {other.lower_ for span in spans for other in span if other.like_num or other.lower_ in _MONTHS}
    counted = {token.head.lemma_.lower()} if token.dep_ == "nummod" and token.head.pos_ == "NOUN" else set()
    return bool((rest - {token.lower_} | counted) & after.words)


def _changed_names(before: Side, after: Side) -> Iterator[Finding]:
    """Yield the names that only one of the texts has, where capitals tell them; those that are gone are left out."""
    if before.doc.text.islower():
        return
    for token in after.tokens:
        is_name = token.pos_ == "PROPN" and token.text[0].isupper() and token.is_alpha
        if is_name and not before.has(token):
            yield Finding("name", "invented", token.text)
    names = [span.root for span in before.doc.ents if span.root.pos_ == "PROPN" and not any(map(after.has, span))]
    yield from (Finding("name", LEFT_OUT, name.text) for name in names)


def _changed_negations(before: Side, after: Side) -> Iterator[Finding]:
    """Yield what is denied in one of the texts alone: by a word, or by a prefix or ending of it."""
    for side, facing, change in _both_ways(before, after):
        denials = [token for token in facing.tokens if _denies(token)]
        denied = any(_bare(word) & side.words for word in facing.words) or facing.words & words("implied") - side.words
        for token in side.tokens:
            if _denies(token):
                is_doubled = _bare(following(token)) and following(token) not in facing.words  # not illegal
                if not denied and not is_doubled and not _is_denied(token, denials):
                    kept = change == "invented" or facing.keeps(clause(token)[:1]) or facing.keeps(clause(token))
                    yield Finding("negation", change if kept else LEFT_OUT, token.text)
            elif token.lower_ not in facing.words and not denials and not facing.words & words("implied"):
                says_no = token.lemma_.lower() in words("denials") and facing.keeps(token.subtree)
                if says_no or _bare(token.lower_) & facing.words - side.words:
                    yield Finding("negation", change, token.text)


def _denies(token: "Token") -> bool:
    return token.lower_ in words("negations") and following(token) not in words("not_denied")


def _is_denied(token: "Token", denials: Sequence["Token"]) -> bool:
    """Return whether these words deny what a word of the other text denies; one may deny several verbs."""
    if denials and sum(map(_denies, token.doc)) <= len(denials):
        return True
    scope = {other.lemma_.lower() for other in clause(token)}
    return any(word.lemma_.lower() in scope for denial in denials for word in clause(denial))


def _bare(word: str) -> frozenset[str]:
    forms = {word.removeprefix(start) for start in _PREFIXES if word.startswith(start) and len(word) > len(start) + 3}
    stem = word.removesuffix("less")
    return frozenset(forms | ({stem, f"{stem}ful"} if 2 < len(stem) < len(word) else set()))


def _changed_limits(before: Side, after: Side) -> Iterator[Finding]:
    """Yield words that limit, widen, oblige, allow or hedge in one of the texts alone; a new reason."""
    orders = any(text.root.tag_ == "VB" and not _subjects(text.root) for text in after.doc.sents)
    for side, facing, change in _both_ways(before, after):
        for name in LIMITS:
            own = words("limits", name)
            said = None if change == "invented" and name not in words("never_new") else side.says(own)
            least = side.count(own) if change == "lost" else 1  # a sentence that was split says it twice
            is_said = facing.count(own) >= least or facing.says(words("said_by", name) - side.words)
            if said is None or is_said or (name == "must" and orders):
                continue
            if not (name == "can" and any(child.dep_ == "auxpass" for child in said[0].head.children)):
                kept = change == "invented" or facing.keeps(clause(said[0]), _SHARE)
                yield Finding("limit", change if kept else LEFT_OUT, said[1])
    if not before.words & words("reasons") and (reason := after.says(words("new_reasons"))):
        yield Finding("limit", "invented", reason[1])


def _subjects(verb: "Token") -> list["Token"]:
    return [child for child in verb.children if child.dep_ in _SUBJECTS]


def _changed_conditions(before: Side, after: Side) -> Iterator[Finding]:
    """Yield conditions that are gone, or that the simplification adds."""
    for side, facing, change in _both_ways(before, after):
        said, keeping, exceptions = side.says(words("conditions")), words("keeps_exception"), words("exceptions")
        is_fewer = facing.count(keeping) < side.count(keeping) and not facing.says(keeping - (side.words - exceptions))
        if change == "lost" and side.says(exceptions) and is_fewer:
            yield Finding("condition", change, "unless")
        elif said and not facing.says(words("conditions")) and not facing.words & words("keeps_condition") - side.words:
            yield Finding("condition", change, said[1])


def _changed_speakers(before: Side, after: Side) -> Iterator[Finding]:
    """Yield verbs of saying of which what was said, or a part of it that was split off, is told as a fact."""
    sentences = list(after.doc.sents)
    facts = [text for text in sentences if not Side(text.as_doc()).words & words("keeps_speaking")]
    for token in before.tokens[:-1] if facts else ():
        if token.lemma_.lower() in words("speaking"):
            said = [child for child in token.children if child.dep_ in ("ccomp", "xcomp")]
            if token.nbor().tag_ in ("VBZ", "VBD", "VBP", "MD"):  # who you state resides there
                said.append(token.nbor())
            inner = {word for head in said for word in head.subtree}
            inner -= {word for clause in inner if clause.dep_ == "relcl" for word in clause.subtree}
            verbs = {word.lemma_ for word in inner if word.pos_ in ("VERB", "AUX")}
            verbs -= {word.lemma_ for word in before.tokens if word not in inner}
            is_split = not _QUOTED.search(before.doc.text) and any(text.root.lemma_ in verbs for text in facts)
            if is_split or (len(facts) == len(sentences) and any(after.keeps(head.subtree) for head in said)):
                yield Finding("speaker", "lost", token.text)


def _changed_roles(before: Side, after: Side) -> Iterator[Finding]:
    """Yield subjects that were objects of the same verb, a pronoun for a subject that is nowhere, `it` for people."""
    for (verb, subject, thing), (old_verb, old_subject, old_thing) in product(_roles(after), _roles(before)):
        was_object = subject and subject == old_thing != old_subject and old_subject and thing in (old_subject, "")
        was_subject = thing and thing == old_subject != subject and old_thing and subject in (old_thing, "")
        if verb == old_verb and (was_object or was_subject):
            yield Finding("role", "changed", f"{subject or thing} {verb}")
    first = next((token for token in after.tokens if token.pos_ in ("NOUN", "PROPN", "PRON")), None)
    family = next((words(name) for name in ("he", "she", "it") if first and first.lower_ in words(name)), None)
    if first and family and not family & before.words:
        subjects = (token for sentence in before.doc.sents for token in _subjects(sentence.root))
        if any(token.pos_ != "PRON" and not after.has(token) for token in subjects):
            yield Finding("pronoun", "invented", first.text)
    for it in (token for token in after.tokens if token.lower_ == "it" and token.is_sent_start):
        known = [token for token in before.tokens if token.lemma_ == it.head.lemma_ and token.pos_ == "VERB"]
        owner = _subject(known[0]) if len(known) == 1 and it.dep_ in _SUBJECTS else None
        if owner and (owner.ent_type_ == "PERSON" or owner.tag_ in ("NNS", "NNPS") or owner.lower_ in _PEOPLE):
            yield Finding("pronoun", "changed", f"it {it.head.text}")


def _subject(verb: "Token") -> "Token | None":
    """Return the subject of a verb, that of the verb it is joined to, or the noun that its clause describes."""
    own = next(iter(_subjects(verb)), None)
    if own is None and verb.dep_ == "conj" and verb.head.pos_ in ("VERB", "AUX"):
        return _subject(verb.head)
    is_clause = verb.dep_ == "acl" or (own is not None and own.tag_ in ("WDT", "WP"))
    return verb.head if is_clause else own


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


def _new_words(before: Side, after: Side) -> Iterator[Finding]:
    """Yield content words of the simplification that no word of the sentence is near; people where it has animals."""
    for token in after.tokens if glove() else ():
        is_word = token.is_alpha and token.pos_ in ("NOUN", "VERB", "ADJ") and is_content(token)
        if is_word and not before.has(token) and before.nearness(token.lemma_.lower()) < _LEAST:
            yield Finding("word", "invented", token.text)
    if "people" in after.words - before.words:
        nouns = (token.lemma_.lower() for token in before.tokens if token.pos_ == "NOUN")
        if any(cosine(noun, animal) > _ANIMAL for noun in nouns for animal in words("animals")):
            yield Finding("word", "invented", "people")


def _changed_quotations(before: Side, after: Side) -> Iterator[Finding]:
    """Yield quotations of which the simplification has some words and not all in their order."""
    said = _WORD.findall(after.doc.text.lower())
    for match in _QUOTED.finditer(before.doc.text):
        quoted = _WORD.findall(next(filter(None, match.groups())).lower())
        if quoted and " ".join(quoted) not in " ".join(said):
            kept = sum(word in said for word in quoted) >= max(1, 0.4 * len(quoted))
            yield Finding("quotation", "changed" if kept or _QUOTED.search(after.doc.text) else LEFT_OUT, match[0])
    marks = [sum(side.doc.text.count(mark) for mark in '"“”') % 2 for side in (before, after)]
    if marks == [0, 1]:
        yield Finding("quotation", "changed", "one mark alone")


def _changed_brackets(before: Side, after: Side) -> Iterator[Finding]:
    """Yield brackets that are gone with what they held.

    They alarm with a number, name, abbreviation, limit or denial inside, behind a name that is still there, and in
    square brackets; conversions of a measure and dates of a life do not.
    """
    matters = words("negations") | words("conditions") | words("limits", "only") | words("limits", "except")
    old, new = (Counter(_WORD.findall(side.doc.text.lower())) for side in (before, after))
    for match in _BRACKET.finditer(before.doc.text):
        inner = next(filter(None, match.groups()), "").strip()
        held = _WORD.findall(inner.lower())
        if held and all(new[word] < old[word] for word in held):
            first = next((token for token in reversed(before.tokens) if token.idx < match.start()), None)
            is_kept = first is not None and first.pos_ == "PROPN" and after.has(first)
            counts = re.search(r"[A-Z\d\[]", match[0]) or not matters.isdisjoint(held) or is_kept
            yield Finding("bracket", "lost" if counts and not _BY_THE_WAY.search(inner) else LEFT_OUT, match[0])


def _broken_sentences(before: Side, after: Side) -> Iterator[Finding]:
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
    tokens = tokens[1:] if tokens and tokens[0].lower_ == "however" else tokens
    if sum(token.is_alpha for token in tokens) < 2 or sentence.text[0] in "([-":
        return ""
    root, asks = sentence.root, "?" in sentence.text
    has_auxiliary = any(child.dep_ in ("aux", "auxpass") for child in root.children)
    if not asks and (root.pos_ not in ("VERB", "AUX") or (root.tag_ in ("VBG", "VBN") and not has_auxiliary)):
        return "no verb"
    verbs = [token for token in tokens if token.pos_ in ("VERB", "AUX") and token.dep_ not in ("amod", "compound")]
    strands = any(token.tag_ == "VBN" or token.dep_ in ("relcl", "acl") for token in verbs)
    if tokens[-1].lower_ in words("no_end") or (tokens[-1].lower_ in words("prepositions") and not strands):
        return "no end"
    if _says_nothing(tokens):
        return "nothing said"
    subjects = [token for token in tokens if token.dep_ in ("nsubj", "nsubjpass", "csubj", "expl")]
    place = 2 if tokens[1].lower_ == "of" and len(tokens) > 2 else int(tokens[0].pos_ == "ADP")
    opening = tokens[place].lower_  # `one of which`, `in which case`
    before = [child for child in root.children if child.i < root.i]
    says = any(child.dep_ == "ccomp" for child in before)  # how it happened we do not know
    marked = not says and any(child.dep_ == "mark" or (child.tag_, child.dep_) == ("WRB", "advmod") for child in before)
    if not asks and (opening in ("which", "whom", "whose") or marked):
        return "no main clause"
    is_verb = tokens[0].tag_ in (*_FINITE, "VBN") and tokens[0].dep_ in ("ROOT", "aux", "auxpass")
    if is_verb and not asks and not any(token.head.i == root.i for token in subjects):
        return "no subject"
    return next((f"{token.text!r} before nothing" for token in tokens if _hangs(token)), "")


def _says_nothing(tokens: list["Token"]) -> bool:
    """Return whether nothing was said (`He said.`), or `This is` has no more than a place or a way behind it."""
    last, (first, verb, *rest) = tokens[-1], tokens
    if last.lower_ == "said" and last.tag_ == "VBD":
        return not any(child.dep_ == "ccomp" for child in last.children)
    is_this = first.lower_ == "this" and verb.lemma_ == "be" and bool(rest)
    return is_this and rest[0].lower_ in words("no_predicate") and rest[0].pos_ != "PART"


def _hangs(token: "Token") -> bool:
    """Return whether an article, a preposition or a conjunction has nothing to stand before."""
    after = token.nbor() if token.i + 1 < len(token.doc) else token
    if token.lower_ in ("the", "a", "an"):
        return after.tag_ in (*_FINITE, "IN", ".", ",", "CC", "WP")
    if token.lower_ == "but" and token.i and token.nbor(-1).text == ",":
        return "," in [other.text for other in token.doc[token.i + 1 : token.i + 3]] and not after.is_title
    is_bare = token.lower_ in words("prepositions") and token.dep_ == "prep" and not token.n_rights
    return is_bare and after.tag_ in ("VBD", "VBZ", ",", "CC")


# What a simplification says otherwise than its sentence, numbers first.
CHECKS: tuple[Callable[[Side, Side], Iterator[Finding]], ...] = (
    *(_changed_numbers, _changed_names, _changed_negations, _changed_limits, _changed_conditions, _changed_speakers),
    *(_changed_roles, _new_words, _changed_quotations, _changed_brackets, _broken_sentences),
)
