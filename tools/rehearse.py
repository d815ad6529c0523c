"""The paper at its size, rehearsed: `make repro EXPERIMENT=rehearsal`, on stand-ins of its data and of its encoder.

    python tools/rehearse.py reports/costs data/stand-ins

Stand-ins are texts of the sample corpus, cut to a few sentences, in the formats of the releases that the experiment
`paper` reads; a BERT of BERT-base's shape and size with random weights; vectors of 300 random numbers; a spaCy pipeline
trained on three sentences. They show that every stage runs and what it costs, and nothing about quality. The same call
gives the same bytes. Seconds and the largest process's memory of each stage are as the system counts them. Where a
stage trains, its seconds per update are the difference between two runs, without start-up, evaluation and saving.
What did not run again keeps what it had. `tools/plan.py` reckons from the file.
"""

import argparse
import bz2
import io
import json
import os
import platform
import random
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import reduce
from itertools import cycle, islice, product
from operator import getitem
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from textsimp.core.devices import processors, resolve_device  # noqa: E402 the root has to be on the path first
from textsimp.core.errors import InputError, exit_on_bad_input  # noqa: E402
from textsimp.core.params import select, select_list  # noqa: E402
from textsimp.core.reading import folder_files, read_json, read_lines  # noqa: E402
from textsimp.core.records import DocumentPair, read_pairs  # noqa: E402
from textsimp.core.writing import atomic_folder, write_json, write_lines  # noqa: E402
from textsimp.metrics.tokens import treebank_form  # noqa: E402
from textsimp.sources.config import SourceConfig  # noqa: E402
from textsimp.sources.draws import ManualDraw  # noqa: E402
from textsimp.sources.manual import NEWSELA_MANUAL, WIKI_MANUAL  # noqa: E402
from textsimp.sources.newsela import ARTICLES, METADATA  # noqa: E402
from textsimp.sources.parallel import ASSET_REFERENCES, TURK_REFERENCES, WIKILARGE, read_asset, write_asset  # noqa: E402
from textsimp.sources.sample import acquire_sample  # noqa: E402
from textsimp.sources.wiki_auto import WIKI_AUTO, read_wiki_auto, write_wiki_auto  # noqa: E402
from tools.repro import reproduce  # noqa: E402

DRAWN = ManualDraw(train=2, dev=1, test=1, seed=1)
# article sets of a file of the sample, sentences of a text, and of each test set
SETS, SENTENCES, TESTED = 9, 5, 4
TYPES, WIDTH, LAYERS, GLOVE_WORDS, SEED = 30_522, 768, 12, 5_000, 13
# tokens of GloVe 840B that hold spaces
SPACED = (". . .", "at name@domain.com")
_SPECIAL = {0: "[PAD]", 100: "[UNK]", 101: "[CLS]", 102: "[SEP]", 103: "[MASK]"}
_NEWSELA, _XU = "newsela_article_corpus_2016-01-29", "newsela_data_share-20150302/newsela_articles_20150302"
_TAGGED = (
    "Maria/PROPN lives/VERB in/ADP Paris/PROPN ./PUNCT",
    "The/DET old/ADJ mill/NOUN was/AUX built/VERB in/ADP 1890/NUM ./PUNCT",
    "Trees/NOUN grow/VERB quickly/ADV and/CCONJ they/PRON are/AUX tall/ADJ ./PUNCT",
)
_ENTITIES = {"Maria": "PERSON", "Paris": "GPE", "1890": "DATE"}
# how many times as many updates the second run of a training has; of one of under 30 s, whose start-up varies by more
MORE, MANY, QUICK = 3, 20, 30.0
_SHIM = """#!{python} -ES
import json, os, sys, time
command = [{python!r}, *sys.argv[1:]]
if sys.argv[1:2] != ["-m"] or not sys.argv[2].startswith("stages."):
    os.execv(command[0], command)
start = time.monotonic()
_, status, usage = os.wait4(os.spawnv(os.P_NOWAIT, command[0], command), 0)
row = dict(command=sys.argv[2:], seconds=time.monotonic() - start, megabytes=usage.ru_maxrss / 1024)
with open({log!r}, "a") as file:
    file.write(json.dumps(row) + "\\n")
sys.exit(os.waitstatus_to_exitcode(status) & 255)
"""
_OUTPUTS = ("--model", "--bin", "--raw", "--out", "--output", "--alignments", "--corpora")


