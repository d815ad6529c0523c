"""Corpora from alignment files: division by article set, leaks, the written folder, the stage and bad input."""

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from newsela_sample import run
from omegaconf import OmegaConf

from textsimp.core.errors import InputError
from textsimp.core.params import from_conf
from textsimp.core.reading import read_lines
from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link, write_pairs
from textsimp.core.results import Results
from textsimp.corpora.build import build, statistics_report, write_corpora
from textsimp.corpora.config import BuildConfig
from textsimp.corpora.heldout import HeldOutSet, divide, read_benchmark, training_pairs
from textsimp.sources.parallel import write_asset

NEWS = replace(
    from_conf("corpus.sample_news.build", BuildConfig),
    provenance="made for a test",
    excluded_levels=["0-1"],
    dev_fraction=0.2,
    test_fraction=0.2,
    seed=1,
)
FILTERS = ["tokens", "colon", "one_sentence", "identical", "bleu"]
WIKI = replace(NEWS, filters=FILTERS, benchmarks={"multi_reference": "asset"})
SHARED = "Everybody in the town was glad ."


def article_pairs(groups: int, shared: Sequence[int] = ()) -> list[DocumentPair]:
    """Sets of two pairs, 0-1 and 0-2, four links each; sets in `shared` have one sentence in common."""
    pairs = []
    for number in range(groups):
        name = f"set{number}"
        texts = {
            level: tuple(f"Sentence {i} of article {number} says thing {i * 7 + number} {word} ." for i in range(4))
            for level, word in enumerate(("with many long words", "in words", "shortly"))
        }
        if number in shared:
            texts[0] = (*texts[0][:3], SHARED)
        documents = {level: Document(f"{name}.{level}", level, (text,)) for level, text in texts.items()}
        links = tuple(Link(i, i, AlignmentLabel.PARTIAL) for i in range(4))
        for low in (1, 2):
            pairs.append(DocumentPair(f"{name}.0-{low}", "toy", name, documents[0], documents[low], links))
    return pairs


def write_alignments(folder: Path, pairs: list[DocumentPair], old: list[DocumentPair] | None = None) -> Path:
    """The files auto.jsonl and old.jsonl; by default old has every second link."""
    thinned = [replace(pair, alignments=pair.alignments[::2]) for pair in pairs] if old is None else old
    write_pairs(folder / "auto.jsonl", pairs)
    write_pairs(folder / "old.jsonl", thinned)
    return folder


def write_benchmark(folder: Path, valid: dict[str, list[str]], test: dict[str, list[str]]) -> Path:
    for split, rows in (("valid", valid), ("test", test)):
        write_asset(folder, split, ((sentence, tuple(references)) for sentence, references in rows.items()))
    return folder


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    valid = {"A dev sentence .": ["dev a", "dev b"], "Another dev sentence .": ["dev c", "dev d"]}
    return write_benchmark(tmp_path / "raw" / "asset", valid, {SHARED.lower(): ["test a", "test b"]}).parent


def test_division_by_article_set() -> None:
    names = [f"set{number}" for number in range(22)]
    split_of = divide(names, 0.09, 0.23, seed=13)
    assert [list(split_of.values()).count(split) for split in ("train", "dev", "test")] == [15, 2, 5]
    assert split_of == divide(names[::-1], 0.09, 0.23, seed=13)
    assert split_of != divide(names, 0.09, 0.23, seed=14)
    assert sorted(divide("abc", 0.01, 0.01, seed=1).values()) == ["dev", "test", "train"]


def test_groups_never_part_and_both_alignments_are_divided_alike(tmp_path: Path) -> None:
    corpora = build(NEWS, write_alignments(tmp_path, article_pairs(5)), tmp_path)
    placed: dict[str, set[str]] = {}
    for training in corpora.training.values():
        for row in training.candidates.rows:
            placed.setdefault(row.pair.pair.group, set()).add(row.split)
    assert all(len(splits) == 1 for splits in placed.values())
    auto, old = corpora.training["auto"], corpora.training["old"]
    assert (len(auto.train), len(auto.dev), len(corpora.test["auto"].complex)) == (12, 4, 4)
    assert (len(old.train), len(old.dev), len(corpora.test["old"].complex)) == (6, 2, 2)
    assert auto.dropped == {"levels": 20, "identical": 0, "leak": 0}
    assert auto.seq2seq["article pairs"] == 5
    assert set(old.train) < set(auto.train)
    assert [len(held_out.references) for held_out in corpora.test.values()] == [1, 1]


