"""Alignment systems: put together from parts, fitted, saved, compared."""

import csv
import json
import re
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from alignment_sample import RUNTIME, document_pair, edited
from simplifier_sample import contents

from textsimp.alignment.cache import Cache
from textsimp.alignment.neural.aligner_settings import EncoderConfig
from textsimp.alignment.parts import SYSTEM, Part, SystemConfig, variants_of, with_gold_paragraphs
from textsimp.alignment.similarity import needs_of
from textsimp.alignment.spec import load_system_config, system_names
from textsimp.alignment.systems import ComposedSystem, load_system, make_system, saved_config
from textsimp.core.errors import InputError
from textsimp.core.params import from_conf
from textsimp.core.settings import structured
from textsimp.core.word_vectors import WordVectorConfig
from textsimp.evaluation.aligners import curves_of, write_curves, write_examples
from textsimp.metrics.links import TASKS, alignment_scores

PAIRS = [document_pair(number) for number in range(6)]
NEURAL = [name for name in system_names() if load_system_config(name).needs_aligner]
FROZEN = [name for name in system_names() if load_system_config(name).strategy.name == "frozen_crf"]
COMPOSED = [name for name in system_names() if name not in NEURAL + FROZEN]


@pytest.fixture(scope="session")
def shared() -> Cache:
    """Everything that a system may need apart from a trained aligner, with the packaged encoder."""
    config = from_conf("word_vectors", WordVectorConfig)
    return Cache(PAIRS, config, from_conf("aligner.encoder", EncoderConfig), RUNTIME)


def fresh(shared: Cache) -> Cache:
    """A cache of the same documents and settings that holds nothing."""
    return Cache(PAIRS, shared.vectors_config, shared.encoder, RUNTIME)


def quick(name: str) -> SystemConfig:
    """A system with little training."""
    config = load_system_config(name)
    if "epochs" not in config.similarity.options:
        return config
    few = {name: number for name, number in {"epochs": 2, "min_steps": 60}.items() if name in config.similarity.options}
    options = {**config.similarity.options, **few}
    return replace(config, similarity=replace(config.similarity, options=options))


def composed(name: str, shared: Cache) -> ComposedSystem:
    system = make_system(quick(name), shared)
    assert isinstance(system, ComposedSystem)
    system.fit(PAIRS[:4], PAIRS[:4])
    return system


@pytest.mark.parametrize("name", COMPOSED)
def test_every_system_aligns_its_easy_pairs(name: str, shared: Cache) -> None:
    """The sample's pairs differ by a few words: whatever is published finds most links of the pairs it was tuned on."""
    system = composed(name, shared)
    links = [system.align(pair) for pair in PAIRS]
    f1, curve = alignment_scores(zip(PAIRS, links, strict=True))["task1"]["f1"], curves_of(system, PAIRS)["task1"]
    assert f1 > 60
    assert curve.max_f1 >= f1 - 1e-9
    assert 0 < curve.area <= 100 + 1e-9
    assert links == [sorted(found) for found in links]


def test_systems_that_share_a_similarity_share_its_matrices(shared: Cache) -> None:
    ours = [composed(name, shared) for name in ("tfidf", "hmm", "massalign")]
    assert len({id(system.variants[0].similarity) for system in ours}) == 1
    first = ours[0].variants[0].similarity.sentences(PAIRS[0], "task1").matrix
    assert ours[1].variants[0].similarity.sentences(PAIRS[0], "task2").matrix is first


def test_unknown_parts_are_refused(shared: Cache) -> None:
    jaccard = load_system_config("jaccard")
    with pytest.raises(InputError, match="no similarity 'cosine'; known: "):
        make_system(replace(jaccard, similarity=Part("cosine", {})), shared)
    with pytest.raises(InputError, match="no alignment strategy 'x'"):
        make_system(replace(jaccard, strategy=Part("x", {})), shared)
    with pytest.raises(InputError, match="tuned: 'theta' names no part"):
        make_system(replace(jaccard, tuned={"theta": [1]}), shared)
    with pytest.raises(InputError, match="no alignment system 'x'; known: additive"):
        load_system_config("x")
    with pytest.raises(InputError, match="needs a trained aligner"):
        make_system(load_system_config("neural_crf"), shared)
    with pytest.raises(InputError, match="paragraph_step goes with"):
        replace(jaccard, paragraphs="own")
    step = {"strategy": {"name": "threshold", "options": {}}, "merge": "all"}
    with pytest.raises(InputError, match="paragraph_step.merge: 'all' is none of simple, components"):
        structured(asdict(jaccard) | {"paragraph_step": step}, SystemConfig)


def test_thresholds_are_those_of_the_best_dev_f1(shared: Cache) -> None:
    system = composed("jaccard", shared)

    def f1(task: str) -> float:
        return alignment_scores((pair, system.align(pair)) for pair in PAIRS[:4])[task]["f1"]

    chosen = dict(system.chosen)
    reached = {task: f1(task) for task in TASKS}
    for task in TASKS:
        other = next(name for name in TASKS if name != task)
        for threshold in (0.1 * step for step in range(1, 10)):
            system.chosen[task] = chosen[task][0], threshold
            system.chosen[other] = chosen[other][0], float("inf")
            assert f1(task) <= reached[task] + 1e-9
        system.chosen = dict(chosen)
    assert [threshold for _, threshold in composed("coster_kauchak", shared).chosen.values()] == [0.5, 0.5], "fixed"


