"""An invented run for the tests of the report: every file that the stages before it write, made by code."""

import json
import random
from collections.abc import Iterable
from pathlib import Path

from textsimp.reporting.inputs import Folders

ROOT = Path(__file__).resolve().parent.parent
SYSTEMS = ["jaccard", "tfidf", "bert_finetune", "bert_finetune_paraalign", "neural_crf", "neural_crf_gold_paraalign"]
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
HOSTILE = "<script>alert('x')</script> & \"quoted\" | pipe `tick` {{ 7 * 7 }}"
WORDS = "the river town council voted on a plan to move old boats from its harbour before winter storms".split()


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def write_json(path: Path, value: object) -> None:
    write(path, json.dumps(value))


def write_lines(path: Path, lines: Iterable[str]) -> None:
    write(path, "".join(line + "\n" for line in lines))


def sentence(draw: random.Random, length: int) -> str:
    words = draw.choices(WORDS, k=length)
    return " ".join(words).capitalize() + "."


def params(corpora: list[str], published: list[str], origin: str = "sample", show: bool = False) -> str:
    """A params.yaml with what the report reads."""
    sources = {
        name: {
            "source": {
                "name": name,
                "kind": KINDS[name],
                "origin": origin,
                "language": "en",
                "releases": [],
                "manual": {"train": 1, "dev": 1, "test": 1, "seed": 1} if origin == "sample" else None,
            },
            "align": {"encoder": "shared"},
        }
        for name in corpora
    }
    shown = {"example_pairs": 2, "example_sentences": 12, "output_sentences": 3, "show_licensed_text": show}
    return json.dumps(  # JSON is YAML
        {
            "experiment": "test",
            "corpora": corpora,
            "training_sets": TRAINING_SETS,
            "simplifiers": SIMPLIFIERS,
            "alignment_systems": SYSTEMS,
            "published": published,
            "corpus": sources,
            "report": shown,
        }
    )


def folders(root: Path) -> Folders:
    return Folders(root / "reports", ROOT / "data" / "published", root / "data" / "corpora", root / "data" / "outputs")


def write_run(root: Path, corpora: Iterable[str] = tuple(KINDS)) -> None:
    """The files of a run that trained everything."""
    for name in corpora:
        draw = random.Random(name)
        write_alignment(root / "reports", name, draw)
        write_statistics(root / "reports", name, draw)
        write_simplification(root, name, draw)
        write_training(root / "reports" / "training", name, draw)


def write_alignment(reports: Path, name: str, draw: random.Random) -> None:
    def scores(place: int) -> dict[str, float]:
        precision, recall = 72 + 4 * place + draw.random(), 65 + 5 * place + draw.random()
        return {"precision": precision, "recall": recall, "f1": 2 * precision * recall / (precision + recall)}

    value = {
        split: {
            system: {"task1": scores(place), "task2": scores(place - 2), "counts": {}}
            for place, system in enumerate(SYSTEMS)
        }
        for split in ("dev", "test")
    }
    write_json(reports / "alignment" / f"{name}.json", value)
    rows = ["system,split,task,threshold,precision,recall"]
    for place, system in enumerate(SYSTEMS):
        for split in ("dev", "test"):
            for task in ("task1", "task2"):
                for step in range(1, 40):
                    precision = 100 - (step / 39) ** (2 + place) * 60
                    rows.append(f"{system},{split},{task},{1 - step / 40},{precision},{100 * step / 39}")
    write_lines(reports / "alignment" / f"{name}.pr.csv", rows)
    write_lines(reports / "examples" / f"alignment.{name}.jsonl", map(json.dumps, example_rows(name, draw)))


def example_rows(name: str, draw: random.Random) -> list[dict[str, object]]:
    rows = []
    for group in range(3):
        complex_ = [sentence(draw, 14) for _ in range(7)]
        simple = [sentence(draw, 8) for _ in range(6)]
        complex_[1], simple[1] = HOSTILE, "A hostile line."
        sides = {"complex": complex_, "simple": simple}
        row: dict[str, object] = {"id": f"{name}-{group}", "corpus": name, "group": f"set-{group}"}
        for level, (side, lines) in enumerate(sides.items()):
            row[side] = {"id": f"{name}-{group}-{level}", "level": level, "paragraphs": [lines[:3], lines[3:]]}
        row["alignments"] = [[0, 0, "aligned"], [1, 1, "aligned"], [2, 1, "partial"], [3, 4, "partial"]]
        row["predicted"] = [[0, 0, "aligned"], [1, 1, "partial"], [2, 1, "partial"], [5, 6, "aligned"]]
        rows.append(row)
    return rows


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
    built = {which: {"statistics": table1, "seq2seq": table4, "filters": filters} for which in TRAINING_SETS}
    write_json(reports / "corpora" / f"{name}.json", {"manual": table1, **built})


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


def write_texts(root: Path, name: str, test_set: str, references: int, draw: random.Random) -> None:
    complex_ = [sentence(draw, 16) for _ in range(9)]
    complex_[1] = HOSTILE
    tests = root / "data" / "corpora" / name / "test"
    write_lines(tests / f"{test_set}.complex", complex_)
    for number in range(references):
        write_lines(tests / f"{test_set}.reference.{number}", [sentence(draw, 10) for _ in complex_])
    for training in TRAINING_SETS:
        for system in SIMPLIFIERS:
            outputs = [line if draw.random() < 0.3 else sentence(draw, 11) for line in complex_]
            outputs[1] = HOSTILE + " </mark>"
            outputs[4] = ""
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
