"""The scripts of experiments/: each says how it is used; what they count on small inputs; kept results."""

import runpy
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from dumps_sample import CONFIG, dump, extract, page
from scipy import stats
from simpeval_sample import PEOPLE, SENTENCES, SHARES, write_simpeval

from experiments import coster_kauchak, funnel, metric_agreement, thesis
from experiments.agreement.simpeval import read_newer, read_past
from textsimp.core.errors import InputError
from textsimp.core.reading import read_lines
from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link
from textsimp.core.results import Resampling, Results
from textsimp.extras.wikidump.settings import DumpFiles
from textsimp.metrics.tokens import TREEBANK

CASTLE = "The old castle stands above the slow river."
GARDEN = "Its gardens were laid out for the duchess in the last century."
GARDEN_SIMPLE = "Its gardens were laid out for the duchess a long time ago."
MILL = "A water mill was built beside the bridge by monks."
BELL = "The bell in the tower weighs eleven tons."
SHIP = "Ships brought salt and timber from the northern ports."
HONEY = "People keep bees and sell honey at the market."


@pytest.fixture
def articles(tmp_path: Path) -> Path:
    """An extraction of three articles on either wiki: the last two have no paragraph in common."""
    complex_ = {
        "Castle": f"{CASTLE} {GARDEN}\n\n{MILL} {BELL}",
        "Port": SHIP,
        "Stone": "Granite is a very hard stone of many colours.",
        "Lake": "No other wiki has an article about this lake.",
    }
    simple = {
        "Castle": f"{CASTLE} {GARDEN_SIMPLE}\n\n{HONEY}",
        "Port": "Towns by the sea often have a harbour.",
        "Stone": "Houses are made of it in some villages.",
        "Ants": "#REDIRECT [[Castle]]",
    }
    folder, wikis = tmp_path / "dumps", []
    folder.mkdir()
    for first, (site, texts) in ((10, ("enwiki", complex_)), (100, ("simplewiki", simple))):
        wikis.append(folder / f"{site}.xml")
        redirect = {"Ants": "Castle"}
        pages = (page(first + n, title, text, 0, redirect.get(title)) for n, (title, text) in enumerate(texts.items()))
        wikis[-1].write_text(dump(site, pages), encoding="utf-8")
    extract(DumpFiles((wikis[0],), (wikis[1],)), tmp_path / "articles", replace(CONFIG, pairing="title"))
    return tmp_path / "articles"


def test_every_step(articles: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: object) -> None:
    steps, corpora = funnel.funnel(articles)
    assert {name: steps[name] for name in list(steps)[:9]} == {
        "simple pages": 4,
        "simple articles": 3,
        "articles of the same title": 3,
        "article pairs": 3,
        "simple paragraphs": 4,
        "aligned simple paragraphs": 1,
        "pairs of the six operations": 2,
        "pairs from .5": 2,
        "pairs from .75": 1,
    }
    assert steps["simple paragraphs that are not aligned (%)"] == pytest.approx(75)
    assert steps["identical pairs from .5 (%)"] == pytest.approx(50)
    # what no paragraph has a partner for is no skipped sentence
    assert steps["one normal to one simple (%)"] == pytest.approx(100) and steps["skip simple (%)"] == 0
    assert sorted(corpora[0.5]) == sorted([(CASTLE, CASTLE), (GARDEN, GARDEN_SIMPLE)])
    monkeypatch.setattr(sys, "argv", ["funnel", str(articles), "--output", str(tmp_path / "out")])
    funnel.main()
    assert read_lines(tmp_path / "out" / "pairs.75.simple") == [CASTLE]
    assert "| pairs from .5 | 2 | 137,000 |" in read_lines(tmp_path / "out" / "funnel.md")


def test_a_folder_that_is_no_extraction(tmp_path: Path) -> None:
    (tmp_path / "extraction.json").write_text('{"pages": {}}')
    with pytest.raises(InputError, match=r"extraction.json: not the report of an extraction; give a folder"):
        funnel.extracted(tmp_path)


def test_translation_of_the_papers_is_tuned_as_theirs() -> None:
    assert coster_kauchak.translation().tuning_pairs == coster_kauchak.DEV == 500


@pytest.mark.parametrize(
    "script", sorted((Path(__file__).parent.parent / "experiments").glob("*.py")), ids=lambda p: p.stem
)
def test_every_script_is_short_and_says_how_it_is_used(
    script: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [str(script), "--help"])
    monkeypatch.setattr(sys, "path", [*sys.path])
    with pytest.raises(SystemExit) as end:
        runpy.run_path(str(script), run_name="__main__")
    assert not end.value.code and f"usage: python experiments/{script.name}" in capsys.readouterr().out
    assert len(read_lines(script)) < 200


