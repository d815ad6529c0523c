"""Input that tempts an aligner to fail, through the commands and the Python API, with the aligner of the package."""

import json
import random
import warnings
from dataclasses import replace
from pathlib import Path

import commands
import pytest

import textsimp
from textsimp.alignment.neural.aligner_settings import Device
from textsimp.alignment.spec import SystemSpec
from textsimp.core.errors import InputError
from textsimp.core.params import from_conf
from textsimp.core.records import AlignmentLabel, Link, read_pairs, write_pairs
from textsimp.sources.plain import read_plain_pair

BRIDGE = (
    "The old bridge over the river was built in 1763.\n\n"
    "Last autumn, engineers found deep cracks in two of its five arches. Heavy lorries may not cross it any more.\n\n"
    "The council will spend four million pounds on the repair. Bats live between the stones."
)
ONE = "Heavy lorries may not cross it any more."
CYRILLIC = "Бабушка варит суп из свёклы и капусты.\n\nДети играют во дворе. Вечером вся семья ужинает вместе."
GREEK = "Η γιαγιά μαγειρεύει σούπα με λάχανο.\n\nΤα παιδιά παίζουν στην αυλή. Το βράδυ τρώνε όλοι μαζί."
PARTS = (
    ("A baker", "The teacher", "Our neighbour", "My aunt", "The sailor", "An old farmer", "The singer", "A tall nurse"),
    ("painted", "sold", "lost", "admired", "repaired", "hid", "borrowed", "photographed"),
    ("a green ladder", "three umbrellas", "the wooden clock", "a violin", "seven candles", "the garden chair"),
    ("behind the school", "in the market", "before breakfast", "during the storm", "near the station", "on Friday"),
)
UNRELATED = {
    "a library and a volcano": (
        "The town library opened a new reading room in March. It holds forty thousand books. Children may "
        "borrow five at a time.",
        "The volcano had been quiet for two centuries. Ash fell on the villages for three days. Farmers led "
        "their goats down to the coast.",
    ),
    "a match and a telescope": (
        "The home side won the final by three goals to one. Their captain scored twice before the break. "
        "Thousands of fans danced in the square.",
        "Astronomers pointed the telescope at a faint red star. They found the shadow of a planet as large as "
        "Neptune. It circles its sun once in nine days.",
    ),
    "a painter and a flood": (
        "The painter was born in a small harbour town in 1841. She sold her first picture at nineteen. "
        "Museums on three continents show her work today.",
        "Heavy rain raised the river by four metres overnight. Firefighters took families from their roofs by "
        "boat. The bridge will stay closed until the summer.",
    ),
    "whales and phones": (
        "Blue whales sing so low that people cannot hear them. Their songs carry for hundreds of kilometres. "
        "Ships make it hard for them to find each other.",
        "The company will show its new phone in September. It folds in the middle and has four cameras. Shops "
        "expect long queues on the first day.",
    ),
    "a castle and a robot": (
        "The castle stands on a rock above the valley. Its walls are up to three metres thick. Knights lived "
        "in it until 1520.",
        "The robot picks strawberries at night. A camera tells it which ones are ripe. It needs six seconds "
        "for each fruit.",
    ),
    "shoes and glaciers": (
        "The shoemaker measures both feet of every customer. A pair takes him forty hours. He learned the "
        "craft from his grandfather.",
        "The glacier has lost a third of its ice since 1990. Hikers find tools in it that are older than "
        "Rome. In summer the meltwater drives a power station.",
    ),
}
"""English texts of everyday words, about different things."""
SIZE = 30_000


def many_sentences(number: int) -> list[str]:
    """Sentences that all differ."""
    made = [" ".join((a, b, c, d)) + "." for a in PARTS[0] for b in PARTS[1] for c in PARTS[2] for d in PARTS[3]]
    return random.Random(13).sample(made, number)


def many(number: int, place: int) -> str:
    """So many sentences in paragraphs of ten, that of a place (from 0) is ONE."""
    sentences = many_sentences(number)
    sentences[place] = ONE
    return "\n\n".join(" ".join(sentences[start : start + 10]) for start in range(0, number, 10))


