"""What the rows, columns and tables of a spec are repeated over, by the names that specs give: systems, slices, ..."""

from collections.abc import Callable, Iterable
from typing import Any

from textsimp.core.errors import InputError
from textsimp.core.results import Estimate
from textsimp.metrics.sari import VARIANTS
from textsimp.reporting.inputs import AGREEMENT, LEADERBOARD, in_order
from textsimp.reporting.plan import GOLD_SUFFIX, CorpusPlan
from textsimp.reporting.table import MISSING
from textsimp.reporting.templates import Frame

Variables = dict[str, Any]
UNTRAINED = ("identity", "reference")
_LEAST_SLICES = 2
_FIRST_VARIANT = "sari"


def contexts(frame: Frame, per: str) -> list[Variables]:
    """The variables of each table that a spec asks for.

    Args:
        per: `corpus`, `annotated`, `simplified` or `paragraphs`, a table for each such corpus; `test_set` of each
            corpus; `board`, a test set of the leaderboard; `printed`, one whose printed cells are computed again;
            `agreement`, where metrics were compared with people; `default`, results of the aligners that travel with
            the package; `ratings`, a table of people's ratings; `thesis`, one of simplification by the quality of the
            alignment.
    """
    if not per:
        return [{}]
    run = frame.run
    chosen = {
        "corpus": run.plan.corpora,
        "annotated": run.annotated,
        "simplified": run.simplified,
        "test_set": run.simplified,
        "paragraphs": [corpus for corpus in run.plan.corpora if corpus.has_paragraphs],
    }
    if per == "agreement":
        return [{}] if AGREEMENT in run.plan.published else []
    if per == "board":
        return [_board(frame, name) for name in run.boards()]
    if per == "default":
        return [{"results": frame.name(name)} for name in run.plan.default_results]
    if per == "ratings":
        return [{"kind": frame.name("newsela"), "ratings": frame.name(name)} for name in run.plan.human_ratings]
    if per == "printed":
        return [tables for name in _printed(frame) for tables in _printed_tables(frame, name)]
    if per == "thesis":
        return [tables for corpus in run.plan.corpora if corpus.has_thesis for tables in _thesis(frame, corpus)]
    if per not in chosen:
        known = ["agreement", "board", "default", "printed", "ratings", "thesis", *chosen]
        raise InputError(f"report: per {per!r}: expected {', '.join(known)}")
    tables = []
    for corpus in chosen[per]:
        name = frame.holding({"kind": corpus.kind}).name
        sets = run.test_sets(corpus.name) if per in ("test_set", "simplified") else [""]
        for test_set in sets if per == "test_set" else sets[:1]:
            aligned = name(run.aligned(corpus.name))
            tables.append(
                {"kind": name(corpus.kind), "corpus": name(corpus.name), "test_set": name(test_set), "aligned": aligned}
            )
    return tables


def levels(frame: Frame) -> list[Any]:
    """How metrics were compared with people, per system and per sentence; neither where this was not done."""
    names = {"system": "per system", "sentence": "per sentence"} if AGREEMENT in frame.run.plan.published else {}
    return [frame.name(level, label=name) for level, name in names.items()]


def easse(frame: Frame) -> list[Any]:
    """What EASSE measures, by its names: the scores, or the comparisons with the source, as `part` says."""
    names = {
        "scores": {
            "sari": "SARI",
            "sari_add": "add",
            "sari_keep": "keep",
            "sari_del": "del",
            "bleu": "BLEU",
            "fkgl": "FKGL",
        },
        "comparisons": {
            "Compression ratio": "length",
            "Sentence splits": "sentences",
            "Levenshtein similarity": "similarity",
            "Exact copies": "copies",
            "Additions proportion": "added",
            "Deletions proportion": "deleted",
        },
    }
    return [frame.name(key, label=label) for key, label in names[str(frame.variables["part"])].items()]


def reference_runs(frame: Frame) -> list[Any]:
    """The scope of one reference that is scored against the others, as `scope`, with the number of those, `others`."""
    scope = f"people/{frame.scope_name}"
    others = frame.numbers.value(scope, "reference", "references")
    return [] if others is None else [{"scope": scope, "others": str(others)}]


