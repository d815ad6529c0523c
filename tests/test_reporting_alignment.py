"""The alignment part of the report: tables beside four papers, gold paragraphs, ceilings."""

from dataclasses import replace
from pathlib import Path

import pytest
from alignment_sample import RUNTIME, document_pair
from reporting_changes import scores_of, without
from reporting_run import KINDS, SYSTEMS, folders, params, write, write_json, write_published, write_run

from textsimp.alignment.comparison import Outputs, compare_systems
from textsimp.alignment.neural.config import EncoderConfig
from textsimp.alignment.own_documents import load_system_config
from textsimp.alignment.resources import Resources
from textsimp.alignment.vectors import WordVectorConfig
from textsimp.errors import InputError
from textsimp.metrics.alignment_significance import SignificanceConfig
from textsimp.params import from_conf
from textsimp.reporting.alignment.details import ceiling_table, emission_table, link_table, overlap_table
from textsimp.reporting.alignment.elsewhere_tables import elsewhere_tables
from textsimp.reporting.alignment.names import LEXICAL, OTHER_FAMILY, by_family, family, published_alignment
from textsimp.reporting.alignment.precision_recall import precision_recall_figure
from textsimp.reporting.alignment.results import read_alignment
from textsimp.reporting.alignment.tables import alignment_table, gold_table
from textsimp.reporting.config import load_plan
from textsimp.reporting.inputs import Results, read_results
from textsimp.reporting.published import Published
from textsimp.reporting.tables import Table
from textsimp.textfiles import read_json


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("run")
    write_run(root)
    write_published(root)
    write(root / "params.yaml", params(list(KINDS), []))
    return root


@pytest.fixture(scope="module")
def results(run: Path) -> Results:
    return read_results(load_plan(run / "params.yaml"), folders(run))


@pytest.fixture(scope="module")
def published(run: Path) -> Published:
    return Published(folders(run).published)


def cells(table: Table, system: str, place: int = 0) -> list[str]:
    """The texts of the row of a system, the first or a later one."""
    row = [row for row in table.rows if row.cells[0].text == system][place]
    return [cell.text for cell in row.cells]


def bold(table: Table) -> set[str]:
    return {row.cells[0].text for row in table.rows for cell in row.cells if cell.best}


def test_ours_beside_the_papers(results: Results, published: Published, run: Path) -> None:
    test, dev = (alignment_table(results.corpora[0], split, published) for split in ("test", "dev"))
    ours = read_json(run / "reports" / "alignment" / "sample_news.json")["test"]["tfidf"]
    measures = ("precision", "recall", "f1", "max_f1", "area")
    expected = [f"{ours[task][measure]:.1f}" for task in ("task1", "task2") for measure in measures]
    row = cells(test, "TF-IDF")
    assert row[1:6] + row[7:12] == expected
    assert row[13:] == ["96.24", "83.05", "89.16", "66.78", "69.69", "68.20"]
    assert cells(test, "Neural CRF aligner")[13:] == ["97.86", "93.43", "95.59", "87.56", "89.55", "88.54"]
    assert cells(test, "CATS C3G")[15] == "89.92" and cells(test, "CATS C3G-2s")[13:] == ["–"] * 6
    assert cells(test, "BERT finetune")[13:] == ["–"] * 6
    assert cells(dev, "BERT finetune + ParaAlign")[13:] == ["98.4", "84.2", "90.7", "91.9", "79.0", "85.0"]
    assert cells(test, "LR")[1:13] == ["–"] * 12 and cells(test, "LR")[15] == "88.85"
    assert "Table 2" in test.title and "Newsela-Manual" in test.title and "Table 3" in dev.title
    assert "Word vectors: invented vectors." in test.text and "CATS, direct: Jiang et al. 2020;" in test.text


def test_a_system_without_a_curve_has_dashes(results: Results, published: Published) -> None:
    row = cells(alignment_table(results.corpora[0], "test", published), "CATS C3G")  # its area is null
    assert row[5] == "–" and row[4] != "–"


