"""The command `textsimp leaderboard`, and the leaderboard of the released files where a mirror of them is there."""

import operator
from dataclasses import replace
from pathlib import Path

import pytest
from leaderboard_sample import BOARD, LINES, RESAMPLING, write_releases
from typer.testing import CliRunner

from textsimp.cli import command as options
from textsimp.cli import leaderboard_command as command
from textsimp.cli.app import app
from textsimp.core.params import from_conf
from textsimp.core.reading import read_lines
from textsimp.core.results import Resampling, Results
from textsimp.core.writing import write_lines
from textsimp.evaluation.leaderboard import LeaderboardConfig, add_leaderboard
from textsimp.metrics.sari import VARIANTS
from textsimp.metrics.tokens import in_form
from textsimp.sources.config import SourcesConfig


@pytest.fixture
def raw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Invented releases, of which the command is told in place of conf/'s."""
    monkeypatch.setattr(command, "from_conf", lambda section, kind, *overrides: BOARD)
    monkeypatch.setattr(options, "from_conf", lambda section, kind, *overrides: RESAMPLING)
    monkeypatch.chdir(tmp_path)
    return write_releases(tmp_path / "raw")


def run(*arguments: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["leaderboard", *map(str, arguments)])
    return result.exit_code, result.stdout, result.stderr


def test_her_row_among_all(raw: Path, tmp_path: Path) -> None:
    write_lines(tmp_path / "mine.txt", read_lines(raw / "outputs" / "best.txt"))
    code, text, _ = run("--output", "mine.txt", "--releases", raw)
    lines = text.splitlines()
    assert code == 0 and lines[0] == "TURK: 24 sentences, 3 references"
    marked = [line for line in lines if line.startswith(">")]
    assert len(marked) == 1 and marked[0].split()[1] == "mine" and "(1)" in marked[0]
    assert sum("(" in line and line.startswith("   ") for line in lines) == 4, "the other rows"
    assert "sari: beats Complex (input), Middle, Worst; loses to none" in lines
    assert [line.split()[0] for line in lines if "1 of 5" in line] == list(VARIANTS)
    assert "sari: SARI|level:sentence|del:precision|tok:none|case:lc|nrefs:3|version:1" in lines
    assert lines[-1].endswith("each corrected for 10 pairs (Holm)")


def test_a_name_that_a_released_system_has(raw: Path, tmp_path: Path) -> None:
    write_lines(tmp_path / "mine.txt", read_lines(raw / "outputs" / "best.txt"))
    code, text, _ = run("--output", "mine.txt", "--name", "Worst", "--releases", raw)
    assert code == 0 and "None" not in text
    assert "sari: beats Complex (input), Middle, Worst (A 2020); loses to none" in text.splitlines()
    assert [line.split()[1:3] for line in text.splitlines() if line.startswith(">")] == [["Worst", "(yours)"]]


def test_several_outputs_with_names_as_json(raw: Path, tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        write_lines(tmp_path / name, read_lines(raw / "outputs" / "worst.txt"))
    named = ("--output", "a.txt", "b.txt", "--name", "One", "Two")
    code, text, _ = run(*named, "--releases", raw, "--seed", "3", "--json")
    (tmp_path / "results.json").write_text(text)
    results = Results.read(tmp_path / "results.json")
    assert code == 0 and {"One", "Two", "best"} < set(results.systems("turk"))
    assert results.resampling == Resampling(1000, 3) and results.notes["alpha"] == "0.05"
    assert results.compared("turk", "sari", "One", "Two").difference == 0


def test_a_cased_output_is_told_of_the_form(raw: Path, tmp_path: Path) -> None:
    write_lines(tmp_path / "cased.txt", [line.capitalize() for line in read_lines(raw / "outputs" / "best.txt")])
    code, _, said = run("--output", "cased.txt", "--releases", raw)
    assert code == 0 and "note: cased: 24 of 24 lines are not lower-case Treebank tokens" in said
    code, text, said = run("--output", "cased.txt", "--releases", raw, "--form", "treebank")
    assert code == 0 and said.startswith("turk: 1 of your outputs among 4 systems in ") and "|text:ptb-lc|" in text
    assert run("--output", "cased.txt", "--releases", raw, "--test-set", "asset")[2].startswith("asset: 1 ")


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
        (["--output", "ok.txt", "--samples", "0"], "'--samples': Input should be greater than or equal to 1"),
    ],
)
def test_bad_input_is_one_line(raw: Path, tmp_path: Path, arguments: list[str], said: str) -> None:
    write_lines(tmp_path / "short.txt", ["a"] * 3)
    write_lines(tmp_path / "ok.txt", ["a"] * LINES)
    code, text, error = run(*arguments, "--releases", raw)
    assert code == 2 and text == "" and said in error
    assert error.startswith("error: ") and error.count("\n") == 1


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
    write_lines("mine.txt", read_lines(mirror / "released_outputs" / "Dress.lower.txt"))
    first = run("--output", "mine.txt", "--mirror", mirror, "--json")
    assert first[0] == 0
    raw = tmp_path / "cache" / "textsimp" / "releases"
    assert {path.name for path in raw.iterdir()} == {"turk", "released_outputs", "jiang2020_outputs", "provenance"}
    assert run("--output", "mine.txt", "--json")[:2] == first[:2]
    assert not (tmp_path / "data").exists()


@pytest.fixture(scope="module")
def released(mirror: Path) -> Results:
    """TURK with every system of conf/leaderboard; few resamples, which change no score."""
    board, results = from_conf("leaderboard", LeaderboardConfig, "experiment=published"), Results()
    add_leaderboard(results, mirror, "turk", {}, board, 80, Resampling(3000, 1))
    return results


def test_what_docs_say_of_turk(released: Results) -> None:
    """Sixteen outputs and the input; one system leads by every variant but one, and two contradict each other."""
    assert len(released.systems("turk")) == 16 + 1 + 1, "and the references"
    assert [m for m in VARIANTS if released.value("turk", "access", f"{m}.rank") > 1] == ["sari_evaluate"]
    ranks = [released.value("turk", name, "sari_evaluate.rank") for name in ("identity", "enc_dec_a")]
    assert ranks == [1, 2]
    light = [released.compared("turk", metric, "dress", "light_ls") for metric in ("sari", "sari_corpus")]
    assert light[0].difference < 0 < light[1].difference and all(tests.p_holm < 0.05 for tests in light)


def test_what_docs_say_of_asset(mirror: Path) -> None:
    """The same sentences as TURK's once they have its form; as released, the cased variant puts the input first."""
    lines = read_lines(mirror / "asset" / "asset.test.orig")
    tokens = read_lines(mirror / "turk" / "test.8turkers.tok.norm")
    assert sum(map(operator.eq, in_form(lines, "treebank"), tokens)) == 351
    board = from_conf("leaderboard", LeaderboardConfig, "experiment=published")
    few = replace(board, systems={key: board.systems[key] for key in ("access", "dress", "enc_dec_a")})
    found = []
    for form in ("released", None):
        results = Results()
        add_leaderboard(results, mirror, "asset", {}, few, 80, Resampling(200, 1), form)
        identity = results.measures("asset", "identity")
        found.append((identity["sari_corpus_legacy.rank"].value, identity["sari_corpus_legacy"].value))
    assert found == [(1, pytest.approx(44.03, abs=0.01)), (4, pytest.approx(21.80, abs=0.01))]
