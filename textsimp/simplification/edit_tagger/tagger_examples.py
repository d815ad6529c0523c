"""Training pairs as examples: the edits that a complex sentence offers, and which of them the simple one made."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from textsimp.core.errors import bad_input
from textsimp.core.reading import read_aligned
from textsimp.core.records import SIDES
from textsimp.core.settings import NonNegative, read_as
from textsimp.core.writing import write_json, write_lines
from textsimp.simplification.edit_tagger import EditTaggerConfig
from textsimp.simplification.edit_tagger.edit_candidates import Candidates, Edit
from textsimp.simplification.edit_tagger.edit_rules import Comparison, Rule, compare, learn_rules, read_rules_of
from textsimp.simplification.edit_tagger.edit_words import edit_words, folded
from textsimp.simplification.interface import CorpusFiles, ParallelFiles

RULES = "rules.json"
_FEWEST = 3
"""Words of a complex sentence that is trained on."""


class Example(NamedTuple):
    """A complex sentence of the training data.

    Attributes:
        comparison: with its simple side.
        edits: what it offers.
        made: of each edit, 1 where the simple side made it, 0 where it did not, -1 where it wrote something else there.
    """

    comparison: Comparison
    edits: list[Edit]
    made: list[float]


def binarize(corpus: CorpusFiles, folder: Path, config: EditTaggerConfig) -> None:
    """Write train and dev as text, filtered, and the rules that train gives."""
    comparisons = _comparisons(corpus.train, config)
    if not comparisons:
        what = f"no pair with at least {config.min_overlap:g} of the shorter side in common that is no copy"
        raise bad_input(corpus.train.complex, None, what, "give other pairs, or lower min_overlap")
    pairs = [pair for _, pair in comparisons]
    if config.read_words:
        rules = read_rules_of(pairs)
    else:
        rules = learn_rules(pairs, config.min_count, config.min_rate, config.max_rules)
    write_json(folder / RULES, [rule.to_json() for rule in rules])
    texts = [text for text, _ in comparisons[: config.max_pairs]]
    dev = [row for row in read_aligned([corpus.dev.complex, corpus.dev.simple]) if edit_words(row[0])]
    for split, rows in (("train", texts), ("dev", dev)):
        for column, side in enumerate(SIDES):
            write_lines(folder / f"{split}.{side}", [row[column] for row in rows])


def read_rules(path: Path) -> list[Rule]:
    """The rules of a file; `InputError` where it has none."""
    rows = read_as(path, list[tuple[Annotated[str, Field(pattern=r"\S")], str, NonNegative, NonNegative, bool]])
    return [Rule(tuple(row[0].split()), tuple(row[1].split()), row[2], row[3], row[4]) for row in rows]


def read_examples(binary: Path, split: str, candidates: Candidates) -> list[Example]:
    """The pairs of a split whose complex side offers an edit."""
    rows: list[Any] = read_aligned([binary / f"{split}.complex", binary / f"{split}.simple"])
    examples = [_example(compare(*map(edit_words, row)), candidates) for row in rows]
    return [example for example in examples if example.edits]


def _comparisons(files: ParallelFiles, config: EditTaggerConfig) -> list[tuple[tuple[str, ...], Comparison]]:
    comparisons = []
    for row in dict.fromkeys(read_aligned([files.complex, files.simple])):
        sides = [edit_words(text) for text in row]
        sizes = [len(side) for side in sides]
        if sizes[0] < _FEWEST or not sizes[1] or max(sizes) > config.max_words or folded(sides[0]) == folded(sides[1]):
            continue
        comparison = compare(*sides)
        if sum(comparison.kept) >= config.min_overlap * min(sizes):
            comparisons.append((row, comparison))
    return comparisons


def _example(comparison: Comparison, candidates: Candidates) -> Example:
    edits = candidates(comparison.complex)
    return Example(comparison, edits, [_made(edit, comparison) for edit in edits])


def _made(edit: Edit, pair: Comparison) -> float:
    inside = [
        folded(pair.simple[j:j_end]) for i, i_end, j, j_end in pair.changes if i <= edit.start and edit.end <= i_end
    ]
    if edit.target:
        return float(_holds(inside[0], edit.target)) * 2 - 1 if inside else 0.0
    words = range(edit.start, edit.end)
    if any(pair.kept[index] for index in words if pair.complex[index].is_word):
        return 0.0
    if inside and len(inside[0]) > 1:
        return -1.0
    # of a longer stretch that went, only the whole is an example
    borders = (edit.start - 1, edit.end)
    whole = all(
        not 0 <= index < len(pair.kept) or pair.kept[index] or not pair.complex[index].is_word for index in borders
    )
    return 1.0 if whole else -1.0


def _holds(words: Sequence[str], target: Sequence[str]) -> bool:
    size = len(target)
    return any(tuple(words[index : index + size]) == tuple(target) for index in range(len(words) - size + 1))
