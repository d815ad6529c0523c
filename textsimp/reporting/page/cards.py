"""The data cards of the corpora in the page: the Markdown that build_corpus writes, as HTML."""

from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt

from textsimp.reporting.reading import present
from textsimp.textfiles import read_text

# nothing in a card may ask for a file or go elsewhere, and its text is no HTML
_MARKDOWN = (
    MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image", "link", "autolink", "html_inline"])
)


@dataclass(frozen=True)
class Card:
    """A corpus's name, and its card as HTML in which all text is escaped."""

    name: str
    html: str


def read_card(corpora: Path, name: str) -> Card:
    """The card of a corpus; its first line, the title, is left out.

    Raises:
        InputError: there is none.
    """
    lines = read_text(present(corpora / name / "CARD.md", "build_corpus", name)).splitlines()
    tokens = _MARKDOWN.parse("\n".join(lines[1:]))
    for token in tokens:
        # the card stands below a heading of the second level
        token.tag = {"h2": "h3", "h3": "h4"}.get(token.tag, token.tag)
    return Card(name, _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))
