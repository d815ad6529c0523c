"""Wikitext made fit for a parser, in time linear in its length (F1).

Editors forget to close brackets and tags, and a parser that must look for the end of each to the end of the page takes
time in the square of their number. Here comments, tables, references and other tags whose content is no running text
are removed, and what is never closed is marked with LEFT, so that the sentence around it can be dropped.
"""

import re
from collections import Counter

LEFT = "\x01"
ITEM = "\x02"
"""Marks in the output: markup that nothing closes; a list item. XML admits neither character, so no page holds them."""

_COMMENT_MARK = "\x03"
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_COMMENT_LINE = re.compile(rf"^[ \t]*{_COMMENT_MARK}[ \t{_COMMENT_MARK}]*\n", re.MULTILINE)
_TOKEN = re.compile(
    r"(?P<open>\{\{|\[\[|^[ \t:]*+\{\|)|(?P<close>\}\}|\]\]|^[ \t]*+\|\}(?!\}))"
    r"|<(?P<slash>/?)(?P<tag>[a-zA-Z][a-zA-Z0-9]*+)(?P<rest>[^<>]*+)>|(?P<less><)"
    r"|(?P<url>\[(?=(?:[a-zA-Z]+:)?//)(?![^\n\[\]]*+(?:\[\[[^\n\[\]]*+\]\][^\n\[\]]*+)*+\]))",
    re.MULTILINE,
)
_PAIRS = {"}}": "{{", "]]": "[[", "|}": "{|"}
_ESCAPED = re.compile(r"[{}\[\]<>|=*#:;'_\n]")
_LITERAL = frozenset(
    "nowiki pre math source syntaxhighlight chem ce score timeline hiero graph gallery imagemap mapframe maplink "
    "inputbox templatedata templatestyles categorytree style script".split()
)
_DROPPED = frozenset("ref references table tr td th caption tbody thead h1 h2 h3 h4 h5 h6 includeonly".split())
_BLOCK = frozenset("p div blockquote center poem ul ol dl hr".split())
_ITEMS = frozenset("li dd dt".split())
_INLINE = frozenset(
    "b i u s em strong span small big sup sub font abbr cite code var kbd samp tt q bdi bdo ins del strike mark time "
    "ruby rb rt rp rtc data wbr dfn nobr noinclude onlyinclude indicator section translate tvar langconvert".split()
)
_BREAK = "\n\n"
_DEPTH = 40
"""The parser takes brackets that are nested deeper for text."""


def prepare(text: str) -> str:
    """Wikitext without comments, tables and dropped tags, in which every bracket has its partner."""
    text = _COMMENT.sub(_COMMENT_MARK, text.replace("\r\n", "\n").replace("\r", "\n"))
    text = _COMMENT_LINE.sub("", text).replace(_COMMENT_MARK, "")
    return _Balance(text).run()


class _Balance:
    """One walk over the tokens. `stack` holds the kind of each open construct and its place in `pieces`."""

    def __init__(self, text: str):
        self.text, self.position = text, 0
        self.pieces: list[str] = []
        self.stack: list[tuple[str, int]] = []
        self.open: Counter[str] = Counter()
        self.unclosed: set[str] = set()

    def run(self) -> str:
        """The prepared text."""
        while match := _TOKEN.search(self.text, self.position):
            self.pieces.append(self.text[self.position : match.start()])
            self.position = match.end()
            if match["open"]:
                self._push(match["open"].lstrip(" \t:"), match["open"])
            elif match["close"]:
                self._bracket(match["close"])
            elif match["tag"]:
                self._tag(match)
            else:
                # a < that begins no tag; a [ of a link that its line does not close
                self.pieces.append("&lt;" if match["less"] else "")
        self.pieces.append(self.text[self.position :])
        self._give_up(0)
        return "".join(self.pieces)

    def _push(self, kind: str, piece: str) -> None:
        if len(self.stack) == _DEPTH:
            self.pieces.append(LEFT)
            return
        self.stack.append((kind, len(self.pieces)))
        self.open[kind] += 1
        self.pieces.append(piece)

    def _close(self, kind: str) -> int | None:
        """The place of the partner, after giving up what is open inside; None where there is no partner."""
        if not self.open[kind]:
            return None
        depth = len(self.stack) - 1
        while self.stack[depth][0] != kind:
            depth -= 1
        self._give_up(depth + 1)
        self.open[kind] -= 1
        return self.stack.pop()[1]

    def _give_up(self, depth: int) -> None:
        for kind, place in self.stack[depth:]:
            self.open[kind] -= 1
            # the line of a table that never ends becomes one of its rows, which are dropped
            self.pieces[place] = "\n|" if kind == "{|" else LEFT
        del self.stack[depth:]

    def _bracket(self, piece: str) -> None:
        kind = _PAIRS[piece.lstrip()]
        place = self._close(kind)
        if place is None:
            self.pieces.append("" if kind == "{|" else LEFT)
        elif kind == "{|":
            self._cut(place, _BREAK)
        else:
            self.pieces.append(piece)

    def _cut(self, place: int, instead: str) -> None:
        del self.pieces[place:]
        self.pieces.append(instead)

    def _tag(self, match: re.Match[str]) -> None:
        name, closing, alone = match["tag"].lower(), bool(match["slash"]), match["rest"].endswith("/")
        if name == "br":
            self.pieces.append(" ")
        elif name in _BLOCK:
            self.pieces.append(_BREAK)
        elif name in _ITEMS:
            self.pieces.append("\n" if closing else f"\n{ITEM}")
        elif name in _INLINE or (alone and name in _LITERAL | _DROPPED):
            pass
        elif name in _LITERAL:
            self._literal(name, closing)
        elif name in _DROPPED:
            self._dropped(name, closing)
        else:
            self.pieces.append("&lt;")
            self.position = match.start() + 1

    def _literal(self, name: str, closing: bool) -> None:
        """Content that is no wikitext: dropped, but for <nowiki>, whose signs are escaped."""
        end = None
        if not closing and name not in self.unclosed:
            end = re.compile(rf"</{name}\s*+>", re.IGNORECASE).search(self.text, self.position)
        if end is None:
            # not looked for again: a page with many would take time in the square of their number
            self.unclosed |= set() if closing else {name}
            self.pieces.append(LEFT)
            return
        if name == "nowiki":
            content = self.text[self.position : end.start()]
            self.pieces.append(_ESCAPED.sub(lambda sign: f"&#{ord(sign[0])};", content))
        self.position = end.end()

    def _dropped(self, name: str, closing: bool) -> None:
        if not closing:
            self._push(name, "")
            return
        place = self._close(name)
        if place is None:
            self.pieces.append(LEFT)
        else:
            self._cut(place, "" if name == "ref" else _BREAK)
