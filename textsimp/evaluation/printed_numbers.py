"""Which signature gives a printed number: every recipe in use, on the texts as released and in TURK's form."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from pathlib import Path

from textsimp.core.errors import InputError
from textsimp.core.progress import progress
from textsimp.core.reading import read_records
from textsimp.evaluation.leaderboard import LeaderboardConfig, LeaderboardTestSet, with_form
from textsimp.evaluation.parity import runs_of
from textsimp.evaluation.released import TABLES, read_table
from textsimp.evaluation.simplification import EvaluationSet, read_output, read_test_set
from textsimp.metrics import bleu
from textsimp.metrics.ngrams import Segments
from textsimp.metrics.readability import fk_statistics, fkgl_statistics, length_statistics
from textsimp.metrics.registry import IDENTITY
from textsimp.metrics.sari import PAPER_MAX_TOKENS, SariRecipe, statistics_of_segments
from textsimp.metrics.scores import SegmentStatistics
from textsimp.metrics.tokens import FORMS, TOKENISERS, Tokenisation, in_form
from textsimp.metrics.word_overlap import simple_string_accuracy_statistics, word_f1_statistics
from textsimp.sources.bless import read_printed, read_run

MEASURES = ("sari", "add", "keep", "del", "bleu", "fk", "len", "word_f1", "ssa")
_BLESS = {"bleu": "bleu", "sari": "sari", "sari_add": "add", "sari_keep": "keep", "sari_del": "del", "fkgl": "fk"}
"""The measure of each of EASSE's names."""
_OVERLAP = {"bleu": "bleu", "word_f1": "word_f1", "ssa": "ssa"}
WORDS = ("identified", "ambiguous", "none")
_NUMBER = re.compile(r"\d{1,3}(\.\d{1,6})?")
_EQUAL = 1e-9

Candidates = Mapping[str, Sequence[tuple[float, str]]]
"""By measure, each recipe's number and signature."""


@dataclass(frozen=True)
class Verdict:
    """What is known of a printed number.

    Attributes:
        matches: the signatures that give it, to its precision; those that give the same number together.
        nearest: the signatures whose number is the nearest one, and that number.
    """

    matches: list[tuple[float, list[str]]]
    nearest: tuple[float, list[str]]

    @property
    def word(self) -> str:
        """`identified` where all that give it give the same number, `ambiguous`, or `none`."""
        return ("none", "identified", "ambiguous")[min(len(self.matches), 2)]


def verdict(printed: str, candidates: Sequence[tuple[float, str]]) -> Verdict:
    """Which of some candidates, one at least, give a printed number.

    Args:
        printed: as it is printed, from 0 to 100; its digits after the point are its precision.

    Raises:
        InputError: it is no such number.
    """
    if not _NUMBER.fullmatch(printed) or float(printed) > 100:
        raise InputError(f"--printed {printed!r}: not a number from 0 to 100, such as 44.15")
    number, half = float(printed), 0.5 * 10.0 ** -len(printed.partition(".")[2])
    groups: list[tuple[float, list[str]]] = []
    for value, signature in sorted(candidates):
        if groups and value - groups[-1][0] < _EQUAL:
            groups[-1][1].append(signature)
        else:
            groups.append((value, [signature]))
    matches = [group for group in groups if abs(group[0] - number) <= half + _EQUAL]
    return Verdict(matches, min(groups, key=lambda group: abs(group[0] - number)))


def sari_recipes() -> Iterator[SariRecipe]:
    """Every recipe of SARI that is tried: the settings of those in use, crossed within each level."""
    for tokeniser, lowercase, deletion in product(TOKENISERS, (True, False), ("precision", "f1")):
        tokens, plain = Tokenisation(tokeniser, lowercase), Tokenisation(lowercase=lowercase)
        for cut, (keep, empty) in product((PAPER_MAX_TOKENS, None), (("types", 0), ("tokens", 1))):
            output = Tokenisation(tokeniser, lowercase, cut)
            yield SariRecipe("sentence", deletion, tokens, output, tokens, keep, empty)
        for source in dict.fromkeys((tokens, plain)):
            yield SariRecipe("corpus", deletion, source, tokens, tokens)


