"""Results: what is written is what is read, what a caller asks for, and damaged files."""

import json
from pathlib import Path

import pytest

from textsimp.core.errors import InputError
from textsimp.core.reading import read_json
from textsimp.core.results import Cell, Comparison, Contrast, Estimate, Resampling, Results


@pytest.fixture
def results() -> Results:
    return Results(
        {
            Cell("test", "b", "f1"): Estimate(90.5, 80.0, 95.25),
            Cell("test", "b", "gold"): Estimate(12),
            Cell("test", "a", "f1"): Estimate(88.0),
            Cell("test/length=0-10", "a", "f1"): Estimate(70.0),
            Cell("test/length=11-", "a", "f1"): Estimate(71.0),
            Cell("dev", "a", "f1"): Estimate(60.0),
        },
        {
            Contrast("test", "f1", "b", "a"): Comparison(2.5, -1.0, 6.0, 0.2, 0.3, 0.4),
            Contrast("test/length=0-10", "f1", "b", "a"): Comparison(1.0),
        },
        {"f1": "F1|version:1"},
        Resampling(100, 3),
        {"word_vectors": "none"},
    )


def test_what_is_written_is_read_in_the_same_order(results: Results, tmp_path: Path) -> None:
    results.write(tmp_path / "r.json", tmp_path / "m.json", ["f1"])
    again = Results.read(tmp_path / "r.json")
    assert again == results and list(again.estimates) == list(results.estimates)
    assert json.loads(results.to_json()) == read_json(tmp_path / "r.json")
    assert type(again.value("test", "b", "gold")) is int
    first = (tmp_path / "r.json").read_bytes()
    again.write(tmp_path / "r.json")
    assert (tmp_path / "r.json").read_bytes() == first
    headline = {"test": {"b": {"f1": 90.5}, "a": {"f1": 88.0}}, "dev": {"a": {"f1": 60.0}}}
    assert read_json(tmp_path / "m.json") == headline, "no slices, and no other measures"


def test_questions(results: Results) -> None:
    assert results.scopes() == ["test", "dev"]
    assert results.scopes("test") == ["test/length=0-10", "test/length=11-"] and results.scopes("dev") == []
    assert results.systems("test") == ["b", "a"]
    assert results.measures("test", "b") == {"f1": Estimate(90.5, 80.0, 95.25), "gold": Estimate(12)}
    assert results.value("test", "a", "f1") == 88 and results.value("test", "c", "f1") is None
    assert results.get("dev", "b", "f1") is None


def test_a_comparison_the_other_way_round(results: Results) -> None:
    assert results.compared("test", "f1", "b", "a") == Comparison(2.5, -1.0, 6.0, 0.2, 0.3, 0.4)
    assert results.compared("test", "f1", "a", "b") == Comparison(-2.5, -6.0, 1.0, 0.2, 0.3, 0.4)
    assert results.compared("test/length=0-10", "f1", "a", "b") == Comparison(-1.0)
    assert results.compared("dev", "f1", "a", "b") is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"schema": 0}, "no results of schema 1"),
        ({"estimates": None}, "not as written"),
        ({"estimates": {"test": {"a": {"f1": "high"}}}}, "'high' is no number"),
        ({"estimates": {"test": {"a": {"f1": True}}}}, "True is no number"),
        ({"comparisons": {"test": {"f1": {"a": {"b": {"gap": 1}}}}}}, "gap"),
        ({"resampling": {"samples": 3}}, "seed"),
    ],
)
def test_damaged_files(results: Results, tmp_path: Path, change: dict[str, object], said: str) -> None:
    path = tmp_path / "r.json"
    path.write_text(json.dumps({**json.loads(results.to_json()), **change}), encoding="utf-8")
    with pytest.raises(InputError, match=said):
        Results.read(path)
