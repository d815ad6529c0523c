"""The metrics files of the earlier stages, read and checked; an absent one names the stage that writes it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.reporting.alignment.results import TASKS, Alignment, Measured, measured, read_alignment
from textsimp.reporting.config import CorpusPlan, ReportPlan
from textsimp.reporting.leaderboard.results import LEADERBOARD, Leaderboard, read_leaderboard
from textsimp.reporting.page.cards import Card, read_card
from textsimp.reporting.page.examples import Example, read_examples
from textsimp.reporting.page.outputs import OutputSet, read_outputs
from textsimp.reporting.reading import Curve, Scores, checked, in_order, present, read_curve, scores
from textsimp.reporting.significance import Significance, significance_of
from textsimp.reporting.simplification.analysis_results import Analysis, read_analysis
from textsimp.textfiles import read_json

ALIGNER = ("aligner", "")
DOCUMENTS = "document_pairs"


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

    alignment: all alignment systems; None where nothing is annotated.
    audit: alignment -> task -> scores, against what is known of the unlabelled articles, and `audited`, the number of
        document pairs; empty and 0 where nothing is.
    paragraphs: reports/paragraphs/NAME.json, by test set; empty where there is none.
    statistics: reports/corpora/NAME.json. card: the corpus's data card.
    signatures: metric -> signature. test_sets: test set -> training set -> system -> scores.
    significance: test set -> intervals and differences of its systems, named TRAINING_SET/SYSTEM.
    analysis: kinds of rewriting, and SARI over subsets; None where nothing is simplified.
    precision_recall: the points of the test split, none where nothing is annotated.
    training: (simplifier, training set), or `ALIGNER`, -> curve.
    examples, outputs: text, empty where it may not be shown.
    """

    plan: CorpusPlan
    alignment: Alignment | None
    audit: dict[str, dict[str, Measured]]
    audited: int
    paragraphs: dict[str, Any]
    statistics: dict[str, Any]
    card: Card
    signatures: dict[str, str]
    test_sets: dict[str, dict[str, dict[str, Scores]]]
    significance: dict[str, Significance]
    analysis: Analysis | None
    precision_recall: Curve
    training: dict[tuple[str, str], Curve]
    examples: tuple[Example, ...]
    outputs: tuple[OutputSet, ...]


@dataclass(frozen=True)
class Results:
    """All corpora and zero-training experiments.

    published: experiment -> rows and signatures. leaderboard: None where it is not among the experiments.
    """

    plan: ReportPlan
    corpora: tuple[CorpusResults, ...]
    published: dict[str, dict[str, Any]]
    leaderboard: Leaderboard | None

    @property
    def annotated(self) -> list[CorpusResults]:
        """The corpora on which alignment systems are compared."""
        return [corpus for corpus in self.corpora if corpus.plan.is_annotated]

    @property
    def simplified(self) -> list[CorpusResults]:
        """The corpora that simplifiers are trained on."""
        return [corpus for corpus in self.corpora if corpus.plan.is_simplified]


def read_results(plan: ReportPlan, folders: Folders) -> Results:
    """Everything that the plan names.

    Raises:
        InputError: a file is absent (the text names the stage that writes it) or is not what that stage writes.
    """
    corpora = tuple(_read_corpus(corpus, plan, folders) for corpus in plan.corpora)
    published = {name: _read_published(name, folders) for name in plan.published if name != LEADERBOARD}
    leaderboard = read_leaderboard(folders.reports) if LEADERBOARD in plan.published else None
    return Results(plan, corpora, published, leaderboard)


def _read_corpus(corpus: CorpusPlan, plan: ReportPlan, folders: Folders) -> CorpusResults:
    name, reports = corpus.name, folders.reports
    simplification, path = _read_simplification(corpus, plan, reports)
    audited, audit = _read_audit(name, reports)
    curve = Curve(())
    if corpus.is_annotated:
        curve = read_curve(reports / "alignment" / f"{name}.pr.csv", "evaluate_alignment", name)
    return CorpusResults(
        plan=corpus,
        alignment=read_alignment(name, plan.alignment_systems, reports / "alignment") if corpus.is_annotated else None,
        audit=audit,
        audited=audited,
        paragraphs=_read_paragraphs(name, reports) if corpus.has_paragraphs else {},
        statistics=_read_statistics(corpus, reports),
        card=read_card(folders.corpora, name),
        signatures=checked(lambda: {k: str(v) for k, v in simplification["signatures"].items()}, path),
        test_sets=simplification["test_sets"],
        significance=_read_significance(corpus, simplification["test_sets"], reports),
        analysis=read_analysis(name, plan, reports / "analysis") if corpus.is_simplified else None,
        precision_recall=curve,
        training=_read_training(corpus, plan, reports),
        examples=_read_examples(corpus, plan, reports),
        outputs=_read_outputs(corpus, plan, folders, sorted(simplification["test_sets"])),
    )


