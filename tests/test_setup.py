"""The set-up: what a machine lacks is said in one line before anything is installed, and nothing is done twice."""

import ast
import importlib.metadata
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BASICS = ("sh", "cat", "cksum", "mkdir", "printf", "rm")
SUPPORTED = "Python 3.11 is needed, no other version will do"
EXACT = re.compile(r"[A-Za-z0-9._-]+==[^\s;]+")
NOT_PINNED_HERE = {"fairseq", "fairseq_cli", "ray"}
"""Installed from requirements-fairseq.txt; Ray, which is optional, from requirements-ray.txt."""


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


def python(folder: Path, name: str = "python3.11") -> None:
    program(folder, name, f'exec "{sys.executable}" "$@"')


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


def test_no_python(machine: Path) -> None:
    refused(setup(machine), "python3.11 is absent, python3 is absent, python is absent", machine)


def test_another_python(machine: Path) -> None:
    program(machine, "python3", 'case "$2" in *exit*) exit 1;; *) echo 3.13.1;; esac')
    done = setup(machine)
    refused(done, SUPPORTED, machine)
    assert "python3 is 3.13.1" in done.stderr


def test_the_named_python_and_no_other(machine: Path) -> None:
    python(machine)
    refused(setup(machine, PYTHON="python9"), "python9 is absent", machine)


def shared(machine: Path, owner: Path) -> Path:
    """An environment that another folder set up, complete but for this project."""
    venv = machine.parent / "shared"
    (venv / "bin").mkdir(parents=True)
    (venv / "installed").mkdir()
    python(venv / "bin", "python")
    (venv / "installed" / "project").write_text(f"1234 56 {owner}\n")
    return venv


def test_an_environment_of_another_folder_is_left_alone(machine: Path, tmp_path: Path) -> None:
    (tmp_path / "other folder" / "tools").mkdir(parents=True)
    (tmp_path / "other folder" / "tools" / "setup.sh").write_text("")
    venv = shared(machine, tmp_path / "other folder")
    for name in ("gcc", "g++"):
        program(machine, name, "exit 0")
    before = sorted(path.name for path in (venv / "installed").iterdir())
    refused(setup(machine, str(venv)), f"is the environment of {tmp_path / 'other folder'}; remove it", machine)
    assert sorted(path.name for path in (venv / "installed").iterdir()) == before
    shutil.rmtree(tmp_path / "other folder")
    done = setup(machine, str(venv))
    assert "which is gone; it is taken over" in done.stdout


def test_no_c_compiler(machine: Path) -> None:
    python(machine)
    refused(setup(machine), "a C compiler (gcc) is needed", machine)


def test_no_cpp_compiler(machine: Path) -> None:
    python(machine)
    program(machine, "gcc", "exit 0")
    refused(setup(machine), "a C++ compiler (g++) is needed", machine)


def test_no_headers(machine: Path) -> None:
    python(machine)
    program(machine, "gcc", "exit 0")
    program(machine, "g++", "cat >/dev/null; echo 'Python.h: No such file' >&2; exit 1")
    refused(setup(machine), "install Python's headers", machine)


def test_no_venv_package(machine: Path) -> None:
    program(machine, "python3.11", 'case "$2" in *ensurepip*) exit 1;; esac; exit 0')
    refused(setup(machine), "install its venv package", machine)


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


def test_everything_imported_is_required() -> None:
    """Every distribution that the project imports from has its version in requirements.txt."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    required = {normal(line.split("==")[0]) for line in lines if EXACT.fullmatch(line)}
    distributions = importlib.metadata.packages_distributions()
    own = {path.name for folder in (ROOT, ROOT / "tests") for path in folder.iterdir()}
    own |= {path.stem for path in ROOT.glob("*/*.py")}
    for name in third_party() - own - NOT_PINNED_HERE:
        candidates = {normal(distribution) for distribution in distributions.get(name, [])}
        assert candidates & required, f"{name} is imported; its distribution is not in requirements.txt"


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def third_party() -> set[str]:
    """Top-level names that the project's files import and the standard library does not have."""
    names = set()
    for folder in ("textsimp", "stages", "tools", "tests", "benchmarks"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    names |= {alias.name.split(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    names.add(node.module.split(".")[0])
    return names - set(sys.stdlib_module_names)
