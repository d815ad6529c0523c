"""A phrase-based model in its folder and in memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import sha256
from textsimp.core.settings import read_as
from textsimp.core.writing import write_json
from textsimp.simplification.casing import Casing
from textsimp.simplification.interface import Hypothesis, Runtime, stored_config
from textsimp.simplification.phrase_based import PhraseBasedConfig
from textsimp.simplification.phrase_based.backoff_model import read_language_model
from textsimp.simplification.phrase_based.phrase_decoder import FURTHER, Decoder
from textsimp.simplification.phrase_based.phrase_table import FEATURES, HEADER, read_table
from textsimp.simplification.spacing import detokenise, is_tokenised, tokenise
from textsimp.simplification.word_forms import with_articles

TABLE, LANGUAGE, WEIGHTS, CASING = "phrases.tsv", "simple.arpa", "weights.json", "casing.json"
_REMEDY = "restore the folder, or train again"


@dataclass(frozen=True)
class PhraseBased:
    """The decoder with the capitals of its corpus; `a` and `an` are made to fit new neighbours where asked for."""

    decoder: Decoder
    casing: Casing
    corrects_articles: bool = False

    def simplify(self, sentences: Sequence[str], n_best: int = 1) -> list[list[Hypothesis]]:
        """See `TrainedSimplifier`; the score is the weighted sum of the features, per word, and at most 0."""
        if n_best < 1:
            raise InputError(f"n_best: {n_best} is below 1")
        return [self._simplify(sentence, n_best) for sentence in sentences]

    def _simplify(self, sentence: str, n_best: int) -> list[Hypothesis]:
        written = tokenise(sentence)
        source = [word.lower() for word in written]
        spaced = is_tokenised(sentence)
        scores: dict[str, float] = {}
        for output in self.decoder.decode(source, n_best, with_features=False):
            words = self.casing.write(output.words, source, written)
            words = with_articles(words, source) if self.corrects_articles else words
            scores.setdefault(detokenise(words, spaced), min(0.0, output.score / len(words)))
        return [Hypothesis(text, round(score, 6)) for text, score in scores.items()]


def seal_weights(folder: Path, weights: Sequence[float]) -> None:
    """Write the weights, with the digests of the tables that they were tuned for."""
    digests = {name: sha256(folder / name) for name in (TABLE, LANGUAGE)}
    write_json(folder / WEIGHTS, {"weights": list(weights), "tables": digests})


def load(model: Path, runtime: Runtime) -> PhraseBased:
    """The model of a folder; `InputError` where a file is missing, damaged, or not the one that was tuned with."""
    config = stored_config(model, PhraseBasedConfig)
    return sealed(model, HEADER, FEATURES, config.max_phrase, config.beam)


@dataclass(frozen=True)
class _Weights:
    """Weights of a decoder, and the digests of the tables that they were tuned with."""

    weights: list[float]
    tables: dict[str, str]


def sealed(
    model: Path, header: str, features: int, longest: int, beam: int, corrects_articles: bool = False
) -> PhraseBased:
    """As `load`, of a folder whose phrase table has this header and so many features."""
    stored = read_as(model / WEIGHTS, _Weights, _REMEDY)
    if len(stored.weights) != features + FURTHER:
        raise bad_input(model / WEIGHTS, None, "not the weights of a phrase-based model", _REMEDY)
    for name in (TABLE, LANGUAGE):
        if sha256(model / name) != stored.tables.get(name):
            what = "not the file that the weights were tuned with: it was changed, or is of another model"
            raise bad_input(model / name, None, what, _REMEDY)
    table, language = read_table(model / TABLE, header, features), read_language_model(model / LANGUAGE)
    decoder = Decoder(table, language, stored.weights, longest, beam)
    return PhraseBased(decoder, Casing.of(model / CASING), corrects_articles)
