"""Golden numbers: on twenty invented sentences, and other people's code on released outputs.

golden_sentences.json says whose each value is. Those of golden_outputs.tsv, on the TURK test set, are of the paper's
own metric script (SARI per sentence, FK, Len), of EASSE at 6a4352ec (SARI over the corpus, quality estimates) and of
sacrebleu 2.6.0, in full precision; the tests of them need the mirrored files.
"""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from textsimp.core.reading import read_lines
from textsimp.metrics.bleu import bleu_statistics
from textsimp.metrics.quality import ESTIMATES, quality_statistics
from textsimp.metrics.readability import fk_statistics, fkgl_statistics, length_statistics
from textsimp.metrics.registry import MetricOptions, Texts, checked_names, metric_statistics
from textsimp.metrics.sari import corpus_recipe, sari, sentence_recipe
from textsimp.metrics.scores import Statistics
from textsimp.metrics.tokens import tokenise
from textsimp.metrics.word_overlap import simple_string_accuracy_statistics, word_f1_statistics
from textsimp.sources.parallel import read_coster_kauchak

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent / "golden_sentences.json").read_text(encoding="utf-8"))
SENTENCES = GOLDEN["rows"]


@pytest.fixture(scope="module")
def statistics() -> Statistics:
    references = [list(lines) for lines in zip(*(row["references"] for row in SENTENCES), strict=True)]
    texts = Texts([row["complex"] for row in SENTENCES], [row["output"] for row in SENTENCES], references)
    return metric_statistics(checked_names(["all"], MetricOptions()), texts, MetricOptions())


def test_sari_of_each_sentence(statistics: Statistics) -> None:
    assert len(SENTENCES) == 20
    assert statistics["sari"].per_segment() == pytest.approx(np.array([row["sari"] for row in SENTENCES]), abs=1e-9)
    score = statistics["sari"].score()
    assert score.value == pytest.approx(np.mean([row["sari"][0] for row in SENTENCES]), abs=1e-9)


def test_sari_over_the_corpus(statistics: Statistics) -> None:
    score = statistics["sari_corpus"].score()
    assert [score.value, *score.parts.values()] == pytest.approx(GOLDEN["sari_corpus"], abs=1e-9)


def test_bleu_of_two_other_implementations(statistics: Statistics) -> None:
    assert statistics["bleu"].score().value == pytest.approx(GOLDEN["bleu"], abs=1e-9)
    some = [number for number, row in enumerate(SENTENCES) if row["output"]]
    sums = statistics["bleu"].counts[some].sum(0)
    assert statistics["bleu"].function(sums)[0] == pytest.approx(GOLDEN["bleu_nltk"], abs=1e-9)


def test_simple_string_accuracy_from_edit_distances(statistics: Statistics) -> None:
    expected = [
        max(
            100 * (1 - edits / len(tokenise(line))) for edits, line in zip(row["edits"], row["references"], strict=True)
        )
        for row in SENTENCES
    ]
    assert statistics["ssa"].per_segment()[:, 0] == pytest.approx(expected, abs=1e-9)


def test_what_follows_by_counting(statistics: Statistics) -> None:
    """One copy; all outputs differ; one is empty."""
    assert statistics["exact_copies"].score().value == 1 / 20
    assert statistics["distinct"].score().value == pytest.approx(100)
    assert statistics["compression_ratio"].per_segment()[17, 0] == 0


FILE = Path(__file__).with_name("golden_outputs.tsv")
ROWS = list(csv.DictReader(FILE.read_text(encoding="utf-8").splitlines(), delimiter="\t"))


@pytest.fixture(scope="module")
def turk(mirror: Path) -> tuple[list[str], list[list[str]]]:
    """The complex sentences and the eight reference sets."""
    stem = mirror / "turk" / "test.8turkers.tok"
    return read_lines(f"{stem}.norm"), [read_lines(f"{stem}.turk.{number}") for number in range(8)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["output"])
def test_released_outputs(row: dict[str, str], mirror: Path, turk: tuple[list[str], list[list[str]]]) -> None:
    sources, references = turk
    outputs = read_lines(mirror / row["output"])
    recipes = sentence_recipe(), corpus_recipe(), corpus_recipe(legacy=True)
    sentences, corpus, legacy = (sari(sources, outputs, references, recipe) for recipe in recipes)
    grade = fk_statistics(outputs)
    found = {"sari": sentences.value, **sentences.parts}
    found |= {"fk": grade.score().value, "fkgl": fkgl_statistics(outputs).score().value}
    found |= dict(zip(("sentences", "words", "syllables"), grade.counts.sum(0).tolist(), strict=True))
    found |= {"corpus_sari": corpus.value, **{f"corpus_{name}": value for name, value in corpus.parts.items()}}
    found |= {"corpus_legacy": legacy.value, "bleu": bleu_statistics(outputs, references).score().value}
    found |= {name: quality_statistics(name, sources, outputs).score().value for name in ESTIMATES}
    expected = {name: float(value) for name, value in row.items() if name != "output"}
    assert found == pytest.approx(expected, abs=1e-4)
    length = length_statistics(outputs).score().value
    assert length == pytest.approx(expected["words"] / expected["sentences"], abs=1e-4)


def test_pooled_references(turk: tuple[list[str], list[list[str]]]) -> None:
    lines = [line for lines in turk[1] for line in lines]
    assert f"{fk_statistics(lines).score().value:.2f} {length_statistics(lines).score().value:.2f}" == "11.66 20.18"


def test_one_reference_scores_of_the_input(mirror: Path, turk: tuple[list[str], list[list[str]]]) -> None:
    reference = read_lines(mirror / "turk" / "test.8turkers.tok.simp")
    overlap = word_f1_statistics(turk[0], [reference]).score().parts
    assert list(overlap.values()) == pytest.approx([79.752, 80.627], abs=5e-4)
    accuracy = simple_string_accuracy_statistics(turk[0], [reference]).score().parts
    assert list(accuracy.values()) == pytest.approx([68.693, 69.772], abs=5e-4)
    assert bleu_statistics(turk[0], [reference], "none").score().value == pytest.approx(61.474, abs=5e-4)


def test_the_unchanged_input_of_coster_and_kauchak(mirror: Path) -> None:
    """SSA as printed in their Table 3; of the other two what docs/metrics.md says."""
    rows = read_coster_kauchak(mirror / "coster_kauchak_2011", "test")
    lines, reference = [row[0] for row in rows], [row[1][0] for row in rows]
    accuracy = simple_string_accuracy_statistics(lines, [reference], floored=True).score().value
    assert f"{accuracy:.2f} {bleu_statistics(lines, [reference], 'none').score().value:.2f}" == "61.79 57.80"
    assert f"{word_f1_statistics(lines, [reference]).score().value:.2f}" == "77.21"
