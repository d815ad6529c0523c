"""Tables and figures of the kinds of rewriting and of SARI over subsets, from an invented and from a real file."""

import json
import random
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from analysis_sample import PLAN, SIMPLIFIERS, TRAINING_SETS, folders, write_corpus
from reporting_analysis import SIGNATURES, write_analysis

from textsimp.errors import InputError
from textsimp.metrics.analysis.run import analyse
from textsimp.metrics.rewriting.statistics import PARTS
from textsimp.reporting.names import COSTER
from textsimp.reporting.published import Published
from textsimp.reporting.simplification.analysis_cells import difference_of, number_of, system_order
from textsimp.reporting.simplification.analysis_figures import draw_bars, length_figures, rewriting_figures
from textsimp.reporting.simplification.analysis_output_tables import output_rewriting_tables
from textsimp.reporting.simplification.analysis_results import Analysis, Number, read_analysis
from textsimp.reporting.simplification.analysis_sari_tables import sari_tables
from textsimp.reporting.simplification.analysis_tables import CLAIMS, corpus_rewriting_tables
from textsimp.reporting.tables import MISSING, Table

HOSTILE = '<script>alert(1)</script> $\\frac{1}{2}$ & "x"'
TEST_SETS = {"auto": 1, "old": 4}
REPORT_PLAN: Any = SimpleNamespace(training_sets=tuple(TRAINING_SETS), simplifiers=tuple(SIMPLIFIERS))


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("analysis")
    write_analysis(root, "news", TEST_SETS, TRAINING_SETS, SIMPLIFIERS, random.Random(1))
    return root / "analysis" / "news.json"


@pytest.fixture(scope="module")
def analysis(file: Path) -> Analysis:
    return read_analysis("news", REPORT_PLAN, file.parent)


@pytest.fixture(scope="module")
def published(root: Path) -> Published:
    return Published(root / "data" / "published")


def corpus(analysis: Analysis | None, kind: str = "newsela") -> Any:
    """What the tables see of a corpus."""
    return SimpleNamespace(plan=SimpleNamespace(name="news", kind=kind), analysis=analysis)


def table_of(tables: list[Table], key: str) -> Table:
    (found,) = [table for table in tables if table.key == key]
    return found


def column(table: Table, index: int) -> list[str]:
    return [row.cells[index].text for row in table.rows]


def keys(value: Any) -> Any:
    """The shape of a JSON value: its keys, whatever its numbers and names of systems are."""
    if isinstance(value, dict):
        return {key: keys(one) for key, one in value.items()}
    return [keys(one) for one in value[:1]] if isinstance(value, list) else type(value is None)


def test_the_invented_file_is_like_a_real_one(tmp_path: Path, file: Path) -> None:
    write_corpus(tmp_path)
    real, invented = json.loads(json.dumps(analyse(folders(tmp_path), PLAN))), json.loads(file.read_text("utf-8"))
    assert set(real) == set(invented) and keys(real["corpus"]) == keys(invented["corpus"])
    for key in ("settings", "agreement", "parts", "signatures"):
        assert set(real[key]) == set(invented[key]), key
    found = [value["test_sets"][name] for value, name in ((real, "both"), (invented, "auto"))]
    assert keys(found[0]["rewriting"]) == keys(found[1]["rewriting"])
    assert keys(found[0]["order"]) == keys(found[1]["order"]) and set(found[0]) == set(found[1])
    assert keys(found[0]["kind"]["deletion"]) == keys(found[1]["kind"]["deletion"])
    assert keys(found[0]["length"][-1]) == keys(found[1]["length"][-1])
    path = tmp_path / "reports" / "small.json"
    path.parent.mkdir()
    path.write_text(json.dumps(real, sort_keys=True), encoding="utf-8")
    assert read_analysis("small", REPORT_PLAN, path.parent).test_sets["both"].references == 2


def test_a_corpus_without_simplifiers_has_none_of_it(published: Published) -> None:
    nothing = corpus(None)
    assert corpus_rewriting_tables(nothing, published) == output_rewriting_tables(nothing) == sari_tables(nothing) == []
    assert rewriting_figures(nothing) == length_figures(nothing) == []


def test_classes_of_the_corpus(analysis: Analysis, published: Published) -> None:
    table = table_of(corpus_rewriting_tables(corpus(analysis), published), "rewriting-corpora-news")
    assert column(table, 0) == [*PARTS["classes"], *PARTS["groups"]]
    assert [column.header for column in table.columns[1:6]] == ["manual", "new (auto)", "old", "new (auto)", "old"]
    assert [column.group for column in table.columns[6:]] == ["new - old"] * 2
    assert table.footnotes == [SIGNATURES["rewriting"]]
    for index in range(1, 6):
        shares = [row.cells[index].value for row in table.rows[: len(PARTS["classes"])]]
        assert sum(share for share in shares if share) == pytest.approx(100)
        assert all(row.cells[index].interval for row in table.rows)
    assert "2,000 drawn from 4,321" in table.text and "a figure only" in table.text
    assert "accuracy 88 [75, 94] percent, kappa 0.81" in table.text