def test_wiki_has_task_1_of_the_paper_only(results: Results, published: Published) -> None:
    test, dev = (alignment_table(results.corpora[1], split, published) for split in ("test", "dev"))
    assert "Table 13" in test.title and "Table 12" in dev.title
    assert cells(test, "Neural CRF aligner")[13:] == ["89.3", "81.6", "85.3"]
    assert cells(dev, "BERT finetune + ParaAlign")[13:] == ["88.6", "85.4", "87.0"]
    assert cells(dev, "BERT finetune (Newsela-Manual)")[1:13] == ["–"] * 12
    groups = {group for group, _ in test.groups[1:]}
    assert groups == {"sample_wiki, Task 1", "sample_wiki, Task 2", "Wiki-Manual (paper), Task 1"}


def test_differences_with_their_intervals(results: Results, published: Published) -> None:
    corpus = results.corpora[0]
    table = alignment_table(corpus, "test", published)
    found = corpus.alignment.difference("test", "tfidf", "neural_crf", "task1")
    assert found is not None
    d = found.value
    by_name = {row.cells[0].text: row.cells for row in table.rows}
    far, near = by_name["TF-IDF"][6], by_name["Neural CRF aligner, encoder emission"][6]
    assert (far.text, far.interval) == (f"{d:.1f}‡", (d - 3, d + 3)) and d < -3
    assert near.interval is not None and near.interval[1] > 0 and near.text[-1].isdigit()
    f1 = by_name["TF-IDF"][3]
    assert f1.interval == (pytest.approx(f1.value - 2), pytest.approx(f1.value + 2))
    assert cells(table, "Neural CRF aligner")[6] == "–"
    assert any("F1 minus that of Neural CRF aligner" in note for note in table.footnotes)
    uncompared = replace(corpus, alignment=replace(corpus.alignment, compared_with=()))
    table = alignment_table(uncompared, "test", published)
    assert "ΔF1" not in {column.header for column in table.columns} and len(cells(table, "TF-IDF")) == 17


def test_rows_stand_in_families_in_the_order_of_the_parameters(results: Results, published: Published) -> None:
    table = alignment_table(results.corpora[0], "test", published)
    headings = [row.heading for row in table.rows if row.heading]
    assert headings == [
        "Lexical similarity and threshold",
        "Lexical aligners",
        "CATS, direct",
        "CATS, two-step",
        "Word vectors",
        "Neural pair models and sentence embeddings",
        "BERT finetune and neural CRF",
        "In the paper only",
    ]
    names = [row.cells[0].text for row in table.rows]
    assert names[2:4] == ["MASSAlign", "HMM"]  # CATS comes between them in the parameters
    assert all(row.starts_block == bool(row.heading) for row in table.rows)


def test_families() -> None:
    assert family("neural_crf_anything") == family("neural_crf") == family("bert_finetune_paraalign")
    assert family("neural_crfx") == family("mine") == OTHER_FAMILY
    assert family("cats_wavg_lis_2s_gold_paragraphs") == family("cats_c3g_2s") != family("cats_c3g")
    assert by_family(["mine", "tfidf", "yours"]) == {
        OTHER_FAMILY: ["mine", "yours"],
        "Lexical similarity and threshold": ["tfidf"],
    }
    assert {"jaccard", "cats_c3g", "hmm"} <= LEXICAL and not {"cats_wavg", "wmd", "bertscore"} & LEXICAL
    assert published_alignment("cats_c3g", "wiki") == "CATS" and published_alignment("cats_wavg", "wiki") is None


def test_a_system_that_no_paper_has(run: Path, published: Published, tmp_path: Path) -> None:
    write_run(tmp_path, ["sample_news"])
    folder = tmp_path / "reports" / "alignment"
    value, details = (read_json(folder / f"sample_news{end}") for end in (".json", ".details.json"))
    details["labels"]["my_own"], details["sources"]["my_own"] = "My own", "me"
    for split in ("dev", "test"):
        value[split]["my_own"] = value[split]["tfidf"]
        details["splits"][split]["systems"]["my_own"] = details["splits"][split]["systems"]["tfidf"]
    write_json(folder / "sample_news.json", value)
    write_json(folder / "sample_news.details.json", details)
    plan = replace(load_plan(run / "params.yaml"), published=())
    (corpus,) = read_results(replace(plan, corpora=plan.corpora[:1]), folders(tmp_path)).corpora
    table = alignment_table(corpus, "test", published)
    assert cells(table, "My own")[1:13] == cells(table, "TF-IDF")[1:13] and cells(table, "My own")[13:] == ["–"] * 6
    assert precision_recall_figure(corpus).strips[-1].title == OTHER_FAMILY


