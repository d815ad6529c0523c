"""The corpora of the experiment `public` on small files: splits, released pairs, audit, paragraphs."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from composition_sample import composed
from test_sources_onestop import articles, qa
from test_sources_swipe import page

from textsimp.core.errors import InputError
from textsimp.core.params import load_params
from textsimp.core.reading import read_lines
from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link, read_pairs, write_pairs
from textsimp.core.results import Estimate, Resampling
from textsimp.core.writing import write_lines
from textsimp.corpora.build import build, statistics_report, write_corpora
from textsimp.corpora.config import BuildConfig
from textsimp.evaluation.audit import audit
from textsimp.metrics.links import COUNTS
from textsimp.sources.acquisition import load_splits
from textsimp.sources.config import SourceConfig
from textsimp.sources.draws import ManualDraw
from textsimp.sources.formats import read_released_pairs, released_alignments
from textsimp.sources.onestop import ParagraphGoldConfig, read_paragraph_gold

ALIGNED, PARTIAL = AlignmentLabel.ALIGNED, AlignmentLabel.PARTIAL
RESAMPLING = Resampling(100, 1)
ANIMALS = ("Otter", "Beaver", "Heron", "Badger")


@pytest.fixture(scope="module")
def params(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("params") / "params.yaml"
    path.write_text(composed("experiment=public"), encoding="utf-8")
    return path


@pytest.fixture
def wiki(params: Path) -> SourceConfig:
    config = load_params("corpus.public_wiki.source", SourceConfig, params)
    return replace(config, manual=ManualDraw(2, 1, 1, 1))


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    """SWiPE's four pages, articles of which one is a page of SWiPE, the old corpora, and the benchmarks."""
    folder = tmp_path / "raw"
    rows = ["title,pair_id,sent_id,complex,label,simple"]
    for number, title in enumerate(("Otter", "Oak", "Elm", "Ash")):
        texts = f"The {title} grows on wet ground near rivers.", f"['The {title} grows near rivers.']"
        rows.append(f'{title},{number},0,{texts[0]},rephrase,"{texts[1]}"')
        rows.append(f"{title},{number},1,\"It is tall, old and loved.\",ssplit,\"['It is tall.', 'It is old.']\"")
        rows.append(f"{title},{number},2,Nobody knows why that might be so.,delete,[]")
    oak = "The Oak grows very tall in some forests.", "The Oak grows tall."  # in another part too
    labelled = ["text:See below :\tlabels:See below :\tepisode_done:True", "text:one {}\tlabels:1\tepisode_done:True"]
    files = {
        "swipe/swipe_val.json": [json.dumps([page(name) for name in ANIMALS])],
        "wiki_auto_valid/wikiauto_sents_valid.csv": rows,
        "coster_kauchak_2011/wiki.tuning.complex": [oak[0].lower()[:-1] + " .", "a held out sentence is here ."],
        "coster_kauchak_2011/wiki.tuning.simple": [oak[1].lower()[:-1] + " .", "x y z ."],
    }
    for side in ("complex", "simple"):
        files[f"coster_kauchak_2011/wiki.test.{side}"] = [f"a {side} birch ."]
        files[f"wikilarge_part/wikilarge_chunk.train.{side}.txt"] = [f"a {side} birch ."]
    for split in ("valid", "test"):
        files |= {f"kauchak_2013/{side}_{split}.txt": [text] for side, text in zip(("src", "tgt"), oak, strict=True)}
        files[f"kauchak_2013_labelled/{split}.txt"] = [line.format(split) for line in labelled]
        files[f"asset/asset.{split}.orig"] = [f"The Elm grows on wet ground near rivers; {split}."]
        files |= {f"asset/asset.{split}.simp.{n}": ["The Elm grows near rivers."] for n in range(10)}
    for split in ("tune", "test"):
        files[f"turk/{split}.8turkers.tok.norm"] = [f"a held out sentence of {split} ."]
        files |= {f"turk/{split}.8turkers.tok.turk.{n}": ["A held out sentence is here."] for n in range(8)}
    files |= {f"ew_sew_dev/{side}.dev": ["a birch is a tree ."] for side in ("normal", "simple")}
    files |= {f"d_wikipedia/valid.{side}": ["the yew is a tree .it is old ."] for side in ("src", "tgt")}
    for name, lines in files.items():
        write_lines(folder / name, lines)
    return folder


