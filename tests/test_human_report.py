"""People's ratings in the report: the stage that summarises them, and their tables."""

import json
import sys
from dataclasses import asdict
from pathlib import Path

import pytest
from human_evaluation_sample import exported, fill
from reporting_run import params, run_of

from stages.summarise_ratings import main
from textsimp.core.results import Resampling, Results
from textsimp.extras.human.ratings import gather, write_ratings
from textsimp.extras.human.study import read_key
from textsimp.reporting.page import page
from textsimp.reporting.report import report_sections

RESAMPLING = Resampling(200, 3)


@pytest.fixture
def ratings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three people rate new/LSTM above all others, the second of them with less conviction."""
    study, sheets, key = exported(tmp_path)
    is_new = {item.id: "new/LSTM" in item.systems for item in study.items}

    def value(rater: str, item: str, _: str) -> str:
        return "2" if not is_new[item] else "4" if rater.endswith("2") else "5"

    answers = [fill(sheet, tmp_path / sheet.name, value) for sheet in sorted(sheets.glob("*.csv"))]
    path = tmp_path / "data/human/mine.csv"
    path.parent.mkdir(parents=True)
    write_ratings(path, gather(read_key(key), answers, False, key))
    plan = json.loads(params([])) | {"human_ratings": ["mine"], "resampling": asdict(RESAMPLING)}
    (tmp_path / "params.yaml").write_text(json.dumps(plan), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    Path("reports/human").mkdir(parents=True)
    written = ["--results", "reports/human/mine.json", "--metrics", "m.json"]
    monkeypatch.setattr(sys, "argv", ["x", "data/human/mine.csv", *written])
    return path


def test_the_stage_writes_means_and_agreement(ratings: Path) -> None:
    main()
    results = Results.read("reports/human/mine.json")
    best, other = (results.value("ratings", name, "fluency") for name in ("new/LSTM", "old/LSTM"))
    assert best == pytest.approx((5 + 4 + 5) / 3) and other == pytest.approx((3 * 2 + 14 / 3) / 4)  # one item is shared
    assert results.notes == {"against": "new/LSTM", "sentences": "4", "raters": "3", "items": "11"}
    exact = results.value("agreement", "simplicity", "exact")
    assert exact == pytest.approx((7 * 3 + 4 * 1) / (11 * 3))
    assert json.loads(Path("m.json").read_text())["ratings"]["reference"]["adequacy"] == 2
    first = Path("reports/human/mine.json").read_bytes()
    main()
    assert Path("reports/human/mine.json").read_bytes() == first


def test_the_report_shows_them_beside_the_printed_ones(ratings: Path) -> None:
    main()
    _, sections = report_sections(run_of(Path()))
    (section,) = (part for part in sections if part.title == "Judged by people")
    means, differences, agreement = section.tables
    assert means.title == "People's ratings, mine" and "3 raters, 4 sentences, 11 different items" in means.text
    headers = [(column.group, column.header) for column in means.columns]
    rows = {row.cells[0].text + row.cells[1].text: row for row in means.rows}
    assert sorted(rows) == ["LSTMnew", "LSTMold", "Simple (reference)–"]
    new = dict(zip(headers, (cell.text for cell in rows["LSTMnew"].cells), strict=True))
    assert new["ours", "average"] == "4.67" and new["Table 6 (paper)", "F"] == "3.44"
    assert new["Table 7 (paper)", "F"] == "3.55"
    old = dict(zip(headers, (cell.text for cell in rows["LSTMold"].cells), strict=True))
    assert old["Table 7 (paper)", "Avg."] == "3.31"
    assert differences.title == "People's ratings, mine, against those of new/LSTM"
    assert {row.cells[1].text: row.cells[2].text for row in differences.rows}["–"] == "0.2500"
    assert [row.cells[0].text for row in agreement.rows] == ["fluency", "adequacy", "simplicity"]
    assert "Simple (reference)" in page("test", None, sections)
