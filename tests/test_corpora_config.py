"""The keys `corpus.NAME.build`: wrong values are named, and the committed files load."""

import re
from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf

from textsimp.corpora.config import BuildConfig
from textsimp.errors import InputError
from textsimp.params import load_params


def load_changed(root: Path, folder: Path, changes: dict[str, Any], without: str | None = None) -> BuildConfig:
    """The sample's configuration with some keys changed or one taken out, through params.yaml."""
    values = OmegaConf.to_container(OmegaConf.load(root / "conf" / "corpus" / "sample_news.yaml"))["build"]
    values.update(changes)
    values.pop(without, None)
    text = OmegaConf.to_yaml(OmegaConf.create({"corpus": {"toy": {"build": values}}}))
    (folder / "params.yaml").write_text(text, encoding="utf-8")
    return load_params("corpus.toy.build", BuildConfig, folder / "params.yaml")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("join", "word"),
        ("filters", ["levels", "bleeu"]),
        ("filters", ["levels", "levels"]),
        ("benchmarks", {"x": "none"}),
        ("benchmarks", {"x": "turk", "y": "turk"}),
        ("dev_pairs", 0),
        ("dev_reference", "second"),
        ("min_tokens", -1),
        ("min_tokens", "four"),
        ("bleu_low", 0.95),
        ("dev_fraction", 0.0),
        ("excluded_levels", ["0>1"]),
        ("one_sentence_patterns", ["(a"]),
        ("one_sentence_similarity", 1.5),
        ("unknown_key", 1),
    ],
)
def test_wrong_values_are_named(root: Path, tmp_path: Path, key: str, value: Any) -> None:
    with pytest.raises(InputError, match=re.escape(key)):
        load_changed(root, tmp_path, {key: value})


def test_shares_leave_something_for_training(root: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="below 1 together"):
        load_changed(root, tmp_path, {"dev_fraction": 0.5, "test_fraction": 0.5})


def test_missing_key_is_named(root: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"corpus\.toy\.build\.seed: missing"):
        load_changed(root, tmp_path, {}, without="seed")


def test_committed_configurations_load(root: Path) -> None:
    paths = [path for path in sorted((root / "conf" / "corpus").glob("*.yaml")) if "build" in OmegaConf.load(path)]
    assert {"sample_news", "sample_wiki"} <= {path.stem for path in paths}
    for path in paths:
        assert isinstance(load_params("build", BuildConfig, path), BuildConfig)
