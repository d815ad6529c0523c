"""What a person reads first: the paper's main claims, ours beside its numbers, whether they hold and by how much."""

from collections.abc import Sequence
from dataclasses import replace

from textsimp.reporting.alignment.claims import alignment_claims
from textsimp.reporting.claims import Claim, claims_table
from textsimp.reporting.inputs import CorpusResults, Results
from textsimp.reporting.leaderboard.claims import released_claims
from textsimp.reporting.names import CORPUS_COLUMNS, MANUAL_CORPUS, PRINTED, TEST_SETS
from textsimp.reporting.published import Published
from textsimp.reporting.simplification.claims import simplification_claims
from textsimp.reporting.simplification.tables import equal_cells, main_first
from textsimp.reporting.tables import Row, Table, text_cell


def summary(results: Results, published: Published) -> Table:
    """The main table.

    Per corpus: the claims about alignment (`alignment_claims`); in SARI per sentence on the main test set new
    data against old, the best simplifier against the unchanged input, Transformer_bert against the others.
    """
    groups = [(corpus.plan.name, _claims(corpus, published)) for corpus in results.corpora]
    groups.append(("released outputs", released_claims(results.leaderboard, published)))
    table = claims_table("summary", "Main results", _text(results), groups)
    return replace(table, rows=(*table.rows, *_equal_rows(results)), lead=_headline(groups))


def _claims(corpus: CorpusResults, published: Published) -> list[Claim]:
    claims = alignment_claims(corpus, published) if corpus.plan.is_annotated else []
    return claims + (simplification_claims(corpus, published) if corpus.plan.is_simplified else [])


def _headline(groups: Sequence[tuple[str, Sequence[Claim]]]) -> str:
    """How much of the paper holds here, in a sentence or two."""
    printed = [claim for _, claims in groups for claim in claims if claim.paper]
    if not printed:
        return ""
    holding = [claim for claim in printed if claim.ours.holds]
    against = sum(not claim.ours.holds and claim.is_sure for claim in printed)
    sure = sum(claim.is_sure for claim in holding)
    untested = sum(not claim.is_tested for claim in printed)
    answer = "Yes" if len(holding) == len(printed) else "In part" if holding else "No"
    parts = [f"{answer}: {len(holding)} of {len(printed)} of its claims do, {sure} of them by more than chance"]
    if len(holding) < len(printed):
        parts.append(f"of the {len(printed) - len(holding)} others {against} fail by more than chance")
    if untested:
        parts.append(f"not tested: {untested}")
    return f"Does the paper hold here? {'; '.join(parts)}."


def _equal_rows(results: Results) -> list[Row]:
    """How many printed cells come out again from the released outputs."""
    rows = []
    for name, found in results.published.items():
        equal, compared = equal_cells(found["rows"], systems_only=True)
        verdict = text_cell("yes" if equal == compared else "no", "good" if equal == compared else "bad")
        words = (name, f"Table 8 ({PRINTED['turk']}): system cells as printed", "", f"{equal} of {compared}", "")
        rows.append(Row((*map(text_cell, words), verdict), True))
    return rows


def _text(results: Results) -> str:
    names = [f"{corpus.plan.name} beside {_beside(corpus)}" for corpus in results.corpora if _has_claims(corpus)]
    if not names:
        again = "Released system outputs scored again; nothing is trained."
        return f"{again} SARI per sentence." if results.leaderboard else again
    released = " Released outputs are the paper's own, on its test set." if results.leaderboard else ""
    return (
        f"Claims of the paper, and of this project where the paper has no number. {'; '.join(names)}. Ours and the "
        f"paper's numbers are of different corpora: compare the order, not the height.{released} F1 in percent on the "
        "test split; SARI per sentence."
    )


def _has_claims(corpus: CorpusResults) -> bool:
    return corpus.plan.is_annotated or corpus.plan.is_simplified


def _beside(corpus: CorpusResults) -> str:
    kind = corpus.plan.kind
    sides = CORPUS_COLUMNS[kind]
    if not corpus.plan.is_simplified:
        return MANUAL_CORPUS[kind]
    paper_set = TEST_SETS.get((kind, main_first(corpus.test_sets)[0]), "")
    tested = "" if paper_set in ("", sides["auto"]) else f" (tested on {PRINTED[paper_set]})"
    return f"{MANUAL_CORPUS[kind]} and {PRINTED[sides['auto']]}{tested}"
