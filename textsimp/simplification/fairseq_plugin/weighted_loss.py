"""Cross entropy in which some words count more than others."""

from dataclasses import dataclass, field
from pathlib import Path

import torch
from fairseq.criterions import register_criterion
from fairseq.criterions.cross_entropy import CrossEntropyCriterion, CrossEntropyCriterionConfig
from torch.nn.functional import nll_loss


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
        """The loss, twice: fairseq asks for one with smoothing and one without."""
        chances = model.get_normalized_probs(net_output, log_probs=True)
        target = model.get_targets(sample, net_output).view(-1)
        reduction = "sum" if reduce else "none"
        chances = chances.view(-1, chances.size(-1))
        losses = nll_loss(chances, target, self.weights, ignore_index=self.padding_idx, reduction=reduction)
        return losses, losses
