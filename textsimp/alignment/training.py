"""Training of the whole aligner: encoder, paragraph thresholds, CRF, decision thresholds (sections 2.3, 4.3) (F2)."""

import copy
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from tqdm import tqdm

from textsimp.alignment.aligner import Aligner, AlignerSettings, device_of, new_network
from textsimp.alignment.config import AlignerConfig, CrfConfig, RuntimeConfig
from textsimp.alignment.encoder_training import examples_of, fine_tune
from textsimp.alignment.neural_crf import ChainInput
from textsimp.alignment.pair_encoder import PairEncoder
from textsimp.alignment.pair_scores import PairScorer
from textsimp.alignment.paragraph_tuning import f_beta, paragraph_example, tune_thresholds
from textsimp.alignment.paragraphs import ParagraphThresholds
from textsimp.alignment.sentence_encoder import SentenceEncoder
from textsimp.alignment.similarity import TfIdf
from textsimp.metrics.alignment import gold_mask, identical_mask
from textsimp.metrics.curves import best_threshold
from textsimp.records import AlignmentLabel, DocumentPair
from textsimp.textfiles import atomic_write

Curve = list[dict[str, float | str]]


def train_encoder(
    train: Sequence[DocumentPair],
    dev: Sequence[DocumentPair],
    config: AlignerConfig,
    runtime: RuntimeConfig,
    state_folder: Path,
) -> tuple[PairEncoder, Curve]:
    """Fine-tune the pair encoder on labelled document pairs, of one corpus or of several.

    Args:
        state_folder: where a stopped training is taken up again.

    Returns:
        The encoder, and its training curve (part, step, loss, dev_f1).
    """
    torch.manual_seed(config.encoder.seed)
    encoder = PairEncoder.pretrained(
        config.encoder.name, config.encoder.max_length, device_of(runtime), runtime.inference_batch
    )
    # the choice of negatives is not worth an embedding of every sentence
    scorer = PairScorer(encoder, None, TfIdf().fit([*train, *dev]), config.candidates)
    linked, candidates = (
        examples_of(pairs, scorer, only_candidates) for pairs, only_candidates in ((train, False), (dev, True))
    )
    curve = fine_tune(encoder, linked, candidates, config.encoder, state_folder, runtime.checkpoint_steps)
    return encoder, [{"part": "encoder", **row} for row in curve]


def train_aligner(
    train: Sequence[DocumentPair],
    dev: Sequence[DocumentPair],
    kind: str,
    encoder_folder: Path,
    config: AlignerConfig,
    runtime: RuntimeConfig,
) -> tuple[Aligner, Curve]:
    """Train the CRF on labelled document pairs and choose every threshold on dev.

    Args:
        kind: of the corpus, `newsela` or `wiki`: it decides between Algorithms 1-2 and 3-4.
        encoder_folder: a fine-tuned pair encoder.

    Returns:
        The aligner, and its training curve (part, step, loss, dev_f1).
    """
    length, batch = config.encoder.max_length, runtime.inference_batch
    scorer = _scorer(PairEncoder(encoder_folder, length, device_of(runtime), batch), [*train, *dev], config, runtime)
    newsela = kind == "newsela"
    thresholds = config.paragraphs.newsela if newsela else config.paragraphs.wikipedia
    settings = AlignerSettings("newsela" if newsela else "wikipedia", thresholds, config.crf.decoding, 0.5, 0.5)
    aligner = Aligner(config, scorer, new_network(config), settings)
    chosen = _drawn(train, config.crf)
    scorer.prepare([*dev, *chosen], "score sentence pairs for the CRF")
    if config.paragraphs.tune:
        aligner.settings = replace(settings, paragraph_thresholds=_tune_paragraphs(aligner, dev))
    return aligner, [{"part": "crf", **row} for row in _train_crf(aligner, chosen, dev, config.crf)]


def _scorer(
    encoder: PairEncoder, pairs: Sequence[DocumentPair], config: AlignerConfig, runtime: RuntimeConfig
) -> PairScorer:
    """The encoder with sentence embeddings as pre-trained, and word weights from the labelled documents."""
    sentences = SentenceEncoder(
        config.encoder.name, config.encoder.max_length, encoder.device, runtime.inference_batch
    )
    return PairScorer(encoder, sentences, TfIdf().fit(pairs), config.candidates)


def _drawn(pairs: Sequence[DocumentPair], config: CrfConfig) -> list[DocumentPair]:
    """The pairs of article sets drawn at random until there are `training_pairs`; all where 0."""
    groups = sorted({pair.group for pair in pairs})
    random.Random(config.seed).shuffle(groups)
    chosen: list[DocumentPair] = []
    for group in groups:
        if config.training_pairs and len(chosen) >= config.training_pairs:
            break
        chosen += [pair for pair in pairs if pair.group == group]
    return chosen


def _tune_paragraphs(aligner: Aligner, dev: Sequence[DocumentPair]) -> ParagraphThresholds:
    """The thresholds of the highest F_beta of paragraph pairs on dev."""
    examples = [paragraph_example(pair, aligner.scores(pair).linked_probability()) for pair in dev]
    return tune_thresholds(examples, aligner.settings.algorithm, f_beta(aligner.config.paragraphs.beta))[0]


