"""A training corpus of one's own texts: filtered, divided by article, without held-out sentences in training.

Jiang et al. 2020, sections 3 and 5.1 and appendix B; `textsimp corpus` writes it (docs/own-corpora.md).
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from textsimp.core.errors import InputError
from textsimp.core.records import OWN, SIDES, DocumentPair
from textsimp.core.writing import atomic_folder, write_texts
from textsimp.corpora import filters
from textsimp.corpora.build import TrainingSet, gathered, judged, set_aside, training_set
from textsimp.corpora.card import own_card
from textsimp.corpora.config import BuildConfig
from textsimp.corpora.heldout import divide, protected_sets
from textsimp.corpora.pairs import LinkedPair, one_line, pair_row, typed_row
from textsimp.metrics.links import components
from textsimp.sources.draws import SPLITS

REPORT = "textsimp-corpus.json"
"""The file that says how a corpus was made; only a folder that has it is replaced."""
_SETTINGS = "join filters excluded_levels min_tokens bleu_low bleu_high dev_fraction test_fraction seed".split()
_LEAST_SENTENCES = 2


@dataclass(frozen=True)
class OwnCorpus:
    """A corpus of one's own texts, and its settings."""

    config: BuildConfig
    training: TrainingSet

    def rows(self, split: str) -> list[LinkedPair]:
        """Return the sentence pairs of a split."""
        return self.training.candidates.kept(split)

    def report(self) -> dict[str, Any]:
        """Return settings and counts, as `REPORT` has them."""
        config, made = self.config, self.training
        counts = {"statistics": made.statistics, "seq2seq": made.seq2seq, "filters": made.dropped, "leaks": made.leaks}
        return {"settings": {name: getattr(config, name) for name in _SETTINGS}, **counts}


def prepared(path: Path, pairs: Sequence[DocumentPair], config: BuildConfig) -> list[DocumentPair]:
    """Return the document pairs, article sets that share a document joined, before they are aligned.

    Documents are the same where all their sentences are, `_LEAST_SENTENCES` at least. So versions of an article stay
    in one split whatever their names are. `InputError` where the article sets are too few to be divided.
    """
    groups = {name: number for number, name in enumerate(dict.fromkeys(pair.group for pair in pairs))}
    texts: dict[tuple[str, ...], int] = {}
    shared = [
        (groups[pair.group], texts.setdefault(document.sentences, len(texts)))
        for pair in pairs
        for document in (pair.complex, pair.simple)
        if len(document.sentences) >= _LEAST_SENTENCES
    ]
    labels, first = components(len(groups), len(texts), shared).tolist(), dict[int, str]()
    joined = {name: first.setdefault(labels[number], name) for name, number in groups.items()}
    try:
        divide(set(joined.values()), config.dev_fraction, config.test_fraction, config.seed)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return [replace(pair, group=joined[pair.group]) for pair in pairs]


def build_own(
    path: Path, pairs: Iterable[DocumentPair], config: BuildConfig, held_out: Mapping[str, Sequence[str]]
) -> OwnCorpus:
    """Build the corpus of aligned document pairs, as `prepared` returns them from `path`.

    Neither train nor dev may have a sentence of other test sets, `held_out` by name. `InputError` where a split would
    be empty, or a held-out set has no sentences.
    """
    protected = protected_sets(held_out)
    data = judged(path, *gathered(pairs, config.join), config, filters.configured(config))
    candidates, aside = set_aside({OWN: data.without_leaks("dev", frozenset().union(*protected.values()))})
    tested = {name.removeprefix(f"{OWN}, "): sentences for name, sentences in aside.protected.items()}
    aside = aside._replace(protected={**tested, **protected})
    return OwnCorpus(config, training_set(config, OWN, candidates[OWN], aside))


def write_own(folder: Path, corpus: OwnCorpus, language: str | None) -> None:
    """Write SPLIT.complex and SPLIT.simple, line by line, SPLIT.jsonl, pairs.jsonl, the card and `REPORT`."""
    report = corpus.report()
    rows_of = {split: corpus.rows(split) for split in SPLITS}
    texts: dict[str, str] = {}
    for split, rows in rows_of.items():
        for side in SIDES:
            texts[f"{split}.{side}"] = "".join(f"{one_line(getattr(row, side))}\n" for row in rows)
        texts[f"{split}.jsonl"] = _json_lines(typed_row(row, corpus.config.join) for row in rows)
    texts["pairs.jsonl"] = _json_lines(pair_row(*row) for row in corpus.training.candidates.rows)
    sizes = {split: len(rows) for split, rows in rows_of.items()}
    texts["README.md"] = own_card(folder.resolve().name, corpus.config, report, sizes, language)
    texts[REPORT] = json.dumps(report, ensure_ascii=False, indent=2) + "\n"
    with atomic_folder(folder, REPORT) as partial:
        write_texts(partial, texts.items())


def _json_lines(rows: Iterable[dict[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
