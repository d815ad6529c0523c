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
FREE = _words("in on at during near within throughout across under around")
"""Prepositions whose phrase what stands before mostly does not need."""
LISTING = _words("including such like")
RELATIVES = _words("which who whose whom where")
CONJUNCTIONS = _words("and or but")
ARTICLES = _words("a an the")
BE = _words("is was are were be been being am isn't wasn't aren't weren't")
HAVE = _words("has have had having hasn't haven't hadn't")
SINGULAR_VERBS = _words("is was has had will would can could may might does did became remains includes contains")
PLURAL_VERBS = _words("are were have had will would can could may might do did became remain include contain")
BEFORE_INFINITIVES = _words(
    "to will would can could may might must shall should do does did not they we you i please and or"
)
"""What stands before a verb that could be a noun too."""
NOUNS_TOO = _words(
    "aid assist attempt boast complete defeat dispatch feature form fracture grant halt manufacture permit purchase"
    " request resume select state transport witness produce"
)
NOT_BEFORE_TO = _words("prior subsequent entitled discontinued discontinue according")
COUNTS = _words("several many most more enough another at about a an not some out found active")
"""What no article stands before."""
PLURALS = _words("people men women children")
BEFORE_NUMBERS = frozenset(
    tuple(phrase.split()) for phrase in ("in the year", "a total of", "an additional", "an estimated", "roughly")
)
"""Sources that are rewritten before a number, or where an extra one is written, nowhere else."""
PLACED = _words("located situated")
PLACE_VERBS = BE | {","}
"""A place that is told needs no word for it: `is located in`."""
SUBJECT_WORDS = _words("he she it they this these")
GENDERS_OF = {"he": _words("he him his himself"), "she": _words("she her hers herself")}
CONDITIONS = _words(
    "if unless except provided until only must shall should may might because although though while when whether"
    " before after than same order least most all any both instead rather case cannot"
)
"""Words without whose phrase a sentence says something else."""
SUBORDINATE = _words("if when while although though because since after before unless as once whereas until where")
BETWEEN = _words("not also then later never often since already just first once always soon still only even")
"""What stands between `be` or `have` and its verb."""
PAST_VERBS = _words(
    "said told wrote became won made took went came began led held gave found saw left met got knew thought brought"
).union(_words("kept ran grew sold sent built paid lost fell rose spoke broke chose drew drove fought sat sang spent"))
ABBREVIATIONS = _words(
    "dr mr mrs ms st jr sr inc co ltd no vs prof gen col sen rep rev mt ft etc bros corp dept approx"
)
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
