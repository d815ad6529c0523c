"""Writes docs/coverage.md: every printed row of data/published and what stands beside it, by docs/coverage.yaml."""

import csv
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from textsimp.core.results import Results  # noqa: E402 the root has to be on the path first
from textsimp.core.yaml_text import read_yaml  # noqa: E402

REPRODUCED, CONTRADICTED, OTHER = "reproduced", "contradicted", "not comparable"
STATUSES = (REPRODUCED, CONTRADICTED, OTHER, "needs licensed data", "absent")
LEFT_OUT = ("source", "table")
HEAD = """# Coverage of the source papers

Written by `make refresh` from `data/published`, the committed results and `docs/coverage.yaml`. Reproduced: our number
has all printed decimals; contradicted: it differs in one. Not comparable: it is of other data, or there is nothing to
measure. Only the cell named is shown; the link leads to the table that has the others.
"""


@dataclass(frozen=True)
class Rule:
    """What is known of the rows of a printed table; see docs/coverage.yaml."""

    table: str
    key: str = ""
    second: str = ""
    where: str = ""
    only: tuple[str, ...] = ()
    file: str = ""
    at: str = ""
    column: str = ""
    equal: bool = False
    status: str = ""
    why: str = ""
    rows: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if bool(self.status) == (self.equal or bool(self.column)) or self.status in (REPRODUCED, CONTRADICTED):
            raise ValueError(f"{self.table}: give either a column of our results, or a status that is not computed")
        if self.status not in ("", *STATUSES) or not (self.equal or self.why):
            raise ValueError(f"{self.table}: unknown status {self.status!r}, or no reason")

    def fits(self, row: dict[str, str]) -> bool:
        """Whether it speaks of a printed row."""
        chosen = self.table == f"{row['source']}/{row['table']}" and (not self.where or self.where in row.values())
        return chosen and (not self.only or row[self.key] in self.only)


def rules(path: Path) -> tuple[list[Rule], list[Rule]]:
    """The rules for rows of data/published, and those for tables without a file."""
    read = read_yaml(path)
    both = [
        [Rule(**{"file" if key == "in" else key: value for key, value in entry.items()}) for entry in read[part]]
        for part in ("rules", "others")
    ]
    return both[0], both[1]


def table_at(path: Path, heading: str) -> list[dict[str, str]]:
    """The first Markdown table below a heading."""
    _, mark, rest = path.read_text(encoding="utf-8").partition(f"### {heading}\n")
    if not mark:
        raise ValueError(f"{path}: no heading {heading!r}")
    lines = [line for line in re.split(r"^#", rest, flags=re.MULTILINE)[0].splitlines() if line.startswith("| ")]
    plain = [line.replace("\\*", "*").replace("**", "") for line in lines]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in plain]
    return [dict(zip(cells[0], row, strict=True)) for row in cells[2:]]


def judged(rule: Rule, row: dict[str, str], root: Path) -> tuple[str, str]:
    """The status of a printed row, and our number or the reason, with its link."""
    if not rule.at:
        return rule.status, rule.why
    name = rule.rows.get(row[rule.key], row[rule.key]) if rule.key else ""
    if rule.file.endswith(".json"):
        ours = Results.read(root / rule.file).value(rule.at, name, rule.column)
        if ours is None:
            raise ValueError(f"{rule.file}, {rule.at}: no row {name!r} with {rule.column!r}")
        return OTHER, f"[{rule.column}, {rule.at}: {ours:.1f}](../{rule.file}). {rule.why}"
    anchor = re.sub(r"[^\w\- ]", "", rule.at.lower()).replace(" ", "-")
    table, link = table_at(root / rule.file, rule.at), f"(../{rule.file}#{anchor})"
    if rule.status:
        return rule.status, f"{rule.why} [table]{link}"
    second = rule.rows.get(row[rule.second], "") if rule.second else ""
    there = next((r for r in table if list(r.values())[0] == name and (not second or second in r.values())), None)
    if there is None:
        raise ValueError(f"{rule.file}, {rule.at}: no row {name!r}")
    if rule.equal:
        cells = {key.split()[0]: value for key, value in there.items() if key.endswith(" printed")}
        mine = {key.split()[0]: text for key, text in there.items() if " ours [" in key and not key.startswith("ours")}
        wrong = [f"{key} {mine[key]} for {cells[key]}" for key in cells if mine[key] != cells[key]]
        text = "; ".join(wrong) or "all cells"
        return (CONTRADICTED if wrong else REPRODUCED), f"[{text}]{link}"
    if there[rule.column] == "–":
        raise ValueError(f"{rule.file}, {rule.at}: no number of {name!r} in {rule.column!r}")
    return OTHER, f"[{rule.column}: {there[rule.column]}]{link}. {rule.why}".replace(" [1]", "")


def entries(root: Path = ROOT) -> list[tuple[str, str, str, str]]:
    """Of every printed row and every table without a file: its table, the row, the status, the number or reason.

    Raises:
        ValueError: a printed row without a rule, a rule without a row, or one that names what is not there.
    """
    by_row, whole = rules(root / "docs" / "coverage.yaml")
    used, listed = set(), []
    for path in sorted((root / "data" / "published").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                rule = next((rule for rule in by_row if rule.fits(row)), None)
                if rule is None:
                    raise ValueError(f"{path.name}: no entry in docs/coverage.yaml for {row}")
                used.add(by_row.index(rule))
                number = re.compile(r"-?[\d.]*")
                names = [
                    v for k, v in row.items() if k not in LEFT_OUT and (k.endswith("pairs") or not number.fullmatch(v))
                ]
                listed.append((rule.table, ", ".join(filter(None, names)), *judged(rule, row, root)))
    if idle := [rule.table for index, rule in enumerate(by_row) if index not in used]:
        raise ValueError(f"docs/coverage.yaml: no printed row for {idle}")
    listed += [(rule.table, "", rule.status, rule.why) for rule in whole]
    return sorted(
        dict.fromkeys(listed), key=lambda entry: [int(p) if p.isdigit() else p for p in re.split(r"(\d+)", entry[0])]
    )


def totals(listed: list[tuple[str, str, str, str]]) -> str:
    """How many there are of each status."""
    counts = Counter(entry[2] for entry in listed)
    return ", ".join(f"{counts[status]} {status}" for status in STATUSES)


def page(listed: list[tuple[str, str, str, str]]) -> str:
    """docs/coverage.md."""
    lines = [HEAD, f"{len(listed)} entries: {totals(listed)}."]
    for table in dict.fromkeys(entry[0] for entry in listed):
        lines += [
            f"\n## {table.replace('/', ', ')}\n",
            "| row | status | number, or why there is none |",
            "| --- | --- | --- |",
        ]
        lines += [
            f"| {row or 'all'} | {status} | {text} |".replace("*", "\\*")
            for name, row, status, text in listed
            if name == table
        ]
    return "\n".join(lines) + "\n"


def stale(root: Path = ROOT, write: bool = False) -> list[str]:
    """The pages that differ from what the results say; `write` updates them."""
    listed = entries(root)
    readme = (root / "README.md").read_text(encoding="utf-8")
    line = f"| [docs/coverage.md](docs/coverage.md) | every printed row: {totals(listed)} |"
    fresh = {"docs/coverage.md": page(listed), "README.md": re.sub(r"\| \[docs/coverage.md\].*", line, readme)}
    pages = []
    for name, text in fresh.items():
        path = root / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            pages.append(name)
            if write:
                path.write_text(text, encoding="utf-8")
    return pages
