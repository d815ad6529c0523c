"""The rating form in a real browser: shown safely, filled by keyboard and mouse, kept, downloaded, imported."""

import json
from pathlib import Path

import pytest
from browser_driver import Browser
from crowd_sample import EXPORT, write_documents
from human_evaluation_sample import cells, exported, run, write_texts

from textsimp.extras.human import crowd
from textsimp.extras.human.drawing import draw_study
from textsimp.extras.human.guidelines import guidelines
from textsimp.extras.human.ratings import gather
from textsimp.extras.human.sheets import export_study
from textsimp.extras.human.study import Study

COUNT = "document.getElementById('count').textContent"
ORIGINAL = "document.getElementById('original').textContent"
VERSIONS = "[...document.querySelectorAll('.text')].map((text) => text.textContent)"
CHOSEN = "[...document.querySelectorAll(':checked')].map((input) => [input.name, input.value])"
KEYS = guidelines("outputs").keys


def fresh(browser: Browser, page: Path) -> None:
    """Open a form without the memory of former tests."""
    browser.resize(1200, 900)
    browser.open(page)
    browser.evaluate("localStorage.clear()")
    browser.open(page)


def downloaded(browser: Browser) -> list[list[str]]:
    browser.click("#download")
    path = browser.downloaded("rater-1.csv")
    found = cells(path)
    path.unlink()
    return found


@pytest.fixture
def study(tmp_path: Path, browser: Browser) -> tuple[Study, Path]:
    """A study and its sheets, the first form open."""
    found, sheets, _ = exported(tmp_path)
    fresh(browser, sheets / "rater-1.html")
    return found, sheets


def test_texts_are_shown_as_they_are_and_run_nothing(browser: Browser, study: tuple[Study, Path]) -> None:
    for items in study[0].order("rater-1"):
        assert browser.evaluate(ORIGINAL) == items[0].original
        assert browser.evaluate(VERSIONS) == [item.text or "(no text)" for item in items]
        browser.press("n")
    assert browser.evaluate("document.title") == "Sentence ratings: rater-1"
    assert browser.evaluate("document.querySelectorAll('img, b:not(details b), iframe').length") == 0
    assert len(browser.requests) == 1 and browser.requests[0].startswith("file:"), "the form itself"


def test_rated_by_keyboard_kept_and_imported(browser: Browser, study: tuple[Study, Path]) -> None:
    found, sheets = study
    blank = cells(sheets / "rater-1.csv")
    assert downloaded(browser) == blank, "an untouched download is the blank sheet"
    given: dict[tuple[str, str], int] = {}
    for items in found.order("rater-1"):
        for place in ((item.id, key) for item in items for key in KEYS):
            given[place] = 1 + len(given) * 7 % 5
            browser.press(str(given[place]))
        browser.press("n")
    assert browser.evaluate(COUNT) == "33 of 33 ratings"
    assert not browser.evaluate("document.getElementById('finished').hidden")
    browser.settle()
    browser.open(sheets / "rater-2.html")
    assert browser.evaluate(COUNT) == "0 of 33 ratings", "raters do not share ratings"
    browser.open(sheets / "rater-1.html")
    assert browser.evaluate(COUNT) == "33 of 33 ratings", "kept over a reload"
    shown = {(item, key): int(value) for name, value in browser.evaluate(CHOSEN) for item, key in [name.split("/")]}
    assert len(shown) == 9 and shown.items() <= given.items()
    browser.click("#download")
    ratings = gather(found, [browser.downloaded("rater-1.csv")], blanks_are_missing=False)
    assert {(one.item, one.criterion): one.rating for one in ratings.itertuples()} == given
    browser.downloaded("rater-1.csv").unlink()


def test_mouse_tab_and_changed_minds(browser: Browser, study: tuple[Study, Path]) -> None:
    first = study[0].order("rater-1")[0]
    for value in (2, 4):
        browser.click(f"[name='{first[0].id}/adequacy'][value='{value}']")
    assert browser.evaluate(CHOSEN) == [[f"{first[0].id}/adequacy", "4"]]
    browser.click("#next")
    browser.click("#open")
    assert browser.evaluate("document.activeElement.name").endswith("/fluency")
    browser.click("#previous")
    assert [row[4:] for row in downloaded(browser)][1:3] == [["", "4", ""], ["", "", ""]]
    browser.evaluate("document.querySelector('fieldset input').focus()")
    browser.press("ArrowRight")
    assert browser.evaluate(COUNT) == "2 of 33 ratings"


def test_damaged_storage_is_ignored_and_full_storage_said(browser: Browser, study: tuple[Study, Path]) -> None:
    found, sheets = study
    wrong = {found.items[0].id: {"fluency": 9, "adequacy": "2"}, "unknown": {"fluency": 3}}
    for text in ("not JSON", "null", "[]", json.dumps(wrong)):
        browser.evaluate(f"localStorage.setItem('textsimp-human/{found.name}/rater-1', {text!r})")
        browser.open(sheets / "rater-1.html")
        assert browser.evaluate(COUNT) == "0 of 33 ratings"
    warning = "document.getElementById('warning')"
    assert browser.evaluate(f"{warning}.hidden")
    browser.evaluate("Storage.prototype.setItem = () => { throw new Error('full'); }")
    browser.press("5")
    assert "Download them before you close the page" in browser.evaluate(f"{warning}.textContent")
    assert not browser.evaluate(f"{warning}.hidden")
    downloaded(browser)  # or the browser asks before it leaves the page


@pytest.mark.parametrize("width", [320, 1200])
def test_no_width_needs_scrolling_sideways(browser: Browser, study: tuple[Study, Path], width: int) -> None:
    browser.resize(width, 800)
    for _ in study[0].order("rater-1"):
        assert browser.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
        browser.press("n")


def test_scales_below_zero_are_rated_by_keyboard(browser: Browser, tmp_path: Path) -> None:
    export_study(draw_study(*write_texts(tmp_path), 2, 1, 1, "changes"), tmp_path / "sheets", tmp_path / "key.json")
    fresh(browser, tmp_path / "sheets/rater-1.html")
    for key in "451":
        browser.press(key)
    chosen = [[name.split("/")[1], value] for name, value in browser.evaluate(CHOSEN)]
    assert chosen == [["grammaticality", "4"], ["meaning", "5"], ["rank", "-2"]]


def test_a_crowd_waits_before_it_answers(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_documents(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(crowd, "LEAST_SECONDS", 2.0)
    assert run(*EXPORT)[0] == 0
    fresh(browser, Path("out/rater-1.html"))
    waits = "document.getElementById('wait')"
    browser.press("0")
    assert browser.evaluate(COUNT).startswith("0 of "), "answers open after two seconds"
    assert browser.evaluate(f"{waits}.textContent").startswith("Answers open in ")
    browser.until(f"{waits}.hidden")
    browser.press("0")
    assert browser.evaluate(COUNT).startswith("1 of "), "not aligned is an answer"
    browser.press("n")
    assert not browser.evaluate(f"{waits}.hidden")
    browser.press("p")
    assert browser.evaluate(f"{waits}.hidden"), "an answered question stays open"