def rated(frame: Frame) -> list[Any]:
    """The systems that people rated, with `model` and `training`, as the printed tables name them.

    A system is called `MODEL` or `TRAINING_SET/MODEL`, see docs/human-evaluation.md.
    """
    rows = []
    for system in frame.numbers.systems(frame.scope_name):
        training, _, model = system.rpartition("/")
        named = {"system": frame.name(system), "model": frame.name(model)}
        rows.append({**named, "training": frame.name(training or "none", said=training or MISSING)})
    return rows


def _thesis(frame: Frame, corpus: CorpusPlan) -> list[Variables]:
    name = frame.holding({"kind": corpus.kind}).name
    results = frame.run.results(f"thesis/{corpus.name}")
    simplifier = frame.run.labels.name(results.notes.get("simplifier", ""), "label")
    tables: list[Variables] = [
        {"kind": name(corpus.kind), "corpus": name(corpus.name), "test_set": name(scope), "simplifier": simplifier}
        for scope in results.scopes()
    ]
    for table in tables:
        scope = table["test_set"]
        has_one_seed = all(results.value(scope, system, "seeds") in (1, None) for system in results.systems(scope))
        table["finding"] = _finding(results.get(scope, "all", "per.f1"))
        table["alone"] = "One seed alone: no interval knows what another would give." if has_one_seed else ""
    return tables


def _finding(worth: Estimate | None) -> str:
    """What the SARI that better links are worth says, by its interval."""
    if worth is None or worth.low is None or worth.high is None or worth.low <= 0 <= worth.high:
        return "Whether better links make better simplifiers cannot be told from these runs"
    return f"Better links make {'better' if worth.value > 0 else 'worse'} simplifiers here"


def _printed(frame: Frame) -> list[str]:
    """The experiments that compute a printed table again."""
    return [name for name in frame.run.plan.published if name not in (LEADERBOARD, AGREEMENT)]


def _printed_tables(frame: Frame, experiment: str) -> list[Variables]:
    results = frame.run.results(f"published/{experiment}")
    name = frame.holding({"kind": (kind := results.notes["kind"])}).name
    alone = "Its complex sentences and references are not released: FK and Len, of the outputs alone."
    return [
        {
            "experiment": name(experiment),
            "kind": name(kind),
            "test_set": name(scope),
            "alone": "" if UNTRAINED[0] in results.systems(scope) else alone,
        }
        for scope in results.scopes()
    ]


def missing(frame: Frame) -> Iterable[tuple[str, str, str]]:
    """Yield the name of each printed table whose outputs are not here, what is missing and how to get it."""
    for experiment in _printed(frame):
        notes = frame.run.results(f"published/{experiment}").notes
        if "missing" in notes:
            yield frame.run.labels.name(notes["kind"], "table", notes["kind"]), notes["missing"], notes["how"]


def _board(frame: Frame, name: str) -> Variables:
    results = frame.run.results(f"published/{LEADERBOARD}")
    title = str(frame.run.plan.boards.get(name, {}).get("title", name))
    return {"board": frame.name(name, title=title), "form": frame.name(results.notes.get(f"form.{name}", ""))}


def expanded(frame: Frame, each: dict[str, Any]) -> list[Variables]:
    """Every combination of the values of `each`, in order; a lister may see the variables before it."""
    rows: list[Variables] = [{}]
    for variable, values in each.items():
        rows = [{**row, **item} for row in rows for item in _values(frame.holding(row), variable, values)]
    return rows


def _values(frame: Frame, variable: str, values: Any) -> list[Variables]:
    if isinstance(values, dict):
        return [{variable: frame.name(str(value), label=str(label))} for value, label in values.items()]
    if isinstance(values, list):
        return [{variable: frame.name(str(value))} for value in values]
    lister, *arguments = str(values).split()
    if lister not in LISTERS:
        raise InputError(f"report: lister {lister!r}: expected one of {', '.join(sorted(LISTERS))}")
    return [{variable: item} if isinstance(item, str) else item for item in LISTERS[lister](frame, *arguments)]


def fair(frame: Frame) -> list[Any]:
    """The alignment systems that see no gold paragraphs, those of a family together."""
    gold = frame.numbers.notes.get("gold_paragraphs", "").split()
    names = in_order(frame.run.plan.alignment_systems, frame.numbers.systems(frame.scope_name))
    families: dict[str, list[str]] = {}
    for system in names:
        if system not in gold and "." not in system:
            families.setdefault(frame.run.labels.name(system, "family"), []).append(system)
    return [{"system": frame.name(system)} for systems in families.values() for system in systems]


