"""Bad input of every kind in one table: one line `FILE:LINE: what; what to do`, exit status 2, and nothing is written.

Each case damages a folder of good input and runs the real command, stage or reader on it; the fuzzer, the kills and the
races found some of them. The readers' own tests have more cases of each kind.
"""

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from bad_input_sample import (
    ACQUIRE,
    METADATA,
    MIRRORED,
    RAW_TSV,
    RELEASED,
    SOURCES,
    SPLIT,
    SPLIT_WIKI,
    WIKI_JSON,
    WIKI_TSV,
    contents,
    write_good,
)
from fuzzing import samples
from fuzzing.targets import read_format
from newsela_sample import params, run, write_params

from textsimp.core.errors import exit_on_bad_input

Damage = Callable[[Path], object]
DUMPS = "textsimp extract-wikipedia out --settings settings.yaml --workers 1 --simple simplewiki.xml --items items.sql"
COMPARED = "textsimp evaluate-alignment gold.jsonl --predictions found.jsonl"
IMPORT = "textsimp human import key.json sheet1.csv sheet2.csv sheet3.csv --output out.csv"
EXPORT = "textsimp human export out --complex complex.txt --output old=old.LSTM.txt --count 3"


def damages(change: Callable[..., object]) -> Callable[..., Damage]:
    """Make a function that changes a file one of the file's name, which gives what changes that file of a folder."""
    return lambda name, *values: lambda folder: change(folder / name, *values)


@damages
def put(path: Path, old: str, new: str) -> None:
    """Other text in the place of the first that is like `old`."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@damages
def cut(path: Path) -> None:
    """The first half of a file."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


@damages
def endless(path: Path) -> None:
    """A device in a file's place."""
    path.unlink()
    path.symlink_to("/dev/zero")


remove = damages(Path.unlink)


CASES: dict[str, tuple[Callable[[Path], object], Damage, str, str]] = {
    # what is bad: (what fills the folder, how it is made bad, the command, how its line begins)
    "half a dump": (
        *(samples.dumps, cut("enwiki.xml.bz2"), f"{DUMPS} --complex enwiki.xml.bz2"),
        "enwiki.xml.bz2: does not decompress",
    ),
    "an SQL line cut in two": (
        *(samples.dumps, put("items.sql", " of English", "\n of English"), f"{DUMPS} --complex enwiki.xml"),
        "items.sql:18: at byte ",
    ),
    "an endless dump": (samples.dumps, endless("enwiki.xml"), f"{DUMPS} --complex enwiki.xml", "enwiki.xml: is "),
    "an element of no namespace in a dump": (
        *(samples.dumps, put("enwiki.xml", "<mediawiki xmlns=", "<mediawiki x:y="), f"{DUMPS} --complex enwiki.xml"),
        "enwiki.xml: ",
    ),
    "a Newsela folder without a level file": (
        *(write_good, remove("newsela/article_corpus/articles/glacier.en.1.txt"), ACQUIRE),
        f"{METADATA}:6: articles/glacier.en.1.txt: named by the release, but not there; unpack the release again",
    ),
    "no metadata": (
        *(write_good, remove(METADATA), ACQUIRE),
        "newsela: 0 files articles_metadata.csv below it, not one",
    ),
    "no dev.tsv": (
        *(write_good, remove("newsela/newsela-auto/newsela-manual/all/dev.tsv"), ACQUIRE),
        "newsela/newsela-auto/newsela-manual/all/dev.tsv: not there, though train.tsv is",
    ),
    "a licensed source without its folder": (
        write_good,
        lambda folder: write_params(folder, params(**{**SOURCES, "newsela": None})),
        ACQUIRE,
        "sources.newsela: the Newsela release is licensed and its folder is not set; ask for it at newsela.com/data",
    ),
    "an unknown label": (
        *(write_good, put(RAW_TSV, "aligned\tharbour.en-1-0-1", "alignedX\tharbour.en-1-0-1"), SPLIT),
        f"{RAW_TSV}:6: label 'alignedX' is none of aligned, partialAligned, notAligned",
    ),
    "WIKI-AUTO JSON cut in two": (
        *(write_good, cut(WIKI_JSON), SPLIT_WIKI),
        f"{WIKI_JSON}:11: damaged or truncated JSON",
    ),
    "a mirror file with another digest": (
        *(write_good, put(MIRRORED, "Owls", "Bats"), RELEASED),
        f"{MIRRORED}: corrupt, cut short or changed: 33 bytes with sha256:",
    ),
    "a changed gold file": (
        *(samples.documents, put("gold.jsonl", "The old", "The new"), COMPARED),
        "found.jsonl:1: document pair 'pair-0' differs from gold.jsonl's",
    ),
    "a changed key": (samples.human, put("key.json", '"id": "item-', '"id": "piece-'), IMPORT, "sheet1.csv:"),
    "brackets without end": (
        partial(samples.release, "swipe"),
        *(put("raw/swipe/swipe_val.json", '"annotations": ', f'"annotations": {"[" * 100_000}'), "format swipe"),
        "raw/swipe/swipe_val.json: ",
    ),
}


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Callable[[Path], object]], Path]:
    """Makes a folder of good input, each once."""
    made: dict[object, Path] = {}

    def folder(build: Callable[[Path], object]) -> Path:
        if build not in made:
            made[build] = tmp_path_factory.mktemp("good")
            with pytest.MonkeyPatch.context() as patch:
                patch.chdir(made[build])
                build(made[build])
        return made[build]

    return folder


