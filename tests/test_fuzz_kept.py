"""Inputs that the fuzzer, the kills and the races found a fault with, made small; each names what it has to say."""

from collections.abc import Callable
from pathlib import Path

import pytest
from fuzzing import samples
from fuzzing.targets import read_format
from newsela_sample import run

from textsimp.core.errors import exit_on_bad_input

Damage = Callable[[Path], object]
DUMPS = "corpus wikipedia out --settings settings.yaml --workers 1 --simple simplewiki.xml --items items.sql --complex"
COMPARED = "evaluate-alignment gold.jsonl --predictions found.jsonl"
IMPORT = "human import key.json sheet1.csv sheet2.csv sheet3.csv --output out.csv"
EXPORT = "human export out --complex complex.txt --output old=old.LSTM.txt --settings settings.yaml"


def put(name: str, old: str, new: str) -> Damage:
    """Other text in the place of the first that is like `old`."""

    def damage(folder: Path) -> None:
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")

    return damage


def endless(name: str) -> Damage:
    """A device in a file's place."""

    def damage(folder: Path) -> None:
        (folder / name).unlink()
        (folder / name).symlink_to("/dev/zero")

    return damage


REFUSED = {
    "an endless file": (
        *(samples.documents, endless("pairs.jsonl"), "align pairs.jsonl out.jsonl"),
        "pairs.jsonl: is a device, not a file; give a file",
    ),
    "an endless dump": (samples.dumps, endless("enwiki.xml"), f"{DUMPS} enwiki.xml", "enwiki.xml: is "),
    "a changed gold file": (
        *(samples.documents, put("gold.jsonl", "The old", "The new"), COMPARED),
        "found.jsonl:1: document pair 'pair-0' differs from gold.jsonl's",
    ),
    "a changed key": (
        *(samples.human, put("key.json", '"id": "item-', '"id": "piece-'), IMPORT),
        "sheet1.csv:",
    ),
    "an element of no namespace in a dump": (
        *(samples.dumps, put("enwiki.xml", "<mediawiki xmlns=", "<mediawiki x:y="), f"{DUMPS} enwiki.xml"),
        "enwiki.xml: ",
    ),
    "a name that is too long": (
        *(samples.documents, lambda folder: None, f"align {'n' * 300} out.jsonl"),
        f"{'n' * 300}: ",
    ),
    "brackets without end": (
        lambda folder: samples.release("swipe", folder),
        *(put("raw/swipe/swipe_val.json", '"annotations": ', f'"annotations": {"[" * 100_000}'), "format swipe"),
        "raw/swipe/swipe_val.json: ",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_was_found_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    build, damage, command, said = REFUSED[name]
    monkeypatch.chdir(tmp_path)
    build(tmp_path)
    damage(tmp_path)
    assert status(tmp_path, monkeypatch, command) == 2
    printed = capfd.readouterr().err
    assert printed.startswith(f"error: {said}") and printed.count("\n") == 1, printed
    assert not (tmp_path / "out").exists() and not (tmp_path / "out.jsonl").exists()


def test_vectors_under_another_name_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    samples.vectors(tmp_path)
    (tmp_path / "link.txt").symlink_to("glove.txt")
    system = "--system average_alignment --dev gold.jsonl --vectors link.txt"
    assert status(tmp_path, monkeypatch, f"align pairs.jsonl out.jsonl {system}") == 0


def test_an_export_that_was_killed_behind_its_key_is_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    samples.human(tmp_path)
    assert status(tmp_path, monkeypatch, EXPORT) == 0
    for path in (tmp_path / "out").iterdir():
        path.unlink()
    (tmp_path / "out").rmdir()
    assert status(tmp_path, monkeypatch, EXPORT) == 0
    assert (tmp_path / "out" / "guidelines.txt").is_file()


def status(folder: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> int:
    """The exit status of a command, or of the reader of a format, in a folder."""
    if not command.startswith("format "):
        return run(monkeypatch, folder, "textsimp", *command.split())
    try:
        exit_on_bad_input(read_format)(command.removeprefix("format "))
    except SystemExit as end:
        return int(end.code or 0)
    return 0
