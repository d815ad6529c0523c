"""A trained language model: its folder, and which of its hypotheses is the output, or that none is good enough.

The confidence in a hypothesis is a logistic function of what the trained model says of it on the way there and back,
the sentence encoder, and the checks (`Weights`). The sentence as it is stands among the hypotheses with the confidence
`caution`.

The search for hypotheses computes each token once (key-value cache), many sentences at once. It is beam search as
fairseq has it: a hypothesis ends when its end is among the `beam` best continuations, a sentence when `beam` hypotheses
have ended; hypotheses are ordered by their mean log probability.
"""

import math
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from textsimp.core.batches import length_batches, token_batches
from textsimp.core.errors import bad_input, check_choice
from textsimp.core.frozen_encoder import FrozenEncoder
from textsimp.core.pretrained import check_is_here
from textsimp.core.resumable import load_tensors
from textsimp.core.settings import read_as
from textsimp.simplification.checks import check_outputs, grade
from textsimp.simplification.interface import RECORD, REMEDY, Hypothesis, Runtime, out_of_memory, stored_config
from textsimp.simplification.language_model import CausalLmConfig, RecoveryConfig, SearchConfig, Weights
from textsimp.simplification.language_model.adapter_training import ADAPTER, BASE
from textsimp.simplification.language_model.base_model import Base, BaseFiles, find_base, load_base
from textsimp.simplification.language_model.prompts import Prompt, recovery_tokens

_PIECES, _BATCH = 128, 64
_FREE = 10  # tokens that an output may have beyond `max_ratio`
# Measures are rounded, so that a sentence's neighbours in a batch, which touch the last bits, change no choice.
_DIGITS = 4
_LEAST = 1e-9  # a confidence has a logarithm


class Found(NamedTuple):
    """A hypothesis."""

    tokens: tuple[int, ...]  # ids, without the end
    score: float  # mean log probability of its tokens and its end (natural)


class _Rows:
    """The rows of a batch: prompts and what was written behind them, with their cache.

    Attributes:
        log_probabilities: of the next token of each row. Shape: (N, V).
    """

    def __init__(self, network: Any, prompts: Sequence[Sequence[int]], padding: int, device: str) -> None:
        self._network = network
        width = max(map(len, prompts))
        rows = [[padding] * (width - len(prompt)) + list(prompt) for prompt in prompts]
        self._mask = torch.tensor([[0] * (width - len(row)) + [1] * len(row) for row in prompts], device=device)
        self._cache: Any = None
        self._read(torch.tensor(rows, device=device), (self._mask.cumsum(1) - 1).clamp(min=0))

    def advance(self, parents: Sequence[int], tokens: Sequence[int]) -> None:
        """Make rows of `parents`, each with one more token."""
        index = torch.tensor(parents, device=self._mask.device)
        if list(parents) != list(range(len(self._mask))):  # copying the cache costs as much as a few layers
            self._cache.batch_select_indices(index)
        self._mask = torch.cat([self._mask[index], self._mask.new_ones(len(parents), 1)], 1)
        self._read(torch.tensor(tokens, device=index.device)[:, None], self._mask.sum(1, keepdim=True) - 1)

    def _read(self, tokens: Tensor, positions: Tensor) -> None:
        output = self._network(
            input_ids=tokens,
            position_ids=positions,
            attention_mask=self._mask,
            past_key_values=self._cache,
            use_cache=True,
            logits_to_keep=1,
        )
        self._cache = output.past_key_values
        self.log_probabilities = output.logits[:, -1].float().log_softmax(-1)


class Search:
    """A model with its settings of search."""

    def __init__(self, network: Any, end: int, config: SearchConfig, device: str) -> None:
        self._network, self._end, self._config, self._device = network, end, config, device

    @torch.inference_mode()
    def hypotheses(self, prompts: Sequence[Sequence[int]], n_best: int) -> list[list[Found]]:
        """Return different hypotheses for each prompt, those with the best score first.

        Args:
            prompts: token ids of each.
            n_best: so many at least where the search finds them; beyond `beam` it is widened.
        """
        beam = max(self._config.beam, n_best)
        found: list[list[Found]] = [[] for _ in prompts]
        for batch in token_batches(prompts, self._config.batch_tokens, lambda prompt: beam * len(prompt)):
            for index, searched in zip(batch, self._beam([prompts[index] for index in batch], beam), strict=True):
                found[index] = sorted(searched, key=lambda item: (-item.score, item.tokens))
        return found

    def _beam(self, prompts: Sequence[Sequence[int]], beam: int) -> list[list[Found]]:
        rows = _Rows(self._network, prompts, self._end, self._device)
        ended: list[list[Found]] = [[] for _ in prompts]
        live: dict[int, list[tuple[float, tuple[int, ...]]]] = {index: [(0.0, ())] for index in range(len(prompts))}
        step = 0
        while live:
            parents: list[int] = []
            begun: dict[int, list[tuple[float, tuple[int, ...]]]] = {}
            row = 0
            for index, hypotheses in live.items():
                scores = torch.tensor([score for score, _ in hypotheses], device=self._device)
                totals = rows.log_probabilities[row : row + len(hypotheses)] + scores[:, None]  # (k, V)
                if step == math.ceil(self._config.max_ratio * len(prompts[index])) + _FREE:
                    ended[index] += [
                        Found(tokens, total / (step + 1))
                        for (_, tokens), total in zip(hypotheses, totals[:, self._end].tolist(), strict=True)
                    ]
                elif going_on := self._continued(hypotheses, totals, beam, ended[index]):
                    begun[index] = [(total, tokens) for total, tokens, _ in going_on]
                    parents += [row + parent for _, _, parent in going_on]
                row += len(hypotheses)
            live, step = begun, step + 1
            if live:
                rows.advance(parents, [tokens[-1] for hypotheses in live.values() for _, tokens in hypotheses])
        return ended

    def _continued(
        self, hypotheses: list[tuple[float, tuple[int, ...]]], totals: Tensor, beam: int, ended: list[Found]
    ) -> list[tuple[float, tuple[int, ...], int]]:
        """Return the `beam` best continuations with their parents, and add those that end; none where all has ended."""
        best, places = totals.flatten().topk(min(2 * beam, totals.numel()))
        going_on: list[tuple[float, tuple[int, ...], int]] = []
        for rank, (total, place) in enumerate(zip(best.tolist(), places.tolist(), strict=True)):
            parent, token = divmod(place, totals.shape[1])
            tokens = hypotheses[parent][1]
            if token != self._end:
                going_on.append((total, (*tokens, token), parent))
            elif rank < beam:
                ended.append(Found(tokens, total / (len(tokens) + 1)))
        return going_on[:beam] if len(ended) < beam else []


