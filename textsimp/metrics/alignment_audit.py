"""Automatic alignments against what is known of the same articles: hidden gold, or another aligner's links (F1)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from textsimp.errors import bad_input
from textsimp.metrics.alignment import alignment_scores
from textsimp.records import DocumentPair, read_pairs


def audit(reference: Path, alignments: Mapping[str, Path]) -> dict[str, Any]:
    """Precision, recall and F1 of alignment files against a reference file, over the document pairs that it has.

    Where the reference is another aligner's, these numbers are an agreement, not a quality.

    Args:
        reference: labelled document pairs; may be empty.
        alignments: name -> file of predicted alignments, which may hold more document pairs.

    Returns:
        `{"document_pairs": 0}` without reference; else the same with `NAME: alignment_scores(...)` for each file.

    Raises:
        InputError: a file has none of the reference's document pairs, or one whose sentences differ.
    """
    known = {pair.id: pair for pair in read_pairs(reference)}
    result: dict[str, Any] = {"document_pairs": 0}
    for name, path in alignments.items() if known else ():
        predicted = [
            (known[pair.id], pair.alignments or ()) for pair in read_pairs(path) if _is_known(pair, known, path)
        ]
        if not predicted:
            raise bad_input(path, None, f"none of the {len(known)} document pairs of {reference}", "align them first")
        result["document_pairs"] = len(predicted)
        result[name] = alignment_scores(predicted)
    return result


def _is_known(pair: DocumentPair, known: Mapping[str, DocumentPair], path: Path) -> bool:
    other = known.get(pair.id)
    if other is None:
        return False
    if (pair.complex.sentences, pair.simple.sentences) != (other.complex.sentences, other.simple.sentences):
        what = f"document pair {pair.id!r} has other sentences than the reference"
        raise bad_input(path, None, what, "acquire and align the corpus again")
    return True
