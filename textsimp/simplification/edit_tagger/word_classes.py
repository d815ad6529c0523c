"""English words by what the edit tagger may do with them: no parser is asked."""

from itertools import product


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_DIRECTIONS = {"".join(pair) for pair in product(("north", "south"), ("", "east", "west"))} | {"east", "west"}
NEGATIONS = _words("no not never none nor neither without nothing nobody cannot")
PRONOUNS = _words("he him his she her they them their we our i you your my its")
DETERMINERS = _words("which that it this these those who whom some many most several all any only each every")
FACTS = (
    NEGATIONS
    | PRONOUNS
    | _DIRECTIONS
    | {f"{direction}ern" for direction in _DIRECTIONS}
    | _words("one two three four five six seven eight nine ten eleven twelve dozen hundred thousand million billion")
    | _words("first second third last half former retired current least whose what few both")
    | _words("male female man men woman women son daughter father mother n't can't don't didn't")
)
"""Words that no replacement may add or take away: they tell how many, where, who, or deny."""
LIGHT = DETERMINERS | _words(
    "a an the of in on at by for with from to as and or but if while when where than then so is was are were be been am"
    " being has have had do does did can could may might must shall should will would 's there here up out off into"
    " along around since such over after before during between against through also about"
)
"""Words that carry grammar: a rule needs others, since these alone change tense or sense."""
OPTIONAL = _words(
    "located situated later also very often again either even now today once soon together early late long main major"
    " nearby common contemporary previous entire particular separate specific individual regular however thus then"
    " furthermore moreover subsequent consecutive resulting associated constituent"
)
OPTIONAL_ENDINGS = ("ly", "al", "ic", "ary", "ous", "ive")
"""Words that a sentence can mostly do without: adverbs and adjectives, by their endings."""
PREPOSITIONS = _words(
    "in on at by for with from during after before including such through throughout within near under over into"
    " around between among against via along across despite following since until towards toward upon beside outside"
    " behind above below as to of about because due according although while when where whereas if unless"
)
BOUND = _words("of to")
"""Prepositions whose phrase what stands before mostly needs."""
RELATIVES = _words("which who whose whom where that")
CONJUNCTIONS = _words("and or but")
VERBS = _words(
    "is was are were has had have be been being do does did can could may might must will would shall should"
)
OPENERS = _words("however thus then today later furthermore moreover nevertheless also hence instead still")
"""Words with which a phrase before the subject may begin."""
MARKS = frozenset(',.;:()[]"!?')
ENDS = frozenset(".!?;")
SPLITS = frozenset(
    (", and", ";", "; and", ", which", ", who", ", but", ", while", ", where", ", when", ", whereas", ", with", "who")
    + ("which", "and", ", so", ", as", ", although")
)
"""Where a sentence may end that went on."""
SUBJECTS = frozenset(("", "it", "he", "she", "they", "this", "these", "but", "there", "it was", "it is", "he was"))
"""How the next one may begin."""
