"""The kind `dress`: the LSTM of Zhang and Lapata 2017 that goes on by REINFORCE, their Dress and Dress-Ls.

As printed (there, section 3): sampled simplifications are rewarded for simplicity (SARI against the reference, and with
a small weight SARI with output and reference exchanged), relevance (the cosine of the vectors of source and output) and
fluency (the geometric mean of a simple language model's probabilities); the beginning of each sentence is still learnt
by cross entropy, and the rewarded end grows; a linear regression on the decoder's states is the baseline.

Our reading: a sentence's vector is the mean of the states of the first training's encoder, where the paper trains an
autoencoder; the language model counts words, where the paper's is an LSTM; the model that is best on dev by SARI is
kept, which may be the one before any reward.

Dress-Ls mixes the network's p(y_t) with a lexical model's, (1 - share) and share, when it writes. As printed, that
model looks at the source through attention; our reading: the attention is the network's own, and what it weighs are
translation probabilities of words from aligned training pairs, where theirs is a softmax over weighted encoder states.
"""

import copy
import logging
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tqdm import tqdm

from textsimp.core.bounds import NonNegative, NonNegativeNumber, Positive, PositiveNumber, Share
from textsimp.metrics.sari import sari_corpus, sari_statistics, sentence_recipe
from textsimp.simplification import lstm
from textsimp.simplification.fairseq_corpus import tokenised_pairs
from textsimp.simplification.fairseq_generation import Lexicon, inference_dataset, load_trained, moved
from textsimp.simplification.fairseq_tools import MODEL
from textsimp.simplification.interface import CorpusFiles, Epoch, Runtime, out_of_memory, stored_config
from textsimp.simplification.lstm import LstmConfig, TrainedLstm
from textsimp.simplification.phrase_based.backoff_model import END, LanguageModel, learn_language_model
from textsimp.simplification.word_translations import learn_translations, read_translations, write_translations

if TYPE_CHECKING:
    from torch import Tensor

LEXICON = "translations.tsv"
_REMEDY = "restore the folder, or train again"
logger = logging.getLogger(__name__)
Tokens = Sequence[str]


@dataclass(frozen=True)
class ReinforceConfig:
    """How the trained LSTM goes on.

    `updates` of `batch_size` pairs each, by the `optimizer`: Adam, or plain SGD as in the authors' release. The reward
    is the sum of `simplicity`, `relevance` and `fluency` times these weights; of simplicity `reverse` is the share of
    the exchanged SARI. The last `rise` words of each sentence are rewarded during the first `rise_updates`, then twice
    as many, and so on. Dev is looked at every `check_updates`. The language model has n-grams up to `order`.
    """

    updates: Positive
    batch_size: Positive
    optimizer: Literal["adam", "sgd"]
    learning_rate: PositiveNumber
    simplicity: NonNegativeNumber
    relevance: NonNegativeNumber
    fluency: NonNegativeNumber
    reverse: Share
    rise: Positive
    rise_updates: Positive
    check_updates: Positive
    order: Positive


@dataclass(frozen=True)
class LexicalConfig:
    """The lexical model: its `share` of the mixture, and the iterations of the word alignment in each direction."""

    share: Share
    ibm1_iterations: Positive
    hmm_iterations: NonNegative


@dataclass(frozen=True)
class DressConfig(LstmConfig):
    """Settings of the LSTM (see `LstmConfig`), of what follows its training, and of Dress-Ls; null for Dress."""

    reinforce: ReinforceConfig
    lexical: LexicalConfig | None


def binarize(corpus: CorpusFiles, folder: Path, config: DressConfig) -> None:
    """As the LSTM does."""
    lstm.binarize(corpus, folder, config)


def train(binary: Path, model: Path, partial: Path, config: DressConfig, runtime: Runtime) -> list[Epoch]:
    """Train the LSTM, then go on by REINFORCE; of a killed run the first part is not done again."""
    curve = lstm.train(binary, model, partial, config, runtime)
    with out_of_memory("reinforce.batch_size", config.reinforce.batch_size):
        reinforce(binary, model, config, runtime)
    if (lexical := config.lexical) is not None:
        pairs = tokenised_pairs(binary, "train")
        translations = learn_translations(pairs, lexical.ibm1_iterations, lexical.hmm_iterations)
        write_translations(model / LEXICON, translations)
    return curve


def load(model: Path, runtime: Runtime) -> TrainedLstm:
    """The trained simplifier of a model folder: an LSTM as any other, with the lexical model of Dress-Ls."""
    config = stored_config(model, DressConfig)
    if config.lexical is None:
        return TrainedLstm(model, config, runtime)
    lexicon = Lexicon(read_translations(model / LEXICON, _REMEDY), config.lexical.share)
    return TrainedLstm(model, config, runtime, lexicon=lexicon)


