"""The kind `light_ls`: words replaced by simpler ones that their vectors find (LIGHT-LS, Glavas and Stajner 2015).

For each content word that is no name, the nearest words by cosine are candidates. They are ranked by similarity to the
word, by similarity to the context, by information content and by a language model; the one with the best mean rank is
written where its information content is lower than the word's (section 3). No pair of sentences is learnt from: of the
training corpus, only the frequencies and the language model of the simple side are kept.
"""

import functools
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

from textsimp.core.errors import bad_input
from textsimp.core.reading import read_lines
from textsimp.core.settings import NonNegative, Positive, Share
from textsimp.core.word_vectors import EncoderVectors, PretrainedVectors
from textsimp.core.writing import copy_file, write_lines
from textsimp.metrics.lexical_complexity import read_counts
from textsimp.metrics.rewriting.english import is_light
from textsimp.simplification import phrase_based
from textsimp.simplification.backoff_model import END, LANGUAGE, LanguageModel
from textsimp.simplification.interface import REMEDY, CorpusFiles, Epoch, Hypothesis, Runtime, stored_config
from textsimp.simplification.paraphrase import counted
from textsimp.simplification.phrase_based import CASING
from textsimp.simplification.ppdb_rules import corpus_of, read_rules
from textsimp.simplification.spacing import Casing, detokenise, is_tokenised, sentence_starts, tokenise
from textsimp.simplification.word_forms import form, is_inflection, with_articles

Floats = NDArray[np.float32]
COUNTS, VECTORS, VECTOR_WORDS = "frequencies.txt", "vectors.safetensors", "vector_words.txt"
_ROUNDS = 10  # of retrofitting, as in Faruqui et al. 2015
# A smaller part of the words than this is known by vectors of any language: names, and what words look alike.
_LEAST = 0.1
_SHORTEST = 3  # letters of a content word
# Words that tell how many, where, who, or deny stay as they are; so do numerals, by their endings.
_FIXED = frozenset(
    "no not never none nor neither without nothing nobody cannot n't can't don't he him his she her they them "
    "their we our i you your my it its north south east west northern southern eastern western one two three four "
    "five six seven eight nine ten eleven twelve dozen hundred thousand million billion first second third fourth "
    "fifth sixth seventh eighth ninth tenth eleventh twelfth last half former retired current least whose what "
    "few both male female man men woman women son daughter father mother northeast northwest southeast southwest "
    "northeastern northwestern southeastern southwestern".split()
)
_NUMERALS = ("teen", "teenth", "tieth")


@dataclass(frozen=True)
class LightLsConfig:
    """Sources of what is known of words, and the choice among candidates."""

    kind: str
    vectors: str | None  # `glove` or a file of word vectors; the paper has GloVe's of 200 dimensions
    # where `vectors` is null, a word is the input embedding of its word piece in this encoder, if it is one
    encoder: str
    # a file of PPDB, or of two words a line, that vectors are retrofitted to (Faruqui et al. 2015); null: none.
    synonyms: str | None
    frequencies: str | None  # a file of `WORD COUNT`; null: the counts of the simple side of training
    max_words: Positive  # training pairs with more words on either side are left out
    vocabulary: Positive  # so many most frequent words of the corpus, and of `vectors`, have vectors
    candidates: Positive  # so many of the nearest words are looked at; the paper has 10
    context: NonNegative  # so many content words on either side are the context; the paper has 3
    order: Positive  # of the language model; the paper has 5
    min_similarity: Share  # candidates of a lower cosine are left out; the paper has no such bound


def binarize(corpus: CorpusFiles, folder: Path, config: LightLsConfig) -> None:
    """Write words in lower case, as X.complex and X.simple, frequencies and vectors; `InputError` of what is read."""
    phrase_based.binarize(corpus, folder, config)
    counts: dict[str, float] = dict(counted(read_lines(folder / "train.simple")))
    if config.frequencies is not None:
        counts = read_counts(Path(config.frequencies))
    frequent = sorted(counts, key=lambda word: (-counts[word], word))[: config.vocabulary]
    write_lines(folder / COUNTS, (f"{word} {counts[word]:.0f}" for word in frequent))
    words, matrix = _vectors([word for word in frequent if word.isalpha()], config)
    unit = _unit(matrix)
    if config.synonyms is not None:
        rules = read_rules(Path(config.synonyms), 1, corpus_of(folder))
        unit = retrofitted(words, unit, [(rule.complex, rule.simple) for rule in rules])
    known = np.flatnonzero(np.linalg.norm(unit, axis=1))
    write_lines(folder / VECTOR_WORDS, (words[row] for row in known.tolist()))
    save_file({"vectors": unit[known].astype(np.float16)}, folder / VECTORS)


