"""What an alignment is worth to phrase-based translation: corpora by the recipes of the papers, from the same articles.

Run from the repository's root, some hours on one core:

    python -m benchmarks.recipes --mirror FOLDER --dev DEV.jsonl --work FOLDER --results FOLDER
        [--recipes zhu maximum ...] [--sizes 2500 [--curve zhu maximum ...]] [--levels | --articles FOLDER]

Articles: the page pairs of WIKI-AUTO's validation part and of D-Wikipedia, 5,100 of them, in lower case, one paragraph
each. A recipe is an alignment system with the values that its paper prints; where the paper has none, thresholds come
from the labelled pairs in DEV. Every corpus trains the same phrase-based system (Kajiwara and Komachi 2016, Table 3;
Stajner et al. 2017, Table 3), at equal and growing sizes, its weights tuned on 500 tuning pairs of Coster and Kauchak;
tests are theirs and TURK. Written: what the corpora are like (their Tables 1 to 3, Kajiwara's Figure 2), and the scores
with intervals. What is in the work folder already is not computed again, and what the results have of other recipes
stays. The recipe `released` is the links that WIKI-AUTO's authors released, of the articles that have some; their
simple pages hold no sentence without one.

With --levels the articles are those of OneStopEnglish, at three levels, with their paragraphs: neighbouring levels
against all of them (Stajner et al. 2017, Table 4, on Newsela, which is licensed). With --articles they are what
`textsimp extract-wikipedia` wrote to that folder, with their paragraphs; see also `benchmarks.funnel`.
"""

import argparse
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.coster_kauchak import PairOfTexts, train_in, training_pairs, translation
from textsimp.alignment.neural.aligner_settings import Device
from textsimp.alignment.parts import Part
from textsimp.alignment.spec import SystemSpec
from textsimp.core.errors import exit_on_bad_input
from textsimp.core.params import from_conf
from textsimp.core.progress import progress
from textsimp.core.reading import folder_files, read_lines
from textsimp.core.records import SIDES, Document, DocumentPair, read_pairs, write_pairs
from textsimp.core.results import Cell, Contrast, Estimate, Resampling, Results
from textsimp.core.writing import atomic_write, write_lines
from textsimp.corpora.filters import comparable, tokens
from textsimp.corpora.pairs import linked_pairs
from textsimp.metrics.readability import count_line
from textsimp.metrics.registry import METRICS, MetricOptions, Texts, metric_statistics
from textsimp.metrics.resampling import score_systems
from textsimp.metrics.rewriting.kinds import rewriting_statistics, rewritings
from textsimp.metrics.rewriting.units import Unit, sentence_operations
from textsimp.metrics.tokens import split_sentences
from textsimp.simplification import simplifiers
from textsimp.simplification.interface import Runtime
from textsimp.sources.d_wikipedia import d_wikipedia_pairs
from textsimp.sources.onestop import read_onestop_english
from textsimp.sources.parallel import read_coster_kauchak, read_turk
from textsimp.sources.wiki_auto import read_wiki_auto_valid

NONE = "none"
MEASURES = ("sari", "bleu")
BANDS = (0, 30, 50, 60, 70, 80, 90, 100)
"""Of Flesch Reading Ease."""
SEED = 1
BLOCK = 100
WHOLE = 1000
"""From here on numbers are counts."""
DESCRIBED = 1000
"""Pairs of a corpus whose word operations are counted."""


@dataclass(frozen=True)
class Recipe:
    """A system of conf/alignment_system, and what its paper fixes; None for the threshold that dev chooses.

    `most_levels` is how far the levels of two documents may lie apart; None: any.
    """

    source: str
    system: str | None
    threshold: float | None = None
    similarity: Mapping[str, Any] = field(default_factory=dict)
    most_levels: int | None = None


