"""What a model is asked, and whether its answer is a simplification."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from textsimp.core.errors import bad_input
from textsimp.core.reading import iterate_lines, read_text

EXAMPLES, SENTENCE = "{examples}", "{sentence}"
_PLACE = re.compile(r"\{(?:examples|sentence)\}")
_LABEL = re.compile(r"(?:simple|simplified|simplification|output|answer)(?: sentence| version| text)?:\s+", re.I)
_QUOTES = {'"': '"', "“": "”", "«": "»", "`": "`"}
_TALK = re.compile(
    r"(?:(?:sure|certainly|of course|okay)\b[,.!:]|here(?:'s|’s| is| are)\b|(?:the|a|my) (?:simplified|simpler) "
    r"(?:sentence|version|text)|i(?:'m| am) sorry|sorry\b|i can(?:'t|’t|not)\b|as an ai\b|note:)",
    re.IGNORECASE,
)
_MOST, _MORE = 3, 40
"""An answer with so many times the characters of its sentence, and so many more, is no simplification of it."""

Pair = tuple[str, str]


@dataclass(frozen=True)
class PromptText:
    """A prompt's text with its places, and the examples."""

    text: str
    examples: Sequence[Pair]

    def of(self, sentence: str) -> str:
        """Return the prompt for a sentence."""
        shown = "\n\n".join(f"Complex: {complex_}\nSimple: {simple}" for complex_, simple in self.examples)
        places = {EXAMPLES: shown, SENTENCE: sentence}
        return _PLACE.sub(lambda place: places[place[0]], self.text).strip()


def read_prompt(path: Path) -> str:
    """Read a prompt; `InputError` where it has not {sentence} once, or {examples} more often."""
    text = read_text(path)
    if text.count(SENTENCE) != 1 or text.count(EXAMPLES) > 1:
        what = f"a prompt without {SENTENCE} once, and {EXAMPLES} once at most"
        raise bad_input(path, None, what, f"write {SENTENCE} where the sentence is to stand")
    return text


def read_examples(path: Path) -> list[Pair]:
    """Read pairs, `COMPLEX TAB SIMPLE` a line; further columns, such as more references, are left out."""
    pairs = []
    for number, line in enumerate(iterate_lines(path), 1):
        row = [" ".join(cell.split()) for cell in line.split("\t")]
        if len(row) < 2 or not all(row[:2]):
            raise bad_input(path, number, "no example", "write COMPLEX TAB SIMPLE, a pair a line")
        pairs.append((row[0], row[1]))
    return pairs


def simplification(answer: str, sentence: str) -> str | None:
    """Return the simplification that an answer is; None where it has several lines, or explains, or is far too long.

    A label before it and quotation marks around it, which the sentence has not, are taken off.
    """
    text = _LABEL.sub("", answer.strip(), count=1) if _LABEL.match(answer.strip()) else answer.strip()
    if len(text) > 1 and _QUOTES.get(text[0]) == text[-1] and sentence[0] != text[0]:
        text = text[1:-1].strip()
    talks = _TALK.match(text) and not _TALK.match(sentence)
    if not text or "\n" in text or talks or len(text) > _MOST * len(sentence) + _MORE:
        return None
    return " ".join(text.split())
