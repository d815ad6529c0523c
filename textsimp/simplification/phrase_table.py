"""Pairs of phrases with four log probabilities, from aligned sentences (Koehn et al. 2003), and the word alignment.

Every word of the complex side also counts once as a pair with itself, so that a word can always stay as it is. Lexical
weights take, for each word, the best of the other phrase's words and of no word. A deleted phrase is a longest run
of unaligned complex words; its simple phrase is empty.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby, islice
from pathlib import Path
from typing import Any

import numpy as np

from textsimp.core.reading import iterate_lines
from textsimp.core.writing import write_lines

Words = Sequence[str]
Links = list[tuple[int, int]]  # places of the complex and of the simple word, ascending
Features = tuple[float, ...]
# Complex phrase -> simple phrases with their features; of aligned sentences, these are log p(simple|complex),
# log p(complex|simple) and both lexical weights.
PhraseTable = Mapping[str, Sequence[tuple[str, Features]]]
HEADER = "complex\tsimple\tlog probabilities of simple and complex, lexical weights of simple and complex"
_NONE = ""  # the word that unaligned words are aligned with
_LEAST = 1e-7
_DIGITS = 5


def align_words(pairs: Sequence[tuple[Words, Words]], ibm1_iterations: int, hmm_iterations: int) -> list[Links]:
    """Return the links of each pair of sentences, which the models are trained on.

    IBM 1, then HMM (Vogel et al. 1996), both by sil-thot, are trained in both directions and joined by
    grow-diag-final-and (Koehn et al. 2005).
    """
    from thot import alignment as thot

    def trained(sources: list[list[str]], targets: list[list[str]]) -> Any:
        first = thot.Ibm1AlignmentModel()
        for pair in zip(sources, targets, strict=True):
            first.add_sentence_pair(*pair)
        _iterate(first, ibm1_iterations)
        if not hmm_iterations:
            return first
        second = thot.HmmAlignmentModel(first)
        _iterate(second, hmm_iterations)
        return second

    complex_, simple = ([list(words) for words in side] for side in zip(*pairs, strict=True))
    both = thot.SymmetrizedAligner(trained(complex_, simple), trained(simple, complex_))
    both.heuristic = thot.SymmetrizationHeuristic.GROW_DIAG_FINAL_AND
    alignments = both.get_best_alignments(complex_, simple)
    return [[(i, j) for i, j in np.argwhere(matrix.to_numpy()).tolist()] for _, matrix in alignments]


def _iterate(model: Any, iterations: int) -> None:
    model.start_training()
    for _ in range(iterations):
        model.train()
    model.end_training()


def phrase_pairs(
    complex_: Words, simple: Words, links: Links, longest: int, deletion: bool
) -> Iterator[tuple[str, str]]:
    """Yield all pairs of phrases that no link leaves, with up to `longest` words on either side."""
    by_complex: defaultdict[int, list[int]] = defaultdict(list)
    by_simple: defaultdict[int, list[int]] = defaultdict(list)
    for i, j in links:
        by_complex[i].append(j)
        by_simple[j].append(i)
    for start in range(len(complex_)):
        low, high = len(simple), -1
        for end in range(start, min(len(complex_), start + longest)):
            if end in by_complex:
                low, high = min(low, by_complex[end][0]), max(high, by_complex[end][-1])
            if high < 0 or high - low >= longest:
                continue
            if any(by_simple[j][0] < start or by_simple[j][-1] > end for j in range(low, high + 1) if j in by_simple):
                continue
            phrase = " ".join(complex_[start : end + 1])
            for first, last in _widened(low, high, by_simple, len(simple), longest):
                yield phrase, " ".join(simple[first : last + 1])
    if deletion:
        for is_linked, run in groupby(range(len(complex_)), key=by_complex.__contains__):
            places = list(run)
            if not is_linked and len(places) <= longest:
                yield " ".join(complex_[place] for place in places), ""


def _widened(low: int, high: int, linked: Mapping[int, object], size: int, longest: int) -> Iterator[tuple[int, int]]:
    """Yield the span and those with unaligned words on its sides."""
    first = low
    while first == low or (first >= 0 and first not in linked):
        last = high
        while last - first < longest and (last == high or (last < size and last not in linked)):
            yield first, last
            last += 1
        first -= 1


def build_table(
    pairs: Iterable[tuple[Words, Words, Links]], longest: int, min_count: int, max_options: int, deletion: bool
) -> dict[str, list[tuple[str, Features]]]:
    """Return the phrase table of aligned sentences, sorted; see `PhraseBasedConfig` for the limits."""
    counts: Counter[tuple[str, str]] = Counter()
    words: Counter[tuple[str, str]] = Counter()
    for complex_, simple, links in pairs:
        counts.update(phrase_pairs(complex_, simple, links, longest, deletion))
        words.update((complex_[i], simple[j]) for i, j in links)
        aligned_complex, aligned_simple = {i for i, _ in links}, {j for _, j in links}
        words.update((word, _NONE) for i, word in enumerate(complex_) if i not in aligned_complex)
        words.update((_NONE, word) for j, word in enumerate(simple) if j not in aligned_simple)
    own = {word for word, _ in words if word}
    for table in (counts, words):
        table.update((word, word) for word in own)
    totals, shares = _totals(counts), _shares(words)
    rows: defaultdict[str, list[tuple[str, Features]]] = defaultdict(list)
    for (complex_phrase, simple_phrase), count in counts.items():
        if count >= min_count or " " not in complex_phrase:
            sides = complex_phrase.split(), simple_phrase.split()
            features = (
                math.log(count / totals[0][complex_phrase]),
                math.log(count / totals[1][simple_phrase]),
                _lexical_weight(shares[0], *sides),
                _lexical_weight(shares[1], *sides[::-1]),
            )
            rows[complex_phrase].append((simple_phrase, tuple(round(value, _DIGITS) for value in features)))
    return {
        phrase: sorted(rows[phrase], key=lambda row: (-row[1][0], -row[1][1], row[0]))[:max_options]
        for phrase in sorted(rows)
    }


def _totals(counts: Counter[tuple[str, str]]) -> tuple[Counter[str], Counter[str]]:
    totals: tuple[Counter[str], Counter[str]] = Counter(), Counter()
    for pair, count in counts.items():
        for total, phrase in zip(totals, pair, strict=True):
            total[phrase] += count
    return totals


def _shares(counts: Counter[tuple[str, str]]) -> tuple[Mapping[tuple[str, str], float], ...]:
    """Return p(simple|complex) and p(complex|simple) of words, by the given word and the other."""
    totals = _totals(counts)
    return (
        {pair: count / totals[0][pair[0]] for pair, count in counts.items()},
        {pair[::-1]: count / totals[1][pair[1]] for pair, count in counts.items()},
    )


def _lexical_weight(shares: Mapping[tuple[str, str], float], given: Words, words: Words) -> float:
    """Return log of the product over `words` of max over `given` and no word of p(word|given).

    Of a deletion, which has no `words`, each given word stands for none.
    """
    if words:
        found = (max(shares.get((source, word), 0.0) for source in (*given, _NONE)) for word in words)
    else:
        found = (shares.get((word, _NONE), 0.0) for word in given)
    return sum(math.log(max(_LEAST, share)) for share in found)


def write_table(path: Path, table: PhraseTable, header: str = HEADER) -> None:
    """Write a table, a pair of phrases a line."""
    pairs = ((phrase, *pair) for phrase, row in table.items() for pair in row)
    lines = (f"{phrase}\t{simple}\t{' '.join(map(repr, features))}" for phrase, simple, features in pairs)
    write_lines(path, chain([header], lines))


def read_table(path: Path) -> dict[str, list[tuple[str, Features]]]:
    """Read what `write_table` wrote."""
    table: defaultdict[str, list[tuple[str, Features]]] = defaultdict(list)
    for line in islice(iterate_lines(path), 1, None):
        phrase, simple, numbers = line.split("\t")
        table[phrase].append((simple, tuple(map(float, numbers.split(" ")))))
    return dict(table)