def _vectors(words: Sequence[str], config: LightLsConfig) -> tuple[Sequence[str], Floats]:
    """Return the words that may be candidates, and their vectors, 0 for those without. Shape: (W, D).

    Beside the words of the corpus these are the first words of the vectors' own, the most frequent.
    """
    if config.vectors is None:
        encoder = EncoderVectors(config.encoder)
        # a word of several pieces is near others of the same pieces, whatever they mean
        is_whole = np.array([len(pieces) == 1 for pieces in encoder.pieces(words)])
        return words, encoder.lookup(words)[0] * is_whole[:, None]
    vectors = PretrainedVectors(config.vectors)
    covered = int(vectors.lookup(words)[1].sum())
    if covered < _LEAST * len(words):
        what = f"vectors for {covered} of the {len(words)} words of the corpus; they are of another language"
        raise bad_input(config.vectors, None, what, "give vectors of the corpus's language in `vectors`")
    own = (word.lower() for word in vectors.words[: config.vocabulary] if word.isalpha())
    candidates = list(dict.fromkeys([*words, *own]))
    return candidates, vectors.lookup(candidates)[0]


def retrofitted(words: Sequence[str], matrix: Floats, pairs: Sequence[tuple[str, str]]) -> Floats:
    """Move vectors towards those of their synonyms: q_i = (q̂_i + the mean of q_j) / 2, again and again.

    Shape of both matrices: (W, D), rows of length 1 or 0; what is 0 becomes the mean of its synonyms.
    """
    rows = {word: row for row, word in enumerate(words)}
    partners: defaultdict[int, list[int]] = defaultdict(list)
    for word, partner in pairs:
        if word in rows and partner in rows:
            partners[rows[word]].append(rows[partner])
    result = matrix.copy()
    for _ in range(_ROUNDS):
        for row, others in sorted(partners.items()):
            result[row] = (matrix[row] + result[others].mean(0)) / 2
    return _unit(result)


def _unit(matrix: Floats) -> Floats:
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return (matrix / np.maximum(lengths, np.finfo(np.float32).tiny)).astype(np.float32)


def train(binary: Path, model: Path, partial: Path, config: LightLsConfig, runtime: Runtime) -> list[Epoch]:
    """Make the language model, write the model; the one row of the curve has its loss per word of train and dev.

    `partial` stays empty: there is little to be done again.
    """
    language = LanguageModel.learn((line.split() for line in read_lines(binary / "train.simple")), config.order)
    language.write(model / LANGUAGE)
    for name in (VECTORS, VECTOR_WORDS, COUNTS, CASING):
        copy_file(binary / name, model / name)
    return [Epoch(1, *(_loss(language, binary / f"{split}.simple") for split in ("train", "dev")))]


def _loss(language: LanguageModel, path: Path) -> float:
    """Return the mean -log p of the words of a file and of its sentences' ends."""
    rows = [[*line.split(), END] for line in read_lines(path)]
    return -sum(language.words(language.begin, words) for words in rows) / sum(map(len, rows))


class Words:
    """Words with their unit vectors and counts.

    Args:
        matrix: Shape: (W, D), rows of length 1.
        counts: of these words and of others.
    """

    def __init__(self, words: Sequence[str], matrix: Floats, counts: Mapping[str, float]) -> None:
        self.words, self.matrix, self.counts = words, matrix, counts
        self._rows = {word: row for row, word in enumerate(words)}
        self._size = sum(counts.values())

    def vector(self, word: str) -> Floats | None:
        """Return the vector of a word; None for an unknown one. Shape: (D,)."""
        row = self._rows.get(word)
        return None if row is None else self.matrix[row]

    def information(self, word: str) -> float:
        """Return the information content: -log((count + 1) / (size + 1))."""
        return -math.log((self.counts.get(word, 0) + 1) / (self._size + 1))