@dataclass(frozen=True)
class Rewards:
    """The reward of an output, from words of source, output and reference.

    `encode` gives the vector of each sentence, by its words in the dictionary of the complex side; shape (N, d).
    """

    config: ReinforceConfig
    language: LanguageModel
    encode: Any

    def __call__(
        self, sources: Sequence[Tokens], outputs: Sequence[Tokens], references: Sequence[Tokens]
    ) -> list[float]:
        """The sum of the weighted parts, for each sentence."""
        parts = self.parts(sources, outputs, references)
        weights = (self.config.simplicity, self.config.relevance, self.config.fluency)
        return [sum(weight * part for weight, part in zip(weights, row, strict=True)) for row in parts]

    def parts(
        self, sources: Sequence[Tokens], outputs: Sequence[Tokens], references: Sequence[Tokens]
    ) -> list[tuple[float, float, float]]:
        """Simplicity, relevance and fluency of each output, each from 0 to 1."""
        texts = [[" ".join(row) for row in rows] for rows in (sources, outputs, references)]
        forwards, backwards = _sari(*texts), _sari(texts[0], texts[2], texts[1])
        share = self.config.reverse
        simplicity = [(1 - share) * a + share * b for a, b in zip(forwards, backwards, strict=True)]
        of_source, of_output = self.encode(sources), self.encode(outputs)  # (N, d) both
        norms = of_source.norm(dim=1) * of_output.norm(dim=1)
        cosines = (of_source * of_output).sum(1) / norms.clamp(min=1e-9)
        relevance = cosines.clamp(min=0).tolist()
        return list(zip(simplicity, relevance, map(self._fluency, outputs), strict=True))

    def _fluency(self, words: Tokens) -> float:
        total, _ = self.language.words(self.language.begin(), [*words, END])
        return math.exp(total / (len(words) + 1))


def _sari(sources: list[str], outputs: list[str], references: list[str]) -> list[float]:
    statistics = sari_statistics(sources, outputs, [references], sentence_recipe())
    return [value / 100 for value in statistics.per_segment()[:, 0].tolist()]


