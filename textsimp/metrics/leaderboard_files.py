"""The leaderboard of released files: test sets and outputs as `acquire` leaves them, and outputs of the user's own."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from textsimp.errors import bad_input
from textsimp.metrics.leaderboard import Entry, leaderboard
from textsimp.metrics.leaderboard_config import IDENTITY, LeaderboardConfig
from textsimp.metrics.simplification import EvaluationConfig, EvaluationSet, read_output, read_test_set

SUBMISSION = "submission"
_SUFFIX = ".txt"


def released_leaderboard(
    raw: Path, submissions: Path | None, board: LeaderboardConfig, config: EvaluationConfig
) -> dict[str, Any]:
    """The leaderboard of every test set of the configuration.

    Args:
        raw: the folder of the releases.
        submissions: a folder with `TEST_SET/NAME.txt`, outputs of the user's own; None for none.
        board: test sets and systems.
        config: section `evaluation`.

    Returns:
        `{"test_sets": {NAME: leaderboard.leaderboard(...) with its "title"}, "resampling", "alpha"}`.

    Raises:
        InputError: an absent file, a line too many or too few, or a submission that no test set or row is for.
    """
    mine = {name: submitted(submissions, name) for name in board.test_sets}
    if submissions is not None:
        _no_others(submissions, board)
    boards = {name: one_leaderboard(raw, name, mine[name], board, config) for name in board.test_sets}
    return {"test_sets": boards, "resampling": config.resampling.as_dict(), "alpha": board.alpha}


def one_leaderboard(
    raw: Path,
    name: str,
    submissions: Mapping[str, Path],
    board: LeaderboardConfig,
    config: EvaluationConfig,
    form: str | None = None,
) -> dict[str, Any]:
    """The leaderboard of one test set, with submissions by name; `form` in place of the configured one where given."""
    described = board.test_set(name)
    test = read_test_set(raw / described.complex, _references(raw / described.references))
    entries = {IDENTITY: Entry(test.complex, "Complex (input)", IDENTITY)}
    for key, system in board.systems.items():
        lines = read_output(raw / system.output, test)
        entries[key] = Entry(lines, system.name, "released", system.paper, system.released_with, system.trained_on)
    for key, path in submissions.items():
        if key in entries:
            raise bad_input(path, None, f"{key!r} is a row of the leaderboard already", "give it another name")
        entries[key] = Entry(_submission(path, test), key, SUBMISSION)
    found = leaderboard(test, entries, form or described.form, config, board)
    return {"title": described.title, **found}


def submitted(folder: Path | None, test_set: str) -> dict[str, Path]:
    """The user's outputs for a test set, by name: the files `TEST_SET/NAME.txt` of the folder."""
    return {path.stem: path for path in sorted((folder / test_set).glob(f"*{_SUFFIX}"))} if folder else {}


def released_folders(board: LeaderboardConfig, test_set: str) -> list[str]:
    """The folders of the releases that the leaderboard of a test set reads, each once."""
    described = board.test_set(test_set)
    files = (described.complex, described.references, *(system.output for system in board.systems.values()))
    return list(dict.fromkeys(file.partition("/")[0] for file in files))


def _no_others(folder: Path, board: LeaderboardConfig) -> None:
    """Refuse what would be passed over: a folder of no test set, a file of another kind."""
    if not folder.is_dir():
        raise bad_input(folder, None, "no such folder", "make it, with a folder for each test set")
    for path in sorted(folder.rglob("*")):
        place = path.relative_to(folder).parts
        known = place[0] in board.test_sets and (path.is_dir() if len(place) == 1 else path.suffix == _SUFFIX)
        if not known and path.name != "README.md" and not path.name.startswith("."):
            names = ", ".join(sorted(board.test_sets))
            what = "neither a folder of a test set nor a file in one"
            raise bad_input(path, None, what, f"outputs go to TEST_SET/NAME{_SUFFIX}; the test sets are {names}")


def _submission(path: Path, test: EvaluationSet) -> Sequence[str]:
    lines = read_output(path, test)
    if not any(line.strip() for line in lines):
        raise bad_input(path, None, "has nothing but empty lines", "give the output of a system")
    return lines


def _references(prefix: Path) -> list[Path]:
    """The files PREFIX0, PREFIX1, ...; `InputError` where there is none or a gap."""
    found = {path.name.removeprefix(prefix.name): path for path in prefix.parent.glob(f"{prefix.name}*")}
    numbers = [str(number) for number in range(len(found))]
    if not found or set(found) != set(numbers):
        raise bad_input(f"{prefix}*", None, f"references {sorted(found)}, not 0, 1, ...", "fetch the release again")
    return [found[number] for number in numbers]
