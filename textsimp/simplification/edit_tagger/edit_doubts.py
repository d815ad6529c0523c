"""What is learned from but not made: edits that are right elsewhere, where their neighbours speak against them.

The tables come from reading: some 1,500 edits of sentences of encyclopedias and news, sorted by what is rewritten.
"""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from textsimp.simplification.common_words import is_known_name, is_name_word
from textsimp.simplification.edit_tagger.edit_candidates import KINDS, Edit
from textsimp.simplification.edit_tagger.plain_words import PASTS
from textsimp.simplification.edit_tagger.word_classes import (
    ARTICLES,
    BE,
    BEFORE_INFINITIVES,
    BETWEEN,
    CONDITIONS,
    CONJUNCTIONS,
    DETERMINERS,
    HAVE,
    LIGHT,
    MARKS,
    PAST_VERBS,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVES,
    VERBS,
)

_MISREAD = frozenset(
    "again allowed allows contemporary continued developed directly employed especially extended extensive form"
    " formed generated included includes just launched main noted now occur occurs once opposed original particular"
    " performed permitted portrayed portrays prominent protect protects represents settlement significantly"
    " structure structures then title together total traditional widespread".split()
) | {"contributed to"}
"""What the list has where the sentence says so, and what was wrong in most of the sentences that were read."""
_NEVER = frozenset(
    "completely determine determined determines determining encounter encounters funds incorporated manufacturing"
    " soon".split()
)
"""The same of what the list is sure of: what is determined is found out more often than decided."""
_HEDGES = frozenset(
    "allegedly apparently arguably barely conceivably hardly likely maybe merely nearly nominally ostensibly perhaps"
    " possibly potentially presumably probably purportedly reportedly reputedly seemingly so-called supposedly".split()
)
"""Words without which more is said than was: they never go."""
_ASKED = frozenset("that whether how what which who whom whose why".split())
"""`... asked how it grows, and whether it pays` is one sentence."""


def _rows(lines: str) -> dict[str, frozenset[str]]:
    """`source / source: word word` of each line."""
    table = {}
    for line in lines.strip().splitlines():
        sources, _, words = line.partition(": ")
        table.update(dict.fromkeys(sources.strip().split(" / "), frozenset(words.split())))
    return table