def labelled(articles: int = 20, sentences: int = 10) -> list[DocumentPair]:
    sides = [tuple(f"{side} {number}." for number in range(sentences)) for side in ("Complex", "Simple")]
    links = tuple(Link(number, number, AlignmentLabel.ALIGNED) for number in range(sentences))
    documents = [Document("x", level, (side,)) for level, side in enumerate(sides)]
    return [DocumentPair(str(n), "c", str(n), *documents, alignments=links) for n in range(articles)]


@pytest.mark.parametrize(("kind", "share"), [("wrong", 0.1), ("missing", 0.4), ("wrong", 1.0), ("missing", 1.0)])
def test_a_share_of_the_links_is_made_worse(kind: str, share: float) -> None:
    pairs = labelled()
    found = thesis.noisy(pairs, kind, share, 3)
    kept = sum(len({*a.alignments} & {*b.alignments}) for a, b in zip(pairs, found, strict=True))
    left = sum(len(pair.alignments) for pair in found)
    assert kept == round(200 * (1 - share)) and left == (200 if kind == "wrong" else kept)
    assert found == thesis.noisy(pairs, kind, share, 3)
    simple = [sorted(link.simple for link in pair.alignments) for pair in found]
    assert kind == "missing" or simple == [list(range(10))] * len(found)


def test_what_ten_points_are_worth_is_the_slope() -> None:
    links = np.array([[90.0, 80.0, 85.0], [80.0, 80.0, 80.0], [70.0, 60.0, 65.0], [60.0, 70.0, 66.0]])
    sari = links[:, 0] * 0.3 + links[:, 1] * 0.2 + 5
    found = thesis._together(links, sari[None])
    assert found["per.precision"][0] == pytest.approx(3) and found["per.recall"][0] == pytest.approx(2)
    assert found["correlation"][0] == pytest.approx(np.corrcoef(links[:, 2], sari)[0, 1])
    assert found["rank_correlation"][0] == pytest.approx(stats.spearmanr(links[:, 2], sari).statistic)


def test_ratings_that_follow_quality(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = write_simpeval(tmp_path)
    monkeypatch.setattr(metric_agreement, "PEOPLE_PAST", {*PEOPLE["past"]})
    monkeypatch.setattr(metric_agreement, "PEOPLE_NEWER", {*PEOPLE["newer"]})
    monkeypatch.setattr(metric_agreement, "MADE_UP", {"f"})
    results, draw = Results(resampling=Resampling(50, 3)), Resampling(50, 3)
    scopes = metric_agreement.scopes_of(raw)
    criteria = [f"newer/{name}" for name in ("adequacy", "fluency", "simplicity")]
    assert list(scopes) == ["past", "past/no_made_up", "past/released", "newer", *criteria]
    assert len(scopes["past/no_made_up"].systems) == len(SHARES) - 1
    metric_agreement.add_agreement(results, "past", scopes["past"], draw)
    for metric in ("sari", "sari_corpus", "bleu"):
        cell = results.get("past", metric, "system.pearson")
        assert cell is not None and 0.8 < cell.value <= 1 and cell.low <= cell.value <= cell.high + 1e-9
        assert 0 < results.value("past", metric, "sentence.kendall") < 1
    assert results.value("past", "rating", "sentences") == SENTENCES
    path = raw / "simpeval" / "simpeval_past.csv"
    path.write_text(path.read_text().replace(",a,", ",b,", 1))
    with pytest.raises(InputError, match="'b' has the original '0' 2 times"):
        metric_agreement.scopes_of(raw)


@pytest.mark.parametrize("rating", ["101", "-1", "nan", "", "5O"])
def test_a_rating_out_of_range(tmp_path: Path, rating: str) -> None:
    path = write_simpeval(tmp_path) / "simpeval" / "simpeval_2022.csv"
    lines = path.read_text().splitlines()
    lines[3] = f"{lines[3].rpartition(',')[0]},{rating}"
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(InputError, match=rf"simpeval_2022.csv:4: '{rating}' is no rating from 0 to 100"):
        read_newer(path.parent)


def test_the_kept_correlations_are_what_the_script_computes(
    mirror: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("textsimp.core.pool.processors", lambda: 1)  # starting others would take most of the time
    path = root / "reports" / "experiments" / "published" / "published" / "metric_agreement.json"
    kept, found = Results.read(path), Results(resampling=Resampling(2, 1))
    rows, people = read_past(mirror / "simpeval"), metric_agreement.PEOPLE_PAST
    past = metric_agreement.rated(rows, people, metric_agreement.asset_references(mirror, rows), TREEBANK)
    metric_agreement.add_agreement(found, "past", past, Resampling(2, 1))
    assert {name: str(past.statistics[0][name].signature) for name in metric_agreement.METRICS} == kept.signatures
    for cell, estimate in found.estimates.items():
        # the kept numbers are older than the rounding of ties
        assert kept.estimates[cell].value == pytest.approx(estimate.value, abs=1e-4), cell
