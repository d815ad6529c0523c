"""What fairseq loads with `--user-dir`: the BERT-shaped Transformer (Jiang et al. 2020, section 5.2), and the task.

Fairseq imports this folder itself, once, under its bare name; nobody else may import it.
"""

from . import bert_transformer, task, weighted_loss  # noqa: F401  (they register what they hold)