def test_sentences_of_test_and_dev_leave_training_and_those_of_test_leave_dev(tmp_path: Path) -> None:
    everywhere = build(NEWS, write_alignments(tmp_path, article_pairs(5, shared=range(5))), tmp_path)
    auto = everywhere.training["auto"]
    assert SHARED in everywhere.test["auto"].complex
    assert SHARED not in {complex_ for complex_, _ in auto.train + auto.dev}
    assert auto.dropped["leak"] == 3 + 1
    assert [row.fate for row in auto.candidates.rows if row.split == "dev"].count("leak") == 1


def test_a_sentence_of_the_other_alignments_test_set_is_held_out_too(tmp_path: Path) -> None:
    """Old links the shared sentence only in the test set, auto everywhere but there."""
    pairs = article_pairs(5, shared=range(5))
    split_of = divide({pair.group for pair in pairs}, 0.2, 0.2, NEWS.seed)
    tested = {group for group, split in split_of.items() if split == "test"}
    auto = [replace(pair, alignments=pair.alignments[: 3 if pair.group in tested else 4]) for pair in pairs]
    corpora = build(NEWS, write_alignments(tmp_path, auto, old=pairs), tmp_path)
    assert SHARED not in corpora.test["auto"].complex
    assert corpora.training["auto"].dropped["leak"] == 4


def test_benchmark_for_dev_and_test(tmp_path: Path, raw: Path) -> None:
    corpora = build(WIKI, write_alignments(tmp_path, article_pairs(2, shared=[0])), raw)
    auto = corpora.training["auto"]
    assert {row.split for row in auto.candidates.rows} == {"train"}
    assert corpora.test["multi_reference"].references == [["test a"], ["test b"]]
    assert auto.dev == [("A dev sentence .", "dev a"), ("Another dev sentence .", "dev c")]
    assert auto.dropped["leak"] + auto.dropped["bleu"] >= 2  # the shared sentence, in lower case in the benchmark
    assert SHARED not in {complex_ for complex_, _ in auto.train}
    assert (auto.seq2seq["dev pairs"], auto.seq2seq["test pairs"]) == (2, 1)
    held_out = HeldOutSet(["x", "y"], [["x0", "y0"], ["x1", "y1"]])
    assert training_pairs(held_out, "all") == [("x", "x0"), ("x", "x1"), ("y", "y0"), ("y", "y1")]


def test_united_training_sets_are_filtered_and_have_no_pair_twice(tmp_path: Path, raw: Path) -> None:
    """Old links an article more, whose sides are equal, and every second link of the others again."""
    pairs = article_pairs(3)
    more = replace(pairs[0], simple=replace(pairs[0].complex, level=1))
    old = [more, *(replace(pair, alignments=pair.alignments[::2]) for pair in pairs[1:])]
    config = replace(WIKI, united={"all": ["auto", "old"]}, drawn={"few": ["all", "old"]})
    corpora = build(config, write_alignments(tmp_path, pairs, old), raw).training
    auto, all_ = corpora["auto"], corpora["all"]
    assert all_.train == auto.train
    assert all_.dropped["identical"] == 4
    assert all_.dropped["duplicate"] == len(corpora["old"].train) > 0
    assert all_.dev == auto.dev
    assert len(corpora["few"].train) == len(corpora["old"].train)
    assert set(corpora["few"].train) < set(all_.train)


def test_united_of_what_is_not_there() -> None:
    for name, parts, says in (
        ("all", ["auto"], "two different training sets or more"),
        ("all", ["auto", "auto"], "two different training sets or more"),
        ("auto", ["auto", "old"], "a new name and two of auto, old"),
        ("all", ["auto", "new"], "a new name and two of auto, old"),
    ):
        with pytest.raises(InputError, match=f"united: .*{says}"):
            replace(WIKI, united={name: parts})


def test_benchmark_absent_or_twice(raw: Path) -> None:
    with pytest.raises(InputError, match="0 files test.8turkers.tok.norm"):
        read_benchmark(raw, "turk", "turk")
    write_benchmark(raw / "again", {"a": ["b"]}, {"c": ["d"]})
    with pytest.raises(InputError, match="2 files asset.test.orig"):
        read_benchmark(raw, "asset", "asset")


