"""The fuzzer finds what it is for; a share of it and of the kills and races; `make nightly` runs them whole."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from fuzzing import runner, samples
from fuzzing.damages import BYTES, PIECES, Case, other_bytes
from fuzzing.kills import Stage
from fuzzing.runner import Ended, Folders, judge, tried
from fuzzing.targets import TARGETS, Target, check_outputs, command_of, files_of
from test_commands import COMMANDS

from textsimp.cli.command import Reads, Writes, marks_of
from textsimp.core.errors import InputError
from textsimp.sources.formats import FORMATS

GOOD = b"good\n"
NOT_KILLED = {"leaderboard"}
"""It writes what it fetches, as the stage `acquire` does."""


def run(module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A program of tests/fuzzing in a process of its own: it forks, which the threads of other tests would not bear."""
    here = Path(__file__).resolve().parent
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(here.parent), str(here)])}
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, cwd=here.parent, env=environment, capture_output=True, text=True, check=False)


def test_every_input_of_every_command_is_tried() -> None:
    for name, main in COMMANDS.items():
        tried = {key for target in TARGETS if target.command == name for key in files_of(target.words)[0]}
        reads = {key for key, mark in marks_of(main).items() if isinstance(mark, Reads)}
        assert reads <= tried, f"{name}: add a target to fuzzing/targets.py"


def test_every_writing_command_is_killed_and_raced() -> None:
    writing = {name for name, main in COMMANDS.items() if any(isinstance(m, Writes) for m in marks_of(main).values())}
    killed = {target.command for target in TARGETS if target.before is not None}
    assert writing - NOT_KILLED <= killed, "give a target in fuzzing/targets.py its `before`"


def test_every_format_is_tried() -> None:
    assert samples.RELEASES.keys() == FORMATS.keys() == {t.words[1] for t in TARGETS if t.words[0] == "format"}


@pytest.mark.parametrize("kind", PIECES)
@pytest.mark.parametrize("data", [b"", b"\n", b"one line", b'<a>1</a>\n{"b": [2, "x"]}\n\t3,4\n', b"".join(BYTES)])
def test_every_damage_takes_any_bytes_and_changes_some(kind: str, data: bytes) -> None:
    changed = [other_bytes(Random(seed), kind, data) for seed in range(40)]
    assert changed == [other_bytes(Random(seed), kind, data) for seed in range(40)], "the seed says everything"
    assert len(set(changed)) > 3


def fake(misbehave: Callable[[], object]) -> Target:
    """A target that copies a file, and does something else where the file is not as it was."""

    def call() -> None:
        if not Path("in.txt").is_file() or Path("in.txt").read_bytes() != GOOD:
            misbehave()
        else:
            Path("out.txt").write_bytes(GOOD)

    def build(folder: Path) -> None:
        (folder / "in.txt").write_bytes(GOOD)

    return Target("fake", build, "", reads=("in.txt",), writes=("out.txt",), call=call, seconds=1)


def refuse(*lines: str, files: dict[str, str] | None = None, status: int = 2) -> None:
    for name, text in (files or {}).items():
        if name == "in.txt" and not Path(name).is_file():
            return
        Path(name).write_text(text)
    print(*lines, sep="\n", file=sys.stderr)
    raise SystemExit(status)


def failing(error: Exception) -> None:
    raise error


LINE = "error: in.txt:1: no good; write better"
MISBEHAVIOUR: dict[str, tuple[str, Callable[[], object]]] = {
    "a line": ("refused", lambda: refuse(LINE)),
    "an exception for bad input": ("refused", lambda: failing(InputError(LINE[7:]))),
    "a defect": ("defect", lambda: {}["x"]),
    "a signal": ("defect", lambda: os.kill(os.getpid(), signal.SIGKILL)),
    "waiting": ("hang", lambda: time.sleep(1000)),
    "a changed input": ("input changed", lambda: refuse(files={"in.txt": "new"}, status=0)),
    "a half-written output": ("left over", lambda: refuse(LINE, files={"out.txt": "go"})),
    "a file that is left": ("left over", lambda: refuse(files={".out.txt.textsimp-tmp": "go"}, status=0)),
    "two lines": ("not one line", lambda: refuse(LINE, LINE)),
    "no line": ("not one line", lambda: refuse()),
    "another file": ("wrong file", lambda: refuse("error: out.txt: no good")),
    "no memory": ("memory", lambda: refuse("error: not enough memory")),
}


