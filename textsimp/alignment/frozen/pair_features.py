"""Features of sentence pairs that need one look at each sentence: words, characters, places, and a frozen encoder.

Of a sentence the encoder says the states of its word pieces at two layers, and their mean (`Encoding`).

Nothing here knows a language. Weights of words, character n-grams and word pieces are idf over the sentences of the
document pair itself, ln((N + 1) / df): what stands in every sentence of a text says little about which of them belong
together. Networks look at the candidates alone (`Candidates`); all other pairs count as not linked.
"""

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import reduce
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.sparse import csr_array

from textsimp.alignment.neural.paragraphs import paragraph_scores, paragraph_starts
from textsimp.alignment.words import best_of_rows, counted, row_products, runs
from textsimp.core.batches import narrow_batches
from textsimp.core.frozen_encoder import FrozenEncoder, States
from textsimp.core.records import DocumentPair

Matrix = NDArray[np.float64]
Cells = NDArray[np.int64]
Half = NDArray[np.float16]
E = TypeVar("E")
BySentence = tuple[list[Matrix], list[Matrix]]
"""For each simple and each complex sentence."""
_WORD = re.compile(r"\w+")
_GRAM = 4
"""Length of character n-grams."""
_BEST_OF_SIMPLE, _BEST_OF_COMPLEX = 6, 4
"""Candidates: so many partners of each simple and of each complex sentence."""
_COVERED = (0.5, 0.7)
"""Cosines from which a word piece counts as said by the other sentence."""
_BLOCK = 1 << 23
"""Cosines of word pieces that are in memory at a time."""
_LINES = 256
"""About so many rows or columns of sentence pairs are worked on at a time."""
_LEAST_SPREAD = 0.02
"""Added to a standard deviation, so that a flat row does not become all outliers."""
_MOST = 3
"""Numbers and names are counted up to so many."""

CONTEXT = "value row_margin column_margin row_z column_z before after up down left right".split()
"""A similarity at a candidate, and what its row, its column and its neighbours say; `_context` computes it."""


@dataclass(frozen=True)
class Encoding:
    """One sentence as the encoder sees it, cut to the encoder's length; half precision, as states are only compared.

    Attributes:
        pieces: ids of the word pieces, special tokens left out. Shape: (W,).
        middle, last: their states of length 1 after two thirds of the layers and after the last. Shape: (W, width).
        mean: of the last states, special tokens among them, of length 1. Shape: (width,).
    """

    pieces: NDArray[np.int64]
    middle: Half
    last: Half
    mean: Half


class Encodings:
    """The encodings of the sentences seen so far.

    Args:
        batches: encoded side by side, each with torch's own threads; the result does not depend on it.
    """

    def __init__(self, encoder: FrozenEncoder, batches: int = 1) -> None:
        self.encoder, self._batches = encoder, batches
        self._middle = max(1, round(encoder.layers * 2 / 3))
        self._known: dict[str, Encoding] = {}
        self._behind: dict[str, Half] = {}

    def _add(self, texts: Iterable[str], known: dict[str, E], encode: Callable[[list[str]], list[E]]) -> None:
        """Encode what is not known, in batches of like length."""
        new = [text for text in dict.fromkeys(texts) if text not in known]
        rows = narrow_batches(new, self.encoder.batch_size, len)
        # the longest first: what is allocated for them serves all others
        batches = [[new[index] for index in row] for row in rows][::-1]
        with ThreadPoolExecutor(self._batches) as pool:
            for batch, encodings in zip(batches, pool.map(encode, batches), strict=True):
                known.update(zip(batch, encodings, strict=True))

    def add_pairs(self, pairs: Sequence[DocumentPair]) -> None:
        """Encode all that is new of several document pairs at once."""
        sides = (side for pair in pairs for side in (pair.simple, pair.complex))
        self._add((text for side in sides for text in side.sentences), self._known, self._encode)
        windows = (text for pair in pairs for text in _windows(pair.simple.sentences))
        self._add(windows, self._behind, self._means)

    def of(self, sentences: Sequence[str]) -> list[Encoding]:
        """Return the encoding of each sentence."""
        self._add(sentences, self._known, self._encode)
        return [self._known[sentence] for sentence in sentences]

    def behind(self, sentences: Sequence[str]) -> list[Half]:
        """Return the mean state, of length 1, of each sentence of a text with the one before it. Shapes: (width,)."""
        windows = _windows(sentences)
        self._add(windows, self._behind, self._means)
        return [self._behind[window] for window in windows]

    def forget(self) -> None:
        """Drop the encodings: to bound memory, and because their last bits depend on the batch they came in."""
        self._known.clear()
        self._behind.clear()

    @torch.inference_mode()
    def _encode(self, texts: list[str]) -> list[Encoding]:
        states = self.encoder.states(texts, (self._middle, self.encoder.layers))
        middle, last, mean = (_unit(part) for part in (*states.layers, _mean(states)))
        ends = states.attention.sum(1).cpu().numpy() - 1  # where [SEP] is; [CLS] is before the first piece
        rows = zip(states.pieces.cpu().numpy(), middle, last, mean, ends, strict=True)
        return [Encoding(ids[1:end], low[1:end], high[1:end], row) for ids, low, high, row, end in rows]

    @torch.inference_mode()
    def _means(self, texts: list[str]) -> list[Half]:
        return list(_unit(_mean(self.encoder.states(texts, (self.encoder.layers,)))))


