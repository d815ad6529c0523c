"""Tables of the report: ours joined with the published numbers, formats, footnotes."""

from pathlib import Path

import pytest
from reporting_run import KINDS, SIGNATURES, folders, params, write, write_published, write_run

from textsimp.core.errors import InputError
from textsimp.core.results import Cell, Estimate, Results
from textsimp.reporting.grid import build_tables
from textsimp.reporting.inputs import Folders, Run
from textsimp.reporting.markdown import escape, to_markdown
from textsimp.reporting.plan import load_plan
from textsimp.reporting.specs import read_specs
from textsimp.reporting.table import Column, Row, Table, mark_best, number, number_cell, printed_cell, text_cell
from textsimp.reporting.templates import Frame
from tools.summary import first_table


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    root = tmp_path_factory.mktemp("run")
    write_run(root)
    write_published(root)
    write(root / "params.yaml", params(list(KINDS), ["jiang2020"], paragraphs=["sample_news"]))
    return Run(load_plan(root / "params.yaml"), folders(root))


@pytest.fixture(scope="module")
def tables(run: Run) -> dict[str, Table]:
    return tables_of(run)


def tables_of(run: Run) -> dict[str, Table]:
    found = [table for spec in read_specs().tables for table in build_tables(Frame(run, {}), spec)]
    assert len({table.key for table in found}) == len(found)
    return {table.key: table for table in found}


def row_of(table: Table, *labels: str) -> Row:
    (row,) = [row for row in table.rows if tuple(cell.text for cell in row.cells[: len(labels)]) == labels]
    return row


def cells(table: Table, *labels: str) -> list[str]:
    """The texts of the row with these first cells."""
    return [cell.text for cell in row_of(table, *labels).cells]


def by_header(table: Table, *labels: str) -> dict[tuple[str, str], str]:
    texts = cells(table, *labels)
    return {(column.group, column.header): text for column, text in zip(table.columns, texts, strict=True)}


def test_numbers_have_one_decimal_and_published_ones_theirs() -> None:
    assert [number(value) for value in (93.249, -0.01, 1234.5, 1234, None)] == ["93.2", "0.0", "1,234.5", "1,234", "–"]
    assert [number(value, 2) for value in (-0.001, 0.126)] == ["0.00", "0.13"]
    texts = ("94.93", "12", "1010000", "", None)
    assert [printed_cell(text).text for text in texts] == ["94.93", "12", "1,010,000", "–", "–"]


def test_alignment_beside_table_2(tables: dict[str, Table], run: Run) -> None:
    table, results = tables["alignment-sample_news-test"], run.results("alignment/sample_news")
    assert table.title == "Alignment, sample_news test beside Newsela-Manual test (Table 2)"
    assert "invented vectors" in table.text and not table.folded and tables["alignment-sample_news-dev"].folded
    row = by_header(table, "Jaccard")
    assert row["sample_news, Task 1", "F1"] == f"{results.value('test', 'jaccard', 'task1.f1'):.1f}"
    difference = results.compared("test", "task1.f1", "jaccard", "neural_crf")
    assert difference and row["sample_news, Task 1", "ΔF1"] == f"{difference.difference:.1f}‡"
    assert row["Newsela-Manual (paper), Task 1", "P"] == "94.93"
    assert row["Newsela-Manual (paper), Task 2", "F1"] == "74.51"
    paper = by_header(table, "Neural CRF aligner, as in the paper")
    assert paper["Newsela-Manual (paper), Task 1", "F1"] == "95.59"
    assert by_header(table, "Neural CRF aligner")["Newsela-Manual (paper), Task 1", "F1"] == "–"
    wiki = tables["alignment-sample_wiki-test"]
    assert ("Wiki-Manual (paper), Task 2", "F1") not in {(column.group, column.header) for column in wiki.columns}


def test_alignment_systems_stand_in_families_and_those_of_the_paper_alone_last(tables: dict[str, Table]) -> None:
    table = tables["alignment-sample_news-test"]
    headings = [row.heading for row in table.rows if row.heading]
    assert headings[0] == "Lexical similarity and threshold" and headings[-1] == "In the paper only"
    assert len(headings) == len(set(headings))
    names = [row.cells[0].text for row in table.rows]
    assert "JaccardAlign" in names[-3:] and not any("gold" in name for name in names)
    f1 = next(place for place, column in enumerate(table.columns) if column.header == "F1")
    assert [row.cells[0].text for row in table.rows if row.cells[f1].best] == ["Neural CRF aligner"]


