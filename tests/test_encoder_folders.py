"""Encoders of strangers: folders that ask for code, hold pickles, are damaged, or contradict themselves."""

import json
import os
import pickle
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from alignment_sample import write_bert

from textsimp.alignment.neural.bert import PairEncoder, SentenceEncoder
from textsimp.core.checkpoint import FILES, PAIR_ENCODER, Checkpoint
from textsimp.core.errors import InputError

HUGE = 10**12


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


def refusal(folder: Path) -> str:
    with pytest.raises(InputError) as caught:
        SentenceEncoder(str(folder), 48, "cpu", 4)
    text = str(caught.value)
    assert text.startswith(str(folder)) and "\n" not in text and "; " in text and len(text) < 600
    return text


SPY = """
import pathlib
pathlib.Path(r"{mark}").write_text("ran")
class BertTokenizer: pass
class BertModel: pass
class BertConfig: pass
"""
MAPS = {
    "config.json": {"AutoConfig": "spy.BertConfig", "AutoModel": "spy.BertModel"},
    "tokenizer_config.json": {"AutoTokenizer": ["spy.BertTokenizer", "spy.BertTokenizer"]},
    "tokenizer.json": {"AutoTokenizer": "spy.BertTokenizer"},
}


@pytest.mark.parametrize("file", MAPS)
def test_code_of_a_folder_never_runs(file: str, folder: Path, tmp_path: Path) -> None:
    """In a process of its own, with `yes` at its terminal: nobody is asked, and the module's file is not there."""
    (folder / "spy.py").write_text(SPY.format(mark=tmp_path / "ran"))
    change(folder, file, auto_map=MAPS[file])
    code = f"from textsimp.alignment.neural.bert import SentenceEncoder; SentenceEncoder({str(folder)!r}, 48, 'cpu', 4)"
    done = subprocess.run([sys.executable, "-c", code], input="y\ny\n", capture_output=True, text=True, check=False)
    assert f"{folder / file}: asks for code of its own (auto_map), which is never run" in done.stderr
    assert "y/N" not in done.stdout + done.stderr
    assert not (tmp_path / "ran").exists()


def test_a_pickle_is_not_read(folder: Path, tmp_path: Path) -> None:
    class Spy:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(tmp_path / "ran"),)

    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Spy()))
    assert "pytorch_model.bin is a pickle, which can run code and is never read; save the weights" in refusal(folder)
    assert not (tmp_path / "ran").exists()


_UNUSABLE = "not a BERT checkpoint that can be used"
WORD_PIECES: dict[str, Any] = {"type": "WordPiece", "vocab": {"a": 1}}
VALUES: list[tuple[str, dict[str, Any], str]] = [
    ("config.json", {"model_type": "llama"}, "model_type: 'llama' is none of bert"),
    ("config.json", {"quantization_config": {"quant_method": "bitsandbytes"}}, "quantization_config"),
    ("config.json", {"hidden_size": HUGE}, "hidden_size: 1000000000000 should be less than or equal to 16384"),
    ("config.json", {"hidden_size": 64}, "has shape (37, 32) where config.json says (37, 64)"),
    ("config.json", {"hidden_size": None}, "hidden_size: null should be"),
    ("config.json", {"num_hidden_layers": 3}, "weight 'encoder.layer.2.attention.self.query.weight' is missing"),
    ("config.json", {"num_hidden_layers": 1}, "has a layer 1 beyond"),
    ("config.json", {"num_attention_heads": 0}, "num_attention_heads: 0"),
    ("config.json", {"num_attention_heads": 5}, "no multiple"),
    ("config.json", {"vocab_size": 38}, "'embeddings.word_embeddings.weight' has shape"),
    ("config.json", {"max_position_embeddings": True}, "max_position_embeddings: True"),
    ("config.json", {"layer_norm_eps": -1.0}, "layer_norm_eps: -1.0"),
    ("config.json", {"hidden_act": "os.system"}, "hidden_act: 'os.system'"),
    ("config.json", {"torch_dtype": {"a": 1}}, "torch_dtype: a mapping"),
    ("config.json", {"position_embedding_type": "relative_key"}, "position_embedding_type"),
    ("config.json", {"is_decoder": True}, "is_decoder is set"),
    ("config.json", {"pad_token_id": 37}, "pad_token_id is 37"),
    ("tokenizer.json", {"model": {"type": "BPE"}}, "no WordPiece tokenizer"),
    ("tokenizer.json", {"model": {**WORD_PIECES, "vocab": {"a": 37}}}, _UNUSABLE),
    ("tokenizer.json", {"model": {**WORD_PIECES, "unk_token": 7}}, _UNUSABLE),
    ("tokenizer.json", {"added_tokens": [{"id": 99, "content": "[X]"}]}, _UNUSABLE),
    ("tokenizer.json", {"pre_tokenizer": 7}, _UNUSABLE),
    ("tokenizer_config.json", {"tokenizer_class": "GPT2Tokenizer"}, "tokenizer_class: 'GPT2Tokenizer'"),
    ("tokenizer_config.json", {"cls_token": "missing"}, _UNUSABLE),
    ("tokenizer_config.json", {"do_lower_case": "yes"}, "do_lower_case: 'yes'"),
    ("tokenizer_config.json", {"model_max_length": -1}, "model_max_length: -1"),
]


