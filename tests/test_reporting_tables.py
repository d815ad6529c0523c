"""Tables of the report: ours joined with the published numbers, formats, footnotes, the main table."""

from dataclasses import replace
from pathlib import Path

import pytest
from reporting_run import KINDS, SIGNATURES, folders, params, write, write_published, write_run

from textsimp.errors import InputError
from textsimp.reporting.alignment.audit_tables import audit_tables
from textsimp.reporting.config import load_plan
from textsimp.reporting.corpus_tables import corpus_tables
from textsimp.reporting.inputs import Results, read_results
from textsimp.reporting.markdown import escape, first_table, to_markdown
from textsimp.reporting.published import Published
from textsimp.reporting.simplification.tables import equal_cells, published_table, simplification_tables
from textsimp.reporting.summary import summary
from textsimp.reporting.tables import (
    Column,
    Row,
    Table,
    mark_best,
    number,
    number_cell,
    printed_cell,
    text_cell,
)
from textsimp.textfiles import read_json


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("run")
    write_run(root)
    write_published(root)
    write(root / "params.yaml", params(list(KINDS), ["jiang2020"], paragraphs=["sample_news"]))
    return root


@pytest.fixture(scope="module")
def results(run: Path) -> Results:
    return read_results(load_plan(run / "params.yaml"), folders(run))


@pytest.fixture(scope="module")
def published(run: Path) -> Published:
    return Published(folders(run).published)


def cells(table: Table, system: str, training: str | None = None) -> list[str]:
    """The texts of the row of a system."""
    (row,) = [
        row
        for row in table.rows
        if row.cells[0].text == system and (training is None or row.cells[1].text.startswith(training))
    ]
    return [cell.text for cell in row.cells]


def test_numbers_have_one_decimal_and_published_ones_theirs() -> None:
    assert [number(value) for value in (93.249, -0.01, 1234.5, 1234, None)] == ["93.2", "0.0", "1,234.5", "1,234", "–"]
    assert [printed_cell(text).text for text in ("94.93", "12", "1010000", "", None)] == [
        "94.93",
        "12",
        "1,010,000",
        "–",
        "–",
    ]


def test_statistics_beside_tables_1_and_4(results: Results, published: Published) -> None:
    table1, table4, filters, leaks = corpus_tables(results.corpora[0], published)
    headers = [(column.group, column.header) for column in table1.columns]
    assert headers[1:5] == [
        ("sample_news, manual", "ours"),
        ("sample_news, manual", "paper: Newsela-Manual"),
        ("sample_news, new (auto)", "ours"),
        ("sample_news, new (auto)", "paper: Newsela-Auto"),
    ]
    assert cells(table1, "fusion (m-to-n)") == ["fusion (m-to-n)", "–", "252", "–", "–", "–"]
    assert cells(table4, "train pairs") == ["train pairs", "1,234", "394,000", "1,234", "94,000"]
    assert [row.cells[0].text for row in filters.rows] == ["levels", "identical", "leak"]
    assert [row.cells[0].text for row in leaks.rows] == ["dev", "test"]
    wiki1, wiki4, *_ = corpus_tables(results.corpora[1], published)
    assert {column.header for column in wiki1.columns[1:]} == {"ours"}
    assert "skip simple" not in str(wiki1.rows)  # another paper has a Table 1 too
    assert cells(wiki4, "train pairs")[2] == "488,000"


def test_audits_and_gold_paragraphs(results: Results, run: Path) -> None:
    found, paragraphs = audit_tables(results.corpora)
    audit = read_json(run / "reports" / "audit" / "sample_wiki.json")
    assert [row.cells[0].text for row in found.rows] == ["sample_news"] * 2 + ["sample_wiki"] * 2
    assert found.rows[2].cells[2].text == f"{audit['auto']['task1']['precision']:.1f}"
    assert "sample_wiki: 12 document pairs, against gold that no stage reads" in found.text
    assert [row.cells[0].text for row in paragraphs.rows] == ["As trained", "MASSAlign"]
    assert "merged: 9, tuned on 6" in paragraphs.text


def test_a_corpus_without_anything_to_be_held_against(run: Path, tmp_path: Path) -> None:
    write_run(tmp_path, ["sample_wiki"])
    write(tmp_path / "reports" / "audit" / "sample_wiki.json", '{"document_pairs": 0}')
    write(tmp_path / "params.yaml", params(["sample_wiki"], []))
    found = read_results(load_plan(tmp_path / "params.yaml"), folders(tmp_path))
    assert audit_tables(found.corpora) == []


