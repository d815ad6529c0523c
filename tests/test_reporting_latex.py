"""The report's tables as LaTeX and JSON: the numbers of the Markdown, hostile text, and whether LaTeX reads it."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from reporting_run import KINDS, folders, params, report_files, write, write_published, write_run

from textsimp.core.reading import read_json
from textsimp.core.results import Comparison, Estimate
from textsimp.reporting.latex import escape, latex_document, to_latex
from textsimp.reporting.markdown import escape as markdown_text
from textsimp.reporting.plan import load_plan
from textsimp.reporting.report import ReportFiles, results_object, write_report
from textsimp.reporting.table import Cell, Column, Row, Table, comparison_cell, estimate_cell, mark_best, text_cell

HOSTILE = '\\input{/etc/passwd} \\end{document} %#$&_^~{}[] | "quoted" `tick` <b> \\\\[2pt] žluťoučký'


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> ReportFiles:
    root = tmp_path_factory.mktemp("run")
    write_run(root)
    write_published(root)
    write(root / "params.yaml", params(list(KINDS), ["jiang2020"]))
    write_report(load_plan(root / "params.yaml"), folders(root), report_files(root / "report"))
    return report_files(root / "report")


def ours(*estimate: float) -> Cell:
    return estimate_cell(Estimate(*estimate))


def gap(difference: float, low: float, high: float, p: float) -> Cell:
    return comparison_cell(Comparison(difference, low, high, p, p))


def table() -> Table:
    rows = (
        Row((text_cell("a_b & 50%"), ours(31.25, 30.0, 32.5), gap(-1.5, -2.0, -1.0, 0.001))),
        Row((text_cell(HOSTILE), ours(30.0, 29.0, 31.0), gap(0.25, -1.0, 1.5, 0.4)), True, "B~^"),
    )
    columns = (Column("", "System", numeric=False), Column("ours", "SARI", "SARI|level:a_b"), Column("ours", "ΔSARI"))
    return Table("some-table", "Title #1", "Text $x$ \\ {y}", columns, mark_best(rows, [1], [True, True]))


def test_a_table_in_latex() -> None:
    text = to_latex(table())
    first = r"a\_b \& 50\% & \shortstack[r]{\textbf{31.2}\\{\tiny 30.0 to 32.5}} & "
    assert first + r"\shortstack[r]{-1.5\textdaggerdbl{}\\{\tiny -2.0 to -1.0}} \\" in text
    assert r"\multicolumn{2}{c}{ours} \\" in text and r"\cmidrule(lr){2-3}" in text
    assert r"SARI\textsuperscript{1} & $\Delta$SARI \\" in text
    assert r"\textsuperscript{1} SARI\textbar{}level:a\_b" in text
    assert r"\multicolumn{3}{l}{\textit{B\textasciitilde{}\textasciicircum{}}} \\" in text
    assert text.count(r"\midrule") == 2 and r"{+0.2\\{\tiny -1.0 to 1.5}}" in text


def test_no_character_of_latex_stays_one() -> None:
    assert escape("\\input{x}%\n$1 [2]") == r"\textbackslash{}input\{x\}\%\$1 {[}2{]}".replace(r"\%\$", r"\% \$")
    assert escape("é ≥ 3 – ‡") == r"é $\geq$ 3 -- \textdaggerdbl{}"


def test_json_keeps_full_precision() -> None:
    (written,) = results_object("x", [("Part", [table()])])["tables"]
    assert (written["key"], written["section"]) == ("some-table", "Part")
    assert written["columns"][1]["note"] == "SARI|level:a_b"
    assert written["rows"][0]["cells"][1] == {"text": "31.2", "value": 31.25, "interval": [30.0, 32.5], "best": True}
    assert written["rows"][1]["heading"] == "B~^" and written["rows"][1]["cells"][0] == {"text": HOSTILE}


def test_every_file_has_the_same_tables(files: ReportFiles) -> None:
    titles = re.findall(r"^### (.*)$", files.markdown.read_text(encoding="utf-8"), re.MULTILINE)
    found = {row["key"]: row for row in read_json(files.json)["tables"]}
    assert [markdown_text(row["title"]) for row in found.values() if not row["folded"]][1:] == titles
    latex = files.latex.read_text(encoding="utf-8")
    assert re.findall(r"\\label\{tab:(.*)\}", latex) == list(found)
    html = files.html.read_text(encoding="utf-8")
    assert all(f'id="{key}"' in html for key in found)
    sari = found["simplification-sample_news-auto"]["rows"][-2]["cells"][2]
    assert sari["interval"] == [sari["value"] - 2, sari["value"] + 2]
    assert f"{sari['interval'][0]:.1f} to {sari['interval'][1]:.1f}" in latex
    json.dumps(found, allow_nan=False)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex on this machine")
def test_latex_reads_it(files: ReportFiles, tmp_path: Path) -> None:
    write(tmp_path / "hostile.tex", latex_document(HOSTILE, [("A", [table()])]))
    for source in (files.latex, tmp_path / "hostile.tex"):
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", f"-output-directory={tmp_path}", source]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:]
