"""Claims: what holds, by more than chance or not, what says nothing, and what the headline counts."""

import shutil
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from reporting_run import SIMPLIFIERS, compare_all, run_of, write_whole_run

from textsimp.core.results import Cell, Comparison, Contrast, Estimate
from textsimp.metrics.degenerate import note_of
from textsimp.reporting.claims import CANNOT_TELL, NO_EFFECT, NO_NUMBER, Claim, Contest, headline
from textsimp.reporting.inputs import Run
from textsimp.reporting.opening import opening
from textsimp.reporting.plan import SETTINGS, seed_scope, seeds_file
from textsimp.reporting.table import Table
from textsimp.reporting.tables_claims import TABLES, of_the_paper, summary

_BY_MODEL = "SARI: Transformer_bert, new data > old data"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_whole_run(tmp_path_factory.mktemp("run"))


@pytest.fixture
def run(folder: Path) -> Run:
    """A run whose results may be changed: they are read anew."""
    return run_of(folder)


def tables_of(run: Run) -> dict[str, Table]:
    main = summary(run)
    assert main is not None
    return {table.key: table for table in (main[0], *(table for tables in TABLES for table in tables(run)))}


def claims(run: Run, key: str = "summary") -> dict[tuple[str, str], dict[str, str]]:
    """(corpus, claim) -> header -> text of a table."""
    table = tables_of(run)[key]
    rows = [
        {column.header: cell.text for column, cell in zip(table.columns, row.cells, strict=True)} for row in table.rows
    ]
    return {(row["Corpus"], row["Claim"]): row for row in rows}


FIRST = ("sample_news test (Table 2)", "Task 1 F1: CRF aligner > best other of the table")
SEEDS = (13, 14, 15)


def best_of_the_table(run: Run) -> float:
    """F1 of Task 1 of the best system but the CRF that Table 2 prints and the invented run has."""
    results = run.results("alignment/sample_news")
    return max(results.value("test", name, "task1.f1") or 0 for name in ("jaccard", "tfidf", "massalign", "cats_c3g"))


def write_seeds(run: Run, margins: Iterable[float], settings: str | None = None) -> Run:
    """A fresh run that has seeds; with each, the paper's model is so far above the best of the other systems."""
    results = run.results("alignment/sample_news")
    for seed, margin in zip(SEEDS, margins, strict=True):
        scope = seed_scope("test", seed)
        results.estimates[Cell(scope, "neural_crf_paper", "task1.f1")] = Estimate(best_of_the_table(run) + margin)
    results.notes |= {SETTINGS: run.plan.alignment_settings if settings is None else settings}
    results.write(seeds_file(run.folders.reports, "test", "sample_news"))
    return Run(run.plan, run.folders)


@pytest.fixture
def seeded(folder: Path) -> Iterator[Path]:
    """The folder, without seeds afterwards."""
    yield folder
    shutil.rmtree(folder / "reports" / "seeds", ignore_errors=True)


@pytest.mark.parametrize(
    ("margins", "seeds", "verdict"),
    [
        ((3.0, 2.0, 0.06), "3 of 3 (+0.1 to +3.0)", "holds"),
        ((3.0, 2.0, 0.04), "2 of 3 (+0.0 to +3.0)", "cannot tell, differs by seed"),  # a tie
        ((3.0, -0.34, 1.0), "2 of 3 (-0.3 to +3.0)", "cannot tell, differs by seed"),
    ],
)
def test_a_claim_holds_where_every_seed_agrees(
    seeded: Path, run: Run, margins: tuple[float, ...], seeds: str, verdict: str
) -> None:
    assert "Seeds" not in claims(run)[FIRST]
    fresh = write_seeds(run, margins)
    row = claims(fresh)[FIRST]
    assert (row["Seeds"], row["Verdict"]) == (seeds, verdict)
    found = [claim for claim in of_the_paper(fresh) if claim.is_contradicted and (claim.group, claim.text) == FIRST]
    assert len(found) == (verdict != "holds")
    if found:
        said = opening(fresh, tables_of(fresh)["summary"], found).unjudged
        assert said == "1 of 1 claims have no verdict. For 1, the training seeds disagree."


def test_the_best_of_each_seed_is_the_rival(seeded: Path, run: Run) -> None:
    """With a seed, the rival is the best with that seed, and not the best in the mean."""
    once = Cell(seed_scope("test", 13), "jaccard", "task1.f1")
    run.results("alignment/sample_news").estimates[once] = Estimate(best_of_the_table(run) + 4)
    assert claims(write_seeds(run, (3.0, 3.0, 3.0)))[FIRST]["Seeds"] == "2 of 3 (-1.0 to +3.0)"


