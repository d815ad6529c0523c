"""A trained language model: its folder, and which of its hypotheses is the output, or that none is good enough.

The confidence in a hypothesis is a logistic function of what the trained model says of it on the way there and back,
the sentence encoder, and the checks (`Weights`). The sentence as it is stands among the hypotheses with the confidence
`caution`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from textsimp.core.errors import bad_input, check_choice
from textsimp.core.frozen_encoder import FrozenEncoder
from textsimp.core.pretrained import check_is_here
from textsimp.core.resumable import load_tensors
from textsimp.core.settings import read_as
from textsimp.simplification.checks import check_outputs, grade
from textsimp.simplification.checks.parsed_texts import parse
from textsimp.simplification.interface import RECORD, REMEDY, Hypothesis, Runtime, out_of_memory, stored_config
from textsimp.simplification.language_model import CausalLmConfig, RecoveryConfig, Weights
from textsimp.simplification.language_model.adapter_training import ADAPTER, BASE
from textsimp.simplification.language_model.base_model import Base, BaseFiles, find_base, load_base
from textsimp.simplification.language_model.edit_kinds import edit_score
from textsimp.simplification.language_model.prompts import Prompt, recovery_tokens
from textsimp.simplification.language_model.quantised import quantised
from textsimp.simplification.language_model.search import Found, Search, log_probabilities

_PIECES, _BATCH = 128, 64
# Measures are rounded, so that a sentence's neighbours in a batch, which touch the last bits, change no choice.
_DIGITS = 4
_LEAST = 1e-9  # a confidence has a logarithm


class Measures(NamedTuple):
    """What is known of a hypothesis; see `Weights`. Log probabilities are natural, and summed over tokens."""

    likelihood: float
    recovery: float
    fluency: float
    similarity: float
    alarms: float
    edits: float

    def confidence(self, weights: Weights) -> float:
        """Return the confidence in it, above 0 and below 1."""
        total = weights.bias + sum(
            round(value, _DIGITS) * getattr(weights, name) for name, value in self._asdict().items()
        )
        return min(max(1 / (1 + math.exp(-min(max(total, -50.0), 50.0))), _LEAST), 1 - _LEAST)


class Judge:
    """The trained model on the way back, its network without the adapter, the sentence encoder and the checks."""

    def __init__(self, base: Base, untrained: Any, recovery: RecoveryConfig, encoder: str) -> None:
        self._base, self._untrained, self._recovery = base, untrained, recovery
        self._encoder = FrozenEncoder(encoder, _PIECES, str(base.network.device), _BATCH)

    def measures(
        self, sentences: Sequence[str], hypotheses: Sequence[Sequence[Hypothesis]], weights: Weights, least: float
    ) -> list[dict[str, Measures]]:
        """Return the measures of the hypotheses of each sentence, by text.

        The way back, which takes most of the time, can only lower a confidence: who is below `least` without it is
        left out.

        Args:
            hypotheses: different texts for each sentence, whose scores are summed log probabilities.
        """
        pairs = [(sentence, item.text) for sentence, row in zip(sentences, hypotheses, strict=True) for item in row]
        texts = sorted({text for pair in pairs for text in pair}, key=lambda text: (len(text), text))
        vectors = dict(zip(texts, self._encoder.vectors(texts), strict=True)) if texts else {}
        checks = dict(zip(pairs, check_outputs(pairs), strict=True))
        before, after = parse(sentences, True), parse((text for _, text in pairs), False)
        rows: list[dict[str, Measures]] = []
        for sentence, row in zip(sentences, hypotheses, strict=True):
            itself, *fluent = self._fluent([sentence, *(item.text for item in row)]) if row else [0.0]
            hopeful: dict[str, Measures] = {}
            for item, log in zip(row, fluent, strict=True):
                similarity = float(vectors[item.text] @ vectors[sentence])
                alarms = len(checks[sentence, item.text].alarms)
                edits = edit_score(before[sentence], after[item.text])
                found = Measures(item.score, 0.0, log - itself, similarity, alarms, edits)
                if found.confidence(weights) >= least:
                    hopeful[item.text] = found
            itself, *recovered = self._recovered(sentence, [sentence, *hopeful]) if hopeful else [0.0]
            lost = {text: min(log - itself, 0.0) for text, log in zip(hopeful, recovered, strict=True)}
            rows.append({text: found._replace(recovery=lost[text]) for text, found in hopeful.items()})
        return rows

    def log_confidences(
        self, sentences: Sequence[str], hypotheses: Sequence[Sequence[Hypothesis]], weights: Weights, least: float
    ) -> list[dict[str, float]]:
        """Return the logarithms of the confidence in the hypotheses of each sentence, by text; see `measures`."""
        rows = self.measures(sentences, hypotheses, weights, least)
        return [{text: math.log(found.confidence(weights)) for text, found in row.items()} for row in rows]

    def _fluent(self, texts: list[str]) -> list[float]:
        """Return the log probability of each text in the network without the adapter."""
        return log_probabilities(self._untrained, [([self._base.end], row) for row in self._base.tokens(texts)])

    def _recovered(self, sentence: str, texts: list[str]) -> list[float]:
        """Return the log probability of a sentence given each text."""
        prompts, targets = recovery_tokens([(sentence, text) for text in texts], self._recovery, self._base)
        ended = [[*target, self._base.end] for target in targets]
        return log_probabilities(self._base.network, list(zip(prompts, ended, strict=True)))


@dataclass(frozen=True)
class TrainedLanguageModel:
    """A trained model in memory."""

    config: CausalLmConfig
    base: Base  # whose network has the adapter merged into its weights
    judge: Judge  # of its hypotheses
    device: str

    def controlled(self, strength: str | None, caution: float | None) -> "TrainedLanguageModel":
        """Return the same model with another strength or caution; `InputError` where it has no such strength."""
        config = self.config
        if strength is not None:
            check_choice("--strength", strength, config.strengths)
            config = replace(config, strength=strength)
        if caution is not None:
            config = replace(config, ranking=replace(config.ranking, caution=caution))
        return replace(self, config=config)

    def simplify(self, sentences: Sequence[str], n_best: int = 1) -> list[list[Hypothesis]]:
        """See `TrainedSimplifier`; scores are logarithms of the confidence. Too long and too short sentences stay."""
        config, ranking, prompt = self.config, self.config.ranking, Prompt(self.config.prompt, self.config.bin)
        rest = self.base.tokens([prompt.rest(config.strengths[config.strength])])[0]
        prompts = [[*tokens, *rest] for tokens in self.base.tokens([prompt.of(text) for text in sentences])]
        answers = [[Hypothesis(text, 0.0)] for text in sentences]
        is_careful = n_best == 1 and ranking.caution > 0
        shortest = ranking.least_words if is_careful else 0
        places = [
            place
            for place, (tokens, text) in enumerate(zip(prompts, sentences, strict=True))
            if 2 * len(tokens) <= config.max_tokens and len(text.split()) >= shortest
        ]
        if not places:
            return answers
        search = Search(self.base.network, self.base.end, config.search, self.device)
        with out_of_memory("search.batch_tokens", config.search.batch_tokens):
            found = search.hypotheses([prompts[place] for place in places], n_best)
        asked = [sentences[place] for place in places]
        written = [self._written(row, sentence) for row, sentence in zip(found, asked, strict=True)]
        if is_careful:
            written = self._careful(asked, [prompts[place] for place in places], written)
        least = ranking.caution if n_best == 1 else 0.0
        judged = self.judge.log_confidences(asked, written, ranking.weights, least)
        for place, sentence, row, scores in zip(places, asked, written, judged, strict=True):
            if ranking.caution > 0 or not row:
                scores[sentence] = math.log(max(ranking.caution, _LEAST))
            best = sorted(scores, key=lambda text: -scores[text])[:n_best]
            answers[place] = [Hypothesis(text, scores[text]) for text in best]
        return answers

    def _written(self, found: Sequence[Found], sentence: str) -> list[Hypothesis]:
        """Return the different texts of hypotheses, with the log probabilities of all their tokens."""
        texts: dict[str, Hypothesis] = {}
        for item in found:
            if text := self.base.text(list(item.tokens)):
                texts.setdefault(text, Hypothesis(text, item.score * (len(item.tokens) + 1)))
        if self.config.ranking.caution:  # keeps it anyway
            texts.pop(sentence, None)
        return list(texts.values())

    def _careful(
        self, sentences: Sequence[str], prompts: Sequence[list[int]], written: Sequence[Sequence[Hypothesis]]
    ) -> list[list[Hypothesis]]:
        """Return the hypotheses, and each of their changes alone, that are simpler than their sentence and end like it.

        A change alone says the sentence in one place otherwise: what the rest of an output has wrong, it has not.
        """
        careful: list[list[Hypothesis]] = []
        for sentence, prompt, found in zip(sentences, prompts, written, strict=True):
            texts = {item.text: item for item in found}
            changes = {text for output in texts for text in single_changes(sentence, output)} - {*texts}
            simpler = sorted(text for text in changes if self._is_simpler(text, sentence))
            rows = [(prompt, [*output, self.base.end]) for output in self.base.tokens([f" {text}" for text in simpler])]
            careful.append(
                [
                    *(item for text, item in texts.items() if self._is_simpler(text, sentence)),
                    *map(Hypothesis, simpler, log_probabilities(self.base.network, rows) if rows else []),
                ]
            )
        return careful

    def _is_simpler(self, text: str, sentence: str) -> bool:
        """Say whether a text's grade is lower than its sentence's by `least_gain`, and it ends where that does."""
        gain = grade(sentence) - grade(text)
        return gain >= self.config.ranking.least_gain and _ends(text) >= _ends(sentence)


def single_changes(sentence: str, output: str) -> list[str]:
    """Return the sentence with each change of words that an output makes, by itself."""
    before, after = sentence.split(), output.split()
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [
        " ".join([*before[:start], *after[first:last], *before[end:]])
        for tag, start, end, first, last in blocks
        if tag != "equal"
    ]


def _ends(text: str) -> bool:
    return text.rstrip("\"'”’)").endswith((".", "!", "?"))


def load(model: Path, runtime: Runtime) -> TrainedLanguageModel:
    """Load a model folder; nothing is fetched.

    Raises:
        InputError: a file is missing or damaged, or the base is not the one that the adapter was trained on.
    """
    torch.set_num_threads(runtime.threads)
    config = stored_config(model, CausalLmConfig)
    check_is_here(config.ranking.encoder, model / RECORD)
    files = find_base(config.base)
    base = load_base(files, runtime.device)
    _check_base(model / BASE, files, base)
    untrained = quantised(base.network)
    merge(base.network, load_tensors(model / ADAPTER), config.alpha / config.rank)
    base = replace(base, network=quantised(base.network))
    judge = Judge(base, untrained, config.recovery, config.ranking.encoder)
    return TrainedLanguageModel(config, base, judge, runtime.device)


def _check_base(path: Path, files: BaseFiles, base: Base) -> None:
    stored = read_as(path, dict[str, str], REMEDY)
    remedy = f"put the base there that the adapter was trained on, {stored['name']}, or train again"
    if stored["tokenizer"] != base.tokenizer_digest:
        raise bad_input(path, None, f"the base {files.name} has another tokenizer than the adapter's", remedy)
    if stored["digest"] != files.digest:
        raise bad_input(path, None, f"the adapter is of another base than {files.name}: other weights", remedy)


def merge(network: Any, adapter: dict[str, Tensor], scale: float) -> None:
    """Add `scale` B A to each weight of a network that an adapter has matrices for (LoRA, equation 3)."""
    for name in sorted({name.rpartition(".lora_")[0] for name in adapter}):
        weight = network.get_submodule(name).weight
        change = adapter[f"{name}.lora_B.weight"].float() @ adapter[f"{name}.lora_A.weight"].float()
        weight.data += scale * change.to(weight.device)
