"""The aligner over a frozen encoder: features of sentence pairs, first estimates, the CRF, and the judge.

    estimates   small networks over the features of each candidate (`pair_features.py`)
    chains      the CRF of Jiang et al. 2020 (equations 1 to 4) over the log-odds of the estimates, one chain over the
                simple and one over the complex sentences, exact posteriors
    judge       small networks over the features, the estimates and the chains of the candidate and of the whole group
                of partners (`partner_groups.py`): calibrated P(linked) and P(aligned)

Every part was trained on what the part before says of article sets that it had not seen (`frozen_training.py`).
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from textsimp.alignment.frozen.encodings import Encodings
from textsimp.alignment.frozen.ensembles import Ensemble, NetworkConfig
from textsimp.alignment.frozen.pair_features import Matrix, PairFeatures, feature_names, pair_features
from textsimp.alignment.frozen.partner_groups import SURE, group_features, group_names, kept_columns, logit
from textsimp.alignment.neural.aligner_settings import TransitionConfig
from textsimp.alignment.neural.network import NeuralCrf
from textsimp.core.errors import bad_input
from textsimp.core.records import AlignmentLabel, DocumentPair, Link
from textsimp.core.resumable import check_shapes, load_tensors, save_tensors
from textsimp.core.settings import NonNegativeNumber, Positive, PositiveNumber, Seed, Share, read_as
from textsimp.core.writing import write_json

_DECISION, _WEIGHTS = "decision.json", "weights.safetensors"
_CHAIN_FEATURES = 2
_CHAIN_SCALE = 4.0
"""Log-odds are divided by it on their way into the CRF."""
_LEAST_ALIKE = -2.0
"""Pairs less alike than that, in standard deviations from the mean of training, are not linked: training had none, so
what networks say of them (of a line without words, of 100,000 letters) is chance."""


@dataclass(frozen=True)
class ChainConfig:
    """The CRF: units of its emission network, its transitions, and its training by Adam."""

    hidden: Positive
    transition: TransitionConfig
    epochs: Positive
    batch_size: Positive
    learning_rate: PositiveNumber


@dataclass(frozen=True)
class FrozenConfig:
    """The aligner over a frozen encoder: `alignment_system.frozen_crf.strategy.options` in params.yaml.

    encoder: name or folder of the encoder; null for none.
    max_length: word pieces of a sentence; longer ones are cut.
    batch: sentences in one pass of the encoder.
    folds: parts of the article sets; each is estimated by what the others taught.
    copies: whether edited copies and strangers are learned from, too (`edited_copies.py`).
    emission, judge: the networks of both rounds.
    """

    encoder: str | None
    max_length: Positive
    batch: Positive
    folds: Positive
    copies: bool
    emission: NetworkConfig
    chain: ChainConfig
    judge: NetworkConfig
    seed: Seed


@dataclass(frozen=True)
class Decision:
    """Probabilities from which a pair is linked, and from which a link is aligned; a factor of log-odds calibrates."""

    linked: Share
    aligned: Share
    linked_slope: NonNegativeNumber
    aligned_slope: NonNegativeNumber


@dataclass
class FrozenAligner:
    """A trained aligner.

    Attributes:
        emissions, judges: one ensemble for each fold of training; their log-odds are averaged.
        chains: one CRF for each fold; their posteriors are averaged.
    """

    config: FrozenConfig
    encodings: Encodings | None
    emissions: list[Ensemble]
    chains: list[NeuralCrf]
    judges: list[Ensemble]
    decision: Decision

    def align(self, pair: DocumentPair) -> list[Link]:
        """The links of a document pair, sorted."""
        return self.links(*self.probabilities(pair))

    def links(self, linked: Matrix, aligned: Matrix, least: float | None = None) -> list[Link]:
        """The links that probabilities make, sorted, from `least` on or the aligner's own threshold. Shapes: (m, n)."""
        threshold = self.decision.linked if least is None else least
        return [
            Link(i, j, AlignmentLabel.ALIGNED if aligned[i, j] >= self.decision.aligned else AlignmentLabel.PARTIAL)
            for i, j in np.argwhere((linked >= threshold) & (linked > 0)).tolist()
        ]

    def probabilities(self, pair: DocumentPair) -> tuple[Matrix, Matrix]:
        """P(linked) and P(aligned) of every sentence pair, 0 for those that are no candidates. Shapes: (m, n)."""
        features = self.features(pair)
        estimates = pooled([ensemble.probabilities(features.values) for ensemble in self.emissions], features)
        chains = self.posteriors(features, estimates)
        values = judged_values(pair, features, estimates, chains, self.encodings is not None)
        judged = pooled([ensemble.probabilities(values) for ensemble in self.judges], features)
        slopes = np.array([self.decision.linked_slope, self.decision.aligned_slope])
        calibrated = 1 / (1 + np.exp(-logit(judged) * slopes))
        calibrated[:, 1] = np.minimum(*calibrated.T)
        calibrated[self._unlike(features)] = 0.0
        linked, aligned = (features.plane(part) for part in calibrated.T)
        return linked, aligned

    def features(self, pair: DocumentPair) -> PairFeatures:
        """The features of a document pair."""
        return pair_features(pair, self.encodings.of if self.encodings else None)

    def _unlike(self, features: PairFeatures) -> NDArray[np.bool_]:
        """The candidates that are less alike than any of training. Shape: (K,)."""
        column = feature_names(self.encodings is not None).index("all.value")
        mean = np.mean([part.mean[column] for part in self.emissions])
        spread = np.mean([part.spread[column] for part in self.emissions])
        return ~features.identical & ((features.values[:, column] - mean) / spread < _LEAST_ALIKE)

    def posteriors(self, features: PairFeatures, estimates: Matrix) -> tuple[Matrix, Matrix]:
        """The posteriors of both chains, averaged over the folds. Shapes: (m, n)."""
        inputs = chain_inputs(features, estimates)
        over_simple, over_complex = np.zeros(features.shape), np.zeros(features.shape)
        for chain in self.chains:
            simple, complex_ = chain_posteriors(chain, inputs)
            over_simple += simple
            over_complex += complex_
            del simple, complex_
        return over_simple / len(self.chains), over_complex / len(self.chains)

    def save(self, folder: Path) -> None:
        """Write weights (safetensors, single precision) and thresholds (JSON) into an existing folder."""
        tensors: dict[str, torch.Tensor] = {}
        for kind, ensembles in (("emission", self.emissions), ("judge", self.judges)):
            for fold, ensemble in enumerate(ensembles):
                for name, value in ensemble.state().items():
                    tensors[f"{kind}|{fold}|{name}"] = torch.tensor(value)
        for fold, chain in enumerate(self.chains):
            tensors |= {f"chain|{fold}|{name}": value for name, value in chain.state_dict().items()}
        save_tensors(folder / _WEIGHTS, {name: value.float() for name, value in tensors.items()})
        write_json(folder / _DECISION, asdict(self.decision))


