"""What is to be known of texts before their scores are compared: their language and their form.

A grade level of Arabic, n-grams of unspaced Japanese, a cased output beside a lower-cased one: each gives a number, and
none of these numbers says what it seems to say.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from textsimp.core.errors import InputError
from textsimp.metrics.registry import ENGLISH, METRICS, SENTENCES
from textsimp.metrics.tokens import CHARACTERS, RELEASED, is_unspaced
from textsimp.simplification.running_text import may_be_english
from textsimp.sources.splitting.language import common_words, foreign, load_language, other_language

_LINES = 1000
"""Lines that are looked at: the first ones."""


@dataclass(frozen=True)
class Language:
    """The language of texts: `doubt` says what else than English, or nothing; `unspaced`: no spaces between words."""

    doubt: str = ""
    unspaced: bool = False
    has_alphabet: bool = True

    @classmethod
    def given(cls, code: str) -> "Language":
        """Return the language of a code; raise `InputError` for an unknown one."""
        load_language(code)
        return cls("" if code == "en" else f"the language {code}")


def language_of(*columns: Sequence[str]) -> Language:
    """Return what is known of the language of some texts by their first lines."""
    lines = [line for column in columns for line in column[:_LINES]]
    if is_unspaced(lines):
        return Language(foreign("".join(lines)), unspaced=True, has_alphabet=False)
    text = "\n".join(lines)
    if known := foreign(text):
        return Language(known, has_alphabet="script" not in known or known.startswith(("Greek", "Cyrillic")))
    if other := other_language(text, "en"):
        return Language(f"the language {other}")
    hits, _ = common_words(text)
    if not hits["en"] and hits[likely := max(hits, key=lambda code: hits[code])]:
        return Language(f"the language {likely}")
    said = [may_be_english(line) for line in lines if line.strip()]
    return Language("another language than English" if 2 * sum(said) < len(said) else "")


def in_domain(metrics: Sequence[str], asked: Collection[str], language: Language) -> tuple[dict[str, str], list[str]]:
    """Return why metrics say nothing about texts in a language, and the names of the others.

    Raises:
        InputError: one of the former is asked for by name.
    """
    left_out = {}
    for name in metrics:
        domain = METRICS[name].domain
        if (domain == ENGLISH and language.doubt) or (domain == SENTENCES and not language.has_alphabet):
            left_out[name] = f"it is about {domain}; the texts look like {language.doubt}"
            if name in asked:
                raise InputError(f"--metric {name}: {left_out[name]}; leave it out, or say --language en")
    return left_out, [name for name in metrics if name not in left_out]


class Form(Counter[str]):
    """The way in which a text is written, counted line by line: cased or lower-cased, tokenised or as people write."""

    def add(self, lines: Iterable[str]) -> None:
        """Count the next lines."""
        for line in lines:
            self["cased" if line != line.lower() else "lower-cased"] += any(map(str.isalpha, line))
            if line.rstrip()[-1:] in (".", "!", "?") and len(line.split()) > 1:
                self["tokenised" if line.rstrip()[-2:-1] == " " else "text"] += 1

    def __str__(self) -> str:
        case = "cased" if 10 * self["cased"] >= self["lower-cased"] else "lower-cased"
        marks = self["tokenised"] + self["text"]
        return f"{case} {'tokens' if 2 * self['tokenised'] > marks else 'text'}" if marks else case


def form_doubt(forms: dict[str, Form]) -> str:
    """Return what is to be said of texts of different forms; nothing where they are alike."""
    by_form: dict[str, list[str]] = defaultdict(list)
    for name, form in forms.items():
        by_form[str(form)].append(name)
    shapes = {tuple(name.split()) for name in by_form}
    if all(len(set(part)) < 2 for part in zip(*shapes, strict=False)):
        return ""
    said = "; ".join(f"{', '.join(names)}: {form}" for form, names in by_form.items())
    return f"the texts have different forms ({said}), which scores and differences are partly about"


def form_for(language: Language, form: str | None) -> str:
    """Return the form that texts are brought to: the chosen one, else characters where words have no spaces."""
    return form or (CHARACTERS if language.unspaced else RELEASED)
