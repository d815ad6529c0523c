"""Paired bootstrap and approximate randomisation against all resamples of small cases, on statistics of any metric."""

import itertools
import random
from dataclasses import replace

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU

from textsimp.core.errors import InputError
from textsimp.core.results import Comparison, Contrast, Estimate, Resampling, Results
from textsimp.core.settings import structured
from textsimp.metrics.bleu import bleu_statistics
from textsimp.metrics.resampling import holm, randomisation, resample, score_systems
from textsimp.metrics.sari import corpus_recipe, sari, sari_statistics, sentence_recipe
from textsimp.metrics.scores import SegmentStatistics, Signature, Statistics, mean_of_segments

SIGNATURE = Signature.of("TEST")
A, B = [5.0, 3.0, 4.0, 6.0], [4.0, 3.5, 1.0, 5.0]
WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "saw", "three", "big", "birds", "there"]


def means(*values: list[float]) -> list[Statistics]:
    return [{"m": mean_of_segments(row, SIGNATURE)} for row in values]


def p_randomisation(systems: list[Statistics], resampling: Resampling) -> float:
    return float(randomisation(systems, [(0, 1)], resampling)["m"][0, 0])


def difference(systems: list[Statistics], resampling: Resampling) -> Comparison:
    first, second = resample(systems, resampling)
    return first["m"].minus(second["m"])[0]


def test_bootstrap_against_all_resamples() -> None:
    tests = difference(means(A, B), Resampling(40_000, 1))
    (estimate,) = resample(means(A), Resampling(40_000, 1))[0]["m"].estimates()
    every = [np.mean(drawn) for drawn in itertools.product(A, repeat=4)]
    assert estimate.value == 4.5
    assert (estimate.low, estimate.high) == pytest.approx(tuple(np.percentile(every, [2.5, 97.5])), abs=0.26)
    drawn = [list(rows) for rows in itertools.product(range(4), repeat=4)]
    every = [np.mean(np.array(A)[rows]) - np.mean(np.array(B)[rows]) for rows in drawn]
    assert tests.difference == pytest.approx(np.mean(A) - np.mean(B))
    low, high = np.percentile(every, [2.5, 97.5])
    assert tests.low == pytest.approx(low, abs=0.26) and tests.high == pytest.approx(high, abs=0.26)
    assert tests.p_bootstrap == pytest.approx(2 * np.mean(np.array(every) <= 0), abs=0.01)


def test_pairs_in_several_processes_have_the_same_ps(monkeypatch: pytest.MonkeyPatch) -> None:
    systems = means(A, B, A[::-1], B[::-1])
    pairs, resampling = [(0, 1), (2, 3), (0, 3), (1, 2), (0, 2)], Resampling(200, 1)
    here = randomisation(systems, pairs, resampling)
    monkeypatch.setattr("textsimp.metrics.resampling._PAYS", 1)
    assert randomisation(systems, pairs, resampling)["m"].tolist() == here["m"].tolist()


def test_randomisation_against_all_swaps() -> None:
    observed = abs(np.mean(A) - np.mean(B))
    as_large = []
    for swap in itertools.product([False, True], repeat=4):
        first, second = np.where(swap, B, A), np.where(swap, A, B)
        as_large.append(abs(first.mean() - second.mean()) >= observed - 1e-9)
    assert p_randomisation(means(A, B), Resampling(40_000, 1)) == pytest.approx(np.mean(as_large), abs=0.01)


def test_differences_of_the_same_and_of_turned_systems() -> None:
    assert difference(means(A, A), Resampling(100, 1)) == Comparison(0, 0, 0, 1)
    assert p_randomisation(means(A, A), Resampling(100, 1)) == 1
    one, other = (difference(means(*pair), Resampling(1000, 7)) for pair in ((A, B), (B, A)))
    assert one.difference == -other.difference and one.low == pytest.approx(-other.high)
    assert one.p_bootstrap == other.p_bootstrap


def test_the_chunks_change_nothing_but_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    systems, resampling = means(A, B), Resampling(1000, 3)
    whole = difference(systems, resampling), p_randomisation(systems, resampling)
    monkeypatch.setattr("textsimp.metrics.resampling._CELLS", 40)
    monkeypatch.setattr("textsimp.metrics.resampling._CHUNK", 11)
    assert (difference(systems, resampling), p_randomisation(systems, resampling)) == whole


def test_holm_by_hand() -> None:
    """0.01 * 3; 0.03 * 2; 0.04 * 1, not below the one before."""
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.6, 0.5]) == [1, 1] and holm([]) == []


def test_without_resamples_there_are_values_alone() -> None:
    first, second = resample(means(A, B), None)
    (estimate,), (tests,) = first["m"].estimates(), first["m"].minus(second["m"])
    assert (estimate, tests) == (Estimate(4.5), Comparison(pytest.approx(4.5 - 3.375)))