def test_swipe_is_annotated_and_its_pages_are_not_aligned_again(raw: Path, wiki: SourceConfig, tmp_path: Path) -> None:
    counts = load_splits(raw, tmp_path / "splits", wiki)
    assert counts == {"train": 2, "dev": 1, "test": 1, "unlabelled": 4}
    groups = [{pair.group for pair in read_pairs(tmp_path / f"splits/{split}.jsonl")} for split in counts]
    assert set().union(*groups[:3]) == set(ANIMALS) and groups[3] == {"Oak", "Elm", "Ash", "d_wikipedia:1"}
    (pair,) = read_pairs(tmp_path / "splits/dev.jsonl")
    assert pair.alignments == (Link(0, 0, ALIGNED),)
    assert all(pair.alignments is None for pair in read_pairs(tmp_path / "splits/unlabelled.jsonl"))


def test_agreement_with_the_released_alignments(raw: Path, wiki: SourceConfig, tmp_path: Path) -> None:
    reference, predicted = tmp_path / "audit.jsonl", tmp_path / "auto.jsonl"
    write_pairs(reference, released_alignments(raw, wiki))
    load_splits(raw, tmp_path / "splits", wiki)
    unlabelled = list(read_pairs(tmp_path / "splits/unlabelled.jsonl"))
    write_pairs(
        predicted, (replace(pair, alignments=(Link(0, 0, ALIGNED), Link(1, 1, ALIGNED))) for pair in unlabelled)
    )
    results = audit(reference, {"auto": predicted}, RESAMPLING)
    assert results.value("articles", "reference", "document_pairs") == 3
    for task, expected in {"task1": (6, 6, 9), "task2": (3, 6, 3)}.items():
        assert tuple(results.value("articles", "auto", f"{task}.{name}") for name in COUNTS) == expected
    assert results.get("articles", "auto", "task1.f1") == Estimate(80.0, 80.0, 80.0) and not results.comparisons
    write_pairs(tmp_path / "old.jsonl", (replace(pair, alignments=(Link(0, 0, ALIGNED),)) for pair in unlabelled))
    both = audit(reference, {"auto": predicted, "old": tmp_path / "old.jsonl"}, RESAMPLING)
    assert both.measures("articles", "auto") == results.measures("articles", "auto")
    gap = both.value("articles", "old", "task1.f1") - 80
    assert both.comparisons["articles", "task1.f1", "old", "auto"].difference == pytest.approx(gap) == -30
    write_pairs(tmp_path / "fewer.jsonl", [replace(unlabelled[0], alignments=())])
    with pytest.raises(InputError, match=r"fewer\.jsonl: other document pairs than the first file"):
        audit(reference, {"auto": predicted, "old": tmp_path / "fewer.jsonl"}, RESAMPLING)
    write_pairs(tmp_path / "none.jsonl", [])
    nothing = audit(tmp_path / "none.jsonl", {"auto": predicted}, RESAMPLING)
    assert nothing.estimates == {("articles", "reference", "document_pairs"): Estimate(0)}
    with pytest.raises(InputError, match=r"none\.jsonl: none of the 4 document pairs"):
        audit(reference, {"auto": tmp_path / "none.jsonl"}, RESAMPLING)
    other = [replace(unlabelled[0], simple=unlabelled[1].simple, alignments=())]
    write_pairs(predicted, other)
    with pytest.raises(InputError, match="has other sentences than the reference"):
        audit(reference, {"auto": predicted}, RESAMPLING)


def test_released_pairs_train_and_held_out_sentences_do_not(
    raw: Path, wiki: SourceConfig, params: Path, tmp_path: Path
) -> None:
    write_pairs(tmp_path / "auto.jsonl", (pair for pair in released_alignments(raw, wiki) if pair.group != "Otter"))
    config = load_params("corpus.public_wiki.build", BuildConfig, params)
    config = replace(config, filters=["tokens"], drawn={"auto_equal": ["auto", "old"]})
    corpora = build(config, tmp_path, raw)
    assert list(corpora.training) == ["auto", "old", "authors", "all", "auto_equal"]
    assert list(corpora.test) == ["turk", "asset", "coster_kauchak"]
    auto, old, authors, _, equal = corpora.training.values()
    leaks = {"turk, dev": 0, "turk, test": 0, "asset, dev": 1, "asset, test": 1, "coster_kauchak, test": 0}
    assert auto.leaks == leaks and old.leaks["coster_kauchak, test"] == 1
    assert {complex_ for complex_, _ in auto.train if complex_.startswith("The")} == {
        f"The {name} grows on wet ground near rivers." for name in ("Oak", "Ash")
    }
    assert (old.statistics, auto.statistics["article pairs"]) == (None, 3)
    assert old.train == [
        ("the oak grows very tall in some forests .", "the oak grows tall ."),
        *(("See below :", "See below :"), ("one valid", "1"), ("one test", "1")),
        ("a birch is a tree .", "a birch is a tree ."),
    ]
    assert old.dropped == {"tokens": 0, "duplicate": 3, "leak": 2, "size": 0}
    assert len(equal.train) == len(old.train) == 5 < len(auto.train) and set(equal.train) <= set(auto.train)
    assert equal.dropped == auto.dropped | {"size": len(auto.train) - 5} and equal.dev == auto.dev
    assert equal.seq2seq["train pairs"] == 5 and equal.statistics is None
    assert len(authors.train) == len(auto.train) + 1 + 2  # Otter too, one of whose sentences is a split into two
    assert auto.dev == [("a held out sentence of tune .", "A held out sentence is here.")]
    report = statistics_report(auto.statistics, corpora)
    write_corpora(tmp_path / "corpora", "toy", corpora, report, config)
    assert "statistics" not in report["old"]
    card = (tmp_path / "corpora" / "CARD.md").read_text(encoding="utf-8")
    assert (
        "`old` is the union of the releases coster_kauchak, kauchak_2013," in card
        and "`all` joins `auto` and `old`, through the filters" in card
        and "`auto_equal` is drawn from `auto`" in card
        and "| asset, test | 1 | 0 | 1 | 1 |" in card
    )
    assert len(read_lines(tmp_path / "corpora/test/asset.complex")) == 1


