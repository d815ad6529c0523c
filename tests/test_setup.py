"""The set-up: what a machine lacks is said in one line before anything is installed, and nothing is done twice."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BASICS = ("sh", "cat", "cksum", "mkdir", "printf", "rm")
EXACT = re.compile(r"[A-Za-z0-9._-]+==[^\s;]+")
PYTHON = f'exec "{sys.executable}" "$@"'


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """The folder of programs of a bare machine: a shell and its helpers, no Python, no compiler."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in BASICS:
        (programs / name).symlink_to(shutil.which(name) or pytest.skip(f"no {name} here"))
    return programs


def program(folder: Path, name: str, text: str) -> None:
    (folder / name).unlink(missing_ok=True)  # never write through a link to the real program
    (folder / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    (folder / name).chmod(0o755)


def setup(programs: Path, venv: str = "venv", **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the set-up in an empty project beside the folder of programs."""
    command = [str(programs / "sh"), str(ROOT / "tools" / "setup.sh"), venv]
    environment = {"PATH": str(programs), **variables}
    return subprocess.run(command, cwd=programs.parent, env=environment, capture_output=True, text=True, check=False)


def refused(done: subprocess.CompletedProcess[str], said: str, programs: Path) -> None:
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("error: ") and done.stderr.count("\n") == 1 and said in done.stderr
    assert done.stdout == ""
    assert not (programs.parent / "venv").exists()


OTHER = 'case "$2" in *exit*) exit 1;; *) echo 3.13.1;; esac'
NO_VENV = 'case "$2" in *ensurepip*) exit 1;; esac; exit 0'
NO_HEADERS = "cat >/dev/null; echo 'Python.h: No such file' >&2; exit 1"


@pytest.mark.parametrize(
    ("programs", "variables", "said"),
    [
        ({}, {}, "python3.11 is absent, python3 is absent, python is absent"),
        ({"python3": OTHER}, {}, "Python 3.11 is needed, no other version will do"),
        ({"python3": OTHER}, {}, "python3 is 3.13.1"),
        ({"python3.11": PYTHON}, {"PYTHON": "python9"}, "python9 is absent"),
        ({"python3.11": PYTHON}, {}, "a C compiler (gcc) is needed"),
        ({"python3.11": PYTHON, "gcc": "exit 0"}, {}, "a C++ compiler (g++) is needed"),
        ({"python3.11": PYTHON, "gcc": "exit 0", "g++": NO_HEADERS}, {}, "install Python's headers"),
        ({"python3.11": NO_VENV}, {}, "install its venv package"),
    ],
)
def test_what_is_lacking_is_one_line(
    machine: Path, programs: dict[str, str], variables: dict[str, str], said: str
) -> None:
    for name, text in programs.items():
        program(machine, name, text)
    refused(setup(machine, **variables), said, machine)


def test_an_environment_of_another_folder_is_left_alone(machine: Path, tmp_path: Path) -> None:
    owner, venv = tmp_path / "other folder", tmp_path / "shared"
    for folder in (owner / "tools", venv / "bin", venv / "installed"):
        folder.mkdir(parents=True)
    (owner / "tools" / "setup.sh").write_text("")
    program(venv / "bin", "python", PYTHON)
    (venv / "installed" / "project").write_text(f"1234 56 {owner}\n")
    for name in ("gcc", "g++"):
        program(machine, name, "exit 0")
    refused(setup(machine, str(venv)), f"is the environment of {owner}; remove it", machine)
    assert [path.name for path in (venv / "installed").iterdir()] == ["project"]
    shutil.rmtree(owner)
    assert "which is gone; it is taken over" in setup(machine, str(venv)).stdout


FILES = ("requirements.txt", "requirements-lm.txt", "requirements-fairseq.txt", "pyproject.toml")


@pytest.fixture
def project(machine: Path) -> Path:
    """A project whose environment records what pip is asked to install; everything is at hand."""
    for name in FILES:
        (machine.parent / name).write_text(f"{name}\n", encoding="utf-8")
    for name in ("gcc", "g++"):
        program(machine, name, "cat >/dev/null")
    installer = 'case "$1 $2" in "-m pip") printf "%s\\n" "$*" >>pip.log;; esac'
    making = 'mkdir -p "$3/bin"; cat "$0" >"$3/bin/python"; /bin/chmod +x "$3/bin/python"'
    program(machine, "python3.11", f'{installer}\ncase "$1 $2" in "-m venv") {making};; esac')
    return machine.parent


def installed(project: Path) -> list[str]:
    log = project / "pip.log"
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    log.unlink(missing_ok=True)
    return [line.split("--disable-pip-version-check ")[1] for line in lines]


STEPS = [
    "-r requirements.txt",
    "--no-deps -r requirements-lm.txt",
    "--no-deps --no-build-isolation -r requirements-fairseq.txt",
    "--no-deps --no-build-isolation -e .",
]


def test_four_steps_once(machine: Path, project: Path) -> None:
    assert setup(machine).returncode == 0
    assert installed(project) == STEPS
    again = setup(machine)
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")
    assert installed(project) == []


@pytest.mark.parametrize(("file", "step"), list(zip(FILES, STEPS, strict=True)))
def test_what_changed_is_installed_again(file: str, step: str, machine: Path, project: Path) -> None:
    setup(machine)
    installed(project)
    (project / file).write_text("changed\n", encoding="utf-8")
    assert setup(machine).returncode == 0
    assert installed(project) == [step]


def test_a_failed_step_is_tried_again(machine: Path, project: Path) -> None:
    setup(machine)
    (project / "venv" / "installed" / "fairseq").unlink()
    (project / "venv" / "installed" / "project").unlink()
    installed(project)
    assert setup(machine).returncode == 0
    assert installed(project) == STEPS[2:]


def test_every_requirement_is_exact() -> None:
    for name in FILES[:-1]:
        lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
        for line in lines:
            assert not line or line.startswith("#") or EXACT.fullmatch(line), f"{name}: {line!r} is no exact version"
