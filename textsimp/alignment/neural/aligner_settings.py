"""Parameters of the neural CRF aligner (`aligner` in params.yaml), and the device that it runs on."""

from dataclasses import dataclass
from enum import StrEnum

from textsimp.alignment.neural.network import TransitionConfig
from textsimp.alignment.neural.paragraphs import ParagraphThresholds
from textsimp.core.devices import resolve_device
from textsimp.core.errors import InputError

FEATURES = ("encoder", "sentence", "lexical", "position")


class Decoding(StrEnum):
    """How links are read off the CRF: the best path (equation 5), or posteriors cut at a threshold."""

    VITERBI = "viterbi"
    POSTERIOR = "posterior"

    @classmethod
    def named(cls, name: str, user: str) -> "Decoding":
        """The decoding of a name; `InputError` says where an unknown one was given."""
        if name not in [decoding.value for decoding in cls]:
            raise InputError(f"{user}: decoding {name!r} is none of {', '.join(decoding.value for decoding in cls)}")
        return cls(name)


@dataclass(frozen=True)
class EncoderConfig:
    """Fine-tuning of the sentence-pair encoder (section 2.2, appendix A.1, Table 9).

    name: packaged encoder, local folder or Hugging Face name.
    max_length: word pieces of a pair, special tokens included; longer sentences are cut.
    learning_rate, batch_size, weight_decay: of AdamW; the rate rises over the first `warmup` share of the steps
        and falls linearly to 0.
    epochs, max_steps: training ends with whichever comes first.
    negatives: pairs that are not aligned for each linked one, drawn anew every epoch from the candidates.
    evaluations: how often dev F1 is measured for the choice of the checkpoint, on at most `dev_pairs` pairs.
    """

    name: str
    max_length: int
    learning_rate: float
    batch_size: int
    weight_decay: float
    warmup: float
    epochs: int
    max_steps: int
    negatives: float
    evaluations: int
    dev_pairs: int
    seed: int


@dataclass(frozen=True)
class EmissionConfig:
    """What sim(s_i, c_a) of equation 2 is made of.

    features: `encoder` alone is the paper's; `sentence` (cosine of sentence embeddings of the encoder before
        fine-tuning), `lexical` (word overlap) and `position` (relative place) join it in a small network.
    hidden: units of that network.
    """

    features: list[str]
    hidden: int

    def __post_init__(self) -> None:
        for name in self.features:
            if name not in FEATURES:
                raise InputError(f"aligner.emission.features: {name!r} is none of {', '.join(FEATURES)}")


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
    learning_rate, epochs, batch_size: of Adam; a batch is so many article pairs.
    evaluations: how often thresholds are tuned and dev F1 is measured for the choice of the epoch.
    """

    transition: TransitionConfig
    training_pairs: int
    decoding: Decoding
    paragraphs: str
    aligned_one_to_one: bool
    learning_rate: float
    epochs: int
    batch_size: int
    evaluations: int
    seed: int

    def __post_init__(self) -> None:
        if self.paragraphs not in ("none", "predicted"):
            raise InputError(f"aligner.crf.paragraphs: {self.paragraphs!r} is neither none nor predicted")


@dataclass(frozen=True)
class ParagraphConfig:
    """Paragraph alignment (section 2.4, appendix A): thresholds as given, or tuned on dev.

    tune: choose the thresholds on dev by F_beta of paragraph pairs; else the values here count (Tables 10, 11).
    """

    tune: bool
    beta: float
    newsela: ParagraphThresholds
    wikipedia: ParagraphThresholds


@dataclass(frozen=True)
class AlignerConfig:
    """The whole aligner.

    candidates: complex sentences for each simple sentence, and as many the other way, that the encoder looks at;
        the others count as not similar. 0 looks at every pair, as the paper does on Newsela.
    """

    encoder: EncoderConfig
    candidates: int
    emission: EmissionConfig
    crf: CrfConfig
    paragraphs: ParagraphConfig


@dataclass(frozen=True)
class Device:
    """Where and how fast networks run, which changes no result: `runtime` in params.yaml.

    device: see `textsimp.core.devices.resolve_device`.
    threads: threads of torch on the CPU, where one process works.
    batch: sentence pairs, or sentences, that are encoded at once.
    checkpoint_steps: a training that was stopped goes on from the last multiple of so many steps.
    """

    device: str = "cpu"
    threads: int = 2
    batch: int = 64
    checkpoint_steps: int = 100

    def prepare(self) -> str:
        """The torch device, with torch's threads set."""
        import torch  # slow to import

        torch.set_num_threads(self.threads)
        return resolve_device(self.device)