def test_seeds_of_other_settings_are_not_those_of_this_run(seeded: Path, run: Run) -> None:
    assert "Seeds" not in claims(write_seeds(run, (3.0, 3.0, 3.0), settings="others"))[FIRST]


def put(run: Run, **scores: float) -> None:
    """Set the F1 of Task 1 (or, as SYSTEM__measure, another measure) of systems on the test split of sample_news."""
    results = run.results("alignment/sample_news")
    for key, value in scores.items():
        system, _, measure = key.partition("__")
        results.estimates[Cell("test", system, f"task1.{measure or 'f1'}")] = Estimate(value)
    compare_all(results)


def test_the_best_other_sees_no_gold_paragraphs_and_is_no_crf(run: Run) -> None:
    put(run, cats_c3g_2s_gold_paragraphs=99.0, neural_crf_one_chain=98.0, neural_crf=97.0, neural_crf_paper=90.0)
    put(run, wmd=88.0, hmm=80.0, bert_finetune=85.0, bert_finetune_paraalign=84.0, neural_crf_paper_emission=97.5)
    found = claims(run, "beyond")
    best = found["sample_news", "Task 1 F1: CRF aligner > best of all other systems"]
    assert best["Ours"] == "90.0 > 88.0 (Word Mover's Distance)"
    assert found["sample_news", "Task 1 F1: BERT finetune > best lexical system"]["Ours"] == "85.0 > 80.0 (HMM)"
    ours = claims(run)[FIRST]["Ours"]
    assert ours.startswith("90.0 > ") and "Distance" not in ours


def test_a_system_that_was_not_run_has_no_number(run: Run) -> None:
    results = run.results("alignment/sample_news")
    for cell in [cell for cell in results.estimates if cell.system == "neural_crf_paper"]:
        del results.estimates[cell]
    assert list(claims(run)[FIRST].values()) == [*FIRST, "95.6 > 89.9 (CATS C3G)", "–", "–", "–", NO_NUMBER]
    assert "4 without a number" in tables_of(run)["summary"].lead


def test_the_best_is_one_that_has_learned(run: Run) -> None:
    """A degenerate system is no side of a claim about the best, however high its number; without others none is."""
    key = "sample_news", "SARI: best on new data > best on old data"
    notes = run.results("simplification/sample_news").notes
    assert claims(run)[key]["Ours"] == "33.7 (EditNTS) > 31.0 (LSTM)"
    notes[note_of("auto", "editnts.new")] = notes[note_of("auto", "lstm.old")] = "BLEU 1.0"
    second = claims(run)[key]
    new, old = second["Ours"].split(">")
    assert "EditNTS" not in new and "LSTM" not in old and second["Verdict"] == "holds"
    for model in SIMPLIFIERS:
        notes[note_of("auto", f"{model}.new")] = notes[note_of("auto", f"{model}.old")] = "BLEU 1.0"
    assert claims(run)[key]["Verdict"] == f"{CANNOT_TELL}: the outputs of EditNTS (new) and LSTM (old) are degenerate"


def test_a_component_without_effect_is_called_so(run: Run) -> None:
    results = run.results("alignment/sample_wiki")
    contrast = Contrast("test", "task1.f1", "bert_finetune_paraalign", "bert_finetune")
    results.comparisons[contrast] = Comparison(0.0, 0.0, 0.0, 1.0, 1.0)
    key = ("sample_wiki test (Table 13)", "Task 1 F1: BERT finetune + ParaAlign > BERT finetune")
    assert claims(run)[key]["Verdict"] == NO_EFFECT
    results.comparisons[contrast] = Comparison(0.0, -0.1, 0.1, 1.0, 1.0)
    assert claims(run)[key]["Verdict"] != NO_EFFECT


def contest(*sides: float, strict: bool = True) -> Contest:
    return Contest(tuple(("", side) for side in sides), strict)


def claim_of(sides: Sequence[float], bounds: Sequence[tuple[float, float] | None], p: float) -> Claim:
    """A claim whose differences have these intervals, as far as they were tested."""
    gaps = [a - b for a, b in pairwise(sides)]
    found = [pair and Comparison(gap, *pair, p, p) for gap, pair in zip(gaps, bounds, strict=True)]
    return Claim("g", "x", contest(*sides), differences=tuple(found))


def test_what_does_not_hold_is_said() -> None:
    assert str(Contest((("", 80.04), ("a", 80.0), ("", 81.0)))) == "80.0 = 80.0 (a) < 81.0"
    assert contest(80.04, 80.0).breaks == [0] and contest(80.04, 80.0, strict=False).breaks == []
    assert contest(3.0, 2.0, 1.0).breaks == [] and contest(3.0, 1.0, 2.0).breaks == [1]


