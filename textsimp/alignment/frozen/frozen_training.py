"""Training of the aligner over a frozen encoder on labelled document pairs.

The article sets are divided into folds. Each fold is estimated by networks that saw the other folds alone, so that the
CRF and the judge learn from estimates like those that they will get. The folds' networks are kept together as the
aligner; thresholds and calibration come from what each fold's networks say of that fold.

People's rewriting of whole articles has hardly any sentence that differs by a word or two, edited web pages are full of
them. So there are further pairs to learn from: edited copies of texts, as an editor leaves a page that stays the same
page, and strangers, texts that have nothing to do with each other. A copy leaves sentences out, keeps some, changes a
few words of some (aligned), and cuts some short (partial).
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from textsimp.alignment.frozen.ensembles import Ensemble, FrozenConfig, NetworkConfig, new_chain, train_ensemble
from textsimp.alignment.frozen.pair_features import Encodings, Matrix, PairFeatures, pair_features
from textsimp.alignment.frozen.partner_groups import chain_inputs, judged_values, logit, pooled
from textsimp.alignment.neural.network import ChainInput, NeuralCrf, train_epoch
from textsimp.core import pool
from textsimp.core.devices import ONE_THREAD
from textsimp.core.errors import InputError
from textsimp.core.progress import progress
from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link
from textsimp.core.settings import NonNegativeNumber, Share
from textsimp.metrics.links import TASKS, gold_mask

R = TypeVar("R")
_THRESHOLDS = np.linspace(0.05, 0.95, 181)
_FLAT = 0.2
"""Of the thresholds whose F1 is within so many points of the best, the highest one is taken: who reads or trains on
links loses more by a wrong one than by one that is missing."""
_LEFT_OUT, _KEPT, _CHANGED = 0.3, 0.25, 0.3
"""Shares of the sentences of an edited copy; the rest are cut short."""
_SHORT, _LONG = 8, 15
"""Words: sentences below the first are not cut, sentences above the second get two changes instead of one."""
_CUT = (0.35, 0.65)
"""The share of the words that a sentence that is cut short keeps."""
_STRANGERS, _PASSAGE = 4, 12
"""Passages of each article set, and sentences of one at most."""


@dataclass(frozen=True)
class Decision:
    """Probabilities from which a pair is linked, and from which a link is aligned; a factor of log-odds calibrates."""

    linked: Share
    aligned: Share
    linked_slope: NonNegativeNumber
    aligned_slope: NonNegativeNumber


@dataclass(frozen=True)
class Networks:
    """Everything that is learned.

    Attributes:
        emissions, judges: one ensemble for each fold of training; their log-odds are averaged.
        chains: one CRF for each fold; their posteriors are averaged.
    """

    emissions: list[Ensemble]
    chains: list[NeuralCrf]
    judges: list[Ensemble]
    decision: Decision


@dataclass(frozen=True)
class _Labelled:
    """A document pair with what training needs of it.

    Attributes:
        classes: of the candidates, 0 not linked, 1 partial, 2 aligned. Shape: (K,).
        links: gold links of each task, identical sentences left out.
        weight: of its examples: article sets with many pairs repeat sentences.
        is_copy: whether it is an edited copy or strangers, which teach, but choose no threshold.
    """

    pair: DocumentPair
    features: PairFeatures
    classes: NDArray[np.int64]
    links: tuple[int, int]
    weight: float
    fold: int
    is_copy: bool


Curve = list[dict[str, float]]
Rows = tuple[Matrix, NDArray[np.int64], Matrix]
"""Values (N, F), classes (N,) and weights (N,) of candidates."""


def train_frozen(
    pairs: Sequence[DocumentPair], config: FrozenConfig, encodings: Encodings | None, workers: int = 1
) -> tuple[Networks, Curve]:
    """Train on labelled document pairs.

    So many `workers` train folds side by side, each with one thread; the result does not depend on it.

    Returns:
        The networks, and a row of step, loss and dev_f1 (Task 1 over all folds, in percent) for the estimates, the
        chains and the judge.

    Raises:
        InputError: fewer article sets than folds, or no link of one of the kinds.
    """
    copies = [*edited_copies(pairs, config.seed), *strangers(pairs, config.seed)] if config.copies else []
    examples = _labelled([*pairs, *copies], len(pairs), config, encodings)
    emissions, estimates = _ensembles(examples, [one.features.values for one in examples], config, "emission", workers)
    chains = _chains(examples, estimates, config, workers)
    posteriors = [
        chains[example.fold].both_posteriors([chain_inputs(example.features, estimate)])[0]
        for example, estimate in zip(examples, estimates, strict=True)
    ]
    values = [
        judged_values(example.pair, example.features, estimate, both)
        for example, estimate, both in zip(examples, estimates, posteriors, strict=True)
    ]
    judges, judged = _ensembles(examples, values, config, "judge", workers)
    decision = _decide(examples, judged)
    means = [
        np.stack([np.mean(both, 0)[tuple(example.features.cells.T)], estimate[:, 1]], 1)
        for example, both, estimate in zip(examples, posteriors, estimates, strict=True)
    ]
    curve = [_row(step, examples, opinions) for step, opinions in enumerate((estimates, means, judged), 1)]
    return Networks(emissions, chains, judges, decision), curve


def _labelled(
    pairs: Sequence[DocumentPair], originals: int, config: FrozenConfig, encodings: Encodings | None
) -> list[_Labelled]:
    groups = sorted({pair.group for pair in pairs})
    if len(groups) < config.folds:
        raise InputError(f"{len(groups)} article sets, fewer than the {config.folds} folds; give more labelled pairs")
    random.Random(config.seed).shuffle(groups)
    fold_of = {group: number % config.folds for number, group in enumerate(groups)}
    sizes = Counter(pair.group for pair in pairs)
    if encodings is not None:
        encodings.add_pairs(pairs)
    examples = []
    for number, pair in enumerate(progress(pairs, desc="features", unit=" document pairs")):
        features = pair_features(pair, encodings)
        rows, columns = features.cells.T
        masks = [gold_mask(pair, task) for task in TASKS]
        classes = np.sum([mask[rows, columns] for mask in masks], 0).astype(np.int64)
        same = int(features.identical.sum())
        links = (int(masks[0].sum()) - same, int(masks[1].sum()) - same)
        weight = sizes[pair.group] ** -0.5
        is_copy = number >= originals
        examples.append(_Labelled(pair, features, classes, links, weight, fold_of[pair.group], is_copy))
    if any(not sum(example.links[task] for example in examples) for task in range(len(TASKS))):
        raise InputError("the labelled pairs have not both partial and aligned links; the aligner cannot learn")
    return examples


@dataclass(frozen=True)
class _Fold:
    """All that a process needs to train the parts that learn from all folds but this one."""

    number: int
    examples: Sequence[Any]

    def __str__(self) -> str:
        return f"fold {self.number} of the training"


def _by_fold(
    work: Callable[[_Fold], R], examples: Sequence[_Labelled], rows: Sequence[Any], folds: int, workers: int, what: str
) -> list[R]:
    """Return for each fold in order what `work` makes of the rows of the examples of all others."""
    tasks = (
        _Fold(number, [row for example, row in zip(examples, rows, strict=True) if example.fold != number])
        for number in range(folds)
    )
    many = min(workers, folds)
    done = ((task, work(task)) for task in tasks) if many == 1 else pool.run(pool.always(work), tasks, many, ONE_THREAD)
    results = {task.number: result for task, result in progress(done, desc=what, total=folds)}
    return [results[number] for number in range(folds)]


def _ensembles(
    examples: Sequence[_Labelled], values: Sequence[Matrix], config: FrozenConfig, kind: str, workers: int
) -> tuple[list[Ensemble], list[Matrix]]:
    """Return for each fold the networks that learn from all others, and what they say of the examples of that fold."""
    work = partial(_ensemble, getattr(config, kind), config.seed)
    ensembles = _by_fold(work, examples, _rows(examples, values), config.folds, workers, kind)
    return ensembles, [
        pooled([ensembles[example.fold].probabilities(rows)], example.features)
        for example, rows in zip(examples, values, strict=True)
    ]


def _rows(examples: Sequence[_Labelled], values: Sequence[Matrix]) -> list[Rows]:
    """Return what there is to learn from each example: the candidates, but for those of identical sentences."""
    return [
        (features[keep], example.classes[keep], np.full(keep.sum(), example.weight))
        for example, features in zip(examples, values, strict=True)
        for keep in [~example.features.identical]
    ]


def _joined(rows: Sequence[Rows]) -> Rows:
    values, classes, weights = (np.concatenate(part) for part in zip(*rows, strict=True))
    return values, classes, weights


def _ensemble(config: NetworkConfig, seed: int, fold: _Fold) -> Ensemble:
    return train_ensemble(*_joined(fold.examples), config, seed + fold.number)


def _chains(
    examples: Sequence[_Labelled], estimates: Sequence[Matrix], config: FrozenConfig, workers: int
) -> list[NeuralCrf]:
    """Return for each fold the CRF that learns from all others."""
    rows = [
        (chain_inputs(example.features, estimate).numpy(), *(gold_mask(example.pair, task) for task in TASKS))
        for example, estimate in zip(examples, estimates, strict=True)
    ]
    chains = []
    for state in _by_fold(partial(_chain, config), examples, rows, config.folds, workers, "train the CRF"):
        chains.append(new_chain(config))
        chains[-1].load_state_dict({name: torch.from_numpy(value) for name, value in state.items()})
    return [chain.eval() for chain in chains]


def _chain(config: FrozenConfig, fold: _Fold) -> dict[str, NDArray[np.float32]]:
    """Maximise equation 6 over the examples; return the CRF's weights."""
    torch.manual_seed(config.seed + fold.number)
    chain, settings = new_chain(config), config.chain
    inputs = [
        ChainInput(torch.from_numpy(values), torch.from_numpy(linked), torch.from_numpy(aligned).float())
        for values, linked, aligned in fold.examples
    ]
    optimizer = torch.optim.Adam(chain.parameters(), lr=settings.learning_rate)
    for epoch in range(settings.epochs):
        train_epoch(inputs, chain.loss, optimizer, settings.batch_size, config.seed * 1_009 + epoch)
    return {name: value.numpy() for name, value in chain.state_dict().items()}


