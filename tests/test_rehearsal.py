"""The paper at its size: its stand-ins, what stages cost, and what is reckoned from that (tools/)."""

import csv
import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import yaml
from composition_sample import plain_values
from newsela_sample import write_newsela
from project_copy import copy_project, run

from textsimp.core.params import select_list
from textsimp.core.records import read_pairs
from textsimp.core.settings import structured
from textsimp.sources.acquisition import licensed_files, load_splits
from textsimp.sources.config import Release, SourceConfig, release_files
from textsimp.sources.fetch import open_mirror
from textsimp.sources.formats import read_released_pairs
from textsimp.sources.parallel import read_asset, read_turk
from tools import plan, rehearse

LICENSED = SourceConfig("newsela", "licensed", "en", [], "newsela_manual", "newsela", None, None, None)
DATA = b"Some text of a release.\n"
DIGEST = "sha256:" + hashlib.sha256(DATA).hexdigest()
COSTS = {
    "machine": {"device": "cpu", "processor": "x86_64", "cores": 2, "threads": 2},
    "stages": {
        "acquire@newsela": {"seconds": 2.0, "memory_mb": 100, "disk_mb": 1, "units": {}},
        "align@newsela": {"seconds": 12.0, "memory_mb": 900, "disk_mb": 1, "units": {"sentence_pairs": 1000}},
        "align@other": {"seconds": 12.0, "memory_mb": 900, "disk_mb": 1, "units": {"sentence_pairs": 1000}},
        **{
            f"train_simplifier@newsela-{training}-transformer_bert": {
                **{"seconds": 50.0, "memory_mb": 5000, "disk_mb": 1000, "units": {"updates": 2}},
                **({"seconds_per_update": 10.0} if training == "auto" else {}),
            }
            for training in ("auto", "old")
        },
    },
}


def test_a_sample_text_is_cut_with_its_labels() -> None:
    text = ["@set a", "@level 0", "P", "[] One.", "[] Two.", "P", "[] Three.", "@level 1", "P", "[=1,~3] One."]
    text += ["[=3] Three.", "P", "[-] Four."]
    cut = ["@set a", "@level 0", "P", "[] One.", "[] Two.", "@level 1", "P", "[=1] One.", "[-] Three."]
    assert list(rehearse.cut(text, 2)) == cut


def test_texts_in_the_formats_of_the_releases(tmp_path: Path) -> None:
    """Every reader of the experiment takes them, as `acquire` lays them out."""
    rehearse.write_texts(tmp_path)
    raw = tmp_path / "raw"
    for name, path in licensed_files(tmp_path / "newsela", "en").items():
        (raw / name).parent.mkdir(parents=True, exist_ok=True)
        (raw / name).symlink_to(path)
    counts = load_splits(raw, tmp_path / "splits", LICENSED)
    assert counts == {"train": 20, "dev": 10, "test": 10, "unlabelled": 50}
    assert all(pair.alignments for pair in read_pairs(tmp_path / "splits" / "train.jsonl"))
    assert len(read_released_pairs("newsela_old", raw).pairs) > 50
    assert len(read_released_pairs("wikilarge", tmp_path / "mirror").pairs) > 10
    for folder, read in (("turk", read_turk), ("asset", read_asset)):
        assert len(read(tmp_path / "mirror" / folder, "test")) == rehearse.TESTED
    releases = plain_values("experiment=rehearsal")["sources"]["releases"]
    for name in ("wiki_manual", "wiki_auto", "wikilarge", "turk", "asset", "jiang2020_outputs"):
        described = {file["name"] for file in releases[name]["files"]}
        assert described == {path.name for path in (tmp_path / "mirror" / name).iterdir()}


