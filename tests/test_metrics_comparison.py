"""Intervals and paired tests from statistics, and statistics of BLEU against sacrebleu."""

import random
from itertools import product

import numpy as np
import pytest

from textsimp.metrics.bleu import bleu, bleu_statistics
from textsimp.metrics.comparison import compare_systems
from textsimp.metrics.resampling import approximate_randomisation, paired_bootstrap
from textsimp.metrics.sari import corpus_recipe, sari_corpus, sari_statistics, sentence_recipe
from textsimp.metrics.score import Signature
from textsimp.metrics.statistics import SegmentStatistics, mean_of_segments

WORDS = "the cat sat on a mat and saw three big birds there".split()
SIGNATURE = Signature.of("TEST")


def _lines(draw: random.Random, number: int, longest: int = 12) -> list[str]:
    return [" ".join(draw.choices(WORDS, k=draw.randint(1, longest))) for _ in range(number)]


def _systems(number: int = 20) -> list[dict[str, SegmentStatistics]]:
    draw = random.Random(1)
    sources, references = _lines(draw, number), [_lines(draw, number) for _ in range(2)]
    outputs = [sources, _lines(draw, number), references[0]]
    recipes = {"sari": sentence_recipe(), "sari_corpus": corpus_recipe()}
    return [
        {name: sari_statistics(sources, lines, references, recipe) for name, recipe in recipes.items()}
        | {"bleu": bleu_statistics(lines, references)}
        for lines in outputs
    ]


def test_every_number_is_that_of_the_single_tests() -> None:
    systems = _systems()
    found = compare_systems(systems, 0, 500, seed=3)
    assert {name: [row.tests is None for row in rows] for name, rows in found.items()} == dict.fromkeys(
        systems[0], [True, False, False]
    )
    for name, rows in found.items():
        for row, system in zip(rows, systems, strict=True):
            score = system[name].score()
            assert row.values == (score.value, *score.parts.values())
            assert all(low <= high for low, high in row.intervals)
        for place, row in enumerate(rows[1:], 1):
            one, base = systems[place][name], systems[0][name]
            arguments = (one.counts, base.counts, lambda sums, f=one.function: f(sums)[..., 0], 500, 3)
            assert row.tests is not None
            assert row.tests[0].bootstrap == paired_bootstrap(*arguments)
            assert row.tests[0].p_randomisation == approximate_randomisation(*arguments)


def test_intervals_against_all_resamples() -> None:
    values = [5.0, 3.0, 4.0, 6.0]
    (row,) = compare_systems([{"m": mean_of_segments(values, SIGNATURE)}], 0, 40_000)["m"]
    every = [np.mean(drawn) for drawn in product(values, repeat=4)]
    assert row.values == (4.5,)
    assert row.intervals[0] == pytest.approx(tuple(np.percentile(every, [2.5, 97.5])), abs=0.26)
    assert row.tests is None


def test_equal_systems_do_not_differ() -> None:
    system = _systems()[1]
    for rows in compare_systems([system, dict(system)], 0, 200).values():
        assert rows[1].tests is not None
        for tests in rows[1].tests:
            assert tests.as_dict() == {"difference": 0, "low": 0, "high": 0, "p_bootstrap": 1, "p_randomisation": 1}


def test_same_seed_same_numbers() -> None:
    systems = _systems()
    assert compare_systems(systems, 1, 100, seed=5) == compare_systems(systems, 1, 100, seed=5)
    assert compare_systems(systems, 1, 100, seed=5) != compare_systems(systems, 1, 100, seed=6)


def test_what_cannot_be_compared() -> None:
    one, other = mean_of_segments([1.0, 2.0], SIGNATURE), mean_of_segments([1.0], SIGNATURE)
    renamed = mean_of_segments([1.0, 2.0], Signature.of("OTHER"))
    nothing = mean_of_segments([], SIGNATURE)
    for systems, samples in (([one, other], 9), ([one, renamed], 9), ([one], 0), ([nothing], 9)):
        with pytest.raises(ValueError, match="same metrics of the same segments"):
            compare_systems([{"m": system} for system in systems], 0, samples)


@pytest.mark.parametrize("seed", range(6))
def test_bleu_of_sums_is_that_of_sacrebleu(seed: int) -> None:
    draw = random.Random(seed)
    number, longest = draw.choice([(1, 3), (1, 12), (15, 12), (3, 5)])
    outputs, references = _lines(draw, number, longest), [_lines(draw, number, longest) for _ in range(1 + seed % 3)]
    statistics = bleu_statistics(outputs, references)
    assert statistics.score().value == pytest.approx(bleu(outputs, references).value, abs=1e-9)
    assert statistics.score().signature == bleu(outputs, references).signature


def test_bleu_of_nothing() -> None:
    for outputs, references in ((["a b c d e"], ["f g h i j"]), ([""], ["a b c d"]), (["a b c d"], [""])):
        assert bleu_statistics(outputs, [references]).score().value == bleu(outputs, [references]).value == 0
    with pytest.raises(ValueError, match=r"\[3, 1\]"):
        bleu_statistics(["a", "b", "c"], [["a"]])


def test_resampled_sums_are_scores_of_resampled_lines() -> None:
    """The score of summed statistics is what the lines themselves would score."""
    draw = random.Random(7)
    sources, outputs, references = _lines(draw, 10), _lines(draw, 10), [_lines(draw, 10) for _ in range(2)]
    statistics = sari_statistics(sources, outputs, references, corpus_recipe())
    drawn = draw.choices(range(10), k=10)
    again = [[lines[place] for place in drawn] for lines in (sources, outputs, *references)]
    score = sari_corpus(again[0], again[1], again[2:])
    assert statistics.function(statistics.counts[drawn].sum(0))[0] == pytest.approx(score.value, abs=1e-9)
