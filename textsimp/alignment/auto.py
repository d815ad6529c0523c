"""Alignment of unlabelled articles: the new training data of section 3 and its old counterpart (F2)."""

import hashlib
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from textsimp.alignment.neural.checkpoint import check_is_aligner
from textsimp.alignment.neural.config import EncoderConfig, RuntimeConfig
from textsimp.alignment.resources import Resources
from textsimp.alignment.saved_systems import is_saved_system, save_system
from textsimp.alignment.scale.ledger import Ledger
from textsimp.alignment.scale.run import Execution, finish_shards
from textsimp.alignment.scale.setup import (
    Setup,
    absolute_encoder,
    absolute_vectors,
    counts_digest,
    folder_digest,
    vectors_identity,
)
from textsimp.alignment.scale.shards import Shard, cut_file, input_files, spread
from textsimp.alignment.shared import SharedSimilarities
from textsimp.alignment.system_config import SystemConfig
from textsimp.alignment.systems import make_system
from textsimp.alignment.vectors import WordVectorConfig
from textsimp.errors import bad_input
from textsimp.records import DocumentPair, pair_line, read_pairs, write_pairs
from textsimp.textfiles import atomic_write, partial_folder

NEW_SYSTEM = "neural_crf"
"""The key of `alignment_system` that makes the new training data."""
COUNT_PAIRS = 2000
"""Document pairs, evenly spread, in which a lexical system counts words; more change the counts little."""
_SYSTEM, _CORPUS = "system", "corpus.jsonl"


@dataclass(frozen=True)
class AutoAlignConfig:
    """What is aligned automatically: `corpus.NAME.align` in params.yaml.

    splits: NEWSELA-AUTO covers the articles without annotation (section 3.1), WIKI-AUTO all of them, those that
        the aligner was trained on included (section 3.2).
    old_system: the lexical system that makes the old training data; the paper's old corpora come from other
        releases, aligned by Jaccard similarity (section 5.1).
    encoder: the pair encoder of the corpus's aligner, a key of `encoder_corpora`.
    aligner: the corpus whose trained aligner aligns this one: itself, or another where it has no annotation.
    """

    splits: list[str]
    old_system: str
    encoder: str
    aligner: str


@dataclass(frozen=True)
class Parts:
    """What both systems are made with: sections of params.yaml."""

    vectors: WordVectorConfig
    encoder: EncoderConfig
    runtime: RuntimeConfig

    def setup(self, config: SystemConfig, aligner: Path | None, fitted: Path | None) -> Setup:
        """How workers make a system: a trained aligner, or one that was fitted into a folder; one thread each."""
        return Setup(
            config,
            str(aligner.resolve()) if aligner else None,
            str((fitted / _SYSTEM).resolve()) if fitted else None,
            str((fitted / _CORPUS).resolve()) if fitted else None,
            absolute_vectors(self.vectors),
            absolute_encoder(self.encoder),
            replace(self.runtime, threads=1),
        )


@dataclass(frozen=True)
class TrainedAligner:
    """The new system: the neural CRF aligner in a folder."""

    config: SystemConfig
    parts: Parts
    folder: Path

    def __post_init__(self) -> None:
        check_is_aligner(self.folder)

    def identity(self, shards: Sequence[Shard]) -> dict[str, Any]:
        """See `Work.identity`; the aligner takes nothing from other document pairs."""
        return {"config": asdict(self.config), "model": folder_digest(self.folder)}

    def prepare(self, work: Path, shards: Sequence[Shard]) -> Setup:
        """See `Work.prepare`."""
        return self.parts.setup(self.config, self.folder, None)


@dataclass(frozen=True)
class LexicalSystem:
    """The old system, whose thresholds are tuned on labelled document pairs."""

    config: SystemConfig
    parts: Parts
    dev: Sequence[DocumentPair]

    def identity(self, shards: Sequence[Shard]) -> dict[str, Any]:
        """See `Work.identity`; the words are counted in the input."""
        return {
            "config": asdict(self.config),
            "dev": hashlib.sha256("".join(map(pair_line, self.dev)).encode()).hexdigest(),
            "encoder": asdict(self.parts.encoder),
            "word_vectors": vectors_identity(self.parts.vectors),
            "word_counts": counts_digest(COUNT_PAIRS, shards),
        }

    def prepare(self, work: Path, shards: Sequence[Shard]) -> Setup:
        """See `Work.prepare`."""
        if not is_saved_system(work / _SYSTEM):
            pairs = list(spread(shards, COUNT_PAIRS))
            write_pairs(work / _CORPUS, pairs)
            resources = Resources(pairs, self.parts.vectors, self.parts.encoder, self.parts.runtime)
            system = make_system(self.config, SharedSimilarities(resources))
            system.fit([], self.dev)
            save_system(system, work / _SYSTEM)
        return self.parts.setup(self.config, None, work)


def tuning_pairs(*splits: Path) -> list[DocumentPair]:
    """The labelled dev pairs of the first folder of splits that has some; `InputError` where none has."""
    for folder in splits:
        pairs = [pair for pair in read_pairs(folder / "dev.jsonl") if pair.alignments is not None]
        if pairs:
            return pairs
    what = "no labelled document pairs to tune the thresholds of the old system on"
    raise bad_input(splits[-1] / "dev.jsonl", None, what, "name a corpus with annotation as align.aligner")


def align_corpus(work: TrainedAligner | LexicalSystem, files: Sequence[Path], output: Path) -> None:
    """Align the document pairs of some files, whose gold links are not read, into one file in their order.

    The bytes do not depend on who aligns. Killed and started again, it goes on with the shards that are not finished;
    those wait in `partial_folder`.

    Raises:
        InputError: bad input, or a shard whose worker is killed again and again.
    """
    runtime = work.parts.runtime
    paths = [path for file in files for path in input_files(file)]
    cuts = [shard for path in paths for shard in cut_file(path, runtime.chunk_pairs)]
    shards = [replace(shard, is_bare=True) for shard in cuts]
    folder = partial_folder(output)
    ledger = Ledger(folder, work.identity(shards))
    with ledger.claimed():
        if shards:
            finish_shards(ledger, work, shards, Execution(runtime.executor, runtime.workers))
        with atomic_write(output) as file:
            for shard in shards:
                file.write(ledger.text(shard))
        shutil.rmtree(folder)
