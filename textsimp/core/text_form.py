"""The one form of the texts that people give: Unicode NFC, Unix line ends, nothing invisible inside words.

Two files that look alike are to score, align and read alike. Commands bring every text to this form when they read it
(`reading.read_prose`, `iterate_sentences`, document pairs), the Python functions the texts that they are given. Stages
read releases as they are, and so do commands with `--raw`. docs/formats.md has the rules for users.
"""

import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_IS_ON: ContextVar[bool] = ContextVar("text_form", default=False)

_JOINED = "\u0600-\u0dff\u0f00-\u109f\u1780-\u18af\ua8e0-\ua8ff\ufb50-\ufdff\ufe70-\ufefc\U00011000-\U00011fff"
"""Letters of scripts in which a joiner changes the word: Arabic, Syriac, Indic, Tibetan, Khmer, Mongolian."""
_EMOJI = "\u20e3\u2190-\u2bff\ufe0f\U0001f000-\U0001faff\U000e0020-\U000e007f"
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_SUSPECT = re.compile("[\r\x0b\x0c\x1c-\x1f\x85\xad\u034f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_BETWEEN_SENTENCES = re.compile("(?<=[.!?…])([\"'”’»)]*)[\u200b\u2060\ufeff]+(?=[\"'“‘«„(¿¡]*([^\\W\\d_]))")
_INVISIBLE = re.compile(
    "[\u034f\u200b\u2060-\u2064\u206a-\u206f\ufeff]|\xad(?![ \t]*\n)"
    f"|(?<![{_JOINED}{_EMOJI}])[\u200c\u200d]+|(?<=[{_EMOJI}])[\u200c\u200d]+(?![{_EMOJI}])"
)
_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_BREAKS = re.compile("[\r\x0b\x0c\x1c-\x1f\x85\u2028\u2029]")


def text_form(text: str) -> str:
    """Return a text in the form; its lines stay what they are in an editor.

    - Lines end with LF: CRLF is one, and so is CR, NEL or U+2028 and U+2029 in a text whose lines end with them alone.
      Any other break (a form feed, say) is a space.
    - Soft hyphens and zero-width characters go; at the end of a line, a soft hyphen says that its word goes on. Joiners
      stay in the scripts and the emoji that need them, marks of direction in text that runs from right to left.
    - Letters and accents are one character where Unicode has one (NFC).
    """
    return line_form(_with_unix_ends(text) if _BREAKS.search(text) else text)


def line_form(line: str) -> str:
    """Return a sentence, or a line, in the form; each break in it but LF is a space."""
    if _SUSPECT.search(line):
        line = _INVISIBLE.sub("", _BETWEEN_SENTENCES.sub(_parted, _BREAKS.sub(" ", line)))
        if _DIRECTION.search(line) and not _RIGHT_TO_LEFT.search(line):
            line = _DIRECTION.sub("", line)
    return line if line.isascii() else unicodedata.normalize("NFC", line)


@contextmanager
def reading_in_form(wanted: bool) -> Iterator[None]:
    """Bring the texts that are read inside to the form, or leave them as they are."""
    token = _IS_ON.set(wanted)
    try:
        yield
    finally:
        _IS_ON.reset(token)


def text_as_read(text: str) -> str:
    """Return a text in the form where texts are brought to it, else as it is."""
    return text_form(text) if _IS_ON.get() else text


def line_as_read(line: str) -> str:
    """Return a line in the form where texts are brought to it, else as it is."""
    return line_form(line) if _IS_ON.get() else line


def _with_unix_ends(text: str) -> str:
    text = re.sub("\r+\n", "\n", text)
    if "\n" not in text.removesuffix("\n"):
        text = text.replace("\r", "\n")
    return text if "\n" in text else re.sub("[\x85\u2028\u2029]", "\n", text)


def _parted(match: re.Match[str]) -> str:
    """Return what stands between two sentences with a space: zero-width ones alone would join them."""
    return match[1] if match[2].islower() else f"{match[1]} "
