"""The paper's aligner: [CLS] vectors, a CRF for each task, the authors' choices as switches; on a tiny BERT."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from alignment_sample import RUNTIME, aligner_config, document_pair, path_scores, write_bert
from scipy.special import logsumexp

from textsimp.alignment.neural.aligner import ClsAligner, load_aligner
from textsimp.alignment.neural.aligner_settings import AlignerConfig, Decoding, EmissionConfig, TransitionConfig
from textsimp.alignment.neural.bert import PairEncoder
from textsimp.alignment.neural.network import ChainInput, ScoredChain, TransitionScorer
from textsimp.alignment.neural.pair_scores import PairScorer
from textsimp.alignment.neural.paragraphs import ParagraphThresholds
from textsimp.alignment.neural.training import train_aligner, train_chain, train_encoder
from textsimp.core.errors import InputError
from textsimp.core.records import AlignmentLabel
from textsimp.metrics.links import alignment_scores

PAIRS = [document_pair(number) for number in range(8)]
TRANSITION = TransitionConfig(4, "tanh", 0, 1.0, True, 0)
TABLE_10 = ParagraphThresholds(0.1, 0.34, 0.9998861788416304, 0.998915818299745, 0.5)


def cls_config(encoder: Path) -> AlignerConfig:
    config = aligner_config(encoder)
    changes = {"transition": TRANSITION, "decoding": Decoding.VITERBI, "aligned_one_to_one": False, "epochs": 40}
    crf_config = replace(config.crf, partners="smallest", batch_size=18, learning_rate=0.02, **changes)
    return replace(config, emission=EmissionConfig(["cls"], 0), crf=crf_config)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cls")
    config = aligner_config(write_bert(folder / "bert"), max_steps=40, epochs=20)
    encoder, _ = train_encoder(PAIRS[:6], PAIRS[6:], config, RUNTIME, folder / "state")
    encoder.save(folder / "encoder")
    return folder


@pytest.fixture(scope="module")
def aligner(folder: Path) -> ClsAligner:
    made, curve = train_aligner(
        PAIRS[:6], PAIRS[6:], "newsela", folder / "encoder", cls_config(folder / "bert"), RUNTIME
    )
    assert isinstance(made, ClsAligner) and made.scorer.encoder.kept is None, "vectors are kept for training alone"
    assert {row["part"] for row in curve} == {"task1", "task2"}
    return made


def test_cls_is_the_last_state_of_the_first_word_piece(folder: Path) -> None:
    encoder = PairEncoder(folder / "encoder", 48, "cpu", 2)
    texts = [("The otter swims .", "The old otter often swims ."), ("The newt .", "A heron ."), ("a", "the river")]
    found = encoder.cls(texts)
    for (simple, complex_), vector in zip(texts, found, strict=True):
        tokens = encoder.tokenizer(simple, complex_, return_tensors="pt")
        state = encoder.model.base_model(**tokens).last_hidden_state[0, 0]
        np.testing.assert_allclose(vector, state.detach().numpy(), atol=1e-5)


def test_each_sentence_pair_is_encoded_once(aligner: ClsAligner, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder, seen = aligner.scorer.encoder, []
    original = encoder._batch
    monkeypatch.setattr(encoder, "_batch", lambda pairs: (seen.extend(pairs), original(pairs))[1])
    aligner.forget()
    monkeypatch.setattr(aligner.scorer, "_known", {})
    for pair in PAIRS:
        aligner.align(pair)
    before = dict(aligner._similar)
    assert len(seen) > len(set(seen)), "one after the other, they are encoded for their scores and for their vectors"
    aligner.forget()
    aligner.scorer._known.clear()
    seen.clear()
    aligner.prepare(PAIRS)
    assert len(seen) == len(set(seen)) and encoder.kept is None
    for pair in PAIRS:
        for task, similar in aligner._similar[pair].items():
            torch.testing.assert_close(similar, before[pair][task], atol=1e-4, rtol=0)


def test_a_crf_for_each_task_finds_its_links(aligner: ClsAligner) -> None:
    """Of a link of Task 2's CRF the label is aligned, of Task 1's alone partial."""
    gold = replace(aligner, paragraphs="gold")
    scores = alignment_scores((pair, gold.align(pair)) for pair in PAIRS)
    assert scores["task1"]["f1"] > 60 and scores["task2"]["f1"] > 60
    for pair in PAIRS:
        masks = {task: aligner.task_links(pair, task) for task in ("task1", "task2")}
        tasks = {task: set(map(tuple, np.argwhere(mask).tolist())) for task, mask in masks.items()}
        links = {(link.simple, link.complex): link.label for link in aligner.align(pair)}
        assert links.keys() == tasks["task1"] | tasks["task2"]
        assert {cell for cell, label in links.items() if label is AlignmentLabel.ALIGNED} == tasks["task2"]
        for task, cells in (("task1", set(links)), ("task2", tasks["task2"])):
            assert {tuple(cell) for cell in np.argwhere(aligner.scores(pair, task) > -np.inf).tolist()} == cells


def test_saved_and_loaded_it_aligns_alike(aligner: ClsAligner, tmp_path: Path) -> None:
    aligner.save(tmp_path / "model")
    loaded = load_aligner(tmp_path / "model", RUNTIME)
    assert isinstance(loaded, ClsAligner)
    assert [loaded.align(pair) for pair in PAIRS] == [aligner.align(pair) for pair in PAIRS]


@pytest.mark.parametrize(("checkpoint", "expected"), [("best", 51.0), ("last", 50.0)])
def test_the_release_keeps_the_last_epoch(checkpoint: str, expected: float, tmp_path: Path) -> None:
    config = replace(cls_config(tmp_path).crf, epochs=3, evaluations=3, checkpoint=checkpoint)
    network, scores = torch.nn.Linear(1, 1), iter((50.0, 51.0, 50.0))

    def evaluate() -> tuple[float, tuple[float, torch.Tensor]]:
        f1 = next(scores)
        return f1, (f1, network.weight.detach().clone())

    curve, (kept, weight) = train_chain(
        network, [torch.ones(1)], lambda rows: network(rows[0]).sum(), evaluate, config, "train"
    )
    assert kept == expected and torch.equal(network.weight, weight)
    assert [row["dev_f1"] for row in curve] == [50.0, 51.0, 50.0]


@pytest.mark.parametrize("changes", [{"decoding": Decoding.POSTERIOR}, {"aligned_one_to_one": True}])
def test_what_the_paper_has_not_is_refused(changes: dict[str, object], aligner: ClsAligner, tmp_path: Path) -> None:
    config = cls_config(tmp_path)
    with pytest.raises(InputError, match="the paper's aligner, is decoded by viterbi"):
        replace(config, crf=replace(config.crf, **changes))
    with pytest.raises(InputError, match="no other decoding than viterbi"):
        replace(aligner, decoding=Decoding.POSTERIOR).align(PAIRS[0])
    for features, said in ((["cls", "lexical"], "cls stands alone"), (["encoder"], "hidden: 0 goes with")):
        with pytest.raises(InputError, match=said):
            EmissionConfig(features, 0)


@pytest.mark.parametrize("partners", ["any", "smallest"])
def test_several_gold_partners(partners: str) -> None:
    """`smallest`: the first partner alone is right, equation 6; `any`: the right paths together."""
    torch.manual_seed(1)
    chain = ScoredChain(2, 4, TRANSITION, partners)
    similar, gold = torch.randn(3, 3), torch.tensor([[0, 1, 1], [0, 0, 0], [1, 0, 0]], dtype=torch.bool)
    emissions, transitions, *_ = chain([similar])
    scores = path_scores(emissions[0], transitions)
    right = [scores[path] for path in [(2, 0, 1), (3, 0, 1)][: 1 if partners == "smallest" else 2]]
    likelihood = logsumexp(right) - logsumexp(list(scores.values()))
    assert chain.loss([ChainInput(similar, gold, gold)]).item() == pytest.approx(-likelihood / 3, abs=1e-5)


def test_what_may_not_be_linked_is_not() -> None:
    torch.manual_seed(1)
    chain = ScoredChain(5, 5, TRANSITION)
    known = torch.tensor([[True, False], [False, False]])
    similar = chain.scored(known, torch.randn(1, 5))
    assert similar[0, 0].isfinite() and similar.isinf().sum() == 3
    posterior = chain.posteriors([similar])[0]
    assert posterior[0, 0] > 0 and posterior.sum() == pytest.approx(posterior[0, 0])


def test_one_layer_of_transitions_is_linear() -> None:
    """As in the authors' release: a distance twice as far costs twice as much; two layers do not do that."""
    scorers = [TransitionScorer(TransitionConfig(hidden, "tanh", 0, 1.0, False, 0)) for hidden in (0, 4)]
    gaps = [scorer(6)[1, 1:].detach().diff() for scorer in scorers]
    assert torch.allclose(gaps[0], gaps[0][:1].expand(4), atol=1e-6)
    assert not torch.allclose(gaps[1], gaps[1][:1].expand(4), atol=1e-6)
    assert sum(weight.numel() for weight in scorers[0].parameters()) == 5


