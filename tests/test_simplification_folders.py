"""A model folder alone: own text through it, and folders that cannot be used; dev outputs that collapse."""

import argparse
import dataclasses
import json
import logging
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from simplifier_sample import Told
from test_simplification_end_to_end import COMPLEX, CPU, EXPRESSION, SEARCH, check, lstm_config, run, write_corpus

from textsimp.core.errors import InputError
from textsimp.core.params import from_conf
from textsimp.core.settings import structured
from textsimp.simplification import fairseq_tools, simplifiers
from textsimp.simplification.fairseq_generation import Generator
from textsimp.simplification.fairseq_tools import SHORTLIST, LstmNetwork, OptimizerConfig, training_options
from textsimp.simplification.interface import Epoch, Hypothesis, Runtime
from textsimp.simplification.lstm import LstmConfig
from textsimp.simplification.transformer import TransformerConfig


@pytest.fixture(scope="module")
def lstm(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes]]:
    """The model folder of an LSTM after two epochs, of which all else is removed, and what the whole run wrote."""
    folder = tmp_path_factory.mktemp("lstm")
    (folder / "glove.txt").write_text("the 1 2 3 4 5\nunseen 1 1 1 1 1\ncat 8 7 6 5 4\n")
    search = dataclasses.replace(SEARCH, common=3, instead=2)
    config = lstm_config(embeddings=str(folder / "glove.txt"), search=search)
    written = run(folder, config, write_corpus(folder))
    for name in ("corpus", "out/bin", "out/texts"):
        shutil.rmtree(folder / name)
    return folder / "out" / "model", written


@pytest.fixture
def trained(lstm: tuple[Path, object]) -> Path:
    return lstm[0]


def test_a_whole_run(lstm: tuple[Path, dict[str, bytes]]) -> None:
    written = lstm[1]
    check(written)
    assert "spaCy" in json.loads(written["model/binarized.json"])["anonymiser"]
    assert b"PERSON@1" in written["bin/tokens/train.simple"]
    assert written["bin/embeddings.complex.txt"].splitlines()[0] == b"2 5"
    assert json.loads(written["model/network.json"])["encoder_embed_dim"] == 5
    assert len(json.loads(written["model/shortlist.json"])["common"]) == 3


def test_no_other_word_is_written_than_the_short_list_has(trained: Path, tmp_path: Path) -> None:
    folder, rows, written = Path(shutil.copytree(trained, tmp_path / "model")), [["dog"], ["mat", "on"]], []
    (folder / SHORTLIST).write_text('{"common": ["saw"], "instead": {"dog": ["cat"]}}')
    for common in (1, 0):
        search = dataclasses.replace(SEARCH, common=common, beam=3)
        answers = Generator(folder, search, CPU, True)(rows, n_best=3)
        written.append([{token for item in row for token in item.tokens} for row in answers])
    allowed = [{"saw", "dog", "cat", "<unk>"}, {"saw", "mat", "on", "<unk>"}]
    assert all(words <= known for words, known in zip(written[0], allowed, strict=True))
    assert any(not words <= known for words, known in zip(written[1], allowed, strict=True))


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


def test_a_collapse_is_noticed(trained: Path, caplog: pytest.LogCaptureFixture) -> None:
    dev = json.loads((trained / "model.json").read_text())["dev"]
    assert dev["sentences"] == 3 and 0 < dev["distinct"] <= 100
    sentences = [f"Sentence number {number} ." for number in range(10)]
    found = simplifiers.look_at_dev(Told(lambda text: [text.upper() if "7" in text else ""]), sentences)
    assert found == {"sentences": 10, "distinct": 20}
    assert "collapsed: 20% distinct outputs for 10 dev sentences" in caplog.text
    caplog.clear()
    found = simplifiers.look_at_dev(Told(lambda text: [f"{text} {text} ."]), sentences)
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
    ({"decoder_attention": TOUCH}, "decoder_attention: unknown"),
    ({"encoder_layers": TOUCH}, "encoder_layers: "),
    ({"dropout": 2}, "dropout: "),
    ({"encoder_hidden_size": 1 << 40}, "encoder_hidden_size: "),
]


def _written(name: str, text: str) -> Change:
    return lambda folder: (folder / name).write_text(text)


def _cut(folder: Path) -> object:
    return (folder / "model.pt").write_bytes((folder / "model.pt").read_bytes()[:5000])


def _aligner(folder: Path) -> object:
    text = (folder / "manifest.json").read_text()
    return (folder / "manifest.json").write_text(text.replace('"simplifier"', '"aligner"'))


def _kind(kind: str) -> Change:
    def change(folder: Path) -> None:
        record = json.loads((folder / "model.json").read_text())
        record["config"]["kind"] = kind
        (folder / "model.json").write_text(json.dumps(record))

    return change


