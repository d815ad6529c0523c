"""Which systems and slices a table shows, in the order in which it shows them."""

import re
from dataclasses import dataclass

from textsimp.reporting.inputs import Numbers, PrintedTable, Run, in_order
from textsimp.reporting.names import GOLD_SUFFIX, NAMES

UNTRAINED = ("identity", "reference")
_RANKED_BY = "sari"
_SIDES = {"new": "new", "old": "old", "old_equal": NAMES["old_equal"], "all": NAMES["all"]}


def fair(run: Run, numbers: Numbers) -> list[str]:
    """Return the alignment systems that see no gold paragraphs, those of a family together."""
    gold = numbers.results.notes.get("gold_paragraphs", "").split()
    families: dict[str, list[str]] = {}
    for system in in_order(run.plan.alignment_systems, numbers.systems):
        if system not in gold and "." not in system:
            families.setdefault(run.of_aligner(system, "family"), []).append(system)
    return [system for systems in families.values() for system in systems]


def unmatched(run: Run, numbers: Numbers, printed: PrintedTable, kind: str) -> list[str]:
    """Return the systems of a published table that we have not."""
    ours = {run.of_aligner(name, "jiang2020", kind) for name in numbers.systems if "." not in name}
    return [name for name in printed.values("system") if name not in ours]


def with_gold(run: Run, numbers: Numbers) -> list[tuple[str, str]]:
    """Return the systems that find their paragraphs, each with the one that is given the gold paragraphs."""
    gold = [name for name in numbers.results.notes.get("gold_paragraphs", "").split() if name in numbers.systems]
    planned = [name + end for name in run.plan.alignment_systems for end in ("", GOLD_SUFFIX)]
    own = {name: name.removesuffix(GOLD_SUFFIX) for name in gold} | {"neural_crf_gold_paraalign": "neural_crf"}
    return [(own[name] if own[name] in numbers.systems else name, name) for name in in_order(planned, gold)]


@dataclass(frozen=True)
class Simplifier:
    """A system of simplification: its key, its model, and what that was trained on (`none` if on nothing)."""

    system: str
    model: str
    training: str

    @classmethod
    def of(cls, system: str) -> "Simplifier":
        """Return the system of a key, such as `editnts.new`."""
        model, _, training = system.rpartition(".")
        return cls(system, model or system, training if model else "none")

    @property
    def side(self) -> str:
        """Return its training data, as claims say it."""
        return _SIDES.get(self.training, "")

    def labels(self, run: Run) -> tuple[str, str]:
        """Return the printed names of the model and of the training data."""
        return run.label(self.model), run.label(self.training)


def simplifiers(run: Run, numbers: Numbers, *which: str) -> list[Simplifier]:
    """Return systems of simplification; those that are trained by training set, old data first, as in the paper.

    Args:
        which: `identity`, `reference`, `trained`, or a training set such as `new`.
    """
    evaluated = numbers.systems
    models = dict.fromkeys((*run.plan.simplifiers, *(name.rpartition(".")[0] for name in evaluated if "." in name)))
    trained = [name for model in models for name in evaluated if name.rpartition(".")[0] == model]
    trained.sort(key=lambda name: (not name.endswith(".old"), name.rpartition(".")[2]))
    return [
        Simplifier.of(name)
        for wanted in which
        for name in (*trained, *UNTRAINED)
        if name in evaluated and (wanted in (name, name.rpartition(".")[2]) or wanted == "trained" and name in trained)
    ]


def new_and_old(run: Run, numbers: Numbers) -> list[tuple[Simplifier, Simplifier]]:
    """Return the models that were trained on new and on old data, once for each set of old data."""
    old = [one for one in simplifiers(run, numbers, "trained") if one.training.startswith("old")]
    return [(new, one) for new in simplifiers(run, numbers, "new") for one in old if new.model == one.model]


def slices(numbers: Numbers, key: str) -> dict[str, str]:
    """Return the slices of the scope by a key such as `length`: scope -> name."""
    prefix = f"{numbers.scope}/{key}="
    names = [name for name in numbers.results.scopes(numbers.scope) if name.startswith(prefix)]
    return {name: _range(name.removeprefix(prefix)) for name in names}


def _range(text: str) -> str:
    """Return such as `up to 10`, `11 to 15`, `31 and more`; other texts as they are."""
    bounds = re.fullmatch(r"(\d+)-(\d*)", text)
    if not bounds:
        return text
    low, high = bounds.groups()
    return f"{low} and more" if not high else f"up to {high}" if low == "0" else f"{low} to {high}"


@dataclass(frozen=True)
class Released:
    """A released output: its key, printed names, and the papers that it is from.

    `label` is distinct where several outputs are of one model.
    """

    system: str
    model: str
    label: str
    training: str
    papers: tuple[str, ...]


def released_as(run: Run, system: str) -> Released:
    """Return a released output; one that params.yaml does not name is the user's own."""
    row = run.plan.released.get(system, {})
    known = {name: str(row.get(name) or "") for name in ("name", "paper", "released_with", "trained_on")}
    name = known["name"] or (run.label(system) if system in UNTRAINED else f"{system} (yours)")
    is_shared = sum(item.get("name") == name for item in run.plan.released.values()) > 1
    origin = known["trained_on"] or known["paper"]
    papers = tuple(dict.fromkeys((known["paper"], known["released_with"])))
    return Released(system, name, f"{name} ({origin})" if is_shared and origin else name, known["trained_on"], papers)


def released(run: Run, numbers: Numbers, paper: str = "") -> list[Released]:
    """Return the released outputs of a test set, or those released with one paper, the best by its SARI first."""
    scores = ((numbers.value(name, _RANKED_BY), name) for name in numbers.systems)
    ranked = sorted((-score, name) for score, name in scores if score is not None)
    rows = [released_as(run, name) for _, name in ranked]
    return [row for row in rows if not paper or row.papers[-1] == paper]


def several(found: dict[str, str]) -> dict[str, str]:
    """Return the slices, or none where there is but one."""
    return found if len(found) > 1 else {}
