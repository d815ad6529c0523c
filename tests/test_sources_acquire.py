"""Acquisition: the sample in the real formats, the licensed release, and the two stages as commands."""

import shutil
from dataclasses import asdict, replace
from pathlib import Path

import pytest
import yaml
from composition_sample import plain_values
from newsela_sample import run, write_params

from textsimp.alignment.neural.aligner_settings import PARAGRAPH_ALGORITHMS
from textsimp.alignment.neural.training import train_aligner
from textsimp.core.errors import InputError
from textsimp.core.params import from_conf, load_params
from textsimp.core.reading import sha256
from textsimp.core.records import SIDES, DocumentPair, read_pairs
from textsimp.corpora.config import BuildConfig
from textsimp.sources.acquisition import acquire, acquire_published, load_splits
from textsimp.sources.config import SourceConfig, SourcesConfig
from textsimp.sources.draws import SPLITS, ManualDraw, draw
from textsimp.sources.newsela import Article, write_release
from textsimp.sources.sample import LEVELS, read_texts

SAMPLES = ("sample_news", "sample_wiki")
NO_SOURCES = SourcesConfig(None, None, 1.0, 9.0, 9.0, 0, {}, {})


@pytest.fixture(scope="module")
def params(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A params.yaml with the corpora as they stand in conf/."""
    sources = from_conf("sources", SourcesConfig)
    folder = tmp_path_factory.mktemp("params")
    write_params(
        folder, {"corpus": plain_values()["corpus"], "sources": asdict(replace(sources, mirror=None)), "published": []}
    )
    return folder / "params.yaml"


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
def test_links_come_back_through_the_real_formats(acquired: Path, root: Path, name: str) -> None:
    kind, parts = ("news.txt", LEVELS) if name == "sample_news" else ("encyclopedia.txt", SIDES)
    texts = {text.slug: text for text in read_texts(root / "data/sample" / kind, parts)}
    groups = [{pair.group for pair in pairs_of(acquired, name, split)} for split in (*SPLITS, "unlabelled")]
    assert sorted(slug for group in groups for slug in group) == sorted(texts), "none is lost or in two splits"
    everything = [pair for split in SPLITS for pair in pairs_of(acquired, name, split)]
    audit = list(read_pairs(acquired / f"audit/{name}.jsonl"))
    bare = [replace(gold, alignments=None) for gold in audit]
    assert bare == pairs_of(acquired, name, "unlabelled"), "the audit has the gold of exactly the unlabelled pairs"
    everything += audit
    compared = 0
    for pair in everything:
        if pair.simple.level == pair.complex.level + 1 or name == "sample_wiki":
            index = pair.simple.level if name == "sample_news" else 1
            part = texts[pair.group].parts[index]
            assert [list(paragraph) for paragraph in pair.simple.paragraphs] == part.paragraphs
            assert pair.alignments == tuple(sorted(part.links))
            compared += 1
    assert compared == len(texts) * (4 if name == "sample_news" else 1)


def test_the_draw_depends_on_names_and_seed_only() -> None:
    names = [f"set-{number}" for number in range(20)]
    parts = draw(names, ManualDraw(7, 1, 2, 5))
    assert parts == draw(names[::-1], ManualDraw(7, 1, 2, 5))
    assert parts != draw(names, ManualDraw(7, 1, 2, 6))
    assert [len(part) for part in parts.values()] == [7, 1, 2, 10]
    assert sorted(name for part in parts.values() for name in part) == sorted(names)
    for counts in ((18, 2, 1), (0, 1, 1), (-1, 2, 3)):
        with pytest.raises(InputError, match="do not fit 20 article sets"):
            draw(names, ManualDraw(*counts, 5))


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("origin: sample", "origin: disk", "source.origin: 'disk' is none of"),
        ("origin: sample", "origin: licensed", "source.manual: counts go with origin sample"),
        ("annotation: newsela_manual", "annotation: gold", "source.annotation: 'gold' is none of null, newsela_manual"),
        ("annotation: newsela_manual", "annotation: swipe", "source.link_rule: goes with annotation by edits"),
        ("articles: newsela", "articles: null", "source.articles"),
    ],
)
def test_a_wrong_value_fails_by_name(params: Path, tmp_path: Path, old: str, new: str, what: str) -> None:
    corpus = plain_values()["corpus"]["sample_news"]
    text = yaml.safe_dump({"corpus": {"sample_news": corpus}})
    assert old in text
    path = tmp_path / "params.yaml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=what):
        load_params("corpus.sample_news.source", SourceConfig, path)


def test_an_unknown_paragraph_algorithm_is_named(params: Path) -> None:
    algorithms = {corpus["paragraph_algorithm"] for corpus in plain_values()["corpus"].values()}
    assert algorithms == set(PARAGRAPH_ALGORITHMS)
    with pytest.raises(InputError, match="'news' is none of newsela, wiki"):
        train_aligner([], [], "news", params, None, None)  # type: ignore[arg-type]


LICENSED = SourceConfig("newsela", "licensed", "en", [], "newsela_manual", "newsela", None, None)


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
    return SourcesConfig(None, str(folder), 1.0, 9.0, 9.0, 0, {}, {})


def test_licensed_release_is_copied_byte_by_byte(tmp_path: Path) -> None:
    sources = licensed(tmp_path / "given")
    counts = acquire(LICENSED, sources, None, tmp_path / "raw", tmp_path / "audit.jsonl")
    assert counts == {"articles": 2}
    assert sorted(path.name for path in (tmp_path / "raw/articles").iterdir()) == ["boat.en.0.txt", "boat.en.1.txt"]
    assert (tmp_path / "raw/newsela-manual/all/dev.tsv").read_bytes() == b"dev\r\n"
    assert (tmp_path / "audit.jsonl").read_bytes() == b""
    for name in ("first", "second"):
        path = tmp_path / "given" / name / "newsela_data_share-20150302" / "newsela_articles_1.aligned.sents.txt"
        path.parent.mkdir(parents=True)
        path.write_text("DOC1\tV0\tV1\tA.\tB.\n")
        if name == "first":
            acquire(LICENSED, sources, None, tmp_path / "raw", None)
            assert (tmp_path / "raw/newsela-old/aligned.sents.txt").read_bytes() == path.read_bytes()
    with pytest.raises(InputError, match="2 files newsela_data_share"):
        acquire(LICENSED, sources, None, tmp_path / "raw", None)


def test_sample_needs_its_folder_and_published_its_name(params: Path, tmp_path: Path) -> None:
    config = load_params("corpus.sample_news.source", SourceConfig, params)
    with pytest.raises(InputError, match="give --sample and --audit"):
        acquire(config, NO_SOURCES, None, tmp_path / "raw", None)
    with pytest.raises(InputError, match=r"sources\.published\.jiang2020: missing"):
        acquire_published("jiang2020", NO_SOURCES, tmp_path / "raw")


@pytest.mark.parametrize("name", SAMPLES)
def test_the_stages_as_commands_give_the_same_bytes(
    root: Path, params: Path, acquired: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw, splits = f"raw/{name}", f"splits/{name}"
    command = ("stages.acquire", name, "--sample", str(root / "data/sample"), "--raw", raw)
    assert run(monkeypatch, params.parent, *command, "--audit", f"audit/{name}.jsonl") == 0
    assert run(monkeypatch, params.parent, "stages.load_splits", name, "--raw", raw, "--out", splits) == 0
    files = [path.relative_to(acquired) for path in acquired.glob(f"*/{name}*/**/*") if path.is_file()]
    assert len(files) > 10
    for file in (*files, Path("audit", f"{name}.jsonl")):
        assert (params.parent / file).read_bytes() == (acquired / file).read_bytes()


RELEASE = """# 1 kB. Somebody's pairs.
toy:
  title: Toy pairs
  licence: CC0
  folder: wiki-manual
  files:
    - {name: '*', digest: toy.sha256, url: "https://example.org/toy/"}
toy_articles:
  title: Toy articles
  licence: CC0
  folder: wiki-auto
  files:
    - {name: part-1.json, digest: null, url: "https://example.org/toy/part-1.json"}
"""
CORPUS = """defaults: [_wikipedia, _self_]
source: {name: toy, releases: [toy, toy_articles], annotation: wiki_manual, articles: wiki_auto}
build: {provenance: A test., licence: CC0}
align: {aligner: toy, encoder: toy}
"""


def test_a_corpus_in_a_known_format_is_two_files(
    root: Path, acquired: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of releases, with their digests, and conf/corpus/toy.yaml: the files of the sample from a mirror."""
    conf, mirror, given = tmp_path / "conf", tmp_path / "mirror", acquired / "raw" / "sample_wiki"
    shutil.copytree(root / "conf", conf)
    shutil.copytree(given / "wiki-manual", mirror / "toy")
    shutil.copytree(given / "wiki-auto", mirror / "toy_articles")
    (mirror / "toy_articles" / "wiki-auto-part-1-data.json").rename(mirror / "toy_articles" / "part-1.json")
    (conf / "sources" / "releases" / "toy.yaml").write_text(RELEASE, encoding="utf-8")
    digests = "".join(f"{sha256(path)}  {path.name}\n" for path in (mirror / "toy").iterdir())
    (conf / "sources" / "digests" / "toy.sha256").write_text(digests, encoding="utf-8")
    (conf / "corpus" / "toy.yaml").write_text(CORPUS, encoding="utf-8")
    monkeypatch.setattr("textsimp.core.params.CONF", conf)
    overrides = ("sources=[default,toy,toy_articles]", "+corpus@corpus.toy=toy", f"sources.mirror={mirror}")
    source, sources = (
        from_conf(section, kind, *overrides)
        for section, kind in (("corpus.toy.source", SourceConfig), ("sources", SourcesConfig))
    )
    assert from_conf("corpus.toy.build", BuildConfig, *overrides).filters[0] == "tokens"
    assert acquire(source, sources, None, tmp_path / "raw", None) == {"toy": 3, "toy_articles": 1}
    assert load_splits(tmp_path / "raw", tmp_path / "splits", source) == {
        "train": 48, "dev": 12, "test": 24, "unlabelled": 12
    }  # fmt: skip
    for split in (*SPLITS, "unlabelled"):
        pairs = list(read_pairs(tmp_path / "splits" / f"{split}.jsonl"))
        assert [replace(pair, corpus="sample_wiki") for pair in pairs] == pairs_of(acquired, "sample_wiki", split)
