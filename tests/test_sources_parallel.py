"""Line-aligned releases (pairs, WikiLarge's archive, TURK and ASSET), and WIKI-AUTO articles with the CRF's links."""

from pathlib import Path

import pytest
from bad_input_sample import wikilarge

from textsimp.core.errors import InputError
from textsimp.core.records import AlignmentLabel, Link
from textsimp.sources import parallel
from textsimp.sources.d_wikipedia import d_wikipedia_pairs, document_sentences
from textsimp.sources.formats import read_released_pairs
from textsimp.sources.parallel import (
    WIKILARGE,
    read_asset,
    read_coster_kauchak,
    read_kauchak_labelled,
    read_kauchak_tenth,
    read_parallel,
    read_turk,
    read_wikilarge,
    write_asset,
)
from textsimp.sources.wiki_auto import VALID, read_wiki_auto_valid

PARTS = {
    "coster_kauchak": 12363,
    "kauchak_2013": 33538,
    "kauchak_2013_labelled": 18446,
    "kauchak_2013_tenth": 16769,
    "wikilarge_part": 5000,
}
HEADER = "title,pair_id,sent_id,complex,label,simple,simp_sent_id,doc_pos,doc_quint,doc_len\n"
ROWS = (
    'Otter,7,0,"Otters swim, and eat fish.",dsplit,"[\'Otters swim.\', ""They don\'t fly.""]",0,0.5,1,2\n'
    "Otter,7,1,Beavers build dams.,delete,[],2,1.0,5,2\n"
    "Owl,9,0,Owls fly.,rephrase,['Owls can fly.'],0,1.0,5,1\n"
)


def lines(path: Path, *rows: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(row + "\n" for row in rows), encoding="utf-8")
    return path


def valid(folder: Path, text: str) -> Path:
    (folder / VALID).write_bytes(text.encode("utf-8"))
    return folder


def test_line_aligned_pairs(tmp_path: Path) -> None:
    corpus = read_parallel(
        lines(tmp_path / "a", "Otters swim .", "  ", "Caf\ufffd ."),
        lines(tmp_path / "b", " Otters move .", "x", "y"),
        "n",
    )
    (pair,) = corpus.pairs
    assert (pair.complex, pair.simple, pair.label) == ("Otters swim .", "Otters move .", AlignmentLabel.ALIGNED)
    assert pair.pair_id == pair.group == "n:1"
    assert corpus.dropped == {"an empty sentence": 1, "mojibake": 1}
    with pytest.raises(InputError, match="an empty file"):
        read_parallel(lines(tmp_path / "c"), lines(tmp_path / "d"), "n")


def test_brackets_of_the_damaged_tenth(tmp_path: Path) -> None:
    lines(tmp_path / "ew_sew_dev" / "normal.dev", "an otter lrb mulrbry rrb lsb lutra rcb swims .")
    lines(tmp_path / "ew_sew_dev" / "simple.dev", "an otter swims .")
    (pair,) = read_kauchak_tenth(tmp_path).pairs
    assert pair.complex == "an otter -lrb- mulrbry -rrb- -lsb- lutra -rcb- swims ."
    assert pair.simple == "an otter swims ."


def test_labelled_lines(tmp_path: Path) -> None:
    folder = tmp_path / "kauchak_2013_labelled"
    for name in ("valid.txt", "test.txt"):
        lines(folder / name, "text:Otters , which swim .\tlabels:Otters swim .\tepisode_done:True")
    pairs = read_kauchak_labelled(tmp_path).pairs
    assert [(pair.complex, pair.simple) for pair in pairs] == [("Otters , which swim .", "Otters swim .")] * 2
    assert [pair.pair_id for pair in pairs] == ["kauchak_2013_labelled:1", "kauchak_2013_labelled:2"]
    lines(folder / "test.txt", "text:Otters .\tlabels:Otters .\tepisode_done:True", "text:Otters swim .")
    with pytest.raises(InputError, match=r"test\.txt:2: not `text:COMPLEX<TAB>labels"):
        read_kauchak_labelled(tmp_path)