def test_the_variant_of_the_best_dev_f1_is_chosen(shared: Cache) -> None:
    config = replace(load_system_config("tfidf"), tuned={"strategy.threshold": [2.0, 0.0, 0.1]})
    assert [variant.strategy.options["threshold"] for variant in variants_of(config)] == [2.0, 0.0, 0.1]
    system = make_system(config, shared)
    system.fit([], PAIRS)
    # with 2.0 nothing is linked; of two as good the first
    assert {variant.config.strategy.options["threshold"] for variant, _ in system.chosen.values()} == {0.0}
    two = replace(config, tuned={"strategy.threshold": [0.1, 0.2], "similarity.scope": ["corpus", "article"]})
    assert len(variants_of(two)) == 4


def test_gold_paragraphs_for_two_step_systems_alone(shared: Cache) -> None:
    assert with_gold_paragraphs(load_system_config("tfidf")) is None
    gold = with_gold_paragraphs(load_system_config("cats_c3g_2s"))
    assert gold is not None and gold.paragraphs == "gold"
    system = make_system(gold, shared)
    system.fit([], PAIRS)
    for pair in PAIRS:
        gold, found = (
            {(pair.simple.paragraph_of[link.simple], pair.complex.paragraph_of[link.complex]) for link in links}
            for links in (pair.alignments or (), system.align(pair))
        )
        assert found and found <= gold


@pytest.mark.parametrize("name", ["cats_c3g_2s", "lr"])
def test_a_saved_system_aligns_alike(name: str, shared: Cache, tmp_path: Path) -> None:
    system = composed(name, fresh(shared))
    system.save(tmp_path / name)
    again = load_system(tmp_path / name, fresh(shared), quick(name))
    assert [again.align(pair) for pair in PAIRS] == [system.align(pair) for pair in PAIRS]
    again.save(tmp_path / "again")
    assert contents(tmp_path / name) == contents(tmp_path / "again")


def test_a_saved_system_of_other_parts_or_vectors_is_refused(shared: Cache, tmp_path: Path) -> None:
    config = load_system_config("maximum_alignment")
    composed("maximum_alignment", shared).save(tmp_path / "saved")
    with pytest.raises(InputError, match="holds a system of other parts than word_movers_distance with threshold"):
        load_system(tmp_path / "saved", shared, load_system_config("wmd"))
    other = Cache(PAIRS, WordVectorConfig(None), shared.encoder, RUNTIME)
    with pytest.raises(InputError, match="fitted with other word vectors"):
        load_system(tmp_path / "saved", other, config)
    with pytest.raises(InputError, match="no system.json"):
        load_system(tmp_path, shared, config)
    assert needs_of("word_movers_distance") == "vectors" and needs_of("jaccard") is None


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("chosen.task1.threshold", 3, "chosen.task1.threshold: 3 should be less than or equal to 2"),
        ("chosen.task2.variant", 9, "chosen.task2: none of 1 variants"),
        ("config.similarity.options.n", 2.5, "similarity char_ngrams: n: 2.5 should be a valid integer"),
        ("decoding", "viterbi", "decoding: unknown; the keys are config, chosen, word_vectors"),
    ],
)
def test_values_out_of_sense_in_a_saved_system_are_refused(
    key: str, value: object, message: str, shared: Cache, tmp_path: Path
) -> None:
    """Under a manifest of their own."""
    composed("cats_c3g", shared).save(tmp_path / "saved")
    edited(tmp_path / "saved" / "system.json", key, value)
    with pytest.raises(InputError, match="model was changed after it was written: system.json has other bytes"):
        saved_config(tmp_path / "saved")
    SYSTEM.seal(tmp_path / "saved")
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        load_system(tmp_path / "saved", shared, saved_config(tmp_path / "saved"))
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 500


def test_curves_and_examples_are_written(shared: Cache, tmp_path: Path) -> None:
    systems = {name: composed(name, shared) for name in ("jaccard", "tfidf")}
    curves = dict.fromkeys(("dev", "test"), {name: curves_of(system, PAIRS) for name, system in systems.items()})
    write_curves(tmp_path / "pr.csv", curves)
    rows = list(csv.DictReader((tmp_path / "pr.csv").open()))
    assert {(row["system"], row["split"], row["task"]) for row in rows} == {
        (name, split, task) for name in systems for split in ("dev", "test") for task in TASKS
    }
    assert all(0 <= float(row["precision"]) <= 100 and 0 <= float(row["recall"]) <= 100 for row in rows)
    links = {name: [system.align(pair) for pair in PAIRS] for name, system in systems.items()}
    write_examples(tmp_path / "examples.jsonl", PAIRS, links)
    lines = [json.loads(line) for line in (tmp_path / "examples.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines] == [pair.id for pair in PAIRS]
    assert all(line["predicted"].keys() == systems.keys() and line["alignments"] for line in lines)
    assert [[simple, complex_] for simple, complex_, _ in lines[0]["predicted"]["tfidf"]] == [
        [link.simple, link.complex] for link in links["tfidf"][0]
    ]
