"""The command `textsimp browse`: aligned documents of one's own as a page, with and without gold alignments."""

from dataclasses import replace
from pathlib import Path

import pytest
from browser_driver import Browser
from report_page_sample import NAMES, PREDICTED, pair_rows
from typer.testing import CliRunner

from textsimp.cli import app
from textsimp.core.records import pair_from_json, read_pairs, write_pairs


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


def browse(*arguments: object) -> str:
    """What the command prints; it has to succeed."""
    result = CliRunner().invoke(app, ["browse", *map(str, arguments)])
    assert result.exit_code == 0, result.output
    return result.output


def numbers(browser: Browser, *selectors: str) -> list[int]:
    return [len(browser.texts(selector)) for selector in selectors]


def test_without_gold_a_link_is_a_link(browser: Browser, files: tuple[Path, Path], tmp_path: Path) -> None:
    said = browse(files[1], "--html", tmp_path / "page.html")
    assert said.startswith(f"{tmp_path / 'page.html'}: 3 of 3 document pairs in ")
    browser.open(tmp_path / "page.html")
    assert browser.evaluate("document.querySelector('h1').textContent") == f"Alignments of {files[1].name}"
    assert browser.evaluate("[...document.querySelectorAll('.row .name')].map((e) => e.textContent)") == NAMES
    links = len(PREDICTED["neural_crf"][0])
    assert numbers(browser, ".links .chip.link", "[data-part=errors]") == [links, 0]
    assert numbers(browser, ".summary .chip", "[data-part=system]", ".row .bad") == [0, 0, 0]
    assert len(browser.requests) == 1 and browser.complaints == []


def test_with_gold_the_errors_are_shown(browser: Browser, files: tuple[Path, Path], tmp_path: Path) -> None:
    browse(files[1], "--html", tmp_path / "page.html", "--gold", files[0])
    browser.open(tmp_path / "page.html")
    kinds = [f".links .chip.{kind}" for kind in ("right", "label", "missed", "wrong")]
    assert numbers(browser, *kinds) == [2, 1, 1, 1]
    assert numbers(browser, "[data-part=errors]", ".row .bad") == [1, 2]
    assert browser.complaints == []


def test_of_many_pairs_a_sample_is_shown(browser: Browser, files: tuple[Path, Path], tmp_path: Path) -> None:
    assert "2 of 3 document pairs" in browse(files[1], "--html", tmp_path / "page.html", "--pairs", 2)
    browser.open(tmp_path / "page.html")
    assert browser.evaluate("document.querySelector('.live > .text').textContent") == (
        "2 of 3 pairs, chosen by a digest of their names."
    )
    assert numbers(browser, ".row") == [2]


def test_the_same_file_gives_the_same_page(files: tuple[Path, Path], tmp_path: Path) -> None:
    for name in ("one.html", "two.html"):
        browse(files[1], "--html", tmp_path / name)
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()


def test_wrong_files_are_named_and_nothing_is_written(files: tuple[Path, Path], tmp_path: Path) -> None:
    pairs = list(read_pairs(files[1]))
    write_pairs(tmp_path / "plain.jsonl", [replace(pair, alignments=None) for pair in pairs])
    write_pairs(tmp_path / "fewer.jsonl", pairs[:2])
    write_pairs(tmp_path / "none.jsonl", [])
    html = ["--html", str(tmp_path / "page.html")]
    wrong = {
        "has no 'alignments'; run `textsimp align`": ["plain.jsonl"],
        "holds no document pairs": ["none.jsonl"],
        "fewer.jsonl: no document pair": ["fewer.jsonl", "--gold", str(files[0])],
        "'--pairs': Input should be greater than or equal to 1": [files[1].name, "--pairs", "0"],
        "no such file": ["absent.jsonl"],
    }
    for reason, (name, *options) in wrong.items():
        result = CliRunner().invoke(app, ["browse", str(tmp_path / name), *html, *options])
        assert result.exit_code == 2 and reason in result.stderr, result.output
    assert not (tmp_path / "page.html").exists()
