"""What fairseq loads with `--user-dir`: the BERT-shaped Transformer (Jiang et al. 2020, section 5.2), and the task.

Fairseq imports this folder itself, once, under its bare name; nobody else may import it.
"""

import argparse

import torch

from . import bert_transformer, task, weighted_loss  # noqa: F401  (they register what they hold)

# Fairseq's checkpoints hold the parsed command line; torch.load admits it only when it is on the list.
torch.serialization.add_safe_globals([argparse.Namespace])
