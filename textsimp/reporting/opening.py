"""The first screen of the report: what the run is and says, a chart for each half of the paper, what stays open."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from textsimp.reporting.claims import OPEN, VOID, Claim
from textsimp.reporting.compared_systems import fair, simplifiers
from textsimp.reporting.figures import Dots, Figure, draw_dots, legend_entry
from textsimp.reporting.inputs import Numbers, Run
from textsimp.reporting.names import ORIGINS, TASKS
from textsimp.reporting.plan import CorpusPlan
from textsimp.reporting.table import Table

_ALWAYS = ("neural_crf", "neural_crf_paper", "bert_finetune")
"""The systems that the paper's claims are about."""
_LARGER = 10
"""Times the size of a test set: what somebody might still collect."""
TERMS = {
    "Task 1, Task 2": (
        "Task 1 is to find the sentence pairs that are aligned or partially aligned. Task 2 is to find those that are "
        "aligned."
    ),
    "New (auto) and old data": (
        "simplifiers are trained on sentence pairs that the CRF aligner found (new), or on those of JaccardAlign or of "
        "an earlier release (old)."
    ),
    "Printed": "the numbers of Jiang et al. 2020. Their corpora are others: compare the order only.",
    "CRF aligner": (
        "the paper's model, neural_crf_paper. This project's own additions (neural_crf) are judged in another table."
    ),
    "Holds, fails": (
        "bootstrap and randomisation test both find the difference (‡), and all training seeds agree. With † the "
        "bootstrap alone finds it; without a mark it may be chance. Otherwise we cannot tell."
    ),
}
"""Words of the report, with what they mean."""


@dataclass(frozen=True)
class Opening:
    """The part of the report before all sections.

    Attributes:
        table: the main table, whose `lead` is the answer.
        corpora: what each corpus is and how large.
        unjudged: which claims of the table have no verdict, and why; empty where all have one.
        figures: of alignment and of simplification, as far as the run has them.
    """

    table: Table
    corpora: tuple[str, ...] = ()
    terms: Mapping[str, str] = field(default_factory=dict)
    unjudged: str = ""
    figures: tuple[Figure, ...] = ()


def opening(run: Run, table: Table, claims: Sequence[Claim]) -> Opening:
    """Return the first screen of a run whose main table is made of these claims."""
    figures = (*_alignment(run), *_simplification(run))
    return Opening(table, tuple(_corpus(run, corpus) for corpus in run.plan.corpora), TERMS, _unjudged(claims), figures)


def _corpus(run: Run, corpus: CorpusPlan) -> str:
    """Such as `sample_news: invented texts; 400 document pairs with gold links, 120 aligned here`."""
    built = run.results(f"corpora/{corpus.name}")
    counts = {
        "document pairs with gold links": built.value("statistics", "manual", "article pairs"),
        "document pairs aligned here": built.value("statistics", "auto", "article pairs"),
        "sentence pairs to train simplifiers on": built.value("seq2seq", "auto", "train pairs"),
    }
    sizes = ", ".join(f"{count:,.0f} {what}" for what, count in counts.items() if count)
    return f"{run.label(corpus.name)}: {ORIGINS.get(corpus.origin, '')}; {sizes}."


def _unjudged(claims: Sequence[Claim]) -> str:
    open_ = [claim for claim in claims if claim.state == OPEN]
    void = [claim.verdict for claim in claims if claim.state == VOID]
    if not open_ and not void:
        return ""
    parts = [f"{len(open_) + len(void)} of {len(claims)} claims have no verdict."]
    if differing := [claim for claim in open_ if claim.is_contradicted]:
        parts.append(f"For {len(differing)}, the training seeds disagree.")
    if chance := [claim for claim in open_ if not claim.is_contradicted]:
        within = sum(size is not None and size <= _LARGER for size in (claim.needed_size for claim in chance))
        parts.append(
            f"For {len(chance)}, the difference may be chance. With {_LARGER} times as many texts, {within} of these "
            "could be decided, if the differences are as large as they seem."
        )
    parts += [f"For {void.count(why)}: {why}." for why in dict.fromkeys(void)]
    return " ".join(parts)


def _alignment(run: Run) -> list[Figure]:
    """F1 of both tasks on each annotated corpus's test split: of each family of systems the best one."""
    panels = []
    spoken_of = {run.of_aligner(system, "family") for system in _ALWAYS}
    for corpus in run.annotated:
        numbers = run.at(f"alignment/{corpus.name}", "test")
        chosen: dict[str, tuple[float, str]] = {}
        for system in fair(run, numbers):
            family = system if system in _ALWAYS else run.of_aligner(system, "family")
            value = numbers.value(system, "task1.f1")
            if family not in spoken_of and value is not None and value > chosen.get(family, (-1.0, ""))[0]:
                chosen[family] = value, system
        if best := [system for _, system in sorted(chosen.values(), reverse=True)]:
            lines = [_dots(numbers, best, f"{task}.f1") for task in TASKS]
            key, names = f"opening-alignment-{corpus.name}", [run.label(system) for system in best]
            panels.append(draw_dots(key, corpus.name, names, lines, "F1 in percent"))
    legend = tuple(legend_entry(words, style) for style, words in enumerate(TASKS.values()))
    text = "F1 on the test split with its 95% interval. Each family of systems is shown by its best one in Task 1."
    return [Figure("opening-alignment", "Sentence alignment", text, tuple(panels), legend)] if panels else []


def _simplification(run: Run) -> list[Figure]:
    """SARI on each corpus's main test set: every model, by its training data."""
    panels, legend = [], {}
    for corpus in run.simplified:
        numbers = run.at(f"simplification/{corpus.name}", next(iter(run.test_sets(corpus.name)), ""))
        trained = simplifiers(run, numbers, "trained")
        models = list(dict.fromkeys(one.model for one in trained))
        lines = []
        for style, training in enumerate(dict.fromkeys(one.training for one in trained)):
            by_model = {one.model: one.system for one in trained if one.training == training}
            lines.append(_dots(numbers, [by_model.get(model, "") for model in models], "sari"))
            legend[training] = legend_entry(f"{run.label(training)} data", style)
        if models:
            names = [run.label(model) for model in models]
            key, title = f"opening-simplification-{corpus.name}", run.label(corpus.name)
            panels.append(draw_dots(key, title, names, lines, "SARI", numbers.value("identity", "sari")))
    text = "SARI per sentence with its 95% interval. The dashed line is the unchanged input."
    known = tuple(panels), tuple(legend.values())
    return [Figure("opening-simplification", "Simplification", text, *known)] if panels else []


def _dots(numbers: Numbers, systems: Iterable[str], measure: str) -> Dots:
    """The number of each system with its interval, None where there is none."""
    return [numbers.results.get(numbers.scope, system, measure) for system in systems]