@pytest.mark.parametrize(("kind", "defective"), [("newsela", "at least 27% less"), ("wiki", "75% less")])
def test_what_the_text_says_of_the_figures(analysis: Analysis, published: Published, kind: str, defective: str) -> None:
    tables = corpus_rewriting_tables(corpus(analysis, kind), published)
    rows = [[cell.text for cell in row.cells] for row in table_of(tables, "rewriting-relations-news").rows]
    printed = {(row[0], row[2]): row[4] for row in rows}
    assert printed["Figure 2", "complex rewrites"] == "at least 44% more"
    assert printed["Figure 2", "not aligned or not simpler"] == defective
    assert all(row[5] == "+12.5%" for row in rows)
    assert {row[2] for row in rows} <= set(CLAIMS) and set(CLAIMS.values()) <= {*PARTS["classes"], *PARTS["groups"]}


def test_the_figure_3_model_is_looked_for_in_the_outputs(published: Published, tmp_path: Path) -> None:
    write_analysis(tmp_path, "news", {"auto": 1}, TRAINING_SETS, ["transformer_bert"], random.Random(2))
    plan: Any = SimpleNamespace(training_sets=tuple(TRAINING_SETS), simplifiers=("transformer_bert",))
    found = corpus(read_analysis("news", plan, tmp_path / "analysis"))
    table = table_of(corpus_rewriting_tables(found, published), "rewriting-relations-news")
    assert column(table, 0)[-1] == "Figure 3" and column(table, 4)[-1] == "25% more"
    assert column(table, 1)[-1] == "Transformer_bert, test set auto"


def test_tables_1_and_2_beside_the_printed_ones(analysis: Analysis, published: Published) -> None:
    tables = corpus_rewriting_tables(corpus(analysis), published)
    sentences = table_of(tables, "rewriting-sentence-operations-news")
    assert dict(zip(column(sentences, 0), column(sentences, -1), strict=True)) == {
        "skip simple": "27",
        "skip normal": "23",
        "one normal to one simple": "37",
        "one normal to two simple": "8",
        "two normal to one simple": "5",
        "other": MISSING,
    }
    words = table_of(tables, "rewriting-word-operations-news")
    printed = dict(zip(column(words, 0), column(words, -1), strict=True))
    assert [printed[name] for name in PARTS["word_operations"]] == ["65", "47", "34", "27", "31"]
    assert all(printed[name] == MISSING for name in PARTS["edit_rates"]) and COSTER in words.title


def test_outputs_in_the_order_of_the_papers_tables(analysis: Analysis) -> None:
    tables = output_rewriting_tables(corpus(analysis))
    assert len(tables) == 3 * len(TEST_SETS) == len({table.key for table in tables})
    classes = table_of(tables, "rewriting-outputs-news-auto")
    labels = list(zip(column(classes, 0), column(classes, 1), strict=True))
    assert labels == [
        ("Complex (input)", "–"),
        ("LSTM", "old"),
        ("EditNTS", "old"),
        ("LSTM", "new (auto)"),
        ("EditNTS", "new (auto)"),
        ("Simple (reference)", "–"),
    ]
    assert [column.header for column in classes.columns[2:]] == list(PARTS["classes"])
    differences = table_of(tables, "rewriting-differences-news-auto")
    assert [row.heading for row in differences.rows if row.heading] == ["Minus the references", "New minus old data"]
    assert len(differences.rows) == 5 + 2
    edits = table_of(tables, "rewriting-edits-news-old")
    assert [column.header for column in edits.columns[2:]] == [*PARTS["word_operations"], *PARTS["edit_rates"]]
    assert "each of the references counts alike" in edits.text


def test_sari_by_length_kind_and_order(analysis: Analysis) -> None:
    tables = sari_tables(corpus(analysis))
    assert len(tables) == 3 * 2 * len(TEST_SETS) == len({table.key for table in tables})
    for metric in ("sari", "sari_corpus"):
        length = table_of(tables, f"{metric}-length-news-auto")
        assert [column.group for column in length.columns[2:]] == ["up to 10", "11 to 20", "21 and more"]
        assert [column.header for column in length.columns[2:]] == ["n = 0", "n = 4", "n = 50"]
        assert length.footnotes == [SIGNATURES[metric]] and "fewer than 10" in length.text
        assert set(column(length, 2)) == {MISSING}
        assert all(row.cells[3].interval is None and row.cells[3].value is not None for row in length.rows)
        assert all(row.cells[4].interval for row in length.rows)
        assert sum(cell.best for row in length.rows for cell in row.cells[4:]) >= 1
        assert not any(cell.best for row in length.rows if row.cells[0].text == "Complex (input)" for cell in row.cells)
        assert [row.heading for row in length.rows if row.heading] == ["New minus old data"]
        kind = table_of(tables, f"{metric}-kind-news-auto")
        assert [column.group for column in kind.columns[2:]] == list(PARTS["classes"])
        order = table_of(tables, f"{metric}-order-news-auto")
        assert order.groups[1:] == [("add", 4), ("keep", 4), ("delete", 4)]


