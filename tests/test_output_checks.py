"""The checks of outputs: wrong simplifications alarm by their kind, right ones do not."""

from pathlib import Path

import pytest

from benchmarks.output_checks import own_pairs
from textsimp.core.errors import InputError
from textsimp.simplification.checks import check_output, check_outputs

CASES = [line.split("\t") for line in Path(__file__).with_name("output_cases.tsv").read_text("utf-8").splitlines()]


@pytest.mark.parametrize(("kind", "complex", "simple"), CASES)
def test_wrong_outputs_alarm_and_right_ones_do_not(kind: str, complex: str, simple: str) -> None:
    kinds = {alarm.split()[0] for alarm in check_output(complex, simple).alarms}
    assert kind in kinds if kind != "-" else not kinds, kinds


def test_people_seldom_alarm() -> None:
    checks = check_outputs([pair for pair in own_pairs() if pair[0] != pair[1]][::3])
    assert sum(bool(check.alarms) for check in checks) <= 0.25 * len(checks)


def test_what_goes_with_its_clause_is_left_out() -> None:
    check = check_output("The bridge, which Otto Lang built in 1990, is old.", "There is a bridge.")
    assert not check.alarms and "number left out: 1990" in check.left_out


def test_outputs_without_words_and_copies() -> None:
    empty, copy, none = check_outputs([("The drug works.", ""), ("Bees  fly.", "Bees fly."), ("", "")])
    assert empty.alarms == ("empty output",) and copy.is_copy and not copy.alarms and not none.is_empty


def test_grades_and_lengths() -> None:
    check = check_output("The committee postponed the decision.", "The group put it off.")
    assert check.grade_after < check.grade_before and check.length_ratio == 1.0 and not check.is_copy


def test_another_language_is_refused() -> None:
    with pytest.raises(InputError, match="in English alone"):
        check_outputs([("Er ging nicht.", "Er ging.")], "de")


def test_a_long_word_and_a_long_text_take_no_time() -> None:
    text = " ".join(f"In 19{number % 90 + 10} it did not rain in Rome." for number in range(50))
    assert "number invented: 1811" in check_output(text, text.replace("1911", "1811")).alarms
    assert check_output("a" * 20_000 + " fell.", "It fell.").length_ratio == 1.0
