"""The whole report from invented runs: three snapshots, what follows from them, absent and damaged files."""

import re
import shutil
import sys
from pathlib import Path

import pytest
from report_snapshots import FOLDER, snapshots, tables_of
from reporting_run import HOSTILE, KINDS, folders, params, report_of, run_of, write, write_published, write_whole_run

from stages.report import main
from textsimp.core.errors import InputError
from textsimp.core.inline import embedded_json
from textsimp.core.reading import read_json
from textsimp.core.results import Estimate, Results
from textsimp.reporting.figures import draw_dots
from textsimp.reporting.inputs import Folders, Run
from textsimp.reporting.markdown import escape, to_markdown
from textsimp.reporting.plan import load_plan
from textsimp.reporting.table import Cell, Column, Line, Table, framed, mark_best, number, printed_cell, words
from tools.summary import first_table


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write_whole_run(tmp_path_factory.mktemp("run"), published=["jiang2020"])
    write_published(root)
    return root


@pytest.fixture(scope="module")
def texts(run: Path) -> tuple[str, str]:
    """Markdown and HTML."""
    files = report_of(run)
    return files.markdown.read_text(encoding="utf-8"), files.html.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def news_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of one corpus."""
    return write_whole_run(tmp_path_factory.mktemp("news"), ["sample_news"])


@pytest.fixture
def news(news_run: Path, tmp_path: Path) -> Path:
    """A copy of it, to be damaged."""
    return Path(shutil.copytree(news_run, tmp_path, dirs_exist_ok=True))


@pytest.mark.parametrize("name", ["trained.md", "released.md", "page.html"])
def test_snapshot(taken: dict[str, str], name: str) -> None:
    """Every cell, title, note and footnote; `python tests/report_snapshots.py` writes them again."""
    assert taken[name].splitlines() == (FOLDER / name).read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return snapshots(tmp_path_factory.mktemp("snapshots"))


def test_numbers_have_one_decimal_and_published_ones_theirs() -> None:
    assert [number(value) for value in (93.249, -0.01, 1234.5, 1234, None)] == ["93.2", "0.0", "1,234.5", "1,234", "–"]
    assert (number(-0.001, 2), number(0.126, 2)) == ("0.00", "0.13")
    assert [printed_cell(text).text for text in ("94.93", "12", "1010000", "")] == ["94.93", "12", "1,010,000", "–"]
    cells = [Cell(number(value), value) for value in (1.04, 0.96, 0.9)]
    assert [cell.best for cell in mark_best(cells)] == [True, True, False], "equal as printed is equal"
    assert [cell.best for cell in mark_best(cells, [False, True, True])] == [False, True, False]
    assert not mark_best(cells[:1])[0].best


def test_markdown_of_hostile_text_and_of_headings() -> None:
    hard = "<b>|`x`\n_y_ sample_news"
    frame = framed((), [Line((), "H_1"), Line((), "H_1")], {Column("", "a|b", "n*ote"): [words(hard), words("x")]})
    lines = to_markdown(Table("key", "t", "x", frame)).splitlines()
    assert lines[0].startswith("| a\\|b [1]") and len({len(line) for line in lines[:5]}) == 1
    assert lines[2].startswith("| *H_1* ") and lines[3] == "| \\<b>\\|\\`x\\` \\_y\\_ sample_news |"
    assert lines[4].startswith("| x ") and lines[6] == "[1] n\\*ote"
    assert escape("95.2 > 91.0 < 99") == "95.2 > 91.0 < 99"


def test_the_first_table_of_a_page(tmp_path: Path) -> None:
    write(tmp_path / "a.md", "# T\n\ntext\n\n| a |\n| - |\n| 1 |\n\n| b |\n")
    assert first_table(tmp_path / "a.md") == "| a |\n| - |\n| 1 |\n"
    write(tmp_path / "b.md", "nothing\n")
    with pytest.raises(InputError, match="holds no table"):
        first_table(tmp_path / "b.md")


def test_a_printed_table_whose_outputs_are_missing_says_how_to_get_them(tmp_path: Path) -> None:
    write_published(tmp_path)
    notes = {"kind": "newsela", "missing": "the_outputs", "how": "put them into the mirror"}
    Results(notes=notes).write(tmp_path / "reports/published/jiang2020_newsela.json")
    write(tmp_path / "params.yaml", params([], ["jiang2020", "jiang2020_newsela"]))
    again, missing = tables_of(run_of(tmp_path))
    assert again.key == "published-jiang2020-turk"
    assert [[cell.text for cell in row.cells] for row in missing.rows] == [["Table 5", "the_outputs", notes["how"]]]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("95.59", "95,59", r"manual\.csv:\d+: 11 cells where the header has 10"),
        ("95.59", "good", r"manual\.csv:\d+: 'good' is no number"),
        ("source,", "sauce,", r"manual\.csv:1: no column 'source'"),
    ],
)
def test_a_damaged_published_table(run: Path, tmp_path: Path, old: str, new: str, reason: str) -> None:
    name = "alignment_newsela_manual.csv"
    text = (folders(run).published / name).read_text(encoding="utf-8")
    write(tmp_path / name, text.replace(old, new))
    with pytest.raises(InputError, match=reason):
        Run(load_plan(run / "params.yaml"), Folders(tmp_path, tmp_path, tmp_path, tmp_path)).printed(name)


def test_main_tables_are_in_markdown_and_all_in_the_page(run: Path, texts: tuple[str, str]) -> None:
    markdown, html = texts
    tables = read_json(run / "report" / "results.json")["tables"]
    shown = {table["key"]: not table["folded"] for table in tables if table["key"] != "summary"}
    assert 15 <= sum(shown.values()) <= 26 and len(shown) > 50
    for table in tables[1:]:
        assert (f"### {escape(table['title'])}\n" in markdown) == shown[table["key"]], table["key"]
        assert f'id="{table["key"]}"' in html and f'href="#{table["key"]}"' in html
    assert set(re.findall(r"### .*(Table \d+)", markdown)) >= {f"Table {number}" for number in (1, 2, 4, 5, 8, 13)}
    assert len(markdown.encode()) < 50_000
    assert markdown.index("| Corpus ") < markdown.index("## Sentence alignment")
    assert html.index('id="summary"') < html.index('id="alignment"')


def test_the_first_screen_says_what_the_run_is_and_what_stays_open(texts: tuple[str, str]) -> None:
    markdown, html = texts
    first = html[html.index('id="opening"') : html.index('id="summary"')]
    assert "<li>sample_news: invented texts, aligned by hand; " in first and "pairs to train simplifiers on" in first
    assert "<dt>Task 1, Task 2</dt>" in first and "Does the paper hold here?" in first
    assert re.search(r"\d+ of \d+ claims have no verdict\. For \d+, the difference may be chance", first)
    alignment, simplification = re.findall(r'<figure class="block" id="opening-.*?</figure>', first, re.DOTALL)
    for panels, names in ((alignment, ("Neural CRF aligner", "BERT finetune")), (simplification, ("LSTM", "EditNTS"))):
        assert panels.count("<svg viewBox") == len(KINDS) + 2  # a panel for each corpus, and the legend's two
        assert all(panels.count(f">{name}<") == len(KINDS) for name in names)
    assert html.count("Does the paper hold here?") == 1
    order = [markdown.index(text) for text in ("- sample_news: invented", "claims have no verdict", "| Corpus")]
    assert order == sorted(order)


def test_ids_are_distinct_and_links_lead_somewhere_in_the_page(texts: tuple[str, str]) -> None:
    markup = re.sub(r"<(style|script)\b.*?</\1>", "", texts[1], flags=re.DOTALL)
    ids = re.findall(r'\bid="([^"]*)"', markup)
    assert len(ids) == len(set(ids))
    targets = {link or mark for link, mark in re.findall(r'\bhref="([^"]*)"|url\(([^)]*)\)', markup)}
    assert targets <= {f"#{name}" for name in ids}, "and nothing is asked for from elsewhere"


def test_hostile_text_stays_text_and_data_cards_have_no_addresses_to_follow(texts: tuple[str, str]) -> None:
    card = texts[1][texts[1].index('id="card-sample_news"') :].partition("</details>")[0]
    assert "<strong>Licence.</strong> CC BY &lt;script&gt;alert('card')&lt;/script&gt;" in card
    assert "<td>[x](http://e.org)</td>" in card and "Data card: sample_news" not in card
    assert "<script>alert(" not in texts[1] and "&lt;script&gt;alert(" in texts[1]
    assert "\\u003cscript\\u003ealert(" in texts[1]
    assert embedded_json(HOSTILE)[1:-1] in texts[1]  # as it was, unexpanded


def test_claims_break_between_comparisons_only(texts: tuple[str, str]) -> None:
    cells = re.findall(r'data-label="(?:Printed|Ours|By how much)"><span>(.*?)</span></td>', texts[1])
    loose = [re.sub(r'<span class="whole">.*?</span>', "", cell) for cell in cells]
    assert len(cells) > 10 and any('class="whole"' in cell for cell in cells)
    assert not any(re.search(r"\d\.\d", cell) for cell in loose), loose


def test_figures_do_not_depend_on_what_was_drawn_before() -> None:
    given = "k", "A <b> & $x$", ["a", "b"], [[Estimate(1.0, 0.0, 2.0), None]], "F1"
    first = draw_dots(*given)
    draw_dots("other", "B", ["a"], [[None]], "F1")
    assert draw_dots(*given) == first
    assert "A &lt;b&gt; &amp; $x$" in first.svg and "date" not in first.svg.lower()


@pytest.mark.parametrize(
    ("path", "stage"),
    [
        ("reports/alignment/sample_news.json", "evaluate_alignment for sample_news"),
        ("reports/examples/alignment.sample_news.jsonl", "evaluate_alignment for sample_news"),
        ("reports/corpora/sample_news.json", "build_corpus for sample_news"),
        ("reports/simplification/sample_news.json", "evaluate_simplification for sample_news"),
        ("data/outputs/sample_news/old/lstm/auto.txt", "simplify"),
    ],
)
def test_an_absent_file_names_its_stage_and_nothing_is_written(news: Path, path: str, stage: str) -> None:
    (news / path).unlink()
    with pytest.raises(InputError, match=rf"{re.escape(path)}: no such file; run the stage {stage}"):
        report_of(news)
    assert not (news / "report").exists()


def test_licensed_text_is_hidden_unless_asked_for(news: Path, news_run: Path) -> None:
    write(news / "params.yaml", params(["sample_news"], origin="licensed"))
    shutil.rmtree(news / "reports" / "examples")  # is not even read
    html = report_of(news).html.read_text(encoding="utf-8")
    assert "is licensed" in html and "A hostile line" not in html and "alert('x')" not in html
    assert "alert(&#39;x&#39;)" not in html and "pipe `tick`" not in html
    assert 'data-part="index"' not in html and 'data-part="data"' not in html
    shutil.copytree(news_run / "reports" / "examples", news / "reports" / "examples")
    write(news / "params.yaml", params(["sample_news"], origin="licensed", show=True))
    html = report_of(news).html.read_text(encoding="utf-8")
    assert 'data-part="index"' in html and "is licensed" not in html


def test_the_stage(news: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(news)
    places = folders(news)
    given = f"--reports reports --published {places.published} --corpora data/corpora --outputs data/outputs"
    written = "--markdown reports/results.md --html reports/index.html --json reports/results.json"
    monkeypatch.setattr(sys, "argv", ["report", *given.split(), *written.split()])
    main()
    assert (news / "reports" / "index.html").is_file()
    (news / "reports" / "corpora" / "sample_news.json").unlink()
    with pytest.raises(SystemExit) as stopped:
        main()
    error = capsys.readouterr().err
    assert stopped.value.code == 2 and error.startswith("error: reports/corpora/sample_news.json") and error[-1] == "\n"
