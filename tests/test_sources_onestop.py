"""OneStopEnglish, OneStopQA and the blocks of the one in the other, on made-up articles and on the mirror's."""

from pathlib import Path

import pytest

from textsimp.core.errors import InputError
from textsimp.sources.onestop import (
    LEVELS,
    blocks_of,
    original_pairs,
    paragraph_pairs,
    read_onestop_english,
    read_onestop_qa,
)

TEXTS = {
    "Adv": "Otters, which are mammals, swim rapidly.  They devour fish.\n\nBeavers construct dams. \n",
    "Int": "Intermediate \n\nOtters swim fast.\nThey eat fish.\nBeavers build dams.\n",
    "Ele": "ELEMENTARY\nOtters swim. They eat fish.\nBeavers build dams.",
}
QA = """# Title
Otters and Beavers


# Paragraph

Adv: <A1>Otters, which are <D1>mammals</D1>, swim rapidly.</A1> They devour fish.

Int: <A1>Otters swim fast.</A1> They eat fish.

Ele: <A1>Otters swim.</A1> They eat fish.

Q: What do otters do?
a: Swim

# Paragraph
Adv: Beavers construct dams.
Int: Beavers build dams.
Ele: Beavers build dams.
"""


def articles(folder: Path, name: str = "Two animals", **texts: str) -> Path:
    for level, text in (TEXTS | texts).items():
        path = folder / f"{level}-Txt" / f"{name}-{level.lower()}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def qa(folder: Path, text: str = QA) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "otters.txt").write_text(text, encoding="utf-8")
    return folder


def test_all_pairs_of_levels(tmp_path: Path) -> None:
    corpus = read_onestop_english(articles(tmp_path), "onestop")
    assert corpus.dropped == {}
    assert [pair.id for pair in corpus.pairs] == ["Two-animals.0-1", "Two-animals.0-2", "Two-animals.1-2"]
    assert {(pair.corpus, pair.group, pair.alignments) for pair in corpus.pairs} == {("onestop", "Two-animals", None)}
    first, last = corpus.pairs[0], corpus.pairs[-1]
    otters = ("Otters, which are mammals, swim rapidly.", "They devour fish.")
    assert first.complex.paragraphs == (otters, ("Beavers construct dams.",))
    assert (first.complex.level, first.simple.level) == (0, 1)
    assert last.complex.paragraphs == (("Otters swim fast.",), ("They eat fish.",), ("Beavers build dams.",))
    assert last.simple.paragraphs == (("Otters swim.", "They eat fish."), ("Beavers build dams.",))


def test_a_damaged_level_is_left_out(tmp_path: Path) -> None:
    corpus = read_onestop_english(articles(tmp_path, Int="Otters don\x19t fly.\n"), "c")
    assert [pair.id for pair in corpus.pairs] == ["Two-animals.0-2"]
    assert corpus.dropped == {"Two-animals-1": "the control character '\\x19'"}
    articles(tmp_path, "climate change ")
    assert read_onestop_english(tmp_path, "c").pairs[-1].group == "climate-change"


def test_bad_folders_are_refused_in_one_line(tmp_path: Path) -> None:
    for read in (lambda folder: read_onestop_english(folder, "c"), read_onestop_qa):
        with pytest.raises(InputError, match="no articles"):
            read(tmp_path)
    articles(tmp_path)
    missing = tmp_path / "Int-Txt" / "Two animals-int.txt"
    missing.rename(tmp_path / "Int-Txt" / "Three animals-int.txt")
    with pytest.raises(InputError, match="article Two-animals has no Int-Txt") as error:
        read_onestop_english(tmp_path, "c")
    assert "\n" not in str(error.value)
    missing.with_name("Three animals-int.txt").rename(missing.with_name("notes.txt"))
    with pytest.raises(InputError, match=r"notes\.txt: its name is not NAME-int\.txt"):
        read_onestop_english(tmp_path, "c")
    with pytest.raises(InputError, match="int.txt: an article without text"):
        read_onestop_english(articles(tmp_path / "blank", Int="Intermediate\n\n"), "c")


