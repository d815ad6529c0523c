"""A leaderboard: outputs for one test set under every variant of SARI.

Published tables score the same outputs by different variants of SARI, which rank systems differently. Here each variant
has its column, interval, ranking and tests of all pairs of systems. The human references have no rank: scored against
the others, each has one reference less than the systems. What kind of rewriting each output does stands beside people
(Jiang et al. 2020, Figure 3).
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Field

from textsimp.core import pool
from textsimp.core.errors import InputError, bad_input, check_choice
from textsimp.core.reading import files_below, folder_files
from textsimp.core.results import Estimate, Resampling, Results
from textsimp.core.settings import Positive
from textsimp.evaluation.parity import add_parity
from textsimp.evaluation.simplification import EvaluationSet, read_output, read_test_set, signatures_of
from textsimp.metrics.line_order import order_doubt
from textsimp.metrics.ranking import RANKED, rank_intervals, ranks
from textsimp.metrics.registry import (
    EVERYTHING,
    IDENTITY,
    REFERENCE,
    MetricOptions,
    Texts,
    checked_names,
    metric_statistics,
    with_form,
)
from textsimp.metrics.resampling import Resampled, resample, score_systems
from textsimp.metrics.rewriting.kinds import recipe, rewriting_statistics, rewritings
from textsimp.metrics.rewriting.units import units_of
from textsimp.metrics.sari import VARIANTS
from textsimp.metrics.scores import SegmentStatistics, Statistics
from textsimp.metrics.tokens import checked_form, in_form
from textsimp.sources.bless import SUFFIX, Run, read_run
from textsimp.sources.parallel import reference_files

_SUFFIX = ".txt"
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class LeaderboardTestSet:
    """One test set: its files below the folder of the releases, and the form that all texts are brought to.

    references: what the names of its reference files begin with; 0, 1, ... follows. Without a full stop at its
        end it is the only one.
    reference_count: how many of them the release has.
    form: one of `tokens.FORMS`.
    people: a run with one reference of each sentence as the output, and the others as its references; null for none.
    """

    title: str
    complex: str
    references: str
    reference_count: Positive
    form: str
    people: str | None

    def __post_init__(self) -> None:
        checked_form(self.form)

    def files(self, raw: Path) -> tuple[Path, list[Path]]:
        """Return its sentences and references, below the folder of the releases; `InputError` for another number."""
        references = raw / self.references
        numbered = self.references.endswith(".")
        return raw / self.complex, reference_files(references, self.reference_count) if numbered else [references]


@dataclass(frozen=True)
class LeaderboardSystem:
    """One released output.

    paper: where the system is from, with the year.
    released_with: the paper or package that the output was released with.
    trained_on: what its authors trained it on; null where the release does not say.
    output: the file, below the folder of the releases: lines, or a run of BLESS (`sources.bless`).
    test_sets: the keys of those that it is an output for.
    """

    name: str
    paper: str
    released_with: str
    trained_on: str | None
    output: str
    test_sets: list[str]


@dataclass(frozen=True)
class LeaderboardConfig:
    """Section `leaderboard` of params.yaml.

    alpha: differences with a corrected p below it are called significant.
    test_sets, systems: by key. The keys stand in the results.
    """

    alpha: Annotated[float, Field(gt=0, lt=1)]
    test_sets: dict[str, LeaderboardTestSet]
    systems: dict[str, LeaderboardSystem]

    def __post_init__(self) -> None:
        for name in {IDENTITY, REFERENCE} & self.systems.keys():
            raise InputError(f"leaderboard.systems.{name}: the name of a row that is always there; choose another key")

    def test_set(self, name: str) -> LeaderboardTestSet:
        """Return a test set by its key; `InputError` where there is none."""
        check_choice("--test-set", name, sorted(self.test_sets))
        return self.test_sets[name]

    def made_for(self, test_set: str) -> dict[str, LeaderboardSystem]:
        """Return the released systems with an output for a test set."""
        return {key: system for key, system in self.systems.items() if test_set in system.test_sets}

    def folders(self, test_set: str) -> list[str]:
        """Return the folders of the releases that the leaderboard of a test set reads, each once."""
        described, systems = self.test_set(test_set), self.made_for(test_set)
        files = [described.complex, described.references, *(system.output for system in systems.values())]
        files += [described.people] if described.people else []
        return list(dict.fromkeys(file.partition("/")[0] for file in files))


def released_leaderboard(
    raw: Path, submissions: Path | None, board: LeaderboardConfig, max_tokens: int | None, resampling: Resampling
) -> Results:
    """Rank the systems of every test set of the configuration, each in a scope of its own.

    Args:
        raw: the folder of the releases.
        submissions: a folder with `TEST_SET/NAME.txt`, outputs of the user's own; None for none.

    Raises:
        InputError: an absent file, a line too many or too few, or a submission that no test set or row is for.
    """
    if submissions is not None:
        _check_submissions(submissions, board)
    results = Results(resampling=resampling, notes={"alpha": str(board.alpha)})
    for name in board.test_sets:
        files = folder_files(submissions / name, f"*{_SUFFIX}") if submissions and (submissions / name).is_dir() else []
        own = {path.stem: path for path in files}
        if own or board.made_for(name):
            add_leaderboard(results, raw, name, own, board, max_tokens, resampling)
    add_parity(results, {key: raw / system.output for key, system in board.systems.items()})
    return results


def add_leaderboard(
    results: Results,
    raw: Path,
    name: str,
    submissions: Mapping[str, Path],
    board: LeaderboardConfig,
    max_tokens: int | None,
    resampling: Resampling,
    form: str | None = None,
) -> None:
    """Write the leaderboard of one test set, with submissions by name; `form` is in place of the configured one."""
    described = board.test_set(name)
    test = read_test_set(*described.files(raw))
    released = {key: raw / system.output for key, system in board.made_for(name).items()}
    outputs: dict[str, Sequence[str]] = {IDENTITY: test.complex}
    for key, path in released.items():
        outputs[key] = _read_run(path, test).outputs if path.suffix == SUFFIX else read_output(path, test)
    for key, path in submissions.items():
        if key in outputs or key == REFERENCE:
            raise bad_input(path, None, f"{key!r} is a row of the leaderboard already", "give it another name")
        outputs[key] = read_output(path, test)
        if not any(line.strip() for line in outputs[key]):
            raise bad_input(path, None, "has nothing but empty lines", "give the output of a system")
        if doubt := order_doubt(test.complex, outputs[key]):
            logger.warning("warning: %s: %s", path, doubt)
    form = form or described.form
    _add_ranking(results, _in_form(replace(test, name=name), form), outputs, form, max_tokens, resampling)
    if described.people is not None:
        run = _read_run(raw / described.people, test)
        people = _in_form(replace(test, name=people_scope(name), references=run.references), form)
        statistics = system_statistics(people, {REFERENCE: in_form(run.outputs, form)}, form, max_tokens)
        score_systems(results, people.name, statistics, [], resampling)
        results.put(people.name, REFERENCE, {"references": len(run.references)})


def people_scope(test_set: str) -> str:
    """Return the scope of what one reference scores against the others: with one less, it has no rank."""
    return f"people/{test_set}"


def _in_form(test: EvaluationSet, form: str) -> EvaluationSet:
    references = [in_form(lines, form) for lines in test.references]
    return replace(test, complex=in_form(test.complex, form), references=references)


def _read_run(path: Path, test: EvaluationSet) -> Run:
    """Read a run of BLESS; `InputError` where it is not for the sentences of the test set."""
    run = read_run(path)
    if list(run.sources) != list(test.complex):
        raise bad_input(path, None, f"its sources are not the sentences of {test.complex_file}", "fetch both again")
    return run


def _add_ranking(
    results: Results,
    test: EvaluationSet,
    outputs: Mapping[str, Sequence[str]],
    form: str,
    max_tokens: int | None,
    resampling: Resampling,
) -> None:
    """Write scores, comparisons, ranks and kinds of rewriting of outputs, in the scope of the test set's name."""
    lines = {key: in_form(outputs[key], form) for key in sorted(outputs)}
    statistics = system_statistics(test, lines, form, max_tokens)
    pairs = list(combinations(lines, 2))
    resampled = score_systems(results, test.name, statistics, pairs, resampling, corrected=True, among=VARIANTS)
    _add_ranks(results, test.name, resampled)
    _add_kinds(results, test, lines, resampling)
    results.put(test.name, REFERENCE, {"sentences": len(test.complex), "references": len(test.references)})
    results.notes[f"form.{test.name}"] = form
    signatures = signatures_of(next(iter(statistics.values())))
    results.signatures |= {f"{metric}@{test.name}": signature for metric, signature in signatures.items()}
    results.signatures["rewriting"] = str(recipe())


