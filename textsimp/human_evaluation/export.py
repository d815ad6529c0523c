"""The folder that raters get, and the key that they do not get."""

from pathlib import Path

from textsimp.errors import InputError, bad_input
from textsimp.human_evaluation.form import rating_form
from textsimp.human_evaluation.guidelines import guidelines_text
from textsimp.human_evaluation.sheets import blank_sheet
from textsimp.human_evaluation.study import Study, key_as_dict
from textsimp.textfiles import atomic_folder, atomic_write, write_json


def export_study(study: Study, folder: Path, key: Path) -> None:
    """Write `RATER.csv` and `RATER.html` for every rater and guidelines.txt into a new folder, and the key elsewhere.

    Raises:
        InputError: the folder or the key is there already (ratings might be lost), or the key would be in the folder.
    """
    if folder.resolve() in (key.resolve(), *key.resolve().parents):
        raise InputError(f"--key {key}: would be in the raters' folder and tell them the systems; put it elsewhere")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise bad_input(folder, None, "is there already", "name a new folder, or remove it if nobody has rated in it")
    if key.exists():
        raise bad_input(key, None, "is there already", "name a new key, or remove it if its sheets are of no use")
    with atomic_folder(folder) as temporary:
        _write(temporary / "guidelines.txt", guidelines_text())
        for rater in study.raters:
            _write(temporary / f"{rater}.csv", blank_sheet(study, rater))
            _write(temporary / f"{rater}.html", rating_form(study, rater))
        write_json(key, key_as_dict(study))


def parsed_outputs(given: list[str]) -> dict[str, Path]:
    """`NAME=FILE` of each system, in order; `InputError` where one is no such pair or a name comes twice."""
    outputs: dict[str, Path] = {}
    for text in given:
        name, equals, path = text.partition("=")
        name = name.strip()
        if not (name and equals and path) or not name.isprintable():
            raise InputError(f"--output {text!r}: expected NAME=FILE")
        if name in outputs:
            raise InputError(f"--output {text!r}: a second system with the name {name!r}; give it another")
        outputs[name] = Path(path)
    return outputs


def _write(path: Path, text: str) -> None:
    with atomic_write(path) as file:
        file.write(text)
