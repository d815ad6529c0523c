"""The sample corpus: its reader, its data card, and the sentence splitter on its text."""

import re
import runpy
import shutil
from pathlib import Path

import pytest

from textsimp.core.errors import InputError
from textsimp.core.records import SIDES, AlignmentLabel, Link, read_pairs, write_pairs
from textsimp.sources.plain import split_text
from textsimp.sources.sample import LEVELS, SampleText, read_multi_reference, read_texts, sample_pairs
from textsimp.sources.sentences import damage, split_sentences

GOOD = """@set boat
@title A boat
@side complex
P
[] The boat, which is old, leaks.
[] Nobody has repaired it.
P
[] It lies by the river.
@side simple
P
[~1] The boat is old.
[~1,=2] The boat leaks, and no one has fixed it.
[-] Boats float.
"""


def read(folder: Path, text: str) -> SampleText:
    path = folder / "boat.txt"
    path.write_text(text, encoding="utf-8")
    (found,) = read_texts(path)
    return found


def test_reads_paragraphs_and_links(tmp_path: Path) -> None:
    text = read(tmp_path, GOOD)
    assert (text.slug, text.title) == ("boat", "A boat")
    assert [len(paragraph) for paragraph in text.parts[0].paragraphs] == [2, 1]
    links = [Link(0, 0, AlignmentLabel.PARTIAL), Link(1, 0, AlignmentLabel.PARTIAL), Link(1, 1, AlignmentLabel.ALIGNED)]
    assert text.parts[1].links == links


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("[~1] The", "[?1] The", 11, "neither =n nor ~n"),
        ("[~1,=2]", "[~1,=9]", 12, "names no sentence"),
        ("[~1,=2]", "[~1,=1]", 12, "named twice"),
        ("[~1,=2]", "[]", 12, "empty brackets"),
        ("[] Nobody", "[=1] Nobody", 6, "empty brackets"),
        ("[] Nobody", "Nobody", 6, "neither"),
        ("[] It lies by the river.", "[] It lies by the cafÃ©.", 8, "mojibake"),
        ("[] It lies", "[] It\ufffdlies", 8, "mojibake"),
        ("@side simple\nP\n", "@side simple\n", 10, "before its P"),
        ("[-] Boats float.", "P", None, "empty"),
        ("@side simple", "@side easy", None, "parts"),
        ("@set boat", "P", 1, "before the first @set"),
        ("@title A boat\n", "", None, "no @title"),
        ("[-] Boats float.", f"[-] Boats float.\n{GOOD}", None, "@set boat is there twice"),
        ("@title", "@difficulty 5\n@title", None, "@difficulty is none of 1, 2, 3, 4"),
    ],
)
def test_a_fault_names_file_and_line(tmp_path: Path, old: str, new: str, line: int | None, what: str) -> None:
    assert old in GOOD
    with pytest.raises(InputError, match=re.escape(what)) as error:
        read(tmp_path, GOOD.replace(old, new))
    assert f"boat.txt:{line}: " in str(error.value) if line else "boat.txt: " in str(error.value)


