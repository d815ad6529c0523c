"""`textsimp annotate` in a real browser: shown safely, worked in by keyboard and mouse, kept; files out and in."""

import json
import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from annotation_browser import (
    LOG,
    OVERALL,
    PAIRS,
    SAID,
    WARNING,
    again,
    annotate,
    exported,
    finish,
    fresh,
    imported,
    kept_actions,
    leave,
    press,
    rows,
)
from annotation_sample import gold_labels, write_annotated
from browser_driver import Browser, start
from commands import refused, run
from report_page_sample import NAMES, pair_rows

from textsimp.core.records import pair_from_json, read_pairs, write_pairs
from textsimp.core.text_form import reading_in_form

# ---- the page


def test_hostile_texts_are_shown_as_they_are_and_run_nothing(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "a & <b>.jsonl"
    write_pairs(path, [pair_from_json(row) for row in pair_rows()])
    with reading_in_form(True):  # line separators are spaces
        pairs = list(read_pairs(path))
    annotate(path, "--suggestions", path, "--html", tmp_path / "page.html")
    fresh(browser, tmp_path / "page.html")
    assert browser.evaluate("document.title") == "Annotation of a & <b>.jsonl"
    shown = "[...document.querySelectorAll('[data-part=complex] .words')].map((e) => e.textContent)"
    assert browser.evaluate(shown) == list(pairs[0].complex.sentences)
    assert browser.evaluate("[...document.querySelectorAll('.row .name')].map((e) => e.textContent)") == NAMES
    press(browser, "2", "t", *"<b>&", "Enter", "y")
    for row, pair in zip(rows(browser, "a & _b_.annotated.jsonl"), pairs, strict=True):
        assert pair_from_json(row).complex == pair.complex
    assert rows(browser, "a & _b_.annotated.jsonl")[0]["annotation"]["notes"] == [[0, 0, "<b>&"]]
    assert browser.evaluate("document.querySelectorAll('main img, main b, iframe').length") == 0
    assert [address for address in browser.requests if not address.startswith(("file:", "blob:"))] == []
    assert browser.complaints == []


def test_every_step_by_keyboard(opened: Browser) -> None:
    complex_ = len(PAIRS[0].complex.sentences)
    press(opened, "1", "A", "2")
    press(opened, "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "a", "ArrowDown", "p", "Enter")
    press(opened, "PageDown", "n", "f", "t", *"why", "Escape", "T", *"so", "Enter", "shift+Enter")
    found = rows(opened)[0]
    last = complex_ - 1
    assert found["alignments"] == [[0, 0, "aligned"], [0, 1, "partial"]]
    annotation = found["annotation"]
    assert annotation["not"] == annotation["flags"] == [[1, last]] and 1 in annotation["settled"]
    assert annotation["notes"] == [[1, last, "why"], [1, -1, "so"]]
    press(opened, "3")
    assert opened.evaluate(SAID).startswith(f"S2 with C{complex_}: ○ not aligned")
    press(opened, "a")
    assert rows(opened)[0]["annotation"]["flags"] == [] and [1, last, "aligned"] in rows(opened)[0]["alignments"]


def test_by_mouse(opened: Browser) -> None:
    opened.click("[data-part=steps] button:nth-child(2)")
    opened.click("#simple-1 .words")
    opened.click("#complex-2 .words")
    opened.click("[data-part=verdicts] button[data-steps='23']:nth-child(3)")
    opened.click("#simple-0 .words")
    found = rows(opened)[0]
    assert found["alignments"] == [[1, 2, "partial"]] and found["annotation"]["settled"] == []


def test_a_suggestion_counts_when_it_is_accepted(opened: Browser) -> None:
    gold = gold_labels(PAIRS[0])
    press(opened, "2")
    number = "document.querySelectorAll('.curve.suggested').length"
    assert opened.evaluate(number) == len(gold)
    assert "stroke-dasharray" in opened.evaluate("document.querySelector('style').textContent")
    assert opened.evaluate("getComputedStyle(document.querySelector('.curve.suggested')).strokeDasharray") != "none"
    assert "alignments" not in rows(opened)[0]
    press(opened, "Enter", *["y"] * (len(PAIRS[0].simple.sentences) - 1))
    assert [item[:2] for item in rows(opened)[0]["alignments"]] == [list(ends) for ends in gold if ends[0] > 0]
    assert opened.evaluate(number) == 0


def test_a_blind_page_holds_no_links(browser: Browser, tmp_path: Path) -> None:
    write_pairs(tmp_path / "gold.jsonl", PAIRS)
    assert "3 document pairs, blind" in annotate(tmp_path / "gold.jsonl", "--blind", "--html", tmp_path / "page.html")
    write_pairs(tmp_path / "bare.jsonl", [replace(pair, alignments=None) for pair in PAIRS])
    annotate(tmp_path / "bare.jsonl", "--blind", "--html", tmp_path / "other.html")
    text = (tmp_path / "page.html").read_text()
    assert text.replace("gold", "bare") == (tmp_path / "other.html").read_text()
    fresh(browser, tmp_path / "page.html")
    press(browser, "2", "y", "Enter")
    assert kept_actions(browser) == [["settle", 0, 0, 1]]
    assert rows(browser)[0]["alignments"] == [] and rows(browser)[0]["annotation"]["paragraphs"] == []


def test_undo_and_redo(opened: Browser) -> None:
    before = rows(opened)
    press(opened, "A", "2", "a", "Enter", "p", "f", "y", "t", *"note", "Enter")
    after = rows(opened)
    press(opened, *["u"] * 20)
    assert rows(opened) == before
    press(opened, *["r"] * 3, *["ctrl+y"] * 17)
    assert rows(opened) == after != before


@pytest.mark.parametrize("width", [320, 760])
def test_nothing_reaches_beyond_a_narrow_screen(opened: Browser, width: int) -> None:
    opened.resize(width, 800)
    for step in "123":
        press(opened, step)
        beyond = (
            "[...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth)"
        )
        assert opened.evaluate(f"{beyond}.map((one) => one.outerHTML.slice(0, 80))") == []


def test_everything_has_a_name_and_shows_the_focus(opened: Browser) -> None:
    nameless = (
        "[...document.querySelectorAll('button, input, [role=listbox], [role=option], dialog, progress, svg')]"
        ".filter((e) => !(e.ariaLabel || e.ariaHidden || e.textContent.trim() || e.closest('label') ||"
        " e.getAttribute('aria-labelledby'))).length"
    )
    assert opened.evaluate(nameless) == 0
    outlines = {}
    for _ in range(30):
        opened.call("Input.dispatchKeyEvent", type="rawKeyDown", key="Tab", code="Tab", windowsVirtualKeyCode=9)
        name, outline = opened.evaluate(
            "[document.activeElement.outerHTML.slice(0, 80), getComputedStyle(document.activeElement).outlineStyle]"
        )
        outlines[name] = outline
    assert len(outlines) > 15
    assert {name for name, outline in outlines.items() if outline != "solid" and not name.startswith("<body")} == set()


# ---- files


def test_export_and_import_again(opened: Browser, tmp_path: Path) -> None:
    finish(opened)
    press(opened, "f")
    found = exported(opened)
    assert [gold_labels(one.pair) for one in found] == [gold_labels(pair) for pair in PAIRS]
    assert [one.pair for one in found] == list(read_pairs(opened.downloads / "gold.annotated.jsonl"))
    kept = tmp_path / "kept.jsonl"
    kept.write_bytes((opened.downloads / "gold.annotated.jsonl").read_bytes())
    fresh(opened, tmp_path / "page.html")
    assert imported(opened, kept) == ""
    assert [json.loads(line) for line in kept.read_text().splitlines()] == rows(opened)
    press(opened, "u")
    assert "alignments" not in rows(opened)[0]


BAD: Mapping[str, tuple[Any, str]] = {
    "another file": (lambda lines: [json.dumps({**json.loads(lines[0]), "id": "x"})], 'document pair "x" is not on'),
    "edited text": (lambda lines: [lines[0].replace("The ", "A ", 1), *lines[1:]], "text than on this page"),
    "cut in a line": (lambda lines: [lines[0], lines[1][:100]], "line 2 is no document pair with links"),
    "a link of nothing": (
        lambda lines: [lines[0].replace('"alignments":[', '"alignments":[[0,99,"aligned"],')],
        "is of no sentence",
    ),
    "no JSON": (lambda lines: ["<html>"], "line 1 is no document pair"),
}


def test_bad_files_are_refused_and_change_nothing(opened: Browser, tmp_path: Path) -> None:
    finish(opened)
    lines = [json.dumps(row, separators=(",", ":")) for row in rows(opened)]
    log = opened.evaluate(LOG)
    for name, (change, reason) in BAD.items():
        path = tmp_path / "bad.jsonl"
        path.write_text("".join(f"{line}\n" for line in change(lines)))
        warning = imported(opened, path)
        assert reason in warning and warning.endswith("Nothing was taken from it."), (name, warning)
    assert opened.evaluate(LOG) == log


def test_disagreements_are_decided_in_a_page(opened: Browser, tmp_path: Path) -> None:
    finish(opened)
    lines = rows(opened)
    paths = [tmp_path / "ann.jsonl", tmp_path / "ben.jsonl"]
    paths[0].write_text("".join(json.dumps(row) + "\n" for row in lines))
    lines[0]["alignments"][0][2] = "partial" if lines[0]["alignments"][0][2] == "aligned" else "aligned"
    lines[2]["alignments"].pop()
    paths[1].write_text("".join(json.dumps(row) + "\n" for row in lines))
    page, gold = tmp_path / "adjudicate.html", tmp_path / "gold-of-both.jsonl"
    assert "2 disagreements" in annotate(*paths, "--html", page)
    fresh(opened, page)
    assert opened.evaluate("document.querySelector('[data-part=status]').textContent") == "3 pairs; 2 flags open"
    assert "ann: " in opened.evaluate(SAID) and "ben: " in opened.evaluate(SAID)
    press(opened, "Enter")
    assert "say a, p or n" in opened.evaluate(WARNING) and kept_actions(opened) == []
    press(opened, "p", "Enter", "j", "j", "n", "Enter")
    assert opened.evaluate(OVERALL).endswith(", 3 of 3 pairs finished")
    (opened.downloads / "ann-ben.annotated.jsonl").unlink(missing_ok=True)
    press(opened, "e")
    decided = opened.downloaded("ann-ben.annotated.jsonl")
    annotate(*paths, "--adjudicated", decided, "--output", gold)
    wanted = [gold_labels(pair) for pair in PAIRS]
    wanted[0][min(wanted[0])] = "partial"
    wanted[2].pop(max(wanted[2]))
    assert [gold_labels(pair) for pair in read_pairs(gold)] == wanted


def test_hostile_opinions_are_shown_as_they_are(browser: Browser, tmp_path: Path) -> None:
    pairs = [pair_from_json(row) for row in pair_rows()]
    labels = [gold_labels(pair) for pair in pairs]
    evil = "<img src=x onerror=alert(1)></script>"
    notes = [[0, 0, evil], [1, -1, evil]]
    first = write_annotated(tmp_path / "a & <i>.jsonl", pairs, labels, annotator=evil, notes=notes)
    second = write_annotated(tmp_path / "b.jsonl", pairs, [{(0, 0): "partial"}] * 3, annotator=evil, notes=notes)
    annotate(first, second, "--html", tmp_path / "page.html")
    fresh(browser, tmp_path / "page.html")
    assert "a & <i>: aligned · b: partial" in browser.evaluate(SAID)
    assert browser.evaluate("document.querySelector('[data-part=pair-note]').value") == f"{evil} | {evil}"
    assert browser.evaluate("document.title") == "Adjudication of a & <i> and b"
    assert browser.evaluate("document.querySelectorAll('img, main i').length") == 0 and browser.complaints == []


# ---- the command


def test_the_packaged_aligner_suggests(tmp_path: Path) -> None:
    write_pairs(tmp_path / "pairs.jsonl", [replace(pair, alignments=None) for pair in PAIRS[:1]])
    assert "1 document pair, " in annotate(tmp_path / "pairs.jsonl", "--html", tmp_path / "page.html")
    assert '"suggestions":[[' in (tmp_path / "page.html").read_text()


def test_wrong_use_is_one_line(tmp_path: Path) -> None:
    write_pairs(tmp_path / "pairs.jsonl", PAIRS)
    write_pairs(tmp_path / "fewer.jsonl", PAIRS[:2])
    write_pairs(tmp_path / "none.jsonl", [])
    wrong = {
        "choose one": ["pairs.jsonl", "--blind", "--suggestions", tmp_path / "pairs.jsonl"],
        "fewer.jsonl: no document pair 'pair-2'": ["pairs.jsonl", "--suggestions", tmp_path / "fewer.jsonl"],
        "none.jsonl: holds no document pairs": ["none.jsonl", "--blind"],
        "no such file": ["absent.jsonl"],
    }
    for reason, (name, *options) in wrong.items():
        refused(run("annotate", tmp_path / name, "--html", tmp_path / "page.html", *options), reason)
    assert not (tmp_path / "page.html").exists()


# ---- what is kept

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


def test_a_page_that_is_killed_loses_nothing(opened: Browser, tmp_path: Path) -> None:
    number = 40
    recorded = actions(11, number)
    for keys in recorded:
        press(opened, *keys)
    log, whole = opened.evaluate(LOG), rows(opened)
    fresh(opened, tmp_path / "page.html")
    moments = set(random.Random(12).sample(range(1, number), 3))
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
