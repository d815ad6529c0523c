"""EditNTS from a corpus to simplified text: training, continuation, bad input."""

import json
import shutil
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from simplifier_sample import CPU, contents, editnts_config, learnt, write_corpus

from textsimp.core.errors import InputError
from textsimp.core.resumable import TrainingState
from textsimp.simplification import simplifiers
from textsimp.simplification.editnts import EditNtsConfig
from textsimp.simplification.editnts.programs import load_vocabulary
from textsimp.simplification.interface import RECORD
from textsimp.simplification.spacing import tokenise

KIND = simplifiers.simplifier_of("editnts")
CONFIG = editnts_config()
NAMES = "Ada Ben Cora Dan Eve Finn Gus Hal Ida Jon Kay Leo Mia Ned Oda Pia Quin Rob Sue Tom".split()
PLACES = ["Oslo", "Lima", "Rome", "Bern"]
PAIRS = [
    (
        f'{name}, who resides in {PLACES[number % 4]}, subsequently purchased a "large" boat.',
        f"{name} lives in {PLACES[number % 4]}." if number % 2 else f'{name} then bought a "large" boat.',
    )
    for number, name in enumerate(NAMES)
]


def learn(folder: Path, config: EditNtsConfig = CONFIG, dev: int = 4) -> Path:
    return learnt("editnts", folder, PAIRS, PAIRS[:dev], config)


def simplified(model: Path, sentences: list[str]) -> list[str]:
    found = KIND.load(model, CPU).simplify(sentences, n_best=3)
    assert all(row[0].score <= 0 for row in found)
    return [row[0].text for row in found]


def curve(model: Path) -> list[list[float]]:
    rows = (model.parent / "curve.csv").read_text().splitlines()[1:]
    return [list(map(float, row.split(","))) for row in rows]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return learn(tmp_path_factory.mktemp("editnts"))


def test_twenty_pairs_are_learnt_by_heart(tmp_path: Path) -> None:
    config = replace(CONFIG, max_epochs=40, dropout=0.0, word_dropout=0.0, selection="loss", batch_size=10)
    model = learn(tmp_path, config, dev=20)
    rows = curve(model)
    assert [row[0] for row in rows] == list(range(1, 41)) and rows[-1][2] < 0.1 * rows[0][2]
    assert simplified(model, [complex_text for complex_text, _ in PAIRS]) == [simple for _, simple in PAIRS]


def test_every_line_is_answered_and_unknown_never_written(model: Path) -> None:
    unseen = ["McÉire Xyzzy resides in QUX.", "", "ada , who resides in oslo , left ."]
    lines = simplified(model, unseen)
    assert lines[1] == ""
    known = load_vocabulary(model / "vocabulary.txt").numbers
    for line, text in zip(lines, unseen, strict=True):
        words = tokenise(text.lower())
        assert all(word in words or word in known for word in tokenise(line.lower()))


def test_a_killed_run_continues_to_the_same_bytes(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save, saved = TrainingState.save, []

    def killed(*args: object) -> None:
        save(*args)  # type: ignore[arg-type]
        saved.append(args)
        if len(saved) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(TrainingState, "save", killed)
    with pytest.raises(KeyboardInterrupt):
        learn(tmp_path)
    assert contents(tmp_path / "binary") == contents(model.parent / "binary")
    simplifiers.train(KIND, CONFIG, tmp_path / "binary", tmp_path / "model", tmp_path / "curve.csv", CPU)
    assert len(saved) == CONFIG.max_epochs
    assert contents(tmp_path / "model") == contents(model) and curve(tmp_path / "model") == curve(model)


def test_training_stops_behind_its_updates_or_its_patience(tmp_path: Path) -> None:
    assert len(curve(learn(tmp_path / "few", replace(CONFIG, max_updates=6)))) == 2  # five batches an epoch
    still = replace(CONFIG, learning_rate=1e-20, patience=1, max_epochs=9)
    assert len(curve(learn(tmp_path / "still", still))) == 2


@pytest.mark.parametrize("train", [[], [("", "x")], [("a " * 50, "b")]])
def test_a_corpus_without_pairs_is_refused(tmp_path: Path, train: list[tuple[str, str]]) -> None:
    corpus = write_corpus(tmp_path, train, PAIRS)
    with pytest.raises(InputError, match="train.complex: no sentence pair"):
        simplifiers.binarize(KIND, CONFIG, corpus, tmp_path / "binary")


@pytest.mark.parametrize(
    ("file", "change", "message"),
    [
        (
            RECORD,
            lambda path: path.write_text(json.dumps({"config": asdict(replace(CONFIG, hidden_size=8))})),
            "model.safetensors: weight .* has shape",
        ),
        (
            "vocabulary.txt",
            lambda path: path.write_text(path.read_text() + "more\tmore\tread\n"),
            "weight .* has shape",
        ),
        ("model.safetensors", lambda path: path.write_bytes(path.read_bytes()[:100]), "no readable weights"),
        (RECORD, lambda path: path.write_text('{"config": {"kind": "editnts"}}'), "not the record of a simplifier"),
    ],
)
def test_other_models_are_refused(
    model: Path, tmp_path: Path, file: str, change: Callable[[Path], object], message: str
) -> None:
    folder = Path(shutil.copytree(model, tmp_path / "model"))
    change(folder / file)
    with pytest.raises(InputError, match=message):
        KIND.load(folder, CPU)


def test_other_binaries_and_settings_are_refused(model: Path, tmp_path: Path) -> None:
    binary = Path(shutil.copytree(model.parent / "binary", tmp_path / "binary"))
    arguments = (tmp_path / "model", tmp_path / "curve.csv", CPU)
    with pytest.raises(InputError, match=r"settings.json: binarized with other parameters \(min_frequency\)"):
        simplifiers.train(KIND, replace(CONFIG, min_frequency=2), binary, *arguments)
    (binary / "train.safetensors").write_bytes(b"x")
    with pytest.raises(InputError, match="train.safetensors: no readable weights .* binarize the corpus again"):
        simplifiers.train(KIND, CONFIG, binary, *arguments)