FOLDERS: list[tuple[Change, bool, str]] = [
    (_cut, False, "model.pt has other bytes"),
    (_cut, True, "model.pt: no readable checkpoint"),
    (_written("spacing.json", "[1]"), True, "spacing.json: not as it was written"),
    (_written("model.json", "[]"), True, r"model.json: a simplifier of no known kind \(None\)"),
    (lambda f: (f / "manifest.json").unlink(), False, "manifest.json: no such file: the folder is no simplifier"),
    (_aligner, False, "manifest.json: not the list of files of a simplifier"),
    *((_network(change), True, f"network.json: not as it was written .*{what}") for change, what in NETWORKS),
    (_kind("transformer"), True, "model.json: not the record of a simplifier of this version"),
    (_kind("smt"), True, r"model.json: a simplifier of no known kind \('smt'\)"),
]


@pytest.mark.parametrize(("change", "sealed", "message"), FOLDERS)
def test_a_folder_that_cannot_be_used(
    trained: Path, tmp_path: Path, change: Change, sealed: bool, message: str
) -> None:
    folder = Path(shutil.copytree(trained, tmp_path / "model"))
    change(folder)
    if sealed:
        simplifiers.MODEL.seal(folder)
    with pytest.raises(InputError, match=message) as error:
        simplifiers.load_simplifier_folder(folder, CPU)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("allowed", [False, True], ids=["as it is", "where a program lets Namespaces in"])
def test_settings_of_a_checkpoint_reach_nothing(
    trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, allowed: bool
) -> None:
    """Fairseq evaluates some of them as Python; a file of weights has none."""
    folder = Path(shutil.copytree(trained, tmp_path / "model"))
    weights = torch.load(folder / "model.pt", weights_only=False)["model"]
    model = argparse.Namespace(arch="lstm", decoder_attention=TOUCH, adaptive_softmax_cutoff=TOUCH)
    task = {"_name": "simplification", "source_lang": "complex", "target_lang": "simple"}
    torch.save({"args": None, "cfg": {"model": model, "task": task}, "model": weights}, folder / "model.pt")
    simplifiers.MODEL.seal(folder)
    monkeypatch.chdir(tmp_path)
    refused = pytest.raises(InputError, match=r"model\.pt: (no readable checkpoint|not the weights)")
    with torch.serialization.safe_globals([argparse.Namespace] if allowed else []), refused:
        simplifiers.load_simplifier_folder(folder, CPU)
    assert not Path("ran").exists()


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


def test_switches_that_do_not_fit() -> None:
    endless = "max_updates: 0 leaves training without an end"
    cases: list[tuple[dict[str, object], str]] = [
        ({"schedule": "cosine"}, "schedule: 'cosine' is none of linear, inverse_sqrt, fixed"),
        ({"precision": "int8"}, "precision: 'int8' is none of fp32, bf16, fp16"),
        ({"max_updates": 0}, endless),
        ({"schedule": "fixed", "warmup_updates": 0, "max_updates": 0}, endless),
        ({"schedule": "inverse_sqrt", "warmup_updates": 0}, "warmup_updates: schedule inverse_sqrt begins with"),
        ({"schedule": "fixed"}, "warmup_updates: schedule fixed has no warm-up"),
    ]
    for changes, message in cases:
        with pytest.raises(InputError, match=message):
            structured(dataclasses.asdict(OPTIMIZER) | changes, OptimizerConfig)


def test_curve_of_a_resumed_run(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    rows = [("valid", 1, "9.5"), ("train", 1, "10"), ("valid", 2, "8"), ("valid", 2, "8.25"), ("train", 2, "9")]
    rows.append(("valid", 3, "7"))  # killed before the other one
    log.write_text(
        "noise\n" + "".join(f'2026 | INFO | {kind} | {{"epoch": {n}, "{kind}_loss": "{x}"}}\n' for kind, n, x in rows)
    )
    assert fairseq_tools.parse_curve(log) == [Epoch(1, 10.0, 9.5), Epoch(2, 9.0, 8.25)]
    log.write_text("nothing\n")
    with pytest.raises(InputError, match="no complete epoch"):
        fairseq_tools.parse_curve(log)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("import sys; print('error: x.pt: other encoder', file=sys.stderr); sys.exit(2)", "^x.pt: other encoder$"),
        ("raise RuntimeError('boom')", "^fairseq-train ended with status 1: RuntimeError: boom$"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "ended with status -9: no message"),
    ],
)
def test_a_failed_process_is_one_line(
    program: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "stand_in.py").write_text(program)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(fairseq_tools, "ENTRY", "stand_in")
    with pytest.raises(InputError, match=message):
        fairseq_tools.run_training([], tmp_path / "log", CPU)


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
