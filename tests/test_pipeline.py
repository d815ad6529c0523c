"""dvc.yaml: its generated parts are fresh, it names every path and parameter, and DVC reads it for each experiment."""

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf

from textsimp.params import compose

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import check_metrics  # noqa: E402
import refresh  # noqa: E402

TEXT = (ROOT / "dvc.yaml").read_text(encoding="utf-8")
STAGES = refresh.pipeline(TEXT)
CHAIN = ["acquire", "load_splits", "train_aligner", "evaluate_alignment", "align", "build_corpus", "binarize"]
CHAIN += ["train_simplifier", "simplify", "evaluate_simplification", "report"]


def test_generated_parts_are_fresh() -> None:
    assert [path.name for path in refresh.stale()] == [], "run `make refresh`"


def test_every_stage_is_there_and_described() -> None:
    assert [name for name in STAGES if name in CHAIN] == CHAIN
    for name, stage in STAGES.items():
        assert stage["desc"], name
        assert importlib.util.find_spec(refresh.module_of(stage)), name
    files = {path.stem for path in (ROOT / "stages").glob("*.py")} - {"__init__"}
    assert files == {refresh.module_of(stage).split(".")[1] for stage in STAGES.values()}


def outputs(stage: dict[str, Any]) -> list[str]:
    return [refresh.path_of(out) for kind in ("outs", "metrics", "plots") for out in stage.get(kind, [])]


@pytest.mark.parametrize("name", STAGES)
def test_every_path_of_a_command_is_declared(name: str) -> None:
    """A path that a stage reads or writes is a dep or out, holds some of them, or lies in one."""
    stage = STAGES[name]
    declared = [*stage["deps"], *outputs(stage)]
    for path in re.findall(r"--(?!variant)\S+ (\S+)", stage["cmd"]):
        assert any(f"{one}/".startswith(f"{path}/") or path.startswith(f"{one}/") for one in declared), path


@pytest.mark.parametrize("name", STAGES)
def test_every_output_has_one_place(name: str) -> None:
    """Reports are in Git, everything else in DVC's cache and ignored by Git."""
    stage = STAGES[name]
    found = [out for kind in ("outs", "metrics", "plots") for out in stage.get(kind, [])]
    for path, in_cache in ((refresh.path_of(out), isinstance(out, str)) for out in found):
        assert in_cache != path.startswith("reports/"), path
        assert path.startswith(("data/", "models/", "reports/")), path


@pytest.mark.parametrize("experiment", ["sample", "published", "public", "paper"])
def test_every_parameter_exists_and_none_is_runtime(experiment: str) -> None:
    params = OmegaConf.create(compose([f"experiment={experiment}"]))
    for name, stage in STAGES.items():
        matrix = {key: params[names[2:-1]] for key, names in stage.get("matrix", {}).items()}
        for key in stage.get("params", []):
            assert not key.startswith("runtime"), f"{name}: runtime changes speed only and invalidates nothing"
            for resolved in filled(key, matrix):
                assert OmegaConf.select(params, resolved, default=name) != name, f"{name}: {resolved}"


def test_every_corpus_is_aligned_by_one_that_is_annotated() -> None:
    for experiment in ("sample", "public", "paper"):
        params = OmegaConf.create(compose([f"experiment={experiment}"]))
        assert set(params.annotated_corpora) | set(params.simplification_corpora) <= set(params.corpora)
        assert {params.corpus[name].align.aligner for name in params.corpora} <= set(params.annotated_corpora)


def filled(text: str, matrix: dict[str, list[str]]) -> list[str]:
    """A text of dvc.yaml with each value of the one matrix key that it names."""
    found = re.search(r"\$\{item\.(\w+)\}", text)
    return [text.replace(found[0], value) for value in matrix[found[1]]] if found else [text]


