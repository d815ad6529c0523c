"""A share of the fuzzer, the kills and the races; `make nightly` runs them whole (CONTRIBUTING.md)."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from fuzzing import byte_edits, release_samples, table_edits, value_edits
from fuzzing.cases import changed_lines
from fuzzing.scenarios import SCENARIOS
from fuzzing.targets import TARGETS
from test_commands import COMMANDS

from textsimp.cli.command import Reads, Writes, marks_of
from textsimp.sources.formats import FORMATS

WITHOUT_SCENARIO = {"leaderboard"}
"""It writes what it fetches, as the scenario `fetch` does."""


def run(module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A program of tests/fuzzing in a process of its own: it forks, which the threads of other tests would not bear."""
    here = Path(__file__).resolve().parent
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(here.parent), str(here)])}
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, cwd=here.parent, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_input_of_every_command_is_tried(name: str) -> None:
    tried = {parameter for target in TARGETS if target.command == name for parameter in target.reads}
    marks = marks_of(COMMANDS[name])
    assert {key for key, mark in marks.items() if isinstance(mark, Reads)} <= tried, (
        "add a target to fuzzing/targets.py"
    )


def test_every_writing_command_is_killed_and_raced() -> None:
    writing = {name for name, main in COMMANDS.items() if any(isinstance(m, Writes) for m in marks_of(main).values())}
    named = {" ".join(scenario.run[1:3]) for scenario in SCENARIOS} | {scenario.run[1] for scenario in SCENARIOS}
    assert writing - WITHOUT_SCENARIO <= named, "add a scenario to fuzzing/scenarios.py"


def test_every_format_is_tried() -> None:
    assert release_samples.WRITERS.keys() == FORMATS.keys()


@pytest.mark.parametrize("edit", [*byte_edits.LOCAL, *byte_edits.WIDE, table_edits.edit_rows, table_edits.edit_markup])
@pytest.mark.parametrize("data", [b"", b"\n", b"one line", b"<a>1</a>\n<b x='2'/>\ntwo\n"])
def test_every_mutation_takes_any_bytes_and_changes_some(edit: byte_edits.ByteEdit, data: bytes) -> None:
    changed = [edit(Random(seed), data) for seed in range(40)]
    assert changed == [edit(Random(seed), data) for seed in range(40)], "the seed says everything"
    assert any(one != data for one in changed) or len(data) < 10 or edit is byte_edits.splice_itself


@pytest.mark.parametrize("edit", value_edits.EDITS)
def test_every_mutation_of_values_is_written(edit: value_edits.ValueEdit) -> None:
    for seed in range(40):
        tree = [{"a": [1, "x", {"b": None}], "c": "y"}]
        edit(Random(seed), Random(seed).choice(list(value_edits.places(tree))))
        assert value_edits.written(tree).startswith("[")


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        (b"a\nb\nc\n", b"a\nX\nc\n", (2, 2)),
        (b"a\nb\nc\n", b"a\nc\n", (2, 2)),
        (b"a\nb\nc\n", b"a\nb\nX\nY\nc\n", (3, 5)),
        (b"a\n", b"a\n", (2, 2)),
    ],
)
def test_changed_lines(before: bytes, after: bytes, lines: tuple[int, int]) -> None:
    assert changed_lines(before, after) == lines


def test_mutated_inputs_end_in_a_result_or_one_line() -> None:
    done = run("fuzzing", "100", "--seed", "test")
    assert done.returncode == 0 and "100 cases, seed test" in done.stdout, done.stdout + done.stderr


def test_kills_lose_nothing() -> None:
    done = run("fuzzing.kills", "--only", "pair,align,export", "--most", "3")
    assert done.returncode == 0 and "9 kills, 0 with faults" in done.stdout, done.stdout + done.stderr


def test_races_end_in_one_output() -> None:
    done = run("fuzzing.races", "--only", "pair,export", "--times", "1")
    assert done.returncode == 0 and "4 races, 0 with faults" in done.stdout, done.stdout + done.stderr
