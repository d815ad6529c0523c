"""What `corpus.NAME.build` of params.yaml holds, and its check (Jiang et al. 2020, section 5.1 and appendix B)."""

import re
from dataclasses import dataclass

from textsimp.core.bounds import NonNegative, Positive, Seed, Share
from textsimp.core.errors import InputError
from textsimp.sources.formats import names_with

JOINS = ("link", "simple")
DEV_REFERENCES = ("first", "all")
FILTERS = ("levels", "tokens", "colon", "one_sentence", "identical", "bleu", "duplicate")


@dataclass(frozen=True)
class BuildConfig:
    """How the alignments of one corpus become training, dev and test data.

    provenance, licence: where the text comes from and under which terms it may be used, for the data card.
    join: `link`: one pair per link; `simple`: one per simple sentence, its complex sentences joined in order.
    filters: names from `FILTERS`, in the order in which they are asked.
    excluded_levels: level combinations `COMPLEX-SIMPLE` that the filter `levels` drops.
    min_tokens: the filter `tokens` drops a pair with a side of fewer tokens.
    bleu_low, bleu_high: the filter `bleu` drops outside this range of sentence BLEU, from 0 to 1.
    one_sentence_patterns: regular expressions of repetitive simple sentences, for the filter `one_sentence`.
    one_sentence_similarity: the filter `one_sentence` drops below this similarity, from 0 to 1.
    released: training set -> the format (`textsimp.sources.formats`) of the release whose sentence pairs it is made of;
        `auto` and `old` are made of alignments where they are not named here.
    benchmarks: test set -> the format of an acquired benchmark with several references. The first one gives dev too.
        Where none is named, article sets are set aside for dev and test.
    dev_fraction, test_fraction: their shares of the article sets, which are divided with `seed`; without benchmarks.
    dev_reference: of a benchmark: dev has each complex sentence with its `first` reference or with `all`.
    dev_pairs: of a benchmark: so many sentences of its dev set at most, evenly spread; null for all.
    """

    provenance: str
    licence: str
    join: str
    filters: list[str]
    excluded_levels: list[str]
    min_tokens: NonNegative
    bleu_low: Share
    bleu_high: Share
    one_sentence_patterns: list[str]
    one_sentence_similarity: Share
    released: dict[str, str]
    benchmarks: dict[str, str]
    dev_fraction: Share
    test_fraction: Share
    dev_reference: str
    dev_pairs: Positive | None
    seed: Seed

    def __post_init__(self) -> None:
        """Check the values; `InputError` names the key."""
        _choose("join", [self.join], JOINS)
        _choose("filters", self.filters, FILTERS)
        _choose("released", list(self.released.values()), names_with("pairs"))
        _choose("benchmarks", list(self.benchmarks.values()), names_with("benchmark"))
        if len(set(self.benchmarks.values())) != len(self.benchmarks):
            raise _wrong("benchmarks", f"a layout is named twice in {self.benchmarks}")
        _choose("dev_reference", [self.dev_reference], DEV_REFERENCES)
        if len(set(self.filters)) != len(self.filters):
            raise _wrong("filters", f"a filter is named twice in {self.filters}")
        if self.bleu_low > self.bleu_high:
            raise _wrong("bleu_low", f"{self.bleu_low} is above bleu_high, {self.bleu_high}")
        if not (self.dev_fraction > 0 and self.test_fraction > 0 and self.dev_fraction + self.test_fraction < 1):
            raise _wrong("dev_fraction", "dev_fraction and test_fraction are to be above 0 and below 1 together")
        for levels in self.excluded_levels:
            if not re.fullmatch(r"\d+-\d+", levels):
                raise _wrong("excluded_levels", f"{levels!r} is not COMPLEX-SIMPLE, such as '0-1'")
        for pattern in self.one_sentence_patterns:
            try:
                re.compile(pattern)
            except re.error as error:
                raise _wrong("one_sentence_patterns", f"{pattern!r} is no regular expression ({error})") from None


def _choose(key: str, values: list[str], choices: tuple[str, ...]) -> None:
    for value in values:
        if value not in choices:
            raise _wrong(key, f"{value!r} is none of {', '.join(choices)}")


def _wrong(key: str, what: str) -> InputError:
    return InputError(f"corpus build: {key}: {what}; correct it in conf/corpus and run `make params`")
