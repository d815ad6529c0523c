"""A case by its seed and number: which target, which file, which mutation; and the verdict on what came of it."""

import bz2
import gzip
import os
import re
import stat
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from fuzzing import byte_edits, options, places, table_edits, value_edits
from fuzzing.places import Run
from fuzzing.targets import TARGETS, Target
from textsimp.core.errors import one_line
from textsimp.core.writing import STALE

SHARES = {"bytes": 30, "content": 42, "place": 14, "output": 6, "options": 8}
"""Of the mutations, in percent."""
_BY_LINE = (".jsonl", ".txt", ".lines", ".csv", ".tsv", ".sql", ".src", ".dst", ".dev", ".norm", ".orig")
_NOTES = 2
"""Lines that say what was found in a folder, before the error."""
_PACKED = {".gz": (gzip.decompress, gzip.compress), ".bz2": (bz2.decompress, bz2.compress)}
_LEFT = re.compile(rf"\..*\.({'|'.join((*STALE, 'partial'))})")
BAD = (
    "defect",
    "hang",
    "memory",
    "left over",
    "input changed",
    "wrong file",
    "several lines",
    "senseless",
)
"""Verdicts that fail a run; the others are shown beside them."""


@dataclass(frozen=True)
class Case:
    """One mutation of one target's folder.

    Attributes:
        kind: a key of `SHARES`.
        edit: name of the mutation.
        path: the file that it damages; a pattern was resolved.
    """

    target: Target
    kind: str
    edit: str
    path: str
    run: Run


def draw_case(seed: str, number: int, only: str = "") -> tuple[Target, Random]:
    """The target of a case, and the numbers that its mutation is drawn by."""
    draw = Random(f"{seed}:{number}")
    chosen = [target for target in TARGETS if target.command.startswith(only)]
    return draw.choices(chosen, [target.weight for target in chosen])[0], draw


def prepare(target: Target, draw: Random) -> Case:
    """Damage the current folder, which holds the target's samples."""
    files = {path: name for name, patterns in target.reads.items() for pattern in patterns for path in _found(pattern)}
    run = Run(target.run, writes=target.writes)
    for _ in range(50):
        path = draw.choice(sorted(files))
        kind = draw.choices(list(SHARES), list(SHARES.values()))[0]
        case = _damaged(target, draw, kind, Path(path), run, sorted(map(Path, files)))
        if case is not None:
            return case
    raise AssertionError(f"no mutation fits {target.run}")


def _found(pattern: str) -> list[str]:
    if not any(sign in pattern for sign in "*?"):
        return [pattern]
    return sorted(str(path) for path in Path().glob(pattern) if path.is_file())


def _damaged(target: Target, draw: Random, kind: str, path: Path, run: Run, inputs: list[Path]) -> Case | None:
    changed: Run | None
    if kind == "options":
        changed, edit = options.option_edit(draw, run, target.command), "options"
    elif kind == "output":
        if not target.writes:
            return None
        output = Path(draw.choice(target.writes))
        changed, edit = places.output_edit(draw, run, output, inputs), "output"
    elif kind == "place":
        place_edit = draw.choice(places.INPUT_EDITS)
        changed, edit = place_edit(draw, replace(run, named=(str(path),)), path), place_edit.__name__
    elif path.is_dir():
        return None
    else:
        return _edited(target, draw, kind, path, run)
    return changed and Case(target, kind, edit, str(path), changed)


def _edited(target: Target, draw: Random, kind: str, path: Path, run: Run) -> Case | None:
    """A case whose file has other bytes."""
    before = path.read_bytes()
    unpack, pack = _PACKED.get(path.suffix, (bytes, bytes))
    is_inside = path.suffix in _PACKED and draw.random() < 0.7
    data = unpack(before) if is_inside else before
    suffixes = path.suffixes[:-1] if path.suffix in _PACKED else path.suffixes
    suffix = suffixes[-1] if suffixes else ""
    if kind == "bytes" or (path.suffix in _PACKED and not is_inside):
        function = draw.choice(byte_edits.LOCAL if draw.random() < 0.4 else byte_edits.WIDE)
        after, edit = function(draw, data), function.__name__
    else:
        after, edit = _content(draw, data, suffix)
    path.write_bytes(pack(after) if is_inside else after)
    by_line = path.suffix not in _PACKED and (suffix in _BY_LINE or path.name.startswith(("test.", "tune.", "asset.")))
    is_plain = by_line and bool(after.strip(b" \t\r\n\0\xef\xbb\xbf"))
    is_local = edit in {function.__name__ for function in byte_edits.LOCAL} and data.count(b"\n") == after.count(b"\n")
    lines = changed_lines(data, after) if is_plain and is_local else None
    changed = replace(run, named=(str(path),), lines=lines, needs_line=is_plain)
    return Case(target, kind, edit, str(path), changed)


def _content(draw: Random, data: bytes, suffix: str) -> tuple[bytes, str]:
    """A mutation that knows the form of the file."""
    try:
        if suffix in (".json", ".yaml", ".jsonl") and draw.random() < 0.9:
            edit = {".json": value_edits.edit_json, ".yaml": value_edits.edit_yaml}.get(
                suffix, value_edits.edit_json_lines
            )
            return edit(draw, data), edit.__name__
        if suffix == ".xml" and draw.random() < 0.6:
            return table_edits.edit_markup(draw, data), "edit_markup"
    except (ValueError, IndexError):
        pass
    if draw.random() < 0.4:
        return table_edits.edit_rows(draw, data), "edit_rows"
    if draw.random() < 0.3:
        return byte_edits.number_in_text(draw, data), "number_in_text"
    delimiter = {".csv": b",", ".tsv": b"\t", ".sql": b","}.get(suffix, b"\t" if b"\t" in data else b" ")
    return table_edits.edit_cells(draw, data, delimiter), "edit_cells"


