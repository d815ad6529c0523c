"""What is learned from but not made: edits that are right elsewhere, where their neighbours speak against them."""

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import pairwise, takewhile

from textsimp.simplification.edit_tagger.doubtful_neighbours import (
    MISREAD,
    MISWRITTEN,
    NEVER,
    NOT_AFTER,
    NOT_BEFORE,
    NOT_SOON_BEFORE,
    NOT_WITH,
    ONLY_AFTER,
    ONLY_BEFORE,
    WRITTEN_BEFORE,
)
from textsimp.simplification.edit_tagger.edit_candidates import KINDS, Edit
from textsimp.simplification.edit_tagger.edit_words import EditWord
from textsimp.simplification.edit_tagger.name_words import MONTHS, WEEKDAYS, is_known_name, is_name_word
from textsimp.simplification.edit_tagger.plain_words import PAST_FORMS, PASTS
from textsimp.simplification.edit_tagger.word_classes import (
    ARTICLES,
    BE,
    BETWEEN,
    CONDITIONS,
    CONJUNCTIONS,
    COUNTS,
    DETERMINERS,
    ENDS,
    HAVE,
    LIGHT,
    MARKS,
    NOUNS_TOO,
    PAST_VERBS,
    PLURALS,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVES,
    VERBS,
)

_HEDGES = frozenset(
    "allegedly apparently arguably barely conceivably hardly likely maybe merely nearly nominally ostensibly perhaps"
    " possibly potentially presumably probably purportedly reportedly reputedly seemingly so-called supposedly".split()
)
"""Words without which more is said than was: they never go."""
_ASKED = frozenset("that whether how what which who whom whose why".split())
"""`... asked how it grows, and whether it pays` is one sentence."""
_NOUNS = frozenset(
    "adolescent component garment location merchant novel novels portion quantity residence tumour venue".split()
)
_ADJECTIVES = frozenset({"brief", "potential", "principal", "the sole"})
"""What is rewritten where it is a noun, and where it is an adjective, which the next word alone tells."""
_ATTRIBUTES = frozenset("altered modified required".split())
"""Participles that keep their sense before a noun."""
_STATES = frozenset("astonished enraged prolonged terrified".split())
"""What is rewritten where it describes somebody, and not where it is done to something."""
_ACTIVE = frozenset({"announced", "composed", "declared", "revealed"})
_DEGREES = frozenset("as how less more most not quite rather so than too very".split())
"""An adverb behind one of these cannot go alone: `as quickly as`, `not simply`."""
_COMPARED = frozenset({"more", "most"})
_SHORT = frozenset(
    "big bright calm clear dark dry early fast great hard huge large long old quick rich short strong wide".split()
)
"""Adjectives that are not compared with `more`."""
_SEVERAL = frozenset("few many several".split())
_PARTICLES = frozenset("up out off in down back over".split())
_OBJECTS = frozenset("it them him her us me you".split())
_POSSESSIVES = frozenset("my your his her its our their".split())
_MODALS = frozenset("to will would can could may might must shall should do does did not".split())
_POSSESSIVE = frozenset(("'", "'s", "’", "’s"))
_DASHES = frozenset("-–—")
_INSIDE = frozenset("/@_#&=-\\")
"""What stands between the words of an address, and of a compound."""
_GLUE = frozenset(".:?")
"""What may stand between the words of a file's name too, and elsewhere before a space."""
_SHORTEST_CLAUSE = 2
_AFTER_NOUN = VERBS | PAST_VERBS | PREPOSITIONS | CONJUNCTIONS | RELATIVES | MARKS | _POSSESSIVE | {"that"}
_BEFORE_NOUNS = PREPOSITIONS | ARTICLES | _POSSESSIVES
_AFTER_SUBJECTS = (_MODALS - {"to"}) | BE | HAVE | {"prior", "subsequent", "without"}
"""Behind what describes a subject by a participle: `those selected will come`."""
_GOVERNING = frozenset("after as at be for from into of on to with".split())
"""Last words of targets behind which something has to follow."""
_AMOUNTS = frozenset("about approximately around between exactly near nearly only over roughly under".split())
"""What a number may have before it."""
_NO_OBJECT = (MARKS | PREPOSITIONS | CONJUNCTIONS | VERBS | {"that"}) - _AMOUNTS
_ABBREVIATED = 4
"""Letters of a word that stands in a bracket alone and is none."""
_NUMBERED = 3
"""Characters at most of the number or letter of a part."""
_FEW = 5
_COUNTED = frozenset("one two three four five six seven eight nine ten hundred thousand million".split())
_YEAR = re.compile(r"[12]\d{3}s?")
_REFERENCES = frozenset(
    "article articles section sections subsection subsections paragraph paragraphs clause clauses rule regulation"
    " chapter part schedule item figure table equation step appendix annex".split()
)
_NOT_ONLY = frozenset(("not", word) for word in ("only", "just", "merely", "simply", "solely"))
_FINITE = (VERBS | PAST_VERBS) - {"be", "been", "being"}


