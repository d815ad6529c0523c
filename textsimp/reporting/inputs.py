"""The metrics files of the earlier stages, read and checked; an absent one names the stage that writes it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.reporting.alignment_results import Alignment, read_alignment
from textsimp.reporting.config import CorpusPlan, ReportPlan
from textsimp.reporting.examples import Example, choose_examples, read_examples
from textsimp.reporting.outputs import OutputSample, read_outputs
from textsimp.reporting.reading import Curve, Scores, checked, in_order, present, read_curve, scores
from textsimp.textfiles import read_json

ALIGNER = ("aligner", "")


@dataclass(frozen=True)
class Folders:
    """Where the stages write, and the published tables."""

    reports: Path
    published: Path
    corpora: Path
    outputs: Path


@dataclass(frozen=True)
class CorpusResults:
    """Everything that the report shows of one corpus.

    alignment: all alignment systems.
    statistics: reports/corpora/NAME.json.
    signatures: metric -> signature. test_sets: test set -> training set -> system -> scores.
    precision_recall: the points of the test split. training: (simplifier, training set), or `ALIGNER`, -> curve.
    examples, outputs: text, empty where it may not be shown.
    """

    plan: CorpusPlan
    alignment: Alignment
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
        example_file = present(reports / "examples" / f"alignment.{name}.jsonl", "evaluate_alignment", name)
        examples = choose_examples(read_examples(example_file), config.example_pairs, config.example_sentences)
        systems = [(training, system) for training in plan.training_sets for system in plan.simplifiers]
        places = (folders.corpora / name / "test", folders.outputs / name)
        outputs = read_outputs(*places, sorted(simplification["test_sets"]), systems, config.output_sentences)
    return CorpusResults(
        plan=corpus,
        alignment=read_alignment(name, plan.alignment_systems, reports / "alignment"),
        statistics=_read_statistics(corpus, reports),
        signatures=checked(lambda: {k: str(v) for k, v in simplification["signatures"].items()}, path),
        test_sets=simplification["test_sets"],
        precision_recall=read_curve(reports / "alignment" / f"{name}.pr.csv", "evaluate_alignment", name),
        training=_read_training(corpus, plan, reports),
        examples=examples,
        outputs=outputs,
    )


def _read_statistics(corpus: CorpusPlan, reports: Path) -> dict[str, Any]:
    path = present(reports / "corpora" / f"{corpus.name}.json", "build_corpus", corpus.name)
    value = read_json(path)

    def statistics() -> dict[str, Any]:
        found = {"manual": {"statistics": scores(value["manual"])}}
        for name in [name for name in value if name != "manual"]:
            found[name] = {part: scores(numbers) for part, numbers in value[name].items()}
        return found

    return checked(statistics, path)


def _read_simplification(corpus: CorpusPlan, plan: ReportPlan, reports: Path) -> tuple[dict[str, Any], Path]:
    path = present(reports / "simplification" / f"{corpus.name}.json", "evaluate_simplification", corpus.name)
    value = read_json(path)

    def test_set(found: dict[str, Any]) -> dict[str, dict[str, Scores]]:
        systems = {training: in_order(plan.simplifiers, found[training]) for training in plan.training_sets}
        systems["none"] = ["identity", "reference"]
        return {training: {s: scores(found[training][s]) for s in names} for training, names in systems.items()}

    def read() -> dict[str, Any]:
        sets = {name: test_set(found) for name, found in value["test_sets"].items()}
        return {"signatures": value["signatures"], "test_sets": sets}

    return checked(read, path), path


def _read_published(name: str, folders: Folders) -> dict[str, Any]:
    path = present(folders.reports / "published" / f"{name}.json", "score_published", name)
    value = read_json(path)

    def rows() -> list[dict[str, Any]]:
        return [
            {"system": str(row["system"]), "train_set": str(row["train_set"])}
            | {side: scores(row[side]) for side in ("ours", "published")}
            for row in value["rows"]
        ]

    signatures = checked(lambda: {k: str(v) for k, v in value["signatures"].items()}, path)
    return {"signatures": signatures, "rows": checked(rows, path)}


def _read_training(corpus: CorpusPlan, plan: ReportPlan, reports: Path) -> dict[tuple[str, str], Curve]:
    folder, name = reports / "training", corpus.name
    encoder = read_curve(folder / f"encoder.{corpus.encoder}.csv", "train_encoder", corpus.encoder)
    crf = read_curve(folder / f"aligner.{name}.csv", "train_aligner", name)
    curves = {ALIGNER: Curve(encoder.rows + crf.rows)}
    for system in plan.simplifiers:
        for training in plan.training_sets:
            run = f"{name}.{training}.{system}"
            path = folder / f"simplifier.{run}.csv"
            curves[system, training] = read_curve(path, "train_simplifier", run)
    return curves
