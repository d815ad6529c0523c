"""Corpora by the recipes of the papers, from the same articles: what they are like.

    python experiments/recipes.py --mirror FOLDER --dev DEV.jsonl --work FOLDER --results FOLDER [--recipes zhu ...]

Articles: the page pairs of WIKI-AUTO's validation part and of D-Wikipedia, in lower case, one paragraph each. A recipe
is an alignment system with the values that its paper prints; where it has none, thresholds come from the labelled pairs
in DEV. Written: Coster and Kauchak's Tables 1 and 2, Kajiwara's Figure 2. What is in the work folder already is not
aligned again. experiments/recipes_translation.py trains on the corpora and writes the page.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from experiments.coster_kauchak import PairOfTexts, held_out_sentences
from textsimp.alignment.neural.aligner_settings import Device
from textsimp.alignment.parts import Part
from textsimp.alignment.spec import SystemSpec
from textsimp.core.errors import exit_on_bad_input
from textsimp.core.params import from_conf
from textsimp.core.progress import progress
from textsimp.core.records import SIDES, DocumentPair, read_pairs, write_pairs
from textsimp.core.results import Cell, Estimate, Resampling, Results
from textsimp.corpora.filters import comparable, tokens
from textsimp.corpora.pairs import linked_pairs
from textsimp.metrics.readability import count_line
from textsimp.metrics.rewriting.kinds import rewriting_statistics, rewritings
from textsimp.metrics.rewriting.units import Unit, sentence_operations
from textsimp.metrics.tokens import split_sentences
from textsimp.sources.d_wikipedia import d_wikipedia_pairs
from textsimp.sources.wiki_auto import read_wiki_auto_valid

# of Flesch Reading Ease
BANDS = (0, 30, 50, 60, 70, 80, 90, 100)
SEED, BLOCK = 1, 100
# pairs of a corpus whose word operations are counted
DESCRIBED = 1000


@dataclass(frozen=True)
class Recipe:
    """A system of conf/alignment_system, and what its paper fixes; None for the threshold that dev chooses."""

    source: str
    system: str | None
    threshold: float | None = None
    similarity: Mapping[str, Any] = field(default_factory=dict)


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


def articles(mirror: Path) -> list[DocumentPair]:
    """The page pairs, lower-cased, without labels; of pages that begin with the same sentence, the first."""
    documents: dict[str, DocumentPair] = {}
    released = read_wiki_auto_valid(mirror / "wiki_auto_valid", "wiki_auto_valid")
    for pair in (*released, *d_wikipedia_pairs(mirror, "d_wikipedia")):
        both = (getattr(pair, side) for side in SIDES)
        complex_, simple = (replace(side, paragraphs=(tuple(map(str.lower, side.sentences)),)) for side in both)
        lowered = replace(pair, complex=complex_, simple=simple, alignments=None)
        documents.setdefault(comparable(pair.complex.sentences[0]), lowered)
    return list(documents.values())


def aligned(recipe: Recipe, pairs: Sequence[DocumentPair], dev: Path, path: Path) -> list[DocumentPair]:
    """The pairs with the links of the recipe, from the file where it is there."""
    if not path.is_file():
        spec = SystemSpec.named(recipe.system, dev=dev if recipe.system else None)
        if recipe.threshold is not None:
            options = {**spec.config.similarity.options, **recipe.similarity}
            fixed = {f"similarity.{option}" for option in recipe.similarity}
            tuned = {key: values for key, values in spec.config.tuned.items() if key not in fixed}
            similarity = Part(spec.config.similarity.name, options)
            config = replace(spec.config, similarity=similarity, threshold=recipe.threshold, tuned=tuned)
            spec = replace(spec, config=config)
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
    units = [Unit(a, tuple(split_sentences(b))) for a, b in corpus[:DESCRIBED] if comparable(a) != comparable(b)]
    parts = rewriting_statistics([rewritings(units)]).score().parts
    prefix = "word_operations."
    numbers |= {f"{part.removeprefix(prefix)} (%)": value for part, value in parts.items() if part.startswith(prefix)}
    results.estimates |= {Cell("corpora", name, measure): Estimate(float(value)) for measure, value in numbers.items()}


def readability(results: Results, pairs: Sequence[DocumentPair]) -> None:
    """Kajiwara and Komachi's Figure 2: the share of sentences in each band of Flesch Reading Ease, of both sides."""
    for side in SIDES:
        texts = [text for pair in pairs for text in getattr(pair, side).sentences]
        bands = Counter(int(np.searchsorted(BANDS, reading_ease([text]), side="right")) for text in texts)
        between = (f"{low} to {high}" for low, high in pairwise(BANDS))
        names = [f"below {BANDS[0]}", *between, f"from {BANDS[-1]}"]
        for number, name in enumerate(names):
            results.estimates[Cell("reading ease", side, name)] = Estimate(100 * bands[number] / len(texts))


def corpora_of(args: argparse.Namespace, held_out: set[str], results: Results) -> dict[str, list[PairOfTexts]]:
    """Return the sentence pairs of each recipe, and describe them in the results."""
    pages, corpora = articles(args.mirror), {}
    released = read_wiki_auto_valid(args.mirror / "wiki_auto_valid", "wiki_auto_valid")
    known = {pair.id: pair.alignments for pair in released}
    linked = [replace(pair, alignments=known[pair.id]) for pair in pages if pair.corpus == "wiki_auto_valid"]
    for name in args.recipes:
        links = linked if name == "released" else aligned(RECIPES[name], pages, args.dev, args.work / f"{name}.jsonl")
        corpora[name] = sentence_pairs(links, held_out)
        describe(results, name, links, corpora[name])
    readability(results, pages)
    return corpora


def arguments(prog: str, description: str) -> argparse.ArgumentParser:
    """Return the options of both scripts."""
    parser = argparse.ArgumentParser(prog=prog, description=description.splitlines()[0])
    parser.add_argument("--mirror", type=Path, required=True, help="where the releases lie")
    parser.add_argument("--dev", type=Path, required=True, help="labelled document pairs, for thresholds")
    parser.add_argument("--work", type=Path, required=True, help="for alignments, models and outputs")
    parser.add_argument("--results", type=Path, required=True, help="folder of recipes.json")
    parser.add_argument("--recipes", nargs="+", choices=RECIPES, default=list(RECIPES), help="of these alone")
    return parser


def known_results(folder: Path) -> Results:
    """Return what the results have already."""
    path = folder / "recipes.json"
    return Results.read(path) if path.is_file() else Results(resampling=from_conf("resampling", Resampling))


@exit_on_bad_input
def main() -> None:
    """Align, describe, write."""
    args = arguments("python experiments/recipes.py", __doc__).parse_args()
    results = known_results(args.results)
    corpora_of(args, held_out_sentences(args.mirror), results)
    results.write(args.results / "recipes.json")


if __name__ == "__main__":
    main()
