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
from textsimp.sources.splitting.language import common_words, load_language, other_language, other_script, other_words

_LINES = 1000
"""Lines that are looked at: the first ones."""


@dataclass(frozen=True)
class Language:
    """The language of texts: `doubt` says why it is not English, or nothing; `unspaced`: no spaces between words."""

    doubt: str = ""
    unspaced: bool = False
    has_alphabet: bool = True

    def given(self, code: str) -> "Language":
        """Return it as the user says, but for the spaces; raise `InputError` for an unknown code."""
        load_language(code)
        return Language("" if code == "en" else f"--language says {code}", self.unspaced)


def language_of(*columns: Sequence[str]) -> Language:
    """Return what is known of the language of some texts by their first lines."""
    lines = [line for column in columns for line in column[:_LINES]]
    text, unspaced = "\n".join(lines), is_unspaced(lines)
    if (script := other_script(text)) or unspaced:
        is_alphabet = script.startswith(("Greek", "Cyrillic", "Korean"))
        return Language(f"the texts look like {script or 'text without spaces'}", unspaced, is_alphabet)
    like = _latin(text, lines)
    return Language(like and f"the texts look like {like}; if they are English, say --language en")


def _latin(text: str, lines: Sequence[str]) -> str:
    """Return what else than English a text in Latin script is in, or nothing."""
    if known := other_words(text):
        return known
    hits, _ = common_words(text)
    likely = max(hits, key=lambda code: hits[code])
    if other_language(text, "en") or (hits[likely] and not hits["en"]):
        return f"the language {likely}"
    said = [may_be_english(line) for line in lines if line.strip()]
    return "another language than English" if 2 * sum(said) < len(said) else ""


def in_domain(metrics: Sequence[str], asked: Collection[str], language: Language) -> tuple[dict[str, str], list[str]]:
    """Return why metrics say nothing about texts in a language, and the names of the others.

    Raises:
        InputError: one of the former is asked for by name.
    """
    left_out = {}
    for name in metrics:
        domain = METRICS[name].domain
        if (domain == ENGLISH and language.doubt) or (domain == SENTENCES and not language.has_alphabet):
            left_out[name] = f"it is about {domain}; {language.doubt}"
            if name in asked:
                raise InputError(f"--metric {name}: {left_out[name]}; leave it out")
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
