"""The report's tables, sections and claims as data: the YAML files of `specs/`.

A table says what its rows and its columns are about; row and column together say what a cell is. Texts in a spec are
templates: `{corpus}`, `{task:label}` (the name of a key in a list of names, see `Labels`), `{r[SCOPE|SYSTEM|MEASURE]}`
(a number of the results). docs/report.md describes all keys.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from textsimp.core.errors import bad_input
from textsimp.core.params import settings_from
from textsimp.core.reading import folder_files
from textsimp.core.yaml_text import read_yaml

SPECS = Path(__file__).resolve().parent / "specs"
_SECTIONS, _CLAIMS = "sections.yaml", "claims.yaml"
_REMEDY = "see docs/report.md"


@dataclass(frozen=True)
class CellSpec:
    """What a row or a column says of its cells; a row goes before a column.

    Attributes:
        results: file below reports/, without its ending.
        scope, system, measure: of the number (`core.results.Cell`).
        base: of a difference: the system that is subtracted.
        show: a key of `grid.SHOW`.
        text: the words or the number itself, where `show` says so.
        column: of the published table; a number of ours is coloured by its cell: equal, rounded alike, or not.
        only: a measure that must not be 0 for the cell to be shown.
        match: the scope of the printed number that the cell is coloured by: equal to one decimal or not.
    """

    results: str = ""
    scope: str = ""
    system: str = ""
    measure: str = ""
    base: str = ""
    show: str = ""
    text: str = ""
    column: str = ""
    digits: int | None = None
    interval: bool | None = None
    only: str = ""
    match: str = ""


@dataclass(frozen=True)
class ColumnSpec(CellSpec):
    """Columns of one form (`table.Column`).

    Attributes:
        each: variable -> list of values, mapping of values to names, or the name of a lister (`listers.py`).
        signature: the measure whose signature is the note.
        name: what the `cells` of a row call the column.
        best: whether the highest number is marked.
        columns: the columns of each value of `each`, which take over what they do not say themselves.
    """

    each: dict[str, Any] = field(default_factory=dict)
    group: str = ""
    header: str = ""
    short: str = ""
    note: str = ""
    signature: str = ""
    name: str = ""
    best: bool = False
    columns: list["ColumnSpec"] = field(default_factory=list)


@dataclass(frozen=True)
class RowSpec(CellSpec):
    """Rows of one form.

    Attributes:
        label: the first cells, one for each name in `stub`.
        heading: names the rows from here on, in a line of its own where it changes.
        block: a line is drawn where it changes.
        ranked: whether the row may be the best one.
        cells: name of a column -> what this row says of that cell.
    """

    each: dict[str, Any] = field(default_factory=dict)
    label: list[str] | str = field(default_factory=list)
    heading: str = ""
    block: str = ""
    ranked: bool = True
    cells: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def labels(self) -> list[str]:
        """The first cells: of one alone, the file may give the text."""
        return [self.label] if isinstance(self.label, str) else self.label


@dataclass(frozen=True)
class PrintedSpec:
    """The published table that stands beside: its file, its rows, and by which columns a cell finds its row."""

    file: str
    where: dict[str, str] = field(default_factory=dict)
    key: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class TableSpec:
    """One table, or one for each context that `per` names (`listers.contexts`) and each value of `each`.

    Attributes:
        key: distinct in the report; the file's name where none is given.
        section: key of `sections.yaml`.
        folded: whether it is closed until asked for, and left out of results.md; of some, variable -> value.
        order: of the tables in their section; folded ones come last.
        text: what the columns say; of a list, those parts are left out of which a placeholder has nothing to say.
        stub: headers of the first cells of each row.
        computed: a function of `grid.COMPUTED` that gives columns and rows, in their place.
    """

    key: str
    title: str | list[str]
    section: str
    text: str | list[str] = ""
    per: str = ""
    each: dict[str, Any] = field(default_factory=dict)
    folded: bool | dict[str, str] = False
    order: int = 100
    results: str = ""
    scope: str = ""
    printed: PrintedSpec | None = None
    stub: list[str] = field(default_factory=list)
    columns: list[ColumnSpec] = field(default_factory=list)
    rows: list[RowSpec] = field(default_factory=list)
    computed: str = ""


@dataclass(frozen=True)
class SectionSpec:
    """A part of the page; `figures` are functions of `plots.py`, `texts` says what else it shows."""

    key: str
    title: str
    figures: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class ClaimSpec:
    """A claim of the paper, or of this project: each side is above the next.

    Attributes:
        table: name of the table of claims that has it.
        sides: a system, or `{best: LISTERS, except: PATTERNS, label: TEMPLATE}`.
        strict: whether equal numbers break it.
        printed, column: where the paper has the numbers.
        printed_only: whether it is left out where the paper has no numbers.
    """

    table: str
    text: str
    results: str
    scope: str
    measure: str
    sides: list[Any]
    group: str | list[str] = "{corpus:label}"
    per: str = ""
    each: dict[str, Any] = field(default_factory=dict)
    strict: bool = True
    printed: PrintedSpec | None = None
    column: str = ""
    printed_only: bool = False


@dataclass(frozen=True)
class ClaimTableSpec:
    """A table of claims, which call it by its `name`; with a `headline`, one sentence above it counts them."""

    name: str
    key: str
    title: str | list[str]
    section: str
    text: str | list[str]
    per: str = ""
    each: dict[str, Any] = field(default_factory=dict)
    folded: bool | dict[str, str] = False
    headline: bool = False


@dataclass(frozen=True)
class _Sections:
    sections: list[SectionSpec]
    terms: dict[str, str]


@dataclass(frozen=True)
class _Claims:
    tables: list[ClaimTableSpec]
    claims: list[ClaimSpec]


@dataclass(frozen=True)
class Specs:
    """Everything that the report shows; `terms` are words that it uses -> what they mean."""

    sections: list[SectionSpec]
    terms: dict[str, str]
    tables: list[TableSpec]
    claim_tables: list[ClaimTableSpec]
    claims: list[ClaimSpec]


def read_specs(folder: Path = SPECS) -> Specs:
    """All specs of a folder; `InputError` names a file that is no YAML, or has an unknown, missing or wrong key."""
    sections = settings_from(read_yaml(folder / _SECTIONS), _Sections, folder / _SECTIONS, _REMEDY, True)
    claims = settings_from(read_yaml(folder / _CLAIMS), _Claims, folder / _CLAIMS, _REMEDY, True)
    known = sorted(part.key for part in sections.sections)
    tables = []
    for path in folder_files(folder, "*.yaml"):
        if path.name in (_SECTIONS, _CLAIMS):
            continue
        value = read_yaml(path)
        value = {"key": path.stem, **value} if isinstance(value, dict) else value
        table = settings_from(value, TableSpec, path, _REMEDY, with_defaults=True)
        if table.section not in known:
            raise bad_input(path, None, f"no section {table.section!r}", f"the sections are {', '.join(known)}")
        tables.append(table)
    ordered = sorted(tables, key=lambda table: table.order)
    return Specs(sections.sections, sections.terms, ordered, claims.tables, claims.claims)
