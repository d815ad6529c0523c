"""Data of the alignment browser and of the output browser, as their scripts take them.

Everything is plain JSON in the page: what a page says can be found by searching the file, and the bytes depend on
nothing but the run (compressed ones would depend on the library that compresses). A document is a line of its own,
stored once however many pairs it is in, and parsed when a pair with it is opened or when the texts are first searched.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from textsimp.inline import embedded_json
from textsimp.records import Document, Link
from textsimp.reporting.names import TRAINING_SETS, simplifier_label
from textsimp.reporting.page.examples import VERDICTS, Example, sample_examples
from textsimp.reporting.page.outputs import OutputSample, OutputSet

NO_LINK = "-"


def alignment_browser(
    key: str, examples: Sequence[Example], labels: Mapping[str, str], number: int
) -> dict[str, Any] | None:
    """What the template of an alignment browser takes; None where there is nothing to browse.

    Args:
        key: the id of its element, and the first part of the addresses of its pairs.
        examples: document pairs with the links of the same systems; all of them with gold links, or none.
        labels: system -> the name to print.
        number: of more pairs than these, a sample is taken, by a digest of their ids.
    """
    shown = sample_examples(examples, number)
    if not shown:
        return None
    has_gold = shown[0].pair.alignments is not None
    places: dict[Document, int] = {}
    pairs = [_pair(example, places) for example in shown]
    systems = [labels.get(name, name) for name in shown[0].predicted]
    return {
        "key": key,
        "has_gold": has_gold,
        "several": len(systems) > 1,
        "number": len(shown),
        "total": len(examples),
        "index": embedded_json({"gold": has_gold, "verdicts": VERDICTS, "systems": systems, "pairs": pairs}),
        "documents": "\n".join(embedded_json([document.id, document.paragraphs]) for document in places),
    }


def _pair(example: Example, places: dict[Document, int]) -> list[Any]:
    """Id, the place and level of both documents, and the links; new documents get the next place."""
    sides = [[places.setdefault(side, len(places)), side.level] for side in (example.pair.complex, example.pair.simple)]
    return [example.pair.id, *sides, _codes(example)]


def _codes(example: Example) -> list[list[Any]]:
    """Every link of anybody: complex and simple index, and the first letter of its label for gold and each system."""
    named = [_labels(links) for links in (example.pair.alignments or (), *example.predicted.values())]
    ends = sorted({end for labels in named for end in labels})
    return [[*end, "".join(labels.get(end, NO_LINK) for labels in named)] for end in ends]


def _labels(links: Sequence[Link]) -> dict[tuple[int, int], str]:
    return {(link.complex, link.simple): link.label.value[0] for link in links}


def output_browser(key: str, test_sets: Sequence[OutputSet], number: int) -> dict[str, Any] | None:
    """What the template of an output browser takes; None where there is nothing to browse.

    Args:
        key: the id of its element.
        test_sets: all with the same systems.
        number: sentences of each test set.
    """
    shown = [(found, found.at_even_distances(number)) for found in test_sets]
    shown = [(found, samples) for found, samples in shown if samples]
    if not shown:
        return None
    data = {
        "systems": [[TRAINING_SETS.get(name, name), simplifier_label(system)] for name, system in shown[0][0].systems],
        "testSets": [
            {"name": found.name, "total": len(found.samples), "sentences": [_sentence(sample) for sample in samples]}
            for found, samples in shown
        ],
    }
    return {"key": key, "data": embedded_json(data)}


def _sentence(sample: OutputSample) -> list[Any]:
    """Line, complex sentence, references and outputs; 0 stands for an output that is the complex sentence."""
    outputs = [0 if text == sample.complex else text for text in sample.outputs]
    return [sample.line, sample.complex, sample.references, outputs]
