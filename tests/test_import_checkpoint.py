"""tools/import_checkpoint.py: a released pickle of a fine-tuned BERT becomes a pair encoder of the same answers."""

import json
import pickle
from pathlib import Path

import numpy as np
import pytest
import torch
from alignment_sample import write_bert
from safetensors.torch import load_file
from torch import Tensor

from textsimp.alignment.neural.bert import PairEncoder
from textsimp.core.errors import InputError
from tools.import_checkpoint import import_checkpoint

PAIRS = [("The otter swims .", "The old otter swims near the river ."), ("A heron waits .", "The vole sleeps .")]


@pytest.fixture
def weights(tmp_path: Path) -> dict[str, Tensor]:
    """The release's files in the folder `hub`, its configuration naming another head; the weights."""
    folder = write_bert(tmp_path / "hub")
    body = {f"bert.{name}": tensor for name, tensor in load_file(folder / "model.safetensors").items()}
    old = {name.replace(".LayerNorm.weight", ".LayerNorm.gamma"): tensor for name, tensor in body.items()}
    generator = torch.Generator().manual_seed(1)
    head = {"classifier.weight": torch.randn(2, 32, generator=generator), "classifier.bias": torch.tensor([0.3, -0.2])}
    (folder / "model.safetensors").unlink()
    settings = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(settings | {"architectures": ["BertForMaskedLM"]}))
    stored = {**old, **head, "bert.embeddings.position_ids": torch.arange(64), "cls.predictions.bias": torch.zeros(5)}
    torch.save(stored, folder / "pytorch_model.bin")
    return {**body, **head}


@pytest.mark.parametrize("linked", [0, 1])
def test_the_probability_of_a_link_is_kept(weights: dict[str, Tensor], tmp_path: Path, linked: int) -> None:
    import_checkpoint(tmp_path / "hub", tmp_path / "out", linked)
    encoder = PairEncoder(tmp_path / "out", 48, "cpu", 2)
    with torch.inference_mode():
        pooled = encoder.model.bert(**encoder._batch(PAIRS)).pooler_output
        logits = pooled @ weights["classifier.weight"].T + weights["classifier.bias"]
    expected = torch.softmax(logits, 1)[:, linked].numpy()
    probabilities = np.exp(encoder.log_probabilities(PAIRS))
    assert probabilities[:, 1:].sum(1) == pytest.approx(expected, abs=1e-5)
    assert probabilities[:, 1] == pytest.approx(probabilities[:, 2])
    assert not list((tmp_path / "out").glob("*.bin"))


def test_three_classes_stay(weights: dict[str, Tensor], tmp_path: Path) -> None:
    head = {"classifier.weight": torch.randn(3, 32), "classifier.bias": torch.zeros(3)}
    torch.save({**weights, **head}, tmp_path / "hub" / "pytorch_model.bin")
    import_checkpoint(tmp_path / "hub", tmp_path / "out")
    assert load_file(tmp_path / "out" / "model.safetensors")["classifier.weight"].equal(head["classifier.weight"])


class Evil:
    """Would run code where it is unpickled."""

    def __reduce__(self):
        return Path.touch, (Path("evil"),)


def test_bad_checkpoints(weights: dict[str, Tensor], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("hub", "pytorch_model.bin")
    whole = path.read_bytes()
    headless = {name: tensor for name, tensor in weights.items() if name != "classifier.bias"}
    cases: list[tuple[object, str]] = [
        (headless, r"no classifier\.bias: it was saved without the classifier"),
        ({**weights, "classifier.weight": torch.zeros(5, 32)}, r"a classifier of shape \(5, 32\)"),
        ([1, 2], "no weights by name"),
        ({"bert": Evil()}, "damaged, or more than tensors, which is never run"),
    ]
    for value, what in cases:
        torch.save(value, path)
        with pytest.raises(InputError, match=what):
            import_checkpoint(Path("hub"), Path("out"))
    for data in (whole[: len(whole) // 2], b"", pickle.dumps(Evil())):
        path.write_bytes(data)
        with pytest.raises(InputError, match="damaged, or more than tensors"):
            import_checkpoint(Path("hub"), Path("out"))
    path.unlink()
    with pytest.raises(InputError, match=r"pytorch_model\.bin: no such file; copy the model's folder"):
        import_checkpoint(Path("hub"), Path("out"))
    assert not Path("out").exists() and not Path("evil").exists()
