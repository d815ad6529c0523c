"""The command `textsimp rewriting`, as a user calls it."""

from pathlib import Path

import pytest
from commands import done, refused, run

from textsimp.core.results import Results

COMPLEX = "The old club closed in May.\nThe club closed in May, and Vale moved away.\n"
FILES = {
    "c.txt": COMPLEX,
    "a.txt": "The club closed in May.\nThe club closed in May. Vale moved away.\n",
    "b.txt": COMPLEX,
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


TWO = ("rewriting", "--complex", "c.txt", "--output", "copy=b.txt", "--output", "mine=a.txt", "--samples")


@pytest.mark.usefixtures("folder")
def test_json() -> None:
    Path("results.json").write_text(done(*TWO, 100, "--json").stdout, encoding="utf-8")
    results = Results.read("results.json")
    assert results.systems("test") == ["copy", "mine"]
    mine = {name: estimate.value for name, estimate in results.measures("test", "mine").items()}
    assert (mine["units"], mine["aligned"], mine["classes.deletion"], mine["classes.splitting"]) == (2, 100, 50, 50)
    assert results.compared("test", "classes.copy", "mine", "copy").difference == -100


@pytest.mark.usefixtures("folder")
def test_table() -> None:
    lines = done(*TWO, 9).stdout.splitlines()
    assert lines[0] == "copy: 2 units, 100.0 percent aligned"
    assert lines[1].split() == ["copy", "100.0", "[100.0,", "100.0]"]
    assert any(line.split()[:2] == ["splitting", "50.0"] and "+50.0, p " in line for line in lines)
    assert lines[-1].startswith("rewriting|language:english|")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("output", "more", "message"),
    [
        ("=a.txt", (), "--output '=a.txt': expected NAME=FILE or FILE"),
        ("a=absent.txt", (), "absent.txt: no such file"),
        ("a=short.txt", (), "short.txt:2: 1 lines where c.txt has 2"),
        ("a=a.txt", ("--output", "a=b.txt"), "the name 'a' is given twice"),
        ("a=a.txt", ("--samples", "0"), "'--samples': Input should be greater than or equal to 1"),
        ("a=pairs.jsonl", (), "pairs.jsonl: holds document pairs (JSON Lines); give a text with a sentence a line"),
        ("a=long.txt", (), "long.txt:2: a line of more than 1000 words"),
        ("a.txt", ("--complex", "german.txt"), "german.txt: looks like de; give English texts"),
    ],
)
def test_bad_input_is_one_line_and_status_2(output: str, more: tuple[str, ...], message: str, folder: Path) -> None:
    (folder / "short.txt").write_text("One line.\n", encoding="utf-8")
    (folder / "pairs.jsonl").write_text('{"complex": {"paragraphs": [["One."]]}}\n')
    (folder / "long.txt").write_text("One line.\n" + "word " * 1001, encoding="utf-8")
    (folder / "german.txt").write_text("Die Stadt hat das Haus und der Turm ist nicht mehr da.\n" * 2, encoding="utf-8")
    refused(run("rewriting", "--complex", "c.txt", "--output", output, *more), message)


@pytest.mark.parametrize(("text", "message"), [("", "no sentence in it"), ("A word.\n \n", "c.txt:2: a blank line")])
def test_empty_complex_side(folder: Path, text: str, message: str) -> None:
    (folder / "c.txt").write_text(text, encoding="utf-8")
    refused(run("rewriting", "--complex", "c.txt", "--output", "a=c.txt"), message)
