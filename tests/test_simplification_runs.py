"""What we read from fairseq's tools: generated sentences, training curves, failures."""

from pathlib import Path

import pytest

from textsimp.core.errors import InputError
from textsimp.simplification import fairseq_tools
from textsimp.simplification.interface import Epoch, Runtime

LINES = [
    "2026 | INFO | fairseq_cli.generate | loading",
    "S-2\ta b",
    "H-2\t-inf\tc d",
    "A-2\t7-0 5-1",
    "H-0\t1e-05\t",
    "H-1\t-0.25\te",
    "P-1\t-0.1 -0.2",
]


def test_hypotheses_are_sorted_whatever_their_score() -> None:
    found = fairseq_tools.parse_hypotheses(LINES, 3, "log")
    assert [item.tokens for item in found] == [(), ("e",), ("c", "d")]
    assert found[2].attended == {0: 7, 1: 5} and found[1].attended == {}


@pytest.mark.parametrize(
    ("lines", "sentences", "message"),
    [
        (LINES, 4, "3 outputs for 4 sentences; sentence 3"),
        (LINES, 2, "3 outputs for 2 sentences; sentence 2"),
        ([*LINES, "H-1\t-1\tagain"], 3, "log:8: sentence 1 appears twice"),
        (["H-0\tminus\ta"], 1, "log:1: damaged line"),
        (["H-0\t0\ta", "A-0\t1:2"], 1, "log:2: damaged line"),
    ],
)
def test_incomplete_output_is_an_error(lines: list[str], sentences: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        fairseq_tools.parse_hypotheses(lines, sentences, "log")


def test_curve_of_a_resumed_run(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    rows = [("valid", 1, "9.5"), ("train", 1, "10"), ("valid", 2, "8"), ("valid", 2, "8.25"), ("train", 2, "9")]
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
