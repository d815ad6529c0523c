"""Two pages for an editor of plain language: an easy text reviewed beside its hard one, and suggestions for a text.

Both are a list of points, the weightiest first, above the texts side by side. What the two texts of a row say
otherwise, `simplification.checks` finds, in English alone. A sentence without a link weighs what it says that
the other text says nowhere: 1 for each word of more than three letters (as its first five letters tell), 3 for a name
inside the sentence (not in German), 5 for a number.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from textsimp.core.inline import embedded_json, html_page
from textsimp.core.records import Document, DocumentPair
from textsimp.metrics.readability import count_line, grade_level
from textsimp.reporting.texts import Block, blocks, marked_words
from textsimp.simplification.checks import LANGUAGE, check_outputs
from textsimp.simplification.checks.parsed_texts import LEFT_OUT, Finding
from textsimp.simplification.simplified_text import SimplifiedPart
from textsimp.sources.plain import language_doubt
from textsimp.sources.splitting.language import foreign, other_language

ADDED, SHORTENED = "added", "shortened"
_WEIGHTS, _OTHERS = {"number": 5, "name": 3, "word": 1}, 4
"""Of a finding that went with its clause; twice as much where it alarms, 1 where the other text has it elsewhere."""
_WORD = re.compile(r"\d+(?:[.,]\d+)*|\w+")
_THOUSANDS = re.compile(r"[.,](?=\d{3}(?!\d))")
_STEM, _SHORT, _LONG = 5, 3, 6
_SHOWN = 12
_MARKUP = re.compile(r"</?[A-Za-z][^<>]*>|\[\[|\]\]|\{\{|\*\*(?=\w)|\]\(|&#?\w+;|^#{1,6} ")
_ROW = re.compile(r"^\||\s\|\s|\t")
_PARAGRAPH_HITS = 4
"""Frequent words of another language that tell a paragraph's language."""
_MARGINS = {"Flesch-Kincaid grade": 0.5, "LIX": 2.0}
"""How much harder the easy text has to be for a warning."""


@dataclass(frozen=True)
class Point:
    """Something to look at: what kind it is of, how much it weighs, what it is about, and the number of its row."""

    kind: str
    weight: int
    text: str
    note: str
    row: int


def review_page(
    names: Sequence[str], pair: DocumentPair, language: str, notices: Sequence[str], facts: Sequence[tuple[str, ...]]
) -> tuple[str, Sequence[Point]]:
    """Return the page of an aligned pair, both texts side by side, and what was left out, added and changed in it.

    Args:
        names: of the two files.
        notices: what `text_notices` says.
        facts: what `readability` measures.
    """
    rows = blocks(pair)
    points = list(_review_points(rows, pair, language))
    shown = [
        {
            "hard": [(f"C{index + 1}", [(text, False)]) for index, text in row.complex],
            "easy": [(f"S{index + 1}", [(text, False)]) for index, text in row.simple],
            "alone": not (row.complex and row.simple),
        }
        for row in rows
    ]
    title = f"{names[1]} beside {names[0]}"
    return _page(points, title=title, names=names, rows=shown, notices=notices, facts=facts), points