class Measures(NamedTuple):
    """What is known of a hypothesis; see `Weights`. Log probabilities are natural, and summed over tokens."""

    likelihood: float
    recovery: float
    fluency: float
    similarity: float
    alarms: float

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
        fluent = dict(zip(texts, self._fluent(texts), strict=True))
        scores = [item.score for row in hypotheses for item in row]
        hopeful: dict[tuple[str, str], Measures] = {}
        for (sentence, text), score, check in zip(pairs, scores, check_outputs(pairs), strict=True):
            similarity, fluency = float(vectors[text] @ vectors[sentence]), fluent[text] - fluent[sentence]
            found = Measures(score, 0.0, fluency, similarity, len(check.alarms))
            if found.confidence(weights) >= least:
                hopeful[sentence, text] = found
        measured: dict[str, dict[str, Measures]] = {sentence: {} for sentence in sentences}
        itself = ((sentence, sentence) for sentence, _ in hopeful)
        recovered = self._recovered(list(dict.fromkeys([*hopeful, *itself])))
        for (sentence, text), found in hopeful.items():
            lost = min(recovered[sentence, text] - recovered[sentence, sentence], 0.0)
            measured[sentence][text] = found._replace(recovery=lost)
        return [measured[sentence] for sentence in sentences]

    def log_confidences(
        self, sentences: Sequence[str], hypotheses: Sequence[Sequence[Hypothesis]], weights: Weights, least: float
    ) -> list[dict[str, float]]:
        """Return the logarithms of the confidence in the hypotheses of each sentence, by text; see `measures`."""
        rows = self.measures(sentences, hypotheses, weights, least)
        return [{text: math.log(found.confidence(weights)) for text, found in row.items()} for row in rows]

    def _fluent(self, texts: list[str]) -> list[float]:
        """Return the log probability of each text in the network without the adapter."""
        starts = [[self._base.end]] * len(texts)
        return log_probabilities(self._untrained, starts, self._base.tokens(texts), self._base.end)

    def _recovered(self, pairs: Sequence[tuple[str, str]]) -> dict[tuple[str, str], float]:
        """Return the log probability of each pair's sentence given its text."""
        prompts, targets = recovery_tokens(pairs, self._recovery, self._base)
        end = self._base.end
        logs = log_probabilities(self._base.network, prompts, [[*target, end] for target in targets], end)
        return dict(zip(pairs, logs, strict=True))


@torch.inference_mode()
def log_probabilities(
    network: Any, prompts: Sequence[list[int]], targets: Sequence[list[int]], padding: int
) -> list[float]:
    """Return the log probability of each target's tokens after its prompt, summed."""
    rows, found = list(zip(prompts, targets, strict=True)), dict[int, float]()
    for batch in length_batches(rows, _BATCH // 4, lambda row: len(row[0]) + len(row[1])):
        ids = [[*prompts[row], *targets[row]] for row in batch]
        width, first = max(map(len, ids)), min(len(prompts[row]) for row in batch) - 1
        tokens = torch.tensor([row + [padding] * (width - len(row)) for row in ids], device=network.device)
        # the last layer is the largest
        logits = network(input_ids=tokens[:, :-1], use_cache=False, logits_to_keep=width - 1 - first).logits.float()
        logs = logits.log_softmax(-1).gather(2, tokens[:, first + 1 :, None])[..., 0]  # (B, width - first - 1)
        for row, values in zip(batch, logs, strict=True):
            start = len(prompts[row]) - 1 - first
            found[row] = float(values[start : start + len(targets[row])].sum())
    return [found[row] for row in range(len(rows))]


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
        rows: list[tuple[int, str]] = []  # of the changes: their sentence, and their text
        for number, (sentence, found) in enumerate(zip(sentences, written, strict=True)):
            texts = {item.text: item for item in found}
            changes = {text for output in texts for text in single_changes(sentence, output)} - {*texts}
            careful.append([texts[text] for text in texts if self._is_simpler(text, sentence)])
            rows += [(number, text) for text in sorted(changes) if self._is_simpler(text, sentence)]
        end, outputs = self.base.end, self.base.tokens([f" {text}" for _, text in rows])
        targets = [[*output, end] for output in outputs]
        scores = log_probabilities(self.base.network, [prompts[number] for number, _ in rows], targets, end)
        for (number, text), score in zip(rows, scores, strict=True):
            careful[number].append(Hypothesis(text, score))
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
    embeddings = base.network.get_input_embeddings().weight  # which no adapter touches
    untrained = deepcopy(base.network, {id(embeddings): embeddings})
    merge(base.network, load_tensors(model / ADAPTER), config.alpha / config.rank)
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
