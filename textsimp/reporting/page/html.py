"""reports/index.html: one page that needs nothing else; every text is escaped.

Tables, figures and a few examples are in the page as they are printed. The page's one script puts browsers of all
document pairs and outputs in the examples' place; a content security policy lets nothing but that script run.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from textsimp.inline import policy_source
from textsimp.reporting.claims import HEADERS
from textsimp.reporting.config import CorpusPlan, ReportConfig
from textsimp.reporting.figures import Figure
from textsimp.reporting.names import PAPER, TRAINING_SETS, simplifier_label
from textsimp.reporting.page.browser import alignment_browser, output_browser
from textsimp.reporting.page.cards import Card
from textsimp.reporting.page.examples import VERDICTS, Example, blocks, choose_examples
from textsimp.reporting.page.outputs import OutputSample, OutputSet, marked_words
from textsimp.reporting.tables import MISSING, Cell, Table

_HERE = Path(__file__).resolve().parent
STYLES = ("page.css", "browser.css")
SCRIPTS = ("sections.js", "widgets.js", "links.js", "browser.js", "outputs.js")
FOLDED = frozenset({"alignment-details", "sari-subsets"})
"""Sections of many tables that few readers need: closed on the screen until they are asked for, open in print."""
_LONG_HEADER, _LONG_TEXT = 12, 24
"""Letters of a header, and of a cell of words, that may go over several lines."""
_WIDE, _ACROSS = 18, 24
"""Columns of a table that a screen, and an upright page, hold in letters of the usual size, and in smaller ones."""
_WHOLE = re.compile(r"(?:[<>=≥] )?[-+]?\d+\.\d[†‡]?(?: [<>=≥] \d+\.\d)*(?: \([-\d.]+ to [-\d.]+\))?")
"""A comparison, or a difference with its interval, that stays on one line."""


@dataclass(frozen=True)
class Section:
    """One part of the page: tables, then figures, then examples of each corpus."""

    key: str
    title: str
    tables: Sequence[Table]
    figures: Sequence[Figure] = ()
    alignments: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
    outputs: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
    cards: Sequence[Card] = ()


def page(title: str, main: Table, sections: Sequence[Section]) -> str:
    """The whole page."""
    return _rendered("page.html.jinja", title=title, paper=PAPER, main=main, sections=sections)


def browser_page(title: str, examples: Sequence[Example], labels: Mapping[str, str], number: int) -> str:
    """A page of an alignment browser alone, for document pairs of one's own.

    Args:
        examples, labels, number: as `alignment_browser` takes them.
    """
    browser = alignment_browser("pairs", examples, labels, number)
    return _rendered("browser_page.html.jinja", title=title, browser=browser)


def shown_alignments(
    plan: CorpusPlan, examples: Sequence[Example], labels: Mapping[str, str], config: ReportConfig
) -> dict[str, Any]:
    """The alignment examples of a corpus, and the browser of all its pairs, as the template takes them."""
    chosen = choose_examples(examples, config.example_pairs, config.example_sentences)
    return {
        "name": plan.name,
        "hidden": not plan.show_text,
        "system": labels.get(name := next(iter(chosen[0].predicted)), name) if chosen else "",
        "examples": [_example(example) for example in chosen],
        "browser": alignment_browser(f"pairs-{plan.name}", examples, labels, config.browser_pairs),
    }


def shown_outputs(plan: CorpusPlan, test_sets: Sequence[OutputSet], config: ReportConfig) -> dict[str, Any]:
    """The sample outputs of a corpus, and the browser of more of them, as the template takes them."""
    samples = [
        _sample(found, sample) for found in test_sets for sample in found.at_even_distances(config.output_sentences)
    ]
    return {
        "name": plan.name,
        "hidden": not plan.show_text,
        "samples": samples,
        "browser": output_browser(f"outputs-{plan.name}", test_sets, config.output_sentences_browsed),
    }


def _rendered(template: str, **values: Any) -> str:
    """A template with the styles and the script, which its content security policy names by digest."""
    environment = Environment(
        loader=FileSystemLoader(_HERE), autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    style, script = (
        "".join((_HERE / name).read_text(encoding="utf-8") for name in names) for names in (STYLES, SCRIPTS)
    )
    signs = {verdict: meaning[0] for verdict, meaning in VERDICTS.items()}
    environment.globals.update(verdicts=VERDICTS, signs=signs, folded=FOLDED, pieces=_pieces)
    environment.globals.update(is_claims=_is_claims, table_class=_table_class)
    environment.globals.update(starts_group=_starts_group, classes=_classes, header_classes=_header_classes)
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src {policy_source(script)}; base-uri 'none'"
    return environment.get_template(template).render(policy=policy, style=style, script=script, **values)


def _example(example: Example) -> dict[str, Any]:
    pair = example.pair
    levels = {"complex_level": pair.complex.level, "simple_level": pair.simple.level}
    return {"id": pair.id, **levels, "blocks": blocks(example)}


def _sample(found: OutputSet, sample: OutputSample) -> dict[str, Any]:
    outputs = [
        (TRAINING_SETS.get(training, training), simplifier_label(system), marked_words(sample.complex, text))
        for (training, system), text in zip(found.systems, sample.outputs, strict=True)
    ]
    given = {"complex": sample.complex, "references": sample.references}
    return {"test_set": found.name, "line": sample.line, **given, "outputs": outputs}


def _table_class(table: Table) -> str | None:
    """The CSS class of a table of claims, or of one that is set smaller, or also printed on a page turned sideways.

    A column with intervals counts as two.
    """
    if _is_claims(table):
        return "words"
    columns = zip(*(row.cells for row in table.rows), strict=True)
    width = len(table.columns) + sum(any(cell.interval for cell in cells) for cells in columns)
    return "wide across" if width > _ACROSS else "wide" if width > _WIDE else None


def _is_claims(table: Table) -> bool:
    """Whether the table is of claims, which a narrow screen shows one below the other."""
    return tuple(column.header for column in table.columns) == tuple(HEADERS)


def _pieces(text: str) -> list[tuple[str, bool]]:
    """The text in pieces, each with whether it may not be broken over two lines."""
    places = [0, *(place for found in _WHOLE.finditer(text) for place in found.span()), len(text)]
    found = [(text[start:end], number % 2 == 1) for number, (start, end) in enumerate(pairwise(places))]
    return [piece for piece in found if piece[0]]


def _is_long(table: Table, index: int) -> bool:
    """Whether a column may break its header, and its words, over several lines."""
    column = table.columns[index]
    texts = [] if column.numeric else [row.cells[index].text for row in table.rows]
    return len(column.header) > _LONG_HEADER or any(len(text) > _LONG_TEXT for text in texts)


def _starts_group(table: Table, index: int) -> bool:
    return index > 0 and table.columns[index].group != table.columns[index - 1].group


def _header_classes(table: Table, index: int) -> str | None:
    """The CSS classes of a column's header, None for none."""
    found = ["n"] if table.columns[index].numeric else []
    found += ["edge"] if _starts_group(table, index) else []
    return " ".join([*found, *(["long"] if _is_long(table, index) else [])]) or None


def _classes(table: Table, index: int, cell: Cell) -> str | None:
    """The CSS classes of a cell, None for none."""
    found = ["n"] if table.columns[index].numeric else []
    found += ["edge"] if _starts_group(table, index) else []
    found += ["none"] if cell.text == MISSING else []
    return " ".join([*found, *([cell.tone] if cell.tone else [])]) or None