@pytest.mark.parametrize("name", MISBEHAVIOUR)
def test_what_a_command_must_not_do_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    verdict, misbehave = MISBEHAVIOUR[name]
    monkeypatch.setattr(runner, "SLACK", 1 if verdict == "hang" else 3)
    monkeypatch.setattr(os, "environ", dict(os.environ))
    target, folders = fake(misbehave), Folders(tmp_path)
    found = [tried(folders, target, Random(seed))[:2] for seed in range(2 if verdict == "hang" else 6)]
    assert {what for _, what in found} - {"accepted"} == {verdict}, found


def test_a_good_input_gives_what_it_gave() -> None:
    case, done, expected = Case((), path="in.txt", is_good=True), Ended(0, "", ""), {"out": b"x", "-": ""}
    assert judge(case, done, {}, {"out": b"x"}, ["in.txt"], ["out"], expected) == ("accepted", "")
    assert judge(case, done, {}, {"out": b"y"}, ["in.txt"], ["out"], expected)[0] == "senseless"
    assert judge(case, Ended(0, "z", ""), {}, {"out": b"x"}, ["in.txt"], ["out"], expected)[0] == "senseless"
    assert judge(case, Ended(2, "", LINE), {}, {}, ["in.txt"], ["out"], expected)[0] == "good input refused"
    assert judge(case, done, {"out": b"x"}, {"out": b"y"}, ["out"], ["out"], {})[0] == "input changed"


@pytest.mark.parametrize(
    ("line", "file", "text", "printed"),
    [
        ("align a b out.jsonl", "out.jsonl", '{"id"', ""),
        ("review a b page.html", "page.html", "<html><body>", ""),
        ("simplify a out.txt --lines", "out.txt", "one\ntwo\n", ""),
        ("human summary a --json", "x", "", '{"a": NaN}'),
    ],
)
def test_an_output_without_sense_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, file: str, text: str, printed: str
) -> None:
    monkeypatch.chdir(tmp_path)
    samples.put(tmp_path, {"a": "one\n", file: text})
    with pytest.raises((AssertionError, InputError, ValueError)):
        check_outputs(Target(line, samples.texts), printed)


def test_an_output_that_is_torn_by_a_kill_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", dict(os.environ))

    def call() -> None:
        for text in ("half", "whole"):
            Path("out.txt").write_text(text)

    stage = Stage(Target("fake", fake(print).build, "", writes=("out.txt",), call=call), Folders(tmp_path))
    assert stage.events == 2
    assert list(stage.killed(1)) == []
    assert list(stage.killed(2)) == ["out.txt is neither the old nor the new one"]
    assert list(stage.raced(2)) == []


def test_command_lines_are_told_apart() -> None:
    assert command_of(["human", "export", "out", "--count", "2"])[1] == ["out", "--count", "2"]
    reads, writes = files_of("score --complex a --output b c --reference d".split())
    assert reads == {"complex_file": [Path("a")], "output": [Path("b"), Path("c")], "reference": [Path("d")]}
    assert writes == []


def test_damaged_inputs_end_in_a_result_or_one_line() -> None:
    only = "convert,annotate ann,format asset,stages.load_splits"
    done = run("fuzzing.runner", "24", "--seed", "test", "--only", only)
    assert done.returncode == 0 and "24 cases, seed test" in done.stdout, done.stdout + done.stderr


def test_kills_and_races_lose_nothing() -> None:
    only = "convert hard.txt,human export out --complex"
    done = run("fuzzing.kills", "--only", only, "--kills", "2", "--races", "1")
    assert done.returncode == 0 and ", 0 with faults" in done.stdout, done.stdout + done.stderr