def reinforce(binary: Path, model: Path, config: DressConfig, runtime: Runtime) -> None:
    """Go on with the LSTM in `model`, whose checkpoint is replaced by the one that is best on dev."""
    import torch

    settings = config.reinforce
    torch.set_num_threads(runtime.threads)
    torch.manual_seed(config.seed)
    task, network = load_trained(model)
    learner = _Learner(task, network.to(runtime.device), config, runtime.device)
    pairs = {split: tokenised_pairs(binary, split) for split in ("train", "dev")}
    language = learn_language_model((simple for _, simple in pairs["train"]), settings.order)
    rewards = Rewards(settings, language, _Vectors(task, copy.deepcopy(network.encoder).eval(), runtime.device))
    best, best_score = copy.deepcopy(network.state_dict()), learner.judge(pairs["dev"])
    logger.info("Dress: SARI %.2f on dev before", best_score)
    order = random.Random(config.seed)
    for update in tqdm(range(settings.updates), desc="REINFORCE", unit="update", disable=None):
        drawn = order.sample(pairs["train"], min(settings.batch_size, len(pairs["train"])))
        learner.learn(drawn, rewards, settings.rise * (1 + update // settings.rise_updates))
        if (update + 1) % settings.check_updates == 0 or update + 1 == settings.updates:
            score = learner.judge(pairs["dev"])
            logger.info("Dress: SARI %.2f on dev after %d updates", score, update + 1)
            if score > best_score:
                best, best_score = copy.deepcopy(network.state_dict()), score
    torch.save({"model": {name: value.cpu() for name, value in best.items()}}, model / MODEL)


class _Vectors:
    """A vector for each sentence: the mean of an encoder's states."""

    def __init__(self, task: Any, encoder: Any, device: str) -> None:
        self._task, self._encoder, self._device = task, encoder, device

    def __call__(self, rows: Sequence[Tokens]) -> "Tensor":
        import torch

        with torch.inference_mode():
            batch, order = _batch(self._task, rows, self._device)
            states, _, _, padding = self._encoder(batch["src_tokens"], src_lengths=batch["src_lengths"])
            known = torch.ones(states.shape[:2]) if padding is None else (~padding).float()
            means = (states * known.to(states).unsqueeze(2)).sum(0) / known.to(states).sum(0).unsqueeze(1)
            return means[torch.argsort(order)].cpu()


class _Learner:
    """The network that learns, its baseline, and their optimizer."""

    def __init__(self, task: Any, network: Any, config: DressConfig, device: str) -> None:
        import torch

        self.task, self.network, self.device, self.limit = task, network, device, config.max_length - 1
        self.baseline = torch.nn.Linear(network.decoder.fc_out.in_features, 1).to(device)
        torch.nn.init.zeros_(self.baseline.weight)
        self.clip = config.clip_norm
        parameters = [*network.parameters(), *self.baseline.parameters()]
        optimizer = {"adam": torch.optim.Adam, "sgd": torch.optim.SGD}[config.reinforce.optimizer]
        self.optimizer: Any = optimizer(parameters, lr=config.reinforce.learning_rate)

    def learn(self, pairs: Sequence[tuple[Tokens, Tokens]], rewards: Rewards, end: int) -> float:
        """One update on pairs whose last `end` words are sampled and rewarded; the mean reward."""
        import torch
        from torch.nn.functional import log_softmax, mse_loss

        self.network.train()
        batch, order = _batch(self.task, [complex_ for complex_, _ in pairs], self.device)
        pairs = [pairs[row] for row in order.tolist()]
        gold, lengths = self._numbers([simple for _, simple in pairs])
        starts = (lengths - end).clamp(min=0)  # (B,)
        written = self._write(batch, gold, starts)
        outputs = self._words(written)
        earned = rewards([complex_ for complex_, _ in pairs], outputs, [simple for _, simple in pairs])
        reward = torch.tensor(earned, device=self.device).unsqueeze(1)  # (B, 1)
        dictionary = self.task.target_dictionary
        before = torch.cat([torch.full_like(written[:, :1], dictionary.eos()), written[:, :-1]], 1)
        features, _ = self.network.decoder.extract_features(before, self._encode(batch))
        chosen = log_softmax(self.network.decoder.output_layer(features), 2).gather(2, written.unsqueeze(2)).squeeze(2)
        inside = written != dictionary.pad()  # (B, T)
        sampled = inside & (torch.arange(written.size(1), device=self.device) >= starts.unsqueeze(1))
        expected = self.baseline(features.detach()).squeeze(2)  # (B, T)
        gain = torch.where(sampled, reward - expected.detach(), torch.ones_like(chosen))
        loss = -(gain * chosen)[inside].sum() / inside.sum()
        if sampled.any():
            loss = loss + mse_loss(expected[sampled], reward.expand_as(expected)[sampled])
        self.optimizer.zero_grad()
        loss.backward()
        if self.clip:
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.clip)
        self.optimizer.step()
        return float(reward.mean())

    def judge(self, pairs: Sequence[tuple[Tokens, Tokens]]) -> float:
        """SARI of the most probable words, one after the other, over the pairs (corpus level, in percent)."""
        import torch

        self.network.eval()
        batch, order = _batch(self.task, [complex_ for complex_, _ in pairs], self.device)
        pairs = [pairs[row] for row in order.tolist()]
        nothing = torch.zeros(len(pairs), 0, dtype=torch.long, device=self.device)
        written = self._write(batch, nothing, torch.zeros(len(pairs), dtype=torch.long, device=self.device), False)
        sources, references = ([" ".join(pair[side]) for pair in pairs] for side in range(2))
        return sari_corpus(sources, [" ".join(row) for row in self._words(written)], [references]).value

    def _encode(self, batch: Any) -> Any:
        return self.network.encoder(batch["src_tokens"], src_lengths=batch["src_lengths"])

    def _write(self, batch: Any, gold: "Tensor", starts: "Tensor", draws: bool = True) -> "Tensor":
        """Words after the first `starts` of `gold`, drawn or the most probable ones, to the end. Shape: (B, T)."""
        import torch

        dictionary = self.task.target_dictionary
        limit = min(self.limit, batch["src_tokens"].size(1) + 10) + 1
        with torch.no_grad():
            encoded = self._encode(batch)
            state: dict[str, Any] = {}
            column = torch.full((len(starts), 1), dictionary.eos(), device=self.device)
            written: list[Tensor] = []
            ended = torch.zeros(len(starts), dtype=torch.bool, device=self.device)
            while len(written) < limit and not ended.all():
                logits = self.network.decoder(column, encoder_out=encoded, incremental_state=state)[0][:, -1]
                logits[:, [dictionary.pad(), dictionary.bos()]] = -math.inf
                words = torch.multinomial(logits.softmax(1), 1).squeeze(1) if draws else logits.argmax(1)
                position = len(written)
                if position + 1 == limit:
                    words = torch.full_like(words, dictionary.eos())
                if position < gold.size(1):
                    words = torch.where(position < starts, gold[:, position], words)
                words = words.masked_fill(ended, dictionary.pad())
                written.append(words)
                ended = ended | (words == dictionary.eos())
                column = words.unsqueeze(1)
        return torch.stack(written, 1)

    def _numbers(self, rows: Sequence[Tokens]) -> tuple["Tensor", "Tensor"]:
        """Words as numbers, the end behind them, padded, and how many words there are. Shapes: (B, T), (B,)."""
        import torch

        dictionary = self.task.target_dictionary
        numbers = [torch.tensor([*map(dictionary.index, row), dictionary.eos()]) for row in rows]
        padded = torch.nn.utils.rnn.pad_sequence(numbers, batch_first=True, padding_value=dictionary.pad())
        return padded.to(self.device), torch.tensor([len(row) for row in rows], device=self.device)

    def _words(self, written: "Tensor") -> list[list[str]]:
        dictionary = self.task.target_dictionary
        special = {dictionary.pad(), dictionary.eos()}
        return [[dictionary[number] for number in row if number not in special] for row in written.tolist()]


def _batch(task: Any, rows: Sequence[Tokens], device: str) -> tuple[Any, "Tensor"]:
    """Sentences of the complex side as the encoder takes them, the longest first, and which rows these are."""
    dataset = inference_dataset(task, rows)
    batch = dataset.collater([dataset[index] for index in range(len(rows))])
    return moved(batch["net_input"], device), batch["id"]
