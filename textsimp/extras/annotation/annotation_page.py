"""The page in which a person annotates document pairs, or decides where two people differ: one file, offline."""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from textsimp.core.inline import embedded_json, html_page
from textsimp.core.records import DocumentPair, Link, pair_to_json, unlabelled
from textsimp.extras.annotation.annotated import ADJUDICATION, BLIND, OPEN, Annotated, disputed

_SCRIPTS = ("widgets.js", "work.js", "files.js", "desk.js", "annotate.js")


def annotation_page(name: str, pairs: Sequence[DocumentPair], suggestions: Sequence[Sequence[Link]] | None) -> str:
    """Return the page of one annotator.

    In a blind round nothing of an aligner is in the page. Otherwise its links are shown as suggestions, and the
    paragraphs that they join are linked to begin with (step 1 of the paper corrects an automatic alignment).

    Args:
        name: of the file, for the title and the downloads.
        pairs: their own links are not shown.
        suggestions: links of an aligner for each pair; None in a blind round.
    """
    rows = []
    for number, pair in enumerate(pairs):
        links = [] if suggestions is None else suggestions[number]
        simple_of, complex_of = pair.simple.paragraph_of, pair.complex.paragraph_of
        paragraphs = {(simple_of[link.simple], complex_of[link.complex]) for link in links}
        is_one = len(pair.complex.paragraphs) == len(pair.simple.paragraphs) == 1
        start = {"paragraphs": [(0, 0)] if is_one else sorted(paragraphs)}
        rows.append(_row(pair, start, suggestions=_letters(links)))
    return _page(name, f"Annotation of {name}", BLIND if suggestions is None else OPEN, pairs, rows, ())


def adjudication_page(name: str, first: Sequence[Annotated], second: Sequence[Annotated], names: Sequence[str]) -> str:
    """Return the page of who decides: both opinions shown, what they share is there already, the rest flagged.

    Args:
        first, second: annotations of the same document pairs, in the same order (`agreement.matched`).
        names: of the two annotators.
    """
    rows = []
    for one, other in zip(first, second, strict=True):
        differing = disputed(one, other)
        notes: dict[tuple[int, int], list[str]] = {}
        for annotation in filter(None, (one.annotation, other.annotation)):
            for simple, complex_, text in annotation.notes:
                notes.setdefault((simple, complex_), []).append(text)
        start = {
            "paragraphs": sorted(one.paragraphs | other.paragraphs),
            "labels": _letters(link for link in one.links if (link.simple, link.complex) not in differing),
            "settled": sorted((one.settled & other.settled) - {simple for simple, _ in differing}),
            "notes": [(*ends, " | ".join(texts)) for ends, texts in sorted(notes.items())],
        }
        rows.append(_row(one.pair, start, opinions=[_letters(one.links), _letters(other.links)]))
    pairs = [one.pair for one in first]
    return _page(name, f"Adjudication of {names[0]} and {names[1]}", ADJUDICATION, pairs, rows, names)


def _letters(links: Iterable[Link]) -> list[tuple[int, int, str]]:
    return [(link.simple, link.complex, link.label.value[0]) for link in sorted(links)]


def _row(pair: DocumentPair, start: dict[str, Any], suggestions: Any = (), opinions: Any = ()) -> dict[str, Any]:
    return {
        "id": pair.id,
        "complex": [len(paragraph) for paragraph in pair.complex.paragraphs],
        "simple": [len(paragraph) for paragraph in pair.simple.paragraphs],
        "suggestions": suggestions,
        "opinions": opinions,
        "start": start,
    }


def _page(
    name: str, title: str, kind: str, pairs: Sequence[DocumentPair], rows: list[dict[str, Any]], names: Sequence[str]
) -> str:
    documents = "\n".join(embedded_json(pair_to_json(pair)) for pair in unlabelled(pairs))
    # what is kept in a browser is found again by it: the texts, and not what an aligner suggests for them
    known = [kind, documents, [row["opinions"] for row in rows]]
    index = {
        "round": kind,
        "digest": hashlib.sha256(embedded_json(known).encode()).hexdigest()[:24],
        "file": name.removesuffix(".jsonl"),
        "names": list(names),
        "pairs": rows,
    }
    files = (Path(__file__).resolve().parent, "annotate.html.jinja", ["base.css", "annotate.css"], _SCRIPTS)
    shown: dict[str, Any] = {"title": title, "opinions": bool(names), "suggested": kind == OPEN}
    return html_page(*files, index=embedded_json(index), documents=documents, **shown)
