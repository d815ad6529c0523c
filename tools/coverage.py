"""Writes docs/coverage.md: every printed row of data/published and what stands beside it, by docs/coverage.yaml."""

import csv
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from textsimp.core.params import read_yaml  # noqa: E402
from textsimp.core.reading import read_json  # noqa: E402 the root has to be on the path first
from textsimp.core.results import as_printed  # noqa: E402

REPRODUCED, PARTLY, CONTRADICTED = "reproduced", "reproduced in part", "contradicted"
OTHER = "measured here on other data"
STATUSES = (REPRODUCED, PARTLY, CONTRADICTED, OTHER, "needs licensed data", "absent", "no result")
LEFT_OUT = ("source", "table")
HEAD = """# Coverage of the source papers

Written by `make refresh` from `data/published`, the committed results and `docs/coverage.yaml`. Contradicted: a number
of ours, on the printed data, differs when rounded as printed. Reproduced: all cells of the row are equal. Reproduced in
part: all are that can be had, and the others need licensed data; such a row is not counted with the reproduced.
Measured here on other data: the link leads to the table that has the other cells too. Absent: nobody measured it here.
No result: settings, examples, instructions.
"""


@dataclass(frozen=True)
class Rule:
    """What is known of the rows of a printed table; see docs/coverage.yaml."""

    table: str
    key: str = ""
    second: str = ""
    where: dict[str, str] = field(default_factory=dict)
    only: tuple[str, ...] = ()
    file: str = ""
    at: str = ""
    column: str = ""
    equal: bool = False
    ours: dict[str, str] = field(default_factory=dict)
    status: str = ""
    why: str = ""
    rows: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        computed = self.equal or bool(self.column or self.ours)
        if bool(self.status) == computed or self.status in (REPRODUCED, PARTLY, CONTRADICTED):
            raise ValueError(f"{self.table}: give either a column of our results, or a status that is not computed")
        if self.status not in ("", *STATUSES) or not (self.equal or self.why):
            raise ValueError(f"{self.table}: unknown status {self.status!r}, or no reason")

    def fits(self, row: dict[str, str]) -> bool:
        """Whether it speaks of a printed row."""
        chosen = self.table == f"{row['source']}/{row['table']}"
        chosen = chosen and all(row.get(column) == value for column, value in self.where.items())
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
    if rule.ours:
        status, text = compared({name: row[name] for name in rule.ours}, rule.ours)
        return status, f"{text}. {rule.why}"
    if not rule.at:
        return rule.status, rule.why
    name = rule.rows.get(row[rule.key], row[rule.key]) if rule.key else ""
    if rule.file.endswith(".json"):
        tree = read_json(root / rule.file)
        try:
            leaf = tree.get("estimates", tree)[rule.at][name][rule.column]
        except KeyError:
            raise ValueError(f"{rule.file}, {rule.at}: no row {name!r} with {rule.column!r}") from None
        value = leaf[0] if isinstance(leaf, list) else leaf
        status = OTHER
        if rule.equal:
            status = REPRODUCED if to_zeros(value, row["value"]) == row["value"] else CONTRADICTED
        shown = f"{value:,.{0 if rule.equal else 1}f}"
        return status, f"[{rule.column}, {rule.at}: {shown}](../{rule.file}). {rule.why}"
    anchor = re.sub(r"[^\w\- ]", "", rule.at.lower()).replace(" ", "-")
    table, link = table_at(root / rule.file, rule.at), f"(../{rule.file}#{anchor})"
    if rule.status:
        return rule.status, f"{rule.why} [table]{link}"
    second = rule.rows.get(row[rule.second], "") if rule.second else ""
    there = next((r for r in table if list(r.values())[0] == name and (not second or second in r.values())), None)
    if there is None:
        raise ValueError(f"{rule.file}, {rule.at}: no row {name!r}")
    if rule.equal:
        printed = {key.split()[0]: value for key, value in there.items() if key.endswith(" printed") and value != "–"}
        mine = {key.split()[0]: text for key, text in there.items() if " ours [" in key and not key.startswith("ours")}
        status, text = compared(printed, mine)
        return status, f"[{text}]{link}" + (f". {rule.why}" if rule.why and status == CONTRADICTED else "")
    if there[rule.column] == "–":
        raise ValueError(f"{rule.file}, {rule.at}: no number of {name!r} in {rule.column!r}")
    return OTHER, f"[{rule.column}: {there[rule.column]}]{link}. {rule.why}".replace(" [1]", "")


def compared(printed: dict[str, str], mine: dict[str, str]) -> tuple[str, str]:
    """The status of a row by its printed cells and ours, and which differ; cells that are not ours need other data."""
    had = [key for key in printed if mine.get(key, "–") != "–"]
    wrong = [key for key in had if as_printed(float(mine[key]), printed[key]) != printed[key]]
    if wrong:
        return CONTRADICTED, "; ".join(f"{key} {mine[key]} for {printed[key]}" for key in wrong)
    return (REPRODUCED, "all cells") if len(had) == len(printed) else (PARTLY, f"{' and '.join(had)}, not the others")


def to_zeros(value: float, printed: str) -> str:
    """A whole number as round as a printed one: 44,067 beside 44000 is 44000."""
    return f"{round(value, len(printed.rstrip('0')) - len(printed)):.0f}"


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
