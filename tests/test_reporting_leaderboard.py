"""Released outputs in the report: scores and ranks, letters, agreement, contradictions, claims, figures."""

import json
from itertools import combinations, product
from pathlib import Path

import pytest
from reporting_run import CLASSES, folders, made, params, report_files, write, write_published

from textsimp.core.reading import read_json
from textsimp.core.results import Cell, Comparison, Contrast, Estimate, Results
from textsimp.metrics.sari import VARIANTS
from textsimp.reporting.plan import load_plan
from textsimp.reporting.report import write_report

PAPER = "Jiang et al. 2020"
SYSTEMS = {
    "transformer_bert.new_train": ("Transformer_bert", PAPER, "Wiki-Auto", 40.0),
    "transformer_bert.old_train": ("Transformer_bert", PAPER, "WikiLarge", 37.0),
    "lstm.new_train": ("LSTM", PAPER, "Wiki-Auto", 33.0),
    "lstm.old_train": ("LSTM", PAPER, "WikiLarge", 34.0),
    "access": ("ACCESS", "Martin et al. 2020", "", 39.0),
}


def board(name: str) -> Results:
    """Systems a point or more apart; the corpus's SARI has `access` below all others."""
    results = Results(notes={"alpha": "0.05", f"form.{name}": "released"})
    results.signatures = {f"{metric}@{name}": f"{metric.upper()}|nrefs:8" for metric in (*VARIANTS, "bleu")}
    for measure, value in {"sentences": 359, "references": 8}.items():
        results.estimates[Cell(name, "reference", measure)] = Estimate(value)
    saris = {key: row[3] for key, row in SYSTEMS.items()} | {"identity": 26.0, "mine": 38.0}
    for key, sari in saris.items():
        scores = {name: 20.0 if "corpus" in name and key == "access" else sari for name in VARIANTS}
        scores |= {"bleu": 100 - sari, "fk": 9.0}
        for measure, value in scores.items():
            results.estimates[Cell(name, key, measure)] = Estimate(value, value - 0.5, value + 0.5)
        results.estimates[Cell(name, key, "sari.rank")] = Estimate(1 + sum(s > sari for s in saris.values()), 1, 7)
    for key in (*saris, "reference"):
        for place, kind in enumerate(CLASSES):
            results.estimates[Cell(name, key, f"classes.{kind}")] = Estimate(10.0 + place, 9.0, 18.0)
    for metric, (system, base) in product(VARIANTS, combinations(saris, 2)):
        difference = (results.value(name, system, metric) or 0) - (results.value(name, base, metric) or 0)
        p = 0.001 if abs(difference) > 1.5 else 0.4
        comparison = Comparison(difference, difference - 1, difference + 1, p, p, p)
        results.comparisons[Contrast(name, metric, system, base)] = comparison
    return results


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, dict[str, object]], str]:
    root = tmp_path_factory.mktemp("run")
    write_published(root)
    both, turk = board("asset"), board("turk")
    for name in ("estimates", "comparisons", "signatures", "notes"):
        getattr(both, name).update(getattr(turk, name))
    for measure, value in {**dict.fromkeys(VARIANTS, 35.5), "bleu": 71.0, "references": 7}.items():
        both.estimates[Cell("people/asset", "reference", measure)] = Estimate(value)
    for scope, value in (("easse/ours", 40.1234), ("easse/printed", 40.1)):
        both.estimates[Cell(scope, "access", "sari")] = Estimate(value)
    both.notes["parity"] = "0 of 1; the largest difference is 0.02340"
    both.write(made(root / "reports" / "published" / "leaderboard.json"))
    rated = Results()
    for measure, value in {"systems": 20, "sentences": 100}.items():
        rated.estimates[Cell("past", "rating", measure)] = Estimate(value)
    for number, metric in enumerate((*VARIANTS, "bleu", "fk", "one rater")):
        for level in ("system", "sentence"):
            rated.estimates[Cell("past", metric, f"{level}.pearson")] = Estimate(number / 10, -0.2, 0.95)
    rated.write(root / "reports" / "published" / "metric_agreement.json")
    tree = json.loads(params([], ["jiang2020", "leaderboard", "metric_agreement"]))
    rows = {
        key: {"name": name, "paper": paper, "released_with": paper, "trained_on": trained or None}
        for key, (name, paper, trained, _) in SYSTEMS.items()
    }
    sets = {"turk": {"title": "TURK"}, "asset": {"title": "ASSET"}}
    write(root / "params.yaml", json.dumps({**tree, "leaderboard": {"systems": rows, "test_sets": sets}}))
    files = report_files(root / "report")
    write_report(load_plan(root / "params.yaml"), folders(root), files)
    tables = {table["key"]: table for table in read_json(files.json)["tables"]}
    return tables, Path(files.html).read_text(encoding="utf-8")