def test_dvc_is_silent_and_composes_from_conf() -> None:
    config = (ROOT / ".dvc" / "config").read_text(encoding="utf-8")
    assert {"analytics = false", "check_update = false", "enabled = true"} <= set(map(str.strip, config.splitlines()))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A Git repository with the pipeline's files and nothing that it computes."""
    for name in ("dvc.yaml", ".dvcignore", ".gitignore", "data/corpora/.gitignore", "data/outputs/.gitignore"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / ".dvc").mkdir()
    shutil.copy(ROOT / ".dvc" / "config", tmp_path / ".dvc" / "config")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    return tmp_path


@pytest.mark.parametrize(
    ("experiment", "stages"),
    [
        ("sample", ["train_simplifier@sample_wiki-old-editnts", "evaluate_alignment@sample_news"]),
        ("published", ["score_published@jiang2020", "score_published@leaderboard"]),
        ("public", ["audit@onestop", "evaluate_paragraphs@onestop", "evaluate_alignment@public_wiki"]),
    ],
)
def test_dvc_reads_it_and_the_report_comes_last(experiment: str, stages: list[str], repository: Path) -> None:
    """An experiment without corpora leaves every matrix over them empty, which DVC has to accept."""
    (repository / "params.yaml").write_text(compose([f"experiment={experiment}"]), encoding="utf-8")
    command = [sys.executable, "-m", "dvc", "dag", "--dot"]
    graph = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=True).stdout
    edges = re.findall(r'"(\S+)" -> "(\S+)"', graph)
    assert {(stage, "report") for stage in stages} <= set(edges)
    assert "report" not in {before for before, _ in edges}


COMMITTED = {
    "alignment": {"test": {"jaccard": {"task1": {"f1": 80.0}}, "neural_crf": {"task1": {"f1": 94.0}}}},
    "corpora": {"manual": {"aligned": 500}, "auto": {"statistics": {"aligned": 1000}}},
    "simplification": {
        "signatures": {"sari": "SARI|version:1"},
        "test_sets": {"multi_reference": {"none": {"identity": {"sari": 20.5}}, "auto": {"lstm": {"sari": 30.0}}}},
    },
}


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("alignment.test.jaccard.task1.f1", 80.0 + 1e-12, None),
        ("alignment.test.jaccard.task1.f1", 80.1, "jaccard.task1.f1: committed 80.0, now 80.1; expected exactly"),
        ("alignment.test.neural_crf.task1.f1", 92.0, None),
        ("alignment.test.neural_crf.task1.f1", 125.0, "crf.task1.f1: committed 94.0, now 125.0; expected within 30"),
        ("alignment.test.neural_crf.task1.f1", 85.0, "crf.task1.f1: 85.0; at least 86.0 is expected on any machine"),
        ("corpora.manual.aligned", 501, "manual.aligned: committed 500"),
        ("corpora.auto.statistics.aligned", 750, None),
        ("corpora.auto.statistics.aligned", 600, "auto.statistics.aligned: committed 1000"),
        ("simplification.signatures.sari", "SARI|version:2", "signatures.sari: committed"),
        ("simplification.test_sets.multi_reference.none.identity.sari", 20.6, "identity.sari: committed"),
        ("simplification.test_sets.multi_reference.auto.lstm.sari", 20.0, None),
        ("simplification.test_sets.multi_reference.auto.lstm.sari", 15.0, "auto.lstm.sari: committed"),
        ("simplification.test_sets.multi_reference.auto.more", 1.0, "auto.more: not committed"),
    ],
)
def test_metrics_are_compared(key: str, value: Any, problem: str | None) -> None:
    fresh = OmegaConf.create(COMMITTED)
    OmegaConf.update(fresh, key, value, force_add=True)
    problems = check_metrics.compare(*(flat(tree) for tree in (COMMITTED, OmegaConf.to_object(fresh))))
    assert len(problems) == (problem is not None)
    assert problem is None or problem in problems[0]


def flat(tree: dict[str, Any]) -> dict[str, Any]:
    """The leaves of each kind of metrics, as of a file for one corpus."""
    files = {f"{kind}/sample_wiki.json:": value for kind, value in tree.items()}
    return {place: leaf for file, value in files.items() for place, leaf in check_metrics.leaves(value, file)}
