"""Every kind of bad input in one table: one line `FILE:LINE: what; what to do`, exit status 2, and nothing is written.

Each case damages a folder of good input, which the same commands take as it is (`test_the_good_input_is_taken`), and
runs the real command or stage on it. The readers' own tests have more cases of each kind.
"""

import shutil
from pathlib import Path

import pytest
from bad_input_sample import (
    ACQUIRE,
    ENGLISH,
    EXTRACT,
    ITEMS,
    LEVEL,
    MANUAL_TSV,
    METADATA,
    MIRRORED,
    RAW_TSV,
    RELEASED,
    SIMPLE,
    SPLIT,
    SPLIT_WIKI,
    SWAPPED,
    UNPACK,
    WIKI_JSON,
    WIKI_TSV,
    Damage,
    at_a_boundary,
    columns,
    contents,
    cut,
    edit,
    execute,
    pages,
    put,
    remove,
    setting,
    write_good,
)
from dumps_sample import multistream

from textsimp.sources.parallel import WIKILARGE

CASES: dict[str, tuple[Damage, str, str]] = {
    # what is bad: (how it is made bad, the command, how its line begins)
    "half a dump, multistream bz2": (cut(ENGLISH), EXTRACT, f"{ENGLISH}: does not decompress"),
    "a dump cut between two streams": (put(ENGLISH, at_a_boundary), EXTRACT, f"{ENGLISH}: ends without </mediawiki>"),
    "a dump of another language": (
        put(ENGLISH, lambda: multistream("frwiki", pages("frwiki"))),
        EXTRACT,
        f"{ENGLISH}: is a dump of 'frwiki', not 'enwiki'; give the other dump",
    ),
    "complex and simple swapped": (
        lambda folder: None,
        SWAPPED,
        f"{SIMPLE}: is a dump of 'simplewiki', not 'enwiki'; give the other dump",
    ),
    "an SQL line cut in two": (edit(ITEMS, 20, "of", "of\n"), EXTRACT, f"{ITEMS}:20: at byte 40 is no row"),
    "half an SQL dump": (cut(ITEMS), EXTRACT, f"{ITEMS}:"),
    "a Newsela folder without a level file": (
        remove(LEVEL),
        ACQUIRE,
        f"{METADATA}:6: articles/glacier.en.1.txt: named by the release, but not there; unpack the release again",
    ),
    "metadata without a column": (
        edit(METADATA, 1, "grade_level,", ""),
        ACQUIRE,
        f"{METADATA}:1: the header has no column 'grade_level'",
    ),
    "a metadata row without a column": (edit(METADATA, 4, ",5.0", ""), ACQUIRE, f"{METADATA}:4: 5 columns, not 6"),
    "no metadata": (remove(METADATA), ACQUIRE, "newsela: 0 files articles_metadata.csv below it, not one"),
    "no dev.tsv": (
        remove(MANUAL_TSV.format("dev")),
        ACQUIRE,
        f"{MANUAL_TSV.format('dev')}: not there, though train.tsv is",
    ),
    "a licensed source without its folder": (
        setting(newsela=None),
        ACQUIRE,
        "sources.newsela: the Newsela release is licensed and its folder is not set; ask for it at newsela.com/data",
    ),
    "a TSV in Latin-1": (
        edit(RAW_TSV, 5, "river", "ríver", "latin-1"),
        SPLIT,
        f"{RAW_TSV}:5: byte 0xed is not UTF-8; convert the file to UTF-8",
    ),
    "a TSV with 4 columns": (columns(4), SPLIT, f"{RAW_TSV}:1: 4 columns, not 5; fetch the release again"),
    "an unknown label": (
        edit(RAW_TSV, 6, "\tharbour.en-1-0-1", "X\tharbour.en-1-0-1"),
        SPLIT,
        f"{RAW_TSV}:6: label 'alignedX' is none of aligned, partialAligned, notAligned",
    ),
    "an id of a sentence that is absent": (
        edit(RAW_TSV, 6, "harbour.en-0-0-1", "harbour.en-0-0-7"),
        SPLIT,
        f"{RAW_TSV}:6: sentence 7 of a paragraph whose sentence harbour.en-0-0-2 is absent",
    ),
    "a WIKI-MANUAL row without GLEU": (edit(WIKI_TSV, 2, "\t0.", ""), SPLIT_WIKI, f"{WIKI_TSV}:2: 5 columns, not 6"),
    "WIKI-AUTO JSON cut in two": (cut(WIKI_JSON), SPLIT_WIKI, f"{WIKI_JSON}:11: damaged or truncated JSON"),
    "a mirror file with another digest": (
        put(MIRRORED, lambda: "not the released text\n"),
        RELEASED,
        f"{MIRRORED}: corrupt, cut short or changed: 22 bytes with sha256:",
    ),
    "a mirror that is no folder": (
        setting(mirror=MIRRORED),
        RELEASED,
        f"sources.mirror: {MIRRORED}: the mirror is no folder; give a folder, or an address",
    ),
    "an archive cut in two": (cut(WIKILARGE), UNPACK, f"{WIKILARGE}: damaged or truncated archive"),
    "an archive cut behind what is read": (cut(WIKILARGE, 0.97), UNPACK, f"{WIKILARGE}: damaged or truncated archive"),
}


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of good input for every command of the table."""
    folder = tmp_path_factory.mktemp("good")
    write_good(folder)
    return folder


@pytest.fixture
def folder(good: Path, tmp_path: Path) -> Path:
    return shutil.copytree(good, tmp_path / "copy")


@pytest.mark.parametrize("command", [EXTRACT, ACQUIRE, RELEASED, SPLIT, SPLIT_WIKI, UNPACK])
def test_the_good_input_is_taken(folder: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    before = contents(folder)
    assert execute(monkeypatch, folder, command) == 0
    assert command == UNPACK or contents(folder).keys() > before.keys()


@pytest.mark.parametrize("name", CASES)
def test_bad_input_is_one_line_and_writes_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    damage, command, message = CASES[name]
    damage(folder)
    before = contents(folder)
    assert execute(monkeypatch, folder, command) == 2
    printed = capfd.readouterr()
    assert printed.out == ""
    assert [line for line in printed.err.splitlines() if line] == [printed.err.strip()]
    assert printed.err.startswith(f"error: {message}"), printed.err
    assert "; " in printed.err.removeprefix(f"error: {message}") or "; " in message, "says what to do"
    assert contents(folder) == before


@pytest.mark.parametrize(
    ("command", "names", "written"),
    [
        (ACQUIRE, [METADATA], ()),
        (SPLIT, [RAW_TSV, "raw-newsela/articles_metadata.csv", "raw-newsela/articles/village-a.en.0.txt"], ("data",)),
        (SPLIT_WIKI, [WIKI_TSV, WIKI_JSON], ("data",)),
        (EXTRACT, [ITEMS], ("out",)),
    ],
)
def test_line_ends_and_byte_order_marks_change_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: str, names: list[str], written: tuple[str, ...]
) -> None:
    """CRLF and a byte-order mark, which editors of other systems leave, are read as if they were not there."""

    def outputs() -> dict[str, bytes]:
        assert execute(monkeypatch, folder, command) == 0
        found = {part: contents(folder / part) for part in written}
        return {name: data for part in found.values() for name, data in part.items() if name != "extraction.json"}

    expected = outputs()
    for mark, line_end in ((b"", b"\r\n"), (b"\xef\xbb\xbf", b"\n")):
        for name in names:
            (folder / name).write_bytes(mark + (folder / name).read_bytes().replace(b"\n", line_end))
        assert outputs() == expected