def test_gold_paragraphs_have_a_table_of_their_own(results: Results, published: Published) -> None:
    for corpus in results.corpora:
        for split in ("test", "dev"):
            table = alignment_table(corpus, split, published)
            assert not any("gold" in row.cells[0].text for row in table.rows)
            assert bold(table) == {"Neural CRF aligner"}  # those with gold paragraphs are above it
    test, dev = (gold_table(results.corpora[0], split, published) for split in ("test", "dev"))
    scores = scores_of(results.corpora[0])
    assert [row.cells[0].text for row in test.rows] == ["MASSAlign", "CATS C3G-2s", "Neural CRF aligner"]
    pairs = {"MASSAlign": ("massalign", "massalign_gold_paragraphs")}
    pairs["Neural CRF aligner"] = ("neural_crf", "neural_crf_gold_paraalign")
    for label, both in pairs.items():
        expected = [f"{scores[s][t]['f1']:.1f}" for t in ("task1", "task2") for s in both]
        assert cells(test, label)[3::3] == expected
    assert cells(dev, "Neural CRF aligner")[13:] == ["97.3", "91.1", "94.1", "88.9", "88.0", "88.4"]
    assert cells(dev, "MASSAlign")[13:] == ["–"] * 6 and len(test.columns) == 13
    assert not bold(test) | bold(dev)


def test_a_gold_system_without_its_own_kind_stands_alone(results: Results, published: Published) -> None:
    table = gold_table(without(results.corpora[0], "massalign"), "test", published)
    row = cells(table, "MASSAlign + gold ParaAlign")
    assert row[1:4] == ["–"] * 3 and "–" not in row[4:7]
    fair = replace(results.corpora[0].alignment, gold_paragraphs=frozenset())
    assert not gold_table(replace(results.corpora[0], alignment=fair), "test", published).rows


def test_what_the_systems_find(results: Results) -> None:
    news, wiki = results.corpora
    table = link_table(news)
    assert cells(table, "gold, number")[1:] == ["50", "50", "50", "–", "60", "60", "60", "–", "–"]
    recall = scores_of(news)["hmm"]["task1"]["recall"]
    assert recall is not None
    assert cells(table, "HMM")[1:5] == [f"{recall:.1f}", f"{recall - 5:.1f}", f"{recall - 20:.1f}", "–"]
    assert [column.header for column in table.columns][1:5] == ["1-1", "1-n", "n-1", "n-m"]
    with_identical = [f"{scores_of(news)['hmm'][task]['f1'] + 1:.1f}" for task in ("task1", "task2")]  # type: ignore
    assert cells(table, "HMM")[8:] == with_identical
    assert not any("gold ParaAlign" in row.cells[0].text for row in table.rows)
    overlap = overlap_table(news)
    assert [column.header for column in overlap.columns][1:] == [
        *("0.0-0.2", "0.2-0.4", "0.4-0.6", "0.6-0.8", "0.8-1.0"),
        *("1", "2", "3", "4"),
    ]
    assert cells(overlap, "HMM")[5] == "–" and "Neural CRF aligner" in bold(overlap)
    assert len(overlap_table(wiki).columns) == 6  # all its document pairs have one level gap


def test_ceilings_and_what_is_reached(results: Results) -> None:
    corpus = results.corpora[0]
    table = ceiling_table(corpus)
    assert cells(table, "one complex sentence for each simple one (one chain)")[1:5] == ["180", "100.0", "90.0", "94.7"]
    assert cells(table, "each link from one of both chains (two chains)")[5] == "114"
    expected = [f"{scores_of(corpus)['neural_crf_one_chain']['task1'][m]:.1f}" for m in ("precision", "recall", "f1")]
    assert cells(table, "Neural CRF aligner, one chain")[1:5] == ["–", *expected]
    assert [row.heading for row in table.rows if row.heading] == ["Ceilings", "Reached"]
    assert table.rows[-1].cells[0].text == "Neural CRF aligner"
    fewer = ceiling_table(without(corpus, "neural_crf", "neural_crf_one_chain", "neural_crf_precise"))
    assert len(fewer.rows) == 5


