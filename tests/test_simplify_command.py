"""`textsimp simplify` and `textsimp.simplify`: texts in and out, outputs with their checks, bad input."""

import json
from collections.abc import Callable
from pathlib import Path

import commands
import pytest
from commands import refused
from simplifier_sample import write_simplifier
from typer.testing import Result

import textsimp
from textsimp.alignment.fitted import DEFAULT
from textsimp.cli.simplify import COLUMNS
from textsimp.core.errors import InputError
from textsimp.simplification import interface
from textsimp.simplification.running_text import joined, parts_of_text, reason_to_keep

TEXT = (
    "# The bee\n\n"
    "In 1990, Dr. Brown visited Paris with 12\nstudents. They did not stay long!\n\n"
    "- Honey is sweet.\n- Wax is soft. It melts.\n\n"
    "| a | b |\n| 1 | 2 |\n"
)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trained")
    write_simplifier(folder)
    return folder / "simplifier"


def run(*arguments: object, given: str | bytes | None = None) -> Result:
    return commands.run("simplify", *arguments, text=given)


def write(path: Path, text: str = TEXT) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_a_text_keeps_its_paragraphs_lists_headings_and_tables(tmp_path: Path, told: Callable[..., None]) -> None:
    told(lambda sentence: [f"<{sentence}>"])
    result = run(write(tmp_path / "a.txt"), "--model", tmp_path / "model")
    assert result.exit_code == 0, result.output
    assert result.stdout == (
        "# The bee\n\n"
        "<In 1990, Dr. Brown visited Paris with 12 students.> <They did not stay long!>\n\n"
        "- <Honey is sweet.>\n- <Wax is soft.> <It melts.>\n\n"
        "| a | b |\n| 1 | 2 |\n"
    )
    assert result.stderr.startswith("-: 5 sentences, ")
    parts = parts_of_text(TEXT, "en", "auto")
    assert [part.line for part in parts if not part.kept] == [3, 4, 6, 7, 7]


@pytest.mark.parametrize(
    "text",
    [
        "----\n\nOne came. Two left.\n\n----\n\nThree stayed.\n",
        "Title\n=====\n\nOne came here.\n---\nTwo left here.\n\n***\n",
        "| a | b |\n|---|---|\n| c | d |\n\n- one\n- two\n",
        "Bring these:\n- one\n  * two of it\n  * three of it\n- four\n",
        "  1. One came.\n     a) Two left.\n     b) Three stayed.\n---\n  2. Four slept.\n",
        "Name    Age   City\nOrla     34   Cork\n\nOne came.\n",
        "one\ttwo\tthree\nfour\tfive\tsix\n",
        "One came.\n\n```python\nx = vast(y)\n    return  x\n```\nTwo left.\n\n~~~\nz\n~~~\n",
        "One came.\n\n```\n\nTwo left.\n",
        "```\na\n```b\n  c   d\n```\n",
        "这是第一句话。这是第二句话。 这是第三句话。\n",
    ],
)
def test_lines_of_dashes_and_lists_keep_their_places(text: str) -> None:
    parts = parts_of_text(text, "en", "auto")
    assert joined(parts, [part.text for part in parts]) == text


def test_line_by_line_every_line_has_its_line(tmp_path: Path, told: Callable[..., None]) -> None:
    told(lambda sentence: [f"<{sentence}>"])
    for option in (["--lines"], ["--lines", "sentences"]):
        result = run("-", *option, "--model", tmp_path / "model", given="One. Two.\n\n - three\n42\n\n")
        assert result.stdout == "<One. Two.>\n\n<- three>\n42\n\n"


