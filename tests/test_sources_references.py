"""The readers of TURK and ASSET."""

from pathlib import Path

import pytest

from textsimp.errors import InputError
from textsimp.sources.asset import read_asset, write_asset
from textsimp.sources.turk import read_turk

ROWS = [("A complex sentence.", ("Simple.", "Easy.")), ("Another – one.", ("One.", "1."))]


def write_turk(folder: Path, sentences: str, *references: str) -> None:
    (folder / "test.8turkers.tok.norm").write_text(sentences, encoding="utf-8")
    for number, text in enumerate(references):
        (folder / f"test.8turkers.tok.turk.{number}").write_text(text, encoding="utf-8")


def test_asset_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_asset(tmp_path, "valid", ROWS)
    assert read_asset(tmp_path, "valid") == ROWS


def test_turk_keeps_its_tokens_and_a_missing_last_line_end(tmp_path: Path) -> None:
    write_turk(tmp_path, "a -lrb- b -rrb- .\r\nc .", "a .\nc .\n", "b .\nd .")
    assert read_turk(tmp_path, "test") == [("a -lrb- b -rrb- .", ("a .", "b .")), ("c .", ("c .", "d ."))]


@pytest.mark.parametrize(
    ("sentences", "references", "what"),
    [
        ("a\nb\n", ["a\n"], r"turk\.0:2: 1 lines where .*norm has 2"),
        ("a\nb\n", ["a\nb\nc\n"], r"turk\.0:3: 3 lines where .*norm has 2"),
        ("a\n\n", ["a\nb\n"], r"norm:2: an empty sentence"),
        ("a\n", ["\ufffd\n"], r"turk\.0:1: mojibake"),
        ("a\n", ["a\x00\n"], r"turk\.0:1: holds a NUL byte"),
        ("a\n", [], "references"),
        ("", [""], "an empty file"),
    ],
)
def test_bad_files(tmp_path: Path, sentences: str, references: list[str], what: str) -> None:
    write_turk(tmp_path, sentences, *references)
    with pytest.raises(InputError, match=what):
        read_turk(tmp_path, "test")


def test_a_gap_in_the_references(tmp_path: Path) -> None:
    write_asset(tmp_path, "test", ROWS)
    (tmp_path / "asset.test.simp.0").rename(tmp_path / "asset.test.simp.2")
    with pytest.raises(InputError, match="references"):
        read_asset(tmp_path, "test")


def test_the_releases_load_unchanged(mirror: Path) -> None:
    assert [len(read_turk(mirror / "turk", split)) for split in ("tune", "test")] == [2000, 359]
    assert [len(read_asset(mirror / "asset", split)) for split in ("valid", "test")] == [2000, 359]
    assert {len(references) for _, references in read_turk(mirror / "turk", "test")} == {8}
    assert {len(references) for _, references in read_asset(mirror / "asset", "test")} == {10}
