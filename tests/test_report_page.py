"""The report's page in a real browser: hostile texts shown as they are, every part of the browsers clicked through."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from browser_driver import Browser
from report_page_sample import CORPUS, GOLD, LABEL, NAMES, PREDICTED, TEXTS, outputs_of, pair_rows, write_hostile_report
from reporting_run import SIMPLIFIERS, TRAINING_SETS, report_of, write_whole_run

from textsimp.reporting.opening import Opening
from textsimp.reporting.page import Section
from textsimp.reporting.page import page as page_of
from textsimp.reporting.table import Column, Table, framed

PAIRS, OUTPUTS = f"#pairs-{CORPUS}", f"#outputs-{CORPUS}"
VIEW = f"{PAIRS} [data-part=view]"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_hostile_report(tmp_path_factory.mktemp("run"))


@pytest.fixture
def page(browser: Browser, report: Path) -> Iterator[Browser]:
    """The page just opened; after each test the console is silent, nothing was asked for and nothing ran."""
    browser.resize(1200, 900)
    browser.open(report)
    yield browser
    quiet(browser)


def quiet(browser: Browser) -> None:
    assert browser.complaints == []
    assert len([address for address in browser.requests if address.startswith("file:")]) == len(browser.requests) == 1
    assert browser.evaluate("document.title") == TEXTS[3]
    assert browser.evaluate("document.querySelectorAll('main img, main iframe, .live [onclick]').length") == 0


def text(browser: Browser, part: str, root: str = PAIRS) -> str:
    (found,) = browser.texts(f"{root} [data-part={part}]")
    return found


def select(browser: Browser, part: str, value: str, root: str = PAIRS) -> None:
    place = f"document.querySelector({json.dumps(f'{root} [data-part={part}]')})"
    browser.evaluate(f"{place}.value = {json.dumps(value)}; {place}.dispatchEvent(new Event('change'))")


def search(browser: Browser, words: str, status: str, root: str = PAIRS) -> None:
    """Type into the search field and wait for the number that it should find."""
    place = f"document.querySelector({json.dumps(f'{root} [data-part=search]')})"
    browser.evaluate(f"{place}.select()")
    browser.click(f"{root} [data-part=search]")
    browser.evaluate(f"{place}.value = ''")
    browser.call("Input.insertText", text=words)
    browser.until(f"document.querySelector('{root} [data-part=status]').textContent.startsWith({json.dumps(status)})")


def verdicts(number: int, system: str) -> list[tuple[int, int, str]]:
    """Complex and simple sentence and verdict of every link of a pair, from its definition."""
    gold, found = ({(c, s): label for s, c, label in links} for links in (GOLD, PREDICTED[system][number]))
    same = {True: "right", False: "label"}
    return [
        (*end, same[gold[end] == found[end]] if end in gold and end in found else "missed" if end in gold else "wrong")
        for end in sorted(gold.keys() | found.keys())
    ]


def chips(browser: Browser) -> list[tuple[str, str]]:
    """The verdict and the ends of every visible link."""
    found = browser.evaluate(
        f"[...document.querySelectorAll('{VIEW} .links .chip')].filter((e) => e.checkVisibility())"
        ".map((e) => [e.className.split(' ')[1], e.textContent.match(/C\\d+–S\\d+/)[0]])"
    )
    return [(verdict, ends) for verdict, ends in found]


def test_all_pairs_are_listed_and_shown_as_they_are(page: Browser) -> None:
    assert text(page, "status") == "3 of 3 pairs"
    assert page.texts(f"{PAIRS} .row .name") == NAMES
    about = [f"level 0 to 1, {len(GOLD)} links, {errors}" for errors in ("3 errors", "1 error", "0 errors")]
    assert page.texts(f"{PAIRS} .row .about") == about
    for number, row in enumerate(pair_rows()):
        assert text(page, "where") == NAMES[number]
        for side in ("complex", "simple"):
            sentences = [sentence for paragraph in row[side]["paragraphs"] for sentence in paragraph]
            place = f"{VIEW} .side:nth-child({1 if side == 'complex' else 3})"
            shown = zip(page.texts(f"{place} .number"), page.texts(f"{place} .words"), strict=True)
            assert [words for _, words in sorted(shown, key=lambda item: int(item[0][1:]))] == sentences
        page.click(f"{PAIRS} [data-part=next]")


@pytest.mark.parametrize("system", list(PREDICTED))
def test_links_of_each_system_against_gold(page: Browser, system: str) -> None:
    place = list(PREDICTED).index(system)
    assert page.evaluate(f"document.querySelector('{PAIRS} [data-part=system]').options[0].textContent") == LABEL
    select(page, "system", str(place))
    for number in range(len(NAMES)):
        links = verdicts(number, system)
        expected = [(verdict, f"C{c + 1}–S{s + 1}") for c, s, verdict in links]
        assert sorted(chips(page)) == sorted(expected)
        for kind in ("right", "label", "missed", "wrong"):
            count = [verdict for *_, verdict in links].count(kind)
            (words,) = page.texts(f"{PAIRS} [data-part=summary] .chip.{kind} b")
            assert int(words[2:]) == count
        page.press("n")
        page.click(f"{PAIRS} .row[data-place='{min(number + 1, 2)}']")


def test_filters_and_order(page: Browser) -> None:
    shown = {"all": [0, 1, 2], "errors": [0, 1], "missed": [0], "label": [0], "wrong": [0, 1], "none": [2]}
    for kind, numbers in shown.items():
        select(page, "errors", kind)
        assert page.texts(f"{PAIRS} .row .name") == [NAMES[number] for number in numbers], kind
        assert text(page, "status") == f"{len(numbers)} of 3 pairs"
    select(page, "system", "1")
    assert page.texts(f"{PAIRS} .row") == [] and text(page, "where") == "No pair has this."
    assert page.texts(f"{VIEW} *") == []
    select(page, "errors", "errors")
    select(page, "order", "errors")
    assert page.texts(f"{PAIRS} .row .name") == [NAMES[2], NAMES[0], NAMES[1]]


def test_search_ignores_case_and_marks_what_it_finds(page: Browser) -> None:
    search(page, "DOCUMENT.title = 'OWNED'</script> 1", "1 of 3")
    assert page.texts(f"{PAIRS} .row .name") == [NAMES[1]] and text(page, "where") == NAMES[1]
    assert set(page.texts(f"{VIEW} mark.hit")) == {"document.title = 'owned'</script> 1"}
    search(page, "İstanbul ß", "3 of 3")
    assert page.texts(f"{VIEW} mark.hit") == ["İstanbul ß"] * 2
    search(page, "(a.b*c)+ 2", "1 of 3")
    search(page, "{{ 7 * 7", "3 of 3")
    search(page, "SECOND &", "1 of 3")
    search(page, "nowhere to be found", "0 of 3")
    assert text(page, "where") == "No pair has this."


def test_stepping_by_buttons_keys_list_and_address(page: Browser) -> None:
    disabled = (
        "['previous', 'next'].map((name) => "
        f"document.querySelector(`{PAIRS} [data-part=${{name}}]`).getAttribute('aria-disabled') === 'true')"
    )
    assert page.evaluate(disabled) == [True, False]
    page.click(f"{PAIRS} [data-part=next]")
    assert text(page, "where") == NAMES[1] and page.evaluate("location.hash") == f"{PAIRS}/2"
    page.press("n")
    assert text(page, "where") == NAMES[2] and page.evaluate(disabled) == [False, True]
    page.press("n")
    page.press("p")
    assert text(page, "where") == NAMES[1]
    page.click(f"{PAIRS} .row[data-place='0']")
    page.press("ArrowDown")
    page.press("End")
    assert text(page, "where") == NAMES[2]
    assert page.texts(f"{PAIRS} .row[aria-selected=true] .name") == [NAMES[2]]
    page.evaluate(f"location.hash = '{PAIRS}/1'")
    page.until(f"document.querySelector('{PAIRS} [data-part=where]').textContent === {json.dumps(NAMES[0])}")


def test_a_row_has_all_that_links_join(page: Browser) -> None:
    """Complex sentences in their order; a simple one without a link follows the row of the one before it."""
    numbers = "[...row.querySelectorAll('.number')].map((e) => e.textContent).join(' ')"
    rows = page.evaluate(f"[...document.querySelectorAll('{VIEW} .pair:not(.heads)')].map((row) => {numbers})")
    assert rows[:8] == ["C1 S1", "C2 S2 S3", "C3", "C4", "C5 S4", "S5", "C6", "C7 S6"]
    assert rows[8:] == ["S7", "S8", "S9", "S10", "C8", "C9", "C10"]


def test_correct_links_can_be_hidden(page: Browser) -> None:
    page.click(f"{PAIRS} [data-part=right]")
    assert {verdict for verdict, _ in chips(page)} == {"label", "missed", "wrong"}
    page.click(f"{PAIRS} [data-part=right]")
    assert len(chips(page)) == len(verdicts(0, "neural_crf"))


def test_outputs_side_by_side_as_they_are(page: Browser) -> None:
    select(page, "set", "1", OUTPUTS)
    assert text(page, "status", OUTPUTS) == f"{len(TEXTS)} of {len(TEXTS)} sentences"
    systems = [f"{training} {system}" for system in SIMPLIFIERS for training in TRAINING_SETS]
    page.click(f"{OUTPUTS} .row[data-place='0']")
    for number, complex_ in enumerate(TEXTS):
        assert page.texts(f"{OUTPUTS} .given .output")[0] == complex_
        expected = [outputs_of(system)[number] for system in systems]
        assert page.texts(f"{OUTPUTS} .produced .output") == expected
        assert not page.texts(f"{OUTPUTS} .produced ins") or number > 1
        page.click(f"{OUTPUTS} [data-part=deleted]")
        assert (page.texts(f"{OUTPUTS} .produced del") == []) == (number == 0)
        without = "[...e.firstChild.childNodes].filter((n) => n.tagName !== 'DEL').map((n) => n.textContent).join('')"
        kept = page.evaluate(f"[...document.querySelectorAll('{OUTPUTS} .produced .output')].map((e) => {without})")
        assert kept == expected
        page.click(f"{OUTPUTS} [data-part=deleted]")
        page.press("n")
    assert page.evaluate(f"document.querySelectorAll('{OUTPUTS} .card .note').length") == 0
    page.click(f"{OUTPUTS} .row[data-place='1']")
    assert page.texts(f"{OUTPUTS} .card .note") == ["empty"] * len(systems)


def test_outputs_are_searched_and_systems_chosen(page: Browser) -> None:
    assert page.texts(f"{OUTPUTS} legend") == ["new (auto)", "old"]
    search(page, "<SCRIPT>ALERT(", "1 of 9", OUTPUTS)
    select(page, "set", "1", OUTPUTS)
    search(page, "w by auto LSTM </INS>", "1 of 10", OUTPUTS)
    cards = f"{OUTPUTS} .produced .card h5"
    assert len(page.texts(cards)) == len(SIMPLIFIERS) * len(TRAINING_SETS)
    old = f"document.querySelectorAll('{OUTPUTS} fieldset')[1]"
    page.evaluate(f"{old}.querySelectorAll('input').forEach((e) => e.click())")
    assert page.texts(cards) == [
        f"{name} new (auto)" for name in ("Transformer_bert", "Transformer_rand", "LSTM", "EditNTS")
    ]
    page.click(f"{OUTPUTS} fieldset:first-of-type input")
    assert len(page.texts(cards)) == 3


def test_differences_by_word(page: Browser) -> None:
    cases = {
        ("The old dog barks.", "the dog barks."): [["kept", "the"], ["gone", " old"], ["kept", " dog barks."]],
        ("a b c", "c a b"): [["moved", "c"], ["kept", " a b"], ["gone", " c"]],
        ("a b", "a  x b!"): [["kept", "a"], ["kept", "  "], ["new", "x"], ["kept", " b"], ["new", "!"]],
        ("a b", ""): [["gone", "a b"]],
        ("a", " "): [["gone", "a"], ["kept", " "]],
    }
    for (complex_, output), expected in cases.items():
        found = page.evaluate(f"differences({json.dumps(complex_)}, {json.dumps(output)})")
        plain = [[kind, run.strip()] for kind, run in found if run.strip()]
        assert plain == [[kind, run.strip()] for kind, run in expected if run.strip()], (complex_, output)
        assert "".join(run for kind, run in found if kind != "gone") == output


@pytest.mark.parametrize("width", [320, 1200])
def test_no_width_needs_scrolling_sideways(page: Browser, width: int) -> None:
    page.resize(width, 800)
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


def test_tables_of_a_whole_run_fit_1200_pixels(browser: Browser, tmp_path: Path) -> None:
    files = report_of(write_whole_run(tmp_path))
    browser.resize(1200, 900)
    browser.open(files.html)
    wide = (
        "(document.querySelectorAll('details').forEach((one) => { one.open = true; }), "
        "[...document.querySelectorAll('table')].filter((one) => one.checkVisibility()"
        " && one.scrollWidth > one.parentElement.clientWidth).map((one) => one.closest('[id]').id))"
    )
    assert browser.evaluate("document.querySelectorAll('table').length") > 50
    assert len(browser.requests) == 1 and browser.complaints == []
    assert browser.evaluate(wide) == []
    browser.resize(900, 900)
    assert browser.evaluate(wide) != [], "this test can fail"


def test_print_leaves_out_what_a_script_shows(browser: Browser, report: Path) -> None:
    browser.open(report)
    assert len(browser.texts(".live")) == 2
    browser.call("Emulation.setEmulatedMedia", media="print")
    assert browser.texts(".live") == []
    browser.call("Emulation.setEmulatedMedia", media="")


def test_tables_fold_and_contents_are_filtered(browser: Browser, tmp_path: Path) -> None:
    empty = framed((), [], {Column(header="A"): []})
    folded = [Table(f"{key}-table", f"Of {key}", "", empty, folded=True) for key in ("dev", "SARI")]
    plain = Table("plain", "Of plain", "", empty)
    html = page_of("T", Opening(plain), [Section("all", "All", [replace(plain, key="shown"), *folded])])
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    browser.open(tmp_path / "page.html")
    opened = "[...document.querySelectorAll('.fold')].filter((e) => e.open).map((e) => e.querySelector('.block').id)"
    keys = [table.key for table in folded]
    for event, expected in (("", []), ("beforeprint", keys), ("afterprint", [])):
        browser.evaluate(f"dispatchEvent(new Event('{event}'))")
        assert browser.evaluate(opened) == expected
    assert browser.texts(".block > h3") == ["Of plain"]
    for number, key in enumerate(keys, 1):
        browser.evaluate(f"location.hash = '{key}'")
        browser.until(f"{opened}.length === {number}")
    browser.click(".toc summary")
    browser.click(".toc input")
    browser.call("Input.insertText", text="sari OF")
    browser.until("document.querySelectorAll('.toc li li:not([hidden])').length === 1")
    assert browser.texts(".toc li li") == ["Of SARI"] and browser.complaints == []
