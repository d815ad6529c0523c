"""The aligner over a frozen encoder: features of sentence pairs, first estimates, the CRF, and the judge.

    estimates   small networks over the features of each candidate (`pair_features.py`)
    chains      the CRF of Jiang et al. 2020 (equations 1 to 4) over the log-odds of the estimates, one chain over the
                simple and one over the complex sentences, exact posteriors
    judge       small networks over the features, the estimates and the chains of the candidate and of the whole group
                of partners (`partner_groups.py`): calibrated P(linked) and P(aligned)

Every part was trained on what the part before says of article sets that it had not seen (`frozen_training.py`).
"""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from textsimp.alignment.cache import Cache
from textsimp.alignment.frozen.ensembles import Ensemble, FrozenConfig, new_chain
from textsimp.alignment.frozen.frozen_training import Decision, Networks, train_frozen
from textsimp.alignment.frozen.pair_features import Encodings, Matrix, PairFeatures, feature_names, pair_features
from textsimp.alignment.frozen.partner_groups import chain_inputs, judge_names, judged_values, logit, pooled
from textsimp.alignment.neural.paragraphs import links_of
from textsimp.alignment.parts import SYSTEM, SYSTEM_FILE, SystemConfig
from textsimp.core.errors import InputError, bad_input
from textsimp.core.frozen_encoder import FrozenEncoder
from textsimp.core.pretrained import check_is_here
from textsimp.core.records import DocumentPair, Link
from textsimp.core.resumable import load_tensors, load_weights, save_tensors
from textsimp.core.settings import read_as, structured
from textsimp.core.writing import write_json
from textsimp.metrics.links import Task

_DECISION, _WEIGHTS = "decision.json", "weights.safetensors"
_LEAST_ALIKE = -1.6
"""Pairs less alike than that, in standard deviations from the mean of training, are not linked: what networks say of
them (of a line without words, of 100,000 letters) is chance. Gold links of test texts have -1.4 at least."""
_KEPT_CELLS = 2_000_000
"""Sentence pairs whose probabilities are kept: an evaluation asks for links, then for the scores of both tasks."""


