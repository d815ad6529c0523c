"""Encoders of strangers: folders that ask for code, hold pickles, are damaged, or contradict themselves."""

import json
import os
import pickle
import shutil
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from alignment_sample import write_bert

from textsimp.alignment.neural.bert import PairEncoder, SentenceEncoder
from textsimp.core.checkpoint import PAIR_ENCODER
from textsimp.core.errors import InputError
from textsimp.core.frozen_encoder import FrozenEncoder

HUGE = 10**12
TEXTS = ["the otter sleeps ."]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_bert(tmp_path_factory.mktemp("bert"))


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    """A copy to damage."""
    return Path(shutil.copytree(whole, tmp_path / "copy"))


def change(folder: Path, file: str, **values: Any) -> None:
    stored = json.loads((folder / file).read_text())
    (folder / file).write_text(json.dumps(stored | values))


def refusal(folder: Path, *kinds: type[Any]) -> str:
    """What the encoders say of a folder, each in one line that names the place and what to do."""
    text = ""
    for kind in kinds or (FrozenEncoder, SentenceEncoder):
        with pytest.raises(InputError) as caught:
            kind(str(folder), 48, "cpu", 4)
        text = str(caught.value)
        assert text.startswith(str(folder)) and "\n" not in text and "; " in text and len(text) < 600
    return text


def test_what_a_folder_asks_for_is_not_done(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its code does not run, nobody is asked, and the embeddings are as without it."""
    before = SentenceEncoder(str(folder), 48, "cpu", 4).embed(TEXTS), FrozenEncoder(folder, 48, "cpu", 4).vectors(TEXTS)
    (folder / "spy.py").write_text(f"import os; os.mkdir({str(tmp_path / 'ran')!r})\nclass Spy: pass")
    maps = {"AutoConfig": "spy.Spy", "AutoModel": "spy.Spy", "AutoTokenizer": ["spy.Spy", "spy.Spy"]}
    for file in ("config.json", "tokenizer_config.json"):
        change(folder, file, auto_map=maps)
    change(folder, "config.json", _name_or_path="/etc", custom_code=True)
    cut = {"max_length": 3, "strategy": "LongestFirst", "stride": 0, "direction": "Right"}
    change(folder, "tokenizer.json", truncation=cut)
    token = {"__type": "AddedToken", "content": "[CLS]", **dict.fromkeys(("lstrip", "rstrip", "normalized"), False)}
    change(folder, "tokenizer_config.json", chat_template="{{ x }}", cls_token=token)
    monkeypatch.setattr("builtins.input", lambda *asked: pytest.fail("asked"))
    after = SentenceEncoder(str(folder), 48, "cpu", 4).embed(TEXTS), FrozenEncoder(folder, 48, "cpu", 4).vectors(TEXTS)
    assert all(map(np.array_equal, before, after)) and not (tmp_path / "ran").exists()


def test_a_pickle_is_not_read(folder: Path, tmp_path: Path) -> None:
    class Spy:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(tmp_path / "ran"),)

    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Spy()))
    assert "model.safetensors: no such file; give the weights as one file of safetensors" in refusal(folder)
    assert not (tmp_path / "ran").exists()


_UNUSABLE = "not a BERT checkpoint that can be used"
WORD_PIECES: dict[str, Any] = {"type": "WordPiece", "vocab": {"a": 1}}
VALUES: list[tuple[str, dict[str, Any], str]] = [
    ("config.json", {"model_type": "llama"}, "model_type: 'llama' is none of bert"),
    ("config.json", {"hidden_size": HUGE}, "hidden_size: 1000000000000 should be less than or equal to"),
    ("config.json", {"hidden_size": 64}, "has shape (37, 32) where config.json asks for (37, 64)"),
    ("config.json", {"num_attention_heads": 5}, "no multiple"),
    ("config.json", {"hidden_act": "os.system"}, "hidden_act: 'os.system'"),
    ("config.json", {"is_decoder": True}, "is_decoder: True"),
    ("config.json", {"_attn_implementation": "somebody/kernel"}, "_attn_implementation is set"),
    ("tokenizer.json", {"model": {**WORD_PIECES, "vocab": {"a": 37}}}, _UNUSABLE),
    ("tokenizer.json", {"pre_tokenizer": 7}, _UNUSABLE),
    ("tokenizer_config.json", {"cls_token": "missing"}, _UNUSABLE),
]


@pytest.mark.parametrize(("file", "values", "message"), VALUES)
def test_values_out_of_sense(file: str, values: dict[str, Any], message: str, folder: Path) -> None:
    if file == "tokenizer.json":
        (folder / "vocab.txt").unlink()
    change(folder, file, **values)
    assert message in refusal(folder)


def test_damaged_files_are_named(folder: Path, whole: Path) -> None:
    weights = (whole / "model.safetensors").read_bytes()
    for data in (struct.pack("<Q", 1 << 62) + weights[8:], weights[:-1], b""):
        (folder / "model.safetensors").write_bytes(data)
        assert refusal(folder).startswith(f"{folder / 'model.safetensors'}: no readable weights (")
    shutil.copy(whole / "model.safetensors", folder)
    (folder / "tokenizer.json").write_text("{")
    refusal(folder)
    (folder / "tokenizer.json").unlink()
    with (folder / "vocab.txt").open("a") as file:
        file.write("one\nmore\n")
    assert "has pieces that its weights have not" in refusal(folder)
    (folder / "config.json").write_text("[]")
    assert refusal(folder).startswith(f"{folder / 'config.json'}:")
    (folder / "adapter_config.json").write_text("{}")
    assert "adapter_config.json: an adapter, no whole model" in refusal(folder)


def test_a_length_beyond_the_positions_is_cut(whole: Path) -> None:
    encoder = SentenceEncoder(str(whole), 512, "cpu", 4)
    assert encoder.max_length == 64
    assert np.isfinite(encoder.embed(["otter " * 300])).all()
    assert PairEncoder(whole, 512, "cpu", 4).log_probabilities([("otter " * 300, "vole " * 300)]).shape == (1, 3)


def test_a_fine_tuned_encoder_has_a_manifest(whole: Path, tmp_path: Path) -> None:
    with PAIR_ENCODER.written(tmp_path / "tuned") as target:
        PairEncoder(whole, 48, "cpu", 4).save(target)
    PairEncoder(tmp_path / "tuned", 48, "cpu", 4)
    (tmp_path / "tuned" / "extra.txt").write_text("x")
    with pytest.raises(InputError, match=r"changed after it was written: extra\.txt is not one of its files"):
        PairEncoder(tmp_path / "tuned", 48, "cpu", 4)


def test_another_number_of_classes(folder: Path) -> None:
    from transformers import BertConfig, BertForSequenceClassification

    BertForSequenceClassification(BertConfig.from_pretrained(folder, num_labels=5)).save_pretrained(folder)
    assert _UNUSABLE in refusal(folder, PairEncoder)
