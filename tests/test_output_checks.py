"""The checks of outputs: wrong simplifications alarm by their kind, right ones do not."""

from pathlib import Path

import pytest

from textsimp.simplification.checks import check_output

CASES = [line.split("\t") for line in Path(__file__).with_name("output_cases.tsv").read_text("utf-8").splitlines()]


@pytest.mark.parametrize(("kind", "complex", "simple"), CASES)
def test_wrong_outputs_alarm_and_right_ones_do_not(kind: str, complex: str, simple: str) -> None:
    alarms = check_output(complex, simple).alarms
    assert kind in {alarm.split()[0] for alarm in alarms} if kind != "-" else not alarms, alarms