def test_what_cannot_be_compared() -> None:
    renamed = {"m": mean_of_segments(A, Signature.of("OTHER"))}
    for systems in (means(A, A[:3]), [*means(A), renamed], means([])):
        with pytest.raises(ValueError, match="same metrics of the same units"):
            resample(systems, Resampling(9, 1))
    for samples, seed in ((0, 1), (1, -1), (10**12, 1), (1, 2**64)):
        with pytest.raises(InputError, match="samples: |seed: "):
            structured({"samples": samples, "seed": seed}, Resampling)


def _lines(draw: random.Random, number: int, longest: int = 12) -> list[str]:
    return [" ".join(draw.choices(WORDS, k=draw.randint(1, longest))) for _ in range(number)]


def _systems(number: int = 20) -> dict[str, dict[str, SegmentStatistics]]:
    draw = random.Random(1)
    sources, references = _lines(draw, number), [_lines(draw, number) for _ in range(2)]
    outputs = {"copy": sources, "noise": _lines(draw, number), "best": references[0]}
    recipes = {"sari": sentence_recipe(), "sari_corpus": corpus_recipe()}
    return {
        system: {name: sari_statistics(sources, lines, references, recipe) for name, recipe in recipes.items()}
        | {"bleu": bleu_statistics(lines, references)}
        for system, lines in outputs.items()
    }


def scored(systems: dict[str, dict[str, SegmentStatistics]], seed: int = 3) -> Results:
    results = Results()
    pairs = [("noise", "copy"), ("best", "copy")]
    score_systems(results, "test", systems, pairs, Resampling(500, seed), parts=True, corrected=True)
    return results


def test_every_number_is_that_of_the_single_tests() -> None:
    systems = _systems()
    results = scored(systems)
    for name, row in systems.items():
        for metric, statistics in row.items():
            score, measures = statistics.score(), statistics.measures(metric)
            estimates = [results.estimates["test", name, measure] for measure in measures]
            assert [estimate.value for estimate in estimates] == [score.value, *score.parts.values()]
            assert all(estimate.low <= estimate.high for estimate in estimates)
            if name == "copy":
                continue
            base, resampling = systems["copy"][metric], Resampling(500, 3)
            tests = results.comparisons[Contrast("test", metric, name, "copy")]
            alone = [row["m"] for row in resample([{"m": statistics}, {"m": base}], resampling)]
            expected = alone[0].minus(alone[1])[0]
            assert vars(replace(tests, p_randomisation=None, p_holm=None)) == pytest.approx(vars(expected))
            p = randomisation([{"m": statistics}, {"m": base}], [(0, 1)], resampling)["m"][0, 0]
            assert tests.p_randomisation == p


def test_holm_corrects_each_measure_by_itself() -> None:
    results = scored(_systems())
    measures = {contrast.measure for contrast in results.comparisons}
    assert {"sari", "sari.add", "sari_corpus.del", "bleu"} <= measures
    for measure in measures:
        tests = [tests for contrast, tests in results.comparisons.items() if contrast.measure == measure]
        both = [holm([getattr(row, name) for row in tests]) for name in ("p_bootstrap", "p_randomisation")]
        assert [row.p_holm for row in tests] == [max(ps) for ps in zip(*both, strict=True)]


def test_same_seed_same_numbers() -> None:
    systems = _systems()
    assert scored(systems, 5) == scored(systems, 5) != scored(systems, 6)


def _sacrebleu(outputs: list[str], references: list[list[str]]) -> float:
    return float(BLEU(lowercase=True, force=True).corpus_score(outputs, references).score)


@pytest.mark.parametrize("seed", range(6))
def test_bleu_of_sums_is_that_of_sacrebleu(seed: int) -> None:
    draw = random.Random(seed)
    number, longest = draw.choice([(1, 3), (1, 12), (15, 12), (3, 5)])
    outputs, references = _lines(draw, number, longest), [_lines(draw, number, longest) for _ in range(1 + seed % 3)]
    statistics = bleu_statistics(outputs, references)
    assert statistics.score().value == pytest.approx(_sacrebleu(outputs, references), abs=1e-9)
    assert str(statistics.signature) == f"BLEU|level:corpus|tok:13a|case:lc|nrefs:{len(references)}|version:1"


def test_bleu_of_nothing() -> None:
    for outputs, references in ((["a b c d e"], ["f g h i j"]), ([""], ["a b c d"]), (["a b c d"], [""])):
        assert bleu_statistics(outputs, [references]).score().value == _sacrebleu(outputs, [references]) == 0
    with pytest.raises(ValueError, match=r"\[3, 1\]"):
        bleu_statistics(["a", "b", "c"], [["a"]])


def test_resampled_sums_are_scores_of_resampled_lines() -> None:
    """The score of summed statistics is what the lines themselves would score."""
    draw = random.Random(7)
    sources, outputs, references = _lines(draw, 10), _lines(draw, 10), [_lines(draw, 10) for _ in range(2)]
    statistics = sari_statistics(sources, outputs, references, corpus_recipe())
    drawn = draw.choices(range(10), k=10)
    again = [[lines[number] for number in drawn] for lines in (sources, outputs, *references)]
    score = sari(again[0], again[1], again[2:], corpus_recipe())
    assert statistics.function(statistics.counts[drawn].sum(0))[0] == pytest.approx(score.value, abs=1e-9)
