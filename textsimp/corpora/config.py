"""The section `corpus.NAME.build` of params.yaml, and its check (Jiang et al. 2020, section 5.1 and appendix B)."""

import re
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from textsimp.core.errors import InputError, none_of
from textsimp.core.records import ALIGNMENTS
from textsimp.core.settings import NonNegative, Positive, Seed, Share
from textsimp.sources.formats import FORMATS, names_with

LEAK, UNITED, SIZE = "leak", "duplicate", "size"
"""Reasons to leave a pair out: a held-out sentence, a pair of another release too, a set as large as another."""
Filter = Literal["levels", "partial", "tokens", "colon", "one_sentence", "identical", "bleu", "duplicate"]


@dataclass(frozen=True)
class BuildConfig:
    """Settings of the way from the alignments of one corpus to training, dev and test data.

    provenance, licence: where the text comes from and under which terms it may be used, for the data card.
    join: `link`: one pair per link; `simple`: one per simple sentence, its complex sentences joined in order; `group`:
        one of all sentences that links connect, so that a split sentence is one pair.
    filters: in the order in which they are asked.
    excluded_levels: level combinations `COMPLEX-SIMPLE` that the filter `levels` drops.
    min_tokens: the filter `tokens` drops a pair with a side of fewer tokens.
    bleu_low, bleu_high: the filter `bleu` drops outside this range of sentence BLEU, from 0 to 1.
    one_sentence_patterns: regular expressions of repetitive simple sentences, for the filter `one_sentence`.
    one_sentence_similarity: the filter `one_sentence` drops below this similarity, from 0 to 1.
    released: training set -> the formats (`textsimp.sources.formats`) of the releases whose sentence pairs it is made
        of, each pair once where there are several; those of `ALIGNMENTS` are made of alignments where not named here.
    unfiltered: the training sets of `released` that are taken as they are, but for held-out sentences.
    united: training set -> others whose pairs it joins; the filters are asked of all of them, each pair is taken once.
    drawn: training set -> two others: it is drawn at random, with `seed`, from the training pairs of the first, and as
        large as the second.
    benchmarks: test set -> the format of an acquired benchmark with references. The first one gives dev too. Where none
        is named, article sets are set aside for dev and test.
    dev_fraction, test_fraction: their shares of the article sets, which are divided with `seed`; without benchmarks.
    dev_reference: of a benchmark: dev has each complex sentence with its `first` reference or with `all`.
    dev_pairs: of a benchmark: so many sentences of its dev set at most, evenly spread; null for all.
    """

    provenance: str
    licence: str
    join: Literal["link", "simple", "group"]
    filters: list[Filter]
    excluded_levels: list[Annotated[str, Field(pattern=r"^\d+-\d+$")]]
    min_tokens: NonNegative
    bleu_low: Share
    bleu_high: Share
    one_sentence_patterns: list[str]
    one_sentence_similarity: Share
    released: dict[str, list[str]]
    unfiltered: list[str]
    united: dict[str, list[str]]
    drawn: dict[str, list[str]]
    benchmarks: dict[str, str]
    dev_fraction: Share
    test_fraction: Share
    dev_reference: Literal["first", "all"]
    dev_pairs: Positive | None
    seed: Seed

    def __post_init__(self) -> None:
        """Check the values; `InputError` names the key."""
        _choose("released", [name for names in self.released.values() for name in names], names_with("pairs"))
        _choose("unfiltered", self.unfiltered, tuple(self.released))
        read = {*ALIGNMENTS, *self.released}
        _check_made_of("united", self.united, read)
        _check_made_of("drawn", self.drawn, read | self.united.keys())
        _choose("benchmarks", list(self.benchmarks.values()), names_with("benchmark"))
        if len(set(self.benchmarks.values())) != len(self.benchmarks):
            raise _wrong("benchmarks", f"a layout is named twice in {self.benchmarks}")
        if self.benchmarks and (first := FORMATS[next(iter(self.benchmarks.values()))].benchmark) and not first.dev:
            raise _wrong("benchmarks", f"the first one gives dev, and {next(iter(self.benchmarks))} has none")
        if len(set(self.filters)) != len(self.filters):
            raise _wrong("filters", f"a filter is named twice in {self.filters}")
        if self.bleu_low > self.bleu_high:
            raise _wrong("bleu_low", f"{self.bleu_low} is above bleu_high, {self.bleu_high}")
        if not (self.dev_fraction > 0 and self.test_fraction > 0 and self.dev_fraction + self.test_fraction < 1):
            raise _wrong("dev_fraction", "dev_fraction and test_fraction are to be above 0 and below 1 together")
        for pattern in self.one_sentence_patterns:
            try:
                re.compile(pattern)
            except re.error as error:
                raise _wrong("one_sentence_patterns", f"{pattern!r} is no regular expression ({error})") from None

    @property
    def reasons(self) -> list[str]:
        """Why pairs are left out, in order: the filters, `UNITED` and `SIZE` where they can come up, and `LEAK`."""
        united = bool(self.united) or any(len(names) > 1 for names in self.released.values())
        more = [*([UNITED] if united else []), LEAK, *([SIZE] if self.drawn else [])]
        return [*self.filters, *(reason for reason in more if reason not in self.filters)]


def _choose(key: str, values: list[str], choices: tuple[str, ...]) -> None:
    for value in values:
        if value not in choices:
            raise _wrong(key, none_of(f"{value!r} is", choices))


def _check_made_of(key: str, sets: dict[str, list[str]], known: set[str]) -> None:
    for name, others in sets.items():
        if len(set(others)) != len(others) or len(others) < 2 or (key == "drawn" and len(others) > 2):
            raise _wrong(key, f"{name}: {others}: two different training sets{' or more' * (key == 'united')}")
        if name in known or not known.issuperset(others):
            raise _wrong(key, f"{name}: {others}: a new name and two of {', '.join(sorted(known))}")


def _wrong(key: str, what: str) -> InputError:
    return InputError(f"corpus build: {key}: {what}; correct it in conf/corpus and run `make params`")