def test_what_is_no_sample_is_refused(root: Path, tmp_path: Path) -> None:
    (tmp_path / "dev.tsv").write_text("a\tb\tc\td\te\nf\tg\th\ti\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"dev\.tsv:2: 4 columns, not 5"):
        read_multi_reference(tmp_path / "dev.tsv")
    with pytest.raises(InputError, match=r"has the parts \('0', '1', '2', '3', '4'\), not \('complex', 'simple'\)"):
        sample_pairs(root / "data/sample/news.txt")
    with pytest.raises(InputError, match="no sample texts"):
        read_texts(tmp_path)


def test_the_german_pairs_are_labelled_document_pairs(root: Path, tmp_path: Path) -> None:
    pairs = sample_pairs(root / "data/sample/german.txt")
    assert sorted(pair.id[0] for pair in pairs) == [level for level in "1234" for _ in range(3)]
    assert all(pair.alignments for pair in pairs)
    write_pairs(tmp_path / "german.jsonl", pairs)
    assert list(read_pairs(tmp_path / "german.jsonl")) == pairs
    (steinbruecke,) = (pair for pair in pairs if pair.id == "1_steinbruecke")
    last = steinbruecke.alignments[-1] if steinbruecke.alignments else None
    assert last == Link(15, 16, AlignmentLabel.PARTIAL)


def test_texts_of_one_file_follow_one_another(tmp_path: Path) -> None:
    path = tmp_path / "two.txt"
    path.write_text(GOOD + GOOD.replace("@set boat", "@set a-ship"), encoding="utf-8")
    (ship, boat) = read_texts(path)
    assert (ship.slug, boat.slug) == ("a-ship", "boat") and ship.parts == boat.parts


def test_the_checker_finds_faults(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(root / "data/sample", tmp_path, dirs_exist_ok=True)
    path = tmp_path / "german.txt"
    good, check = path.read_text(encoding="utf-8"), runpy.run_path(str(tmp_path / "check.py"))["main"]
    assert check(tmp_path) == 0
    capsys.readouterr()
    for old, new, fault in (
        ("@difficulty 1", "@difficulty 5", "@difficulty is none of 1, 2, 3, 4"),
        ("[=12] Nach etwa sechs Wochen", "[-] Nach etwa sechs Wochen", "a copy of sentence 12 is not aligned to it"),
        ("[~10] Von Mai", "[~99] Von Mai", "names no sentence of the part before"),
        ("schweren Durchfall.\n[=9]", "schweren Durchfall\n[=9]", "has no sentence end"),
        ("@difficulty 1\n", "", "no @difficulty"),
        (
            "[~7] Milch",
            "[-] Der Igel ist eines der bekanntesten wilden Tiere in unseren Gärten.\n[~7] Milch",
            "says 2 times",
        ),
    ):
        assert old in good
        path.write_text(good.replace(old, new), encoding="utf-8")
        assert check(tmp_path) == 1 and fault in capsys.readouterr().out, fault


def test_the_german_splitter_gives_the_german_sentences_back(root: Path) -> None:
    for pair in sample_pairs(root / "data/sample/german.txt"):
        for document in (pair.complex, pair.simple):
            text = "\n\n".join(" ".join(paragraph) for paragraph in document.paragraphs)
            assert split_text(text, "de") == document.paragraphs


def test_the_data_card_counts_what_is_there(root: Path) -> None:
    data = root / "data" / "sample"
    names = ("encyclopedia.txt", "german.txt", "everyday/train", "everyday/test")
    every = [read_texts(data / "news.txt", LEVELS), *(read_texts(data / name) for name in names)]
    news, wiki, german, train, _ = every
    levels, sides, german_sides, train_sides, test_sides = (
        [sum(part.size() for part in parts) for parts in zip(*(text.parts for text in texts), strict=True)]
        for texts in every
    )
    partial = [
        sum(link.label is AlignmentLabel.PARTIAL for text in texts for part in text.parts for link in part.links)
        for texts in every
    ]
    sizes = [len(read_multi_reference(data / f"multi-reference/{name}.tsv")) for name in ("dev", "test")]
    pairs = read_multi_reference(data / "multi-reference/train.tsv", 2)
    card = (data / "README.md").read_text(encoding="utf-8")
    for said in (
        f"{len(news)} article sets at five levels: {levels[0]}, {levels[1]}, {levels[2]}, {levels[3]} and",
        f"and {levels[4]} sentences",
        f"{len(wiki)} article pairs: {sides[0]:,} complex sentences",
        f"and {sides[1]:,} simple ones",
        f"{len(german)} German article pairs",
        f"{german_sides[0]} complex sentences",
        f"and {german_sides[1]} simple ones",
        f"{len(train)} text pairs, {len(read_texts(data / 'everyday/train/german.txt'))} of them German",
        f"{train_sides[0]:,} complex sentences (52,424 words) and {train_sides[1]:,} simple ones",
        f"{test_sides[0]} complex sentences (8,519 words) and {test_sides[1]} simple ones",
        f"| partially aligned | {partial[0]:,} | {partial[1]} | {partial[2]} | {partial[3]:,} | {partial[4]} |",
        f"{sizes[0]} sentences for development and {sizes[1]} for test",
        f"{len(pairs):,} sentences ({sum(len(sentence.split()) for sentence, _ in pairs):,} words), each with a light",
    ):
        assert said in card


def test_the_splitter_gives_the_sentences_of_the_sample_back(root: Path) -> None:
    """All 4,148 news and 3,367 encyclopedic sentences."""
    total = 0
    for folder, parts in (("news.txt", LEVELS), ("encyclopedia.txt", SIDES)):
        for text in read_texts(root / "data/sample" / folder, parts):
            for paragraph in (paragraph for part in text.parts for paragraph in part.paragraphs):
                total += len(paragraph)
                assert split_sentences(" ".join(paragraph)) == paragraph
    assert total == 4148 + 3367


@pytest.mark.parametrize(
    "sentences",
    [
        ["Dr. Adams met Mr. Bell on St. Mary's Road.", "They talked."],
        ["It opens at 9 a.m. Monday.", "It closes at 5 p.m. on Friday."],
        ["He left at 3 a.m.", "Expert pilots stayed."],
        ["She moved to the U.S. Army base in May.", "He stayed in the U.S.", "The others left."],
        ['"Why did it stop?" Anna Smith asked.', '"Nobody knows!"', "She went home."],
        ['"It stopped."', '"When?"', '"At noon," he said.'],
        ["J. K. Barrow wrote it in 1990.", "1,200 people read it."],
        ["He had a boat (an old one. Really.) and sold it.", "It sank."],
        ["The price rose by 3.5 percent.", "No. 7 was sold for $4.50."],
        ['They shouted "Stop!" and ran.', "Wait...", "What?!", "“Yes.”", "’Tis over."],
        ["Nothing ends this"],
        ["a) It rained.", "He (it was late. Nobody saw) left."],
        ["Élan was a ship.", "Über-fast it was not."],
    ],
)
def test_splitter_rules(sentences: list[str]) -> None:
    assert split_sentences(" ".join(sentences)) == sentences


def test_damage_leaves_real_text_alone() -> None:
    for text in ("Élan, naïve, «IRMÃ», Gîtâ’s, 5 Â, “quotes” – dash…", "Ã la carte", "tab\tinside"):
        assert damage(text) is None
    for text in ("", " ", "a\x00b", "donâ€™t", "cafÃ©", "NÂ° 5", "a\ufffd", "a\nb"):
        assert damage(text)