class FrozenAligner:
    """An alignment system, see `textsimp.alignment.systems.System`; its options in YAML are those of `FrozenConfig`.

    Attributes:
        networks: what is learned; None before it is fitted or loaded.
        encodings: of the encoder, where it has one; opened when it is fitted or loaded.
    """

    has_probabilities = True
    paragraphs = "none"
    least: float | None = None
    networks: Networks | None = None
    encodings: Encodings | None = None

    def __init__(self, config: SystemConfig, cache: Cache) -> None:
        self.system, self._cache = config, cache
        self.config = structured(config.strategy.options, FrozenConfig)
        self._known: dict[int, tuple[DocumentPair, tuple[Matrix, Matrix]]] = {}

    def fit(self, train: Sequence[DocumentPair], dev: Sequence[DocumentPair]) -> list[dict[str, float]]:
        """Train on both; thresholds come from cross-validation, as two rounds of networks need it anyway."""
        self._open(self.config.encoder)
        self.networks, curve = train_frozen([*train, *dev], self.config, self.encodings, self._cache.device.passes)
        return curve

    def prepare(self, pairs: Sequence[DocumentPair]) -> None:
        """See `System.prepare`."""
        self._known.clear()
        if self.encodings is not None:
            self.encodings.forget()
            self.encodings.add_pairs(pairs)

    def align(self, pair: DocumentPair) -> list[Link]:
        """Return the links of a document pair, sorted; with `least` exactly those of at least that probability."""
        linked, aligned = self.probabilities(pair)
        decision = self._learned.decision
        least = decision.linked if self.least is None else self.least
        return links_of((linked >= least) & (linked > 0), aligned >= decision.aligned)

    def scores(self, pair: DocumentPair, task: Task) -> Matrix:
        """P(linked) for Task 1, P(aligned) for Task 2. Shape: (m, n)."""
        return self.probabilities(pair)[task == "task2"]

    def probabilities(self, pair: DocumentPair) -> tuple[Matrix, Matrix]:
        """P(linked) and P(aligned) of every sentence pair, 0 for those that are no candidates. Shapes: (m, n)."""
        # by identity: a document pair's hash reads all its text. The pair is kept, so that its id stays its own.
        if id(pair) not in self._known:
            probabilities = self._compute(pair)
            cells = sum(linked.size for _, (linked, _) in self._known.values())
            while self._known and cells + probabilities[0].size > _KEPT_CELLS:
                cells -= self._known.pop(next(iter(self._known)))[1][0].size
            self._known[id(pair)] = pair, probabilities
        return self._known[id(pair)][1]

    def _compute(self, pair: DocumentPair) -> tuple[Matrix, Matrix]:
        networks = self._learned
        features = pair_features(pair, self.encodings, neighbours=True)
        estimates = pooled([ensemble.probabilities(features.values) for ensemble in networks.emissions], features)
        chains = self._posteriors(features, estimates)
        values = judged_values(pair, features, estimates, chains)
        judged = pooled([ensemble.probabilities(values) for ensemble in networks.judges], features)
        slopes = np.array([networks.decision.linked_slope, networks.decision.aligned_slope])
        calibrated = 1 / (1 + np.exp(-logit(judged) * slopes))
        calibrated[:, 1] = np.minimum(*calibrated.T)
        calibrated[self._unlike(features)] = 0.0
        linked, aligned = (features.plane(part) for part in calibrated.T)
        return linked, aligned

    @property
    def _learned(self) -> Networks:
        if self.networks is None:
            raise InputError("--train: the CRF over frozen encodings learns from labelled document pairs; give a file")
        return self.networks

    def _unlike(self, features: PairFeatures) -> NDArray[np.bool_]:
        """The candidates that are less alike than any of training. Shape: (K,)."""
        column, emissions = feature_names(self.encodings is not None).index("all.value"), self._learned.emissions
        mean = np.mean([part.mean[column] for part in emissions])
        spread = np.mean([part.spread[column] for part in emissions])
        return ~features.identical & ((features.values[:, column] - mean) / spread < _LEAST_ALIKE)

    def _posteriors(self, features: PairFeatures, estimates: Matrix) -> tuple[Matrix, Matrix]:
        """The posteriors of both chains, averaged over the folds. Shapes: (m, n)."""
        inputs, chains = chain_inputs(features, estimates), self._learned.chains
        over_simple, over_complex = np.zeros(features.shape), np.zeros(features.shape)
        for chain in chains:
            simple, complex_ = chain.both_posteriors([inputs])[0]
            over_simple += simple
            over_complex += complex_
            del simple, complex_
        return over_simple / len(chains), over_complex / len(chains)

    def _open(self, name: str | None) -> None:
        config, device = self.config, self._cache.device
        if name is not None:
            encoder = FrozenEncoder(name, config.max_length, device.prepare(), config.batch)
            self.encodings = Encodings(encoder, device.passes)

    def save(self, folder: Path) -> None:
        """Write settings and thresholds (JSON) and weights (safetensors, single precision)."""
        networks, tensors = self._learned, dict[str, torch.Tensor]()
        for kind, ensembles in (("emission", networks.emissions), ("judge", networks.judges)):
            for fold, ensemble in enumerate(ensembles):
                for name, value in ensemble.state().items():
                    tensors[f"{kind}|{fold}|{name}"] = torch.tensor(value)
        for fold, chain in enumerate(networks.chains):
            tensors |= {f"chain|{fold}|{name}": value for name, value in chain.state_dict().items()}
        with SYSTEM.written(folder) as target:
            write_json(target / SYSTEM_FILE, {"config": asdict(self.system), "chosen": {}, "word_vectors": None})
            save_tensors(target / _WEIGHTS, {name: value.float() for name, value in tensors.items()})
            write_json(target / _DECISION, asdict(networks.decision))

    def load(self, folder: Path) -> None:
        """Read what `save` wrote; `InputError` where a file is absent, damaged or of another configuration."""
        name = self._cache.other_encoder or self.config.encoder if self.config.encoder else None
        if name is not None and not self._cache.other_encoder:
            check_is_here(name, folder / SYSTEM_FILE)
        self._open(name)
        decision, tensors, chains = read_as(folder / _DECISION, Decision), load_tensors(folder / _WEIGHTS), []
        for fold in range(self.config.folds):
            chains.append(new_chain(self.config))
            load_weights(chains[-1], _named(tensors, f"chain|{fold}|"), folder / _WEIGHTS)
        emissions, judges = (_ensembles(tensors, kind, self.config, folder) for kind in ("emission", "judge"))
        self.networks = Networks(emissions, [chain.eval() for chain in chains], judges, decision)


def _named(tensors: dict[str, torch.Tensor], prefix: str) -> dict[str, torch.Tensor]:
    """Return the tensors whose names begin with a prefix, without it."""
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}


def _ensembles(tensors: dict[str, torch.Tensor], kind: str, config: FrozenConfig, folder: Path) -> list[Ensemble]:
    names = feature_names(config.encoder is not None)
    width = len(names) if kind == "emission" else len(judge_names(config.encoder is not None))
    hidden = getattr(config, kind).hidden
    sizes = [width, *hidden, 3]
    wanted: dict[str, tuple[int, ...]] = {"mean": (width,), "spread": (width,)}
    for number in range(getattr(config, kind).networks):
        for depth, (before, after) in enumerate(zip(sizes[:-1], sizes[1:], strict=True)):
            wanted |= {f"{number}.{depth}.weight": (after, before), f"{number}.{depth}.bias": (after,)}
    ensembles = []
    for fold in range(config.folds):
        state = _named(tensors, f"{kind}|{fold}|")
        if {name: tuple(value.shape) for name, value in state.items()} != wanted:
            what = f"the networks {kind} {fold} have other shapes than the settings say"
            raise bad_input(folder / _WEIGHTS, None, what, "train again")
        ensembles.append(Ensemble.from_state({name: value.double().numpy() for name, value in state.items()}))
    return ensembles
