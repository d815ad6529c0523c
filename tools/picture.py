"""Draws README's picture: two texts in columns and the links that `textsimp.align` finds between their sentences."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import count
from pathlib import Path

from textsimp.api import SentenceLink, align, document

EXAMPLE = Path(__file__).resolve().parent.parent / "docs" / "example"
WIDTH, COLUMN, TOP = 900, 370, 46
LINE, PADDING, GAP, PARAGRAPH_GAP = 16, 8, 6, 14
CHARACTERS = 56
"""Of a line of text in a column."""
STYLE = """
  .card { fill: #ffffff; }
  .sentence { fill: #f4f6f8; stroke: #d5dbe1; }
  text { font: 13px -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #24292f; }
  .head { font-weight: 600; fill: #57606a; }
  path { fill: none; stroke-width: 2; }
  .aligned { stroke: #1f6feb; }
  .partial { stroke: #d1742f; stroke-dasharray: 5 3; }
"""


@dataclass(frozen=True)
class Box:
    """A sentence in a column: its lines of text and where it starts, in pixels."""

    lines: tuple[str, ...]
    top: int

    @property
    def height(self) -> int:
        """Height in pixels, padding included."""
        return len(self.lines) * LINE + 2 * PADDING


def column(paragraphs: Sequence[Sequence[str]]) -> list[Box]:
    """Boxes for the sentences of a text, from top to bottom, with gaps between paragraphs."""
    boxes, top = [], TOP
    for paragraph in paragraphs:
        for sentence in paragraph:
            boxes.append(Box(tuple(textwrap.wrap(sentence, CHARACTERS)), top))
            top += boxes[-1].height + GAP
        top += PARAGRAPH_GAP
    return boxes


def picture(left: Sequence[Box], right: Sequence[Box], links: Sequence[SentenceLink]) -> str:
    """The SVG: complex sentences on the left, simple ones on the right, a curve for each link."""
    height = max(boxes[-1].top + boxes[-1].height for boxes in (left, right)) + 14
    inner_left, inner_right = COLUMN + 10, WIDTH - COLUMN - 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">',
        f"<title>Two texts and the links between their sentences</title>\n<style>{STYLE}</style>",
        f'<rect class="card" width="{WIDTH}" height="{height}" rx="8"/>',
        f'<text class="head" x="18" y="28">complex</text><text class="head" x="{inner_right + 8}" y="28">simple</text>',
        f'<path class="aligned" d="M{inner_left} 18h28"/><text x="{inner_left + 34}" y="22">aligned</text>',
        f'<path class="partial" d="M{inner_left} 36h28"/><text x="{inner_left + 34}" y="40">partial</text>',
    ]
    for start, boxes in ((10, left), (inner_right, right)):
        parts += [drawn(box, start) for box in boxes]
    for link in links:
        start, end = (box.top + box.height // 2 for box in (left[link.complex_index], right[link.simple_index]))
        bend = (inner_left + inner_right) // 2
        path = f"M{inner_left} {start}C{bend} {start} {bend} {end} {inner_right} {end}"
        parts.append(f'<path class="{link.label}" d="{path}"/>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def drawn(box: Box, left: int) -> str:
    """A sentence as a rectangle with its lines."""
    frame = f'<rect class="sentence" x="{left}" y="{box.top}" width="{COLUMN}" height="{box.height}" rx="5"/>'
    lines = [
        f'<text x="{left + PADDING}" y="{baseline}">{escape(line, quote=False)}</text>'
        for baseline, line in zip(count(box.top + PADDING + LINE - 4, LINE), box.lines, strict=False)
    ]
    return "\n".join([frame, *lines])


def fresh() -> dict[str, str]:
    """The picture of the texts in docs/example, aligned by the default of `textsimp.align`."""
    complex_, simple = ((EXAMPLE / name).read_text(encoding="utf-8") for name in ("complex.txt", "simple.txt"))
    left, right = (column(document(text).paragraphs) for text in (complex_, simple))
    return {"docs/alignment.svg": picture(left, right, align(complex_, simple))}
