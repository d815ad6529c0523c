"""The first screen of the report: what the run is and says, a chart for each half of the paper, what stays open."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from textsimp.reporting.claims import OPEN, VOID, Claim
from textsimp.reporting.compared_systems import fair, simplifiers
from textsimp.reporting.figures import Dots, Figure, Strip, draw_dots, legend_entry
from textsimp.reporting.inputs import Numbers, Run
from textsimp.reporting.names import ORIGINS, TASKS, TRAINING
from textsimp.reporting.plan import CorpusPlan
from textsimp.reporting.table import Table

_TEST = "test"
_ALWAYS = ("neural_crf", "neural_crf_paper", "bert_finetune")
"""The systems that the paper's claims are about."""
_LARGER = 10
"""Times the size of a test set: what somebody might still collect."""


@dataclass(frozen=True)
class Opening:
    """What stands before all sections.

    Attributes:
        table: the main table, whose `lead` is the answer.
        corpora: what each corpus is and how large.
        terms: words of the report -> what they mean.
        unjudged: which claims of the table have no verdict, and why; empty where all have one.
        figures: of alignment and of simplification, as far as the run has them.
    """

    table: Table
    corpora: tuple[str, ...] = ()
    terms: Mapping[str, str] = field(default_factory=dict)
    unjudged: str = ""
    figures: tuple[Figure, ...] = ()


def opening(run: Run, table: Table, claims: Sequence[Claim], terms: Mapping[str, str]) -> Opening:
    """The first screen of a run whose main table is made of these claims."""
    figures = (*_alignment(run), *_simplification(run))
    return Opening(table, tuple(_corpus(run, corpus) for corpus in run.plan.corpora), terms, _unjudged(claims), figures)


def _corpus(run: Run, corpus: CorpusPlan) -> str:
    """Such as `sample_news: invented texts; 400 document pairs with gold links, 120 aligned here`."""
    built = run.results(f"corpora/{corpus.name}")
    gold, auto = (built.value("statistics", links, "article pairs") or 0 for links in ("manual", "auto"))
    pairs = built.value("seq2seq", "auto", "train pairs") or 0
    counts = {
        "document pairs with gold links": gold,
        "document pairs aligned here": auto,
        "sentence pairs to train simplifiers on": pairs,
    }
    sizes = ", ".join(f"{count:,.0f} {what}" for what, count in counts.items() if count)
    return f"{run.labels.label(corpus.name)}: {ORIGINS.get(corpus.origin, '')}; {sizes}."


def _unjudged(claims: Sequence[Claim]) -> str:
    """How many claims have no verdict, and why."""
    open_ = [claim for claim in claims if claim.state == OPEN]
    void = [claim.verdict for claim in claims if claim.state == VOID]
    if not open_ and not void:
        return ""
    parts = [f"{len(open_) + len(void)} of {len(claims)} claims have no verdict."]
    differing = [claim for claim in open_ if claim.is_contradicted]
    if differing:
        parts.append(f"For {len(differing)}, the training seeds disagree.")
    if open_ := [claim for claim in open_ if not claim.is_contradicted]:
        within = sum(size is not None and size <= _LARGER for size in (claim.needed_size for claim in open_))
        parts.append(
            f"For {len(open_)}, the difference may be chance. With {_LARGER} times as many texts, {within} of these "
            "could be decided, if the differences are as large as they seem."
        )
    parts += [f"For {void.count(why)}: {why}." for why in dict.fromkeys(void)]
    return " ".join(parts)


def _alignment(run: Run) -> list[Figure]:
    """F1 of both tasks on each annotated corpus's test split: of each family of systems the best one."""
    panels = []
    spoken_of = {run.labels.of_aligner(system, "family") for system in _ALWAYS}
    for corpus in run.annotated:
        numbers = run.at(f"alignment/{corpus.name}", _TEST)
        chosen: dict[str, tuple[float, str]] = {}
        for system in fair(run, numbers):
            family = run.labels.of_aligner(system, "family")
            if family in spoken_of and system not in _ALWAYS:
                continue
            family = system if system in _ALWAYS else family
            value = numbers.value(system, "task1.f1")
            if value is not None and value > chosen.get(family, (-1.0, ""))[0]:
                chosen[family] = value, system
        best = [system for _, system in sorted(chosen.values(), reverse=True)]
        lines = [_dots(numbers, [(system, f"{task}.f1") for system in best]) for task in TASKS]
        names = [run.labels.label(system) for system in best]
        if best:
            panels.append(draw_dots(f"opening-alignment-{corpus.name}", corpus.name, names, lines, "F1 in percent"))
    legend = tuple(legend_entry(words, style) for style, words in enumerate(TASKS.values()))
    text = "F1 on the test split with its 95% interval. Each family of systems is shown by its best one in Task 1."
    strip = Strip("", tuple(panels), legend)
    return [Figure("opening-alignment", "Sentence alignment", text, (strip,))] if panels else []


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
            lines.append(_dots(numbers, [(by_model.get(model, ""), "sari") for model in models]))
            legend[training] = legend_entry(f"{TRAINING.get(training, training)} data", style)
        names = [run.labels.label(model) for model in models]
        if models:
            key, title = f"opening-simplification-{corpus.name}", run.labels.label(corpus.name)
            panels.append(draw_dots(key, title, names, lines, "SARI", numbers.value("identity", "sari")))
    text = "SARI per sentence with its 95% interval. The dashed line is the unchanged input."
    strip = Strip("", tuple(panels), tuple(legend.values()))
    return [Figure("opening-simplification", "Simplification", text, (strip,))] if panels else []


def _dots(numbers: Numbers, cells: Iterable[tuple[str, str]]) -> Dots:
    """The number of each system and measure with its interval, None where there is none."""
    dots: Dots = []
    for system, measure in cells:
        number = numbers.results.get(numbers.scope, system, measure)
        if number is None:
            dots.append(None)
            continue
        low, high = (number.value if bound is None else bound for bound in (number.low, number.high))
        dots.append((number.value, low, high))
    return dots
