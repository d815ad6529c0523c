"""Encoders that the files of a model name: used where they are on this machine, never asked for elsewhere."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import huggingface_hub
import pytest
from alignment_sample import RUNTIME
from typer.testing import CliRunner

from textsimp.alignment import fitted
from textsimp.alignment.neural.aligner import load_aligner
from textsimp.alignment.neural.aligner_settings import ALIGNER
from textsimp.alignment.parts import SYSTEM
from textsimp.cli.app import app
from textsimp.core.errors import InputError
from textsimp.core.model_folder import ModelKind
from textsimp.core.params import from_conf
from textsimp.core.pretrained import PACKAGED, encoder
from textsimp.simplification import rerank, simplifiers
from textsimp.simplification.interface import Runtime

NAME = "someone/private-encoder"
SHIPPED = next(iter(PACKAGED))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the hub is asked for; it has nothing."""
    names: list[str] = []

    def ask(_: object, name: str, **options: Any) -> None:
        names.append(name)
        raise OSError("nothing here")

    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", ask)
    return names


def copied(model: Path, folder: Path, file: str, kind: ModelKind) -> Path:
    """A copy of a model whose file names another encoder."""
    shutil.copytree(model, folder)
    text = (folder / file).read_text(encoding="utf-8")
    stored = json.loads(text)
    named = stored["config"]["encoder"] if file == "aligner.json" else None
    old = named["name"] if named else SHIPPED
    assert text.count(json.dumps(old)) == 1
    (folder / file).write_text(text.replace(json.dumps(old), json.dumps(NAME)), encoding="utf-8")
    kind.seal(folder)
    return folder


def align(model: Path) -> None:
    """What `align --model` says, raised."""
    texts = [model.parent / side for side in ("a", "b")]
    for path in texts:
        path.write_text("The bees make honey. They sleep.\n")
    result = CliRunner().invoke(app, ["align", *map(str, texts), str(model.parent / "out.tsv"), "--model", str(model)])
    assert result.exit_code == 2 and not (model.parent / "out.tsv").exists()
    raise InputError(result.stderr.strip())


def simplify(model: Path) -> None:
    simplifiers.load_simplifier_folder(model, Runtime("cpu", 1))


def check(folder: Path, file: str, load: Callable[[Path], object], asked: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        load(folder)
    assert "\n" not in str(caught.value)
    assert f"{folder / file}: names the encoder {NAME}, which is not on this machine" in str(caught.value)
    assert not asked


def test_of_a_saved_system(tmp_path: Path, asked: list[str]) -> None:
    folder = copied(fitted.DEFAULT, tmp_path / "model", "system.json", SYSTEM)
    check(folder, "system.json", align, asked)


def test_of_a_trained_aligner(tiny_aligner: Path, tmp_path: Path, asked: list[str]) -> None:
    folder = copied(tiny_aligner, tmp_path / "model", "aligner.json", ALIGNER)
    check(folder, "aligner.json", lambda model: load_aligner(model, RUNTIME), asked)


def test_of_rerank(tmp_path: Path, asked: list[str]) -> None:
    config = from_conf("simplifier.rerank", rerank.RerankConfig)
    record = {"config": {**vars(config), "search": vars(config.search)}}
    record["config"]["ranking"] = vars(replace(config.ranking, encoder=NAME))
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "model.json").write_text(json.dumps(record))
    simplifiers.MODEL.seal(tmp_path / "model")
    check(tmp_path / "model", "model.json", simplify, asked)


def test_a_name_of_the_user_is_asked_for(asked: list[str]) -> None:
    with pytest.raises(InputError, match=f"{NAME}: neither a local folder nor on the Hugging Face hub"):
        encoder(NAME)
    assert asked == [NAME]
