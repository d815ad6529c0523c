"""reports/index.html: one page that needs nothing else; every text is escaped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from textsimp.reporting.examples import VERDICTS, Example, blocks
from textsimp.reporting.figures import Figure
from textsimp.reporting.inputs import CorpusResults
from textsimp.reporting.names import PAPER, TRAINING_SETS, simplifier_label
from textsimp.reporting.outputs import OutputSample, marked_words
from textsimp.reporting.tables import MISSING, Cell, Table

_HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Section:
    """One part of the page: tables, then figures, then examples of each corpus."""

    key: str
    title: str
    tables: Sequence[Table]
    figures: Sequence[Figure] = ()
    alignments: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
    outputs: Sequence[Mapping[str, Any]] = field(default_factory=tuple)


def page(title: str, main: Table, sections: Sequence[Section]) -> str:
    """The whole page."""
    environment = Environment(
        loader=FileSystemLoader(_HERE), autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    environment.globals.update(starts_group=_starts_group, classes=_classes)
    return environment.get_template("page.html.jinja").render(
        title=title,
        paper=PAPER,
        main=main,
        sections=sections,
        style=(_HERE / "page.css").read_text(encoding="utf-8"),
        verdicts=VERDICTS,
        signs={verdict: meaning[0] for verdict, meaning in VERDICTS.items()},
    )


def shown_alignments(corpus: CorpusResults) -> dict[str, Any]:
    """The alignment examples of a corpus, as the template takes them."""
    return {
        "name": corpus.plan.name,
        "hidden": not corpus.plan.show_text,
        "examples": [_example(example) for example in corpus.examples],
    }


def shown_outputs(corpus: CorpusResults) -> dict[str, Any]:
    """The sample outputs of a corpus, as the template takes them."""
    samples = [_sample(sample) for sample in corpus.outputs]
    return {"name": corpus.plan.name, "hidden": not corpus.plan.show_text, "samples": samples}


def _example(example: Example) -> dict[str, Any]:
    pair = example.pair
    levels = {"complex_level": pair.complex.level, "simple_level": pair.simple.level}
    return {"id": pair.id, **levels, "blocks": blocks(example)}


def _sample(sample: OutputSample) -> dict[str, Any]:
    outputs = [
        (TRAINING_SETS.get(training, training), simplifier_label(system), marked_words(sample.complex, text))
        for training, system, text in sample.outputs
    ]
    given = {"complex": sample.complex, "references": sample.references}
    return {"test_set": sample.test_set, "line": sample.line, **given, "outputs": outputs}


def _starts_group(table: Table, index: int) -> bool:
    return index > 0 and table.columns[index].group != table.columns[index - 1].group


def _classes(table: Table, index: int, cell: Cell) -> str | None:
    """The CSS classes of a cell, None for none."""
    found = ["n"] if table.columns[index].numeric else []
    found += ["edge"] if _starts_group(table, index) else []
    found += ["none"] if cell.text == MISSING else []
    return " ".join([*found, *([cell.tone] if cell.tone else [])]) or None