def rows_of(table: dict[str, object]) -> list[list[str]]:
    return [[cell["text"] for cell in row["cells"]] for row in table["rows"]]  # type: ignore[attr-defined]


def test_scores_and_ranks(texts: tuple[dict[str, dict[str, object]], str]) -> None:
    tables, _ = texts
    table = tables["leaderboard-turk"]
    rows = rows_of(table)
    assert table["title"] == "Leaderboard: released outputs on TURK"
    assert "359 sentences, 8 references" in str(table["text"])
    assert [row[0] for row in rows] == [
        "Transformer_bert", "ACCESS", "mine (yours)", "Transformer_bert", "LSTM", "LSTM", "Complex (input)",
        "Agreement with people, per system", "Agreement with people, per sentence",
    ]  # fmt: skip
    assert rows[0][1:3] == ["Wiki-Auto", "40.0"] and rows[0][-1] == "9.0"
    places = rows_of(tables["leaderboard-places-turk"])
    assert places[0][1:3] == ["Wiki-Auto", "1"] and places[1][-1] == "Martin et al. 2020"
    assert "SARI|nrefs:8" in [column["note"] for column in table["columns"]]  # type: ignore[attr-defined]
    assert list(tables).index("leaderboard-turk") < list(tables).index("leaderboard-asset")


def test_each_variant_says_how_well_it_agrees_with_people(texts: tuple[dict[str, dict[str, object]], str]) -> None:
    tables, _ = texts
    rows = rows_of(tables["leaderboard-turk"])
    scores = [cell for cell in rows[-2] if cell not in ("–", "")]
    names = [f"0.{number}0" for number in range(len(VARIANTS) + 1)]
    assert scores == ["Agreement with people, per system", *names]


def test_people_have_a_row_without_a_rank(texts: tuple[dict[str, dict[str, object]], str]) -> None:
    tables, _ = texts
    row = next(row for row in rows_of(tables["leaderboard-asset"]) if row[0].startswith("People"))
    assert row[0] == "People: a reference against the 7 others" and row[2:4] == ["35.5", "35.5"]
    assert row[0] not in [cells[0] for cells in rows_of(tables["leaderboard-places-asset"])]
    assert not any(
        cell["text"].startswith("People") for row in tables["leaderboard-turk"]["rows"] for cell in row["cells"]
    )  # type: ignore[attr-defined]


def test_the_numbers_of_easse_stand_beside_ours(texts: tuple[dict[str, dict[str, object]], str]) -> None:
    tables, _ = texts
    table = tables["parity-scores"]
    assert rows_of(table) == [["ACCESS", "40.1234", "40.1000"]] and "0 of 1; the largest" in str(table["text"])
    assert "parity-comparisons" not in tables, "without numbers"


def test_letters_agreement_and_contradictions(texts: tuple[dict[str, dict[str, object]], str]) -> None:
    tables, _ = texts
    letters = {(row[0], row[1]): row[2] for row in rows_of(tables["leaderboard-letters-turk"])}
    assert set(letters["Transformer_bert", "Wiki-Auto"]) & set(letters["ACCESS", "–"])
    assert not set(letters["Transformer_bert", "Wiki-Auto"]) & set(letters["LSTM", "Wiki-Auto"])
    agreement = {(row[0], row[1]): row[2:] for row in rows_of(tables["leaderboard-agreement-turk"])}
    pair = agreement["SARI per sentence", "corpus SARI"]
    assert pair[2] == "21" and pair[3] == "5" and pair[5] == "4"
    assert agreement["SARI per sentence", "BLEU"][0] == "-1.00" and agreement["SARI per sentence", "BLEU"][4] == "–"
    opposite = rows_of(tables["leaderboard-contradictions-turk"])
    assert [row[0] for row in opposite] == ["ACCESS"] * 4
    assert opposite[0][2].startswith("+") and opposite[0][4].startswith("-")


def test_table_8_as_claims(texts: tuple[dict[str, dict[str, object]], str]) -> None:
    rows = {row[1]: row for row in rows_of(texts[0]["summary"])}
    assert rows["SARI: LSTM, new data > old data"][2:4] == ["34.0 > 33.8", "33.0 < 34.0"]
    assert rows["SARI: Transformer_bert, new data > old data"][6] == "holds"
    best = rows["SARI: Transformer_bert, new data > best other of Table 8"]
    assert best[3] == "40.0 > 37.0 (Transformer_bert, WikiLarge)" and best[0] == "TURK"


def test_figures_of_ranks_and_kinds(texts: tuple[dict[str, dict[str, object]], str]) -> None:
    tables, html = texts
    assert 'id="leaderboard-ranks-turk"' in html and 'id="leaderboard-kinds-asset"' in html
    assert "Transformer_bert (Wiki-Auto)" in html and "mine (yours)" in html
    kinds = rows_of(tables["leaderboard-rewriting-turk"])
    assert kinds[0][:3] == ["Simple (references)", "–", "10.0"] and len(kinds) == 8