def test_a_test_set_with_one_reference(tmp_path: Path) -> None:
    lines(tmp_path / "wiki.test.complex", "Otters , which swim .")
    lines(tmp_path / "wiki.test.simple", "Otters swim .")
    assert read_coster_kauchak(tmp_path, "test") == [("Otters , which swim .", ("Otters swim .",))]
    lines(tmp_path / "wiki.test.simple", "Otters swim .", "Owls fly .")
    with pytest.raises(InputError, match=r"wiki\.test\.simple"):
        read_coster_kauchak(tmp_path, "test")


def test_documents_whose_paragraphs_run_together(tmp_path: Path) -> None:
    text = (
        "otters live in the u.s. and at otter.com .they swim ( fast ) .between 1975 and 1996.a few `` flew . '' the end"
    )
    assert document_sentences(text) == [
        "otters live in the u.s. and at otter.com .",
        "they swim ( fast ) .",
        "between 1975 and 1996 .",
        "a few `` flew . ''",
        "the end",
    ]
    folder = tmp_path / "d_wikipedia"
    lines(folder / "valid.src", "otters swim . they eat .", "owls fly .")
    lines(folder / "valid.tgt", "otters swim .", "")
    (pair,) = d_wikipedia_pairs(tmp_path, "c")
    assert (pair.id, pair.group, pair.alignments) == ("d_wikipedia:1", "d_wikipedia:1", None)
    assert pair.complex.sentences == ("otters swim .", "they eat .") and pair.simple.sentences == ("otters swim .",)
    lines(folder / "valid.src")
    lines(folder / "valid.tgt")
    with pytest.raises(InputError, match=r"valid\.src: an empty file"):
        list(d_wikipedia_pairs(tmp_path, "c"))


def test_wikilarge_from_its_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "wikilarge" / WIKILARGE
    path.parent.mkdir()
    path.write_bytes(wikilarge(["Otters swim .", "Owls fly ."], ["Otters move .", "Owls fly ."]))
    corpus = read_wikilarge(tmp_path)
    wanted = [("Otters swim .", "Otters move ."), ("Owls fly .", "Owls fly .")]
    assert [(pair.complex, pair.simple) for pair in corpus.pairs] == wanted
    with monkeypatch.context() as patch, pytest.raises(InputError, match=r"bz2: no other\.src in it"):
        patch.setattr(parallel, "_MEMBER", "other.{side}")
        read_wikilarge(tmp_path)
    path.write_bytes(wikilarge(["One .", "Two ."], ["One ."]))
    with pytest.raises(InputError, match="train: 2 complex and 1 simple lines"):
        read_wikilarge(tmp_path)
    whole = wikilarge(["Owls fly ."] * 2000, ["Owls fly ."] * 2000)
    for data in (b"<html>not the file</html>", whole[: len(whole) // 2], whole[:-10]):
        path.write_bytes(data)
        with pytest.raises(InputError, match="damaged or truncated archive"):
            read_wikilarge(tmp_path)


def test_articles_with_the_links_of_the_crf(tmp_path: Path) -> None:
    first, second = read_wiki_auto_valid(valid(tmp_path, HEADER + ROWS), "wiki")
    assert (first.id, first.group, first.corpus) == ("7", "Otter", "wiki")
    assert first.complex.paragraphs == (("Otters swim, and eat fish.", "Beavers build dams."),)
    assert first.simple.sentences == ("Otters swim.", "They don't fly.")
    assert first.alignments == (Link(0, 0, AlignmentLabel.PARTIAL), Link(1, 0, AlignmentLabel.PARTIAL))
    assert second.alignments == (Link(0, 0, AlignmentLabel.ALIGNED),)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", ":1: no column 'title'"),
        (HEADER, "no rows"),
        (HEADER.replace("simple,", "easy,") + ROWS, ":1: no column 'simple'"),
        (HEADER + ROWS.replace(",2\nOtter", "\nOtter"), ":2: 9 cells where the header has 10"),
        (HEADER + ROWS.replace("Otter,7,1", "Otter,7,2"), ":3: sent_id '2' where 1 follows"),
        (HEADER + ROWS.replace("['Owls can fly.']", "Owls can fly."), ":4: simple 'Owls can fly.' is no list"),
        (HEADER + ROWS.replace("['Owls can fly.']", "[__import__('os')]"), ":4: simple .* is no list"),
        (HEADER + ROWS.replace("['Owls can fly.']", "[]"), "pair 9 has no simple sentence"),
        (HEADER + ROWS.replace("Owls fly.", " "), ":4: an empty sentence"),
        (HEADER + ROWS + 'Owl,9,1,"Owls', ":5: no table"),
    ],
)
def test_bad_rows_name_file_and_line(tmp_path: Path, text: str, what: str) -> None:
    with pytest.raises(InputError, match=what) as error:
        read_wiki_auto_valid(valid(tmp_path, text), "wiki")
    assert str(error.value).startswith(f"{tmp_path / VALID}:") and "\n" not in str(error.value)


