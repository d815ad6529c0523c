"""A small human evaluation that several test files share: hostile texts, shared outputs, filled sheets."""

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path

import commands

from textsimp.extras.human.drawing import draw_study
from textsimp.extras.human.sheets import export_study
from textsimp.extras.human.study import Study

COMPLEX = (
    "The committee , which had met three times , rejected the proposal because its costs were unknown .",
    "Rules on emissions were tightened considerably , and the ministry invests in wind energy .",
    '<script>document.title = "owned"</script> & <b>bold</b> "quoted" costs = 3',
    "@SUM(1+1) was the first cell of a spreadsheet that the auditors found .",
)
OUTPUTS = {
    "old/LSTM": (
        "The committee said no .",
        "The rules are stricter now .",
        "</script><img src=x onerror=\"document.title='owned'\">",
        "=HYPERLINK(A1)",
    ),
    "new/LSTM": (
        "the committee met .",
        "The  rules are stricter\tnow . ",
        "--> ]]> {{ 7 * 7 }} <!--",
        "+1, -1 \u202e\u2028 ﬁ",
    ),
    "reference": ("Nobody knew the costs .", "There is more wind energy .", "", "'quoted', \"doubled\"; “curly”"),
}
"""The two models agree on the second sentence, up to spaces; the reference of the third is empty."""

Fill = Callable[[str, str, str], str]
"""From rater, item and criterion to the cell that is written."""


def write_texts(folder: Path) -> tuple[Path, dict[str, Path]]:
    """The files that `export` takes."""
    files = {name: folder / f"{name.replace('/', '.')}.txt" for name in ("complex", *OUTPUTS)}
    for name, texts in {"complex": COMPLEX, **OUTPUTS}.items():
        files[name].write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    original = files.pop("complex")
    return original, files


def exported(folder: Path, count: int = 4, seed: int = 13, raters: int = 3) -> tuple[Study, Path, Path]:
    """A study, its folder and its key."""
    study = draw_study(*write_texts(folder), count, seed, raters)
    sheets, key = folder / "sheets", folder / "key.json"
    export_study(study, sheets, key)
    return study, sheets, key


def run(*arguments: object) -> tuple[int, str]:
    """Exit status and what `textsimp human` printed."""
    result = commands.run("human", *arguments)
    return result.exit_code, result.output


def refused(said: str, *arguments: object) -> None:
    """Check that the command refuses its input in one line."""
    commands.refused(commands.run("human", *arguments), said)


def cells(path: Path) -> list[list[str]]:
    """The cells of a CSV file as Python's own reader sees them."""
    return list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))


def fill(sheet: Path, target: Path, value: Fill, delimiter: str = ",", rows: Sequence[int] | None = None) -> Path:
    """Fill a blank sheet; `rows` chooses and orders what is written."""
    header, *table = cells(sheet)
    for row in table:
        row[4:] = [value(row[0], row[1], criterion) for criterion in header[4:]]
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerows([header, *(table if rows is None else [table[place] for place in rows])])
    return target
