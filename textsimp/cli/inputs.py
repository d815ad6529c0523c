"""Input of commands: texts of one's own, document pairs, and aligned documents in the formats that `align` writes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import BufferedReader
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from textsimp.cli.command import Reads, note
from textsimp.cli.outputs import parquet
from textsimp.core.errors import InputError, bad_input
from textsimp.core.progress import progress
from textsimp.core.reading import STANDARD_INPUT, folder_files, iterate_lines, opened, quoted, read_bytes, read_records
from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link, numbered_pairs, read_pairs
from textsimp.core.spreadsheet import unguarded
from textsimp.core.text_form import line_as_read
from textsimp.corpora.interchange import INTERCHANGE, Numbered, header_of, read_bitext, read_links
from textsimp.sources.plain import CORPUS, EmptyTextError, language_doubt, read_plain_pair
from textsimp.sources.sentences import check_text
from textsimp.sources.splitting.language import LANGUAGES, load_language
from textsimp.sources.splitting.layout import LINES
from textsimp.sources.text_folders import (
    Matched,
    TextPair,
    check_is_pairs,
    check_is_text,
    check_is_text_or_pairs,
    holds_pairs,
    is_text_folder,
    match_folder,
    match_folders,
    shown_names,
)

SkipUnmatched = Annotated[
    bool, Option("--skip-unmatched", help="Leave out texts of a folder that have no partner, or no sentences.")
]
Language = Annotated[
    str,
    Option(
        help=f"Whose rules split texts into sentences: {', '.join(LANGUAGES)}.", autocompletion=lambda: list(LANGUAGES)
    ),
]
Lines = Annotated[
    str,
    Option(
        help="What the end of a line in a text means. auto: guess; wrapped: nothing; sentences: a sentence ends.",
        autocompletion=lambda: list(LINES),
    ),
]
DEFAULT_LINES = LINES[0]
NUMBERED = "numbered"
AlignedInputs = Annotated[
    list[Path],
    Argument(
        metavar="INPUTS",
        help="Document pairs with `alignments` (JSON Lines), sentence pairs of `textsimp align` (TSV, CSV, Parquet) "
        "or hunalign's text; or a ladder or index lists, and the two texts, or the document pair; or texts alone, as "
        "for `textsimp align`.",
    ),
    Reads(check=check_is_text_or_pairs),
]
AlignedLines = Annotated[
    str | None,
    Option(
        help=f"Of texts: {NUMBERED} (each line is a sentence, blank ones are counted; the default beside links), or as "
        f"in `textsimp align`: {', '.join(LINES)}.",
        autocompletion=lambda: [NUMBERED, *LINES],
    ),
]
_ALIGN = "run `textsimp align` first"


@dataclass(frozen=True)
class Texts:
    """Pairs of plain texts, none of them read yet.

    Attributes:
        language, lines: as for `textsimp.sources.plain.split_text`.
        how: how they were matched; empty for two files.
        skips_empty: pairs of a folder of which a text has no sentences are left out.
    """

    pairs: Sequence[TextPair]
    language: str
    lines: str
    how: str = ""
    skips_empty: bool = False

    def read(self) -> Iterator[DocumentPair]:
        """Yield the document pairs; `InputError` names a text that is empty, damaged or no plain text."""
        number = 0
        for pair in progress(self.pairs, desc="read", unit=" pairs"):
            for path in (pair.complex, pair.simple):
                check_is_text(path)
            try:
                document_pair = read_plain_pair(pair.complex, pair.simple, self.language, self.lines)
            except EmptyTextError as error:
                if not self.skips_empty:
                    raise InputError(f"{error}{', or --skip-unmatched' if self.how else ''}") from None
                note(f"left out: {error}")
                continue
            number += 1
            for path, document in ((pair.complex, document_pair.complex), (pair.simple, document_pair.simple)):
                if doubt := language_doubt(" ".join(document.sentences), self.language):
                    note(f"warning: {path}: {doubt}")
            simple = replace(document_pair.simple, level=pair.level)
            yield replace(document_pair, id=pair.id, group=pair.group, simple=simple) if self.how else document_pair
        if not number:
            raise InputError("no pair of texts has sentences on both sides; give files with text in them")


def given_pairs(path: Path, linked: bool = False) -> Iterator[DocumentPair]:
    """Yield the document pairs of a JSON Lines file, or of a folder of them; `linked`: of a file, all with links.

    `InputError` where there are none, one is damaged or without links, or an id comes twice.
    """
    files = folder_files(path, "*.jsonl") if path.is_dir() and not linked else [path]
    if not files:
        raise bad_input(path, None, "this folder has no *.jsonl", "give a folder of JSON Lines")
    seen: dict[str, str] = {}
    rows = ((file, *row) for file in files for row in numbered_pairs(file, seen))
    for file, line, pair in progress(rows, desc="read", unit=" document pairs"):
        if linked and pair.alignments is None:
            raise bad_input(file, line, f"document pair {quoted(pair.id)} has no 'alignments'", _ALIGN)
        yield pair
    if not seen:
        raise bad_input(path, None, "holds no document pairs", "see docs/formats.md")


def texts_of(inputs: Sequence[Path], skip_unmatched: bool, language: str, lines: str) -> Texts | None:
    """Return the texts that the inputs name; None where they are document pairs, which is checked.

    `InputError` for a folder with a file, too many inputs, an unknown language, and texts that lack their partner.
    """
    load_language(language)
    if len(inputs) > 2:
        raise InputError(f"{inputs[2]}: one input too many; give document pairs, or two texts, or two folders of texts")
    if len(inputs) == 1 and not is_text_folder(inputs[0]):
        check_is_pairs(inputs[0])
        return None
    if len(inputs) == 2:
        first, second = inputs
        if first.is_dir() != second.is_dir():
            folder, file = (first, second) if first.is_dir() else (second, first)
            raise bad_input(folder, None, f"is a folder, but {file} is none", "give two texts, or two folders")
        if not first.is_dir():
            return Texts([TextPair("", first, second, "")], language, lines)
    matched = match_folder(inputs[0]) if len(inputs) == 1 else match_folders(*inputs)
    return Texts(_checked(matched, skip_unmatched), language, lines, matched.rules(), skip_unmatched)


def are_texts(inputs: Sequence[Path]) -> bool:
    """Return whether inputs (`AlignedInputs`) are texts alone: a folder of them, or two, of which neither is links."""
    if len(inputs) == 1:
        return is_text_folder(inputs[0])
    is_links = inputs[0].suffix.lower().removeprefix(".") in INTERCHANGE
    return len(inputs) == 2 and not is_links and not holds_pairs(inputs[1])


def _checked(matched: Matched, skip_unmatched: bool) -> Sequence[TextPair]:
    if not matched.pairs:
        what = f"no text has a partner ({shown_names(matched.alone)})"
        raise InputError(f"{what}; name both alike, or as NAME.complex.txt and NAME.simple.txt (docs/formats.md)")
    if matched.alone and not skip_unmatched:
        what = f"{len(matched.alone)} of the texts have no partner ({shown_names(matched.alone)})"
        raise InputError(f"{what}; rename them, or leave them out with --skip-unmatched")
    left_out = f"; left out: {shown_names(matched.alone)}" if matched.alone else ""
    if matched.others:
        files = "1 file is no text" if len(matched.others) == 1 else f"{len(matched.others)} files are no texts"
        note(f"warning: {files} and ignored ({shown_names(matched.others)}); save them as docx or plain text")
    note(f"{len(matched.pairs)} pairs of texts: {matched.rules()}{left_out}")
    return matched.pairs


def read_aligned(inputs: Sequence[Path], language: str, lines: str | None) -> Iterator[DocumentPair]:
    """Return the document pairs with links of the inputs (`AlignedInputs`), known by how they begin.

    `InputError` for more than three inputs, and for one that is damaged or nothing that is read here.
    """
    if len(inputs) > 3:
        raise InputError(f"{inputs[3]}: one input too many; give aligned documents, or links and the two texts")
    load_language(language)  # whatever the inputs are
    if len(inputs) == 1:
        return _alone(inputs[0])
    return iter([read_links(inputs[0], _texts(inputs[1:], language, lines or NUMBERED))])


def _texts(inputs: Sequence[Path], language: str, lines: str) -> Numbered:
    """The two texts that a file of links is about."""
    for path in inputs:
        if path.is_dir():
            raise bad_input(path, None, "is a folder", "give the two texts of these links")
    if len(inputs) == 1:
        check_is_pairs(inputs[0])
        pairs = list(read_pairs(inputs[0]))
        if len(pairs) != 1:
            raise bad_input(inputs[0], None, f"{len(pairs)} document pairs, not 1", "give the pair of these links")
        return Numbered.of(pairs[0], inputs[0])
    if lines == NUMBERED:
        return Numbered.read(*inputs)
    texts = texts_of(inputs, False, language, lines)
    assert texts is not None  # of two inputs
    return Numbered.of(next(texts.read()), *inputs)


def _alone(path: Path) -> Iterator[DocumentPair]:
    """Document pairs of a file that holds the sentences too."""
    head = b""
    if path.is_file() or path == STANDARD_INPUT:
        with opened(path) as file:
            head = file.peek()[:4096] if isinstance(file, BufferedReader) else b""
    first = head.partition(b"\n")[0]
    if head.startswith(b"PAR1"):
        return _of_rows(path, _parquet_rows(path))
    for delimiter in "\t,;":
        if first.removeprefix(b"\xef\xbb\xbf").startswith(f"pair{delimiter}label{delimiter}".encode()):
            return _of_rows(path, _table_rows(path, delimiter))
    if first[:1] not in (b"{", b"[") and (first.count(b"\t") in (1, 2) or header_of(first.decode("utf-8", "replace"))):
        return iter([read_bitext(path)])
    check_is_pairs(path)
    return given_pairs(path, linked=True)


def _table_rows(path: Path, delimiter: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Rows of a table of sentence pairs; TSV has no quoting."""
    if delimiter != "\t":
        for number, row in read_records(path, ("pair", "label"), delimiter):
            yield number, {key: unguarded(value) for key, value in row.items()}
        return
    lines = (line.split("\t") for line in iterate_lines(path))
    header = next(lines)
    for number, cells in enumerate(lines, 2):
        if len(cells) != len(header):
            raise bad_input(path, number, f"{len(cells)} cells where the header has {len(header)}", _ALIGN)
        yield number, dict(zip(header, cells, strict=True))