def test_a_table_has_every_output_with_its_checks(tmp_path: Path, told: Callable[..., None]) -> None:
    told(lambda sentence: [sentence.replace("12", "13").replace("not ", ""), sentence, ""])
    output = tmp_path / "out.tsv"
    assert run(write(tmp_path / "a.txt"), output, "--model", tmp_path / "model", "--n-best", 3).exit_code == 0
    head, *rows = [line.split("\t") for line in output.read_text().splitlines()]
    assert tuple(head) == COLUMNS
    table = [dict(zip(head, row, strict=True)) for row in rows]
    assert [row["rank"] for row in table] == ["", *["1", "2", "3"] * 5, "", ""]
    first, copy, empty = table[1:4]
    assert (first["line"], first["alarms"]) == ("3", "number lost: 12; number invented: 13")
    assert (copy["alarms"], copy["score"]) == ("", "-1.0000") and copy["output"] == copy["input"]
    assert empty["alarms"] == "empty output" and float(empty["grade_before"]) > 3
    assert table[4]["alarms"] == "negation lost: not"
    assert table[0]["kept"] == "no sentence"
    result = run(tmp_path / "a.txt", "--model", tmp_path / "model", "--format", "jsonl")
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert found[1]["outputs"][0]["alarms"] == ["number lost: 12", "number invented: 13"] and found[0]["outputs"] == []
    keys = {"text", "score", "alarms", "left_out", "grade_before", "grade_after", "length_ratio", "copy"}
    assert set(found[1]["outputs"][0]) == keys


def test_the_worst_sentences_are_named(tmp_path: Path, told: Callable[..., None]) -> None:
    told(lambda sentence: [sentence.replace("12", "13").replace("Paris", "Rome").replace("not ", "")])
    path = write(tmp_path / "a.txt")
    result = run(path, "--model", tmp_path / "model", "--checks")
    assert "checks: 2 of 5 sentences have alarms" in result.stderr
    lines = [line for line in result.stderr.splitlines() if line.startswith(str(path))]
    assert [line.split(":")[1] for line in lines] == ["3", "4"]
    assert "name invented: Rome" in lines[0] and lines[1].endswith("negation lost: not")
    assert run(path, "--model", tmp_path / "model", "--checks", "--quiet").stderr == ""
    kept = run(path, "--model", tmp_path / "model", "--keep-on-alarm").stdout
    assert "with 12 students" in kept and "Honey is sweet" in kept


def test_equal_sentences_are_simplified_once(tmp_path: Path, told: Callable[..., None]) -> None:
    seen: list[str] = []
    told(lambda sentence: [seen.append(sentence) or sentence])  # type: ignore[func-returns-value]
    text = "Bees fly.\n" * 3 + "Cats sleep here.\n"
    result = run("-", "--lines", "--model", tmp_path / "model", "--batch-size", 1, given=text)
    assert result.stdout.count("\n") == 4 and seen == ["Bees fly.", "Cats sleep here."]


def test_what_is_no_sentence() -> None:
    text = "The bee\n=======\n\nBees fly.\n\n```\na b\n```\n\nName   Age\nOrla   34\n"
    assert [part.text for part in parts_of_text(text, "en", "auto") if not part.kept] == ["Bees fly."]
    justified = "The board said on Monday   that it bought\na new crane to lift   boats, and that   it would\nbe used."
    for text, kept in ((justified, [""]), ("Rent        1,200\nHeating        90\n", ["no sentence"] * 2)):
        assert [part.kept for part in parts_of_text(text, "en", "auto")] == kept
    for line in ("Nurses will prioritise.", "2 tbsp olive oil", "#newhome @plumbr_uk"):
        assert reason_to_keep(line, "en") == ""  # a short line in English


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("word " * 1000 + ".", "1001 words are no sentence"),
        ("Пчёлы делают мёд.", "another script"),
        ("蜜蜂酿蜜。", "another script"),
        ("Les abeilles font du miel dans une ruche.", "another language"),
    ],
)
def test_what_is_no_sentence_for_the_model_is_kept(
    tmp_path: Path, told: Callable[..., None], line: str, said: str
) -> None:
    told(lambda sentence: ["wrong"])
    result = run("-", "--lines", "--model", tmp_path / "model", given=f"{line}\nBees fly.\n\n")
    assert result.stdout == f"{' '.join(line.split())}\nwrong\n\n"
    assert f"warning: -:1: kept as it is, {said}" in result.stderr
    if said == "another language":
        options = ("-", "--lines", "--language", "fr", "--model", tmp_path / "model")
        assert run(*options, given=f"{line}\n").stdout == "wrong\n", "the language was said"


