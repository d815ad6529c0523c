"""English for the word aligner: light words, inflection, spelling variants, contractions."""

import re

_LIGHT = frozenset(
    # pronouns; auxiliaries (`may` is a month too, and lower-cased text does not tell which); prepositions;
    # conjunctions and adverbs; articles
    """i me my mine myself we us our ours you your yours he him his himself she her hers herself it its itself they them
    their theirs themselves who whom whose which what that this these those one ones someone there here such same
    am is are was were be been being has have had having do does did doing will would shall should can could might must
    used
    of in on at by for with to from into onto as than about over under through during upon per via within between among
    out up off down away toward towards
    and or but if then so because while when where since although though whether how why both either neither nor also
    too just very even still again now once only yet ever however thus therefore thereby meanwhile moreover
    a an the some any each other another 's""".split()
)
_IRREGULAR = (
    "become became;begin began begun;break broke broken;bring brought;build built;buy bought;catch caught;choose "
    "chose chosen;come came;cut cutting;die died dying;draw drew drawn;drive drove driven;eat ate eaten;fall fell "
    "fallen;feel felt;fight fought;find found;fly flew flown;forget forgot forgotten;freeze froze frozen;get got "
    "gotten;give gave given;go goes went gone;grow grew grown;hear heard;hide hid hidden;hold held;keep kept;know "
    "knew known;lead led;leave left;lie lay lain lying;lose lost;make made;mean meant;meet met;pay paid;rise rose "
    "risen;run ran;say said;see saw seen;sell sold;send sent;shake shook shaken;show shown;sing sang sung;sink "
    "sank sunk;sit sat;sleep slept;speak spoke spoken;spend spent;stand stood;steal stole stolen;swim swam "
    "swum;take took taken;teach taught;tell told;think thought;throw threw thrown;wake woke woken;wear wore "
    "worn;win won;write wrote written;child children;foot feet;goose geese;life lives;half halves;leaf leaves;man "
    "men;mouse mice;person people;tooth teeth;wife wives;wolf wolves;woman women;good better best;bad worse "
    "worst;far further furthest;many more most;little less least"
)
# of inflected forms that no suffix rule finds
BASE_FORMS = {form: group.split()[0] for group in _IRREGULAR.split(";") for form in group.split()[1:]}
_NUMBERS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty"
)
_SPELLINGS = (
    (r"(?<=[a-z]{3})is(e|ed|es|ing|ation|ations|er|ers)$", r"iz\1"),
    (r"(?<=[a-z]{2})yse(d|s)?$", r"yze\1"),
    (r"(?<=[a-z]{2})our(?=$|s$|ed$|ing$|ite|able)", "or"),
    (r"(?<=[aeiou])ll(?=ed$|ing$|er$|ers$)", "l"),
    (r"(?<=[a-z]{2}[bt])re(s)?$", r"er\1"),
    (r"^grey", "gray"),
    (r"^aluminium$", "aluminum"),
    (r"ae(?=[a-z]{3})", "e"),
    (r"ogue(s)?$", r"og\1"),
    *((f"^{word}$", str(number)) for number, word in enumerate(_NUMBERS.split(), 2)),
)
_CLITICS = (
    (r"\bcannot\b", "can not"),
    (r"\b(can|ca)\s?n't\b", "can not"),
    (r"\b(will|wo)\s?n't\b", "will not"),
    (r"(?<=[a-z])\s?n't\b", " not"),
    (r"\s?'re\b", " are"),
    (r"\s?'ve\b", " have"),
    (r"\s?'ll\b", " will"),
    (r"\s?'m\b", " am"),
    (r"(?<=\w)\s?'s\b", " 's"),
)


def is_light(word: str) -> bool:
    """Return whether a lower-cased word carries grammar rather than content; negations and numbers never do."""
    return word in _LIGHT


def spelling(word: str) -> str:
    """Return one spelling for the variants of a lower-cased word."""
    for pattern, replacement in _SPELLINGS:
        word = re.sub(pattern, replacement, word)
    return word


def open_clitics(text: str) -> str:
    """Return running text with contractions written out."""
    for pattern, replacement in _CLITICS:
        text = re.sub(pattern, replacement, text, flags=re.IGNORECASE)
    return text


def stem(word: str) -> str:
    """Return what the forms of a word have in common, from its one spelling.

    Plural, -ed and -ing go; final e, doubled consonants and y are evened out on both sides.
    """
    word = BASE_FORMS.get(word, word)
    for suffix in ("ies", "ied", "es", "ed", "ing", "s"):
        rest = word.removesuffix(suffix)
        if rest != word and len(rest) >= 3 and re.search("[aeiouy]", rest) and not rest.endswith(("s", "u", "i")):
            word = rest + ("y" if suffix in ("ies", "ied") else "")
            break
    word = word[:-1] if word.endswith("e") and len(word) > 3 else word
    word = word[:-1] if len(word) > 3 and word[-1] == word[-2] else word
    return word[:-1] + "i" if word.endswith("y") else word
