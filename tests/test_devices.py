"""`runtime.device`: one function says what it means, for the aligner, EditNTS and fairseq's processes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from composition_sample import composed_values, plain_values

from textsimp.alignment.neural.aligner_settings import Device
from textsimp.core.devices import resolve_device
from textsimp.core.errors import InputError
from textsimp.core.params import from_conf, load_params
from textsimp.simplification import fairseq_tools
from textsimp.simplification.interface import Runtime, load_runtime
from textsimp.simplification.lstm import LstmConfig


def gpus(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Let torch find so many GPUs."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: number > 0)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: number)


def test_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"cpu": 2, "auto": 2, "cuda": 1, "cuda:1": 2}
    for device, number in found.items():
        gpus(monkeypatch, number)
        assert resolve_device(device) == ("cuda" if device == "auto" else device)
    gpus(monkeypatch, 0)
    assert resolve_device("auto") == "cpu"
    gpus(monkeypatch, 1)
    for device, said in (("gpu", "none of"), ("cpu:1", "none of"), ("cuda:1", "finds 1 GPUs")):
        with pytest.raises(InputError, match=said):
            resolve_device(device)


def test_the_cpu_needs_no_torch() -> None:
    code = "import sys; from textsimp.core import devices; devices.resolve_device('cpu')"
    code += "; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(("number", "device"), [(0, "cpu"), (1, "cuda")])
def test_auto_is_understood_everywhere(
    number: int, device: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The aligner, EditNTS (which takes the runtime's device) and fairseq's options, which keep its 32-bit numbers."""
    gpus(monkeypatch, number)
    params = tmp_path / "params.yaml"
    params.write_text(json.dumps({"runtime": plain_values()["runtime"] | {"device": "auto"}}), encoding="utf-8")
    assert load_params("runtime", Device, params).prepare() == device
    runtime = load_runtime(params)
    assert runtime.device == device
    optimizer = from_conf("simplifier.lstm", LstmConfig)
    options = fairseq_tools.training_options(optimizer, runtime)
    assert ("--cpu" in options) == (device == "cpu") and "--fp16" not in options
    assert options[options.index("--distributed-world-size") + 1] == "1"
    numbered = fairseq_tools._environment(Runtime("cuda:1", 1))
    assert numbered["CUDA_VISIBLE_DEVICES"] == "1", "the only one that fairseq sees"


def test_experiments_that_need_a_gpu_take_it() -> None:
    devices = {"sample": "cpu", "public": "cpu", **dict.fromkeys(("public_gpu", "newsela", "wiki", "paper"), "auto")}
    found = {name: composed_values(f"experiment={name}").runtime.device for name in devices}
    assert found == devices
