"""Coster and Kauchak's corpus from dumps: every step of benchmarks/funnel.py over dumps in their true format."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from dumps_sample import CONFIG, dump, extract, page

from benchmarks import coster_kauchak, funnel, recipes
from textsimp.core.errors import InputError
from textsimp.core.reading import read_lines
from textsimp.core.writing import write_lines
from textsimp.extras.wikidump.settings import DumpFiles
from textsimp.sources.wiki_auto import read_wiki_auto_valid

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


def test_the_recipes_take_an_extraction(articles: Path) -> None:
    pairs = recipes.extracted_articles(articles)
    assert [len(pair.simple.paragraphs) for pair in pairs] == [2, 1, 1]
    assert pairs[0].simple.sentences[0] == CASTLE.lower()


def test_released_links_are_a_recipe(tmp_path: Path) -> None:
    """Those of the articles that are left, whose sentences are in lower case by then."""
    folder = tmp_path / "wiki_auto_valid"
    folder.mkdir()
    rows = [
        f"Castle,1,0,{CASTLE},ignore,['{CASTLE}']",
        f"Castle,1,1,{BELL},delete,[]",
        f"Mill,2,0,{MILL},rephrase,['{MILL}']",
    ]
    write_lines(folder / "wikiauto_sents_valid.csv", ["title,pair_id,sent_id,complex,label,simple", *rows])
    known = read_wiki_auto_valid(folder, "wiki_auto_valid")
    (found,) = recipes.with_released_links(
        tmp_path, [replace(known[0], alignments=None), replace(known[1], corpus="x")]
    )
    assert found.id == "1" and [(link.simple, link.complex) for link in found.alignments or ()] == [(0, 0)]
    assert recipes.sentence_pairs([found], set()) == [(CASTLE, CASTLE)]


def test_translation_of_the_papers_is_tuned_as_theirs() -> None:
    assert coster_kauchak.translation().tuning_pairs == coster_kauchak.DEV == 500
