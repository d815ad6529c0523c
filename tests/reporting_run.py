"""An invented run for the tests of the report: every file that the stages before it write, made by code."""

import json
import random
from collections.abc import Iterable
from pathlib import Path

from reporting_analysis import write_analysis
from reporting_audit import write_audit
from reporting_significance import P_VALUES, significance
from reporting_texts import example_rows, sentences_and_references, simplified

from textsimp.reporting.inputs import Folders
from textsimp.reporting.report import ReportFiles

ROOT = Path(__file__).resolve().parent.parent
SYSTEMS = {
    "jaccard": "Jaccard",
    "tfidf": "TF-IDF",
    "massalign": "MASSAlign",
    "cats_c3g": "CATS C3G",
    "cats_c3g_2s": "CATS C3G-2s",
    "hmm": "HMM",
    "wmd": "Word Mover's Distance",
    "bertscore": "BERTScore",
    "bert_finetune": "BERT finetune",
    "bert_finetune_paraalign": "BERT finetune + ParaAlign",
    "neural_crf_viterbi": "Neural CRF aligner, Viterbi",
    "neural_crf_one_chain": "Neural CRF aligner, one chain",
    "neural_crf_precise": "Neural CRF aligner, as precise as one chain",
    "neural_crf_paper_emission": "Neural CRF aligner, encoder emission",
    "neural_crf": "Neural CRF aligner",
    "neural_crf_gold_paraalign": "Neural CRF aligner + gold ParaAlign",
}
TWO_STEP = ["massalign", "cats_c3g_2s"]
LEVEL_GAPS = {"sample_news": (1, 2, 3, 4), "sample_wiki": (1,)}
SIMPLIFIERS = ["transformer_bert", "transformer_rand", "lstm", "editnts"]
TRAINING_SETS = ["auto", "old"]
KINDS = {"sample_news": "newsela", "sample_wiki": "wiki"}
TEST_SETS = {"sample_news": {"auto": 1, "old": 1}, "sample_wiki": {"multi_reference": 4}}
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


def write_json(path: Path, value: object, sort_keys: bool = False) -> None:
    write(path, json.dumps(value, sort_keys=sort_keys))


def write_lines(path: Path, lines: Iterable[str]) -> None:
    write(path, "".join(line + "\n" for line in lines))


def params(
    corpora: list[str],
    published: list[str],
    origin: str = "sample",
    show: bool = False,
    paragraphs: list[str] | None = None,
) -> str:
    """A params.yaml with what the report reads."""
    sources = {
        name: {
            "source": {
                "name": name,
                "kind": KINDS[name],
                "origin": origin,
                "language": "en",
                "releases": [],
                "annotation": "newsela_manual",
                "articles": "newsela",
                "manual": {"train": 1, "dev": 1, "test": 1, "seed": 1} if origin == "sample" else None,
                "link_rule": None,
            },
            "align": {"encoder": "shared"},
        }
        for name in corpora
    }
    shown = {
        "example_pairs": 2,
        "example_sentences": 12,
        "browser_pairs": 100,
        "output_sentences": 3,
        "output_sentences_browsed": 6,
        "show_licensed_text": show,
    }
    return json.dumps(  # JSON is YAML
        {
            "experiment": "test",
            "corpora": corpora,
            "annotated_corpora": corpora,
            "simplification_corpora": corpora,
            "paragraph_corpora": paragraphs or [],
            "training_sets": TRAINING_SETS,
            "simplifiers": SIMPLIFIERS,
            "alignment_systems": list(SYSTEMS),
            "published": published,
            "corpus": sources,
            "report": shown,
        }
    )


def folders(root: Path) -> Folders:
    return Folders(root / "reports", ROOT / "data" / "published", root / "data" / "corpora", root / "data" / "outputs")


def report_files(folder: Path) -> ReportFiles:
    return ReportFiles(*(folder / name for name in ("results.md", "index.html", "results.tex", "results.json")))


def write_run(root: Path, corpora: Iterable[str] = tuple(KINDS)) -> None:
    """The files of a run that trained everything."""
    for name in corpora:
        draw = random.Random(name)
        write_alignment(root / "reports", name, draw)
        write_statistics(root / "reports", name, draw)
        write_simplification(root, name, draw)
        write_audit(root / "reports", name, draw)
        write_analysis(root / "reports", name, TEST_SETS[name], TRAINING_SETS, SIMPLIFIERS, draw)
        write_training(root / "reports" / "training", name, draw)


