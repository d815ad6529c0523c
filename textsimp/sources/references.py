"""Line-aligned test sets with several references, common to TURK and ASSET (F1)."""

from pathlib import Path

from textsimp.errors import bad_input
from textsimp.sources.checks import check_text
from textsimp.textfiles import read_aligned

MultiReference = tuple[str, tuple[str, ...]]  # complex sentence, its simplifications


def read_references(complex_: Path, prefix: str) -> list[MultiReference]:
    """Complex sentences with the references of the files PREFIX0, PREFIX1, ... beside them.

    Raises:
        InputError: no reference or a gap in their numbers, files of different lengths, an empty or damaged line.
    """
    numbers = {path.name.removeprefix(prefix) for path in complex_.parent.glob(f"{prefix}*")}
    expected = {str(number) for number in range(len(numbers))}
    if not numbers or numbers != expected:
        what = f"references {sorted(numbers)} beside it, not 0, 1, ..."
        raise bad_input(complex_, None, what, "fetch the release again")
    paths = [complex_, *(complex_.parent / f"{prefix}{number}" for number in range(len(numbers)))]
    rows = read_aligned(paths)
    if not rows:
        raise bad_input(complex_, None, "an empty file", "fetch the release again")
    for number, row in enumerate(rows, 1):
        for path, text in zip(paths, row, strict=True):
            check_text(path, number, text)
    return [(row[0], row[1:]) for row in rows]