def beside(frame: Frame, column: str) -> list[Any]:
    """The systems for which the published table prints a number in a column."""
    return [row for row in fair(frame) if frame.holding(row).printed_cell(column)]


def with_gold(frame: Frame) -> list[Any]:
    """The systems that are given the gold paragraphs, as `gold`, and as `system` those that find their own."""
    evaluated = frame.numbers.systems(frame.scope_name)
    gold = [name for name in frame.numbers.notes.get("gold_paragraphs", "").split() if name in evaluated]
    planned = [name + end for name in frame.run.plan.alignment_systems for end in ("", GOLD_SUFFIX)]
    pairs = []
    for name in in_order(planned, gold):
        without = frame.run.labels.name(name, "own") or name.removesuffix(GOLD_SUFFIX)
        pairs.append({"system": frame.name(without if without in evaluated else name), "gold": frame.name(name)})
    return pairs


def unmatched(frame: Frame) -> list[Any]:
    """The systems of the published table that we have not."""
    labels, names = frame.run.labels, frame.variables.get("kind", "")
    evaluated = frame.numbers.systems(frame.scope_name)
    ours = {labels.name(name, "jiang2020", names) for name in evaluated if "." not in name}
    printed = dict.fromkeys(row["system"] for row in frame.printed_rows() if row["system"] not in ours)
    family = "In the paper only"
    return [{"system": frame.name(name, label=name, jiang2020=name, family=family)} for name in printed]


def simplifiers(frame: Frame, *which: str) -> list[Any]:
    """Systems of simplification; those that are trained by training set, old data first, as in the paper's tables.

    Args:
        which: `identity`, `reference`, `trained`, or a training set such as `new`.
    """
    evaluated = frame.numbers.systems(frame.scope_name)
    models = dict.fromkeys(
        (*frame.run.plan.simplifiers, *(name.rpartition(".")[0] for name in evaluated if "." in name))
    )
    trained = [name for model in models for name in evaluated if name.rpartition(".")[0] == model]
    trained.sort(key=lambda name: (not name.endswith(".old"), name.rpartition(".")[2]))
    return [
        simplifier(frame, name)
        for wanted in which
        for name in (*trained, *UNTRAINED)
        if name in evaluated and (wanted in (name, name.rpartition(".")[2]) or wanted == "trained" and name in trained)
    ]


def simplifier(frame: Frame, system: str) -> Variables:
    """The variables of one system: its name, its model, and what it was trained on."""
    model, _, training = system.rpartition(".")
    names = {"system": system, "model": model or system, "training": training if model else "none"}
    return {variable: frame.name(name) for variable, name in names.items()}


def models(frame: Frame) -> list[Any]:
    """The models that were trained on new and on old data, as `new` and `old`; a row for each set of old data."""
    old = [row for row in simplifiers(frame, "trained") if row["training"].startswith("old")]
    return [
        {**row, "new": new["system"], "old": row["system"]}
        for new in simplifiers(frame, "new")
        for row in old
        if row["model"] == new["model"]
    ]


def slices(frame: Frame, key: str, *only: str) -> list[Any]:
    """The slices of the scope by a key such as `length`, with `count`, their number of sentences.

    Args:
        only: the slices that are wanted, if not all; then none where the scope has but one slice.
    """
    prefix = f"{frame.scope_name}/{key}="
    names = [name for name in frame.numbers.scopes(frame.scope_name) if name.startswith(prefix)]
    if only and len(names) < _LEAST_SLICES:
        return []
    return [
        {
            "slice": frame.name(name, label=_range(name.removeprefix(prefix))),
            "count": int(frame.numbers.value(name, "reference", "sentences") or 0),
        }
        for name in names
        if not only or "several" in only or name.removeprefix(prefix) in only
    ]


def _range(text: str) -> str:
    """Such as `up to 10`, `11 to 15`, `31 and more`; other texts as they are."""
    low, dash, high = text.partition("-")
    if not dash or not low.isdigit() or not (high.isdigit() or not high):
        return text
    if not high:
        return f"{low} and more"
    return f"{low} to {high}" if low != "0" else f"up to {high}"


def statistics(frame: Frame) -> list[Any]:
    """The measures of the scope, those of the published table first."""
    printed = (row["statistic"] for row in frame.printed_rows() if "statistic" in row)
    ours = (cell.measure for cell in frame.numbers.estimates if cell.scope == frame.scope_name)
    return [frame.name(name) for name in dict.fromkeys([*printed, *ours])]


