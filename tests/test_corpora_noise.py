"""Gold links made worse, and the training sets of a study of them: shares, seeds, sizes and bad settings."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from corpora_sample import corpora
from test_corpora_build import NEWS, article_pairs, write_alignments, write_benchmark

from textsimp.core.errors import InputError
from textsimp.core.params import structured
from textsimp.core.reading import read_lines
from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link, write_pairs
from textsimp.core.results import Results
from textsimp.corpora.build import build, corpus_results, statistics_report, write_corpora
from textsimp.corpora.config import BuildConfig
from textsimp.corpora.noise import Noise, noisy

STUDY = {
    "gold": None,
    "auto": None,
    "old": None,
    "wrong_20": Noise("wrong", 0.2),
    "missing_20": Noise("missing", 0.2),
    "missing_70": Noise("missing", 0.7),
}


def long_pairs(articles: int, sentences: int = 12) -> list[DocumentPair]:
    """Articles whose every complex sentence but the last is split into two."""
    texts = tuple(f"Sentence {place} says what is so ." for place in range(2 * sentences))
    links = tuple(Link(place, place // 2, AlignmentLabel.PARTIAL, 0.9) for place in range(2 * sentences - 2))
    documents = Document("c", 0, (texts[:sentences],)), Document("s", 1, (texts,))
    return [DocumentPair(f"p{number}", "toy", f"p{number}", *documents, links) for number in range(articles)]


def links_of(pairs: list[DocumentPair]) -> list[tuple[str, Link]]:
    return [(pair.id, link) for pair in pairs for link in pair.alignments or ()]


@pytest.mark.parametrize(("kind", "share"), [("wrong", 0.1), ("wrong", 0.4), ("missing", 0.1), ("missing", 1.0)])
def test_the_share_is_exact_and_seeded(kind: Any, share: float) -> None:
    pairs = long_pairs(5)
    before = links_of(pairs)
    noise = Noise(kind, share)
    found = noisy(pairs, noise, seed=3)
    assert pairs == long_pairs(5), "gold stays as it is"
    after = links_of(found)
    assert len(set(before) - set(after)) == round(share * len(before))
    assert len(after) == len(before) if kind == "wrong" else set(after) < set(before)
    assert found == noisy(pairs, noise, seed=3)
    assert share == 1 or found != noisy(pairs, noise, seed=4)
    assert [replace(pair, alignments=()) for pair in found] == [replace(pair, alignments=()) for pair in pairs]


def test_a_wrong_partner_is_a_near_sentence_that_is_not_right() -> None:
    pairs = long_pairs(400, sentences=9)
    before = set(links_of(pairs))
    moved = [link for at, link in links_of(noisy(pairs, Noise("wrong", 0.5), 1)) if (at, link) not in before]
    assert {link.score for link in moved} == {None}
    away = [abs(link.complex - link.simple // 2) for link in moved if link.simple // 2 == 4]
    shares = [away.count(distance) / len(away) for distance in range(5)]
    whole = 1 + 1 / 2 + 1 / 3 + 1 / 4
    assert shares == pytest.approx([0, *(1 / distance / whole for distance in range(1, 5))], abs=0.05)


def test_more_noise_keeps_what_less_noise_changed_and_both_kinds_change_the_same_links() -> None:
    pairs = long_pairs(6)
    lost = [
        set(links_of(pairs)) - set(links_of(noisy(pairs, Noise(kind, share), 2)))
        for kind, share in (("wrong", 0.1), ("missing", 0.1), ("wrong", 0.4), ("missing", 0.4))
    ]
    assert lost[0] == lost[1] < lost[2] == lost[3]


def test_links_that_cannot_be_wrong() -> None:
    document = Document("c", 0, (("One sentence .",),)), Document("s", 1, (("One .",),))
    alone = DocumentPair("p", "toy", "p", *document, (Link(0, 0, AlignmentLabel.ALIGNED),))
    with pytest.raises(InputError, match="1 links more than can be wrong, of 1; lower the share"):
        noisy([alone], Noise("wrong", 1.0), 1)
    (found, *_) = noisy([*long_pairs(1), alone], Noise("wrong", 22 / 23), 1)
    assert not set(found.alignments or ()) & set(long_pairs(1)[0].alignments or ())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Twenty articles with all links as gold, all of auto's but a few, half of old's; and a benchmark."""
    pairs = article_pairs(20)
    write_pairs(tmp_path / "gold.jsonl", pairs)
    write_alignments(tmp_path, [replace(pair, alignments=pair.alignments[1:]) for pair in pairs[:4]] + pairs[4:])
    write_benchmark(tmp_path / "raw" / "asset", {"A dev .": ["dev"]}, {"A test .": ["test"]})
    return tmp_path