def test_the_emission_alone_and_together(results: Results) -> None:
    corpus = results.corpora[0]
    table = emission_table(corpus)
    assert [(row.cells[0].text, row.cells[1].text) for row in table.rows] == [
        (f"Neural CRF aligner{which}", split) for split in ("test", "dev") for which in (", encoder emission", "")
    ]
    assert table.rows[0].cells[5].text != "–" and table.rows[1].cells[5].text == "–"
    assert not emission_table(without(corpus, "neural_crf_paper_emission")).rows


def test_numbers_of_other_papers(results: Results, published: Published) -> None:
    human, similarities = elsewhere_tables(results.corpora, published)
    assert [row.cells[0].text for row in human.rows][:2] == ["C3G", "C3G*"] and len(human.rows) == 8
    news, wiki = (scores_of(corpus)["hmm"]["task1"]["precision"] for corpus in results.corpora)
    assert cells(human, "HMM")[1:] == ["86.2", "25.2", "65.6", *[f"{news:.1f}"] * 3, f"{wiki:.1f}"]
    assert cells(human, "CWASA")[4:] == ["–"] * 4
    assert [column.header for column in human.columns][4:] == ["all", "gap 1", "gap 4", "all"]
    assert "Newsela" in human.columns[1].group and "judged by hand" in human.columns[1].group
    row = cells(similarities, "Word Mover's Distance")
    wmd = scores_of(results.corpora[0])["wmd"]
    ours = [f"{wmd[task][measure]:.1f}" for task in ("task2", "task1") for measure in ("max_f1", "area")]
    assert row[1:9] == ["0.724", "0.738", "0.531", "0.499", *ours]
    assert "fractions" in similarities.columns[1].group and "percent" in similarities.columns[5].group
    nobody = [without(corpus, *SYSTEMS) for corpus in results.corpora]
    assert not any(table.rows for table in elsewhere_tables(nobody, published))


def test_the_report_reads_what_the_stage_writes(tmp_path: Path) -> None:
    pairs = [document_pair(number) for number in range(6)]
    vectors, encoder = from_conf("word_vectors", WordVectorConfig), from_conf("aligner.encoder", EncoderConfig)
    names = ["tfidf", "massalign", "jaccard"]
    ends = (".json", ".details.json", ".pr.csv", ".examples.jsonl")
    configs = {name: load_system_config(name) for name in names}
    splits = {"train": pairs[:2], "dev": pairs[2:4], "test": pairs[4:]}
    more = (
        Resources(pairs, vectors, encoder, RUNTIME),
        tmp_path / "saved",
        SignificanceConfig(["jaccard", "tfidf", "absent"], samples=20, seed=1),
        ["massalign", "jaccard"],
        Outputs(*(tmp_path / f"tiny{end}" for end in ends)),
    )
    with pytest.raises(InputError, match="test split: has no document pairs"):
        compare_systems(configs, {**splits, "test": []}, *more)
    compare_systems(configs, splits, *more)
    alignment = read_alignment("tiny", names, tmp_path)
    assert list(alignment.scores["dev"]) == ["tfidf", "massalign", "massalign_gold_paragraphs", "jaccard"]
    assert alignment.fair("test") == names and alignment.labels["massalign"] == "MASSAlign"
    found = alignment.found["test"]
    assert found["tfidf"].link_types["1-n"]["gold"] == 4 and found["tfidf"].level_gap[1]["task1"]["gold"] == 12
    assert alignment.compared_with == ("jaccard", "tfidf") and list(found["jaccard"].differences) == ["tfidf"]
    assert found["massalign"].differences.keys() == {"jaccard", "tfidf"}
    one, other = (alignment.difference("test", *pair, "task1") for pair in (("jaccard", "tfidf"), ("tfidf", "jaccard")))
    assert one is not None and other is not None and one.value == -other.value and one.low == -other.high
    assert alignment.difference("test", "jaccard", "jaccard", "task1") is None
    assert alignment.ceilings["test"]["task1"]["one_simple"]["links"] == 10
