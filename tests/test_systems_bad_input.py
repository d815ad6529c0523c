"""Bad input of the statistical simplifiers through the commands that meet it: one line each, and exit status 2."""

import importlib
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from simplifier_sample import PAIRS, trained
from typer.testing import CliRunner

from textsimp.cli import app
from textsimp.core.params import from_conf
from textsimp.core.writing import write_lines
from textsimp.simplification import simplifiers
from textsimp.simplification.interface import CorpusFiles, ParallelFiles
from textsimp.simplification.phrase_based import PhraseBasedConfig

PARAMS = Path(__file__).resolve().parent.parent / "params.yaml"
Stage = Callable[..., str]


def corpus(folder: Path, rows: list[tuple[str, str]]) -> CorpusFiles:
    """A corpus folder with one training set, which dev is, too."""
    files = []
    for split in ("train", "dev"):
        files.append(ParallelFiles(folder / "auto" / f"{split}.complex", folder / "auto" / f"{split}.simple"))
        files[-1].complex.parent.mkdir(parents=True, exist_ok=True)
        write_lines(files[-1].complex, [row[0] for row in rows])
        write_lines(files[-1].simple, [row[1] for row in rows])
    (folder / "test").mkdir(parents=True, exist_ok=True)
    write_lines(folder / "test" / "x.complex", ["A sentence."])
    return CorpusFiles(files[0], files[1], {"x": folder / "test" / "x.complex"})


@pytest.fixture
def binarize(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Stage:
    """The stage, with settings of a simplifier changed; what it writes to standard error."""
    corpus(tmp_path / "corpus", 4 * PAIRS)
    monkeypatch.chdir(tmp_path)

    def run(name: str, **changes: object) -> str:
        params = yaml.load(PARAMS.read_text(encoding="utf-8"), yaml.CSafeLoader)
        params["simplifier"][name] |= changes
        Path("params.yaml").write_text(yaml.safe_dump(params), encoding="utf-8")
        monkeypatch.setattr(sys, "argv", ["x", "c", "auto", name, "--corpus-folder", "corpus", "--bin", "bin"])
        with pytest.raises(SystemExit) as end:
            importlib.import_module("stages.binarize").main()
        assert end.value.code == 2 and not Path("bin").exists()
        return capsys.readouterr().err

    return run


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("phrases")
    config = from_conf("simplifier.phrase_based", PhraseBasedConfig)
    files = corpus(folder / "corpus", 4 * PAIRS)
    return trained(simplifiers.simplifier_of("phrase_based"), files, folder, replace(config, tuning_rounds=0))


def simplify(model: Path, *arguments: str) -> str:
    """What the command writes to standard error."""
    options = ["simplify", "-", "--model", str(model), *arguments]
    result = CliRunner().invoke(app, options, input="The otter swims.\n")
    assert result.exit_code == 2, result.output
    return result.stderr


@pytest.mark.parametrize("name", ["phrase_based", "paraphrase", "light_ls"])
def test_an_empty_training_corpus(binarize: Stage, tmp_path: Path, name: str) -> None:
    corpus(tmp_path / "corpus", [])
    write_lines(tmp_path / "rules", ["big large"])
    last = binarize(name, **({"rules": str(tmp_path / "rules")} if name == "paraphrase" else {})).splitlines()[-1]
    assert "auto/train.complex: no " in last and "pair" in last


@pytest.mark.parametrize(
    "line", ["[X] ||| big ||| large", "big\tlarge\t0.5", "[X] ||| big ||| large ||| 0-0 ||| p(e|f)=1 p(f|e)=1"]
)
def test_rules_with_wrong_columns(binarize: Stage, tmp_path: Path, line: str) -> None:
    write_lines(tmp_path / "rules", [line])
    (*_, last) = binarize("paraphrase", rules=str(tmp_path / "rules")).splitlines()
    assert f"{tmp_path}/rules:1: " in last


def test_word_vectors_of_another_language(binarize: Stage, tmp_path: Path) -> None:
    german = ["der 0.1 0.2", "Fluss 0.2 0.1", "schwimmt 0.3 0.1", "it 0.1 0.1"]
    write_lines(tmp_path / "vectors", german)
    (*_, last) = binarize("light_ls", vectors=str(tmp_path / "vectors")).splitlines()
    assert "vectors: vectors for 1 of the " in last and "words of the corpus; they are of another language" in last
    write_lines(tmp_path / "vectors", german[:3])
    (*_, last) = binarize("light_ls", vectors=str(tmp_path / "vectors")).splitlines()
    assert "vectors: vectors for 0 of the " in last


@pytest.mark.parametrize(
    ("name", "damage", "message"),
    [
        ("simple.arpa", lambda content: content.replace(b"otter", b"stoat"), "simple.arpa has other bytes"),
        ("phrases.tsv", lambda content: content[: len(content) // 2], "restore"),
    ],
    ids=["a language model of another corpus", "a phrase table cut in the middle"],
)
def test_damaged_models(model: Path, tmp_path: Path, name: str, damage: Callable[[bytes], bytes], message: str) -> None:
    path = shutil.copytree(model, tmp_path / "model") / name
    path.write_bytes(damage(path.read_bytes()))
    (line,) = simplify(path.parent).splitlines()
    assert name in line and message in line


def test_lists_of_no_hypothesis(model: Path) -> None:
    assert "--n-best" in simplify(model, "--n-best", "0", "--format", "tsv")
