"""The neural CRF among the other systems: its scores, its decodings, its variants, on a tiny trained aligner."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from alignment_sample import RUNTIME
from scale_sample import DEV, TRAIN

from textsimp.alignment.cache import Cache
from textsimp.alignment.neural.aligner import load_aligner
from textsimp.alignment.neural.aligner_settings import Decoding, EmissionConfig
from textsimp.alignment.neural.training import train_aligner, train_encoder
from textsimp.alignment.similarity.similarity import Candidates, first_of_each
from textsimp.alignment.spec import load_system_config
from textsimp.alignment.systems import System, make_system
from textsimp.core.errors import InputError
from textsimp.core.params import from_conf
from textsimp.core.results import Resampling
from textsimp.core.word_vectors import WordVectorConfig
from textsimp.evaluation.aligners import curves_of
from textsimp.evaluation.paragraph_aligners import evaluate_paragraphs, fitted_systems
from textsimp.metrics.links import alignment_scores
from textsimp.sources.onestop import ParagraphPair

PAIRS = TRAIN + DEV


@pytest.fixture(scope="module")
def shared(tiny_aligner: Path, tmp_path_factory: pytest.TempPathFactory) -> Cache:
    """A trained aligner, two variants of it, and an encoder of another corpus."""
    folder, variants = tmp_path_factory.mktemp("crf"), tmp_path_factory.mktemp("variants")
    aligner = load_aligner(tiny_aligner, RUNTIME)
    config = aligner.config
    paper = replace(config.crf, decoding=Decoding.VITERBI, aligned_one_to_one=False)
    for name, changed in {
        "paper_emission": replace(config, emission=replace(config.emission, features=["encoder"])),
        "paper": replace(config, emission=EmissionConfig(["cls"], 0), crf=paper),
    }.items():
        encoder = tiny_aligner.parent / "encoder"
        variant, _ = train_aligner(TRAIN, DEV, "newsela", encoder, changed, RUNTIME, scored=aligner.scorer)
        variant.save(variants / name)
    other, _ = train_encoder(PAIRS[:2], DEV, config, RUNTIME, folder / "state")
    other.save(folder / "newsela")
    vectors = from_conf("word_vectors", WordVectorConfig)
    return Cache(PAIRS, vectors, config.encoder, RUNTIME, aligner, variants, encoders=folder)


def system(name: str, shared: Cache) -> System:
    made = make_system(load_system_config(name), shared)
    made.fit(TRAIN, DEV)
    return made


def links(made: System) -> list[set[tuple[int, int]]]:
    return [{(link.simple, link.complex) for link in made.align(pair)} for pair in PAIRS]


def test_the_first_complex_sentence_by_each_measure_is_a_candidate() -> None:
    measures = [np.array([[0.1, 0.9, 0.2], [0.5, 0.5, 0.1]]), np.array([[0.8, 0.1, 0.0], [0.0, 0.0, 0.7]])]
    assert first_of_each(measures).tolist() == [[True, True, False], [True, False, True]]
    assert first_of_each([np.zeros((2, 0))]).shape == (2, 0)


@pytest.mark.parametrize("encoder", ["", "_newsela"])
def test_only_candidates_have_a_similarity(encoder: str, shared: Cache) -> None:
    made = system(f"bert_finetune{encoder}_candidates", shared)
    scorer = shared.pair_scorer("newsela" if encoder else None)
    for pair in PAIRS:
        scores, whole = made.scores(pair, "task1"), scorer.scores(pair).linked_probability()
        chosen = scores > -np.inf
        assert (scores[chosen] == whole[chosen]).all()
        assert set(chosen.sum(1).tolist()) <= {1, 2, 3, 4}
    own, other = (shared.pair_scorer(name).scores(PAIRS[0]) for name in (None, "newsela"))
    assert (own.candidate == other.candidate).all() and not np.allclose(own.link, other.link)


def test_candidates_of_what_learns_are_refused(shared: Cache) -> None:
    jaccard, learned = ({"name": name, "options": {}} for name in ("jaccard", "logistic"))
    with pytest.raises(InputError, match="logistic has to be trained"):
        Candidates(shared, learned, [jaccard])
    with pytest.raises(InputError, match="options: missing"):
        Candidates(shared, {"name": "jaccard"}, [jaccard])


@pytest.mark.parametrize(
    "name", ["neural_crf", "neural_crf_one_chain", "neural_crf_gold_paraalign", "neural_crf_paper"]
)
def test_the_scores_hold_the_links(name: str, shared: Cache) -> None:
    """The reported point is one that a threshold on the scores reaches or exceeds, in both tasks."""
    made = system(name, shared)
    scores, curves = alignment_scores((pair, made.align(pair)) for pair in PAIRS), curves_of(made, PAIRS)
    for task in ("task1", "task2"):
        assert curves[task].max_f1 >= scores[task]["f1"] - 1e-9
    if name == "neural_crf_one_chain":
        for pair, found in zip(PAIRS, links(made), strict=True):
            assert {tuple(cell) for cell in np.argwhere(made.scores(pair, "task1") > -np.inf).tolist()} == found


def test_two_chains_with_the_precision_of_one(shared: Cache) -> None:
    def precision(made: System) -> float:
        return alignment_scores((pair, made.align(pair)) for pair in DEV)["task1"]["precision"]

    precise, one, trained = (system(f"neural_crf{end}", shared) for end in ("_precise", "_one_chain", ""))
    assert precision(precise) >= precision(one)
    assert all(few <= many for few, many in zip(links(precise), links(trained), strict=True))


def test_a_variant_has_its_own_network_and_the_same_encoder_scores(shared: Cache) -> None:
    main, variant = (system(name, shared) for name in ("neural_crf", "neural_crf_paper_emission"))
    assert main.features(PAIRS[0]).shape[2] > variant.features(PAIRS[0]).shape[2] == 2
    np.testing.assert_array_equal(main.scorer.scores(PAIRS[0]).link, variant.scorer.scores(PAIRS[0]).link)


def test_what_a_variant_encoder_or_option_lacks_is_said(shared: Cache) -> None:
    alone = Cache(PAIRS, shared.vectors_config, shared.encoder, RUNTIME, shared.aligner)
    with pytest.raises(InputError, match="needs the encoder 'newsela', which only the pipeline trains"):
        make_system(load_system_config("cats_candidates"), alone)
    with pytest.raises(InputError, match="which only the pipeline trains"):
        make_system(load_system_config("neural_crf_paper_emission"), alone)
    config = load_system_config("neural_crf")
    for option, value, said in (
        ("beam", 3, "alignment strategy crf: beam: unknown; its options: decoding, variant, as_precise_as"),
        ("decoding", "viterbo", "crf: decoding: 'viterbo' is none of viterbi, posterior"),
        ("as_precise_as", "viterbo", "crf: as_precise_as: 'viterbo' is none of viterbi, posterior"),
    ):
        with pytest.raises(InputError, match=said):
            make_system(replace(config, strategy=replace(config.strategy, options={option: value})), shared)


def test_paragraphs_of_every_aligner_against_gold(shared: Cache) -> None:
    """Diagonal gold: MASSAlign and the tuned algorithms find it, and the numbers are those of their matrices."""
    pairs = [ParagraphPair(pair, tuple((k, k) for k in range(3))) for pair in PAIRS]
    gold = {"merged": {"dev": pairs[:4], "test": pairs[4:]}}
    configs = {"massalign": load_system_config("massalign")}
    systems = fitted_systems(configs, shared, PAIRS[:6])
    aligner = shared.trained_aligner("the test")
    with pytest.raises(InputError, match="test set 'none': dev has no document pairs"):
        evaluate_paragraphs({**gold, "none": {"dev": [], "test": []}}, aligner, systems, Resampling(200, 1))
    results = evaluate_paragraphs(gold, aligner, systems, Resampling(200, 1))
    assert [results.value("merged", "gold", name) for name in ("dev_pairs", "test_pairs")] == [4, 4]
    names = ["trained", "newsela", "wikipedia", "massalign"]
    assert results.systems("merged") == [*names, "gold"]
    correct = sum(int(np.trace(systems["massalign"].paragraph_alignment(pair))) for pair in PAIRS[4:])
    assert results.value("merged", "massalign", "recall") == pytest.approx(100 * correct / 12)
    trained = results.value("merged", "trained", "f1")
    for name in names[1:]:
        f1 = results.get("merged", name, "f1")
        assert f1.low <= f1.value <= f1.high
        assert results.comparisons["merged", "f1", name, "trained"].difference == pytest.approx(f1.value - trained)
        assert name == "massalign" or f1.value >= trained - 5, "tuned on such documents"
