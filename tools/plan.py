"""What is missing for an experiment, and what it would cost, stage by stage.

    python tools/plan.py paper --mirror FOLDER --newsela FOLDER

Nothing is fetched or written; the stage `acquire` verifies digests. The cost is reckoned from what the
rehearsal measured (`tools/rehearse.py`; seconds a unit of work, start-up taken off) and from how much work the corpora
of the paper are, by its own tables: a prediction from a handful of updates, of the order, not of the hour.
"""

import argparse
import csv
import math
import re
import shutil
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from statistics import linear_regression
from typing import Any, NamedTuple

from huggingface_hub import try_to_load_from_cache

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from textsimp.core.errors import InputError, exit_on_bad_input  # noqa: E402 the root has to be on the path first
from textsimp.core.params import CONF, compose_values  # noqa: E402
from textsimp.core.pretrained import local_encoder  # noqa: E402
from textsimp.core.reading import folder_files, read_json, read_text  # noqa: E402
from textsimp.core.settings import structured  # noqa: E402
from textsimp.core.word_vectors import GLOVE  # noqa: E402
from textsimp.sources.acquisition import URL, licensed_files  # noqa: E402
from textsimp.sources.config import Release, release_files  # noqa: E402
from textsimp.sources.fetch import Mirror, mirror_folder, open_mirror  # noqa: E402

COSTS = ROOT / "reports" / "costs"
STATISTICS = ROOT / "data" / "published" / "corpus_statistics.csv"
TABLES = {
    "newsela": {"articles": "newsela_auto", "auto": "newsela_auto (seq2seq)", "old": "newsela_old"},
    "wiki": {"articles": "wiki_auto", "auto": "wiki_auto", "old": "wikilarge"},
}
"""Corpus of ours -> columns of the published statistics."""
MANUAL, MANUAL_ARTICLES = "newsela_manual", 500
_LEAST_SECONDS, _LEAST_SHARE = 1.0, 0.2
"""What a stage has to take longer with more work, in seconds and of its time without any, for a line to be drawn."""
TESTS = {"newsela": 45_000, "wiki": 2 * 359}
"""Sentences of a corpus's test sets (Table 4; TURK and ASSET)."""
PACKAGES = {"transformer": "fairseq", "lstm": "fairseq", "rerank": "fairseq", "phrase_based": "thot"}
"""The package that a kind of simplifier needs and `pip install .` does not bring."""


class Prediction(NamedTuple):
    """One stage: seconds, megabytes of memory and disk, and what was multiplied."""

    stage: str
    seconds: float
    memory: float
    disk: float
    reckoning: str


@exit_on_bad_input
def main() -> None:
    """Print both."""
    parser = argparse.ArgumentParser(prog="python tools/plan.py", description=__doc__.partition("\n")[0])
    parser.add_argument("experiment", help="a name in conf/experiment")
    parser.add_argument("--mirror", help="a mirror of the releases, as sources.mirror")
    parser.add_argument("--newsela", type=Path, help="the folder of the licensed release, as sources.newsela")
    parser.add_argument("--raw", type=Path, default=ROOT / "data" / "raw", help="where acquired files are")
    args = parser.parse_args()
    config = compose_values([f"experiment={args.experiment}"])
    print(f"Missing for {args.experiment}:")
    lines = [*missing_sources(config, open_mirror(args.mirror), args.newsela, args.raw), *missing_models(config)]
    print("\n".join(f"  {line}" for line in lines) or "  nothing")
    measured = sorted(COSTS.glob("rehearsal.*.json"))
    for path in measured:
        print(f"\n{report(read_json(path), config)}")
    if not measured:
        print(f"\nNo time, memory or disk is predicted: {COSTS} has no measure. Run `make repro EXPERIMENT=rehearsal`")


def missing_sources(config: Mapping[str, Any], mirror: Mirror | None, newsela: Path | None, raw: Path) -> Iterator[str]:
    """Yield a line for each source that is absent: for what, what was found, and how to get it."""
    parts = [(f"corpus {name}", name, config["corpus"][name]["source"]["releases"]) for name in config["corpora"]]
    for name in config["published"]:
        optional = ", optional" if name in config["sources"].get("optional", ()) else ""
        parts.append((f"outputs {name}{optional}", name, config["sources"]["published"][name]))
    lacks: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for part, folder, names in parts:
        for name in names:
            tree = config["sources"]["releases"].get(name)
            if tree is None:
                lacks[name, "the experiment does not name it in `override /sources`"].append(part)
            elif lack := lack_of(name, structured(tree, Release), mirror, raw / folder):
                lacks[name, lack].append(part)
    for (name, lack), users in lacks.items():
        yield f"{name} ({'; '.join(users)}): {lack}. {' '.join(note(name))}"
    if any(config["corpus"][name]["source"]["origin"] == "licensed" for name in config["corpora"]):
        try:
            lack = "" if newsela and licensed_files(newsela) else "sources.newsela is not set"
        except InputError as error:
            lack = str(error)
        if lack:
            yield f"newsela: {lack}. Licensed: ask for it at {URL}, then set sources.newsela=FOLDER (--newsela FOLDER)"


