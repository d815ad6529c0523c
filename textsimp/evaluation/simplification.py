"""The scores of simplification systems on line-aligned test sets (Jiang et al. 2020, section 5.3.1, tables 5 and 8)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product
from pathlib import Path
from statistics import fmean

from textsimp.core.errors import bad_input
from textsimp.core.reading import folder_files, read_aligned
from textsimp.core.results import Resampling, Results
from textsimp.core.settings import Positive
from textsimp.metrics.degenerate import NOTE, DegenerateLimits, degeneracy, note_of, output_shares
from textsimp.metrics.registry import (
    IDENTITY,
    METRICS,
    REFERENCE,
    MetricOptions,
    Texts,
    checked_names,
    metric_statistics,
    system_name,
)
from textsimp.metrics.resampling import score_systems
from textsimp.metrics.scores import Statistics

LONGEST_LINE = 100_000
"""Characters of a line that is scored: some metrics take time with the square of it."""


@dataclass(frozen=True)
class EvaluationConfig:
    """Section `evaluation` of params.yaml.

    max_tokens: outputs are cut there in SARI per sentence, as the paper's script does; null cuts nothing.
    metrics: what is computed: names of `metrics.registry.METRICS`, or the groups `default` and `all`.
    degenerate: from where on a system's outputs count as those of one that has not learned.
    """

    max_tokens: Positive | None
    metrics: list[str]
    degenerate: DegenerateLimits

    @property
    def names(self) -> tuple[str, ...]:
        """The metrics, each once; `InputError` for an unknown one."""
        return checked_names(self.metrics, MetricOptions(self.max_tokens), "evaluation.metrics")


@dataclass(frozen=True)
class EvaluationSet:
    """A test set: N complex sentences and R lists of N references, with the file that the former come from."""

    name: str
    complex_file: Path
    complex: Sequence[str]
    references: Sequence[Sequence[str]]


def evaluate_simplification(
    corpora: Path,
    outputs: Path,
    training_sets: Sequence[str],
    simplifiers: Sequence[str],
    config: EvaluationConfig,
    resampling: Resampling,
) -> Results:
    """Score every system of a corpus on every test set, beside the unchanged input and the references themselves.

    Args:
        corpora: the corpus's folder, with `test/X.complex` and `test/X.reference.N` for each test set X.
        outputs: the folder of the systems' outputs, `TRAINING_SET/SIMPLIFIER/X.txt`.

    Returns:
        Scopes: test sets; systems: `identity`, `SIMPLIFIER.new`, `SIMPLIFIER.old` ... with all metrics, compared in
        pairs, and `reference` with the metrics of the output alone; of all of them `outputs.distinct`,
        `outputs.copies` ... (`metrics.degenerate`) in percent. The note `degenerate` says which outputs count as
        degenerate, and `degenerate.TEST_SET.SYSTEM` of a trained system that its outputs do, and why.

    Raises:
        InputError: a file is absent, or has another number of lines than the complex side.
    """
    results = Results(resampling=resampling)
    for test in read_test_sets(corpora / "test"):
        lines = read_outputs(outputs, test, training_sets, simplifiers)
        systems = {name: output_statistics(test, output, config) for name, output in lines.items()}
        score_systems(results, test.name, systems, list(combinations(systems, 2)), resampling)
        add_reference(results, test, config)
        _add_outputs(results, test, lines, config.degenerate)
        add_signatures(results, systems[IDENTITY])
    results.notes[NOTE] = str(config.degenerate)
    return results


def simplification_headline(results: Results, training_sets: Sequence[str]) -> dict[str, float]:
    """Return SARI of the best simplifier of each training set on the main test set: of the new corpus, TURK, or any.

    They are what `dvc metrics show` and `dvc exp show` put side by side.
    """
    scope = min(results.scopes(), key=lambda name: name not in ("auto", "turk"))
    scores = {system: results.value(scope, system, "sari") for system in results.systems(scope)}
    numbers: dict[str, float] = {}
    for training in training_sets:
        end = {"auto": "new"}.get(training, training)
        values = [score for system, score in scores.items() if score is not None and system.endswith(f".{end}")]
        numbers |= {f"sari_{end}": round(max(values), 2)} if values else {}
    return numbers


def read_outputs(
    folder: Path, test: EvaluationSet, training_sets: Sequence[str], simplifiers: Sequence[str]
) -> dict[str, Sequence[str]]:
    """Return the unchanged input, and the lines of `TRAINING_SET/SIMPLIFIER/X.txt` for the test set X, by system.

    Raises: as `read_output`.
    """
    lines: dict[str, Sequence[str]] = {IDENTITY: test.complex}
    for names in product(training_sets, simplifiers):
        lines[system_name(*names)] = read_output(folder.joinpath(*names, f"{test.name}.txt"), test)
    return lines


def output_statistics(test: EvaluationSet, output: Sequence[str], config: EvaluationConfig) -> Statistics:
    """Return the statistics of the configured metrics for one system."""
    texts = Texts(test.complex, output, test.references)
    return metric_statistics(config.names, texts, MetricOptions(config.max_tokens))


def add_reference(results: Results, test: EvaluationSet, config: EvaluationConfig) -> None:
    """Write what is measured of texts alone, such as FK and Len, of all references as one text."""
    add_scores(results, test.name, REFERENCE, text_statistics(list(chain.from_iterable(test.references)), config))


def text_statistics(lines: Sequence[str], config: EvaluationConfig) -> Statistics:
    """Return the statistics of the configured metrics that are of a text alone, such as FK and Len."""
    names = [name for name in config.names if METRICS[name].of_text]
    return metric_statistics(names, Texts(lines, lines, [lines]), MetricOptions(config.max_tokens))


def _add_outputs(
    results: Results, test: EvaluationSet, lines: Mapping[str, Sequence[str]], limits: DegenerateLimits
) -> None:
    """Write how many outputs are flawed, of references their mean, and which trained systems are degenerate."""
    shares = {system: output_shares(test.complex, output, limits) for system, output in lines.items()}
    people = [output_shares(test.complex, reference, limits) for reference in test.references]
    shares[REFERENCE] = {name: fmean(of_one[name] for of_one in people) for name in people[0]}
    for system, values in shares.items():
        results.put(test.name, system, {f"outputs.{name}": value for name, value in values.items()})
        bleu = results.value(test.name, system, "bleu")
        if system not in (IDENTITY, REFERENCE) and (why := degeneracy(values, limits, bleu)):
            results.notes[note_of(test.name, system)] = why


def add_scores(results: Results, scope: str, system: str, statistics: Statistics) -> None:
    """Write the scores of a system and their parts, without intervals."""
    for metric, row in statistics.items():
        values = row.function(row.counts.sum(0)).tolist()
        results.put(scope, system, dict(zip(row.measures(metric), values, strict=True)))


def signatures_of(statistics: Statistics) -> dict[str, str]:
    """Return the signature of each metric."""
    return {name: str(row.signature) for name, row in statistics.items()}


def add_signatures(results: Results, statistics: Statistics) -> None:
    """Write the signature of each metric: `nrefs:var` where the numbers of references of several test sets differ."""
    for name, signature in signatures_of(statistics).items():
        if results.signatures.setdefault(name, signature) != signature:
            results.signatures[name] = re.sub(r"\bnrefs:\w+", "nrefs:var", signature)


def read_test_sets(folder: Path) -> list[EvaluationSet]:
    """Return the test sets of a folder, sorted by name; `InputError` if there are none or one is damaged."""
    remedy = "run stage build_corpus first"
    files = folder_files(folder, "*.complex", remedy)
    if not files:
        raise bad_input(folder, None, "holds no test set (NAME.complex)", remedy)
    return [read_test_set(path, _references(path)) for path in files]


def check_lengths(path: str | Path, lines: Sequence[str], before: int = 0) -> None:
    """Raise `InputError` for a line of more than `LONGEST_LINE` characters; `before` lines of the file went before."""
    if max(map(len, lines), default=0) > LONGEST_LINE:
        number = next(number for number, line in enumerate(lines, before + 1) if len(line) > LONGEST_LINE)
        raise bad_input(path, number, f"a line of more than {LONGEST_LINE} characters", "give one sentence per line")


def read_columns(paths: Sequence[Path]) -> list[list[str]]:
    """Return the lines of files, strictly line-aligned; `InputError` where there are none, and for a long one."""
    columns = [list(column) for column in zip(*read_aligned(paths), strict=True)]
    if not columns:
        raise bad_input(paths[0], None, "has no lines", "a test set needs one sentence at least")
    for path, column in zip(paths, columns, strict=True):
        check_lengths(path, column)
    return columns


def read_test_set(complex_file: Path, references: Sequence[Path]) -> EvaluationSet:
    """Return a test set from its files; `InputError` without references, and as `read_columns`."""
    if not references:
        raise bad_input(complex_file, None, "has no references", "name them NAME.reference.0, .1, ... beside it")
    complex_lines, *reference_lines = read_columns([complex_file, *references])
    return EvaluationSet(complex_file.name.removesuffix(".complex"), complex_file, complex_lines, reference_lines)


def read_output(path: Path, test: EvaluationSet) -> list[str]:
    """Return an output for a test set; `InputError` names both files where it has a line too many or too few."""
    return read_columns([test.complex_file, path])[1]


def _references(complex_file: Path) -> list[Path]:
    stem = complex_file.name.removesuffix(".complex") + ".reference."
    return sorted(folder_files(complex_file.parent, f"{stem}*"), key=lambda path: (len(path.name), path.name))