class LightLs:
    """Simplifies sentences.

    Args:
        candidates, context, min_similarity: see `LightLsConfig`.
    """

    def __init__(
        self, words: Words, language: LanguageModel, casing: Casing, candidates: int, context: int, least: float
    ) -> None:
        self._words, self._language, self._names = words, language, casing.names()
        self._most, self._window, self._least = candidates, context, least
        self._candidates = functools.cache(self._find_candidates)

    def simplify(self, sentences: Sequence[str], n_best: int = 1) -> list[list[Hypothesis]]:
        """Give one answer for each sentence; its score is the language model's log probability per word."""
        return [[self._simplify(sentence)] for sentence in sentences]

    def _simplify(self, sentence: str) -> Hypothesis:
        written = tokenise(sentence)
        source = [word.lower() for word in written]
        starts, result = sentence_starts(written), list(written)
        content = [
            self._is_content(word) and (written[index] == word or index in starts) for index, word in enumerate(source)
        ]
        for index in range(len(source)):
            if content[index] and (best := self._best(index, source, content)) is not None:
                result[index] = best.capitalize() if written[index][0].isupper() else best
        text = sentence
        if result != written:
            text = detokenise(with_articles(result, source), is_tokenised(sentence))
        score = self._language.sentence([word.lower() for word in result])
        return Hypothesis(text, round(min(0.0, score), 6))

    def _is_content(self, word: str) -> bool:
        return len(word) >= _SHORTEST and word.isalpha() and not self._is_fixed(word)

    def _is_fixed(self, word: str) -> bool:
        return is_light(word) or word in _FIXED or word in self._names or word.endswith(_NUMERALS)

    def _best(self, index: int, source: Sequence[str], content: Sequence[bool]) -> str | None:
        """Return the candidate of the best mean rank if it says less than the word; None for no such one."""
        candidates = self._candidates(source[index])
        if not candidates:
            return None
        around = self._context(index, source, content)
        rows = []
        for row, word, similarity in candidates:
            context = float(np.mean(around @ self._words.matrix[row])) if len(around) else 0.0
            rows.append((similarity, context, -self._words.information(word), self._fit(index, source, word)))
        values = np.array(rows)  # (C, 4)
        better, equal = values[None] > values[:, None], values[None] == values[:, None]  # (C, C, 4)
        ranks = better.sum(1) + equal.sum(1) / 2  # (C, 4)
        best = candidates[int(ranks.mean(1).argmin())][1]
        return best if self._words.information(best) < self._words.information(source[index]) else None

    def _find_candidates(self, word: str) -> list[tuple[int, str, float]]:
        """Return rows of the nearest words of the same form, the words and their cosines; its own forms are none."""
        vector = self._words.vector(word)
        return [] if vector is None else list(islice(self._nearest(word, self._words.matrix @ vector), self._most))

    def _nearest(self, word: str, similarities: Floats) -> Iterator[tuple[int, str, float]]:
        own = form(word, self._words.counts)
        near = np.flatnonzero(similarities >= self._least)
        for row in near[np.argsort(-similarities[near], kind="stable")]:
            other = self._words.words[row]
            is_same_form = form(other, self._words.counts) == own
            if is_same_form and not self._is_fixed(other) and not is_inflection(word, other):
                yield row, other, float(similarities[row])

    def _context(self, index: int, source: Sequence[str], content: Sequence[bool]) -> Floats:
        """Return vectors of the content words around. Shape: (C, D)."""
        places = [place for place, is_content in enumerate(content) if is_content and place != index]
        before = [source[place] for place in places if place < index]
        after = [source[place] for place in places if place > index]
        vectors = map(self._words.vector, (*before[max(0, len(before) - self._window) :], *after[: self._window]))
        return np.array([vector for vector in vectors if vector is not None])

    def _fit(self, index: int, source: Sequence[str], word: str) -> float:
        """Return the log probability of the word, and of those that it is a history of."""
        most = self._language.order - 1
        history = (*self._language.begin, *source[:index])[-most:] if most else ()
        return self._language.words(history, [word, *source[index + 1 : index + 1 + most]])


def load(model: Path, runtime: Runtime) -> LightLs:
    """Load a model folder; `InputError` where a file is missing or damaged."""
    config = stored_config(model, LightLsConfig)
    words = read_lines(model / VECTOR_WORDS, REMEDY)
    matrix = load_file(model / VECTORS)["vectors"].astype(np.float32)
    known = Words(words, matrix, read_counts(model / COUNTS))
    language, casing = LanguageModel.of(model / LANGUAGE), Casing.of(model / CASING)
    return LightLs(known, language, casing, config.candidates, config.context, config.min_similarity)