def test_what_a_stage_cost(tmp_path: Path) -> None:
    """The shim notes stages alone, with their seconds and memory; the disk is that of their outputs."""
    (tmp_path / "stages").mkdir()
    code = "import os, sys; os.mkdir('m'); open('m/w', 'wb').write(bytes(3 << 20)); sys.exit(3)"
    (tmp_path / "stages" / "nap.py").write_text(code)
    with rehearse.measured() as (environment, rows):
        here = {**environment, "PYTHONPATH": str(tmp_path)}
        assert subprocess.run(["python", "-c", "print(1)"], env=here).returncode == 0 and rows() == []
        command = ["stages.nap", "x", "--variant", "paper", "--model", str(tmp_path / "m")]
        assert subprocess.run(["python", "-m", *command], env=here, cwd=tmp_path).returncode == 3
        (row,) = rows()
    assert row["command"] == command and rehearse.stage_name(command) == "nap@x-paper"
    cost = rehearse.cost(row)
    assert 0 < row["seconds"] < 60 and 1 < cost["memory_mb"] < 1000 and cost["disk_mb"] == 3


def test_a_plan_is_reckoned_from_the_measure() -> None:
    config = plain_values("experiment=newsela")
    rows = {row.stage: row for row in plan.predictions(COSTS["stages"], config)}
    assert set(rows) == set(COSTS["stages"]) - {"align@other"}
    align = rows["align@newsela"]  # 18,820 article pairs of 2,020 sentence pairs; 10 s for 1,000 after 2 s of start-up
    assert align.seconds == pytest.approx(2 + 18_820 * 2_020 * 0.01) and "38,016,400 sentence pairs" in align.reckoning
    for training in ("auto", "old"):
        trained = rows[f"train_simplifier@newsela-{training}-transformer_bert"]
        assert trained.seconds == pytest.approx(2 + 200_000 * 10) and trained.disk == 1000
    text = plan.report(COSTS, config)
    assert "Predicted for newsela on 2 CPU threads (x86_64), from the rehearsal's measure" in text
    assert "nothing, none of its stages" in plan.report({**COSTS, "stages": {}}, config)
    assert [plan.duration(seconds) for seconds in (8, 150, 8000, 200_000)] == ["8 s", "2.5 min", "2.22 h", "2.31 days"]
    assert plan.updates({"max_updates": 0, "max_epochs": 30, "batch_size": 64}, 94_000) == 30 * 1469


def config(**more: Any) -> dict[str, Any]:
    """Return a composed configuration with a released corpus, a sample corpus, and optional outputs to score."""
    release = {"title": "A set", "licence": "CC BY 4.0", "folder": "a-set"}
    release |= {"files": [{"name": "f.txt", "digest": DIGEST, "url": "https://example.org/f"}]}
    corpora = {
        name: {"source": {"origin": origin, "releases": names}}
        for name, origin, names in (("real", "released", ["turk"]), ("toy", "sample", []))
    }
    sources = {"releases": {"turk": release}, "published": {"board": ["turk"]}, "optional": ["board"]}
    return {"corpora": list(corpora), "published": ["board"], "corpus": corpora, "sources": sources, **more}


def lacks(tree: dict[str, Any], raw: Path, mirror: Path | None = None, newsela: Path | None = None) -> list[str]:
    return list(plan.missing_sources(tree, open_mirror(mirror), newsela, raw))


def test_a_plan_names_absent_sources(tmp_path: Path) -> None:
    raw, mirror = tmp_path / "raw", tmp_path / "mirror"
    (absent,) = lacks(config(), raw)
    assert absent.startswith("turk (corpus real; outputs board, optional): 1 of 1 files are neither in a mirror nor")
    assert absent.endswith(" ".join(plan.note("turk")))
    (mirror / "turk").mkdir(parents=True)
    (mirror / "turk" / "f.txt").write_bytes(DATA)
    assert lacks(config(), raw, mirror) == []
    (raw / "real" / "a-set").mkdir(parents=True)
    (raw / "real" / "a-set" / "f.txt").write_bytes(DATA)
    assert lacks(config(), raw)[0].startswith("turk (outputs board, optional): ")
    forgotten = config(sources={"releases": {}, "published": {"board": ["turk"]}})
    assert "): the experiment does not name it in `override /sources`" in lacks(forgotten, raw)[0]


