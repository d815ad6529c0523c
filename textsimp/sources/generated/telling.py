"""The grammar: facts of a subject as sentences of the complex and of the simple level."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from textsimp.core.errors import bad_input
from textsimp.core.reading import read_lines
from textsimp.sources.generated.world import FOLDER, Subject, read_table

LONGEST = 34
"""Words of a complex sentence that tells more than one fact, at most."""
_DETAIL = re.compile(r"\[([^\]]*)\]")
_CHOICE = re.compile(r"<(\w+)>")
_ARTICLE = re.compile(r"\b([Aa])(?:\(n\)|n)? (?=([A-Za-z]))")
_YEAR_LAST = re.compile(r"(.*\S) in (\d{4})")
_PLAIN_FIRST = 0.8
"""How often the simple side takes the first of its words for a thing."""


@dataclass(frozen=True)
class Fact:
    """Something that can be told: complex and simple predicates, the i-th of one saying what the i-th other does."""

    complex: list[str] = field(default_factory=list)
    simple: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Kind:
    """The names of things of one kind, and the paragraphs of what can be told of them.

    A paragraph's `asides` are the sentences that one level has alone, by level.
    """

    description: str
    pronoun: str
    paragraphs: list[list[Fact]] = field(default_factory=list)
    asides: list[dict[str, list[str]]] = field(default_factory=list)


@dataclass(frozen=True)
class Plan:
    """The facts that one complex sentence tells, each with the number of its variant, and the subject's form there.

    `form` is `full` (in the first sentence of an article), `name`, `description` or `pronoun`.
    """

    facts: tuple[tuple[Fact, int], ...]
    form: str


@cache
def read_kinds() -> dict[str, Kind]:
    """Return the kinds of tellings.txt."""
    kinds: dict[str, Kind] = {}
    for number, line in enumerate(read_lines(FOLDER / "tellings.txt"), 1):
        mark, _, rest = line.partition(" ")
        if line.startswith("=="):
            name, _, forms = rest.partition(": ")
            description, pronoun, *_ = forms.split(", ")
            kinds[name] = kind = Kind(description, pronoun)
        elif mark == "SS":
            kind.paragraphs.append([])
            kind.asides.append({"complex": [], "simple": []})
        elif mark in ("xc:", "xs:"):
            kind.asides[-1]["complex" if mark == "xc:" else "simple"].append(rest)
        elif mark == "--":
            kind.paragraphs[-1].append(Fact())
        elif mark in ("c:", "s:"):
            fact = kind.paragraphs[-1][-1]
            (fact.complex if mark == "c:" else fact.simple).append(rest)
        elif line and not line.startswith("#") and mark != "xs":
            raise bad_input(FOLDER / "tellings.txt", number, "no mark of a fact before it", "see the head of the file")
    for kind in kinds.values():
        kind.paragraphs[:] = [[fact for fact in facts if fact.complex] for facts in kind.paragraphs]
    return kinds


@cache
def _terms() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(read_table('terms.txt'))})\b")


@cache
def _words(key: str, level: str) -> tuple[str, ...]:
    complex_, _, simple = read_table("lexicon.txt")[key][0].partition(" | ")
    return tuple("" if word == "-" else word for word in (complex_ if level == "complex" else simple).split(", "))


class Teller:
    """Tells of one subject; every choice is drawn from `draw`."""

    def __init__(self, subject: Subject, draw: random.Random) -> None:
        """Take the subject's names and values."""
        self.subject, self.draw, self.kind = subject, draw, read_kinds()[subject.kind]
        forms = self.kind
        short = subject.slots["last"] if subject.kind == "person" else subject.name
        names = {"full": subject.name, "name": short, "pronoun": forms.pronoun.format_map(subject.slots)}
        described = {
            "complex": forms.description.format_map(subject.slots),
            "simple": forms.description.replace("{profession}", "{plain_profession}").format_map(subject.slots),
        }
        self._forms = {level: {**names, "description": f"the {word}"} for level, word in described.items()}

    def complex_sentence(self, plan: Plan) -> str:
        """Return one sentence that tells the plan's facts."""
        predicates = [self._filled(fact.complex[variant], "complex") for fact, variant in plan.facts]
        subject = self._forms["complex"][plan.form]
        if len(predicates) == 1:
            return _sentence(self._alone(predicates[0], subject, 0.3))
        return _sentence(self._combined(predicates, subject))

    def simple_sentences(self, plan: Plan, form: str) -> list[str]:
        """Return the same facts in sentences of one statement each, and what explains a hard word among them."""
        sentences: list[str] = []
        for number, (fact, variant) in enumerate(plan.facts):
            subject = self._forms["simple"][form if number == 0 else self._later(form)]
            parts = self._filled(fact.simple[variant], "simple").split(". ")
            sentences += [_sentence(self._alone(parts[0], subject, 0.1)), *map(_sentence, parts[1:])]
        term = _terms().search(" ".join(sentences))
        return sentences + read_table("terms.txt")[term[0]] if term else sentences

    def merged(self, first: Plan, second: Plan, form: str) -> str | None:
        """Return two plans of one fact as one simple sentence; None where they do not go together."""
        predicates = [self._filled(fact.simple[v], "simple") for plan in (first, second) for fact, v in plan.facts]
        if len(predicates) != 2 or any(re.search(r"[!.(,]", text) for text in predicates):
            return None
        return _sentence(f"{self._forms['simple'][form]} {predicates[0]} and {predicates[1]}")

    def aside(self, text: str, level: str) -> str:
        """Return a sentence that only one level has."""
        return _sentence(self._filled(text, level).rstrip("."))

    def simple_form(self, form: str) -> str:
        """Return how the simple side names the subject where the complex side has `form`."""
        if form == "full" or self.draw.random() < 0.8:
            return form
        return "name" if form == "pronoun" else "pronoun"

    def _later(self, form: str) -> str:
        return "pronoun" if self.draw.random() < 0.7 or form == "full" else "description"

    def _alone(self, predicate: str, subject: str, fronted: float) -> str:
        if predicate.startswith("! "):
            return predicate[2:]
        clause = f"{subject} {predicate}"
        match = _YEAR_LAST.fullmatch(clause)
        if match and "," not in clause and "(" not in clause and self.draw.random() < fronted:
            return f"in {match[2]}, {match[1]}"
        return clause

    def _combined(self, predicates: Sequence[str], subject: str) -> str:
        first, *others = predicates
        last = others[0] if len(others) == 1 else f"{others[0]} and {others[1]}"
        ways = []
        if "," not in first:
            ways.append(f"{subject} {first} and {last}")
            if not first.startswith(("(", "was a ")) and subject != self._forms["complex"]["pronoun"]:
                ways.append(f"{subject}, {'who' if self.subject.kind == 'person' else 'which'} {first}, {last}")
            if first.startswith("was ") and len(others) == 1 and not re.match(r"was (a|an|the|by|able) ", first):
                ways.append(f"{first[4:]}, {subject} {last}")
        return self.draw.choice(ways)

    def _filled(self, template: str, level: str) -> str:
        detail = level == "complex" and self.draw.random() < 0.5
        text = _DETAIL.sub(r"\1" if detail else "", template)
        text = _CHOICE.sub(lambda match: self._word(match[1], level), text)
        text = re.sub(r"\{(\w+)\}", lambda match: self.subject.slots[match[1]], text)
        text = _ARTICLE.sub(lambda match: f"{match[1]}{'n' if match[2] in 'aeiouAEIOU' else ''} ", text)
        return " ".join(text.split())

    def _word(self, key: str, level: str) -> str:
        words = _words(key, level)
        return words[0] if level == "simple" and self.draw.random() < _PLAIN_FIRST else self.draw.choice(words)


def combines(facts: Sequence[tuple[Fact, int]]) -> bool:
    """Return whether one complex sentence can tell all these facts and stays readable."""
    texts = [_DETAIL.sub(r"\1", fact.complex[variant]) for fact, variant in facts]
    if any(text.startswith("!") for text in texts) or any("," in text for text in texts[:-1]):
        return False
    if any(text.startswith("<until>") or text.startswith("(") for text in texts[1:]):
        return False
    return sum(len(text.split()) for text in texts) + 3 <= LONGEST


def _sentence(text: str) -> str:
    text = re.sub(r"\s+([,.])", r"\1", " ".join(text.split()))
    return f"{text[:1].upper()}{text[1:]}."
