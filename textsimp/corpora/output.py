"""The folder of a corpus, its statistics file and its data card."""

import json
from pathlib import Path
from typing import Any

from textsimp.corpora.build import Corpora, TrainingSet
from textsimp.corpora.card import data_card
from textsimp.corpora.config import BuildConfig
from textsimp.corpora.heldout import EvaluationSet
from textsimp.corpora.pairs import pair_row
from textsimp.corpora.statistics import Statistics, TextPair
from textsimp.textfiles import atomic_folder, atomic_write, write_json, write_lines


def write_corpora(folder: Path, name: str, corpora: Corpora, report: dict[str, Any], config: BuildConfig) -> None:
    """Write data/corpora/NAME whole: training sets, test sets and the card."""
    with atomic_folder(folder) as partial:
        for alignment, training in corpora.training.items():
            _write_training(partial / alignment, training)
        for test, held_out in corpora.test.items():
            _write_test(partial / "test", test, held_out)
        with atomic_write(partial / "CARD.md") as file:
            file.write(data_card(name, config, report))


def statistics_report(manual: Statistics, corpora: Corpora) -> dict[str, Any]:
    """What reports/corpora/NAME.json holds: Table 1 (`manual`, `statistics`), Table 4 (`seq2seq`), filters, leaks."""
    report: dict[str, Any] = {"manual": manual}
    for name, training in corpora.training.items():
        report[name] = {
            **({} if training.statistics is None else {"statistics": training.statistics}),
            "seq2seq": training.seq2seq,
            "filters": training.dropped,
            "leaks": training.leaks,
        }
    return report


def write_report(path: Path, report: dict[str, Any]) -> None:
    """Write the statistics as JSON."""
    write_json(path, report)


def _write_training(folder: Path, training: TrainingSet) -> None:
    for split, pairs in (("train", training.train), ("dev", training.dev)):
        _write_sides(folder, split, pairs)
    data = training.candidates
    with atomic_write(folder / "pairs.jsonl") as file:
        for pair, split, fate in zip(data.pairs, data.splits, data.fates, strict=True):
            file.write(json.dumps(pair_row(pair, split, fate), ensure_ascii=False) + "\n")


def _write_sides(folder: Path, split: str, pairs: list[TextPair]) -> None:
    write_lines(folder / f"{split}.complex", (_one_line(complex_side) for complex_side, _ in pairs))
    write_lines(folder / f"{split}.simple", (_one_line(simple_side) for _, simple_side in pairs))


def _write_test(folder: Path, name: str, held_out: EvaluationSet) -> None:
    write_lines(folder / f"{name}.complex", map(_one_line, held_out.complex))
    for number, column in enumerate(held_out.references):
        write_lines(folder / f"{name}.reference.{number}", map(_one_line, column))


def _one_line(sentence: str) -> str:
    """A sentence without inner line breaks, which line-aligned files cannot hold."""
    return " ".join(sentence.split())