@pytest.mark.parametrize(("file", "values", "message"), VALUES)
def test_values_out_of_sense(file: str, values: dict[str, Any], message: str, folder: Path) -> None:
    if file == "tokenizer.json":
        (folder / "vocab.txt").unlink()
    change(folder, file, **values)
    assert message in refusal(folder)


@pytest.mark.parametrize("file", ["config.json", "tokenizer.json", "tokenizer_config.json"])
@pytest.mark.parametrize("text", ["[]", "{"])
def test_damaged_json_names_its_file(file: str, text: str, folder: Path) -> None:
    (folder / file).write_text(text)
    assert refusal(folder).startswith(f"{folder / file}:")


def test_a_word_list_longer_than_the_embeddings(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()
    with (folder / "vocab.txt").open("a") as file:
        file.write("one\nmore\n")
    assert "has pieces that its weights have not" in refusal(folder)


def reshaped(data: bytes) -> bytes:
    """The header says a shape beyond any memory."""
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    next(row for name, row in header.items() if name != "__metadata__")["shape"] = [HUGE, HUGE]
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data[8 + size :]


@pytest.mark.parametrize(
    "damage", [reshaped, lambda data: struct.pack("<Q", 1 << 62) + data[8:], lambda data: data[:-1], lambda data: b""]
)
def test_damaged_weights(damage: Callable[[bytes], bytes], folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(damage(path.read_bytes()))
    assert refusal(folder).startswith(f"{path}: no readable weights (")


def test_links_out_of_the_folder(folder: Path, tmp_path: Path) -> None:
    """A link inside it is as good as a file; a device or another file of this machine is not."""
    vocab = folder / "vocab.txt"
    vocab.rename(folder / "words")
    vocab.symlink_to("words")
    SentenceEncoder(str(folder), 48, "cpu", 4)
    for target in (tmp_path / "private", Path("/dev/zero")):
        (tmp_path / "private").write_text("secret")
        vocab.unlink()
        vocab.symlink_to(target)
        assert f"{vocab}: is a link out of the folder" in refusal(folder)


def test_an_adapter_and_weights_in_parts(folder: Path) -> None:
    (folder / "adapter_config.json").write_text("{}")
    assert "adapter_config.json: an adapter, no whole model" in refusal(folder)
    (folder / "adapter_config.json").unlink()
    (folder / "model.safetensors").rename(folder / "model-00001-of-00001.safetensors")
    (folder / "model.safetensors.index.json").write_text("{}")
    assert "no such file, but weights in parts" in refusal(folder)


def test_only_what_was_checked_is_shown(folder: Path, tmp_path: Path) -> None:
    """Chat templates, modules, settings of generation and unknown keys stay behind; the embeddings are the same."""
    before = SentenceEncoder(str(folder), 48, "cpu", 4).embed(["the otter sleeps ."])
    for name in ("chat_template.jinja", "generation_config.json", "modeling.py", "processor_config.json"):
        (folder / name).write_text("{}")
    change(folder, "config.json", _attn_implementation="somebody/kernel", _name_or_path="/etc", pruned=7)
    change(folder, "tokenizer_config.json", chat_template="{{ x }}", extra_special_tokens=["a"], padding_side="left")
    change(folder, "tokenizer.json", padding={"strategy": {"Fixed": HUGE}}, truncation={"max_length": 1})
    (tmp_path / "view").mkdir()
    checkpoint = Checkpoint(folder)
    checkpoint.show(tmp_path / "view")
    assert {path.name for path in (tmp_path / "view").iterdir()} <= set(FILES)
    assert "_attn_implementation" not in (tmp_path / "view" / "config.json").read_text()
    assert np.array_equal(SentenceEncoder(str(folder), 48, "cpu", 4).embed(["the otter sleeps ."]), before)


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


def test_another_number_of_classes(whole: Path, tmp_path: Path) -> None:
    from transformers import BertConfig, BertForSequenceClassification

    config = BertConfig.from_pretrained(whole, num_labels=5)
    shutil.copytree(whole, tmp_path / "five")
    BertForSequenceClassification(config).save_pretrained(tmp_path / "five")
    with pytest.raises(InputError, match="not a BERT checkpoint that can be used"):
        PairEncoder(tmp_path / "five", 48, "cpu", 4)
