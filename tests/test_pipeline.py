"""dvc.yaml: its generated parts are fresh, it names every path and parameter, and DVC reads it for each experiment."""

import ast
import hashlib
import importlib.util
import itertools
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from composition_sample import composed, composed_values
from omegaconf import OmegaConf
from project_copy import locked_outputs
from project_imports import import_closure

from tools import refresh
from tools.check_metrics import FOLDERS
from tools.pages import stale
from tools.refresh import outputs

ROOT = Path(__file__).resolve().parent.parent
STAGES = refresh.pipeline()
CHAIN = ["acquire", "load_splits", "train_aligner", "evaluate_alignment", "align", "build_corpus", "binarize"]
CHAIN += ["train_simplifier", "simplify", "evaluate_simplification", "report"]


def module_of(stage: dict[str, Any]) -> str:
    """The module that a stage runs."""
    return stage["cmd"].split()[2]


def test_generated_parts_are_fresh() -> None:
    assert stale(refresh.fresh()) == [], "run `make refresh`"


def test_the_code_of_a_stage_is_among_its_dependencies() -> None:
    """Everything that its module reaches lies in a folder or file that dvc.yaml names, and nothing is named in vain."""
    for name, stage in STAGES.items():
        code = [path for path in stage["deps"] if path.startswith(("stages/", "textsimp/"))]
        files = [file for file in import_closure(module_of(stage)) if not only_a_docstring(file)]
        assert all((ROOT / path).exists() for path in code), name
        missing = [file for file in files if not any(f"{file}/".startswith(f"{path}/") for path in code)]
        assert missing == [], f"{name}: add them, or their folders, to its deps"
        unused = [path for path in code if not any(f"{file}/".startswith(f"{path}/") for file in files)]
        assert unused == [], f"{name}: it reaches nothing in them"


@cache
def only_a_docstring(file: str) -> bool:
    """Whether a file is the public API, which no stage asks for a name, or the page that introduces a package."""
    body = ast.parse((ROOT / file).read_text(encoding="utf-8")).body
    return file in ("textsimp/__init__.py", "stages/__init__.py") or (len(body) == 1 and isinstance(body[0], ast.Expr))


TRAINING = ("train_encoder", "train_aligner", "train_aligner_variant", "train_system", "train_simplifier")


def code_outside(name: str, *folders: str) -> bool:
    """Whether no dependency of a stage holds one of the folders, or lies in one."""
    deps = STAGES[name]["deps"]
    return not any(f"{a}/".startswith(f"{b}/") for path in deps for f in folders for a, b in ((path, f), (f, path)))


def test_a_change_reruns_only_what_it_may_change() -> None:
    """Of the report only the report, of evaluation no training, of a new similarity or corpus filter no encoder."""
    assert [name for name in STAGES if not code_outside(name, "textsimp/reporting")] == ["report"]
    for name in TRAINING:
        assert code_outside(name, "textsimp/evaluation", "textsimp/reporting", "textsimp/extras", "textsimp/cli"), name
    for name in TRAINING[:3]:
        assert code_outside(name, "textsimp/alignment/similarity", "textsimp/alignment/strategies"), name
        assert code_outside(name, "textsimp/corpora", "textsimp/simplification", "textsimp/sources"), name


def test_what_needs_no_trained_aligner_waits_for_none() -> None:
    shipped, trained = STAGES["align_shipped"], STAGES["align"]
    others = [path for path in trained["deps"] if path not in shipped["deps"]]
    assert others == ["models/aligner", "models/aligner_variant"]
    assert outputs(shipped) == outputs(trained)


def test_every_stage_is_there_and_described() -> None:
    assert [name for name in STAGES if name in CHAIN] == CHAIN
    for name, stage in STAGES.items():
        assert stage["desc"], name
        assert importlib.util.find_spec(module_of(stage)), name
    files = {path.stem for path in (ROOT / "stages").glob("*.py")} - {"__init__"}
    assert files == {module_of(stage).split(".")[1] for stage in STAGES.values()}


def test_every_path_of_a_command_is_declared() -> None:
    """A path that a stage reads or writes is a dep or out, holds some of them, or lies in one."""
    for stage in STAGES.values():
        declared = [*stage["deps"], *outputs(stage)]
        for path in re.findall(r"--(?!variant)\S+ (\S+)", stage["cmd"]):
            assert any(f"{one}/".startswith(f"{path}/") or path.startswith(f"{one}/") for one in declared), path


def test_every_output_has_one_place() -> None:
    """What Git ignores is in DVC's cache, and the other way round; Git has the small numbers of reports/ alone."""
    kinds = ("outs", "metrics", "plots")
    outs = [out for stage in STAGES.values() for kind in kinds for out in stage.get(kind, [])]
    cached = {re.sub(r"\$\{item\.\w+\}", "X", refresh.path_of(out)): options_of(out).get("cache", True) for out in outs}
    command = ["git", "check-ignore", "--no-index", "--stdin"]
    done = subprocess.run(command, cwd=ROOT, input="\n".join(cached), capture_output=True, text=True, check=False)
    ignored = set(done.stdout.split("\n"))
    assert {path: path in ignored for path in cached} == cached
    in_git = {path.rpartition("/")[0] for path, cache in cached.items() if not cache}
    assert in_git <= {"reports", "reports/corpora", "reports/headline", "reports/metrics", "reports/training"}