def is_doubtful(edit: Edit, texts: Sequence[str]) -> bool:
    """Whether the folded words of a sentence speak against an edit.

    `required to` is no need, an `individual` before a noun no person, and what follows a new full stop no sentence if
    all that could be its verb is a participle (`a device strapped to his back`).
    """
    before = texts[edit.start - 1] if edit.start else "."
    after = texts[edit.end] if edit.end < len(texts) else "."
    if before in _INSIDE or after in _INSIDE:
        return True
    kind, source = KINDS[edit.kind], " ".join(texts[edit.start : edit.end])
    if not edit.target and not _HEDGES.isdisjoint(texts[edit.start : edit.end]):
        return True
    if kind == "bracket":
        inside = texts[edit.start + 1 : edit.end - 1]
        return _is_plainly_said(inside) or _is_wanted(inside, texts[max(0, edit.start - _FEW) : edit.start])
    if kind == "split":
        goes_on = before == "that" or after in _ASKED or _says_not_only(texts[: edit.start])
        return goes_on or (len(edit.target) == 1 and not _is_sentence(texts[edit.end :]))
    if kind not in ("replace", "judged", "drop"):
        return False
    if source.endswith(("although", "though")) and edit.target and not _is_clause(texts[edit.end :]):
        return True
    if source in NEVER or (kind == "judged" and (source in MISREAD or before in ("best", "better"))):
        return True
    if not edit.target and (before in _DEGREES or after in _POSSESSIVE or _is_said_twice(edit, texts)):
        return True
    if source == "separate" and not edit.target:
        return True
    if not edit.target and before in PREPOSITIONS and after in MARKS | _DASHES:  # `compared with today -`
        return True
    if _has_wrong_neighbour(source, before, after, texts[edit.end : edit.end + 4]) or _is_met(source, NOT_WITH, texts):
        return True
    return bool(edit.target) and _cannot_be_written(edit, source, texts, before, after)


def is_in_code(edit: Edit, words: Sequence[EditWord]) -> bool:
    """Whether what is rewritten stands between backticks, or in a name of several words without spaces: `vast.png`."""
    ticks = [number for number, word in enumerate(words) if word.folded == "`"]
    if ticks and sum(number < edit.start for number in ticks) % 2 and ticks[-1] >= edit.end:
        return True
    glued = {
        number
        for number in (edit.start - 1, edit.end)
        if 0 < number < len(words) - 1 and words[number].folded in _GLUE
        if not any(word.spaced for word in words[number : number + 2])
    }
    return any(words[number - 1].is_word and words[number + 1].is_word for number in glued)


def _has_wrong_neighbour(source: str, before: str, after: str, following: Sequence[str]) -> bool:
    """Whether what stands beside words gives them another sense; `following` are the next four."""
    if before in NOT_AFTER.get(source, ()) or after in NOT_BEFORE.get(source, ()):
        return True
    if before not in ONLY_AFTER.get(source, (before,)) or after not in ONLY_BEFORE.get(source, (after,)):
        return True
    if _is_met(source, NOT_SOON_BEFORE, following):
        return True
    if source.endswith("majority of"):
        is_whole = is_known_name(after) and not after.endswith("s")
        return is_whole or after in ARTICLES | DETERMINERS | _OBJECTS | _POSSESSIVES
    if source == "in the event of":
        clause = list(takewhile(lambda word: word not in MARKS | PREPOSITIONS, following))
        return any(word.endswith(("ing", "s")) and not word.endswith("ss") for word in clause)
    if source == "including":
        return before == "(" or after[:1].isdigit()
    return source == "due to" and before in BE and after not in ARTICLES | PRONOUNS | DETERMINERS


def _cannot_be_written(edit: Edit, source: str, texts: Sequence[str], before: str, after: str) -> bool:
    """Whether what is written, which is something, cannot stand there."""
    if (source.endswith("required") and after == "to") or (source.endswith("individual") and after not in _AFTER_NOUN):
        return True
    if source in NOUNS_TOO and before in CONJUNCTIONS:  # by rail and transport by sea
        return True
    if source in _NOUNS and after not in _AFTER_NOUN and not after.endswith(("ed", "ly")):
        return True
    if source in _ADJECTIVES and (after in _AFTER_NOUN or after.endswith(("ed", "ly"))):
        return True
    if source in _STATES and after in ARTICLES | DETERMINERS | _OBJECTS | _POSSESSIVES | {"by"}:
        return True
    if source == "considered" and after != "one" and BE.isdisjoint(texts[max(0, edit.start - 3) : edit.start]):
        return True
    if source == "described as":
        return after.endswith("ing")
    if source in _ACTIVE and not BE.isdisjoint(texts[max(0, edit.start - 2) : edit.start]):
        return True
    head, last = edit.target[0], edit.target[-1]
    if edit.target == ("such", "as") and not any(map(_is_plural, texts[max(0, edit.start - 2) : edit.start])):
        return True  # the price, including postage
    is_participle = source.endswith("ed") and source not in _ATTRIBUTES and (head.endswith("ed") or head in PAST_FORMS)
    if is_participle and before in ARTICLES | _POSSESSIVES:  # a constructed language
        return True
    if head in PASTS and (before in _BEFORE_NOUNS or after in _AFTER_SUBJECTS):
        return True  # at selected places
    if _would_be_said_twice(edit, texts):  # a municipality and town
        return True
    if last in MISWRITTEN.get(source, ()) or after not in WRITTEN_BEFORE.get((source, last), (after,)):
        return True
    if (before in _COMPARED and last in _SHORT) or (head == "very" and len(edit.target) > 1 and _is_degree(before)):
        return True
    if edit.target == ("close", "by") and after not in MARKS:
        return True
    if source.endswith(" of") and last in _SEVERAL and not any(map(_is_plural, texts[edit.end : edit.end + _FEW])):
        return True
    if len(edit.target) > 1 and last in _GOVERNING and (after in _NO_OBJECT or _is_manner(after)):
        return True  # asked for to leave; all must go to.
    if len(edit.target) > 1 and last in _PARTICLES and after in _OBJECTS:
        return True
    return before in _MODALS and head in BE | {"can", "could"}


