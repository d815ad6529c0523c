"""A model folder alone: own text through it, and folders that cannot be used; dev outputs that collapse."""

import argparse
import dataclasses
import json
import logging
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from test_simplification_end_to_end import COMPLEX, CPU, EXPRESSION, load, lstm_config, write_corpus

from textsimp.core.errors import InputError
from textsimp.core.params import from_conf
from textsimp.core.settings import structured
from textsimp.simplification import fairseq_tools, simplifiers
from textsimp.simplification.fairseq_tools import LstmNetwork, OptimizerConfig, training_options
from textsimp.simplification.interface import Hypothesis, ParallelFiles, Runtime
from textsimp.simplification.lstm import LstmConfig
from textsimp.simplification.transformer import TransformerConfig


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An LSTM after two epochs."""
    folder = tmp_path_factory.mktemp("lstm")
    config = lstm_config()
    simplifier = load(folder, config)
    simplifiers.binarize(simplifier, config, write_corpus(folder), folder / "bin")
    simplifiers.train(simplifier, config, folder / "bin", folder / "model", folder / "curve.csv", CPU)
    shutil.rmtree(folder / "corpus")
    shutil.rmtree(folder / "bin")
    return folder / "model"


def test_own_text(trained: Path, caplog: pytest.LogCaptureFixture) -> None:
    simplifier = simplifiers.load_simplifier_folder(trained, CPU)
    unheard = "Zyx  Ümlaut 𝔵 [CLS] <unk> </s> saw ##ing."
    texts = [COMPLEX[0], "", COMPLEX[1], "  ", COMPLEX[0], unheard, "a cat " * 500]
    with caplog.at_level(logging.WARNING):
        found = simplifier.simplify(texts, n_best=3)
    assert "1 of 4 sentences are cut after 39 words" in caplog.text
    assert found[1] == found[3] == [Hypothesis("", 0.0)] and found[0] == found[4]
    for row in (found[0], found[2], found[5], found[6]):
        assert len(row) == 3 and len({item.text for item in row}) > 1
        assert all(item.score <= 0 and "<unk>" not in item.text for item in row)
    assert simplifier.simplify([]) == []
    again = simplifiers.load_simplifier_folder(trained, CPU).simplify(texts, n_best=3)
    assert again == found
    assert len(simplifier.simplify(texts)[0]) == 1


def test_what_dev_looked_like_is_kept(trained: Path) -> None:
    dev = json.loads((trained / "model.json").read_text())["dev"]
    assert dev["sentences"] == 3 and 0 < dev["distinct"] <= 100


class Constant:
    """Answers every sentence with what a function makes of it."""

    def __init__(self, answer: Callable[[str], str]) -> None:
        self.answer = answer

    def simplify(self, sentences: Sequence[str], n_best: int = 1) -> list[list[Hypothesis]]:
        return [[Hypothesis(self.answer(sentence), -1.0)] for sentence in sentences]


def test_a_collapse_is_noticed(caplog: pytest.LogCaptureFixture) -> None:
    sentences = [f"Sentence number {number} ." for number in range(10)]
    found = simplifiers.look_at_dev(Constant(lambda text: text.upper() if "7" in text else ""), sentences)
    assert found == {"sentences": 10, "distinct": 20}
    assert "collapsed: 20% distinct outputs for 10 dev sentences" in caplog.text
    caplog.clear()
    found = simplifiers.look_at_dev(Constant(lambda text: f"{text} {text} ."), sentences)
    assert found["distinct"] == 100 and not caplog.text


Change = Callable[[Path], object]


def _network(values: dict[str, Any]) -> Change:
    def change(folder: Path) -> None:
        stored = json.loads((folder / "network.json").read_text())
        (folder / "network.json").write_text(json.dumps(stored | values))

    return change


TOUCH = EXPRESSION.format("ran")
NETWORKS: list[tuple[dict[str, Any], str]] = [
    ({"arch": "fconv"}, "'fconv' found using 'arch'"),
    ({"arch": ["lstm"]}, "arch"),
    ({"arch": "bert_transformer"}, "encoder_"),
    ({"decoder_attention": TOUCH}, "decoder_attention: unknown"),
    ({"encoder_layers": TOUCH}, "encoder_layers: "),
    ({"encoder_bidirectional": TOUCH}, "encoder_bidirectional: "),
    ({"dropout": 2}, "dropout: "),
    ({"encoder_hidden_size": 1 << 40}, "encoder_hidden_size: "),
]
FOLDERS: list[tuple[Change, bool, str]] = [
    (lambda f: (f / "model.pt").write_bytes((f / "model.pt").read_bytes()[:5000]), False, "model.pt has other bytes"),
    (
        lambda f: (f / "model.pt").write_bytes((f / "model.pt").read_bytes()[:5000]),
        True,
        "model.pt: no readable checkp",
    ),
    (lambda f: (f / "model.pt").write_bytes(b""), True, "model.pt: no readable checkpoint"),
    (
        lambda f: (f / "dict.simple.txt").write_text("cat 3\n"),
        True,
        "model.pt: its weights do not fit dict.complex.txt",
    ),
    (lambda f: (f / "dict.simple.txt").write_text("cat\n"), True, "model.pt: its weights do not fit dict.complex.txt"),
    (lambda f: (f / "spacing.json").write_text("[1]"), True, "spacing.json: not as it was written"),
    (lambda f: (f / "model.json").unlink(), False, "model.json is missing"),
    (lambda f: (f / "model.json").unlink(), True, "model.json: no such file"),
    (lambda f: (f / "model.json").write_text("[]"), True, r"model.json: a simplifier of no known kind \(None\)"),
    (lambda f: (f / "manifest.json").unlink(), False, "manifest.json: no such file: the folder is no simplifier"),
    *((_network(change), True, f"network.json: not as it was written .*{what}") for change, what in NETWORKS),
    (
        lambda f: (f / "network.json").write_text("[]"),
        True,
        "network.json: not as it was written",
    ),
    (lambda f: (f / "network.json").unlink(), True, "network.json: no such file"),
    (_network({"encoder_layers": 2, "decoder_layers": 2}), True, "model.pt: its weights do not fit dict.complex.txt"),
    (lambda f: _other_kind(f, "transformer"), True, "model.json: not the record of a simplifier of this version"),
    (lambda f: _other_kind(f, "smt"), True, r"model.json: a simplifier of no known kind \('smt'\)"),
]


def _other_kind(folder: Path, kind: str) -> None:
    record = json.loads((folder / "model.json").read_text())
    record["config"]["kind"] = kind
    (folder / "model.json").write_text(json.dumps(record))


@pytest.mark.parametrize(("change", "sealed", "message"), FOLDERS)
def test_a_folder_that_cannot_be_used(
    trained: Path, tmp_path: Path, change: Change, sealed: bool, message: str
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(trained, folder)
    change(folder)
    if sealed:
        simplifiers.MODEL.seal(folder)
    with pytest.raises(InputError, match=message) as error:
        simplifiers.load_simplifier_folder(folder, CPU)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "settings",
    [
        {"arch": "lstm", "decoder_attention": TOUCH},
        {"arch": "lstm", "adaptive_softmax_cutoff": TOUCH, "criterion": "adaptive_loss"},
        {"arch": "fconv", "encoder_layers": TOUCH},
        {"arch": "transformer", "adaptive_softmax_cutoff": TOUCH},
    ],
    ids=lambda settings: " ".join(settings),
)
@pytest.mark.parametrize("allowed", [False, True], ids=["as it is", "where a program lets Namespaces in"])
def test_settings_of_a_checkpoint_reach_nothing(
    trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], allowed: bool
) -> None:
    """Fairseq evaluates some of them as Python; a file of weights has none."""
    folder = tmp_path / "model"
    shutil.copytree(trained, folder)
    weights = torch.load(folder / "model.pt", weights_only=False)["model"]
    sizes = {"encoder_embed_dim": 8, "decoder_embed_dim": 8, "decoder_out_embed_dim": 8, "encoder_layers": 1}
    sizes |= {"encoder_hidden_size": 8, "decoder_hidden_size": 8, "decoder_layers": 1, "encoder_bidirectional": True}
    model = argparse.Namespace(**(sizes | {"criterion": "cross_entropy"} | settings))
    task = {"_name": "simplification", "source_lang": "complex", "target_lang": "simple"}
    torch.save({"args": None, "cfg": {"model": model, "task": task}, "model": weights}, folder / "model.pt")
    simplifiers.MODEL.seal(folder)
    monkeypatch.chdir(tmp_path)
    refused = pytest.raises(InputError, match=r"model\.pt: (no readable checkpoint|not the weights)")
    with torch.serialization.safe_globals([argparse.Namespace] if allowed else []), refused as error:
        simplifiers.load_simplifier_folder(folder, CPU)
    assert "\n" not in str(error.value) and not Path("ran").exists()


def test_another_model_is_no_simplifier(tmp_path: Path) -> None:
    with simplifiers.MODEL.written(tmp_path / "model") as folder:
        (folder / "model.json").write_text("{}")
    manifest = tmp_path / "model" / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"simplifier"', '"aligner"'))
    with pytest.raises(InputError, match="manifest.json: not the list of files of a simplifier"):
        simplifiers.load_simplifier_folder(tmp_path / "model", CPU)


def test_a_corpus_of_three_pairs(tmp_path: Path) -> None:
    """It trains: what comes out is the caller's affair."""
    config = lstm_config(max_epochs=1, min_frequency=1)
    simplifier, corpus = load(tmp_path, config), write_corpus(tmp_path)
    small = dataclasses.replace(corpus, train=ParallelFiles(corpus.dev.complex, corpus.dev.simple))
    simplifiers.binarize(simplifier, config, small, tmp_path / "bin")
    simplifiers.train(simplifier, config, tmp_path / "bin", tmp_path / "model", tmp_path / "curve.csv", CPU)
    simplifiers.generate(tmp_path / "bin", tmp_path / "model", tmp_path / "texts", CPU)
    assert len((tmp_path / "texts" / "x.txt").read_text().splitlines()) == 3


