"""Averages, intervals, differences and the tables beside the published numbers."""

import csv
import itertools
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from human_evaluation_sample import run

from textsimp.cli import main
from textsimp.core.errors import InputError
from textsimp.core.results import Resampling
from textsimp.extras.human.rater_agreement import matrix
from textsimp.extras.human.ratings import Rating, write_ratings
from textsimp.extras.human.summary import summarise
from textsimp.extras.human.tables import MEASURES, PUBLISHED, TABLES, beside_published, summary_tables

Scores = Mapping[str, Sequence[Sequence[int | None]]]


def rated(
    scores: Scores, criteria: Sequence[str] = MEASURES[:3], shared: Sequence[tuple[int, str]] = ()
) -> list[Rating]:
    """Ratings of each system, sentence by sentence and rater by rater, the same on every criterion.

    shared: sentence (from 1) and system whose output is that of the system "a".
    """
    return [
        Rating(f"rater-{rater}", line, f"item-{line}-{'a' if (line, system) in shared else system}", *cell)
        for system, sentences in scores.items()
        for line, values in enumerate(sentences, 1)
        for rater, value in enumerate(values, 1)
        for cell in ((system, criterion, value) for criterion in criteria)
    ]


def test_means_by_hand() -> None:
    ratings = [
        Rating("r1", 1, "i1", "a", "fluency", 5),
        Rating("r2", 1, "i1", "a", "fluency", 4),
        Rating("r1", 2, "i2", "a", "fluency", 3),
        Rating("r2", 2, "i2", "a", "fluency", None),
        Rating("r1", 1, "i1", "a", "adequacy", 2),
        Rating("r1", 1, "i1", "a", "simplicity", 1),
    ]
    found = summarise(ratings, None, Resampling(100, 1))
    means = {name: (mean.value, found.ratings["a"][name]) for name, mean in found.systems["a"].items()}
    assert means == {
        "fluency": (pytest.approx((5 + 4 + 3) / 3), 3),
        "adequacy": (2.0, 1),
        "simplicity": (1.0, 1),
        "average": (pytest.approx((4 + 2 + 1) / 3), 5),
    }
    assert (found.sentences, found.raters, found.items, found.against, found.differences) == (2, 2, 2, "a", {})


def test_intervals_against_all_resamples() -> None:
    values = [[5, 4], [2, 2], [4, 3], [1, 2]]
    found = summarise(rated({"a": values}), None, Resampling(40_000, 3)).systems["a"]["adequacy"]
    means = [np.mean([values[place] for place in drawn]) for drawn in itertools.product(range(4), repeat=4)]
    low, high = np.percentile(means, [2.5, 97.5])
    assert (found.low, found.high) == (pytest.approx(low, abs=0.13), pytest.approx(high, abs=0.13))
    assert found.low < found.value < found.high


def test_the_best_is_compared_with_by_default() -> None:
    scores: Scores = {"a": [[3, 3]] * 6, "b": [[4, 5], [5, 4]] * 3, "c": [[4, 4]] * 6}
    found = summarise(rated(scores), None, Resampling(500, 1))
    assert found.against == "b" and list(found.differences) == ["a", "c"]
    gap = found.differences["a"]["average"]
    assert gap.difference == pytest.approx(-1.5) and gap.p_bootstrap == 0 and gap.p_holm == 0
    named = summarise(rated(scores), "a", Resampling(500, 1))
    assert named.differences["b"]["fluency"].difference == pytest.approx(1.5)
    with pytest.raises(InputError, match=r"--against 'd': not in the ratings; they have a, b, c"):
        summarise(rated(scores), "d", Resampling(500, 1))