def _originals(examples: Sequence[_Labelled], judged: Sequence[Matrix]) -> tuple[Rows, list[float]]:
    """Return the rows of all that are no edited copies, and the weight of their gold links of each task."""
    chosen = [(example, rows) for example, rows in zip(examples, judged, strict=True) if not example.is_copy]
    originals, values = zip(*chosen, strict=True)
    wanted = [sum(example.links[task] * example.weight for example in originals) for task in range(len(TASKS))]
    return _joined(_rows(originals, values)), wanted


def _decide(examples: Sequence[_Labelled], judged: Sequence[Matrix]) -> Decision:
    """Take slopes that make the probabilities likeliest, and thresholds of the highest weighted F1."""
    (probabilities, classes, weights), wanted = _originals(examples, judged)
    decided = []
    for task in range(len(TASKS)):
        odds, gold = logit(probabilities[:, task]), classes > task
        slope = _slope(odds, gold, weights)
        decided.append((_threshold(1 / (1 + np.exp(-slope * odds)), gold, weights, wanted[task]), slope))
    (linked, linked_slope), (aligned, aligned_slope) = decided
    return Decision(linked, aligned, linked_slope, aligned_slope)


def _slope(odds: Matrix, gold: NDArray[np.bool_], weights: Matrix) -> float:
    def loss(slope: float) -> float:
        return float(np.average(np.logaddexp(0, np.where(gold, -slope * odds, slope * odds)), weights=weights))

    return round(float(minimize_scalar(loss, bounds=(0.2, 3.0), method="bounded").x), 3)


