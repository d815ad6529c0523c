"""What a worker needs to make the system: folders and settings, after the driver has fitted it once (F2)."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from textsimp.alignment.neural.aligner import Aligner
from textsimp.alignment.neural.checkpoint import load_aligner
from textsimp.alignment.neural.config import AlignerConfig, EncoderConfig, RuntimeConfig
from textsimp.alignment.own_documents import Given, labelled_pairs, load_system_config, ready_system
from textsimp.alignment.resources import Resources
from textsimp.alignment.saved_systems import is_saved_system, load_system, save_system
from textsimp.alignment.scale.shards import Shard, spread
from textsimp.alignment.shared import SharedSimilarities
from textsimp.alignment.system_config import CRF, ENCODER, SystemConfig
from textsimp.alignment.systems import ComposedSystem, CrfSystem, System, make_system
from textsimp.alignment.vectors import WordVectorConfig
from textsimp.errors import bad_input
from textsimp.params import from_conf
from textsimp.records import DocumentPair, read_pairs, write_pairs
from textsimp.textfiles import read_json, sha256, write_json

_SYSTEM, _CORPUS, _FITTED = "system", "corpus.jsonl", "fitted.json"


@dataclass(frozen=True)
class Setup:
    """A fitted system, as every worker makes it; all paths are absolute and the same on every machine.

    Attributes:
        aligner: folder of the trained aligner, where the system has one.
        system: folder of the saved system, unless the system is the aligner itself.
        corpus: document pairs that lexical similarities take word counts from, where they do.
        runtime: with a single thread: the processes are many.
    """

    config: SystemConfig
    aligner: str | None
    system: str | None
    corpus: str | None
    vectors: WordVectorConfig
    encoder: EncoderConfig
    runtime: RuntimeConfig

    def load(self) -> System:
        """Make the system; `InputError` where a folder is not there or damaged."""
        corpus = list(read_pairs(self.corpus)) if self.corpus else []
        aligner = load_aligner(self.aligner, self.runtime) if self.aligner else None
        shared = SharedSimilarities(Resources(corpus, self.vectors, self.encoder, self.runtime, aligner))
        if self.system:
            return load_system(Path(self.system), shared, self.config)
        return make_system(self.config, shared)


class Work(Protocol):
    """A system that is to align shards: what it is, and how it is made ready."""

    @property
    def config(self) -> SystemConfig:
        """Its parts."""
        ...

    def identity(self, shards: Sequence[Shard]) -> dict[str, Any]:
        """All that the links of a document pair depend on, beside the pair: settings, and digests of files."""
        ...

    def prepare(self, work: Path, shards: Sequence[Shard]) -> Setup:
        """Fit the system, unless `work` has it, and say how workers make it.

        Args:
            work: folder for the fitted system, of this identity alone.

        Raises:
            InputError: something that the system needs is not there.
        """
        ...


@dataclass(frozen=True)
class Wanted:
    """The system that a user asks for.

    Attributes:
        count_pairs: how many document pairs of the input, evenly spread, lexical similarities take word counts from;
            more change the counts little, and every worker reads them.
    """

    name: str
    given: Given
    count_pairs: int

    @property
    def config(self) -> SystemConfig:
        """Its parts."""
        return load_system_config(self.name)

    @property
    def needs_corpus(self) -> bool:
        """Whether the similarity looks at the documents at hand; a trained aligner has its own word counts."""
        return self.config.similarity.name != ENCODER

    def identity(self, shards: Sequence[Shard]) -> dict[str, Any]:
        """See `Work.identity`."""
        given, vectors = self.given, _vectors(self.given)
        found = {
            "system": self.name,
            "config": asdict(self.config),
            "encoder": asdict(from_conf("aligner", AlignerConfig).encoder),
            "word_vectors": vectors_identity(vectors),
            "model": given.model and folder_digest(given.model),
            "train": given.train and file_digest(given.train),
            "dev": given.dev and file_digest(given.dev),
            "kind": given.kind,
        }
        if self.needs_corpus:
            found["word_counts"] = counts_digest(self.count_pairs, shards)
        return found

    def prepare(self, work: Path, shards: Sequence[Shard]) -> Setup:
        """See `Work.prepare`; `InputError` as of `ready_system`."""
        if not (work / _FITTED).is_file():
            write_json(work / _FITTED, self._fit(work, shards))
        fitted = read_json(work / _FITTED)
        return Setup(
            self.config,
            self._model() or fitted["trained"],
            str((work / _SYSTEM).resolve()) if fitted["is_saved"] else None,
            str((work / _CORPUS).resolve()) if self.needs_corpus else None,
            _vectors(self.given),
            absolute_encoder(from_conf("aligner", AlignerConfig).encoder),
            replace(from_conf("runtime", RuntimeConfig), threads=1),
        )

    def _fit(self, work: Path, shards: Sequence[Shard]) -> dict[str, Any]:
        pairs = self._count_from(work / _CORPUS, shards) if self.needs_corpus else []
        system = ready_system(self.name, self.given, pairs)
        if self.config.strategy.name != CRF:
            save_system(system, work / _SYSTEM)
        trained = self.given.save if self.config.needs_aligner and self._model() is None else None
        return {"trained": trained and str(trained.resolve()), "is_saved": self.config.strategy.name != CRF}

    def _model(self) -> str | None:
        """The folder of the trained aligner, where the user has one and the system needs it."""
        folder = self.given.model
        if not self.config.needs_aligner or folder is None or is_saved_system(folder):
            return None
        return str(folder.resolve())

    def _count_from(self, path: Path, shards: Sequence[Shard]) -> list[DocumentPair]:
        """Write the documents that words are counted in; returns those of the input."""
        pairs = list(spread(shards, self.count_pairs))
        labelled = [pair for file in (self.given.train, self.given.dev) if file for pair in labelled_pairs(file)]
        write_pairs(path, [*labelled, *pairs])
        return pairs


def aligner_of(system: System) -> Aligner | None:
    """The trained aligner in a system."""
    if isinstance(system, CrfSystem):
        return system.aligner
    return system.shared.resources.aligner if isinstance(system, ComposedSystem) else None


def file_digest(path: Path) -> str:
    """SHA-256 of a file; `InputError` where there is none."""
    if not path.is_file():
        raise bad_input(path, None, "no such file", "check the path")
    return sha256(path)


def folder_digest(folder: Path) -> str:
    """SHA-256 over the names and contents of all files below a folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    rows = [[path.relative_to(folder).as_posix(), sha256(path)] for path in files]
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()


def _vectors(given: Given) -> WordVectorConfig:
    config = from_conf("word_vectors", WordVectorConfig)
    return absolute_vectors(replace(config, file=str(given.vectors)) if given.vectors else config)


def counts_digest(count_pairs: int, shards: Sequence[Shard]) -> str:
    """SHA-256 over what words are counted in."""
    return hashlib.sha256(json.dumps([count_pairs, *(shard.digest for shard in shards)]).encode()).hexdigest()


def vectors_identity(config: WordVectorConfig) -> dict[str, Any]:
    """The configuration with the digest of the file; `InputError` where there is none."""
    return {**asdict(config), "file": config.file and file_digest(Path(config.file))}


def absolute_vectors(config: WordVectorConfig) -> WordVectorConfig:
    """With an absolute path, where a file is named: workers may run elsewhere."""
    return replace(config, file=str(Path(config.file).resolve()) if config.file else None)


def absolute_encoder(encoder: EncoderConfig) -> EncoderConfig:
    """With an absolute path, where the encoder is a folder."""
    folder = Path(encoder.name)
    return replace(encoder, name=str(folder.resolve())) if folder.is_dir() else encoder