def test_a_shared_output_counts_once_for_agreement_and_for_both_systems() -> None:
    scores: Scores = {"a": [[5, 5], [1, 2]], "b": [[5, 5], [3, 3]]}
    ratings = rated(scores, shared=[(1, "b")])
    assert matrix(ratings, "fluency").tolist() == [[5, 5], [1, 2], [3, 3]]
    found = summarise(ratings, "a", Resampling(50, 1))
    assert found.items == 3 and found.agreement["fluency"]["items"] == 3
    assert found.agreement["fluency"]["exact"] == pytest.approx(2 / 3)
    assert (found.systems["a"]["fluency"].value, found.systems["b"]["fluency"].value) == (3.25, 4.0)


def test_what_is_not_rated_has_no_number() -> None:
    ratings = rated({"a": [[4, 4], [3, 3]]}) + rated({"b": [[None, None], [5, 5]]}, ["fluency"])
    found = summarise(ratings, None, Resampling(50, 1))
    assert found.against == "a", "b has no average"
    assert found.systems["b"]["average"] is None and found.systems["b"]["adequacy"] is None
    assert found.differences["b"]["fluency"].difference == pytest.approx(2.0), "over the sentence rated for both"
    assert found.differences["b"]["adequacy"] is None
    assert "–" in summary_tables(found, {})[0].text(markdown=False)
    with pytest.raises(InputError, match="no system is rated on all criteria"):
        summarise(rated({"b": [[5]]}, ["fluency"]), None, Resampling(50, 1))


def published_cells(number: int) -> list[tuple[str, ...]]:
    """The rows of a table straight from the file."""
    with PUBLISHED.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["table"] == f"Table {number}"]
    return [(row["system"], row["train_set"], *(row[name] for name in MEASURES)) for row in rows]


@pytest.mark.parametrize("number", TABLES)
def test_published_rows_are_all_there_in_order(number: int) -> None:
    rows = beside_published(number, [])
    assert [(row.system, row.train_set, *row.printed.values()) for row in rows] == published_cells(number)
    assert len(rows) == 5 and not any(row.ours for row in rows)


def test_systems_find_their_rows() -> None:
    names = ["reference", "new/transformer_bert", "old/lstm", "mine"]
    expected = ["old/lstm", None, None, "new/transformer_bert", "reference", "mine"]
    assert [row.ours for row in beside_published(7, names)] == expected
    names = ["LSTM", "EditNTS", "newsela_auto/Transformer-BERT", "Simple (reference)"]
    assert [row.ours for row in beside_published(6, names)] == ["LSTM", "EditNTS", None, *names[2:]]
    assert [row.ours for row in beside_published(6, ["new/EditNTS"])][-1] == "new/EditNTS", "table 6 has the old one"
    with pytest.raises(InputError, match=r"'LSTM' fits 2 rows of table 7; name it old/NAME or new/NAME"):
        beside_published(7, ["LSTM"])
    with pytest.raises(InputError, match=r"'auto/LSTM' and 'new/lstm' fit one row of table 7"):
        beside_published(7, ["auto/LSTM", "new/lstm"])
    with pytest.raises(InputError, match=r"--table 5: there is 2, 3, 6 and 7"):
        beside_published(5, [])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("source,table\n", r":1: no column 'train_set'"),
        ("{header}Jiang et al. 2020,Table 6,x,y,LSTM,3.4,2.8,high,3.2\n", r":2: not a row of ratings"),
        ("{header}", "no row of Table 6"),
    ],
)
def test_a_damaged_published_table_is_refused(tmp_path: Path, text: str, said: str) -> None:
    header = PUBLISHED.read_text(encoding="utf-8").partition("\n")[0] + "\n"
    (tmp_path / "table.csv").write_text(text.replace("{header}", header))
    with pytest.raises(InputError, match=said):
        beside_published(6, [], tmp_path / "table.csv")
    with pytest.raises(InputError, match=r"absent\.csv: no such file; run in a checkout"):
        beside_published(6, [], tmp_path / "absent.csv")


