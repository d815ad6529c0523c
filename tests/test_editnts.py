"""EditNTS from a corpus to simplified text: training, continuation, bad input."""

from dataclasses import replace
from pathlib import Path

import pytest
from editnts_cases import CONFIG

from textsimp.core.errors import InputError
from textsimp.core.params import compose, load_params
from textsimp.simplification import editnts
from textsimp.simplification.editnts import EditNtsConfig
from textsimp.simplification.editnts import edit_training as training
from textsimp.simplification.editnts.programs import load_vocabulary
from textsimp.simplification.interface import CorpusFiles, ParallelFiles, Runtime
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
    return write_corpus(tmp_path / "corpus", PAIRS, PAIRS[:4])


def write_corpus(folder: Path, train: list[tuple[str, str]], dev: list[tuple[str, str]]) -> CorpusFiles:
    folder.mkdir(parents=True)
    files = {}
    for split, pairs in (("train", train), ("dev", dev)):
        files[split] = ParallelFiles(folder / f"{split}.complex", folder / f"{split}.simple")
        files[split].complex.write_text("".join(pair[0] + "\n" for pair in pairs))
        files[split].simple.write_text("".join(pair[1] + "\n" for pair in pairs))
    tests = {"old": files["dev"].complex, "auto": files["train"].complex}
    return CorpusFiles(files["train"], files["dev"], tests)


def folders(root: Path) -> list[Path]:
    result = [root / name for name in ("binary", "model", "partial")]
    for folder in result:
        folder.mkdir(parents=True)
    return result


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_twenty_pairs_are_learnt_by_heart(corpus: CorpusFiles, tmp_path: Path) -> None:
    config = replace(CONFIG, max_epochs=40, dropout=0.0, word_dropout=0.0, selection="loss", batch_size=10)
    binary, model, partial = folders(tmp_path)
    corpus = replace(corpus, dev=corpus.train)
    editnts.binarize(corpus, binary, config)
    curve = editnts.train(binary, model, partial, config, RUNTIME)
    assert [row.epoch for row in curve] == list(range(1, 41))
    assert curve[-1].valid_loss < 0.1 * curve[0].valid_loss
    outputs = editnts.generate(binary, model, config, RUNTIME)
    assert list(outputs) == ["auto", "old"]
    assert outputs["auto"] == [simple for _, simple in PAIRS]


def test_every_line_is_answered_and_unknown_never_written(corpus: CorpusFiles, tmp_path: Path) -> None:
    config = replace(CONFIG, min_frequency=2, max_epochs=1)
    binary, model, partial = folders(tmp_path)
    unseen = tmp_path / "unseen.complex"
    unseen.write_text("McÉire Xyzzy resides in QUX.\n\nada , who resides in oslo , left .\n")
    editnts.binarize(replace(corpus, tests={"unseen": unseen}), binary, config)
    editnts.train(binary, model, partial, config, RUNTIME)
    lines = editnts.generate(binary, model, config, RUNTIME)["unseen"]
    assert lines[1] == ""
    known = load_vocabulary(binary / "vocabulary.txt").numbers
    for line, text in zip(lines, unseen.read_text().splitlines(), strict=True):
        words = tokenise(text.lower())
        assert all(word in words or word in known for word in tokenise(line.lower()))


def test_a_killed_run_continues_to_the_same_bytes(
    corpus: CorpusFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    binary, model, partial = folders(tmp_path / "a")
    editnts.binarize(corpus, binary, CONFIG)
    curve = editnts.train(binary, model, partial, CONFIG, RUNTIME)
    save, saved = training.save_progress, []

    def killed(*args: object) -> None:
        save(*args)
        saved.append(args)
        if len(saved) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(training, "save_progress", killed)
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
        editnts.train(binary, model, partial, CONFIG, RUNTIME)
        outputs = editnts.generate(binary, model, CONFIG, RUNTIME)
        assert {key: len(lines) for key, lines in outputs.items()} == {"auto": 20, "old": 4}
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
    with pytest.raises(InputError, match="config.json: the model has another configuration"):
        editnts.generate(binary, model, replace(config, hidden_size=8), RUNTIME)
    weights = model / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:100])
    with pytest.raises(InputError, match="model.safetensors: no readable weights"):
        editnts.generate(binary, model, config, RUNTIME)
    with (model / "vocabulary.txt").open("a") as file:
        file.write("more\tmore\tread\n")
    with pytest.raises(InputError, match="not the vocabulary of the binarized corpus"):
        editnts.generate(binary, model, config, RUNTIME)
    (binary / "vocabulary.txt").write_text("a\tadd\n")
    with pytest.raises(InputError, match="vocabulary.txt:1: not 'word, written form, add or read'"):
        editnts.generate(binary, model, config, RUNTIME)
    (binary / "train.safetensors").write_bytes(b"x")
    (binary / "vocabulary.txt").write_text("a\ta\tadd\n")
    with pytest.raises(InputError, match="train.safetensors: no readable weights .* binarize the corpus again"):
        editnts.train(binary, model, partial, config, RUNTIME)


def test_a_selection_that_there_is_not_is_an_error(tmp_path: Path) -> None:
    params = tmp_path / "params.yaml"
    params.write_text(compose(["simplifier.editnts.selection=bleu"]))
    with pytest.raises(InputError, match="selection: 'bleu' is none of sari, loss"):
        load_params("simplifier.editnts", EditNtsConfig, params)
