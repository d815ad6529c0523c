"""The aligner over a frozen encoder as an alignment system: fitted, asked for links, and saved."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from textsimp.alignment.cache import Cache
from textsimp.alignment.frozen.encodings import Encodings
from textsimp.alignment.frozen.frozen_aligner import FrozenAligner, FrozenConfig, load_frozen
from textsimp.alignment.frozen.frozen_training import train_frozen
from textsimp.alignment.neural.aligner_settings import Device
from textsimp.alignment.parts import SystemConfig
from textsimp.alignment.systems import SYSTEM, SYSTEM_FILE, Matrix, Pairs, System
from textsimp.core.errors import InputError
from textsimp.core.frozen_encoder import FrozenEncoder
from textsimp.core.pretrained import check_is_here
from textsimp.core.records import DocumentPair, Link
from textsimp.core.settings import structured
from textsimp.core.writing import write_json
from textsimp.metrics.links import Task

_KEPT_CELLS = 2_000_000
"""Sentence pairs whose probabilities are kept: an evaluation asks for links, then for the scores of both tasks."""


class FrozenSystem(System):
    """`FrozenAligner` behind the interface of all systems; its options in YAML are those of `FrozenConfig`."""

    def __init__(self, config: SystemConfig, cache: Cache) -> None:
        self.config, self._cache = config, cache
        self.settings = structured(config.strategy.options, FrozenConfig)
        self._aligner: FrozenAligner | None = None
        self._known: dict[int, tuple[DocumentPair, tuple[Matrix, Matrix]]] = {}

    @property
    def aligner(self) -> FrozenAligner:
        """The aligner; `InputError` before it is fitted or loaded."""
        if self._aligner is None:
            raise InputError("--train: the CRF over frozen encodings learns from labelled document pairs; give a file")
        return self._aligner

    def fit(self, train: Pairs, dev: Pairs) -> list[dict[str, float]]:
        """Train on both; thresholds come from cross-validation, as two rounds of networks need it anyway."""
        encodings = open_encodings(self.settings.encoder, self.settings, self._cache.device)
        self._aligner, curve = train_frozen([*train, *dev], self.settings, encodings, self._cache.device.passes)
        return curve

    def restore(self, folder: Path) -> None:
        name = self._cache.other_encoder or self.settings.encoder if self.settings.encoder else None
        if name is not None and not self._cache.other_encoder:
            check_is_here(name, folder / SYSTEM_FILE)
        self._aligner = load_frozen(folder, self.settings, open_encodings(name, self.settings, self._cache.device))

    def align(self, pair: DocumentPair) -> list[Link]:
        return self.aligner.links(*self._probabilities(pair), self.least)

    def scores(self, pair: DocumentPair, task: Task) -> Matrix:
        """P(linked) for Task 1, P(aligned) for Task 2."""
        return self._probabilities(pair)[task == "task2"]

    def prepare(self, pairs: Pairs) -> None:
        self._known.clear()
        encodings = self.aligner.encodings
        if encodings is not None:
            encodings.forget()
            encodings.add(text for pair in pairs for side in (pair.simple, pair.complex) for text in side.sentences)

    def save(self, folder: Path) -> None:
        state: dict[str, Any] = {"config": asdict(self.config), "chosen": {}, "word_vectors": None}
        with SYSTEM.written(folder) as target:
            write_json(target / SYSTEM_FILE, state)
            self.aligner.save(target)

    def _probabilities(self, pair: DocumentPair) -> tuple[Matrix, Matrix]:
        # by identity: a document pair's hash reads all its text. The pair is kept, so that its id stays its own.
        if id(pair) not in self._known:
            probabilities = self.aligner.probabilities(pair)
            cells = sum(linked.size for _, (linked, _) in self._known.values())
            while self._known and cells + probabilities[0].size > _KEPT_CELLS:
                cells -= self._known.pop(next(iter(self._known)))[1][0].size
            self._known[id(pair)] = pair, probabilities
        return self._known[id(pair)][1]


def open_encodings(name: str | None, config: FrozenConfig, device: Device) -> Encodings | None:
    """The encoder of that name, where there is one."""
    if name is None:
        return None
    return Encodings(FrozenEncoder(name, config.max_length, device.prepare(), config.batch), device.passes)
