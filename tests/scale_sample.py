"""Documents, a tiny aligner and runs for the tests of alignment in shards."""

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from alignment_sample import RUNTIME, aligner_config, document_pair, write_bert

from textsimp.alignment.neural.checkpoint import save_aligner
from textsimp.alignment.neural.training import train_aligner, train_encoder
from textsimp.alignment.own_documents import Given
from textsimp.alignment.scale import run as run_module
from textsimp.alignment.scale.run import align_shards
from textsimp.alignment.scale.shards import Shard, cut
from textsimp.alignment.scale.worker import Answer, Worker
from textsimp.records import Document, DocumentPair, Link, write_pairs

PAIRS = [document_pair(number) for number in range(7)]
BARE = [replace(pair, alignments=None) for pair in PAIRS]


def write_input(folder: Path) -> Path:
    """Two input shards of four and three unlabelled pairs, and labelled dev pairs beside them."""
    write_pairs(folder / "in" / "a.jsonl", BARE[:4])
    write_pairs(folder / "in" / "b.jsonl", BARE[4:])
    write_pairs(folder / "dev.jsonl", PAIRS[:3])
    return folder


def run_here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Workers in this process from now on; the list holds the names of the shards that were aligned."""
    names: list[str] = []

    def run(setup, shards, workers=None) -> Iterator[tuple[Shard, Answer]]:
        worker = Worker(setup)
        for shard in shards:
            names.append(shard.name)
            yield shard, worker.align(shard)

    monkeypatch.setattr(run_module, "run_local", run)
    monkeypatch.setattr(run_module, "run_here", run)
    return names


def align(folder: Path, output: str = "out", system: str = "tfidf", **options: object) -> dict[str, bytes]:
    """Run it with two pairs a shard; the files that a user sees."""
    given = options.pop("given", Given(dev=folder / "dev.jsonl"))
    align_shards(folder / "in", folder / output, system, given, **{"shard_size": 2, **options})
    return files(folder / output)


def files(output: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(output.glob("*.json*"))}


def train_model(root: Path) -> Path:
    """A tiny trained aligner."""
    config = aligner_config(write_bert(root / "bert"))
    encoder, _ = train_encoder(PAIRS, PAIRS[:2], config, RUNTIME, root / "work")
    encoder.save(root / "encoder")
    aligner, _ = train_aligner(PAIRS, PAIRS[:2], "newsela", root / "encoder", config, RUNTIME)
    save_aligner(aligner, root / "model")
    return root / "model"


def write_new(folder: Path) -> None:
    """Documents whose sentence pairs the aligner has not scored; shards share sentences, in batches of other widths."""
    pairs = {k: replace(document_pair(k), alignments=None) for k in range(20, 26)}
    long = " ".join(["The old otter often swims near the river ."] * 4)
    wide = (*pairs[22].complex.paragraphs, (long,), *pairs[23].complex.paragraphs)
    pairs[22] = replace(pairs[22], complex=replace(pairs[22].complex, paragraphs=wide))
    write_pairs(folder / "in" / "a.jsonl", [pairs[k] for k in range(20, 24)])
    write_pairs(folder / "in" / "b.jsonl", [pairs[k] for k in range(23, 26)])


class SlowSystem:
    """Links the first sentences, slowly; dies or fails where the document pair says so."""

    def align(self, pair: DocumentPair) -> list[Link]:
        time.sleep(0.02)
        if pair.corpus == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        if pair.corpus == "dies once" and not Path(pair.group).exists():
            Path(pair.group).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if pair.corpus == "fails":
            raise KeyError("a bug")
        return []

    def forget(self) -> None:
        """Nothing is kept."""


class SlowSetup:
    """Stands for a `Setup`."""

    runtime = RUNTIME

    def load(self) -> SlowSystem:
        return SlowSystem()


def slow_shards(path: Path, corpora: list[str]) -> list[Shard]:
    side = Document("x", 0, (("A sentence .",),))
    write_pairs(path / "x.jsonl", [DocumentPair("p", name, str(path / "mark"), side, side) for name in corpora])
    return cut(path / "x.jsonl", 1)