def execute(monkeypatch: pytest.MonkeyPatch, folder: Path, command: str) -> int:
    """The exit status of a command, a stage, or the reader of a format."""
    if not command.startswith("format "):
        return run(monkeypatch, folder, *command.split())
    monkeypatch.chdir(folder)
    try:
        exit_on_bad_input(read_format)(command.removeprefix("format "))
    except SystemExit as end:
        return int(end.code or 0)
    return 0


@pytest.mark.parametrize("name", CASES)
def test_bad_input_is_one_line_and_writes_nothing(
    good, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    build, damage, command, message = CASES[name]
    folder = shutil.copytree(good(build), tmp_path / "copy")
    damage(folder)
    before = contents(folder)
    capfd.readouterr()
    assert execute(monkeypatch, folder, command) == 2
    printed = capfd.readouterr()
    assert printed.out == "" and printed.err.count("\n") == 1, printed.err
    assert printed.err.startswith(f"error: {message}"), printed.err
    assert "; " in printed.err, "says what to do"
    assert contents(folder) == before


@pytest.mark.parametrize(
    ("build", "command", "names", "written"),
    [
        (write_good, ACQUIRE, [METADATA], ()),
        (write_good, RELEASED, [], ("data",)),
        (
            *(write_good, SPLIT),
            [RAW_TSV, "raw-newsela/articles_metadata.csv", "raw-newsela/articles/village-a.en.0.txt"],
            ("data",),
        ),
        (write_good, SPLIT_WIKI, [WIKI_TSV, WIKI_JSON], ("data",)),
        (samples.dumps, f"{DUMPS} --complex enwiki.xml.bz2", ["items.sql"], ("out",)),
    ],
)
def test_line_ends_and_byte_order_marks_change_nothing(
    good,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    build,
    command: str,
    names: list[str],
    written: tuple[str, ...],
) -> None:
    """CRLF and a byte-order mark, which editors of other systems leave, are read as if they were not there."""
    folder = shutil.copytree(good(build), tmp_path / "copy")

    def outputs() -> dict[str, bytes]:
        assert execute(monkeypatch, folder, command) == 0
        found = {part: contents(folder / part) for part in written}
        return {name: data for part in found.values() for name, data in part.items() if name != "extraction.json"}

    expected = outputs()
    for mark, line_end in ((b"", b"\r\n"), (b"\xef\xbb\xbf", b"\n")):
        for name in names:
            (folder / name).write_bytes(mark + (folder / name).read_bytes().replace(b"\n", line_end))
        assert outputs() == expected


def test_vectors_under_another_name_are_the_same(good, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = shutil.copytree(good(samples.vectors), tmp_path / "copy")
    (folder / "link.txt").symlink_to("glove.txt")
    system = "--system average_alignment --dev gold.jsonl --vectors link.txt"
    assert execute(monkeypatch, folder, f"textsimp align pairs.jsonl out.jsonl {system}") == 0


def test_an_export_that_was_killed_behind_its_key_is_begun_again(
    good, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(good(samples.human), tmp_path / "copy")
    assert execute(monkeypatch, folder, EXPORT) == 0
    shutil.rmtree(folder / "out")
    assert execute(monkeypatch, folder, EXPORT) == 0
    assert (folder / "out" / "guidelines.txt").is_file()
