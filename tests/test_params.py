"""The configuration: every YAML of conf/ composes and loads, params.yaml is its composition, bad keys are named."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from dvc.utils.hydra import compose_and_dump
from omegaconf import OmegaConf

from textsimp.alignment.auto import AutoAlignConfig
from textsimp.alignment.neural.config import AlignerConfig, RuntimeConfig
from textsimp.alignment.system_config import SystemConfig
from textsimp.alignment.vectors import WordVectorConfig
from textsimp.corpora.config import BuildConfig
from textsimp.errors import InputError
from textsimp.metrics.alignment_significance import SignificanceConfig
from textsimp.metrics.analysis.config import AnalysisConfig
from textsimp.metrics.leaderboard_config import LeaderboardConfig
from textsimp.metrics.simplification import EvaluationConfig
from textsimp.params import compose, load_params, select, select_list
from textsimp.reporting.config import ReportConfig
from textsimp.simplification.simplifiers import load_simplifier
from textsimp.sources.config import SourceConfig, SourcesConfig
from textsimp.sources.dumps.config import DumpConfig

ROOT = Path(__file__).resolve().parent.parent
DEFAULT = "sample"
EXPERIMENTS = sorted(path.stem for path in (ROOT / "conf" / "experiment").glob("*.yaml"))
SECTIONS = {"sources": SourcesConfig, "aligner": AlignerConfig, "evaluation": EvaluationConfig}
SECTIONS |= {"word_vectors": WordVectorConfig, "significance": SignificanceConfig}
SECTIONS |= {"dumps": DumpConfig, "leaderboard": LeaderboardConfig, "analysis": AnalysisConfig}
SECTIONS |= {"report": ReportConfig, "runtime": RuntimeConfig}
NAMED = {
    "corpus": {"source": SourceConfig, "align": AutoAlignConfig, "build": BuildConfig},
    "alignment_system": {"": SystemConfig},
}


def alternatives(group: str) -> list[Path]:
    """The files of a group that can be chosen; those with a line before their name are parts of others."""
    return sorted((ROOT / "conf" / group).glob("[!_]*.yaml"))


def write(folder: Path, text: str) -> Path:
    path = folder / "params.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False).stdout


def test_params_yaml_is_the_composition_of_conf() -> None:
    experiment = str(select("experiment", ROOT / "params.yaml"))
    committed = OmegaConf.load(ROOT / "params.yaml")
    composed = OmegaConf.create(compose([f"experiment={experiment}"]))
    assert committed == composed, f"run `make params EXPERIMENT={experiment}`"


def test_the_committed_experiment_is_the_default() -> None:
    committed = git("show", "HEAD:params.yaml")
    if not committed:
        pytest.skip("params.yaml is not committed yet")
    assert OmegaConf.create(committed).experiment == DEFAULT


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_every_experiment_composes_and_loads(experiment: str, tmp_path: Path) -> None:
    path = write(tmp_path, compose([f"experiment={experiment}"]))
    assert str(select("experiment", path)) == experiment
    for section, kind in SECTIONS.items():
        load_params(section, kind, path)
    for group, parts in NAMED.items():
        for name in select(group, path):
            for part, kind in parts.items():
                load_params(".".join(filter(None, (group, name, part))), kind, path)
    for name in select("simplifier", path):
        load_simplifier(name, path)
    chosen = {"corpora": "corpus", "simplifiers": "simplifier", "alignment_systems": "alignment_system"}
    chosen |= {"trained_systems": "alignment_system", "aligner_variants": "aligner_variant"}
    for names, group in (chosen | {"published": "sources.published"}).items():
        assert set(select_list(names, path)) <= set(select(group, path)), f"{names} names what {group} does not hold"
    sources = load_params("sources", SourcesConfig, path)
    needed = {release for name in select_list("published", path) for release in sources.published[name]}
    for name in select_list("corpora", path):
        needed |= set(load_params(f"corpus.{name}.source", SourceConfig, path).releases)
    assert needed == set(sources.releases), "override /sources in the experiment: the releases that it needs, no other"


@pytest.mark.parametrize("file", alternatives("simplifier"), ids=lambda path: path.stem)
def test_every_simplifier_loads(file: Path, tmp_path: Path) -> None:
    load_simplifier("any", write(tmp_path, OmegaConf.to_yaml({"simplifier": {"any": OmegaConf.load(file)}})))


def test_every_aligner_loads_with_every_variant(tmp_path: Path) -> None:
    variants = OmegaConf.load(ROOT / "conf" / "aligner_variant" / "default.yaml")
    for file in alternatives("aligner"):
        path = write(tmp_path, OmegaConf.to_yaml({"any": OmegaConf.load(file), "variant": variants}))
        aligner = load_params("any", AlignerConfig, path)
        changed = [load_params("any", AlignerConfig, path, changes=f"variant.{name}") for name in variants]
        assert all(one.encoder == aligner.encoder for one in changed), "a variant shares the encoder's scores"
        assert any(one != aligner for one in changed)


def test_every_alignment_system_is_composed() -> None:
    """Else an override such as `alignment_systems=[NAME]` would not find it."""
    composed = set(OmegaConf.create(compose([])).alignment_system)
    assert composed == {path.stem for path in alternatives("alignment_system")}


def test_dvc_composes_the_same_text(tmp_path: Path) -> None:
    """`dvc exp run` writes params.yaml itself: with other text, every experiment would begin with a difference."""
    target = tmp_path / "params.yaml"
    compose_and_dump(target, str(ROOT / "conf"), None, "config", str(tmp_path), ["aligner.crf.epochs=3"])
    assert target.read_text(encoding="utf-8") == compose(["aligner.crf.epochs=3"])


def test_composition_names_what_does_not_exist() -> None:
    with pytest.raises(InputError, match="conf: .*nonsense"):
        compose(["experiment=nonsense"])
    with pytest.raises(InputError, match=r"conf: .*no_such_key"):
        compose(["aligner.no_such_key=1"])


def changed(key: str, value: Any) -> str:
    tree = OmegaConf.create(compose([]))
    if value is None:
        parent, _, last = key.rpartition(".")
        del OmegaConf.select(tree, parent)[last]
    else:
        OmegaConf.update(tree, key, value, force_add=True)
    return OmegaConf.to_yaml(tree)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("aligner.encoder.epoch", 3, "epoch"),
        ("aligner.encoder.epochs", None, "aligner.*encoder.epochs.* missing"),
        ("aligner.encoder.epochs", "many", "aligner.encoder.epochs: .*many"),
        ("aligner.encoder.epochs", 2.5, "aligner.encoder.epochs: .*2.5"),
        ("aligner.emission.features", "encoder", "aligner.emission.features: "),
        ("aligner.crf", 1, "aligner.crf: "),
    ],
    ids=["unknown", "missing", "text for number", "fraction for count", "text for list", "number for section"],
)
def test_a_wrong_key_is_named(key: str, value: Any, said: str, tmp_path: Path) -> None:
    path = write(tmp_path, changed(key, value))
    with pytest.raises(InputError, match=f"{path}: .*{said}"):
        load_params("aligner", AlignerConfig, path)


def test_small_numbers_stay_numbers(tmp_path: Path) -> None:
    """PyYAML reads 2e-5 as text; params.yaml is written and read by OmegaConf."""
    path = write(tmp_path, compose(["aligner.encoder.learning_rate=2e-5"]))
    assert load_params("aligner", AlignerConfig, path).encoder.learning_rate == 2e-5


@pytest.mark.parametrize(
    ("text", "said"),
    [("a: [1", "not YAML"), ("corpora: []\n", "corpus.sample_wiki.source: missing"), (None, "no such file")],
)
def test_a_stage_says_one_line_and_writes_nothing(text: str | None, said: str, tmp_path: Path) -> None:
    if text is not None:
        write(tmp_path, text)
    command = [sys.executable, "-m", "stages.load_splits", "sample_wiki", "--raw", "raw", "--out", "out"]
    environment = {"PYTHONPATH": str(ROOT), "PATH": ""}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and said in done.stderr and done.stderr.startswith("error: params.yaml: ")
    assert not (tmp_path / "out").exists()