def test_the_committed_numbers_are_those_of_the_committed_run() -> None:
    """A number that no stage of dvc.lock wrote, or wrote otherwise, is one that a clean run will not have."""
    written = locked_outputs()
    folders = [f"reports/{name}" for name in (*FOLDERS, "headline", "training")]
    command = ["git", "ls-files", "--", *folders, "reports/results.md"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    files = [name for name in listed if not name.endswith(".gitkeep") and "/experiments/" not in name]
    committed = {name: hashlib.md5((ROOT / name).read_bytes()).hexdigest() for name in files}
    assert committed and committed == {name: written.get(name) for name in committed}


def options_of(out: str | dict[str, Any]) -> dict[str, Any]:
    """The options of an output."""
    return {} if isinstance(out, str) else next(iter(out.values()))


@pytest.mark.parametrize("experiment", ["sample", "smoke", "published", "public", "public_equal", "paper"])
def test_every_parameter_exists_and_none_is_runtime(experiment: str) -> None:
    params = composed_values(f"experiment={experiment}")
    for name, stage in STAGES.items():
        matrix = {key: params[names[2:-1]] for key, names in stage.get("matrix", {}).items()}
        for key in stage.get("params", []) if all(matrix.values()) else []:
            key = key.replace("${old_system}", params.old_system)
            assert not key.startswith("runtime"), f"{name}: runtime changes speed only and invalidates nothing"
            for resolved in filled(key, matrix):
                assert OmegaConf.select(params, resolved, default=name) != name, f"{name}: {resolved}"


def stages_of(params: dict[str, Any]) -> list[str]:
    """The stages of an experiment as DVC names them."""
    matrices = {name: [params[key[2:-1]] for key in stage.get("matrix", {}).values()] for name, stage in STAGES.items()}
    names = [(name, item) for name, matrix in matrices.items() for item in itertools.product(*matrix)]
    return [f"{name}@{'-'.join(item)}" if item else name for name, item in names]


def test_smoke_is_the_default_experiment_made_small() -> None:
    smoke, sample = composed_values("experiment=smoke"), composed_values()
    kinds = [{name.split("@")[0] for name in stages_of(params)} for params in (smoke, sample)]
    assert kinds[0] == kinds[1]
    updates = [smoke["simplifier"][name]["max_updates"] for name in smoke["simplifiers"]]
    assert max(updates) <= 5 and smoke["aligner"]["encoder"]["max_steps"] <= 5


def test_what_ci_runs_again_exists() -> None:
    text = (ROOT / "tools" / "verify.sh").read_text(encoding="utf-8")
    named, stages = re.findall(r"\w+@\w+", text), stages_of(composed_values())
    assert len(named) == 4 and [name for name in named if name not in stages] == []
    published = re.findall(r"published=\[(.+)\]", text)[0].split(",")
    assert set(published) < set(composed_values("experiment=published").published)


def test_a_corrected_label_reruns_the_report_alone() -> None:
    """Only the report depends on what systems are printed as (that nothing else changes: test_params.py)."""
    readers = [name for name, stage in STAGES.items() if any(key.startswith("labels") for key in stage["params"])]
    assert readers == ["report"]


def test_every_corpus_is_aligned_by_one_that_is_annotated() -> None:
    for experiment in ("sample", "public", "paper"):
        params = composed_values(f"experiment={experiment}")
        assert set(params.annotated_corpora) | set(params.simplification_corpora) <= set(params.corpora)
        assert {params.corpus[name].align.aligner for name in params.corpora} <= set(params.annotated_corpora)


def filled(text: str, matrix: dict[str, list[str]]) -> list[str]:
    """A text of dvc.yaml with each value of the one matrix key that it names."""
    found = re.search(r"\$\{item\.(\w+)\}", text)
    return [text.replace(found[0], value) for value in matrix[found[1]]] if found else [text]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A Git repository with the pipeline's files and nothing that it computes."""
    folders = (f"{folder}/.gitignore" for folder in ("data/corpora", "data/outputs", "models/aligner"))
    for name in ("dvc.yaml", ".dvcignore", ".gitignore", *folders):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / ".dvc").mkdir()
    shutil.copy(ROOT / ".dvc" / "config", tmp_path / ".dvc" / "config")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    return tmp_path


@pytest.mark.parametrize(
    ("experiment", "stages"),
    [
        ("sample", ["evaluate_simplification@generated", "evaluate_alignment@sample_news"]),
        ("published", ["score_published@jiang2020", "score_published@leaderboard"]),
        ("public", ["audit@onestop", "evaluate_paragraphs@onestop", "evaluate_alignment@public_wiki"]),
    ],
)
def test_dvc_reads_it_and_the_report_comes_last(experiment: str, stages: list[str], repository: Path) -> None:
    """An experiment without corpora leaves every matrix over them empty, which DVC has to accept."""
    (repository / "params.yaml").write_text(composed(f"experiment={experiment}"), encoding="utf-8")
    command = [sys.executable, "-m", "dvc", "dag", "--dot"]
    settings = (repository / ".dvc" / "config").read_text(encoding="utf-8").split("\n")
    assert {"analytics = false", "check_update = false", "enabled = true"} <= set(map(str.strip, settings))
    graph = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=True).stdout
    edges = re.findall(r'"(\S+)" -> "(\S+)"', graph)
    assert {(stage, "report") for stage in stages} <= set(edges)
    assert "report" not in {before for before, _ in edges}
