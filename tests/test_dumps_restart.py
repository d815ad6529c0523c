"""Extractions that are stopped or killed, and go on."""

import contextlib
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from dumps_sample import CONFIG, contents, extract, pairs, small_pieces, write_block_or_die, write_dumps

from textsimp.core.errors import InputError
from textsimp.core.pool import KilledError
from textsimp.core.writing import partial_place
from textsimp.extras.wikidump import extraction

__all__ = ["small_pieces"]  # the fixture; no test calls it

KILL = """
import sys
from pathlib import Path
sys.path[:0] = {paths!r}
from dumps_sample import CONFIG, {write}, write_dumps
from textsimp.extras.wikidump import extraction
if __name__ == "__main__":
    extraction.BLOCK, extraction.write_block = 2, {write}
    extraction.extract_wikipedia(write_dumps(Path({folder!r}) / "in"), Path({folder!r}) / "out", CONFIG, {workers})
"""


def program(folder: Path, write: str, workers: int) -> str:
    """A program that extracts the sample's dumps with another `write_block`."""
    paths = [str(Path(__file__).parent), str(Path(extraction.__file__).parents[3])]
    return KILL.format(paths=paths, folder=str(folder), write=write, workers=workers)


def test_a_killed_run_goes_on(tmp_path: Path, small_pieces: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed in the third of four blocks: the run after it reads no dump and writes the two blocks that are missing."""
    files = write_dumps(tmp_path / "in")
    killed = subprocess.run(
        [sys.executable, "-c", program(tmp_path, "write_block_or_die", 1)], capture_output=True, text=True, check=False
    )
    assert killed.returncode == -9, killed.stderr
    work = partial_place(tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert sorted(path.name for path in (work / "blocks").glob("[0-9]*.jsonl")) == ["0000000.jsonl", "0000001.jsonl"]
    done: list[str] = []
    write = extraction.write_block
    monkeypatch.setattr(extraction, "write_block", lambda task: (done.append(task.block.stem), write(task)))
    monkeypatch.setattr(extraction, "scan_dump", _never)
    extract(files, tmp_path / "out")
    assert done == ["0000002", "0000003"]
    monkeypatch.undo()
    extract(files, tmp_path / "whole")
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")
    assert not work.exists()


def cut(work: Path, pattern: str) -> None:
    """Halve the first file that fits."""
    path = min(work.glob(pattern))
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def exchange_texts(work: Path) -> None:
    """Texts of pages that do not decompress."""
    for path in work.glob("parts/*.sqlite"):
        with contextlib.closing(sqlite3.connect(path)) as part:
            part.execute("UPDATE page SET text = x'00' WHERE text IS NOT NULL")
            part.commit()


DAMAGES: dict[str, Callable[[Path], None]] = {
    "half a part": lambda work: cut(work, "parts/*.sqlite"),
    "no parts": lambda work: shutil.rmtree(work / "parts"),
    "texts that do not decompress": exchange_texts,
    "half a block": lambda work: cut(work, "blocks/*.jsonl"),
    "half the counts": lambda work: cut(work, "blocks/*.json"),
    "half the inputs": lambda work: cut(work, "inputs.json"),
    "files that were being written": lambda work: (work / "blocks" / ".0000009.jsonl.textsimp-tmp").write_text("{"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_unfinished_work_never_stops_the_next_run(tmp_path: Path, small_pieces: None, damage: str) -> None:
    files, calls = write_dumps(tmp_path / "in"), []

    def stop(task: extraction.BlockTask) -> None:
        calls.append(task)
        if len(calls) > 2:
            raise KeyboardInterrupt
        write(task)

    write = extraction.write_block
    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(extraction, "write_block", stop)
        extract(files, tmp_path / "out")
    DAMAGES[damage](partial_place(tmp_path / "out"))
    extract(files, tmp_path / "out")
    extract(files, tmp_path / "whole")
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out", "whole"]


def test_two_extractions_into_one_folder(tmp_path: Path, small_pieces: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second is refused while the first works, which is not disturbed."""
    files, said = write_dumps(tmp_path / "in"), []
    choose = extraction.pairing.choose_wanted

    def meanwhile(index: sqlite3.Connection) -> None:
        with pytest.raises(InputError) as caught:
            extract(files, tmp_path / "out")
        said.append(str(caught.value))
        choose(index)

    monkeypatch.setattr(extraction.pairing, "choose_wanted", meanwhile)
    extract(files, tmp_path / "out")
    assert len(said) == 1 and "another run is at work on it; wait for its end" in said[0]
    assert len(pairs(tmp_path / "out")) == 8


def _never(task: object) -> None:
    raise AssertionError(f"done again: {task}")


def test_a_killed_worker_is_one_line_and_the_next_run_goes_on(
    tmp_path: Path, small_pieces: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = write_dumps(tmp_path / "in")
    with monkeypatch.context() as patch:
        patch.setattr(extraction, "write_block", write_block_or_die)
        with pytest.raises(KilledError, match="killed 3 times, often for memory; .*run again to go on"):
            extract(files, tmp_path / "out", workers=2)
    assert partial_place(tmp_path / "out").is_dir() and not (tmp_path / "out").exists()
    monkeypatch.setattr(extraction, "scan_dump", _never)
    extract(files, tmp_path / "out", workers=2)
    assert len(pairs(tmp_path / "out")) == 8


def test_unfinished_work_of_other_settings_is_not_used(tmp_path: Path, small_pieces: None, monkeypatch) -> None:
    files = write_dumps(tmp_path / "in")
    with monkeypatch.context() as patch, pytest.raises(ZeroDivisionError):
        patch.setattr(extraction, "write_block", lambda task: 1 // 0)
        extract(files, tmp_path / "out", replace(CONFIG, min_tokens=6))
    extract(files, tmp_path / "out")
    extract(files, tmp_path / "whole")
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")
