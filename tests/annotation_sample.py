"""What two annotators and an adjudicator download from the page, as `files.js` writes it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from textsimp.core.records import DocumentPair, pair_to_json, read_pairs

Labels = Mapping[tuple[int, int], str]


def annotated_row(pair: DocumentPair, place: tuple[int, int], labels: Labels, **changes: Any) -> dict[str, Any]:
    """A line of the page's download: all sentences settled, all paragraphs linked; `changes` of `annotation`."""
    row = {key: value for key, value in pair_to_json(pair).items() if key not in ("alignments", "scores")}
    paragraphs = [
        [low, high] for low in range(len(pair.simple.paragraphs)) for high in range(len(pair.complex.paragraphs))
    ]
    row["alignments"] = [[*ends, label] for ends, label in sorted(labels.items())]
    row["annotation"] = {
        "annotator": "Ann",
        "round": "open",
        "place": list(place),
        "paragraphs": paragraphs,
        "not": [],
        "settled": list(range(len(pair.simple.sentences))),
        "flags": [],
        "resolved": [],
        "notes": [],
        **changes,
    }
    return row


def write_annotated(path: Path, pairs: Sequence[DocumentPair], labels: Sequence[Labels], **changes: Any) -> Path:
    """Write what an annotator with these labels downloads."""
    rows = [
        annotated_row(pair, (number, len(pairs)), found, **changes)
        for number, (pair, found) in enumerate(zip(pairs, labels, strict=True))
    ]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def gold_labels(pair: DocumentPair) -> dict[tuple[int, int], str]:
    """The links of a labelled pair."""
    return {(link.simple, link.complex): link.label.value for link in pair.alignments or ()}


def write_annotations(folder: Path) -> None:
    """Of gold.jsonl in the folder: two annotators of whom one labels all links of odd sentences partial; a third."""
    pairs = list(read_pairs(folder / "gold.jsonl"))
    gold = [gold_labels(pair) for pair in pairs]
    other = [{ends: "partial" if ends[0] % 2 else label for ends, label in labels.items()} for labels in gold]
    for name, labels in (("ann", gold), ("ben", other)):
        write_annotated(folder / f"{name}.jsonl", pairs, labels)
    write_annotated(folder / "cleo.jsonl", pairs, gold, round="adjudication")
