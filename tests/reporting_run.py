"""An invented run for the tests of the report: what the stages before it write, by the class that reads it."""

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any

from textsimp.core.params import select
from textsimp.core.results import Comparison, Contrast, Estimate, Results
from textsimp.core.writing import write_lines
from textsimp.evaluation.released import read_table
from textsimp.metrics.rewriting.kinds import CLASSES, GROUPS
from textsimp.metrics.sari import VARIANTS
from textsimp.reporting.inputs import Folders, Run
from textsimp.reporting.plan import load_plan
from textsimp.reporting.report import ReportFiles, write_report

ROOT = Path(__file__).resolve().parent.parent
SYSTEMS = [
    "jaccard", "tfidf", "massalign", "cats_c3g", "cats_c3g_2s", "hmm", "wmd", "bertscore", "bert_finetune",
    "bert_finetune_paraalign", "neural_crf_paper", "neural_crf_one_chain", "neural_crf_precise",
    "neural_crf_paper_emission", "neural_crf", "neural_crf_gold_paraalign",
]  # fmt: skip
TWO_STEP = ["massalign", "cats_c3g_2s"]
COMPARED = ("neural_crf", "neural_crf_paper", "bert_finetune")
LEVEL_GAPS = {"sample_news": (1, 2, 3, 4), "sample_wiki": (1,)}
SIMPLIFIERS = ["transformer_bert", "transformer_rand", "lstm", "editnts"]
TRAINING_SETS = ["auto", "old"]
TRAINED = [f"{model}.{training}" for training in ("new", "old") for model in SIMPLIFIERS]
KINDS = {"sample_news": "newsela", "sample_wiki": "wiki"}
TEST_SETS = {"sample_news": {"auto": 1, "old": 1}, "sample_wiki": {"multi_reference": 4}}
PARTS = ("precision", "recall", "f1")
CARD = "# Data card\n\n**Licence.** CC BY <script>alert('card')</script>\n\n| a |\n|---|\n| [x](http://e.org) |\n"
HOSTILE = "<script>alert('x')</script> & \"quoted\" | pipe `tick` {{ 7 * 7 }}"
WORDS = "the river town council voted on a plan to move old boats from its harbour before winter storms".split()
SIGNATURES = {
    "sari": "SARI|level:sentence|del:precision|tok:none|case:lc|nrefs:1|version:1",
    "sari_corpus": "SARI|level:corpus|del:f1|tok:13a|case:lc|nrefs:1|version:1",
    "bleu": "BLEU|tok:13a|case:lc|nrefs:1|version:1",
    "fk": "FK|words:nltk|version:1",
    "len": "LEN|words:nltk|version:1",
}


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def labels() -> dict[str, object]:
    """The project's own names of alignment systems."""
    return {"alignment_systems": select("labels.alignment_systems", ROOT / "params.yaml")}


def params(
    corpora: Sequence[str],
    published: Sequence[str] = (),
    origin: str = "sample",
    show: bool = False,
    paragraphs: Sequence[str] = (),
) -> str:
    """A params.yaml with what the report reads."""
    manual = {"train": 1, "dev": 1, "test": 1, "seed": 1} if origin == "sample" else None
    source = {"origin": origin, "language": "en", "releases": [], "annotation": "newsela_manual"}
    source |= {"articles": "newsela", "manual": manual, "link_rule": None, "generator": None}
    tree: dict[str, object] = {"experiment": "test", "alignment_systems": SYSTEMS, "published": published}
    tree |= dict.fromkeys(("corpora", "annotated_corpora", "simplification_corpora"), corpora)
    tree |= dict.fromkeys(("trained_systems", "human_ratings", "training_sets", "simplifiers", "default_results"), [])
    if corpora:
        tree |= {"training_sets": TRAINING_SETS, "simplifiers": SIMPLIFIERS, "default_results": ["default"]}
    tree |= dict.fromkeys(("aligner", "aligner_variant", "encoder_corpora"), {})
    tree |= {"paragraph_corpora": paragraphs, "labels": labels()}
    tree["corpus"] = {name: {"source": {"name": name, **source}, "printed_beside": KINDS[name]} for name in corpora}
    tree["report"] = {"browser_pairs": 100, "output_sentences_browsed": 6, "show_licensed_text": show}
    return json.dumps(tree)


def run_of(root: Path) -> Run:
    """The run whose params.yaml is in a folder."""
    return Run(load_plan(root / "params.yaml"), folders(root))