def write_alignment(reports: Path, name: str, draw: random.Random) -> None:
    """Each system is better than the one before it; those with gold paragraphs are the best of all."""
    gold = {f"{system}_gold_paragraphs": f"{SYSTEMS[system]} + gold ParaAlign" for system in TWO_STEP}
    labels = SYSTEMS | gold
    metrics = {
        split: {
            system: {task: alignment_scores(place - lower, draw) for task, lower in (("task1", 0), ("task2", 2))}
            for place, system in enumerate(labels)
        }
        for split in ("dev", "test")
    }
    write_json(reports / "alignment" / f"{name}.json", metrics, sort_keys=True)
    details = {
        "labels": labels,
        "sources": dict.fromkeys(labels, "Jiang et al. 2020, Table 2"),
        "gold_paragraphs": [*gold, "neural_crf_gold_paraalign"],
        "word_vectors": "invented vectors",
        "compared_with": ["neural_crf", "bert_finetune"],
        "splits": {
            split: {
                "ceilings": {"task1": alignment_ceilings(200), "task2": alignment_ceilings(120)},
                "systems": {system: breakdown(system, found, LEVEL_GAPS[name]) for system in labels},
            }
            for split, found in metrics.items()
        },
    }
    write_json(reports / "alignment" / f"{name}.details.json", details, sort_keys=True)
    rows = ["system,split,task,threshold,precision,recall"]
    for place, system in enumerate(labels):
        for split in ("dev", "test"):
            for task in ("task1", "task2"):
                for step in range(1, 40):
                    precision = 100 - (step / 39) ** (2 + place) * 60
                    rows.append(f"{system},{split},{task},{1 - step / 40},{precision},{100 * step / 39}")
    write_lines(reports / "alignment" / f"{name}.pr.csv", rows)
    write_lines(reports / "examples" / f"alignment.{name}.jsonl", map(json.dumps, example_rows(name, draw)))


def alignment_scores(place: int, draw: random.Random) -> dict[str, float | None]:
    precision, recall = 60 + 2 * place + draw.random(), 55 + 2.2 * place + draw.random()
    f1 = 2 * precision * recall / (precision + recall)
    return {
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "max_f1": f1 + 1,
        "area": None if place == 3 else f1 + 2,
    }


def alignment_ceilings(gold: int) -> dict[str, object]:
    shares = {"one_complex": 0.9, "one_simple": 0.85, "one_to_one": 0.8, "either": 0.95}
    kinds = {k: {"links": round(gold * r), "recall": 100 * r, "f1": 200 * r / (1 + r)} for k, r in shares.items()}
    return {"gold": gold, **kinds}


def breakdown(system: str, found: dict[str, dict[str, dict[str, float]]], gaps: Iterable[int]) -> dict[str, object]:
    """What details.json says of a system: the numbers follow from its scores."""
    scores = {task: {m: found[system][task][m] for m in ("precision", "recall", "f1")} for task in ("task1", "task2")}
    counted = {task: {"gold": 40, "predicted": 38, **numbers} for task, numbers in scores.items()}
    none = {task: {"gold": 0, "predicted": 0, "precision": 0.0, "recall": 0.0, "f1": 0.0} for task in scores}
    recall, f1 = scores["task1"]["recall"], scores["task1"]["f1"]
    types = {"1-1": 0, "1-n": 5, "n-1": 20}
    kinds = {k: {"gold": 50, "recall": recall - less, "predicted": 49, "precision": 80.0} for k, less in types.items()}
    far = {
        other: {t: found[system][t]["f1"] - found[other][t]["f1"] for t in scores}
        for other in ("neural_crf", "bert_finetune")
        if other != system
    }
    return {
        "with_identical": {task: {m: value + 1 for m, value in numbers.items()} for task, numbers in scores.items()},
        "link_types": kinds | {"n-m": {"gold": 0, "recall": 0.0, "predicted": 3, "precision": 0.0}},
        "unaligned": {"gold": 60, "predicted": 58, "precision": 70.0, "recall": 71.0, "f1": f1 - 9},
        "word_overlap": [{"from": k / 5, "to": (k + 1) / 5, **(none if k == 4 else counted)} for k in range(5)],
        "level_gap": {str(gap): counted for gap in gaps},
        "differences": {
            other: {task: {"f1": d, "low": d - 3, "high": d + 3, **P_VALUES} for task, d in tasks.items()}
            for other, tasks in far.items()
        },
        "intervals": {task: {m: [value - 2, value + 2] for m, value in row.items()} for task, row in scores.items()},
    }


