"""Inputs that the fuzzer, the kills and the races found a fault with, made small; each names what it has to say."""

from collections.abc import Callable
from pathlib import Path

import pytest
from fuzzing import release_samples, samples, targets
from newsela_sample import run

Damage = Callable[[Path], object]
DUMPS = (
    "extract-wikipedia out --settings settings.yaml --workers 1 --simple simple.xml --items items.sql --complex en.xml"
)
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
        *(samples.write_documents, endless("pairs.jsonl"), "align pairs.jsonl out.jsonl"),
        "pairs.jsonl: is a device, not a file; give a file",
    ),
    "an endless dump": (samples.write_dumps, endless("en.xml"), DUMPS, "en.xml: is "),
    "a changed gold file": (
        *(samples.write_documents, put("gold.jsonl", "The old", "The new"), COMPARED),
        "found.jsonl:1: document pair 'pair-0' differs from gold.jsonl's",
    ),
    "a changed key": (
        *(samples.write_human, put("key.json", '"id": "item-', '"id": "piece-'), IMPORT),
        "sheet1.csv:",
    ),
    "an element of no namespace in a dump": (
        *(samples.write_dumps, put("en.xml", "<mediawiki xmlns=", "<mediawiki x:y="), DUMPS),
        "en.xml: ",
    ),
    "a name that is too long": (
        *(samples.write_documents, lambda folder: None, f"align {'n' * 300} out.jsonl"),
        f"{'n' * 300}: ",
    ),
    "brackets without end": (
        *(lambda folder: targets.raw(release_samples.WRITERS["swipe"], folder),),
        *(put("raw/swipe/swipe_val.json", '"annotations": ', f'"annotations": {"[" * 100_000}'), "reader format swipe"),
        "raw/swipe/swipe_val.json: ",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_was_found_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    build, damage, command, said = REFUSED[name]
    build(tmp_path)
    damage(tmp_path)
    assert status(tmp_path, monkeypatch, command) == 2
    printed = capfd.readouterr().err
    assert printed.startswith(f"error: {said}") and printed.count("\n") == 1, printed
    assert not (tmp_path / "out").exists() and not (tmp_path / "out.jsonl").exists()


def test_vectors_under_another_name_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    samples.write_vectors(tmp_path)
    (tmp_path / "link.txt").symlink_to("glove.txt")
    system = "--system average_alignment --dev gold.jsonl --vectors link.txt"
    assert status(tmp_path, monkeypatch, f"align pairs.jsonl out.jsonl {system}") == 0


def test_an_export_that_was_killed_behind_its_key_is_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples.write_texts_to_rate(tmp_path)
    assert status(tmp_path, monkeypatch, EXPORT) == 0
    for path in (tmp_path / "out").iterdir():
        path.unlink()
    (tmp_path / "out").rmdir()
    assert status(tmp_path, monkeypatch, EXPORT) == 0
    assert (tmp_path / "out" / "guidelines.txt").is_file()


def status(folder: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> int:
    """The exit status of a command or a reader in a folder."""
    if command.startswith("reader"):
        monkeypatch.chdir(folder)
        return targets.execute(tuple(command.split()))
    return run(monkeypatch, folder, "textsimp", *command.split())