def test_cells() -> None:
    assert number_of(None).text == difference_of(None).text == MISSING
    assert number_of(Number(3, None, None)).text == "3.0" and number_of(Number(3.0, None, None)).interval is None
    unsure = difference_of(Number(3.0, None, None))
    assert unsure.text == "+3.0" and unsure.interval is None
    assert difference_of(Number(-3.0, -4.0, -1.0)).text == "-3.0†"
    assert difference_of(Number(3.0, -4.0, 7.0)).text == "+3.0"
    names = ["none/identity", "auto/b", "old/b", "other/b"]
    assert system_order(names) == [names[0], names[2], names[1], names[3]]


def test_bars_are_hatched_and_show_their_numbers(analysis: Analysis) -> None:
    figures = rewriting_figures(corpus(analysis))
    assert len(figures) == 1 + len(TEST_SETS) and len({figure.key for figure in figures}) == len(figures)
    assert rewriting_figures(corpus(analysis)) == figures
    for figure in figures:
        (panel,) = figure.strips[0].panels
        assert panel.wide and len(re.findall("<pattern ", panel.svg)) == len(PARTS["classes"]) - 1
        assert len(panel.svg) < 150_000
        for name in PARTS["classes"]:
            assert f">{name}</text>" in panel.svg
    bars = {"long": (96.0, 4.0), "short": (40.0, 60.0)}
    svg = draw_bars("key", "title", bars, ("one", "other")).svg
    assert all(f">{share}</text>" in svg for share in (96, 40, 60)) and ">4</text>" not in svg


def test_hostile_names_stay_text() -> None:
    svg = draw_bars("k", HOSTILE, {HOSTILE: (60.0, 40.0)}, (HOSTILE, "$x^2$")).svg
    assert "<script" not in svg and "&lt;script&gt;alert(1)&lt;/script&gt; $\\frac{1}{2}$ &amp; " in svg
    assert ">$x^2$</text>" in svg and "http" not in re.sub(r' xmlns(:\w+)?="[^"]*"', "", svg)


def test_lines_over_length(analysis: Analysis) -> None:
    figures = length_figures(corpus(analysis))
    assert [figure.key for figure in figures] == [f"figure-length-news-{name}" for name in TEST_SETS]
    assert length_figures(corpus(analysis)) == figures
    (strip,) = figures[0].strips
    assert [panel.title for panel in strip.panels] == ["LSTM", "EditNTS"]
    assert [label for label, _, _ in strip.legend] == ["old data", "new (auto) data", "Complex (input)"]
    for panel in strip.panels:
        assert all(f">{tick}</text>" in panel.svg for tick in ("≤10", "11–20", "21+"))
    found = [re.findall(r'id="(.*?)"', panel.svg) for panel in strip.panels]
    assert not set(found[0]) & set(found[1])


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda value: value.pop("agreement"), "no key 'agreement'"),
        (lambda value: value["corpus"]["sources"]["pairs"]["old"]["parts"].pop("copy"), "no key 'copy'"),
        (lambda value: value["test_sets"]["auto"]["order"]["sari"].pop("old/lstm"), "no key 'old/lstm'"),
        (lambda value: value["test_sets"]["auto"]["length"][1].update(sentences="many"), "not what its stage writes"),
        (lambda value: value["settings"].update(units=None), "not what its stage writes"),
        (lambda value: value["agreement"]["test"].pop("kappa"), "no key 'kappa'"),
        (lambda value: value["signatures"].pop("sari"), "no key 'sari'"),
        (lambda value: value["parts"].pop("groups"), "no key 'groups'"),
        (lambda value: value["parts"].update(groups=["any"]), "no key 'any'"),
        (lambda value: value["test_sets"]["auto"]["order"]["sari"]["old/lstm"]["add"].pop(), "other orders of n-grams"),
        (lambda value: value["test_sets"]["auto"]["length"][1]["systems"]["sari"].pop("old/lstm"), "no key 'old/lstm'"),
    ],
)
def test_a_damaged_file_is_refused(file: Path, tmp_path: Path, damage: Any, message: str) -> None:
    value = json.loads(file.read_text("utf-8"))
    damage(value)
    (tmp_path / "news.json").write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)):
        read_analysis("news", REPORT_PLAN, tmp_path)


def test_an_absent_file_names_the_stage(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="run the stage analyse for news first"):
        read_analysis("news", REPORT_PLAN, tmp_path)


def test_published_numbers_of_two_papers_are_kept_apart(published: Published) -> None:
    assert set(published.rewriting("Table 1", COSTER)) & set(published.rewriting("Table 2", COSTER)) == set()
    assert published.rewriting("Table 1") == {} and published.rewriting("Figure 2", COSTER) == {}
    assert published.rewriting("Figure 3", corpus="wiki") == {}
    assert published.rewriting("Figure 3", corpus="newsela")["paraphrasing and deletions"]["percent"] == "25"