def test_gold_paragraphs_are_in_a_table_of_their_own(tables: dict[str, Table], run: Run) -> None:
    table, results = tables["alignment-gold-sample_news-test"], run.results("alignment/sample_news")
    assert [row.cells[0].text for row in table.rows] == ["MASSAlign", "CATS C3G-2s", "Neural CRF aligner"]
    row = by_header(table, "Neural CRF aligner")
    own, gold = (results.value("test", name, "task1.f1") for name in ("neural_crf", "neural_crf_gold_paraalign"))
    assert row["sample_news, Task 1, own", "F1"] == f"{own:.1f}"
    assert row["sample_news, Task 1, gold", "F1"] == f"{gold:.1f}"


def test_the_papers_model_is_taken_to_parts(tables: dict[str, Table], run: Run) -> None:
    table, results = tables["ablation-sample_news-dev"], run.results("alignment/sample_news")
    assert table.title == "Parts of the paper's model, sample_news dev beside Newsela-Manual dev (Table 3)"
    whole = by_header(table, "Neural CRF aligner, as in the paper")
    assert whole["sample_news, Task 1", "F1"] == f"{results.value('dev', 'neural_crf_paper', 'task1.f1'):.1f}"
    assert whole["Newsela-Manual (paper), F1", "Task 1"] == "93.2"
    encoder = by_header(table, "BERT finetune")
    gap = results.compared("dev", "task1.f1", "bert_finetune", "neural_crf_paper")
    assert gap is not None and encoder["sample_news, Task 1", "ΔF1"].startswith(f"{gap.difference:.1f}")
    gold = by_header(table, "Neural CRF aligner, as in the paper, gold paragraphs")
    assert gold["Newsela-Manual (paper), F1", "Task 2"] == "88.4"
    ceiling = by_header(table, "one partner for each simple sentence")
    assert (ceiling["sample_news, Task 1", "P"], ceiling["sample_news, Task 1", "R"]) == ("100.0", "90.0")
    assert ceiling["sample_news, Task 1", "ΔF1"] == "–"
    headings = [row.heading for row in table.rows if row.heading]
    assert headings == ["The model, part by part", "With something else in its place", "Ceiling"]


def test_what_is_found_by_kind_of_link(tables: dict[str, Table], run: Run) -> None:
    table = tables["alignment-links-sample_news"]
    assert cells(table, "gold, number")[:4] == ["gold, number", "50", "50", "50"]
    results = run.results("alignment/sample_news")
    recall = results.value("test/link_type=1-n", "wmd", "task1.recall")
    assert by_header(table, "Word Mover's Distance")["recall, Task 1", "1-n"] == f"{recall:.1f}"
    assert "n-m" not in [column.header for column in table.columns]  # no gold link of this type
    gaps = [column.header for column in tables["alignment-overlap-sample_news"].columns if column.group == "level gap"]
    assert gaps == ["1", "2", "3", "4"]
    assert not any(column.group == "level gap" for column in tables["alignment-overlap-sample_wiki"].columns)


def test_ceilings_and_emission(tables: dict[str, Table]) -> None:
    table = tables["alignment-ceilings-sample_news"]
    assert cells(table, "any number of links (gold)")[1:5] == ["200", "100.0", "100.0", "100.0"]
    assert cells(table, "one to one")[1:4] == ["160", "100.0", "80.0"]
    assert [row.heading for row in table.rows if row.heading] == ["Ceilings", "Reached"]
    splits = [row.cells[1].text for row in tables["alignment-emission-sample_wiki"].rows]
    assert splits == ["test", "test", "dev", "dev"]


def test_published_elsewhere(tables: dict[str, Table], run: Run) -> None:
    human = tables["alignment-human"]
    value = run.results("alignment/sample_news").value("test/level_gap=4", "cats_c3g", "task1.precision")
    row = by_header(human, "C3G")
    assert row["paper: ten English Newsela articles, judged by hand", "levels 0-1"] == "98.3"
    assert row["sample_news test, precision in Task 1", "gap 4"] == f"{value:.1f}"
    assert ("sample_wiki test, precision in Task 1", "gap 1") not in row
    assert "Word Mover's Distance" in [row.cells[0].text for row in tables["alignment-similarities"].rows]


def test_statistics_beside_tables_1_and_4(tables: dict[str, Table]) -> None:
    headers = [(column.group, column.header) for column in tables["statistics-sample_news"].columns]
    assert headers[1:5] == [
        ("sample_news, manual", "ours"),
        ("sample_news, manual", "paper: Newsela-Manual"),
        ("sample_news, new (auto)", "ours"),
        ("sample_news, new (auto)", "paper: Newsela-Auto"),
    ]
    assert cells(tables["statistics-sample_news"], "fusion (m-to-n)")[1:3] == ["–", "252"]
    assert cells(tables["seq2seq-sample_news"], "train pairs") == ["train pairs", "1,234", "394,000", "1,234", "94,000"]
    assert [row.cells[0].text for row in tables["filters-sample_news"].rows] == ["levels", "identical", "leak"]
    assert [row.cells[0].text for row in tables["leaks-sample_news"].rows] == ["dev", "test"]
    assert {column.header for column in tables["statistics-sample_wiki"].columns[1:]} == {"ours"}
    assert cells(tables["seq2seq-sample_wiki"], "train pairs")[2] == "488,000"