@pytest.mark.parametrize(
    ("sides", "bounds", "verdict"),
    [
        ((3.0, 2.0), [(0.5, 1.5)], "holds"),
        ((3.0, 2.0), [(-0.5, 2.5)], "cannot tell, tends to hold"),
        ((2.0, 3.0), [(-1.5, -0.5)], "fails"),
        ((2.0, 3.0), [(-2.5, 0.5)], "cannot tell, tends to fail"),
        ((2.0, 3.0), [None], "fails, not tested"),
        ((3.0, 2.0, 2.5), [(0.5, 1.5), (-1.0, -0.1)], "fails"),
        ((3.0, 2.0, 2.5), [(0.5, 1.5), (-1.0, 0.1)], "cannot tell, tends to fail"),
        ((3.0, 2.0, 1.0), [(0.5, 1.5), (-0.1, 2.1)], "cannot tell, tends to hold"),
        ((3.0, 2.0, 1.0), [(0.5, 1.5), None], "holds"),
        ((3.0, 2.0, 2.5), [(0.5, 1.5), None], "fails, not tested"),
        ((3.0, 3.0), [(-0.5, 0.5)], "cannot tell, a tie"),
    ],
)
def test_verdicts_say_whether_chance_could_do_it(
    sides: tuple[float, ...], bounds: list[tuple[float, float] | None], verdict: str
) -> None:
    assert claim_of(sides, bounds, 0.01).verdict == verdict


@pytest.mark.parametrize(("sides", "answer"), [((3.0, 2.0), "hold"), ((2.0, 3.0), "fail")])
def test_one_test_alone_is_not_enough(sides: tuple[float, float], answer: str) -> None:
    gap = sides[0] - sides[1]
    for bounds, p in (((gap - 0.1, gap + 0.1), 0.06), ((gap - 2, gap + 2), 0.01)):
        assert claim_of(sides, [bounds], p).verdict == f"cannot tell, tends to {answer}"


def test_the_headline_counts_what_is_decided() -> None:
    sure = (Comparison(1.0, 0.5, 1.5, 0.0, 0.0),)
    claims = [
        Claim("g", "a", contest(3.0, 2.0), "1 > 0", sure),
        Claim("g", "b", contest(2.0, 3.0), "1 > 0", (Comparison(-1.0, -1.5, -0.5, 0.0, 0.0),)),
        Claim("g", "c", contest(2.0, 3.0), "1 > 0", void=f"{CANNOT_TELL}: x"),
        Claim("g", "d", None, "1 > 0"),
        Claim("g", "e", contest(3.0, 2.0), "", sure),
    ]
    assert headline(claims) == (
        "Does the paper hold here? In part: 1 of 2 claims holds, 1 fails; 1 with degenerate outputs; "
        "1 without a number."
    )
    assert headline(claims[:1]).startswith("Does the paper hold here? Yes: 1 of 1")
    assert headline(claims[1:2]).startswith("Does the paper hold here? No: 0 of 1")
    open_ = Claim("g", "f", contest(3.0, 2.0), "1 > 0", (Comparison(1.0, -0.5, 2.5, 0.2, 0.2),))
    assert headline([open_]) == (
        "Does the paper hold here? We cannot tell: 0 of 1 claims hold; for 1 we cannot tell (1 of them tends to hold)."
    )
    assert headline(claims[3:]) == ""
    apart = headline(claims[:3], apart=["g"])
    assert apart.endswith(" G: 1 of 2 claims holds, 1 fails; 1 with degenerate outputs.")


@pytest.mark.parametrize(
    ("sides", "bounds", "needed"),
    [
        ((3.0, 2.0), [(-0.96, 2.96)], "× 7.9"),  # a standard error of 1: (1.96 + 0.842) squared
        ((3.0, 2.0), [(0.5, 1.5)], ""),
        ((2.0, 3.0), [(-2.96, 0.96)], "× 7.9"),
        ((4.0, 2.0, 1.0), [(0.04, 3.96), (-0.96, 2.96)], "× 7.9"),
        ((2.1, 2.0), [(-1.86, 2.06)], "over × 100"),
        ((3.0, 3.0), [(-1.0, 1.0)], ""),
    ],
)
def test_the_test_set_that_would_tell(sides: tuple[float, ...], bounds: list[tuple[float, float]], needed: str) -> None:
    assert claim_of(sides, bounds, 0.04).needed == needed