@pytest.mark.parametrize(
    ("changes", "options"),
    [
        ({}, "--lr-scheduler polynomial_decay --total-num-update 9 --warmup-updates 2"),
        ({"schedule": "inverse_sqrt"}, "--lr-scheduler inverse_sqrt --warmup-init-lr 1e-7 --warmup-updates 2"),
        ({"schedule": "fixed", "warmup_updates": 0}, "--lr-scheduler fixed --warmup-updates 0"),
        ({"label_smoothing": 0.1}, "--criterion label_smoothed_cross_entropy --label-smoothing 0.1"),
        ({}, "--criterion cross_entropy"),
        ({"max_tokens": 500}, "--batch-size 8 --clip-norm 1.0 --max-tokens 500"),
        ({"precision": "bf16"}, "--bf16"),
    ],
)
def test_switches_of_the_training(changes: dict[str, object], options: str) -> None:
    config = dataclasses.replace(OPTIMIZER, **changes)  # type: ignore[arg-type]
    assert options in " ".join(training_options(config, Runtime("cuda", 1)))
    assert "16" not in " ".join(training_options(config, CPU))


OPTIMIZER = OptimizerConfig(8, 0, 1e-3, 2, "linear", 9, 0, 0, clip_norm=1.0, label_smoothing=0.0, precision="fp32")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"schedule": "cosine"}, "schedule: 'cosine' is none of linear, inverse_sqrt, fixed"),
        ({"precision": "int8"}, "precision: 'int8' is none of fp32, bf16, fp16"),
        ({"max_updates": 0}, "max_updates: 0 leaves training without an end"),
        ({"schedule": "fixed", "warmup_updates": 0, "max_updates": 0}, "max_updates: 0 leaves training without an end"),
        ({"schedule": "inverse_sqrt", "warmup_updates": 0}, "warmup_updates: schedule inverse_sqrt begins with"),
        ({"schedule": "fixed"}, "warmup_updates: schedule fixed has no warm-up"),
    ],
)
def test_switches_that_do_not_fit(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        structured(dataclasses.asdict(OPTIMIZER) | changes, OptimizerConfig)


def test_memory_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fairseq logs it and goes on without the batch; we say what to set."""
    line = "OOM: Ran out of memory with exception: CUDA out of memory. Tried to allocate 2.00 GiB"
    (tmp_path / "stand_in.py").write_text(f"import time\nprint({line!r}, flush=True)\ntime.sleep(60)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(fairseq_tools, "ENTRY", "stand_in")
    network = LstmNetwork("lstm", 8, 8, 8, 8, 8, 1, 1, True, 0.1)
    for changes, message in (({}, r"set batch_size to 4 \(it is 8\)"), ({"max_tokens": 500}, "set max_tokens to 250")):
        config = dataclasses.replace(OPTIMIZER, **changes)
        with pytest.raises(InputError, match=message):
            fairseq_tools.train(
                tmp_path, tmp_path, tmp_path / "partial", network, [], config, Runtime("cuda", 1), "kept"
            )


def test_what_the_release_has_that_the_paper_has_not() -> None:
    """The authors' training commands and architecture."""
    found = {}
    for size in ("paper", "release"):
        transformer, lstm = (
            from_conf(f"simplifier.{name}", kind, f"simplifier/size={size}")
            for name, kind in (("transformer_bert", TransformerConfig), ("lstm", LstmConfig))
        )
        found[size] = [transformer.normalise, transformer.clip_norm, transformer.schedule, transformer.search.beam]
        found[size] += [lstm.batch_size, lstm.min_frequency, lstm.clip_norm, lstm.spacy_model]
    assert found["paper"] == ["after", 0, "linear", 5, 64, 3, 5, "en_core_web_sm"]
    assert found["release"] == ["before", 25, "inverse_sqrt", 1, 96, 4, 5, "en_core_web_lg"]