@exit_on_bad_input
def main() -> None:
    """Write the stand-ins unless they are there, run the stages, measure the trainings again, and write both."""
    parser = argparse.ArgumentParser(prog="python tools/rehearse.py", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the file of costs is written")
    parser.add_argument("stand_ins", type=Path, help="where newsela/, mirror/, encoder/, spacy/ and glove.txt are put")
    args = parser.parse_args()
    if str(select("experiment")) != "rehearsal":
        raise InputError("params.yaml: of another experiment; run `make repro EXPERIMENT=rehearsal`")
    if not (args.stand_ins / "glove.txt").is_file():
        with atomic_folder(args.stand_ins, "*") as folder:
            write_stand_ins(folder)
    device = resolve_device(str(select("runtime.device")))
    path = args.folder / f"rehearsal.{device.partition(':')[0]}.json"
    stages: dict[str, Any] = read_json(path)["stages"] if path.is_file() else {}
    jobs = 1 if device != "cpu" else processors()
    with measured() as (environment, rows):
        status = reproduce(jobs, environment)
        for row in rows():
            name = stage_name(row["command"])
            stages[name] = {**cost(row), "units": units(name.partition("@")[0], row["command"])}
    costs = {"machine": machine(device), "stages": dict(sorted(stages.items()))}
    write_json(path, costs)
    if not status:
        for name, seconds in per_update(stages, jobs).items():
            stages[name]["seconds_per_update"] = round(seconds, 3)
        write_json(path, costs)
    sys.exit(status)


def write_stand_ins(folder: Path) -> None:
    """Write everything that the experiment `paper` reads from outside."""
    words = write_texts(folder)
    ranked = sorted(words, key=lambda word: (-words[word], word))
    write_encoder(folder / "encoder", ranked)
    write_spacy(folder / "spacy")
    numbers = random.Random(SEED)
    rows = (" ".join(f"{numbers.gauss(0, 0.3):.5f}" for _ in range(300)) for _ in range(GLOVE_WORDS))
    names = [*SPACED, *ranked, *(f"word{number}" for number in range(GLOVE_WORDS))]
    write_lines(folder / "glove.txt", [f"{word} {row}" for word, row in zip(names, rows, strict=False)])


def write_texts(folder: Path) -> Counter[str]:
    """Write the licensed release and the mirror; return the words of their texts."""
    with tempfile.TemporaryDirectory() as name:
        scratch, sample = Path(name), Path(name, "sample")
        for file in ("news.txt", "encyclopedia.txt"):
            found = (ROOT / "data" / "sample" / file).read_text(encoding="utf-8").split("\n@set ")[:SETS]
            write_lines(sample / file, cut("\n@set ".join(found).splitlines()))
        shutil.copytree(ROOT / "data" / "sample" / "multi-reference", sample / "multi-reference")
        _write_newsela(scratch, sample, folder / "newsela")
        _write_mirror(scratch, sample, folder / "mirror")
        texts = (line for path in sample.rglob("*.txt") for line in read_lines(path))
        return Counter(word for line in texts for word in re.findall(r"\w+", line.lower()))


def cut(lines: Iterable[str], sentences: int = SENTENCES) -> Iterator[str]:
    """Yield a sample text with the first sentences of each part, and of their labels those that name others of them."""
    count, waiting = 0, ""
    for line in lines:
        match = re.fullmatch(r"\[([^\]]*)\] (.*)", line)
        if match is None:
            count = 0 if line.startswith("@") else count
            waiting = line if line == "P" else ""
            yield from () if line == "P" else (line,)
        elif count < sentences:
            count += 1
            yield from filter(None, (waiting,))
            waiting = ""
            labels = [name for name in match[1].split(",") if name.strip("-") and int(name.strip()[1:]) <= sentences]
            yield f"[{','.join(labels) or '-' * bool(match[1])}] {match[2]}"


def _acquired(
    name: str, annotation: str, sample: Path, scratch: Path
) -> tuple[Path, list[tuple[DocumentPair, str, str]]]:
    """The raw data of a sample corpus, and its linked sentences, each with the documents that it is of."""
    raw, audit = scratch / name, scratch / f"{name}.jsonl"
    articles = {"newsela": "newsela", "wiki": "wiki_auto"}[name]
    acquire_sample(sample, raw, audit, SourceConfig(name, "sample", "en", [], annotation, articles, DRAWN, None, None))
    linked = [
        (pair, pair.complex.sentences[link.complex], pair.simple.sentences[link.simple])
        for pair in read_pairs(audit)
        for link in pair.alignments or ()
    ]
    return raw, linked


def _write_newsela(scratch: Path, sample: Path, target: Path) -> None:
    raw, linked = _acquired("newsela", "newsela_manual", sample, scratch)
    (target / _NEWSELA).mkdir(parents=True)
    for name in (ARTICLES, METADATA):
        shutil.move(raw / name, target / _NEWSELA / name)
    shutil.copytree(raw / NEWSELA_MANUAL, target / "newsela-auto" / NEWSELA_MANUAL)
    numbers = {group: number for number, group in enumerate(sorted({pair.group for pair, _, _ in linked}), 1)}
    rows = [
        "\t".join((f"DOC{numbers[pair.group]}", f"V{pair.complex.level}", f"V{pair.simple.level}", complex_, simple))
        for pair, complex_, simple in linked
    ]
    write_lines(target / f"{_XU}.aligned.sents.txt", rows)


def _write_mirror(scratch: Path, sample: Path, mirror: Path) -> None:
    raw, linked = _acquired("wiki", "wiki_manual", sample, scratch)
    shutil.copytree(raw / WIKI_MANUAL, mirror / "wiki_manual")
    articles = [pair for path in folder_files(raw / WIKI_AUTO, "*.json") for pair in read_wiki_auto(path)]
    for part in (1, 2):
        write_wiki_auto(mirror / "wiki_auto" / f"wiki-auto-part-{part}-data.json", articles[part - 1 :: 2])
    _write_wikilarge(mirror / "wikilarge" / WIKILARGE, [pair[1:] for pair in linked])
    for split, turk in (("valid", "tune"), ("test", "test")):
        rows = read_asset(raw / "asset", split, None)[:TESTED]
        many = [(text, tuple(islice(cycle(simple), ASSET_REFERENCES))) for text, simple in rows]
        write_asset(mirror / "asset", split, many)
        write_lines(mirror / "turk" / f"{turk}.8turkers.tok.norm", [treebank_form(text) for text, _ in rows])
        for number in range(TURK_REFERENCES):
            column = [treebank_form(simple[number]) for _, simple in many]
            write_lines(mirror / "turk" / f"{turk}.8turkers.tok.turk.{number}", column)
    outputs = yaml.safe_load((ROOT / "conf" / "sources" / "releases" / "outputs.yaml").read_text(encoding="utf-8"))
    for number, file in enumerate(outputs["jiang2020_outputs"]["files"]):
        column = [treebank_form(simple[number]) for _, simple in many]
        write_lines(mirror / "jiang2020_outputs" / file["name"], column)


def _write_wikilarge(path: Path, pairs: Sequence[tuple[str, str]]) -> None:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as tar:
        for split, (number, side) in product(("train", "valid", "test"), enumerate(("src", "dst"))):
            text = "".join(f"{pair[number]}\n" for pair in pairs).encode()
            info = tarfile.TarInfo(f"data-simplification/wikilarge/wiki.full.aner.ori.{split}.{side}")
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text))
    path.parent.mkdir(parents=True)
    path.write_bytes(bz2.compress(data.getvalue()))