def test_written_folder(tmp_path: Path) -> None:
    corpora = build(NEWS, write_alignments(tmp_path, article_pairs(5)), tmp_path)
    report = statistics_report(dict.fromkeys(corpora.training["auto"].statistics, 0), corpora)
    folder = tmp_path / "corpora" / "toy"
    write_corpora(folder, "toy", corpora, report, NEWS)
    files = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    assert files == sorted(
        ["CARD.md", "test/auto.complex", "test/auto.reference.0", "test/old.complex", "test/old.reference.0"]
        + [f"{t}/{s}.{side}" for t in ("auto", "old") for s in ("train", "dev") for side in ("complex", "simple")]
        + ["auto/pairs.jsonl", "old/pairs.jsonl"]
    )
    rows = [json.loads(line) for line in read_lines(folder / "auto" / "pairs.jsonl")]
    assert len(rows) == 40
    kept = [(row["complex"], row["simple"]) for row in rows if row["split"] == "train" and row["dropped"] is None]
    assert kept == corpora.training["auto"].train
    assert read_lines(folder / "auto" / "train.complex") == [pair[0] for pair in kept]
    card = (folder / "CARD.md").read_text(encoding="utf-8")
    assert "made for a test" in card and "| levels | level combinations 0-1 left out | 20 | 10 |" in card
    assert set(report) == {"manual", "auto", "old"}
    assert set(report["auto"]) == {"statistics", "seq2seq", "filters", "leaks"}


def test_line_break_inside_a_sentence_stays_one_line(tmp_path: Path) -> None:
    pairs = article_pairs(5)
    broken = replace(pairs[-1].complex, paragraphs=(("One\nsentence\u2028 .", *pairs[-1].complex.sentences[1:]),))
    pairs[-1] = replace(pairs[-1], complex=broken)
    corpora = build(replace(NEWS, filters=[]), write_alignments(tmp_path, pairs), tmp_path)
    report = statistics_report(corpora.training["auto"].statistics, corpora)
    write_corpora(tmp_path / "toy", "toy", corpora, report, NEWS)
    for name in ("auto", "old"):
        for split in ("train", "dev"):
            sides = [read_lines(tmp_path / "toy" / name / f"{split}.{side}") for side in ("complex", "simple")]
            assert len(sides[0]) == len(sides[1]) == len(getattr(corpora.training[name], split))


def without_links(pairs: list[DocumentPair], alignments: tuple[Link, ...] | None) -> list[DocumentPair]:
    return [*pairs[:3], replace(pairs[3], alignments=alignments), *pairs[4:]]


@pytest.mark.parametrize(
    ("auto", "old", "excluded", "what"),
    [
        ([replace(pair, alignments=()) for pair in article_pairs(5)], None, "0-1", r"left for train \(0 linked"),
        (article_pairs(5), None, "0-2", "dropped: levels 40"),
        (without_links(article_pairs(5), None), article_pairs(5), "0-1", r"'set1\.0-2' has no alignments"),
        (article_pairs(5), article_pairs(6), "0-1", "article set 'set5' is not in both"),
        (article_pairs(2), None, "0-1", r"auto\.jsonl: 2 article sets"),
        (None, None, "0-1", "no such file"),
    ],
)
def test_alignments_that_make_no_corpus(
    tmp_path: Path, auto: list[DocumentPair] | None, old: list[DocumentPair] | None, excluded: str, what: str
) -> None:
    if auto is not None:
        write_alignments(tmp_path, auto, old)
    with pytest.raises(InputError, match=what):
        build(replace(NEWS, excluded_levels=["0-1", excluded]), tmp_path, tmp_path)


def test_stage_twice_gives_the_same_bytes_and_bad_input_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    command = "stages.build_corpus toy --splits splits --alignments alignments --raw raw"
    command += " --corpora {0}/toy --statistics"
    params = OmegaConf.create({"corpus": {"toy": {"build": dataclasses.asdict(NEWS)}}})
    (tmp_path / "params.yaml").write_text(OmegaConf.to_yaml(params), encoding="utf-8")
    write_alignments(tmp_path / "alignments", article_pairs(5))
    for number, split in enumerate(("train", "dev", "test")):
        of_split = [replace(pair, id=f"{split} {pair.id}") for pair in article_pairs(1)]
        write_pairs(tmp_path / "splits" / f"{split}.jsonl", of_split if number else article_pairs(1))
    contents = []
    for output in ("first", "second"):
        assert run(monkeypatch, tmp_path, *command.format(output).split(), f"{output}.json") == 0
        files = sorted(path for path in (tmp_path / output).rglob("*") if path.is_file())
        contents.append([path.read_bytes() for path in files] + [(tmp_path / f"{output}.json").read_bytes()])
    assert contents[0] == contents[1]
    assert Results.read(tmp_path / "first.json").value("statistics", "manual", "article pairs") == 6
    (tmp_path / "alignments" / "auto.jsonl").write_text("")
    assert capfd.readouterr().out == ""
    assert run(monkeypatch, tmp_path, *command.format("second").split(), "second.json") == 2
    printed = capfd.readouterr().err
    assert printed.startswith("error: ") and printed.count("\n") == 1
    intact = [path.read_bytes() for path in sorted((tmp_path / "second").rglob("*")) if path.is_file()]
    assert intact == contents[1][:-1]
