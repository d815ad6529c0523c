"""A copy of the project, without anything computed, in which its commands run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = ("tests/", "docs/", "benchmarks/")


def copy_project(folder: Path) -> Path:
    """The tracked files as they are, but tests, docs and computed reports; committed."""
    names = run(ROOT, "git", "ls-files", "-z").split("\0")
    for name in filter(None, names):
        computed = name.startswith("reports/") and not name.endswith(".gitkeep")
        if name.startswith(LEFT_OUT) or computed or name == "dvc.lock" or not (ROOT / name).is_file():
            continue
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    run(folder, "git", "init", "-q")
    run(folder, "git", "add", "-A")
    run(folder, "git", "commit", "-q", "-m", "the project")
    return folder


def locked_outputs(stage: str = "") -> dict[str, str]:
    """The digest that dvc.lock has of each output, or of those of one stage."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    stages = yaml.load((ROOT / "dvc.lock").read_text(encoding="utf-8"), Loader=loader)["stages"]
    chosen = [stages[stage]] if stage else stages.values()
    return {out["path"]: out["md5"] for written in chosen for out in written["outs"]}


def run(folder: Path, *command: str) -> str:
    """A command with this environment's Python first on the PATH, as `make` has it; its standard output."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    names = ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL")
    environment = os.environ | dict.fromkeys(names, "test@example.org") | {"PATH": path}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout
