"""Rewritings that people have read: the lines of `plain_words.txt` with every form of their verbs and nouns.

Word pairs that a few aligned sentences suggest have wrong senses among them ("assume" written as "become"). The list
has what is plainer and means the same nearly everywhere; where it fits is judged by `edit_candidates` and the network.
"""

from collections.abc import Iterator
from pathlib import Path

from textsimp.core.reading import read_lines

Phrase = tuple[str, ...]
_LIST = Path(__file__).with_name("plain_words.txt")
_IRREGULAR = {
    row.split()[0]: (row.split()[1], row.split()[-1])
    for row in (
        "be was been;beat beat beaten;become became become;begin began begun;break broke broken;build built;buy bought;"
        "catch caught;choose chose chosen;come came come;dwell dwelt;fall fell fallen;find found;free freed;"
        "get got;give gave given;go went gone;grow grew grown;have had;hide hid hidden;hold held;keep kept;leave left;"
        "make made;mean meant;meet met;pay paid;put put;rebuild rebuilt;rise rose risen;say said;see saw seen;"
        "seek sought;send sent;show showed shown;speed sped;take took taken;tear tore torn;tell told;"
        "undergo underwent undergone;understand understood"
    ).split(";")
}
_DOUBLED = frozenset("admit ban begin cancel control get kidnap omit permit plan put stop".split())
_JUDGED = "[where the sentence says so]"
_VOWELS = frozenset("aeiou")
PASTS = frozenset(past for past, participle in _IRREGULAR.values() if past != participle) | frozenset(
    "got had lived were did could won wrote knew".split()
)
"""Heads of targets that have no passive."""
PARTICIPLES = frozenset(participle for past, participle in _IRREGULAR.values() if past != participle)
"""Heads of targets that need `be` or `have`."""
PAST_FORMS = frozenset(form for forms in _IRREGULAR.values() for form in forms) | {"hurt", "used"}
"""Heads of targets that are a past or a participle, irregular ones."""


def plain_words() -> dict[tuple[Phrase, Phrase], bool]:
    """The rewritings, and whether they are right in nearly every sentence; others are where the sentence says so."""
    rewritings: dict[tuple[Phrase, Phrase], bool] = {}
    section = ""
    for line in read_lines(_LIST):
        if line.startswith("["):
            section = line
        elif line and not line.startswith("#"):
            source, _, target = line.partition(" >")
            for old, new in _forms(section, source, target.strip()):
                rewritings.setdefault((tuple(old.split()), tuple(new.split())), section != _JUDGED)
    return rewritings


def _forms(section: str, source: str, target: str) -> Iterator[tuple[str, str]]:
    if section == "[nouns]":
        yield source, target
        yield _plural(source), _plural(target)
    elif section.startswith("[verbs"):
        for number, (old, new) in enumerate(zip(_conjugated(source), _conjugated(target), strict=True)):
            if number != 1 or section == "[verbs]":  # purchases: mostly the noun
                yield old, new
    else:
        yield source, target


def _conjugated(phrase: str) -> list[str]:
    """Infinitive, third person, past, participle, `-ing` form."""
    verb, _, rest = phrase.partition(" ")
    stem = verb + verb[-1] if verb in _DOUBLED else verb
    bare = stem[:-1] if stem.endswith("e") and stem[-2] not in "eo" else stem
    doing = verb[:-2] + "y" if verb.endswith("ie") else bare
    ending_y = verb.endswith("y") and verb[-2] not in _VOWELS
    regular = verb[:-1] + "ied" if ending_y else bare + "ed"
    past, participle = _IRREGULAR.get(verb, (regular, regular))
    third = "has" if verb == "have" else _plural(verb)
    return [f"{form} {rest}".strip() for form in (verb, third, past, participle, f"{doing}ing")]


def _plural(noun: str) -> str:
    first, of, rest = noun.partition(" of ")
    words, last = first.split()[:-1], first.split()[-1]
    if last == "person":
        last = "people"
    elif last.endswith("man"):
        last = last[:-2] + "en"
    elif last.endswith("y") and last[-2] not in _VOWELS:
        last = last[:-1] + "ies"
    else:
        last += "es" if last.endswith(("s", "x", "z", "ch", "sh", "go")) else "s"
    return " ".join([*words, last]) + of + rest
