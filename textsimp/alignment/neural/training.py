"""Training of the whole aligner: encoder, paragraph thresholds, CRF, decision thresholds (sections 2.3, 4.3)."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from textsimp.alignment.neural.aligner import NEVER, Aligner, AlignerSettings, ClsAligner, marked, new_aligner
from textsimp.alignment.neural.aligner_settings import PARAGRAPH_ALGORITHMS, AlignerConfig, CrfConfig, Device
from textsimp.alignment.neural.bert import PairEncoder, SentenceEncoder
from textsimp.alignment.neural.cls_training import train_chain, train_tasks
from textsimp.alignment.neural.encoder_training import examples_of, fine_tune
from textsimp.alignment.neural.network import ChainInput
from textsimp.alignment.neural.pair_scores import PairScorer
from textsimp.alignment.neural.paragraphs import (
    Algorithm,
    ParagraphExample,
    ParagraphThresholds,
    gold_paragraphs,
    tune_thresholds,
)
from textsimp.alignment.words import TfIdf
from textsimp.core.errors import check_choice
from textsimp.core.records import AlignmentLabel, DocumentPair
from textsimp.metrics.curves import best_threshold
from textsimp.metrics.links import alignment_scores, gold_mask, identical_mask

Curve = list[dict[str, float | str]]


def train_encoder(
    train: Sequence[DocumentPair],
    dev: Sequence[DocumentPair],
    config: AlignerConfig,
    device: Device,
    state_folder: Path,
) -> tuple[PairEncoder, Curve]:
    """Fine-tune the pair encoder on labelled document pairs, of one corpus or of several.

    Args:
        state_folder: where a stopped training is taken up again.

    Returns:
        The encoder, and its training curve (part, step, loss, dev_f1).
    """
    torch.manual_seed(config.encoder.seed)
    of_encoder = config.encoder
    encoder = PairEncoder(of_encoder.name, of_encoder.max_length, device.prepare(), device.batch, of_encoder.order)
    # the choice of negatives is not worth an embedding of every sentence
    scorer = PairScorer(encoder, None, TfIdf().fit([*train, *dev]), config.candidates)
    linked, candidates = (
        examples_of(pairs, scorer, only_candidates) for pairs, only_candidates in ((train, False), (dev, True))
    )
    curve = fine_tune(encoder, linked, candidates, config.encoder, state_folder, device.checkpoint_steps)
    return encoder, [{"part": "encoder", **row} for row in curve]


def train_aligner(
    train: Sequence[DocumentPair],
    dev: Sequence[DocumentPair],
    kind: str,
    encoder_folder: Path,
    config: AlignerConfig,
    device: Device,
    scored: PairScorer | None = None,
) -> tuple[Aligner, Curve]:
    """Train the CRF on labelled document pairs and choose every threshold on dev.

    Args:
        kind: of `PARAGRAPH_ALGORITHMS`: Algorithms 1-2 or 3-4.
        encoder_folder: a fine-tuned pair encoder.
        scored: where another aligner with this encoder has scored sentence pairs before.

    Returns:
        The aligner, and its training curve (part, step, loss, dev_f1).
    """
    check_choice("paragraph algorithm", kind, PARAGRAPH_ALGORITHMS)
    limits = (config.encoder.max_length, device.prepare(), device.batch)
    sentences = SentenceEncoder(config.encoder.name, *limits)  # as pre-trained
    words = TfIdf().fit([*train, *dev])
    scorer = PairScorer(PairEncoder(encoder_folder, *limits, config.encoder.order), sentences, words, config.candidates)
    if scored is not None:
        scorer.keep(*scored.computed())
    algorithm: Algorithm = "newsela" if kind == "newsela" else "wikipedia"
    settings = AlignerSettings(algorithm, getattr(config.paragraphs, algorithm), 0.5, 0.5)
    aligner = new_aligner(config, scorer, settings)
    if isinstance(aligner, ClsAligner):
        scorer.encoder.kept = {}
    chosen = _drawn(train, config.crf)
    # the paper's model sees the gold paragraphs alone of what it is trained on
    scorer.prepare(dev if config.emission.is_cls else [*dev, *chosen], "score sentence pairs for the CRF")
    if config.paragraphs.tune:
        aligner.settings = replace(settings, paragraph_thresholds=_tune_paragraphs(aligner, dev))
    if isinstance(aligner, ClsAligner):
        curve = train_tasks(aligner, chosen, dev, config.crf)
        scorer.encoder.kept = None
        return aligner, [*curve]
    return aligner, [{"part": "crf", **row} for row in _train_crf(aligner, chosen, dev, config.crf)]


def _drawn(pairs: Sequence[DocumentPair], config: CrfConfig) -> list[DocumentPair]:
    groups = sorted({pair.group for pair in pairs})
    random.Random(config.seed).shuffle(groups)
    chosen: list[DocumentPair] = []
    for group in groups:
        if config.training_pairs and len(chosen) >= config.training_pairs:
            break
        chosen += [pair for pair in pairs if pair.group == group]
    return chosen


def _tune_paragraphs(aligner: Aligner, dev: Sequence[DocumentPair]) -> ParagraphThresholds:
    examples = [ParagraphExample(aligner.paragraph_scores(pair), gold_paragraphs(pair)) for pair in dev]
    return tune_thresholds(examples, aligner.settings.algorithm, aligner.config.paragraphs.beta)[0]


def _train_crf(
    aligner: Aligner, train: Sequence[DocumentPair], dev: Sequence[DocumentPair], config: CrfConfig
) -> list[dict[str, float]]:
    """Maximise equation 6 on gold paragraphs; keep an epoch (`CrfConfig.checkpoint`) and its thresholds.

    Thresholds are tuned on dev and the CRF's training pairs together: a dev split of a few articles alone leaves
    them to chance.
    """
    inputs = [blocks for blocks in (_inputs(aligner, pair) for pair in train) if blocks]

    def loss_of(pairs: Sequence[list[ChainInput]]) -> torch.Tensor:
        return aligner.network.loss([block for blocks in pairs for block in blocks])

    def evaluate() -> tuple[float, AlignerSettings]:
        _choose_thresholds(aligner, [*dev, *train])
        f1 = alignment_scores((pair, aligner.align(pair)) for pair in dev)["task1"]["f1"]
        return f1, aligner.settings

    curve, settings = train_chain(aligner.network, inputs, loss_of, evaluate, config, "train the CRF")
    aligner.settings = settings or aligner.settings
    return curve


def _inputs(aligner: Aligner, pair: DocumentPair) -> list[ChainInput]:
    shape = (len(pair.simple.sentences), len(pair.complex.sentences))
    gold, label = torch.zeros(shape, dtype=torch.bool), torch.zeros(shape)
    for link in pair.alignments or ():
        gold[link.simple, link.complex] = True
        label[link.simple, link.complex] = float(link.label is AlignmentLabel.ALIGNED)
    inputs = []
    for block in aligner.blocks(pair, "gold"):
        simple, complex_ = torch.tensor(block.simple), torch.tensor(block.complex)
        rows = (gold[simple][:, complex_], label[simple][:, complex_])
        inputs.append(ChainInput(aligner.block_features(pair, block), *rows))
    return inputs


def _choose_thresholds(aligner: Aligner, pairs: Sequence[DocumentPair]) -> None:
    keep = [~identical_mask(pair) for pair in pairs]

    def joined(matrices: Iterable[np.ndarray]) -> np.ndarray:
        return np.concatenate([matrix[mask] for matrix, mask in zip(matrices, keep, strict=True)])

    gold = joined(gold_mask(pair, "task1") for pair in pairs)
    threshold, _ = best_threshold(joined(map(aligner.link_scores, pairs)), gold, int(gold.sum()))
    aligner.settings = replace(aligner.settings, link_threshold=min(threshold, NEVER))
    links = [aligner.linked(pair) for pair in pairs]
    linked = joined(marked(pair_links, mask.shape) for pair_links, mask in zip(links, keep, strict=True))
    labels = joined(aligner.label_scores(pair, pair_links) for pair, pair_links in zip(pairs, links, strict=True))
    aligned = joined(gold_mask(pair, "task2") for pair in pairs)
    if aligned.any():
        threshold, _ = best_threshold(labels[linked], aligned[linked], int(aligned.sum()))
        aligner.settings = replace(aligner.settings, label_threshold=min(threshold, NEVER))