ROWS = [("auto", "lstm"), ("auto", "transformer_bert"), ("old", "lstm")]


def test_simplification_beside_tables_5_and_8(results: Results, published: Published, run: Path) -> None:
    auto, old = simplification_tables(results.corpora[0], published)
    scores = read_json(run / "reports" / "simplification" / "sample_news.json")["test_sets"]
    ours = cells(auto, "LSTM", "new")
    assert ours[2] == f"{scores['auto']['auto']['lstm']['sari']:.1f}"
    row = next(row for row in auto.rows if [cell.text for cell in row.cells[:2]] == ["LSTM", "new (auto)"])
    new, other, before = (scores["auto"][t][s]["sari"] for t, s in ROWS)
    assert row.cells[2].interval == (new - 2, new + 2)
    assert [row.cells[place].value for place in (3, 4)] == [pytest.approx(new - other), pytest.approx(new - before)]
    assert "minus that of Transformer_bert, new" in auto.columns[3].note and "‡" in row.cells[4].text
    assert cells(auto, "LSTM", "old")[4] == cells(auto, "Transformer_bert", "new")[3] == "–"
    assert ours[10:16] == ["35.8", "3.9", "30.5", "73.1", "7.0", "14.3"]
    assert ours[16] == f"{scores['auto']['auto']['lstm']['sari_corpus']:.1f}"
    assert cells(old, "LSTM", "old")[10:16] == ["36.2", "2.5", "34.9", "71.3", "7.7", "16.3"]
    assert cells(auto, "Complex (input)")[10:16] == ["11.9", "0.0", "35.5", "0.0", "12", "24.3"]
    assert cells(auto, "Simple (reference)")[2:16] == ["–"] * 6 + ["6.5", "13.0"] + ["–"] * 4 + ["6.6", "13.2"]
    (turk,) = simplification_tables(results.corpora[1], published)
    assert cells(turk, "EditNTS", "old")[10] == "35.3" and cells(turk, "EditNTS", "new")[10] == "36.4"
    assert "TURK" in turk.title and "WikiLarge" in turk.text


def test_scores_of_different_signatures_share_no_column(results: Results, published: Published) -> None:
    table, _ = simplification_tables(results.corpora[0], published)
    notes = {(column.short, column.header): column.note for column in table.columns if column.note}
    assert notes["ours", "SARI"] == notes["ours", "add"] == SIGNATURES["sari"]
    assert notes["ours", "corpus SARI"] == SIGNATURES["sari_corpus"] and notes["ours", "BLEU"] == SIGNATURES["bleu"]
    assert "As printed" in notes["paper", "SARI"]
    text = to_markdown(table)
    assert "ours SARI [1]" in text and "paper SARI [6]" in text and "\n[1] SARI\\|level:sentence" in text


def test_table_8_again(results: Results) -> None:
    found = results.published["jiang2020"]
    assert equal_cells(found["rows"], systems_only=True) == (48, 48)
    assert equal_cells(found["rows"], systems_only=False) == (55, 56)
    table = published_table("jiang2020", found)
    assert "48 of 48 cells of the systems, 55 of 56" in table.text
    assert "Different: FK of Complex (input) (13.4 computed, 13.6 printed)." in table.text
    assert cells(table, "Transformer_bert", "Wiki-Auto")[2:4] == ["36.6", "36.6"]
    wrong = [cell.text for row in table.rows for cell in row.cells if cell.tone == "bad"]
    assert wrong == ["13.4"]


def test_main_table(results: Results, published: Published) -> None:
    table = summary(results, published)
    assert [cell.text for cell in table.rows[0].cells][:2] == ["sample_news", "Task 1 F1: CRF aligner > best other"]
    assert table.rows[-1].cells[3].text == "48 of 48"
    claims = {(row.cells[0].text, row.cells[1].text): row.cells for row in table.rows}
    old = claims["sample_wiki", "SARI: best on new data > best on old data"]
    assert old[2].text == "36.6 (Transformer_bert) > 35.3 (EditNTS)" and old[5].text == "yes"
    assert old[4].text.startswith("+") and "‡" in old[4].text
    assert claims["sample_wiki", "Task 2 F1: CRF aligner > best other"][2].text == "–"
    assert table.lead.startswith("Does the paper hold here? In part: 13 of 15 of its claims do, 10 of them by more ")
    assert to_markdown(table).startswith("| Corpus ")


