"""The pair encoder, its training, the neural CRF, and the aligner as a whole, on a tiny BERT."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from alignment_sample import RUNTIME, aligner_config, edited, path_posteriors, path_scores, write_bert
from safetensors.torch import load_file
from scale_sample import DEV, TRAIN
from simplifier_sample import contents

from textsimp.alignment.neural import network, pair_scores, training
from textsimp.alignment.neural.aligner import Aligner, load_aligner
from textsimp.alignment.neural.aligner_settings import ALIGNER, Decoding, TransitionConfig
from textsimp.alignment.neural.bert import PairEncoder
from textsimp.alignment.neural.network import Chain, ChainInput, NeuralCrf
from textsimp.alignment.neural.pair_scores import PairScorer
from textsimp.alignment.neural.training import train_aligner, train_encoder
from textsimp.alignment.words import TfIdf
from textsimp.core.errors import InputError
from textsimp.metrics.links import alignment_scores

PAIRS = TRAIN + DEV
TRANSITION = TransitionConfig(4, "tanh", 10, 5.0, False, 0)


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_bert(tmp_path_factory.mktemp("bert"))


@pytest.fixture(scope="module")
def aligner(tiny_aligner: Path) -> Aligner:
    return load_aligner(tiny_aligner, RUNTIME)


def encoder_of(bert: Path, **options: int) -> PairEncoder:
    torch.manual_seed(0)
    return PairEncoder(str(bert), options.get("max_length", 48), "cpu", options.get("batch_size", 16))


def test_each_distinct_pair_is_encoded_once_and_apart_from_the_batch(
    bert: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [(a, b) for pair in PAIRS[:2] for a in pair.simple.sentences for b in pair.complex.sentences]
    encoder, seen = encoder_of(bert), []
    original = encoder._batch
    monkeypatch.setattr(encoder, "_batch", lambda pairs: (seen.extend(pairs), original(pairs))[1])
    together = encoder.log_probabilities([*texts, *texts[:5]])[:72]
    assert len(seen) == len(set(texts))
    np.testing.assert_allclose(np.exp(together).sum(1), 1, atol=1e-5)
    alone = np.concatenate([encoder.log_probabilities([pair]) for pair in texts[:9]])
    np.testing.assert_allclose(together[:9], alone, atol=1e-5)


def test_encoder_input_is_that_of_the_tokenizer_cut_to_the_maximum(bert: Path) -> None:
    encoder, pair = encoder_of(bert), (PAIRS[0].simple.sentences[0], PAIRS[0].complex.sentences[0])
    expected = encoder.tokenizer(*pair)
    ids, types = encoder._join(pair)
    assert ids == expected["input_ids"]
    assert types == expected["token_type_ids"]
    assert encoder.length(pair) == len(ids)
    encoder = encoder_of(bert, max_length=20)
    for left, right in ((100, 3), (3, 100), (100, 100)):
        ids, types = encoder._join(("otter " * left, "vole " * right))
        assert len(ids) == len(types) == 20 and ids.count(encoder.tokenizer.sep_token_id) == 2
        assert min(types.count(0), types.count(1)) >= 4, "both sentences are still there"


def test_examples_take_links_and_candidates_but_no_identical_pairs(bert: Path) -> None:
    pair = PAIRS[0]
    same = replace(pair, simple=replace(pair.simple, paragraphs=(pair.complex.sentences[:1],)), alignments=())
    scorer = PairScorer(encoder_of(bert), None, TfIdf.fit(PAIRS), 2)
    found = dict(training.examples_of([pair, same], scorer, False))
    for link in pair.alignments:
        texts = (pair.simple.sentences[link.simple], pair.complex.sentences[link.complex])
        assert found[texts] == (2 if link.label == "aligned" else 1)
    assert all(a != b for a, b in found)
    assert len(found) < 36, "not every pair is a candidate"


def test_resumed_fine_tuning_ends_in_the_same_weights(
    tiny_aligner: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As those of the encoder that was trained without a stop for the tests' aligner."""
    config, step = aligner_config(tiny_aligner.parent / "bert"), training._step

    def dies(encoder, plan, optimizer, number, settings):
        if number == 5:
            raise KeyboardInterrupt
        return step(encoder, plan, optimizer, number, settings)

    monkeypatch.setattr(training, "_step", dies)
    with pytest.raises(KeyboardInterrupt):
        train_encoder(TRAIN, DEV, config, RUNTIME, tmp_path / "killed")
    taken: list[int] = []
    monkeypatch.setattr(training, "_step", lambda *a: (taken.append(a[3]), step(*a))[1])
    resumed, curve = train_encoder(TRAIN, DEV, config, RUNTIME, tmp_path / "killed")
    assert taken == [4, 5, 6, 7], "the evaluation after step 4 was the last thing saved"
    assert [row["step"] for row in curve] == [4, 8]
    for name, weight in load_file(tiny_aligner.parent / "encoder" / "model.safetensors").items():
        assert torch.equal(weight, resumed.model.state_dict()[name]), name