def system_statistics(
    test: EvaluationSet,
    outputs: Mapping[str, Sequence[str]],
    form: str,
    max_tokens: int | None,
    names: Sequence[str] = (EVERYTHING,),
) -> dict[str, Statistics]:
    """Return statistics of metrics, by default of all that need no further file, of texts that are in one form."""
    work = partial(_statistics_of, test, form, names, MetricOptions(max_tokens))
    return pool.by_key(work, outputs, f"score outputs for {test.name}", "output")


def _statistics_of(
    test: EvaluationSet, form: str, names: Sequence[str], options: MetricOptions, lines: Sequence[str]
) -> Statistics:
    texts = Texts(test.complex, lines, test.references)
    row = metric_statistics(checked_names(names, options), texts, options)
    return {name: replace(part, signature=with_form(part.signature, form)) for name, part in row.items()}


def _add_ranks(results: Results, scope: str, resampled: Mapping[str, Mapping[str, Resampled]]) -> None:
    """Write the rank of each system with its interval, and the share of resamples in which it is first."""
    for metric in RANKED:
        values = ranks(np.array([row[metric].value[0] for row in resampled.values()])).tolist()
        draws = np.stack([draws[:, 0] for row in resampled.values() if (draws := row[metric].draws) is not None])
        bounds, first = rank_intervals(draws)
        for key, rank, pair, share in zip(resampled, values, bounds.tolist(), first.tolist(), strict=True):
            results.put(scope, key, {f"{metric}.rank": Estimate(rank, *pair), f"{metric}.first": share})


