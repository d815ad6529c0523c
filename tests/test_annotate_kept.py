"""What the annotation page keeps: killed, damaged, full and absent memories, two tabs."""

import json
import random
from pathlib import Path

import pytest
from annotation_browser import (
    LOG,
    OVERALL,
    PAIRS,
    WARNING,
    again,
    annotate,
    fresh,
    kept_actions,
    leave,
    opened,
    press,
    rows,
)
from browser_driver import Browser, start

from textsimp.core.records import write_pairs

__all__ = ["opened"]

KEY = "Object.keys(localStorage).find((key) => !/^other|[/]view$/.test(key))"
"""Where the page keeps the list; not what a test before has filled the storage with."""


def actions(seed: int, number: int) -> list[list[str]]:
    """Recorded work: each of these groups of keys is one action."""
    draw = random.Random(seed)
    moves = ["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "j", "k"]
    acting = ["a", "p", "n", "f", "x", "Enter", "y", "u", "r"]
    found = []
    for place in range(number):
        keys = draw.choices(moves, k=draw.randint(0, 2))
        if place % 25 == 24:
            keys += ["2", "t", draw.choice("qz")]  # left by Escape, so that every action is whole
            keys.append("Escape")
        else:
            keys += ["2" if draw.random() < 0.8 else "3", draw.choice(acting)]
        found.append(keys)
    return found


@pytest.mark.parametrize("number, kills", [(40, 3), pytest.param(500, 20, marks=pytest.mark.slow)])
def test_a_page_that_is_killed_loses_nothing(opened: Browser, tmp_path: Path, number: int, kills: int) -> None:
    recorded = actions(11, number)
    for keys in recorded:
        press(opened, *keys)
    log, whole = opened.evaluate(LOG), rows(opened)
    fresh(opened, tmp_path / "page.html")
    moments = set(random.Random(12).sample(range(1, number), kills))
    for place, keys in enumerate(recorded):
        if place in moments:
            before = opened.evaluate(LOG)
            opened.kill_page()
            opened.open(tmp_path / "page.html")
            assert opened.evaluate(LOG) == before != []
        press(opened, *keys)
    assert opened.evaluate(LOG) == log and len(log) > number // 2
    assert rows(opened) == whole


def test_a_browser_that_is_killed_loses_nothing_that_is_on_the_disk(tmp_path: Path) -> None:
    write_pairs(tmp_path / "gold.jsonl", PAIRS)
    annotate(tmp_path / "gold.jsonl", "--suggestions", tmp_path / "gold.jsonl", "--html", tmp_path / "page.html")
    first = start(tmp_path / "browser")
    first.open(tmp_path / "page.html")
    press(first, "2", *["y"] * 6, "n")
    done = len(first.evaluate(LOG))
    first.evaluate("window.written = 0")
    written = f"indexedDB.open({KEY}).onsuccess = (found) => {{"
    written += " const store = found.target.result.transaction('actions').objectStore('actions');"
    written += " store.count().onsuccess = (count) => { window.written = count.target.result; }; }"
    first.until(f"({written}, window.written === {done})")
    first.kill()
    second = start(tmp_path / "browser")
    second.open(tmp_path / "page.html")
    second.until(f"{LOG}.length === {done}")
    second.close()


def test_a_damaged_memory_gives_what_can_be_read(opened: Browser, tmp_path: Path) -> None:
    press(opened, "2", "a", "Enter", "a", "Enter")
    key = opened.evaluate(KEY)
    lines = [*opened.evaluate(LOG)[:2], '["label",0,99,99,"a"]', '["set']
    opened.evaluate(f"localStorage.setItem({json.dumps(key)}, {json.dumps(chr(10).join(lines))})")
    leave(opened)
    opened.call("Storage.clearDataForOrigin", origin="file://", storageTypes="indexeddb")
    again(opened, tmp_path / "page.html")
    assert opened.evaluate(WARNING).startswith("Of 4 kept actions only the first 2 can be read")
    assert opened.downloaded("gold.damaged.txt").read_text().split("\n") == lines
    assert rows(opened)[0]["annotation"]["settled"] == [0]


def test_without_memory_there_is_a_message_and_a_download(opened: Browser, tmp_path: Path) -> None:
    refuse = "get() { throw new DOMException('no', 'SecurityError'); }"
    closed = f"Object.defineProperty(window, 'localStorage', {{ {refuse} }})"
    script = opened.call("Page.addScriptToEvaluateOnNewDocument", source=closed)["identifier"]
    again(opened, tmp_path / "page.html")
    assert "keep" in opened.evaluate(WARNING) and "SecurityError" in opened.evaluate(WARNING)
    press(opened, "2", "a")
    assert [row["alignments"] for row in rows(opened)[:1]] == [[[0, 0, "aligned"]]]
    opened.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)


def test_a_full_memory_gives_a_message_and_a_download(opened: Browser) -> None:
    fill = "while (true) localStorage.setItem(`other${(window.number = (window.number || 0) + 1)}`, 'x'.repeat(size))"
    opened.evaluate(f"for (let size = 1 << 22; size >= 1; size >>= 1) try {{ {fill}; }} catch {{}}")
    press(opened, "2", "a")
    assert "cannot keep your work (QuotaExceededError" in opened.evaluate(WARNING)
    assert rows(opened)[0]["alignments"] == [[0, 0, "aligned"]]


def test_two_tabs_have_one_list(opened: Browser) -> None:
    press(opened, "2", "a", "Enter")
    key = opened.evaluate(KEY)
    elsewhere = [["label", 0, 0, 1, "p"], ["settle", 0, 0, 1], ["settle", 0, 1, 1]]
    other = "\\n".join(map(json.dumps, elsewhere))
    tell = f"dispatchEvent(new StorageEvent('storage', {{key: {json.dumps(key)}, newValue: `{other}`}}))"
    opened.evaluate(tell)
    assert opened.evaluate(OVERALL).startswith("2 of ")
    press(opened, "u")
    assert len(kept_actions(opened)) == 4 and rows(opened)[0]["annotation"]["settled"] == [0]
