"""EditNTS from a corpus to simplified text: training, continuation, bad input."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from editnts_cases import CONFIG
from simplifier_sample import write_corpus

from textsimp.core.errors import InputError
from textsimp.core.params import compose, load_params
from textsimp.core.resumable import TrainingState
from textsimp.simplification import editnts
from textsimp.simplification.editnts import EditNtsConfig
from textsimp.simplification.editnts.programs import load_vocabulary
from textsimp.simplification.interface import RECORD, CorpusFiles, Epoch, Runtime
from textsimp.simplification.spacing import tokenise

RUNTIME = Runtime("cpu", 1)
NAMES = "Ada Ben Cora Dan Eve Finn Gus Hal Ida Jon Kay Leo Mia Ned Oda Pia Quin Rob Sue Tom".split()
PLACES = ["Oslo", "Lima", "Rome", "Bern"]
PAIRS = [
    (
        f'{name}, who resides in {PLACES[number % 4]}, subsequently purchased a "large" boat.',
        f"{name} lives in {PLACES[number % 4]}." if number % 2 else f'{name} then bought a "large" boat.',
    )
    for number, name in enumerate(NAMES)
]


@pytest.fixture
def corpus(tmp_path: Path) -> CorpusFiles:
    """Twenty pairs, of which four are dev and test too."""
    files = write_corpus(tmp_path / "corpus", PAIRS, PAIRS[:4])
    return replace(files, tests={"old": files.dev.complex, "auto": files.train.complex})


def folders(root: Path) -> list[Path]:
    result = [root / name for name in ("binary", "model", "partial")]
    for folder in result:
        folder.mkdir(parents=True)
    return result


def train(binary: Path, model: Path, partial: Path, config: EditNtsConfig) -> list[Epoch]:
    """As the caller of the kind does: the configuration lies beside the weights."""
    curve = editnts.train(binary, model, partial, config, RUNTIME)
    (model / RECORD).write_text(json.dumps({"config": asdict(config)}))
    return curve


def simplified(model: Path, sentences: list[str]) -> list[str]:
    found = editnts.load(model, RUNTIME).simplify(sentences, n_best=3)
    assert all(row[0].score <= 0 for row in found)
    return [row[0].text for row in found]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_twenty_pairs_are_learnt_by_heart(corpus: CorpusFiles, tmp_path: Path) -> None:
    config = replace(CONFIG, max_epochs=40, dropout=0.0, word_dropout=0.0, selection="loss", batch_size=10)
    binary, model, partial = folders(tmp_path)
    corpus = replace(corpus, dev=corpus.train)
    editnts.binarize(corpus, binary, config)
    curve = train(binary, model, partial, config)
    assert [row.epoch for row in curve] == list(range(1, 41))
    assert curve[-1].valid_loss < 0.1 * curve[0].valid_loss
    assert simplified(model, [complex_text for complex_text, _ in PAIRS]) == [simple for _, simple in PAIRS]


def test_every_line_is_answered_and_unknown_never_written(corpus: CorpusFiles, tmp_path: Path) -> None:
    config = replace(CONFIG, min_frequency=2, max_epochs=1)
    binary, model, partial = folders(tmp_path)
    unseen = ["McÉire Xyzzy resides in QUX.", "", "ada , who resides in oslo , left ."]
    editnts.binarize(corpus, binary, config)
    train(binary, model, partial, config)
    lines = simplified(model, unseen)
    assert lines[1] == ""
    known = load_vocabulary(binary / "vocabulary.txt").numbers
    for line, text in zip(lines, unseen, strict=True):
        words = tokenise(text.lower())
        assert all(word in words or word in known for word in tokenise(line.lower()))


def test_a_killed_run_continues_to_the_same_bytes(
    corpus: CorpusFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    binary, model, partial = folders(tmp_path / "a")
    editnts.binarize(corpus, binary, CONFIG)
    curve = editnts.train(binary, model, partial, CONFIG, RUNTIME)
    save, saved = TrainingState.save, []

    def killed(*args: object) -> None:
        save(*args)
        saved.append(args)
        if len(saved) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(TrainingState, "save", killed)
    _, second, second_partial = folders(tmp_path / "b")
    with pytest.raises(KeyboardInterrupt):
        editnts.train(binary, second, second_partial, CONFIG, RUNTIME)
    assert editnts.train(binary, second, second_partial, CONFIG, RUNTIME) == curve
    assert len(saved) == CONFIG.max_epochs
    assert contents(second) == contents(model)


def test_twice_gives_the_same_bytes(corpus: CorpusFiles, tmp_path: Path) -> None:
    results = []
    for name in ("first", "second"):
        binary, model, partial = folders(tmp_path / name)
        editnts.binarize(corpus, binary, CONFIG)
        train(binary, model, partial, CONFIG)
        outputs = simplified(model, [complex_text for complex_text, _ in PAIRS])
        results.append((contents(binary), contents(model), outputs))
    assert results[0] == results[1]


def test_training_stops_behind_its_updates_or_its_patience(corpus: CorpusFiles, tmp_path: Path) -> None:
    binary, model, partial = folders(tmp_path)
    editnts.binarize(corpus, binary, CONFIG)
    few = replace(CONFIG, max_updates=6)  # five batches an epoch
    assert len(editnts.train(binary, model, partial / "few", few, RUNTIME)) == 2
    still = replace(CONFIG, learning_rate=0.0, patience=1, max_epochs=9)
    assert len(editnts.train(binary, model, partial / "still", still, RUNTIME)) == 2


@pytest.mark.parametrize("train", [[], [("", "x")], [("a " * 50, "b")]])
def test_a_corpus_without_pairs_is_refused(tmp_path: Path, train: list[tuple[str, str]]) -> None:
    corpus = write_corpus(tmp_path / "corpus", train, PAIRS)
    with pytest.raises(InputError, match="no sentence pair") as error:
        editnts.binarize(corpus, folders(tmp_path)[0], CONFIG)
    assert str(corpus.train.complex) in str(error.value)


def test_other_folders_are_refused(corpus: CorpusFiles, tmp_path: Path) -> None:
    config = replace(CONFIG, max_epochs=1)
    binary, model, partial = folders(tmp_path)
    editnts.binarize(corpus, binary, config)
    editnts.train(binary, model, partial, config, RUNTIME)
    with pytest.raises(InputError, match=r"settings.json: binarized with other parameters \(min_frequency\)"):
        editnts.train(binary, model, partial, replace(config, min_frequency=2), RUNTIME)
    (model / RECORD).write_text(json.dumps({"config": asdict(replace(config, hidden_size=8))}))
    with pytest.raises(InputError, match="model.safetensors: weight .* has shape"):
        editnts.load(model, RUNTIME)
    (model / RECORD).write_text(json.dumps({"config": asdict(config)}))
    (model / "vocabulary.txt").write_text((binary / "vocabulary.txt").read_text() + "more\tmore\tread\n")
    with pytest.raises(InputError, match="model.safetensors: weight .* has shape"):
        editnts.load(model, RUNTIME)
    weights = model / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:100])
    with pytest.raises(InputError, match="model.safetensors: no readable weights"):
        editnts.load(model, RUNTIME)
    (model / RECORD).write_text('{"config": {"kind": "editnts"}}')
    with pytest.raises(InputError, match="model.json: not the record of a simplifier of this version: "):
        editnts.load(model, RUNTIME)
    (binary / "vocabulary.txt").write_text("a\tadd\n")
    with pytest.raises(InputError, match="vocabulary.txt:1: not 'word, written form, add or read'"):
        train(binary, model, partial, config)
    (binary / "train.safetensors").write_bytes(b"x")
    (binary / "vocabulary.txt").write_text("a\ta\tadd\n")
    with pytest.raises(InputError, match="train.safetensors: no readable weights .* binarize the corpus again"):
        editnts.train(binary, model, partial, config, RUNTIME)


def test_a_selection_that_there_is_not_is_an_error(tmp_path: Path) -> None:
    params = tmp_path / "params.yaml"
    params.write_text(compose(["simplifier.editnts.selection=bleu"]))
    with pytest.raises(InputError, match="selection: 'bleu' is none of sari, loss"):
        load_params("simplifier.editnts", EditNtsConfig, params)