def test_audits_and_gold_paragraphs(tables: dict[str, Table], run: Run, tmp_path: Path) -> None:
    audit = tables["audit-alignments"]
    assert [row.cells[0].text for row in audit.rows] == ["sample_news"] * 2 + ["sample_wiki"] * 2
    precision = run.results("audit/sample_wiki").value("articles", "auto", "task1.precision")
    assert audit.rows[2].cells[2].text == "12" and audit.rows[2].cells[3].text == f"{precision:.1f}"
    paragraphs = tables["paragraphs-sample_news"]
    assert [row.cells[0].text for row in paragraphs.rows] == ["as trained", "MASSAlign"]
    assert "paragraphs-sample_wiki" not in tables
    write_run(tmp_path, ["sample_wiki"])
    empty = Results({Cell("articles", "reference", "document_pairs"): Estimate(0)})
    empty.write(tmp_path / "reports" / "audit" / "sample_wiki.json")
    write(tmp_path / "params.yaml", params(["sample_wiki"], []))
    assert "audit-alignments" not in tables_of(Run(load_plan(tmp_path / "params.yaml"), folders(tmp_path)))


def test_simplification_beside_tables_5_and_8(tables: dict[str, Table], run: Run) -> None:
    table, results = tables["simplification-sample_news-auto"], run.results("simplification/sample_news")
    new, old, base = (results.value("auto", name, "sari") or 0.0 for name in ("lstm.new", "lstm.old", "editnts.new"))
    row = row_of(table, "LSTM", "new (auto)")
    assert row.cells[2].text == f"{new:.1f}" and row.cells[2].interval == (new - 2, new + 2)
    assert [row.cells[place].value for place in (3, 4)] == [pytest.approx(new - base), pytest.approx(new - old)]
    assert "minus that of EditNTS, new data" in table.columns[3].note and "‡" in row.cells[4].text
    assert cells(table, "LSTM", "old")[4] == cells(table, "EditNTS", "new (auto)")[3] == "–"
    assert cells(table, "LSTM", "new (auto)")[10:16] == ["35.8", "3.9", "30.5", "73.1", "7.0", "14.3"]
    assert cells(table, "Complex (input)", "–")[10:16] == ["11.9", "0.0", "35.5", "0.0", "12", "24.3"]
    assert cells(table, "Simple (reference)", "–")[2:16] == ["–"] * 6 + ["6.5", "13.0"] + ["–"] * 4 + ["6.6", "13.2"]
    turk = tables["simplification-sample_wiki-multi_reference"]
    assert cells(turk, "EditNTS", "old")[10] == "35.3" and cells(turk, "EditNTS", "new (auto)")[10] == "36.4"
    assert "Table 8 (TURK)" in turk.title and "WikiLarge" in turk.text
    assert [row.cells[0].text for row in table.rows][1:5] == ["Transformer_bert", "Transformer_rand", "LSTM", "EditNTS"]


def test_scores_of_different_signatures_share_no_column(tables: dict[str, Table]) -> None:
    table = tables["simplification-sample_news-auto"]
    notes = {(column.short, column.header): column.note for column in table.columns if column.note}
    assert notes["ours", "SARI"] == notes["ours", "add"] == SIGNATURES["sari"]
    assert notes["ours", "corpus SARI"] == SIGNATURES["sari_corpus"] and notes["ours", "BLEU"] == SIGNATURES["bleu"]
    assert "As printed" in notes["paper", "SARI"]
    text = to_markdown(table)
    assert "ours SARI [1]" in text and "paper SARI [6]" in text and "\n[1] SARI\\|level:sentence" in text


def test_kinds_of_rewriting(tables: dict[str, Table], run: Run) -> None:
    results = run.results("analysis/sample_news")
    corpora = tables["rewriting-corpora-sample_news"]
    share = results.get("documents", "manual", "classes.copy")
    assert share and row_of(corpora, "copy").cells[1].interval == (share.low, share.high)
    gap = results.compared("pairs", "classes.copy", "auto", "old")
    assert gap and by_header(corpora, "copy")["new - old", "training pairs"].rstrip("†") in f"{gap.difference:+.1f}"
    assert cells(corpora, "units, looked at")[1] == "900" and "accuracy 88%, kappa 0.81" in corpora.text
    relations = [row.cells[0].text for row in tables["rewriting-relations-sample_wiki"].rows]
    assert relations == ["Figure 2"] * 4
    assert tables["rewriting-relations-sample_news"].rows[0].cells[3].text.endswith("more")
    words = tables["rewriting-word-operations-sample_news"]
    assert cells(words, "rewordings")[-1] == "65" and cells(words, "kept")[-1] == "–"
    assert cells(tables["rewriting-sentence-operations-sample_news"], "skip simple")[-1] == "27"
    differences = tables["rewriting-differences-sample_news-auto"]
    assert [row.heading for row in differences.rows if row.heading] == ["Minus the references", "New minus old data"]
    outputs = tables["rewriting-outputs-sample_wiki-multi_reference"]
    assert "references of each, which count alike - 4" in outputs.text and len(outputs.rows) == 10


