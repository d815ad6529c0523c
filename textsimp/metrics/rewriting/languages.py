"""What the word aligner knows of a language: light words, inflection, spelling variants.

`none` knows nothing and works on every language that writes spaces; `english` is our own short set of rules. Another
language is one more `Language` in `LANGUAGES`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from textsimp.core.errors import InputError

# `may` is not here: it is a month too, and lower-cased text does not tell which
_PRONOUNS = (
    "i me my mine myself we us our ours you your yours he him his himself she her hers herself it its itself they them "
    "their theirs themselves who whom whose which what that this these those one ones someone there here such same"
)
_AUXILIARIES = (
    "am is are was were be been being has have had having do does did doing will would shall should can could might "
    "must used"
)
_PREPOSITIONS = (
    "of in on at by for with to from into onto as than about over under through during upon per via within between "
    "among out up off down away toward towards"
)
_CONJUNCTIONS = (
    "and or but if then so because while when where since although though whether how why both either neither nor also "
    "too just very even still again now once only yet ever however thus therefore thereby meanwhile moreover"
)
_ARTICLES = "a an the some any each other another 's"

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


@dataclass(frozen=True)
class Language:
    """Rules of one language; each default knows nothing.

    Attributes:
        name: as the user names it.
        light_words: words that carry grammar rather than content; None calls every word of one or two letters light.
        irregular: inflected form to base form, where no suffix rule finds it.
        spellings: patterns and what replaces them, to one spelling.
        clitics: patterns and what replaces them in the lower-cased running text, before words are found.
        suffixes: whether inflection is found by English suffixes; else by a long common beginning.
    """

    name: str
    light_words: frozenset[str] | None = None
    irregular: Mapping[str, str] = field(default_factory=dict)
    spellings: tuple[tuple[str, str], ...] = ()
    clitics: tuple[tuple[str, str], ...] = ()
    suffixes: bool = False

    def is_light(self, word: str) -> bool:
        """Return whether a lower-cased word carries little content. Negations and numbers always do carry some."""
        if self.light_words is None:
            return len(word) <= 2 and word.isalpha()
        return word in self.light_words

    def spelling(self, word: str) -> str:
        """Return one spelling for the variants of a lower-cased word."""
        for pattern, replacement in self.spellings:
            word = re.sub(pattern, replacement, word)
        return word

    def stem(self, word: str) -> str:
        """What the forms of a word have in common, from its one spelling; the word itself without suffix rules."""
        return _english_stem(self.irregular.get(word, word)) if self.suffixes else word

    def open_clitics(self, text: str) -> str:
        """Running text with contractions written out."""
        for pattern, replacement in self.clitics:
            text = re.sub(pattern, replacement, text, flags=re.IGNORECASE)
        return text

    def same_beginning(self, a: str, b: str) -> bool:
        """Whether two words are taken for forms of one by their long common beginning; never with suffix rules."""
        return not self.suffixes and _common_beginning(a, b)


def language(name: str) -> Language:
    """Return the language of that name; `InputError` lists the names if it is unknown."""
    if name not in LANGUAGES:
        raise InputError(f"language {name!r}: not known; expected one of {', '.join(LANGUAGES)}")
    return LANGUAGES[name]


def _english_stem(word: str) -> str:
    """A word without plural, -ed and -ing; final e, doubled consonants and y are evened out on both sides."""
    for suffix, minimum in (("ies", 3), ("ied", 3), ("es", 3), ("ed", 3), ("ing", 3), ("s", 3)):
        rest = word.removesuffix(suffix)
        if rest != word and len(rest) >= minimum and re.search("[aeiouy]", rest) and not rest.endswith(("s", "u", "i")):
            word = rest + ("y" if suffix in ("ies", "ied") else "")
            break
    word = word[:-1] if word.endswith("e") and len(word) > 3 else word
    word = word[:-1] if len(word) > 3 and word[-1] == word[-2] else word
    return word[:-1] + "i" if word.endswith("y") else word


def _common_beginning(a: str, b: str) -> bool:
    """Whether words share 4 letters and 60 percent of the longer one at least, and differ in endings of 3 at most."""
    length = next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    longer, endings = max(len(a), len(b)), max(len(a), len(b)) - length
    return length >= 4 and 10 * length >= 6 * longer and endings <= 3


def _english() -> Language:
    light = frozenset(f"{_PRONOUNS} {_AUXILIARIES} {_PREPOSITIONS} {_CONJUNCTIONS} {_ARTICLES}".split())
    groups = (group.split() for group in _IRREGULAR.split(";"))
    irregular = {form: group[0] for group in groups for form in group[1:]}
    numbers = tuple((f"^{word}$", str(number)) for number, word in enumerate(_NUMBERS.split(), 2))
    return Language("english", light, irregular, _SPELLINGS + numbers, _CLITICS, suffixes=True)


LANGUAGES = {"none": Language("none"), "english": _english()}