def _parquet_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    arrow, tables = parquet()
    try:
        rows = tables.read_table(arrow.BufferReader(read_bytes(path)), use_threads=False).to_pylist()
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise bad_input(path, None, f"damaged Parquet ({str(error).splitlines()[0]})", _ALIGN) from None
    yield from enumerate(rows, 1)


def _of_rows(path: Path, rows: Iterator[tuple[int, dict[str, Any]]]) -> Iterator[DocumentPair]:
    """Document pairs of the sentences that tables have: linked ones alone, joined ones as one sentence."""
    seen: set[str] = set()
    for name, group in groupby(rows, key=lambda row: _cell(path, row[0], row[1], "pair")):
        of_pair = list(group)
        if name in seen:
            raise bad_input(path, of_pair[0][0], f"rows of {quoted(name)} stand above", "keep a pair's rows together")
        seen.add(name)
        yield _of_group(path, name, of_pair)
    if not seen:
        raise bad_input(path, None, "holds no sentence pairs", _ALIGN)


def _of_group(path: Path, name: str, rows: Sequence[tuple[int, dict[str, Any]]]) -> DocumentPair:
    sides: dict[str, dict[tuple[int, ...], str]] = {"complex": {}, "simple": {}}
    read = []
    for number, row in rows:
        keys = []
        for side, sentences in sides.items():
            names = [key for key in (f"{side}_indexes", f"{side}_index") if key in row]
            key = _indexes(path, number, row, names[0] if names else f"{side}_indexes")
            text = _cell(path, number, row, side)
            if sentences.setdefault(key, text) != text:
                raise bad_input(path, number, f"{side} sentence {list(key)} has another text above", _ALIGN)
            keys.append(key)
        read.append((number, keys, _label(path, number, row), _score(path, number, row)))
    indexes = {side: {key: index for index, key in enumerate(sorted(sentences))} for side, sentences in sides.items()}
    links: dict[tuple[int, int], Link] = {}
    for number, (complex_key, simple_key), label, score in read:
        ends = indexes["simple"][simple_key], indexes["complex"][complex_key]
        if ends in links:
            raise bad_input(path, number, "the same sentence pair as above", "give each pair one row")
        links[ends] = Link(*ends, label, score)
    complex_, simple = (
        Document(f"{name}.{side}", level, (tuple(sides[side][key] for key in sorted(sides[side])),))
        for level, side in enumerate(sides)
    )
    return DocumentPair(name, CORPUS, name, complex_, simple, tuple(sorted(links.values())))


