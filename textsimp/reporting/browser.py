"""Pages from templates, and the data of the browsers of alignments and of outputs, as their scripts take them.

Each page holds its styles and its one script; a content security policy lets no other run. The data are plain JSON in
the page: what a page says can be found by searching the file, and the bytes depend on nothing but the run (compressed
ones would depend on the library that compresses). A document is a line of its own, stored once however many pairs it is
in, and parsed when a pair with it is opened or when the texts are first searched.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from textsimp.core.inline import embedded_json, html_page
from textsimp.core.records import Document
from textsimp.reporting.names import Labels
from textsimp.reporting.texts import VERDICTS, Example, OutputSample, at_even_distances, sample_examples

NO_LINK = "-"
_WEB = Path(__file__).resolve().parent / "web"
_STYLES = ("base.css", "page.css", "browser.css")
_SCRIPTS = ("sections.js", "widgets.js", "browser.js", "outputs.js")


def rendered(template: str, helpers: Mapping[str, Callable[..., Any]], **values: Any) -> str:
    """Return a page made of a template of `reporting/web`, which calls the `helpers` and shows the `values`."""
    signs = {verdict: meaning[0] for verdict, meaning in VERDICTS.items()}
    known = {**helpers, "verdicts": VERDICTS, "signs": signs}
    return html_page(_WEB, template, _STYLES, _SCRIPTS, known, style_attributes=True, **values)


def browser_page(title: str, examples: Sequence[Example], labels: Mapping[str, str], number: int) -> str:
    """Return a page of an alignment browser alone (`alignment_browser`), for document pairs of one's own."""
    browser = alignment_browser("pairs", examples, labels, number)
    return rendered("browser_page.html.jinja", {}, title=title, browser=browser)


def alignment_browser(
    key: str, examples: Sequence[Example], labels: Mapping[str, str], number: int
) -> dict[str, Any] | None:
    """Return what the template of an alignment browser takes; None where there is nothing to browse.

    Args:
        key: the id of its element, and the first part of the addresses of its pairs.
        examples: all with the same systems; all with gold links, or none.
        labels: system -> the name to print.
        number: of more pairs than these, a sample is taken.
    """
    shown = sample_examples(examples, number)
    if not shown:
        return None
    has_gold = shown[0].pair.alignments is not None
    indexes: dict[Document, int] = {}
    pairs = [_pair(example, indexes) for example in shown]
    systems = [labels.get(name, name) for name in shown[0].predicted]
    return {
        "key": key,
        "has_gold": has_gold,
        "several": len(systems) > 1,
        "number": len(shown),
        "total": len(examples),
        "index": embedded_json({"gold": has_gold, "verdicts": VERDICTS, "systems": systems, "pairs": pairs}),
        "documents": "\n".join(embedded_json([document.id, document.paragraphs]) for document in indexes),
    }


def _pair(example: Example, indexes: dict[Document, int]) -> list[Any]:
    """Return id, index and level of both documents (new ones get the next index), and the links.

    A link is its complex and simple sentence, and the first letter of its label for gold and each system.
    """
    pair = example.pair
    sides = [[indexes.setdefault(side, len(indexes)), side.level] for side in (pair.complex, pair.simple)]
    letters = [
        {(link.complex, link.simple): link.label.value[0] for link in links}
        for links in (pair.alignments or (), *example.predicted.values())
    ]
    ends = sorted(set().union(*letters))
    return [pair.id, *sides, [[*end, "".join(by_ends.get(end, NO_LINK) for by_ends in letters)] for end in ends]]


def output_browser(
    key: str,
    test_sets: Mapping[str, Sequence[OutputSample]],
    systems: Sequence[tuple[str, str]],
    labels: Labels,
    number: int,
) -> dict[str, Any] | None:
    """Return what the template of an output browser takes; None where there is nothing to browse.

    Args:
        key: the id of its element.
        systems: training set and name, in the order of the outputs.
        number: sentences of each test set.
    """
    # a sentence is its line, complex side, references and outputs; 0 stands for an output that is the complex side
    sets = [
        {
            "name": name,
            "total": len(samples),
            "sentences": [[*row[:3], [0 if text == row.complex else text for text in row.outputs]] for row in shown],
        }
        for name, samples in test_sets.items()
        if (shown := at_even_distances(samples, number))
    ]
    names = [list(map(labels.label, training_and_system)) for training_and_system in systems]
    return {"key": key, "data": embedded_json({"systems": names, "testSets": sets})} if sets else None
