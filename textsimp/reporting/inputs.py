"""The metrics files of the earlier stages, read and checked; an absent one names the stage that writes it."""

import csv
import io
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.errors import InputError, bad_input
from textsimp.reporting.config import CorpusPlan, ReportPlan
from textsimp.reporting.examples import Example, choose_examples, read_examples
from textsimp.reporting.outputs import OutputSample, read_outputs
from textsimp.textfiles import read_json, read_text

Scores = dict[str, float]
SPLITS = ("test", "dev")
TASKS = ("task1", "task2")
ALIGNER = ("aligner", "")
MEASURES = ("precision", "recall", "f1")


@dataclass(frozen=True)
class Folders:
    """Where the stages write, and the published tables."""

    reports: Path
    published: Path
    corpora: Path
    outputs: Path


@dataclass(frozen=True)
class Curve:
    """The rows of a CSV file, cells as they stand there, by column."""

    rows: tuple[dict[str, str], ...]


@dataclass(frozen=True)
class CorpusResults:
    """Everything that the report shows of one corpus.

    alignment: split -> system -> task -> measure, in percent.
    statistics: reports/corpora/NAME.json.
    signatures: metric -> signature. test_sets: test set -> training set -> system -> scores.
    precision_recall: the points of the test split. training: (simplifier, training set), or `ALIGNER`, -> curve.
    examples, outputs: text, empty where it may not be shown.
    """

    plan: CorpusPlan
    alignment: dict[str, dict[str, dict[str, Scores]]]
    statistics: dict[str, Any]
    signatures: dict[str, str]
    test_sets: dict[str, dict[str, dict[str, Scores]]]
    precision_recall: Curve
    training: dict[tuple[str, str], Curve]
    examples: tuple[Example, ...]
    outputs: tuple[OutputSample, ...]


@dataclass(frozen=True)
class Results:
    """All corpora and zero-training experiments; `published` maps an experiment to its rows and signatures."""

    plan: ReportPlan
    corpora: tuple[CorpusResults, ...]
    published: dict[str, dict[str, Any]]


def read_results(plan: ReportPlan, folders: Folders) -> Results:
    """Everything that the plan names.

    Raises:
        InputError: a file is absent (the text names the stage that writes it) or is not what that stage writes.
    """
    corpora = tuple(_read_corpus(corpus, plan, folders) for corpus in plan.corpora)
    return Results(plan, corpora, {name: _read_published(name, folders) for name in plan.published})


def _read_corpus(corpus: CorpusPlan, plan: ReportPlan, folders: Folders) -> CorpusResults:
    name, reports, config = corpus.name, folders.reports, plan.config
    simplification, path = _read_simplification(corpus, plan, reports)
    examples: tuple[Example, ...] = ()
    outputs: tuple[OutputSample, ...] = ()
    if corpus.show_text:
        example_file = _present(reports / "examples" / f"alignment.{name}.jsonl", "evaluate_alignment", name)
        examples = choose_examples(read_examples(example_file), config.example_pairs, config.example_sentences)
        systems = [(training, system) for training in plan.training_sets for system in plan.simplifiers]
        places = (folders.corpora / name / "test", folders.outputs / name)
        outputs = read_outputs(*places, sorted(simplification["test_sets"]), systems, config.output_sentences)
    return CorpusResults(
        plan=corpus,
        alignment=_read_alignment(corpus, plan, reports),
        statistics=_read_statistics(corpus, reports),
        signatures=_checked(lambda: {k: str(v) for k, v in simplification["signatures"].items()}, path),
        test_sets=simplification["test_sets"],
        precision_recall=_read_curve(reports / "alignment" / f"{name}.pr.csv", "evaluate_alignment", name),
        training=_read_training(corpus, plan, reports),
        examples=examples,
        outputs=outputs,
    )


def _read_alignment(corpus: CorpusPlan, plan: ReportPlan, reports: Path) -> dict[str, dict[str, dict[str, Scores]]]:
    path = _present(reports / "alignment" / f"{corpus.name}.json", "evaluate_alignment", corpus.name)
    value = read_json(path)

    def scores() -> dict[str, dict[str, dict[str, Scores]]]:
        return {
            split: {
                system: {task: {m: _finite(value[split][system][task][m]) for m in MEASURES} for task in TASKS}
                for system in _in_order(plan.alignment_systems, value[split])
            }
            for split in SPLITS
        }

    return _checked(scores, path)


