"""The negations of an English text: which words say no, what they say it of, and which words imply it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textsimp.metrics.readability import pronunciations
from textsimp.metrics.rewriting.word_links import Word

NEGATIONS = frozenset(
    "not never no none nobody nothing nowhere neither nor without hardly scarcely noone nought nay".split()
)
_IDIOMS = frozenset(
    tuple(idiom.split())
    for idiom in (
        "not only;not just;not merely;not simply;not solely;no doubt;whether or not;or not;no matter;not to mention;"
        "nothing but;none other;not least;no less;no fewer;no more than;no later than;no sooner;no earlier than;"
        "not until;not unlike;not uncommon;not unusual;not unusually;not uncommonly;nor'easter;no wonder;why not"
    ).split(";")
)
"""Where the first word says no, but nothing is denied."""
_IMPLIED = frozenset(
    (
        "unable impossible lack lacks lacked lacking absence absent fail fails failed failing failure refuse "
        "refuses refused refusing refusal deny denies denied denying decline declined declines avoid avoids avoided "
        "avoiding prevent prevents prevented preventing prevention prohibit prohibits prohibited prohibiting forbid "
        "forbids forbidden forbade ban bans banned banning illegal instead rather except excepting excluding "
        "exclude excludes excluded few fewer less least rarely rare seldom barely stop stops stopped stopping cease "
        "ceases ceased former formerly until till unless free devoid empty extinct unknown different differ differs "
        "differently unlike independent independently incomplete minus miss missing missed misses abandon abandoned "
        "cancel cancelled canceled reject rejects rejected rejecting oppose opposed opposes neglect neglected "
        "ignore ignored ignores dismiss dismissed doubt doubts doubted doubtful alone vacant wrong fake retired "
        "retire contrary opposite defy zero nil nor otherwise separate separately apart exempt abolish abolished "
        "abolishes halt halted suspend suspended withdraw withdrew withdrawn discontinue discontinued dispute "
        "disputed disputes hard difficult difficulty uncertain unclear obscure mute silent deaf blind dormant "
        "defunct suspicious suspicion distrust distrusted distrustful mistrust resistant resist barred bar bars "
        "poor shallow invalid invalidate contraindicated inadvisable rejection refrain refrained remote restrict "
        "restricted harmless against acquit acquitted acquits erase erased limit limits limited close closes closed "
        "closing lose loses lost losing despite disregard disregarded disregards destitute penniless exposed violate "
        "violated violates violating stunted scarce scarcely little anonymous anonymously distinguish distinguished "
        "distinguishes irregular irregularly exhausted unequal"
    ).split()
)
"""Words that say no by the way: a negation may become one of them, or come of one."""
_DENYING_ALWAYS = frozenset("unable lack lacks lacked rarely seldom".split())
_DENYING_TO = frozenset("fail fails failed failing failure refuse refuses refused refusing refusal impossible".split())
"""Words that deny what follows them, and those that do before `to`."""
_PREFIXES = ("un", "im", "in", "ir", "il", "dis", "non", "mis")
_UNDOING = ("uncover", "unearth", "unfold", "unit", "unveil", "union", "under", "univers", "inform")
"""What begins like a denial and is none."""
_SURE = {"un": 4, "non": 5, "in": 7, "dis": 6}
"""Prefixes that say no where a word of so many letters remains."""
_WITHOUT = ("less", "free")
_AUXILIARIES = frozenset("do does did be been being have has had will would can could shall should may might".split())
_AFTER_A_NOUN = frozenset("of in on at by for with from to and or as than".split())
"""Where what somebody is without ends."""
_CONTRARY = ("but", "although", "because")
"""What is said of the contrary: no negation reaches beyond."""
_LONGEST_SCOPE = 6


@dataclass(frozen=True)
class Negation:
    """A word that says no, and the content words behind it of which it may say it, the nearest first."""

    position: int
    text: str
    scope: tuple[int, ...]


def negations_of(words: Sequence[Word], begins: Callable[[int], bool]) -> list[Negation]:
    """The negations of a text in order; `begins` says where a sentence, or a part of it after a mark, begins."""
    return [_negation(words, position, begins) for position in range(len(words)) if _negates(words, position)]


def denials_of(words: Sequence[Word], begins: Callable[[int], bool]) -> list[Negation]:
    """The words that deny what follows them by their meaning, in order: `unable`, `failed to`, `lacks`."""
    return [
        _negation(words, position, begins)
        for position, word in enumerate(words)
        if word.folded in _DENYING_ALWAYS or (word.folded in _DENYING_TO and _folded(words, position + 1) == "to")
    ]


def implied_negations(words: Sequence[Word], facing: Sequence[Word]) -> set[int]:
    """Positions of words that the other text has not and that imply a negation: by meaning, or by `un-` and `-less`."""
    known = {word.folded for word in facing}
    return {
        position for position, word in enumerate(words) if word.folded not in known and _implies(word.folded, known)
    }


def _implies(word: str, facing: set[str]) -> bool:
    if word in _IMPLIED or (word.endswith(_WITHOUT) and len(word) > 5):
        return True
    if word.startswith(_UNDOING) or word in _NO_DENIALS:
        return False
    rests = {prefix: word.removeprefix(prefix) for prefix in _PREFIXES if word.startswith(prefix)}
    sure = (rest for prefix, rest in rests.items() if prefix in _SURE and len(rest) >= _SURE[prefix])
    if any(rest in pronunciations() for rest in sure):
        return True
    return any(known[:4] == rest[:4] for rest in rests.values() if len(rest) >= 3 for known in facing)


def bare_forms(word: str) -> frozenset[str]:
    """What a lower-cased word denies by a prefix or by `-less`: able for `unable`, harmful for `harmless`."""
    if word in _NO_DENIALS:
        return frozenset()
    forms = {word.removeprefix(prefix) for prefix, behind in _DENYING.items() if re.match(prefix + behind, word)}
    if word.endswith("less"):
        forms.add(word.removesuffix("less") + "ful")
    return frozenset(form for form in forms if len(form) > 3 and form != word and form in pronunciations())


_DENYING = {"un": "", "im": "(?=[mbp])", "in": "", "il": "(?=l)", "ir": "(?=r)", "dis": "", "non": ""}
"""Prefixes that deny, and what stands behind them."""
_NO_DENIALS = frozenset(
    "inside input inputs intake income incomes inform informs informed inland inhabit increase increased indeed invest "
    "install installed intended inlet insight instep infield indoor display displays displayed displace displaced "
    "discharge discharged disused dispose disposed discount discover discovered distract distribute import imports "
    "imported improve improved impress impressed impart until unit union unlike uncovered uncover "
    "unearthed unless".split()
)
"""What begins like a denial of a word that there is, and is none."""


def denied(words: Sequence[Word], negations: Sequence[Negation], position: int) -> bool:
    """Whether a negation of the text stands over this word: in its scope, or shortly before it."""
    return any(
        position in negation.scope
        or (
            0 < position - negation.position <= _LONGEST_SCOPE
            and words[position].sentence == words[negation.position].sentence
        )
        for negation in negations
    )


def _negates(words: Sequence[Word], position: int) -> bool:
    word = words[position].folded
    if word not in NEGATIONS:
        return False
    if word == "no" and words[position].text == "No" and _folded(words, position + 1)[:1].isdigit():
        return False  # No. 1
    return not any(word in idiom and _is_at(idiom, words, position - idiom.index(word)) for idiom in _IDIOMS)


def _is_at(idiom: Sequence[str], words: Sequence[Word], start: int) -> bool:
    return all(_folded(words, position) == word for position, word in enumerate(idiom, start))


def _negation(words: Sequence[Word], position: int, begins: Callable[[int], bool]) -> Negation:
    scope: list[int] = []
    for behind in range(position + 1, min(position + 1 + _LONGEST_SCOPE, len(words))):
        word = words[behind]
        if word.sentence != words[position].sentence or word.folded in NEGATIONS or word.folded in _CONTRARY:
            break
        if scope and (begins(behind) or (words[position].folded == "without" and word.folded in _AFTER_A_NOUN)):
            break
        if not word.light and word.folded not in _AUXILIARIES:
            scope.append(behind)
    return Negation(position, words[position].text, tuple(scope))


def _folded(words: Sequence[Word], position: int) -> str:
    return words[position].folded if 0 <= position < len(words) else ""
