"""How likely each simple word is for a complex one: the lexical model of Dress-Ls, from the aligned words of pairs."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textsimp.core.errors import bad_input
from textsimp.core.reading import iterate_lines
from textsimp.core.writing import write_lines

if TYPE_CHECKING:
    from torch import Tensor

Translations = Mapping[str, Mapping[str, float]]
"""Complex word -> simple word -> its probability; those of a complex word sum up to 1."""
_DIGITS = 6


def learn_translations(
    pairs: Sequence[tuple[Sequence[str], Sequence[str]]], ibm1_iterations: int, hmm_iterations: int
) -> Translations:
    """Shares of links; each complex word counts once as its own, too."""
    from textsimp.simplification.phrase_based.word_alignment import align_words

    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for (complex_, simple), links in zip(pairs, align_words(pairs, ibm1_iterations, hmm_iterations), strict=True):
        for i, j in links:
            counts[complex_[i]][simple[j]] += 1
    for word in {word for complex_, _ in pairs for word in complex_}:
        counts[word][word] += 1
    return {
        word: {simple: count / row.total() for simple, count in sorted(row.items())}
        for word, row in sorted(counts.items())
    }


def write_translations(path: Path, translations: Translations) -> None:
    """A line for each pair of words: complex, simple, probability."""
    rows = ((word, simple, share) for word, row in translations.items() for simple, share in row.items())
    write_lines(path, (f"{word}\t{simple}\t{share:.{_DIGITS}f}" for word, simple, share in rows))


def read_translations(path: Path, remedy: str) -> Translations:
    """What `write_translations` wrote; `InputError` names the line that is none."""
    translations: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for number, line in enumerate(iterate_lines(path), 1):
        try:
            word, simple, share = line.split("\t")
            translations[word][simple] = float(share)
            if not 0 <= translations[word][simple] <= 1:
                raise ValueError
        except ValueError:
            raise bad_input(path, number, "no two words and a probability", remedy) from None
    if not translations or any(not math.isclose(sum(row.values()), 1, abs_tol=1e-3) for row in translations.values()):
        raise bad_input(path, None, "a table of word translations that is not whole", remedy)
    return dict(translations)


def as_matrix(translations: Translations, source: Any, target: Any) -> "Tensor":
    """p(simple | complex) by the numbers of fairseq's dictionaries, sparse. Shape: (V_simple, V_complex).

    Simple words that the dictionary lacks are its unknown word; complex words without a row, the end of the sentence
    among them, stand for themselves.
    """
    import torch

    cells: defaultdict[tuple[int, int], float] = defaultdict(float)
    for column, symbol in enumerate(source.symbols):
        for word, share in translations.get(symbol, {symbol: 1.0}).items():
            cells[target.index(word), column] += share
    indexes = torch.tensor(list(cells)).t()  # (2, cells)
    shares = torch.tensor(list(cells.values()))
    shape = (len(target), len(source))
    return torch.sparse_coo_tensor(indexes, shares, shape, check_invariants=True).coalesce()
