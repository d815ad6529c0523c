"""What an alignment is worth to phrase-based translation: one system, trained on the corpus of each recipe.

    python experiments/recipes_translation.py --mirror FOLDER --dev DEV.jsonl --work FOLDER --results FOLDER

Arguments are those of experiments/recipes.py, whose corpora these are, at equal and growing sizes; some hours on one
core. The system and its test sets are those of Kajiwara and Komachi 2016, Table 3, and Stajner et al. 2017, Table 3, as
far as they are to be had: Coster and Kauchak's and TURK; weights are tuned on 500 tuning pairs of Coster and Kauchak.
What is in the work folder already is not trained again. Kept: reports/benchmarks/recipes.md.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from experiments.coster_kauchak import PairOfTexts, held_out_sentences, train_in, training_pairs, translation
from experiments.recipes import RECIPES, arguments, corpora_of, known_results
from textsimp.core.errors import exit_on_bad_input
from textsimp.core.reading import read_lines
from textsimp.core.records import SIDES
from textsimp.core.results import Cell, Contrast, Estimate, Results
from textsimp.core.writing import write_lines
from textsimp.corpora.filters import comparable
from textsimp.metrics.registry import MetricOptions, Texts, metric_statistics
from textsimp.metrics.resampling import score_systems
from textsimp.simplification import simplifiers
from textsimp.simplification.interface import Runtime
from textsimp.sources.parallel import read_coster_kauchak, read_turk

NONE = "none"
MEASURES = {"sari": "SARI", "bleu": "BLEU"}
# from here on numbers are counts
WHOLE = 1000


def translated(
    work: Path, corpus: Sequence[PairOfTexts], dev: Sequence[PairOfTexts], tests: Mapping[str, Sequence[str]]
) -> dict[str, list[str]]:
    """The outputs for each test set of the system that a corpus trains; kept in the folder."""
    paths = {name: work / f"{name}.txt" for name in tests}
    if not all(path.is_file() for path in paths.values()):
        model = train_in(work, corpus, dev, translation())
        simplifier = simplifiers.load_simplifier_folder(model, Runtime("cpu", 1))
        for name, lines in tests.items():
            write_lines(paths[name], [beam[0].text for beam in simplifier.simplify(lines)])
    return {name: read_lines(path) for name, path in paths.items()}


def add_scores(
    results: Results,
    test: str,
    outputs: Mapping[str, Sequence[str]],
    references: Sequence[Sequence[str]],
    measures: Sequence[str],
    pairs: Sequence[tuple[str, str]] = (),
) -> None:
    """Write the scores of outputs, `NONE` among them, their differences to it and within `pairs`, and copies."""
    source = outputs[NONE]
    rows = {
        name: metric_statistics(measures, Texts(source, lines, references), MetricOptions())
        for name, lines in outputs.items()
    }
    assert results.resampling is not None
    to_input = [(name, NONE) for name in outputs if name != NONE]
    score_systems(results, test, rows, [*to_input, *pairs], results.resampling)
    results.signatures |= {name: str(row.signature) for name, row in rows[NONE].items()}
    for name, lines in outputs.items():
        copies = sum(comparable(text) == comparable(line) for text, line in zip(lines, source, strict=True))
        results.estimates[Cell(test, name, "copies (%)")] = Estimate(100 * copies / len(source))


def tables(results: Results) -> str:
    """The page."""
    parts = [
        "# Corpora by recipe",
        "Written by `python experiments/recipes_translation.py`, whose first lines say what this is.",
    ]
    names = results.systems("corpora")
    rows = [
        [measure, *(results.value("corpora", name, measure) for name in names)]
        for measure in results.measures("corpora", names[0])
    ]
    parts += ["### The corpora", markdown_table(rows, ["", *(RECIPES[name].source for name in names)])]
    bands = [
        [band, *(results.value("reading ease", side, band) for side in SIDES)]
        for band in results.measures("reading ease", "complex")
    ]
    table = markdown_table(bands, ["band", "complex (%)", "simple (%)"])
    parts += ["### Reading ease of the sentences of the articles", table]
    labels = list(MEASURES.values())
    head = ["trained on", *labels, *(f"{label}, above none" for label in labels), "copies (%)"]
    for test in [scope for scope in results.scopes() if scope not in ("corpora", "reading ease")]:
        scores = [_scores(results, test, system) for system in results.systems(test)]
        parts += [f"### Phrase-based translation, {test}", markdown_table(scores, head)]
    return "\n\n".join([*parts, *(f"`{signature}`" for signature in results.signatures.values())]) + "\n"


def _scores(results: Results, test: str, system: str) -> list[Any]:
    name, _, pairs = system.partition(" ")
    row: list[Any] = [f"{RECIPES[name].source}, {int(pairs):,} pairs" if pairs else NONE]
    row += [results.value(test, system, measure) for measure in MEASURES]
    for measure in MEASURES:
        gain = results.comparisons.get(Contrast(test, measure, system, NONE))
        row.append("–" if gain is None else f"{gain.difference:+.2f} ({gain.low:+.2f} to {gain.high:+.2f})")
    return [*row, results.value(test, system, "copies (%)")]


def markdown_table(rows: Sequence[Sequence[Any]], head: Sequence[str]) -> str:
    """A table of texts and numbers in Markdown."""
    lines = [head, ["---"] * len(head), *([_cell(value) for value in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,.0f}" if value >= WHOLE else f"{value:.1f}"


@exit_on_bad_input
def main() -> None:
    """Train, translate, score, write the page."""
    parser = arguments("python experiments/recipes_translation.py", __doc__)
    parser.add_argument("--sizes", nargs="*", type=int, default=[], help="pairs, beside the smallest corpus's")
    args = parser.parse_args()
    tests = {
        "turk": read_turk(args.mirror / "turk", "test"),
        "coster_kauchak": read_coster_kauchak(args.mirror / "coster_kauchak_2011", "test"),
    }
    sources = {test: [source for source, _ in rows] for test, rows in tests.items()}
    dev, results = training_pairs(args.mirror)[1], known_results(args.results)
    corpora = corpora_of(args, held_out_sentences(args.mirror), results)
    outputs: dict[str, dict[str, list[str]]] = {}
    for size in (min(map(len, corpora.values())), *args.sizes, 0):
        for name, corpus in corpora.items():
            chosen = corpus[: size or None]
            key = f"{name} {len(chosen)}"
            if key not in outputs and len(chosen) >= size:
                outputs[key] = translated(args.work / key.replace(" ", "."), chosen, dev, sources)
    for test, rows in tests.items():
        lines = {NONE: sources[test], **{name: by_test[test] for name, by_test in outputs.items()}}
        add_scores(results, test, lines, list(zip(*(row[1] for row in rows), strict=True)), list(MEASURES))
    results.write(args.results / "recipes.json")
    write_lines(args.results / "recipes.md", tables(results).splitlines())


if __name__ == "__main__":
    main()
