"""What one worker does, wherever it runs: make the system once, then align shard after shard (F2)."""

from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from textsimp.alignment.scale.setup import Setup, aligner_of
from textsimp.alignment.scale.shards import Shard
from textsimp.alignment.systems import ComposedSystem, System
from textsimp.errors import InputError
from textsimp.records import pair_line

ONE_THREAD = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    "OMP_WAIT_POLICY": "PASSIVE",
    "TOKENIZERS_PARALLELISM": "false",
}
"""Environment of a worker: with as many workers as processors more threads only wait for each other, and the last
bits of a sum may depend on their number."""
ATTEMPTS = 3
"""How often a shard is begun whose worker is killed."""


@dataclass(frozen=True)
class Answer:
    """The aligned document pairs of a shard as JSON Lines, or what is wrong with the input."""

    text: str = ""
    error: str | None = None


@runtime_checkable
class Forgetful(Protocol):
    """A similarity that keeps something of the texts that it saw."""

    def forget(self) -> None:
        """Drop it."""
        ...


class Worker:
    """A system that is made at the first shard, so that bad input comes back as an answer."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._system: System | None = None

    def align(self, shard: Shard) -> Answer:
        """The shard's document pairs with predicted alignments, in their order."""
        try:
            if self._system is None:
                self._system = self.setup.load()
            return Answer(align_shard(self._system, shard))
        except InputError as error:
            return Answer(error=str(error))


def align_shard(system: System, shard: Shard) -> str:
    """JSON Lines of a shard with alignments; the same whatever shards the system saw before."""
    pairs = shard.read()
    forget(system)
    aligner = aligner_of(system)
    if aligner is not None:
        aligner.scorer.prepare(pairs)
    return "".join(pair_line(replace(pair, alignments=tuple(sorted(system.align(pair))))) for pair in pairs)


def forget(system: System) -> None:
    """Drop everything that depends on the document pairs seen so far."""
    system.forget()
    aligner = aligner_of(system)
    if aligner is not None:
        aligner.scorer.encoder.forget()
        aligner.scorer.sentences.forget()
    if isinstance(system, ComposedSystem):
        for variant in system.variants:
            if isinstance(variant.similarity.similarity, Forgetful):
                variant.similarity.similarity.forget()


def killed_too_often(shard: Shard) -> InputError:
    """The error for a shard that no worker survives."""
    return InputError(
        f"{shard.name} ({shard.path}, from line {shard.first_line}): its worker was killed {ATTEMPTS} times, often for "
        "memory; take fewer workers or a smaller --shard-size"
    )
