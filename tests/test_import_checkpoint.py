"""tools/import_checkpoint.py: a released pickle of a fine-tuned BERT becomes a pair encoder of the same answers."""

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from alignment_sample import write_bert
from safetensors.torch import load_file
from torch import Tensor

from textsimp.alignment.neural.bert import PairEncoder
from textsimp.core.errors import InputError
from tools.import_checkpoint import import_checkpoint, main

PAIRS = [("The otter swims .", "The old otter swims near the river ."), ("A heron waits .", "The vole sleeps .")]


@pytest.fixture
def weights(tmp_path: Path) -> dict[str, Tensor]:
    """The release's files in the folder `hub`, its configuration naming the head of what it began with; the weights."""
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


@pytest.mark.parametrize(("options", "linked"), [([], 0), (["--linked", "0"], 0), (["--linked", "1"], 1)])
def test_the_probability_of_a_link_is_kept(
    weights: dict[str, Tensor], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], linked: int
) -> None:
    """Class 0 is the linked one, where nothing else is said: the authors' labels are good and bad, in this order."""
    monkeypatch.setattr("sys.argv", ["import_checkpoint.py", str(tmp_path / "hub"), str(tmp_path / "out"), *options])
    main()
    encoder = PairEncoder(tmp_path / "out", 48, "cpu", 2)
    with torch.inference_mode():
        pooled = encoder.model.bert(**encoder._batch(PAIRS)).pooler_output
        logits = pooled @ weights["classifier.weight"].T + weights["classifier.bias"]
    expected = torch.softmax(logits, 1)[:, linked].numpy()
    probabilities = np.exp(encoder.log_probabilities(PAIRS))
    assert probabilities[:, 1:].sum(1) == pytest.approx(expected, abs=1e-5)
    assert probabilities[:, 1] == pytest.approx(probabilities[:, 2])
    path = tmp_path / "hub" / "config.json"
    labels = {"id2label": {"0": "good", "1": "bad"}, "label2id": {"good": 0, "bad": 1}, "num_labels": 2}
    named = {"architectures": ["BertForSequenceClassification"], **labels}
    path.write_text(json.dumps(json.loads(path.read_text()) | named))
    import_checkpoint(tmp_path / "hub", tmp_path / "named")
    assert not list((tmp_path / "out").glob("*.bin"))


HEADS: list[tuple[dict[str, Any], str]] = [
    ({"architectures": ["BertForTokenClassification"]}, r"architectures is \['BertForTokenClassification'\]"),
    ({"num_labels": 3}, "num_labels is 3"),
    ({"id2label": {"0": "good", "1": "partial", "2": "bad"}}, "id2label is"),
    ({"problem_type": "regression"}, "problem_type is regression"),
    ({"model_type": "roberta"}, "model_type is roberta"),
]


@pytest.mark.parametrize(("settings", "what"), HEADS)
def test_another_head(weights: dict[str, Tensor], tmp_path: Path, settings: dict[str, Any], what: str) -> None:
    path = tmp_path / "hub" / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | settings))
    with pytest.raises(
        InputError, match=rf"config\.json: {what}.*: another head than BertForSequenceClassification of"
    ):
        import_checkpoint(tmp_path / "hub", tmp_path / "out")
    assert not (tmp_path / "out").exists()


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
        (
            {**weights, "classifier.weight": torch.zeros(3, 32), "classifier.bias": torch.zeros(3)},
            r"a classifier of shape \(3, 32\), not of two classes",
        ),
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
