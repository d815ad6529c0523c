"""A user's text as the sentences that a simplifier takes, and back: paragraphs, lists and headings keep their places.

A heading, a row of a table, a list's marker, code between fences and a line of dashes are no sentences; they stay as
they are. So does what no simplifier here was made for: text in another script than the Latin one, or in another
language than was said, and lines of so many words that they are no sentence.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

from textsimp.core.reading import lines_of
from textsimp.metrics.readability import pronunciations
from textsimp.sources.documents import Block
from textsimp.sources.splitting.boundaries import split_running_text
from textsimp.sources.splitting.language import Language, common_words, load_language
from textsimp.sources.splitting.layout import Kind, Piece, are_sentences, is_rule, text_paragraphs

LONGEST = 250  # words of a line that may be one sentence
_FEWEST = 3  # words without a capital that tell a language
_FENCE = re.compile(r"\s*(```+|~~~+)")
_LOOK_AHEAD = 1000  # words of the text in which the beginning of the next sentence is looked for


@dataclass(frozen=True)
class Part:
    """A sentence of a text, or something else in it that stays as it is."""

    text: str  # with single spaces
    line: int  # where it begins in the text, from 1; of a docx or a web page the number of its paragraph
    before: str  # what stands between it and the part before: spaces, ends of lines, the marker of a list
    kept: str = ""  # why it is not simplified; empty for a sentence that is
    row: str = ""  # its line with all spaces, where they mean something: of a table, of code


def parts_of_text(text: str, language: str, lines: str) -> list[Part]:
    """Return the parts of a plain text, split as `textsimp.sources.plain.split_text` does.

    Raises:
        InputError: an unknown language or meaning of lines.
    """
    rules = load_language(language)
    rows = lines_of(text)
    if are_sentences(lines):
        return parts_of_lines(rows, language) if text.strip() else []
    fenced = set(_fenced(rows))
    prose = "\n".join("" if number in fenced else row for number, row in enumerate(rows, 1))
    places = _Places(prose)
    parts: list[Part] = []
    for number, pieces in enumerate(text_paragraphs(prose, rules, lines)):
        before = "\n\n" if number else ""
        for piece in pieces:
            marker, rest = _marked(piece)
            stays = "no sentence" if piece.kind in (Kind.HEADING, Kind.ROW) else ""
            for gap, sentence in [("", rest)] if piece.whole else _spaced(rest, rules):
                kept = stays or reason_to_keep(sentence, language)
                line = places.line(sentence)
                row = rows[line - 1].rstrip()
                is_row = piece.kind is Kind.ROW and " ".join(row.split()) == sentence
                parts.append(Part(sentence, line, before + marker + gap, kept, row if is_row else ""))
                before = marker = ""
            before = "\n"
    return _with_lines(parts, rows, fenced)


def _spaced(text: str, rules: Language) -> Iterator[tuple[str, str]]:
    """Yield the sentences of a running text, each behind what stands before it: a space, or nothing as in Chinese."""
    end = 0
    for sentence in split_running_text(text, rules):
        start = text.index(sentence, end)
        yield text[end:start], sentence
        end = start + len(sentence)


def _fenced(rows: Sequence[str]) -> Iterator[int]:
    """Yield the numbers of the lines of code between two fences, and of the fences; a lone fence is none."""
    opened, fence = 0, ""
    for number, row in enumerate(rows, 1):
        mark = _FENCE.match(row)
        if not opened and mark:
            opened, fence = number, mark[1]
        elif opened and mark and mark[1].startswith(fence) and not row.strip().strip(fence[0]):
            yield from range(opened, number + 1)
            opened = 0


def _with_lines(parts: Sequence[Part], rows: Sequence[str], fenced: Set[int]) -> list[Part]:
    """Return the parts, and between them the lines of dashes and of code."""
    lines = [
        Part(" ".join(row.split()), number, _gap(rows, number), "no sentence", row.rstrip() if number in fenced else "")
        for number, row in enumerate(rows, 1)
        if row.strip() and (number in fenced or is_rule(row))
    ]
    own = {part.line for part in lines}
    placed: list[Part] = []
    for part in sorted([*parts, *lines], key=lambda part: part.line):
        before = part.before
        if placed and placed[-1].line in own:
            before = _gap(rows, part.line) + before.lstrip("\n")
        placed.append(replace(part, before=before if placed else before.lstrip("\n")))
    return placed


def _gap(rows: Sequence[str], line: int) -> str:
    return "\n" if line > 1 and rows[line - 2].strip() else "\n\n"


def parts_of_lines(lines: Sequence[str], language: str) -> list[Part]:
    """Return a part for each line, whatever is in it."""
    texts = (" ".join(line.split()) for line in lines)
    return [Part(text, at + 1, "\n" if at else "", reason_to_keep(text, language)) for at, text in enumerate(texts)]


def parts_of_blocks(blocks: Sequence[Block], language: str, lines: str) -> list[Part]:
    """Return the parts of a docx or a web page, as `parts_of_text`; `line` is the number of the block, from 1."""
    rules, alone = load_language(language), are_sentences(lines)
    parts: list[Part] = []
    for number, block in enumerate(blocks, 1):
        goes_on = number > 1 and block.kind is blocks[number - 2].kind and block.kind in (Kind.ITEM, Kind.ROW)
        before = ("\n" if goes_on else "\n\n") * bool(parts) + "- " * (block.kind is Kind.ITEM)
        for gap, sentence in [("", block.text)] if block.whole or alone else _spaced(block.text, rules):
            kept = "no sentence" if block.whole else reason_to_keep(sentence, language)
            parts.append(Part(sentence, number, before + gap, kept))
            before = ""
    return parts


def joined(parts: Sequence[Part], texts: Sequence[str]) -> str:
    """Return the text with these texts in place of its parts; it ends with a line's end, unless there is no part."""
    shown = (f"{part.before}{part.row or text}" for part, text in zip(parts, texts, strict=True))
    return "".join(shown) + "\n" * bool(parts)