CONFIG = replace(NEWS, filters=["identical"], benchmarks={"b": "asset"}, join="group", study=STUDY, study_seeds=[1, 2])


def test_training_sets_of_every_quality_and_the_same_size(folder: Path) -> None:
    found = build(CONFIG, folder, folder / "raw", gold=folder / "gold.jsonl")
    assert list(found.study) == [f"{name}.{seed}" for name in STUDY for seed in (1, 2)]
    assert len({len(of_set.train) for of_set in found.study.values()}) == 1
    assert all(len(set(of_set.train)) == len(of_set.train) for of_set in found.study.values())
    links = {name: of_set.links for name, of_set in found.study.items()}
    assert links["gold.2"] == {"precision": 100, "recall": 100, "f1": 100}
    assert links["auto.1"]["recall"] == links["auto.2"]["recall"] == pytest.approx(100 * 156 / 160)
    assert (links["wrong_20.1"]["precision"], links["wrong_20.1"]["recall"]) == (80, 80)
    assert (links["missing_20.2"]["precision"], links["missing_20.2"]["recall"]) == (100, 80)
    assert found.study["missing_20.1"].train != found.study["missing_20.2"].train
    assert found.study["gold.1"].train != found.study["gold.2"].train, "another draw"
    gold = {pair for name in ("gold.1", "gold.2") for pair in found.study[name].train}
    assert not set(found.study["wrong_20.1"].train) <= gold
    assert found.training.keys() == {"auto", "old"}


def test_they_are_written(folder: Path) -> None:
    found = build(CONFIG, folder, folder / "raw", gold=folder / "gold.jsonl")
    report = statistics_report(found.training["auto"].statistics, found)
    write_corpora(folder / "toy", "toy", found, report, CONFIG)
    train = [read_lines(folder / "toy" / "wrong_20.2" / f"train.{side}") for side in ("complex", "simple")]
    assert list(zip(*train, strict=True)) == found.study["wrong_20.2"].train
    corpus_results(report, found.study).write(folder / "results.json")
    results = Results.read(folder / "results.json")
    assert results.value("links", "wrong_20.2", "f1") == 80
    assert results.value("links", "old.1", "pairs") == len(train[0])


def test_gold_that_an_aligner_lacks(folder: Path) -> None:
    write_alignments(folder, article_pairs(20)[:-1])
    with pytest.raises(InputError, match=r"auto\.jsonl: no document pair 'set19\.0-2', which has gold links"):
        build(CONFIG, folder, folder / "raw", gold=folder / "gold.jsonl")
    with pytest.raises(InputError, match=r"gold\.jsonl: a training set of the study would be empty"):
        some = replace(CONFIG, study={"missing_all": Noise("missing", 1.0)})
        build(some, folder, folder / "raw", gold=folder / "gold.jsonl")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"study": {"wrong_0": {"kind": "wrong", "share": 0}}}, "study.wrong_0.share: 0 is not above 0"),
        ({"study": {"wrong_2": {"kind": "wrong", "share": 1.5}}}, "study.wrong_2.share: 1.5 is not"),
        ({"study": {"wring": {"kind": "wring", "share": 0.1}}}, "study.wring.kind"),
        ({"study": {"wrong_10": None}}, "study: 'wrong_10' is none of gold, auto, old"),
        ({"study": {"gold": None}, "study_seeds": []}, "study: needs study_seeds"),
        ({"study": {"gold": None}, "benchmarks": {}}, "study: needs study_seeds, one at least, and a benchmark"),
        ({"study": {"gold": None}, "study_seeds": [1, 1]}, "study_seeds: a seed is named twice"),
    ],
)
def test_settings_that_are_wrong(changes: dict[str, Any], message: str) -> None:
    values = corpora()["generated"]["build"] | {"study_seeds": [1]}
    assert structured(values | {"study": {"gold": None}}, BuildConfig).study == {"gold": None}
    with pytest.raises(InputError, match=re.escape(message)):
        structured(values | changes, BuildConfig)