def report_of(root: Path) -> ReportFiles:
    """The report of the run in a folder."""
    files = report_files(root / "report")
    write_report(load_plan(root / "params.yaml"), folders(root), files)
    return files


def write_whole_run(root: Path, corpora: Sequence[str] = tuple(KINDS), **others: Any) -> Path:
    """A run that trained everything, beside Newsela and beside Wikipedia; returns its folder."""
    write_run(root, corpora)
    write(root / "params.yaml", params(corpora, **others))
    return root


def folders(root: Path) -> Folders:
    return Folders(root / "reports", ROOT / "data" / "published", root / "data" / "corpora", root / "data" / "outputs")


def report_files(folder: Path) -> ReportFiles:
    return ReportFiles(*(folder / name for name in ("results.md", "index.html", "results.json")))


def write_run(root: Path, corpora: Iterable[str]) -> None:
    """The files of a run that trained everything."""
    reports = root / "reports"
    default_aligners().write(reports / "alignment" / "default.json")
    for name in corpora:
        draw = random.Random(name)
        alignment(name, draw).write(reports / "alignment" / f"{name}.json")
        write_lines(reports / "examples" / f"alignment.{name}.jsonl", map(json.dumps, example_rows(name, draw)))
        statistics(draw).write(reports / "corpora" / f"{name}.json")
        write(root / "data" / "corpora" / name / "CARD.md", CARD)
        simplification(name, draw).write(reports / "simplification" / f"{name}.json")
        audit(draw).write(reports / "audit" / f"{name}.json")
        paragraphs(draw).write(reports / "paragraphs" / f"{name}.json")
        analysis(name, draw).write(reports / "analysis" / f"{name}.json")
        for test_set, references in TEST_SETS[name].items():
            write_test_set(root, name, test_set, references, draw)


def of(what: str, numbers: Mapping[str, Estimate | float]) -> dict[str, Estimate | float]:
    """The numbers as parts of a measure or as those of a task."""
    return {f"{what}.{part}": number for part, number in numbers.items()}


def around(value: float, reach: float = 2.0) -> Estimate:
    return Estimate(value, value - reach, value + reach)


def gap(difference: float, reach: float = 3.0) -> Comparison:
    return Comparison(difference, difference - reach, difference + reach, 0.01, 0.01)


def alignment(name: str, draw: random.Random) -> Results:
    """Each system is better than the one before it; those with gold paragraphs are the best of all."""
    results = Results()
    gold = [f"{system}_gold_paragraphs" for system in TWO_STEP]
    results.notes = {"word_vectors": "invented vectors", "gold_paragraphs": " ".join([*gold, SYSTEMS[-1]])}
    for split in ("dev", "test"):
        for rank, system in enumerate([*SYSTEMS, *gold]):
            results.put(split, system, of("task1", scores(rank, draw)) | of("task2", scores(rank - 2, draw)))
            found_by_kind(results, split, system, LEVEL_GAPS[name])
        shares = {"one_complex": 0.9, "one_simple": 0.85, "one_to_one": 0.8, "either": 0.95}
        for (kind, share), (task, links) in product(shares.items(), (("task1", 200), ("task2", 120))):
            values = {"gold": links, "links": round(links * share), "recall": 100 * share}
            results.put(split, f"ceiling.{kind}", of(task, values | {"f1": 200 * share / (1 + share)}))
    compare_all(results)
    return results


def default_aligners() -> Results:
    """The aligners of the package on two gold sets."""
    results = Results()
    for place, scope in enumerate(("news test", "German")):
        results.put(scope, "reference", {"document_pairs": 12 + place})
        for system, task in product(("frozen_crf", "frozen_crf_words"), ("task1", "task2")):
            values = dict.fromkeys(("precision", "recall", "f1", "calibration_error"), around(80.0 + place))
            results.put(scope, system, of(task, values))
    return results


def scores(place: int, draw: random.Random) -> dict[str, Estimate | float]:
    precision, recall = 60 + 2 * place + draw.random(), 55 + 2.2 * place + draw.random()
    f1 = 2 * precision * recall / (precision + recall)
    values = {"precision": around(precision), "recall": around(recall), "f1": around(f1), "max_f1": f1 + 1}
    return values if place == 3 else values | {"area": f1 + 2}


