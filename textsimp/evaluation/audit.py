"""Automatic alignments against what is known of the same articles: hidden gold, or another aligner's links."""

from collections.abc import Mapping
from pathlib import Path

from textsimp.core.errors import bad_input
from textsimp.core.reading import quoted
from textsimp.core.records import DocumentPair, Link, first_difference, numbered_pairs, read_pairs
from textsimp.core.results import Resampling, Results
from textsimp.metrics.links import TASKS, add_counts, link_statistics
from textsimp.metrics.registry import REFERENCE
from textsimp.metrics.resampling import score_systems

SCOPE = "articles"


def audit(reference: Path, alignments: Mapping[str, Path], resampling: Resampling) -> Results:
    """Precision, recall and F1 of alignment files against a reference file, over the document pairs that it has.

    Where the reference is another aligner's, these numbers are an agreement, not a quality.

    Args:
        reference: labelled document pairs; may be empty.
        alignments: name -> file of predicted alignments, which may hold more document pairs.
        resampling: of the article sets, for intervals and differences to the first file.

    Returns:
        Scope `articles`: `document_pairs` of the reference and, unless that is 0, the scores of each file.

    Raises:
        InputError: a file has none of the reference's document pairs, others than the first file, or one whose
            sentences differ.
    """
    known = {pair.id: pair for pair in read_pairs(reference)}
    results = Results(resampling=resampling)
    links: dict[str, dict[str, tuple[Link, ...]]] = {}
    for name, path in alignments.items() if known else ():
        links[name] = {
            pair.id: pair.alignments or ()
            for line, pair in numbered_pairs(path, {})
            if pair.id in known and _is_same(pair, known[pair.id], path, line)
        }
        if not links[name]:
            raise bad_input(path, None, f"none of the {len(known)} document pairs of {reference}", "align them first")
        if links[name].keys() != next(iter(links.values())).keys():
            raise bad_input(path, None, "other document pairs than the first file", "align the corpus again")
    ids = list(next(iter(links.values()), {}))
    results.put(SCOPE, REFERENCE, {"document_pairs": len(ids)})
    if not ids:
        return results
    pairs = [known[key] for key in ids]
    statistics = {name: link_statistics(pairs, [of_pair[key] for key in ids]) for name, of_pair in links.items()}
    first, *others = statistics
    score_systems(results, SCOPE, statistics, [(name, first) for name in others], resampling)
    for name, row in statistics.items():
        for task in TASKS:
            add_counts(results, SCOPE, name, task, [int(count) for count in row[task].counts.sum(0)])
    return results


def _is_same(pair: DocumentPair, labelled: DocumentPair, path: Path, line: int) -> bool:
    if difference := first_difference(pair, labelled):
        what = f"document pair {quoted(pair.id)} has other sentences than the reference: {difference}"
        raise bad_input(path, line, what, "acquire and align the corpus again")
    return True