def systems(frame: Frame, *without: str) -> list[Any]:
    """The systems of the scope."""
    return [frame.name(name) for name in frame.numbers.systems(frame.scope_name) if name not in without]


def listed(frame: Frame, names: str) -> list[Any]:
    """The keys of a list of names, with these names."""
    return [frame.name(key, label=name) for key, name in frame.run.labels.names[names].items()]


def printed(frame: Frame, column: str) -> list[Any]:
    """The values of a column of the published table."""
    return [frame.name(value, label=value) for value in dict.fromkeys(row[column] for row in frame.printed_rows())]


def printed_rows(frame: Frame, column: str) -> list[Any]:
    """The rows of the published table, as `printed`; the value of one column as a variable of its name."""
    return [{"printed": row, column: frame.name(row[column])} for row in frame.printed_rows()]


def called(frame: Frame, names: str, variable: str) -> list[Any]:
    """Our alignment system whose name in a list is the value of a variable; an empty one where there is none."""
    wanted = str(frame.variables[variable])
    labels = frame.run.labels
    ours = (system for system in labels.alignment_systems if labels.name(system, names) == wanted)
    return [frame.name(next(ours, ""))]


def test_sets(frame: Frame) -> list[Any]:
    """The test sets of the corpus, the main one first."""
    return [frame.name(name) for name in frame.run.test_sets(str(frame.variables["corpus"]))]


def compared(frame: Frame) -> list[Any]:
    """The variants of SARI, in which all released outputs are compared."""
    return [frame.name(name) for name in VARIANTS]


def scopes(frame: Frame) -> list[Any]:
    """The scopes of the results that are no slices."""
    return [frame.name(scope) for scope in frame.numbers.scopes()]


def released(frame: Frame, *paper: str) -> list[Any]:
    """The released outputs of a test set, or those released with one paper, the best by the paper's SARI first."""
    results, scope = frame.numbers, frame.scope_name
    scores = ((results.value(scope, name, _FIRST_VARIANT), name) for name in results.systems(scope))
    ranked = sorted((-score, name) for score, name in scores if score is not None)
    rows = [released_system(frame, name) for _, name in ranked]
    return [row for row in rows if not paper or row["released_with"] == " ".join(paper)]


def released_models(frame: Frame, *paper: str) -> list[Any]:
    """The models of which outputs were released after training on Wiki-Auto (`new`) and on WikiLarge (`old`)."""
    rows = released(frame, *paper)
    by_model = {(row["model"], format(row["training"], "column")): row["system"] for row in rows}
    return [
        {"model": model, "new": system, "old": by_model[model, "wikilarge"]}
        for (model, training), system in sorted(by_model.items())
        if training == "wiki_auto" and (model, "wikilarge") in by_model
    ]


def lexical(frame: Frame) -> list[Any]:
    """The alignment systems that compare words or letters, without vectors or training on more than a few features."""
    return [row for row in fair(frame) if frame.run.labels.alignment_systems.get(row["system"], {}).get("lexical")]


def released_system(frame: Frame, system: str) -> Variables:
    """The variables of a released output; one that params.yaml does not name is the user's own."""
    row = frame.run.plan.released.get(system, {})
    known = {name: str(row.get(name) or "") for name in ("name", "paper", "released_with", "trained_on")}
    unnamed = frame.run.labels.name(system, "label") if system in UNTRAINED else f"{system} (yours)"
    name = known["name"] or unnamed
    shared = sum(item.get("name") == name for item in frame.run.plan.released.values()) > 1
    origin = known["trained_on"] or known["paper"]
    sources = dict.fromkeys((known["paper"], known["released_with"]))
    return {
        "system": frame.name(system, label=f"{name} ({origin})" if shared and origin else name),
        "model": frame.name(name),
        "training": frame.name(known["trained_on"]),
        "published": " / ".join(sources),
        "released_with": known["released_with"],
    }


_LISTERS: tuple[Callable[..., Iterable[Any]], ...] = (
    fair, beside, lexical, with_gold, unmatched, simplifiers, models, slices, statistics, systems, listed, printed,
    printed_rows, called, rated, levels, easse, reference_runs, test_sets, compared, scopes, released, released_models,
)  # fmt: skip
LISTERS: dict[str, Callable[..., Iterable[Any]]] = {
    "corpora": contexts, **{function.__name__: function for function in _LISTERS}
}  # fmt: skip
"""By the first word of `each` in a spec."""
