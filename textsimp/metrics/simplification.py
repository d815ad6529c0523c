"""The scores of simplification systems on line-aligned test sets (Jiang et al. 2020, section 5.3.1, tables 5 and 8)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.errors import bad_input
from textsimp.metrics.readability import count_text, flesch_kincaid, sentence_length
from textsimp.metrics.registry import DEFAULT_METRICS, MetricOptions, Statistics, Texts, metric_statistics
from textsimp.metrics.resampling import Resampling
from textsimp.metrics.score import Score
from textsimp.metrics.significance import significance
from textsimp.textfiles import read_aligned

UNTRAINED, IDENTITY = "none", "identity"
"""The training set and the name of the unchanged input."""


@dataclass(frozen=True)
class EvaluationConfig:
    """Section `evaluation` of params.yaml.

    max_tokens: outputs are cut there in SARI per sentence, as the paper's script does; null cuts nothing.
    samples, seed: resamples of the lines, for intervals and tests.
    """

    max_tokens: int | None
    samples: int
    seed: int

    @property
    def resampling(self) -> Resampling:
        """How lines are drawn again."""
        return Resampling(self.samples, self.seed)


@dataclass(frozen=True)
class EvaluationSet:
    """A test set: N complex sentences and R lists of N references, with the file that the former come from."""

    name: str
    complex_file: Path
    complex: Sequence[str]
    references: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Evaluation:
    """The scores of the systems of a corpus, and how sure they are; both ready for JSON."""

    scores: dict[str, Any]
    significance: dict[str, Any]


def evaluate_simplification(
    corpora: Path, outputs: Path, training_sets: Sequence[str], simplifiers: Sequence[str], config: EvaluationConfig
) -> Evaluation:
    """Every system of a corpus on every test set, beside the unchanged input and the references themselves.

    Args:
        corpora: the corpus's folder, with `test/X.complex` and `test/X.reference.N` for each test set X.
        outputs: the folder of the systems' outputs, `TRAINING_SET/SIMPLIFIER/X.txt`.
        training_sets, simplifiers: names of the folders.
        config: what changes a number.

    Returns:
        scores: `{"signatures": {METRIC: signature}, "test_sets": {X: {"none": {"identity", "reference"}, TRAINING_SET:
        {SIMPLIFIER}}}}`, where each leaf holds scores by name; `reference` has FK and Len only.
        significance: `{"resampling": {...}, "test_sets": {X: significance(...)}}`, of `TRAINING_SET/SIMPLIFIER`.

    Raises:
        InputError: a file is absent, or has another number of lines than the complex side.
    """
    signatures: list[dict[str, str]] = []
    results: dict[str, Any] = {}
    compared: dict[str, Any] = {}
    for test in read_test_sets(corpora / "test"):
        names = [(training_set, system) for training_set in training_sets for system in simplifiers]
        lines = {name: read_output(outputs.joinpath(*name) / f"{test.name}.txt", test) for name in names}
        systems = {
            name: system_statistics(test, output, config)
            for name, output in {(UNTRAINED, IDENTITY): test.complex, **lines}.items()
        }
        scores = {name: scores_of(found) for name, found in systems.items()}
        signatures.append(signatures_of(scores[UNTRAINED, IDENTITY]))
        results[test.name] = _rows(scores, readability_scores(line for lines in test.references for line in lines))
        compared[test.name] = significance(
            {"/".join(name): found for name, found in systems.items()}, config.resampling
        )
    return Evaluation(
        {"signatures": merge_signatures(signatures), "test_sets": results},
        {"resampling": config.resampling.as_dict(), "test_sets": compared},
    )


def _rows(
    scores: Mapping[tuple[str, str], Mapping[str, Score]], reference: Mapping[str, Score]
) -> dict[str, dict[str, dict[str, float]]]:
    """Numbers by training set and system."""
    rows: dict[str, dict[str, dict[str, float]]] = {UNTRAINED: {"reference": values(reference)}}
    for (training_set, system), found in scores.items():
        rows.setdefault(training_set, {})[system] = values(found)
    return rows


def system_statistics(test: EvaluationSet, output: Sequence[str], config: EvaluationConfig) -> Statistics:
    """The statistics of `sari`, `sari_corpus`, `bleu`, `fk` and `len` of one system."""
    texts = Texts(test.complex, output, test.references)
    return metric_statistics(DEFAULT_METRICS, texts, MetricOptions(config.max_tokens))


def scores_of(statistics: Statistics) -> dict[str, Score]:
    """The scores of all metrics."""
    return {metric: found.score() for metric, found in statistics.items()}


def readability_scores(lines: Iterable[str]) -> dict[str, Score]:
    """`fk` and `len` over all the lines as one text."""
    counts = count_text(lines)
    return {"fk": flesch_kincaid(counts), "len": sentence_length(counts)}


def values(scores: Mapping[str, Score]) -> dict[str, float]:
    """Numbers by name: a score under its own, its parts under `add`, `keep`, `del` for SARI per sentence (the
    columns of the paper's tables) and under `METRIC_PART` for others."""
    flat = {}
    for name, score in scores.items():
        flat[name] = score.value
        prefix = "" if name == "sari" else f"{name}_"
        flat.update({prefix + part: value for part, value in score.parts.items()})
    return flat


def signatures_of(scores: Mapping[str, Score]) -> dict[str, str]:
    """The signature of each metric."""
    return {name: str(score.signature) for name, score in scores.items()}


def merge_signatures(signatures: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """One signature a metric for several test sets: `nrefs:var` where their numbers of references differ."""
    merged = dict(signatures[0])
    for other in signatures[1:]:
        for name, signature in other.items():
            if merged[name] != signature:
                merged[name] = re.sub(r"\bnrefs:\w+", "nrefs:var", signature)
    return merged


def read_test_sets(folder: Path) -> list[EvaluationSet]:
    """The test sets of a folder, in the order of their names; `InputError` where there is none or one is broken."""
    files = sorted(folder.glob("*.complex"))
    if not files:
        raise bad_input(folder, None, "holds no test set (NAME.complex)", "run stage build_corpus first")
    return [read_test_set(path, _references(path)) for path in files]


def read_test_set(complex_file: Path, references: Sequence[Path]) -> EvaluationSet:
    """A test set from its files, strictly line-aligned; `InputError` where it has no line or no reference."""
    if not references:
        raise bad_input(complex_file, None, "has no references", "name them NAME.reference.0, .1, ... beside it")
    rows = read_aligned([complex_file, *references])
    if not rows:
        raise bad_input(complex_file, None, "has no lines", "a test set needs one sentence at least")
    complex_lines, *reference_lines = (list(column) for column in zip(*rows, strict=True))
    return EvaluationSet(complex_file.name.removesuffix(".complex"), complex_file, complex_lines, reference_lines)


def read_output(path: Path, test: EvaluationSet) -> list[str]:
    """A system's output for a test set; `InputError` names both files where it has a line too many or too few."""
    return [output for _, output in read_aligned([test.complex_file, path])]


def _references(complex_file: Path) -> list[Path]:
    stem = complex_file.name.removesuffix(".complex") + ".reference."
    return sorted(complex_file.parent.glob(f"{stem}*"), key=lambda path: (len(path.name), path.name))