def vocabulary(ranked: Iterable[str]) -> list[str]:
    """Return `TYPES` word pieces: special ones where BERT has them, characters, words of the texts, made-up ones."""
    head = [_SPECIAL.get(number, f"[unused{number}]") for number in range(max(_SPECIAL) + 1)]
    letters = [chr(code) for code in range(33, 127) if not chr(code).isupper()]
    pieces = dict.fromkeys([*head, *letters, *(f"##{letter}" for letter in letters), *ranked])
    return [*pieces, *(f"##{number}x" for number in range(TYPES - len(pieces)))]


def write_encoder(folder: Path, ranked: Sequence[str]) -> None:
    """Write a checkpoint of BERT-base's shape, uncased, with random weights of BERT's own initialisation."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizer

    folder.mkdir(parents=True)
    write_lines(folder / "vocab.txt", vocabulary(ranked))
    BertTokenizer(vocab=str(folder / "vocab.txt"), do_lower_case=True).save_pretrained(folder)
    torch.manual_seed(SEED)
    BertModel(BertConfig(vocab_size=TYPES, hidden_size=WIDTH, num_hidden_layers=LAYERS)).save_pretrained(folder)


def write_spacy(folder: Path) -> None:
    """Write a pipeline with a tagger and an entity recogniser, trained until it knows three sentences."""
    import spacy
    from spacy.tokens import Doc, Span
    from spacy.training import Example
    from spacy.util import fix_random_seed

    fix_random_seed(SEED)
    nlp = spacy.blank("en")
    nlp.add_pipe("morphologizer")
    nlp.add_pipe("ner")
    examples = []
    for line in _TAGGED:
        words, tags = zip(*(word.rsplit("/", 1) for word in line.split()), strict=True)
        known = Doc(nlp.vocab, words=list(words), pos=list(tags))
        entities = (place for place, word in enumerate(words) if word in _ENTITIES)
        known.ents = [Span(known, at, at + 1, label=_ENTITIES[words[at]]) for at in entities]
        examples.append(Example(nlp.make_doc(known.text), known))
    optimizer = nlp.initialize(lambda: examples)
    for _ in range(30):
        nlp.update(examples, sgd=optimizer)
    nlp.meta["name"] = "stand_in"
    nlp.to_disk(folder)


@contextmanager
def measured() -> Iterator[tuple[dict[str, str], Any]]:
    """Give an environment whose `python` notes what each stage cost, and a function that returns the notes."""
    with tempfile.TemporaryDirectory() as folder:
        log, shim = Path(folder, "costs.jsonl"), Path(folder, "python")
        log.touch()
        shim.write_text(_SHIM.format(python=sys.executable, log=str(log)), encoding="utf-8")
        shim.chmod(0o755)
        path = os.pathsep.join((folder, str(Path(sys.executable).parent), os.environ["PATH"]))
        yield {**os.environ, "PATH": path}, lambda: [json.loads(line) for line in read_lines(log)]


def stage_name(command: list[str]) -> str:
    """Return such as `train_simplifier@newsela-auto-lstm`: the stage and the arguments that name its case."""
    options = [place for place, argument in enumerate(command) if argument.startswith("--")]
    names = command[1 : min(options, default=len(command))]
    if "--variant" in command:
        names.append(command[command.index("--variant") + 1])
    stage = command[0].removeprefix("stages.")
    return f"{stage}@{'-'.join(names)}" if names else stage


def cost(row: Mapping[str, Any]) -> dict[str, float]:
    """Return the seconds of one stage, its memory, and what it left on the disk, in megabytes."""
    command = row["command"]
    written = [Path(command[at + 1]) for at, option in enumerate(command) if option in _OUTPUTS]
    size = sum(path.stat().st_size for top in written[-1:] for path in top.rglob("*") if path.is_file())
    return {"seconds": round(row["seconds"], 1), "memory_mb": round(row["megabytes"]), "disk_mb": round(size / 2**20)}


def units(stage: str, command: list[str]) -> dict[str, int]:
    """Return how much a stage had to do: what the full experiment has more of."""
    corpus = command[1] if len(command) > 1 else ""
    folder = Path("data/splits", corpus)
    if stage in ("acquire", "load_splits", "align", "build_corpus", "audit", "analyse") and folder.is_dir():
        return {"sentence_pairs": sum(map(products, folder.glob("*.jsonl")))}
    if stage in ("train_aligner", "evaluate_alignment", "train_system", "evaluate_paragraphs") and folder.is_dir():
        return {"annotated_pairs": sum(products(folder / f"{split}.jsonl") for split in ("train", "dev", "test"))}
    if stage in ("train_default", "evaluate_default"):
        return {"annotated_pairs": sum(map(products, Path("data/splits").glob("*/[!u]*.jsonl")))}
    if stage == "train_encoder":
        return {"updates": int(select("aligner.encoder.max_steps"))}
    if stage == "binarize":
        return {"train_pairs": len(read_lines(Path("data/corpora", corpus, command[2], "train.complex")))}
    if stage == "train_simplifier":
        return {"updates": int(select(f"simplifier.{command[3]}.max_updates"))}
    if stage in ("simplify", "evaluate_simplification"):
        tests = Path("data/corpora", corpus, "test").glob("*.complex")
        return {"sentences": sum(len(read_lines(path)) for path in tests)}
    return {}


def products(path: Path) -> int:
    """Return the number of pairs of a complex and a simple sentence of all document pairs of a file."""
    pairs = read_pairs(path) if path.is_file() and path.stat().st_size else ()
    return sum(len(pair.complex.sentences) * len(pair.simple.sentences) for pair in pairs)


def per_update(stages: Mapping[str, Mapping[str, Any]], jobs: int) -> dict[str, float]:
    """Return the seconds of one update of each simplifier and encoder, from a run that is several times as long.

    As many of them run side by side as before, so that both runs were held up alike.
    """
    corpus, training = select_list("simplification_corpora")[0], select_list("training_sets")[0]
    trained = {
        f"train_simplifier@{corpus}-{training}-{name}": (
            f"simplifier.{name}.max_updates",
            [corpus, training, name, "--bin", f"data/bin/{corpus}/{training}/{name}"],
        )
        for name in select_list("simplifiers")
    }
    encoder = select_list("encoders")[0]
    trained[f"train_encoder@{encoder}"] = ("aligner.encoder.max_steps", [encoder, "--splits", "data/splits"])

    def seconds(name: str) -> float:
        key, arguments = trained[name]
        times, short = MANY if stages[name]["seconds"] < QUICK else MORE, int(select(key))
        took = _longer(name.partition("@")[0], key, arguments, times * short)
        return max(0.0, (took - stages[name]["seconds"]) / (short * (times - 1)))

    wanted = [name for name in trained if name in stages and "seconds_per_update" not in stages[name]]
    with ThreadPoolExecutor(jobs) as pool:
        return dict(zip(wanted, pool.map(seconds, wanted), strict=True))


def _longer(stage: str, key: str, arguments: list[str], updates: int) -> float:
    """The seconds of a stage with so many updates, in a folder that has everything but params.yaml from here."""
    with tempfile.TemporaryDirectory(dir="data") as name:
        folder = Path(name).resolve()
        for path in Path.cwd().iterdir():
            if path.name not in ("params.yaml", "reports", ".dvc"):
                (folder / path.name).symlink_to(path)
        values = yaml.safe_load(Path("params.yaml").read_text(encoding="utf-8"))
        *sections, last = key.split(".")
        settings = reduce(getitem, sections, values)
        # the stand-ins are few, so that updates end with the epochs
        settings |= {last: updates} | ({"max_epochs": updates} if settings.get("max_epochs") else {})
        (folder / "params.yaml").write_text(yaml.safe_dump(values), encoding="utf-8")
        command = [sys.executable, "-m", f"stages.{stage}", *arguments]
        command += ["--model", str(folder / "model"), "--curve", str(folder / "curve.csv")]
        start = time.monotonic()
        subprocess.run(command, cwd=folder, check=True)
        return time.monotonic() - start


def machine(device: str) -> dict[str, Any]:
    """Return the kind of machine, without its name."""
    kind: dict[str, Any] = {"device": device, "processor": platform.machine(), "cores": os.cpu_count()}
    if device.startswith("cuda"):
        import torch

        kind["gpu"] = torch.cuda.get_device_name(device)
    return kind | {"threads": int(select("runtime.threads"))}


if __name__ == "__main__":
    main()
