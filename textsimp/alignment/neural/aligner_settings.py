"""Parameters of the neural CRF aligner (`aligner` in params.yaml), its folder, and the device that it runs on.

Apart from the aligner itself, so that asking imports no torch.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Literal

from textsimp.alignment.neural.paragraphs import ParagraphThresholds
from textsimp.core.devices import processors, resolve_device
from textsimp.core.errors import InputError
from textsimp.core.model_folder import ModelKind
from textsimp.core.params import from_conf
from textsimp.core.settings import NonNegative, NonNegativeNumber, Positive, PositiveNumber, Seed, Share

SETTINGS = "aligner.json"
ALIGNER = ModelKind("trained aligner", SETTINGS)
PARAGRAPH_ALGORITHMS = ("newsela", "wiki")
"""Kinds of documents: Algorithms 1-2 of the paper for the first, 3-4 for the second."""

CLS = "cls"
SIMPLE_FIRST, COMPLEX_FIRST = "simple_complex", "complex_simple"


class Decoding(StrEnum):
    """The way links are read off the CRF: the best path (equation 5), or posteriors cut at a threshold."""

    VITERBI = "viterbi"
    POSTERIOR = "posterior"


@dataclass(frozen=True)
class EncoderConfig:
    """Fine-tuning of the sentence-pair encoder (section 2.2, appendix A.1, Table 9).

    name: packaged encoder, local folder or Hugging Face name.
    max_length: word pieces of a pair, special tokens included; longer sentences are cut.
    order: of the two sentences behind [CLS]; in the authors' release the complex one comes first.
    learning_rate, batch_size, weight_decay: of AdamW; the rate rises over the first `warmup` share of the steps
        and falls linearly to 0.
    epochs, max_steps: training ends with whichever comes first.
    negatives: pairs that are not aligned for each linked one, drawn anew every epoch from the candidates.
    evaluations: how often dev F1 is measured for the choice of the checkpoint, on at most `dev_pairs` pairs.
    """

    name: str
    max_length: Positive
    order: Literal["simple_complex", "complex_simple"]
    learning_rate: PositiveNumber
    batch_size: Positive
    weight_decay: NonNegativeNumber
    warmup: Share
    epochs: Positive
    max_steps: NonNegative
    negatives: NonNegativeNumber
    evaluations: Positive
    dev_pairs: Positive
    seed: Seed


@dataclass(frozen=True)
class EmissionConfig:
    """The parts of sim(s_i, c_a) of equation 2.

    features: `encoder` (log-odds of the fine-tuned pair encoder), `sentence` (cosine of sentence embeddings of the
        encoder before fine-tuning), `lexical` (word overlap) and `position` (relative place) meet in a small network;
        `cls` alone is the paper's: the last state of [CLS] in the fine-tuned, then frozen pair encoder, and an aligner
        for each task (`ClsAligner`).
    hidden: units of that network; 0 for as many as it has inputs (Table 9: 768 for BERT).
    """

    features: list[Literal["encoder", "sentence", "lexical", "position", "cls"]]
    hidden: NonNegative

    @property
    def is_cls(self) -> bool:
        """Return whether the emission sees [CLS] vectors."""
        return self.features == [CLS]

    def __post_init__(self) -> None:
        if self.is_cls:
            return
        if CLS in self.features:
            raise InputError(f"aligner.emission.features: {CLS} stands alone")
        if not self.hidden:
            raise InputError(f"aligner.emission.hidden: 0 goes with the features [{CLS}] alone")


@dataclass(frozen=True)
class TransitionConfig:
    """The transition scorer's shape.

    Attributes:
        hidden: units of the hidden layer (the paper does not say how many); 0 for a single linear layer, as in the
            authors' release, where equation 4 has two.
        activation: the paper does not say which.
        max_distance: g1 is cut at this; 0 leaves it as in equation 3. Long documents have distances in the
            hundreds that training never shows.
        distance_scale: g1 is divided by this, so that it comes in the range of g2 to g4; 1 leaves it.
        offset: g1 is |a_i - a_{i-1} - offset|: 0 in equation 3; 1 in the authors' release, where a step to the next
            complex sentence costs nothing and a stay counts as far as a step back.
        null_distance: equation 3 read to the letter takes |a_i - a_{i-1}| also where a label is NULL, that is 0,
            so that g1 is then the place of the complex sentence in the text: true. false makes g1 0 there and
            leaves these transitions to g2, g3 and g4, as the authors' release does.
    """

    hidden: NonNegative
    activation: Literal["tanh", "relu"]
    max_distance: NonNegative
    distance_scale: PositiveNumber
    null_distance: bool
    offset: NonNegative


@dataclass(frozen=True)
class CrfConfig:
    """Training and decoding of the CRF.

    transition: shape and features of T (equations 3 and 4).
    training_pairs: about so many document pairs of the train split, whole article sets drawn by `seed`; 0 for
        all. Each costs encoder passes over its candidates, and the CRF has few weights.
    decoding: `viterbi` (equation 5) or `posterior`: the mean of the posteriors of two chains, one over the simple
        sentences as in the paper and one over the complex ones, cut at a tuned threshold; it finds merges and
        fusions, which one chain cannot express.
    paragraphs: what the chains run over when the aligner is used: `predicted` paragraphs as in the paper, or `none`,
        the whole documents.
    aligned_one_to_one: a link that shares a sentence with another link is partial, whatever the classifier says: part
        of a split or a merge lacks something by definition (section 3.1).
    partners: where a sentence has several gold partners, `any` of them is right and training sums over them, or the
        one of the `smallest` index alone, as in the authors' release; the paper does not say.
    learning_rate, epochs, batch_size: of Adam. A batch is so many paragraph blocks (section 2.3) of the paper's model,
        with the features [cls], and so many article pairs of ours. The authors' release has three epochs of single
        blocks; the 8 of Table 9 is the batch of its BERT.
    evaluations: how often thresholds are tuned and dev F1 is measured.
    checkpoint: the epoch that is kept: of the `best` dev F1, or the `last`, as in the authors' release.
    """

    transition: TransitionConfig
    training_pairs: NonNegative
    decoding: Decoding
    paragraphs: Literal["none", "predicted"]
    aligned_one_to_one: bool
    partners: Literal["any", "smallest"]
    learning_rate: PositiveNumber
    epochs: Positive
    batch_size: Positive
    evaluations: Positive
    checkpoint: Literal["best", "last"]
    seed: Seed


@dataclass(frozen=True)
class ParagraphConfig:
    """Paragraph alignment (section 2.4, appendix A): thresholds as given, or tuned on dev.

    tune: choose the thresholds on dev by F_beta of paragraph pairs; else the values here count (Tables 10, 11).
    """

    tune: bool
    beta: PositiveNumber
    newsela: ParagraphThresholds
    wikipedia: ParagraphThresholds


@dataclass(frozen=True)
class AlignerConfig:
    """The whole aligner.

    candidates: complex sentences for each simple sentence, and as many the other way, that the encoder looks at;
        the others count as not similar. 0 looks at every pair, as the paper does on Newsela.
    """

    encoder: EncoderConfig
    candidates: NonNegative
    emission: EmissionConfig
    crf: CrfConfig
    paragraphs: ParagraphConfig

    def __post_init__(self) -> None:
        if self.emission.is_cls and (self.crf.decoding is not Decoding.VITERBI or self.crf.aligned_one_to_one):
            what = "is decoded by viterbi, without aligned_one_to_one"
            raise InputError(f"aligner.emission.features: [{CLS}], the paper's aligner, {what}")


@dataclass(frozen=True)
class Device:
    """The place and speed of networks, which change no result: `runtime` in params.yaml.

    device: see `textsimp.core.devices.resolve_device`.
    threads: threads of torch on the CPU, where one process works;
    threads_alone: of a command, which has the machine to itself.
    batch: sentence pairs, or sentences, that are encoded at once.
    checkpoint_steps: a training that was stopped goes on from the last multiple of so many steps.
    passes: of a frozen encoder side by side, each with `threads`; and folds of its aligner that are trained so.
    """

    device: str = "cpu"
    threads: Positive = 1
    threads_alone: Positive = 2
    batch: Positive = 64
    checkpoint_steps: Positive = 100
    passes: Positive = 1

    @classmethod
    def of_command(cls) -> "Device":
        """The defaults of conf/, for a command."""
        device = from_conf("runtime", cls)
        return replace(device, threads=min(device.threads_alone, processors()))

    def prepare(self) -> str:
        """The torch device, with torch's threads set."""
        import torch  # slow to import

        torch.set_num_threads(self.threads)
        return resolve_device(self.device)


def check_is_aligner(folder: str | Path) -> Path:
    """The folder, where it holds an aligner; else `InputError`."""
    if not (Path(folder) / SETTINGS).is_file():
        raise InputError(
            f"{folder}: no {SETTINGS}; give the folder of a trained aligner, such as models/aligner/CORPUS"
        )
    return Path(folder)