def test_fine_tuning_needs_a_linked_pair(bert: Path, tmp_path: Path) -> None:
    bare = [replace(pair, alignments=()) for pair in PAIRS]
    with pytest.raises(InputError, match="no aligned or partial pair"):
        train_encoder(bare[:6], bare[6:], aligner_config(bert), RUNTIME, tmp_path)


def chain_input(gold: list[list[int]], seed: int = 0) -> ChainInput:
    torch.manual_seed(seed)
    marks = torch.tensor(gold, dtype=torch.bool)
    return ChainInput(torch.randn(*marks.shape, 2), marks, torch.zeros(marks.shape))


def test_a_batch_of_blocks_is_the_mean_over_sentences() -> None:
    torch.manual_seed(1)
    chain = Chain(2, 4, TRANSITION)
    blocks = [chain_input([[1, 0], [0, 1], [0, 0]]), chain_input([[0, 0, 1, 0]], seed=2)]
    alone = [float(chain.loss([block]).detach()) for block in blocks]
    assert float(chain.loss(blocks).detach()) == pytest.approx((3 * alone[0] + alone[1]) / 4, rel=1e-4)


def test_posteriors_and_viterbi_against_all_paths() -> None:
    torch.manual_seed(1)
    network, block = NeuralCrf(2, 4, TRANSITION), chain_input([[1, 0], [0, 1], [0, 0]])
    features = block.features, block.features.transpose(0, 1)
    chains = zip((network.over_simple, network.over_complex), features, strict=True)
    with torch.no_grad():
        problems = [chain([rows]) for chain, rows in chains]
    scores, turned = (path_scores(emissions[0], transitions) for emissions, transitions, *_ in problems)
    best = max(scores, key=scores.get)
    linked = network.viterbi([block.features])[0]
    assert np.argwhere(linked).tolist() == [[i, a - 1] for i, a in enumerate(best) if a]
    expected = (path_posteriors(scores, 3)[:, 1:] + path_posteriors(turned, 4)[:, 1:].T) / 2
    np.testing.assert_allclose(network.posteriors([block.features])[0], expected, atol=1e-5)


def test_trained_aligner_finds_the_links(aligner: Aligner) -> None:
    scores = alignment_scores((pair, aligner.align(pair)) for pair in PAIRS)
    assert scores["task1"]["f1"] > 80


def test_gold_paragraphs_bound_the_links(aligner: Aligner) -> None:
    pair = PAIRS[7]
    inside = {(i, j) for block in aligner.blocks(pair, "gold") for i in block.simple for j in block.complex}
    scores = replace(aligner, paragraphs="gold").link_scores(pair)
    assert {tuple(index) for index in np.argwhere(scores > 0).tolist()} <= inside
    assert aligner.blocks(pair, "none")[0].complex == tuple(range(6))