LINES = {
    "a word": "x" * SIZE,
    "words": "word " * (SIZE // 5 - 1) + "word.",
    "sentences": " ".join(many_sentences(100) * 40)[:SIZE],
    "no spaces": "字" * SIZE,
}
ALIGNED = AlignmentLabel.ALIGNED
ITSELF = [Link(index, index, ALIGNED) for index in range(5)]
EXACT = {
    "one against 200": (many(200, 123), ONE, [Link(0, 123, ALIGNED)]),
    "200 against one": (ONE, many(200, 123), [Link(123, 0, ALIGNED)]),
    "identical": (BRIDGE, BRIDGE, ITSELF),
    "identical, Cyrillic": (CYRILLIC, CYRILLIC, ITSELF[:3]),
    "identical, Greek": (GREEK, GREEK, ITSELF[:3]),
}
"""Texts whose aligned links are known."""
UNLIKE = {
    "Cyrillic against Latin": (CYRILLIC, BRIDGE),
    "Latin against Greek": (BRIDGE, GREEK),
    "Greek against Cyrillic": (GREEK, CYRILLIC),
    **{f"a line of {name}": (line, BRIDGE) for name, line in LINES.items()},
    **{f"against a line of {name}": (BRIDGE, line) for name, line in LINES.items()},
}
"""Texts that say nothing alike."""
TAKEN = {**EXACT, **{name: (*texts, []) for name, texts in UNLIKE.items()}}


def run(*arguments: object) -> tuple[int, str, list[str]]:
    """Exit status, standard output and the lines of standard error; a warning is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = commands.run(*arguments)
    lines = (line for line in result.stderr.splitlines() if not line.startswith("align: "))  # progress, by the minute
    return result.exit_code, result.stdout, [line for line in lines if "its sentences may be split wrongly" not in line]


def texts(folder: Path, complex_text: str, simple_text: str) -> tuple[Path, Path]:
    paths = folder / "hard.txt", folder / "easy.txt"
    for path, text in zip(paths, (complex_text, simple_text), strict=True):
        path.write_text(text + "\n", encoding="utf-8")
    return paths


def aligned(links: list[Link]) -> list[Link]:
    return [link for link in links if link.label is ALIGNED]


def test_align_takes_it(tmp_path: Path) -> None:
    for side in (0, 1):
        folder = tmp_path / ("hard", "easy")[side]
        folder.mkdir()
        for name, case in TAKEN.items():
            (folder / f"{name}.txt").write_text(f"{case[side]}\n", encoding="utf-8")
    status, _, told = run("align", tmp_path / "hard", tmp_path / "easy", tmp_path / "out.jsonl")
    assert (status, len(told)) == (0, 3), told  # how many pairs by which rule, how many to align, what was written
    found = {pair.id: list(pair.alignments or ()) for pair in read_pairs(tmp_path / "out.jsonl")}
    assert found.keys() == TAKEN.keys()
    for name, (*_, expected) in TAKEN.items():
        links = found[name] if name.startswith("identical") else aligned(found[name])
        assert links == expected, name


@pytest.mark.parametrize("is_turned", [False, True])
def test_one_sentence_against_two_thousand(tmp_path: Path, is_turned: bool) -> None:
    sides = (ONE, many(2000, 1234)) if is_turned else (many(2000, 1234), ONE)
    status, _, told = run("align", *texts(tmp_path, *sides), tmp_path / "out.jsonl", "--encoder", "none")
    assert (status, len(told)) == (0, 1), told
    (pair,) = read_pairs(tmp_path / "out.jsonl")
    assert aligned(list(pair.alignments or ())) == [Link(1234, 0, ALIGNED) if is_turned else Link(0, 1234, ALIGNED)]


@pytest.mark.parametrize("name", ["one against 200", "identical, Greek", "Cyrillic against Latin"])
def test_python_and_evaluate_alignment_take_it(tmp_path: Path, name: str) -> None:
    complex_text, simple_text, gold = TAKEN[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        links = textsimp.align(complex_text, simple_text)
    found = [(link.simple_index, link.complex_index) for link in links if link.label == ALIGNED]
    assert found == [(link.simple, link.complex) for link in gold]
    pair = read_plain_pair(*texts(tmp_path, complex_text, simple_text))
    write_pairs(tmp_path / "gold.jsonl", [replace(pair, alignments=tuple(gold))])
    status, output, told = run("evaluate-alignment", tmp_path / "gold.jsonl", "--json")
    assert (status, len(told)) == (0, 1), told
    (scores,) = json.loads(output)["estimates"]["gold/with_identical"].values()
    assert scores["task1.recall"] == (100 if gold else 0)


@pytest.mark.parametrize("empty", ["", " \n", [], [""], [ONE, " \n"]])
def test_the_python_interface_refuses_what_has_no_sentences(empty: str | list[str]) -> None:
    is_of_sentences = isinstance(empty, list) and empty
    said = rf"sentence {len(empty) - 1} \(from 0\) is empty; leave it out$" if is_of_sentences else "no sentences"
    with pytest.raises(InputError, match=f"^simple: {said}"):
        textsimp.align(BRIDGE, empty)


def test_unrelated_texts_have_hardly_a_link(tmp_path: Path) -> None:
    """Six hard texts, each against three easy ones; and still the links of one that is related."""
    hard, easy = zip(*UNRELATED.values(), strict=True)
    chosen = [(text, easy[(row + shift) % len(easy)]) for row, text in enumerate(hard) for shift in range(3)]
    pairs = [read_plain_pair(*texts(tmp_path, *sides)) for sides in chosen]
    system = SystemSpec.named(None).load(from_conf("runtime", Device))
    system.prepare(pairs)
    linked = [pair.simple.sentences for pair in pairs if system.align(pair)]
    assert len(linked) <= 1, linked
    related = read_plain_pair(*texts(tmp_path, BRIDGE, "The bridge is from 1763. Cracks were found in two arches."))
    assert [link.simple for link in system.align(related)] == [0, 1]