RECIPES = {
    "zhu": Recipe("Zhu et al. 2010", "zhu"),
    "coster_kauchak": Recipe("Coster and Kauchak 2011", "coster_kauchak", 0.5),
    "coster_kauchak_75": Recipe("Coster and Kauchak 2011, from .75", "coster_kauchak", 0.75),
    "hwang": Recipe("Hwang et al. 2015", "hwang"),
    "maximum": Recipe("Kajiwara and Komachi 2016, from .53", "maximum_alignment", 0.53, {"theta": 0.49}),
    "maximum_tuned": Recipe("Kajiwara and Komachi 2016, thresholds by dev", "maximum_alignment"),
    "additive": Recipe("Additive embeddings", "additive"),
    "hmm": Recipe("Bott and Saggion 2011", "hmm"),
    "cats_c3g": Recipe("Stajner et al. 2017, C3G", "cats_c3g"),
    "massalign": Recipe("Paetzold et al. 2017", "massalign"),
    "shipped": Recipe("The aligner of the package", None),
    "released": Recipe("Jiang et al. 2020, the links of the authors", None),
}
RELEASED = "released"
LEVELS = {
    "neighbouring_c3g_2s": Recipe("Neighbouring levels, CATS C3G-2s", "cats_c3g_2s", most_levels=1),
    "all_c3g_2s": Recipe("All levels, CATS C3G-2s", "cats_c3g_2s"),
    "neighbouring_hmm": Recipe("Neighbouring levels, HMM", "hmm", most_levels=1),
    "all_hmm": Recipe("All levels, HMM", "hmm"),
}


def articles(mirror: Path) -> list[DocumentPair]:
    """The page pairs, lower-cased, without labels; of pages that begin with the same sentence, the first."""
    documents: dict[str, DocumentPair] = {}
    for pair in (
        *read_wiki_auto_valid(mirror / "wiki_auto_valid", "wiki_auto_valid"),
        *d_wikipedia_pairs(mirror, "d_wikipedia"),
    ):
        key = comparable(pair.complex.sentences[0])
        complex_, simple = (_in_one_paragraph(_lowered(getattr(pair, side))) for side in SIDES)
        lowered = replace(pair, complex=complex_, simple=simple, alignments=None)
        documents.setdefault(key, lowered)
    return list(documents.values())


def extracted_articles(folder: Path) -> list[DocumentPair]:
    """The article pairs of an extraction from dumps, lower-cased, in their paragraphs."""
    paths = folder_files(folder, "shard-*.jsonl", "give a folder that `textsimp extract-wikipedia` wrote")
    return [
        replace(pair, complex=_lowered(pair.complex), simple=_lowered(pair.simple))
        for path in paths
        for pair in read_pairs(path)
    ]


def with_released_links(mirror: Path, pairs: Sequence[DocumentPair]) -> list[DocumentPair]:
    """Those of the pairs that WIKI-AUTO's authors aligned, with their links."""
    known = {pair.id: pair.alignments for pair in read_wiki_auto_valid(mirror / "wiki_auto_valid", "wiki_auto_valid")}
    return [replace(pair, alignments=known[pair.id]) for pair in pairs if pair.corpus == "wiki_auto_valid"]


def articles_at_levels(mirror: Path) -> list[DocumentPair]:
    """All pairs of levels of each article, lower-cased, in their paragraphs."""
    pairs = read_onestop_english(mirror / "onestop_english", "onestop").pairs
    return [replace(pair, complex=_lowered(pair.complex), simple=_lowered(pair.simple)) for pair in pairs]


def _lowered(document: Document) -> Document:
    return replace(document, paragraphs=tuple(tuple(map(str.lower, part)) for part in document.paragraphs))


def _in_one_paragraph(document: Document) -> Document:
    return replace(document, paragraphs=(document.sentences,))


def aligned(recipe: Recipe, pairs: Sequence[DocumentPair], dev: Path, path: Path) -> list[DocumentPair]:
    """The pairs with the links of the recipe, from the file where it is there."""
    if not path.is_file():
        spec = SystemSpec.named(recipe.system, dev=dev if recipe.system else None)
        if recipe.threshold is not None:
            options = {**spec.config.similarity.options, **recipe.similarity}
            tuned = {
                key: values
                for key, values in spec.config.tuned.items()
                if key not in ({f"similarity.{option}" for option in recipe.similarity})
            }
            similarity = Part(spec.config.similarity.name, options)
            config = replace(spec.config, similarity=similarity, threshold=recipe.threshold, tuned=tuned)
            spec = replace(spec, config=config)
        farthest = recipe.most_levels
        pairs = [pair for pair in pairs if farthest is None or pair.simple.level - pair.complex.level <= farthest]
        system = spec.load(from_conf("runtime", Device), pairs)
        aligned: list[DocumentPair] = []
        for start in progress(range(0, len(pairs), BLOCK), desc=path.stem):
            block = pairs[start : start + BLOCK]
            system.prepare(block)  # what it keeps of texts is dropped
            aligned += [replace(pair, alignments=tuple(system.align(pair))) for pair in block]
        write_pairs(path, aligned)
    return list(read_pairs(path))


