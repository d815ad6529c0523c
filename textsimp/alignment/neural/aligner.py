"""The neural CRF aligner as a whole: documents in, links out (section 2) (F2).

In order: candidates and encoder scores of sentence pairs (pair_scores), paragraph alignment (Algorithms 1-4),
the CRF over each simple paragraph and its merged complex paragraphs, labels of the links.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray

from textsimp.alignment.neural.config import AlignerConfig, RuntimeConfig
from textsimp.alignment.neural.neural_crf import NeuralCrf
from textsimp.alignment.neural.pair_scores import PairScorer, PairScores, feature_columns
from textsimp.alignment.neural.paragraphs import (
    Block,
    ParagraphThresholds,
    align_paragraphs,
    gold_paragraphs,
    paragraph_blocks,
    paragraph_scores,
)
from textsimp.records import AlignmentLabel, DocumentPair, Link

Paragraphs = Literal["none", "predicted", "gold"]
"""What the sentence aligner is given: whole documents, predicted or gold aligned paragraphs."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class AlignerSettings:
    """What training decided, apart from weights.

    link_threshold: from which posterior on a pair is linked (decoding `posterior`).
    label_threshold: from which P(aligned | linked) on a link is aligned.
    decoding, paragraphs: as in `CrfConfig`.
    """

    algorithm: str
    paragraph_thresholds: ParagraphThresholds
    decoding: str
    paragraphs: str
    link_threshold: float
    label_threshold: float


@dataclass
class Aligner:
    """A trained aligner. The parts are set by training.py and checkpoint.py.

    Attributes:
        digest: of the weights, where it was read from a folder.
    """

    config: AlignerConfig
    scorer: PairScorer
    network: NeuralCrf
    settings: AlignerSettings
    digest: str = ""

    def align(
        self, pair: DocumentPair, paragraphs: Paragraphs | None = None, decoding: str | None = None
    ) -> list[Link]:
        """The links of a document pair, sorted.

        Args:
            paragraphs: instead of the trained choice; `gold` reads the pair's own alignments, for the paper's
                ablation (Table 3).
            decoding: instead of the trained one, see `CrfConfig.decoding`.
        """
        links = self.linked(pair, paragraphs, decoding)
        labels = self.label_scores(pair, links)
        return [
            Link(i, j, AlignmentLabel.ALIGNED if labels[i, j] >= self.settings.label_threshold else AlignmentLabel.PARTIAL)
            for i, j in links
        ]

    def linked(
        self, pair: DocumentPair, paragraphs: Paragraphs | None = None, decoding: str | None = None
    ) -> list[tuple[int, int]]:
        """The linked sentence pairs (simple, complex), sorted, without labels."""
        if (decoding or self.settings.decoding) == "posterior":
            scores = self.link_scores(pair, paragraphs)
            return [(i, j) for i, j in np.argwhere(scores >= self.settings.link_threshold).tolist()]
        blocks = self.blocks(pair, paragraphs)
        found = self.network.viterbi([self.block_features(pair, block) for block in blocks])
        return sorted(
            {(block.simple[i], block.complex[j]) for block, links in zip(blocks, found, strict=True) for i, j in links}
        )

    def link_scores(self, pair: DocumentPair, paragraphs: Paragraphs | None = None) -> Matrix:
        """P(linked) of every sentence pair, 0 outside aligned paragraphs. Shape: (m, n)."""
        blocks = self.blocks(pair, paragraphs)
        scores = np.zeros((len(pair.simple.sentences), len(pair.complex.sentences)))
        posteriors = self.network.posteriors([self.block_features(pair, block) for block in blocks])
        for block, values in zip(blocks, posteriors, strict=True):
            scores[np.ix_(block.simple, block.complex)] = values
        return scores

    def label_scores(self, pair: DocumentPair, links: Sequence[tuple[int, int]]) -> Matrix:
        """P(aligned | linked); 0 for links that share a sentence with another one, if configured so. Shape: (m, n)."""
        labels = self.label_probabilities(pair)
        if self.config.crf.aligned_one_to_one:
            simple, complex_ = (Counter(side) for side in zip(*links, strict=True)) if links else (Counter(), Counter())
            for i, j in links:
                labels[i, j] *= simple[i] == complex_[j] == 1
        return labels

    def label_probabilities(self, pair: DocumentPair) -> Matrix:
        """P(aligned | linked) of every sentence pair. Shape: (m, n)."""
        return self.network.label_probability(self.features(pair))

    def blocks(self, pair: DocumentPair, paragraphs: Paragraphs | None = None) -> list[Block]:
        """What the CRF runs over."""
        paragraphs = paragraphs or self.settings.paragraphs
        if paragraphs == "none":
            return [Block(tuple(range(len(pair.simple.sentences))), tuple(range(len(pair.complex.sentences))))]
        aligned = gold_paragraphs(pair) if paragraphs == "gold" else self.paragraph_alignment(pair)
        return paragraph_blocks(aligned, pair.simple.paragraph_of, pair.complex.paragraph_of)

    def paragraph_alignment(self, pair: DocumentPair) -> NDArray[np.bool_]:
        """alignP by Algorithm 2 or 4 over P(linked). Shape: (k, l)."""
        similarity = self.scores(pair).linked_probability()
        planes = paragraph_scores(similarity, pair.simple.paragraph_of, pair.complex.paragraph_of)
        return align_paragraphs(planes, self.settings.algorithm, self.settings.paragraph_thresholds)

    def scores(self, pair: DocumentPair) -> PairScores:
        """Encoder scores and features, kept by the scorer."""
        return self.scorer.scores(pair)

    def features(self, pair: DocumentPair) -> torch.Tensor:
        """Inputs of the emission network. Shape: (m, n, F)."""
        columns = feature_columns(self.config.emission.features)
        return torch.from_numpy(self.scores(pair).features[:, :, columns])

    def block_features(self, pair: DocumentPair, block: Block) -> torch.Tensor:
        """Inputs of the emission network in one block. Shape: (S, N, F)."""
        return self.features(pair)[torch.tensor(block.simple)][:, torch.tensor(block.complex)]


def new_network(config: AlignerConfig) -> NeuralCrf:
    """A CRF with random weights from the configured seed."""
    torch.manual_seed(config.crf.seed)
    return NeuralCrf(len(feature_columns(config.emission.features)), config.emission.hidden, config.crf.transition)


def device_of(runtime: RuntimeConfig) -> str:
    """The torch device of the runtime, with its threads set."""
    torch.set_num_threads(runtime.threads)
    return ("cuda" if torch.cuda.is_available() else "cpu") if runtime.device == "auto" else runtime.device
