"""Acquisition: the sample in the real formats, the licensed release, and the two stages as commands."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from textsimp.errors import InputError
from textsimp.params import load_params
from textsimp.records import DocumentPair, read_pairs
from textsimp.sources.acquisition import acquire, acquire_published
from textsimp.sources.config import ManualDraw, SourceConfig, SourcesConfig
from textsimp.sources.draws import draw
from textsimp.sources.layout import SPLITS
from textsimp.sources.newsela import Article, write_release
from textsimp.sources.sample import read_texts
from textsimp.sources.splits import load_splits

SAMPLES = ("sample_news", "sample_wiki")
NO_SOURCES = SourcesConfig(None, None, None, 1.0, {}, {})


@pytest.fixture(scope="module")
def params(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A params.yaml with the corpora as they stand in conf/."""
    corpora = {path.stem: yaml.safe_load(path.read_text()) for path in (root / "conf/corpus").glob("*.yaml")}
    sources = {"mirror": None, "newsela": None, "word_vectors": None, "timeout": 1.0, "releases": {}, "published": {}}
    path = tmp_path_factory.mktemp("params") / "params.yaml"
    path.write_text(yaml.safe_dump({"corpus": corpora, "sources": sources, "published": []}), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def acquired(root: Path, params: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both sample corpora, acquired and split."""
    folder = tmp_path_factory.mktemp("data")
    for name in SAMPLES:
        config = load_params(f"corpus.{name}.source", SourceConfig, params)
        acquire(config, NO_SOURCES, str(root / "data/sample"), folder / "raw" / name, folder / f"audit/{name}.jsonl")
        load_splits(folder / "raw" / name, folder / "splits" / name, config)
    return folder


def pairs_of(folder: Path, name: str, split: str) -> list[DocumentPair]:
    return list(read_pairs(folder / "splits" / name / f"{split}.jsonl"))


@pytest.mark.parametrize("name", SAMPLES)
def test_no_article_set_is_lost_or_in_two_splits(acquired: Path, root: Path, name: str) -> None:
    kind = "newsela-style" if name == "sample_news" else "wiki-style"
    slugs = sorted(text.slug for text in read_texts(root / "data/sample" / kind))
    groups = [{pair.group for pair in pairs_of(acquired, name, split)} for split in (*SPLITS, "unlabelled")]
    assert sorted(slug for group in groups for slug in group) == slugs


@pytest.mark.parametrize("name", SAMPLES)
def test_the_audit_has_the_gold_of_exactly_the_unlabelled_pairs(acquired: Path, name: str) -> None:
    unlabelled = pairs_of(acquired, name, "unlabelled")
    audit = list(read_pairs(acquired / f"audit/{name}.jsonl"))
    assert all(pair.alignments is None for pair in unlabelled)
    for pair, gold in zip(unlabelled, audit, strict=True):
        assert (pair.id, pair.group, pair.complex, pair.simple) == (gold.id, gold.group, gold.complex, gold.simple)
        assert gold.alignments is not None


@pytest.mark.parametrize("name", SAMPLES)
def test_links_come_back_through_the_real_formats(acquired: Path, root: Path, name: str) -> None:
    kind = "newsela-style" if name == "sample_news" else "wiki-style"
    texts = {text.slug: text for text in read_texts(root / "data/sample" / kind)}
    everything = [pair for split in SPLITS for pair in pairs_of(acquired, name, split)]
    everything += list(read_pairs(acquired / f"audit/{name}.jsonl"))
    compared = 0
    for pair in everything:
        if pair.simple.level == pair.complex.level + 1 or name == "sample_wiki":
            index = pair.simple.level if name == "sample_news" else 1
            part = texts[pair.group].parts[index]
            assert [list(paragraph) for paragraph in pair.simple.paragraphs] == part.paragraphs
            assert pair.alignments == tuple(sorted(part.links))
            compared += 1
    assert compared == len(texts) * (4 if name == "sample_news" else 1)


def test_acquiring_twice_gives_the_same_bytes(acquired: Path, root: Path, params: Path, tmp_path: Path) -> None:
    for name in SAMPLES:
        config = load_params(f"corpus.{name}.source", SourceConfig, params)
        audit = tmp_path / f"audit/{name}.jsonl"
        acquire(config, NO_SOURCES, str(root / "data/sample"), tmp_path / "raw" / name, audit)
    files = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file())
    assert len(files) > 270
    for file in files:
        assert (tmp_path / file).read_bytes() == (acquired / file).read_bytes()


def test_the_draw_depends_on_names_and_seed_only() -> None:
    names = [f"set-{number}" for number in range(20)]
    parts = draw(names, ManualDraw(7, 1, 2, 5))
    assert parts == draw(names[::-1], ManualDraw(7, 1, 2, 5))
    assert parts != draw(names, ManualDraw(7, 1, 2, 6))
    assert [len(part) for part in parts.values()] == [7, 1, 2, 10]
    assert sorted(name for part in parts.values() for name in part) == sorted(names)


@pytest.mark.parametrize("counts", [(18, 2, 1), (0, 1, 1), (-1, 2, 3)])
def test_counts_that_do_not_fit(counts: tuple[int, int, int]) -> None:
    with pytest.raises(InputError, match="do not fit 20 article sets"):
        draw([f"set-{number}" for number in range(20)], ManualDraw(*counts, 5))


def test_every_corpus_of_conf_has_a_source(params: Path) -> None:
    names = sorted(yaml.safe_load(params.read_text())["corpus"])
    assert names == ["newsela", "onestop", "public_wiki", "sample_news", "sample_wiki", "wiki"]
    for name in names:
        assert load_params(f"corpus.{name}.source", SourceConfig, params).name == name


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("kind: newsela", "kind: news", "source.kind: 'news' is none of newsela, wiki"),
        ("origin: sample", "origin: disk", "source.origin: 'disk' is none of"),
        ("origin: sample", "origin: licensed", "source.manual: counts go with origin sample"),
        ("annotation: newsela_manual", "annotation: gold", "source.annotation: 'gold' is none of null, newsela_manual"),
        ("annotation: newsela_manual", "annotation: swipe", "source.link_rule: goes with annotation swipe"),
        ("articles: newsela", "articles: null", "source.articles"),
    ],
)
def test_a_wrong_value_fails_by_name(params: Path, tmp_path: Path, old: str, new: str, what: str) -> None:
    corpus = yaml.safe_load(params.read_text())["corpus"]["sample_news"]
    text = yaml.safe_dump({"corpus": {"sample_news": corpus}})
    assert old in text
    path = tmp_path / "params.yaml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=what):
        load_params("corpus.sample_news.source", SourceConfig, path)


LICENSED = SourceConfig("newsela", "newsela", "licensed", "en", [], "newsela_manual", "newsela", None, None)


def licensed(folder: Path) -> SourcesConfig:
    """A release as it is handed out: the articles and the manual part in two folders, other languages beside."""
    rows = [
        (Article("boat", language, "A boat", 5.0, level, f"boat.{language}.{level}.txt"), ["One."])
        for language, level in (("en", 0), ("en", 1), ("en", 5), ("es", 0))
    ]
    write_release(folder / "article_corpus", rows)
    manual = folder / "newsela-auto" / "newsela-manual" / "all"
    manual.mkdir(parents=True)
    for split in SPLITS:
        (manual / f"{split}.tsv").write_text(f"{split}\r\n")
    return SourcesConfig(None, str(folder), None, 1.0, {}, {})


def test_licensed_release_is_copied_byte_by_byte(tmp_path: Path) -> None:
    sources = licensed(tmp_path / "given")
    counts = acquire(LICENSED, sources, None, tmp_path / "raw", tmp_path / "audit.jsonl")
    assert counts == {"articles": 2}
    assert sorted(path.name for path in (tmp_path / "raw/articles").iterdir()) == ["boat.en.0.txt", "boat.en.1.txt"]
    assert (tmp_path / "raw/newsela-manual/all/dev.tsv").read_bytes() == b"dev\r\n"
    assert (tmp_path / "audit.jsonl").read_bytes() == b""


def test_licensed_release_must_be_set_and_complete(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"sources\.newsela: the Newsela release is licensed"):
        acquire(LICENSED, NO_SOURCES, None, tmp_path / "raw", None)
    sources = licensed(tmp_path / "given")
    (tmp_path / "given/article_corpus/articles/boat.en.1.txt").unlink()
    with pytest.raises(InputError, match=r"boat\.en\.1\.txt: named by the release, but not there"):
        acquire(LICENSED, sources, None, tmp_path / "raw", None)
    (tmp_path / "given/article_corpus/articles_metadata.csv").unlink()
    with pytest.raises(InputError, match=r"0 files articles_metadata\.csv below it"):
        acquire(LICENSED, sources, None, tmp_path / "raw", None)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["given"]


def test_sample_needs_its_folder_and_published_its_name(params: Path, tmp_path: Path) -> None:
    config = load_params("corpus.sample_news.source", SourceConfig, params)
    with pytest.raises(InputError, match="give --sample and --audit"):
        acquire(config, NO_SOURCES, None, tmp_path / "raw", None)
    with pytest.raises(InputError, match=r"sources\.published\.jiang2020: missing"):
        acquire_published("jiang2020", NO_SOURCES, tmp_path / "raw")


def run(root: Path, cwd: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(root)}
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


def test_the_stages_as_commands(root: Path, params: Path, acquired: Path) -> None:
    folder = params.parent
    sample = str(root / "data/sample")
    command = ("stages.acquire", "sample_wiki", "--sample", sample, "--raw", "raw", "--audit", "audit.jsonl")
    assert run(root, folder, *command).returncode == 0
    assert run(root, folder, "stages.load_splits", "sample_wiki", "--raw", "raw", "--out", "splits").returncode == 0
    for split in (*SPLITS, "unlabelled"):
        expected = (acquired / "splits/sample_wiki" / f"{split}.jsonl").read_bytes()
        assert (folder / "splits" / f"{split}.jsonl").read_bytes() == expected


@pytest.mark.parametrize(
    ("command", "what"),
    [
        (("stages.acquire", "nothing", "--raw", "raw"), "corpus.nothing.source: missing section"),
        (("stages.load_splits", "sample_news", "--raw", "none", "--out", "out"), "no such file"),
    ],
)
def test_a_stage_reports_bad_input_in_one_line(root: Path, params: Path, command: tuple[str, ...], what: str) -> None:
    result = run(root, params.parent, *command)
    assert result.returncode == 2
    assert what in result.stderr
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
