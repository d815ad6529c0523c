"""Pairs of plain texts in folders, found by their names, and what a file is that should be a plain text.

Two folders: files of one name, or of names that differ in the word for the side alone (`cats.complex.txt` and
`cats.simple.txt`, `cats-adv.txt` and `cats-ele.txt`). One folder: names with such a word, or with a level, of which the
lowest number is the complex one (`cats.en.0.txt` and `cats.en.4.txt`, as Newsela has them), or the original and then
the levels of the CEFR (`cats-original.txt`, `cats-B1.txt`, `cats-A2.txt`). Names are compared in Unicode's NFC.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import files_below, folder_files
from textsimp.sources.documents import ENDINGS, HTML, form_of, head_of

_TEXTS = (".txt", *ENDINGS)
"""Endings of the texts in a folder; a README is none of them."""
COMPLEX_WORDS = tuple("complex normal standard original orig source src adv advanced hard full".split())
SIMPLE_WORDS = (
    *("simple", "simplified", "simp", "easy", "plain", "target", "tgt", "dst", "ele", "elementary"),
    *("int", "intermediate", "leicht", "einfach", "facile", "facil"),
)
SAME_NAME, LEVELS = "one name", "numbers of levels"
_SHOWN = 5
"""Names in a message."""
_SIDES = {**dict.fromkeys(COMPLEX_WORDS, True), **dict.fromkeys(SIMPLE_WORDS, False)}
_WORD = "|".join(sorted(_SIDES, key=len, reverse=True))
_LAST = re.compile(rf"(?:(?P<key>.+?)(?P<mark>[-_. ]))?(?P<word>{_WORD})", re.IGNORECASE)
_FIRST = re.compile(rf"(?P<word>{_WORD})(?P<mark>[-_. ])(?P<key>.+)", re.IGNORECASE)
_LEVEL = re.compile(r"(?P<key>.+)[-_.](?P<level>\d{1,2}|[ABC][12])", re.IGNORECASE)
_CEFR = {name: level for level, name in enumerate(("c2", "c1", "b2", "b1", "a2", "a1"), 1)}
"""Levels, of which an original has 0."""
_ARCHIVE = "unpack it, and give the texts in it"
_AS_TEXT = "save it as plain text (UTF-8), and give that file"
_AS_DOCX = "save it as docx or as plain text (UTF-8), and give that file"
_KINDS: Sequence[tuple[bytes, str, str]] = (
    (b"%PDF", "a PDF", _AS_TEXT),
    (b"{\\rtf", "a text in RTF", _AS_DOCX),
    (b"\xd0\xcf\x11\xe0", "an old Word document or other Office file", _AS_DOCX),
    (b"\x1f\x8b", "packed by gzip", _ARCHIVE),
    (b"BZh", "packed by bzip2", _ARCHIVE),
    (b"\xfd7zXZ", "packed by xz", _ARCHIVE),
    (b"\x28\xb5\x2f\xfd", "packed by zstd", _ARCHIVE),
    (b"7z\xbc\xaf", "a 7z archive", _ARCHIVE),
    (b"Rar!", "a RAR archive", _ARCHIVE),
    (b"\xff\xfe", "a text in UTF-16", "convert it to UTF-8"),
    (b"\xfe\xff", "a text in UTF-16", "convert it to UTF-8"),
)
"""What a file begins with, what it is, and what to do."""
_BLANK = b"\xef\xbb\xbf \t\r\n"
_DOCUMENTS = {
    b"word/": "a Word document (.docx)",
    b"xl/": "an Excel file (.xlsx)",
    b"ppt/": "a PowerPoint file (.pptx)",
    b"mimetypeapplication/vnd.oasis.opendocument": "an OpenDocument file (.odt, .ods)",
    b"mimetypeapplication/epub": "an EPUB",
}
"""What a ZIP archive names near its beginning, and what it is then."""


@dataclass(frozen=True)
class TextPair:
    """Two texts.

    id: their common name with its folders, and the level where there are several.
    rule: how the names were matched.
    group: the article that the texts are versions of: those of one article stay in one part of a corpus.
    level: of the simple text, where the complex one has 0.
    """

    id: str
    complex: Path
    simple: Path
    rule: str
    group: str = ""
    level: int = 1


@dataclass(frozen=True)
class Matched:
    """The pairs that were found, by id, the texts without a partner, and files of the folders that are no texts."""

    pairs: Sequence[TextPair]
    alone: Sequence[Path]
    others: Sequence[Path] = ()

    def rules(self) -> str:
        """Return how many pairs each rule found, such as `2 by -adv/-ele`."""
        rules = [pair.rule for pair in self.pairs]
        return ", ".join(f"{rules.count(rule)} by {rule}" for rule in dict.fromkeys(rules))


@dataclass(frozen=True)
class _Text:
    """A text of a folder: its name without the word for the side, that word as written, and its side or level."""

    path: Path
    name: str
    key: str
    word: str = ""
    is_complex: bool | None = None
    level: int | None = None


def match_folders(complex_folder: Path, simple_folder: Path) -> Matched:
    """Return the pairs of two folders of plain texts, sub-folders included.

    `InputError` where a folder is absent or has no texts, or several texts of one side could be meant.
    """
    if complex_folder.resolve() == simple_folder.resolve():
        raise bad_input(simple_folder, None, "the same folder twice", "give it once, or two folders")
    folders = complex_folder, simple_folder
    sides = [{text.name: text for text in _texts(folder)} for folder in folders]
    names = sides[0].keys() & sides[1].keys()
    pairs = [TextPair(name, sides[0][name].path, sides[1][name].path, SAME_NAME, name) for name in names]
    rest = [[text for name, text in side.items() if name not in names] for side in sides]
    simple = _by_key(text for text in rest[1] if text.is_complex is not True)
    for key, texts in _by_key(text for text in rest[0] if text.is_complex is not False).items():
        pairs += _paired(key, texts, simple.get(key, []))
    return _matched(pairs, [text for side in rest for text in side], folders)


def match_folder(folder: Path) -> Matched:
    """Return the pairs in one folder of plain texts, sub-folders included; errors as of `match_folders`."""
    texts = _texts(folder)
    pairs: list[TextPair] = []
    for key, group in _by_key(text for text in texts if text.is_complex is not None).items():
        hard, easy = ([text for text in group if text.is_complex is side] for side in (True, False))
        pairs += _paired(key, hard, easy)
    left = [text for text in texts if text.path not in {pair.simple for pair in pairs}]
    levelled = {text.key for text in texts if text.level is not None}
    for key, group in _by_key(text for text in left if text.key in levelled and text.is_complex is not False).items():
        first, *others = sorted(group, key=lambda text: (text.level or 0, text.name))
        if others and (others[0].level or 0) == (first.level or 0):
            raise _several(key, [first, others[0]])
        pairs += _paired(key, [first], others, LEVELS)
    return _matched(pairs, texts, [folder])


def readable_name(name: str) -> str:
    """Return a file's name as an id: in NFC, one line, and U+FFFD for bytes that are no UTF-8."""
    text = unicodedata.normalize("NFC", name.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
    return "".join(character if character.isprintable() else " " for character in text)


def is_text_folder(path: Path) -> bool:
    """Return whether a folder is one of plain texts, not of JSON Lines."""
    return path.is_dir() and not folder_files(path, "*.jsonl")


def check_is_text(path: Path) -> None:
    """`InputError` where a file that should be a text of one's own is something else, and what to do with it."""
    if not form_of(path) and _holds_json(check_is_readable(path)):
        raise bad_input(path, None, "holds document pairs already (JSON Lines)", "give it to `textsimp align` alone")


def check_is_text_or_pairs(path: Path) -> None:
    """`InputError` where a file is neither a text, in any form of `documents`, nor may hold document pairs."""
    if not form_of(path):
        check_is_readable(path)


def check_is_lines(path: Path) -> None:
    """`InputError` where a file that should have a sentence on each line is something else."""
    if _holds_json(check_is_readable(path)):
        raise bad_input(path, None, "holds document pairs (JSON Lines)", "give a text with a sentence a line")


def check_is_pairs(path: Path) -> None:
    """`InputError` where a file that should hold document pairs is something else, and what to do with it."""
    head = check_is_readable(path)
    if head.strip() and head.lstrip(_BLANK)[:1] not in b'{["':
        remedy = "`textsimp convert` makes document pairs of two texts"
        raise bad_input(path, 1, "this is plain text, not document pairs as JSON Lines", remedy)


def check_is_readable(path: Path) -> bytes:
    """Return the first bytes; `InputError` where a file is no text (a PDF, an archive), and what to do with it."""
    head = head_of(path)
    for start, what, remedy in _KINDS:
        if head.startswith(start):
            raise bad_input(path, None, f"this is {what}", remedy)
    if head.startswith(b"PK\x03\x04"):
        office = next((what for name, what in _DOCUMENTS.items() if name in head), None)
        raise bad_input(path, None, f"this is {office or 'a ZIP archive'}", _AS_TEXT if office else _ARCHIVE)
    if form_of(path) == HTML:
        raise bad_input(path, None, "this is a web page (HTML)", _AS_TEXT)
    return head


def holds_pairs(path: Path) -> bool:
    """Return whether a file begins as one of document pairs; False of a pipe and of standard input."""
    return _holds_json(head_of(path))


def _holds_json(head: bytes) -> bool:
    return head.lstrip(_BLANK).startswith(b"{") and b'"paragraphs"' in head


def _texts(folder: Path) -> list[_Text]:
    """Return the texts of a folder, sorted by name; `InputError` where there is none."""
    texts = [path for path in _files(folder) if path.suffix.lower() in _TEXTS and path.stem.lower() != "readme"]
    if not texts:
        others = sorted({path.suffix for path in _others(folder) if path.suffix})
        what = f"no texts here, but {', '.join(others[:_SHOWN])}" if others else "no texts here"
        raise bad_input(folder, None, what, f"give a folder of texts ({', '.join(_TEXTS)})")
    named: dict[str, _Text] = {}
    for text in (_text(path, folder) for path in texts):
        if (first := named.setdefault(text.name, text)) is not text:
            raise bad_input(text.path, None, f"{first.path.name} is this text in another form", "leave one of them out")
    return list(named.values())


def _others(folder: Path) -> list[Path]:
    """Return the files of a folder that are no texts by their names."""
    return [path for path in _files(folder) if path.suffix.lower() not in _TEXTS]


def _files(folder: Path) -> list[Path]:
    parts = ((path, path.relative_to(folder).parts) for path in files_below(folder))
    return [path for path, names in parts if not any(name.startswith(".") for name in names)]


def _text(path: Path, folder: Path) -> _Text:
    relative = Path(readable_name(str(path.relative_to(folder).with_suffix(""))))
    name, above = relative.as_posix(), relative.parent.as_posix()
    if match := _LAST.fullmatch(relative.name) or _FIRST.fullmatch(relative.name):
        key, word = match["key"] or "", match["word"].lower()
        written = f"{match['mark'] or ''}{match['word']}"
        joined = "/".join(part for part in (above if above != "." else "", key) if part)
        return _Text(path, name, joined or path.parent.resolve().name, written, _SIDES[word])
    if match := _LEVEL.fullmatch(name):
        level = match["level"].lower()
        return _Text(path, name, match["key"], f".{match['level']}", level=_CEFR.get(level) or int(level))
    return _Text(path, name, name)


def _by_key(texts: Iterable[_Text]) -> Mapping[str, list[_Text]]:
    groups: dict[str, list[_Text]] = {}
    for text in texts:
        groups.setdefault(text.key, []).append(text)
    return groups


def _paired(key: str, hard: Sequence[_Text], easy: Sequence[_Text], rule: str | None = None) -> Iterator[TextPair]:
    """Yield one complex text with each simple one, if there are both; `InputError` for several complex ones."""
    if not (hard and easy):
        return
    if len(hard) > 1:
        raise _several(key, hard)
    for text in easy:
        name = key if len(easy) == 1 else f"{key}.{text.word.strip('-_. ') or text.path.stem}"
        how = rule or f"{hard[0].word or 'NAME'}/{text.word or 'NAME'}"
        yield TextPair(name, hard[0].path, text.path, how, key, text.level or 1)


def _several(key: str, texts: Sequence[_Text]) -> InputError:
    names = " and ".join(text.path.name for text in texts[:2])
    return bad_input(texts[0].path, None, f"{names} could both be the complex text of {key!r}", "rename one of them")


def _matched(pairs: Iterable[TextPair], texts: Iterable[_Text], folders: Iterable[Path]) -> Matched:
    """Return pairs by id, those of the texts that are in none, and the folders' files that are no texts."""
    by_id: dict[str, TextPair] = {}
    for pair in sorted(pairs, key=lambda pair: pair.id):
        if (first := by_id.setdefault(pair.id, pair)) is not pair:
            both = f"{first.complex.name} with {first.simple.name}"
            raise bad_input(pair.simple, None, f"{pair.id!r} is already the pair of {both}", "rename one of the texts")
    # those with a partner of the same name are not among the texts
    used = {path for pair in by_id.values() if pair.rule != SAME_NAME for path in (pair.complex, pair.simple)}
    alone = [text.path for text in texts if text.path not in used]
    return Matched(list(by_id.values()), alone, [path for folder in folders for path in _others(folder)])


def shown_names(paths: Sequence[Path]) -> str:
    """Return a few of the paths, and how many more there are."""
    more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
    return ", ".join(map(str, paths[:_SHOWN])) + more
