"""The neural CRF among the other systems: its scores, its decodings, its variants, on a tiny trained aligner."""

from dataclasses import replace

import numpy as np
import pytest
from alignment_sample import RUNTIME, aligner_config, document_pair, write_bert

from textsimp.alignment.evaluation import curves_of, scores_of
from textsimp.alignment.neural.checkpoint import save_aligner
from textsimp.alignment.neural.training import train_aligner, train_encoder
from textsimp.alignment.own_documents import load_system_config
from textsimp.alignment.paragraph_evaluation import evaluate_paragraphs, fitted_systems, gold_sets
from textsimp.alignment.resources import Resources
from textsimp.alignment.shared import SharedSimilarities
from textsimp.alignment.systems import System, make_system
from textsimp.alignment.vectors import WordVectorConfig
from textsimp.errors import InputError
from textsimp.metrics.resampling import Resampling
from textsimp.params import from_conf
from textsimp.sources.onestop_qa import ParagraphPair

PAIRS = [document_pair(number) for number in range(8)]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> SharedSimilarities:
    folder = tmp_path_factory.mktemp("crf")
    config = aligner_config(write_bert(folder / "bert"))
    encoder, _ = train_encoder(PAIRS[:6], PAIRS[6:], config, RUNTIME, folder / "state")
    encoder.save(folder / "encoder")
    aligner, _ = train_aligner(PAIRS[:6], PAIRS[6:], "newsela", folder / "encoder", config, RUNTIME)
    alone = replace(config, emission=replace(config.emission, features=["encoder"]))
    variant, _ = train_aligner(
        PAIRS[:6], PAIRS[6:], "newsela", folder / "encoder", alone, RUNTIME, scored=aligner.scorer
    )
    save_aligner(variant, folder / "variants" / "paper_emission")
    vectors = from_conf("word_vectors", WordVectorConfig)
    return SharedSimilarities(Resources(PAIRS, vectors, config.encoder, RUNTIME, aligner, folder / "variants"))


def system(name: str, shared: SharedSimilarities) -> System:
    made = make_system(load_system_config(name), shared)
    made.fit(PAIRS[:6], PAIRS[6:])
    return made


def links(made: System) -> list[set[tuple[int, int]]]:
    return [{(link.simple, link.complex) for link in made.align(pair)} for pair in PAIRS]


@pytest.mark.parametrize(
    "name", ["neural_crf", "neural_crf_viterbi", "neural_crf_one_chain", "neural_crf_gold_paraalign"]
)
def test_the_scores_hold_the_links(name: str, shared: SharedSimilarities) -> None:
    """The reported point is one that a threshold on the scores reaches or exceeds, in both tasks."""
    made = system(name, shared)
    scores = scores_of(PAIRS, [made.align(pair) for pair in PAIRS], curves_of(made, PAIRS))
    for task in ("task1", "task2"):
        assert scores[task]["max_f1"] >= scores[task]["f1"] - 1e-9


def test_what_viterbi_does_not_link_has_no_score(shared: SharedSimilarities) -> None:
    made = system("neural_crf_one_chain", shared)
    for pair, found in zip(PAIRS, links(made), strict=True):
        assert {tuple(cell) for cell in np.argwhere(made.scores(pair, "task1") > -np.inf).tolist()} == found


def test_two_chains_with_the_precision_of_one(shared: SharedSimilarities) -> None:
    def precision(made: System) -> float:
        return scores_of(PAIRS[6:], [made.align(pair) for pair in PAIRS[6:]], None)["task1"]["precision"]

    precise, one, trained = (system(f"neural_crf{end}", shared) for end in ("_precise", "_one_chain", ""))
    assert precision(precise) >= precision(one)
    assert all(few <= many for few, many in zip(links(precise), links(trained), strict=True))


def test_a_variant_has_its_own_network_and_the_same_encoder_scores(shared: SharedSimilarities) -> None:
    main, variant = (system(name, shared).aligner for name in ("neural_crf", "neural_crf_paper_emission"))
    assert main.features(PAIRS[0]).shape[2] > variant.features(PAIRS[0]).shape[2] == 2
    np.testing.assert_array_equal(main.scores(PAIRS[0]).link, variant.scores(PAIRS[0]).link)


def test_what_a_variant_or_option_lacks_is_said(shared: SharedSimilarities) -> None:
    with pytest.raises(InputError, match="which only the pipeline trains"):
        make_system(
            load_system_config("neural_crf_paper_emission"),
            SharedSimilarities(replace(shared.resources, variants=None)),
        )
    config = load_system_config("neural_crf")
    wrong = replace(config, strategy=replace(config.strategy, options={"beam": 3}))
    with pytest.raises(InputError, match="alignment strategy crf: .*; its options: decoding, variant, as_precise_as"):
        make_system(wrong, shared)


def test_paragraphs_of_every_aligner_against_gold(shared: SharedSimilarities) -> None:
    """Diagonal gold: MASSAlign and the tuned algorithms find it, and the numbers are those of their matrices."""
    pairs = [ParagraphPair(pair, tuple((k, k) for k in range(3))) for pair in PAIRS]
    gold = gold_sets({"merged": {"dev": pairs[:4], "test": pairs[4:]}})
    configs = {"massalign": load_system_config("massalign")}
    systems = fitted_systems(configs, shared.resources, PAIRS[:6])
    aligner = shared.resources.trained_aligner("the test")
    with pytest.raises(InputError, match="test set 'none': dev has no document pairs"):
        evaluate_paragraphs({**gold, "none": {"dev": [], "test": []}}, aligner, systems, Resampling(200, 1))
    found = evaluate_paragraphs(gold, aligner, systems, Resampling(200, 1))["merged"]
    assert (found["dev_pairs"], found["test_pairs"]) == (4, 4)
    assert list(found["systems"]) == ["trained", "newsela", "wikipedia", "massalign"]
    correct = sum(int(np.trace(systems["massalign"].paragraphs(pair))) for pair in PAIRS[4:])
    assert found["systems"]["massalign"]["recall"] == pytest.approx(100 * correct / 12)
    for name in ("newsela", "wikipedia"):
        assert found["systems"][name]["f1"] >= found["systems"]["trained"]["f1"] - 5, "tuned on such documents"
    assert found["systems"]["trained"]["difference"] is None
    for row in found["systems"].values():
        low, high = row["intervals"]["f1"]
        assert low <= row["f1"] <= high
        gap = row["difference"]
        assert gap is None or gap["f1"] == pytest.approx(row["f1"] - found["systems"]["trained"]["f1"])
