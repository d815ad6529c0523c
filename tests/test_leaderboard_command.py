"""The command `textsimp leaderboard`, and the leaderboard of the released files where a mirror of them is there."""

from dataclasses import replace
from pathlib import Path

import pytest
from commands import done, refused, run
from leaderboard_sample import LINES

from textsimp.cli import command as options
from textsimp.cli import leaderboard_command as command
from textsimp.core.params import from_conf
from textsimp.core.reading import read_lines
from textsimp.core.results import Resampling, Results
from textsimp.core.writing import write_lines
from textsimp.evaluation.leaderboard import LeaderboardConfig
from textsimp.metrics.sari import VARIANTS
from textsimp.sources.config import SourcesConfig


def test_her_row_among_all(releases: Path, tmp_path: Path) -> None:
    write_lines(tmp_path / "mine.txt", read_lines(releases / "outputs" / "best.txt"))
    lines = done("leaderboard", "--output", "mine.txt", "--releases", releases).stdout.splitlines()
    assert lines[0] == "TURK: 24 sentences, 3 references"
    marked = [line for line in lines if line.startswith(">")]
    assert len(marked) == 1 and marked[0].split()[1] == "mine" and "(1)" in marked[0]
    assert sum("(" in line and line.startswith("   ") for line in lines) == 4, "the other rows"
    assert "sari: beats Complex (input), Middle, Worst; loses to none" in lines
    assert [line.split()[0] for line in lines if "1 of 5" in line] == list(VARIANTS)
    assert "sari: SARI|level:sentence|del:precision|tok:none|case:lc|nrefs:3|version:1" in lines
    assert lines[-1].endswith("each corrected for 10 pairs (Holm)")
    # a name that a released system has
    lines = done("leaderboard", "--output", "mine.txt", "--name", "Worst", "--releases", releases).stdout.splitlines()
    assert "sari: beats Complex (input), Middle, Worst (A 2020); loses to none" in lines
    assert [line.split()[1:3] for line in lines if line.startswith(">")] == [["Worst", "(yours)"]]


def test_several_outputs_with_names_as_json(releases: Path, tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        write_lines(tmp_path / name, read_lines(releases / "outputs" / "worst.txt"))
    named = ("--output", "a.txt", "b.txt", "--name", "One", "Two")
    text = done("leaderboard", *named, "--releases", releases, "--seed", 3, "--json").stdout
    (tmp_path / "results.json").write_text(text)
    results = Results.read(tmp_path / "results.json")
    assert {"One", "Two", "best"} < set(results.systems("turk"))
    assert results.resampling == Resampling(1000, 3) and results.notes["alpha"] == "0.05"
    assert results.compared("turk", "sari", "One", "Two").difference == 0


def test_a_cased_output_is_told_of_the_form(releases: Path, tmp_path: Path) -> None:
    write_lines(tmp_path / "cased.txt", [line.capitalize() for line in read_lines(releases / "outputs" / "best.txt")])
    given = ("leaderboard", "--output", "cased.txt", "--releases", releases)
    assert "note: cased: 24 of 24 lines are not lower-case Treebank tokens" in done(*given).stderr
    formed = done(*given, "--form", "treebank")
    assert formed.stderr.startswith("turk: 1 of your outputs among 4 systems in ") and "|text:ptb-lc|" in formed.stdout
    assert done(*given, "--test-set", "asset").stderr.startswith("asset: 1 ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--output", "short.txt"], "short.txt:4: 3 lines where "),
        (["--output", "none.txt"], "none.txt: no such file"),
        (["--output", "ok.txt", "ok.txt"], "--name 'ok': names of rows are distinct"),
        (["--output", "ok.txt", "--name", "a", "b"], "--name: 2 names for 1 outputs"),
        (["--output", "ok.txt", "--name", "best"], "'best' is a row of the leaderboard already"),
        (["--output", "ok.txt", "--test-set", "newsela"], "--test-set 'newsela': none of asset, turk"),
        (["--output", "ok.txt", "--form", "x"], "--form 'x': none of released, treebank"),
        (["--output", "ok.txt", "--form", "characters"], "--form 'characters': none of released, treebank"),
        (["--output", "ok.txt", "--samples", "199"], "too few to tell 10 pairs apart; give 200 at least"),
        (["--output", "ok.txt", "--samples", "0"], "'--samples': Input should be greater than or equal to 1"),
    ],
)
def test_bad_input_is_one_line(releases: Path, tmp_path: Path, arguments: list[str], said: str) -> None:
    write_lines(tmp_path / "short.txt", ["a"] * 3)
    write_lines(tmp_path / "ok.txt", ["a"] * LINES)
    refused(run("leaderboard", *arguments, "--releases", releases), said)


def test_it_fetches_what_is_not_there(mirror: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the mirror to the user's cache, the releases of one test set only; then no mirror is needed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    board = from_conf("leaderboard", LeaderboardConfig, "experiment=published")
    some = {key: board.systems[key] for key in ("access", "lstm.new_train")}
    small = {"leaderboard": replace(board, systems=some)}
    monkeypatch.setattr(options, "from_conf", lambda section, kind, *_: Resampling(200, 1))
    sources = from_conf("sources", SourcesConfig, "experiment=published")
    monkeypatch.setattr(command, "from_conf", lambda section, kind, *_: small.get(section, sources))
    monkeypatch.setattr("textsimp.evaluation.leaderboard._add_kinds", lambda *_: None)  # slow, and of no file
    write_lines("mine.txt", read_lines(mirror / "released_outputs" / "Dress.lower.txt"))
    first = done("leaderboard", "--output", "mine.txt", "--mirror", mirror, "--json")
    releases = tmp_path / "cache" / "textsimp" / "releases"
    assert {path.name for path in releases.iterdir()} == {"turk", "released_outputs", "jiang2020_outputs", "provenance"}
    assert done("leaderboard", "--output", "mine.txt", "--json").stdout == first.stdout
    assert not (tmp_path / "data").exists()