def sentence_pairs(pairs: Sequence[DocumentPair], held_out: set[str]) -> list[PairOfTexts]:
    """Complex and simple side of each different pair that has no held-out sentence, in a random order."""
    distinct = dict.fromkeys(
        (linked.complex, linked.simple)
        for pair in pairs
        for linked in linked_pairs(pair, "simple")
        if held_out.isdisjoint((comparable(linked.complex), comparable(linked.simple)))
    )
    rows = list(distinct)
    random.Random(SEED).shuffle(rows)
    return rows


def reading_ease(texts: Sequence[str]) -> float:
    """Flesch Reading Ease of all together: 206.835 - 1.015 words / sentences - 84.6 syllables / words."""
    sentences, words, syllables = np.sum([count_line(text) for text in texts], 0).tolist()
    return float(206.835 - 1.015 * words / max(sentences, 1) - 84.6 * syllables / max(words, 1))


def describe(results: Results, name: str, pairs: Sequence[DocumentPair], corpus: Sequence[PairOfTexts]) -> None:
    """Write what a corpus is like."""
    sides = list(zip(*corpus, strict=True))
    numbers: dict[str, float] = {"pairs": len(corpus), "pairs per article": len(corpus) / len(pairs)}
    numbers["identical (%)"] = 100 * sum(comparable(a) == comparable(b) for a, b in corpus) / len(corpus)
    for side, texts in zip(SIDES, sides, strict=True):
        words = [tokens(text) for text in texts]
        numbers[f"vocabulary, {side}"] = len({word for row in words for word in row})
        numbers[f"words, {side}"] = sum(map(len, words)) / len(words)
        numbers[f"reading ease, {side}"] = reading_ease(texts)
    operations = sentence_operations((pair, pair.alignments or ()) for pair in pairs)
    numbers |= {f"{kind} (%)": 100 * count / sum(operations.values()) for kind, count in operations.items()}
    numbers |= _word_operations(corpus[:DESCRIBED])
    results.estimates |= {Cell("corpora", name, measure): Estimate(float(value)) for measure, value in numbers.items()}


def _word_operations(corpus: Sequence[PairOfTexts]) -> dict[str, float]:
    """Coster and Kauchak's Table 2, of pairs that are not identical."""
    units = [Unit(a, tuple(split_sentences(b))) for a, b in corpus if comparable(a) != comparable(b)]
    parts = rewriting_statistics([rewritings(units, "english")], "english").score().parts
    prefix = "word_operations."
    return {f"{name.removeprefix(prefix)} (%)": value for name, value in parts.items() if name.startswith(prefix)}


def readability(results: Results, pairs: Sequence[DocumentPair]) -> None:
    """Kajiwara and Komachi's Figure 2: the share of sentences in each band of Flesch Reading Ease, of both sides."""
    for side in SIDES:
        texts = [text for pair in pairs for text in getattr(pair, side).sentences]
        bands = Counter(int(np.searchsorted(BANDS, reading_ease([text]), side="right")) for text in texts)
        names = [
            f"below {BANDS[0]}",
            *(f"{low} to {high}" for low, high in zip(BANDS, BANDS[1:], strict=False)),
            f"from {BANDS[-1]}",
        ]
        for number, name in enumerate(names):
            results.estimates[Cell("reading ease", side, name)] = Estimate(100 * bands[number] / len(texts))


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
    parts = ["# Corpora by recipe", "Written by `python -m benchmarks.recipes`, whose first lines say what this is."]
    names = results.systems("corpora")
    rows = [
        [measure, *(results.value("corpora", name, measure) for name in names)]
        for measure in results.measures("corpora", names[0])
    ]
    parts += ["### The corpora", markdown_table(rows, ["", *(_recipe(name).source for name in names)])]
    bands = [
        [band, *(results.value("reading ease", side, band) for side in SIDES)]
        for band in results.measures("reading ease", "complex")
    ]
    table = markdown_table(bands, ["band", "complex (%)", "simple (%)"])
    parts += ["### Reading ease of the sentences of the articles", table]
    labels = [METRICS[measure].label for measure in MEASURES]
    head = ["trained on", *labels, *(f"{label}, above none" for label in labels), "copies (%)"]
    for test in [scope for scope in results.scopes() if scope not in ("corpora", "reading ease")]:
        scores = [_scores(results, test, system) for system in results.systems(test)]
        parts += [f"### Phrase-based translation, {test}", markdown_table(scores, head)]
    return "\n\n".join([*parts, *(f"`{signature}`" for signature in results.signatures.values())]) + "\n"


