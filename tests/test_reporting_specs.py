"""Tables as data: a new table is one YAML file, and a wrong one is an error that names it."""

import shutil
from pathlib import Path

import pytest
from reporting_run import folders, params, report_files, write, write_run

from textsimp.core.errors import InputError
from textsimp.core.reading import read_json
from textsimp.reporting.plan import load_plan
from textsimp.reporting.report import write_report
from textsimp.reporting.specs import SPECS, read_specs

NEW = """
key: plain-{corpus}
title: Recall alone, {corpus}
section: alignment
per: annotated
results: alignment/{corpus}
scope: test
text: Recall of Task 1 in percent.
stub: [System]
columns:
  - {header: R, measure: task1.recall, best: true}
rows:
  - {each: {system: fair}, label: "{system:label}", system: "{system}"}
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("run")
    write_run(root, ["sample_news"])
    write(root / "params.yaml", params(["sample_news"], []))
    return root


@pytest.fixture
def specs(tmp_path: Path) -> Path:
    """A folder of the sections and claims alone."""
    for name in ("sections.yaml", "claims.yaml"):
        shutil.copyfile(SPECS / name, tmp_path / name)
    return tmp_path


def test_a_new_table_is_one_file(run: Path, specs: Path) -> None:
    write(specs / "recall.yaml", NEW)
    files = report_files(run / "new")
    write_report(load_plan(run / "params.yaml"), folders(run), files, specs)
    (table,) = [table for table in read_json(files.json)["tables"] if table["key"] == "plain-sample_news"]
    assert table["title"] == "Recall alone, sample_news" and table["section"] == "Sentence alignment"
    assert [row["cells"][0]["text"] for row in table["rows"]][:2] == ["Jaccard", "TF-IDF"]
    assert [row for row in table["rows"] if row["cells"][1].get("best")] == [table["rows"][-1]]
    assert "### Recall alone, sample_news" in files.markdown.read_text()
    assert "<h3>Recall alone, sample_news</h3>" in files.html.read_text()
    assert "Recall alone, sample\\_news" in files.latex.read_text()


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("section: alignment", "section: nowhere", r"recall\.yaml: no section 'nowhere'"),
        ("title: Recall", "titel: Recall", r"recall\.yaml:?\d*: (title: missing|titel: unknown)"),
        ("header: R", "heading: R", r"recall\.yaml:\d+: columns\[0\]\.heading: unknown"),
        ("title: Recall alone, {corpus}\n", "", r"recall\.yaml: title: missing"),
        ("stub: [System]", "stub: [System", r"recall\.yaml:\d+: not YAML"),
        ("columns:\n  -", "columns:\n  - 5\n  -", r"recall\.yaml:\d+: columns\[0\]: 5 is no mapping"),
        ("best: true", "digits: 1.5", r"recall\.yaml:\d+: columns\[0\]\.digits: 1\.5 is no whole number"),
        ("per: annotated", "rows: 3", r"recall\.yaml:\d+: key 'rows' stands twice"),
        ("fair", "everybody", "lister 'everybody': expected one of"),
        ("{system:label}", "{sytem:label}", "no 'sytem'"),
        ("measure: task1.recall", "show: pictures", "show 'pictures': expected one of"),
        ("per: annotated", "per: planet", "per 'planet': expected"),
    ],
)
def test_a_wrong_table_is_named(run: Path, specs: Path, old: str, new: str, reason: str) -> None:
    assert old in NEW
    write(specs / "recall.yaml", NEW.replace(old, new))
    with pytest.raises(InputError, match=reason):
        write_report(load_plan(run / "params.yaml"), folders(run), report_files(run / "wrong"), specs)
    assert not (run / "wrong").exists()


def test_every_claim_and_table_has_its_place() -> None:
    specs = read_specs()
    assert {claim.table for claim in specs.claims} == {table.name for table in specs.claim_tables}
    assert len({table.key for table in specs.tables}) == len(specs.tables)
    assert {table.section for table in specs.tables} <= {section.key for section in specs.sections}
