"""The parts of binarization that the fairseq kinds share: reading, length limits, test sets laid end to end."""

import json
import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from textsimp.errors import bad_input
from textsimp.simplification.fairseq_runs import TOKENS
from textsimp.simplification.interface import TESTS, CorpusFiles, ParallelFiles
from textsimp.textfiles import read_aligned, read_json, read_lines, write_lines

Tokens = Sequence[str]

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Parallel:
    """The sentences of a split, by side."""

    complex: list[str]
    simple: list[str]


def read_parallel(files: ParallelFiles) -> Parallel:
    """A split's sentences; `InputError` where the sides differ in length or there is nothing."""
    rows = read_aligned([files.complex, files.simple])
    if not rows:
        raise bad_input(files.complex, None, "no sentence pair", "the corpus needs some; check its filters")
    return Parallel([row[0] for row in rows], [row[1] for row in rows])


def read_tests(corpus: CorpusFiles) -> list[str]:
    """The complex sentences of all test sets, one after the other in the order of the names."""
    return [sentence for name in sorted(corpus.tests) for sentence in read_lines(corpus.tests[name])]


def split_outputs(outputs: Sequence[str], binary: Path) -> dict[str, list[str]]:
    """Outputs for all test sets laid end to end, by test set."""
    sizes = read_json(binary / TESTS)
    parts: dict[str, list[str]] = {}
    start = 0
    for name in sorted(sizes):
        parts[name] = list(outputs[start : start + sizes[name]])
        start += sizes[name]
    return parts


def write_split(folder: Path, split: str, complex: Sequence[Tokens], simple: Sequence[Tokens], limit: int) -> int:
    """Write a training or dev split's tokens without the pairs of which a side exceeds `limit` tokens.

    Returns:
        The number of pairs left out.
    """
    kept = [
        (source, target)
        for source, target in zip(complex, simple, strict=True)
        if 0 < len(source) <= limit and 0 < len(target) <= limit
    ]
    for side, column in (("complex", [row[0] for row in kept]), ("simple", [row[1] for row in kept])):
        write_lines(folder / TOKENS / f"{split}.{side}", [" ".join(tokens) for tokens in column])
    return len(complex) - len(kept)


def write_test(folder: Path, complex: Sequence[Tokens], limit: int) -> int:
    """Write the test sentences' tokens, cut at `limit`; returns how many were cut.

    The side that is to be generated gets a placeholder, for fairseq-preprocess asks for one.
    """
    write_lines(folder / TOKENS / "test.complex", [" ".join(tokens[:limit]) for tokens in complex])
    write_lines(folder / TOKENS / "test.simple", ["<unk>"] * len(complex))
    return sum(len(tokens) > limit for tokens in complex)


def count_tokens(*columns: Sequence[Tokens]) -> Counter[str]:
    """How often each token occurs."""
    return Counter(token for column in columns for tokens in column for token in tokens)


def write_dictionary(path: Path, counts: Sequence[tuple[str, int]]) -> None:
    """A fairseq dictionary file: a symbol and its count a line, without fairseq's four special ones."""
    write_lines(path, [f"{symbol} {count}" for symbol, count in counts])


def write_rows(path: Path, rows: Sequence[object]) -> None:
    """JSON Lines."""
    write_lines(path, [json.dumps(row, ensure_ascii=False) for row in rows])


def read_rows(path: Path) -> list[object]:
    """JSON Lines."""
    return [json.loads(line) for line in read_lines(path)]
