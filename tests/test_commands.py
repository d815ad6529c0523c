"""What holds for every command of `textsimp`, and for one that is added tomorrow."""

import inspect
import os
import socket
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, get_args

import pytest
import typer
from commands import done, refused, run

from textsimp.cli.app import app
from textsimp.cli.command import Reads, Writes, marks_of
from textsimp.core.errors import InputError, bad_input, one_line
from textsimp.core.reading import iterate_lines, parse_json, read_lines, read_table
from textsimp.core.writing import (
    STALE,
    atomic_file,
    atomic_folder,
    atomic_write,
    claimed,
    growing_file,
    is_stream,
    partial_place,
    work_folder,
)


def commands(group: typer.Typer = app, prefix: str = "") -> Iterator[tuple[str, Callable[..., Any]]]:
    for info in group.registered_commands:
        assert info.callback is not None
        yield prefix + (info.name or info.callback.__name__), info.callback
    for inner in group.registered_groups:
        assert inner.typer_instance is not None
        yield from commands(inner.typer_instance, f"{inner.name} " if inner.name else prefix)


COMMANDS = dict(commands())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_path_is_marked_as_read_or_written(name: str) -> None:
    function = inspect.unwrap(COMMANDS[name])
    hints = inspect.get_annotations(function, eval_str=True)
    paths = {key for key, hint in hints.items() if get_args(hint) and _holds_path(get_args(hint)[0])}
    assert paths <= set(marks_of(function)), "mark it with Reads() or Writes() in its Annotated type"
    assert {type(mark) for mark in marks_of(function).values()} <= {Reads, Writes}


def _holds_path(kind: Any) -> bool:
    return kind is Path or any(_holds_path(part) for part in get_args(kind))


@pytest.fixture
def bees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the texts `a` and `b`."""
    monkeypatch.chdir(tmp_path)
    Path("a").write_text("Bees make honey.\n")
    Path("b").write_text("Bees make it.\n")
    return tmp_path


@pytest.mark.parametrize("output", ["a", "link", "hard"])
def test_no_command_overwrites_its_input(bees: Path, output: str) -> None:
    Path("link").symlink_to("a")
    Path("hard").hardlink_to("a")
    refused(run("convert", "a", "b", output), "is an input of this command too")
    assert Path("a").read_text() == "Bees make honey.\n"
    assert sorted(item.name for item in bees.iterdir()) == ["a", "b", "hard", "link"]


def test_outputs_that_are_no_plain_files(bees: Path) -> None:
    Path("target").write_text("old")
    Path("link").symlink_to("target")
    Path("folder").mkdir()
    for line in ("review a b", "simplify a --suggestions", "align a b - --html", "annotate a --html", "score a --html"):
        refused(run(*line.split(), "target"), "target: a page is written here; give a name that ends with .html")
    assert done("convert", "a", "b", "-").stdout.startswith('{"id"')
    assert done("convert", "a", "b", "/dev/null") and Path("/dev/null").is_char_device()
    done("convert", "a", "b", "link")
    assert Path("link").is_symlink() and Path("target").read_text().startswith('{"id"')
    for bad in ("folder", "a/x", "/proc/x", "/proc/nowhere/x", "x" * 300):
        refused(run("convert", "a", "b", bad), f"error: {bad}")
    refused(run("convert", "n" * 300, "b", "out"), "error: nnn")
    assert sorted(item.name for item in bees.iterdir()) == ["a", "b", "folder", "link", "target"]


def test_what_is_a_stream(tmp_path: Path) -> None:
    """What the system says of a path counts, and no name of it."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").write_text("")
    reader, writer = os.pipe()
    with socket.socket(socket.AF_UNIX) as bound, open(tmp_path / "file") as file:
        bound.bind(str(tmp_path / "socket"))
        streams = ["-", "/dev/null", str(tmp_path / "pipe"), str(tmp_path / "socket"), f"/dev/fd/{writer}"]
        others = [str(tmp_path / "file"), str(tmp_path), str(tmp_path / "none"), "/dev/no/file", "/proc/nowhere"]
        others += [f"/dev/fd/{file.fileno()}", f"/proc/self/fd/{file.fileno()}", "/dev/shm"]
        assert [name for name in [*streams, *others] if is_stream(name)] == streams
    for end in (reader, writer):
        os.close(end)
    for path in ("/dev/null", tmp_path / "pipe"):
        with pytest.raises(InputError, match="is a device or a pipe, not a file"), atomic_file(path):
            pass
    assert (tmp_path / "pipe").is_fifo() and Path("/dev/null").is_char_device()


