"""The annotation page in a browser, for the tests of what it shows, what it keeps, and its files."""

import json
from pathlib import Path
from typing import Any

from alignment_sample import document_pair
from browser_driver import Browser
from commands import done

from textsimp.extras.annotation.annotated import Annotated, read_annotated

PAIRS = [document_pair(number) for number in range(3)]
LOG = (
    "Object.entries(localStorage).filter(([key]) => !/^other|[/]view$/.test(key))"
    ".flatMap(([, text]) => text ? text.split('\\n') : [])"
)
WARNING = "document.querySelector('[data-part=warning]').textContent"
SAID = "document.querySelector('[data-part=said]').textContent"
OVERALL = "document.querySelector('[data-part=overall]').textContent"


def annotate(*arguments: object) -> str:
    return done("annotate", *arguments).stderr


def fresh(browser: Browser, page: Path) -> Browser:
    """Open a page without the memory of former tests."""
    browser.resize(1366, 768)
    for name in browser.downloads.glob("*") if browser.downloads.is_dir() else ():
        name.unlink()
    leave(browser)
    browser.call("Storage.clearDataForOrigin", origin="file://", storageTypes="local_storage,indexeddb")
    browser.open(page)
    return browser


def leave(browser: Browser) -> None:
    """Close the page."""
    if browser.evaluate("location.protocol") != "about:":
        browser.call("Page.navigate", url="about:blank")
        browser.until("location.protocol === 'about:' && document.readyState === 'complete'")


def again(browser: Browser, page: Path) -> None:
    """Close a page and open it again."""
    browser.settle()
    leave(browser)
    browser.open(page)


def press(browser: Browser, *keys: str) -> None:
    for key in keys:
        if key == "shift+Enter":
            browser.press("Enter", 8)
        elif key.startswith("ctrl+"):
            browser.press(key.removeprefix("ctrl+"), 2)
        else:
            browser.press(key)


def exported(browser: Browser, name: str = "gold.annotated.jsonl") -> list[Annotated]:
    """What `e` downloads, read as `textsimp annotate` reads it."""
    (browser.downloads / name).unlink(missing_ok=True)
    browser.press("e")
    return read_annotated(browser.downloaded(name))


def rows(browser: Browser, name: str = "gold.annotated.jsonl") -> list[dict[str, Any]]:
    """What `e` downloads, as plain JSON: also where nothing is begun."""
    (browser.downloads / name).unlink(missing_ok=True)
    browser.press("e")
    return [json.loads(line) for line in browser.downloaded(name).read_text(encoding="utf-8").split("\n")[:-1]]


def imported(browser: Browser, path: Path) -> str:
    """The warning that the page gives for a file."""
    browser.evaluate("document.querySelector('[data-part=warning]').textContent = 'waiting'")
    browser.choose_file("[data-part=file]", path)
    browser.until(f"{WARNING} !== 'waiting'")
    return str(browser.evaluate(WARNING))


def kept_actions(browser: Browser) -> list[Any]:
    return [json.loads(line) for line in browser.evaluate(LOG)]


def finish(browser: Browser) -> None:
    """Accept all suggestions of all pairs."""
    press(browser, "2")
    for pair in PAIRS:
        press(browser, *["y"] * len(pair.simple.sentences), "j", "2")