def reason_to_keep(sentence: str, language: str) -> str:
    """Return why a sentence is not simplified; an empty text where it is."""
    letters = [letter for letter in sentence if letter.isalpha()]
    if not letters:
        return "no words"
    if 2 * sum("LATIN" in unicodedata.name(letter, "") for letter in letters) < len(letters):
        return "another script"
    if (words := len(sentence.split())) > LONGEST:
        return f"{words} words are no sentence"
    return "" if language != "en" or may_be_english(sentence) else "another language"


def may_be_english(sentence: str) -> bool:
    """Return whether a sentence may be English: by frequent words of languages, then by the pronouncing dictionary."""
    hits, _ = common_words(sentence)
    if any(hits.values()):
        return hits["en"] == max(hits.values())
    words = re.findall(r"[^\W\d_]+", sentence)
    unknown = [word not in pronunciations() for word in words if len(word) > 2 and word.islower()]
    return len(unknown) < _FEWEST or sum(unknown) <= max(1, len(unknown) // 4)


def _marked(piece: Piece) -> tuple[str, str]:
    """Return the marker of a list's item, indented as it is and with its space, and the rest."""
    text = piece.text
    if piece.kind is not Kind.ITEM or " " not in text:
        return "", text
    marker, _, rest = text.partition(" ")
    return f"{' ' * piece.lines[0].begin}{marker} ", rest


class _Places:
    """Lines of a text on which its sentences begin, asked in their order."""

    def __init__(self, text: str) -> None:
        rows = enumerate(lines_of(text), 1)
        self._words = [(word, number) for number, row in rows if not is_rule(row) for word in row.split()]
        self._next = 0

    def line(self, sentence: str) -> int:
        """Return the line of the next sentence: of the next place where its first word is."""
        own = sentence.split()
        for index in range(self._next, min(self._next + _LOOK_AHEAD, len(self._words))):
            word, line = self._words[index]
            if word.endswith(own[0]):
                as_it_is = [known for known, _ in self._words[index : index + len(own)]] == own
                self._next = index + (len(own) if as_it_is else max(1, len(own) // 2))
                return line
        return self._words[min(self._next, len(self._words) - 1)][1]