def test_paragraphs_of_onestop_qa(tmp_path: Path) -> None:
    (article,) = read_onestop_qa(qa(tmp_path))
    assert article.slug == "otters"
    assert article.paragraphs == (
        (
            "Otters, which are mammals, swim rapidly. They devour fish.",
            "Otters swim fast. They eat fish.",
            "Otters swim. They eat fish.",
        ),
        ("Beavers construct dams.", "Beavers build dams.", "Beavers build dams."),
    )
    pairs = list(paragraph_pairs([article], "qa"))
    assert [gold.pair.id for gold in pairs] == ["otters.0-1", "otters.0-2", "otters.1-2"]
    assert {gold.links for gold in pairs} == {((0, 0), (1, 1))}
    assert pairs[1].pair.simple.paragraphs == (("Otters swim.", "They eat fish."), ("Beavers build dams.",))


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        (QA, "", "no # Paragraph"),
        ("Ele: Beavers build dams.\n", "", r"txt:16: the paragraph lacks level Ele"),
        ("# Paragraph\nAdv", "Adv", "a second Adv: in one paragraph"),
        ("Otters and Beavers\n", "Otters and Beavers\nAdv: Early.\n", "Adv: before the first # Paragraph"),
        ("Ele: Beavers build dams.", "Ele: <A1></A1>", "an empty sentence"),
    ],
)
def test_bad_articles_of_onestop_qa(tmp_path: Path, old: str, new: str, what: str) -> None:
    assert old in QA
    with pytest.raises(InputError, match=what):
        read_onestop_qa(qa(tmp_path, QA.replace(old, new, 1)))


def test_blocks_keep_the_original_paragraphs(tmp_path: Path) -> None:
    """Two intermediate paragraphs are one block; a paragraph that OneStopQA left out has none."""
    text = TEXTS["Int"] + "Subscribe today for more stories.\n"
    corpus = read_onestop_english(articles(tmp_path / "ose", Int=text), "c")
    (article,) = read_onestop_qa(qa(tmp_path / "qa"))
    first, middle, last = original_pairs(corpus.pairs, [article], 0.8)
    assert blocks_of(first.pair.complex, article, 0.8) == (0, 1)
    assert blocks_of(first.pair.simple, article, 0.8) == (0, 0, 1, None)
    assert first.links == ((0, 0), (1, 0), (2, 1))
    assert middle.links == ((0, 0), (1, 1))
    assert last.links == ((0, 0), (0, 1), (1, 2))
    corpus = read_onestop_english(articles(tmp_path / "other", Ele="Nobody knows whales.\n"), "c")
    with pytest.raises(InputError, match="'otters' is not in OneStopEnglish"):
        original_pairs(corpus.pairs, [article], 0.8)


def test_the_mirror(mirror: Path) -> None:
    corpus = read_onestop_english(mirror / "onestop_english", "onestop")
    assert len(corpus.pairs) == 189 * 3 - 2 * len(corpus.dropped) and len(corpus.dropped) == 10
    assert all(name.endswith("-1") and "control character" in fault for name, fault in corpus.dropped.items())
    gold = read_onestop_qa(mirror / "onestop_qa")
    assert (len(gold), sum(len(article.paragraphs) for article in gold)) == (30, 162)
    assert len(LEVELS) == 3 and len(list(paragraph_pairs(gold, "qa"))) == 90
    original = original_pairs(corpus.pairs, gold, 0.8)
    assert len({pair.pair.group for pair in original}) == 30 and len(original) == 88
    linked = [{link[side] for link in pair.links} for pair in original for side in (0, 1)]
    sides = [side for pair in original for side in (pair.pair.simple, pair.pair.complex)]
    assert sum(map(len, linked)) > 0.8 * sum(len(side.paragraphs) for side in sides)