def test_a_gpu_without_memory_gives_the_batch_to_try(tmp_path: Path, told: Callable[..., None]) -> None:
    def full(sentence: str) -> list[str]:
        raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB")

    told(full)
    result = run("-", "--lines", "--model", tmp_path / "model", "--batch-size", 8, given="Bees fly.\n")
    refused(result, "the GPU's memory", "set --batch-size to 4 (it is 8)")


def test_a_trained_folder_simplifies_texts(tmp_path: Path, model: Path) -> None:
    path = write(tmp_path / "a.txt")
    first, second = (
        run(path, tmp_path / name, "--model", model, "--batch-size", size) for name, size in (("x", 1), ("y", 64))
    )
    assert (first.exit_code, second.exit_code) == (0, 0), first.output
    assert (tmp_path / "x").read_bytes() == (tmp_path / "y").read_bytes() != b""
    assert textsimp.simplify(TEXT, model) == (tmp_path / "x").read_text()
    simplifier = textsimp.load_simplifier(model)
    sentences = ["Many badgers live in the old forest.", "", "It hunts at night and sleeps by day!"]
    found = textsimp.simplify(sentences, simplifier)
    assert len(found) == 3 and found[1] == ""
    assert textsimp.simplify("----\n\n----", simplifier, lines="sentences") == "----\n\n----\n"
    few = run("-", "--model", model, "--n-best", 5, "--format", "tsv", given="Many badgers live in the forest.\n")
    assert "warning: the model gives 1 output for a sentence at most, not 5" in few.stderr


def test_without_a_model_the_remedy_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("absent", "none"):
        monkeypatch.setattr(interface, "SHIPPED", tmp_path / name)
        refused(run(write(tmp_path / "a.txt")), "no simplifier comes with", "--model")
        (tmp_path / "none").mkdir(exist_ok=True)
    with pytest.raises(InputError, match="no simplifier comes with"):
        textsimp.simplify("Bees fly.")


def test_folders_that_are_no_simplifier(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt")
    (tmp_path / "empty").mkdir()
    absent, empty = tmp_path / "absent", tmp_path / "empty"
    for folder, said in ((empty, "is no simplifier"), (DEFAULT, "simplifier"), (path, ""), (absent, "no such file")):
        refused(run(path, "--model", folder), str(folder), said)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "a text without sentences"),
        (b"\x89PNG\r\n\x1a\n\0\0", ":1: byte 0x89 is not UTF-8"),
        (b"Bees\0fly.", ":1: holds a NUL byte"),
    ],
)
@pytest.mark.parametrize("lines", [[], ["--lines"]])
def test_files_that_are_no_text(tmp_path: Path, model: Path, data: bytes, said: str, lines: list[str]) -> None:
    (tmp_path / "a.txt").write_bytes(data)
    refused(run(tmp_path / "a.txt", tmp_path / "out.txt", "--model", model, *lines), str(tmp_path / "a.txt"), said)
    assert not (tmp_path / "out.txt").exists()


def test_options_that_do_not_fit(tmp_path: Path, model: Path) -> None:
    path = write(tmp_path / "a.txt")
    refused(run(path, "--model", model, "--n-best", 2), "--n-best 2", "--suggestions", "--format")
    for name, text in (("a.txt", TEXT), ("a.html", "<html><p>a"), ("a.md", TEXT)):
        refused(run(write(tmp_path / name, text), tmp_path / "x.txt", "--lines", "foo"), "lines 'foo': unknown")
    for options in (["--format", "odt"], ["--device", "tpu"], ["--language", "xx"], ["--lines", "--language", "xx"]):
        refused(run(path, "--model", model, *options), f"'{options[-1]}'")
