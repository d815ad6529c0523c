"""Words and punctuation of plain text, and back again.

A deterministic, rule-based tokeniser for models that work on words. Punctuation is cut off the edges of what
stands between spaces; what is inside stays (`don't`, `3.5`, `bean-shaped`), but the possessive `'s` is cut off. As
in the Penn Treebank, straight quotes become "``" and "`" where they open and "''" and "'" where they close, so that
the way back needs no guessing. Text that comes with its punctuation set apart by spaces is split there only, and
stays so.
"""

import re
from collections.abc import Sequence

_OPENING = frozenset("([{“‘«$£€#")
_CLOSING = frozenset(")]}”’»,.;:!?…%'")
_OPEN_QUOTES = {'"': "``", "'": "`"}
_CLOSE_QUOTES = {'"': "''", "'": "'"}
_WRITTEN = {"``": '"', "`": "'", "''": '"'}
_POSSESSIVES = frozenset(("'s", "’s"))
_SET_APART = frozenset((",", ".", "?", "!", "'s"))
_SENTENCE_END = frozenset(".!?")
_EDGES = re.compile(r"^([\"'(\[{“‘«$£€#]*)(.*?)([)\]}”’»,.;:!?…%\"']*)$", re.DOTALL)
_MARKS = re.compile(r"\.\.\.|.", re.DOTALL)
_POSSESSIVE = re.compile(r"^(.+)(['’][sS])$", re.DOTALL)
_DASHES = re.compile(r"([—–]|--+)")


def tokenise(text: str) -> list[str]:
    """The words and punctuation marks of one sentence or more, in their own case."""
    if is_tokenised(text):
        return text.split()
    tokens: list[str] = []
    open_quotes = 0
    for chunk in text.split():
        if chunk == '"':  # only counting tells which side it is
            tokens.append(_CLOSE_QUOTES[chunk] if open_quotes % 2 else _OPEN_QUOTES[chunk])
        else:
            tokens.extend(_split(chunk))
        open_quotes += chunk.count('"')
    return tokens


def detokenise(tokens: Sequence[str], spaced: bool = False) -> str:
    """Plain text of tokens: punctuation joined to its word and quotes straight, or all as it is where `spaced`."""
    if spaced:
        return " ".join(tokens)
    text = ""
    glued = True  # whether the next token joins what stands before it
    for token in tokens:
        mark = token[0] if len(set(token)) == 1 else ""
        joins_left = token == "''" or mark in _CLOSING or token.lower() in _POSSESSIVES
        text += ("" if glued or joins_left else " ") + _WRITTEN.get(token, token)
        glued = token in ("``", "`") or mark in _OPENING
    return text


def is_tokenised(text: str) -> bool:
    """Whether the text came with its punctuation set apart by spaces."""
    return not _SET_APART.isdisjoint(text.split())


def sentence_starts(tokens: Sequence[str]) -> list[int]:
    """The positions of the first word of every sentence; quotes and brackets before it are passed over."""
    starts: list[int] = []
    awaited = True
    for index, token in enumerate(tokens):
        if awaited and token[:1].isalnum():
            starts.append(index)
            awaited = False
        elif token in _SENTENCE_END:
            awaited = True
    return starts


def capitalise(tokens: Sequence[str]) -> list[str]:
    """The tokens with the first word of every sentence capitalised."""
    result = list(tokens)
    for index in sentence_starts(tokens):
        result[index] = tokens[index][:1].upper() + tokens[index][1:]
    return result


def _split(chunk: str) -> list[str]:
    """The tokens of one run of characters without a space."""
    if not any(character.isalnum() for character in chunk):
        return [chunk] if len(set(chunk)) == 1 else _MARKS.findall(chunk)
    match = _EDGES.match(chunk)
    if match is None:
        return [chunk]
    before, inside, after = match.groups()
    parts = [part for part in _DASHES.split(inside) if part]
    if (possessive := _POSSESSIVE.match(parts[-1])) is not None:
        parts[-1:] = possessive.groups()
    opening = [_OPEN_QUOTES.get(mark, mark) for mark in before]
    closing = [_CLOSE_QUOTES.get(mark, mark) for mark in _MARKS.findall(after)]
    return [*opening, *parts, *closing]
