"""Floor 0 on disk: atomic writes, line-aligned files, digests, and the document-pair format."""

import errno
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from textsimp.core import writing
from textsimp.core.errors import InputError
from textsimp.core.reading import git_blob_id, read_aligned, read_json, read_lines, read_table, read_text, sha256
from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link, read_pairs, write_pairs
from textsimp.core.writing import atomic_folder, write_json, write_lines, write_texts


def full(*arguments: Any, **options: Any) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_json(tmp_path / "out.json", {"a": 1})
    with atomic_folder(tmp_path / "sheets", "a") as folder:
        write_texts(folder, [("a", "one\r\ntwo\n")])
    monkeypatch.setattr(writing.os, "fsync", full)
    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(InputError, match="out.json: no space left"):
        write_json(tmp_path / "out.json", {"a": 2})
    with pytest.raises(InputError, match="sheets: no space left"), atomic_folder(tmp_path / "sheets", "a") as folder:
        write_texts(folder, [("a", "three")])
    with pytest.raises(RuntimeError), atomic_folder(tmp_path / "sheets", "a") as folder:
        raise RuntimeError
    assert read_json(tmp_path / "out.json") == {"a": 1}
    assert (tmp_path / "sheets" / "a").read_bytes() == b"one\r\ntwo\n"
    assert sorted(item.name for item in tmp_path.iterdir()) == ["out.json", "sheets"], "nothing half-written stays"


@pytest.mark.parametrize("has_exchange", [True, False])
def test_a_folder_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_exchange: bool) -> None:
    """In one step or, where the system cannot, in two, between which a kill leaves the old one to be put back."""
    if not has_exchange:
        monkeypatch.setattr(writing.sys, "platform", "another")
    for text in ("old", "new"):
        with atomic_folder(tmp_path / "model", "weights") as folder:
            write_texts(folder, [("weights", text)])
    assert [item.name for item in tmp_path.iterdir()] == ["model"]
    assert (tmp_path / "model" / "weights").read_text() == "new"
    (tmp_path / "model").rename(tmp_path / ".model.textsimp-old")
    with pytest.raises(RuntimeError), atomic_folder(tmp_path / "model", "weights"):
        raise RuntimeError
    assert (tmp_path / "model" / "weights").read_text() == "new"


def test_lines_keep_other_unicode_breaks(tmp_path: Path) -> None:
    lines = ["one\u2028two", "three\x0bfour", "", "fünf\x85six"]
    write_lines(tmp_path / "a", lines)
    assert read_lines(tmp_path / "a") == lines
    (tmp_path / "b").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    assert read_lines(tmp_path / "b") == ["one", "two"]
    (tmp_path / "b").write_bytes(b'a,"x\ry"\nb,c\n')
    assert list(read_table(tmp_path / "b")) == [(1, ["a", "x\ry"]), (2, ["b", "c"])]
    with pytest.raises(ValueError, match="line break"):
        write_lines(tmp_path / "c", ["one\ntwo"])
    with pytest.raises(InputError, match=r"b:3: 2 lines where .*a has 4"):
        read_aligned([tmp_path / "a", tmp_path / "b"])
    for name, size in (("a", 2060), ("b", 2050)):
        write_lines(tmp_path / name, ["x"] * size)
    with pytest.raises(InputError, match=r"b:2051: 2050 lines where .*a has 2060"):
        read_aligned([tmp_path / "a", tmp_path / "b"])


def test_damaged_text_is_named_with_its_line_and_a_device_that_never_ends_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"one\ntw\xe9o\n")
    (tmp_path / "zero").write_bytes(b"one\n\n\0\n")
    (tmp_path / "endless").symlink_to("/dev/zero")
    for said in ("bytes:2: byte 0xe9 is not UTF-8", "zero:3: holds a NUL byte", "endless: is a device, not a file"):
        with pytest.raises(InputError, match=said):
            read_text(tmp_path / said.partition(":")[0])
    assert read_text("/dev/null") == ""


def test_marks_of_finished_work_are_removed_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "work" / "inner").mkdir(parents=True)
    for name in ("work/a", "work/inner/done", "work/z.jsonl"):
        (tmp_path / name).touch()
    monkeypatch.setattr(writing.shutil, "rmtree", lambda path: None)
    writing.remove(tmp_path / "work", "done", "*.jsonl")
    assert [path.name for path in (tmp_path / "work").rglob("*") if path.is_file()] == ["a"]