_NOT_AFTER = _rows("""
    beginning: a an the this that its his her their my our your every each new very
    commencement: to before after until on upon from at since
    attorney / attorneys: district states prosecuting
    film / films: adhesive cling clear oily photographic plastic polymer protective sticky surface thin transparent
    highly: think thinks thought speak spoke
    illness: mental
    in possession of: am is are was were be been being
    permitting: weather time health
    organisation: treaty health trade labour maritime
    organization: treaty health trade labor maritime
    possibly: could couldn't not
    previously: than
    remains: human skeletal the his her their its these of and
    residence: of
    professional: of than not
    proposed: a an the this that these its his her their newly
    simply: not n't than
    specific: a
    opposed to: as
    termination: upon on until at
    very: the this that its his her their
""") | {
    ", though": frozenset({"that"}),
    ", although": frozenset({"that"}),
    "construction": MARKS | {"under"},
    "insufficient": PREPOSITIONS,
    "stated": PRONOUNS | DETERMINERS | ARTICLES,
}
_NOT_BEFORE = _rows("""
    appointed: by to as in on for
    ancient: rome roman greek greece egypt egyptian china chinese history world times civilization civilisation
    attorney: general
    considered: as to
    continue / continued / continues / continuing: to
    district: attorney court of
    due to: appear arrive be begin close come end expire go leave open play return start take
    film / films: festival festivals
    a number of / a range of / a variety of: the this that these those its his her their a an
    even: though if when as so more less total the
    including: a an one two three four five six seven eight nine ten many some several about his her its their all both
    known as: a an one
    multiple: sclerosis choice myeloma births
    overall: pick
    prior: written consent notice notification warning approval permission agreement
    proceed: to
    proceed to: a an the your his her their our
    perhaps: best better most more
    primary: school schools education election elections challenge care color colour colors colours
    produced: by
    provided: that by
    residents: ' ’ 's ’s
    very: few rare rarely little
    well-known / well known: fact facts that
""") | {
    ", though": MARKS,
    ", although": MARKS,
    "term": MARKS | {"of"},
}
_ONLY_AFTER = _rows("""
    municipality: a an small large rural former new
    attempts: the his her their its these those many several some two three failed previous further of all
    refers to: it term word phrase usually
    separate: a the two three four five several many
    term: the
""") | {"complete": BEFORE_INFINITIVES - {"not"}}
_ONLY_BEFORE = _rows("""
    acquired: by
    announced: that . ,
    believed: to that
    declared: that
    designed: to for in so as
    established: in by
    features: a an the many several his her two three
    introduced: to into
    major: city cities change changes problem problems part role difference effect effects impact success event events
    method / methods: of for to
    returned: to home from in
    revealed: that how
    significant: role contribution contributions event events figure figures factor factors step moment discovery . ,
    survive: in on at by for with without . , and or but
""")
_TIMES = frozenset("second minute hour day week month year decade century lifetime".split())
_NOT_SOON_BEFORE = _rows("""
    requir*: to
    inhabit*: coast coasts earth island islands islet mainland peninsula plain plains planet plateau
    complet*: application applications form forms questionnaire section sections survey
    resulting in / resulted in / leading to / led to: being
""") | {"within": _TIMES | {f"{time}s" for time in _TIMES} | {"centuries"}}
"""Words of which none may be among the next four, as a form is completed by filling it in; `*` is any ending."""
_MISWRITTEN = _rows("""
    composed: up
    remains: stays
    throughout: in across
    destroy: ruin
    destroys: ruins
    destroyed: ruined
    destroying: ruining
    conflict: war fight
    conflicts: wars fights
    dispute: fight
    disputes: fights
""")
"""Last words of targets that are wrong for a source."""
_WRITTEN_BEFORE = {
    ("considerable", "large"): frozenset("amount amounts number numbers part portion proportion sum sums".split())
}
"""Sources and last words of targets, and the words before which alone they mean the same."""
_NOUNS = frozenset({"novel", "novels"})
_ADJECTIVES = frozenset({"potential", "principal"})
"""What is rewritten where it is a noun, and where it is an adjective, which the next word alone tells."""
_ACTIVE = frozenset({"announced", "composed", "declared", "revealed"})
_DEGREES = frozenset("as how less more most not quite rather so than too very".split())
"""An adverb behind one of these cannot go alone: `as quickly as`, `not simply`."""
_COMPARED = frozenset({"more", "most"})
_SHORT = frozenset("big early fast great hard large old strong wide".split())
"""Adjectives that are not compared with `more`."""
_PARTICLES = frozenset("up out off in down back over".split())
_OBJECTS = frozenset("it them him her us me you".split())
_POSSESSIVES = frozenset("my your his her its our their".split())
_MODALS = frozenset("to will would can could may might must shall should do does did not".split())
_POSSESSIVE = frozenset(("'", "'s", "’", "’s"))
_DASHES = frozenset("-–—")
_INSIDE = frozenset("/@_#&=-")
"""What stands between the words of an address, and of a compound."""
_SHORTEST_CLAUSE = 2
_AFTER_NOUN = VERBS | PREPOSITIONS | CONJUNCTIONS | RELATIVES | MARKS
_BEFORE_NOUNS = PREPOSITIONS | ARTICLES | _POSSESSIVES
_AFTER_SUBJECTS = (_MODALS - {"to"}) | BE | HAVE | {"prior", "subsequent"}
"""Behind what describes a subject by a participle: `those selected will come`."""
_GOVERNING = frozenset("after as at be for from into of on to with".split())
"""Last words of targets behind which something has to follow."""
_AMOUNTS = frozenset("about around between near over under".split())
"""Prepositions that a number may have before it."""
_DAYS = frozenset(f"{day}day{ending}" for day in "mon tues wednes thurs fri satur sun".split() for ending in ("", "s"))
_NO_OBJECT = (MARKS | PREPOSITIONS | CONJUNCTIONS | {"that"}) - _AMOUNTS
_ABBREVIATED = 4
"""Letters of a word that stands in a bracket alone and is none."""
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
        return _is_plainly_said(texts[edit.start + 1 : edit.end - 1])
    if kind == "split":
        asked = before == "that" or after in _ASKED
        return asked or (len(edit.target) == 1 and not _is_sentence(texts[edit.end :]))
    if kind not in ("replace", "judged", "drop"):
        return False
    if source.endswith(("although", "though")) and edit.target and not _is_clause(texts[edit.end :]):
        return True
    if source in _NEVER or (kind == "judged" and (source in _MISREAD or before in ("best", "better"))):
        return True
    if not edit.target and (before in _DEGREES or after in _POSSESSIVE or _is_said_twice(edit, texts)):
        return True
    if not edit.target and before in PREPOSITIONS and after in MARKS | _DASHES:  # `compared with today -`
        return True
    if _has_wrong_neighbour(source, before, after, texts[edit.end : edit.end + 4]):
        return True
    return bool(edit.target) and _cannot_be_written(edit, source, texts, before, after)