def _mean(states: States) -> torch.Tensor:
    """Return the mean of each text's states after the last layer. Shape: (N, width)."""
    attention = states.attention[:, :, None]
    return (states.layers[-1] * attention).sum(1) / attention.sum(1)


def _unit(states: torch.Tensor) -> Half:
    return torch.nn.functional.normalize(states, dim=-1).half().cpu().numpy()


def _windows(sentences: Sequence[str]) -> list[str]:
    """Return each sentence of a text behind the one before it; the first one behind nothing."""
    return [" ".join(two) for two in itertools.pairwise(("", *sentences))]


@dataclass(frozen=True)
class PairFeatures:
    """The features of the candidates of a document pair.

    Attributes:
        shape: simple and complex sentences (m, n).
        cells: simple and complex index of each candidate, sorted. Shape: (K, 2).
        values: of the candidates. Shape: (K, F), see `feature_names`.
        identical: candidates whose two sentences are the same string. Shape: (K,), bool.
        coverage: by layer the highest cosine of each word piece with one of a candidate: how well that says it.
            Shapes: (W, candidates of the sentence). Empty without an encoder.
        weights: idf of the word pieces. Shapes: (W,). Empty without an encoder.
    """

    shape: tuple[int, int]
    cells: Cells
    values: Matrix
    identical: NDArray[np.bool_]
    coverage: list[BySentence]
    weights: BySentence

    def plane(self, values: Matrix, elsewhere: float = 0.0) -> Matrix:
        """Values of the candidates as a matrix of all sentence pairs. Shape: (m, n)."""
        plane = np.full(self.shape, elsewhere)
        plane[self.cells[:, 0], self.cells[:, 1]] = values
        return plane


def feature_names(has_encoder: bool) -> list[str]:
    """The features in the order of their columns.

    words, characters: cosine of idf-weighted counts. mean: cosine of mean states. simple_said, complex_said: mean over
    the word pieces of one sentence, weighted by idf, of their highest cosine with one of the other, middle layer.
    behind: as mean, the simple sentence read behind the one before it, as short ones lean on that. all: the mean of
    mean, simple_said and complex_said; without an encoder, of the first two. Each with its row and column (`CONTEXT`):
    what it is above the best other one, in standard deviations above the mean, and the values of the neighbouring
    pairs. The rest is named in `_Shared.shares`, `_cell_features`, `_paragraphs` and `_said`.
    """
    planes = ["words", "characters", *(["mean", "simple_said", "complex_said", "behind"] if has_encoder else []), "all"]
    names = [f"{plane}.{part}" for plane in planes for part in CONTEXT]
    names += ["words.simple", "words.complex", "characters.simple", "characters.complex"]
    names += [f"{kind}.{part}" for kind in ("numbers", "names") for part in ("both", "simple", "complex")]
    names += ["length", "length.simple", "length.complex", "place"]
    names += ["paragraphs.best", "paragraphs.mean", "paragraphs.margin"]
    if has_encoder:
        said = ["said", *(f"unsaid_{level}" for level in _COVERED), *(f"unsaid_share_{level}" for level in _COVERED)]
        names += [f"{layer}.{side}.{part}" for layer in ("middle", "last") for part in said for side in _SIDES]
    return names


_SIDES = ("simple", "complex")