def load_frozen(folder: Path, config: FrozenConfig, encodings: Encodings | None) -> FrozenAligner:
    """Read what `FrozenAligner.save` wrote.

    Raises:
        InputError: a file is absent, damaged or of another configuration.
    """
    decision = read_as(folder / _DECISION, Decision)
    tensors = load_tensors(folder / _WEIGHTS)
    chains = []
    for fold in range(config.folds):
        state = {name: tensors.pop(key) for key in list(tensors) if (name := _named(key, f"chain|{fold}|"))}
        check_shapes(chain := new_chain(config), state, folder / _WEIGHTS)
        chain.load_state_dict(state)
        chains.append(chain.eval())
    emissions, judges = (_ensembles(tensors, kind, config, folder) for kind in ("emission", "judge"))
    return FrozenAligner(config, encodings, emissions, chains, judges, decision)


def _named(key: str, prefix: str) -> str:
    return key.removeprefix(prefix) if key.startswith(prefix) else ""


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
        state = {name: tensors[key] for key in tensors if (name := _named(key, f"{kind}|{fold}|"))}
        if {name: tuple(value.shape) for name, value in state.items()} != wanted:
            what = f"the networks {kind} {fold} have other shapes than the settings say"
            raise bad_input(folder / _WEIGHTS, None, what, "train again")
        ensembles.append(Ensemble.from_state({name: value.double().numpy() for name, value in state.items()}))
    return ensembles


def judge_names(has_encoder: bool) -> list[str]:
    """The features of the judge in the order of their columns."""
    names = feature_names(has_encoder)
    return [names[column] for column in kept_columns(names)] + group_names(has_encoder)


def judged_values(
    pair: DocumentPair, features: PairFeatures, estimates: Matrix, chains: tuple[Matrix, Matrix], has_encoder: bool
) -> Matrix:
    """The features of the judge. Shape: (K, F)."""
    values = features.values[:, kept_columns(feature_names(has_encoder))]
    return np.concatenate([values, group_features(pair, features, estimates, chains)], 1)


def pooled(estimates: Sequence[Matrix], features: PairFeatures) -> Matrix:
    """The mean log-odds of several estimates as probabilities; identical sentences are aligned. Shape: (K, 2)."""
    mean = 1 / (1 + np.exp(-np.mean([logit(part) for part in estimates], 0)))
    mean[features.identical] = 1 - SURE
    return mean


def chain_inputs(features: PairFeatures, estimates: Matrix) -> torch.Tensor:
    """Inputs of the CRF: log-odds of both tasks. Shape: (m, n, 2)."""
    none = float(logit(np.zeros(1))[0])
    planes = [(features.plane(logit(part), none) / _CHAIN_SCALE).astype(np.float32) for part in estimates.T]
    return torch.from_numpy(np.stack(planes, 2))


def new_chain(config: FrozenConfig) -> NeuralCrf:
    """A CRF with random weights."""
    return NeuralCrf(_CHAIN_FEATURES, config.chain.hidden, config.chain.transition)


def chain_posteriors(chain: NeuralCrf, inputs: torch.Tensor) -> tuple[Matrix, Matrix]:
    """Posteriors of the chain over the simple and of that over the complex sentences. Shapes: (m, n)."""
    return chain.both_posteriors([inputs])[0]