def test_the_mirror(mirror: Path) -> None:
    corpus = read_kauchak_tenth(mirror)
    assert (len(corpus.pairs), corpus.dropped) == (16769, {})
    sizes = {name: len(read_released_pairs(name, mirror).pairs) for name in PARTS}
    assert sizes == PARTS and len(read_coster_kauchak(mirror / "coster_kauchak_2011", "test")) == 1373
    assert sum(1 for _ in d_wikipedia_pairs(mirror, "c")) == 3000
    pairs = read_wiki_auto_valid(mirror / "wiki_auto_valid", "wiki")
    assert len(pairs) == len({pair.group for pair in pairs}) == 2128
    labels = [link.label for pair in pairs for link in pair.alignments or ()]
    assert (labels.count(AlignmentLabel.ALIGNED), labels.count(AlignmentLabel.PARTIAL)) == (7012, 2691)


REFERENCES = [("A complex sentence.", ("Simple.", "Easy.")), ("Another – one.", ("One.", "1."))]


def write_turk(folder: Path, *files: str) -> None:
    names = ["norm", *(f"turk.{number}" for number in range(8))]
    for name, text in zip(names, files, strict=False):
        (folder / f"test.8turkers.tok.{name}").write_text(text, encoding="utf-8")


def test_asset_is_read_as_it_was_written_and_turk_keeps_its_tokens(tmp_path: Path) -> None:
    write_asset(tmp_path, "valid", REFERENCES)
    assert read_asset(tmp_path, "valid", None) == REFERENCES
    write_turk(tmp_path, "a -lrb- b -rrb- .\r\nc .", "a .\nc .\n", "b .\nd .")
    assert read_turk(tmp_path, "test", None) == [("a -lrb- b -rrb- .", ("a .", "b .")), ("c .", ("c .", "d ."))]


@pytest.mark.parametrize(
    ("sentences", "references", "what"),
    [
        ("a\nb\n", ["a\nb\nc\n"], r"turk\.0:3: 3 lines where .*norm has 2"),
        ("a\n\n", ["a\nb\n"], r"norm:2: an empty sentence"),
        ("a\n", ["\ufffd\n"], r"turk\.0:1: mojibake"),
        ("a\n", [], r"turk\.0: no such file"),
        ("", [""], "an empty file"),
    ],
)
def test_bad_files_of_references(tmp_path: Path, sentences: str, references: list[str], what: str) -> None:
    write_turk(tmp_path, sentences, *references)
    with pytest.raises(InputError, match=what):
        read_turk(tmp_path, "test", None)


def test_a_release_has_all_its_references(tmp_path: Path) -> None:
    rows = [("A complex sentence.", tuple("abcdefghij"))]
    write_asset(tmp_path, "test", rows)
    assert read_asset(tmp_path, "test") == rows
    (tmp_path / "asset.test.simp.9").rename(tmp_path / "asset.test.simp.10")
    with pytest.raises(InputError, match=r"asset\.test\.simp\.9: no such file, and the release has 10 references"):
        read_asset(tmp_path, "test")
    write_asset(tmp_path, "test", rows)
    with pytest.raises(InputError, match=r"asset\.test\.simp\.10: no reference of the release, which has 10"):
        read_asset(tmp_path, "test")
    write_turk(tmp_path, "a\n", *["a\n"] * 7)
    with pytest.raises(InputError, match=r"turk\.7: no such file, and the release has 8 references"):
        read_turk(tmp_path, "test")


def test_the_releases_load_unchanged(mirror: Path) -> None:
    assert [len(read_turk(mirror / "turk", split)) for split in ("tune", "test")] == [2000, 359]
    assert [len(read_asset(mirror / "asset", split)) for split in ("valid", "test")] == [2000, 359]
    assert {len(references) for _, references in read_turk(mirror / "turk", "test")} == {8}
    assert {len(references) for _, references in read_asset(mirror / "asset", "test")} == {10}
