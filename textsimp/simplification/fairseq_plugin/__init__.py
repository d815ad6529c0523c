"""What fairseq loads with `--user-dir`: a BERT-shaped Transformer (Jiang et al. 2020, section 5.2), a task and a loss.

The task is fairseq's translation with batches that a resumed run meets again, and with repetition blocked on every
device; in the loss, some words count more than others. Fairseq imports this folder itself, once, under its bare name;
nobody else may import it.
"""

from dataclasses import dataclass, field
from pathlib import Path

import torch
from fairseq.criterions import register_criterion
from fairseq.criterions.cross_entropy import CrossEntropyCriterion, CrossEntropyCriterionConfig
from fairseq.tasks import register_task
from fairseq.tasks.translation import TranslationConfig, TranslationTask
from torch import Tensor, nn
from torch.nn.functional import nll_loss

from . import bert_transformer  # noqa: F401  (it registers what it holds)


class RepeatBlocker(nn.Module):
    """Forbids an n-gram that the hypothesis already has.

    Fairseq's own blocker, without its CUDA extension, compares with the unwritten end of the token buffer and so
    forbids nothing.
    """

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def forward(self, tokens: Tensor, lprobs: Tensor, bsz: int, beam_size: int, step: int) -> Tensor:
        """Set the scores of repeating tokens to -inf, in place.

        Of `tokens`, which begin with the start symbol, only positions up to `step` are written.
        Shape: tokens (R, T), lprobs (R, V) with R = bsz x beam_size.
        """
        if step + 1 < self.size:
            return lprobs
        written = tokens[:, : step + 1]
        windows = written.unfold(1, self.size, 1)  # (R, W, n)
        ending = written[:, step + 2 - self.size :]  # (R, n - 1)
        repeated = (windows[:, :, :-1] == ending.unsqueeze(1)).all(dim=2)  # (R, W)
        rows, starts = repeated.nonzero(as_tuple=True)
        lprobs[rows, windows[rows, starts, -1]] = -torch.inf
        return lprobs


@register_task("simplification", dataclass=TranslationConfig)
class SimplificationTask(TranslationTask):
    """Translation from complex to simple."""

    def get_batch_iterator(self, dataset, *args, epoch: int = 1, **kwargs):
        """Return the iterator over the batches of epoch 1, whatever the epoch that a resumed run starts with.

        Fairseq draws the batches once, by the epoch of the start: a resumed run would train on others.
        """
        known = dataset in self.dataset_to_epoch_iter
        iterator = super().get_batch_iterator(dataset, *args, epoch=1, **kwargs)
        if not known:
            iterator.epoch = epoch
        return iterator

    def build_generator(self, models, args, **kwargs):
        """Return the beam search, its blocker replaced by ours where one is asked for."""
        generator = super().build_generator(models, args, **kwargs)
        search = generator.search
        generator.allowed = None  # (B, V), bool: the symbols that each sentence of a batch may be answered with

        def step(number, lprobs, scores, tokens, sentences):
            if generator.allowed is not None:
                lprobs = lprobs.masked_fill(~generator.allowed[sentences].unsqueeze(1), -torch.inf)
            return type(search).step(search, number, lprobs, scores, tokens, sentences)

        search.step = step
        if getattr(generator, "repeat_ngram_blocker", None) is not None:
            generator.repeat_ngram_blocker = RepeatBlocker(args.no_repeat_ngram_size)
        return generator


@dataclass
class WeightedCrossEntropyConfig(CrossEntropyCriterionConfig):
    """Fairseq's options of cross entropy, and the file of weights."""

    word_weights: str = field(default="", metadata={"help": "file of WORD WEIGHT; other symbols weigh 1"})


@register_criterion("weighted_cross_entropy", dataclass=WeightedCrossEntropyConfig)
class WeightedCrossEntropy(CrossEntropyCriterion):
    """The loss of each target word times its weight; divided by the number of words, as without weights."""

    def __init__(self, task, sentence_avg, word_weights):
        super().__init__(task, sentence_avg)
        dictionary = task.target_dictionary
        weights = torch.ones(len(dictionary))
        for line in Path(word_weights).read_text(encoding="utf-8").splitlines():
            word, weight = line.rsplit(" ", 1)
            weights[dictionary.index(word)] = float(weight)
        self.register_buffer("weights", weights)

    def compute_loss(self, model, net_output, sample, reduce=True):
        """Return the loss, twice: fairseq asks for one with smoothing and one without."""
        chances = model.get_normalized_probs(net_output, log_probs=True)
        target = model.get_targets(sample, net_output).view(-1)
        reduction = "sum" if reduce else "none"
        chances = chances.view(-1, chances.size(-1))
        losses = nll_loss(chances, target, self.weights, ignore_index=self.padding_idx, reduction=reduction)
        return losses, losses
