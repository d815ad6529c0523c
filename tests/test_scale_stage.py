"""The stage `align` on the code of scale: equal bytes whoever aligns, restarts, corpora without annotation."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from alignment_sample import document_pair
from omegaconf import OmegaConf
from scale_sample import PAIRS

from stages import align
from textsimp.alignment import corpora
from textsimp.alignment.corpora import AutoAlignConfig, MakeWorker, run_here
from textsimp.alignment.neural.aligner_settings import EncoderConfig
from textsimp.alignment.shards import Shard
from textsimp.alignment.spec import load_system_config
from textsimp.core.params import CONF, compose, from_conf
from textsimp.core.records import read_pairs, write_pairs
from textsimp.core.word_vectors import WordVectorConfig

ROOT = CONF.parent
NEW = [replace(document_pair(k), id=f"new-{k}", alignments=None) for k in range(20, 26)]
Stage = Callable[..., dict[str, bytes]]


@cache
def composed() -> str:
    return compose([])


def write_params(folder: Path, own: str | None = None, **execution: object) -> None:
    """Two corpora, `tiny` with annotation and `bare` without, which the aligner of the first aligns."""
    params = OmegaConf.create(composed())
    shared = {"system": "neural_crf", "own": own, "encoder": "tiny", "aligner": "tiny"}
    corpora = {"tiny": ["test", "unlabelled"], "bare": ["train", "unlabelled"]}
    params.corpus = {name: {"align": {"splits": splits, **shared}} for name, splits in corpora.items()}
    params.runtime = {**params.runtime, "batch": 16}
    params.execution = {**params.execution, "shard_size": 2, **execution}
    (folder / "params.yaml").write_text(OmegaConf.to_yaml(params), encoding="utf-8")


def arguments(corpus: str = "tiny", out: str = "out") -> list[str]:
    folders = ["--splits", f"splits/{corpus}", "--all-splits", "splits", "--models", "models"]
    return [corpus, *folders, "--alignments", out]


@pytest.fixture
def stage(tmp_path: Path, tiny_aligner: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """Runs the stage with the settings of `execution` given; returns what it wrote."""
    splits = {"tiny": {"train": PAIRS, "dev": PAIRS[:3], "test": PAIRS[3:6], "unlabelled": NEW[:3]}}
    splits["bare"] = {"train": [], "dev": [], "test": [], "unlabelled": NEW}
    for corpus, parts in splits.items():
        for name, pairs in parts.items():
            write_pairs(tmp_path / "splits" / corpus / f"{name}.jsonl", pairs)
    (tmp_path / "models" / "aligner").mkdir(parents=True)
    (tmp_path / "models" / "aligner" / "tiny").symlink_to(tiny_aligner)
    monkeypatch.chdir(tmp_path)

    def run(corpus: str = "tiny", out: str = "out", **execution: object) -> dict[str, bytes]:
        write_params(tmp_path, **{"executor": "local", "workers": 1, **execution})
        monkeypatch.setattr(sys, "argv", ["align", *arguments(corpus, out)])
        align.main()
        written = ["auto.jsonl", "old.jsonl", *(["own.jsonl"] if execution.get("own") else [])]
        assert sorted(path.name for path in Path(out).iterdir()) == written
        return {path.name: path.read_bytes() for path in Path(out).iterdir()}

    return run


def test_one_worker_starts_no_process(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textsimp.core.pool.multiprocessing", None)
    whole = stage()
    found = list(read_pairs("out/auto.jsonl"))
    assert [pair.id for pair in found] == [pair.id for pair in [*PAIRS[3:6], *NEW[:3]]]
    assert any(pair.alignments for pair in found) and whole["auto.jsonl"] != whole["old.jsonl"]


def test_gold_links_are_not_read(stage: Stage) -> None:
    """A fuller gold standard of the articles that are aligned changes nothing."""
    whole = stage()
    write_pairs("splits/tiny/test.jsonl", [replace(pair, alignments=()) for pair in PAIRS[3:6]])
    assert stage(out="again") == whole


def test_a_corpus_without_annotation_takes_anothers_aligner_and_dev(stage: Stage) -> None:
    found = stage("bare")
    assert stage("bare", "again") == found, "the same by the split above --splits"
    write_pairs("splits/bare/dev.jsonl", PAIRS[:3])
    assert stage("bare", "own") == found, "the same labelled pairs as dev of its own"
    assert [pair.id for pair in read_pairs("out/old.jsonl")] == [pair.id for pair in NEW]


def test_a_third_aligner_makes_own(stage: Stage) -> None:
    files = stage(own="frozen_crf")
    assert files["own.jsonl"] not in (files["auto.jsonl"], files["old.jsonl"])
    assert {name: files[name] for name in ("auto.jsonl", "old.jsonl")} == stage(out="again")


def test_the_papers_model_is_a_variant_of_the_corpus_aligner(tmp_path: Path) -> None:
    """New data are made by `neural_crf_paper` in every experiment that trains it, `own` by the aligner itself."""
    folders = {"auto": tmp_path / "aligner_variant" / "news" / "paper", "own": tmp_path / "aligner" / "news"}
    for folder in folders.values():
        folder.mkdir(parents=True)
        (folder / "aligner.json").write_text("{}")
    config = AutoAlignConfig(["unlabelled"], "neural_crf_paper", "neural_crf", "sample", "news")
    common = from_conf("word_vectors", WordVectorConfig), from_conf("aligner.encoder", EncoderConfig), tmp_path
    for kind, name in config.systems.items():
        spec = config.spec(name, load_system_config(name), *common)
        assert spec.model == folders[kind] and not spec.config.strategy.options
    for experiment in ("sample", "paper", "newsela", "wiki"):
        params = OmegaConf.create(compose([f"experiment={experiment}"]))
        made = {params.corpus[corpus].align.system for corpus in params.corpora if corpus != "generated"}
        assert made == {"neural_crf_paper"} and "paper" in params.aligner_variants


def test_a_trained_aligner_has_to_be_given(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage()
    given = [part for part in arguments(out="again") if "models" not in part]
    monkeypatch.setattr(sys, "argv", ["align", *given])
    with pytest.raises(SystemExit) as ended:
        align.main()
    assert ended.value.code == 2 and not Path("again").exists()


def test_nothing_to_align_gives_empty_files(stage: Stage) -> None:
    write_pairs("splits/bare/unlabelled.jsonl", [])
    assert stage("bare") == {"auto.jsonl": b"", "old.jsonl": b""}


class Killed(BaseException):
    """Stands for a kill in the middle of the work."""


SHARDS = ["test-00000.jsonl", "test-00001.jsonl", "unlabelled-00000.jsonl", "unlabelled-00001.jsonl"]


def watch(monkeypatch: pytest.MonkeyPatch, kill_after: int | None = None) -> list[str]:
    """The names of the shards that are aligned from now on; ends the work when there are so many."""
    names: list[str] = []

    def run(make: MakeWorker, shards: Sequence[Shard]) -> Iterator[tuple[Shard, str]]:
        for shard, answer in run_here(make, shards):
            if len(names) == kill_after:
                raise Killed
            names.append(shard.name)
            yield shard, answer

    monkeypatch.setattr(corpora, "run_here", run)
    return names


def test_goes_on_after_a_kill(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = stage()
    watch(monkeypatch, kill_after=6)
    with pytest.raises(Killed):
        stage(out="again")
    assert not Path("again/auto.jsonl").exists()
    Path("again/old.jsonl").unlink()  # as DVC does before it runs a stage again
    names = watch(monkeypatch)
    assert stage(out="again") == whole
    assert names == [*SHARDS, *SHARDS[2:]], "all of the old system, and what the new one had not yet"


def test_shards_of_another_aligner_are_not_used(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = stage()
    watch(monkeypatch, kill_after=6)
    with pytest.raises(Killed):
        stage(out="again")
    plan = Path("again/.auto.jsonl.partial/.work/plan.json")
    plan.write_text(plan.read_text().replace('"model": "', '"model": "0'), encoding="utf-8")
    names = watch(monkeypatch)
    assert stage(out="again") == whole
    assert names == [*SHARDS, *SHARDS]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda: Path("models/aligner/tiny").unlink(), "models/aligner/tiny: no aligner.json"),
        (lambda: write_pairs("splits/tiny/dev.jsonl", NEW), "splits/tiny/dev.jsonl: no labelled document pairs"),
        (lambda: Path("splits/bare/unlabelled.jsonl").unlink(), "splits/bare/unlabelled.jsonl: no such file"),
        (lambda: Path("splits/bare/train.jsonl").write_text("{"), "splits/bare/train.jsonl:1: not JSON"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(stage: Stage, change, message: str, capsys) -> None:
    change()
    with pytest.raises(SystemExit) as stopped:
        stage("bare")
    assert stopped.value.code == 2
    assert message in (error := capsys.readouterr().err) and len(error.splitlines()) == 1
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("execution", "message"),
    [
        ({"executor": "spark"}, "executor: 'spark' is none of local, ray"),
        ({"workers": 0}, "execution.workers: 0 is not 1 at least"),
        ({"shard_size": 0}, "execution.shard_size: 0 is not 1 at least"),
    ],
)
def test_bad_execution_is_named(stage: Stage, execution: dict, message: str, capsys) -> None:
    with pytest.raises(SystemExit):
        stage(**execution)
    assert message in capsys.readouterr().err


@pytest.mark.restart
def test_a_killed_stage_goes_on(stage: Stage, tmp_path: Path) -> None:
    """A kill that nothing can catch, in the middle of two processes' work."""
    write_pairs("splits/bare/unlabelled.jsonl", [replace(pair, id=f"{pair.id}-{k}") for k in range(40) for pair in NEW])
    whole = stage("bare", workers=2)
    write_params(tmp_path, workers=2)
    command = [sys.executable, "-m", "stages.align", *arguments("bare", "again")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL, start_new_session=True)
    folder = Path("again/.auto.jsonl.partial")
    while process.poll() is None and len(list(folder.glob("*.jsonl"))) < 3:
        pass
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert not Path("again/auto.jsonl").exists(), "killed in the middle of the work"
    assert stage("bare", "again", workers=2) == whole


@pytest.mark.slow
@pytest.mark.parametrize("executor", ["local", "ray"])
def test_every_executor_gives_the_same_bytes(stage: Stage, executor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if executor == "ray":
        pytest.importorskip("ray", reason="Ray is optional: requirements-ray.txt")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), *sys.path]))
    whole = stage()
    monkeypatch.setattr(corpora, "run_here", None)
    assert stage(out="many", executor=executor, workers=2) == whole