def _threshold(probabilities: Matrix, gold: NDArray[np.bool_], weights: Matrix, wanted: float) -> float:
    scores = np.array([_f1(probabilities >= level, gold, weights, wanted) for level in _THRESHOLDS])
    return round(float(_THRESHOLDS[scores >= scores.max() - _FLAT].max()), 3)


def _f1(chosen: NDArray[np.bool_], gold: NDArray[np.bool_], weights: Matrix, wanted: float) -> float:
    """Return F1 in percent; `wanted` is the weight of all gold links, those among no candidates included."""
    return 200 * float(weights[chosen & gold].sum()) / max(float(weights[chosen].sum()) + wanted, 1e-9)


def _row(step: int, examples: Sequence[_Labelled], judged: Sequence[Matrix]) -> dict[str, Any]:
    (probabilities, classes, weights), wanted = _originals(examples, judged)
    likely = np.clip(probabilities[:, 0], 1e-4, 1 - 1e-4)
    loss = -np.average(np.where(classes > 0, np.log(likely), np.log1p(-likely)), weights=weights)
    f1 = max(_f1(probabilities[:, 0] >= level, classes > 0, weights, wanted[0]) for level in _THRESHOLDS)
    return {"step": step, "loss": float(loss), "dev_f1": f1}


def edited_copies(pairs: Sequence[DocumentPair], seed: int) -> Iterator[DocumentPair]:
    """Yield the complex text of each article set's first pair with an edited copy of itself, and the links between.

    Copies of which nothing is left are left out. They belong to their article set.
    """
    rng = random.Random(seed)
    for _, pair in sorted(_first_of_sets(pairs).items()):
        copy = _edited(pair, rng)
        if copy is not None:
            yield copy


