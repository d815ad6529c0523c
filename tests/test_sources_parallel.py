"""Releases of sentence pairs: line-aligned files, WikiLarge's archive, and WIKI-AUTO articles with the CRF's links."""

import bz2
import io
import tarfile
from pathlib import Path

import pytest

from textsimp.errors import InputError
from textsimp.records import AlignmentLabel, Link
from textsimp.sources.parallel import read_ew_sew, read_parallel, read_wikilarge, restore
from textsimp.sources.wiki_auto_valid import SENTENCES, read_wiki_auto_valid

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


def archive(path: Path, **members: list[str]) -> Path:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as tar:
        for side, rows in members.items():
            text = "".join(row + "\n" for row in rows).encode("utf-8")
            info = tarfile.TarInfo(f"data-simplification/wikilarge/wiki.full.aner.ori.train.{side}")
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text))
    path.write_bytes(bz2.compress(data.getvalue()))
    return path


def valid(folder: Path, text: str) -> Path:
    (folder / SENTENCES).write_bytes(text.encode("utf-8"))
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


def test_brackets_of_ew_sew(tmp_path: Path) -> None:
    lines(tmp_path / "normal.dev", "an otter lrb lutra rrb swims .")
    lines(tmp_path / "simple.dev", "an otter swims .")
    (pair,) = read_ew_sew(tmp_path, "ew_sew").pairs
    assert (pair.complex, pair.simple) == ("an otter -lrb- lutra -rrb- swims .", "an otter swims .")
    assert restore("lrb mulrbry lsb rcb") == "-lrb- mulrbry -lsb- -rcb-"


def test_files_that_do_not_fit(tmp_path: Path) -> None:
    first = lines(tmp_path / "a", "one", "two")
    with pytest.raises(InputError, match="1 lines where .*a has 2"):
        read_parallel(first, lines(tmp_path / "b", "one"), "n")
    with pytest.raises(InputError, match="an empty file"):
        read_parallel(lines(tmp_path / "c"), lines(tmp_path / "d"), "n")
    (tmp_path / "e").write_bytes("café\nx\n".encode("latin-1"))
    with pytest.raises(InputError, match="e:1: byte 0xe9 is not UTF-8"):
        read_parallel(first, tmp_path / "e", "n")


def test_wikilarge_from_its_archive(tmp_path: Path) -> None:
    path = archive(tmp_path / "w.tar.bz2", src=["Otters swim .", "Owls fly ."], dst=["Otters move .", "Owls fly ."])
    corpus = read_wikilarge(path, "train", "wikilarge")
    assert [(pair.complex, pair.simple) for pair in corpus.pairs] == [
        ("Otters swim .", "Otters move ."),
        ("Owls fly .", "Owls fly ."),
    ]
    with pytest.raises(InputError, match=r"no wikilarge/wiki\.full\.aner\.ori\.valid\.src in it"):
        read_wikilarge(path, "valid", "wikilarge")


def test_bad_archives(tmp_path: Path) -> None:
    rows = [f"sentence {number} ." for number in range(20000)]
    path = archive(tmp_path / "w.tar.bz2", src=rows, dst=rows[:-1])
    with pytest.raises(InputError, match="train: 20000 complex and 19999 simple lines"):
        read_wikilarge(path, "train", "wikilarge")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(InputError, match="damaged or truncated archive"):
        read_wikilarge(path, "train", "wikilarge")
    path.write_bytes(b"<html>not the file</html>")
    with pytest.raises(InputError, match="damaged or truncated archive"):
        read_wikilarge(path, "train", "wikilarge")
    with pytest.raises(InputError, match="no such file"):
        read_wikilarge(tmp_path / "absent", "train", "wikilarge")


def test_articles_with_the_links_of_the_crf(tmp_path: Path) -> None:
    first, second = read_wiki_auto_valid(valid(tmp_path, HEADER + ROWS), "wiki")
    assert (first.id, first.group, first.corpus) == ("7", "Otter", "wiki")
    assert first.complex.paragraphs == (("Otters swim, and eat fish.", "Beavers build dams."),)
    assert first.simple.sentences == ("Otters swim.", "They don't fly.")
    assert first.alignments == (Link(0, 0, AlignmentLabel.PARTIAL), Link(1, 0, AlignmentLabel.PARTIAL))
    assert second.alignments == (Link(0, 0, AlignmentLabel.ALIGNED),)


def test_byte_order_mark_and_line_ends_change_nothing(tmp_path: Path) -> None:
    plain = read_wiki_auto_valid(valid(tmp_path, HEADER + ROWS), "wiki")
    assert read_wiki_auto_valid(valid(tmp_path, "\ufeff" + (HEADER + ROWS).replace("\n", "\r\n")), "wiki") == plain


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", ":1: no column title"),
        (HEADER, "no rows"),
        (HEADER.replace("simple,", "easy,") + ROWS, ":1: no column simple"),
        (HEADER + ROWS.replace(",2\nOtter", "\nOtter"), ":2: not 10 columns"),
        (HEADER + ROWS.replace("Otter,7,1", "Otter,7,2"), ":3: sent_id '2' where 1 follows"),
        (HEADER + ROWS.replace("['Owls can fly.']", "Owls can fly."), ":4: simple 'Owls can fly.' is no list"),
        (HEADER + ROWS.replace("['Owls can fly.']", "[__import__('os')]"), ":4: simple .* is no list"),
        (HEADER + ROWS.replace("['Owls can fly.']", "[]"), "pair 9 has no simple sentence"),
        (HEADER + ROWS.replace("Owls fly.", " "), ":4: an empty sentence"),
        (HEADER + ROWS + 'Owl,9,1,"Owls', ":4: not CSV"),
    ],
)
def test_bad_rows_name_file_and_line(tmp_path: Path, text: str, what: str) -> None:
    with pytest.raises(InputError, match=what) as error:
        read_wiki_auto_valid(valid(tmp_path, text), "wiki")
    assert str(error.value).startswith(f"{tmp_path / SENTENCES}:") and "\n" not in str(error.value)


def test_the_mirror(mirror: Path) -> None:
    corpus = read_ew_sew(mirror / "ew_sew_dev", "ew_sew")
    assert (len(corpus.pairs), corpus.dropped) == (16769, {})
    pairs = read_wiki_auto_valid(mirror / "wiki_auto_valid", "wiki")
    assert len(pairs) == len({pair.group for pair in pairs}) == 2128
    labels = [link.label for pair in pairs for link in pair.alignments or ()]
    assert (labels.count(AlignmentLabel.ALIGNED), labels.count(AlignmentLabel.PARTIAL)) == (7012, 2691)
