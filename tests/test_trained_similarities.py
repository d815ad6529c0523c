"""Similarities that learn from labelled pairs: toy tasks, files, errors, the same twice."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from alignment_sample import document_pair
from trained_sample import DEV, TEXTS, TRAIN, esim, infersent

from textsimp.alignment.similarity.logistic import LogisticRegression
from textsimp.alignment.similarity.similarity import Trained, TwoTaskSimilarity, best_f1
from textsimp.core.errors import InputError
from textsimp.core.records import DocumentPair
from textsimp.metrics.links import TASKS

MAKERS: dict[str, Callable[[], TwoTaskSimilarity]] = {
    "logistic": LogisticRegression,
    "infersent": infersent,
    "esim": esim,
}


@pytest.fixture(scope="module")
def trained() -> dict[str, TwoTaskSimilarity]:
    found = {name: maker() for name, maker in MAKERS.items()}
    for similarity in found.values():
        similarity.train(TRAIN, DEV)
    return found


SIMPLE, COMPLEX = "A cat sat on mats", "The cat sat on a mat"


@pytest.mark.parametrize("name", MAKERS)
def test_a_toy_task_is_learned(name: str, trained: dict[str, TwoTaskSimilarity]) -> None:
    """Split sentences are partial: the tasks differ, and both are told from unlinked pairs on unseen articles."""
    similarity = trained[name]
    assert isinstance(similarity, Trained) and similarity.knows_tasks
    assert best_f1(similarity, DEV, "task1") > 80
    assert best_f1(similarity, DEV, "task2") > 80
    first, second = (similarity.matrix(DEV[0], task) for task in TASKS)
    assert first.shape == (6, 6) and (first >= 0).all() and (first <= 1).all()
    aligned, partial = (range(4), range(4)), ([4, 5], [5, 5])
    for cells in (aligned, partial):
        assert first[cells].mean() > first.mean() + 0.03
    assert second[aligned].mean() > second[partial].mean() + 0.1
    assert first[partial].mean() > second[partial].mean() + 0.1


@pytest.mark.parametrize("name", ["infersent", "esim"])
def test_training_is_the_same_twice(name: str, tmp_path: Path) -> None:
    """Also of an object that was trained before, and whatever random numbers were drawn elsewhere."""
    models = [MAKERS[name]() for _ in range(2)]
    for model in models:
        model.epochs = 2
        torch.rand(3)
        curve = model.train(TRAIN[:3], DEV)
    again = models[1].train(TRAIN[:3], DEV)
    assert curve == again
    for number, model in enumerate(models):
        (tmp_path / str(number)).mkdir()
        model.save(tmp_path / str(number))
    for file in ("network.safetensors", "words.json"):
        assert (tmp_path / "0" / file).read_bytes() == (tmp_path / "1" / file).read_bytes()


def test_training_leaves_the_random_numbers_of_others_alone() -> None:
    torch.manual_seed(3)
    expected = torch.rand(2)
    torch.manual_seed(3)
    infersent(epochs=1).train(TRAIN[:2], [])
    assert torch.equal(torch.rand(2), expected)


@pytest.mark.parametrize("name", MAKERS)
def test_saved_and_loaded_gives_identical_matrices(
    name: str, trained: dict[str, TwoTaskSimilarity], tmp_path: Path
) -> None:
    """Whatever documents the loaded one was fitted on."""
    trained[name].save(tmp_path)
    loaded = MAKERS[name]().fit([document_pair(3)])
    loaded.load(tmp_path)
    for task in TASKS:
        assert (loaded.matrix(DEV[1], task) == trained[name].matrix(DEV[1], task)).all()
        assert (loaded.compare(TEXTS, TEXTS[:2], task) == trained[name].compare(TEXTS, TEXTS[:2], task)).all()


@pytest.mark.parametrize("name", MAKERS)
def test_damaged_files_are_named(name: str, trained: dict[str, TwoTaskSimilarity], tmp_path: Path) -> None:
    trained[name].save(tmp_path)
    for path in sorted(tmp_path.iterdir()):
        whole = path.read_bytes()
        for damaged in (whole[: len(whole) // 2], b"", b"{}"):
            path.write_bytes(damaged)
            with pytest.raises(InputError, match=path.name):
                MAKERS[name]().load(tmp_path)
        path.write_bytes(whole)
    MAKERS[name]().load(tmp_path)


def test_another_network_is_refused(trained: dict[str, TwoTaskSimilarity], tmp_path: Path) -> None:
    trained["esim"].save(tmp_path)
    with pytest.raises(InputError, match="network.safetensors"):
        esim(hidden=9).load(tmp_path)
    with pytest.raises(InputError, match="network.safetensors"):
        infersent(hidden=16).load(tmp_path)


@pytest.mark.parametrize("name", MAKERS)
def test_training_comes_first(name: str, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="train"):
        MAKERS[name]().matrix(DEV[0])
    with pytest.raises(RuntimeError, match="train"):
        MAKERS[name]().save(tmp_path)


@pytest.mark.parametrize("name", MAKERS)
def test_nothing_linked_is_an_error(name: str) -> None:
    pair = DEV[0]
    with pytest.raises(InputError, match="train split"):
        MAKERS[name]().train([DocumentPair("x", "tiny", "x", pair.complex, pair.simple, ())], DEV)


@pytest.mark.parametrize("name", MAKERS)
def test_empty_sides(name: str, trained: dict[str, TwoTaskSimilarity]) -> None:
    assert trained[name].compare([], TEXTS).shape == (0, 4)
    assert trained[name].compare(TEXTS, []).shape == (4, 0)


def test_identical_sentences_are_certain_and_others_are_candidates(trained: dict[str, TwoTaskSimilarity]) -> None:
    texts = [*DEV[0].simple.sentences, TEXTS[2]]
    others = [*DEV[0].complex.sentences, TEXTS[2]]
    everything = trained["infersent"].compare(texts, others)
    few = infersent(candidates=2)
    few.network, few._words = trained["infersent"].network, trained["infersent"]._words
    found = few.compare(texts, others)
    assert found[6, 6] == everything[6, 6] == 1
    ranks = (-few._words.compare(texts, others)).argsort(1, kind="stable")
    for i, order in enumerate(ranks):
        assert found[i, order[:2]] == pytest.approx(everything[i, order[:2]], abs=1e-6)
        assert (found[i, order[2:]] == 0).all()


@pytest.mark.parametrize("name", ["infersent", "esim"])
def test_many_texts_are_compared_as_few(
    name: str, trained: dict[str, TwoTaskSimilarity], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading and comparing in small batches gives what single pairs give."""
    similarity = trained[name]
    singles = np.array([[similarity.compare([a], [b])[0, 0] for b in TEXTS] for a in TEXTS])
    monkeypatch.setattr("textsimp.alignment.similarity.pair_training._SENTENCES", 3)
    monkeypatch.setattr(type(similarity), "batch_cells", 5)
    assert similarity.compare(TEXTS, TEXTS) == pytest.approx(singles, abs=1e-6)


def test_probabilities_are_kept_for_the_other_task_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    class Counting(TwoTaskSimilarity):
        calls = 0

        def probabilities(self, rows: Sequence[str], columns: Sequence[str]) -> np.ndarray:
            self.calls += 1
            return np.stack([np.full((len(rows), len(columns)), value) for value in (0.75, 0.25)])

    monkeypatch.setattr("textsimp.alignment.similarity.similarity._KEPT_CELLS", 8)
    similarity = Counting()
    assert [similarity.compare(["a"] * 2, ["b"] * 2, task).max() for task in TASKS] == [0.75, 0.25]
    similarity.compare(["a"] * 2, ["b"] * 2)[:] = 9  # the caller's own copy
    assert similarity.compare(["a"] * 2, ["b"] * 2).max() == 0.75 and similarity.calls == 1
    similarity.compare(["c"] * 3, ["b"] * 2)
    similarity.compare(["a"] * 2, ["b"] * 2)
    assert similarity.calls == 3