def found_by_kind(results: Results, split: str, system: str, gaps: Iterable[int]) -> None:
    """What a system finds by kind of link: numbers that follow from its scores."""
    recall, f1 = (results.value(split, system, f"task1.{measure}") or 0.0 for measure in ("recall", "f1"))
    kinds = {"link_type=1-1": 50, "link_type=1-n": 50, "link_type=n-1": 50, "link_type=n-m": 0}
    kinds |= {f"word_overlap={k / 5}-{(k + 1) / 5}": 0 if k == 4 else 40 for k in range(5)}
    kinds |= {f"level_gap={gap}": 40 for gap in gaps}
    for place, (kind, links) in enumerate(kinds.items()):
        values = {"gold": links, "recall": recall - place, "f1": f1 - place, "precision": 80.0 + place}
        results.put(f"{split}/{kind}", system, of("task1", values))
    results.put(f"{split}/with_identical", system, {"task1.f1": f1 + 1, "task2.f1": f1 + 1})
    results.put(split, system, of("unaligned", {"gold": 60, "precision": 70.0, "recall": 71.0, "f1": f1 - 9}))


def compare_all(results: Results) -> None:
    """The differences of all systems to those of `COMPARED`, as their scores have them."""
    results.comparisons.clear()
    for (cell, estimate), base in product(results.estimates.items(), COMPARED):
        is_f1 = "/" not in cell.scope and cell.measure.endswith(".f1") and not cell.system.startswith("ceiling")
        other = results.value(cell.scope, base, cell.measure)
        if is_f1 and base != cell.system and other is not None:
            contrast = Contrast(cell.scope, cell.measure, cell.system, base)
            results.comparisons[contrast] = gap(estimate.value - other, 1.0)


def statistics(draw: random.Random) -> Results:
    found = {
        "statistics": {
            "original articles": draw.randrange(10, 60),
            "sentence pairs": draw.randrange(1000, 9000),
            "average length of simple sentence": 13 + draw.random(),
            "deletion (1-to-0)": draw.randrange(100, 900),
        },
        "seq2seq": {"article pairs": 70, "train pairs": 1234, "dev pairs": 99, "test pairs": 120},
        "filters": {"levels": draw.randrange(99), "identical": draw.randrange(99), "leak": 0},
        "leaks": {"dev": draw.randrange(9), "test": draw.randrange(9)},
    }
    results = Results()
    results.put("statistics", "manual", found["statistics"])
    for (scope, numbers), system in product(found.items(), TRAINING_SETS):
        results.put(scope, system, numbers)
    return results


def simplification(name: str, draw: random.Random) -> Results:
    """New data are three points above old data; every system is compared with every other one."""
    results = Results(signatures=SIGNATURES)
    for test_set in TEST_SETS[name]:
        results.put(test_set, "reference", {"fk": 6.5, "len": 13.0})
        saris = {"identity": 12.0} | {name: 30 + 3 * name.endswith(".new") + draw.random() for name in TRAINED}
        for system, sari in saris.items():
            parts = {"sari": sari, "sari.add": sari / 10, "sari.keep": sari - 4, "sari.del": 2 * sari}
            others = {"sari_corpus": sari + 2, "fk": 7.25, "len": 14.04, "bleu": 20 + sari}
            results.put(test_set, system, {measure: around(value) for measure, value in {**parts, **others}.items()})
        for system, base in combinations(sorted(saris), 2):
            results.comparisons[Contrast(test_set, "sari", system, base)] = gap(saris[system] - saris[base], 0.5)
    return results


def audit(draw: random.Random) -> Results:
    results = Results()
    results.put("articles", "reference", {"document_pairs": 12})
    for system, task in product(TRAINING_SETS, ("task1", "task2")):
        results.put("articles", system, {f"{task}.{part}": around(70 + 20 * draw.random()) for part in PARTS})
        results.comparisons[Contrast("articles", f"{task}.f1", "old", "auto")] = gap(-9.0)
    return results


def paragraphs(draw: random.Random) -> Results:
    results = Results(notes={"trained": "newsela"})
    for scope in ("original", "merged"):
        for system in ("trained", "massalign"):
            results.put(scope, system, {part: around(50 + 40 * draw.random()) for part in PARTS})
        results.comparisons[Contrast(scope, "f1", "massalign", "trained")] = gap(-4.0)
    return results


