"""Derivation of labels, and splits by article set, on small releases made here in the true formats."""

import itertools
import json
import logging
import random
from pathlib import Path

import pytest

from textsimp.core.errors import InputError
from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link, read_pairs
from textsimp.sources.acquisition import load_splits
from textsimp.sources.config import SourceConfig
from textsimp.sources.draws import SPLITS
from textsimp.sources.manual import derive_levels, write_manual
from textsimp.sources.newsela import Article, write_release
from textsimp.sources.wiki_auto import ArticlePair, write_wiki_auto

A, P = AlignmentLabel.ALIGNED, AlignmentLabel.PARTIAL
NEWS = SourceConfig("news", "licensed", "en", [], "newsela_manual", "newsela", None, None)
WIKI = SourceConfig("pairs", "released", "en", [], "wiki_manual", "wiki_auto", None, None)


@pytest.mark.parametrize("seed", range(5))
def test_derivation_equals_the_enumeration_of_all_paths(seed: int) -> None:
    """Five levels of three sentences: a pair is linked if a path joins it, aligned if a path of aligned steps does."""
    draw = random.Random(seed)
    steps = [
        {(low, high): label for low in range(3) for high in range(3) if (label := draw.choice([A, P, None, None]))}
        for _ in range(4)
    ]
    known = {
        (level, level + 1): tuple(sorted(Link(*pair, label) for pair, label in step.items()))
        for level, step in enumerate(steps)
    }
    derived = derive_levels(known, range(5))
    assert sorted(derived) == list(itertools.combinations(range(5), 2))
    for (high, low), links in derived.items():
        expected: dict[tuple[int, int], AlignmentLabel] = {}
        for path in itertools.product(range(3), repeat=low - high + 1):
            labels = [steps[high + k].get((path[k + 1], path[k])) for k in range(low - high)]
            if all(labels):
                key = (path[-1], path[0])
                expected[key] = A if set(labels) == {A} or expected.get(key) is A else P
        assert {(link.simple, link.complex): link.label for link in links} == expected


def test_annotated_labels_of_non_adjacent_levels_are_kept() -> None:
    known = {(0, 1): (Link(0, 0, A),), (1, 2): (Link(0, 0, A),), (0, 2): (Link(0, 0, P),)}
    assert derive_levels(known, range(3))[0, 2] == (Link(0, 0, P),)


def document(name: str, level: int, *paragraphs: tuple[str, ...]) -> Document:
    return Document(f"{name}-{level}", level, paragraphs or ((f"{name} at {level}.", "It is so."),))


def news_pairs(slug: str) -> list[DocumentPair]:
    """Neighbouring levels of one set; the first sentences are aligned, the second ones partially."""
    documents = [document(f"{slug}.en", level) for level in range(5)]
    links = (Link(0, 0, A), Link(1, 1, P))
    return [DocumentPair("-", "news", slug, *pair, links) for pair in itertools.pairwise(documents)]


def news_release(raw: Path, manual: dict[str, list[str]], articles: list[tuple[str, str, int]]) -> None:
    for split, slugs in manual.items():
        pairs = [pair for slug in slugs for pair in news_pairs(slug)]
        write_manual(raw / "newsela-manual" / "all" / f"{split}.tsv", pairs, with_gleu=False)
    rows = [
        (Article(slug, language, "A title", 5.0, level, f"{slug}.{language}.{level}.txt"), ["One. Two.", "Three."])
        for slug, language, level in articles
    ]
    write_release(raw, rows)


MANUAL = {"train": ["ant", "bee"], "dev": ["cat"], "test": ["dog-house"]}
ARTICLES = [(slug, "en", level) for slug in ("ant", "dog-house", "elk", "fox") for level in range(5)]


def test_news(tmp_path: Path) -> None:
    news_release(tmp_path / "raw", MANUAL, [*ARTICLES, ("elk", "en", 5), ("elk", "es", 0), ("gnu", "es", 1)])
    counts = load_splits(tmp_path / "raw", tmp_path / "out", NEWS)
    assert counts == {"train": 20, "dev": 10, "test": 10, "unlabelled": 20}
    pairs = {name: list(read_pairs(tmp_path / "out" / f"{name}.jsonl")) for name in counts}
    levels = list(itertools.combinations(range(5), 2))
    assert [(pair.complex.level, pair.simple.level) for pair in pairs["dev"]] == levels
    first = pairs["test"][3]
    assert (first.id, first.corpus, first.group) == ("dog-house.en.0-4", "news", "dog-house")
    assert (first.complex.id, first.simple.id) == ("dog-house.en-0", "dog-house.en-4")
    assert first.alignments == (Link(0, 0, A), Link(1, 1, P))
    assert {pair.group for pair in pairs["unlabelled"]} == {"elk", "fox"}
    assert all(pair.alignments is None for pair in pairs["unlabelled"])
    assert pairs["unlabelled"][0].complex == Document("elk.en-0", 0, (("One.", "Two."), ("Three.",)))
    assert "alignments" not in json.loads((tmp_path / "out/unlabelled.jsonl").read_text().splitlines()[0])


