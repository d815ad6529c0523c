"""Automatic alignments against what is known of the same articles: hidden gold, or another aligner's links (F1)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from textsimp.errors import bad_input
from textsimp.metrics.alignment import alignment_scores
from textsimp.metrics.alignment_significance import difference, intervals
from textsimp.metrics.resampling import Resampling
from textsimp.records import DocumentPair, Link, read_pairs


def audit(reference: Path, alignments: Mapping[str, Path], resampling: Resampling) -> dict[str, Any]:
    """Precision, recall and F1 of alignment files against a reference file, over the document pairs that it has.

    Where the reference is another aligner's, these numbers are an agreement, not a quality.

    Args:
        reference: labelled document pairs; may be empty.
        alignments: name -> file of predicted alignments, which may hold more document pairs.
        resampling: of the article sets, for intervals and differences.

    Returns:
        `{"document_pairs": 0}` without reference; else the same with `NAME: alignment_scores(...)` for each file, to
        which `intervals` are added and, but for the first file, the `difference` to it.

    Raises:
        InputError: a file has none of the reference's document pairs, others than the first file, or one whose
            sentences differ.
    """
    known = {pair.id: pair for pair in read_pairs(reference)}
    result: dict[str, Any] = {"document_pairs": 0}
    first: dict[str, Sequence[Link]] = {}
    for name, path in alignments.items() if known else ():
        found = {pair.id: pair.alignments or () for pair in read_pairs(path) if _is_known(pair, known, path)}
        if not found:
            raise bad_input(path, None, f"none of the {len(known)} document pairs of {reference}", "align them first")
        pairs, links = [known[key] for key in found], list(found.values())
        result["document_pairs"] = len(pairs)
        result[name] = alignment_scores(zip(pairs, links, strict=True))
        result[name]["intervals"] = intervals(pairs, links, resampling)
        if not first:
            first = found
        elif found.keys() == first.keys():
            others = [first[key] for key in found]
            result[name]["difference"] = difference(pairs, links, others, resampling)
        else:
            raise bad_input(path, None, "other document pairs than the first file", "align the corpus again")
    return result


def _is_known(pair: DocumentPair, known: Mapping[str, DocumentPair], path: Path) -> bool:
    other = known.get(pair.id)
    if other is None:
        return False
    if (pair.complex.sentences, pair.simple.sentences) != (other.complex.sentences, other.simple.sentences):
        what = f"document pair {pair.id!r} has other sentences than the reference"
        raise bad_input(path, None, what, "acquire and align the corpus again")
    return True
