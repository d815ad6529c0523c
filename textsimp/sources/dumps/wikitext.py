"""Paragraphs of running text from wikitext, with mwparserfromhell (F1; section 3.2).

What stays: the text of paragraphs in the order of the article, the shown text of links, the argument of templates that
stand for text. What goes: section titles, tables, references, other templates, comments, files, categories, links to
other languages, and list items unless asked for. Names of namespaces come from the dump, so that any language works.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

import mwparserfromhell
from mwparserfromhell.nodes import (
    ExternalLink,
    Heading,
    HTMLEntity,
    Node,
    Tag,
    Template,
    Text,
    Wikilink,
)
from mwparserfromhell.parser import ParserError
from mwparserfromhell.wikicode import Wikicode

from textsimp.sources.dumps.balance import ITEM, LEFT, prepare

_MEDIA, _FILE, _CATEGORY = -2, 6, 14
_CANONICAL = ("media", "file", "image", "category")
_INTERWIKI = re.compile(r"[a-z][a-z-]{1,11}\s*:\s*\S")
_QUOTES = re.compile(r"'{2,}")
_SWITCH = re.compile(r"__[^\W\d_]+__")
_ROW = re.compile(r"\||!.*(?:!!|\|)")
_EMPTY = re.compile(r"\s*[(（]\s*[,;:،؛、\s]*[)）]")
_OPENING = re.compile(r"([(（])\s*[,;،؛、][,;،؛、\s]*")
_CLOSING = re.compile(r"[\s,;،؛、]+([)）])")
_SPACED = re.compile(r"\s+([,.])(?=\s|$)")
_BREAK = "\n\n"


class Stripper:
    """Turns wikitext into paragraphs.

    Args:
        namespaces: the wiki's namespaces by number, from the dump's head.
        template_text: templates that stand for text -> the numbers of the arguments that hold it.
        keep_lists: whether list items stay, each as a paragraph.
    """

    def __init__(self, namespaces: Mapping[int, str], template_text: Mapping[str, Sequence[int]], keep_lists: bool):
        hidden = [namespaces.get(number, "") for number in (_MEDIA, _FILE, _CATEGORY)]
        self.hidden = {name.lower() for name in (*_CANONICAL, *hidden) if name}
        self.namespaces = self.hidden | {name.lower() for name in namespaces.values() if name}
        self.template_text = {_template_name(name): [*map(str, numbers)] for name, numbers in template_text.items()}
        self.keep_lists = keep_lists

    def paragraphs(self, text: str) -> list[str]:
        """The paragraphs of a page; LEFT stands where markup could not be resolved.

        Raises:
            ValueError: the parser gives up.
        """
        try:
            code = mwparserfromhell.parse(prepare(text), skip_style_tags=True)
        except ParserError as error:
            raise ValueError(str(error)) from None
        found = (_tidy(paragraph) for paragraph in self._lines(self._render(code)))
        return [paragraph for paragraph in found if paragraph.replace(LEFT, "").strip()]

    def _render(self, code: Wikicode) -> str:
        return "".join(map(self._node, code.nodes))

    def _node(self, node: Node) -> str:
        if isinstance(node, Text):
            return str(node)
        if isinstance(node, HTMLEntity):
            return _character(node)
        if isinstance(node, Wikilink):
            return self._link(node)
        if isinstance(node, Template):
            return self._template(node)
        if isinstance(node, ExternalLink):
            shown = node.title if node.brackets else node.url
            return self._render(shown) if shown is not None else ""
        if isinstance(node, Heading):
            return _BREAK
        return self._tag(node) if isinstance(node, Tag) else ""

    def _tag(self, tag: Tag) -> str:
        if tag.wiki_markup == "----":
            return _BREAK
        if tag.wiki_markup:
            return ITEM
        return self._render(tag.contents) if tag.contents is not None else ""

    def _link(self, link: Wikilink) -> str:
        target = self._render(link.title).strip()
        prefix = target.split(":")[0].replace("_", " ").strip().lower() if ":" in target else ""
        shown = self._render(link.text) if link.text is not None else ""
        if prefix in self.hidden:
            return ""
        if not shown.strip() and prefix not in self.namespaces and _INTERWIKI.match(target):
            return ""
        return shown or target.removeprefix(":").replace("_", " ")

    def _template(self, template: Template) -> str:
        arguments = self.template_text.get(_template_name(str(template.name)), ())
        return " ".join(self._render(template.get(name).value).strip() for name in arguments if template.has(name))

    def _lines(self, text: str) -> Iterable[str]:
        """Paragraphs: lines up to a blank line, a list item or a section title."""
        text = _QUOTES.sub(_quotes, _SWITCH.sub("", text))
        current: list[str] = []
        for line in [*text.split("\n"), ""]:
            line = " ".join(line.split())
            item = line.startswith(ITEM)
            if (item or not line) and current:
                yield " ".join(current)
                current = []
            line, row = line.replace(ITEM, "").strip(), bool(_ROW.match(line))
            if item and self.keep_lists:
                yield line
            elif line and not item and not row:
                current.append(line)


def _quotes(match: re.Match[str]) -> str:
    """The apostrophes that a run of italic and bold marks leaves, as MediaWiki reads it."""
    length = len(match[0])
    return "'" * (1 if length == 4 else max(0, length - 5))


def _tidy(paragraph: str) -> str:
    """Without the brackets and spaces that removed templates leave: "Paris ( ; born 1950 ) ." """
    paragraph = _CLOSING.sub(r"\1", _OPENING.sub(r"\1", _EMPTY.sub("", paragraph)))
    return " ".join(_SPACED.sub(r"\1", paragraph).split())


def _character(entity: HTMLEntity) -> str:
    try:
        character = entity.normalize()
    except (ValueError, OverflowError):
        return str(entity)
    # a numbered entity could name a mark of ours or half a surrogate pair
    return character if character.isprintable() or character.isspace() else " "


def _template_name(name: str) -> str:
    name = " ".join(name.replace("_", " ").split())
    return name[:1].upper() + name[1:]
