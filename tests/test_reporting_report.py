"""The whole report from an invented run: determinism, escaping, offline, absent files, licensed text."""

import base64
import hashlib
import re
import shutil
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from reporting_run import KINDS, folders, params, report_files, write, write_published, write_run
from reporting_texts import HOSTILE

from stages.report import main
from textsimp.core.errors import InputError
from textsimp.core.reading import read_json
from textsimp.reporting.figures import Line, draw
from textsimp.reporting.markdown import escape
from textsimp.reporting.plan import load_plan
from textsimp.reporting.report import write_report

VOID = {"meta", "link", "br", "img", "input", "hr"}


class Page(HTMLParser):
    """Tags, attributes and text of a page; every tag that opens must close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def report(root: Path, name: str = "report") -> tuple[str, str]:
    """Markdown and HTML of the run in a folder."""
    files = report_files(root / name)
    write_report(load_plan(root / "params.yaml"), folders(root), files)
    return files.markdown.read_text(encoding="utf-8"), files.html.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("run")
    write_run(root)
    write_published(root)
    write(root / "params.yaml", params(list(KINDS), ["jiang2020"]))
    return root


@pytest.fixture(scope="module")
def texts(run: Path) -> tuple[str, str]:
    return report(run)


@pytest.fixture
def news(tmp_path: Path) -> Path:
    """A run of one corpus, to be damaged."""
    write_run(tmp_path, ["sample_news"])
    write(tmp_path / "params.yaml", params(["sample_news"], []))
    return tmp_path


def test_the_same_run_gives_the_same_bytes(run: Path, texts: tuple[str, str]) -> None:
    assert report(run, "again") == texts


def test_main_tables_are_in_markdown_and_all_in_the_page(run: Path, texts: tuple[str, str]) -> None:
    markdown, html = texts
    tables = read_json(run / "report" / "results.json")["tables"]
    shown = {table["key"]: not table["folded"] for table in tables if table["key"] != "summary"}
    assert 15 <= sum(shown.values()) <= 26 and len(shown) > 50
    for table in tables[1:]:
        assert (f"### {escape(table['title'])}\n" in markdown) == shown[table["key"]], table["key"]
        assert f'id="{table["key"]}"' in html and f'href="#{table["key"]}"' in html
    for name in ("Table 1", "Table 2", "Table 4", "Table 5", "Table 8", "Table 13"):
        assert re.search(rf"### .*{name}\b", markdown), name
    assert len(markdown.encode()) < 50_000
    assert markdown.index("| Corpus ") < markdown.index("## Sentence alignment")
    assert html.index('id="summary"') < html.index('id="alignment"')


def test_the_first_screen_says_what_the_run_is_and_what_stays_open(texts: tuple[str, str]) -> None:
    markdown, html = texts
    first = html[html.index('id="opening"') : html.index('id="summary"')]
    assert "<li>sample_news: invented texts, aligned by hand; " in first and "pairs to train simplifiers on" in first
    assert "<dt>Task 1, Task 2</dt>" in first and "Does the paper hold here?" in first
    assert re.search(r"\d+ of \d+ claims have no verdict\. Of \d+ the difference may be chance", first)
    alignment, simplification = re.findall(r'<figure class="block" id="opening-.*?</figure>', first, re.DOTALL)
    for panels, names in ((alignment, ("Neural CRF aligner", "BERT finetune")), (simplification, ("LSTM", "EditNTS"))):
        assert panels.count("<svg viewBox") == len(KINDS) + 2  # a panel for each corpus, and the legend's two
        assert all(panels.count(f">{name}<") == len(KINDS) for name in names)
    assert html.count("Does the paper hold here?") == 1
    order = [markdown.index(text) for text in ("- sample_news: invented", "claims have no verdict", "| Corpus")]
    assert order == sorted(order)


def test_the_page_is_well_formed_and_asks_for_nothing(texts: tuple[str, str]) -> None:
    page = Page(texts[1])
    assert not {tag for tag, _ in page.tags} & {"link", "img", "iframe", "object", "base", "form"}
    for tag, attributes in page.tags:
        for name, value in attributes.items():
            assert name not in ("src", "srcset", "action") and not name.startswith("on"), (tag, name)
            assert name != "href" or (value or "").startswith("#"), value
            assert not re.search(r"https?:|url\((?!#)", value or ""), (tag, name)
    code = re.findall(r"<(style|script)>(.*?)</\1>", texts[1], re.DOTALL)
    assert [tag for tag, _ in code] == ["style", "script"]
    assert not any(re.search(r"https?:|url\(|@import|innerHTML", text) for _, text in code)


def test_the_one_script_is_the_one_that_the_policy_allows(texts: tuple[str, str]) -> None:
    scripts = [attributes for tag, attributes in Page(texts[1]).tags if tag == "script"]
    assert [attributes for attributes in scripts if "type" not in attributes] == [{}]
    assert {attributes.get("type") for attributes in scripts} == {None, "application/json", "application/x-ndjson"}
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', texts[1])
    (code,) = re.findall(r"<script>(.*?)</script>", texts[1], re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    assert f"script-src &#39;sha256-{digest}&#39;" in policy and "default-src &#39;none&#39;" in policy


def test_ids_are_distinct_and_links_lead_somewhere(texts: tuple[str, str]) -> None:
    page = Page(texts[1])
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    targets = {(attributes["href"] or "")[1:] for _, attributes in page.tags if "href" in attributes}
    targets |= set(re.findall(r"url\(#([^)]*)\)", texts[1]))
    assert targets <= set(ids)


def test_data_cards_are_shown_as_text_without_addresses_to_follow(texts: tuple[str, str]) -> None:
    card = texts[1][texts[1].index('id="card-sample_news"') :].partition("</details>")[0]
    assert "<strong>Licence.</strong> CC BY &lt;script&gt;alert('card')&lt;/script&gt;" in card
    assert "<td>[x](http://e.org)</td>" in card and "Data card: sample_news" not in card


def test_hostile_text_stays_text(texts: tuple[str, str]) -> None:
    page = Page(texts[1])
    assert "<script>alert(" not in texts[1] and "&lt;script&gt;alert(" in texts[1]
    assert "\\u003cscript\\u003ealert(" in texts[1]
    assert HOSTILE in "".join(page.text)  # as it was, unexpanded
    assert "</mark>" not in re.sub(r"<mark>[^<]*</mark>", "", texts[1])


def test_claims_break_between_comparisons_only(texts: tuple[str, str]) -> None:
    cells = re.findall(r'data-label="(?:Printed|Ours|By how much)"><span>(.*?)</span></td>', texts[1])
    loose = [re.sub(r'<span class="whole">.*?</span>', "", cell) for cell in cells]
    assert len(cells) > 10 and any('class="whole"' in cell for cell in cells)
    assert not any(re.search(r"\d\.\d", cell) for cell in loose), loose


def test_figures_and_examples_are_there(texts: tuple[str, str]) -> None:
    page = Page(texts[1])
    figures = [attributes["id"] for tag, attributes in page.tags if tag == "figure"]
    for name in KINDS:
        assert {f"pr-{name}", f"training-{name}", f"training-{name}-aligner"} <= set(figures)
        assert texts[1].count(f"<summary>{name}-") == 2
    chips = {attributes.get("class") for tag, attributes in page.tags if tag == "span"}
    assert {"chip right", "chip label", "chip missed", "chip wrong"} <= chips
    assert texts[1].count('class="block sample"') == 3 * 3  # three test sets


def test_a_strip_for_each_family_with_the_crf_in_each_panel(texts: tuple[str, str]) -> None:
    page = Page(texts[1])
    panels = [attributes["aria-label"] or "" for tag, attributes in page.tags if attributes.get("class") == "panel"]
    families = ["Lexical similarity and threshold", "CATS, direct", "CATS, two-step", "BERT finetune and neural CRF"]
    assert all(panels.count(f"{family}, Task {task}") == len(KINDS) for family in families for task in (1, 2))
    strips = re.findall(r'<div class="strip named">.*?</ul>', texts[1], re.DOTALL)
    assert len(strips) > 5 * len(KINDS) and not any("gold ParaAlign" in strip for strip in strips)
    for strip in strips:
        names = re.findall(r"</svg>(.*?)</li>", strip)
        assert names[-1] == "Neural CRF aligner" and len(set(names)) == len(names) <= 8
        colours = re.findall(r'stroke="(#\w+)"', strip)
        assert len(set(colours)) == len(colours) and colours[-1] == "#000000"


def test_figures_do_not_depend_on_what_was_drawn_before() -> None:
    line = Line("a", ((0.0, 1.0), (2.0, 3.0)), 0)
    first = draw("k", "A <b> & $x$", [line], ("x", "y"), None)
    draw("other", "B", [line], ("x", "y"), (0, 100))
    assert draw("k", "A <b> & $x$", [line], ("x", "y"), None) == first
    assert "A &lt;b&gt; &amp; $x$" in first.svg and "date" not in first.svg.lower()


def test_empty_curves_are_drawn_empty() -> None:
    assert "<svg" in draw("k", "none", [Line("a", (), 0)], ("x", "y"), None).svg


@pytest.mark.parametrize(
    ("path", "stage"),
    [
        ("reports/alignment/sample_news.json", "evaluate_alignment for sample_news"),
        ("reports/alignment/sample_news.pr.csv", "evaluate_alignment for sample_news"),
        ("reports/examples/alignment.sample_news.jsonl", "evaluate_alignment for sample_news"),
        ("reports/corpora/sample_news.json", "build_corpus for sample_news"),
        ("reports/simplification/sample_news.json", "evaluate_simplification for sample_news"),
        ("reports/training/aligner.sample_news.csv", "train_aligner for sample_news"),
        ("reports/training/encoder.shared.csv", "train_encoder for shared"),
        ("reports/training/simplifier.sample_news.old.lstm.csv", "train_simplifier for sample_news.old.lstm"),
        ("data/outputs/sample_news/old/lstm/auto.txt", "simplify"),
    ],
)
def test_an_absent_file_names_its_stage_and_nothing_is_written(news: Path, path: str, stage: str) -> None:
    (news / path).unlink()
    with pytest.raises(InputError, match=rf"{re.escape(path)}: no such file; run the stage {stage}"):
        report(news)
    assert not (news / "report").exists()


@pytest.mark.parametrize(
    ("path", "old", "new", "reason"),
    [
        ("alignment/sample_news.json", '"schema": 1', '"schema": 0', "no results of schema 1"),
        ("alignment/sample_news.json", '"task1.f1": [', '"task1.f1": ["x", ', "not as written"),
        ("alignment/sample_news.json", '"low": ', '"lower": ', "not as written"),
        ("simplification/sample_news.json", '"comparisons"', '"compared"', "not as written"),
        ("training/aligner.sample_news.csv", "crf,10,", "crf,", r"\.csv:2: 3 cells where the header has 4"),
        ("alignment/sample_news.pr.csv", "test,task1,0.5,", "test,task1,half,", "curve of jaccard"),
    ],
)
def test_a_damaged_file(news: Path, path: str, old: str, new: str, reason: str) -> None:
    file = news / "reports" / path
    text = file.read_text(encoding="utf-8")
    assert old in text
    write(file, text.replace(old, new))
    with pytest.raises(InputError, match=reason):
        report(news)


def test_licensed_text_is_hidden_unless_asked_for(news: Path) -> None:
    write(news / "params.yaml", params(["sample_news"], [], origin="licensed"))
    shutil.rmtree(news / "reports" / "examples")  # is not even read
    _, html = report(news)
    assert "is licensed" in html and "A hostile line" not in html and "alert('x')" not in html
    assert "alert(&#39;x&#39;)" not in html and "pipe `tick`" not in html
    assert 'data-part="index"' not in html and 'data-part="data"' not in html
    assert 'class="block example"' not in html and 'class="block sample"' not in html
    write_run(news, ["sample_news"])
    write(news / "params.yaml", params(["sample_news"], [], origin="licensed", show=True))
    _, html = report(news)
    assert 'class="block example"' in html and "is licensed" not in html


def test_the_published_experiment_shows_table_8_alone(tmp_path: Path) -> None:
    write_published(tmp_path)
    write(tmp_path / "params.yaml", params([], ["jiang2020"]))
    markdown, html = report(tmp_path)
    assert [line for line in markdown.splitlines() if line.startswith("## ")] == ["## Published outputs"]
    assert "55 of the 56" in markdown and "55 of the 56" in html and "<figure" not in html
    rows = [line.split("|")[1:3] for line in markdown.splitlines() if line.startswith("|")]
    trained = [system.strip() for system, training in rows if training.strip() in ("WikiLarge", "Wiki-Auto")]
    assert sorted(trained) == sorted(["Transformer_bert", "Transformer_rand", "LSTM", "EditNTS"] * 2)
    (tmp_path / "reports" / "published" / "jiang2020.json").unlink()
    with pytest.raises(InputError, match="run the stage score_published for jiang2020"):
        report(tmp_path)


def test_the_stage(news: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(news)
    places = folders(news)
    arguments = ["report", "--reports", "reports", "--published", str(places.published), "--corpora", "data/corpora"]
    arguments += ["--outputs", "data/outputs", "--markdown", "reports/results.md", "--html", "reports/index.html"]
    arguments += ["--latex", "reports/results.tex", "--json", "reports/results.json"]
    monkeypatch.setattr(sys, "argv", arguments)
    main()
    assert (news / "reports" / "index.html").is_file()
    (news / "reports" / "corpora" / "sample_news.json").unlink()
    with pytest.raises(SystemExit) as stopped:
        main()
    error = capsys.readouterr().err
    assert stopped.value.code == 2 and error.startswith("error: reports/corpora/sample_news.json") and error[-1] == "\n"


def test_a_wrong_parameter_is_named(news: Path) -> None:
    text = (news / "params.yaml").read_text(encoding="utf-8")
    write(news / "params.yaml", text.replace('"example_pairs": 2', '"example_pairs": -1'))
    with pytest.raises(InputError, match=r"report\.example_pairs: -1 is not 0 at least"):
        load_plan(news / "params.yaml")