def _first_of_sets(pairs: Sequence[DocumentPair]) -> dict[str, DocumentPair]:
    return {pair.group: pair for pair in reversed(pairs)}


def strangers(pairs: Sequence[DocumentPair], seed: int) -> Iterator[DocumentPair]:
    """Yield for each article set a passage of its first complex text with one of another set's simple text, unlinked.

    Without them an aligner has only ever seen texts that belong together, and links the two most alike sentences of
    any. They belong to the article set of the complex text.
    """
    rng, first = random.Random(seed), _first_of_sets(pairs)
    groups = sorted(first)
    for _ in range(_STRANGERS):
        others = rng.sample(groups, len(groups))
        for group, stranger in zip(groups, others, strict=True):
            if group != stranger:
                sides = (_passage(first[group].complex, rng), _passage(first[stranger].simple, rng))
                name = f"{first[group].id}.{first[stranger].id}"
                yield replace(first[group], id=name, complex=sides[0], simple=sides[1], alignments=())


def _passage(document: Document, rng: random.Random) -> Document:
    sentences = document.sentences
    length = min(rng.randint(1, _PASSAGE), len(sentences))
    start = rng.randint(0, len(sentences) - length)
    return replace(document, paragraphs=(sentences[start : start + length],))


def _edited(pair: DocumentPair, rng: random.Random) -> DocumentPair | None:
    paragraphs: list[tuple[str, ...]] = []
    links: list[Link] = []
    index = 0
    for paragraph in pair.complex.paragraphs:
        words = [word for sentence in paragraph for word in sentence.split()]
        copied = []
        for sentence in paragraph:
            drawn = rng.random() - _LEFT_OUT
            if drawn >= 0:
                text, label = _changed(sentence, drawn, words, rng)
                links.append(Link(len(links), index, label))
                copied.append(text)
            index += 1
        if copied:
            paragraphs.append(tuple(copied))
    if not paragraphs:
        return None
    simple = replace(pair.simple, paragraphs=tuple(paragraphs))
    return replace(pair, id=f"{pair.id}.copy", simple=simple, alignments=tuple(links))


def _changed(sentence: str, drawn: float, words: Sequence[str], rng: random.Random) -> tuple[str, AlignmentLabel]:
    tokens = sentence.split()
    if drawn < _KEPT or not tokens:
        return sentence, AlignmentLabel.ALIGNED
    if drawn < _KEPT + _CHANGED or len(tokens) < _SHORT:
        for _ in range(2 if len(tokens) > _LONG else 1):
            index, kind = rng.randrange(len(tokens)), rng.choice(("delete", "replace", "insert"))
            if kind == "delete" and len(tokens) > 1:
                del tokens[index]
            elif kind == "replace":
                tokens[index] = rng.choice(words)
            else:
                tokens.insert(index, rng.choice(words))
        return " ".join(tokens), AlignmentLabel.ALIGNED
    cut = round(len(tokens) * rng.uniform(*_CUT))
    half = tokens[:cut] if rng.random() < 0.5 else tokens[cut:]
    return " ".join(half), AlignmentLabel.PARTIAL