def analysis(name: str, draw: random.Random) -> Results:
    results = Results(signatures={"rewriting": "rewriting|version:1", **SIGNATURES}, notes={"min_sentences": "10"})
    for scope, systems in {"documents": ["manual", *TRAINING_SETS], "pairs": TRAINING_SETS}.items():
        for system in systems:
            put_parts(results, scope, system, draw)
            results.put(scope, system, {"units": 900, "available": 2500})
        compare_parts(results, scope, "auto", "old")
    operations = ("skip simple", "one normal to one simple", "other")
    results.put("documents", "manual", of("sentence_operations", dict.fromkeys(operations, 30.0)))
    for half in ("test", "drawn-test"):
        results.put(f"labelled.{half}", "classifier", {"accuracy": 0.88, "kappa": 0.81, "units": 84})
    for test_set, references in TEST_SETS[name].items():
        results.put(test_set, "reference", {"sentences": 40, "references": references})
        for system in ["reference", "identity", *TRAINED]:
            put_parts(results, test_set, system, draw)
        for model in SIMPLIFIERS:
            compare_parts(results, test_set, f"{model}.new", f"{model}.old")
        put_slices(results, test_set, draw)
    return results


def put_parts(results: Results, scope: str, system: str, draw: random.Random) -> None:
    names = [*(f"classes.{name}" for name in CLASSES), *(f"groups.{name}" for name in GROUPS)]
    names += ["word_operations.rewordings", "edit_rates.kept"]
    results.put(scope, system, {name: around(10 + 10 * draw.random()) for name in names})


def compare_parts(results: Results, scope: str, system: str, base: str) -> None:
    others = results.measures(scope, base)
    for measure, estimate in results.measures(scope, system).items():
        if measure.startswith(("classes", "groups")):
            found = estimate.value - others[measure].value
            results.comparisons[Contrast(scope, measure, system, base)] = Comparison(found, found - 1, found + 1, 0.01)


def put_slices(results: Results, test_set: str, draw: random.Random) -> None:
    """Two lengths, the second of too few sentences for intervals."""
    for key, sentences in {"length=0-10": 30, "length=11-": 5}.items():
        scope = f"{test_set}/{key}"
        results.put(scope, "reference", {"sentences": sentences})
        for system in ["identity", *TRAINED]:
            value = 30 + draw.random()
            results.put(scope, system, {"sari": around(value) if sentences >= 10 else value})
        for model in SIMPLIFIERS:
            results.comparisons[Contrast(scope, "sari", f"{model}.new", f"{model}.old")] = gap(1.5, 0.5)


def write_test_set(root: Path, name: str, test_set: str, references: int, draw: random.Random) -> None:
    complex_, others = sentences_and_references(references, draw)
    tests = root / "data" / "corpora" / name / "test"
    write_lines(tests / f"{test_set}.complex", complex_)
    for number, lines in enumerate(others):
        write_lines(tests / f"{test_set}.reference.{number}", lines)
    for training, system in product(TRAINING_SETS, SIMPLIFIERS):
        output = root / "data" / "outputs" / name / training / system / f"{test_set}.txt"
        write_lines(output, simplified(complex_, draw))


def write_published(root: Path) -> None:
    """reports/published/jiang2020.json: as printed but for the FK of the input, which is 13.36."""
    results = Results(signatures=SIGNATURES, notes={"kind": "wiki"})
    for row in read_table(ROOT / "data" / "published" / "simplification_turk.csv"):
        for measure, cell in row.cells.items():
            ours = 13.36 if (row.system, measure) == ("identity", "fk") else float(cell) + 0.02
            results.put("turk", row.system, {measure: ours})
    results.put("turk", "table", {"sentences": 359, "printed": 56, "compared": 56, "equal": 55})
    results.write(root / "reports" / "published" / "jiang2020.json")


PAPER = "Jiang et al. 2020"
RELEASED = {
    "transformer_bert.new_train": ("Transformer_bert", PAPER, "Wiki-Auto", 40.0),
    "transformer_bert.old_train": ("Transformer_bert", PAPER, "WikiLarge", 37.0),
    "lstm.new_train": ("LSTM", PAPER, "Wiki-Auto", 33.0),
    "lstm.old_train": ("LSTM", PAPER, "WikiLarge", 34.0),
    "access": ("ACCESS", "Martin et al. 2020", "", 39.0),
}