def write_statistics(reports: Path, name: str, draw: random.Random) -> None:
    table1 = {
        "original articles": draw.randrange(10, 60),
        "article pairs": draw.randrange(100, 400),
        "sentence pairs": draw.randrange(1000, 9000),
        "average length of simple sentence": 13 + draw.random(),
        "average length of complex sentence": 20 + draw.random(),
        "rephrasing (1-to-1)": draw.randrange(100, 900),
        "deletion (1-to-0)": draw.randrange(100, 900),
    }
    table4 = {"article pairs": 70, "train pairs": 1234, "dev pairs": 99, "test pairs": 120}
    filters = {"levels": draw.randrange(99), "identical": draw.randrange(99), "leak": 0}
    leaks = {"dev": draw.randrange(9), "test": draw.randrange(9)}
    parts = {"statistics": table1, "seq2seq": table4, "filters": filters, "leaks": leaks}
    built = dict.fromkeys(TRAINING_SETS, parts)
    write_json(reports / "corpora" / f"{name}.json", {"manual": table1, **built})
    card = (
        f"# Data card: {name}\n\n**Licence.** CC BY <script>alert('card')</script>\n\n| a |\n|---|\n"
        "| [x](http://e.org) |\n"
    )
    write(reports.parent / "data" / "corpora" / name / "CARD.md", card)


def scores_of(sari: float) -> dict[str, float]:
    parts = {"add": sari / 10, "keep": sari - 4, "del": 2 * sari}
    corpus = {f"sari_corpus_{part}": value + 1 for part, value in parts.items()}
    return {"sari": sari, **parts, "sari_corpus": sari + 2, **corpus, "fk": 7.25, "len": 14.04, "bleu": 20 + sari}


def write_simplification(root: Path, name: str, draw: random.Random) -> None:
    test_sets = {}
    for test_set, references in TEST_SETS[name].items():
        plain = {"identity": scores_of(12.0), "reference": {"fk": 6.5, "len": 13.0}}
        trained = {
            training: {system: scores_of(30 + 3 * (training == "auto") + draw.random()) for system in SIMPLIFIERS}
            for training in TRAINING_SETS
        }
        test_sets[test_set] = {"none": plain, **trained}
        write_texts(root, name, test_set, references, draw)
    value = {"signatures": SIGNATURES, "test_sets": test_sets}
    write_json(root / "reports" / "simplification" / f"{name}.json", value)
    details = {"resampling": {}, "test_sets": {key: significance(rows, SIGNATURES) for key, rows in test_sets.items()}}
    write_json(root / "reports" / "simplification" / f"{name}.details.json", details)


def write_texts(root: Path, name: str, test_set: str, references: int, draw: random.Random) -> None:
    complex_, others = sentences_and_references(references, draw)
    tests = root / "data" / "corpora" / name / "test"
    write_lines(tests / f"{test_set}.complex", complex_)
    for number, lines in enumerate(others):
        write_lines(tests / f"{test_set}.reference.{number}", lines)
    for training in TRAINING_SETS:
        for system in SIMPLIFIERS:
            outputs = simplified(complex_, draw)
            write_lines(root / "data" / "outputs" / name / training / system / f"{test_set}.txt", outputs)


def write_training(folder: Path, name: str, draw: random.Random) -> None:
    for part, file in (("encoder", "encoder.shared"), ("crf", f"aligner.{name}")):
        rows = [f"{part},{10 * step},{1 / step + draw.random() / 9},{90 - 9 / step}" for step in range(1, 9)]
        write_lines(folder / f"{file}.csv", ["part,step,loss,dev_f1", *rows])
    for training in TRAINING_SETS:
        for system in SIMPLIFIERS:
            losses = [f"{epoch},{6 / epoch + draw.random()},{7 / epoch + draw.random()}" for epoch in range(1, 9)]
            write_lines(folder / f"simplifier.{name}.{training}.{system}.csv", ["epoch,train_loss,valid_loss", *losses])


def write_published(root: Path) -> None:
    """reports/published/jiang2020.json: as printed but for the FK of the input, which is 13.36."""
    rows = []
    lines = (ROOT / "data" / "published" / "simplification_turk.csv").read_text(encoding="utf-8").splitlines()
    for line in lines[1:]:
        _, _, _, train_set, system, *cells = line.split(",")
        names = ("sari", "add", "keep", "del", "fk", "len")
        printed = {key: float(cell) for key, cell in zip(names, cells, strict=True) if cell}
        ours = {key: value + 0.02 for key, value in printed.items()}
        if system == "Complex (input)":
            ours["fk"] = 13.36
        extra = {"sari_corpus": 38.4, "bleu": 71.0} if "sari" in printed else {}
        rows.append({"system": system, "train_set": train_set, "ours": ours | extra, "published": printed})
    write_json(root / "reports" / "published" / "jiang2020.json", {"signatures": SIGNATURES, "rows": rows})