def test_the_main_table_says_what_it_is_of(results: Results, published: Published) -> None:
    assert "sample_wiki beside Wiki-Manual and Wiki-Auto (tested on TURK)" in summary(results, published).text
    aligned = [replace(one, plan=replace(one.plan, is_simplified=False), test_sets={}) for one in results.corpora]
    text = summary(replace(results, corpora=tuple(aligned)), published).text
    assert "sample_wiki beside Wiki-Manual. " in text and "nothing is trained" not in text
    assert "nothing is trained" in summary(replace(results, corpora=()), published).text


def test_simplification_names_the_training_sets_that_are_there(results: Results, published: Published) -> None:
    corpus = results.corpora[1]
    (both,) = simplification_tables(corpus, published)
    assert "trained on the CRF aligner's corpus (new) and on JaccardAlign's corpus (old). Paper: TURK" in both.text
    old = {name: {side: row[side] for side in ("none", "old")} for name, row in corpus.test_sets.items()}
    (one,) = simplification_tables(replace(corpus, test_sets=old), published)
    assert "trained on JaccardAlign's corpus (old). Paper: TURK" in one.text


def test_best_marks_ties_and_skips_a_single_number() -> None:
    rows = [Row((text_cell(name), number_cell(value))) for name, value in (("a", 1.04), ("b", 0.96), ("c", 0.9))]
    assert [row.cells[1].best for row in mark_best(rows, [1], [True] * 3)] == [True, True, False]
    assert not any(row.cells[1].best for row in mark_best(rows[:1], [1], [True]))


def test_a_row_of_another_width_is_refused() -> None:
    with pytest.raises(ValueError, match="2 cells in a row of 1"):
        Table("key", "title", "text", (Column("", "a"),), (Row((text_cell("x"), text_cell("y"))),))


def test_markdown_of_hostile_text_keeps_its_cells() -> None:
    table = Table(
        "key", "t", "x", (Column("", "a|b", "n*ote", numeric=False),), (Row((text_cell("<b>|`x`\n_y_ sample_news"),)),)
    )
    lines = to_markdown(table).splitlines()
    assert lines[0].startswith("| a\\|b [1]") and len(lines[0]) == len(lines[1]) == len(lines[2])
    assert lines[2] == "| \\<b>\\|\\`x\\` \\_y\\_ sample_news |" and lines[4] == "[1] n\\*ote"
    assert escape("95.2 > 91.0 < 99") == "95.2 > 91.0 < 99"


def test_headings_take_a_line_of_their_own() -> None:
    rows = [Row((text_cell(name), number_cell(1)), heading=heading) for name, heading in (("a", "H_1"), ("b", ""))]
    table = Table("key", "t", "x", (Column("", "n", numeric=False), Column("", "v")), tuple(rows))
    lines = to_markdown(table).splitlines()
    assert lines[2:] == ["| *H_1* |     |", "| a     |   1 |", "| b     |   1 |"]


def test_first_table_of_a_page(tmp_path: Path) -> None:
    write(tmp_path / "a.md", "# T\n\ntext\n\n| a |\n| - |\n| 1 |\n\n| b |\n")
    assert first_table(tmp_path / "a.md") == "| a |\n| - |\n| 1 |\n"
    write(tmp_path / "b.md", "nothing\n")
    with pytest.raises(InputError, match="holds no table"):
        first_table(tmp_path / "b.md")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("95.59", "95,59", r"test\.csv:8: another number of cells"),
        ("95.59", "good", r"test\.csv:8: 'good' is no number"),
        ("t1_f1", "f1", r"test\.csv:1: no column 't1_f1'"),
    ],
)
def test_a_damaged_published_table(root: Path, tmp_path: Path, old: str, new: str, reason: str) -> None:
    name = "alignment_newsela_manual_test.csv"
    text = (root / "data" / "published" / name).read_text(encoding="utf-8")
    write(tmp_path / name, text.replace(old, new))
    with pytest.raises(InputError, match=reason):
        Published(tmp_path).alignment("newsela", "test")
