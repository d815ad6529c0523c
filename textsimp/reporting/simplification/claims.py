"""The claims about simplifiers: new data against old, the best one against the input, Transformer_bert first."""

from collections.abc import Callable

from textsimp.reporting.claims import Claim, Contest, above, best_of
from textsimp.reporting.inputs import CorpusResults
from textsimp.reporting.names import CORPUS_COLUMNS, SIMPLIFIERS, TEST_SETS, simplifier_label
from textsimp.reporting.published import Published
from textsimp.reporting.significance import Difference, Significance
from textsimp.reporting.simplification.tables import COMPLEX, main_first

_BERT = "transformer_bert"
_INPUT = "none/identity"
_NEW, _OLD = "auto/", "old/"
_SIDES = {"auto": "new", "old": "old"}

Saris = dict[str, float]
"""SARI per sentence of systems by `TRAINING_SET/SYSTEM`, our names for both."""

Side = tuple[str, str, float]
"""What is printed beside a number (may be empty), the system, its SARI."""


def simplification_claims(corpus: CorpusResults, published: Published) -> list[Claim]:
    """In SARI per sentence on the main test set, beside the paper's table about it."""
    test_set = main_first(corpus.test_sets)[0]
    paper = paper_saris(published, corpus.plan.kind, TEST_SETS.get((corpus.plan.kind, test_set)))
    beside = {text: str(_contest(sides)) for text, sides in _contests(paper).items()}
    significance = corpus.significance[test_set]
    return [
        Claim(text, _contest(sides), beside.get(text, ""), _tested(significance, sides))
        for text, sides in _contests(our_saris(corpus, test_set)).items()
    ]


def table_claims(corpus: CorpusResults, published: Published, test_set: str) -> list[Claim]:
    """New data over old for each model; none where the corpus has not both."""
    paper = paper_saris(published, corpus.plan.kind, TEST_SETS.get((corpus.plan.kind, test_set)))
    return new_over_old(our_saris(corpus, test_set), paper, corpus.significance[test_set])


def new_over_old(ours: Saris, paper: Saris, significance: Significance) -> list[Claim]:
    """One claim a model that was trained on both."""
    claims = []
    for new in [name for name in ours if name.startswith(_NEW)]:
        old = _OLD + new.removeprefix(_NEW)
        if old not in ours:
            continue
        beside = (paper[new], paper[old]) if {new, old} <= paper.keys() else None
        text = f"SARI: {_model(new)}, new data > old data"
        claims.append(above(text, (ours[new], ours[old]), beside, significance.difference("sari", new, old)))
    return claims


def our_saris(corpus: CorpusResults, test_set: str) -> Saris:
    """Of every system on a test set, the unchanged input included."""
    return {
        f"{training}/{system}": found["sari"]
        for training, systems in corpus.test_sets[test_set].items()
        for system, found in systems.items()
        if "sari" in found
    }


def paper_saris(published: Published, kind: str, paper_set: str | None) -> Saris:
    """As printed, under our names."""
    trainings = {column: which for which, column in CORPUS_COLUMNS[kind].items()} | {"none": "none"}
    systems = {label: system for system, label in SIMPLIFIERS.items()}
    found = {}
    for (training, label), row in published.simplification(kind, paper_set).items():
        if training in trainings and row["sari"]:
            name = _INPUT if label == COMPLEX else f"{trainings[training]}/{systems.get(label, label)}"
            found[name] = float(row["sari"])
    return found


def _contests(saris: Saris) -> dict[str, tuple[Side, Side]]:
    """The claims that these numbers allow, by their words."""
    claims = {}
    new, old = ({name: value for name, value in saris.items() if name.startswith(side)} for side in (_NEW, _OLD))
    if new and old:
        claims["SARI: best on new data > best on old data"] = (_best(new, _model), _best(old, _model))
    if (new or old) and _INPUT in saris:
        unchanged = ("input", _INPUT, saris[_INPUT])
        claims["SARI: best simplifier > unchanged input"] = (_best(new | old, _label), unchanged)
    bert = _NEW + _BERT
    others = {name: value for name, value in new.items() if name != bert}
    if bert in new and others:
        claims[f"SARI, new data: {_model(bert)} > best other"] = (("", bert, new[bert]), _best(others, _model))
    return claims


def _best(saris: Saris, label: Callable[[str], str]) -> Side:
    name, value = best_of(saris)
    return label(name), name, value


def _contest(sides: tuple[Side, Side]) -> Contest:
    return Contest(tuple((label, value) for label, _, value in sides))


def _tested(significance: Significance, sides: tuple[Side, Side]) -> tuple[Difference | None]:
    return (significance.difference("sari", sides[0][1], sides[1][1]),)


def _model(system: str) -> str:
    return simplifier_label(system.partition("/")[2])


def _label(system: str) -> str:
    return f"{_model(system)}, {_SIDES.get(system.partition('/')[0], '')}"