def changed_lines(before: bytes, after: bytes) -> tuple[int, int]:
    """The first and last line of `after`, from 1, that the two do not share at their beginnings and ends."""
    start = len(os.path.commonprefix([before, after]))
    end = len(os.path.commonprefix([before[start:][::-1], after[start:][::-1]]))
    first = after.count(b"\n", 0, start) + 1
    return first, first + after.count(b"\n", start, max(start, len(after) - end))


Contents = dict[str, Any]


def contents(folder: Path) -> Contents:
    """Everything below a folder: bytes of files, targets of links, kinds of the rest; hidden ones too."""
    found: Contents = {}
    for path in folder.rglob("*"):
        mode = path.lstat().st_mode
        name = str(path.relative_to(folder))
        if stat.S_ISREG(mode):
            found[name] = path.read_bytes()
        else:
            found[name] = os.readlink(path) if stat.S_ISLNK(mode) else stat.S_IFMT(mode)
    return found


@dataclass(frozen=True)
class Outcome:
    """What a run left: its exit status, what it printed, and the folder before and after."""

    status: int
    printed: str
    said: str
    before: Contents
    after: Contents


def verdict(case: Case, outcome: Outcome, folder: Path, expected: Contents | None = None) -> tuple[str, str]:
    """One word, and what is to be said about it.

    Args:
        expected: what the undamaged input gives, for a case that has to give the same.
    """
    if outcome.status not in (0, 2):
        return "defect", outcome.said.strip() or f"exit status {outcome.status}"
    if outcome.status == 0:
        return _accepted(case, outcome, folder, expected)
    if outcome.before != outcome.after:
        return "left over", f"{_difference(outcome)}; {outcome.said.strip()[:200]}"
    return _refused(case.run, outcome.said)


def _accepted(case: Case, outcome: Outcome, folder: Path, expected: Contents | None) -> tuple[str, str]:
    writes = tuple(name.removeprefix("./") for name in case.run.writes)

    def is_output(name: str) -> bool:
        return any(name == path or name.startswith(f"{path}/") for path in writes)

    lost = [name for name, value in outcome.before.items() if outcome.after.get(name) != value and not is_output(name)]
    if lost:
        return "input changed", ", ".join(lost[:3])
    left = [name for name in outcome.after.keys() - outcome.before.keys() if _LEFT.fullmatch(Path(name).name)]
    left += [name for name in outcome.after.keys() - outcome.before.keys() if not is_output(name)]
    if left:
        return "left over", ", ".join(sorted(left)[:3])
    if case.target.check is not None and case.kind in ("bytes", "content"):
        try:
            case.target.check(folder, outcome.printed)
        except Exception as error:  # whatever it is, the result cannot be used
            return "senseless", f"{type(error).__name__}: {error}"[:300]
    if case.run.is_good and expected is not None:
        for name, value in expected.items():
            if is_output(name) and outcome.after.get(name) != value and _tells(value, case.path):
                return "senseless", f"{name} is not what the undamaged input gives"
    return "accepted", ""


def _tells(value: Any, name: str) -> bool:
    """Whether an output depends on the bytes of its input alone, and not on its name."""
    return isinstance(value, bytes) and Path(name).stem.encode() not in value


def _refused(run: Run, said: str) -> tuple[str, str]:
    rows = [row for row in said.splitlines() if row.strip()]
    errors = [row for row in rows if row.startswith("error: ")]
    if rows and rows[0].startswith(("Usage:", "╭─ Error")) and run.is_usage:
        return "usage", ""
    if "Traceback" in said or len(errors) != 1 or errors[0] != rows[-1] or len(rows) > _NOTES + 1:
        return "several lines", " / ".join(rows)[:300] or "nothing was said"
    if run.is_good:
        return "not taken", errors[0]
    if run.named and not any(name in errors[0] for name in _names(run.named)):
        return "wrong file", errors[0]
    if "not enough memory" in errors[0]:
        return "memory", errors[0]
    if run.needs_line:
        return _with_line(run, errors[0])
    return "refused", errors[0]


def _names(named: tuple[str, ...]) -> set[str]:
    """How a message may write a path, or a folder that it is in."""
    paths = {*named, *(str(parent) for name in named for parent in Path(name).parents)} - {".", "", "/"}
    return {text for name in paths for text in (one_line(name), repr(name), visible(name))} - {""}


def visible(name: str) -> str:
    """A name as UTF-8, bytes of it that are none in hexadecimal."""
    return name.encode("utf-8", "backslashreplace").decode()


def _with_line(run: Run, error: str) -> tuple[str, str]:
    numbers = [int(number) for number in re.findall(r":(\d+)\b", error)]
    if not numbers:
        return "no line", error
    if run.lines and error.startswith(f"error: {run.named[0]}:"):
        first, last = run.lines
        if not any(first - 1 <= number <= last + 1 for number in numbers):
            return "other line", f"{error} (changed: {first} to {last})"
    return "refused", error


def _difference(outcome: Outcome) -> str:
    gone = sorted(outcome.before.keys() - outcome.after.keys())
    new = sorted(outcome.after.keys() - outcome.before.keys())
    changed = sorted(
        name for name in outcome.before if name in outcome.after and outcome.before[name] != outcome.after[name]
    )
    return ", ".join(
        f"{what} {names[:3]}" for what, names in (("new", new), ("gone", gone), ("changed", changed)) if names
    )