def test_sari_by_length_kind_and_order(tables: dict[str, Table]) -> None:
    length = tables["sari-length-sample_news-auto"]
    assert [(c.group, c.header) for c in length.columns[2:]] == [("up to 10", "n = 30"), ("11 and more", "n = 5")]
    last = length.rows[-1]
    assert [cell.text for cell in last.cells] == ["EditNTS", "old", "+1.5‡", "+1.5‡"]
    assert length.rows[1].cells[2].interval and not length.rows[1].cells[3].interval
    assert not length.rows[0].cells[2].best and any(row.cells[2].best for row in length.rows)
    assert len(tables["sari-order-sample_news-old"].columns) == 2 + 12
    assert [c.group for c in tables["sari-kind-sample_news-old"].columns[2:]] == ["copy"]


def test_table_8_again(tables: dict[str, Table]) -> None:
    table = tables["published-jiang2020-turk"]
    assert "55 of the 56 cells" in table.text and "359 sentences" in table.text
    assert cells(table, "Transformer_bert", "Wiki-Auto")[2:4] == ["36.6", "36.6"]
    wrong = [cell.text for row in table.rows for cell in row.cells if cell.tone == "bad"]
    assert wrong == ["13.4"] and "published-missing" not in tables


def test_a_table_whose_outputs_are_missing_says_how_to_get_them(tmp_path: Path) -> None:
    write_published(tmp_path)
    notes = {"kind": "newsela", "missing": "the_outputs", "how": "put them into the mirror"}
    Results(notes=notes).write(tmp_path / "reports/published/jiang2020_newsela.json")
    write(tmp_path / "params.yaml", params([], ["jiang2020", "jiang2020_newsela"]))
    tables = tables_of(Run(load_plan(tmp_path / "params.yaml"), folders(tmp_path)))
    assert "published-jiang2020-turk" in tables
    rows = [[cell.text for cell in row.cells] for row in tables["published-missing"].rows]
    assert rows == [["Table 5", "the_outputs", "put them into the mirror"]]


def test_a_corpus_beside_nothing_printed(tmp_path: Path) -> None:
    write_run(tmp_path, ["sample_news"])
    text = params(["sample_news"], []).replace('"printed_beside": "newsela"', '"printed_beside": null')
    write(tmp_path / "params.yaml", text)
    tables = tables_of(Run(load_plan(tmp_path / "params.yaml"), folders(tmp_path)))
    assert tables["alignment-sample_news-test"].title == "Alignment, sample_news test"
    assert not any("(paper)" in column.group for column in tables["simplification-sample_news-auto"].columns)
    assert "rewriting-relations-sample_news" not in tables


def test_best_marks_ties_and_skips_a_single_number() -> None:
    rows = [Row((text_cell(name), number_cell(value))) for name, value in (("a", 1.04), ("b", 0.96), ("c", 0.9))]
    assert [row.cells[1].best for row in mark_best(rows, [1], [True] * 3)] == [True, True, False]
    assert not any(row.cells[1].best for row in mark_best(rows[:1], [1], [True]))


def test_a_row_of_another_width_is_refused() -> None:
    with pytest.raises(ValueError, match="2 cells in a row of 1"):
        Table("key", "title", "text", (Column("", "a"),), (Row((text_cell("x"), text_cell("y"))),))


def test_markdown_of_hostile_text_keeps_its_cells() -> None:
    row = Row((text_cell("<b>|`x`\n_y_ sample_news"),))
    table = Table("key", "t", "x", (Column("", "a|b", "n*ote", numeric=False),), (row,))
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
        ("95.59", "95,59", r"manual\.csv:\d+: 11 cells where the header has 10"),
        ("95.59", "good", r"manual\.csv:\d+: 'good' is no number"),
        ("source,", "sauce,", r"manual\.csv:1: no column 'source'"),
    ],
)
def test_a_damaged_published_table(run: Run, tmp_path: Path, old: str, new: str, reason: str) -> None:
    name = "alignment_newsela_manual.csv"
    text = (run.folders.published / name).read_text(encoding="utf-8")
    write(tmp_path / name, text.replace(old, new))
    with pytest.raises(InputError, match=reason):
        Run(run.plan, Folders(tmp_path, tmp_path, tmp_path, tmp_path)).printed(name)