def pair_features(pair: DocumentPair, encodings: Encodings | None, neighbours: bool = False) -> PairFeatures:
    """The features of one document pair.

    Args:
        encodings: None for features of words and places alone.
        neighbours: whether what the simple sentences before and after are most similar to is a candidate, too. Training
            does without these: they are seldom linked, and networks that had seen them found fewer German links.
    """
    sides = (pair.simple, pair.complex)
    words = [[_WORD.findall(text.casefold()) for text in side.sentences] for side in sides]
    grams = [[_grams(" ".join(row)) for row in side] for side in words]
    shared = {"words": _Shared(*words), "characters": _Shared(*grams)}
    pieces = None if encodings is None else _Pieces([encodings.of(side.sentences) for side in sides])
    planes = {name: part.cosine() for name, part in shared.items()} if pieces is None else pieces.planes()
    similar: Matrix = reduce(np.add, planes.values()) / len(planes)
    if pieces is not None and encodings is not None:
        planes["behind"] = pieces.mean_cosine(encodings.behind(pair.simple.sentences))
    cells = _candidates(similar, neighbours)
    rows, columns = cells.T
    values = [] if pieces is None else [part for kind in shared.values() for part in _context(kind.cosine(), *cells.T)]
    while planes:  # those of long documents fill memory
        values += _context(planes.pop(next(iter(planes))), rows, columns)
    values += _context(similar, rows, columns)
    values += [part for kind in shared.values() for part in kind.shares(rows, columns)]
    values += list(_cell_features(pair, words, rows, columns))
    values += list(_paragraphs(pair, similar, rows, columns))
    coverage: list[BySentence] = []
    weights: BySentence = ([], [])
    if pieces is not None:
        weights = (pieces.weights[0], pieces.weights[1])
        coverage = [pieces.coverage(layer, cells) for layer in ("middle", "last")]
        values += [part for layer in coverage for part in by_sentence(layer, weights, cells, _said)]
    simple, complex_ = pair.simple.sentences, pair.complex.sentences
    same = np.array([simple[i] == complex_[j] for i, j in cells.tolist()], dtype=bool)
    return PairFeatures(similar.shape, cells, np.stack(values, 1), same, coverage, weights)


def _grams(text: str) -> list[str]:
    padded = f" {text} "
    return [padded[start : start + _GRAM] for start in range(max(1, len(padded) - _GRAM + 1))]


class _Shared:
    """Things of two lists of texts (words, n-grams) and what both have, weighted by idf."""

    def __init__(self, simple: list[list[str]], complex_: list[list[str]]) -> None:
        weights = inverse_frequencies([*simple, *complex_])
        columns = {thing: column for column, thing in enumerate(weights)}
        self._weights = np.array(list(weights.values()))
        sides = ([[columns[thing] for thing in text] for text in side] for side in (simple, complex_))
        self._sides = [counted(rows, columns) for rows in sides]

    def cosine(self) -> Matrix:
        """Cosine of weighted counts; 0 where a text has none. Shape: (m, n)."""
        units = []
        for counts in self._sides:
            weighted = counts * self._weights[None, :]
            lengths = np.sqrt((weighted * weighted).sum(1))  # (texts,)
            units.append(csr_array(weighted / np.maximum(lengths, 1e-9)[:, None]))
        return row_products(*units)

    def shares(self, rows: Cells, columns: Cells) -> Iterator[Matrix]:
        """Weight of what both texts have, as a share of the weight of each. Shapes: (K,)."""
        present = [csr_array(side.sign() * np.sqrt(self._weights)[None, :]) for side in self._sides]
        both = row_products(*present)[rows, columns]
        for counts, index in zip(self._sides, (rows, columns), strict=True):
            yield both / np.maximum(counts.sign() @ self._weights, 1e-9)[index]


def inverse_frequencies(texts: Sequence[Sequence]) -> dict:
    """Return ln((N + 1) / df) of the things in N texts, in the order of first occurrence."""
    frequency = Counter(thing for text in texts for thing in dict.fromkeys(text))
    return {thing: float(np.log((len(texts) + 1) / count)) for thing, count in frequency.items()}