def _is_plainly_said(bracket: Sequence[str]) -> bool:
    """Whether a bracket is in common words, and so says what a reader needs: no name, abbreviation, number or year."""
    if not (CONDITIONS - {"may"}).isdisjoint(bracket):  # May 2
        return True
    words = [word for word in bracket if word not in MARKS]
    is_short = len(words) == 1 and len(words[0]) <= _ABBREVIATED
    return not is_short and all(
        word.removesuffix("s") in WEEKDAYS or (word.isalpha() and not is_name_word(word)) for word in words
    )


def _is_met(source: str, table: Mapping[str, frozenset[str]], texts: Sequence[str]) -> bool:
    """Whether a row of a table for this source has one of these words."""
    return any(fnmatchcase(source, row) and not words.isdisjoint(texts) for row, words in table.items())


def _is_manner(word: str) -> bool:
    return word.endswith("ly") and word not in _AMOUNTS


def _is_degree(word: str) -> bool:
    return word in _DEGREES or word.endswith("ly")


def _is_plural(word: str) -> bool:
    return word in PLURALS or (word.endswith("s") and not word.endswith(("ss", "us", "is")))


def _is_wanted(bracket: Sequence[str], before: Sequence[str]) -> bool:
    """Whether a bracket is part of a reference (`section 51(2)`), or says how much and converts no other number."""
    left = before[-1] if before else ""
    is_part = len(bracket) == 1 and len(bracket[0]) <= _NUMBERED and _is_counted(left)
    if is_part or left in ENDS or left == "]":  # Renn et al. (2012), [text](address)
        return True
    has_number = any(word[0].isdigit() and not _YEAR.fullmatch(word) for word in bracket)
    is_date = any(_YEAR.fullmatch(word) or word in MONTHS for word in bracket)
    converts = any(word[0].isdigit() or word in _COUNTED for word in before)
    return has_number and not is_date and not converts


def _is_counted(word: str) -> bool:
    return word[:1].isdigit() or word == ")" or word in _REFERENCES


def _says_not_only(texts: Sequence[str]) -> bool:
    """Whether a `but` is still to come: `not only did they arrive late`."""
    return any(pair in _NOT_ONLY for pair in pairwise(texts))


def _is_said_twice(edit: Edit, texts: Sequence[str]) -> bool:
    """Whether what would go stands beside the same word: `very, very cold`."""
    near = (*texts[max(0, edit.start - 2) : edit.start], *texts[edit.end : edit.end + 2])
    return any(text in near for text in texts[edit.start : edit.end] if text not in MARKS)


def _would_be_said_twice(edit: Edit, texts: Sequence[str]) -> bool:
    near = (*texts[max(0, edit.start - 2) : edit.start], *texts[edit.end : edit.end + 3])
    if any(word in near for word in edit.target if word not in LIGHT | PREPOSITIONS | ARTICLES):
        return True
    is_word = edit.end - edit.start == len(edit.target) == 1 and edit.target[0] not in LIGHT | COUNTS
    return is_word and edit.target[0] in texts  # an enemy is a foe


def _is_sentence(rest: Sequence[str]) -> bool:
    """Whether these words have a verb of their own and do not begin with it: not `also hosted it`, `thus are lost`."""
    subject = next((number for number, word in enumerate(rest) if not _is_adverb(word)), 0)
    if _is_verb(*rest[subject : subject + 2]) or any(dash in word for word in rest[:3] for dash in _DASHES - {"-"}):
        return False
    return any(_is_verb(word, following) for word, following in zip(rest, [*rest[1:], "."], strict=True))


def _is_verb(word: str = ".", following: str = ".") -> bool:
    return word in _FINITE or (word.endswith("ed") and following not in PREPOSITIONS)


def _is_adverb(word: str) -> bool:
    return word in BETWEEN or word in ("thus", "therefore", "hence") or word.endswith("ly")


def _is_clause(rest: Sequence[str]) -> bool:
    """Whether a clause may begin here: not `quiet` or `subjected to` in `although quiet, she ...`."""
    size = next((number for number, word in enumerate(rest) if word in MARKS), len(rest))
    return size >= _SHORTEST_CLAUSE and not rest[0].endswith(("ed", "ing"))
