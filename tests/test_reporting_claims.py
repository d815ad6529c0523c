"""The claims of the main table about alignment: who is compared with whom, and what holds."""

from pathlib import Path

import pytest
from reporting_changes import with_scores, without
from reporting_run import KINDS, folders, params, write, write_run

from textsimp.reporting.alignment_claims import alignment_claims
from textsimp.reporting.claims import Contest
from textsimp.reporting.config import load_plan
from textsimp.reporting.inputs import CorpusResults, Results, read_results
from textsimp.reporting.published import Published


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("run")
    write_run(root)
    write(root / "params.yaml", params(list(KINDS), []))
    return root


@pytest.fixture(scope="module")
def results(run: Path) -> Results:
    return read_results(load_plan(run / "params.yaml"), folders(run))


@pytest.fixture(scope="module")
def published(run: Path) -> Published:
    return Published(folders(run).published)


def claims(corpus: CorpusResults, published: Published) -> dict[str, tuple[str, str, bool]]:
    return {
        claim.text: (str(claim.ours), claim.paper, claim.ours.holds) for claim in alignment_claims(corpus, published)
    }


def test_claims_of_the_paper(results: Results, published: Published) -> None:
    news, wiki = (claims(corpus, published) for corpus in results.corpora)
    assert news["Task 1 F1: CRF aligner > best other"][1:] == ("95.6 > 89.9 (CATS)", True)
    assert "(BERT finetune + ParaAlign)" in news["Task 1 F1: CRF aligner > best other"][0]
    order = "Task 1 F1: CRF aligner > BERT finetune > best lexical"
    assert news[order][1] == "95.6 > 89.9 (CATS); on dev 93.2 > 88.6 (BERT finetune)"
    assert wiki[order][1] == "85.3 > 84.3 > 71.3 (CATS)"
    assert wiki["Task 2 F1: CRF aligner > BERT finetune > best lexical"][1] == ""


def test_the_best_other_sees_no_gold_paragraphs_and_is_no_crf(results: Results, published: Published) -> None:
    corpus = results.corpora[0]
    high = with_scores(
        corpus,
        cats_c3g_2s_gold_paragraphs=99.0,
        neural_crf_one_chain=98.0,
        neural_crf_paper_emission=97.0,
        neural_crf=90.0,
        neural_crf_viterbi=89.0,
        wmd=88.0,
        hmm=80.0,
        bert_finetune=85.0,
    )
    found = claims(high, published)
    assert found["Task 1 F1: CRF aligner > best other"][0] == "90.0 > 88.0 (Word Mover's Distance)"
    assert found["Task 1 F1: CRF aligner, Viterbi > best other"][0] == "89.0 > 88.0 (Word Mover's Distance)"
    assert found["Task 1 F1: CRF aligner > BERT finetune > best lexical"][0] == "90.0 > 85.0 > 80.0 (HMM)"
    assert found["Task 1 F1: CRF aligner, ensemble emission > encoder emission"] == ("90.0 < 97.0", "", False)


def test_two_chains_may_have_the_precision_of_one_but_need_more_recall(results: Results, published: Published) -> None:
    same = {
        f"{system}__{m}": 90.0 for system in ("neural_crf_precise", "neural_crf_one_chain") for m in ("recall", "precision")
    }
    found = claims(with_scores(results.corpora[0], **same), published)
    assert found["Task 1 recall: two chains, as precise on dev > one chain"] == ("90.0 = 90.0", "", False)
    assert found["Task 1 precision: two chains, as precise on dev ≥ one chain"] == ("90.0 = 90.0", "", True)


def test_claims_need_their_systems(results: Results, published: Published) -> None:
    missing = ("neural_crf_one_chain", "neural_crf_paper_emission", "bert_finetune", "neural_crf_viterbi")
    found = claims(without(results.corpora[0], *missing), published)
    assert list(found) == [f"Task {task} F1: CRF aligner > best other" for task in (1, 2)]
    assert not claims(without(results.corpora[0], "neural_crf", *missing), published)


def test_what_does_not_hold_is_said() -> None:
    assert str(Contest((("", 80.04), ("a", 80.0), ("", 81.0)))) == "80.0 = 80.0 (a) < 81.0"
    assert not Contest((("", 80.04), ("a", 80.0))).holds and Contest((("", 80.04), ("a", 80.0)), strict=False).holds
    assert Contest((("", 3.0), ("", 2.0), ("", 1.0))).holds and not Contest((("", 3.0), ("", 1.0), ("", 2.0))).holds
