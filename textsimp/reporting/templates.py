"""Templates of the specs: texts with placeholders, and the variables that they are filled with."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from string import Formatter
from typing import Any

from textsimp.core.errors import InputError
from textsimp.core.results import Estimate, Results
from textsimp.reporting.inputs import CsvRow, Run
from textsimp.reporting.plan import Labels
from textsimp.reporting.specs import PrintedSpec


class Name(str):
    """A value of a variable that knows its printed names: `{task}` is the value, `{task:label}` its name."""

    labels: Labels
    kind: str
    own: Mapping[str, str]

    def __new__(cls, value: str, labels: Labels, kind: str, own: Mapping[str, str]) -> "Name":
        """A value with the names of a kind of corpus; `own` names go before those of the lists."""
        name = super().__new__(cls, value)
        name.labels, name.kind, name.own = labels, kind, own
        return name

    def __format__(self, names: str) -> str:
        if not names:
            return str.__str__(self)
        return self.own[names] if names in self.own else self.labels.name(str(self), names, self.kind)


@dataclass(frozen=True)
class Frame:
    """Where a template is read: what its placeholders stand for, and where its numbers come from.

    `results` and `scope` are templates themselves; `printed` is the published table that stands beside, if any.
    """

    run: Run
    variables: Mapping[str, Any]
    results: str = ""
    scope: str = ""
    printed: PrintedSpec | None = None

    def holding(self, variables: Mapping[str, Any], **changes: Any) -> "Frame":
        """The frame with further variables, or with other results, scope or published table."""
        return replace(self, variables={**self.variables, **variables}, **changes)

    def name(self, value: str, **own: str) -> Name:
        """A value with the names that it has beside a corpus of this kind."""
        return Name(value, self.run.labels, str(self.variables.get("kind", "")), own)

    def text(self, template: str) -> str:
        """The template with its placeholders filled; `InputError` names one that is unknown."""
        return self._filled(template, _FORMATTER)

    def sentences(self, parts: str | Iterable[str]) -> str:
        """The parts whose placeholders all have something to say, joined by spaces."""
        filled = []
        for part in [parts] if isinstance(parts, str) else parts:
            try:
                filled.append(self._filled(part, _STRICT))
            except _NothingToSay:
                continue
        return " ".join(filled)

    @property
    def numbers(self) -> Results:
        """The results that the frame speaks of."""
        return self.run.results(self.text(self.results))

    @property
    def scope_name(self) -> str:
        """The scope that the frame speaks of."""
        return self.text(self.scope)

    def signature(self, measure: str) -> str:
        """The signature of a measure, or of the one that it is a part of; empty where it has none."""
        signatures = self.numbers.signatures
        whole = measure.partition(".")[0]
        names = (measure, f"{measure}@{self.scope_name}", whole, f"{whole}@{self.scope_name}")
        return next((signatures[name] for name in names if name in signatures), "")

    def printed_rows(self, **key: str) -> list[CsvRow]:
        """The rows of the published table, or those that have the `key`; none where there is no such table."""
        if self.printed is None or not (file := self.text(self.printed.file)):
            return []
        where = {column: self.text(template) for column, template in {**self.printed.where, **key}.items()}
        return self.run.printed_rows(file, where)

    def printed_cell(self, column: str) -> str:
        """The cell of the published table that belongs to the variables; empty where there is none."""
        rows = self.printed_rows(**self.printed.key) if self.printed else []
        return rows[0].get(self.text(column), "") if rows else ""

    def agrees(self, values: bool | Mapping[str, str]) -> bool:
        """Whether the variables have these values, or the answer itself."""
        if isinstance(values, bool):
            return values
        return all(self.text(f"{{{name}}}") == value for name, value in values.items())

    def _filled(self, template: str, formatter: Formatter) -> str:
        try:
            return formatter.vformat(template, (), _Variables(self))
        except (KeyError, IndexError, AttributeError, ValueError) as error:
            raise InputError(f"report: template {template!r}: no {error}; see docs/report.md for the names") from None


class _Variables(dict[str, Any]):
    """The variables of a frame, and `r`, `notes` and `signatures` of its results."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame.variables)
        self.frame = frame

    def __missing__(self, name: str) -> Any:
        if name == "r":
            return _Numbers(self.frame)
        if name == "notes":
            return defaultdict(str, self.frame.numbers.notes)
        if name == "printed_table":
            return next((row["table"] for row in self.frame.printed_rows()), "")
        raise KeyError(name)


class _Numbers:
    """Numbers of the results by `SCOPE|SYSTEM|MEASURE`; the scope of the frame where it is empty."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    def __getitem__(self, key: str) -> "_Number":
        scope, system, measure = key.split("|")
        return _Number(self.frame.numbers.get(scope or self.frame.scope_name, system, measure))


@dataclass(frozen=True)
class _Number:
    estimate: Estimate | None

    def __format__(self, form: str) -> str:
        """The number, with its interval where the form ends with `±`; nothing where there is none."""
        number, plain = self.estimate, form.removesuffix("±")
        if number is None:
            return ""
        bounds = f" ({number.low:{plain}} to {number.high:{plain}})" if form.endswith("±") else ""
        return f"{number.value:{plain}}{bounds}"


class _NothingToSay(Exception):
    """A placeholder is empty."""


class _Strict(Formatter):
    def format_field(self, value: Any, form: str) -> str:
        text: str = super().format_field(value, form)
        if not text:
            raise _NothingToSay
        return text


_FORMATTER, _STRICT = Formatter(), _Strict()