def _train_crf(
    aligner: Aligner, train: Sequence[DocumentPair], dev: Sequence[DocumentPair], config: CrfConfig
) -> list[dict[str, float]]:
    """Maximise equation 6 on gold paragraphs; keep the epoch of the highest dev F1 of Task 1 and its thresholds."""
    inputs = [_inputs(aligner, pair) for pair in train]
    inputs = [blocks for blocks in inputs if blocks]
    network = aligner.network
    optimizer = torch.optim.Adam(network.parameters(), lr=config.learning_rate)
    best, curve = (-1.0, copy.deepcopy(network.state_dict()), aligner.settings), []
    for epoch in tqdm(range(config.epochs), desc="train the CRF", unit="epoch"):
        random.Random(config.seed * 1_009 + epoch).shuffle(inputs)
        losses = []
        for start in range(0, len(inputs), config.batch_size):
            blocks = [block for pair in inputs[start : start + config.batch_size] for block in pair]
            loss = network.loss(blocks)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(float(loss.detach()))
        f1 = _choose_thresholds(aligner, dev)
        curve.append({"step": epoch + 1, "loss": float(np.mean(losses)), "dev_f1": f1})
        if f1 > best[0]:
            best = (f1, copy.deepcopy(network.state_dict()), aligner.settings)
    network.load_state_dict(best[1])
    aligner.settings = best[2]
    return curve


def _inputs(aligner: Aligner, pair: DocumentPair) -> list[ChainInput]:
    """The training blocks of a document pair: gold paragraphs, and all that the gold labels say of them."""
    shape = (len(pair.simple.sentences), len(pair.complex.sentences))
    gold, label = torch.zeros(shape, dtype=torch.bool), torch.zeros(shape)
    for link in pair.alignments or ():
        gold[link.simple, link.complex] = True
        label[link.simple, link.complex] = float(link.label is AlignmentLabel.ALIGNED)
    found = []
    for block in aligner.blocks(pair, "gold"):
        simple, complex_ = torch.tensor(block.simple), torch.tensor(block.complex)
        rows = (gold[simple][:, complex_], label[simple][:, complex_])
        found.append(ChainInput(aligner.block_features(pair, block), *rows))
    return found


def _choose_thresholds(aligner: Aligner, dev: Sequence[DocumentPair]) -> float:
    """Set the thresholds of links (Task 1) and labels (Task 2) that are best on dev; returns F1 of Task 1."""
    keep = [~identical_mask(pair) for pair in dev]
    linked = [gold_mask(pair, "task1")[mask] for pair, mask in zip(dev, keep, strict=True)]
    scores = [aligner.link_scores(pair, "predicted")[mask] for pair, mask in zip(dev, keep, strict=True)]
    gold = np.concatenate(linked)
    threshold, f1 = best_threshold(np.concatenate(scores), gold, int(gold.sum()))
    aligner.settings = replace(aligner.settings, link_threshold=threshold)
    if aligner.settings.decoding == "viterbi":
        f1 = _viterbi_f1(aligner, dev, keep)
    aligner.settings = replace(aligner.settings, label_threshold=_label_threshold(aligner, dev, keep))
    return f1


def _predicted(aligner: Aligner, pair: DocumentPair) -> np.ndarray:
    mask = np.zeros((len(pair.simple.sentences), len(pair.complex.sentences)), dtype=bool)
    for i, j in aligner.linked(pair, "predicted"):
        mask[i, j] = True
    return mask


def _viterbi_f1(aligner: Aligner, dev: Sequence[DocumentPair], keep: Sequence[np.ndarray]) -> float:
    """F1 of Task 1 of the decoded links, in percent."""
    found = np.concatenate([_predicted(aligner, pair)[mask] for pair, mask in zip(dev, keep, strict=True)])
    gold = np.concatenate([gold_mask(pair, "task1")[mask] for pair, mask in zip(dev, keep, strict=True)])
    return 200 * int((found & gold).sum()) / max(int(found.sum() + gold.sum()), 1)


def _label_threshold(aligner: Aligner, dev: Sequence[DocumentPair], keep: Sequence[np.ndarray]) -> float:
    """The label threshold of the highest F1 of Task 2 among the predicted links."""
    found = [_predicted(aligner, pair)[mask] for pair, mask in zip(dev, keep, strict=True)]
    labels = [aligner.label_probabilities(pair)[mask] for pair, mask in zip(dev, keep, strict=True)]
    gold = [gold_mask(pair, "task2")[mask] for pair, mask in zip(dev, keep, strict=True)]
    predicted, probability, right = (np.concatenate(parts) for parts in (found, labels, gold))
    total = int(right.sum())
    return best_threshold(probability[predicted], right[predicted], total)[0] if total else 0.5


def write_curve(path: str | Path, curve: Curve) -> None:
    """Write training curves as CSV: part, step, loss, dev_f1."""
    with atomic_write(path) as file:
        file.write("part,step,loss,dev_f1\n")
        file.writelines(f"{row['part']},{row['step']},{row['loss']:.6f},{row['dev_f1']:.4f}\n" for row in curve)