def test_a_threshold_near_one_can_be_passed(folder: Path, aligner: ClsAligner) -> None:
    """Table 10's tau3 needs log-odds of 9.08; identical sentences pass any threshold below 1."""
    texts = PAIRS[0].simple.sentences, PAIRS[0].complex.sentences
    scorer = PairScorer(aligner.scorer.encoder, aligner.scorer.sentences, aligner.scorer.words, 0)
    odds = {(simple, complex_): -10.0 for simple in texts[0] for complex_ in texts[1]} | {
        (texts[0][0], texts[1][5]): 9.5
    }
    rows = [[0.0, -99.0, value] for value in odds.values()]
    scorer.keep(list(odds), torch.log_softmax(torch.tensor(rows), 1).numpy())
    sure = replace(aligner, scorer=scorer, settings=replace(aligner.settings, paragraph_thresholds=TABLE_10))
    assert np.argwhere(sure.paragraph_alignment(PAIRS[0])).tolist() == [[0, 2]]
    numbers = scorer.scores(PAIRS[0])
    assert numbers.linked_probability().max() < TABLE_10.tau3 < numbers.similarity().max()
    same = replace(PAIRS[0], complex=PAIRS[0].simple)
    assert (np.diag(aligner.scorer.scores(same).similarity()) == 1).all()
