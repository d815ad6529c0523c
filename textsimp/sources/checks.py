"""Checks that every reader makes of a sentence (F1)."""

import re
from pathlib import Path

from textsimp.errors import bad_input

# What cp1252 and Latin-1 make of the UTF-8 continuation bytes 80 to BF; the guillemet stays out, for «IRMÃ» is text.
_CONTINUATION = "\x80-\xba\xbc-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"
_MOJIBAKE = re.compile(f"[ÂÃ][{_CONTINUATION}]|â[{_CONTINUATION}]{{2}}|\ufffd")
# lone surrogates too, which JSON can spell and no file in UTF-8 can hold
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f\ud800-\udfff]")


def damage(text: str) -> str | None:
    """What is wrong with a sentence: emptiness, mojibake, control characters; None where nothing is.

    Mojibake is U+FFFD, or UTF-8 that was read as Latin-1 or cp1252 (`Ã©` for é, `â€™` for an apostrophe).
    """
    if not text.strip():
        return "an empty sentence"
    if match := _MOJIBAKE.search(text):
        return f"mojibake {match[0]!r} (text decoded with a wrong encoding)"
    if match := _CONTROL.search(text):
        return f"the control character {match[0]!r}"
    return None


def check_text(path: str | Path, line: int | None, text: str) -> str:
    """The text itself, if it can be a sentence; else `InputError` naming file and line."""
    if fault := damage(text):
        raise bad_input(path, line, fault, "restore the text from its source")
    return text