def candidates(test: EvaluationSet, output: Sequence[str]) -> Candidates:
    """The number of every recipe for one output, by measure of `MEASURES`, in percent but for `fk` and `len`."""
    numbers: dict[str, list[tuple[float, str]]] = {name: [] for name in MEASURES}
    for form in FORMS:
        old, new, *goals = (in_form(lines, form) for lines in (test.complex, output, *test.references))
        segments = Segments(old, new, goals)
        for recipe in sari_recipes():
            statistics = statistics_of_segments(segments, recipe)
            score = statistics.score()
            for name, value in {"sari": score.value, **score.parts}.items():
                numbers[name].append((value, str(with_form(statistics.signature, form))))
        for name, statistics in _others(segments, new, goals):
            numbers[name].append((statistics.score().value, str(with_form(statistics.signature, form))))
    return numbers


def _others(
    segments: Segments, output: Sequence[str], references: Sequence[Sequence[str]]
) -> Iterator[tuple[str, SegmentStatistics]]:
    for tokeniser, lowercase in product(TOKENISERS, (True, False)):
        yield "bleu", bleu.statistics_of_segments(segments, tokeniser, lowercase)
    yield "fk", fk_statistics(output)
    yield "fk", fkgl_statistics(output)
    yield "len", length_statistics(output)
    yield "word_f1", word_f1_statistics(output, references)
    yield "ssa", simple_string_accuracy_statistics(output, references)
    yield "ssa", simple_string_accuracy_statistics(output, references, floored=True)


def released_numbers(raw: Path, published: Path, board: LeaderboardConfig) -> list[tuple[str, str, Verdict]]:
    """The verdicts on every printed number whose output is released: where it is printed, its measure, the verdict.

    Args:
        raw: the folder of the releases.
        published: `data/published`.

    Raises:
        InputError: an absent or damaged file.
    """
    jobs = [*_table_8(raw, published, board.test_set("turk")), *_bless(raw, board)]
    jobs += _coster_kauchak(raw, published, board.test_set("coster_kauchak"))
    return [
        (where, measure, verdict(number, by_measure[measure]))
        for where, test, output, numbers in progress(jobs, desc="which-sari", unit=" outputs")
        for by_measure in [candidates(test, output)]
        for measure, number in numbers
    ]


Job = tuple[str, EvaluationSet, Sequence[str], list[tuple[str, str]]]
"""Where it is printed, the test set, the output, and the printed numbers by measure."""


def _table_8(raw: Path, published: Path, described: LeaderboardTestSet) -> Iterator[Job]:
    test, table = read_test_set(*described.files(raw)), TABLES["jiang2020"]
    for row in read_table(published / table.file):
        numbers = [(measure.rpartition(".")[2], printed) for measure, printed in row.cells.items()]
        if row.file is not None:
            output = read_output(raw / table.test_sets["turk"].outputs.format(row.file), test)
            yield "Jiang et al. 2020, Table 8, systems", test, output, numbers
        elif row.system == IDENTITY:
            yield "Jiang et al. 2020, Table 8, unchanged input", test, test.complex, numbers


def _bless(raw: Path, board: LeaderboardConfig) -> Iterator[Job]:
    for path in runs_of({key: system.output for key, system in board.systems.items()}, raw).values():
        run, printed = read_run(path), read_printed(path.with_suffix(".eval"))
        test = EvaluationSet("asset", path, run.sources, run.references)
        numbers = [(measure, printed[name]) for name, measure in _BLESS.items()]
        yield "Kew et al. 2023 (BLESS), runs", test, run.outputs, numbers


def _coster_kauchak(raw: Path, published: Path, described: LeaderboardTestSet) -> Iterator[Job]:
    """The row of the unchanged input, printed as shares."""
    test = read_test_set(*described.files(raw))
    for _, row in read_records(published / "smt_simplification.csv", ("system", *_OVERLAP)):
        if row["system"] == "NONE":
            numbers = [(measure, f"{100 * float(row[name]):.2f}") for name, measure in _OVERLAP.items()]
            yield "Coster and Kauchak 2011, Table 3, unchanged input", test, test.complex, numbers


def shares(judged: Sequence[tuple[str, str, Verdict]]) -> list[tuple[str, ...]]:
    """A table: by source and measure, how many numbers there are, and how many are identified, ambiguous, neither."""
    rows: list[tuple[str, ...]] = [("printed in", "measure", "numbers", *WORDS)]
    for where, of_source in groupby(judged, key=lambda item: item[0]):
        verdicts = list(of_source)
        for measure in (*dict.fromkeys(name for _, name, _ in verdicts), "all"):
            words = [answer.word for _, name, answer in verdicts if measure in ("all", name)]
            counts = (len(words), *(words.count(word) for word in WORDS))
            rows.append((where, measure, *map(str, counts)))
    return rows
