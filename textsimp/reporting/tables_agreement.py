"""Which metric agrees with people, and the numbers of EASSE again."""

from collections.abc import Iterator

from textsimp.reporting.compared_systems import released
from textsimp.reporting.inputs import AGREEMENT, LEADERBOARD, Numbers, Run
from textsimp.reporting.names import VARIANTS
from textsimp.reporting.table import Column, Line, Table, mark_best, tables

_OTHERS = {
    "fk": "FK", "fkgl": "FKGL", "len": "words per sentence", "compression_ratio": "length of output to input",
    "exact_copies": "copies", "additions": "added words", "deletions": "deleted words",
}  # fmt: skip
_EASSE = {
    "scores": {
        "sari": "SARI", "sari_add": "add", "sari_keep": "keep", "sari_del": "del", "bleu": "BLEU", "fkgl": "FKGL"
    },
    "comparisons": {
        "Compression ratio": "length", "Sentence splits": "sentences", "Levenshtein similarity": "similarity",
        "Exact copies": "copies", "Additions proportion": "added", "Deletions proportion": "deleted",
    },
}  # fmt: skip


def metric_agreement(run: Run) -> Iterator[Table]:
    """Correlations of each metric with the ratings of SimpEval."""
    if AGREEMENT not in run.plan.published:
        return
    numbers = run.at(f"published/{AGREEMENT}", "past")
    text = (
        f"SimpEval's ratings (Maddela et al. 2023) of {numbers.text('rating', 'systems', '')} systems, "
        f"{numbers.text('rating', 'sentences', '')} sentences of ASSET each, by five people. Per system: a point is a "
        "system; per sentence: an output. Small: 95 percent intervals over resamples of sentences, and of systems "
        "too. One rater: each against the mean of the others. docs/leaderboard.md says what follows, and what newer "
        "systems change."
    )
    metrics = [*VARIANTS, *_OTHERS, "one rater"]
    ranked = [metric in VARIANTS for metric in metrics]
    columns = {
        Column(f"per {level}", kind): mark_best(numbers.cells(metrics, f"{level}.{kind.lower()}", digits=2), ranked)
        for level in ("system", "sentence")
        for kind in ("Pearson", "Spearman", "Kendall")
    }
    lines = [Line([name]) for name in VARIANTS.values()]
    lines += [Line([name], block="others") for name in _OTHERS.values()] + [Line(["one rater"], block="people")]
    yield from tables("metric-agreement", "Which metric agrees with people", text, ["Metric"], lines, columns)


def parity(run: Run) -> Iterator[Table]:
    """What EASSE printed of BLESS's runs on ASSET, and ours."""
    if AGREEMENT not in run.plan.published:
        return
    results = run.results(f"published/{LEADERBOARD}")
    ours, theirs = Numbers(results, "easse/ours"), Numbers(results, "easse/printed")
    systems = released(run, ours)
    text = (
        "What EASSE printed of BLESS's runs on ASSET (Kew et al. 2023), and ours. Equal to 0.001: "
        f"{results.notes.get('parity', '')}."
    )
    for part, measures in _EASSE.items():
        columns = {}
        for measure, header in measures.items():
            printed = [theirs.value(one.system, measure) for one in systems]
            forms = ["" if value is None else f"{value:.4f}" for value in printed]
            columns[Column(header, "ours")] = [
                ours.cell(one.system, measure, 4, printed=form) for one, form in zip(systems, forms, strict=True)
            ]
            columns[Column(header, "EASSE")] = theirs.cells([one.system for one in systems], measure, 4)
        title = f"EASSE's numbers again: {'scores' if part == 'scores' else 'comparisons with the source'}"
        yield from tables(
            f"parity-{part}", title, text, ["System"], [Line([one.label]) for one in systems], columns, True
        )