def lack_of(name: str, release: Release, mirror: Mirror | None, raw: Path) -> str | None:
    """Return which files of a release neither were acquired before nor are in a mirror; None for a whole one."""
    files = release_files(release)
    absent = [
        file.name
        for file in files
        if not (raw / release.folder / file.name).is_file()
        and not (mirror and mirror.exists(f"{mirror_folder(mirror, name, release.folder, file)}/{file.name}"))
    ]
    what = f"{len(absent)} of {len(files)} files are neither in a mirror nor acquired"
    return f"{what}, such as {absent[0]}" if absent else None


def note(name: str) -> tuple[str, str]:
    """Return size and origin of a release: the comment above it in conf/sources/releases, to its first stop and on."""
    texts = "\n".join(map(read_text, folder_files(CONF / "sources" / "releases")))
    said = re.search(rf"((?:^# .*\n)*)^{re.escape(name)}:$", texts, re.MULTILINE)
    size, _, obtain = re.sub(r"\s*# ", " ", said[1] if said else "").strip().partition(". ")
    return f"{size}.", obtain or "Public; `acquire` downloads it."


def missing_models(config: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each encoder, spaCy model, package and file of word vectors that is named and not there."""
    simplifiers = {name: config["simplifier"][name] for name in config["simplifiers"]}
    if config["corpora"]:
        names = [config["aligner"]["encoder"]["name"], *(row.get("encoder") for row in simplifiers.values())]
        yield from (lack for name in dict.fromkeys(names) if name and (lack := _encoder(name)))
        yield from _vectors("word_vectors.pretrained", config["word_vectors"]["pretrained"])
    for name, settings in simplifiers.items() if config["simplification_corpora"] else ():
        if (package := PACKAGES.get(settings["kind"])) and not find_spec(package):
            yield f"{package} (simplifier {name}): not installed. Run `make setup`"
        model = settings.get("spacy_model") or settings.get("tagger")
        if model and model not in ("none", "spacy") and not (find_spec(model) or Path(model).is_dir()):
            yield f"{model} (simplifier {name}): no such spaCy model. Run `python -m spacy download {model}`"
        if "embeddings" in settings:
            yield from _vectors(f"simplifier.{name}.embeddings", settings["embeddings"])


def _encoder(name: str) -> str | None:
    try:
        here = local_encoder(name) or isinstance(try_to_load_from_cache(name, "config.json"), str)
    except InputError as error:
        return str(error)
    return None if here else f"{name} (encoder): not here. It is downloaded at first use; or name the folder of a copy"


def _vectors(key: str, path: str | None) -> Iterator[str]:
    if path is None or not (path == GLOVE or Path(path).is_file()):
        lack = "none named" if path is None else f"no file {path}"
        yield f"word vectors ({key}): {lack}. The paper has GloVe 840B, 300d: nlp.stanford.edu/projects/glove"


def report(costs: Mapping[str, Any], config: Mapping[str, Any]) -> str:
    """The table of predictions of one machine, with sums by stage and in all."""
    machine, rows = costs["machine"], list(predictions(costs["stages"], config))
    kind = machine.get("gpu") or f"{machine['threads']} CPU threads ({machine['processor']})"
    head = f"Predicted for {config['experiment']} on {kind}, from the rehearsal's measure on that kind of machine"
    if not rows:
        return f"{head}: nothing, none of its stages was rehearsed (its corpora are others)"
    lines = [f"{head}:", f"  {'stage':<48} {'time':>10} {'memory':>9} {'disk':>9}  reckoned from"]
    for row in rows:
        took = f"{duration(row.seconds):>10} {size(row.memory):>9} {size(row.disk):>9}"
        lines.append(f"  {row.stage:<48} {took}  {row.reckoning}")
    total, disk = sum(row.seconds for row in rows), sum(row.disk for row in rows)
    lines.append(f"  {'in all, one after the other':<48} {duration(total):>10} {'':>9} {size(disk):>9}")
    free = shutil.disk_usage(ROOT).free / 2**20
    lines.append(f"  Free on this disk: {size(free)}; DVC's cache shares the space where the file system can link.")
    return "\n".join(lines)


def predictions(stages: Mapping[str, Mapping[str, Any]], config: Mapping[str, Any]) -> Iterator[Prediction]:
    """For each rehearsed stage that the experiment has: what it would cost with the corpora of the paper."""
    start = min((row["seconds"] for row in stages.values()), default=0.0)
    for name, row in stages.items():
        stage, _, case = name.partition("@")
        corpus = next((part for part in case.split("-") if part in config["corpora"]), "")
        if not corpus and case and not stage.endswith(("default", "published", "encoder")):
            continue
        amounts = row["units"]
        unit = next(iter(amounts), "")
        wanted = work(stage, case.split("-"), corpus, config).get(unit)
        seconds, said, things = row["seconds"], "as measured", unit.replace("_", " ")
        if unit and wanted is not None:
            fixed, each = per_unit(stages, name, start)
            said = f"as measured: {amounts[unit]:,} {things} took hardly longer than fewer"
            if each:
                seconds, said = fixed + wanted * each, f"{wanted:,} {things} of {each:.3g} s"
        yield Prediction(name, seconds, row["memory_mb"], row["disk_mb"], said)


def per_unit(stages: Mapping[str, Mapping[str, Any]], name: str, start: float) -> tuple[float, float]:
    """Seconds of a stage without any work, and of a unit of it; none for a unit where the time hardly grew.

    Measured for an update of the same model; else by the line through the cases of the stage that had more and less to
    do; else, of a stage with one case, its own time without start-up.
    """
    stage, case = name.partition("@")[0], name.rpartition("-")[2] if "-" in name else ""
    alike = [row for key, row in stages.items() if key.partition("@")[0] == stage]
    if stage != "train_encoder" and case:
        alike = [row for key, row in stages.items() if key.startswith(f"{stage}@") and key.endswith(f"-{case}")]
    for row in alike:
        if "seconds_per_update" in row:
            return start, float(row["seconds_per_update"])
    unit = next(iter(stages[name]["units"]))
    points = [(row["units"][unit], row["seconds"]) for row in alike if unit in row["units"]]
    if len({amount for amount, _ in points}) < 2:
        return start, max(0.0, points[0][1] - start) / max(1, points[0][0])
    each, fixed = linear_regression(*zip(*points, strict=True))
    amounts = [amount for amount, _ in points]
    grown = each * (max(amounts) - min(amounts))
    return (max(0.0, fixed), each) if grown > max(_LEAST_SECONDS, _LEAST_SHARE * fixed) else (fixed, 0.0)


def work(stage: str, case: list[str], corpus: str, config: Mapping[str, Any]) -> dict[str, int]:
    """How much there is to do at full size, by unit; what is not known is left out."""
    printed = _printed()
    per_article = printed[MANUAL, "sentence pairs"] / MANUAL_ARTICLES  # Wikipedia's is not printed: the same
    annotated = round(printed[MANUAL, "sentence pairs"])
    if stage == "train_encoder":
        links = printed[MANUAL, "aligned (not identical)"] + printed[MANUAL, "partially aligned"]
        encoder = config["aligner"]["encoder"]
        steps = math.ceil(links * (1 + encoder["negatives"]) / encoder["batch_size"]) * encoder["epochs"]
        return {"updates": min(steps, encoder["max_steps"])}
    if stage.endswith("default"):
        return {"annotated_pairs": annotated * len(config["corpora"])}
    if corpus not in TABLES:
        return {}
    articles = printed[TABLES[corpus]["articles"], "article pairs"]
    known = {"annotated_pairs": annotated, "sentences": TESTS[corpus], "sentence_pairs": round(articles * per_article)}
    if len(case) > 1 and case[1] in TABLES[corpus]:
        known["train_pairs"] = round(printed[TABLES[corpus][case[1]], "train pairs"])
        if stage == "train_simplifier":
            known["updates"] = updates(config["simplifier"][case[2]], known["train_pairs"])
    return known


def updates(settings: Mapping[str, Any], pairs: int) -> int:
    """The most updates that a simplifier makes on so many pairs; it may stop early."""
    limits = [settings["max_updates"], settings["max_epochs"] * math.ceil(pairs / settings["batch_size"])]
    return min(limit for limit in limits if limit)


def _printed() -> dict[tuple[str, str], float]:
    if not STATISTICS.is_file():
        raise InputError(f"{STATISTICS}: no such file; restore it")
    with STATISTICS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {(row["corpus"], row["statistic"]): float(row["value"]) for row in reversed(rows)}


def duration(seconds: float) -> str:
    """Such as `3 days`, `5.2 h`, `40 min`, `8 s`."""
    for unit, length in (("days", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.3g} {unit}"
    return f"{seconds:.0f} s"


def size(megabytes: float) -> str:
    """Such as `12 GB` or `40 MB`."""
    return f"{megabytes / 1024:.3g} GB" if megabytes >= 1024 else f"{megabytes:.0f} MB"


if __name__ == "__main__":
    main()
