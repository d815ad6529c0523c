"""`textsimp corpus`: a training corpus of one's own texts."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from textsimp.cli import app
from textsimp.core.records import SIDES, AlignmentLabel, DocumentPair, write_pairs
from textsimp.corpora.filters import comparable
from textsimp.sources.draws import SPLITS
from textsimp.sources.generated.articles import GeneratorConfig, generate

PAIRS = generate(GeneratorConfig(articles=14, dev_sentences=1, test_sentences=1, seed=5))[0]


def run(*arguments: object):
    return CliRunner().invoke(app, ["corpus", *map(str, arguments)])


def built(folder: Path, pairs: Sequence[DocumentPair], *arguments: object) -> dict[str, list[dict]]:
    """The sentence pairs of each split, of the corpus in FOLDER/out."""
    write_pairs(folder / "pairs.jsonl", pairs)
    result = run(folder / "pairs.jsonl", folder / "out", *arguments)
    assert result.exit_code == 0, result.output
    return {split: rows(folder / "out" / f"{split}.jsonl") for split in SPLITS}


def rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_files_agree_and_no_sentence_of_dev_or_test_is_trained_on(tmp_path: Path) -> None:
    found, out = built(tmp_path, PAIRS), tmp_path / "out"
    for split, of_split in found.items():
        for side in SIDES:
            assert (out / f"{split}.{side}").read_text().splitlines() == [row[side] for row in of_split] != []
    sentences = {split: {comparable(row[side]) for row in rows for side in SIDES} for split, rows in found.items()}
    assert not any(sentences[a] & sentences[b] for a, b in (("train", "dev"), ("train", "test"), ("dev", "test")))
    articles = {split: {row["pair"] for row in of_split} for split, of_split in found.items()}
    assert not articles["train"] & (articles["dev"] | articles["test"])


def test_what_is_dropped_is_counted_and_the_card_names_the_files(tmp_path: Path) -> None:
    twice = replace(PAIRS[0], id="again", group="again", complex=replace(PAIRS[0].complex, id="c"))
    found, out = built(tmp_path, [*PAIRS, twice]), tmp_path / "out"
    everything = rows(out / "pairs.jsonl")
    dropped = Counter(row["dropped"] for row in everything if row["dropped"])
    report = json.loads((out / "textsimp-corpus.json").read_text())
    assert {name: count for name, count in report["filters"].items() if count} == dropped
    assert dropped["duplicate"] and len(everything) == dropped.total() + sum(map(len, found.values()))
    assert report["settings"]["filters"] == ["tokens", "colon", "identical", "bleu", "duplicate"]
    matter = yaml.safe_load((out / "README.md").read_text().split("---\n")[1])
    files = {item["split"]: item["path"] for item in matter["configs"][0]["data_files"]}
    assert files == {"train": "train.jsonl", "validation": "dev.jsonl", "test": "test.jsonl"}
    names = [feature["name"] for feature in matter["dataset_info"]["features"]]
    assert all(list(row) == names for of_split in found.values() for row in of_split)
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    built(tmp_path, [*PAIRS, twice])
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


@pytest.mark.parametrize("size", [2, 99])
def test_versions_of_an_article_stay_together_whatever_their_groups(tmp_path: Path, size: int) -> None:
    versions = [
        replace(
            pair,
            id=f"{pair.id}.{k}",
            group=f"{pair.group}.{k}",
            complex=replace(pair.complex, paragraphs=(pair.complex.sentences[:size],)),
            simple=replace(pair.simple, id=f"s{k}", paragraphs=(pair.simple.sentences[:size],)),
            alignments=tuple(link for link in pair.alignments or () if max(link.simple, link.complex) < size),
        )
        for pair in PAIRS
        for k in range(2)
    ]
    built(tmp_path, versions, "--filters", "none")
    splits: dict[str, set[str]] = {}
    for row in rows(tmp_path / "out" / "pairs.jsonl"):
        splits.setdefault(row["complex_id"], set()).add(row["split"])
    assert {len(of_article) for of_article in splits.values()} == {1} and len(splits) == len(PAIRS)


@pytest.mark.parametrize("join", ["link", "simple", "group"])
def test_joins_and_labels(tmp_path: Path, join: str) -> None:
    everything = built(tmp_path, PAIRS, "--join", join, "--filters", "none")
    key = "simple_indexes" if join == "group" else "simple_index"
    columns = ("pair", "label", "complex_indexes", key, "complex", "simple", "score")
    assert {tuple(row) for row in everything["train"]} == {columns}
    links = [link for pair in PAIRS for link in pair.alignments or ()]
    assert (len(rows(tmp_path / "out" / "pairs.jsonl")) < len(links)) == (join != "link")
    aligned = built(tmp_path, PAIRS, "--join", join, "--filters", "none", "--label", "aligned")
    wanted = [row for row in everything["dev"] if row["label"] == AlignmentLabel.ALIGNED]
    assert aligned["dev"] == wanted and len(wanted) < len(everything["dev"])


def test_other_test_data_are_held_out(tmp_path: Path) -> None:
    known = built(tmp_path, PAIRS)["train"][0]
    (tmp_path / "asset").write_text(f"{known['complex'].lower()}\n")
    rest = built(tmp_path, PAIRS, "--held-out", tmp_path / "asset")["train"]
    assert rest and all(row["complex"] != known["complex"] for row in rest)
    report = json.loads((tmp_path / "out" / "textsimp-corpus.json").read_text())
    assert report["leaks"][str(tmp_path / "asset")] >= 1


def test_texts_are_aligned_first_and_links_that_are_there_are_kept(tmp_path: Path) -> None:
    for side in SIDES:
        (tmp_path / side).mkdir()
        for number, pair in enumerate(PAIRS[:6]):
            (tmp_path / side / f"{number}.txt").write_text("\n".join(getattr(pair, side).sentences) + "\n")
    result = run(*(tmp_path / side for side in SIDES), tmp_path / "of_texts", "--filters", "none")
    assert result.exit_code == 0 and "6 document pairs to align" in result.stderr, result.output
    assert rows(tmp_path / "of_texts" / "train.jsonl")[0]["score"] > 0
    counts = json.loads((tmp_path / "of_texts" / "textsimp-corpus.json").read_text())["statistics"]
    assert counts["original sentences (level 0)"] == sum(len(pair.complex.sentences) for pair in PAIRS[:6])
    mixed = [*PAIRS[:5], replace(PAIRS[5], alignments=None)]
    write_pairs(tmp_path / "mixed.jsonl", mixed)
    result = run(tmp_path / "mixed.jsonl", tmp_path / "of_mixed", "--filters", "none")
    assert "1 document pair to align, 5 with links" in result.stderr
    counts = Counter(row["pair"] for row in rows(tmp_path / "of_mixed" / "pairs.jsonl"))
    assert counts[PAIRS[0].id] == len(PAIRS[0].alignments or ()) and counts[PAIRS[5].id]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("two.jsonl", "out"), "two.jsonl: 2 article sets cannot be divided into train, dev and test; give at least 3"),
        (("four.jsonl", "out", *"--dev-share 0.45 --test-share 0.45".split()), "test; give smaller shares"),
        (("pairs.jsonl", "-"), "-: is a file or a stream, not a folder"),
        (("pairs.jsonl", "out", "--language", "DE"), "language 'DE': no rules for it"),
        (("alone", "out"), "no text has a partner"),
        (("empty", "out"), "empty: no texts here; give a folder of texts (.txt, "),
        (("damaged.jsonl", "out"), "damaged.jsonl:3: "),
        (("alone", "alone/out"), "alone/out: lies in the input folder alone"),
        (("pairs.jsonl", "alone"), "alone: holds other things"),
        (("pairs.jsonl", "out", "--filters", "levels"), "--filters 'levels': none of tokens, colon"),
        (("pairs.jsonl", "out", "--filters", "bleu,bleu"), "bleu is named twice"),
        (("pairs.jsonl", "out", "--exclude-levels", "0:1"), "--exclude-levels '0:1': not COMPLEX-SIMPLE"),
        (("pairs.jsonl", "out", "--label", "partial"), "--label 'partial': none of all, aligned"),
        (("pairs.jsonl", "out", "--exclude-levels", "1-0"), "no sentence pair is left for train"),
        (("pairs.jsonl", "out", "--held-out", "blank"), "blank: is held out and has no sentences"),
        (("pairs.jsonl", "out", "--min-probability", "0.5"), "has no probability"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write_pairs("pairs.jsonl", PAIRS)
    write_pairs("two.jsonl", PAIRS[:2])
    write_pairs("four.jsonl", PAIRS[:4])
    Path("damaged.jsonl").write_text(Path("two.jsonl").read_text() + "{")
    Path("blank").write_text("\n")
    for name in ("alone", "empty"):
        Path(name).mkdir()
    Path("alone/cat.txt").write_text("A cat.\n")
    result = run(*arguments)
    assert result.exit_code == 2 and said in result.stderr.splitlines()[-1], result.output
    assert not Path("out").exists() and not Path("alone/out").exists()


def test_datasets_reads_it(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    found = built(tmp_path, PAIRS)
    rows = datasets.load_dataset(str(tmp_path / "out"), cache_dir=str(tmp_path / "cache"))
    assert {split: rows["validation" if split == "dev" else split].to_list() for split in SPLITS} == found
