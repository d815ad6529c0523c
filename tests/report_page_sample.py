"""A report whose documents, outputs, names and labels are hostile, for the tests in a browser."""

import json
import random
from itertools import product
from pathlib import Path

from reporting_run import SIMPLIFIERS, TRAINING_SETS, labels, sentence, sentences_and_references, simplified

from textsimp.core.settings import structured
from textsimp.core.writing import write_lines
from textsimp.reporting.browser import alignment_browser, output_browser
from textsimp.reporting.names import Labels
from textsimp.reporting.opening import Opening
from textsimp.reporting.page import Section, page
from textsimp.reporting.table import Cell, Column, Line, Table, framed
from textsimp.reporting.texts import read_examples, read_outputs

CORPUS = "sample_news"
SYSTEMS = list(product(TRAINING_SETS, SIMPLIFIERS))
TEXTS = [
    "<script>document.title = 'owned'</script>",
    "</script><script>document.title = 'owned'</script>",
    "<!-- <script> --> <![CDATA[ ]]> </style></template></textarea>",
    "<img src=x onerror=\"document.title='owned'\"> <b>bold</b>",
    "\"double\" 'single' `tick` & &amp; &lt;i&gt; &#39;",
    "{{ 7 * 7 }} {% raw %} ${7 * 7} \\u003cb\\u003e \\n \\",
    "One line\u2028another\u2029and the last",
    "\u202ereversed\u202c and שלום עולם of a boat",
    "👩‍👩‍👧 🎉 ﬁne İstanbul ß A\u0301 (a.b*c)+",
    "w" * 2000,
]
LABEL = 'Main <b onclick="alert(1)">system</b> & "co"'
NAMES = ['first"><img src=x onerror=alert(1)>', "second & </script>", "third \u202e {{ 7 * 7 }}"]
GOLD = [[0, 0, "aligned"], [1, 1, "aligned"], [2, 1, "partial"], [3, 4, "partial"]]
PREDICTED = {
    "neural_crf": [
        [[0, 0, "aligned"], [1, 1, "partial"], [2, 1, "partial"], [5, 6, "aligned"]],  # 2 right, 1 of each error
        [*GOLD, [9, 9, "partial"]],  # 1 wrong
        GOLD,
    ],
    "jaccard": [[], GOLD[:2], [[place, place, "aligned"] for place in range(10)]],
}
"""Simple sentence, complex sentence, label, of each system and pair."""


def pair_rows() -> list[dict[str, object]]:
    """Three document pairs of the hostile texts, in paragraphs of three sentences; the simple side is turned."""
    rows = []
    for number, name in enumerate(NAMES):
        row: dict[str, object] = {"id": name, "corpus": CORPUS, "group": f"set {number}", "alignments": GOLD}
        for level, side in enumerate(("complex", "simple")):
            lines = [f"{text} {number}" for text in (TEXTS if side == "complex" else TEXTS[::-1])]
            paragraphs = [lines[place : place + 3] for place in range(0, len(lines), 3)]
            row[side] = {"id": f"{name}/{side}", "level": level, "paragraphs": paragraphs}
        row["predicted"] = {system: links[number] for system, links in PREDICTED.items()}
        rows.append(row)
    return rows


def outputs_of(system: str) -> list[str]:
    """What a system makes of the hostile texts: one as it was, one empty, the others changed."""
    changed = [f"{text[1:]} by {system} </ins> <" for text in TEXTS]
    return [TEXTS[0], "", *changed[2:]]


def write_hostile_report(root: Path) -> Path:
    """The page of a report with a small table, and with the hostile texts read from files as the stages write them."""
    path = root / f"alignment.{CORPUS}.jsonl"
    write_lines(path, (json.dumps(row, ensure_ascii=False) for row in pair_rows()))
    write_outputs(root)
    outputs = read_outputs(root / "test", root / "outputs", ["auto", "old"], SYSTEMS)
    table = Table("summary", TEXTS[0], TEXTS[1], framed((), [Line(())], {Column(header=LABEL): [Cell(TEXTS[2])]}))
    names = {"neural_crf": LABEL, "jaccard": "Jaccard"}
    shown = {"name": CORPUS, "label": CORPUS, "about": "", "hidden": False}
    pairs = alignment_browser(f"pairs-{CORPUS}", read_examples(path), names, 100)
    sentences = output_browser(f"outputs-{CORPUS}", outputs, SYSTEMS, structured(labels(), Labels), 100)
    browsers = {"alignments": [{**shown, "browser": pairs}], "outputs": [{**shown, "browser": sentences}]}
    section = Section("texts", NAMES[0], [], **browsers)
    html = root / "index.html"
    html.write_text(page(TEXTS[3], Opening(table), [section]), encoding="utf-8")
    return html


def write_outputs(root: Path) -> None:
    """The test set `old` of the hostile sentences; `auto` of invented ones."""
    draw = random.Random(1)
    complex_, references = sentences_and_references(1, draw)
    hostile = [sentence(draw, 8) for _ in TEXTS]
    for name, lines, others in (("auto", complex_, references[0]), ("old", TEXTS, hostile)):
        write_lines(root / "test" / f"{name}.complex", lines)
        write_lines(root / "test" / f"{name}.reference.0", others)
        for training, system in SYSTEMS:
            texts = outputs_of(f"{training} {system}") if name == "old" else simplified(complex_, draw)
            write_lines(root / "outputs" / training / system / f"{name}.txt", texts)
