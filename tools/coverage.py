"""Writes docs/coverage.md: every printed row of data/published and what stands beside it, by docs/coverage.yaml."""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

from textsimp.core.params import read_yaml
from textsimp.core.reading import read_json
from textsimp.core.results import as_printed

ROOT = Path(__file__).resolve().parent.parent

REPRODUCED, PARTLY, CONTRADICTED = "reproduced", "reproduced in part", "contradicted"
OTHER = "measured on other data"
STATUSES = (REPRODUCED, PARTLY, CONTRADICTED, OTHER, "needs licensed data", "absent", "no result")
LEFT_OUT = ("source", "table")
HEAD = """# Coverage of the source papers

This page lists every row that the papers print (`data/published`) and what this project has for it.

- **reproduced**: computed on the paper's data; every cell of the row agrees, rounded as printed.
- **reproduced in part**: the cells that can be computed agree; the others need licensed data.
- **contradicted**: computed on the paper's data; a cell differs ("8.8 for 8.9" is ours for printed).
- **measured on other data**: only the order of the systems can be compared. The link leads to all cells.
- **needs licensed data**: cannot be computed here.
- **absent**: nobody measured it here.
- **no result**: settings, examples or instructions.

`make refresh` writes this page from `docs/coverage.yaml` and the committed results.
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


@dataclass(frozen=True)
class Entry:
    """A printed row, or a table without a file: its status, our number or nothing, and what it stands beside."""

    table: str
    row: str
    status: str
    number: str
    note: str


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


def judged(rule: Rule, row: dict[str, str], root: Path) -> tuple[str, str, str]:
    """The status of a printed row, our number, and the note with its link that rows of one rule share."""
    if rule.ours:
        return *compared({name: row[name] for name in rule.ours}, rule.ours), rule.why
    if not rule.at:
        return rule.status, "", rule.why
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
        note = f"[{rule.column.replace('task1.f1', 'Task 1 F1')}, {rule.at}](../{rule.file}). {rule.why}"
        return status, f"{value:,.{0 if rule.equal else 1}f}", note
    anchor = re.sub(r"[^\w\- ]", "", rule.at.lower()).replace(" ", "-")
    table, link = table_at(root / rule.file, rule.at), f"(../{rule.file}#{anchor})"
    if rule.status:
        return rule.status, "", f"[Table]{link}. {rule.why}"
    second = rule.rows.get(row[rule.second], "") if rule.second else ""
    there = next((r for r in table if list(r.values())[0] == name and (not second or second in r.values())), None)
    if there is None:
        raise ValueError(f"{rule.file}, {rule.at}: no row {name!r}")
    if rule.equal:
        printed = {key.split()[0]: value for key, value in there.items() if key.endswith(" printed") and value != "–"}
        mine = {key.split()[0]: text for key, text in there.items() if " ours [" in key and not key.startswith("ours")}
        return *compared(printed, mine), f"[Ours]{link}. {rule.why}".strip()
    if there[rule.column] == "–":
        raise ValueError(f"{rule.file}, {rule.at}: no number of {name!r} in {rule.column!r}")
    return OTHER, there[rule.column], f"[{rule.column.removesuffix(' [1]')}]{link}. {rule.why}"


def compared(printed: dict[str, str], mine: dict[str, str]) -> tuple[str, str]:
    """The status of a row by its printed cells and ours, and which differ; cells that are not ours need other data."""
    had = [key for key in printed if mine.get(key, "–") != "–"]
    wrong = [key for key in had if as_printed(float(mine[key]), printed[key]) != printed[key]]
    if wrong:
        return CONTRADICTED, "; ".join(f"{key} {mine[key]} for {printed[key]}" for key in wrong)
    return (REPRODUCED, "all cells") if len(had) == len(printed) else (PARTLY, " and ".join(had))


def to_zeros(value: float, printed: str) -> str:
    """A whole number as round as a printed one: 44,067 beside 44000 is 44000."""
    return f"{round(value, len(printed.rstrip('0')) - len(printed)):.0f}"


def entries(root: Path = ROOT) -> list[Entry]:
    """Every printed row and every table without a file.

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
                listed.append(Entry(rule.table, ", ".join(filter(None, names)), *judged(rule, row, root)))
    if idle := [rule.table for index, rule in enumerate(by_row) if index not in used]:
        raise ValueError(f"docs/coverage.yaml: no printed row for {idle}")
    listed += [Entry(rule.table, "", rule.status, "", rule.why) for rule in whole]
    return sorted(
        dict.fromkeys(listed), key=lambda entry: [int(p) if p.isdigit() else p for p in re.split(r"(\d+)", entry.table)]
    )


def totals(listed: list[Entry]) -> str:
    """How many there are of each status."""
    counts = Counter(entry.status for entry in listed)
    return ", ".join(f"{counts[status]} {status}" for status in STATUSES if counts[status])


def page(listed: list[Entry]) -> str:
    """docs/coverage.md: the rows of each table below the note that they share, then the tables without rows."""
    text = f"{HEAD}\n{len(listed)} entries: {totals(listed)}.\n"
    rows = [entry for entry in listed if entry.row]
    for table in dict.fromkeys(entry.table for entry in rows):
        text += f"\n## {table.replace('/', ', ')}\n"
        for note in dict.fromkeys(entry.note for entry in rows if entry.table == table):
            text += block([entry for entry in rows if (entry.table, entry.note) == (table, note)])
    whole = [[entry.table.replace("/", ", "), entry.status, entry.note] for entry in listed if not entry.row]
    return f"{text}\n## Figures and tables without rows\n\n{as_table(['where', 'status', 'what'], whole)}"


def block(rows: list[Entry]) -> str:
    """Rows with one note. What is the same in all of them, the status too, stands before the table."""
    parts = [entry.row.split(", ") for entry in rows]
    first = (
        [same[0] for same in takewhile(lambda part: len({*part}) == 1, zip(*parts, strict=False))]
        if len(rows) > 1
        else []
    )
    parts = [row[len(first) :] for row in parts]
    if len(rows) > 1 and len({row[-1] for row in parts}) == 1:
        first.append(parts[0][-1])
        parts = [row[:-1] for row in parts]
    statuses = [*dict.fromkeys(entry.status for entry in rows)]
    said = [f"**{statuses[0]}**"] * (len(statuses) == 1) + first
    lead = f"{', '.join(said)}: " if said else ""
    columns = {"row": [", ".join(row) for row in parts]}
    if len(statuses) > 1:
        columns["status"] = [entry.status for entry in rows]
    if any(entry.number for entry in rows):
        columns["ours"] = [entry.number for entry in rows]
    return f"\n{lead}{rows[0].note}\n\n{as_table([*columns], [*zip(*columns.values(), strict=True)])}"


def as_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; compact, since nobody reads its source."""
    lines = [header, ["-"] * len(header), *rows]
    return "".join(f"|{'|'.join(line)}|\n".replace("*", "\\*") for line in lines)


def fresh(root: Path = ROOT) -> dict[str, str]:
    """The page, and README.md with its line of totals."""
    listed = entries(root)
    readme = (root / "README.md").read_text(encoding="utf-8")
    line = f"| [docs/coverage.md](docs/coverage.md) | every printed row: {totals(listed)} |"
    return {"docs/coverage.md": page(listed), "README.md": re.sub(r"\| \[docs/coverage.md\].*", line, readme)}
