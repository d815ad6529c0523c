"""The kind `prompted`: any large language model that the package `llm` reaches, asked by a prompt with a few examples.

So BLESS (Kew et al. 2023) compares models. Nothing is trained: a model folder has the prompt, the examples and the
model's name. `llm` and its plugins find the model and keep the keys. Nothing is sent to a model that was not named.
"""

from dataclasses import dataclass
from typing import Any

from textsimp.core.errors import InputError
from textsimp.core.settings import NonNegative, NonNegativeNumber, Positive
from textsimp.simplification.interface import function_of

LLM = "llm:"
"""What a model's name begins with where a folder could stand, too."""


@dataclass(frozen=True)
class PromptedConfig:
    """The model, what it is asked, and how often.

    model: a name or an alias that `llm models` lists; null: none, so that nothing is sent anywhere.
    prompt: a text file with the places {sentence} and, if it is to have examples, {examples}.
    pairs: a file of examples, `COMPLEX TAB SIMPLE` a line; null: pairs of dev.
    examples: so many of them.
    answers: so many are asked for each sentence, of which one is chosen.
    options: of the model, as `llm models --options` lists them.
    prices: of a million tokens in and of a million tokens out; null: no cost is computed.
    """

    kind: str
    model: str | None
    prompt: str
    pairs: str | None
    examples: NonNegative
    answers: Positive
    options: dict[str, Any]
    prices: list[NonNegativeNumber] | None

    def __post_init__(self) -> None:
        """Check the number of prices."""
        if self.prices is not None and len(self.prices) != 2:
            raise InputError("simplifier: prices: give two, of a million tokens in and of a million tokens out")


binarize = function_of("textsimp.simplification.prompted.asked_model", "binarize")
train = function_of("textsimp.simplification.prompted.asked_model", "train")
load = function_of("textsimp.simplification.prompted.asked_model", "load")
load_named = function_of("textsimp.simplification.prompted.asked_model", "load_named")