def add_board(results: Results, name: str) -> None:
    """Systems a point or more apart; the corpus's SARI has `access` below all others."""
    results.notes[f"form.{name}"] = "released"
    results.signatures |= {f"{metric}@{name}": f"{metric.upper()}|nrefs:8" for metric in (*VARIANTS, "bleu")}
    results.put(name, "reference", {"sentences": 359, "references": 8})
    saris = {key: row[3] for key, row in RELEASED.items()} | {"identity": 26.0, "mine": 38.0}
    for key, sari in saris.items():
        scores = {name: 20.0 if "corpus" in name and key == "access" else sari for name in VARIANTS}
        scores |= {"bleu": 100 - sari, "fk": 9.0}
        results.put(name, key, {measure: around(value, 0.5) for measure, value in scores.items()})
        results.put(name, key, {"sari.rank": Estimate(1 + sum(s > sari for s in saris.values()), 1, 7)})
    for key in (*saris, "reference"):
        shares = {f"classes.{kind}": Estimate(10.0 + place, 9.0, 18.0) for place, kind in enumerate(CLASSES)}
        results.put(name, key, shares)
    for metric, (system, base) in product(VARIANTS, combinations(saris, 2)):
        difference = (results.value(name, system, metric) or 0) - (results.value(name, base, metric) or 0)
        p = 0.001 if abs(difference) > 1.5 else 0.4
        comparison = Comparison(difference, difference - 1, difference + 1, p, p, p)
        results.comparisons[Contrast(name, metric, system, base)] = comparison


def write_leaderboard(root: Path, published: Iterable[str] = ("jiang2020", "leaderboard")) -> None:
    """reports/published/leaderboard.json of TURK and ASSET, and a params.yaml that names the systems."""
    both = Results(notes={"alpha": "0.05"})
    for name in ("asset", "turk"):
        add_board(both, name)
    both.put("people/asset", "reference", {**dict.fromkeys(VARIANTS, 35.5), "bleu": 71.0, "references": 7})
    for scope, value in (("easse/ours", 40.1234), ("easse/printed", 40.1)):
        both.put(scope, "access", {"sari": value})
    both.notes["parity"] = "0 of 1; the largest difference is 0.02340"
    both.write(root / "reports" / "published" / "leaderboard.json")
    rows = {
        key: {"name": name, "paper": paper, "released_with": paper, "trained_on": trained or None}
        for key, (name, paper, trained, _) in RELEASED.items()
    }
    sets = {"turk": {"title": "TURK"}, "asset": {"title": "ASSET"}}
    tree = json.loads(params([], list(published)))
    write(root / "params.yaml", json.dumps({**tree, "leaderboard": {"systems": rows, "test_sets": sets}}))


def sentence(draw: random.Random, length: int) -> str:
    return " ".join(draw.choices(WORDS, k=length)).capitalize() + "."


def example_rows(name: str, draw: random.Random) -> list[dict[str, object]]:
    rows = []
    gold = [[0, 0, "aligned"], [1, 1, "aligned"], [2, 1, "partial"], [3, 4, "partial"]]
    predicted = [[0, 0, "aligned"], [1, 1, "partial"], [2, 1, "partial"], [5, 6, "aligned"]]
    for group in range(3):
        sides = {"complex": [sentence(draw, 14) for _ in range(7)], "simple": [sentence(draw, 8) for _ in range(6)]}
        sides["complex"][1], sides["simple"][1] = HOSTILE, "A hostile line."
        row: dict[str, object] = {"id": f"{name}-{group}", "corpus": name, "group": f"set-{group}", "alignments": gold}
        for level, (side, lines) in enumerate(sides.items()):
            row[side] = {"id": f"{name}-{group}-{level}", "level": level, "paragraphs": [lines[:3], lines[3:]]}
        rows.append(row | {"predicted": {"neural_crf": predicted, "jaccard": predicted[: 2 * group]}})
    return rows


def sentences_and_references(references: int, draw: random.Random) -> tuple[list[str], list[list[str]]]:
    """Nine complex sentences and their references."""
    complex_ = [sentence(draw, 16) for _ in range(9)]
    complex_[1] = HOSTILE
    return complex_, [[sentence(draw, 10) for _ in complex_] for _ in range(references)]


def simplified(complex_: list[str], draw: random.Random) -> list[str]:
    """What a simplifier might make of them; one output is empty."""
    outputs = [line if draw.random() < 0.3 else sentence(draw, 11) for line in complex_]
    outputs[1] = HOSTILE + " </mark>"
    outputs[4] = ""
    return outputs