def suggestions_page(name: str, simplified: Sequence[SimplifiedPart], language: str) -> str:
    """Return the page on which each output of a simplifier is accepted, edited or refused; nothing is by default."""
    points, rows, parts = [], [], []
    for number, item in enumerate(simplified):
        text, checks = item.part.text, {output.text: output.check for output in item.outputs}
        texts = [output for output in checks if output != text]
        found = [check for output in texts[:1] if (check := checks[output])]
        points += [_finding_point(finding, number) for check in found for finding in check.findings]
        runs = marked_words(texts[0], text) if texts else [(text, False)]
        alarms = ["; ".join((*check.alarms, *check.left_out)) if (check := checks[output]) else "" for output in texts]
        outputs = [(marked_words(text, output), alarm) for output, alarm in zip(texts, alarms, strict=True)]
        kept = f"no suggestion: {item.part.kept or 'no other words'}"
        rows.append({"hard": [(f"C{number + 1}", runs)], "outputs": outputs, "kept": kept, "draft": [*texts, text][0]})
        parts.append([item.part.before, item.part.row or text, texts])
    key = hashlib.sha256(embedded_json(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    data = embedded_json({"key": f"textsimp/{key}", "name": Path(name).stem, "language": language, "parts": parts})
    return _page(points, data, title=f"Suggestions for {name}", names=(name, "Suggestions"), rows=rows)


def text_notices(
    paths: Sequence[Path], pair: DocumentPair, language: str, facts: Sequence[tuple[str, ...]]
) -> list[str]:
    """Return what is odd about the texts: swapped files, another language or script, tables or markup in them."""
    notices = []
    for measure, before, after in facts:
        if measure in _MARGINS and float(after) > float(before) + _MARGINS[measure]:
            what = f"{paths[1]}: is harder than {paths[0]} ({measure} {after} against {before})"
            notices.append(f"{what}; are the two files swapped?")
    if language != LANGUAGE:
        notices.append(f"what linked sentences say otherwise is looked for in English alone, not in {language}")
    for path, letter, document in zip(paths, "CS", (pair.complex, pair.simple), strict=True):
        notices += [f"{path}: {notice}" for notice in _language_notices(document, language)]
        for pattern, what in ((_ROW, "a table"), (_MARKUP, "markup")):
            places = [f"{letter}{place}" for place, text in enumerate(document.sentences, 1) if pattern.search(text)]
            if places:
                more = f" and {len(places) - 1} more" if len(places) > 1 else ""
                notices.append(f"{path}: {what} stands in the text, at {places[0]}{more}; it is compared as sentences")
    return notices


def _language_notices(document: Document, language: str) -> Iterator[str]:
    text = " ".join(document.sentences)
    if doubt := language_doubt(text, language):
        yield doubt
    likely = other_language(text, language)
    for other, number in (_other_paragraphs(document, language) - Counter({likely: len(document.paragraphs)})).items():
        yield f"{number} of {len(document.paragraphs)} paragraphs look like {other}; names and grades are of {language}"


def _other_paragraphs(document: Document, language: str) -> Counter[str | None]:
    """Count the paragraphs in each other language."""
    languages = (other_language(" ".join(paragraph), language, _PARAGRAPH_HITS) for paragraph in document.paragraphs)
    return Counter(other for other in languages if other)


def readability(pair: DocumentPair, language: str) -> list[tuple[str, ...]]:
    """Return measures of both texts as rows of a table: lengths, long words and LIX, the grade of English alone.

    LIX is the words of a sentence plus the percentage of words with more than six letters (Björnsson 1968).
    """
    sides = [document.sentences for document in (pair.complex, pair.simple)]
    words = [[word for sentence in side for word in _WORD.findall(sentence)] for side in sides]
    lengths = [len(own) / len(side) for own, side in zip(words, sides, strict=True)]
    long = [100 * sum(len(word) > _LONG and word.isalpha() for word in own) / max(len(own), 1) for own in words]
    rows: list[tuple[str, ...]] = [
        ("sentences", *(f"{len(side):,}" for side in sides)),
        ("words", *(f"{len(own):,}" for own in words)),
        ("words in a sentence", *(f"{length:.1f}" for length in lengths)),
        ("words of more than six letters, in percent", *(f"{share:.0f}" for share in long)),
    ]
    documents = pair.complex, pair.simple
    if any(foreign(" ".join(one.sentences)) or _other_paragraphs(one, language) for one in documents):
        return rows
    if language != "en":
        return [*rows, ("LIX", *(f"{length + share:.0f}" for length, share in zip(lengths, long, strict=True)))]
    counts = np.array([list(map(sum, zip(*map(count_line, side), strict=True))) for side in sides], dtype=np.float64)
    return [*rows, ("Flesch-Kincaid grade", *(f"{grade:.1f}" for grade in grade_level(counts, floor=-np.inf)[:, 0]))]


def _review_points(rows: Sequence[Block], pair: DocumentPair, language: str) -> Iterator[Point]:
    known = [frozenset(map(_stem, _WORD.findall(" ".join(side.sentences)))) for side in (pair.complex, pair.simple)]
    texts = [tuple(" ".join(text for _, text in side) for side in (row.complex, row.simple)) for row in rows]
    both = [(hard, easy) for hard, easy in texts if hard and easy] if language == LANGUAGE else []
    checks = dict(zip(both, check_outputs(both), strict=True))
    for number, (hard, easy) in enumerate(texts):
        if not (hard and easy):
            kind, side = (LEFT_OUT, "easy") if hard else (ADDED, "hard")
            weight, note = _told(hard or easy, known[bool(hard)], language, side)
            yield Point(kind, weight, hard or easy, note, number)
            continue
        for finding in checks[hard, easy].findings if checks else ():
            other = known[finding.change != "invented"]
            yield _finding_point(finding, number, all(_stem(word) in other for word in _WORD.findall(finding.text)))
        if len(hard.split()) >= 2 * len(easy.split()):
            weight, note = _told(hard, known[1], language, "easy")
            yield Point(SHORTENED, weight // 2, hard, note, number)


def _finding_point(finding: Finding, row: int, is_elsewhere: bool = False) -> Point:
    weight = _WEIGHTS.get(finding.kind, _OTHERS) * (1 if finding.change == LEFT_OUT else 2)
    note = "the other text has it elsewhere" if is_elsewhere and finding.kind in _WEIGHTS else ""
    return Point(finding.kind, 1 if note else weight, f"{finding.change}: {finding.text}", note, row)


def _told(text: str, known: Collection[str], language: str, side: str) -> tuple[int, str]:
    """Return the weight of what a text says that is not among the known stems of the other side, and the words."""
    weights: dict[str, int] = {}
    for place, word in enumerate(_WORD.findall(text)):
        if _stem(word) not in known:
            is_name = bool(place) and word[0].isupper() and language != "de"
            is_number = any(map(str.isdigit, word))
            kind = "number" if is_number else "name" if is_name else "word"
            weights[word] = _WEIGHTS[kind] if is_number or is_name or len(word) > _SHORT else 0
    words = [word for word, weight in weights.items() if weight]
    more = f" and {len(words) - _SHOWN} more" if len(words) > _SHOWN else ""
    note = f"nowhere in the {side} text: {', '.join(words[:_SHOWN])}{more}" if words else ""
    return sum(weights.values()), note or f"all its words are in the {side} text"


def _stem(word: str) -> str:
    """Return the beginning of a word; of a number all its digits, without marks between thousands."""
    return _THOUSANDS.sub("", word) if word[0].isdigit() else word.lower()[:_STEM]


def _page(points: Sequence[Point], data: str = "", **values: Any) -> str:
    values["points"] = sorted(points, key=lambda point: (-point.weight, point.row))
    values["kinds"] = list(Counter(point.kind for point in values["points"]).items())
    folder = Path(__file__).resolve().parent / "web"
    scripts, styles = ("widgets.js", "review.js"), ("base.css", "review.css")
    return html_page(folder, "review.html.jinja", styles, scripts, data=data, **{"notices": (), "facts": (), **values})
