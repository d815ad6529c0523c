"""Sentences of running text from wikitext, with mwparserfromhell (section 3.2, appendix B).

What stays: the text of paragraphs in the order of the article, the shown text of links, the argument of templates that
stand for text. What goes: section titles, tables, references, other templates, comments, files, categories, links to
other languages, and list items. Names of namespaces come from the dump, so that any language works.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

import mwparserfromhell
from mwparserfromhell.nodes import ExternalLink, Heading, HTMLEntity, Node, Tag, Template, Text, Wikilink
from mwparserfromhell.parser import ParserError
from mwparserfromhell.wikicode import Wikicode

from textsimp.extras.wikidump.settings import DumpConfig
from textsimp.sources.sentences import split_sentences

_COMMENT = re.compile(r"^[ \t]*+(?>(?><!--(?s:.*?)-->)[ \t]*+)+\n|<!--(?s:.*?)(?:-->|\Z)", re.MULTILINE)
_BRACKET = re.compile(
    r"(?P<open>\{\{|\[\[|^[ \t:]*+\{\||\[(?=(?:[a-zA-Z]+:)?//))|(?P<close>\}\}|\]\]|^[ \t]*+\|\}(?!\})|\])"
    r"|<(?P<slash>/?)(?P<tag>[a-zA-Z][a-zA-Z0-9]*+)[^<>]*+(?<!/)>",
    re.MULTILINE,
)
_PARTNERS = {"}}": "{{", "]]": "[[", "|}": "{|", "]": "["}
_SINGLE = frozenset(["br", "hr", "wbr", "td", "th", "tr", "references"])
_IMPLIED_END = re.compile(r"<(/?)(p|li|dd|dt)\b[^<>]*+>", re.IGNORECASE)
_TABLE = frozenset(["table", "tr", "td", "th", "caption", "h1", "h2", "h3", "h4", "h5", "h6"])
_DROPPED = frozenset([
    "ref", "references", "includeonly", "math", "ce", "chem", "pre", "source", "syntaxhighlight", "score", "timeline",
    "hiero", "graph", "gallery", "imagemap", "inputbox", "templatedata", "categorytree", "mapframe", "maplink",
    "templatestyles", "style", "script",
])  # fmt: skip
_BLOCK = frozenset(["div", "blockquote", "center", "poem", "ul", "ol", "dl", "hr"])
_LEFTOVER = re.compile(
    r"\[(?:https?:)?//|\{\{|\}\}|\[\[|\]\]|\{\||\|\}|</?[a-z][a-z0-9]*(?:\s[^<>]*)?/?>", re.IGNORECASE
)
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
_TOKEN = re.compile(r"\w+|[^\w\s]")
_BREAK = "\n\n"
_ITEM = "\x02"
"""Marks a list item; XML admits no such character, so that no page holds it."""


class Reader:
    """Turns wikitext into paragraphs of sentences, and counts the sentences by what becomes of them.

    `kept`; `markup`: holds markup that could not be resolved; `short`: fewer than `min_tokens` words and signs;
    `ending`: ends with one of `sentence_ends`. `namespaces`, by number, are from the dump's head.
    """

    def __init__(self, config: DumpConfig, namespaces: Mapping[int, str]):
        hidden = [namespaces.get(number, "") for number in (_MEDIA, _FILE, _CATEGORY)]
        self.hidden = {name.lower() for name in (*_CANONICAL, *hidden) if name}
        self.namespaces = self.hidden | {name.lower() for name in namespaces.values() if name}
        self.config = config
        self.template_text = {_template_name(name): [*map(str, at)] for name, at in config.template_text.items()}
        self.counts: Counter[str] = Counter()

    def sentences(self, text: str) -> tuple[tuple[str, ...], ...]:
        """Return the sentences of a page that stay, by paragraph; paragraphs without any are left out."""
        paragraphs = (tuple(filter(self._keeps, split_sentences(paragraph))) for paragraph in self.paragraphs(text))
        return tuple(sentences for sentences in paragraphs if sentences)

    def paragraphs(self, text: str) -> list[str]:
        """Return the paragraphs of a page; ValueError where it is longer or more unclosed than the settings allow.

        Nested markup counts as unclosed; a page that the parser gives up on raises the same.
        """
        text = _COMMENT.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
        text = _IMPLIED_END.sub(lambda tag: _BREAK if tag[2] in "pP" else "\n" if tag[1] else f"\n{_ITEM}", text)
        if len(text) > self.config.max_characters or _disorder(text) > self.config.max_unclosed:
            raise ValueError("more than the parser can read in a reasonable time")
        try:
            code = mwparserfromhell.parse(text, skip_style_tags=True)
        except (ParserError, RecursionError) as error:
            raise ValueError(str(error)) from None
        return [tidy for paragraph in self._lines(self._render(code)) if (tidy := _tidy(paragraph))]

    def _keeps(self, sentence: str) -> bool:
        reasons = {
            "markup": _LEFTOVER.search(sentence),
            "short": len(_TOKEN.findall(sentence)) < self.config.min_tokens,
            "ending": sentence.endswith(tuple(self.config.sentence_ends)),
        }
        reason = next((name for name, applies in reasons.items() if applies), "kept")
        self.counts[reason] += 1
        return reason == "kept"

    def _render(self, code: Wikicode | None) -> str:
        return "" if code is None else "".join(map(self._node, code.nodes))

    def _node(self, node: Node) -> str:
        if isinstance(node, Text):
            return str(node)
        if isinstance(node, HTMLEntity):
            return _character(node)
        if isinstance(node, Wikilink):
            return self._link(node)
        if isinstance(node, Template):
            arguments = self.template_text.get(_template_name(str(node.name)), ())
            return " ".join(self._render(node.get(name).value).strip() for name in arguments if node.has(name))
        if isinstance(node, ExternalLink):
            return self._render(node.title if node.brackets else node.url)
        if isinstance(node, Heading):
            return _BREAK
        return self._tag(node) if isinstance(node, Tag) else ""

    def _tag(self, tag: Tag) -> str:
        name = str(tag.tag).strip().lower()
        if name == "br":
            return " "
        if name in _DROPPED:
            return ""
        if name in _TABLE:
            return _BREAK
        if name in ("li", "dd", "dt"):
            return _ITEM
        content = self._render(tag.contents)
        return f"{_BREAK}{content}{_BREAK}" if name in _BLOCK else content

    def _link(self, link: Wikilink) -> str:
        target = self._render(link.title).strip()
        prefix = target.split(":")[0].replace("_", " ").strip().lower() if ":" in target else ""
        shown = self._render(link.text)
        if prefix in self.hidden:
            return ""
        if not shown.strip() and prefix not in self.namespaces and _INTERWIKI.match(target):
            return ""
        return shown or target.removeprefix(":").replace("_", " ")

    def _lines(self, text: str) -> Iterable[str]:
        """Paragraphs: lines up to a blank line, a list item or a section title."""
        text = _QUOTES.sub(_quotes, _SWITCH.sub("", text))
        current: list[str] = []
        for line in [*text.split("\n"), ""]:
            line = " ".join(line.split())
            if (not line or line.startswith(_ITEM)) and current:
                yield " ".join(current)
                current = []
            if line and not line.startswith(_ITEM) and not _ROW.match(line):
                current.append(line.replace(_ITEM, "").strip())


def _disorder(text: str) -> int:
    """Return how many brackets or tags of one kind are open at once: the parser reads a page again for each of them."""
    still_open: Counter[str] = Counter()
    most = 0
    for match in _BRACKET.finditer(text):
        bracket = (match["open"] or match["close"] or "").lstrip(" \t:")
        kind = _PARTNERS.get(bracket, bracket) or match["tag"].lower()
        if kind not in _SINGLE:
            step = -1 if match["close"] or match["slash"] else 1
            still_open[kind] = max(0, still_open[kind] + step)
            most = max(most, still_open[kind])
    return most


def _quotes(match: re.Match[str]) -> str:
    """Return the apostrophes that a run of italic and bold marks leaves, as MediaWiki reads it."""
    length = len(match[0])
    return "'" * (1 if length == 4 else max(0, length - 5))


def _tidy(paragraph: str) -> str:
    """Remove the brackets and spaces that removed templates leave: "Paris ( ; born 1950 ) ." """
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