def _add_kinds(
    results: Results, test: EvaluationSet, outputs: Mapping[str, Sequence[str]], resampling: Resampling
) -> None:
    """Write the shares of the classes in each output, and in the references, of which each counts alike."""
    rows = pool.by_key(partial(_kinds_of, test.complex), outputs, f"kinds of rewriting for {test.name}", "output")
    rows[REFERENCE] = rewriting_statistics([rewritings(units_of(test.complex, lines)) for lines in test.references])
    resampled = resample([{"": row} for row in rows.values()], resampling)
    for (key, row), of_system in zip(rows.items(), resampled, strict=True):
        measures = zip(row.measures(""), of_system[""].estimates(), strict=True)
        results.put(test.name, key, {name: one for name, one in measures if name.startswith("classes.")})


def _kinds_of(complex_sentences: Sequence[str], lines: Sequence[str]) -> SegmentStatistics:
    return rewriting_statistics([rewritings(units_of(complex_sentences, lines))])


def _check_submissions(folder: Path, board: LeaderboardConfig) -> None:
    """Refuse what would be passed over: a folder of no test set, a file of another kind."""
    if not folder.is_dir():
        raise bad_input(folder, None, "no such folder", "make it, with a folder for each test set")
    for path in files_below(folder):
        parts = path.relative_to(folder).parts
        known = len(parts) == 2 and parts[0] in board.test_sets and path.suffix == _SUFFIX
        if not known and path.name != "README.md" and not path.name.startswith("."):
            names = ", ".join(sorted(board.test_sets))
            what = "neither a folder of a test set nor a file in one"
            raise bad_input(path, None, what, f"outputs go to TEST_SET/NAME{_SUFFIX}; the test sets are {names}")
