"""Runs the examples of the pages for what they print; and README's rows of the main table.

An example is a line that starts with `$ textsimp` in a console block, or with `>>>` in a Python block; what it prints
stands below it. Other commands in console blocks are left as they are.
"""

import contextlib
import doctest
import io
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from textsimp.cli.app import app
from tools.pages import between
from tools.summary import first_table

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "docs/metrics.md", "docs/python.md", "docs/rewriting.md")
START, END = "<!-- claims: written by `make refresh` -->", "<!-- claims: end -->"
SHOWN = "CRF aligner >"
"""What a claim says that README shows."""
_BLOCK = re.compile(r"```(console|python)\n(.*?)```", re.DOTALL)


def fresh() -> dict[str, str]:
    """The pages with what their examples print."""
    pages = {}
    for page in PAGES:
        with tempfile.TemporaryDirectory() as folder:
            pages[page] = with_claims(shown((ROOT / page).read_text(encoding="utf-8"), Path(folder)))
    return pages


def shown(text: str, folder: Path) -> str:
    """A page with the output of its examples, run in order in a folder that has the project's docs."""
    (folder / "docs").symlink_to(ROOT / "docs")
    names: dict[str, Any] = {}

    def block(match: re.Match[str]) -> str:
        lines = console(match[2], folder) if match[1] == "console" else session(match[2], folder, names)
        return f"```{match[1]}\n{''.join(lines)}```"

    return _BLOCK.sub(block, text)


def console(block: str, folder: Path) -> Iterator[str]:
    """The lines of a console block: its commands with their output."""
    if "$ textsimp" not in block:
        yield block
        return
    for line in block.splitlines():
        if line.startswith("$ "):
            printed = output(line[2:], folder) if line.startswith("$ textsimp") else ""
            yield f"{line}\n" + "".join(f"{part.rstrip()}\n" for part in printed.splitlines())


def output(line: str, folder: Path) -> str:
    """What a command line prints; `textsimp`, which it begins with, runs in this process."""
    command, _, rest = line.partition(" | ")
    words = _shell(f"printf '%s\\n' {command.removeprefix('textsimp ')}", folder).splitlines()
    with contextlib.chdir(folder):
        result = CliRunner().invoke(app, words)
    if result.exit_code:
        raise SystemExit(f"{line}\n{result.output}")
    return _shell(rest or "cat", folder, result.stdout)


def _shell(command: str, folder: Path, text: str = "") -> str:
    return subprocess.run(
        ["sh", "-c", command], cwd=folder, input=text, capture_output=True, text=True, check=True
    ).stdout


def session(block: str, folder: Path, names: dict[str, Any]) -> Iterator[str]:
    """The lines of a Python block: its examples with their output; variables are shared within the page."""
    for example in doctest.DocTestParser().get_examples(block):
        first, *rest = example.source.splitlines()
        yield "".join([f">>> {first}\n", *(f"... {line}".rstrip() + "\n" for line in rest)])
        printed = io.StringIO()
        with contextlib.chdir(folder), contextlib.redirect_stdout(printed):
            try:
                exec(compile(example.source, "<example>", "single"), names)
            except ValueError as error:
                print(f"Traceback (most recent call last):\n    ...\n{_full_name(error)}: {error}")
        yield printed.getvalue()


def _full_name(error: Exception) -> str:
    return f"{type(error).__module__}.{type(error).__name__}".removeprefix("builtins.")


def with_claims(text: str) -> str:
    """The page with its rows of the main table of reports/results.md, between the two marks."""
    return between(text, START, END, claims(ROOT / "reports" / "results.md")) if START in text else text


def claims(results: Path) -> str:
    """The rows for README: of the main table those about the CRF aligner, without the signs that need a legend."""
    table = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in first_table(results).splitlines()]
    rows = [dict(zip(table[0], cells, strict=True)) for cells in table[2:]]
    seeds = next((match[1] for row in rows if (match := re.match(r"\d+ of (\d+) \(", row.get("Seeds", "")))), "")
    here = "F1 here" + (f", mean of {seeds} seeds" if seeds else "")
    lines = [["Table", "F1 in the paper", here, "Does the order hold?"], ["---"] * 4]
    for row in rows:
        task, found, _ = row["Claim"].partition(f" F1: {SHOWN}")
        if found:
            where = re.sub(r"(.*) \((.*)\)", rf"\2, {task} (here: \1)", row["Corpus"])
            numbers = [re.sub(" [<>=] ", " against ", row[column]) for column in ("Printed", "Ours")]
            lines.append([where, *numbers, re.sub("^holds$", "yes", re.sub("^fails$", "no", row["Verdict"]))])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
