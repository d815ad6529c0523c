"""Writes the generated parts again: the code that each stage of dvc.yaml depends on, README's table of stages,
and the list of alignment systems.

The code of a stage is what its module really imports (tools/import_closure.py), modules that are named in strings
and loaded by name, the folders that a file hands to others to load, and files beside the code that are no Python.

    python tools/refresh.py
"""

import ast
import functools
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.import_closure import find, import_closure  # noqa: E402 the root has to be on the path first

CODE = "      # code"
ITEM = "      - "
START, END = "<!-- stages: written by `make refresh` -->", "<!-- stages: end -->"
WHOLE = (
    "textsimp/alignment/neural",
    "textsimp/alignment/similarity",
    "textsimp/alignment/strategies",
    "textsimp/alignment/vectors",
    "textsimp/corpora",
    "textsimp/reporting",
    "textsimp/simplification",
)
"""Packages that a stage depends on as a whole (see `folded`)."""
SYSTEMS = Path("conf/alignment_system")
LOADED_BY_OTHERS = {"textsimp/simplification/fairseq_runs.py": "textsimp.simplification.fairseq_plugin"}
"""File -> the package that a process loads which the file starts: fairseq's --user-dir."""


def code_of(module: str, root: Path = ROOT) -> list[str]:
    """The files, sorted and relative to the root, that decide what a module does."""
    found: set[str] = set()
    waiting = {module}
    while waiting:
        new = set(_closure(waiting.pop(), root)) - found
        found |= new
        for file in new:
            waiting.update(_named_modules(root / file, root))
            if file in LOADED_BY_OTHERS:
                waiting.update(_modules_of(LOADED_BY_OTHERS[file], root))
    return sorted(found | {file for name in found for file in _beside(name, root)})


@functools.cache
def _closure(module: str, root: Path) -> list[str]:
    return import_closure(module, root)


@functools.cache
def _named_modules(path: Path, root: Path) -> set[str]:
    """Strings that are the dotted name of a module of the project."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return {text for text in texts if re.fullmatch(r"\w+(\.\w+)+", text) and find(text, root)}


def _modules_of(package: str, root: Path) -> Iterator[str]:
    folder = root.joinpath(*package.split("."))
    for path in sorted(folder.rglob("*.py")):
        yield ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def _beside(file: str, root: Path) -> Iterator[str]:
    """Files in the folder of a package's module that the package may read: no Python, no compiled Python."""
    for path in (root / file).parent.iterdir():
        if path.is_file() and path.suffix not in (".py", ".pyc") and not path.name.startswith("."):
            yield path.relative_to(root).as_posix()


def folded(files: list[str]) -> list[str]:
    """The same files in fewer lines: a package of the second floor is named as a whole.

    DVC writes each dependency into dvc.lock for each run of a stage, and parses them all again after each run: with
    a line for every module that took longer than the stages did.
    """
    return sorted({next((top for top in WHOLE if file.startswith(f"{top}/")), file) for file in files})


def pipeline(text: str) -> dict[str, Any]:
    """The stages of dvc.yaml by name."""
    return YAML(typ="safe").load(text)["stages"]


def module_of(stage: dict[str, Any]) -> str:
    """The module that a stage runs."""
    return re.match(r"python -m (\S+)", stage["cmd"])[1]


def with_code(text: str, root: Path = ROOT) -> str:
    """dvc.yaml with the lines under each `# code` written again."""
    stages = iter(pipeline(text).values())
    lines: list[str] = []
    generated = False
    for line in text.splitlines():
        generated = generated and line.startswith(ITEM)
        if not generated:
            lines.append(line)
        if line == CODE:
            generated = True
            lines.extend(ITEM + entry for entry in folded(code_of(module_of(next(stages)), root)))
    return "\n".join(lines) + "\n"


def stage_table(text: str) -> str:
    """The stages of dvc.yaml as a Markdown table: what each does, from which data, and what it writes."""
    rows = ["| Stage | What it does | Reads | Writes |", "| --- | --- | --- | --- |"]
    for name, stage in pipeline(text).items():
        reads = [path for path in stage["deps"] or [] if not path.startswith(("stages/", "textsimp/"))]
        writes = [path_of(out) for kind in ("outs", "metrics", "plots") for out in stage.get(kind, [])]
        each = " × ".join(stage.get("matrix", {}))
        title = f"`{name}`" + (f" per {each.replace('_', ' ')}" if each else "")
        rows.append(f"| {title} | {stage['desc']} | {_cell(reads)} | {_cell(writes)} |")
    return "\n".join(rows)


def path_of(out: str | dict[str, Any]) -> str:
    """The path of an output, which may have options."""
    return out if isinstance(out, str) else next(iter(out))


def _cell(paths: list[str]) -> str:
    """Paths for a table cell, a matrix key such as `${item.training_set}` as `TRAINING_SET`."""
    shown = (re.sub(r"\$\{item\.(\w+)\}", lambda match: match[1].upper(), path) for path in paths)
    return "<br>".join(f"`{path}`" for path in shown)


def with_table(readme: str, table: str) -> str:
    """README with the table between its two marks."""
    before, rest = readme.split(START)
    return f"{before}{START}\n{table}\n{END}{rest.split(END)[1]}"


def system_list(root: Path = ROOT) -> str:
    """The text of conf/alignment_system/_all.yaml: every system that has a file there."""
    names = sorted(path.stem for path in (root / SYSTEMS).glob("[!_]*.yaml"))
    lines = ["# Every system that has a file here; written by `make refresh`.", "defaults:"]
    return "\n".join([*lines, *(f"  - {name}@{name}" for name in names)]) + "\n"


def fresh(root: Path = ROOT) -> dict[Path, str]:
    """The generated files and the text that they should have."""
    dvc, readme = root / "dvc.yaml", root / "README.md"
    text = with_code(dvc.read_text(encoding="utf-8"), root)
    return {
        dvc: text,
        readme: with_table(readme.read_text(encoding="utf-8"), stage_table(text)),
        root / SYSTEMS / "_all.yaml": system_list(root),
    }


def stale(root: Path = ROOT) -> list[Path]:
    """The generated files that are not fresh."""
    return [path for path, text in fresh(root).items() if path.read_text(encoding="utf-8") != text]


def main() -> None:
    """Write the generated parts that are stale."""
    texts = fresh()
    for path in stale():
        path.write_text(texts[path], encoding="utf-8")
        print(f"written: {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