def _read_statistics(corpus: CorpusPlan, reports: Path) -> dict[str, Any]:
    path = _present(reports / "corpora" / f"{corpus.name}.json", "build_corpus", corpus.name)
    value = read_json(path)

    def statistics() -> dict[str, Any]:
        found = {"manual": {"statistics": _scores(value["manual"])}}
        for name in [name for name in value if name != "manual"]:
            found[name] = {part: _scores(numbers) for part, numbers in value[name].items()}
        return found

    return _checked(statistics, path)


def _read_simplification(corpus: CorpusPlan, plan: ReportPlan, reports: Path) -> tuple[dict[str, Any], Path]:
    path = _present(reports / "simplification" / f"{corpus.name}.json", "evaluate_simplification", corpus.name)
    value = read_json(path)

    def test_set(found: dict[str, Any]) -> dict[str, dict[str, Scores]]:
        systems = {training: _in_order(plan.simplifiers, found[training]) for training in plan.training_sets}
        systems["none"] = ["identity", "reference"]
        return {training: {s: _scores(found[training][s]) for s in names} for training, names in systems.items()}

    def checked() -> dict[str, Any]:
        sets = {name: test_set(found) for name, found in value["test_sets"].items()}
        return {"signatures": value["signatures"], "test_sets": sets}

    return _checked(checked, path), path


def _read_published(name: str, folders: Folders) -> dict[str, Any]:
    path = _present(folders.reports / "published" / f"{name}.json", "score_published", name)
    value = read_json(path)

    def rows() -> list[dict[str, Any]]:
        return [
            {"system": str(row["system"]), "train_set": str(row["train_set"])}
            | {side: _scores(row[side]) for side in ("ours", "published")}
            for row in value["rows"]
        ]

    signatures = _checked(lambda: {k: str(v) for k, v in value["signatures"].items()}, path)
    return {"signatures": signatures, "rows": _checked(rows, path)}


def _read_training(corpus: CorpusPlan, plan: ReportPlan, reports: Path) -> dict[tuple[str, str], Curve]:
    folder, name = reports / "training", corpus.name
    encoder = _read_curve(folder / f"encoder.{corpus.encoder}.csv", "train_encoder", corpus.encoder)
    crf = _read_curve(folder / f"aligner.{name}.csv", "train_aligner", name)
    curves = {ALIGNER: Curve(encoder.rows + crf.rows)}
    for system in plan.simplifiers:
        for training in plan.training_sets:
            run = f"{name}.{training}.{system}"
            path = folder / f"simplifier.{run}.csv"
            curves[system, training] = _read_curve(path, "train_simplifier", run)
    return curves


def _read_curve(path: Path, stage: str, name: str) -> Curve:
    reader = csv.DictReader(io.StringIO(read_text(_present(path, stage, name))))
    rows = tuple(reader)
    for line, row in enumerate(rows, 2):
        if None in row or None in row.values():
            raise bad_input(path, line, "another number of cells than the header", f"run the stage {stage} again")
    return Curve(rows)


def _present(path: Path, stage: str, name: str) -> Path:
    if not path.is_file():
        raise bad_input(path, None, "no such file", f"run the stage {stage} for {name} first (`dvc repro {stage}`)")
    return path


def _checked(read: Callable[[], Any], path: Path) -> Any:
    """The result of `read`; what it does not find in the JSON file, or finds of another type, is an `InputError`."""
    try:
        return read()
    except KeyError as error:
        raise bad_input(path, None, f"no key {error}", "run the stage that writes it again") from None
    except (TypeError, AttributeError, InputError) as error:
        raise bad_input(path, None, f"not what its stage writes ({error})", "run that stage again") from None


def _scores(value: dict[str, Any]) -> Scores:
    return {str(name): _finite(number) for name, number in value.items()}


def _finite(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise InputError(f"{value!r} is no number")
    return value


def _in_order(planned: Iterable[str], found: Iterable[str]) -> list[str]:
    """The planned names, then others that are there."""
    return [*planned, *sorted(set(found) - set(planned))]
