"""Documents, a tiny aligner and runs for the tests of alignment in shards."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from alignment_sample import RUNTIME, aligner_config, document_pair, write_bert

from textsimp.alignment import corpora
from textsimp.alignment.corpora import Execution, align_corpus
from textsimp.alignment.neural.aligner import save_aligner
from textsimp.alignment.neural.training import train_aligner, train_encoder
from textsimp.alignment.shards import Shard
from textsimp.alignment.spec import SystemSpec
from textsimp.core import pool
from textsimp.core.records import write_pairs

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

    def run(make, shards) -> Iterator[tuple[Shard, str]]:
        work = make()
        for shard in shards:
            names.append(shard.name)
            yield shard, work(shard)

    monkeypatch.setattr(corpora, "run_here", run)
    return names


def align(
    folder: Path,
    output: str = "out",
    system: str = "tfidf",
    model: Path | None = None,
    dev: Path | None = Path("dev.jsonl"),
    run: Any = pool.run,
    **execution: Any,
) -> dict[str, bytes]:
    """Run it with two pairs per shard; the files that a user sees."""
    spec = SystemSpec.named(system, model=model, dev=dev and folder / dev)
    who = Execution(**{"shard_size": 2, "workers": 1, **execution})
    align_corpus(spec, folder / "in", folder / output, RUNTIME, who, run, in_shards=True)
    return files(folder / output)


def files(output: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(output.glob("*.json*")) if path.is_file()}


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
    write_pairs(folder / "in" / "b.jsonl", [replace(pairs[23], id="again"), *(pairs[k] for k in range(24, 26))])
