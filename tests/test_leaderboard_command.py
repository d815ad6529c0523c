"""The command `textsimp leaderboard`, and the leaderboard of the released files where a mirror of them is there."""

import json
import operator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from leaderboard_sample import BOARD, CONFIG, LINES, write_releases
from test_metrics_golden import FKGL, GOLDEN, QUALITY
from typer.testing import CliRunner

from textsimp.cli import leaderboard as command
from textsimp.cli.app import app
from textsimp.metrics.leaderboard_config import LeaderboardConfig
from textsimp.metrics.leaderboard_files import one_leaderboard
from textsimp.metrics.leaderboard_tests import VARIANTS
from textsimp.metrics.quality import ESTIMATES
from textsimp.metrics.sari import OPERATIONS
from textsimp.metrics.simplification import EvaluationConfig
from textsimp.metrics.text_form import in_form
from textsimp.params import from_conf
from textsimp.sources.config import SourcesConfig
from textsimp.textfiles import read_lines, write_lines

FILES = {"identity": "turk/test.8turkers.tok.norm"}


@pytest.fixture
def raw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Invented releases, of which the command is told in place of conf/'s."""
    invented = {"leaderboard": BOARD, "evaluation": CONFIG}
    monkeypatch.setattr(command, "from_conf", lambda section, kind, *overrides: invented[section])
    monkeypatch.chdir(tmp_path)
    return write_releases(tmp_path / "raw")


def run(*arguments: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["leaderboard", *map(str, arguments)])
    return result.exit_code, result.stdout, result.stderr


def test_her_row_among_all(raw: Path, tmp_path: Path) -> None:
    write_lines(tmp_path / "mine.txt", read_lines(raw / "outputs" / "best.txt"))
    code, text, _ = run("--output", "mine.txt", "--raw", raw)
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
    code, text, _ = run("--output", "mine.txt", "--name", "Worst", "--raw", raw)
    assert code == 0 and "None" not in text
    assert "sari: beats Complex (input), Middle, Worst (A 2020); loses to none" in text.splitlines()
    assert [line.split()[1:3] for line in text.splitlines() if line.startswith(">")] == [["Worst", "(yours)"]]


def test_several_outputs_with_names_as_json(raw: Path, tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        write_lines(tmp_path / name, read_lines(raw / "outputs" / "worst.txt"))
    code, text, _ = run("--output", "a.txt", "b.txt", "--name", "One", "Two", "--raw", raw, "--seed", "3", "--json")
    found = json.loads(text)
    assert code == 0 and {"One", "Two", "best"} < set(found["systems"])
    assert found["systems"]["One"]["kind"] == "submission"
    assert found["resampling"] == {"samples": 1000, "seed": 3, "confidence": 95} and found["alpha"] == 0.05
    assert found["pairs"]["sari"]["One"]["Two"]["difference"] == 0


def test_a_cased_output_is_told_of_the_form(raw: Path, tmp_path: Path) -> None:
    write_lines(tmp_path / "cased.txt", [line.capitalize() for line in read_lines(raw / "outputs" / "best.txt")])
    code, _, said = run("--output", "cased.txt", "--raw", raw)
    assert code == 0 and "note: cased: 24 of 24 lines are not lower-case Treebank tokens" in said
    code, text, said = run("--output", "cased.txt", "--raw", raw, "--form", "treebank")
    assert code == 0 and said == "" and "|text:ptb-lc|" in text
    assert run("--output", "cased.txt", "--raw", raw, "--test-set", "asset")[2] == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--output", "short.txt"], "short.txt:4: 3 lines where "),
        (["--output", "none.txt"], "none.txt: no such file"),
        (["--output", "ok.txt", "ok.txt"], "--name 'ok': names of rows are distinct"),
        (["--output", "ok.txt", "--name", "a", "b"], "--name: 2 names for 1 outputs"),
        (["--output", "ok.txt", "--name", "best"], "'best' is a row of the leaderboard already"),
        (["--output", "ok.txt", "--test-set", "newsela"], "'newsela': unknown; there is asset, turk"),
        (["--output", "ok.txt", "--form", "x"], "text form 'x': unknown"),
        (["--output", "ok.txt", "--samples", "100"], "100 resamples are too few to test 10 pairs"),
        (["--output", "ok.txt", "--samples", "0"], "--samples 0 --seed 1: expected one sample at least"),
    ],
)
def test_bad_input_is_one_line(raw: Path, tmp_path: Path, arguments: list[str], said: str) -> None:
    write_lines(tmp_path / "short.txt", ["a"] * 3)
    write_lines(tmp_path / "ok.txt", ["a"] * LINES)
    code, text, error = run(*arguments, "--raw", raw)
    assert code == 2 and text == "" and said in error
    assert error.startswith("error: ") and error.count("\n") == 1


