"""Which metric agrees with people: correlations against scipy, invented ratings, bad input, the kept summary."""

import csv
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from simpeval_sample import CONFIG, SENTENCES, SHARES, write_simpeval
from typer.testing import CliRunner

from textsimp.cli import agreement_command as command
from textsimp.cli import arguments
from textsimp.cli.app import app
from textsimp.core.errors import InputError
from textsimp.core.params import from_conf
from textsimp.core.results import Resampling, Results
from textsimp.evaluation.metric_agreement import (
    PAST,
    RATER,
    RATING,
    TRAINED,
    MetricAgreementConfig,
    add_agreement,
    kept_agreement,
    metric_agreement,
    rated_past,
    summary,
)
from textsimp.metrics.correlations import clustered_correlations, weighted_correlations, williams

RESAMPLING = Resampling(200, 3)


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_simpeval(tmp_path_factory.mktemp("raw"))


@pytest.fixture(scope="module")
def found(raw: Path) -> Results:
    return metric_agreement(raw, CONFIG, RESAMPLING)


def expected(x: np.ndarray, y: np.ndarray) -> list[float]:
    return [stats.pearsonr(x, y).statistic, stats.spearmanr(x, y).statistic, stats.kendalltau(x, y).statistic]


@pytest.mark.parametrize("seed", range(5))
def test_weights_are_copies_of_points(seed: int) -> None:
    draw = np.random.default_rng(seed)
    x, y = draw.integers(0, 6, (2, 15)).astype(float)  # with ties
    weights = draw.multinomial(15, [1 / 15] * 15, size=4).astype(float)
    ours = weighted_correlations(np.tile(x, (4, 1)), np.tile(y, (4, 1)), weights)
    for row, times in zip(ours, weights.astype(int), strict=True):
        assert row == pytest.approx(expected(np.repeat(x, times), np.repeat(y, times)), abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_groups_are_drawn_with_all_their_points(seed: int) -> None:
    draw = np.random.default_rng(seed)
    x, other, y = draw.integers(0, 9, (3, 7, 4)).astype(float)
    weights = draw.multinomial(7, [1 / 7] * 7, size=3).astype(float)
    for side, ours in zip((x, other), clustered_correlations([x, other], y, weights), strict=True):
        for row, times in zip(ours, weights.astype(int), strict=True):
            points = (np.repeat(values, times, axis=0).ravel() for values in (side, y))
            assert row == pytest.approx(expected(*points), abs=1e-9)


def test_a_constant_side_has_no_correlation() -> None:
    x, y = np.full((1, 6), 0.1), np.arange(6.0)[None]
    assert weighted_correlations(x, y, np.ones((1, 6))).tolist() == [[0, 0, 0]]
    assert clustered_correlations([x.T], y.T, np.ones((2, 6)))[0].tolist() == [[0, 0, 0]] * 2


def test_williams_is_steigers_formula() -> None:
    first, second, between, n = 0.6, 0.3, 0.4, 50
    matrix = np.array([[1, first, second], [first, 1, between], [second, between, 1]])
    mean = (first + second) / 2
    below = 2 * (n - 1) / (n - 3) * np.linalg.det(matrix) + mean**2 * (1 - between) ** 3
    t = (first - second) * np.sqrt((n - 1) * (1 + between) / below)
    assert williams(first, second, between, n) == pytest.approx(2 * stats.t.sf(t, n - 3), abs=1e-12)
    assert williams(0.5, 0.5, 1.0, n) == 1


def test_ratings_that_follow_quality(found: Results) -> None:
    for metric in ("sari", "sari_corpus", "bleu"):
        for kind in ("pearson", "spearman", "kendall"):
            per_system = found.get(PAST, metric, f"system.{kind}")
            assert per_system.value > 0.8 and per_system.low <= per_system.value <= per_system.high + 1e-9
            assert 0 < found.value(PAST, metric, f"sentence.{kind}") < 1
    assert found.value(PAST, "len", "sentence.pearson") < found.value(PAST, "bleu", "sentence.pearson")
    assert found.value(PAST, RATER, "system.pearson") > 0.9
    assert found.compared(PAST, "sentence.pearson", "bleu", "len").p_holm is not None
    assert found.value(PAST, RATING, "systems") == len(SHARES), "people are no system"
    assert found.value(TRAINED, RATING, "systems") == len(SHARES) - 1
    assert found.value(PAST, RATING, "sentences") == SENTENCES
    assert found.scopes("newer") == [f"newer/{name}" for name in ("adequacy", "fluency", "simplicity")]
    assert "|text:ptb-lc|" in found.signatures["sari"] and "past/released" in found.scopes("past")


def test_system_level_is_scipys_of_scores_and_means(found: Results, raw: Path) -> None:
    lengths = {name: [] for name in SHARES}
    ratings = {name: [] for name in SHARES}
    with (raw / "simpeval" / "simpeval_past.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            if row["system"] in SHARES:
                lengths[row["system"]].append(len(row["processed_generation"].replace(".", " .").split()))
                ratings[row["system"]] += [float(row[f"rating_{n}"]) for n in range(1, 6)]
    sides = ([np.mean(of[name]) for name in sorted(SHARES)] for of in (lengths, ratings))
    ours = [found.value(PAST, "len", f"system.{kind}") for kind in ("pearson", "spearman", "kendall")]
    assert ours == pytest.approx(expected(*map(np.array, sides)), abs=1e-9)


def test_scores_from_elsewhere_are_one_more_metric(raw: Path, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    with (raw / "simpeval" / "simpeval_past.csv").open(newline="") as file:
        rows = [[row["system"], row["original_id"], row["rating_1"]] for row in csv.DictReader(file)]

    def write(lines: list[list[str]]) -> None:
        path.write_text("\n".join(map(",".join, [["system", "original_id", "mine"], *lines])) + "\n")

    write(rows)
    results = metric_agreement(raw, CONFIG, RESAMPLING, path)
    assert results.value(PAST, "mine", "sentence.pearson") > 0.9
    assert results.get("newer", "mine", "sentence.pearson") is None
    for bad, message in (
        (rows[1:], "no row for original '0' of 'a'"),
        ([*rows, rows[0]], "a second row of one"),
        ([[*rows[0][:2], "nan"], *rows[1:]], "'nan' is no number"),
    ):
        write(bad)
        with pytest.raises(InputError, match=message):
            metric_agreement(raw, CONFIG, RESAMPLING, path)
    write(rows)
    path.write_text(path.read_text().replace("mine", "sari", 1))
    with pytest.raises(InputError, match="scores.csv:1: 'sari' is computed here already; rename"):
        metric_agreement(raw, CONFIG, RESAMPLING, path)


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("simpeval_past.csv", ",a,", ",b,", "'b' has the original '0' 2 times"),
        ("simpeval_past.csv", "rating_5", "rating_9", "no column 'rating_5'"),
        ("simpDA_2022.csv", "Input.id", "id", "no column 'Input.id'"),
    ],
)
def test_damaged_ratings(raw: Path, tmp_path: Path, file: str, old: str, new: str, message: str) -> None:
    folder = write_simpeval(tmp_path)
    path = folder / "simpeval" / file
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        metric_agreement(folder, CONFIG, RESAMPLING)


@pytest.mark.parametrize("rating", ["101", "-1", "nan", "", "5O"])
def test_a_rating_out_of_range(tmp_path: Path, rating: str) -> None:
    folder = write_simpeval(tmp_path)
    path = folder / "simpeval" / "simpeval_2022.csv"
    lines = path.read_text().splitlines()
    lines[3] = f"{lines[3].rpartition(',')[0]},{rating}"
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(InputError, match=rf"simpeval_2022.csv:4: '{rating}' is no rating from 0 to 100"):
        metric_agreement(folder, CONFIG, RESAMPLING)


def test_the_command_and_its_summary(raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "from_conf", lambda section, kind, *overrides: CONFIG)
    monkeypatch.setattr(arguments, "from_conf", lambda section, kind, *overrides: RESAMPLING)
    arguments_ = ["metric-agreement", "--raw", str(raw), "--summary", str(tmp_path / "kept.json")]
    result = CliRunner().invoke(app, arguments_)
    assert result.exit_code == 0 and result.stdout.startswith("past: 6 systems, 12 sentences\n")
    assert result.stderr.startswith("metric-agreement: 4 metrics in ")
    kept = Results.read(tmp_path / "kept.json")
    assert kept == summary(metric_agreement(raw, CONFIG, RESAMPLING)) and not kept.comparisons


def test_the_kept_summary_is_what_the_command_makes(mirror: Path) -> None:
    config = from_conf("metric_agreement", MetricAgreementConfig, "experiment=published")
    found = Results(resampling=Resampling(2, 1))
    add_agreement(found, PAST, rated_past(mirror, config, config.forms[0]), Resampling(2, 1))
    kept, found = kept_agreement(), summary(found)
    assert kept.signatures == found.signatures and kept.resampling == from_conf("resampling", Resampling)
    assert set(kept.estimates) == set(found.estimates)
    for cell, estimate in found.estimates.items():
        assert kept.estimates[cell].value == pytest.approx(estimate.value, abs=1e-9), cell
    assert 0.3 < kept.value(PAST, "sari_del_f1", "system.pearson") < kept.value(PAST, "bleu", "system.pearson")
