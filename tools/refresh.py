"""Writes the generated parts of README.md and docs/ again: tables, the outputs of examples, and README's picture.

python tools/refresh.py
"""

import re
import sys
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.pages import between, stale  # noqa: E402 the root has to be on the path first

START, END = "<!-- stages: written by `make refresh` -->", "<!-- stages: end -->"
PAGE = "docs/pipeline.md"


def pipeline(root: Path = ROOT) -> dict[str, Any]:
    """The stages of dvc.yaml by name."""
    return YAML(typ="safe").load((root / "dvc.yaml").read_text(encoding="utf-8"))["stages"]


def path_of(out: str | dict[str, Any]) -> str:
    """The path of an output, which may have options."""
    return out if isinstance(out, str) else next(iter(out))


def outputs(stage: dict[str, Any]) -> list[str]:
    """The paths of all outputs of a stage."""
    return [path_of(out) for kind in ("outs", "metrics", "plots") for out in stage.get(kind, [])]


def stage_table() -> str:
    """The stages of dvc.yaml as a Markdown table: what each does, from which data, and what it writes."""
    rows = ["|Stage|What it does|Reads|Writes|", "|-|-|-|-|"]
    for name, stage in pipeline().items():
        reads = [path for path in stage["deps"] if not path.startswith(("stages/", "textsimp/"))]
        each = " × ".join(stage.get("matrix", {}))
        title = f"`{name}`" + (f" per {each.replace('_', ' ')}" if each else "")
        rows.append(f"|{title}|{stage['desc']}|{_cell(reads)}|{_cell(outputs(stage))}|")
    return "".join(f"{row}\n" for row in rows)


def _cell(paths: list[str]) -> str:
    """Paths for a table cell, a matrix key such as `${item.training_set}` as `TRAINING_SET`."""
    names = (re.sub(r"\$\{item\.(\w+)\}", lambda match: match[1].upper(), path) for path in paths)
    return "<br>".join(f"`{name}`" for name in names)


def fresh() -> dict[str, str]:
    """The page with the present stages."""
    return {PAGE: between((ROOT / PAGE).read_text(encoding="utf-8"), START, END, stage_table())}


if __name__ == "__main__":
    from tools import coverage, picture, shown

    for part in (fresh, coverage.fresh, picture.fresh, shown.fresh):
        for page in stale(part(), write=True):
            print(f"written: {page}")
