"""The rating form in a real browser: shown safely, filled by keyboard and mouse, kept, downloaded, imported."""

import json
from pathlib import Path

import pytest
from browser_driver import Browser
from human_evaluation_sample import cells, exported

from textsimp.extras.human.guidelines import guidelines
from textsimp.extras.human.ratings import gather
from textsimp.extras.human.study import Study

COUNT = "document.getElementById('count').textContent"
ORIGINAL = "document.getElementById('original').textContent"
VERSIONS = "[...document.querySelectorAll('.text')].map((text) => text.textContent)"
CHOSEN = "[...document.querySelectorAll(':checked')].map((input) => [input.name, input.value])"


@pytest.fixture
def study(tmp_path: Path, browser: Browser) -> tuple[Study, Path]:
    """A study and its sheets; the browser shows nothing of the tests before."""
    browser.resize(1200, 900)
    found, sheets, _ = exported(tmp_path)
    browser.open(sheets / "rater-1.html")
    browser.evaluate("localStorage.clear()")
    browser.open(sheets / "rater-1.html")
    return found, sheets


def rate_all(browser: Browser, study: Study, rater: str) -> dict[tuple[str, str], int]:
    """Rate everything by keyboard, as a rater would; the ratings by item and criterion."""
    given, number = {}, 0
    for items in study.order(rater):
        for item in items:
            for criterion in guidelines("outputs").keys:
                number += 1
                given[item.id, criterion] = 1 + number * 7 % 5
                browser.press(str(given[item.id, criterion]))
        browser.press("n")
    return given


def test_texts_are_shown_as_they_are_and_run_nothing(browser: Browser, study: tuple[Study, Path]) -> None:
    for items in study[0].order("rater-1"):
        assert browser.evaluate(ORIGINAL) == items[0].original
        assert browser.evaluate(VERSIONS) == [item.text or "(no text)" for item in items]
        browser.press("n")
    assert browser.evaluate("document.title") == "Sentence ratings: rater-1"
    assert browser.evaluate("document.querySelectorAll('img, b:not(details b), iframe').length") == 0
    assert [address for address in browser.requests if not address.startswith("file:")] == []
    assert len(browser.requests) == 1, "the form itself"


def test_rated_by_keyboard_kept_and_imported(browser: Browser, study: tuple[Study, Path]) -> None:
    found, sheets = study
    given = rate_all(browser, found, "rater-1")
    assert browser.evaluate(COUNT) == "33 of 33 ratings"
    assert not browser.evaluate("document.getElementById('finished').hidden")
    browser.open(sheets / "rater-2.html")
    assert browser.evaluate(COUNT) == "0 of 33 ratings", "raters do not share ratings"
    browser.open(sheets / "rater-1.html")
    assert browser.evaluate(COUNT) == "33 of 33 ratings", "kept over a reload"
    shown = {(item, key): int(value) for name, value in browser.evaluate(CHOSEN) for item, key in [name.split("/")]}
    assert len(shown) == 9 and shown.items() <= given.items()
    browser.click("#download")
    ratings = gather(found, [browser.downloaded("rater-1.csv")], blanks_are_missing=False)
    assert {(one.item, one.criterion): one.rating for one in ratings} == given
    browser.downloaded("rater-1.csv").unlink()


def test_an_untouched_download_is_the_blank_sheet(browser: Browser, study: tuple[Study, Path]) -> None:
    browser.click("#download")
    path = browser.downloaded("rater-1.csv")
    assert path.read_bytes() == (study[1] / "rater-1.csv").read_bytes()
    path.unlink()


def test_mouse_and_changed_minds(browser: Browser, study: tuple[Study, Path]) -> None:
    first = study[0].order("rater-1")[0][0].id
    for value in (2, 4):
        browser.click(f"[name='{first}/adequacy'][value='{value}']")
    assert browser.evaluate(CHOSEN) == [[f"{first}/adequacy", "4"]]
    assert browser.evaluate(COUNT) == "1 of 33 ratings"
    browser.click("#next")
    browser.click("#open")
    assert browser.evaluate("document.activeElement.name").endswith("/fluency")
    browser.click("#previous")
    assert browser.evaluate(CHOSEN) == [[f"{first}/adequacy", "4"]]
    browser.click("#download")
    path = browser.downloaded("rater-1.csv")
    assert [row[4:] for row in cells(path)][1:3] == [["", "4", ""], ["", "", ""]]
    path.unlink()


def test_tab_reaches_every_question_and_arrows_choose(browser: Browser, study: tuple[Study, Path]) -> None:
    browser.evaluate("document.querySelector('fieldset input').focus()")
    names = []
    for _ in study[0].order("rater-1")[0] * len(guidelines("outputs").keys):
        names.append(browser.evaluate("document.activeElement.name"))
        browser.press("Tab")
    assert names == browser.evaluate(
        "[...document.querySelectorAll('fieldset')].map((f) => f.querySelector('input').name)"
    )
    browser.evaluate("document.querySelector('fieldset input').focus()")
    browser.press("ArrowRight")
    assert browser.evaluate(CHOSEN) == [[names[0], "2"]] and browser.evaluate(COUNT) == "1 of 33 ratings"


def test_damaged_storage_is_ignored(browser: Browser, study: tuple[Study, Path]) -> None:
    found, sheets = study
    wrong = {found.items[0].id: {"fluency": 9, "adequacy": "2"}, "unknown": {"fluency": 3}}
    place = f"textsimp-human/{found.name}/rater-1"
    for text in ("not JSON", "null", "[]", json.dumps(wrong)):
        browser.evaluate(f"localStorage.setItem({place!r}, {text!r})")
        browser.open(sheets / "rater-1.html")
        assert browser.evaluate(COUNT) == "0 of 33 ratings"


def test_a_browser_without_storage_says_so(browser: Browser, study: tuple[Study, Path]) -> None:
    warning = "document.getElementById('warning')"
    assert browser.evaluate(f"{warning}.hidden")
    browser.evaluate("Storage.prototype.setItem = () => { throw new Error('full'); }")
    browser.press("5")
    assert "Download them before you close the page" in browser.evaluate(f"{warning}.textContent")
    assert not browser.evaluate(f"{warning}.hidden")
    browser.click("#download")  # or the browser asks before it leaves the page
    browser.downloaded("rater-1.csv").unlink()


@pytest.mark.parametrize("width", [320, 400, 1200])
def test_no_width_needs_scrolling_sideways(browser: Browser, study: tuple[Study, Path], width: int) -> None:
    browser.resize(width, 800)
    for _ in study[0].order("rater-1"):
        assert browser.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
        sizes = browser.evaluate(
            "[...document.querySelectorAll('.points label, button')].map((e) => e.getBoundingClientRect().height)"
        )
        assert min(sizes) >= 44, "large enough for a thumb"
        browser.press("n")


def test_a_dark_screen_prints_on_white_paper(browser: Browser, study: tuple[Study, Path]) -> None:
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    background = "getComputedStyle(document.body).backgroundColor"
    browser.call("Emulation.setEmulatedMedia", media="screen", features=dark)
    on_screen = browser.evaluate(background)
    browser.call("Emulation.setEmulatedMedia", media="print", features=dark)
    assert on_screen != browser.evaluate(background) == "rgb(255, 255, 255)"
    browser.call("Emulation.setEmulatedMedia", media="", features=[])