def _has_wrong_neighbour(source: str, before: str, after: str, following: Sequence[str]) -> bool:
    """Whether what stands beside words gives them another sense; `following` are the next four."""
    if before in _NOT_AFTER.get(source, ()) or after in _NOT_BEFORE.get(source, ()):
        return True
    if before not in _ONLY_AFTER.get(source, (before,)) or after not in _ONLY_BEFORE.get(source, (after,)):
        return True
    if any(fnmatchcase(source, row) and not words.isdisjoint(following) for row, words in _NOT_SOON_BEFORE.items()):
        return True
    if source.endswith("majority of"):
        is_whole = is_known_name(after) and not after.endswith("s")
        return is_whole or after in ARTICLES | DETERMINERS | _OBJECTS | _POSSESSIVES
    if source == "including":
        return before == "(" or after[:1].isdigit()
    return source == "due to" and before in BE and after not in ARTICLES | PRONOUNS | DETERMINERS


def _cannot_be_written(edit: Edit, source: str, texts: Sequence[str], before: str, after: str) -> bool:
    """Whether what is written, which is something, cannot stand there."""
    if (source.endswith("required") and after == "to") or (source.endswith("individual") and after not in _AFTER_NOUN):
        return True
    if source in _NOUNS:
        return after not in _AFTER_NOUN
    if source in _ADJECTIVES:
        return after in _AFTER_NOUN
    if source == "described as":
        return after.endswith("ing")
    if source in _ACTIVE and not BE.isdisjoint(texts[max(0, edit.start - 2) : edit.start]):
        return True
    head, last = edit.target[0], edit.target[-1]
    if head in PASTS and (before in _BEFORE_NOUNS or after in _AFTER_SUBJECTS):
        return True  # at selected places
    if _would_be_said_twice(edit, texts):  # a municipality and town
        return True
    if last in _MISWRITTEN.get(source, ()) or after not in _WRITTEN_BEFORE.get((source, last), (after,)):
        return True
    if before in _COMPARED and (last in _SHORT or head == "very"):
        return True
    if len(edit.target) > 1 and last in _GOVERNING and after in _NO_OBJECT:
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
    return not is_short and all(word in _DAYS or (word.isalpha() and not is_name_word(word)) for word in words)


def _is_said_twice(edit: Edit, texts: Sequence[str]) -> bool:
    """Whether what would go stands beside the same word: `very, very cold`."""
    near = (*texts[max(0, edit.start - 2) : edit.start], *texts[edit.end : edit.end + 2])
    return any(text in near for text in texts[edit.start : edit.end] if text not in MARKS)


def _would_be_said_twice(edit: Edit, texts: Sequence[str]) -> bool:
    near = (*texts[max(0, edit.start - 2) : edit.start], *texts[edit.end : edit.end + 3])
    return any(word in near for word in edit.target if word not in LIGHT | PREPOSITIONS | ARTICLES)


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
