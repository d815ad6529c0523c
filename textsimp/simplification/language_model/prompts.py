"""A sentence as a prompt that says what its output should be like, and a pair as an example for training."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from rapidfuzz.distance import Indel

from textsimp.simplification.language_model import Control, RecoveryConfig
from textsimp.simplification.language_model.base_model import Base

_MOST = 9  # bins have one digit


def control_of(complex: str, simple: str) -> Control:
    """Return what a pair's simple side is like (ACCESS, section 3.2: NbChars and LevSim)."""
    return Control(len(simple) / max(len(complex), 1), Indel.normalized_similarity(complex, simple))


class Example(NamedTuple):
    """The token ids of a sentence and of its simplifications."""

    sentence: list[int]  # of the prompt up to the end of the sentence
    # of each simplification, the rest of the prompt and the output with its end
    outputs: list[tuple[list[int], list[int]]]

    @property
    def size(self) -> int:
        """Return how many tokens it has."""
        return len(self.sentence) + sum(len(rest) + len(output) for rest, output in self.outputs)


@dataclass(frozen=True)
class Prompt:
    """A template, told in bins of a width; what stands behind the sentence is told apart, so it is read once."""

    template: str
    bin: float

    def of(self, sentence: str) -> str:
        """Return the prompt up to the end of the sentence."""
        return self.template.partition("{complex}")[0] + sentence

    def rest(self, control: Control) -> str:
        """Return the prompt behind the sentence."""
        rest = self.template.partition("{complex}")[2]
        return rest.replace("{length}", self._bin(control.length)).replace("{kept}", self._bin(control.kept))

    def examples(self, pairs: Iterable[tuple[str, str]], base: Base, max_tokens: int) -> list[Example]:
        """Return the examples of pairs, those of one sentence together, without those of more tokens."""
        rows = list(pairs)
        sentences = base.tokens([self.of(complex) for complex, _ in rows])
        rests = base.tokens([self.rest(control_of(*row)) for row in rows])
        outputs = base.tokens([f" {simple}" for _, simple in rows])
        by_sentence: dict[str, Example] = {}
        for (complex, _), sentence, rest, output in zip(rows, sentences, rests, outputs, strict=True):
            if len(sentence) + len(rest) + len(output) < max_tokens:
                by_sentence.setdefault(complex, Example(sentence, [])).outputs.append((rest, [*output, base.end]))
        return list(by_sentence.values())

    def _bin(self, value: float) -> str:
        return str(min(max(round(value / self.bin), 1), _MOST))


def recovery_examples(
    pairs: Iterable[tuple[str, str]], recovery: RecoveryConfig, base: Base, max_tokens: int
) -> list[Example]:
    """Return examples of the way back, from the first `recovery.pairs` simplifications of each sentence.

    Args:
        pairs: sentences and their simplifications.
        max_tokens: longer examples are left out.
    """
    counts: Counter[str] = Counter()
    rows: list[tuple[str, str]] = []
    for complex, simple in pairs:
        counts[complex] += 1
        if counts[complex] <= recovery.pairs:
            rows.append((complex, simple))
    prompts, targets = recovery_tokens(rows, recovery, base)
    examples = [
        Example(prompt[:-1], [(prompt[-1:], [*target, base.end])])
        for prompt, target in zip(prompts, targets, strict=True)
    ]
    return [example for example in examples if example.size < max_tokens]


def recovery_tokens(
    pairs: Iterable[tuple[str, str]], recovery: RecoveryConfig, base: Base
) -> tuple[list[list[int]], list[list[int]]]:
    """Return the prompt of each pair's simple side, and its sentence, as ids."""
    rows = list(pairs)
    prompts = base.tokens([recovery.prompt.replace("{simple}", simple) for _, simple in rows])
    return prompts, base.tokens([f" {complex}" for complex, _ in rows])