def _read_examples(corpus: CorpusPlan, plan: ReportPlan, reports: Path) -> tuple[Example, ...]:
    if not (corpus.show_text and corpus.is_annotated):
        return ()
    path = present(reports / "examples" / f"alignment.{corpus.name}.jsonl", "evaluate_alignment", corpus.name)
    return tuple(read_examples(path))


def _read_outputs(
    corpus: CorpusPlan, plan: ReportPlan, folders: Folders, test_sets: list[str]
) -> tuple[OutputSet, ...]:
    if not (corpus.show_text and corpus.is_simplified):
        return ()
    systems = [(training, system) for training in plan.training_sets for system in plan.simplifiers]
    places = (folders.corpora / corpus.name / "test", folders.outputs / corpus.name)
    return read_outputs(*places, test_sets, systems)


def _read_audit(name: str, reports: Path) -> tuple[int, dict[str, dict[str, Measured]]]:
    path = present(reports / "audit" / f"{name}.json", "audit", name)
    value = read_json(path)

    def audit() -> tuple[int, dict[str, dict[str, Measured]]]:
        names = [name for name in ("auto", "old") if name in value]
        found = {name: {task: _measured(value[name], task) for task in TASKS} for name in names}
        return int(value[DOCUMENTS]), found

    return checked(audit, path)


def _measured(value: Any, task: str) -> Measured:
    difference = value.get("difference")
    return measured(value[task], value["intervals"][task], difference and difference[task])


def _read_paragraphs(name: str, reports: Path) -> dict[str, Any]:
    path = present(reports / "paragraphs" / f"{name}.json", "evaluate_paragraphs", name)
    value = read_json(path)

    def paragraphs() -> dict[str, Any]:
        return {test_set: _paragraph_systems(found) for test_set, found in value.items()}

    return checked(paragraphs, path)


def _paragraph_systems(value: Any) -> dict[str, Any]:
    systems = {
        name: (str(row["label"]), measured(row, row["intervals"], row["difference"]))
        for name, row in value["systems"].items()
    }
    return {"dev_pairs": int(value["dev_pairs"]), "test_pairs": int(value["test_pairs"]), "systems": systems}


def _read_statistics(corpus: CorpusPlan, reports: Path) -> dict[str, Any]:
    path = present(reports / "corpora" / f"{corpus.name}.json", "build_corpus", corpus.name)
    value = read_json(path)

    def statistics() -> dict[str, Any]:
        found = {"manual": {"statistics": scores(value["manual"])}} if corpus.is_annotated else {}
        for name in [name for name in value if name != "manual"]:
            found[name] = {part: scores(numbers) for part, numbers in value[name].items()}
        return found

    return checked(statistics, path)


def _read_simplification(corpus: CorpusPlan, plan: ReportPlan, reports: Path) -> tuple[dict[str, Any], Path]:
    if not corpus.is_simplified:
        return {"signatures": {}, "test_sets": {}}, reports
    path = present(reports / "simplification" / f"{corpus.name}.json", "evaluate_simplification", corpus.name)
    value = read_json(path)

    def test_set(found: dict[str, Any]) -> dict[str, dict[str, Scores]]:
        systems = {training: in_order(plan.simplifiers, found[training]) for training in plan.training_sets}
        systems["none"] = ["identity", "reference"]
        return {training: {s: scores(found[training][s]) for s in names} for training, names in systems.items()}

    def read() -> dict[str, Any]:
        sets = {name: test_set(found) for name, found in value["test_sets"].items()}
        if not sets:
            raise ValueError("no test set")
        return {"signatures": value["signatures"], "test_sets": sets}

    return checked(read, path), path


def _read_significance(corpus: CorpusPlan, test_sets: dict[str, Any], reports: Path) -> dict[str, Significance]:
    if not corpus.is_simplified:
        return {}
    path = present(reports / "simplification" / f"{corpus.name}.details.json", "evaluate_simplification", corpus.name)
    value = read_json(path)
    return checked(lambda: {name: significance_of(value["test_sets"][name]) for name in test_sets}, path)


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
    curves: dict[tuple[str, str], Curve] = {}
    if corpus.is_annotated:
        encoder = read_curve(folder / f"encoder.{corpus.encoder}.csv", "train_encoder", corpus.encoder)
        crf = read_curve(folder / f"aligner.{name}.csv", "train_aligner", name)
        curves[ALIGNER] = Curve(encoder.rows + crf.rows)
    for system in plan.simplifiers if corpus.is_simplified else ():
        for training in plan.training_sets:
            run = f"{name}.{training}.{system}"
            path = folder / f"simplifier.{run}.csv"
            curves[system, training] = read_curve(path, "train_simplifier", run)
    return curves