def _recipe(name: str) -> Recipe:
    return RECIPES.get(name) or LEVELS[name]


def _scores(results: Results, test: str, system: str) -> list[Any]:
    name, _, pairs = system.partition(" ")
    row: list[Any] = [f"{_recipe(name).source}, {int(pairs):,} pairs" if pairs else NONE]
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


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recipes", description=__doc__.splitlines()[0])
    parser.add_argument("--mirror", metavar="FOLDER", type=Path, required=True, help="where the releases lie")
    parser.add_argument(
        "--dev", metavar="FILE", type=Path, required=True, help="labelled document pairs, for thresholds"
    )
    parser.add_argument("--work", metavar="FOLDER", type=Path, required=True, help="for alignments, models and outputs")
    parser.add_argument("--results", metavar="FOLDER", type=Path, required=True, help="for recipes.json and recipes.md")
    parser.add_argument("--recipes", nargs="+", choices=RECIPES, default=list(RECIPES), help="of these alone")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--levels", action="store_true", help="articles at three levels; writes levels.json, levels.md")
    which.add_argument("--articles", metavar="FOLDER", type=Path, help="an extraction; writes dump.json, dump.md")
    parser.add_argument(
        "--sizes", nargs="*", metavar="N", type=int, default=[], help="pairs, beside the smallest corpus's"
    )
    parser.add_argument("--curve", nargs="+", choices=RECIPES, default=list(RECIPES), help="those to train on --sizes")
    return parser.parse_args()


def _asked(args: argparse.Namespace) -> tuple[str, list[DocumentPair], list[str]]:
    """The name of the results, the articles, and the recipes."""
    if args.levels:
        return "levels", articles_at_levels(args.mirror), list(LEVELS)
    if args.articles:
        return "dump", extracted_articles(args.articles), [name for name in args.recipes if name != RELEASED]
    return "recipes", articles(args.mirror), args.recipes


@exit_on_bad_input
def main() -> None:
    """Align, describe, train, translate, score."""
    args = _arguments()
    read = {
        "turk": read_turk(args.mirror / "turk", "test"),
        "coster_kauchak": read_coster_kauchak(args.mirror / "coster_kauchak_2011", "test"),
    }
    tests = {
        name: ([row[0] for row in rows], [list(column) for column in zip(*(row[1] for row in rows), strict=True)])
        for name, rows in read.items()
    }
    _, dev = training_pairs(args.mirror)
    held_out = {
        comparable(text) for source, references in tests.values() for row in (source, *references) for text in row
    }
    held_out |= {comparable(text) for pair in dev for text in pair}
    args.work.mkdir(parents=True, exist_ok=True)
    stem, pages, names = _asked(args)
    path = args.results / f"{stem}.json"
    results = Results.read(path) if path.is_file() else Results(resampling=from_conf("resampling", Resampling))
    corpora = {}
    for name in names:
        links = (
            with_released_links(args.mirror, pages)
            if name == RELEASED
            else aligned(_recipe(name), pages, args.dev, args.work / f"{name}.jsonl")
        )
        corpora[name] = sentence_pairs(links, held_out)
        describe(results, name, links, corpora[name])
        print(name, len(corpora[name]), flush=True)
    readability(results, pages)
    equal = min(map(len, corpora.values()))
    outputs: dict[str, dict[str, list[str]]] = {}
    complex_ = {name: source for name, (source, _) in tests.items()}
    for size in (equal, *args.sizes, 0):
        for name, corpus in corpora.items():
            chosen = corpus[: size or None]
            key = f"{name} {len(chosen)}"
            is_asked = size not in args.sizes or args.levels or name in args.curve
            if key not in outputs and len(chosen) >= size and is_asked:
                outputs[key] = translated(args.work / key.replace(" ", "."), chosen, dev, complex_)
                print(key, flush=True)
    for test, (source, references) in tests.items():
        lines = {NONE: source, **{name: by_test[test] for name, by_test in outputs.items()}}
        add_scores(results, test, lines, references, MEASURES)
    results.write(path)
    with atomic_write(path.with_suffix(".md")) as file:
        file.write(tables(results))


if __name__ == "__main__":
    main()