class _Pieces:
    """The encodings of both sides of a document pair."""

    def __init__(self, sides: list[list[Encoding]]) -> None:
        self._sides = sides
        known = inverse_frequencies([row.pieces.tolist() for side in sides for row in side])
        self.weights = [
            [np.array([known[piece] for piece in row.pieces.tolist()] or [0.0]) for row in side] for side in sides
        ]

    def planes(self) -> dict[str, Matrix]:
        """Cosine of the means, and how well each side's word pieces are said by the other. Shapes: (m, n)."""
        mean = self.mean_cosine([row.mean for row in self._sides[0]])
        return dict(zip(("mean", "simple_said", "complex_said"), (mean, *self._said()), strict=True))

    def mean_cosine(self, simple: list[Half]) -> Matrix:
        """Cosine of such means with those of the complex sentences. Shape: (m, n)."""
        means = [np.stack(side).astype(np.float32) for side in (simple, [row.mean for row in self._sides[1]])]
        return (means[0] @ means[1].T).astype(np.float64)

    def _said(self) -> tuple[Matrix, Matrix]:
        simple, complex_ = self._sides
        heads = [np.cumsum([0, *map(len, side[:-1])]) for side in self.weights]
        flat = np.concatenate([_states(row.middle) for row in complex_])  # (pieces, width)
        weights = [np.concatenate(side) for side in self.weights]  # (pieces,)
        totals = [np.maximum(np.add.reduceat(part, head), 1e-9) for part, head in zip(weights, heads, strict=True)]
        of_simple, of_complex = (np.empty((len(simple), len(complex_))) for _ in range(2))
        ends = np.append(heads[0], len(weights[0]))
        for first, last in runs(ends, _BLOCK // max(len(flat), 1)):
            begin, end = ends[first], ends[last]
            cosine = np.concatenate([_states(row.middle) for row in simple[first:last]]) @ flat.T  # (pieces, pieces)
            best = np.maximum.reduceat(cosine, heads[1], axis=1) * weights[0][begin:end, None]
            of_simple[first:last] = np.add.reduceat(best, heads[0][first:last] - begin, axis=0)
            best = np.maximum.reduceat(cosine, heads[0][first:last] - begin, axis=0) * weights[1]
            of_complex[first:last] = np.add.reduceat(best, heads[1], axis=1)
        return of_simple / totals[0][:, None], of_complex / totals[1][None, :]

    def coverage(self, layer: str, cells: Cells) -> BySentence:
        """See `PairFeatures.coverage`."""
        simple, complex_ = ([_states(getattr(row, layer)) for row in side] for side in self._sides)
        by_row: list[list[Matrix]] = [[] for _ in simple]
        by_column: list[list[Matrix]] = [[] for _ in complex_]
        for i, j in cells.tolist():
            cosine = simple[i] @ complex_[j].T  # (pieces, pieces)
            by_row[i].append(cosine.max(1))
            by_column[j].append(cosine.max(0))
        rows, columns = ([np.stack(best, 1).astype(np.float64) for best in side] for side in (by_row, by_column))
        return rows, columns


def _states(rows: Half) -> NDArray[np.float32]:
    """Return the states of a sentence; one of zeros where it has no word piece."""
    return rows.astype(np.float32) if len(rows) else np.zeros((1, rows.shape[1]), np.float32)


def _candidates(similar: Matrix, neighbours: bool) -> Cells:
    """Return the pairs among the most similar of their row, their column or a row beside, sorted. Shape: (K, 2)."""
    chosen = np.zeros(similar.shape, dtype=bool)
    for table, marks, most in ((similar, chosen, _BEST_OF_SIMPLE), (similar.T, chosen.T, _BEST_OF_COMPLEX)):
        for part in _parts(len(table)):
            marks[part] |= best_of_rows(table[part], most)
    if neighbours:
        rows, best = np.arange(len(similar)), similar.argmax(1)
        chosen[rows[1:], best[:-1]] = chosen[rows[:-1], best[1:]] = True
    return np.argwhere(chosen)


def _parts(size: int) -> Iterator[slice]:
    """Even parts of an index, of about `_LINES`: numpy sums a single column in another order than one of several."""
    marks = np.linspace(0, size, max(1, round(size / _LINES)) + 1).astype(int).tolist()
    return (slice(*ends) for ends in itertools.pairwise(marks))


def other_best(values: Matrix, axis: int) -> Matrix:
    """The highest of the other values along an axis; 0 where there is no other. Same shape."""
    best, second = _two_best(values, axis)
    return np.where(values >= best, second, best)


def other_best_at(plane: Matrix, rows: Cells, columns: Cells, axis: int) -> Matrix:
    """`other_best` of some cells of a matrix. Shape: (K,)."""
    here, index = plane[rows, columns], rows if axis == 1 else columns
    best, second = (highest.ravel()[index] for highest in _two_best(plane, axis))
    return np.where(here >= best, second, best)


def _two_best(values: Matrix, axis: int) -> tuple[Matrix, Matrix]:
    """The highest and the second highest value along an axis, which stays, of size 1; 0 where there is no second."""
    lines, size = (values if axis == 1 else values.T), values.shape[axis]
    highest = np.zeros((2, len(lines)))
    if size > 1:
        for part in _parts(len(lines)):
            highest[:, part] = np.partition(lines[part], (size - 2, size - 1), axis=1)[:, [size - 1, size - 2]].T
    else:
        highest[0] = -np.inf
    return (highest[0, :, None], highest[1, :, None]) if axis == 1 else (highest[:1], highest[1:])


def _context(plane: Matrix, rows: Cells, columns: Cells) -> Iterator[Matrix]:
    """`CONTEXT` of a similarity at the candidates. Shapes: (K,)."""
    here = plane[rows, columns]
    yield here
    for axis in (1, 0):
        yield here - other_best_at(plane, rows, columns, axis)
    for axis, index in ((1, rows), (0, columns)):
        yield (here - plane.mean(axis)[index]) / (_spread(plane, axis)[index] + _LEAST_SPREAD)
    padded = np.pad(plane, 1, constant_values=plane.min())
    for down, right in ((-1, -1), (1, 1), (-1, 0), (1, 0), (0, -1), (0, 1)):
        yield padded[rows + 1 + down, columns + 1 + right]


def _spread(plane: Matrix, axis: int) -> Matrix:
    """The standard deviation along an axis, of a few lines at a time. Shape: (lines,)."""
    parts = _parts(plane.shape[1 - axis])
    return np.concatenate([(plane[part] if axis == 1 else plane[:, part]).std(axis) for part in parts])


def _cell_features(pair: DocumentPair, words: list[list[list[str]]], rows: Cells, columns: Cells) -> Iterator[Matrix]:
    """Numbers and names that both have and that only one has; ln of lengths in words; distance of relative places."""
    for kind in (_numbers, _names):
        simple, complex_ = ([kind(text) for text in side.sentences] for side in (pair.simple, pair.complex))
        both = np.array([len(simple[i] & complex_[j]) for i, j in zip(rows, columns, strict=True)], dtype=np.float64)
        yield np.minimum(both, _MOST)
        for side, index in ((simple, rows), (complex_, columns)):
            yield np.minimum(np.array([len(things) for things in side])[index] - both, _MOST)
    lengths = [np.log([len(row) + 1 for row in side]) for side in words]
    yield lengths[1][columns] - lengths[0][rows]
    yield lengths[0][rows]
    yield lengths[1][columns]
    m, n = map(len, words)
    yield np.abs((rows + 0.5) / m - (columns + 0.5) / n)


def _numbers(text: str) -> set[str]:
    return {token for token in _WORD.findall(text) if any(map(str.isdigit, token))}


def _names(text: str) -> set[str]:
    return {token.casefold() for token in _WORD.findall(text)[1:] if token[0].isupper()}


def _paragraphs(pair: DocumentPair, similar: Matrix, rows: Cells, columns: Cells) -> Iterator[Matrix]:
    """Of the paragraphs of a pair: the best sentence pair; the mean over simple sentences of their best; its margin."""
    scores = paragraph_scores(similar, pair.simple, pair.complex)  # (k, l)
    sides = (pair.simple, rows), (pair.complex, columns)
    i, j = (np.searchsorted(paragraph_starts(side), index, side="right") - 1 for side, index in sides)
    yield scores.highest[i, j]
    yield scores.average[i, j]
    yield scores.average[i, j] - other_best_at(scores.average, i, j, 1)


def by_sentence(layer: BySentence, weights: BySentence, cells: Cells, work: Callable[..., Matrix]) -> Iterator[Matrix]:
    """Yield features of the candidates from the word pieces of one sentence each: of the simple, of the complex one.

    `work` gets the matrix of one sentence in `layer`, a part of `PairFeatures.coverage`, its weights, and which
    candidates those of its columns are. Shapes: (W, k), (W,), (k,) to (features, k); what is yielded (K,).
    """
    parts = []
    for matrices, side, axis in zip(layer, weights, (0, 1), strict=True):
        order = np.lexsort((cells[:, 1 - axis], cells[:, axis]))
        of_sentences = np.split(order, np.cumsum([best.shape[1] for best in matrices])[:-1])
        flat = np.concatenate(list(map(work, matrices, side, of_sentences)), 1)  # (features, K), in this order
        parts.append(np.empty_like(flat))
        parts[-1][:, order] = flat
    for simple, complex_ in zip(*parts, strict=True):
        yield simple
        yield complex_


def _said(best: Matrix, weights: Matrix, _: Cells) -> Matrix:
    """Return what a sentence says that its candidates do not; see `by_sentence`.

    said: idf-weighted mean of the cosines; unsaid_X: idf of the word pieces whose cosine is below X, and
    unsaid_share_X its share of the sentence.
    """
    total = max(weights.sum(), 1e-9)
    unsaid = [weights @ (best < level) for level in _COVERED]
    return np.stack([weights @ best / total, *unsaid, *(part / total for part in unsaid)])
