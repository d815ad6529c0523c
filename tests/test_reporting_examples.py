"""Document pairs and outputs to browse: which are shown, in which order."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from textsimp.core.errors import InputError
from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link
from textsimp.core.writing import write_lines
from textsimp.reporting import texts
from textsimp.reporting.browser import alignment_browser
from textsimp.reporting.texts import Example, at_even_distances, marked_words, read_examples, sample_examples

ALIGNED, PARTIAL = AlignmentLabel.ALIGNED, AlignmentLabel.PARTIAL


def example(gold: list[Link], predicted: list[Link], sizes: tuple[int, int] = (5, 5), name: str = "p") -> Example:
    documents = [
        Document(f"{name}-{side}", level, (tuple(f"{side} {index}" for index in range(size)),))
        for level, (side, size) in enumerate(zip(("complex", "simple"), sizes, strict=True))
    ]
    pair = DocumentPair(name, "c", name.split("/")[0], documents[0], documents[1], tuple(gold))
    return Example(pair, {"main": tuple(predicted), "other": ()})


def test_blocks_join_links_and_lose_no_sentence() -> None:
    found = texts.blocks(example([Link(0, 2, ALIGNED), Link(1, 2, PARTIAL), Link(3, 0, ALIGNED)], []).pair)
    shape = [([i for i, _ in block.complex], [i for i, _ in block.simple]) for block in found]
    # simple 2 follows simple 1, which is in the block of complex 2; simple 4 follows simple 3
    assert shape == [([0], [3]), ([], [4]), ([1], []), ([2], [0, 1]), ([], [2]), ([3], []), ([4], [])]
    assert found[0].complex[0][1] == "complex 0" and found[0].simple[0][1] == "simple 3"


def test_a_sample_for_the_browser_keeps_the_order_and_depends_on_names_alone() -> None:
    examples = [example([], [], name=f"set{number}") for number in range(30)]
    names = [item.pair.id for item in sample_examples(examples, 10)]
    assert len(set(names)) == 10 and names == [item.pair.id for item in examples if item.pair.id in names]
    assert {item.pair.id for item in sample_examples(examples[::-1], 10)} == set(names)
    assert sample_examples(examples, 30) == examples and sample_examples(examples, 0) == []


def test_the_browser_stores_a_document_once_and_a_link_with_all_its_labels() -> None:
    first = example([Link(0, 0, ALIGNED)], [Link(0, 0, PARTIAL), Link(1, 2, ALIGNED)], (2, 3))
    second = Example(replace(first.pair, id="q", simple=first.pair.complex), first.predicted)
    found = alignment_browser("k", [first, second], {"main": "Main"}, 9)
    index = json.loads(found["index"])
    assert index["systems"] == ["Main", "other"] and index["gold"] is True and found["total"] == 2
    assert index["pairs"][0] == ["p", [0, 0], [1, 1], [[0, 0, "ap-"], [2, 1, "-a-"]]]
    assert index["pairs"][1][:3] == ["q", [0, 0], [0, 0]]
    documents = [json.loads(line) for line in found["documents"].split("\n")]
    assert documents[0] == ["p-complex", [["complex 0", "complex 1"]]]
    assert documents[1:] == [["p-simple", [["simple 0", "simple 1", "simple 2"]]]]
    assert alignment_browser("k", [], {}, 9) is None and alignment_browser("k", [first], {}, 0) is None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"predicted": {"crf": [[9, 0, "aligned"]]}}, "simple sentence 9; 'simple' has sentences 0 to 0"),
        ({"predicted": {"crf": [[0, 0, "same"]]}}, "'same' is none of aligned, partial"),
        ({"predicted": {"crf": 3}}, "alignments: 3 should be a valid list"),
        ({"predicted": {"lr": []}}, "other systems than the line before"),
        ({"predicted": {}}, "no object of systems"),
        ({"predicted": [[0, 0, "aligned"]]}, "no object of systems"),
        ({"predicted": None}, "predicted"),
        ({"alignments": None}, "alignments"),
    ],
)
def test_damaged_examples(tmp_path: Path, change: dict[str, object], reason: str) -> None:
    side = {"id": "x", "level": 0, "paragraphs": [["One sentence."]]}
    row = {"id": "p", "corpus": "c", "group": "g", "complex": side, "simple": side}
    row |= {"alignments": [[0, 0, "aligned"]], "predicted": {"crf": []}}
    bad = {key: value for key, value in (row | change).items() if value is not None}
    write_lines(tmp_path / "a.jsonl", map(json.dumps, (row, bad)))
    with pytest.raises(InputError, match=rf"a\.jsonl:2: .*{reason}"):
        read_examples(tmp_path / "a.jsonl")


def test_sentences_at_even_distances() -> None:
    for total, number, chosen in ((9, 3, [1, 4, 7]), (2, 5, [0, 1]), (0, 3, []), (7, 0, [])):
        assert at_even_distances(range(total), number) == chosen
    assert all(len(set(at_even_distances(range(total), 6))) == min(total, 6) for total in range(40))


def test_outputs_of_the_same_sentences(tmp_path: Path) -> None:
    files = {"test/x.complex": "c", "out/auto/lstm/x.txt": "o"}
    files |= {f"test/x.reference.{number}": f"r{number}" for number in range(11)}
    for name, word in files.items():
        write_lines(tmp_path / name, [f"{word} {i}" for i in range(4)])
    found = texts.read_outputs(tmp_path / "test", tmp_path / "out", ["x"], [("auto", "lstm")])
    assert list(found) == ["x"] and len(found["x"]) == 4
    samples = at_even_distances(found["x"], 2)
    assert [(sample.line, sample.complex) for sample in samples] == [(2, "c 1"), (4, "c 3")]
    assert samples[0].references == tuple(f"r{number} 1" for number in range(11))
    assert samples[0].outputs == ("o 1",)


def test_new_words_are_marked_and_the_text_stays_whole() -> None:
    runs = marked_words("The old dog, it's here.", "The new  dog's <b> it's THERE.")
    assert "".join(text for text, _ in runs) == "The new  dog's <b> it's THERE."
    assert [text for text, is_new in runs if is_new] == ["new", "dog's", "b", "THERE"]
