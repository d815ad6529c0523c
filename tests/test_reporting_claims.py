"""The claims of the main table about alignment: who is compared with whom, and what holds."""

from pathlib import Path

import pytest
from reporting_changes import with_scores, without
from reporting_run import KINDS, folders, params, write, write_run

from textsimp.reporting.alignment.claims import alignment_claims
from textsimp.reporting.claim_tables import claim_tables
from textsimp.reporting.claims import Claim, Contest
from textsimp.reporting.config import load_plan
from textsimp.reporting.inputs import CorpusResults, Results, read_results
from textsimp.reporting.published import Published
from textsimp.reporting.significance import Difference
from textsimp.reporting.simplification.claims import new_over_old, paper_saris


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
        f"{system}__{m}": 90.0
        for system in ("neural_crf_precise", "neural_crf_one_chain")
        for m in ("recall", "precision")
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


@pytest.mark.parametrize(
    ("sides", "bounds", "verdict"),
    [
        ((3.0, 2.0), [(0.5, 1.5)], "yes"),
        ((3.0, 2.0), [(-0.5, 2.5)], "yes, within chance"),
        ((2.0, 3.0), [(-1.5, -0.5)], "no"),
        ((2.0, 3.0), [(-2.5, 0.5)], "no, within chance"),
        ((2.0, 3.0), [None], "no"),
        ((3.0, 2.0, 2.5), [(0.5, 1.5), (-1.0, -0.1)], "no"),
        ((3.0, 2.0, 2.5), [(0.5, 1.5), (-1.0, 0.1)], "no, within chance"),
        ((3.0, 2.0, 1.0), [(0.5, 1.5), (-0.1, 2.1)], "yes, within chance"),
        ((3.0, 2.0, 1.0), [(0.5, 1.5), None], "yes"),
        ((3.0, 2.0, 2.5), [(0.5, 1.5), None], "no"),
    ],
)
def test_verdicts_say_whether_chance_could_do_it(
    sides: tuple[float, ...], bounds: list[tuple[float, float] | None], verdict: str
) -> None:
    tested = tuple(
        None if pair is None else Difference(a - b, *pair, p_bootstrap=0.01, p_randomisation=0.01)
        for (a, b), pair in zip(zip(sides, sides[1:], strict=False), bounds, strict=True)
    )
    assert Claim("x", Contest(tuple(("", side) for side in sides)), differences=tested).verdict == verdict


@pytest.mark.parametrize(("sides", "answer"), [((3.0, 2.0), "yes"), ((2.0, 3.0), "no")])
def test_one_test_alone_is_not_enough(sides: tuple[float, float], answer: str) -> None:
    gap = sides[0] - sides[1]
    for bounds, p in (((gap - 0.1, gap + 0.1), 0.06), ((gap - 2, gap + 2), 0.01)):
        difference = Difference(gap, *bounds, p_bootstrap=0.0, p_randomisation=p)
        claim = Claim("x", Contest(tuple(("", side) for side in sides)), differences=(difference,))
        assert claim.verdict == f"{answer}, within chance"


def test_the_papers_tables_as_claims(results: Results, published: Published) -> None:
    tables = {table.key: table for table in claim_tables(results, published)}
    assert list(tables) == [
        *(f"claims-alignment-{name}-{split}" for name in KINDS for split in ("test", "dev")),
        *(f"claims-simplification-{name}" for name in KINDS),
    ]
    rows = {row.cells[1].text: row.cells for row in tables["claims-alignment-sample_news-test"].rows}
    assert "Task 1 F1: CRF aligner > Neural CRF aligner" not in rows
    jaccard = rows["Task 1 F1: CRF aligner > Jaccard"]
    assert jaccard[2].text == "95.6 > 84.8" and jaccard[4].text.startswith("+") and jaccard[5].text == "yes"
    corpus = results.corpora[0]
    gap = corpus.alignment.score("test", "neural_crf", "task1", "f1") - corpus.alignment.score(
        "test", "jaccard", "task1", "f1"
    )
    assert jaccard[4].text == f"+{gap:.1f}‡ ({gap - 3:.1f} to {gap + 3:.1f})"
    models = [row.cells[1].text for row in tables["claims-simplification-sample_wiki"].rows]
    assert len(models) == 4 and "SARI: EditNTS, new data > old data" in models


def test_new_data_over_old_needs_both(results: Results, published: Published) -> None:
    paper = paper_saris(published, "wiki", "turk")
    assert paper["auto/editnts"] == 36.4 and paper["old/lstm"] == 33.8 and paper["none/identity"] == 25.9
    significance = results.corpora[1].significance["multi_reference"]
    (claim,) = new_over_old({"auto/lstm": 30.0, "old/lstm": 31.0, "auto/editnts": 9.0}, paper, significance)
    assert str(claim.ours) == "30.0 < 31.0" and claim.paper and not claim.ours.holds
