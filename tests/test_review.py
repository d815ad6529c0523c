"""The pages for an editor: `textsimp review`, and the suggestions of `textsimp simplify`."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from annotation_browser import again
from browser_driver import Browser
from commands import done

from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link
from textsimp.reporting.review_page import readability, review_page, text_notices

_OTTER = "The otter, which Dr. Brown saw near Cork in 1990, often swims in the river."
HARD = (_OTTER, "It does not eat 12 kinds of fish."), ("The decision was announced by Mayor Walsh on 4 March 2021.",)
EASY = (("Dr. Brown saw the otter near Cork in 1991.",), ("It eats fish.", "Otters live in Dublin."))
POLISH = "Pszczoła jest owadem, który żyje w ulu z wieloma innymi pszczołami, zbierającymi latem nektar z kwiatów."
GERMAN = "Die Biene ist ein Insekt, und sie lebt mit den anderen in dem Stock, der für sie das Haus ist."


def pair_of(
    hard: Sequence[Sequence[str]] = HARD, easy: Sequence[Sequence[str]] = EASY, *links: tuple[int, int]
) -> DocumentPair:
    """A document pair with links from simple to complex sentences."""
    one, two = (Document(f"{level}", level, tuple(map(tuple, text))) for level, text in enumerate((hard, easy)))
    return DocumentPair("h--e", "own", "h", one, two, tuple(Link(*ends, AlignmentLabel.ALIGNED) for ends in links))


def write(path: Path, page: str) -> Path:
    path.write_text(page, encoding="utf-8")
    return path


def test_what_was_left_out_added_and_changed_weighs_by_its_words() -> None:
    _, points = review_page(("h.txt", "e.txt"), pair_of(HARD, EASY, (0, 0), (1, 1)), "en", (), ())
    assert [(point.kind, point.weight, point.text) for point in sorted(points, key=lambda point: -point.weight)] == [
        ("left out", 21, HARD[1][0]),
        ("number", 10, "invented: 1991"),
        ("negation", 8, "lost: not"),
        ("number", 5, "left out: 1990"),
        ("number", 5, "left out: 12"),
        ("limit", 4, "left out: often"),
        ("added", 4, EASY[1][1]),
        ("shortened", 3, HARD[0][1]),
    ]
    assert points[-1].note == "nowhere in the easy text: decision, announced, Mayor, Walsh, 4, March, 2021"


def test_a_fact_that_stands_elsewhere_weighs_little() -> None:
    hard = [["He was born in Cork in 1990.", "He swims."]]
    pair = pair_of(hard, [["He was born in Cork.", "He has swum since 1990."]], (0, 0), (1, 1))
    _, points = review_page(("h", "e"), pair, "en", (), ())
    assert {(point.weight, point.note) for point in points} == {(1, "the other text has it elsewhere")}


@pytest.mark.parametrize(
    ("hard", "easy", "said"),
    [
        (EASY, HARD, ["e.txt: is harder than h.txt (Flesch-Kincaid grade", "swapped?"]),
        (HARD, [[POLISH, POLISH]], ["e.txt: looks like no language with rules here"]),
        (HARD, [[GERMAN], ["The otter that was in the river is old."]], ["e.txt: 1 of 2 paragraphs look like de"]),
        (HARD, [[GERMAN, GERMAN]], ["e.txt: looks like de, was split as en"]),
        (HARD, [["An otter.", "a | b"]], ["e.txt: a table stands in the text, at S2;"]),
        ([["A [[cat|Cat]] sat.", "A <b>cat</b> ran."]], [["Cats."]], ["h.txt: markup stands in the text, at C1 and 1"]),
    ],
)
def test_what_is_odd_about_the_texts_is_said(
    hard: Sequence[Sequence[str]], easy: Sequence[Sequence[str]], said: list[str]
) -> None:
    pair = pair_of(hard, easy)
    notices = text_notices((Path("h.txt"), Path("e.txt")), pair, "en", readability(pair, "en"))
    assert len(notices) == 1 and all(part in notices[0] for part in said), notices


def test_a_grade_is_of_english_alone() -> None:
    pair = pair_of([[GERMAN]], [[GERMAN]])
    assert readability(pair, "de")[-1][0] == "LIX"
    assert readability(pair, "en")[-1][0] == "words of more than six letters, in percent"


def test_two_files_give_one_page(tmp_path: Path) -> None:
    hostile = "</script><script>alert(1)</script>"
    write(tmp_path / "h.txt", f"The old otter often swims in the cold river. {hostile} is text.\n")
    write(tmp_path / "e.html", f"<p>The otter swims in the river.<p>{hostile.replace('<', '&lt;')}")
    for name in ("one.html", "two.html"):
        result = done("review", tmp_path / "h.txt", tmp_path / "e.html", tmp_path / name)
    assert "markup stands in the text, at C1" in result.stderr
    made = (tmp_path / "one.html").read_text()
    assert made == (tmp_path / "two.html").read_text()
    assert "&lt;script&gt;alert(1)" in made and "<script>alert" not in made


def test_points_are_filtered_and_sorted(browser: Browser, tmp_path: Path) -> None:
    pair = pair_of(HARD, EASY, (0, 0), (1, 1))
    page, _ = review_page(("h.txt", "e.txt"), pair, "en", ["e.txt: odd"], readability(pair, "en"))
    browser.open(write(tmp_path / "page.html", page))
    assert browser.texts(".notice") == ["e.txt: odd"]
    assert browser.texts("[data-part=filters] label")[1:3] == [" number (3)", " negation (1)"]
    browser.click("input[value=number]")
    assert browser.texts(".points b") == ["left out", "negation", "limit", "added", "shortened"]
    order = "Object.assign(document.querySelector('select'), {value: 'row'})"
    browser.evaluate(f"{order}.dispatchEvent(new Event('change', {{bubbles: true}}))")
    assert browser.texts(".points b") == ["limit", "negation", "shortened", "added", "left out"]
    browser.resize(400, 800)
    assert browser.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    browser.resize(1200, 900)
    assert len(browser.requests) == 1 and browser.complaints == []


def test_suggestions_are_accepted_edited_refused_and_kept(
    browser: Browser, tmp_path: Path, told: Callable[..., None]
) -> None:
    told(lambda sentence: [sentence.replace("12", "13"), sentence.replace("purchase", "buy"), sentence])
    text = "We purchase 12 cows. We purchase hay.\n\n- They purchase <b>.\n- They sleep.\n"
    arguments = ["--suggestions", tmp_path / "page.html", "--model", tmp_path / "model", "--n-best", 3]
    assert done("simplify", write(tmp_path / "a.txt", text), *arguments).stdout == ""
    browser.open(tmp_path / "page.html")
    assert browser.texts(".points b") == ["number", "number"]
    assert browser.texts("[data-part=status]") == ["0 of 3 suggestions decided."]
    assert browser.evaluate("new Decisions(JSON.parse(data.textContent)).text") == text
    browser.click("[name=c0][value='1']")
    browser.click("[name=c1][value=keep]")
    browser.evaluate(
        "const own = document.querySelector('[name=t2]'); own.value = 'They buy it.';"
        "own.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    again(browser, tmp_path / "page.html")
    assert browser.texts("[data-part=status]") == ["3 of 3 suggestions decided."]
    browser.click("[data-part=text]")
    decided = "We buy 12 cows. We purchase hay.\n\n- They buy it.\n- They sleep.\n"
    assert browser.downloaded("a.txt").read_text() == decided
    browser.click("[data-part=html]")
    assert "<p>We buy 12 cows. We purchase hay.</p><p>- They buy it.</p>" in browser.downloaded("a.html").read_text()
    assert browser.complaints == []
