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
from textsimp.core.reading import git_blob_id, read_aligned, read_json, read_lines, read_text, sha256
from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link, read_pairs, write_pairs
from textsimp.core.writing import atomic_folder, write_json, write_lines, write_texts


def test_full_disk_leaves_the_previous_file_intact(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "out.json"
    write_json(path, {"a": 1})

    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(writing.os, "fsync", full)
    with pytest.raises(InputError, match="no space left"):
        write_json(path, {"a": 2})
    assert read_json(path) == {"a": 1}
    assert [item.name for item in tmp_path.iterdir()] == ["out.json"], "nothing half-written stays"


def test_failed_folder_leaves_the_previous_one(tmp_path: Path) -> None:
    with atomic_folder(tmp_path / "model", "weights") as folder:
        (folder / "weights").write_text("old")
    with pytest.raises(RuntimeError), atomic_folder(tmp_path / "model", "weights") as folder:
        (folder / "weights").write_text("new")
        raise RuntimeError
    assert (tmp_path / "model" / "weights").read_text() == "old"
    assert [item.name for item in tmp_path.iterdir()] == ["model"]


def test_full_disk_leaves_no_folder_of_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = Path.write_text

    def full(path: Path, *args: Any, **kwargs: Any) -> int:
        if path.name == "b":
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, *args, **kwargs)

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(InputError, match="sheets: no space left"), atomic_folder(tmp_path / "sheets", "a") as folder:
        write_texts(folder, [("a", "one\r\ntwo\n"), ("b", "three")])
    assert not any(tmp_path.iterdir())
    with atomic_folder(tmp_path / "sheets", "a") as folder:
        write_texts(folder, [("a", "one\r\ntwo\n")])
    assert (tmp_path / "sheets" / "a").read_bytes() == b"one\r\ntwo\n"


def test_lines_keep_other_unicode_breaks(tmp_path: Path) -> None:
    lines = ["one\u2028two", "three\x0bfour", "", "fünf\x85six"]
    write_lines(tmp_path / "a", lines)
    assert read_lines(tmp_path / "a") == lines
    (tmp_path / "b").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    assert read_lines(tmp_path / "b") == ["one", "two"]
    with pytest.raises(ValueError, match="line break"):
        write_lines(tmp_path / "c", ["one\ntwo"])


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"one\ntw\xe9o\n", r"bad:2: byte 0xe9 is not UTF-8"), (b"one\n\n\0\n", r"bad:3: holds a NUL byte")],
)
def test_damaged_text_is_named_with_its_line(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "bad").write_bytes(data)
    with pytest.raises(InputError, match=message):
        read_text(tmp_path / "bad")


def test_a_device_that_never_ends_is_refused(tmp_path: Path) -> None:
    (tmp_path / "endless").symlink_to("/dev/zero")
    with pytest.raises(InputError, match="endless: is a device, not a file"):
        read_text(tmp_path / "endless")
    assert read_text("/dev/null") == ""


def test_marks_of_finished_work_are_removed_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "work" / "inner").mkdir(parents=True)
    for name in ("work/a", "work/inner/done", "work/z.jsonl"):
        (tmp_path / name).touch()
    monkeypatch.setattr(writing.shutil, "rmtree", lambda path: None)
    writing.remove(tmp_path / "work", "done", "*.jsonl")
    assert [path.name for path in (tmp_path / "work").rglob("*") if path.is_file()] == ["a"]


def test_line_counts_must_agree(tmp_path: Path) -> None:
    write_lines(tmp_path / "a", ["1", "2", "3"])
    write_lines(tmp_path / "b", ["1", "2"])
    with pytest.raises(InputError, match=r"b:3: 2 lines where .*a has 3"):
        read_aligned([tmp_path / "a", tmp_path / "b"])


@pytest.mark.parametrize(
    ("closed", "arguments", "status", "said"),
    [
        ("<&-", "score --complex - --output easy", 2, "error: -: standard input is closed"),
        (">&-", "score --complex easy --output easy --samples 1", 2, "error: standard output is closed"),
        (">&-", "pair easy easy -", 2, "error: -: bad file descriptor"),
        ("<&- >&-", "pair easy easy out", 0, "out: 1 document pair"),
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
    ("change", "message"),
    [
        (lambda row: row.pop("group"), "group: missing"),
        (lambda row: row["simple"].update(level="1"), "simple.level: '1' should be"),
        (lambda row: row["simple"].update(paragraphs=[]), "simple.paragraphs: a list should"),
        (lambda row: row["simple"].update(paragraphs=[[]]), r"simple.paragraphs\[0\]: a list should"),
        (
            lambda row: row["complex"].update(paragraphs=[[" "]]),
            r"complex.paragraphs\[0\]\[0\]: a text of 1 characters should be a sentence",
        ),
        (lambda row: row["alignments"].append([0, 3, "aligned"]), "complex sentence 3; .* sentences 0 to 2"),
        (lambda row: row["alignments"].append([-1, 0, "aligned"]), "simple sentence -1"),
        (lambda row: row["alignments"].append([0, 1, "good"]), "'good' is none of aligned, partial"),
        (lambda row: row["alignments"].append([0, 0, "partial"]), "one sentence pair is named twice"),
        (lambda row: row["alignments"].append([0, 0]), r"alignments\[3\]\[2\]: missing"),
        (lambda row: row["alignments"].append([True, False, "aligned"]), r"alignments\[3\]\[0\]: True should be"),
        (lambda row: row.update(id=""), "id: '' should be a line"),
        (lambda row: row.update(id="a\tb"), "id: a text of 3 characters should be a line"),
        (lambda row: row.update(group="a\r\nb"), "group: a text of 4 characters should"),
        (lambda row: row.update(corpus="\u2028"), "corpus: .* should be a line"),
        (lambda row: row.update(corpus="x\ud800"), "half a character"),
        (lambda row: row["simple"].update(id="a\x1b[2J"), r"simple.id: 'a.x1b.2J' should be a line"),
        (
            lambda row: row["simple"].update(level=10**18),
            "level: 1000000000000000000 should be less than or equal to 1000",
        ),
        (lambda row: row["complex"].update(level=-1), "complex.level: -1 should be"),
        (
            lambda row: row["complex"]["paragraphs"][0].append("a\0b"),
            "should be a sentence: neither empty nor with NUL",
        ),
    ],
)
def test_bad_pairs_are_named_with_their_line(tmp_path: Path, change, message: str) -> None:
    write_pairs(tmp_path / "good.jsonl", [PAIR])
    row = json.loads((tmp_path / "good.jsonl").read_text())
    change(row)
    (tmp_path / "bad.jsonl").write_text((tmp_path / "good.jsonl").read_text() + json.dumps(row) + "\n")
    with pytest.raises(InputError, match=rf"bad\.jsonl:2: .*{message}"):
        list(read_pairs(tmp_path / "bad.jsonl"))


def test_a_line_that_is_no_json(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"id": \n')
    with pytest.raises(InputError, match=r"bad\.jsonl:1: not JSON"):
        list(read_pairs(tmp_path / "bad.jsonl"))