SYSTEMS: Scores = {
    "old/LSTM": [[2, 3], [2, 2], [3, 3], [2, 1]],
    "new/LSTM": [[4, 4], [5, 5], [4, 5], [5, 4]],
    "bad|*name*": [[1, 1], [2, 1], [1, 1], [1, 2]],
}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "ratings.csv"
    write_ratings(path, rated(SYSTEMS))
    return path


def test_text(table: Path) -> None:
    status, text = run("summary", table, "--table", 7, "--samples", 300)
    assert status == 0 and text == run("summary", table, "--table", 7, "--samples", 300)[1]
    lines = text.splitlines()
    (mean, gap, test) = (line for line in lines if line.startswith("old/LSTM"))
    assert mean.split()[1] == "2.25" and gap.split()[1] == "-2.25" and gap.endswith("*") and test.split()[1] == "0.2500"
    assert [line.split() for line in lines if line.startswith("LSTM") and "newsela_auto" in line] == [
        ["LSTM", "newsela_auto", "4.50", "3.55", "4.50", "2.98", "4.50", "3.12", "4.50", "3.22"]
    ]
    assert "Difference to new/LSTM" in lines and "bad|*name*" in text


def test_markdown_escapes_names(table: Path) -> None:
    status, text = run("summary", table, "--markdown", "--table", 6, "--table", 7, "--samples", 50)
    assert status == 0 and text.count("### ") == 6
    rows = [line.replace(r"\|", "") for line in text.splitlines() if line.startswith("|")]
    assert r"bad\|\*name\*" in text and "bad|*name*" not in text
    assert {row.count("|") for row in rows} == {6, 5, 11}, "five, four and ten columns"


def test_json_has_everything(table: Path) -> None:
    status, text = run("summary", table, "--json", "--table", 7, "--against", "old/LSTM", "--samples", 50)
    found = json.loads(text)
    assert status == 0 and found["against"] == "old/LSTM" and found["resampling"]["samples"] == 50
    assert found["systems"]["new/LSTM"]["average"]["value"] == 4.5
    assert found["differences"]["new/LSTM"]["fluency"]["difference"] == 2.25
    assert set(found["agreement"]) == set(MEASURES[:3]) and 0 < found["agreement"]["fluency"]["alpha_interval"] < 1
    assert found["published"]["table_7"][1]["ours"] == "new/LSTM"
    status, text = run("summary", table, "--json", "--markdown")
    assert (status, text) == (2, "error: --json and --markdown: choose one\n")


def test_settings_of_ones_own(table: Path, tmp_path: Path) -> None:
    settings = tmp_path / "settings.yaml"
    crowd = "test_every: 4\nleast_accuracy: 0.8\nleast_seconds: 0\njudgements: 3\nmeasures: [tfidf]\n"
    settings.write_text(f"count: 10\nraters: 3\nseed: 4\nsamples: 60\n{crowd}")
    summary = json.loads(run("summary", table, "--json", "--settings", settings)[1])
    assert summary["resampling"] == {"samples": 60, "seed": 4}
    summary = json.loads(run("summary", table, "--json", "--settings", settings, "--samples", 50)[1])
    assert summary["resampling"] == {"samples": 50, "seed": 4}
    wrong = f"count: ten\nraters: 3\nseed: 4\nsamples: 60\n{crowd}"
    for text, said in (("count: 10\n", "raters: missing"), (wrong, "count")):
        settings.write_text(text)
        status, line = run("summary", table, "--settings", settings)
        assert status == 2 and line.startswith(f"error: {settings}:") and said in line and line.count("\n") == 1


def test_without_its_packages_the_extra_is_named(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "krippendorff", None)
    for module in ("rater_agreement", "summary", "tables"):
        monkeypatch.delitem(sys.modules, f"textsimp.extras.human.{module}")
    monkeypatch.setattr(sys, "argv", ["textsimp", "human", "summary", str(table)])
    with pytest.raises(SystemExit) as stop:
        main()
    said = "error: krippendorff is not installed; run `pip install 'textsimp[human]'`\n"
    assert (stop.value.code, capsys.readouterr().err) == (2, said)
