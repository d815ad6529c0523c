"""Fairseq's translation task, with batches that a resumed run meets again and repetition blocked on every device."""

import torch
from fairseq.tasks import register_task
from fairseq.tasks.translation import TranslationConfig, TranslationTask
from torch import Tensor, nn


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
        """Fairseq's iterator over the batches of epoch 1, whatever the epoch that a resumed run starts with.

        Fairseq draws the batches once, by the epoch of the start: a resumed run would train on others.
        """
        known = dataset in self.dataset_to_epoch_iter
        iterator = super().get_batch_iterator(dataset, *args, epoch=1, **kwargs)
        if not known:
            iterator.epoch = epoch
        return iterator

    def build_generator(self, models, args, **kwargs):
        """Fairseq's beam search, its blocker replaced by ours where one is asked for."""
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
