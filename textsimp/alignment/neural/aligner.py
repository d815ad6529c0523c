"""The neural CRF aligner as a whole: documents in, links out (section 2); and on disk.

In order: candidates and encoder scores of sentence pairs (pair_scores), paragraph alignment (Algorithms 1-4),
the CRF over each simple paragraph and its merged complex paragraphs, labels of the links.

On disk: encoder (Hugging Face folder), CRF (safetensors), settings and word weights (JSON), and the encoder's outputs
that training computed, so that the next stages do not compute them again.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, ClassVar, cast

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import Field
from torch import nn

from textsimp.alignment.neural.aligner_settings import (
    ALIGNER,
    SETTINGS,
    AlignerConfig,
    Decoding,
    Device,
    check_is_aligner,
)
from textsimp.alignment.neural.bert import PairEncoder, SentenceEncoder, TextPair
from textsimp.alignment.neural.network import NeuralCrf, ScoredChain, task_crfs
from textsimp.alignment.neural.pair_scores import PairScorer, feature_columns
from textsimp.alignment.neural.paragraphs import (
    Algorithm,
    Block,
    ParagraphScores,
    ParagraphThresholds,
    align_paragraphs,
    gold_paragraphs,
    in_document,
    links_of,
    paragraph_blocks,
    paragraph_scores,
)
from textsimp.alignment.words import TfIdf
from textsimp.core.errors import InputError, bad_input
from textsimp.core.pretrained import check_is_here
from textsimp.core.records import DocumentPair, Link
from textsimp.core.resumable import check_shapes, load_tensors, save_tensors
from textsimp.core.settings import read_as
from textsimp.core.writing import write_json
from textsimp.metrics.curves import precision_recall_curve
from textsimp.metrics.links import TASKS, Task, alignment_scores, evaluated

NEVER = 2.0
"""A threshold that no probability reaches."""
_ABOVE_0 = np.nextafter(0, 1)
"""Of sentence pairs that are no candidates the probability is 0, and they are never linked."""
Threshold = Annotated[float, Field(ge=0, le=NEVER)]
Paragraphs = str
"""What the sentence aligner is given: whole documents (`none`), `predicted` or `gold` aligned paragraphs."""

Matrix = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class AlignerSettings:
    """The decisions of training, apart from weights.

    link_threshold: from which posterior on a pair is linked (decoding `posterior`).
    label_threshold: from which P(aligned | linked) on a link is aligned.
    """

    algorithm: Algorithm
    paragraph_thresholds: ParagraphThresholds
    link_threshold: Threshold
    label_threshold: Threshold


@dataclass(frozen=True)
class _Stored:
    """The form of `SETTINGS`."""

    config: AlignerConfig
    settings: AlignerSettings


_ENCODER, _NETWORK, _WORDS = "encoder", "crf.safetensors", "words.json"
_TEXTS, _SCORES = "scored_pairs.json", "scores.safetensors"


@dataclass
class Aligner:
    """A trained aligner, one of `textsimp.alignment.systems.System`. Training sets the parts.

    Attributes:
        paragraphs: what the CRF runs over; of the configuration where None. `gold` reads the alignments of a document
            pair itself, for the ablation of Table 3.
        decoding: of the configuration where None, see `CrfConfig.decoding`.
        as_precise_as: a decoding whose Task 1 precision on dev `fit` reaches, by a higher threshold where needed.
        least: see `System.least`. Viterbi's links are those of one path, so that it can only leave some out.
    """

    config: AlignerConfig
    scorer: PairScorer
    network: NeuralCrf
    settings: AlignerSettings
    paragraphs: Paragraphs | None = None
    decoding: Decoding | None = None
    as_precise_as: Decoding | None = None
    least: float | None = None
    has_probabilities: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.paragraphs = self.paragraphs or self.config.crf.paragraphs
        self.decoding = self.decoding or self.config.crf.decoding

    def fit(self, train: Sequence[DocumentPair], dev: Sequence[DocumentPair]) -> list[dict[str, float]]:
        """Choose nothing, as training has chosen the thresholds, but for `as_precise_as`."""
        if self.as_precise_as is not None:
            reference = copy(self)
            reference.decoding = self.as_precise_as
            wanted = alignment_scores((pair, reference.align(pair)) for pair in dev)["task1"]["precision"]
            scores, gold = evaluated(self.scores, dev, "task1")
            curve = precision_recall_curve(scores, gold, int(gold.sum()))
            enough = curve.threshold[curve.precision >= wanted - 1e-9]
            if len(enough):
                least = max(self.settings.link_threshold, float(enough.min()))
                self.settings = replace(self.settings, link_threshold=least)
        return []

    def forget(self) -> None:
        """Drop everything that depends on the document pairs seen so far; what a file held stays."""
        self.scorer.forget()

    def prepare(self, pairs: Sequence[DocumentPair]) -> None:
        """See `System.prepare`."""
        self.forget()
        self.scorer.prepare(pairs)

    def align(self, pair: DocumentPair) -> list[Link]:
        """Return the links of a document pair, sorted."""
        linked = self.linked(pair)
        aligned = self.label_scores(pair, linked) >= self.settings.label_threshold
        return links_of(linked if self.least is None else linked & (self.link_scores(pair) >= self.least), aligned)

    def linked(self, pair: DocumentPair) -> Mask:
        """Return which sentence pairs are linked. Shape: (m, n)."""
        if self.decoding is Decoding.POSTERIOR:
            threshold = self.settings.link_threshold if self.least is None else max(self.least, _ABOVE_0)
            return self.link_scores(pair) >= threshold
        return self.task_links(pair, "task1")

    def task_links(self, pair: DocumentPair, task: Task) -> Mask:
        """Return what equation 5 links by the CRF of a task, or of both. Shape: (m, n)."""
        blocks = self.blocks(pair)
        linked = self.chain(task).viterbi([self._inputs(pair, block, task) for block in blocks])
        return in_document(pair, blocks, linked, bool)

    def link_scores(self, pair: DocumentPair) -> Matrix:
        """Return P(linked) of every sentence pair, 0 outside aligned paragraphs. Shape: (m, n)."""
        return self._posteriors(pair, "task1")

    def _posteriors(self, pair: DocumentPair, task: Task) -> Matrix:
        blocks = self.blocks(pair)
        posteriors = self.chain(task).posteriors([self._inputs(pair, block, task) for block in blocks])
        return in_document(pair, blocks, posteriors, float)

    def chain(self, task: Task) -> NeuralCrf | ScoredChain:
        """Return the CRF of a task, here of both."""
        return self.network

    def _inputs(self, pair: DocumentPair, block: Block, task: Task) -> torch.Tensor:
        return self.block_features(pair, block)

    def label_scores(self, pair: DocumentPair, linked: Mask) -> Matrix:
        """Return P(aligned | linked); 0 for links that share a sentence, if configured so. Shapes: (m, n)."""
        labels = self.network.label_probability(self.features(pair))
        if self.config.crf.aligned_one_to_one:
            alone = (linked.sum(1, keepdims=True) == 1) & (linked.sum(0) == 1)
            labels[linked & ~alone] = 0.0
        return labels

    def scores(self, pair: DocumentPair, task: Task) -> Matrix:
        """Return the posterior, in Task 2 times P(aligned | linked); -inf where Viterbi has no link. Shape: (m, n)."""
        scores, linked = self.link_scores(pair), self.linked(pair)
        if task == "task2":
            scores = scores * self.label_scores(pair, linked)
        return np.where(linked, scores, -np.inf) if self.decoding is Decoding.VITERBI else scores

    def blocks(self, pair: DocumentPair, paragraphs: Paragraphs | None = None) -> list[Block]:
        """Return what the CRF runs over."""
        paragraphs = paragraphs or self.paragraphs
        if paragraphs == "none":
            return [Block(tuple(range(len(pair.simple.sentences))), tuple(range(len(pair.complex.sentences))))]
        aligned = gold_paragraphs(pair) if paragraphs == "gold" else self.paragraph_alignment(pair)
        return paragraph_blocks(aligned, pair)

    def paragraph_alignment(self, pair: DocumentPair) -> NDArray[np.bool_]:
        """alignP by Algorithm 2 or 4 over P(linked). Shape: (k, l)."""
        scores = self.paragraph_scores(pair)
        return align_paragraphs(scores, self.settings.algorithm, self.settings.paragraph_thresholds)

    def paragraph_scores(self, pair: DocumentPair) -> ParagraphScores:
        """Return what the paragraph algorithms read."""
        return paragraph_scores(self.scorer.scores(pair).similarity(), pair.simple, pair.complex)

    def features(self, pair: DocumentPair) -> torch.Tensor:
        """Inputs of the emission network. Shape: (m, n, F)."""
        columns, features = feature_columns(self.config.emission.features), self.scorer.scores(pair).features
        return torch.from_numpy(features if columns == list(range(features.shape[2])) else features[:, :, columns])

    def block_features(self, pair: DocumentPair, block: Block) -> torch.Tensor:
        """Inputs of the emission network in one block. Shape: (S, N, F)."""
        features = self.features(pair)
        if (len(block.simple), len(block.complex)) == features.shape[:2]:
            return features
        return features[torch.tensor(block.simple)][:, torch.tensor(block.complex)]

    def save(self, folder: str | Path) -> None:
        """Write the aligner as a folder that replaces an older one only when it is complete."""
        with ALIGNER.written(folder) as target:
            self.scorer.encoder.save(target / _ENCODER)
            save_tensors(target / _NETWORK, self.network.state_dict())
            write_json(target / _WORDS, asdict(self.scorer.words))
            texts, scores = self.scorer.computed()
            write_json(target / _TEXTS, texts)
            save_tensors(target / _SCORES, {"log_probabilities": torch.from_numpy(scores)})
            write_json(target / SETTINGS, {"config": asdict(self.config), "settings": asdict(self.settings)})


_CHUNK = 8192
"""Of so many sentence pairs the [CLS] vectors are in memory at a time: 25 MB at 768 dimensions."""
_KEPT = 100_000
"""Or of so many, 0.3 GB, between their scores and their comparison."""


@dataclass
class ClsAligner(Aligner):
    """The aligner of the paper: for each task a CRF of its own over the [CLS] vectors, one chain each, Viterbi.

    A link of Task 2's CRF is aligned, one of Task 1's alone partial. Both read one pair encoder, where the authors
    fine-tune one for each task; paragraphs are aligned by P(aligned or partial).

    Of each candidate pair's vector sim(s, c) of both CRFs is kept, two numbers; the vectors themselves only where the
    encoder is told to keep them.
    """

    network: nn.ModuleDict  # type: ignore[assignment]  # a `ScoredChain` for each task
    _similar: dict[DocumentPair, dict[Task, torch.Tensor]] = field(default_factory=dict, init=False, repr=False)

    def forget(self) -> None:
        super().forget()
        self._similar.clear()

    def prepare(self, pairs: Sequence[DocumentPair]) -> None:
        """Encode each sentence pair once for both its score and its vector, where there is room for the vectors."""
        encoder, sizes = self.scorer.encoder, [(len(p.simple.sentences), len(p.complex.sentences)) for p in pairs]
        candidates = sum(m * min(self.scorer.candidates or n, n) + n for m, n in sizes)
        kept = encoder.kept
        if kept is None and candidates <= _KEPT:
            encoder.kept = {}
        super().prepare(pairs)
        self._compare(pairs)
        encoder.kept = kept

    def candidates(self, pair: DocumentPair, blocks: Sequence[Block]) -> list[tuple[torch.Tensor, list[TextPair]]]:
        """The sentence pairs of each block that may be linked, as a mask (S, N), and their texts row by row."""
        may_be_linked = self.scorer.candidate(pair)  # (m, n)
        simple, complex_ = pair.simple.sentences, pair.complex.sentences
        found = []
        for block in blocks:
            known = may_be_linked[np.ix_(block.simple, block.complex)]
            texts = [(simple[block.simple[i]], complex_[block.complex[j]]) for i, j in np.argwhere(known).tolist()]
            found.append((torch.from_numpy(known), texts))
        return found

    def linked(self, pair: DocumentPair) -> Mask:
        """Return what the CRF of either task links. Shape: (m, n)."""
        if self.decoding is Decoding.POSTERIOR:
            raise InputError("alignment strategy crf: the paper's aligner has no other decoding than viterbi")
        return self.task_links(pair, "task1") | self.task_links(pair, "task2")

    def scores(self, pair: DocumentPair, task: Task) -> Matrix:
        """Return the posterior by the CRF of the task, in Task 1 the greater of both; -inf where there is no link."""
        if task == "task1":
            return np.where(self.linked(pair), self.link_scores(pair), -np.inf)
        return np.where(self.task_links(pair, task), self._posteriors(pair, task), -np.inf)

    def link_scores(self, pair: DocumentPair) -> Matrix:
        return np.maximum(*(self._posteriors(pair, task) for task in TASKS))

    def label_scores(self, pair: DocumentPair, linked: Mask) -> Matrix:
        """Return 1 where the CRF of Task 2 has a link. Shape: (m, n)."""
        return self.task_links(pair, "task2").astype(float)

    def chain(self, task: Task) -> ScoredChain:
        return cast(ScoredChain, self.network[task])

    def _inputs(self, pair: DocumentPair, block: Block, task: Task) -> torch.Tensor:
        if pair not in self._similar:
            self._compare([pair])
        return self._similar[pair][task][torch.tensor(block.simple)][:, torch.tensor(block.complex)]

    @torch.no_grad()
    def _compare(self, pairs: Sequence[DocumentPair]) -> None:
        """sim(s, c) of all candidates of some document pairs; each distinct pair of texts is encoded once."""
        cells = {pair: self.candidates(pair, self.blocks(pair, "none"))[0] for pair in pairs}
        distinct = list(dict.fromkeys(texts for _, pair_texts in cells.values() for texts in pair_texts))
        rows = {texts: row for row, texts in enumerate(distinct)}
        parts: dict[Task, list[torch.Tensor]] = {task: [torch.zeros(0)] for task in TASKS}
        for start in range(0, len(distinct), _CHUNK):
            vectors = torch.from_numpy(self.scorer.encoder.cls(distinct[start : start + _CHUNK]))
            for task in TASKS:
                parts[task].append(self.chain(task).similarity(vectors).squeeze(1))
        similar = {task: torch.cat(scores) for task, scores in parts.items()}
        for pair, (known, texts) in cells.items():
            numbers = torch.tensor([rows[item] for item in texts], dtype=torch.long)
            self._similar[pair] = {
                task: torch.full(known.shape, -torch.inf).masked_scatter(known, similar[task][numbers])
                for task in TASKS
            }


def new_aligner(config: AlignerConfig, scorer: PairScorer, settings: AlignerSettings) -> Aligner:
    """An aligner of the kind that the emission asks for, with random weights from the configured seed."""
    torch.manual_seed(config.crf.seed)
    emission, crf, width = config.emission, config.crf, scorer.encoder.width
    if emission.is_cls:
        crfs = task_crfs(width, emission.hidden or width, crf.transition, crf.partners)
        return ClsAligner(config, scorer, crfs, settings)
    network = NeuralCrf(len(feature_columns(emission.features)), emission.hidden, crf.transition, crf.partners)
    return Aligner(config, scorer, network, settings)


def new_scorer(config: AlignerConfig, device: Device, encoder: Path, words: TfIdf) -> PairScorer:
    """Return what scores sentence pairs by a fine-tuned pair encoder and by that encoder as it was pre-trained."""
    limits = config.encoder.max_length, device.prepare(), device.batch
    pair_encoder = PairEncoder(encoder, *limits, config.encoder.order)
    return PairScorer(pair_encoder, SentenceEncoder(config.encoder.name, *limits), words, config.candidates)


def load_aligner(folder: str | Path, device: Device | None = None) -> Aligner:
    """Read an aligner.

    Raises:
        InputError: the folder is no aligner, a file was changed after it was written, or the files do not fit.
    """
    folder = check_is_aligner(folder)
    ALIGNER.check(folder)
    stored = read_as(folder / SETTINGS, _Stored, "the aligner is of another version, train again")
    config, settings = stored.config, stored.settings
    check_is_here(config.encoder.name, folder / SETTINGS)
    scorer = new_scorer(config, device or Device(), folder / _ENCODER, TfIdf.read(folder / _WORDS))
    scorer.keep(*_scored(folder))
    tensors = load_tensors(folder / _NETWORK)
    with torch.device("meta"):  # nothing is allocated before the shapes are known to be those of the file
        aligner = new_aligner(config, scorer, settings)
    check_shapes(aligner.network, tensors, folder / _NETWORK)
    aligner.network.load_state_dict(tensors, assign=True)
    return aligner


def _scored(folder: Path) -> tuple[list[TextPair], NDArray[np.float32]]:
    pairs = read_as(folder / _TEXTS, list[tuple[str, str]])
    scores = load_tensors(folder / _SCORES).get("log_probabilities")
    if scores is None or scores.shape != (len(pairs), 3):
        raise bad_input(folder / _TEXTS, None, f"not the sentence pairs that {_SCORES} scores", "train again")
    return pairs, scores.float().numpy()
