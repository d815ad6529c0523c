"""Beam search settings, for the kinds that run in fairseq."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SearchConfig:
    """Beam search of fairseq-generate.

    `length_penalty` divides the score by length to this power. An output ends at the latest after
    `length_ratio` x source length + `length_margin` tokens. `no_repeat_ngram`: n-grams of this size occur once at
    most in an output; 0 allows any. `batch_size` sentences are searched together.
    """

    beam: int
    length_penalty: float
    length_ratio: float
    length_margin: int
    no_repeat_ngram: int
    batch_size: int


def search_options(config: SearchConfig) -> list[str]:
    """The settings as options of fairseq-generate."""
    return [
        *("--beam", str(config.beam)),
        *("--lenpen", repr(config.length_penalty)),
        *("--max-len-a", repr(config.length_ratio)),
        *("--max-len-b", str(config.length_margin)),
        *("--no-repeat-ngram-size", str(config.no_repeat_ngram)),
        *("--batch-size", str(config.batch_size)),
    ]