def test_a_claimed_output_is_refused_and_what_is_left_is_taken_over(tmp_path: Path) -> None:
    output = tmp_path / "new" / "out.jsonl"
    with claimed([output]):
        assert [item.name for item in output.parent.iterdir()] == [".out.jsonl.textsimp-lock"]
        with pytest.raises(InputError, match="another run is at work on it"), claimed([output]):
            pass
    assert not output.parent.exists(), "folders that hold nothing go again"
    output.parent.mkdir()
    for ending in STALE:
        (output.parent / f".out.jsonl.{ending}").write_text("left by a killed run")
    others = [f".out.jsonl.{ending.removeprefix('textsimp-')}" for ending in STALE]
    for name in others:
        (output.parent / name).write_text("kept by somebody else")
    with claimed([output]), atomic_write(output) as file:
        file.write("new")
    assert output.read_text() == "new"
    assert sorted(item.name for item in output.parent.iterdir()) == sorted(["out.jsonl", *others])


def test_a_growing_file_may_be_claimed_by_the_same_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for path in (Path("grown"), tmp_path / "grown"):
        with claimed([path]), growing_file(Path("grown"), '{"a": 1}') as (lines, add):
            add("line\n")
        assert lines == [] and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 100_000, "nested too deeply"),
        ('{"a": ' * 100_000, "nested too deeply"),
        ("9" * 5000, "thousands of digits"),
        ("1e999", "too large"),
        ("NaN", "no JSON number"),
        ('"\\ud800"', "lone surrogate"),
        ('{"\\uDFFF": 1}', "lone surrogate"),
        ('{"a": 1, "a": 2}', "twice"),
        ("{", "not JSON"),
    ],
)
def test_json_that_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match=f"^file:7: .*{said}"):
        parse_json(text, "file", 7)
    assert parse_json('"\\ud83d\\ude00"', "file", None) == "\U0001f600", "a whole character is none"


@pytest.mark.parametrize(
    "data", [b"", b"a", b"a\n", b"\xef\xbb\xbfa\r\nb\r", b"a\r\r\nb\n\n", "a\u2028b\x0bc\n".encode()]
)
def test_lines_one_by_one_are_those_read_at_once(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "file").write_bytes(data)
    assert list(iterate_lines(tmp_path / "file")) == read_lines(tmp_path / "file")


def test_a_cell_that_never_ends_is_refused(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text('a,b\n1,"' + "x" * (1 << 25))
    with pytest.raises(InputError, match=r"table.csv:\d+: no table"):
        list(read_table(tmp_path / "table.csv"))


def test_a_message_is_never_longer_than_a_screen() -> None:
    message = str(bad_input("file", 3, "x" * 10_000_000, "mend it"))
    assert len(message) < 1100 and message.startswith("file:3: xx") and message.endswith("x; mend it")
    assert len(one_line("y\n" * 10_000_000)) < 1100


def test_names_that_are_no_text_can_be_reported(tmp_path: Path) -> None:
    with atomic_write(tmp_path / "report") as file:
        file.write("file \udcff")
    assert read_lines(tmp_path / "report") == ["file \\udcff"]


def test_what_a_kill_left_of_a_partial_folder_is_taken_over_and_a_folder_of_others_is_not(tmp_path: Path) -> None:
    folder = partial_place(tmp_path / "out")
    (folder / "blocks").mkdir(parents=True)
    (folder / "blocks" / "0").write_text("half removed")
    with work_folder(folder, ".work", "inputs.json"):
        assert (folder / ".work").is_dir()
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "sea").write_text("blue")
    for write in (partial(work_folder, work=".work"), atomic_folder):
        with pytest.raises(InputError, match="holds other things"), write(tmp_path / "photos", mark="model.json"):
            pass
    assert (tmp_path / "photos" / "sea").read_text() == "blue"
