"""Aligned documents of one's own as a page: links (`convert`), and their errors (`evaluate-alignment --html`)."""

from pathlib import Path

import pytest
from browser_driver import Browser
from commands import done
from report_page_sample import NAMES, PREDICTED, pair_rows

from textsimp.core.records import pair_from_json, read_pairs, write_pairs
from textsimp.reporting.browser import browser_page
from textsimp.reporting.texts import Example


@pytest.fixture(scope="module")
def browser(browser: Browser) -> Browser:
    browser.resize(1200, 900)
    return browser


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Hostile documents with gold links, and with those of a system."""
    gold = [pair_from_json(row) for row in pair_rows()]
    rows = zip(pair_rows(), PREDICTED["neural_crf"], strict=True)
    aligned = [pair_from_json({**row, "alignments": links}) for row, links in rows]
    paths = tmp_path / "gold.jsonl", tmp_path / "aligned & <b>.jsonl"
    for path, pairs in zip(paths, (gold, aligned), strict=True):
        write_pairs(path, pairs)
    return paths


def numbers(browser: Browser, *selectors: str) -> list[int]:
    return [len(browser.texts(selector)) for selector in selectors]


def test_without_gold_a_link_is_a_link(browser: Browser, files: tuple[Path, Path], tmp_path: Path) -> None:
    for name in ("a & <b>.html", "again.html"):
        done("convert", files[1], tmp_path / name)
    page = tmp_path / "a & <b>.html"
    assert page.read_text().count("<script") == (tmp_path / "again.html").read_text().count("<script")
    browser.open(page)
    assert browser.evaluate("document.querySelector('h1').textContent") == f"Alignments of {page.name}"
    assert browser.evaluate("[...document.querySelectorAll('.row .name')].map((e) => e.textContent)") == NAMES
    links = len(PREDICTED["neural_crf"][0])
    assert numbers(browser, ".links .chip.link", "[data-part=errors]") == [links, 0]
    assert numbers(browser, ".summary .chip", "[data-part=system]", ".row .bad") == [0, 0, 0]
    assert len(browser.requests) == 1 and browser.complaints == []


def test_with_gold_the_errors_are_shown(browser: Browser, files: tuple[Path, Path], tmp_path: Path) -> None:
    done("evaluate-alignment", files[0], "--predictions", files[1], "--html", tmp_path / "page.html")
    browser.open(tmp_path / "page.html")
    kinds = [f".links .chip.{kind}" for kind in ("right", "label", "missed", "wrong")]
    assert numbers(browser, *kinds) == [2, 1, 1, 1]
    assert numbers(browser, "[data-part=errors]", ".row .bad") == [1, 2]
    assert browser.complaints == []


def test_of_many_pairs_a_sample_is_shown(files: tuple[Path, Path]) -> None:
    examples = [Example(pair, {"given": ()}) for pair in read_pairs(files[0])]
    page = browser_page("t", examples, {}, 2)
    assert page == browser_page("t", examples, {}, 2) and "2 of 3 pairs, chosen by" in page
