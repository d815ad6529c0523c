"""The kind `causal_lm`: a pretrained language model that simplifies, fine-tuned by an adapter of low rank.

The model is any causal one of Hugging Face's form, or the packaged SmolLM2 of 135 million numbers. Only small matrices
beside its linear layers are trained (LoRA, Hu et al. 2021), so a model folder has a few megabytes and the name and
digest of its base. The prompt says how long the output should be and how much of the sentence it should keep, as the
control tokens of ACCESS (Martin et al. 2020) and MUSS (Martin et al. 2022) do.
"""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from textsimp.core.errors import InputError, check_choice
from textsimp.core.settings import NonNegative, NonNegativeNumber, Number, Positive, PositiveNumber, Seed, Share
from textsimp.simplification.interface import function_of

PLACES = ("{complex}", "{length}", "{kept}")  # of a prompt, in their order


@dataclass(frozen=True)
class Control:
    """What an output should be like, beside its sentence."""

    length: PositiveNumber  # characters of the output for each character of the sentence
    kept: Share  # similarity of both, from 0 to 1: 2 x longest common subsequence / sum of lengths, in characters


@dataclass(frozen=True)
class SearchConfig:
    """How hypotheses are found."""

    beam: Positive  # width of the beam search; 1 is greedy
    max_ratio: PositiveNumber  # an output has at most so many tokens for each token of its sentence, and ten more
    batch_tokens: Positive  # tokens of all sentences that are simplified at once, times the hypotheses of each


@dataclass(frozen=True)
class Weights:
    """The weight of each measure of a hypothesis in its confidence, a logistic function of their sum."""

    bias: Number  # of all
    likelihood: Number  # of the log probability of the hypothesis given the sentence
    # of the log probability of the sentence given the hypothesis, less that given itself: at most 0
    recovery: NonNegativeNumber
    fluency: Number  # of the log probability of the hypothesis in the base without adapter, less that of the sentence
    similarity: Number  # of the cosine of the sentence encoder's vectors of both
    alarms: Number  # of the number of alarms of the checks
    edits: NonNegativeNumber  # of the mean weight of its kinds of edits (`edit_kinds`)


@dataclass(frozen=True)
class RankingConfig:
    """How one of the hypotheses is chosen, or none."""

    # the sentence stays as it is where no hypothesis has a higher confidence; 0: always the best hypothesis
    caution: Share
    # with caution, an output's Flesch-Kincaid grade is lower than its sentence's by so much
    least_gain: NonNegativeNumber
    # with caution, a sentence of fewer words stays: it is simple, and readers found most changes of such ones wrong
    least_words: NonNegative
    encoder: str  # whose sentence vectors say what is similar
    weights: Weights


@dataclass(frozen=True)
class RecoveryConfig:
    """How the model also learns the way back: what it cannot recover of a sentence, an output has lost or changed."""

    prompt: str  # with the place {simple}; the sentence follows
    pairs: NonNegative  # so many simplifications of each sentence are turned round for training

    def __post_init__(self) -> None:
        """Check the prompt."""
        if self.prompt.count("{simple}") != 1:
            raise InputError(f"simplifier: recovery.prompt: {self.prompt!r} has not {{simple}} once; add it")


@dataclass(frozen=True)
class CausalLmConfig:
    """The base, the prompt, training and search."""

    kind: str
    seed: Seed  # of the adapter's first weights and the order of batches
    # `smollm2-135m-instruct`, a folder, a GGUF file, or a name on the Hugging Face hub, which training fetches
    base: str
    prompt: str  # with the places {complex}, {length} and {kept}, in this order; the output follows
    bin: Annotated[float, Field(gt=0, le=1)]  # width of the bins in which a prompt says `length` and `kept`
    max_tokens: Positive  # longer pairs are left out of training, longer sentences stay as they are
    # of the adapter: a layer's weights change by alpha / rank x B A
    rank: Positive
    alpha: Positive
    learning_rate: PositiveNumber  # of AdamW; it falls linearly to 0
    batch_tokens: Positive  # of an update
    # training ends when one of them is reached
    max_updates: Positive
    max_epochs: Positive
    save_updates: Positive  # a killed training goes on from a multiple of this
    dev_pairs: Positive  # so many of dev tell which epoch is the best
    strengths: dict[str, Control]  # what the names for `--strength` mean
    strength: str  # the one that is used where nobody names one
    recovery: RecoveryConfig  # of sentences from outputs
    search: SearchConfig
    ranking: RankingConfig

    def __post_init__(self) -> None:
        """Check what depends on several keys; `InputError` names the key."""
        places = [self.prompt.find(place) for place in PLACES]
        if -1 in places or places != sorted(places):
            raise InputError(f"simplifier: prompt: {self.prompt!r} has not {', '.join(PLACES)} in this order; add them")
        check_choice("simplifier: strength:", self.strength, self.strengths)


binarize = function_of("textsimp.simplification.language_model.adapter_training", "binarize")
train = function_of("textsimp.simplification.language_model.adapter_training", "train")
load = function_of("textsimp.simplification.language_model.chosen_outputs", "load")