def _cell(path: Path, number: int, row: dict[str, Any], name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str) or not value.strip():
        raise bad_input(path, number, f"{name!r} is absent, empty or no text", _ALIGN)
    return " ".join(check_text(path, number, line_as_read(value)).split())


def _indexes(path: Path, number: int, row: dict[str, Any], name: str) -> tuple[int, ...]:
    value = row.get(name)
    items = value.split() if isinstance(value, str) else value if isinstance(value, list) else [value]
    if not items or not all(str(item).isascii() and str(item).isdigit() and len(str(item)) < 10 for item in items):
        raise bad_input(path, number, f"{name!r} has no places of sentences, such as 3 or 3 4", _ALIGN)
    return tuple(map(int, items))


def _label(path: Path, number: int, row: dict[str, Any]) -> AlignmentLabel:
    try:
        return AlignmentLabel(str(row.get("label")))
    except ValueError:
        raise bad_input(path, number, "'label' is neither 'aligned' nor 'partial'", _ALIGN) from None


def _score(path: Path, number: int, row: dict[str, Any]) -> float | None:
    value = row.get("score")
    if value is None or value == "":
        return None
    try:
        if abs(score := float(str(value).replace(",", "."))) < float("inf"):
            return score
    except (TypeError, ValueError):
        pass
    raise bad_input(path, number, "'score' is no number", _ALIGN)