def test_training_again_gives_the_same_bytes_that_align_alike(
    aligner: Aligner, tiny_aligner: Path, tmp_path: Path
) -> None:
    again, _ = train_aligner(TRAIN, DEV, "newsela", tiny_aligner.parent / "encoder", aligner.config, RUNTIME)
    again.save(tmp_path / "again")
    assert contents(tmp_path / "again") == contents(tiny_aligner)
    for decoding in Decoding:
        first, second = (replace(one, decoding=decoding) for one in (aligner, again))
        assert [first.align(pair) for pair in PAIRS] == [second.align(pair) for pair in PAIRS]


def test_what_training_scored_is_not_scored_again_and_too_much_is_refused(
    aligner: Aligner, tiny_aligner: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = load_aligner(tiny_aligner, RUNTIME)
    monkeypatch.setattr(loaded.scorer.encoder, "log_probabilities", lambda pairs, bar=None: pytest.fail("scored again"))
    loaded.scorer.forget()
    assert loaded.align(DEV[1]) == aligner.align(DEV[1])
    loaded.scorer.forget()
    monkeypatch.setattr(pair_scores, "MOST_CELLS", 35)
    for use in (loaded.align, lambda pair: loaded.scorer.prepare([pair])):
        with pytest.raises(InputError, match="'pair-7': 6 x 6 sentences, more than the 35 sentence pairs"):
            use(PAIRS[7])


def test_links_that_share_a_sentence_are_partial(aligner: Aligner) -> None:
    linked, shared = np.zeros((2, 6, 6), dtype=bool)
    shared[[1, 2, 3, 3], [1, 1, 3, 4]] = linked[0, 0] = True
    labels, free = (aligner.label_scores(PAIRS[0], mask) for mask in (linked | shared, np.zeros_like(linked)))
    assert (free > 0).all() and (labels[shared] == 0).all() and (labels[~shared] == free[~shared]).all()


DAMAGES: list[tuple[str, Callable[[Path], object], str]] = [
    ("encoder/config.json", lambda path: edited(path, "max_position_embeddings", 65), "has shape"),
    ("aligner.json", lambda path: edited(path, "settings.link_threshold"), "link_threshold"),
    ("aligner.json", lambda path: edited(path, "config.emission.hidden", 9), "has shape"),
    ("crf.safetensors", lambda path: path.write_bytes(b"truncated"), "no readable weights"),
    ("words.json", lambda path: edited(path, "idf.the", "heavy"), "words.json: .* should be"),
    ("scored_pairs.json", lambda path: path.write_text("[]"), "not the sentence pairs that scores.safetensors scores"),
]


@pytest.mark.parametrize(("name", "damage", "message"), DAMAGES)
def test_damaged_aligners_are_refused(
    tiny_aligner: Path, tmp_path: Path, name: str, damage: Callable[[Path], object], message: str
) -> None:
    """By the manifest; and by what is in them, where whoever changed them wrote another manifest."""
    shutil.copytree(tiny_aligner, tmp_path / "copy")
    damage(tmp_path / "copy" / name)
    with pytest.raises(InputError, match=f"copy: model was changed after it was written: {name} has other bytes"):
        load_aligner(tmp_path / "copy", RUNTIME)
    ALIGNER.seal(tmp_path / "copy")
    with pytest.raises(InputError, match=message) as caught:
        load_aligner(tmp_path / "copy", RUNTIME)
    assert "\n" not in str(caught.value)


def test_long_documents_are_scored_in_parts_alike(aligner: Aligner, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hidden units by parts: the same but for the order of sums."""
    whole = replace(aligner, paragraphs="none")
    nothing = np.zeros((6, 6), dtype=bool)
    expected = [whole.link_scores(pair) for pair in PAIRS], aligner.label_scores(PAIRS[0], nothing)
    monkeypatch.setattr(network, "_WHOLE_CELLS", 10)
    monkeypatch.setattr(network, "_ROWS", 4)
    monkeypatch.setattr(network, "_BATCH_CELLS", 1)
    for pair, scores in zip(PAIRS, expected[0], strict=True):
        np.testing.assert_allclose(whole.link_scores(pair), scores, atol=1e-5)
    np.testing.assert_allclose(aligner.label_scores(PAIRS[0], nothing), expected[1], atol=1e-6)