def test_a_plan_names_what_the_licensed_release_lacks(tmp_path: Path) -> None:
    tree = config(corpora=["news"], corpus={"news": {"source": {"origin": "licensed", "releases": []}}}, published=[])
    assert "newsela: sources.newsela is not set. Licensed: ask for it" in lacks(tree, tmp_path)[0]
    folder = write_newsela(tmp_path / "release")
    assert lacks(tree, tmp_path, newsela=folder) == []
    (folder / "newsela-auto" / "newsela-manual" / "all" / "dev.tsv").unlink()
    assert "dev.tsv: not there, though train.tsv is" in lacks(tree, tmp_path, newsela=folder)[0]


def test_a_plan_names_models_and_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "PACKAGES", {"lstm": "no_such_package"})
    monkeypatch.setattr(plan, "try_to_load_from_cache", lambda name, file: None)
    (tmp_path / "bert").mkdir()
    overrides = ["simplifier.lstm.spacy_model=no_such_model", f"simplifier.transformer_bert.encoder={tmp_path}/bert"]
    text = "\n".join(plan.missing_models(plain_values("experiment=newsela", *overrides)))
    assert "bert-base-uncased (encoder): not here" in text and "no config.json in this folder" in text
    assert "no_such_model (simplifier lstm): no such spaCy model" in text
    assert "no_such_package (simplifier lstm): not installed" in text
    assert "word vectors (simplifier.lstm.embeddings): none named" in text


def test_every_source_has_a_note_with_its_size(root: Path, mirror: Path) -> None:
    with (mirror / "SOURCES.csv").open(encoding="utf-8", newline="") as file:
        bytes_of = {unquote(row["url"]): int(row["bytes"]) for row in csv.DictReader(file)}
    for path in sorted((root / "conf" / "sources" / "releases").glob("*.yaml")):
        for name, release in yaml.safe_load(path.read_text(encoding="utf-8")).items():
            size, obtain = plan.note(name)
            assert len(obtain) > 20, name
            urls = [unquote(file.url) for file in release_files(structured(release, Release))]
            known = f"{sum(bytes_of[url] for url in urls) / 1e6:.1f} MB" if urls[0] in bytes_of else ""
            assert size.startswith(known) and ("MB" in size or "not published" in size), name


def test_the_costs_that_are_kept() -> None:
    """Every kept measure has the stages of the experiment `paper`."""
    for path in plan.COSTS.glob("rehearsal.*.json"):
        kept = json.loads(path.read_text(encoding="utf-8"))
        rows = list(plan.predictions(kept["stages"], plain_values("experiment=paper")))
        assert len(rows) > 60 and all(row.seconds > 0 for row in rows)


@pytest.mark.slow
def test_every_stage_of_the_paper_runs_on_the_stand_ins(tmp_path: Path) -> None:
    """Half an hour on two cores: the paper's values, but a handful of updates."""
    project = copy_project(tmp_path)
    run(project, sys.executable, "-m", "textsimp.core.params", "experiment=rehearsal")
    run(project, sys.executable, "tools/rehearse.py", "reports/costs", "data/stand-ins")
    assert run(project, sys.executable, "-m", "dvc", "status").splitlines()[-1] == "Data and pipelines are up to date."
    costs = json.loads((project / "reports/costs/rehearsal.cpu.json").read_text(encoding="utf-8"))
    trained = {name for name in costs["stages"] if name.startswith("train_simplifier@")}
    assert {name.rpartition("-")[2] for name in trained} == set(select_list("simplifiers", project / "params.yaml"))
    table = (project / "reports/results.md").read_text(encoding="utf-8")
    assert "Transformer_bert" in table and "rehearsal" in table