def test_it_fetches_what_is_not_there(mirror: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the mirror to data/raw/leaderboard, the releases of one test set only; then no mirror is needed."""
    monkeypatch.chdir(tmp_path)
    board = from_conf("leaderboard", LeaderboardConfig)
    some = {key: board.systems[key] for key in ("access", "lstm.new_train")}
    small = {"leaderboard": replace(board, systems=some), "evaluation": EvaluationConfig(80, 200, 1)}
    sources = from_conf("sources", SourcesConfig, "experiment=published")
    monkeypatch.setattr(command, "from_conf", lambda section, kind, *_: small.get(section, sources))
    write_lines("mine.txt", read_lines(mirror / "released_outputs" / "Dress.lower.txt"))
    first = run("--output", "mine.txt", "--mirror", mirror, "--json")
    assert first[0] == 0
    raw = tmp_path / "data" / "raw" / "leaderboard"
    assert {path.name for path in raw.iterdir()} == {"turk", "released_outputs", "jiang2020_outputs", "provenance"}
    assert run("--output", "mine.txt", "--json") == first


@pytest.fixture(scope="module")
def released(mirror: Path) -> dict[str, Any]:
    """TURK with every system of conf/leaderboard; few resamples, which change no score."""
    board = from_conf("leaderboard", LeaderboardConfig)
    return one_leaderboard(mirror, "turk", {}, board, EvaluationConfig(80, 3000, 1))


def keys(released: dict[str, Any]) -> dict[str, str]:
    """The key of each golden file."""
    systems = from_conf("leaderboard", LeaderboardConfig).systems
    return {system.output: key for key, system in systems.items()} | {file: key for key, file in FILES.items()}


@pytest.mark.parametrize("file", GOLDEN)
def test_golden_scores(file: str, released: dict[str, Any]) -> None:
    scores = released["systems"][keys(released)[file]]["scores"]
    sentence, (grade, words, _, sentences), corpus, (bleu,) = (
        [float(value) for value in part.split()] for part in GOLDEN[file].split("|")
    )
    names = ["sari", *OPERATIONS, "sari_corpus", *(f"sari_corpus_{part}" for part in OPERATIONS), "sari_corpus_legacy"]
    expected = dict(zip(names, [*sentence, *corpus], strict=True))
    expected |= {"bleu": bleu, "fk": grade, "len": words / sentences, "fkgl": FKGL[file]}
    expected |= dict(zip(ESTIMATES, map(float, QUALITY[file].split()), strict=True))
    assert {name: scores[name] for name in expected} == pytest.approx(expected, abs=1e-4)


def test_what_docs_say_of_turk(released: dict[str, Any]) -> None:
    """Sixteen outputs and the input; one system leads by every variant, and two variants contradict each other."""
    kinds = [system["kind"] for system in released["systems"].values()]
    assert (kinds.count("released"), kinds.count("identity"), len(kinds)) == (16, 1, 17)
    assert all(released["ranks"][metric]["access"]["rank"] == 1 for metric in released["letters"])
    agreement = {tuple(row["metrics"]): row for row in released["agreement"]}
    assert agreement["sari", "sari_corpus"]["spearman"] == pytest.approx(0.794, abs=5e-4)
    assert agreement["sari", "sari_corpus"]["flips"] == 27 and agreement["sari", "sari_corpus"]["pairs"] == 136
    light = released["pairs"]["sari"]["dress"]["light_ls"], released["pairs"]["sari_corpus"]["dress"]["light_ls"]
    assert light[0]["difference"] < 0 < light[1]["difference"] and all(tests["p_holm"] < 0.05 for tests in light)


def test_what_docs_say_of_asset(mirror: Path) -> None:
    """The same sentences as TURK's once they have its form; as released, the cased variant puts the input first."""
    lines = read_lines(mirror / "asset" / "asset.test.orig")
    tokens = read_lines(mirror / "turk" / "test.8turkers.tok.norm")
    assert sum(map(operator.eq, in_form(lines, "treebank"), tokens)) == 351
    board = from_conf("leaderboard", LeaderboardConfig)
    few = replace(board, systems={key: board.systems[key] for key in ("access", "dress", "enc_dec_a")})
    as_released, in_one_form = (
        one_leaderboard(mirror, "asset", {}, few, EvaluationConfig(80, 200, 1), form) for form in ("released", None)
    )
    variant = "sari_corpus_legacy"
    assert [found["ranks"][variant]["identity"]["rank"] for found in (as_released, in_one_form)] == [1, 4]
    assert as_released["systems"]["identity"]["scores"][variant] == pytest.approx(44.03, abs=0.01)
    assert in_one_form["systems"]["identity"]["scores"][variant] == pytest.approx(21.80, abs=0.01)
