"""Encoders that the files of a model name: used where they are on this machine, never asked for elsewhere."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import huggingface_hub
import pytest
from alignment_sample import RUNTIME
from commands import refused, run

from textsimp.alignment import fitted
from textsimp.alignment.neural.aligner import load_aligner
from textsimp.alignment.neural.aligner_settings import ALIGNER
from textsimp.alignment.parts import SYSTEM
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


def copied(folder: Path, model: Path, file: str, kind: ModelKind) -> Path:
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
    """Raise what `align --model` says."""
    texts = [model.parent / side for side in ("a", "b")]
    for path in texts:
        path.write_text("The bees make honey. They sleep.\n")
    result = run("align", *texts, model.parent / "out.tsv", "--model", model)
    refused(result)
    assert not (model.parent / "out.tsv").exists()
    raise InputError(result.stderr.strip())


def rerank_folder(folder: Path) -> Path:
    config = from_conf("simplifier.rerank", rerank.RerankConfig)
    record = {"config": {**vars(config), "search": vars(config.search)}}
    record["config"]["ranking"] = vars(replace(config.ranking, encoder=NAME))
    folder.mkdir()
    (folder / "model.json").write_text(json.dumps(record))
    simplifiers.MODEL.seal(folder)
    return folder


def test_a_name_in_a_file_is_not_asked_for(tmp_path: Path, asked: list[str], tiny_aligner: Path) -> None:
    load_simplifier = partial(simplifiers.load_simplifier_folder, runtime=Runtime("cpu", 1))
    system, aligner = (fitted.DEFAULT, "system.json", SYSTEM), (tiny_aligner, "aligner.json", ALIGNER)
    cases: list[tuple[Path, str, Callable[[Path], object]]] = [
        (copied(tmp_path / "system", *system), "system.json", align),
        (copied(tmp_path / "aligner", *aligner), "aligner.json", partial(load_aligner, device=RUNTIME)),
        (rerank_folder(tmp_path / "rerank"), "model.json", load_simplifier),
    ]
    for folder, file, load in cases:
        with pytest.raises(InputError) as caught:
            load(folder)
        assert "\n" not in str(caught.value)
        assert f"{folder / file}: names the encoder {NAME}, which is not on this machine" in str(caught.value)
    assert not asked


def test_a_name_of_the_user_is_asked_for_and_not_fetched_if_too_large(
    asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match=f"{NAME}: neither a local folder nor on the Hugging Face hub"):
        encoder(NAME)
    assert asked == [NAME]
    rows = [SimpleNamespace(rfilename=name, size=9 << 30) for name in ("model.safetensors", "other.bin")]
    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", lambda *_, **options: SimpleNamespace(siblings=rows))
    with pytest.raises(InputError, match=f"{NAME}: its files have 9 GiB; name a BERT"):
        encoder(NAME)
