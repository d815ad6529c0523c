"""What we read from fairseq's tools: training curves, failures."""

from pathlib import Path

import pytest

from textsimp.core.errors import InputError
from textsimp.simplification import fairseq_tools
from textsimp.simplification.interface import Epoch, Runtime


def test_curve_of_a_resumed_run(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    rows = [("valid", 1, "9.5"), ("train", 1, "10"), ("valid", 2, "8"), ("valid", 2, "8.25"), ("train", 2, "9")]
    rows.append(("valid", 3, "7"))  # killed before the other one
    log.write_text(
        "noise\n" + "".join(f'2026 | INFO | {kind} | {{"epoch": {n}, "{kind}_loss": "{x}"}}\n' for kind, n, x in rows)
    )
    assert fairseq_tools.parse_curve(log) == [Epoch(1, 10.0, 9.5), Epoch(2, 9.0, 8.25)]
    log.write_text("nothing\n")
    with pytest.raises(InputError, match="no complete epoch"):
        fairseq_tools.parse_curve(log)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("import sys; print('error: x.pt: other encoder', file=sys.stderr); sys.exit(2)", "^x.pt: other encoder$"),
        ("raise RuntimeError('boom')", "^fairseq-train ended with status 1: RuntimeError: boom$"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "ended with status -9: no message"),
    ],
)
def test_a_failed_process_is_one_line(
    program: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "stand_in.py").write_text(program)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(fairseq_tools, "ENTRY", "stand_in")
    with pytest.raises(InputError, match=message):
        fairseq_tools._run("train", [], tmp_path / "log", Runtime("cpu", 1))
