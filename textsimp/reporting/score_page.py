"""The comparison of several outputs as a web page or as Markdown: its table, and where they differ most."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.core.inline import html_page
from textsimp.metrics.rewriting.kinds import rewritings
from textsimp.metrics.rewriting.units import units_of
from textsimp.metrics.rewriting.word_links import is_too_long
from textsimp.reporting.markdown import escape
from textsimp.reporting.texts import marked_words

SHOWN = 20
"""Sentences on a page."""


@dataclass(frozen=True)
class Version:
    """A sentence in an output: its score, its kind of rewriting (empty if unknown), its text in runs, each
    with whether its words are new, and the words that it left out.
    """

    name: str
    score: float
    kind: str
    runs: list[tuple[str, bool]]
    left_out: str


@dataclass(frozen=True)
class Difference:
    """A sentence that the outputs differ in; `line` counts from 1."""

    line: int
    complex: str
    references: tuple[str, ...]
    versions: list[Version]


def differences(
    scores: Mapping[str, NDArray[np.float64]],
    complex_lines: Sequence[str],
    outputs: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    is_english: bool,
) -> list[Difference]:
    """Return the sentences where the outputs differ most, those with the largest gap between two scores first.

    Args:
        scores: of each sentence, by the name of the output.
        outputs: in the order of `scores`.
        is_english: kinds of rewriting are told in English alone.
    """
    table = np.stack(list(scores.values()))  # (systems, N)
    gaps = table.max(0) - table.min(0)
    places = [int(place) for place in np.argsort(-gaps, kind="stable")[:SHOWN] if gaps[place] > 0]
    found = []
    for place in places:
        text = complex_lines[place]
        versions = [
            Version(
                name,
                float(table[row, place]),
                _kind(text, outputs[row][place]) if is_english else "",
                marked_words(text, outputs[row][place]),
                ", ".join(run for run, is_gone in marked_words(outputs[row][place], text) if is_gone),
            )
            for row, name in enumerate(scores)
        ]
        found.append(Difference(place + 1, text, tuple(lines[place] for lines in references), versions))
    return found


def _kind(complex_line: str, output: str) -> str:
    if is_too_long(complex_line) or is_too_long(output):
        return ""
    return rewritings(units_of([complex_line], [output])).classes[0].value


def score_page(
    title: str, metric: str, rows: Sequence[Sequence[str]], notes: Sequence[str], found: Sequence[Difference]
) -> str:
    """Return the web page of a comparison.

    Args:
        metric: by whose scores of single sentences the outputs differ.
        rows: of the table; the first has its headers.
        notes: signatures and the like, below the table.
    """
    folder, styles = Path(__file__).resolve().parent / "web", ("base.css", "review.css")
    told: dict[str, Any] = {"title": title, "metric": metric, "rows": rows, "notes": notes, "found": found}
    return html_page(folder, "score.html.jinja", styles, (), **told)


def score_markdown(
    title: str, metric: str, rows: Sequence[Sequence[str]], notes: Sequence[str], found: Sequence[Difference]
) -> str:
    """Return the same as `score_page` in Markdown; new words are bold."""
    header, *others = rows
    lines = [f"# {escape(title)}", "", _row(header), _row(["---"] * len(header)), *map(_row, others), ""]
    lines += [f"- {escape(note)}" for note in notes]
    if found:
        lines += ["", f"## Where the outputs differ most ({escape(metric)})"]
    return "\n".join([*lines, *(line for one in found for line in _section(one))]) + "\n"


def _section(one: Difference) -> Iterator[str]:
    yield from ("", f"### Line {one.line}", "", f"- complex: {escape(one.complex)}")
    yield from (f"- reference: {escape(text)}" for text in one.references)
    for version in one.versions:
        text = "".join(f"**{escape(run)}**" if is_new else _spaced(run) for run, is_new in version.runs)
        gone = f"; left out: {escape(version.left_out)}" if version.left_out else ""
        kind = f", {version.kind}" if version.kind else ""
        yield f"- {escape(version.name)} ({version.score:.2f}{kind}{gone}): {text or '(no text)'}"


def _spaced(run: str) -> str:
    """Return a run as Markdown, with the spaces around it."""
    text = escape(run)
    return f"{run[: len(run) - len(run.lstrip())] and ' '}{text}{run[len(run.rstrip()) :] and ' ' if text else ''}"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(escape, cells))} |"
