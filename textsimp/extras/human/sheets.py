"""Sheets for raters: CSV, and HTML forms whose `form.js` writes the same CSV."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from textsimp.core.errors import bad_input
from textsimp.core.inline import embedded_json, html_page
from textsimp.core.reading import is_written
from textsimp.core.spreadsheet import guarded
from textsimp.core.writing import atomic_folder, write_json, write_texts
from textsimp.extras.human.guidelines import Guidelines
from textsimp.extras.human.study import Item, Study, key_of

_NO_TEXT = "(no text)"
# without a byte-order mark spreadsheet programs take UTF-8 for the machine's old encoding
_MARK = "\ufeff"


def export_study(study: Study, folder: Path, key: Path) -> None:
    """Write `RATER.csv` and `RATER.html` for every rater and guidelines.txt into a new folder, and the key elsewhere.

    The key is there first; a run that was killed after it is begun again. Raise `InputError` where the folder or
    another study's key exists (ratings might be lost).
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise bad_input(folder, None, "is there already", "name a new folder, or remove it if nobody has rated in it")
    if key.exists() and not is_written(key, key_of(study)):
        raise bad_input(key, None, "is there already", "name a new key, or remove it if its sheets are of no use")
    with atomic_folder(folder, "guidelines.txt") as temporary:
        write_texts(temporary, _texts(study))
        write_json(key, key_of(study))


def _texts(study: Study) -> Iterator[tuple[str, str]]:
    """Yield the files by name, one at a time: together those of many raters are large."""
    yield "guidelines.txt", study.guidelines.text()
    for rater in study.raters:
        order = study.order(rater)
        yield f"{rater}.csv", _blank_sheet(study.guidelines, rater, order)
        yield f"{rater}.html", _rating_form(study, rater, order)


def _columns(asked: Guidelines) -> tuple[str, ...]:
    return "rater", "item", asked.sides.original, asked.sides.versions, *asked.keys


def _blank_sheet(asked: Guidelines, rater: str, order: Sequence[Sequence[Item]]) -> str:
    """Return the CSV sheet of one rater, with every cell quoted and empty cells for the ratings."""
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(_columns(asked))
    for item in (item for items in order for item in items):
        texts = guarded(item.original), guarded(item.text or _NO_TEXT)
        writer.writerow([rater, item.id, *texts, *[""] * len(asked.keys)])
    return _MARK + file.getvalue()


def _rating_form(study: Study, rater: str, order: Sequence[Sequence[Item]]) -> str:
    """Return the form of one rater, with the sentences and outputs in the order of the sheet."""
    asked = study.guidelines
    outputs = [[{"id": item.id, "text": item.text or _NO_TEXT} for item in items] for items in order]
    data = {
        "study": study.name,
        "rater": rater,
        "columns": list(_columns(asked)),
        "headings": asked.headings,
        "seconds": study.seconds,
        "criteria": [{**asdict(criterion), "scale": criterion.scale} for criterion in asked.criteria],
        "sentences": [
            {"original": items[0].original, "outputs": of_items} for items, of_items in zip(order, outputs, strict=True)
        ],
    }
    files = (Path(__file__).resolve().parent, "form.html.jinja", ["form.css"], ["widgets.js", "form.js"])
    return html_page(*files, rater=rater, rules=asked.rules, criteria=asked.criteria, data=embedded_json(data))