@pytest.mark.parametrize(
    ("closed", "arguments", "status", "said"),
    [
        ("<&-", "score --complex - --output easy", 2, "error: -: standard input is closed"),
        (">&-", "score --complex easy --output easy --samples 1", 2, "error: standard output is closed"),
        (">&-", "convert easy easy -", 2, "error: -: bad file descriptor"),
        ("<&- >&-", "convert easy easy out", 0, "out: 1 document pair"),
    ],
)
def test_closed_streams(tmp_path: Path, root: Path, closed: str, arguments: str, status: int, said: str) -> None:
    (tmp_path / "easy").write_text("The otter swims.\n")
    command = f"exec {sys.executable} -m textsimp.cli {arguments} {closed}"
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True)
    assert done.returncode == status and said in done.stderr


def test_digests(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"hello\n")
    assert sha256(tmp_path / "a") == hashlib.sha256(b"hello\n").hexdigest()
    real = subprocess.run(["git", "hash-object", tmp_path / "a"], capture_output=True, text=True, check=True)
    assert git_blob_id(tmp_path / "a") == real.stdout.strip()


PAIR = DocumentPair(
    "p",
    "tiny",
    "g",
    Document("c", 0, (("One.", "Two."), ("Three “quoted”.",))),
    Document("s", 1, (("One.",), ("Two and three.",))),
    (Link(0, 0, AlignmentLabel.ALIGNED), Link(1, 1, AlignmentLabel.PARTIAL), Link(1, 2, AlignmentLabel.PARTIAL)),
)


def test_pairs_survive_the_disk(tmp_path: Path) -> None:
    write_pairs(tmp_path / "pairs.jsonl", [PAIR])
    assert list(read_pairs(tmp_path / "pairs.jsonl")) == [PAIR]
    row = json.loads((tmp_path / "pairs.jsonl").read_text())
    assert row["alignments"] == [[0, 0, "aligned"], [1, 1, "partial"], [1, 2, "partial"]]
    assert PAIR.complex.paragraph_of == (0, 0, 1)


@pytest.mark.parametrize(
    ("part", "value", "message"),
    [
        ((), {"group": ...}, "group: missing"),
        (("simple",), {"level": "1"}, "simple.level: '1' should be"),
        (("simple",), {"level": 10**18}, "level: 1000000000000000000 should be less than or equal to 1000"),
        (("complex",), {"level": -1}, "complex.level: -1 should be"),
        (("simple",), {"paragraphs": []}, "simple.paragraphs: a list should"),
        (("simple",), {"paragraphs": [[]]}, r"simple.paragraphs\[0\]: a list should"),
        (("complex",), {"paragraphs": [[" "]]}, r"paragraphs\[0\]\[0\]: a text of 1 characters should be a sentence"),
        (("complex",), {"paragraphs": [["a\0b"]]}, "should be a sentence: neither empty nor with NUL"),
        ((), {"alignments": [[0, 3, "aligned"]]}, "complex sentence 3; .* sentences 0 to 2"),
        ((), {"alignments": [[-1, 0, "aligned"]]}, "simple sentence -1"),
        ((), {"alignments": [[0, 1, "good"]]}, "'good' is none of aligned, partial"),
        ((), {"alignments": [[0, 0, "partial"]] * 2}, "one sentence pair is named twice"),
        ((), {"alignments": [[0, 0]]}, r"alignments\[0\]\[2\]: missing"),
        ((), {"alignments": [[True, False, "aligned"]]}, r"alignments\[0\]\[0\]: True should be"),
        ((), {"scores": [0.5]}, "scores: 1 numbers for 3 links"),
        ((), {"scores": ["a"] * 3}, r"scores\[0\]: 'a' should be"),
        ((), {"scores": {}}, "scores: a mapping should be"),
        ((), {"id": ""}, "id: '' should be a line"),
        ((), {"group": "a\r\nb"}, "group: a text of 4 characters should"),
        ((), {"corpus": "x\ud800"}, "half a character"),
        (("simple",), {"id": "a\x1b[2J"}, r"simple.id: 'a.x1b.2J' should be a line"),
    ],
)
def test_bad_pairs_are_named_with_their_line(
    tmp_path: Path, part: tuple[str, ...], value: dict[str, Any], message: str
) -> None:
    write_pairs(tmp_path / "good.jsonl", [PAIR])
    good = (tmp_path / "good.jsonl").read_text()
    row = json.loads(good)
    side = row[part[0]] if part else row
    side |= value
    text = json.dumps({key: item for key, item in row.items() if item is not ...})
    (tmp_path / "bad.jsonl").write_text(f"{good}{text}\n")
    with pytest.raises(InputError, match=rf"bad\.jsonl:2: .*{message}"):
        list(read_pairs(tmp_path / "bad.jsonl"))
