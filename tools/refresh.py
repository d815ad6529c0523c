"""Writes the table of stages again, from dvc.yaml into the page that shows it, and docs/coverage.md.

python tools/refresh.py
"""

import re
import sys
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parent.parent
START, END = "<!-- stages: written by `make refresh` -->", "<!-- stages: end -->"
PAGES = ("README.md", "docs/pipeline.md")
"""The table stands in those of them that have both marks."""


def pipeline(root: Path = ROOT) -> dict[str, Any]:
    """The stages of dvc.yaml by name."""
    return YAML(typ="safe").load((root / "dvc.yaml").read_text(encoding="utf-8"))["stages"]


def path_of(out: str | dict[str, Any]) -> str:
    """The path of an output, which may have options."""
    return out if isinstance(out, str) else next(iter(out))


def stage_table(root: Path = ROOT) -> str:
    """The stages of dvc.yaml as a Markdown table: what each does, from which data, and what it writes."""
    rows = ["|Stage|What it does|Reads|Writes|", "|-|-|-|-|"]
    for name, stage in pipeline(root).items():
        reads = [path for path in stage["deps"] if not path.startswith(("stages/", "textsimp/"))]
        writes = [path_of(out) for kind in ("outs", "metrics", "plots") for out in stage.get(kind, [])]
        each = " × ".join(stage.get("matrix", {}))
        title = f"`{name}`" + (f" per {each.replace('_', ' ')}" if each else "")
        rows.append(f"|{title}|{stage['desc']}|{_cell(reads)}|{_cell(writes)}|")
    return "\n".join(rows)


def _cell(paths: list[str]) -> str:
    """Paths for a table cell, a matrix key such as `${item.training_set}` as `TRAINING_SET`."""
    names = (re.sub(r"\$\{item\.(\w+)\}", lambda match: match[1].upper(), path) for path in paths)
    return "<br>".join(f"`{name}`" for name in names)


def stale(root: Path = ROOT, write: bool = False) -> list[str]:
    """The pages whose table differs from dvc.yaml; `write` updates them."""
    table = stage_table(root)
    pages = []
    for page in PAGES:
        path = root / page
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if START not in text:
            continue
        before, rest = text.split(START)
        fresh = f"{before}{START}\n{table}\n{END}{rest.split(END)[1]}"
        if fresh != text:
            pages.append(page)
            if write:
                path.write_text(fresh, encoding="utf-8")
    return pages


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    from tools import coverage

    for page in [*stale(write=True), *coverage.stale(write=True)]:
        print(f"written: {page}")
