"""Which recipe of SARI gives a printed number: every recipe in use, on the texts in each form that fits them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from textsimp.core.errors import InputError
from textsimp.evaluation.simplification import read_columns
from textsimp.evaluation.text_traits import form_for, language_of
from textsimp.metrics.ngrams import Segments
from textsimp.metrics.registry import with_form
from textsimp.metrics.sari import PAPER_MAX_TOKENS, SariRecipe, statistics_of_segments
from textsimp.metrics.tokens import CHARACTERS, RELEASED, TOKENISERS, TREEBANK, Tokenisation, in_form

_NUMBER = re.compile(r"\d{1,3}(\.\d{1,6})?")
_EQUAL = 1e-9
_FORMS = {RELEASED: "texts as they are", TREEBANK: "texts in TURK's form", CHARACTERS: "characters in place of words"}


@dataclass(frozen=True)
class Found:
    """The SARI of one recipe: its value in percent, the signature, and the recipe in words."""

    value: float
    signature: str
    words: str


def sari_recipes() -> Iterator[SariRecipe]:
    """Yield every recipe of SARI that is tried: the settings of those in use, crossed within each level."""
    for tokeniser, lowercase, deletion in product(TOKENISERS, (True, False), ("precision", "f1")):
        tokens, plain = Tokenisation(tokeniser, lowercase), Tokenisation(lowercase=lowercase)
        for cut, (keep, empty) in product((PAPER_MAX_TOKENS, None), (("types", 0), ("tokens", 1))):
            output = Tokenisation(tokeniser, lowercase, cut)
            yield SariRecipe("sentence", deletion, tokens, output, tokens, keep, empty)
        for source in dict.fromkeys((tokens, plain)):
            yield SariRecipe("corpus", deletion, source, tokens, tokens)


def in_words(recipe: SariRecipe, form: str) -> str:
    """Return what a recipe does, on texts in a form."""
    tokens = {"13a": "13a tokens", "none": "tokens at white space"}
    said = ["mean of the sentences" if recipe.level == "sentence" else "counts of the corpus"]
    said += [f"deletion by {recipe.deletion.replace('f1', 'F1')}", tokens[recipe.output.tokeniser]]
    if recipe.source.tokeniser != recipe.output.tokeniser:
        said.append(f"complex side: {tokens[recipe.source.tokeniser]}")
    said.append("lower-cased" if recipe.output.lowercase else "cased")
    if recipe.level == "sentence":
        cut = recipe.output.max_tokens
        said.append("outputs whole" if cut is None else f"outputs cut after {cut} tokens")
        said.append(f"recall of keep over {'distinct' if recipe.keep_recall == 'types' else 'all'} n-grams")
        said.append(f"0/0 is {recipe.empty}")
    return ", ".join([*said, _FORMS[form]])


def half_unit(printed: str) -> float:
    """Return half a unit of a number's last printed digit; `InputError` unless it is a number from 0 to 100."""
    if not _NUMBER.fullmatch(printed) or float(printed) > 100:
        raise InputError(f"--printed {printed!r}: not a number from 0 to 100, such as 44.15")
    return 0.5 * 10.0 ** -len(printed.partition(".")[2])


def recipes_of(printed: str, found: Sequence[Found]) -> tuple[bool, list[Found]]:
    """Return whether some recipes give a number to its printed precision, and these, or else those nearest to it."""
    distance, half = {item: abs(item.value - float(printed)) for item in found}, half_unit(printed)
    smallest = min(distance.values())
    given = smallest <= half + _EQUAL
    return given, [item for item in found if distance[item] <= (half if given else smallest) + _EQUAL]


def sari_of_every_recipe(complex_file: Path, output: Path, references: Sequence[Path]) -> list[Found]:
    """Return the SARI of an output by every recipe, sorted by value; `InputError` as for `textsimp score`."""
    if not references:
        raise InputError("--printed: SARI compares with references; name them with --reference, or --test-set")
    columns = read_columns([complex_file, output, *references])
    found = []
    for form in dict.fromkeys((RELEASED, TREEBANK, form_for(language_of(*columns[:2]), None))):
        old, new, *goals = (in_form(column, form) for column in columns)
        segments = Segments(old, new, goals)
        for recipe in sari_recipes():
            statistics = statistics_of_segments(segments, recipe)
            signature = str(with_form(statistics.signature, form))
            found.append(Found(statistics.score().value, signature, in_words(recipe, form)))
    return sorted(found, key=lambda item: (item.value, item.signature))