def test_the_same_release_gives_the_same_bytes(tmp_path: Path) -> None:
    news_release(tmp_path / "raw", MANUAL, ARTICLES)
    news_release(tmp_path / "other", {split: slugs[::-1] for split, slugs in MANUAL.items()}, ARTICLES[::-1])
    load_splits(tmp_path / "raw", tmp_path / "one", NEWS)
    load_splits(tmp_path / "other", tmp_path / "two", NEWS)
    for name in (*SPLITS, "unlabelled"):
        assert (tmp_path / "one" / f"{name}.jsonl").read_bytes() == (tmp_path / "two" / f"{name}.jsonl").read_bytes()


def test_a_set_with_fewer_levels_and_one_without_neighbours(tmp_path: Path) -> None:
    news_release(tmp_path / "raw", MANUAL, [("elk", "en", 0), ("elk", "en", 3)])
    pairs = news_pairs("cat")
    write_manual(tmp_path / "raw/newsela-manual/all/dev.tsv", pairs[:1], with_gleu=False)
    assert load_splits(tmp_path / "raw", tmp_path / "out", NEWS)["dev"] == 1
    (pair,) = read_pairs(tmp_path / "out/unlabelled.jsonl")
    assert pair.id == "elk.en.0-3"
    write_manual(tmp_path / "raw/newsela-manual/all/dev.tsv", [pairs[0], pairs[3]], with_gleu=False)
    with pytest.raises(InputError, match=r"dev\.tsv: cat\.en has no rows for levels \(1, 3\)"):
        load_splits(tmp_path / "raw", tmp_path / "out", NEWS)


def test_what_is_wrong_leaves_the_previous_splits(tmp_path: Path) -> None:
    news_release(tmp_path / "raw", MANUAL, ARTICLES)
    load_splits(tmp_path / "raw", tmp_path / "out", NEWS)
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    for first, second in itertools.combinations(SPLITS, 2):
        news_release(tmp_path / "raw", MANUAL | {second: [*MANUAL[second], MANUAL[first][0]]}, ARTICLES)
        with pytest.raises(InputError, match=f"article set '{MANUAL[first][0]}' is in {first} and in {second}"):
            load_splits(tmp_path / "raw", tmp_path / "out", NEWS)
    news_release(tmp_path / "raw", MANUAL, ARTICLES)
    (tmp_path / "raw/articles/fox.en.4.txt").write_text("\n\n")
    with pytest.raises(InputError, match=r"fox\.en\.4\.txt: an article without paragraphs"):
        load_splits(tmp_path / "raw", tmp_path / "out", NEWS)
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "raw"]


def wiki_pair(number: int, page: str) -> DocumentPair:
    article = f"{number}_{page}"
    pair = (document(article, 1), document(article, 0, ("So.",)))
    return DocumentPair(article, "pairs", page, *pair, (Link(0, 1, P),))


def wiki_release(raw: Path, pages: dict[str, list[str]], entries: dict[str, tuple[str, list[str]]]) -> None:
    for split, names in pages.items():
        rows = [wiki_pair(number, page) for number, page in enumerate(names)]
        write_manual(raw / "wiki-manual" / f"{split}.tsv", rows, with_gleu=True)
    pairs = []
    for key, (page, sentences) in entries.items():
        sides = [
            Document(f"{side}-{page}", level, (tuple(sentences),)) for level, side in ((1, "normal"), (0, "simple"))
        ]
        pairs.append(ArticlePair(key, page, ("A title", "A title"), *sides))
    (raw / "wiki-auto").mkdir()
    write_wiki_auto(raw / "wiki-auto" / "part-1.json", pairs)


PAGES = {"train": ["101", "102"], "dev": ["103"], "test": ["104"]}


def test_wiki(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    entries = {
        "0": ("200", ["One."]),
        "1": ("104", ["Annotated."]),
        "2": ("201", ["Damaged cafÃ©."]),
        "3": ("202", []),
        "4": ("203", ["Four."]),
    }
    wiki_release(tmp_path / "raw", PAGES, entries)
    with caplog.at_level(logging.INFO):
        counts = load_splits(tmp_path / "raw", tmp_path / "out", WIKI)
    assert counts == {"train": 2, "dev": 1, "test": 1, "unlabelled": 2}
    assert "1 in the manual part" in caplog.text and "2 pairs left out, damaged or empty" in caplog.text
    (pair,) = read_pairs(tmp_path / "out/test.jsonl")
    assert (pair.id, pair.group, pair.complex.level, pair.simple.level) == ("0_104", "104", 1, 0)
    assert pair.alignments == (Link(0, 1, P),)
    unlabelled = [(pair.id, pair.group, pair.alignments) for pair in read_pairs(tmp_path / "out/unlabelled.jsonl")]
    assert unlabelled == [("0_200", "200", None), ("4_203", "203", None)]


def test_absent_releases(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"newsela-manual/all/train\.tsv: no such file"):
        load_splits(tmp_path, tmp_path / "out", NEWS)
    wiki_release(tmp_path / "raw", PAGES, {})
    (tmp_path / "raw/wiki-auto/part-1.json").unlink()
    with pytest.raises(InputError, match="no WIKI-AUTO file"):
        load_splits(tmp_path / "raw", tmp_path / "out", WIKI)
