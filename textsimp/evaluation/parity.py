"""A certificate of parity: every number that EASSE printed of a released run, beside ours.

EASSE scores SARI lower-cased, and by its defaults BLEU and the comparisons with the source cased. Its measure of
lexical complexity needs a table of word ranks that is a download of its own, and BERTScore a model: these are left out.
"""

from collections.abc import Mapping
from pathlib import Path

from textsimp.core.results import Results
from textsimp.metrics.bleu import statistics_of_segments
from textsimp.metrics.ngrams import Segments
from textsimp.metrics.quality import quality_statistics
from textsimp.metrics.readability import fkgl_statistics
from textsimp.metrics.sari import corpus_recipe, sari
from textsimp.sources.bless import SUFFIX, Run, read_printed, read_run

OURS, PRINTED = "easse/ours", "easse/printed"
TOLERANCE = 1e-3
"""Ours and a printed number are the same where they differ by no more."""
QUALITIES = {
    "Compression ratio": "compression_ratio",
    "Sentence splits": "sentence_splits",
    "Levenshtein similarity": "levenshtein_similarity",
    "Exact copies": "exact_copies",
    "Additions proportion": "additions",
    "Deletions proportion": "deletions",
}
"""Our names of what compares outputs with their sources, by EASSE's."""


def add_parity(results: Results, outputs: Mapping[str, Path]) -> None:
    """Write ours and the printed numbers of outputs by key, into the scopes `easse/ours` and `easse/printed`.

    Outputs in another form than that of a run of BLESS have none. `InputError` as of `read_run` and `read_printed`.
    """
    for key, path in outputs.items():
        if path.suffix != SUFFIX:
            continue
        printed = read_printed(path.with_suffix(".eval"))
        for name, value in numbers_of(read_run(path)).items():
            if name in printed:
                results.put(OURS, key, {name: value})
                results.put(PRINTED, key, {name: float(printed[name])})
    if distances := [distance for distance, _, _ in deviations(results)]:
        equal = sum(distance <= TOLERANCE for distance in distances)
        results.notes["parity"] = f"{equal} of {len(distances)}; the largest difference is {max(distances):.5f}"


def numbers_of(run: Run) -> dict[str, float]:
    """Return what EASSE measures of a run, by EASSE's names."""
    score = sari(run.sources, run.outputs, run.references, corpus_recipe())
    segments = Segments(run.sources, run.outputs, run.references)
    numbers = {"bleu": statistics_of_segments(segments, lowercase=False).score().value, "sari": score.value}
    numbers |= {f"sari_{part}": value for part, value in score.parts.items()}
    numbers["fkgl"] = fkgl_statistics(run.outputs).score().value
    for name, measure in QUALITIES.items():
        numbers[name] = quality_statistics(measure, run.sources, run.outputs, lowercase=False).score().value
    return numbers


def deviations(results: Results) -> list[tuple[float, str, str]]:
    """Return how far each of our numbers is from the printed one, with the run and the name, the largest first."""
    rows = []
    for cell, ours in results.estimates.items():
        if cell.scope == OURS:
            printed = results.estimates[cell._replace(scope=PRINTED)]
            rows.append((abs(ours.value - printed.value), cell.system, cell.measure))
    return sorted(rows, reverse=True)