def test_an_unknown_release_of_pairs(raw: Path) -> None:
    with pytest.raises(InputError, match="'wikismall' is none of newsela_old"):
        read_released_pairs("wikismall", raw)


def test_gold_paragraphs_merged_and_original(tmp_path: Path) -> None:
    articles(tmp_path / "onestop_english")
    articles(
        tmp_path / "onestop_english", name="Trees", Adv="Oaks are wide.", Int="Oaks spread.", Ele="An oak spreads."
    )
    qa(tmp_path / "onestop_qa")
    second = "# Title\nTrees\n# Paragraph\nAdv: Oaks are wide.\nInt: Oaks spread.\nEle: An oak spreads.\n"
    (tmp_path / "onestop_qa" / "trees.txt").write_text(second)
    gold = read_paragraph_gold(tmp_path, "onestop", ParagraphGoldConfig(share=0.8, dev=1, seed=1))
    sizes = {name: {split: len(pairs) for split, pairs in parts.items()} for name, parts in gold.items()}
    assert sizes == dict.fromkeys(("merged", "original"), {"dev": 3, "test": 3})
    both = {name: {one.pair.group for pairs in parts.values() for one in pairs} for name, parts in gold.items()}
    assert both == {"merged": {"otters", "trees"}, "original": {"Two-animals", "Trees"}}
    with pytest.raises(InputError, match=r"corpus\.onestop\.paragraphs\.dev: 2 of 2 articles"):
        read_paragraph_gold(tmp_path, "onestop", ParagraphGoldConfig(share=0.8, dev=2, seed=1))


def test_old_newsela_pairs_train_where_they_are_asked_for(tmp_path: Path, params: Path) -> None:
    """Documents are divided, levels that are too similar are left out; the auto corpus is made as ever."""
    levels = ("V0\tV1", "V0\tV2", "V1\tV3", "V3\tV4")
    lines = [
        f"DOC{number}\t{pair}\tThe old boat {word} of set {number} left port.\tBoat {word} {number} left."
        for number in range(6)
        for pair, word in zip(levels, ("one", "two", "three", "four"), strict=True)
    ]
    write_lines(tmp_path / "raw" / "newsela-old" / "aligned.sents.txt", lines)
    write_pairs(tmp_path / "auto.jsonl", news_pairs())
    config = load_params("corpus.onestop.build", BuildConfig, params)
    config = replace(config, released={"old": ["newsela_old"]}, unfiltered=[], united={}, drawn={})
    corpora = build(config, tmp_path, tmp_path / "raw")
    old = corpora.training["old"]
    assert len(old.train) + len(old.dev) + len(corpora.test["old"].complex) == 6 * 3
    assert {row.split for row in old.candidates.rows} == {"train", "dev", "test"}
    assert not any(" one " in complex_ for complex_, _ in old.train)


def news_pairs() -> list[DocumentPair]:
    """Five articles at two levels, two links each."""
    pairs = []
    for number in range(5):
        sides = [
            Document(
                f"{number}-{level}", level, ((f"The {word} cat of house {number} sat.", f"It {word} ate {number}."),)
            )
            for level, word in ((0, "very large"), (1, "big"))
        ]
        links = (Link(0, 0, ALIGNED), Link(1, 1, ALIGNED))
        pairs.append(DocumentPair(f"{number}.0-1", "onestop", f"article-{number}", *sides, links))
    return pairs
